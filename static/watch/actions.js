/* The list of a session's actions, in step with its replay. Only the rows in sight are in the page, so that thousands of them
   scroll smoothly; the newest stays in view until the reader scrolls away from it. */
import { curveOf, lengthOf } from "../curve.js";
import { bestStep, clamp, eachFrame, h, icon, s, setText, signed } from "../dom.js";
import { pixelRadius, strokeColour } from "../mask.js";

const ROW = 32, SPARE = 8; // height of a row in px; rows kept beyond what is in sight
const NAMES = { undo: "Undo", submit: "Submitted", invalid: "Not understood" };
/** A credit that rounds to nothing. */
export const IDLE = 0.0005;

const fraction = (value) => (value >= 0.995 ? "1" : value.toFixed(2).replace(/^0/, ""));
const pair = (a, b) => (a === b ? a : `${a}→${b}`);

/* What can be listed alone: by name, the label and the entries. `credit` is Map(seq -> {credit}). */
const FILTERS = {
  all: ["All"], marked: ["Marked"],
  strokes: ["Strokes", ({ kind, outcome }) => kind === "brush_stroke" && outcome === "applied"],
  undo: ["Undo and submit", ({ kind }) => kind === "undo" || kind === "submit"],
  rejected: ["Rejected", ({ outcome }) => outcome === "rejected"],
  invalid: ["Invalid", ({ outcome }) => outcome === "invalid"],
  repeat: ["Repeats", ({ repeat }) => repeat],
  loss: ["Score fell", ({ gain }) => gain < -IDLE],
  harmful: ["Harmful strokes", ({ seq }, credit) => credit?.get(seq)?.credit < -IDLE],
  idle: ["Strokes without effect", ({ seq }, credit) => Math.abs(credit?.get(seq)?.credit ?? 1) < IDLE],
};
/** Filters that need the credit of each stroke. */
export const OF_CREDIT = ["harmful", "idle"];

/** A small drawing of a stroke's path, as large as fits, with a dot where it begins. */
export function pathThumb(stroke) {
  const { x_start: x0, y_start: y0, x_control: x1, y_control: y1, x_end: x2, y_end: y2 } = stroke;
  const middle = (...values) => [(Math.min(...values) + Math.max(...values)) / 2, Math.max(...values) - Math.min(...values)];
  const [x, wide] = middle(x0, x2, (x0 + 2 * x1 + x2) / 4), [y, high] = middle(y0, y2, (y0 + 2 * y1 + y2) / 4);
  const side = Math.max(0.02, 1.5 * wide, 1.5 * high);
  return s("svg", { class: "path", viewBox: `${x - side / 2} ${y - side / 2} ${side} ${side}`, "aria-hidden": "true" },
    s("path", { d: `M${x0} ${y0}Q${x1} ${y1} ${x2} ${y2}` }), s("circle", { cx: x0, cy: y0, r: side * 0.1 }));
}

/** Widths in pixels, as the brush has them, and opacities of a stroke, in words: ["15→18 px", ".98→.35"]. */
export function strokeWords(stroke, size) {
  const width = (radius) => String(Math.round(2 * pixelRadius(radius, size)));
  return [
    `${pair(width(stroke.radius_start), width(stroke.radius_end))} px`,
    pair(fraction(stroke.opacity_start), fraction(stroke.opacity_end)),
  ];
}

/* Whether a stroke is a path, to which its task gives the look. */
const isPath = (stroke) => stroke.radius_start === undefined;

