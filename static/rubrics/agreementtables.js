/* The tables of the agreement: all statistics beside the ceiling, groups of criteria, pairs of raters, and what votes there are. */
import { h } from "../dom.js";
import { COEFFICIENT, FEW_VOTES, OF_PEOPLE, OF_TWO, SHARE, count, own, sureness, whyNot, whyNotPeople } from "./statistics.js";
import { countCell, gaugeCell, tableOf, valueCell } from "./statisticsglyphs.js";
import { plainly } from "./words.js";

const [AGREEMENT, KAPPA, AC1] = OF_TWO;
const shareOf = (part, whole) => (part == null || !whole ? "" : ` (${SHARE.write(part / whole)})`);

const JUDGE_PERSON = ["Judge and people", "Each vote beside the judge’s verdict"];
const WEIGHTED = ["The same, weighted", "Each vote weighs by how rarely its criterion was drawn, so that this speaks of all criteria that were drawn from"];
const PERSON_PERSON = ["People and people", "The ceiling: each two votes on a criterion"];

/** All statistics: judge and people beside people and people, and weighted where criteria were drawn unevenly. */
export function statisticsTable({ overall: { judge_person: judged, judge_person_weighted: weighted, person_person: ceiling } }) {
  const sides = [[JUDGE_PERSON, judged], ...(weighted ? [[WEIGHTED, weighted]] : []), [PERSON_PERSON, ceiling]];
  const cells = (key, its, comparison) => {
    const wilson = comparison[`${key}_wilson`] ?? null;
    return [valueCell(comparison[key], its, { why: whyNot(key, comparison), wilson }), gaugeCell(comparison[key], its, { wilson }), countCell(comparison[key].n)];
  };
  const line = ([key, label, says, its]) => h("tr", { "data-statistic": key }, h("th", { scope: "row", title: says }, label),
    sides.map(([, comparison]) => cells(key, its, comparison)));
  return tableOf("Statistics of judge and people", [[""], ...sides.flatMap(([head]) => [head, ["", null, "gauged"], ["n", "Verdicts that it is a share of"]])],
    h("tbody", {}, OF_TWO.map(line)));
}

/** People among themselves, each criterion counting alike: four figures side by side. */
export function peopleFigures({ overall: { people } }) {
  return h("dl", { class: "figures-row" }, OF_PEOPLE.map(([key, label, says, its]) => {
    const estimate = people[key], none = estimate.value == null;
    const [short, , left] = none ? [whyNotPeople(key, people)] : sureness(estimate, its), value = none ? "undefined" : its.write(estimate.value), beneath = [short, left].filter(Boolean).join("; ");
    return h("div", { "data-statistic": key },
      h("dt", { title: says }, label), h("dd", { class: none ? "undefined" : null }, value), h("dd", { class: "xs mut" }, beneath));
  }));
}

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
  return h("dl", { class: "facts-list" }, facts.map(([label, value, says]) => h("div", { title: says }, h("dt", {}, label), h("dd", {}, value))));
}

const COMPARED = [
  ["Agreement", AGREEMENT[2]], ["", "The interval on the scale of 0 to 100 %; a hollow mark is people and people", "gauged"],
  ["Cohen’s κ", KAPPA[2]], ["Gwet’s AC1", AC1[2]],
];
/* Cells of these columns. */
const compared = (comparison, ceiling = null) => [
  valueCell(comparison.percent_agreement, SHARE, { why: whyNot("percent_agreement", comparison) }), gaugeCell(comparison.percent_agreement, SHARE, { ceiling }),
  [KAPPA, AC1].map(([key]) => valueCell(comparison[key], COEFFICIENT, { why: comparison.n ? whyNot(key, comparison) : "" })),
];

const GROUPINGS = [ // key, what it is, names of some labels, how the others are written, and what to know
  ["objectivity", "Kind of criterion", { unknown: "Not annotated" }, plainly],
  ["category", "Category", { none: "Without a category" }, plainly, "a criterion may be in several"],
  ["weight", "Weight", {}, (label) => `Weight ${label}`],
  ["critical", "Critical by weight", { critical: "Critical", other: "Not critical" }, plainly],
  ["turn", "Turn", {}, (label) => `Turn ${label}`],
  ["model", "Model", {}, (label) => label],
];
const SPLIT = [
  ["Criteria"], ["Votes", "Votes beside a verdict of the judge"], ["Tasks", "Tasks that they are of"], ...COMPARED,
  ["People agree", "Share of each two votes that are the same: the ceiling"], ["n", "Two votes each"],
];

/** The same by groups of criteria. */
export function splitTable({ groups }) {
  const rowOf = (label, n, ...cells) => h("tr", { class: n < FEW_VOTES ? "few" : null, "data-group": label }, cells);
  const line = (label, { judge_person: judged, person_person: { percent_agreement: people } }) => rowOf(label, judged.n,
    h("th", { scope: "row" }, h("span", { class: "rater" }, label)), countCell(judged.n), countCell(judged.tasks),
    compared(judged, people.value), valueCell(people, SHARE), countCell(people.n));
  const head = (title, says) => h("th", { scope: "rowgroup", colspan: SPLIT.length }, h("span", {}, h("b", {}, title), says ? h("span", { class: "mut" }, says) : null));
  const part = ([key, title, names, write, says]) => h("tbody", { "data-grouping": key }, h("tr", { class: "part-head" }, head(title, says)),
    Object.entries(groups[key]).map(([label, slice]) => line(own(names, label) ?? write(label), slice)));
  return tableOf("Agreement by groups of criteria", SPLIT, GROUPINGS.filter(([key]) => Object.keys(groups[key] ?? {}).length).map(part));
}

/** Each pair of raters: the judge with what people settled on, with each person, and each two people. */
export function pairsTable({ judge_consensus: agreed, judge_reviewer: byReviewer, reviewer_pairs: pairs }, judge, reviewers) {
  const rater = (name) => h("span", { class: "rater" }, name);
  const line = (first, second, comparison) => h("tr", { class: comparison.n < FEW_VOTES ? "few" : null },
    h("th", { scope: "row" }, rater(first), h("span", { class: "mut" }, " and "), rater(second)),
    countCell(comparison.n), countCell(comparison.tasks), compared(comparison));
  return tableOf("Pairs of raters", [["Raters"], ["n", "Criteria on which both have said met or not met"], ["Tasks"], ...COMPARED], h("tbody", {},
    judge == null ? null : [line(judge, "what people settled on", agreed), byReviewer.map((comparison, k) => line(judge, reviewers[k], comparison))],
    pairs.map(({ first, second, comparison }) => line(reviewers[first], reviewers[second], comparison))));
}
