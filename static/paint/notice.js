/* What stands in the way of painting, said on the canvas where it happened: a lost connection with its countdown, a
   refused stroke, or another's turn. */
import { h, icon, plural } from "../dom.js";

export class Notice {
  constructor(box) {
    this.box = box;
    this.lost = null;
    this.text = null;
    this.other = null;
  }

  /** The connection: {waiting, seconds}, the step it was lost at, how many actions wait, and what "Try now" does. */
  connection({ waiting, seconds }, step, pending, retry) {
    this.lost = waiting ? { seconds, step, pending, retry } : null;
    this.#draw();
  }

  /** Another's turn: who has it, how many strokes wait for it and, for the owner, what "Take it back" does; null ends it. */
  turn(other) {
    if (JSON.stringify(other) === JSON.stringify(this.other)) return;
    this.other = other;
    this.#draw();
  }

  /** A message that stays until it is dismissed or the next stroke. */
  say(text) {
    this.text = text;
    this.#draw();
  }

  clear() { if (this.text) this.say(null); }

  #draw() {
    const { lost, text, other, box } = this;
    box.hidden = !lost && !text && !other;
    if (lost) this.#connection(lost);
    else if (other && !text) this.#turn(other);
    else if (text) {
      box.dataset.kind = "message";
      box.setAttribute("role", "alert");
      box.replaceChildren(icon("warn"), h("div", { class: "grow" }, text),
        h("button", { type: "button", class: "btn ghost icon small", "aria-label": "Dismiss", onclick: () => this.say(null) }, icon("x")));
    } else delete box.dataset.kind;
  }

  #turn({ guest, waiting, owner, back }) {
    const until = owner ? `${guest} has the brush.` : `${guest} has the brush: you can paint when it is handed back.`;
    const safe = waiting ? ` ${plural(waiting, "stroke")} of yours ${waiting === 1 ? "waits" : "wait"} here and will be painted then.` : "";
    this.box.dataset.kind = "turn";
    this.box.setAttribute("role", "status");
    this.box.replaceChildren(icon("person"), h("div", { class: "grow" }, h("strong", {}, until), safe),
      ...(owner ? [h("button", { type: "button", class: "btn small", onclick: back }, "Take it back")] : []));
  }

  #connection({ seconds, step, pending, retry }) {
    const { box } = this;
    const again = seconds > 0 ? `Trying again in ${seconds} s.` : "Trying again now.";
    const safe = pending ? `Your strokes are saved; ${pending} more ${pending === 1 ? "waits" : "wait"} here. ` : "Your strokes are saved. ";
    if (box.dataset.kind !== "connection") {
      box.dataset.kind = "connection";
      box.setAttribute("role", "alert");
      box.replaceChildren(icon("warn"),
        h("div", { class: "grow" }, h("b", {}, `Connection lost at step ${step}.`), " ", h("span", { "data-said": true }), h("span", { "data-safe": true }), h("span", { "data-again": true, "aria-hidden": "true" })),
        h("button", { type: "button", class: "btn small", onclick: retry }, "Try now"));
    }
    box.querySelector("[data-said]").textContent = this.text ? `${this.text} ` : "";
    box.querySelector("[data-safe]").textContent = safe;
    box.querySelector("[data-again]").textContent = again;
  }
}
