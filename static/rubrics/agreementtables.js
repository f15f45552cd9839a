/* The tables of the agreement: all statistics beside the ceiling, groups of criteria, pairs of raters, and what votes there are. */
import { h } from "../dom.js";
import { FEW_VOTES, RUBRICS, SHARE, count, own, sureness } from "./statistics.js";
import { countCell, gaugeCell, tableOf, valueCell } from "./statisticsglyphs.js";
import { plainly } from "./words.js";

const shareOf = (part, whole) => (part == null || !whole ? "" : ` (${SHARE.write(part / whole)})`);

/** All statistics: judge and people beside people and people, and weighted where things were drawn unevenly. */
export function statisticsTable({ overall: { judge_person: judged, judge_person_weighted: weighted, person_person: ceiling } }, words = RUBRICS) {
  const { thing, things, statistics, whyNot } = words;
  const sides = [
    [["Judge and people", "Each vote beside the judge’s verdict"], judged],
    ...(weighted ? [[["The same, weighted", `Each vote weighs by how rarely its ${thing} was drawn, so that this speaks of all ${things} that were drawn from`], weighted]] : []),
    [["People and people", `The ceiling: each two votes on a ${thing}`], ceiling],
  ];
  const cells = (key, its, comparison) => {
    const wilson = comparison[`${key}_wilson`] ?? null;
    return [valueCell(comparison[key], its, { why: whyNot(key, comparison), wilson }), gaugeCell(comparison[key], its, { wilson }), countCell(comparison[key].n)];
  };
  const line = ([key, label, says, its]) => h("tr", { "data-statistic": key }, h("th", { scope: "row", title: says }, label),
    sides.map(([, comparison]) => cells(key, its, comparison)));
  return tableOf("Statistics of judge and people", [[""], ...sides.flatMap(([head]) => [head, ["", null, "gauged"], ["n", "Verdicts that it is a share of"]])],
    h("tbody", {}, statistics.map(line)));
}

/** People among themselves, each thing counting alike: four figures side by side. */
export function peopleFigures({ overall: { people } }, words = RUBRICS) {
  return h("dl", { class: "figures-row" }, words.people.map(([key, label, says, its]) => {
    const estimate = people[key], none = estimate.value == null;
    const [short, , left] = none ? [words.whyNotPeople(key, people)] : sureness(estimate, its), value = none ? "undefined" : its.write(estimate.value), beneath = [short, left].filter(Boolean).join("; ");
    return h("div", { "data-statistic": key },
      h("dt", { title: says }, label), h("dd", { class: none ? "undefined" : null }, value), h("dd", { class: "xs mut" }, beneath));
  }));
}

/** Facts as a list: [[label, value, what it says]]. */
export const factsList = (facts) => h("dl", { class: "facts-list" }, facts.map(([label, value, says]) => h("div", { title: says }, h("dt", {}, label), h("dd", {}, value))));

/** What there is to say anything from, and what does not count. */
export function coverageList({ overall: { coverage } }, { after_reveal: after, withdrawn, adjudicated, tied }) {
  const { rows } = coverage, facts = [
    ["Pairs of an answer and a criterion", count(rows), null],
    ["Judged", count(coverage.judged) + shareOf(coverage.judged, rows), "With a verdict of the judge"],
    ["Voted on", count(coverage.voted) + shareOf(coverage.voted, rows), "With a vote of met or not met"],
    ["Compared", count(coverage.compared) + shareOf(coverage.compared, rows), "With both"],
    ["Votes", count(coverage.votes), "Met or not met, before the judge’s verdict was shown"],
    ["Can’t assess", count(coverage.cannot_assess), "Votes that say so; they are not in the agreement"],
    ["After the reveal", count(after), "Votes whose verdict is another one than before the judge’s was shown; they are not in the agreement"],
    ["Taken back", count(withdrawn), "Votes that were taken back; they are not in the agreement"],
    ["Settled by adjudication", count(adjudicated), "Pairs; the ruling is the consensus, the votes stay as they are"],
    ["Tied", count(tied), "Pairs with votes on which people have not settled"],
  ];
  return factsList(facts);
}

