/* What a figure rests on, told beside it while it is pointed at or has the focus; and one stop of Tab for many figures. */
import { clamp, h } from "../dom.js";

const GAP = 8; // px between a figure and what is told of it

/** What is told of the figure that is pointed at. Screen readers hear the same by the figure's own label. */
export class Tip {
  constructor() {
    this.element = h("div", { class: "figure-tip", hidden: true, "aria-hidden": "true" });
    addEventListener("scroll", () => { if (!this.element.hidden) this.#place(); }, { passive: true, capture: true });
  }

  /** Tell of what fits `selector` in `host`; `tell(element)` gives {title, lines: [[name, value]]}. */
  watch(host, selector, tell) {
    const at = ({ target }) => target.closest?.(selector), over = (event) => { const found = at(event); if (found) this.#show(found, tell(found)); };
    host.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") { if (at(event)) over(event); else this.hide(); } });
    host.addEventListener("pointerleave", () => this.hide());
    host.addEventListener("focusin", over);
    host.addEventListener("focusout", () => this.hide());
    host.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.hide(); });
  }

  hide() { this.element.hidden = true; }

  #show(target, told) {
    if (!told) { this.hide(); return; }
    const { element } = this;
    this.target = target;
    element.replaceChildren(h("b", {}, told.title), h("dl", {}, told.lines.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
    element.hidden = false;
    this.#place();
  }

  /* Above the figure, or beneath it where there is no room; gone with it. */
  #place() {
    const { element, target } = this, box = target.getBoundingClientRect();
    if (!target.isConnected || box.bottom < 0 || box.top > innerHeight) { this.hide(); return; }
    const { offsetWidth: width, offsetHeight: height } = element, above = box.top - height - GAP;
    element.style.left = `${clamp(box.left + box.width / 2 - width / 2, GAP, Math.max(GAP, document.documentElement.clientWidth - width - GAP))}px`;
    element.style.top = `${above > GAP ? above : box.bottom + GAP}px`;
  }
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Make what fits `selector` in `host` one stop of Tab; arrow keys go from one to the next, in rows of `columns()` if there are any. */
export function roving(host, selector, columns = () => 0) {
  const all = () => [...host.querySelectorAll(selector)];
  host.addEventListener("focusin", ({ target }) => {
    const found = target.closest?.(selector);
    if (found) for (const one of all()) one.setAttribute("tabindex", one === found ? 0 : -1);
  });
  host.addEventListener("keydown", (event) => {
    const list = all(), at = list.indexOf(event.target.closest?.(selector)), step = STEPS[event.key], wide = columns();
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const far = { Home: 0, End: list.length - 1 }[event.key], to = far ?? (step ? at + step[0] + step[1] * (wide || 1) : -1);
    if (!list[to] || (wide && step?.[0] && Math.floor(to / wide) !== Math.floor(at / wide))) { if (step) event.preventDefault(); return; }
    event.preventDefault();
    list[to].focus();
  });
}
/** The first one is the stop until another one has had the focus. */
export const stops = (elements) => { elements.forEach((one, k) => one.setAttribute("tabindex", k ? -1 : 0)); return elements; };
