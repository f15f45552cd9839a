/* The plan as a strip: lines of text, calls in their tools' colours, red where one fails, dashed where a picture is
   missing; a frame shows what is in the window. A dozen paths whatever the plan's length. */
import { clamp, eachFrame, h, s, setText } from "../dom.js";
import { linesOf } from "./stops.js";
import { fails } from "./words.js";

const WIDE = 32, PAD = 8, LARGEST = 12, GAP = 0.8; // px, and lines between pieces
const box = (x, y, w, v) => `M${x} ${y.toFixed(1)}h${w}v${v.toFixed(1)}h${-w}z`;

export class Minimap {
  /** `jump(key)` brings a stop into the window; `across(edge)` tells what stands at a height of it. */
  constructor({ jump, across }) {
    Object.assign(this, { jump, across, stops: [], at: -1 });
    this.map = s("svg", { "aria-hidden": "true", width: WIDE });
    this.frame = s("rect", { class: "frame", x: 0.5, width: WIDE - 1, rx: 4 });
    this.here = s("path", { class: "here" });
    this.words = h("div", { class: "xs mut of" });
    this.element = h("div", { class: "mini", title: "Document map: press or drag to go there" }, h("div", { class: "strip-map" }, this.map), this.words);
    this.map.addEventListener("pointerdown", (event) => { if (event.button === 0) { this.map.setPointerCapture(event.pointerId); this.#to(event); } });
    this.map.addEventListener("pointermove", (event) => { if (this.map.hasPointerCapture(event.pointerId)) this.#to(event); });
    const follow = eachFrame(() => this.#follow());
    addEventListener("scroll", follow, { passive: true });
    new ResizeObserver(() => { this.#draw(); follow(); }).observe(this.element);
    this.follow = follow;
  }

  /** Show `stops` of a plan; `off(stop)` says which are dimmed. */
  show(stops, plan, off = () => false) {
    Object.assign(this, { stops, plan, off, calls: new Map(plan.calls.map((call) => [call.id, call])) });
    this.sizes = stops.map(linesOf);
    this.#draw();
    this.follow();
  }

  /** Stand at a stop: `n` of `of`. */
  stand(place, text) {
    this.at = place;
    setText(this.words, text);
    this.#here();
  }

  #draw() {
    const high = this.element.firstChild.clientHeight;
    if (!this.stops.length || !high) return;
    const lines = this.sizes.reduce((sum, size) => sum + size + GAP, 0), unit = Math.min(LARGEST, (high - 2 * PAD) / lines), paths = new Map();
    const add = (kind, d) => paths.set(kind, (paths.get(kind) ?? "") + d);
    this.tops = [];
    let y = PAD;
    for (const [k, stop] of this.stops.entries()) {
      const tall = this.sizes[k] * unit, dim = this.off(stop) ? " off" : "";
      this.tops.push(y);
      if (stop.kind === "gap") add(`gap${dim}`, box(6.5, y + 1, 19, Math.max(1, tall - 2)));
      else if (stop.kind === "call") add(`${this.#colour(stop.call)}${dim}`, box(6, y, 20, Math.max(0.6, tall)));
      else if (unit < 4) add("text", box(8, y + tall * 0.2, 16, Math.max(0.4, tall * 0.5)));
      else for (let line = 0; line < this.sizes[k]; line++) add("text", box(8, y + line * unit + 2, line === this.sizes[k] - 1 ? 9 : 16, 2));
      y += tall + GAP * unit;
    }
    this.tops.push(y);
    this.map.setAttribute("height", Math.ceil(y + PAD));
    this.map.replaceChildren(this.frame, ...[...paths].map(([kind, d]) => s("path", { class: `m ${kind}`, d })), this.here);
    this.#here();
  }

  #colour(id) {
    const call = this.calls.get(id);
    return fails(call) ? "fail" : `t-${call.tool ?? "unknown"}`;
  }

  #here() {
    if (!this.tops) return;
    const top = this.tops[this.at];
    this.here.setAttribute("d", top == null ? "" : `M1 ${(top - 1).toFixed(1)}v${Math.max(4, this.tops[this.at + 1] - top).toFixed(1)}`);
  }

  #at(edge) {
    const [place, share] = this.across(edge);
    return this.tops[place] + (this.tops[place + 1] - this.tops[place]) * share;
  }

  #follow() {
    if (!this.tops || !this.element.offsetParent) return;
    const from = this.#at(64), to = this.#at(innerHeight);
    this.frame.setAttribute("y", Math.max(0.5, from - PAD).toFixed(1));
    this.frame.setAttribute("height", Math.max(8, to - from + (to >= this.tops.at(-1) ? 2 * PAD : PAD)).toFixed(1));
  }

  #to({ clientY }) {
    const y = clientY - this.map.getBoundingClientRect().top;
    let k = this.tops.findLastIndex((top) => top <= y);
    k = clamp(k, 0, this.stops.length - 1);
    this.jump(this.stops[k].key);
  }
}
