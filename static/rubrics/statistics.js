/* Statistics in words: how each is called and written, how sure it is, and why one is undefined. */

/** A scale: its ends, how a value on it is written, and how the two ends of an interval are. `unit` is what is resampled for an interval. */
export const scale = (low, high, write, end = write, unit = "task") => ({ low, high, write, end, unit });
const minus = (text) => text.replace(/^-(?=0\.?0*$)/, "").replace("-", "−"); // rounded to nothing it has no sign
/** Writes numbers with so many digits, as a multiple of their own. */
export const fixed = (digits, of = 1) => (value) => minus((of * value).toFixed(digits));
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

/**
 * How statistics of two raters are told: what is `is` (an adjective) or is not, in things that are drawn in units.
 * {statistics, people: [key, label, what it says, scale], whyNot, whyNotPeople}. Gwet's AC1 never stands without Cohen's kappa before it.
 */
export function wording({ is = "met", thing = "criterion", things = "criteria", unit = "task" } = {}) {
  const share = { ...SHARE, unit }, coefficient = { ...COEFFICIENT, unit };
  const statistics = [
    ["percent_agreement", "Agreement", "Share of verdicts that are the same", share],
    ["cohen_kappa", "Cohen’s κ", `Agreement beyond chance; falls to 0 where nearly all is ${is}`, coefficient],
    ["gwet_ac1", "Gwet’s AC1", `Agreement beyond chance; stays high where nearly all is ${is}, so read it beside κ`, coefficient],
    ["phi", "φ", "Correlation of the two verdicts (Matthews)", coefficient],
    ["krippendorff_alpha_nominal", "Krippendorff’s α", "Agreement beyond chance, for any number of raters with gaps", coefficient],
    ["sensitivity", "Sensitivity", `Of what a person finds ${is}, the share that the other finds ${is} too`, share],
    ["specificity", "Specificity", `Of what a person finds not ${is}, the share that the other finds not ${is} too`, share],
    ["macro_f1", "Macro F1", `Mean of the F1 of ${is} and of not ${is}`, share],
    ["prevalence", "Prevalence", `Share of ${is} among people’s votes`, share],
  ];
  const people = [statistics[0], statistics[2], statistics[4], ["fleiss_kappa", "Fleiss’ κ", `Only where each ${thing} has the same number of votes`, coefficient]];

  /* Why a statistic of a table has no value: rows are a person's, columns the judge's or another person's. */
  function whyNot(key, { n, table: [[a, b], [c, d]] }) {
    if (!n) return "no two verdicts to compare";
    if (key === "sensitivity") return `people find nothing ${is}`;
    if (key === "specificity") return `people find everything ${is}`;
    if (a + b + c === 0) return `all verdicts are not ${is}`;
    if (b + c + d === 0) return `all verdicts are ${is}`;
    const empty = [[a + b, `people find nothing ${is}`], [c + d, `people find everything ${is}`], [a + c, `the judge finds nothing ${is}`],
      [b + d, `the judge finds everything ${is}`]];
    return empty.find(([sum]) => !sum)?.[1] ?? "not defined";
  }

  /* Why a statistic of people among themselves has no value. */
  function whyNotPeople(key, { n_items_with_two_or_more: paired }) {
    if (!paired) return `no ${thing} has two votes`;
    return key === "fleiss_kappa" ? `${things} differ in their number of votes, or all votes are one class` : "all votes are one class";
  }
  return { is, thing, things, unit, statistics, people, whyNot, whyNotPeople };
}
/** Of criteria of rubrics. */
export const RUBRICS = wording();

const same = (low, high) => high - low < 1e-9;
/**
 * The 95 % interval of an estimate: {low, high, wilson}, or {why} where there is none to be told. Resamples that are all the same say
 * nothing of how sure it is; then Wilson's interval stands instead, if the server gave one.
 */
export function intervalOf({ value, low, high }, wilson = null, { unit = "task" } = {}) {
  if (value == null) return { why: "" };
  if (low == null) return { why: `no interval: one ${unit}` };
  if (!same(low, high)) return { low, high, wilson: false };
  return wilson ? { low: wilson[0], high: wilson[1], wilson: true } : { why: "no interval: no spread" };
}

/** Ends of an interval in words, such as "0.58 to 0.80", which stay on one line. */
export const ends = ({ low, high }, { end }) => `${end(low)}\u00a0to\u00a0${end(high)}`;
/* Of what there is no interval, or another one. */
const plural = (unit) => (unit.endsWith("y") ? `${unit.slice(0, -1)}ies` : `${unit}s`);
const SAYS = {
  few: (unit) => `Fewer than two ${plural(unit)} tell of it`, spread: (unit) => `All resamples of ${plural(unit)} come to the same, which says nothing of how sure it is`,
  wilson: (unit) => `Wilson’s interval, as if verdicts were independent: all resamples of ${plural(unit)} come to the same`, usual: (unit) => `95% interval by resampling ${plural(unit)}`,
};
/** How sure an estimate is, in words: [short, in a sentence, in how many resamples it is undefined, if in any]. */
export function sureness(estimate, its, wilson = null) {
  const { unit } = its, interval = intervalOf(estimate, wilson, its);
  if (interval.why != null) return [interval.why, SAYS[interval.why.endsWith("spread") ? "spread" : "few"](unit)];
  const number = interval.wilson ? 0 : estimate.undefined, left = number ? `${count(number)} resample${number === 1 ? "" : "s"}` : null;
  const says = [SAYS[interval.wilson ? "wilson" : "usual"](unit), left && `without the ${left} in which it is undefined`];
  return [`${ends(interval, its)}${interval.wilson ? ", Wilson" : ""}`, says.filter(Boolean).join(", "), left && `undefined in ${left}`];
}

/** What an object that came from the server has under a key; names of people and models may be those of what every object has. */
export const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
export const count = (value) => value.toLocaleString("en").replace("-", "−");
/** What few tasks, or other units, mean for the intervals; nothing where they are enough. */
export function roughly(units, { unit = "task" } = {}) {
  if (!units || units >= FEW_TASKS) return "";
  return units === 1 ? `Only one ${unit}: there is no interval.` : `Only ${units} ${plural(unit)}: the interval is a rough guess.`;
}
