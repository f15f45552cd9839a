/* Markdown of people and models, which comes as a tree of `[element, child, …]`, as elements: only those of the list, and
   all words as text nodes. Links lead nowhere and pictures are only told of. A number before the items of an `ol` is the
   first one's. */
import { h } from "../dom.js";

const ELEMENTS = new Set(["p", "h4", "ul", "ol", "li", "pre", "code", "em", "strong", "s", "blockquote", "hr", "br", "table", "thead", "tbody", "tr", "th", "td"]);
const LINE = 88; // characters of an average line
const DEEP = 40; // elements within each other; deeper ones are shown flat

/* The address is told once: a bare one is its own text. */
function link(address, children) {
  const bare = children.length === 1 && children[0] === address;
  return h("span", { class: "link-told" }, h("span", { class: "told" }, children), bare ? null : h("span", { class: "mono address" }, ` ${address}`));
}

/**
 * Elements of a tree, up to about `lines` lines; returns {elements, whole}. What does not fit is not made at all, so
 * that an answer of a megabyte costs as little as a short one.
 */
export function prose(tree, lines = Infinity) {
  let left = lines * LINE;
  const text = (words) => {
    const cost = words.length + LINE * (words.split("\n").length - 1), cut = cost > left ? words.slice(0, Math.max(0, Math.floor((left * words.length) / cost))) : words;
    left -= cost;
    return cut;
  };
  const one = (node, deep) => {
    if (left <= 0) return null;
    if (typeof node === "string") return text(node);
    if (!Array.isArray(node)) return null;
    const [name, ...children] = node;
    if (name === "img") return h("span", { class: "tag picture-told" }, text(String(children[1] || children[0] || "without words")));
    if (name === "a") return link(text(String(children[0])), many(children.slice(1), deep));
    if (!ELEMENTS.has(name) || deep > DEEP) return many(children, deep);
    left -= ["em", "strong", "s", "code", "br"].includes(name) ? 0 : LINE / 2;
    const start = name === "ol" && Number.isSafeInteger(children[0]) ? children.shift() : null;
    const element = h(name, { start }, many(children, deep + 1));
    return name === "table" ? h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Table" }, element) : element;
  };
  const many = (nodes, deep) => nodes.map((node) => one(node, deep)).flat().filter((child) => child != null);
  const elements = many(tree, 0);
  return { elements, whole: left > 0 };
}

/** Lines of an answer that are shown at once, and of what it is measured by. */
export const ANSWER = 60, ASIDE = 24;
const MORE = 2000; // and with the first press

/** A text that shows its first lines, and more of them on demand. */
export class Prose {
  /** Of `tree`, its first `lines`; `changed()` is told when other words are in the page. */
  constructor(tree, lines, changed = () => {}) {
    Object.assign(this, { tree, changed, lines, least: lines });
    this.body = h("div", { class: "prose" });
    this.more = h("button", { type: "button", class: "btn small more", onclick: () => this.grow() });
    this.element = h("div", { class: "long" }, this.body, this.more);
    this.#draw();
  }

  /** Whether only the first lines are shown. */
  get first() { return !this.whole && this.lines === this.least; }

  /** Show another tree. */
  put(tree) {
    this.tree = tree;
    this.#draw();
  }

  /** Show more; returns whether there was more. */
  grow() {
    if (this.whole) return false;
    const held = document.activeElement === this.more;
    this.lines = this.first ? MORE : this.lines * 4;
    this.#draw();
    if (held && this.whole) { this.body.tabIndex = -1; this.body.focus({ preventScroll: true }); } // the button is gone
    this.changed();
    return true;
  }

  #draw() {
    const { elements, whole } = prose(this.tree, this.lines);
    this.whole = whole;
    this.body.replaceChildren(...elements);
    this.more.hidden = whole;
    this.more.textContent = this.first ? "Show all" : "Show more";
    this.element.toggleAttribute("data-cut", !whole);
  }
}
