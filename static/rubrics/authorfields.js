/* Controls of the form of a task. */
import { h, icon, setText } from "../dom.js";

let count = 0;

/** A button of words, with an icon before them if `glyph` names one. */
export const button = (label, onclick, { glyph = null, kind = "", ...attributes } = {}) =>
  h("button", { type: "button", class: `btn ${kind}`, onclick, ...attributes }, glyph && icon(glyph), label);
/** A button of an icon alone, called `label`. */
export const iconButton = (label, glyph, onclick, { kind = "small", ...attributes } = {}) =>
  h("button", { type: "button", class: `btn ghost icon ${kind}`, "aria-label": label, title: label, onclick, ...attributes }, icon(glyph));
/** A button that looks like a link. */
export const linkButton = (label, onclick, attributes = {}) => h("button", { type: "button", class: "link", onclick, ...attributes }, label);

/** A link to a view of the Rubric review tab; pressed plainly it runs `follow`, and the page stays. */
export function viewLink(view, follow, attributes, ...children) {
  const href = studio.url(`?${new URLSearchParams({ tab: "rubrics", ...view })}`);
  const onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    follow();
  };
  return h("a", { href, onclick, ...attributes }, ...children);
}

/** A control with its name above it and what is wrong with it beneath; `place` is its name in a task, such as `prompt`. */
export class Labelled {
  constructor(label, control, { place, optional = false, note = null } = {}) {
    control.id ||= `es-author-${++count}`;
    Object.assign(this, { control });
    this.wrong = h("p", { class: "wrong", id: `${control.id}-wrong`, role: "alert", hidden: true });
    this.note = note === null ? null : h("p", { class: "xs mut", id: `${control.id}-note` }, note);
    this.element = h("div", { class: "labelled", "data-place": place },
      h("label", { class: "lab", for: control.id }, label, optional && h("span", { class: "mut" }, " optional")), control, this.wrong, this.note);
    if (this.note) control.setAttribute("aria-describedby", this.note.id);
    control.addEventListener("input", () => this.say(null));
  }

  /** Say what is wrong with it, until it is changed; null takes that back. */
  say(text) {
    this.wrong.hidden = !text;
    setText(this.wrong, text ?? "");
    if (text) this.control.setAttribute("aria-invalid", "true"); else this.control.removeAttribute("aria-invalid");
    this.control.setAttribute("aria-describedby", [text && this.wrong.id, this.note?.id].filter(Boolean).join(" "));
  }
}

/** Give a field another value; one that has it already keeps its cursor. */
export function setValue(control, value) { if (control.value !== value) control.value = value; }

/** What to say of a text with more than `most` characters; null of a shorter one. Nothing is cut off: the author shortens it. */
export function tooLong(text, most) {
  const length = text.length > most ? [...text].length : 0;
  return length > most ? `It has ${length.toLocaleString("en")} characters, and at most ${most.toLocaleString("en")} are stored: shorten it.` : null;
}

/** A text of several lines that grows with what is in it. */
export const area = (attributes) => h("textarea", { class: "field", rows: 3, spellcheck: "true", ...attributes });

/**
 * One of a few values, [[value, label, title]], as a row of which Tab reaches one and arrow keys go through all; `chosen(value)` is told. With `clear`
 * the chosen one, pressed again, gives null. `show(value)` of the element shows another.
 */
export function pick(label, options, chosen, { clear = false } = {}) {
  const group = h("div", { class: "seg pick", role: "radiogroup", "aria-label": label });
  const buttons = options.map(([value, text, title]) => h("button", { type: "button", role: "radio", title, onclick: () => take(value) }, text));
  let now;
  const take = (value) => chosen(clear && value === now ? null : value);
  const show = (value) => {
    now = value;
    const at = options.findIndex(([one]) => one === value);
    for (const [k, button] of buttons.entries()) {
      button.setAttribute("aria-checked", String(k === at));
      button.tabIndex = k === Math.max(0, at) ? 0 : -1;
    }
  };
  group.append(...buttons);
  group.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement), { key } = event;
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key], typed = options.findIndex(([value]) => String(value) === key);
    const to = step ? (at + step + buttons.length) % buttons.length : typed;
    if (clear && (key === "Delete" || key === "Backspace")) chosen(null);
    else if (to >= 0) {
      buttons[to].focus();
      chosen(options[to][0]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  show(null);
  return Object.assign(group, { show });
}

/** Draw other children, and leave the cursor where it was. */
export function redraw(element, children) {
  const held = document.activeElement, inside = element.contains(held);
  if ([...element.children].length === children.length && children.every((child, k) => element.children[k] === child)) return;
  const cursor = inside && held.matches("textarea, input[type=text]") ? [held.selectionStart, held.selectionEnd] : null;
  element.replaceChildren(...children);
  if (!inside || !element.contains(held)) return;
  held.focus({ preventScroll: true });
  if (cursor) held.setSelectionRange(...cursor);
}

const KIND = "text/x-easel-place"; // what is dragged within a list, not a file

/**
 * Let the children of `list` be dragged to another place by what in them is `draggable`; `move(from, to)` is told. `across`: they stand beside each
 * other, not beneath each other.
 */
export function sortable(list, move, { across = false } = {}) {
  let from = -1;
  const childOf = (target) => [...list.children].findIndex((child) => child.contains(target));
  const mark = (at = -1, after = false) => { for (const [k, child] of [...list.children].entries()) child.dataset.drop = k === at ? (after ? "after" : "before") : ""; };
  const place = (event) => {
    const at = childOf(event.target);
    if (at < 0) return null;
    const box = list.children[at].getBoundingClientRect(), after = across ? event.clientX > box.left + box.width / 2 : event.clientY > box.top + box.height / 2;
    return { at, after };
  };
  list.addEventListener("dragstart", (event) => {
    from = childOf(event.target);
    if (from < 0) return;
    event.dataTransfer.setData(KIND, String(from));
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setDragImage(list.children[from], 16, 16);
  });
  list.addEventListener("dragover", (event) => {
    const over = from < 0 || !event.dataTransfer.types.includes(KIND) ? null : place(event);
    if (!over) return;
    event.preventDefault();
    mark(over.at, over.after);
  });
  list.addEventListener("drop", (event) => {
    const over = from < 0 || !event.dataTransfer.types.includes(KIND) ? null : place(event);
    if (!over) return;
    event.preventDefault();
    event.stopPropagation();
    const gap = over.at + (over.after ? 1 : 0), to = gap > from ? gap - 1 : gap;
    if (to !== from) move(from, to);
  });
  list.addEventListener("dragend", () => { from = -1; mark(); });
}
