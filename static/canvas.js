/* The pixels of a painting as the server says they are. Snapshots and patches are decoded off the main thread and put
   down strictly in order; the last picture stays until the next one is there, so the canvas never blanks. */

function bytes(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64), out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

/** Decode a PNG without colour management: the bytes of the file are the bytes of the canvas. */
export const decode = (base64) => createImageBitmap(
  new Blob([bytes(base64)], { type: "image/png" }), { colorSpaceConversion: "none", premultiplyAlpha: "none" });

export class Pixels {
  /** Draw into `canvas`; `changed(box)` is told after each change. */
  constructor(canvas, changed = () => {}) {
    this.canvas = canvas;
    // read back by the eyedropper and the difference map: keep it in memory, not on a graphics card
    this.context = canvas.getContext("2d", { willReadFrequently: true });
    this.changed = changed;
    this.order = Promise.resolve();
    this.generation = 0;
  }

  /** A blank sheet of another size, at once; whatever is still being decoded for the old one is dropped. */
  reset(size) {
    this.generation += 1;
    this.canvas.width = this.canvas.height = size;
    this.context.fillStyle = "#fff";
    this.context.fillRect(0, 0, size, size);
    this.changed(null);
  }

  /** The whole picture; `then` runs in the same task in which it is drawn. */
  load(base64, then = () => {}) { return this.#draw(base64, 0, 0, then); }

  /** A rectangle {left, top, png}, or null when nothing changed. */
  patch(patch, then = () => {}) {
    return patch ? this.#draw(patch.png, patch.left, patch.top, then) : this.#draw(null, 0, 0, then);
  }

  #draw(base64, left, top, then) {
    const generation = this.generation, image = base64 && decode(base64);
    this.order = this.order.then(async () => {
      const bitmap = await image;
      if (generation !== this.generation) return;
      if (bitmap) {
        const { width, height } = bitmap;
        this.context.drawImage(bitmap, left, top);
        bitmap.close();
        this.changed({ left, top, width, height });
      }
      then();
    }).catch((error) => console.error("a patch could not be drawn", error));
    return this.order;
  }

  /** Colour [r, g, b] of a pixel given by fractions in [0, 1]. */
  colourAt({ x, y }) { return colourAt(this.canvas, this.context, { x, y }); }

  read() { return this.context.getImageData(0, 0, this.canvas.width, this.canvas.height); }
}

export function colourAt(canvas, context, { x, y }) {
  const column = Math.min(canvas.width - 1, Math.floor(x * canvas.width)), row = Math.min(canvas.height - 1, Math.floor(y * canvas.height));
  return [...context.getImageData(column, row, 1, 1).data.slice(0, 3)];
}
