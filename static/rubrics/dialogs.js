/* The frame of the dialogs on the data, and what several of them need. */
import { field } from "../connect/fields.js";
import { copyButton } from "../copy.js";
import { dialog, h, icon } from "../dom.js";
import { sampleTag } from "./words.js";

/** A modal dialog on data of a `kind` that is gone once it is closed; `left()` is told then. Returns {box, close(), reopen()}. */
export function sheet(name, title, { kind = "rubric", sample = false, left = () => {} }, ...content) {
  const id = `es-${kind}-${name}-title`, close = () => box.close();
  const box = dialog({ class: `es sheet-dialog ${kind}-dialog ${kind}-data ${name}`, "aria-labelledby": id },
    h("div", { class: "row between" }, h("div", { class: "row" }, h("h2", { id }, title), sample ? sampleTag() : null),
      h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: close }, icon("x"))),
    content);
  box.addEventListener("close", () => { box.remove(); left(); });
  function reopen() { document.body.append(box); box.showModal(); }
  reopen();
  return { box, close, reopen };
}

/** Fields of a form whose ids begin with `prefix`: fieldsOf("judge")({name, …}). */
export const fieldsOf = (prefix) => (attributes) => field({ id: `es-${prefix}-${attributes.name}`, ...attributes });
export const numbersOf = (prefix) => (name, attributes) => fieldsOf(prefix)({ name, type: "number", inputmode: "numeric", ...attributes });

/** Boxes to tick for [[value, label]]: {element, ticked(), some()}, where `some()` is null while all are ticked. */
export function ticks(label, options, { checked = true, changed = () => {} } = {}) {
  const box = ([value, text, disabled = false]) => h("label", { class: "sm" },
    h("input", { type: "checkbox", checked: checked && !disabled, disabled, value, "data-own": true, onchange: changed }),
    h("span", { class: "nowrap", title: text }, text));
  const element = h("div", { class: "ticks-list", role: "group", "aria-label": label }, options.map(box));
  const ticked = () => [...element.querySelectorAll("input:checked")].map(({ value }) => value);
  return { element, ticked, some: () => (ticked().length === options.length ? null : ticked()) };
}

/** How far something is: `share` of it, or not known (null). */
export function meter(label, share) {
  const now = share == null ? null : Math.round(100 * share), kind = `meter ${now === null ? "unknown" : ""}`;
  return h("span", { class: kind, role: "progressbar", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": now },
    h("i", { style: { width: now === null ? "100%" : `${100 * share}%` } }));
}

/** Forms in which data can be had: [[label, what it says, [[name of the file, kind]]]]; `at(name)` is its address. */
export function formsOf(forms, at) {
  const file = ([name, kind]) => h("a", { class: "btn small", download: true, href: at(name), title: name, "data-export": name }, icon("save"), h("span", {}, kind));
  return h("ul", { class: "forms" }, forms.map(([label, says, files]) => h("li", {}, h("div", { class: "grow" }, h("b", {}, label), h("p", { class: "sm sub" }, says)), h("div", { class: "files" }, files.map(file)))));
}

/** A command for a terminal with a button that copies it. */
export const command = (text) => h("div", { class: "copy" }, h("code", { tabindex: 0, title: text }, text), copyButton(text, { label: "Copy", said: "Command copied" }));
/** A text as one word of a command. */
export const quoted = (text) => (/^[\w./:@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Where something is not allowed: why, and the command that does it elsewhere. */
export const forbidden = (title, why, text) => h("div", { class: "hole" }, icon("lock"), h("b", {}, title), h("p", { class: "sm" }, why), text ? command(text) : null);

/** A place for what went wrong; `say(text)` shows it, null takes it away. */
export function errorLine() {
  const element = h("p", { class: "refusal", role: "alert", hidden: true });
  return { element, say(text) { element.hidden = !text; element.textContent = text ?? ""; } };
}

/** Bytes in words. */
export function bytes(size) {
  if (size < 1e5) return `${Math.max(1, Math.round(size / 1e3))} kB`;
  return size < 1e9 ? `${(size / 1e6).toFixed(1)} MB` : `${(size / 1e9).toFixed(1)} GB`;
}
