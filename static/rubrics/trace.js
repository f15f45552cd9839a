/* A model's tool calls: a line each, opened for what was sent, what came back and the pictures that it made. What is not
   open is not in the page, and long texts come piece by piece. */
import { h, icon, plural } from "../dom.js";
import { plainly } from "./words.js";
import { thumb } from "./pictures.js";

const ROWS = 30; // calls that are listed at once
const FIRST = 1500, MORE = 40_000; // characters of a text that are shown at once, and with each press

/** A text of any length, its beginning first. */
export function long(text, tag = "pre") {
  const body = h(tag, tag === "pre" ? { tabindex: 0 } : {}), place = h("div", { class: "piece" }, body);
  let shown = 0;
  const more = h("button", { type: "button", class: "btn small", onclick: () => grow(MORE) });
  const grow = (by) => {
    const end = text.length - shown <= by * 1.2 ? text.length : shown + by;
    body.append(text.slice(shown, end));
    shown = end;
    more.textContent = `Show more (${(text.length - shown).toLocaleString("en")} characters)`;
    if (shown < text.length) place.append(more); else more.remove();
  };
  grow(FIRST);
  return place;
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 1) ?? "");
const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const CODE = new Set(["code", "stdout", "stderr", "traceback"]); // kept as they are written
const FIELDS = 40; // rows of a table

/* What a tool sent as JSON text, as a value; else as it came. */
function read(value) {
  if (typeof value !== "string" || value.length > MORE || !/^\s*\{/.test(value)) return value;
  try { return JSON.parse(value); } catch { return value; }
}

/* Named values: code in a block of its own, the others as a table. */
function named(sent) {
  const value = read(sent);
  if (value == null || value === "") return [h("p", { class: "xs mut" }, "Nothing")];
  if (!isTable(value)) return [long(asText(value))];
  const pairs = Object.entries(value), code = pairs.filter(([name, text]) => CODE.has(name) && typeof text === "string" && text), plain = pairs.filter((pair) => !code.includes(pair) && !(CODE.has(pair[0]) && pair[1] === ""));
  return [
    ...code.flatMap(([name, text]) => [h("h5", {}, name), long(text)]),
    plain.length > 0 && h("dl", { class: "pairs-list" }, plain.slice(0, FIELDS).map(([name, text]) => h("div", {}, h("dt", { class: "mono" }, name.slice(0, 80)), h("dd", {}, long(asText(text), "span"))))),
    plain.length > FIELDS && h("p", { class: "xs mut" }, `and ${plain.length - FIELDS} more`),
  ];
}

export class Trace {
  /** Of `turn`, {turn, calls, rounds}; `zoom(pictures, at, nameOf)` shows a picture larger. */
  constructor({ turn, calls, rounds }, zoom) {
    Object.assign(this, { turn, calls, zoom, shown: 0 });
    const facts = `${calls.length}, ${calls.filter(({ success }) => success).length} successful${rounds ? `, ${plural(rounds, "round")}` : ""}`;
    this.list = h("ol", { class: "calls" });
    this.more = h("button", { type: "button", class: "btn small", onclick: () => this.#list() });
    this.all = h("button", { type: "button", class: "btn small ghost", title: "Open or close all calls (T)", onclick: () => this.toggle() }, "Open all");
    this.element = h("div", { class: "ans trace" },
      h("div", { class: "row between" }, h("h3", { class: "lab" }, "Tool calls ", h("span", { class: "mut count" }, calls.length ? facts : "none")), calls.length > 0 && this.all),
      this.list, this.more);
    this.#list();
  }

  #list() {
    const upto = Math.min(this.calls.length, this.shown + ROWS);
    this.list.append(...this.calls.slice(this.shown, upto).map((call, k) => this.#row(call, this.shown + k + 1)));
    this.shown = upto;
    const left = this.calls.length - upto;
    this.more.hidden = !left;
    this.more.textContent = `Show ${Math.min(left, ROWS)} more of ${left}`;
  }

  #row(call, number) {
    const { name, success, why, operations } = call, box = h("details", { ontoggle: () => { this.#fill(box, call, number); this.#word(); } },
      h("summary", {}, h("span", { class: "mut number" }, number), h("span", { class: "mono name" }, name || "without a name"),
        operations.slice(0, 8).map((operation) => h("span", { class: "tag line" }, plainly(operation))), success ? h("span", { class: "tag acc", title: why }, "Success") : [h("span", { class: "tag bad" }, "Failed"), why && h("span", { class: "why" }, sentence(why))], icon("down")));
    return h("li", { class: success ? null : "failed" }, box);
  }

  #fill(box, { arguments: sent, observation, pictures }, number) {
    if (!box.open || box.dataset.full) return;
    box.dataset.full = "1";
    const nameOf = (k) => `Picture ${k + 1} of call ${number}, turn ${this.turn}`;
    box.append(h("div", { class: "call" }, h("h4", {}, "Sent"), named(sent), h("h4", {}, "Came back"), named(observation),
      pictures.length > 0 && h("div", { class: "made" }, pictures.map((picture, k) => thumb(picture, nameOf(k), () => this.zoom(pictures, k, nameOf))))));
  }

  get #boxes() { return [...this.list.querySelectorAll("details")]; }
  #word() { this.all.textContent = this.#boxes.some(({ open }) => open) ? "Close all" : "Open all"; }

  /** Open all calls that are listed, or close them; returns whether they are open now, undefined when there are none. */
  toggle() {
    const boxes = this.#boxes, open = !boxes.some((box) => box.open);
    for (const box of boxes) box.open = open;
    return boxes.length ? open : undefined;
  }
}
