/* The Scores view: what models score by a judge or by people, and how they used their tools. */
import { h, icon, setText } from "../dom.js";
import { setQuery } from "../tabs.js";
import { GROUPS, MEANS, errorsTable, groupsTable, modelsTable, operationsTable, toolsTable } from "./scorestables.js";
import { Published } from "./published.js";
import { count } from "./statistics.js";
import { Choosers, POLICIES } from "./statisticschoosers.js";
import { StatisticsFeed } from "./statisticsfeed.js";
import { bonesOf, card, redraw, troubleOf } from "./statisticsglyphs.js";

const LOOK = 20_000; // ms until the next look
const PEOPLE = "people";
const none = (text) => h("p", { class: "hole small" }, text);

export default class Scores {
  constructor() {
    this.choosers = new Choosers({ by: "Verdicts of", critical: "Critical is" }, () => this.#ask());
    this.csv = h("a", { class: "btn", download: true, title: "Scores by every judge and by people as a CSV file" }, icon("save"), "scores.csv");
    this.says = h("span", { class: "sm mut", role: "status" });
    this.note = h("div", {});
    this.body = h("div", { class: "panel" });
    this.element = h("div", { class: "statistics" },
      h("div", { class: "row choosing" }, this.choosers.element, this.says, h("span", { class: "grow" }), this.csv), this.note, this.body, new Published().element);
    const choose = (name, value) => { setQuery({ [name]: value }); this.#groups(); };
    const choice = (name, label, options) => h("div", { class: "seg", role: "group", "aria-label": label },
      options.map(([value, text], k) => h("button", { type: "button", "data-value": value, onclick: () => choose(name, k ? value : null) }, text)));
    this.ofGroup = choice("group", "Groups of tasks", GROUPS);
    this.ofMean = choice("mean", "Which mean", MEANS);
    this.grouped = h("div", { class: "flush" });
    const hooks = { wait: () => this.#wait(), draw: (table) => this.#draw(table), fail: (...what) => troubleOf(this, ...what) };
    this.feed = new StatisticsFeed(hooks, { every: LOOK });
  }

  show(wish) {
    if (wish.set.set_id !== this.wish?.set.set_id) this.body.replaceChildren();
    this.wish = wish;
    this.#ask();
    if (this.table) this.#groups();
  }

  leave() { this.feed.leave(); }

  #ask() {
    const { set: { set_id: id, judgings } } = this.wish, path = `rubrics/sets/${encodeURIComponent(id)}`;
    const whose = [...judgings.map(({ judging_id: judging, judge }) => [judging, judge]), [PEOPLE, "People"]];
    const chosen = this.choosers.show({ by: whose, critical: POLICIES }, { by: this.wish.queue?.judging_id ?? whose[0][0], critical: "weight" });
    this.csv.href = studio.url(`api/${path}/export/scores.csv`);
    this.feed.show(`${path}/scores?${new URLSearchParams(chosen)}`, null);
  }

  #wait() {
    if (this.body.firstChild) { this.body.setAttribute("aria-busy", "true"); return; }
    this.body.replaceChildren(card("Scores", "\u00a0", bonesOf(3, "rows")), card("By group", null, bonesOf(3, "rows")));
  }

  #draw(table) {
    const { models, disagreeing_flags: flags, judge, critical } = table;
    this.table = table;
    setText(this.says, flags ? `Flag and weight disagree on ${count(flags)} ${flags === 1 ? "criterion" : "criteria"}` : "");
    this.body.removeAttribute("aria-busy");
    const whose = judge == null ? "what people settled on" : `the verdicts of ${judge}`;
    const policy = critical === "flag" ? "what the data set’s flag says" : "weight 4 and 5";
    redraw(this.body, models.length ? [
      card("Scores", `By ${whose}; critical is ${policy}. Means over scored answers with 95% intervals by resampling tasks.`, modelsTable(models)),
      card("By group", null, h("div", { class: "row segs" }, this.ofGroup, this.ofMean), this.grouped),
      card("Tool use", "From the traces of all answers; a call succeeds if it was valid and gave something.", toolsTable(models)),
      card("Image operations", "Calls whose code holds the operation, and how often it occurs in it; one call may hold several. The code is read, never run.",
        operationsTable(models)),
      card("Why answers miss criteria", "As reviewers say with a vote of not met: shares of each model’s votes that give a reason.",
        errorsTable(models) ?? none("No reviewer has said it yet.")),
    ] : [h("div", { class: "hole" }, icon("agent"), h("b", {}, "No answers yet"),
      h("p", { class: "sm" }, "Import models’ answers to the tasks of this set: their scores appear here."))]);
    this.#groups();
  }

  #groups() {
    const link = new URLSearchParams(location.search), chosen = (name, options) => options.find(([value]) => value === link.get(name))?.[0] ?? options[0][0];
    const group = chosen("group", GROUPS), mean = chosen("mean", MEANS), press = (seg, value) =>
      { for (const button of seg.children) button.setAttribute("aria-pressed", String(button.dataset.value === value)); };
    press(this.ofGroup, group);
    press(this.ofMean, mean);
    this.grouped.replaceChildren(groupsTable(this.table.models, group, mean) ?? none("The tasks do not say it."));
  }
}