export class ActionList {
  /** `go(step)` shows a step and `newest()` the last one, `detail()` opens what is known of it, `filtered(name)` is told of another filter. */
  constructor({ go = () => {}, newest = () => {}, detail = () => {}, filtered = () => {} } = {}) {
    Object.assign(this, { go, detail, filtered, rows: new Map(), record: null, size: 128, position: 0, following: true, seen: 0, filter: "all", places: [], credit: null });
    this.list = h("ol", { class: "rows", role: "presentation" });
    this.scroller = h("div", { class: "scroller", tabindex: 0, role: "listbox", "aria-label": "Actions, oldest first" }, this.list);
    this.count = h("span", { class: "xs mut" });
    this.newest = h("button", { type: "button", class: "btn small icon", "aria-label": "Newest action", title: "Newest action", hidden: true, onclick: () => { this.scroller.focus(); this.follow(); newest(); } }, icon("last"));
    this.seg = h("div", { class: "seg", role: "group", "aria-label": "Which actions" }, ["all", "marked"].map((name) => h("button", { type: "button", "data-filter": name, onclick: () => this.choose(name) }, FILTERS[name][0])));
    this.more = h("select", { class: "field", "aria-label": "Only some actions", title: "Only some actions", onchange: () => this.choose(this.more.value || "all") });
    this.empty = h("p", { class: "sm mut none", hidden: true });
    this.element = h("section", { class: "card acts", "aria-label": "Actions" },
      h("header", { class: "row between" }, h("span", { class: "row" }, h("h3", {}, "Actions"), this.count), h("span", { class: "row" }, this.newest, this.more, this.seg)), this.empty, this.scroller);
    this.draw = eachFrame(() => this.#draw());
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.list.addEventListener("click", ({ target }) => { const row = target.closest("li"); if (row) this.go(this.record.at(Number(row.dataset.at)).step); });
    this.list.addEventListener("dblclick", () => this.detail());
    new ResizeObserver(() => this.reveal()).observe(this.scroller);
    this.#options();
  }

  /** Show another session's record, on a canvas of `size` pixels; `known` actions are on their way. */
  show(record, size, known = 0) {
    Object.assign(this, { record, size, known, following: true, credit: null, places: [], counted: null });
    this.#options();
    this.#clear();
  }

  /** List only what a filter lets through. */
  choose(name) {
    if (!Object.hasOwn(FILTERS, name) || name === this.filter) return;
    this.filter = name;
    this.filtered(name);
    Object.assign(this, { counted: null, places: [] });
    this.#options();
    this.#clear();
  }

  /** What each stroke is worth, Map(seq -> {credit}), in place of its gain; null takes it away. */
  value(credit) {
    const had = this.credit;
    this.credit = credit;
    if (had && !credit && OF_CREDIT.includes(this.filter)) this.choose("all");
    this.counted = null;
    this.#options();
    this.#clear();
  }

  /** The replay is at a step: its row is shown as the present one, and brought into sight unless it is the `newest`. */
  at(position, newest) {
    this.position = position;
    if (!newest) {
      this.following = false;
      this.sought = true;
    } else if (this.scroller.scrollTop + this.scroller.clientHeight >= this.scroller.scrollHeight - 2 * ROW) this.following = true;
    this.draw();
  }

  /** Bring the present row into sight again, for its place has changed. */
  reveal() {
    this.sought = !this.following;
    this.draw();
  }

  /** Go to the newest action and stay with it. */
  follow() {
    this.following = true;
    this.draw();
  }

  /** Steps of the actions that are listed, in their order. */
  steps() { return this.#listed().map((index) => this.record.at(index).step); }

  #clear() {
    this.rows.clear();
    this.list.replaceChildren();
    this.draw();
  }

  #options() {
    for (const button of this.seg.children) button.setAttribute("aria-pressed", button.dataset.filter === this.filter);
    const names = Object.keys(FILTERS).slice(2).filter((name) => this.credit || !OF_CREDIT.includes(name) || name === this.filter);
    this.more.replaceChildren(h("option", { value: "" }, "Filter"), ...names.map((name) => h("option", { value: name }, FILTERS[name][0])));
    this.more.value = names.includes(this.filter) ? this.filter : "";
    this.more.classList.toggle("on", this.more.value !== "");
  }

