/* A session's pictures, painted again from its strokes. Strokes form a tree: one hangs on the picture it was painted over, an
   undo steps back to the parent. Some pictures are kept; any other one is painted from the nearest kept one above it.
   Pure; runs in a worker and in the page. */
import { composite, dressed, strokeColour, strokeMask } from "../mask.js";

const MEMORY = 64e6; // bytes of kept pictures
const LEAST_APART = 8; // strokes between two kept pictures, at least

export class Film {
  /** Begin with RGBA bytes of a canvas `size` wide; `look` is the brush of a task whose strokes are paths, else null. */
  constructor(size, start, look = null) {
    Object.assign(this, { size, look, parents: [0], depths: [0], strokes: [null], heads: [0], kept: new Map([[0, start]]) });
  }

  /** How many steps there are after the start. */
  get length() { return this.heads.length - 1; }

  /** Add the next action {kind, outcome, stroke}; one that uses no step adds nothing. */
  add({ kind, outcome, stroke }) {
    const head = this.heads.at(-1), applied = outcome === "applied";
    if (kind === "submit" && applied) return;
    if (kind === "brush_stroke" && applied) {
      this.heads.push(this.parents.length);
      this.parents.push(head);
      this.depths.push(this.depths[head] + 1);
      this.strokes.push(dressed(stroke, this.look));
    } else this.heads.push(kind === "undo" && applied ? this.parents[head] : head);
  }

  /** Whether two steps show the same picture without a look at its pixels. */
  same(step, other) { return this.heads[step] === this.heads[other]; }

  /** One who looks at pictures, each from where the last one was. */
  reader() { return new Reader(this); }

  get apart() { return Math.max(LEAST_APART, Math.ceil((this.parents.length * this.size * this.size * 4) / MEMORY)); }
}

class Reader {
  constructor(film) {
    const { size } = film;
    Object.assign(this, { film, node: 0, pixels: new Uint8ClampedArray(film.kept.get(0)), size });
  }

  /** RGBA bytes after a step; good until the next call. */
  at(step) {
    const { film } = this, { parents, strokes, kept } = film, path = [];
    let node = film.heads[step];
    while (node !== this.node && !kept.has(node)) { path.push(node); node = parents[node]; }
    if (node !== this.node) this.pixels.set(kept.get(node));
    for (let i = path.length - 1; i >= 0; i--) this.#paint(path[i], strokes[path[i]]);
    this.node = film.heads[step];
    return this.pixels;
  }

  #paint(node, stroke) {
    const { film, size, pixels } = this;
    composite(pixels, size, strokeMask(stroke, size), strokeColour(stroke));
    if (film.depths[node] % film.apart === 0 && !film.kept.has(node)) film.kept.set(node, pixels.slice());
  }
}

/** The RGB bytes of a picture, as a digest is taken of them. */
export function rgbOf(pixels) {
  const rgb = new Uint8Array((pixels.length / 4) * 3);
  for (let i = 0, j = 0; i < pixels.length; i += 4) { rgb[j++] = pixels[i]; rgb[j++] = pixels[i + 1]; rgb[j++] = pixels[i + 2]; }
  return rgb;
}
