/* A square picture on the wall: a reference, or a canvas that grows. */
import { Pixels } from "./canvas.js";
import { h } from "./dom.js";
import { ApiError, referenceUrl } from "./session/api.js";

/** A reference's pixels, decoded without colour management. Throws ApiError. */
export async function pictureOf(task) {
  const response = await fetch(referenceUrl(task.id)).catch(() => null);
  if (!response) throw new ApiError(`“${task.title}” could not be opened, because the studio cannot be reached: try again in a moment.`, { retry: true });
  if (!response.ok) throw new ApiError(`The reference of “${task.title}” could not be loaded: reload the page to try again.`, { status: response.status });
  return createImageBitmap(await response.blob(), { colorSpaceConversion: "none", premultiplyAlpha: "none" });
}

export class Sheet {
  /** A blank sheet; `label` is its name for screen readers. */
  constructor(label) {
    this.canvas = h("canvas", { width: 1, height: 1, role: "img", "aria-label": label });
    this.frame = h("div", { class: "pic" }, this.canvas);
    this.pixels = new Pixels(this.canvas);
  }

  get context() { return this.pixels.context; }
  label(text) { this.canvas.setAttribute("aria-label", text); }

  /** A white sheet of `size` pixels. */
  blank(size) { this.pixels.reset(size); }

  /** A picture at its own size. */
  show(bitmap) {
    this.pixels.reset(bitmap.width);
    this.context.drawImage(bitmap, 0, 0);
  }
}