  /* Indices of the entries that the filter lets through. */
  #listed() {
    const { record, filter, credit } = this, { length } = record;
    const key = `${filter} ${length} ${credit?.size ?? ""}`;
    if (this.counted === key) return this.places;
    this.counted = key;
    if (filter === "all") {
      for (let i = this.places.length; i < length; i++) this.places.push(i);
      this.places.length = length;
      return this.places;
    }
    if (filter === "marked") {
      const values = [record.start, ...record.entries.slice(0, length).filter(({ kind }) => kind !== "submit").map(({ score }) => score)];
      const steps = new Set([bestStep(values), ...record.marks().map(({ step }) => step)]);
      this.places = this.#indices(({ step, kind }) => steps.has(step) && kind !== "submit");
    } else this.places = this.#indices((entry) => FILTERS[filter][1](entry, credit));
    this.rows.forEach((row) => row.remove());
    this.rows.clear();
    return this.places;
  }

  #indices(test) {
    const found = [];
    for (let i = 0; i < this.record.length; i++) if (test(this.record.at(i))) found.push(i);
    return found;
  }

  /* Bring the row of the present step into sight, if it is listed and on record by now. */
  #reveal(places) {
    const place = places.indexOf(this.position - 1), { scroller } = this, top = place * ROW, { scrollTop, clientHeight } = scroller;
    if (place < 0 && this.position) return;
    this.sought = false;
    if (top < scrollTop + ROW || top > scrollTop + clientHeight - 2 * ROW) scroller.scrollTop = clamp(top - clientHeight / 2, 0, Infinity);
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
    const { record, scroller, list, rows, position } = this;
    if (!record || !scroller.clientHeight) return; // hidden
    const places = this.#listed(), { length } = places;
    setText(this.count, record.length ? (this.filter === "all" ? record.length : `${length} of ${record.length}`) : "");
    this.empty.hidden = length > 0 || (this.filter === "all" && this.known > 0);
    setText(this.empty, !record.length ? "Nothing has been painted yet." : OF_CREDIT.includes(this.filter) && !this.credit ? "Waits for the credit of each stroke." : "No action is of this kind.");
    list.style.height = `${length * ROW}px`;
    if (this.sought) this.#reveal(places);
    if (this.following && this.filter === "all") scroller.scrollTop = length * ROW;
    this.newest.hidden = this.following || this.filter !== "all";
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / ROW) + SPARE);
    for (const [place, row] of rows) if (place < first || place >= last) { row.remove(); rows.delete(place); }
    for (let place = first, next = list.firstChild; place < last; place++) {
      const known = rows.get(place), row = known ?? this.#row(place, places[place]);
      if (known) next = known.nextSibling;
      else { list.insertBefore(row, next); rows.set(place, row); }
      const { step, kind } = record.at(places[place]), now = step === position && kind !== "submit";
      row.classList.toggle("now", now);
      row.classList.toggle("ahead", step > position);
      row.setAttribute("aria-selected", now);
      if (now) scroller.setAttribute("aria-activedescendant", row.id);
      row.setAttribute("aria-setsize", length);
    }
  }

  #row(place, index) {
    const entry = this.record.at(index), { stroke, outcome, kind, message, contact } = entry;
    const refused = outcome !== "applied", free = kind === "submit";
    const badge = refused && !contact ? h("span", { class: "tag bad" }, outcome === "invalid" ? "Invalid" : "Rejected") : entry.repeat ? h("span", { class: "tag warn" }, "Repeat") : null;
    const guest = entry.guest && h("span", { class: "tag line guest", title: `Painted by ${entry.guest}, a guest` }, icon("person"), h("span", { class: "nowrap" }, entry.guest));
    const [figure, tone] = this.credit && stroke && !refused ? this.#credit(entry) : this.#gain(refused || free || this.credit ? null : entry.gain);
    return h("li", { id: `es-action-${entry.seq}`, style: { top: `${place * ROW}px` }, role: "option", class: refused ? "refused" : "", "aria-posinset": place + 1, "data-seq": entry.seq, "data-at": index, title: message || null },
      h("span", { class: "n" }, free ? "" : entry.step), stroke ? this.#glyphs(stroke, refused) : this.#glyph(kind),
      h("span", { class: "row words" }, contact ? this.#contact(contact) : stroke ? this.#stroke(stroke) : this.#other(kind, message), h("span", { class: "row badges" }, guest, badge)), figure ? h("span", { class: `d ${tone}` }, figure) : null);
  }

  #gain(gain) {
    const words = gain === null ? "" : signed(gain).replace("±", "");
    return [words, words.startsWith("−") ? "neg" : ""];
  }

  /* What the canvas would lose without the stroke; a dot where it has been painted over or taken back. */
  #credit({ seq }) {
    const found = this.credit.get(seq);
    if (!found) return ["·", "mut"];
    return [signed(found.credit).replace("±", ""), found.credit < -IDLE ? "neg" : found.credit < IDLE ? "mut" : ""];
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
