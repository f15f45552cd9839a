/* Strokes that the server has not painted yet, drawn by the same rule over its pixels; and the one being drawn. */
import { dressed, strokeColour, strokeMask, tinted } from "../mask.js";

export class Preview {
  /** Draw on `canvas`, which lies over the painted pixels at the same size; `refused(stroke, contact)` shows what was not
      taken, with the place {x, y} where it touched a wall, if it did. */
  constructor(canvas, refused) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.frame = canvas.closest("[data-frame]");
    this.refused = refused;
    this.waiting = new Set();
    this.draft = null;
  }

  /** Another task: its size, and the look of its brush where strokes are paths. */
  reset(size, look = null) {
    this.look = look;
    this.canvas.width = this.canvas.height = size;
    this.scratch = new OffscreenCanvas(size, size); // for the stroke under the hand, new in every frame
    this.clear();
  }

  clear() {
    this.waiting.clear();
    this.draft = null;
    this.#draw();
  }

  /** Show the stroke under the hand (named numbers), or none. */
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
    return { hide: () => set(true), show: () => set(false), remove, refuse: (contact = null) => { remove(); this.refused(stroke, contact); } };
  }

  #patch(path, sheet = null) {
    const stroke = dressed(path, this.look);
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
