/* A picture as large as one likes: wheel and pinch, drag, keys, and the pictures beside it. */
import { clamp, dialog, h, icon, setText } from "../dom.js";

const MOST = 16, STEP = 1.25, PAN = 64; // px that an arrow key moves

export class Zoom {
  /** `urlOf(picture)` is the address of a picture's file. */
  constructor({ urlOf }) {
    this.urlOf = urlOf;
    this.image = h("img", { alt: "", draggable: "false" });
    this.stage = h("div", { class: "zoom-stage", tabindex: 0, role: "group", "aria-label": "Picture; arrow keys move it" }, this.image);
    this.title = h("h2", { id: "es-zoom-title", class: "grow nowrap" });
    this.scaleWord = h("output", { class: "xs sub", "aria-live": "polite" });
    const act = (label, glyph, run) => h("button", { type: "button", class: "btn ghost icon", "aria-label": label, title: label, onclick: run }, icon(glyph));
    const word = (label, run) => h("button", { type: "button", class: "btn", onclick: run }, label);
    this.before = act("Previous picture", "back", () => this.#turn(-1));
    this.after = act("Next picture", "next", () => this.#turn(1));
    this.box = dialog({ class: "es zoom", "aria-labelledby": "es-zoom-title", onkeydown: (event) => this.#key(event) },
      h("header", { class: "row" }, this.title,
        h("div", { class: "row zoom-acts" }, this.before, this.after,
          act("Smaller (−)", "minus", () => this.#by(1 / STEP)), this.scaleWord, act("Larger (+)", "plus", () => this.#by(STEP)),
          word("Fit", () => this.fit()), word("100%", () => this.actual())), act("Close", "x", () => this.box.close())), this.stage);
    this.touches = new Map(); // pointer -> {x, y}
    this.stage.addEventListener("wheel", (event) => { event.preventDefault(); this.#by(Math.exp(-clamp(event.deltaY, -200, 200) / 400), event); }, { passive: false });
    this.stage.addEventListener("pointerdown", (event) => { this.stage.setPointerCapture(event.pointerId); this.touches.set(event.pointerId, event); });
    this.stage.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) this.stage.addEventListener(name, (event) => this.touches.delete(event.pointerId));
    this.stage.addEventListener("dblclick", (event) => (this.scale === this.#fitting ? this.actual(event) : this.fit()));
    this.image.addEventListener("load", () => this.#measure());
    new ResizeObserver(() => { if (this.box.open && this.fitted) this.fit(); else if (this.box.open) this.#place(); }).observe(this.stage);
  }

  /** Show one of `pictures` ({width, height, …}, both null as long as they are not known); `nameOf(k)` says what it is. */
  open(pictures, at, nameOf) {
    Object.assign(this, { pictures, at, nameOf });
    this.box.showModal();
    this.stage.focus({ preventScroll: true });
    this.#turn(0);
  }

  get #size() { const { width, height } = this.pictures[this.at]; return width ? { width, height } : { width: 1, height: 1 }; }
  get #fitting() { const { clientWidth, clientHeight } = this.stage; return Math.min(MOST, clientWidth / this.#size.width, clientHeight / this.#size.height); }

  #turn(by) {
    this.at = clamp(this.at + by, 0, this.pictures.length - 1);
    const picture = this.pictures[this.at], several = this.pictures.length > 1;
    Object.assign(this.image, { src: this.urlOf(picture), alt: this.nameOf(this.at) });
    this.#sized();
    for (const [button, end] of [[this.before, 0], [this.after, this.pictures.length - 1]]) {
      button.hidden = !several;
      button.disabled = this.at === end;
    }
  }

  /* The size that the file turns out to have, where it was not known. */
  #measure() {
    const picture = this.pictures[this.at], { naturalWidth: width, naturalHeight: height } = this.image;
    if (picture.width || !width) return;
    Object.assign(picture, { width, height });
    this.#sized();
  }

  #sized() {
    const { width, height } = this.pictures[this.at], name = this.nameOf(this.at);
    this.image.hidden = !width;
    Object.assign(this.image, this.#size);
    setText(this.title, width ? `${name}, ${width} × ${height}` : name);
    this.fit();
  }

  /** All of the picture. */
  fit() {
    this.fitted = true;
    this.scale = this.#fitting;
    [this.x, this.y] = [this.stage.clientWidth - this.#size.width * this.scale, this.stage.clientHeight - this.#size.height * this.scale].map((room) => room / 2);
    this.#place();
  }

  /** A pixel of the picture for each of the screen. */
  actual(around) { this.#by(1 / this.scale, around); }

  /* Larger by a factor; the point `around` ({clientX, clientY}, or the middle) stays where it is. */
  #by(factor, around = null) {
    const box = this.stage.getBoundingClientRect(), [px, py] = around ? [around.clientX - box.left, around.clientY - box.top] : [box.width / 2, box.height / 2];
    const scale = clamp(this.scale * factor, Math.min(this.#fitting, 1) / 2, MOST), by = scale / this.scale;
    this.fitted = false;
    [this.x, this.y, this.scale] = [px - (px - this.x) * by, py - (py - this.y) * by, scale];
    this.#place();
  }

  #move(dx, dy) {
    this.fitted = false;
    this.x += dx;
    this.y += dy;
    this.#place();
  }

  /* A picture that is smaller than the stage stays in it, a larger one covers its middle. */
  #place() {
    const { clientWidth: w, clientHeight: v } = this.stage, wide = this.#size.width * this.scale, high = this.#size.height * this.scale;
    this.x = clamp(this.x, Math.min(w / 2 - wide, 0), Math.max(w / 2, w - wide));
    this.y = clamp(this.y, Math.min(v / 2 - high, 0), Math.max(v / 2, v - high));
    this.image.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.image.style.imageRendering = this.scale * devicePixelRatio >= 2 ? "pixelated" : "auto";
    setText(this.scaleWord, `${Math.round(this.scale * 100)}%`);
  }

  #drag(event) {
    const last = this.touches.get(event.pointerId);
    if (!last) return;
    const [a, b] = this.touches.values();
    if (b) { // two fingers: what is between them stays between them
      const other = last === a ? b : a, gap = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY) || 1;
      this.#by(gap(event) / gap(last), { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 });
      this.#move((event.clientX - last.clientX) / 2, (event.clientY - last.clientY) / 2);
    } else this.#move(event.clientX - last.clientX, event.clientY - last.clientY);
    this.touches.set(event.pointerId, event);
  }

  #key(event) {
    const run = {
      "+": () => this.#by(STEP), "=": () => this.#by(STEP), "-": () => this.#by(1 / STEP), 0: () => this.fit(), 1: () => this.actual(), z: () => this.box.close(),
      ArrowLeft: () => this.#move(PAN, 0), ArrowRight: () => this.#move(-PAN, 0), ArrowUp: () => this.#move(0, PAN), ArrowDown: () => this.#move(0, -PAN),
      PageUp: () => this.#turn(-1), PageDown: () => this.#turn(1),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!run || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    run();
  }
}
