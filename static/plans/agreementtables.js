/* Tables of the agreement that rubrics have not: three inspectors at a glance, gates and scores, gaps that pair, numbers beside numbers. */
import { h } from "../dom.js";
import { comparedCells, comparedHeads } from "../rubrics/agreementtables.js";
import { FEW_VOTES, count, ends } from "../rubrics/statistics.js";
import { card, countCell, gauge, gaugeCell, tableOf, valueCell } from "../rubrics/statisticsglyphs.js";
import { FINAL_CHANGE, PART, PERCENT, PER_PLAN_CHANGE, RANK, WORDS, rankWords } from "./figures.js";
import { CRITERIA, GAPS, GATES, INSPECTORS, TIERS, verdictName } from "./words.js";

const beneath = (text) => text && h("span", { class: "xs mut ends" }, text);
const head = (...content) => h("th", { scope: "row" }, h("span", { class: "rater" }, content));
const few = (n) => (n < FEW_VOTES ? "few" : null);

/** What is compared of each inspector: [name, label, what agrees]. */
export const COMPARED = INSPECTORS.map(([name, label]) =>
  [name, label, { precision: "whether a call succeeds", recall: "whether a place lacks a picture", chief: "whether FS is 60 or above" }[name]]);
/** The agreement of an inspector with people, as panels of rubrics have it. */
export const panelOf = (panel, inspector) => ({ precision: panel.precision.success, recall: panel.recall.places, chief: panel.chief.good })[inspector];

/** Three inspectors, each beside what is published of it. */
export function inspectorsTable(panel, chosen, choose) {
  const published = new Map(panel.published.map((one) => [one.inspector, one]));
  const heads = [["Inspector"], ["n", "Votes beside a verdict of the judge"], ...comparedHeads(WORDS.precision),
    ["People agree", "Share of each two votes that are the same: the ceiling"],
    ["Published", "Agreement of Gemini 2.5 Pro with people in ATP-Bench; what was compared is not stated, so it is no more than a landmark",
      "published-head"], ["", null, "gauged"], ["n", "Queries"]];
  const line = ([inspector, label, says]) => {
    const { overall: { judge_person: judged, person_person: people } } = panelOf(panel, inspector), words = WORDS[inspector], there = published.get(inspector);
    const estimate = there && { value: there.percent, low: there.interval[0], high: there.interval[1], n: there.n, undefined: 0 };
    return h("tr", { class: few(judged.n), "data-inspector": inspector, "aria-selected": null },
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", "aria-pressed": String(inspector === chosen),
        onclick: () => choose(inspector) }, label), h("span", { class: "xs mut says" }, says)),
      countCell(judged.n), comparedCells(judged, people.percent_agreement.value, words), valueCell(people.percent_agreement, PART),
      there ? [h("td", { class: "elsewhere" }, h("b", {}, `${there.percent.toFixed(2)}%`),
        h("span", { class: "xs mut ends", title: "Wilson’s interval, ours, as if each query were one verdict" },
          ends({ low: there.interval[0], high: there.interval[1] }, PERCENT))), h("td", { class: "gauged elsewhere" }, gauge(estimate, PERCENT)),
        h("td", { class: "mut elsewhere" }, count(there.n))] : [h("td", {}, "–"), h("td", {}), h("td", {})]);
  };
  return tableOf("Three inspectors and people", heads, h("tbody", {}, COMPARED.map(line)));
}

/** On what to trust the Precision Inspector least: groups of calls; `groupings` as the table by groups has them. Null without any. */
export function weakestList({ weakest, success: { overall: { judge_person: { cohen_kappa: all } } } }, groupings) {
  const line = ({ grouping, label, n, percent, kappa, surely }) => {
    const [, what, names, write] = groupings.find(([key]) => key === grouping), below = surely ? ", below it beyond chance" : "";
    return h("li", { "data-group": grouping, "data-label": label }, h("b", { class: "words" }, `${what}: ${names[label] ?? write(label)}`),
      h("span", { class: "sub" }, ` κ ${RANK.write(kappa)}${below}; ${PART.write(percent)} of ${count(n)} votes agree`));
  };
  return weakest.length ? card("Where to trust the Precision Inspector least",
    `Groups of calls whose κ lies below ${RANK.write(all.value)}, that of all calls: the three lowest with 20 votes or more.`,
    h("ul", { class: "weakest sm" }, weakest.map(line))) : null;
}

