/* A stroke that was refused, said beside the canvas, on a phone above all, until the next stroke, an undo or its dismissal. */
import { h, icon } from "../dom.js";

const place = ({ x, y }) => `(${x.toFixed(3)}, ${y.toFixed(3)})`;

export class Toast {
  /** `dismissed()` is told when a person closes it. */
  constructor(box, dismissed) { Object.assign(this, { box, dismissed }); }

  /** Say what an answer or an event of a refused stroke says: {message, contact, steps_left}. */
  say({ message, contact, steps_left: left }) {
    const text = contact && left != null ? `Touches a wall at ${place(contact)}; the step is used, ${left} remain.` : message;
    this.box.hidden = false;
    this.box.replaceChildren(icon("warn"), h("div", { class: "grow" }, h("b", {}, "Stroke rejected", h("span", { class: "show-s" }, ". ")), h("p", { class: "sm" }, text)),
      h("button", { type: "button", class: "btn ghost icon small", "aria-label": "Dismiss", onclick: () => { this.clear(); this.dismissed(); } }, icon("x")));
  }

  clear() {
    this.box.hidden = true;
    this.box.replaceChildren();
  }
}
