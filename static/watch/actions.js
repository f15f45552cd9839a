/* The list of a session's actions. Only the rows in sight are in the page, so that thousands of them scroll smoothly; the
   newest stays in view until the reader scrolls away from it. */
import { curveOf, lengthOf } from "../curve.js";
import { eachFrame, h, icon, s, setText, signed } from "../dom.js";
import { pixelRadius, strokeColour } from "../mask.js";

const ROW = 32, SPARE = 8; // height of a row in px; rows kept beyond what is in sight
const NAMES = { undo: "Undo", submit: "Submitted", invalid: "Not understood" };

const fraction = (value) => (value >= 0.995 ? "1" : value.toFixed(2).replace(/^0/, ""));
const pair = (a, b) => (a === b ? a : `${a}→${b}`);

/** A small drawing of a stroke's path, as large as fits, with a dot where it begins. */
export function pathThumb(stroke) {
  const { x_start: x0, y_start: y0, x_control: x1, y_control: y1, x_end: x2, y_end: y2 } = stroke;
  const middle = (...values) => [(Math.min(...values) + Math.max(...values)) / 2, Math.max(...values) - Math.min(...values)];
  const [x, wide] = middle(x0, x2, (x0 + 2 * x1 + x2) / 4), [y, high] = middle(y0, y2, (y0 + 2 * y1 + y2) / 4);
  const side = Math.max(0.02, 1.5 * wide, 1.5 * high);
  return s("svg", { class: "path", viewBox: `${x - side / 2} ${y - side / 2} ${side} ${side}`, "aria-hidden": "true" },
    s("path", { d: `M${x0} ${y0}Q${x1} ${y1} ${x2} ${y2}` }), s("circle", { cx: x0, cy: y0, r: side * 0.1 }));
}

/** Radii in pixels and opacities of a stroke, in words: ["15→18 px", ".98→.35"]. */
export function strokeWords(stroke, size) {
  const width = (radius) => String(Math.round(pixelRadius(radius, size)));
  return [
    `${pair(width(stroke.radius_start), width(stroke.radius_end))} px`,
    pair(fraction(stroke.opacity_start), fraction(stroke.opacity_end)),
  ];
}

/* Whether a stroke is a path, to which its task gives the look. */
const isPath = (stroke) => stroke.radius_start === undefined;

export class ActionList {
  constructor() {
    this.rows = new Map(); // place -> <li>
    this.record = null;
    this.size = 128;
    this.following = true;
    this.seen = 0; // the place in px that was scrolled to last
    this.list = h("ol", { class: "rows", role: "list" });
    this.scroller = h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": "Actions, oldest first" }, this.list);
    this.count = h("span", { class: "xs mut" });
    this.newest = h("button", { type: "button", class: "btn small", style: { visibility: "hidden" }, onclick: () => this.follow() }, icon("down"), "Newest");
    this.empty = h("p", { class: "sm mut none", hidden: true }, "Nothing has been painted yet.");
    this.element = h("section", { class: "card acts", "aria-label": "Actions" },
      h("header", { class: "row between" }, h("span", { class: "row" }, h("h3", {}, "Actions"), this.count), this.newest), this.empty, this.scroller);
    this.draw = eachFrame(() => this.#draw());
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.scroller);
  }

  /** Show another session's record, on a canvas of `size` pixels; `known` actions are on their way. */
  show(record, size, known = 0) {
    Object.assign(this, { record, size, known, following: true });
    this.rows.clear();
    this.list.replaceChildren();
    this.draw();
  }

  /** Go to the newest action and stay with it. */
  follow() {
    this.following = true;
    this.draw();
  }

  /* Any way up ends the following, however small the first step of a smooth scroll is; the lower end begins it again. */
  #scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    if (scrollTop + clientHeight >= scrollHeight - 2) this.following = true;
    else if (scrollTop < this.seen) this.following = false;
    this.seen = scrollTop;
    this.draw();
  }

  #draw() {
    const { record, scroller, list, rows } = this;
    if (!record || !scroller.clientHeight) return; // hidden
    const { length } = record;
    setText(this.count, length || "");
    this.empty.hidden = length > 0 || this.known > 0;
    list.style.height = `${length * ROW}px`;
    if (this.following) scroller.scrollTop = length * ROW;
    this.newest.style.visibility = this.following ? "hidden" : "visible";
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / ROW) + SPARE);
    for (const [place, row] of rows) if (place < first || place >= last) { row.remove(); rows.delete(place); }
    for (let place = first, next = list.firstChild; place < last; place++) {
      const known = rows.get(place), row = known ?? this.#row(place);
      if (known) next = known.nextSibling;
      else { list.insertBefore(row, next); rows.set(place, row); }
      row.classList.toggle("now", place === length - 1);
      row.setAttribute("aria-setsize", length);
    }
  }

  #row(place) {
    const entry = this.record.at(place), { stroke, outcome, kind, message, contact } = entry;
    const refused = outcome !== "applied", free = kind === "submit";
    const badge = refused && !contact ? h("span", { class: "tag bad" }, outcome === "invalid" ? "Invalid" : "Rejected") : entry.repeat ? h("span", { class: "tag warn" }, "Repeat") : null;
    const guest = entry.guest && h("span", { class: "tag line guest", title: `Painted by ${entry.guest}, a guest` }, icon("person"), h("span", { class: "nowrap" }, entry.guest));
    const gain = refused || free ? "" : signed(entry.gain).replace("±", "");
    return h("li", { style: { top: `${place * ROW}px` }, class: refused ? "refused" : "", "aria-posinset": place + 1, "data-seq": entry.seq, title: message || null },
      h("span", { class: "n" }, free ? "" : entry.step), stroke ? this.#glyphs(stroke, refused) : this.#glyph(kind),
      h("span", { class: "row words" }, contact ? this.#contact(contact) : stroke ? this.#stroke(stroke) : this.#other(kind, message), h("span", { class: "row badges" }, guest, badge)), gain ? h("span", { class: `d ${gain.startsWith("−") ? "neg" : ""}` }, gain) : null);
  }

  /* A path has no look of its own: in place of its colour stands what became of it. */
  #glyphs(stroke, refused) {
    const chip = isPath(stroke) ? h("span", { class: "chip none" }, icon(refused ? "x" : "check")) : h("span", { class: "chip", style: { background: `rgb(${strokeColour(stroke).join()})` } });
    return [chip, pathThumb(stroke)];
  }

  #glyph(kind) { return [h("span", { class: "chip none" }, icon(kind === "undo" ? "undo" : kind === "submit" ? "check" : "warn")), h("span", {})]; }

  #stroke(stroke) {
    if (isPath(stroke)) return h("span", { class: "nowrap what" }, `${lengthOf(curveOf(stroke)).toFixed(2)} long`);
    const [width, opacity] = strokeWords(stroke, this.size);
    return h("span", { class: "nowrap what" }, width, h("span", { class: "mut" }, ` α ${opacity}`));
  }

  #contact({ x, y }) { return h("span", { class: "nowrap what" }, "Touches a wall", h("span", { class: "mut" }, ` ${x.toFixed(2)}, ${y.toFixed(2)}`)); }

  #other(kind, message) { return h("span", { class: "nowrap what" }, NAMES[kind] ?? kind, message ? h("span", { class: "mut" }, ` ${message}`) : null); }
}
