/* The Trace view: one answer step by step, or two side by side, with search, deep links and keys. */
import { eachFrame, h, icon } from "../dom.js";
import { setQuery } from "../tabs.js";
import { addressOf, pairText } from "./analysislinks.js";
import { Filters } from "./analysisfilters.js";
import { Search } from "./analysissearch.js";
import { pictureUrl } from "./api.js";
import { hole } from "./ending.js";
import { request } from "../session/api.js";
import { Choosers, POLICIES } from "./statisticschoosers.js";
import { TraceSheet } from "./tracepagesheet.js";
import { mark } from "./tracepagemarks.js";
import { Zoom } from "./zoom.js";

const PEOPLE = "people";
const PLACE = ["turn", "call", "round"];
const NOTHING = "Beside it: nothing";

export default class TracePage {
  /** `acts`: open(view, changes) another view, settle(set_id) the same in another set. */
  constructor(acts) {
    this.acts = acts;
    this.zoom = new Zoom({ urlOf: pictureUrl });
    this.choosers = new Choosers({ by: "Verdicts of", critical: "Critical is" }, () => this.#ask());
    this.search = new Search((q) => q && this.#leaveFor({ compare: null, traces: "1", q }), { typing: false });
    const act = (name, label, glyph, run) => h("button", { type: "button", class: "btn icon", "data-act": name, "aria-label": label, title: label, onclick: run },
      icon(glyph));
    this.previous = act("previous", "Previous task ([)", "back", () => this.task("previous"));
    this.following = act("following", "Next task (])", "next", () => this.task("following"));
    this.back = h("button", { type: "button", class: "btn", "data-act": "analysis", onclick: () => this.#leaveFor() }, icon("back"), "Analysis");
    this.beside = h("select", { class: "field", "data-act": "beside", "aria-label": "Another answer to this task beside it", disabled: true,
      onchange: ({ target }) => this.#go({ beside: target.value || null }) }, h("option", { value: "" }, NOTHING));
    this.single = h("button", { type: "button", class: "btn", hidden: true, "data-act": "single", onclick: () => this.alone() }, icon("x"), "Only A");
    this.place = h("div", { class: "trace-place" });
    this.place.addEventListener("es:coloured", eachFrame(() => mark(this.place, this.#query.get("q"))));
    this.filters = new Filters(["by", "critical"]);
    this.element = h("div", { class: "statistics trace-page", role: "region", "aria-label": "Trace", tabindex: -1 },
      h("div", { class: "row choosing" }, this.back, h("div", { class: "joined" }, this.previous, this.following), this.beside, this.single, this.choosers.element,
        h("span", { class: "grow" }), this.search.element, this.filters.element), this.place);
    this.filters.of(this.element);
    const hooks = {
      zoom: (...picture) => this.zoom.open(...picture),
      link: (sheet, place) => this.#link(sheet, place), at: (sheet, place) => this.#at(sheet, place),
      open: (sheet, answer) => this.#open(sheet, answer), told: (sheet) => this.#told(sheet),
      lost: (sheet) => { if (sheet !== this.sheets[0]) return; this.#neighbours({}); this.beside.disabled = true; }, all: () => this.#all(),
    };
    this.sheets = [new TraceSheet(hooks), new TraceSheet(hooks)];
    const key = (name, label, run, once = true) => [name, { label, run, once }];
    this.keys = [
      key("j", "Next step", () => this.#active.step(1), false), key("k", "Previous step", () => this.#active.step(-1), false),
      key("]", "Next task", () => this.task("following")), key("[", "Previous task", () => this.task("previous")),
      key("/", "Search the traces", () => this.search.focus()), key("c", "Compare the player with another one", () => this.#compare()),
      key("y", "Copy the link to this step", () => this.#active.copy()),
      key("b", "Back to the analysis", () => this.#leaveFor()), key("x", "Show one trace only", () => this.alone()),
    ];
  }

  show(wish) {
    this.wish = wish;
    this.#ask();
  }

  /** Put the focus on the step on show; while there is none, on the view, which hands it on. */
  focus() {
    this.element.focus({ preventScroll: true });
    if (!this.place.querySelector("[aria-busy]")) this.#active.focus();
  }

  leave() { for (const sheet of this.sheets) sheet.leave(); }

  get #query() { return new URLSearchParams(location.search); }
  get #two() { return Boolean(this.#query.get("beside")); }
  get #active() { return this.#two && this.sheets[1].element.contains(document.activeElement) ? this.sheets[1] : this.sheets[0]; }

  #ask() {
    const link = this.#query, { judgings } = this.wish.set, whose = [...judgings.map(({ judging_id: judging, judge }) => [judging, judge]), [PEOPLE, "People"]];
    const asked = this.choosers.show({ by: whose, critical: POLICIES }, { by: this.wish.queue?.judging_id ?? whose[0][0], critical: "weight" });
    const answer = link.get("answer"), beside = link.get("beside");
    this.search.show(link.get("q") ?? "");
    this.filters.show();
    this.single.hidden = !beside;
    this.beside.value = beside ?? "";
    if (!/^\d{1,15}$/.test(answer ?? "")) {
      this.leave();
      this.place.replaceChildren(hole("eye", "No trace is chosen", "A trace shows one answer step by step: choose one in the analysis.",
        [["All traces", () => this.#all()]]));
      return;
    }
    const place = Object.fromEntries(PLACE.map((name) => [name, link.get(name)])), two = /^\d{1,15}$/.test(beside ?? "");
    const shown = two ? this.sheets : this.sheets.slice(0, 1);
    this.place.classList.toggle("two", two);
    const stands = this.place.childElementCount === shown.length && this.place.firstChild === this.sheets[0].element;
    if (!stands) this.place.replaceChildren(...shown.map(({ element }) => element));
    if (!two) this.sheets[1].leave();
    this.sheets[0].show(answer, asked, this.wish.token, place, { folded: two });
    if (two) this.sheets[1].show(beside, asked, this.wish.token, {}, { folded: true });
  }

  #told(sheet) {
    const { set_id: id, previous, following } = sheet.trace, [first] = this.sheets;
    mark(this.place, this.#query.get("q"));
    if (document.activeElement === this.element) sheet.focus();
    if (sheet !== first) return;
    this.#neighbours({ previous, following });
    if (id !== this.wish.set.set_id) this.acts.settle(id);
    else this.#others(sheet.trace);
  }

  #neighbours({ previous = null, following = null }) {
    for (const [button, there] of [[this.previous, previous], [this.following, following]]) {
      const held = document.activeElement === button;
      button.disabled = there == null;
      if (held && button.disabled) this.#active.focus(); // a button that is off keeps no focus
    }
  }

  /* What else was answered to the task. */
  async #others({ answer, task_id: task, set_id: id }) {
    if (this.listed !== task) {
      try {
        const { answers } = await request("GET", `rubrics/sets/${encodeURIComponent(id)}/answers?${new URLSearchParams({ task, limit: 200 })}`,
          { token: this.wish.token ?? undefined });
        if (this.sheets[0].trace?.task_id !== task) return;
        Object.assign(this, { listed: task, others: answers });
      } catch (error) { if (!error.status && !error.retry) throw error; this.others = []; }
    }
    const name = ({ player, attempt }) => `${player}${attempt > 1 ? `, attempt ${attempt}` : ""}`, others = this.others.filter((one) => one.answer !== answer);
    this.beside.disabled = !others.length;
    const beside = this.#query.get("beside") ?? "", foreign = beside && !others.some((one) => String(one.answer) === beside); // of another task
    this.beside.replaceChildren(h("option", { value: "" }, others.length ? NOTHING : "Beside it: no other answer"),
      ...(foreign ? [h("option", { value: beside }, "Beside it: another task")] : []),
      ...others.map((one) => h("option", { value: one.answer }, `Beside it: ${name(one)}`)));
    this.beside.value = beside;
  }

  /* The address of a step of a trace, wherever it is shown now. */
  #link(sheet, place) {
    const { by, critical } = Object.fromEntries(this.#query);
    return new URL(addressOf(this.wish, "trace", { by, critical, answer: sheet.answer, ...Object.fromEntries(PLACE.map((name) => [name, place[name] ?? null])) }), location.href).href;
  }

  #at(sheet, place) { if (sheet === this.sheets[0]) setQuery(Object.fromEntries(PLACE.map((name) => [name, place[name] ?? null]))); }

  /* The analysis, by the verdicts and the rule by which the trace is shown. */
  #leaveFor(changes = {}) { const link = this.#query; return this.acts.open("analysis", { by: link.get("by"), critical: link.get("critical"), ...changes }); }
  #all() { return this.#leaveFor({ compare: null, traces: "1" }); }

  #go(changes) {
    if (this.place.contains(document.activeElement)) this.element.focus({ preventScroll: true }); // until the other one is there
    this.acts.open("trace", { ...Object.fromEntries(PLACE.map((name) => [name, null])), ...changes });
  }

  #open(sheet, answer) { this.#go({ [sheet === this.sheets[0] ? "answer" : "beside"]: String(answer) }); }

  /** The player's answer to the task before or after. */
  task(which) {
    const answer = this.sheets[0].trace?.[which];
    if (answer != null) this.#go({ answer: String(answer), beside: null });
  }

  /** One trace instead of two. */
  alone() { if (this.#two) this.#go({ beside: null }); }

  #compare() {
    const [first, second] = this.sheets.map(({ trace }) => trace?.player), other = this.#two ? second : this.wish.set.models.find((name) => name !== first);
    if (first) this.#leaveFor({ traces: null, q: null, compare: pairText(first, other ?? "") });
  }
}
