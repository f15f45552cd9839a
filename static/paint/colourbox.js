/* A colour picker: saturation and brightness in a square, hue below it, hex beside it; all by mouse, touch or keys. */
import { clamp, dialog, h, icon } from "../dom.js";
import { fromHex, fromHsv, toHex, toHsv } from "./colour.js";

export class ColourBox {
  /** Opens by `anchor`; `chosen(rgb)` follows every change. */
  constructor(anchor, chosen) {
    Object.assign(this, { anchor, chosen, hsv: { h: 0, s: 0, v: 0 } });
    this.square = h("div", { class: "square", role: "slider", tabindex: 0, "aria-label": "Saturation and brightness", "aria-roledescription": "two-way slider" }, h("i"));
    this.hue = h("input", { type: "range", min: 0, max: 359, class: "hue", "aria-label": "Hue" });
    this.hex = h("input", { type: "text", class: "field mono", maxlength: 7, spellcheck: "false", autocomplete: "off", "aria-label": "Hex colour", "aria-describedby": "es-hex-note" });
    this.note = h("span", { class: "xs note", id: "es-hex-note", "aria-live": "polite" });
    this.before = h("button", { type: "button", class: "before", title: "Back to the colour before", onclick: () => this.#take(this.old, true) });
    this.box = dialog({ class: "es pop colours", "aria-label": "Choose a colour" },
      h("div", { class: "row between" }, h("h2", {}, "Colour"), h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => this.box.close() }, icon("x"))),
      this.square, this.hue,
      h("div", { class: "row" }, h("div", { class: "pair" }, h("i", { class: "after", "aria-hidden": "true" }), this.before), this.hex, this.note));
    this.before.setAttribute("aria-label", "Back to the colour before");
    this.#listen();
  }

  open(rgb) {
    this.old = rgb;
    this.note.textContent = "";
    this.#take(rgb, false);
    this.before.style.setProperty("--tone", toHex(rgb));
    this.box.showModal();
    const at = this.anchor.getBoundingClientRect(), { offsetHeight: tall, offsetWidth: broad } = this.box;
    if (innerWidth > 720) {
      const top = at.top - tall - 12;
      this.box.style.inset = `${Math.round(top > 8 ? top : Math.min(innerHeight - tall - 8, at.bottom + 12))}px auto auto ${Math.round(clamp(at.left, 8, innerWidth - broad - 8))}px`;
    } else this.box.style.inset = "auto 8px 8px 8px";
    this.square.focus();
  }

  #listen() {
    const drag = (event) => {
      const box = this.square.getBoundingClientRect();
      this.#change({ s: clamp((event.clientX - box.left) / box.width), v: 1 - clamp((event.clientY - box.top) / box.height) });
    };
    this.square.addEventListener("pointerdown", (event) => { this.square.setPointerCapture(event.pointerId); drag(event); });
    this.square.addEventListener("pointermove", (event) => { if (this.square.hasPointerCapture(event.pointerId)) drag(event); });
    this.square.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 0.1 : 0.01, { s, v } = this.hsv;
      const to = { ArrowLeft: { s: s - step }, ArrowRight: { s: s + step }, ArrowUp: { v: v + step }, ArrowDown: { v: v - step } }[event.key];
      if (!to) return;
      event.preventDefault();
      this.#change(to);
    });
    this.hue.addEventListener("input", () => this.#change({ h: Number(this.hue.value) }));
    this.hex.addEventListener("input", () => {
      const rgb = fromHex(this.hex.value);
      this.note.textContent = rgb ? "" : "six hex digits, such as #4F7C86";
      this.hex.setAttribute("aria-invalid", String(!rgb));
      if (rgb) this.#take(rgb, true, false);
    });
    this.hex.addEventListener("keydown", (event) => { if (event.key === "Enter") this.box.close(); });
  }

  #change(part) {
    const { h: hue, s, v } = { ...this.hsv, ...part };
    this.hsv = { h: hue, s: clamp(s), v: clamp(v) };
    this.#show(true);
    this.chosen(fromHsv(this.hsv));
  }

  #take(rgb, tell, hexToo = true) {
    const hsv = toHsv(rgb);
    // greys have no hue, black has no saturation: keep the ones that were set, so that the knob does not jump
    if (!hsv.s) hsv.h = this.hsv.h;
    if (!hsv.v) hsv.s = this.hsv.s;
    this.hsv = hsv;
    this.#show(hexToo);
    if (tell) this.chosen(rgb);
  }

  #show(hexToo) {
    const { h: hue, s, v } = this.hsv, text = toHex(fromHsv(this.hsv));
    this.hue.value = Math.round(hue) % 360;
    this.box.style.setProperty("--hue", `hsl(${hue} 100% 50%)`);
    this.box.style.setProperty("--tone", text);
    this.square.style.setProperty("--s", s);
    this.square.style.setProperty("--v", v);
    this.square.setAttribute("aria-valuenow", Math.round(s * 100));
    this.square.setAttribute("aria-valuetext", `saturation ${Math.round(s * 100)} %, brightness ${Math.round(v * 100)} %, ${text}`);
    if (hexToo) { this.hex.value = text; this.hex.setAttribute("aria-invalid", "false"); this.note.textContent = ""; }
  }
}
