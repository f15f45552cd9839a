/* What the judge's mistakes do to ARS and APR: by judge, by people, their difference, and corrected; each explained in a sentence. */
import { h } from "../dom.js";
import { SCORE, SCORE_CHANGE, SHARE, SHARE_CHANGE, count, ends, intervalOf } from "./statistics.js";
import { countCell, gaugeCell, tableOf, valueCell } from "./statisticsglyphs.js";

const MEANS = [ // key, label, what it says, its scale, that of its differences
  ["ars", "ARS", "Average rubric score: mean share of the weight that is met", SCORE, SCORE_CHANGE],
  ["apr", "APR", "Average pass rate: share of answers without a critical criterion that is not met", SHARE, SHARE_CHANGE],
];

const correctionOf = (effect, [name]) => effect[`${name}_corrected`];
function error(label, estimate) {
  const interval = intervalOf(estimate);
  return `${label} ${SHARE.write(estimate.value)}${interval.why == null ? ` (${ends(interval, SHARE)})` : ""}, n ${count(estimate.n)}`;
}

/* Why there is no corrected rate, or with what it was corrected. */
function correction({ rate, clipped, reason, sensitivity, specificity }, [, name, , its]) {
  const back = clipped ? ` The formula left the scale and was brought back to ${its.write(rate.value)}.` : "";
  return `${name}: ${reason ?? `${error("sensitivity", sensitivity)}; ${error("specificity", specificity)}.${back}`}`;
}

const paired = (key) => (effect, [name]) => effect[`${name}_paired`][key];
const UNREVIEWED = "no answer is wholly reviewed";
const ROWS = [ // label, what it says, the estimate of a mean, why there may be none, whether it is a difference
  ["Judge, all answers", "Every answer that has its verdict on each criterion.", (effect, [name]) => effect[name], "no answer is wholly judged"],
  ["Judge, reviewed answers", "Only answers on which people have settled every criterion too.", paired("judge"), UNREVIEWED],
  ["People, reviewed answers", "By what people settled on: their majority, or a ruling.", paired("consensus"), UNREVIEWED],
  ["Judge less people", "Above 0 the judge is too kind.", paired("difference"), UNREVIEWED, true],
  ["Corrected, all answers", "The judge’s rate without its mistakes, as far as the reviewed answers show them (Rogan–Gladen).",
    (effect, mean) => correctionOf(effect, mean).rate, "the reason stands beneath"],
];

/** Both means of all answers, by whose verdicts. */
export function effectTable(effect) {
  const cells = (mean, of, why, differ) => {
    const estimate = of(effect, mean), its = mean[differ ? 4 : 3];
    return [valueCell(estimate, its, { why }), gaugeCell(estimate, its), countCell(estimate.n)];
  };
  const line = ([label, says, ...rest]) => h("tr", {},
    h("th", { scope: "row" }, h("span", { class: "effect-name" }, label), h("span", { class: "xs mut says" }, says)), MEANS.map((mean) => cells(mean, ...rest)));
  const heads = [["Verdicts"], ...MEANS.flatMap(([, label, says]) => [[label, says], ["", null, "gauged"], ["n", "Answers"]])];
  return tableOf("Effect on the scores", heads, h("tbody", {}, ROWS.map(line)));
}

const notes = (lines) => h("div", { class: "xs mut corrections" }, lines.map((line) => h("p", {}, line)));
/** With what the rates were corrected, or why they were not. */
export const corrections = (effect) => notes(MEANS.map((mean) => correction(correctionOf(effect, mean), mean)));

const BY_MODEL = [
  ["Model"], ["Judged", "Answers with a verdict of the judge on every criterion, of all"], ["Reviewed", "Answers on which people have settled every criterion too"],
  ...ROWS.map(([label, says]) => [label, says]),
];

/** The same by model, a table for each mean, and why a model's rate could not be corrected. */
export function effectByModel({ model = {} }) {
  const models = Object.entries(model);
  const line = (mean) => ([name, effect]) => h("tr", { "data-model": name }, h("th", { scope: "row" }, h("span", { class: "rater" }, name)),
    h("td", { class: "mut" }, `${count(effect.judged)} of ${count(effect.answers)}`), countCell(effect.reviewed),
    ROWS.map(([, , of, , differ]) => valueCell(of(effect, mean), mean[differ ? 4 : 3])));
  return MEANS.map((mean) => {
    const reasons = models.map(([name, effect]) => [name, correctionOf(effect, mean).reason]).filter(([, reason]) => reason);
    const title = `${mean[1]} by model`;
    return [h("h3", {}, title), tableOf(title, BY_MODEL, h("tbody", {}, models.map(line(mean)))), notes(reasons.map((said) => said.join(": ")))];
  });
}
