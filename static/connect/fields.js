/* Controls of a form, each with its name in words; what they hold becomes the body of a request. */
import { h } from "../dom.js";

/** A labelled row: [label, control]. `note` stands beneath. */
export function row(label, control, note = null) {
  const id = control.id || null;
  return [h(id ? "label" : "span", { class: "name", for: id }, label), h("div", { class: "cell" }, control, note ? h("p", { class: "xs mut" }, note) : null)];
}

/** A field of text or a number; `attributes.name` is the name in the request. */
export const field = (attributes) => h("input", { class: "field", id: `es-run-${attributes.name}`, autocomplete: "off", spellcheck: "false", ...attributes });

/** One of a few choices: [[value, label]]. The element's `value` is the chosen one; `changed()` is told. */
export function choice(name, label, options, value, changed = () => {}) {
  const group = h("div", { class: "seg", role: "group", "aria-label": label, "data-name": name }, options.map(([key, text]) => h("button", {
    type: "button", "data-value": key, onclick: () => { set(key); changed(); },
  }, text)));
  const set = (key) => {
    group.dataset.value = key;
    for (const button of group.children) button.setAttribute("aria-pressed", String(button.dataset.value === key));
  };
  set(value);
  return group;
}

/** A switch. */
export const toggle = (name, label, checked = false) => h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", name, checked }), label);

/** What fields and choices inside `form` hold, empty ones left out: {name: text | number | boolean}. */
export function held(form) {
  const out = {};
  for (const input of form.querySelectorAll("input[name]")) {
    if (input.closest("[hidden]") || input.dataset.own) continue;
    if (input.type === "checkbox") out[input.name] = input.checked;
    else if (input.value.trim() !== "") out[input.name] = input.type === "number" ? Number(input.value) : input.value.trim();
  }
  for (const group of form.querySelectorAll("[data-name]")) if (!group.closest("[hidden]")) out[group.dataset.name] = group.dataset.value;
  return out;
}