/** Gates and scores, each by itself. */
export function partsTable({ parts }) {
  const names = [...GATES.map(([name, label]) => [name, label, "Whether the gate passes"]),
    ...CRITERIA.map(([name, label]) => [name, label, "Whether the score is 2"])].filter(([name]) => parts[name]);
  const heads = [["Part of a verdict"], ["n", "Votes beside a verdict of the judge"], ...comparedHeads(WORDS.precision),
    ["People agree", "The ceiling"], ["n", "Two votes each"]];
  return tableOf("Gates and scores", heads, h("tbody", {}, names.map(([name, label, says]) => {
    const { judge_person: judged, person_person: { percent_agreement: people } } = parts[name];
    return h("tr", { class: few(judged.n), "data-part": name }, h("th", { scope: "row", title: says }, label), countCell(judged.n),
      comparedCells(judged, people.value, WORDS.precision), valueCell(people, PART), countCell(people.n));
  })));
}

const BY = { 0: "In the same place", 1: "Up to one block apart" };
/** Gaps of the judge and of people that pair: exactly, and one block apart. */
export function pairingTable({ judge_person: judged, person_person: people }) {
  const heads = [["Gaps that pair"], ["Precision", "Of the judge’s gaps, those that a person has too"], ["", null, "gauged"],
    ["Recall", "Of people’s gaps, those that the judge has too"], ["", null, "gauged"], ["F1", "Harmonic mean of both, over all gaps"],
    ["", null, "gauged"], ["Both", "Pairs of a gap of each"], ["Only the first"], ["Only the second"]];
  const line = (label) => (found) => h("tr", { "data-tolerance": found.tolerance },
    head(`${label}, ${(BY[found.tolerance] ?? `${found.tolerance} blocks apart`).toLowerCase()}`),
    ["precision", "recall", "f1"].map((key) => [valueCell(found[key], PART, { why: "no gaps to pair" }), gaugeCell(found[key], PART)]),
    countCell(found.paired), countCell(found.first_only), countCell(found.second_only));
  return tableOf("Gaps that pair", heads, h("tbody", {}, judged.map(line("Judge and people")), people.map(line("People and people"))));
}

/** What people say of the judge's own gaps. */
export function upheldTable({ votes, gaps, by_type: types, by_severity: severities, reported }) {
  const cell = ({ k, n, value, low, high }) => {
    const estimate = { value, low, high, n, undefined: 0 };
    return [h("td", {}, value == null ? "–" : [h("b", {}, PART.write(value)), h("span", { class: "xs mut ends", title: "Wilson’s 95% interval" },
      ends({ low, high }, PART))]), gaugeCell(estimate, PART), h("td", { class: "mut" }, `${count(k)} of ${count(n)}`)];
  };
  const line = (label, share, says = null) => h("tr", { class: few(share.n) }, h("th", { scope: "row", title: says }, label), cell(share));
  return tableOf("Gaps of the judge that people uphold", [["Gaps of the judge"], ["Upheld", "Votes that uphold a gap, of all votes"],
    ["", null, "gauged"], ["n"]], h("tbody", {},
    line("All votes", votes), line("Gaps, by majority", gaps, `Of ${count(reported)} gaps that the judge reports; half each does not uphold`),
    GAPS.filter(([kind]) => types[kind]).map(([kind, label]) => line(label, types[kind])),
    ["major", "minor"].filter((name) => severities[name]).map((name) => line(`${name === "major" ? "Major" : "Minor"} ones`, severities[name]))));
}

