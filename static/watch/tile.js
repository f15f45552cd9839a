/* One session on the wall: its picture, which grows while it is painted, and its label. */
import { f3, h, icon, setText } from "../dom.js";
import { playerTag } from "../players.js";
import { canvasUrl } from "../session/api.js";
import { abandoned, lively } from "../session/lively.js";
import { Sheet } from "../sheet.js";

export class Tile {
  /** A tile of a session's summary and its task; `open(id)` is asked for by a click or Enter. */
  constructor(summary, task, open) {
    Object.assign(this, { id: summary.session_id, task, budget: summary.protocol === "practice" ? null : task?.budget, at: Date.parse(summary.last_at), begun: Date.parse(summary.created_at) });
    Object.assign(this, { seq: summary.seq, step: summary.step, status: summary.status, value: summary.score });
    this.sheet = null;
    this.frame = h("div", { class: "pic" });
    this.score = h("b", { class: "score" });
    this.state = h("span", { class: "grow nowrap" });
    this.dot = h("span", { class: "live" });
    const title = task?.title ?? summary.task_id;
    this.element = h("a", {
      class: "session", href: `?tab=watch&session=${encodeURIComponent(this.id)}`, "data-session": this.id,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // a new window, as of any link
        event.preventDefault();
        open(this.id);
      },
    }, this.frame, h("b", { class: "nowrap", title }, title),
    h("span", { class: "row between" }, h("span", { class: "row marked" }, playerTag(summary.player), summary.parent ? h("span", { class: "tag", title: `Goes on from step ${summary.parent.step} of another painting` }, icon("fork"), summary.parent.step) : null, summary.imported ? h("span", { class: "tag", title: "Imported from a log made elsewhere" }, "imported") : null), this.score), h("span", { class: "row xs mut" }, this.dot, this.state));
    if (this.open) this.#sheet();
    else this.frame.append(h("img", { src: canvasUrl(this.id), alt: "", loading: "lazy", decoding: "async" }));
    this.draw();
  }

  get open() { return this.status === "open"; }
  get abandoned() { return abandoned(this); }

  #sheet() {
    this.sheet = new Sheet("");
    this.sheet.canvas.setAttribute("aria-hidden", "true");
    this.frame.replaceChildren(this.sheet.canvas);
    if (this.task) this.sheet.blank(this.task.width);
  }

  /** The session as a snapshot of the stream has it. */
  snapshot({ seq, step, status, curve, canvas, task }) {
    if (seq > this.seq) this.at = Date.now();
    Object.assign(this, { seq, step, status, value: curve.at(-1) });
    if (!this.sheet) this.#sheet();
    if (this.sheet.canvas.width !== task.width) this.sheet.blank(task.width);
    this.sheet.pixels.load(canvas, () => { this.frame.dataset.seq = seq; });
    this.draw();
  }

  /** An action of the stream. */
  action({ seq, step, status, score, patch }) {
    Object.assign(this, { seq, step, status, value: score, at: Date.now() });
    this.sheet.pixels.patch(patch, () => { this.frame.dataset.seq = seq; });
    this.draw();
  }

  draw() {
    const painting = lively(this);
    setText(this.score, f3(this.value));
    this.dot.className = painting ? "live" : "live off";
    const steps = this.budget == null ? `${this.step} steps` : `${this.step} / ${this.budget}`;
    setText(this.state, `${steps}, ${!this.open ? "finished" : painting ? "painting" : "open"}`);
    this.element.classList.toggle("lively", painting);
  }
}
