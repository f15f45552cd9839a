/* A button with a menu under it: arrow keys go through it, Esc closes it and returns the focus. */
import { h, icon } from "../dom.js";

export class Menu {
  /** `items()` gives the elements, buttons or links; they are made anew each time it opens. */
  constructor(label, glyph, items, { hide = "" } = {}) {
    Object.assign(this, { items });
    this.button = h("button", { type: "button", class: "btn", "aria-haspopup": "menu", "aria-label": label, "aria-expanded": "false", onclick: () => this.toggle() }, icon(glyph), h("span", { class: hide }, label), icon("down"));
    this.box = h("div", { class: "menu", role: "menu", "aria-label": label, hidden: true });
    this.element = h("div", { class: "menu-place" }, this.button, this.box);
    this.element.addEventListener("keydown", (event) => this.#keys(event));
    this.element.addEventListener("focusout", ({ relatedTarget }) => { if (!this.box.hidden && !this.element.contains(relatedTarget)) this.toggle(false); });
  }

  toggle(open = this.box.hidden) {
    if (open) this.box.replaceChildren(...this.items());
    this.box.hidden = !open;
    this.button.setAttribute("aria-expanded", open);
    if (open) this.box.querySelector("[role=menuitem]")?.focus();
  }

  #keys(event) {
    if (this.box.hidden) return;
    const all = [...this.box.querySelectorAll("[role=menuitem]")], at = all.indexOf(document.activeElement);
    const to = { ArrowDown: (at + 1) % all.length, ArrowUp: (at - 1 + all.length) % all.length, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Escape") {
      this.toggle(false);
      this.button.focus();
    } else if (to !== undefined) all[to].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
