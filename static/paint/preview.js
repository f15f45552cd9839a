/* Strokes that the server has not painted yet, drawn by the same rule over its pixels; and the one being drawn. */
import { strokeColour, strokeMask, tinted } from "../mask.js";

export class Preview {
  /** Draw on `canvas`, which lies over the painted pixels at the same size; `refused(stroke)` shows what was not taken. */
  constructor(canvas, refused) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.frame = canvas.closest("[data-frame]");
    this.refused = refused;
    this.waiting = new Set();
    this.draft = null;
  }

  reset(size) {
    this.canvas.width = this.canvas.height = size;
    this.scratch = new OffscreenCanvas(size, size); // for the stroke under the hand, new in every frame
    this.clear();
  }

  clear() {
    this.waiting.clear();
    this.draft = null;
    this.#draw();
  }

  /** Show the stroke under the hand (13 named numbers), or none. */
  setDraft(stroke) {
    this.draft = stroke && this.#patch(stroke, this.scratch);
    this.#draw();
  }

  /** Show a stroke until the server's pixels are there; returns its handle. */
  add(stroke) {
    const entry = { ...this.#patch(stroke), hidden: false };
    this.waiting.add(entry);
    this.#draw();
    const set = (hidden) => { entry.hidden = hidden; this.#draw(); };
    const remove = () => { if (this.waiting.delete(entry)) this.#draw(); };
    return { hide: () => set(true), show: () => set(false), remove, refuse: () => { remove(); this.refused(stroke); } };
  }

  #patch(stroke, sheet = null) {
    const { left, top, width, height, ...mask } = strokeMask(stroke, this.canvas.width);
    sheet ??= new OffscreenCanvas(width, height);
    sheet.getContext("2d").putImageData(tinted({ ...mask, width, height }, strokeColour(stroke)), 0, 0);
    return { sheet, left, top, width, height };
  }

  #draw() {
    this.frame.setAttribute("aria-busy", String(this.waiting.size > 0));
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (const entry of [...this.waiting, this.draft]) {
      if (!entry || entry.hidden) continue;
      const { sheet, left, top, width, height } = entry;
      this.context.drawImage(sheet, 0, 0, width, height, left, top, width, height);
    }
  }
}
