/* What the score of an ended session of a semantic task rests on: a picture over its canvas with words at their places, a
   legend and facts. */
import { decode } from "./canvas.js";
import { f3, h, s } from "./dom.js";

const HEX = /^#[0-9a-f]{6}$/i;
const LONG = 20; // characters; a longer fact has a row of its own
const said = (value) => (typeof value === "number" && !Number.isInteger(value) ? f3(value) : String(value));

export class Evidence {
  /** Will lie over the canvas in `stage`, an element of its size. */
  constructor(stage) {
    Object.assign(this, { stage, turn: 0, on: true });
    this.canvas = h("canvas", { class: "evidence", "data-evidence": true, "aria-hidden": "true" });
    this.labels = s("svg", { viewBox: "0 0 100 100", class: "evidence", "aria-hidden": "true" });
  }

  /** Show an overlay {width, png, labels}; resolves when it is drawn, unless another came in between. */
  async show({ width, png, labels }) {
    const mine = ++this.turn, bitmap = await decode(png);
    if (mine !== this.turn) return;
    Object.assign(this.canvas, { width: bitmap.width, height: bitmap.height });
    this.canvas.getContext("2d").drawImage(bitmap, 0, 0);
    this.canvas.style.imageRendering = bitmap.width > width ? "auto" : "pixelated"; // finer than the canvas, or pixel by pixel
    this.labels.replaceChildren(...labels.map(({ x, y, text, good }) => s("text", {
      x: 100 * x, y: 100 * y, class: good == null ? "" : good ? "good" : "bad", "text-anchor": "middle", "dominant-baseline": "central",
    }, text)));
    this.stage.append(this.canvas, this.labels);
    this.#draw();
  }

  /** Hide it for a while, or show it again. */
  toggle(on = !this.on) {
    this.on = on;
    this.#draw();
  }

  /** Take it away: another canvas comes. */
  clear() {
    this.turn += 1;
    this.canvas.remove();
    this.labels.remove();
  }

  #draw() { for (const layer of [this.canvas, this.labels]) layer.style.display = this.on ? "" : "none"; }
}

/** What the colours and patterns of an overlay mean. */
export const legendOf = ({ legend }) => h("ul", { class: "evidence-key" }, legend.map(({ colour, pattern, label }) => h("li", {},
  h("i", { class: pattern, style: HEX.test(colour) ? { "background-color": colour } : {}, "aria-hidden": "true" }), label)));

/** Its facts, as pairs for a <dl>. */
export const factsOf = ({ facts }) => facts.map(({ name, value }) => h("div", { class: said(value).length > LONG ? "wide" : null }, h("dt", {}, name), h("dd", {}, said(value))));
