/* Which entries of the queue are gone through; what is chosen stands in the link. */
import { h, icon, setText } from "../dom.js";
import { FILTERS } from "./walk.js";
import { counted, plainly } from "./words.js";

const SWITCHED = [
  ["critical", "Critical only", "Criteria of weight 4 and 5"], ["open", "Open only", "Criteria that you may still vote on"], ["disagreement", "I differ", "Where the judge or another person says otherwise than you"],
  ["flips", "Flips pass or fail", "Critical criteria on which you and the judge disagree"], ["unscored", "Unscored", "Where the judge gave no verdict"],
];

export class Filters {
  /** `ask(changes)` is told of parameters of the link that change; null takes one away. */
  constructor(ask) {
    Object.assign(this, { ask, options: "" });
    const select = (name) => h("select", { class: "field", "data-filter": name, "aria-label": plainly(name), onchange: ({ target }) => ask({ [name]: target.value || null }) });
    this.selects = Object.fromEntries(["model", "turn", "category", "objectivity"].map((name) => [name, select(name)]));
    this.reviewer = h("input", {
      class: "field", "data-filter": "reviewer", maxlength: 80, "aria-label": "Reviewer", placeholder: "Also voted on by", autocomplete: "off", spellcheck: "false",
      onchange: () => ask({ reviewer: this.reviewer.value.trim() || null }),
    });
    this.switches = SWITCHED.map(([name, label, title]) => {
      const input = h("input", { type: "checkbox", role: "switch", "data-filter": name, onchange: () => ask({ [name]: input.checked ? "1" : null }) });
      return h("label", { class: "switch", title }, input, label);
    });
    this.clear = h("button", { type: "button", class: "btn ghost small", onclick: () => { this.clearing = true; ask(Object.fromEntries(FILTERS.map((name) => [name, null]))); } }, icon("x"), "Clear filters");
    this.fields = h("div", { class: "row fields", id: "es-rubric-filters", hidden: true }, Object.values(this.selects), this.reviewer, this.switches);
    this.count = h("span", { class: "tag acc", hidden: true });
    this.button = h("button", {
      type: "button", class: "btn", "aria-expanded": "false", "aria-controls": "es-rubric-filters", "data-act": "filter", "aria-label": "Filter", title: "Which criteria to go through",
      onclick: () => this.open(),
    }, icon("search"), h("span", { class: "word" }, "Filter"), this.count);
    this.says = h("span", { class: "sm mut", role: "status" });
    this.tail = h("div", { class: "row tail", hidden: true }, this.says, this.clear);
  }

  /** Show the fields or hide them. */
  open(on = this.fields.hidden) {
    this.fields.hidden = !on;
    this.button.setAttribute("aria-expanded", String(on));
  }

  /** Show what is chosen from what the set has; `walk` may be on its way (null). */
  show(chosen, set, queue, walk) {
    const count = Object.keys(chosen).length, options = JSON.stringify([set.models, set.turns, set.item_categories]);
    if (options !== this.options) {
      this.options = options;
      const fill = (name, none, values) => this.selects[name].replaceChildren(h("option", { value: "" }, none), ...values.map(([value, label]) => h("option", { value }, label)));
      fill("model", "All models", set.models.map((model) => [model, model]));
      fill("turn", "All turns", Array.from({ length: set.turns }, (_, k) => [String(k + 1), `Turn ${k + 1}`]));
      fill("category", "All categories", set.item_categories.map((category) => [category, plainly(category)]));
      fill("objectivity", "Any kind", [["objective", "Objective"], ["subjective", "Subjective"]]);
      this.selects.turn.hidden = set.turns < 2;
    }
    for (const [name, select] of Object.entries(this.selects)) {
      const value = chosen[name] ?? "";
      if (value && ![...select.options].some((option) => option.value === value)) select.append(h("option", { value }, value)); // a link may ask for what the set does not have
      select.value = value;
    }
    if (document.activeElement !== this.reviewer) this.reviewer.value = chosen.reviewer ?? "";
    for (const { firstChild: input } of this.switches) input.checked = Boolean(chosen[input.dataset.filter]);
    if (count && this.fields.hidden && !this.seen) this.open(true);
    this.seen = true;
    this.count.hidden = !count;
    setText(this.count, count);
    if (this.clearing && !count && !this.fields.hidden) this.selects.model.focus(); // the button goes
    this.clearing = false;
    this.tail.hidden = !count;
    setText(this.says, !walk || !count ? "" : `${walk.count} of ${counted(queue.entries, "entry", "entries")}${walk.hidden ? `; ${walk.hidden} more are hidden until you have voted on them` : ""}`);
  }
}
