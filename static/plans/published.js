/* The published results of ATP-Bench, folded away: for reference, never in one table with ours. */
import { h } from "../dom.js";
import { Folded, caution, origin, publishedTable } from "../rubrics/published.js";
import { count } from "../rubrics/statistics.js";
import { getPublished } from "./api.js";

const METRIC = { fs: "FS", sr_percent: "SR %", mi: "MI" }, AVERAGES = ["FS, published", "SR %, published", "MI, published"];
const two = (value) => value.toFixed(2), three = (value) => value.toFixed(4).replace(/0$/, "");
const averages = ({ fs, sr_percent: sr, mi }) => [two(fs), two(sr), two(mi)];
const part = ({ title, n, conditions, warning, missing }, ...content) => h("section", { class: "published-part" },
  h("h3", {}, title, h("span", { class: "mut" }, `, n ${count(n)}`)), h("p", { class: "xs" }, conditions), warning && caution(warning), content,
  missing && h("p", { class: "xs" }, `Not known to us: ${missing}`));
const cells = (rows) => rows.map(({ planner, under, metric, value }) => [planner, under, METRIC[metric], two(value)]);

export class Published extends Folded {
  constructor() {
    super([h("b", {}, "Published results"),
      " of ATP-Bench, for reference: another judge, other prompts and other queries, so not comparable with ours"], getPublished,
      ({ full, ablation, judges, ranks, notes, warning, ...rest }) => [
      caution(warning),
      part(judges, publishedTable("Published SR of one planner under two judges", ["Planner", "Judge", "Metric", "Published"], cells(judges.rows), 3)),
      part(full, publishedTable("Published averages", ["Planner", ...AVERAGES], full.rows.map((row) => [row.planner, ...averages(row)])),
        full.cells.length > 0 && publishedTable("Published cells by category", ["Planner", "Category", "Metric", "Published"], cells(full.cells), 3)),
      part(ablation, publishedTable("Published averages with and without examples", ["Planner", "Prompt", ...AVERAGES],
        ablation.rows.map((row) => [row.planner, row.setting, ...averages(row)]), 2)),
      h("section", { class: "published-part" }, h("h3", {}, "Rank correlations over planners"), publishedTable("Published rank correlations",
        ["Orders", "Spearman’s ρ", "p"], ranks.map(({ first, second, rho, p }) => [`${first} and ${second}`, three(rho), p ?? "not stated"]))),
      h("ul", { class: "notes xs" }, notes.map((note) => h("li", {}, note))), origin(rest),
    ]);
  }
}
