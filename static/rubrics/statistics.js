/* Statistics in words: how each is called and written, how sure it is, and why one is undefined. */

/* A scale: its ends, how a value on it is written, and how the two ends of an interval are. */
const scale = (low, high, write, end = write) => ({ low, high, write, end });
const minus = (text) => text.replace(/^-(?=0\.?0*$)/, "").replace("-", "−"); // rounded to nothing it has no sign
const fixed = (digits, of = 1) => (value) => minus((of * value).toFixed(digits));
export const SHARE = scale(0, 1, (value) => `${fixed(1, 100)(value)}%`, fixed(1, 100));
export const COEFFICIENT = scale(-1, 1, fixed(2));
export const SCORE = scale(0, 1, fixed(3));
/** Differences, with their sign: of scores, and of shares in percentage points. */
const signed = (write) => (value) => { const text = write(value); return /[1-9]/.test(text) && value > 0 ? `+${text}` : text; };
export const SCORE_CHANGE = scale(-1, 1, signed(fixed(3)));
export const SHARE_CHANGE = scale(-1, 1, (value) => `${signed(fixed(1, 100))(value)} pp`, signed(fixed(1, 100)));

/** Below so many tasks no interval by resampling them can be trusted; below so many votes a row is a hint only. */
export const FEW_TASKS = 10;
export const FEW_VOTES = 20;

/** Statistics of two raters: [key, label, what it says, scale]. Gwet's AC1 never stands without Cohen's kappa before it. */
export const OF_TWO = [
  ["percent_agreement", "Agreement", "Share of verdicts that are the same", SHARE],
  ["cohen_kappa", "Cohen’s κ", "Agreement beyond chance; falls to 0 where nearly all is met", COEFFICIENT],
  ["gwet_ac1", "Gwet’s AC1", "Agreement beyond chance; stays high where nearly all is met, so read it beside κ", COEFFICIENT],
  ["phi", "φ", "Correlation of the two verdicts (Matthews)", COEFFICIENT],
  ["krippendorff_alpha_nominal", "Krippendorff’s α", "Agreement beyond chance, for any number of raters with gaps", COEFFICIENT],
  ["sensitivity", "Sensitivity", "Of what a person finds met, the share that the other finds met too", SHARE],
  ["specificity", "Specificity", "Of what a person finds not met, the share that the other finds not met too", SHARE],
  ["macro_f1", "Macro F1", "Mean of the F1 of met and of not met", SHARE],
  ["prevalence", "Prevalence", "Share of met among people’s votes", SHARE],
];
/** Statistics of people among themselves, each criterion counting alike. */
export const OF_PEOPLE = [
  OF_TWO[0], OF_TWO[2], OF_TWO[4], ["fleiss_kappa", "Fleiss’ κ", "Only where each criterion has the same number of votes", COEFFICIENT],
];

/** Why a statistic of a table has no value: rows are a person's, columns the judge's or another person's. */
export function whyNot(key, { n, table: [[a, b], [c, d]] }) {
  if (!n) return "no two verdicts to compare";
  if (key === "sensitivity") return "people find nothing met";
  if (key === "specificity") return "people find everything met";
  if (a + b + c === 0) return "all verdicts are not met";
  if (b + c + d === 0) return "all verdicts are met";
  const empty = [[a + b, "people find nothing met"], [c + d, "people find everything met"], [a + c, "the judge finds nothing met"],
    [b + d, "the judge finds everything met"]];
  return empty.find(([sum]) => !sum)?.[1] ?? "not defined";
}

/** Why a statistic of people among themselves has no value. */
export function whyNotPeople(key, { n_items_with_two_or_more: paired }) {
  if (!paired) return "no criterion has two votes";
  return key === "fleiss_kappa" ? "criteria differ in their number of votes, or all votes are one class" : "all votes are one class";
}

const same = (low, high) => high - low < 1e-9;
/**
 * The 95 % interval of an estimate: {low, high, wilson}, or {why} where there is none to be told. Resamples that are all the same say
 * nothing of how sure it is; then Wilson's interval stands instead, if the server gave one.
 */
export function intervalOf({ value, low, high }, wilson = null) {
  if (value == null) return { why: "" };
  if (low == null) return { why: "no interval: one task" };
  if (!same(low, high)) return { low, high, wilson: false };
  return wilson ? { low: wilson[0], high: wilson[1], wilson: true } : { why: "no interval: no spread" };
}

/** Ends of an interval in words, such as "0.58 to 0.80", which stay on one line. */
export const ends = ({ low, high }, { end }) => `${end(low)}\u00a0to\u00a0${end(high)}`;
const SAYS = { // of what there is no interval, or another one
  task: "Fewer than two tasks tell of it", spread: "All resamples of tasks come to the same, which says nothing of how sure it is",
  wilson: "Wilson’s interval, as if verdicts were independent: all resamples of tasks come to the same", usual: "95% interval by resampling tasks",
};
/** How sure an estimate is, in words: [short, in a sentence, in how many resamples it is undefined, if in any]. */
export function sureness(estimate, its, wilson = null) {
  const interval = intervalOf(estimate, wilson);
  if (interval.why != null) return [interval.why, interval.why.endsWith("spread") ? SAYS.spread : SAYS.task];
  const { undefined: number } = estimate, left = number ? `${count(number)} resample${number === 1 ? "" : "s"}` : null;
  const says = [interval.wilson ? SAYS.wilson : SAYS.usual, left && `without the ${left} in which it is undefined`];
  return [`${ends(interval, its)}${interval.wilson ? ", Wilson" : ""}`, says.filter(Boolean).join(", "), left && `undefined in ${left}`];
}

/** What an object that came from the server has under a key; names of people and models may be those of what every object has. */
export const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
export const count = (value) => value.toLocaleString("en").replace("-", "−");
/** What few tasks mean for the intervals; nothing where they are enough. */
export function roughly(tasks) {
  if (!tasks || tasks >= FEW_TASKS) return "";
  return tasks === 1 ? "Only one task: there is no interval." : `Only ${tasks} tasks: the interval is a rough guess.`;
}