/** Columns of a comparison: agreement with its interval, and the two coefficients. */
export const comparedHeads = ({ statistics: [agreement, kappa, ac1] } = RUBRICS) => [
  [agreement[1], agreement[2]], ["", "The interval on the scale of 0 to 100 %; a hollow mark is people and people", "gauged"], [kappa[1], kappa[2]], [ac1[1], ac1[2]],
];
/** Cells of these columns. */
export const comparedCells = (comparison, ceiling = null, { statistics: [agreement, ...rest], whyNot } = RUBRICS) => [
  valueCell(comparison.percent_agreement, agreement[3], { why: whyNot("percent_agreement", comparison) }), gaugeCell(comparison.percent_agreement, agreement[3], { ceiling }),
  rest.slice(0, 2).map(([key, , , its]) => valueCell(comparison[key], its, { why: comparison.n ? whyNot(key, comparison) : "" })),
];

const GROUPINGS = [ // key, what it is, names of some labels, how the others are written, and what to know
  ["objectivity", "Kind of criterion", { unknown: "Not annotated" }, plainly],
  ["category", "Category", { none: "Without a category" }, plainly, "a criterion may be in several"],
  ["weight", "Weight", {}, (label) => `Weight ${label}`],
  ["critical", "Critical by weight", { critical: "Critical", other: "Not critical" }, plainly],
  ["turn", "Turn", {}, (label) => `Turn ${label}`],
  ["model", "Model", {}, (label) => label],
];
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const countedUnits = ({ unit }) => [unit === "query" ? "Queries" : "Tasks", `${unit === "query" ? "Queries" : "Tasks"} that they are of`];

/** The same by groups: `groupings` as those of rubrics, each drawn where the agreement has it. */
export function splitTable({ groups }, { groupings = GROUPINGS, words = RUBRICS } = {}) {
  const { things } = words, SPLIT = [
    [capital(things)], ["Votes", "Votes beside a verdict of the judge"], countedUnits(words), ...comparedHeads(words),
    ["People agree", "Share of each two votes that are the same: the ceiling"], ["n", "Two votes each"],
  ];
  const rowOf = (label, n, ...cells) => h("tr", { class: n < FEW_VOTES ? "few" : null, "data-group": label }, cells);
  const line = (label, { judge_person: judged, person_person: { percent_agreement: people } }) => rowOf(label, judged.n,
    h("th", { scope: "row" }, h("span", { class: "rater" }, label)), countCell(judged.n), countCell(judged.tasks),
    comparedCells(judged, people.value, words), valueCell(people, words.statistics[0][3]), countCell(people.n));
  const head = (title, says) => h("th", { scope: "rowgroup", colspan: SPLIT.length }, h("span", {}, h("b", {}, title), says ? h("span", { class: "mut" }, says) : null));
  const part = ([key, title, names, write, says]) => h("tbody", { "data-grouping": key }, h("tr", { class: "part-head" }, head(title, says)),
    Object.entries(groups[key]).map(([label, slice]) => line(own(names, label) ?? write(label), slice)));
  return tableOf(`Agreement by groups of ${things}`, SPLIT, groupings.filter(([key]) => Object.keys(groups[key] ?? {}).length).map(part));
}

/** Each pair of raters: the judge with what people settled on, where they settle it, with each person, and each two people. */
export function pairsTable({ judge_consensus: agreed, judge_reviewer: byReviewer, reviewer_pairs: pairs }, judge, reviewers, { words = RUBRICS, settled = true } = {}) {
  const rater = (name) => h("span", { class: "rater" }, name);
  const line = (first, second, comparison) => h("tr", { class: comparison.n < FEW_VOTES ? "few" : null },
    h("th", { scope: "row" }, rater(first), h("span", { class: "mut" }, " and "), rater(second)),
    countCell(comparison.n), countCell(comparison.tasks), comparedCells(comparison, null, words));
  return tableOf("Pairs of raters", [["Raters"], ["n", `${capital(words.things)} on which both have said ${words.is} or not ${words.is}`], countedUnits(words).slice(0, 1), ...comparedHeads(words)], h("tbody", {},
    judge == null ? null : [settled ? line(judge, "what people settled on", agreed) : null, byReviewer.map((comparison, k) => line(judge, reviewers[k], comparison))],
    pairs.map(({ first, second, comparison }) => line(reviewers[first], reviewers[second], comparison))));
}