/** Numbers of the judge beside those of people: orders, differences, and those of people among themselves. */
export function numbersTable({ ranks, difference, absolute_difference: absolute, people_absolute_difference: people, judge_reviewer: byReviewer,
  reviewer_pairs: pairs }, judge, reviewers, { change = FINAL_CHANGE, label = "Final scores" } = {}) {
  const size = { ...change, low: 0, write: (value) => change.write(value).replace("+", ""), end: (value) => change.end(value).replace("+", "") };
  const heads = [["Raters"], ["Spearman’s ρ", "How alike they order the plans; beneath its 95% interval by Fisher’s z"], ["p"],
    ["Plans", "That both gave a number"], ["Difference", "The first less the second, on the mean"], ["Apart", "Mean distance of both"],
    ["n", "Numbers beside numbers"]];
  const rankCells = (found) => { const { rho, interval, p, n, left } = rankWords(found);
    return [h("td", {}, rho == null ? h("span", { class: "undefined" }, "undefined") : h("b", {}, rho),
      beneath(rho == null ? "no two different values" : interval)), h("td", {}, p),
      h("td", { class: "mut" }, count(n), left ? beneath(`${count(left)} left out`) : null)]; };
  const plain = (value, its) => h("td", {}, value == null ? "–" : its.write(value));
  const pair = (first, second, found) => h("tr", { class: few(found.n) }, head(first, h("span", { class: "mut" }, " and "), second),
    rankCells(found.ranks), plain(found.difference, change), plain(found.absolute_difference, size), countCell(found.n));
  return tableOf(label, heads, h("tbody", {},
    h("tr", { class: few(difference.n) }, head(judge, h("span", { class: "mut" }, " and people’s mean")), rankCells(ranks),
      valueCell(difference, change), valueCell(absolute, size), countCell(difference.n)),
    h("tr", { class: few(people.n) }, head("People", h("span", { class: "mut" }, " among themselves")), h("td", {}, "–"), h("td", {}),
      h("td", {}), h("td", {}, "–"), valueCell(people, size, { why: "no two people on one plan" }), countCell(people.n)),
    byReviewer.map((found) => pair(judge, reviewers[found.second], found)), pairs.map((found) => pair(reviewers[found.first], reviewers[found.second], found))));
}
export const GAPS_CHANGE = { change: PER_PLAN_CHANGE, label: "Numbers of gaps" };

/* A table of counts with a title in its corner; the largest of a row is not what matters, the diagonal is. */
function counts(label, corner, columns, rows, same) {
  const cell = (row, k) => (value, j) => h("td", { class: value ? (same(k, j) ? "y" : "x") : "z" }, count(value));
  return h("div", { class: "tblwrap flush", tabindex: 0, role: "region", "aria-label": label }, h("table", { class: "conf tiers-table" },
    h("thead", {}, h("tr", {}, h("td", { class: "none xs mut" }, corner), columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map(([name, values, more], k) => h("tr", {}, h("th", { scope: "row" }, name), values.map(cell(name, k)), more)))));
}

/** Tiers of people (rows) and of the judge (columns), beside how often they are the same. */
export function tiersPart({ judge_person: judged, person_person: people, plans }) {
  const share = (label, found) => [["the same tier", found.same], ["one tier apart at most", found.within_one]].map(([words, estimate]) =>
    h("div", {}, h("dt", {}, `${label}: ${words}`), h("dd", {}, estimate.value == null ? "n/a" : PART.write(estimate.value), estimate.low == null
      ? null : h("span", { class: "xs mut" }, ` ${ends(estimate, PART)}`), h("span", { class: "xs mut" }, `, n ${count(estimate.n)}`))));
  const mean = (value) => h("td", { class: "mean" }, value == null ? "–" : value.toFixed(1));
  return h("div", { class: "pair flush tiers-pair" },
    h("div", {}, h("h3", {}, "Tiers of people and of the judge"), counts("Tiers of people and of the judge", "People, by the judge’s tier",
      judged.tiers, judged.tiers.map((tier, k) => [tier, judged.table[k]]), (k, j) => k === j),
      h("dl", { class: "facts-list" }, share("Judge and people", judged), share("People", people))),
    h("div", {}, h("h3", {}, "Verdicts on whole plans, by the judge’s tier"), counts("Verdicts on whole plans, by the judge’s tier", "Verdict",
      [...plans.tiers, "Mean FS"], plans.verdicts.map((verdict, k) => [verdictName(verdict), plans.table[k], mean(plans.mean_fs[k])]), () => false),
      plans.unjudged ? h("p", { class: "xs mut" }, `${count(plans.unjudged)} more on plans without a final score of the judge.`) : null));
}
export { TIERS };
