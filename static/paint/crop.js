/* A square chosen on a picture by dragging, by its corners, or by keys. */
import { clamp, h } from "../dom.js";

const SMALLEST = 16; // pixels of the picture

export class Crop {
  /** `changed()` is told after each change. */
  constructor(changed) {
    this.changed = changed;
    this.picture = h("img", { alt: "", draggable: "false" });
    this.square = h("div", { class: "crop-square", tabindex: 0, role: "application", "aria-roledescription": "crop", "aria-label": "The part to paint: arrow keys move it, plus and minus change its size" },
      ["nw", "ne", "sw", "se"].map((corner) => h("i", { "data-corner": corner })));
    this.element = h("div", { class: "crop" }, this.picture, this.square);
    this.square.addEventListener("pointerdown", (event) => this.#down(event));
    this.square.addEventListener("pointermove", (event) => this.#drag(event));
    this.square.addEventListener("pointerup", () => { this.grip = null; });
    this.square.addEventListener("pointercancel", () => { this.grip = null; });
    this.square.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#draw()).observe(this.picture);
  }

  /** Another picture by its URL; the largest square in its middle is chosen. Rejects when it cannot be read. */
  async load(url) {
    this.picture.src = url;
    await this.picture.decode();
    const { naturalWidth: width, naturalHeight: height } = this.picture, side = Math.min(width, height);
    if (!side) throw new Error("no size");
    Object.assign(this, { width, height, side, left: (width - side) / 2, top: (height - side) / 2 });
    this.#draw();
    this.changed();
  }

  /** {left, top, side} as fractions of width, height and the shorter side. */
  get fractions() {
    return { left: this.left / this.width, top: this.top / this.height, side: this.side / Math.min(this.width, this.height) };
  }

  get text() { return `${Math.round(this.side)} × ${Math.round(this.side)} px of ${this.width} × ${this.height}`; }

  #set(left, top, side) {
    const least = Math.min(SMALLEST, this.width, this.height);
    this.side = clamp(side, least, Math.min(this.width, this.height));
    this.left = clamp(left, 0, this.width - this.side);
    this.top = clamp(top, 0, this.height - this.side);
    this.#draw();
    this.changed();
  }

  #draw() {
    if (!this.side || !this.picture.clientWidth) return;
    const scale = this.picture.clientWidth / this.width, px = (value) => `${value * scale}px`;
    Object.assign(this.square.style, { left: px(this.left), top: px(this.top), width: px(this.side), height: px(this.side) });
    this.square.setAttribute("aria-valuetext", this.text);
  }

  #down(event) {
    this.square.setPointerCapture(event.pointerId);
    this.grip = { corner: event.target.dataset.corner ?? null, x: event.clientX, y: event.clientY, left: this.left, top: this.top, side: this.side };
  }

  #drag(event) {
    const { grip } = this;
    if (!grip) return;
    const scale = this.width / this.picture.clientWidth, dx = (event.clientX - grip.x) * scale, dy = (event.clientY - grip.y) * scale;
    if (!grip.corner) { this.#set(grip.left + dx, grip.top + dy, grip.side); return; }
    const west = grip.corner.includes("w"), north = grip.corner.includes("n");
    const grow = ((west ? -dx : dx) + (north ? -dy : dy)) / 2, right = grip.left + grip.side, bottom = grip.top + grip.side;
    const room = Math.min(west ? right : this.width - grip.left, north ? bottom : this.height - grip.top); // the other corner stays
    const side = clamp(grip.side + grow, Math.min(SMALLEST, room), room);
    this.#set(west ? right - side : grip.left, north ? bottom - side : grip.top, side);
  }

  #key(event) {
    const step = Math.max(1, Math.round(Math.min(this.width, this.height) * (event.shiftKey ? 0.1 : 0.01)));
    const move = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    const grow = { "+": step, "=": step, "-": -step, _: -step }[event.key];
    if (!move && !grow) return;
    event.preventDefault();
    if (move) this.#set(this.left + move[0], this.top + move[1], this.side);
    else this.#set(this.left - grow / 2, this.top - grow / 2, this.side + grow);
  }
}
