/* What figures are shown of: choices that stand in the link. */
import { h } from "../dom.js";
import { setQuery } from "../tabs.js";

/** What makes a criterion critical: [value, label]. */
export const POLICIES = [["weight", "Weight 4 and 5"], ["flag", "The data set’s flag"]];

export class Choosers {
  /** `names`: {parameter of the link: label}; `changed()` is told when another value is chosen. */
  constructor(names, changed) {
    Object.assign(this, { names, changed });
    const each = (make) => Object.fromEntries(Object.entries(names).map(([name, label]) => [name, make(name, label)]));
    const choose = ({ target: { dataset, value } }) => this.#choose({ [dataset.choose]: value });
    this.selects = each((name, label) => h("select", { class: "field", "data-choose": name, "aria-label": label, onchange: choose }));
    this.labels = each((name, label) => h("label", { class: "row chooser" }, h("span", { class: "sm mut" }, label), this.selects[name]));
    this.element = h("div", { class: "row choosers" }, Object.values(this.labels));
  }

  /** Offer `options`, [[value, label]] by parameter, and return what the link chooses among them; what it does not choose is as in `usual`. */
  show(options, usual) {
    const link = new URLSearchParams(location.search), chosen = {};
    this.usual = usual;
    for (const [name, select] of Object.entries(this.selects)) {
      const offered = options[name], text = JSON.stringify(offered), wished = link.get(name);
      chosen[name] = offered.some(([value]) => value === wished) ? wished : usual[name] ?? "";
      this.labels[name].hidden = offered.length < 2;
      if (text !== this.listed?.[name]) { // a list that is open stays so
        this.listed = { ...this.listed, [name]: text };
        select.replaceChildren(...offered.map(([value, label]) => h("option", { value }, label)));
      }
      select.value = chosen[name];
    }
    return chosen;
  }

  /** Choose as usual again. */
  clear() { this.#choose(Object.fromEntries(Object.keys(this.names).map((name) => [name, null]))); }

  #choose(changes) {
    const inLink = ([name, value]) => [name, value === (this.usual[name] ?? "") ? null : value];
    setQuery(Object.fromEntries(Object.entries(changes).map(inLink)), { push: true });
    this.changed();
  }
}
