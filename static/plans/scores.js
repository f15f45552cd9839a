/* The Scores view: what planners score by each judge and by people, and what can be said of them without any. */
import { h, icon, setText } from "../dom.js";
import { Choosers } from "../rubrics/statisticschoosers.js";
import { StatisticsFeed } from "../rubrics/statisticsfeed.js";
import { bonesOf, card, redraw, troubleOf } from "../rubrics/statisticsglyphs.js";
import { sampleTag } from "../rubrics/words.js";
import { warningsOf } from "./figures.js";
import { Published } from "./published.js";
import { AGGREGATIONS, METRICS, adoptionTable, categoriesTable, faultsTable, gapsTable, ranksTable, scoresTable, setsTable } from "./scoretables.js";

const LOOK = 20_000; // ms until the next look
const SETS = [["tools", "Tools"], ["pictures", "Pictures"]];
const none = (text) => h("p", { class: "hole small" }, text);

class Scores {
  constructor(host, context) {
    this.context = context;
    this.choosers = new Choosers({ s_category: "Category", s_over: "SR over" }, () => this.#tables());
    this.csv = h("a", { class: "btn", download: true, title: "Scores by every judge and by people as a CSV file" }, icon("save"), "scores.csv");
    this.tag = h("span", { class: "tag-place" });
    this.note = h("div", {});
    this.body = h("div", { class: "panel" });
    this.element = h("div", { class: "statistics" },
      h("div", { class: "row choosing" }, h("div", { class: "row" }, h("h1", {}, "Scores"), this.tag), h("span", { class: "grow" }),
        this.choosers.element, this.csv), this.note, this.body, new Published().element);
    host.append(this.element);
    const choose = (name, value) => { context.setQuery({ [name]: value }); this.#tables(); };
    const seg = (name, label, options) => h("div", { class: "seg", role: "group", "aria-label": label },
      options.map(([value, text], k) => h("button", { type: "button", "data-value": value, onclick: () => choose(name, k ? value : null) }, text)));
    this.metric = seg("s_metric", "Which figure", METRICS);
    this.sets = seg("s_sets", "Sets of what", SETS);
    this.by = h("select", { class: "field", "aria-label": "By whom", onchange: ({ target }) => choose("s_by", target.value) });
    this.places = Object.fromEntries(["scores", "categories", "gaps", "adoption", "sets", "faults"].map((name) => [name, h("div", { class: "flush" })]));
    const hooks = { wait: () => this.#wait(), draw: (table) => this.#draw(table), fail: (...what) => troubleOf(this, ...what) };
    this.feed = new StatisticsFeed(hooks, { tab: "plans", every: LOOK });
  }

  show() {
    const { set } = this.context.state, path = `plans/sets/${encodeURIComponent(set.set_id)}`;
    if (set.set_id !== this.set) this.body.replaceChildren();
    this.set = set.set_id;
    this.tag.replaceChildren(...(set.sample ? [sampleTag()] : []));
    this.csv.href = studio.url(`api/${path}/export/scores.csv`);
    this.#choices(set);
    this.feed.show(`${path}/scores`, null);
    if (this.body.firstChild && this.table?.set_id === set.set_id) this.#tables();
  }

  leave() { this.feed.leave(); }

  #choices({ categories }) {
    return this.choosers.show({ s_category: [["", "All categories"], ...categories.map((name) => [name, name])],
      s_over: AGGREGATIONS.map(([value, label]) => [value, label]) }, { s_category: "", s_over: "micro" });
  }

  #wait() {
    if (this.body.firstChild) { this.body.setAttribute("aria-busy", "true"); return; }
    this.body.replaceChildren(card("By planner and judge", "\u00a0", bonesOf(6, "rows")), card("By category", null, bonesOf(3, "rows")));
  }

  #draw(table) {
    this.table = table;
    this.body.removeAttribute("aria-busy");
    const { raters, planners, ranks, warnings } = table, judged = raters.length > 0;
    if (!planners.length) { redraw(this.body, [h("div", { class: "hole" }, icon("agent"), h("b", {}, "No plans yet"),
      h("p", { class: "sm" }, "Import planners’ answers to the queries of this set: their scores appear here."),
      h("button", { type: "button", class: "btn", onclick: () => this.context.openDialog("importer") }, "Import…"))]); return; }
    this.by.replaceChildren(...raters.map(({ by, judge }) => h("option", { value: by }, judge)));
    this.said = h("span", {});
    const scores = card("By planner and judge", this.said, this.places.scores);
    redraw(this.body, [
      warningsOf(warnings),
      judged ? scores : h("section", { class: "card" }, h("div", { class: "hole" }, icon("agent"),
        h("b", {}, "Nobody has judged these plans yet"),
        h("p", { class: "sm" }, "Let models inspect them, import reports, or vote on them yourself."),
        h("button", { type: "button", class: "btn", onclick: () => this.context.openDialog("inspect") }, "Inspect…"))),
      judged && card("By category", null, h("div", { class: "row segs" }, this.metric, this.by), this.places.categories),
      judged && card("Missing visuals by kind", "Per plan with a report, of the judge that is chosen above. One more is worse.", this.places.gaps),
      card("Tool adoption", "Share of the plans that use each tool at least once; not its share of the calls.", this.places.adoption),
      card("Against the reference answers", "Needs no judge. Order, place and repeats are left out; both empty is 1, an empty plan is 0.",
        h("div", { class: "row segs" }, this.sets), this.places.sets),
      card("Faults by the rules", "Needs no judge.", this.places.faults),
      ranks.length > 0 && card("Rank correlations",
        "Where absolute scores do not carry over between judges, their orders may. Of people only their blind votes.", ranksTable(table)),
    ].flat().filter(Boolean));
    this.#tables();
  }

  /* The tables as they are chosen. */
  #tables() {
    const { table } = this, link = this.context.link();
    if (!table || !this.said) return;
    const { s_category: category, s_over: over } = this.#choices(this.context.state.set), at = category || null;
    const one = (name, options) => options.find(([value]) => value === link.get(name))?.[0] ?? options[0][0],
      press = (seg, value) => { for (const button of seg.children) button.setAttribute("aria-pressed", String(button.dataset.value === value)); };
    const metric = one("s_metric", METRICS), sets = one("s_sets", SETS), by = table.raters.length ? one("s_by", table.raters.map((rater) => [rater.by])) : null;
    press(this.metric, metric);
    press(this.sets, sets);
    if (by != null) this.by.value = by;
    const [, , says] = AGGREGATIONS.find(([value]) => value === over), averaged = says.charAt(0).toLowerCase() + says.slice(1);
    setText(this.said, `${at ? `${at}. ` : ""}SR is the share of calls that succeed, here strict and no fail; averaged: ${averaged}. `
      + "Means with 95% intervals by resampling queries. Compare planners within a judge only.");
    const draw = (name, element) => { const box = this.places[name], before = box.firstElementChild?.scrollLeft ?? 0;
      box.replaceChildren(element ?? none("The data do not say it.")); if (before) box.firstElementChild.scrollLeft = before; };
    if (by != null) {
      draw("scores", scoresTable(table, over, at));
      draw("categories", categoriesTable(table, by, metric, over));
      draw("gaps", gapsTable(table, by, at));
    }
    draw("adoption", adoptionTable(table, at));
    draw("sets", setsTable(table, sets, at));
    draw("faults", faultsTable(table, at));
  }
}

export function mount(host, context) {
  const scores = new Scores(host, context);
  return { show: () => scores.show(), leave: () => scores.leave() };
}
