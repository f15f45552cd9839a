/* Painting by keyboard: arrows aim, Enter sets the start, then the control point, then the end and paints. */
import { announce, clamp } from "../dom.js";

const STAGES = ["start", "control", "end"];
const ASK = { start: "Aim the start and press Enter.", control: "Aim the control point and press Enter.", end: "Aim the end and press Enter to paint." };
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Aim {
  /**
   * `hooks`: allowed(), begin() at the first point, draft(curve | null), cross(point | null), paint(curve), reveal(point), pick(point).
   * `size()` is the canvas width in pixels.
   */
  constructor(frame, size, hooks) {
    Object.assign(this, { frame, size, hooks, point: { x: 0.5, y: 0.5 }, set: {}, shown: false });
    frame.addEventListener("keydown", (event) => this.#key(event));
    frame.addEventListener("blur", () => this.hide());
    frame.addEventListener("pointerdown", () => this.hide());
  }

  get stage() { return STAGES[Object.keys(this.set).length]; }
  get busy() { return this.shown && this.stage !== "start"; }

  hide() {
    if (!this.shown) return;
    this.shown = false;
    this.set = {};
    this.hooks.cross(null);
    this.hooks.draft(null);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = MOVES[event.key];
    if (move) this.#move(move, event.shiftKey);
    else if (event.key === "Enter" && !event.shiftKey) this.#enter();
    else if (event.key === "Escape" && this.shown) this.#escape();
    else if (event.key.toLowerCase() === "i" && this.shown) this.hooks.pick(this.point);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move([dx, dy], large) {
    if (!this.#show()) return;
    // two pixels of a 128 px canvas, or an eighth of the picture; whole pixels, so that a place can be found again
    const step = large ? 0.125 : Math.max(1, Math.round(this.size() / 64)) / this.size();
    this.point = { x: clamp(this.point.x + dx * step), y: clamp(this.point.y + dy * step) };
    this.hooks.reveal(this.point);
    this.#draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => announce(this.#place()), 250); // once the hand rests
  }

  #enter() {
    clearTimeout(this.timer); // what Enter does is said instead of the place
    const fresh = !this.shown;
    if (!this.#show()) return;
    if (fresh) { this.#draw(); announce(`${this.#place()}. ${ASK.start}`); return; }
    const stage = this.stage;
    if (stage === "start") this.hooks.begin();
    this.set[stage] = this.point;
    if (stage === "end") {
      const curve = this.set;
      this.set = {};
      this.hooks.draft(null);
      this.hooks.paint(curve); // the stroke's own message follows
      return;
    }
    this.#draw();
    announce(`${stage === "start" ? "Start" : "Control point"} at ${this.#place()}. ${ASK[this.stage]}`);
  }

  #escape() {
    if (this.stage === "start") { this.hide(); announce("Aiming ended"); return; }
    this.set = {};
    this.#draw();
    announce(`Stroke cancelled. ${ASK.start}`);
  }

  #show() {
    if (!this.hooks.allowed()) return false;
    this.shown = true;
    return true;
  }

  #draw() {
    const { start, control = start && { x: (start.x + this.point.x) / 2, y: (start.y + this.point.y) / 2 } } = this.set;
    const aiming = this.stage === "control" ? { start, control: this.point, end: this.point } : { start, control, end: this.point };
    this.hooks.draft(start ? aiming : null);
    this.hooks.cross(this.point);
  }

  #place() { return `${Math.round(this.point.x * 100)} % across, ${Math.round(this.point.y * 100)} % down`; }
}
