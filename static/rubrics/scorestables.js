/* The tables of the scores: models with their means, the same by group, tool use, image operations and kinds of error. */
import { h, plural } from "../dom.js";
import { SCORE, SHARE, count, ends, own } from "./statistics.js";
import { bar, countCell, gaugeCell, tableOf, valueCell } from "./statisticsglyphs.js";
import { ERRORS, errorWords, plainly } from "./words.js";

/** Both means: [key, label, what it says, scale]. */
export const MEANS = [
  ["ars", "ARS", "Average rubric score: mean share of the weight that is met", SCORE],
  ["apr", "APR", "Average pass rate: share of answers without a critical criterion that is not met", SHARE],
];
/** What the means are told by: [key, label, how a label of it is written]. */
export const GROUPS = [["category", "Category", plainly], ["domain", "Domain", plainly], ["turn_kind", "Turns", plainly]];
const MOST_TOOLS = 8; // columns of tools; calls of other names are summed
const KINDS = ["crop", "resize", "rotate", "flip", "brightness", "contrast", "edit", "other"];
const BRIEF = {
  "visual_perception.no_tool": "No tool", "visual_perception.wrong_view": "Wrong view", "visual_perception.misread": "Misread",
  reasoning: "Reasoning", calculation: "Calculation", other: "Other",
};
const share = (value) => (value == null ? "–" : SHARE.write(value));
const beneath = (text) => h("span", { class: "xs mut ends" }, text);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/* A table with a row for each model; `cells(row)` are what comes after its name. */
const byModel = (label, heads, models, cells) => tableOf(label, [["Model"], ...heads],
  h("tbody", {}, models.map((row) => h("tr", { "data-model": row.model }, h("th", { scope: "row" }, h("span", { class: "rater" }, row.model)), cells(row)))));
const meanCell = (mean, its, why, ...more) => { const cell = valueCell({ undefined: 0, ...mean }, its, { why }); cell.append(...more); return cell; };
/* A number as a bar among `most`, in words, with another one beside it. */
const barCell = (value, most, words, more) => h("td", { class: value ? null : "mut" },
  bar(value, most), h("span", {}, value ? h("b", {}, words) : "0", value ? h("span", { class: "xs mut" }, ` ${more}`) : null));

/** Models with ARS and APR. */
export function modelsTable(models) {
  const open = models.some(({ incomplete }) => incomplete), bounds = [["ARS, bounds", "Of all answers, if what is open were not met, and if it were met"]];
  const left = ({ incomplete, unscored }) => [incomplete && `${count(incomplete)} incomplete`, unscored && `${count(unscored)} unscored`].filter(Boolean).join(", ");
  const heads = [
    ["Scored", "Answers with a verdict on every criterion; only they enter the means"], ...MEANS.flatMap(([, label, says]) => [[label, says], ["", null, "gauged"]]),
    ...(open ? bounds : []), ["No critical", "Scored answers to tasks without a critical criterion, which always pass"],
  ];
  return byModel("Scores of models", heads, models, (row) => [
    h("td", {}, h("b", {}, `${count(row.scored)} of ${count(row.answers)}`), beneath(left(row))),
    MEANS.map(([key, , , its]) => [meanCell(row[key], its, "no answer is scored"), gaugeCell(row[key], its)]),
    open ? h("td", { class: "sub" }, row.bounds && row.incomplete ? ends({ low: row.bounds[0], high: row.bounds[1] }, SCORE) : "–") : null, countCell(row.no_critical),
  ]);
}

/** One of the means by group, with the scored answers of each; null without groups. */
export function groupsTable(models, group, mean) {
  const [, , write] = GROUPS.find(([key]) => key === group), [, name, , its] = MEANS.find(([key]) => key === mean);
  const of = (row) => row[`by_${group}`], labels = [...new Set(models.flatMap((row) => Object.keys(of(row))))].sort();
  const cell = (found) => (found ? meanCell(found[mean], its, "none is scored", beneath(`n ${count(found[mean].n)} of ${count(found.total)}`)) : h("td", {}, "–"));
  return labels.length ? byModel(`${name} by group`, labels.map((label) => [write(label)]), models, (row) => labels.map((label) => cell(own(of(row), label)))) : null;
}

/** How models used their tools. */
export function toolsTable(models) {
  const totals = new Map();
  for (const { tools } of models) for (const [name, calls] of Object.entries(tools.by_tool)) totals.set(name, (totals.get(name) ?? 0) + calls);
  const names = [...totals.keys()].sort((a, b) => totals.get(b) - totals.get(a)), shown = names.slice(0, MOST_TOOLS), rest = names.slice(MOST_TOOLS);
  const heads = [
    ["Calls"], ["Proactivity", "Share of answers with at least one call"],
    ["Success", "Share of calls that were valid and gave something"], ["Volume", "Calls per answer"],
    ...shown.map((name) => [name || "(no name)", "Calls of this tool, by the name that the model sent", "mono tool"]),
    ...(rest.length ? [["Other names", `Calls of ${plural(rest.length, "more name")}`]] : []),
  ];
  return byModel("Tool use of models", heads, models, ({ tools }) => {
    const of = (name) => own(tools.by_tool, name) ?? 0;
    return [
      h("td", {}, h("b", {}, count(tools.calls))), h("td", {}, share(tools.proactivity)),
      h("td", {}, share(tools.success_rate), tools.calls ? beneath(`${count(tools.successes)} of ${count(tools.calls)}`) : null),
      h("td", {}, tools.volume == null ? "–" : tools.volume.toFixed(2)),
      shown.map((name) => countCell(of(name))), rest.length ? countCell(sum(rest.map(of))) : null,
    ];
  });
}

/** Image operations in the code of models. */
export function operationsTable(models) {
  const of = ({ tools }, kind) => tools.operations[kind] ?? { calls: 0, occurrences: 0 };
  const most = Math.max(1, ...models.flatMap((row) => KINDS.map((kind) => of(row, kind).calls)));
  const cell = ({ calls, occurrences }) => barCell(calls, most, count(calls), `${count(occurrences)}×`);
  const heads = KINDS.map((kind) => [plainly(kind), "Calls that hold it, and how often it occurs in their code"]);
  return byModel("Image operations of models", heads, models, (row) => KINDS.map((kind) => cell(of(row, kind))));
}

/** Why reviewers say that answers miss criteria; null when nobody said. */
export function errorsTable(models) {
  const all = ({ errors }) => sum(Object.values(errors));
  if (!models.some(all)) return null;
  const heads = [["n", "Votes of not met that say why"], ...ERRORS.map(([kind]) => [BRIEF[kind] ?? kind, errorWords(kind)])];
  return byModel("Kinds of error by model", heads, models, (row) => [countCell(all(row)), ERRORS.map(([kind]) => {
    const said = row.errors[kind] ?? 0;
    return barCell(said, all(row), SHARE.write(said / all(row)), count(said));
  })]);
}
