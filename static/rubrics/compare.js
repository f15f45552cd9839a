/* Two players task by task: how much one is ahead, how sure that is, and where they differ. */
import { announce, h, icon, setText } from "../dom.js";
import { setQuery } from "../tabs.js";
import { heldIn } from "./analysisfocus.js";
import { pairOf, pairText } from "./analysislinks.js";
import { differs, nothingDiffers, summary, tasksTable } from "./comparetables.js";
import { hole } from "./ending.js";
import { count } from "./statistics.js";
import { Choosers } from "./statisticschoosers.js";
import { StatisticsFeed } from "./statisticsfeed.js";
import { bonesOf, card, redraw, troubleOf } from "./statisticsglyphs.js";
import { ACT, WARNING, giveUp } from "./telling.js";
import { plainly } from "./words.js";

const LOOK = 20_000; // ms until the next look
const SHOWN = [["differ", "Where they differ"], ["all", "All tasks"]];

export class Compare {
  /** `acts`: open(view, parameters), data(name), tip. */
  constructor(acts) {
    this.acts = acts;
    const chooser = (side, label) => h("select", { class: "field", "data-side": side, "aria-label": label, onchange: () => this.#choose(this.a.value, this.b.value) });
    [this.a, this.b] = [chooser("a", "Player A"), chooser("b", "Player B")];
    this.swap = h("button", { type: "button", class: "btn small", "aria-label": "Swap the players", title: "Swap the players",
      onclick: () => this.#choose(this.b.value, this.a.value) }, icon("compare"));
    this.head = h("div", { class: "row sides" }, h("label", { class: "row side-of" }, h("b", { class: "side-mark a" }, "A"), this.a), this.swap,
      h("label", { class: "row side-of" }, h("b", { class: "side-mark b" }, "B"), this.b));
    this.seg = h("div", { class: "seg", role: "group", "aria-label": "Which tasks" },
      SHOWN.map(([value, label]) => h("button",
      { type: "button", "data-value": value, onclick: () => { setQuery({ tasks: value === "differ" ? null : value }); this.#tasks(); } }, label)));
    this.choosers = new Choosers({ category: "Category" }, () => this.#tasks());
    this.says = h("span", { class: "sm mut", role: "status" });
    this.note = h("div", {});
    this.body = h("div", { class: "panel" });
    this.listed = h("div", { class: "flush" });
    this.element = h("div", { class: "statistics compare" }, this.head, this.note, this.body);
    const hooks = { wait: () => this.#wait(), draw: (comparison) => this.#draw(comparison), fail: (...what) => troubleOf(this, ...what) };
    this.feed = new StatisticsFeed(hooks, { every: LOOK });
  }

  show(wish, asked) {
    if (wish.set.set_id !== this.wish?.set.set_id) this.body.replaceChildren();
    Object.assign(this, { wish, asked });
    const { models } = wish.set, [one, other] = pairOf(new URLSearchParams(location.search).get("compare"));
    this.head.hidden = models.length < 2;
    if (models.length < 2) {
      this.feed.leave();
      redraw(this.body, [hole("compare", "Two players are needed",
        "Let another model answer the tasks, or the same one under other conditions: a weaker prompt, or without tools.",
        [["Run…", () => this.acts.data("toolruns")], ["Import…", () => this.acts.data("importer")]])]);
      return;
    }
    const a = one ?? models.find((name) => name !== other), b = other ?? models.find((name) => name !== a);
    if (one === undefined || other === undefined) setQuery({ compare: pairText(a, b) });
    for (const [select, chosen] of [[this.a, a], [this.b, b]]) { // what the link names stays chosen even where there is no such player, and the server says so
      select.replaceChildren(...(models.includes(chosen) ? models : [chosen, ...models]).map((name) => h("option", { value: name }, name)));
      select.value = chosen;
    }
    this.feed.show(`rubrics/sets/${encodeURIComponent(wish.set.set_id)}/compare?${new URLSearchParams({ a, b, ...asked, ...(this.tell ? { tell: "true" } : {}) })}`,
      wish.token);
  }

  leave() { this.feed.leave(); }

  #choose(a, b) {
    setQuery({ compare: pairText(a, b) }, { push: true });
    this.show(this.wish, this.asked);
  }

  #wait() {
    if (this.body.firstChild) { this.body.setAttribute("aria-busy", "true"); return; }
    this.body.replaceChildren(h("section", { class: "card compared-glance" }, bonesOf(3)), card("Task by task", "\u00a0", bonesOf(8, "rows")));
  }

  #draw(comparison) {
    this.body.removeAttribute("aria-busy");
    this.comparison = comparison;
    const hold = heldIn(this.body);
    const { hidden, a, b } = comparison;
    redraw(this.body, [
      summary(comparison),
      hidden ? h("p", { class: "sm mut row telling" }, icon("lock"),
        h("span", {}, `${count(hidden)} ${hidden === 1 ? "task waits" : "tasks wait"} for a blind vote: whoever is to cast it must not look. ${WARNING}`),
        h("button", { type: "button", class: "btn small", onclick: () => this.#tell() }, ACT))
          : null,
      card("Task by task", null, h("div", { class: "row segs" }, this.seg, this.choosers.element, this.says), this.listed),
    ]);
    setText(this.a.parentElement.firstChild, "A");
    this.element.setAttribute("aria-label", `${a} and ${b}`);
    this.#tasks();
    hold();
  }

  async #tell() {
    try {
      this.tell = await giveUp(this.wish.set.set_id, this.wish.token);
      this.show(this.wish, this.asked);
    } catch (error) { announce(error.message); }
  }

  #tasks() {
    const { tasks } = this.comparison, link = new URLSearchParams(location.search), shown = link.get("tasks") === "all" ? "all" : "differ";
    const { category } = this.choosers.show({ category: [["", "All categories"],
      ...[...new Set(tasks.map((task) => task.category).filter(Boolean))].sort().map((name) => [name, plainly(name)])] }, { category: "" });
    for (const button of this.seg.children) button.setAttribute("aria-pressed", String(button.dataset.value === shown));
    const own = tasks.filter((task) => !category || task.category === category), found = shown === "all" ? own : own.filter(differs);
    setText(this.says, `${count(found.length)} of ${count(tasks.length)} tasks`);
    redraw(this.listed, [found.length ? tasksTable(found, this.comparison, { wish: this.wish, asked: this.asked, open: this.acts.open })
      : h("p", { class: "hole small" }, own.length ? nothingDiffers(own) : "No task is of this category.")]);
  }
}
