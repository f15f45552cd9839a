/* Tables of scores: planners by each judge and by people, the same by category, and what needs no judge. */
import { h } from "../dom.js";
import { count, ends, own } from "../rubrics/statistics.js";
import { bar, countCell, gaugeCell, tableOf, valueCell } from "../rubrics/statisticsglyphs.js";
import { FINAL, PART, PERCENT, perPlan, rankWords } from "./figures.js";
import { GAPS, TOOLS } from "./words.js";

/** How SR is averaged: [aggregation, label, what it says]. */
export const AGGREGATIONS = [["micro", "all calls", "Over all calls"], ["macro_query", "queries", "Mean over queries"],
  ["macro_category", "categories", "Mean over categories of the mean over queries"]];
/** What planners are told by: [key, label, what it says, estimate of a row, scale]. */
export const METRICS = [
  ["fs", "FS", "Final score of the Chief Judge, 0 to 100", (row) => row.fs, () => FINAL],
  ["sr", "SR strict", "Share of calls that succeed: both gates pass and all four scores are 2", (row, aggregation) => row.sr.strict[aggregation].estimate, () => PART],
  ["mi", "MI", "Missing visuals per plan; lower is better", (row) => row.mi, (rows) => perPlan(mostGaps(rows))],
];
const TIERS = ["80-100", "60-80", "40-60", "20-40", "0-20"];
const mostGaps = (rows) => Math.max(1, ...rows.flatMap(({ mi }) => [mi.value ?? 0, mi.high ?? 0]));
const beneath = (text) => text && h("span", { class: "xs mut ends" }, text);
const of = (category) => (row) => row.category === category;
const raterOf = (raters, by) => raters.find((rater) => rater.by === by);
const nameCell = (name, ...more) => h("th", { scope: "row" }, h("span", { class: "rater" }, name), more);
const none = { value: null, low: null, high: null, n: 0, undefined: 0 };

function tierCell(tiers) {
  const all = TIERS.reduce((sum, tier) => sum + (tiers[tier] ?? 0), 0);
  if (!all) return h("td", {}, "–");
  const said = TIERS.map((tier) => `${tier}: ${tiers[tier] ?? 0}`).join(", ");
  return h("td", { class: "tier-cell", title: `Plans by final score: ${said}` }, h("span", { class: "tier-bar", "aria-hidden": "true" },
    TIERS.map((tier, k) => tiers[tier] ? h("i", { class: `tier-${k}`, style: { "flex-grow": tiers[tier] } }) : null)),
    h("span", { class: "xs mut ends" }, TIERS.map((tier) => tiers[tier] ?? 0).join(" · ")), h("span", { class: "es-sr" }, said));
}

/* Of how many plans: of a judge those with a final score; people may be several on one plan. */
const plansCell = (row, { kind }) => (kind === "people"
  ? h("td", { class: "mut", "data-plans": row.plans }, count(row.plans), beneath(`FS in ${count(row.fs.n)} of ${count(row.verdicts)} votes`))
  : h("td", { class: "mut", "data-plans": row.plans }, count(row.fs.n), row.fs.n !== row.plans ? beneath(`of ${count(row.plans)}`) : null));

