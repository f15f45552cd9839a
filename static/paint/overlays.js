/* The reference over the canvas (onion skin), and where the two differ. */
import { drawDifference } from "../difference.js";
import { fillRange } from "../dom.js";

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
