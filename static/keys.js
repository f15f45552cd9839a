/* Shortcuts: one listener. A screen registers its keys and gets them only while it is on show; the help is built from
   the same list, so it cannot lie. */
import { dialog, h, icon } from "./dom.js";
import { current } from "./tabs.js";

const screens = new Map(); // tab -> {keys, more}
const mac = /mac|iphone|ipad/i.test(navigator.userAgentData?.platform || navigator.platform);

/**
 * Register a screen's shortcuts.
 * `keys`: [["Mod+Shift+z", {label, run(event), up(), once}]]; Mod is Ctrl, or Cmd on a Mac; `up` is told of the release,
 * `once` ignores the repeats of a held key; entries of one label are listed together, one without label is not listed.
 * `more`: [[label, ...keys]] for gestures and keys that other code handles.
 */
export function shortcuts(tab, keys, more = []) { screens.set(tab, { keys: new Map(keys), more }); }

const FIELD = "input:not([type=range],[type=checkbox],[type=radio],[type=button]), textarea, select, [contenteditable]:not([contenteditable=false])";
const PRESSED_BY_SPACE = "button, a, summary, [role=tab], [role=switch], input[type=checkbox], input[type=radio]";

function name(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shift = event.shiftKey && (event.key.length > 1 || event.ctrlKey || event.metaKey) ? "Shift+" : "";
  return (event.ctrlKey || event.metaKey ? "Mod+" : "") + shift + key;
}

const held = new Map(); // key -> the entry that waits for its release

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || (event.altKey && event.key !== "Alt")) return;
  if (event.target.closest?.(FIELD) || document.querySelector("dialog[open]")) return;
  if (event.key === "?") { event.preventDefault(); help(); return; }
  if ((event.key === " " || (event.key === "Enter" && !event.shiftKey)) && event.target.closest?.(PRESSED_BY_SPACE)) return;
  const entry = screens.get(current())?.keys.get(name(event));
  if (!entry) return;
  event.preventDefault();
  if (event.repeat && (entry.up || entry.once)) return;
  if (entry.up) held.set(event.key.toLowerCase(), entry);
  entry.run(event);
});

function release(key) {
  held.get(key)?.up();
  held.delete(key);
}
document.addEventListener("keyup", (event) => release(event.key.toLowerCase()));
addEventListener("blur", () => [...held.keys()].forEach(release)); // its keyup goes to another window

const CAPS = { " ": "space", "-": "−", Enter: "↵", Escape: "esc", Mod: mac ? "⌘" : "ctrl", Shift: "⇧", Alt: mac ? "⌥" : "alt", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Home: "home", End: "end" };
const caps = (key) => h("span", { class: "row caps" },
  (key.length > 1 ? key.split("+") : [key]).map((part) => h("span", { class: "kbd" }, CAPS[part] || (part.length === 1 ? part.toUpperCase() : part))));

/** Show what the keys of this screen do. */
export function help() {
  const { keys = new Map(), more = [] } = screens.get(current()) || {};
  const rows = new Map(); // label -> keys, in order
  if (!keys.size && !more.length) rows.set("This list", ["?"]);
  for (const [key, { label }] of keys) if (label) rows.set(label, [...(rows.get(label) || []), key]);
  for (const [label, ...list] of more) rows.set(label, list);
  const box = document.getElementById("es-help") || dialog({ id: "es-help", class: "es pop", "aria-labelledby": "es-help-title" });
  box.replaceChildren(
    h("div", { class: "row between" }, h("h2", { id: "es-help-title" }, "Shortcuts"),
      h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => box.close() }, icon("x"))),
    h("div", { class: "keys" }, [...rows].flatMap(([label, list]) => [
      h("span", { class: "sub" }, label),
      h("span", { class: "row ways" }, list.map(caps)),
    ])));
  box.showModal();
}
