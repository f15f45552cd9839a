/* The brush's controls under the pictures. */
import { fillRange, h } from "../dom.js";
import { pathMask, pixelRadius, tinted } from "../mask.js";
import { widthOf } from "./brush.js";
import { ColourBox } from "./colourbox.js";
import { toHex } from "./colour.js";

const RADII = ["radius_start", "radius_end"], OPACITIES = ["opacity_start", "opacity_end"];
// the eye judges widths by ratio: half of the slider's way is a quarter of the widest
const fromSlider = (value) => (value / 100) ** 2, toSlider = (radius) => Math.round(Math.sqrt(radius) * 100);
const pixels = (width) => (width < 10 ? width.toFixed(1).replace(/\.0$/, "") : Math.round(width));
const fraction = (value) => value.toFixed(2).replace(/^0/, "");

export class Dock {
  constructor(host, brush) {
    this.host = host;
    this.brush = brush;
    this.size = 128;
    this.palette = [];
    this.now = this.$("[data-act=colour]");
    this.box = new ColourBox(this.now, (colour) => brush.set({ colour }));
    this.dock = this.$(".dock");
    this.dock.addEventListener("input", (event) => this.#slid(event.target));
    this.$("[data-pressure]").addEventListener("change", (event) => brush.set({ pressure: event.target.checked }));
    this.dock.addEventListener("click", (event) => {
      const swatch = event.target.closest(".sw");
      if (swatch) brush.set({ colour: swatch.dataset.rgb.split(",").map(Number) });
    });
  }

  $(selector) { return this.host.querySelector(selector); }

  /** Colours of another reference, and its size. */
  setTask(size, palette) {
    Object.assign(this, { size, palette });
    this.draw();
  }

  openColours() { this.box.open(this.brush.state.colour); }

  draw() {
    const { state } = this.brush, hex = toHex(state.colour);
    for (const name of RADII) this.#slider(name, toSlider(state[name]), pixels(widthOf(state[name], this.size)), "pixels");
    for (const name of OPACITIES) this.#slider(name, Math.round(state[name] * 100), fraction(state[name]), "");
    this.$("[data-pressure]").checked = state.pressure;
    this.now.style.setProperty("--tone", hex);
    this.now.setAttribute("aria-label", `Colour ${hex}: choose another`);
    this.$("[data-hex]").textContent = hex;
    this.#swatches(this.$("[data-palette]"), this.palette, hex);
    this.#swatches(this.$("[data-recent]"), state.recent, hex);
    this.#preview();
  }

  #slid(input) {
    const name = input.dataset.brush;
    if (!name) return;
    this.brush.set({ [name]: RADII.includes(name) ? fromSlider(input.value) : input.value / 100 });
  }

  #slider(name, value, text, unit) {
    const input = this.$(`[data-brush=${name}]`);
    if (document.activeElement !== input || Math.abs(input.value - value) > 1) input.value = value; // no rounding under a moving thumb
    input.setAttribute("aria-valuetext", `${text} ${unit}`.trim());
    fillRange(input);
    this.$(`[data-out=${name}]`).textContent = text;
  }

  #swatches(box, colours, current) {
    const key = colours.join(";");
    if (box.dataset.colours !== key) { // rebuilt only when they change: a focused swatch keeps its focus
      box.dataset.colours = key;
      const empty = Math.max(0, 6 - colours.length);
      box.replaceChildren(
        ...colours.map((rgb) => h("button", { type: "button", class: "sw", "data-rgb": rgb.join(), "aria-label": toHex(rgb), title: toHex(rgb), style: { "--tone": toHex(rgb) } })),
        ...Array.from({ length: empty }, () => h("span", { class: "sw none", "aria-hidden": "true" })));
    }
    for (const swatch of box.querySelectorAll("button")) swatch.setAttribute("aria-pressed", String(swatch.getAttribute("aria-label") === current));
  }

  /* The brush along a bow, at the size it has on the screen unless that is too large for the box. */
  #preview() {
    const canvas = this.$("[data-brush-preview]"), { width, height } = canvas, { state } = this.brush;
    const key = JSON.stringify({ ...state, recent: null, size: this.size });
    if (key === this.drawn) return;
    this.drawn = key;
    const side = parseFloat(getComputedStyle(this.host).getPropertyValue("--pic")) || 512, zoom = (side / this.size) * 2;
    const [r0, r1] = RADII.map((name) => pixelRadius(state[name], this.size) * zoom), fit = Math.min(1, (height * 0.24) / Math.max(r0, r1));
    const edge = (radius) => Math.max(14, radius * fit + 6);
    const mask = pathMask({
      x0: edge(r0), y0: height * 0.58, x1: width * 0.45, y1: height * 0.22, x2: width - edge(r1), y2: height * 0.58,
      r0: r0 * fit, r1: r1 * fit, w0: state.opacity_start, w1: state.opacity_end,
    }, width, height);
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    context.putImageData(tinted(mask, state.colour), mask.left, mask.top);
  }
}
