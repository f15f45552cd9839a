/* The list of strokes beside the canvas, newest first: what became of each and how long it is. */
import { curveOf, lengthOf } from "../curve.js";
import { h, icon, setText } from "../dom.js";
import { getLog } from "../session/api.js";
import { Record } from "../session/record.js";

const PATIENCE = 400; // ms in which the event of an action that is known of may still come
const SEEN = { brush_stroke: "Kept", undo: "Undo", submit: "Submitted", invalid: "Not understood" };

export class Strokes {
  /** In `card`; `heard()` is told when the log has been read. */
  constructor(card, heard) {
    this.heard = heard;
    this.list = card.querySelector("[data-strokes]");
    this.count = card.querySelector("[data-kept]");
    this.empty = card.querySelector("[data-none]");
    this.show(null);
  }

  /** The strokes of another painting; of one that goes on, what was before comes from its log. */
  show(painting) {
    Object.assign(this, { painting, record: new Record(), rows: new Map(), reading: false, kept: [], refused: 0 });
    clearTimeout(this.timer);
    this.list.replaceChildren();
    this.draw();
    if (painting?.view.seq) this.#read();
  }

  /** Note an event or an answer of the painting. */
  add(action) {
    this.record.addEvent(action);
    this.draw();
  }

  /** Draw what is known; what is missing is read from the log. */
  draw() {
    const { record, rows, painting } = this;
    for (let place = rows.size; place < record.length; place++) this.#put(record.at(place), place);
    const some = rows.size > 0;
    this.empty.hidden = some || (painting?.view.seq ?? 0) > 0;
    setText(this.count, some ? [`${this.kept.length} kept`, this.refused ? `${this.refused} rejected` : null].filter(Boolean).join(", ") : "");
    clearTimeout(this.timer);
    if (painting?.id && record.length < painting.view.seq) this.timer = setTimeout(() => this.#read(), PATIENCE);
  }

  #put(entry, place) {
    const { kind, outcome } = entry;
    let taken = null;
    if (outcome !== "applied") this.refused += 1;
    else if (kind === "brush_stroke") this.kept.push(place);
    else if (kind === "undo") {
      taken = this.kept.pop();
      this.#takeBack(this.rows.get(taken));
    }
    const row = this.#row(entry, taken === null || taken === undefined ? null : this.record.at(taken));
    this.rows.set(place, row);
    this.list.prepend(row);
  }

  #takeBack(row) {
    if (!row) return;
    row.classList.add("taken");
    row.querySelector(".i").replaceWith(icon("undo"));
    setText(row.querySelector(".what"), "Taken back");
  }

  #row({ seq, kind, outcome, step, stroke, contact, message, guest }, taken) {
    const refused = outcome !== "applied", glyph = refused ? "x" : kind === "undo" ? "undo" : "check";
    const what = refused ? (contact ? "Touches a wall" : outcome === "invalid" ? SEEN.invalid : "Rejected") : taken ? `Undo of stroke ${taken.step}` : SEEN[kind];
    const detail = refused ? (contact ? `${contact.x.toFixed(2)}, ${contact.y.toFixed(2)}` : "") : stroke ? `${lengthOf(curveOf(stroke)).toFixed(2)} long` : "";
    return h("li", { class: refused ? "refused" : "", "data-seq": seq, title: message || null },
      h("span", { class: "n" }, kind === "submit" ? "" : step), icon(glyph),
      h("span", { class: "what nowrap" }, what, guest ? h("span", { class: "mut" }, `, ${guest}`) : null), h("span", { class: "mut" }, detail));
  }

  async #read() {
    const { painting, record } = this;
    if (this.reading || !painting?.id) return;
    this.reading = true;
    try {
      record.addLog(await getLog(painting.id));
    } catch (error) {
      if (!error.retry) console.error(error); // else the next action asks again
    }
    if (record !== this.record) return; // another painting is shown
    this.reading = false;
    this.heard();
  }
}

