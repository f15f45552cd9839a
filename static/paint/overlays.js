/* The reference over the canvas (onion skin), and where the two differ. */
import { fillRange } from "../dom.js";

/* Colour of a difference d in [0, 1] (mean of the three channels): night blue, ember, then yellow. */
const RAMP = [[0, [18, 24, 38]], [0.06, [44, 42, 78]], [0.18, [142, 48, 84]], [0.36, [226, 98, 54]], [0.65, [252, 206, 92]], [1, [255, 250, 220]]];
const SCALE = Uint32Array.from({ length: 766 }, (_, sum) => {
  const d = sum / 765, high = Math.max(1, RAMP.findIndex(([edge]) => edge >= d)), [e0, c0] = RAMP[high - 1], [e1, c1] = RAMP[high];
  const [r, g, b] = c0.map((from, i) => Math.round(from + ((c1[i] - from) * (d - e0)) / (e1 - e0)));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
});

/** Paint the difference of two ImageData of one size onto a canvas. */
export function drawDifference(target, canvas, reference) {
  const { width, height, data: a } = canvas, b = reference.data, out = new ImageData(width, height);
  const ink = new Uint32Array(out.data.buffer);
  for (let i = 0, p = 0; i < ink.length; i++, p += 4) {
    ink[i] = SCALE[Math.abs(a[p] - b[p]) + Math.abs(a[p + 1] - b[p + 1]) + Math.abs(a[p + 2] - b[p + 2])];
  }
  target.width = width;
  target.height = height;
  target.getContext("2d").putImageData(out, 0, 0);
}

export class Overlays {
  /** `pixels` of the canvas, `reference()` ImageData or null. */
  constructor(host, pixels, reference) {
    const $ = (name) => host.querySelector(`[data-${name}]`);
    Object.assign(this, { pixels, reference, onion: $("onion"), range: $("onion-range"), out: $("onion-out"), difference: $("difference"), toggle: $("difference-switch") });
    this.queued = false;
    this.range.addEventListener("input", () => this.#onion());
    this.toggle.addEventListener("change", () => { this.difference.hidden = !this.toggle.checked; this.refresh(); });
    this.#onion();
  }

  /** Show the reference while a key is held; the slider keeps its value. */
  peek(on) {
    const opacity = on ? Math.max(0.6, this.range.value / 100) : this.range.value / 100;
    this.onion.style.opacity = opacity;
    this.onion.hidden = !opacity; // an invisible layer would still be composited
  }

  flip() { this.toggle.click(); }

  /** The canvas has changed: at most one new map a frame. */
  refresh() {
    if (this.queued || !this.toggle.checked) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      const reference = this.reference();
      if (reference && reference.width === this.pixels.canvas.width) drawDifference(this.difference, this.pixels.read(), reference);
    });
  }

  #onion() {
    fillRange(this.range);
    this.out.textContent = `${this.range.value}%`;
    this.peek(false);
  }
}