/** Planners by each judge and by people; SR under both policies, and partial credit under its own name. */
export function scoresTable({ raters, planners, rows }, aggregation, category) {
  const chosen = rows.filter(of(category)), [, label, says] = AGGREGATIONS.find(([name]) => name === aggregation), mi = perPlan(mostGaps(chosen));
  const heads = [
    ["By"],
    ["Plans", "With a report of the Chief Judge; of people, those that somebody voted on, and beneath how many of these votes have a final score"],
    ["FS", "Mean final score, 0 to 100"], ["", null, "gauged"],
    [`SR strict, ${label}`, `Share of calls that succeed: both gates pass, all four scores are 2. ${says}`], ["", null, "gauged"],
    ["SR no fail", `Both gates pass, all four scores are 1 or 2. ${says}`],
    ["Partial credit", `Sum of the four scores of 8, and 0 if a gate fails; never SR. ${says}`],
    ["MI", "Missing visuals per plan; lower is better"], ["Tiers, 80-100 first", `Plans by final score: ${TIERS.join(", ")}`],
  ];
  const line = (row) => {
    const rater = raterOf(raters, row.by), { estimate: strict, bounds } = row.sr.strict[aggregation], cell = valueCell(strict, PART, { why: "no call has a verdict" });
    if (strict.value != null) cell.append(beneath(`n ${count(strict.n)}`));
    if (row.open && bounds) cell.append(h("span", { class: "xs mut ends",
      title: `If the calls without a verdict, of ${count(row.open)} queries, all failed, and if all succeeded` },
    `bounds ${ends({ low: bounds[0], high: bounds[1] }, PART)}`));
    return h("tr", { class: rater.kind === "people" ? "people" : null, "data-by": row.by }, nameCell(rater.judge),
      plansCell(row, rater), valueCell(row.fs, FINAL, { why: "no final score" }), gaugeCell(row.fs, FINAL), cell, gaugeCell(strict, PART),
      valueCell(row.sr.no_fail[aggregation].estimate, PART), valueCell(row.partial_credit[aggregation].estimate, PART), valueCell(row.mi, mi), tierCell(row.tiers));
  };
  const part = (planner) => {
    const found = raters.map(({ by }) => chosen.find((row) => row.planner === planner && row.by === by)).filter(Boolean);
    return found.length ? h("tbody", { "data-planner": planner },
      h("tr", { class: "part-head" }, h("th", { scope: "rowgroup", colspan: heads.length },
        h("span", {}, h("b", { class: "rater" }, planner), found[0].without_calls ? h("span", { class: "mut" },
          `${count(found[0].without_calls)} queries without calls are n/a in SR`) : null))), found.map(line)) : null;
  };
  return tableOf("Scores of planners", heads, planners.map(part));
}

/* A table with a row for each planner. */
const byPlanner = (label, heads, rows, cells) => tableOf(label, [["Planner"], ...heads],
  h("tbody", {}, rows.map((row) => h("tr", { "data-planner": row.planner }, nameCell(row.planner), cells(row)))));
const cellWithN = (estimate, its, n = "n") => { const cell = valueCell(estimate, its);
  if (estimate.value != null) cell.append(beneath(`${n} ${count(estimate.n)}`)); return cell; };

/** One metric by category, of one rater. */
export function categoriesTable({ categories, planners, rows }, by, metric, aggregation) {
  const [, label, , estimate, scaleOf] = METRICS.find(([key]) => key === metric), mine = rows.filter((row) => row.by === by), its = scaleOf(mine);
  const at = (planner, category) => { const row = mine.find((one) => one.planner === planner && one.category === category);
    return row ? estimate(row, aggregation) : none; };
  return categories.length ? byPlanner(`${label} by category`, [["All", "All queries"], ...categories.map((category) => [category])],
    planners.map((planner) => ({ planner })), ({ planner }) => [null, ...categories].map((category) => cellWithN(at(planner, category), its))) : null;
}

/** Missing visuals per plan, by kind, of one rater. */
export function gapsTable({ planners, rows }, by, category) {
  const mine = rows.filter((row) => row.by === by && row.category === category), its = perPlan(mostGaps(mine));
  return byPlanner("Missing visuals by kind", [["All"], ...GAPS.map(([, label]) => [label])],
    planners.map((planner) => mine.find((row) => row.planner === planner)).filter(Boolean),
    (row) => [cellWithN(row.mi, its), GAPS.map(([kind]) => valueCell(row.gaps[kind] ?? none, its))]);
}

/** How many plans use each tool. */
export function adoptionTable({ plain }, category) {
  const cell = (tool) => ({ adoption }) => {
    const estimate = own(adoption, tool) ?? none, [made] = [valueCell(estimate, PERCENT)];
    if (estimate.value != null) made.prepend(h("span", { class: "adopted", style: { "--c": `var(--t-${tool})` } }, bar(estimate.value, 100)));
    return made;
  };
  const heads = [["Plans"], ...TOOLS.map(([, label]) => [label, "Share of the plans that use it at least once"])];
  return byPlanner("Tool adoption", heads, plain.filter(of(category)), (row) => [countCell(row.plans), TOOLS.map(([tool]) => cell(tool)(row))]);
}

