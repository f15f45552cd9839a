/* What a task lacks before models can try it, each line a way to its place. */
import { h, icon, setText } from "../dom.js";
import { same, valueAt } from "./authordocument.js";

export class Checks {
  /** `go(where, message)` leads to a place. */
  constructor(go) {
    Object.assign(this, { go, text: "" });
    this.head = h("h3", {}, "Before a trial");
    this.says = h("p", { class: "sm sub" });
    this.list = h("ul", { class: "checks" });
    this.element = h("section", { class: "card side-card", "aria-label": "What is missing" }, this.head, this.says, this.list);
  }

  /** Of the version `saved`, in which `missing` is missing; a place that has changed since is looked at again with the next version. */
  show(missing, saved, now) {
    const lines = missing.map(({ where, message }) => ({ where, message, changed: !same(valueAt(saved, where), valueAt(now, where)) })), text = JSON.stringify(lines);
    if (text === this.text) return;
    this.text = text;
    const left = lines.filter(({ changed }) => !changed).length;
    const rest = left ? "Press a line to go to its place." : "All of it was changed; it is looked at with the next version.";
    setText(this.says, missing.length ? rest : "Nothing is missing.");
    const held = this.list.contains(document.activeElement) ? document.activeElement.dataset.where : null;
    const words = ({ message, changed }) => h("span", {}, message, changed && h("span", { class: "es-sr" }, " (changed)"));
    const way = (line) => h("button", { type: "button", class: "check", "data-where": line.where, onclick: () => this.go(line.where, line.message) },
      icon(line.changed ? "again" : "warn"), words(line));
    this.list.replaceChildren(...lines.map((line) => h("li", { class: line.changed ? "changed" : null }, way(line))));
    if (held) (this.list.querySelector(`[data-where="${CSS.escape(held)}"]`) ?? this.list.querySelector("button"))?.focus({ preventScroll: true });
    this.element.classList.toggle("sound", !missing.length);
  }
}
