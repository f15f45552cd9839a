/* On a phone, choices of what is shown are folded away behind one button that says how many there are. */
import { h, icon, setText } from "../dom.js";

/** A button that unfolds all `.choosers` in a view: `names` are the parameters of the link that they choose by. Only phones show it. */
export class Filters {
  constructor(names) {
    this.names = names;
    this.label = h("span", {}, "Filters");
    this.element = h("button", { type: "button", class: "btn filters-button", "aria-expanded": "false", onclick: () => this.#turn() }, this.label, icon("down"));
  }

  /** `view` holds the choosers. */
  of(view) { this.view = view; }

  #turn() {
    const open = this.view.classList.toggle("filters-open");
    this.element.setAttribute("aria-expanded", String(open));
  }

  /** Say how many choices the link makes. */
  show() {
    const link = new URLSearchParams(location.search), n = this.names.filter((name) => link.get(name)).length;
    setText(this.label, n ? `Filters (${n})` : "Filters");
  }
}