/** Sets of tools or of pictures against those of the reference answers: per query then mean, and pooled. */
export function setsTable({ plain }, kind, category) {
  const key = kind === "tools" ? "tool_sets" : "image_sets", rows = plain.filter(of(category)), names = [["precision", "Precision"], ["recall", "Recall"], ["f1", "F1"]];
  const heads = [...names.map(([, label]) =>
    [`${label}, mean`, "Of each query, then the mean; F1 is never computed anew from mean precision and recall"]),
    ...names.map(([, label]) => [`${label}, micro`, "Of all queries together"]),
    ...(kind === "tools" ? [] : [["Order", "1 where the pictures stand in the order of the reference answer"]])];
  return byPlanner(`${kind === "tools" ? "Tools" : "Pictures"} against the reference answers`, heads, rows, (row) => [
    ["mean", "micro"].map((how) => names.map(([name]) => (name === "recall" && row[key].recall_undefined
      ? (() => { const cell = cellWithN(row[key][how][name], PART);
        cell.title = `Undefined on ${row[key].recall_undefined} queries, whose reference answer has none`; return cell; })()
      : cellWithN(row[key][how][name], PART)))),
    kind === "tools" ? null : cellWithN(row.image_order, PART),
  ]);
}

/** What is wrong by the rules alone. */
export function faultsTable({ plain }, category) {
  const rows = plain.filter(of(category)), most = (key) => perPlan(Math.max(1, ...rows.map((row) => row[key].high ?? row[key].value ?? 0)));
  const heads = [["Plans"], ["Queries"], ["No output", "Answers that are none, such as after a time-out; they are in no other number"],
    ["Without calls"], ["Invalid calls", "Share of the calls that could not be read"], ["Out of range", "Citations beyond the pool, per plan"],
    ["Cited again", "Citations of a picture cited before, per plan"]];
  return byPlanner("Faults by the rules", heads, rows, (row) => [countCell(row.plans), countCell(row.queries), countCell(row.no_output ?? 0),
    countCell(row.without_calls), cellWithN(row.invalid_rate, PART, "calls"), cellWithN(row.out_of_range, most("out_of_range")),
    cellWithN(row.duplicates, most("duplicates"))]);
}

const METRIC = { fs: "FS", sr: "SR strict", mi: "MI", tool_f1: "Tool F1" };
/** How alike metrics and raters order planners, or plans. */
export function ranksTable({ ranks, raters }) {
  const whose = (by) => (by == null ? "no judge" : raterOf(raters, by)?.judge ?? by), name = ({ by, metric, negated }) =>
    [`${negated ? "−" : ""}${METRIC[metric]}`, h("span", { class: "mut" }, `, ${whose(by)}`)];
  const within = ({ first, second }) => first.by === second.by || first.by == null || second.by == null;
  const groups = [
    ["Within a judge, over planners", ranks.filter((one) => one.over === "planners" && within(one))],
    ["Between raters, over planners", ranks.filter((one) => one.over === "planners" && !within(one))],
    ["Between raters, over plans", ranks.filter((one) => one.over === "plans")],
  ].filter(([, found]) => found.length);
  const heads = [["Orders"], ["Spearman’s ρ", "1: the same order; −1: the opposite one. Beneath its 95% interval by Fisher’s z"],
    ["p", "Two-sided, of no correlation; none below 4"], ["Kendall’s τ-b"], ["n", "Planners or plans that both have"],
    ["Ties", "Values that share their rank, in the first and in the second"]];
  const line = ({ first, second, ranks: found }) => {
    const { rho, tau, interval, p, n, left, ties } = rankWords(found);
    return h("tr", { class: n < 4 ? "few" : null }, h("th", { scope: "row" }, h("span", { class: "rater" }, name(first)),
      h("span", { class: "mut" }, " and "), h("span", { class: "rater" }, name(second))),
      h("td", {}, rho == null ? h("span", { class: "undefined" }, "undefined") : h("b", {}, rho),
        beneath(rho == null ? "no two different values" : interval)), h("td", {}, p), h("td", {}, tau ?? "–"),
      h("td", { class: "mut" }, count(n), left ? beneath(`${count(left)} left out`) : null), h("td", { class: "mut" }, ties));
  };
  return groups.length ? tableOf("Rank correlations", heads,
    groups.map(([title, found]) => h("tbody", {}, h("tr", { class: "part-head" }, h("th", { scope: "rowgroup", colspan: heads.length },
      h("span", {}, h("b", {}, title)))), found.map(line)))) : null;
}
