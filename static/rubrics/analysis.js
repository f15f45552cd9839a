/* The Analysis view: how models did with their tools as figures, two of them task by task, and the way to their traces. */
import { h, icon } from "../dom.js";
import { setQuery } from "../tabs.js";
import { Compare } from "./compare.js";
import { Figures } from "./analysisfigures.js";
import { Filters } from "./analysisfilters.js";
import { pairText } from "./analysislinks.js";
import { Search } from "./analysissearch.js";
import { Tip } from "./analysistip.js";
import { Traces } from "./analysistraces.js";
import { Choosers, POLICIES } from "./statisticschoosers.js";

const PARTS = [["figures", "Figures", "f"], ["compare", "Compare", "c"], ["traces", "Traces", "t"]];
const PEOPLE = "people";
const partIn = (link) => (link.has("compare") ? "compare" : link.has("traces") ? "traces" : "figures");

export default class Analysis {
  /** `acts`: open(view, changes) another view, data(name) a dialog on the data. */
  constructor(acts) {
    const tip = new Tip(), hooks = { ...acts, tip, look: (changes) => this.look(changes), empty: (nobody) => this.element.classList.toggle("empty", nobody),
      by: (judging) => { setQuery({ by: judging }, { push: true }); this.#ask(); } };
    this.parts = { figures: new Figures(hooks), compare: new Compare(hooks), traces: new Traces(hooks) };
    this.choosers = new Choosers({ by: "Verdicts of", critical: "Critical is" }, () => this.#ask());
    this.seg = h("div", { class: "seg", role: "group", "aria-label": "Parts of the analysis" },
      PARTS.map(([name, label]) => h("button", { type: "button", "data-part": name, onclick: () => this.turn(name) }, label)));
    this.search = new Search((q) => this.#find(q));
    this.csv = h("a", { class: "btn", download: true, title: "All figures as a CSV file" }, icon("save"), h("span", {}, "analysis.csv"));
    this.csv.classList.add("csv");
    this.filters = new Filters(["by", "critical", "player", "category", "status", "tool", "where", "failed"]);
    this.place = h("div", { class: "analysis-part", role: "region", tabindex: -1 });
    this.element = h("div", { class: "statistics analysis" },
      h("div", { class: "row choosing" }, this.seg, this.choosers.element, h("span", { class: "grow" }), this.search.element, this.filters.element, this.csv),
      this.place, tip.element);
    this.filters.of(this.element);
    const key = (name, label, run) => [name, { label, run, once: true }];
    this.keys = [key("/", "Search the traces", () => this.search.focus()), ...PARTS.map(([name, label, letter]) => key(letter, label, () => this.turn(name)))];
    this.last = {}; // the link's parameter of a part as it was left
  }

  show(wish) {
    this.wish = wish;
    this.#ask();
  }

  leave() { this.part?.leave(); this.part = null; }

  /** Another part as it was left, with other parameters of the link. */
  turn(name, changes = {}) {
    const link = new URLSearchParams(location.search), from = partIn(link);
    if (from === "compare") this.last.compare = link.get("compare");
    const own = { compare: name === "compare" ? this.last.compare ?? pairText("", "") : null, traces: name === "traces" ? "1" : null,
      ...(name === "traces" ? {} : { q: null }) };
    setQuery({ ...own, ...changes }, { push: true });
    this.#ask();
    if (document.activeElement === document.body) this.focus(); // what had the focus is gone with the part before
    if (this.element.getBoundingClientRect().top < 0) this.element.scrollIntoView({ block: "start" });
  }

  /** Put the focus before the part on show. */
  focus() { this.place.focus({ preventScroll: true }); }

  /** The traces that fit, such as {player, category}. */
  look(changes) { this.turn("traces", { player: null, category: null, status: null, ...changes }); }

  #find(q) {
    const link = new URLSearchParams(location.search);
    if (partIn(link) !== "traces") { if (q) this.turn("traces", { q }); return; }
    setQuery({ q: q || null });
    this.#ask();
  }

  #ask() {
    const { set } = this.wish, link = new URLSearchParams(location.search), name = partIn(link);
    const whose = [...set.judgings.map(({ judging_id: judging, judge }) => [judging, judge]), [PEOPLE, "People"]];
    const chosen = this.choosers.show({ by: whose, critical: POLICIES }, { by: this.wish.queue?.judging_id ?? whose[0][0], critical: "weight" });
    for (const button of this.seg.children) button.setAttribute("aria-pressed", String(button.dataset.part === name));
    this.search.show(link.get("q") ?? "");
    this.filters.show();
    this.place.setAttribute("aria-label", PARTS.find(([part]) => part === name)[1]);
    this.csv.href = studio.url(`api/rubrics/sets/${encodeURIComponent(set.set_id)}/analysis.csv?${new URLSearchParams(chosen)}`);
    const part = this.parts[name];
    if (this.part !== part) {
      this.part?.leave();
      this.part = part;
      this.place.replaceChildren(part.element);
    }
    part.show(this.wish, chosen, this.choosers);
  }
}
