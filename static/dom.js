/* Building blocks of every screen. Text always becomes a text node, so nothing that people wrote can be markup. */

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style" && typeof value === "object") for (const [k, v] of Object.entries(value)) element.style.setProperty(k, v);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

/** An HTML element with attributes, listeners (`onclick`) and children. */
export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
/** The same in SVG. */
export const s = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** An icon of icons.svg. */
export const icon = (name) => s("svg", { class: "i", "aria-hidden": "true" }, s("use", { href: `${studio.icons}#i-${name}` }));
export const cap = (key, extra = "") => h("span", { class: `kbd ${extra}`, "aria-hidden": "true" }, key);

/** Scores have three decimals and a true minus sign. */
export const f3 = (value) => (value == null ? "–" : value.toFixed(3).replace("-", "−"));
export const signed = (value) => {
  const rounded = Math.abs(value) < 0.0005 ? 0 : value;
  return (rounded < 0 ? "−" : rounded > 0 ? "+" : "±") + Math.abs(rounded).toFixed(3);
};
/** Change an element's text only if it is another one: even the same text would be laid out again. */
export function setText(element, text) { if (element.textContent !== String(text)) element.textContent = text; }

/** `run` once in the next frame, however often it is asked for; `later` waits until the browser has nothing to paint. */
export function eachFrame(run, { later = false } = {}) {
  let asked = false;
  const idle = later && window.requestIdleCallback ? (go) => requestIdleCallback(go, { timeout: 200 }) : requestAnimationFrame;
  return () => {
    if (asked) return;
    asked = true;
    idle(() => { asked = false; run(); });
  };
}

export const clamp = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));
/** Step of the best similarity; as in trajectory/1 the untouched canvas (step 0) does not count. */
export const bestStep = (values) => (values.length > 1 ? values.indexOf(Math.max(...values.slice(1)), 1) : 0);
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Say something to screen readers. The region is made at once: it must exist before its first message. */
const live = document.body.appendChild(h("div", { id: "es-live", class: "es-sr", "aria-live": "polite" }));
export function announce(text) { live.textContent = text; }

/** Storage that survives the page if the browser allows it, and the page's own memory if not. */
const memory = new Map();
export const storage = {
  get(key, fallback) {
    try { return JSON.parse(localStorage.getItem(key)) ?? fallback; } catch { return memory.get(key) ?? fallback; }
  },
  set(key, value) {
    memory.set(key, value);
    try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* memory has it */ }
  },
};

/** A range input paints its own track from --v. */
export function fillRange(input) {
  input.style.setProperty("--v", `${((input.value - input.min) / (input.max - input.min)) * 100}%`);
}

/** A modal <dialog>: focus is trapped and returned, Esc closes; a press on the backdrop closes too. */
export function dialog(attributes, ...children) {
  const box = h("dialog", attributes, ...children);
  let pressed = null; // a drag that ends outside, such as selecting text, must not close it
  box.addEventListener("pointerdown", (event) => { pressed = event.target; });
  box.addEventListener("click", (event) => { if (event.target === box && pressed === box) box.close(); });
  return document.body.appendChild(box);
}
