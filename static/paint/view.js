/* Zoom and pan, shared by reference and canvas. The visible part is a square of side 1 / zoom at (x, y), in fractions. */
import { clamp } from "../dom.js";

const LARGEST_PIXEL = 48; // CSS px that one pixel of the task may grow to

export class View {
  /** `frames` are the two `.pic` elements, each with a `.stage` that is moved; `changed()` is told after each move. */
  constructor(frames, changed) {
    this.frames = frames;
    this.changed = changed;
    Object.assign(this, { zoom: 1, x: 0, y: 0, side: 512, unit: 4 });
  }

  /** The pictures' side in CSS px and device px per canvas pixel, from the layout. */
  resize({ side, unit }) {
    Object.assign(this, { side, unit });
    this.#set(this.zoom, this.x, this.y);
  }

  get most() { return Math.max(4, (LARGEST_PIXEL * devicePixelRatio) / this.unit); }

  reset() { this.#set(1, 0, 0); }

  /** Zoom by a factor about a point of the window; `whole` keeps pixels at whole device sizes. */
  zoomAt(frame, clientX, clientY, factor, whole = true) {
    const box = frame.getBoundingClientRect();
    const fx = clamp((clientX - box.left) / box.width), fy = clamp((clientY - box.top) / box.height);
    let zoom = clamp(this.zoom * factor, 1, this.most);
    if (whole) {
      const units = zoom * this.unit;
      zoom = clamp((factor > 1 ? Math.ceil(units - 1e-6) : Math.floor(units + 1e-6)) / this.unit, 1, this.most);
    }
    this.#set(zoom, this.x + fx / this.zoom - fx / zoom, this.y + fy / this.zoom - fy / zoom);
  }

  /** Zoom about the middle, or about a point of the canvas. */
  zoomBy(factor, point = null) {
    const box = this.frames[0].getBoundingClientRect(), at = point ? this.toFrame(point) : { x: 0.5, y: 0.5 };
    this.zoomAt(this.frames[0], box.left + at.x * box.width, box.top + at.y * box.height, factor);
  }

  /** Move the picture by CSS px of `frame`. */
  pan(frame, dx, dy) {
    const scale = frame.clientWidth * this.zoom;
    this.#set(this.zoom, this.x - dx / scale, this.y - dy / scale);
  }

  /** Bring a point of the canvas into sight. */
  reveal({ x, y }) {
    const margin = 0.08 / this.zoom, seen = 1 / this.zoom;
    const into = (value, from) => (value < from + margin ? value - margin : value > from + seen - margin ? value + margin - seen : from);
    this.#set(this.zoom, into(x, this.x), into(y, this.y));
  }

  /** Point of the canvas, in fractions that may lie outside [0, 1], under a pointer event. */
  toCanvas(frame, event) {
    const box = frame.getBoundingClientRect();
    return { x: this.x + (event.clientX - box.left) / box.width / this.zoom, y: this.y + (event.clientY - box.top) / box.height / this.zoom };
  }

  /** Fraction of the frame at which a point of the canvas is shown. */
  toFrame({ x, y }) { return { x: (x - this.x) * this.zoom, y: (y - this.y) * this.zoom }; }

  #set(zoom, x, y) {
    const grid = this.side * zoom * devicePixelRatio, most = 1 - 1 / zoom;
    const snap = (value) => Math.round(clamp(value, 0, most) * grid) / grid;
    Object.assign(this, { zoom, x: snap(x), y: snap(y) });
    for (const frame of this.frames) {
      frame.querySelector(".stage").style.transform = zoom === 1 ? "" : `translate(${-this.x * zoom * 100}%, ${-this.y * zoom * 100}%) scale(${zoom})`;
    }
    this.changed();
  }
}
