/* Taking a colour from the reference or the canvas, with a magnifier at the pointer. */
import { h } from "../dom.js";
import { colourAt } from "../canvas.js";
import { toHex } from "./colour.js";

const ACROSS = 11, CELL = 11; // pixels seen, CSS px of each

export class Eyedropper {
  /** `sources`: Map of frame -> its canvas; `picked(rgb)` gets the colour; `changed(on)` follows the mode. */
  constructor(view, sources, { picked, changed }) {
    Object.assign(this, { view, sources, picked, changed, on: false, held: false });
    this.canvas = h("canvas", { width: ACROSS * CELL, height: ACROSS * CELL });
    this.label = h("span", { class: "mono" });
    this.loupe = document.body.appendChild(h("div", { class: "es loupe", hidden: true, "aria-hidden": "true" }, this.canvas, h("i"), this.label));
  }

  get active() { return this.on || this.held; }

  toggle(on = !this.on) {
    this.on = on;
    this.#changed();
  }

  /** While Alt is down. */
  hold(down) {
    this.held = down;
    this.#changed();
  }

  #changed() {
    if (!this.active) this.hide();
    this.changed(this.active);
  }

  hide() { this.loupe.hidden = true; }

  /** Show the colour under the pointer, and take it when `done`. */
  at(frame, event, done) {
    const point = this.view.toCanvas(frame, event), source = this.sources.get(frame);
    if (point.x < 0 || point.y < 0 || point.x >= 1 || point.y >= 1) { this.hide(); return; }
    const context = source.getContext("2d", { willReadFrequently: true }), rgb = colourAt(source, context, point);
    if (!done) { this.#magnify(source, point, rgb, event); return; }
    this.hide();
    this.on = false;
    this.picked(rgb);
    this.#changed();
  }

  #magnify(source, point, rgb, event) {
    const half = (ACROSS - 1) / 2, column = Math.floor(point.x * source.width), row = Math.floor(point.y * source.height);
    const context = this.canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.fillStyle = "#808080";
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(source, column - half, row - half, ACROSS, ACROSS, 0, 0, this.canvas.width, this.canvas.height);
    this.label.textContent = toHex(rgb);
    const touch = event.pointerType === "touch", across = 132;
    const left = Math.min(innerWidth - across - 8, Math.max(8, event.clientX - across / 2));
    const above = event.clientY - across - (touch ? 56 : 40);
    this.loupe.hidden = false;
    this.loupe.style.setProperty("--tone", toHex(rgb));
    this.loupe.style.transform = `translate(${Math.round(left)}px, ${Math.round(above > 4 ? above : event.clientY + 24)}px)`;
  }
}
