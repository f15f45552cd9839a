/* The plan as the document that it wants to be. Each piece has its place at once and its content when it comes near the
   window, and a browser lays out only groups of pieces that are near: a plan of thousands of calls costs as little as a short one. */
import { clamp, h } from "../dom.js";
import { callCard, gapMarker, scoreChips, textBlock, thinking } from "./cards.js";
import { linesOf, stopsOf } from "./stops.js";

const FIRST = 24; // pieces that are there at once, and as many in a group
const MOST_AHEAD = 1200; // pieces of a plan up to which all are drawn while nothing else is to be done
const SLICE = 6; // ms of drawing ahead at a time
const NEAR = "1600px 0px"; // around the window
const FRAMES = 40, STILL = 4; // until a piece stands where it was brought: at most, and without a move
const HEIGHT = { call: 132, gap: 56, thinking: 40 }; // px, as long as it is not known

export class Article {
  /** `hooks`: pick(stop) when one is pressed, zoom(call), drawn() when pieces have come. */
  constructor(hooks) {
    this.hooks = hooks;
    this.body = h("div", { class: "doc-body" });
    this.sides = h("div", { class: "sides xs mut", hidden: true }, h("span", {}, "As planned"), h("span", {}, "As executed"));
    this.element = h("article", { class: "card doc", "aria-label": "Plan" }, this.sides, this.body);
    this.near = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.#fillGroup(target);
      this.hooks.drawn();
    }, { rootMargin: NEAR });
    this.body.addEventListener("click", (event) => this.#pressed(event));
    for (const kind of ["wheel", "touchmove", "pointerdown"]) addEventListener(kind, () => { this.wanted = null; }, { passive: true, capture: true }); // the person scrolls
    this.stops = [];
    this.at = null;
    this.mode = "plan";
    this.came = new Map(); // of stops, what is shown of the plan as executed: {sign, element}
  }

  /** Show a plan; `marks` = {gaps: [{key, after, gap, whose}], scores(call) → [[whose, verdict]]}. */
  show(plan, marks) {
    this.near.disconnect();
    clearTimeout(this.later);
    this.came.clear();
    Object.assign(this, { plan, marks, filled: new Set(), at: null, problems: grouped(plan.problems), turn: (this.turn ?? 0) + 1 });
    this.calls = new Map(plan.calls.map((call) => [call.id, call]));
    this.stops = stopsOf(plan, marks.gaps);
    this.shells = new Map(this.stops.map((stop) => [stop.key, this.#shell(stop)]));
    this.#index();
    this.body.replaceChildren(...this.#groups());
    if (this.body.firstChild) this.#fillGroup(this.body.firstChild);
    for (const group of [...this.body.children].slice(1)) this.near.observe(group);
    if (this.stops.length <= MOST_AHEAD) this.#ahead(FIRST);
  }

  /** Do what changes heights in the page; the piece at hand, or else the first one in the window, stays where it is. */
  still(run) {
    const inside = (shell) => { const { top, bottom } = shell.getBoundingClientRect(); return bottom > 0 && top < innerHeight; };
    const here = this.shells?.get(this.at), held = here && inside(here) ? here : this.shells?.get(this.stops[this.across(0)[0]]?.key);
    const before = held?.getBoundingClientRect().top;
    run();
    if (held?.isConnected) scrollBy({ top: held.getBoundingClientRect().top - before, behavior: "instant" });
  }

  /** The same plan, of which more is known: gaps come and go, and scores. */
  refresh(plan, marks) {
    Object.assign(this, { plan, marks });
    for (const { key, kind } of this.stops) if (kind === "gap") { this.shells.get(key).remove(); this.shells.delete(key); this.filled.delete(key); }
    this.stops = stopsOf(plan, marks.gaps);
    this.#index();
    let before = null;
    for (const stop of this.stops) {
      if (!this.shells.has(stop.key)) {
        const shell = this.#shell(stop);
        this.shells.set(stop.key, shell);
        if (before) before.after(shell); else (this.body.firstChild ?? this.body.appendChild(h("div", { class: "group" }))).prepend(shell);
        this.#fill(stop.key);
      }
      before = this.shells.get(stop.key);
    }
    for (const key of this.filled) {
      const { kind, call } = this.stop(key), place = kind === "call" && this.shells.get(key).querySelector(".scores");
      if (place) place.replaceChildren(...this.#scores(call));
    }
    if (this.at) this.#mark(this.at, true);
  }

  /**
   * Show the plan, the plan as executed, or one beside the other: `mode` is `plan`, `executed` or `beside`, and
   * `executed(call)` = {sign, make()} makes what came of a call, anew whenever its sign is another one.
   */
  as(mode, executed) {
    const turned = mode !== this.mode;
    Object.assign(this, { mode, executed });
    for (const name of ["executed", "beside"]) this.body.classList.toggle(name, name === mode);
    this.sides.hidden = mode !== "beside";
    for (const key of this.filled) this.#outcome(key);
    if (turned && this.at) this.reveal(this.at);
  }

  /** The stop of a call. */
  call(id) { return this.stop(this.ofCall.get(id)); }
  /** A stop by its key. */
  stop(key) { return this.stops[this.places.get(key)]; }
  place(key) { return this.places.get(key) ?? -1; }
  shell(key) { return this.shells.get(key); }

  /** What stands at a height of the window: [the stop's place, how far down in it], found by halving; boxes are only read. */
  across(edge) {
    const group = halved(this.body.children, edge), shell = group && halved(group.children, edge);
    if (!shell) return [0, 0];
    const { top, height } = shell.getBoundingClientRect();
    return [this.place(shell.dataset.key), clamp((edge - top) / (height || 1))];
  }

  /** Stand at a stop, and bring it into the window. */
  go(key, { scroll = true } = {}) {
    if (this.at && this.at !== key) this.#mark(this.at, false);
    this.at = this.shells.has(key) ? key : null;
    if (!this.at) return;
    this.#fill(key);
    this.#mark(key, true);
    if (scroll) this.reveal(key);
  }

  /** Bring a stop into the window, if it is not in it, and keep it there until what comes into view with it has its own height. */
  reveal(key) {
    this.#fill(key);
    const shell = this.shells.get(key);
    this.wanted = shell;
    const settle = (left, still) => {
      if (!shell || this.wanted !== shell || this.shells.get(key) !== shell) return;
      still = this.#bring(shell) ? 0 : still + 1;
      if (left && still < STILL) requestAnimationFrame(() => settle(left - 1, still)); else this.wanted = null;
    };
    settle(FRAMES, 0);
  }

  /* Scroll a piece into the part of the window in which a plan is read; returns whether it was elsewhere. */
  #bring(shell) {
    const box = shell.getBoundingClientRect(), [top, bottom] = this.#room(), late = box.bottom > bottom, early = box.top < top;
    const up = box.top - top - Math.min(64, (bottom - top) / 6), down = Math.min(box.bottom - bottom + (bottom - top) / 3, box.top - top);
    const from = scrollY;
    if (early || late) scrollBy({ top: early || box.height > bottom - top ? up : down, behavior: "instant" });
    return scrollY !== from;
  }

  /* The part of the window in which a plan is read. */
  #room() {
    const foot = getComputedStyle(this.element).getPropertyValue("--foot"), head = getComputedStyle(this.element).getPropertyValue("--header");
    return [(parseFloat(head) || 56) + 16, innerHeight - (parseFloat(foot) || 0) - 24];
  }

  /** Only stops that `fits` stay as they are; null shows all. */
  dim(fits) {
    this.fits = fits;
    this.body.classList.toggle("filtered", Boolean(fits));
    const off = (stop) => Boolean(fits) && stop.kind !== "text" && stop.kind !== "thinking" && !fits(stop);
    for (const stop of this.stops) this.shells.get(stop.key).classList.toggle("off", off(stop));
  }

  /** Unfold or fold a call's raw text. */
  raw(key) {
    const box = this.shells.get(key)?.querySelector("details.raw");
    if (box) box.open = !box.open;
  }

  #index() {
    this.places = new Map(this.stops.map(({ key }, k) => [key, k]));
    this.ofCall = new Map(this.stops.filter(({ kind }) => kind === "call").map(({ key, call }) => [call, key]));
  }

  #shell(stop) {
    const shell = h("div", { class: `block ${stop.kind}`, "data-key": stop.key, "data-block": stop.kind === "gap" ? null : stop.block, "data-call": stop.call });
    shell.style.minHeight = `${guess(stop)}px`; // until it has its content
    return shell;
  }

  #groups() {
    const shells = [...this.shells.values()], groups = [];
    for (let k = 0; k < shells.length; k += FIRST) {
      const group = h("div", { class: "group" }, shells.slice(k, k + FIRST));
      group.style.setProperty("--tall", `${this.stops.slice(k, k + FIRST).reduce((sum, stop) => sum + guess(stop), 0)}px`);
      groups.push(group);
    }
    return groups;
  }

  #fillGroup(group) {
    this.near.unobserve(group);
    for (const { dataset } of group.children) this.#fill(dataset.key);
  }

  #fill(key) {
    const shell = this.shells.get(key);
    if (!shell || this.filled.has(key)) return;
    this.filled.add(key);
    shell.append(this.#content(this.stop(key)));
    shell.style.minHeight = "";
    if (this.mode !== "plan") this.#outcome(key);
  }

  /* What is shown of a stop as executed: of a call what came of it, and beside the plan its words once more. */
  #outcome(key) {
    const { kind, call, piece } = this.stop(key), { mode } = this, was = this.came.get(key);
    const wanted = mode === "plan" ? null : kind === "call" ? this.executed(call)
      : mode === "beside" && kind === "text" ? { sign: "words", make: () => textBlock(piece.nodes) } : null;
    if (wanted?.sign === was?.sign) return;
    was?.element.remove();
    this.came.delete(key);
    if (!wanted) return;
    const element = wanted.make();
    this.shells.get(key).append(element);
    this.came.set(key, { sign: wanted.sign, element });
  }

  #content({ kind, piece, call, gap }) {
    if (kind === "gap") return gapMarker(gap.gap, { whose: gap.whose });
    if (kind === "thinking") return thinking(piece);
    if (kind === "text") return textBlock(piece.nodes);
    return callCard(this.calls.get(call), { problems: this.problems.get(call) ?? [], scores: this.#scores(call), zoom: this.hooks.zoom });
  }

  #scores(call) {
    const all = this.marks.scores(call);
    return all.map(([whose, verdict]) => scoreChips(verdict, all.length > 1 ? whose : ""));
  }

  #mark(key, on) {
    const shell = this.shells.get(key);
    shell?.classList.toggle("at", on);
    if (on) shell?.setAttribute("aria-current", "true"); else shell?.removeAttribute("aria-current");
  }

  /* Draw what is far from the window, a little at a time. */
  #ahead(from) {
    const { turn } = this, idle = window.requestIdleCallback ?? ((run) => setTimeout(run, 30));
    this.later = setTimeout(() => idle(() => {
      if (turn !== this.turn) return;
      const until = performance.now() + SLICE;
      let k = from;
      while (k < this.stops.length && performance.now() < until) this.#fill(this.stops[k++].key);
      if (k < this.stops.length) this.#ahead(k);
    }), 20);
  }

  /* A press on a piece stands at it; on what can be pressed in it, or to mark words, it does not. */
  #pressed(event) {
    if (event.target.closest("button, a, summary, input, textarea") || String(getSelection())) return;
    const key = event.target.closest(".block")?.dataset.key;
    if (key) this.hooks.pick(this.stop(key));
  }
}

const guess = (stop) => HEIGHT[stop.kind] ?? 12 + 26 * linesOf(stop);

/* The first of elements beneath each other that ends below `edge`. */
function halved(elements, edge) {
  let low = 0, high = elements.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements[middle].getBoundingClientRect().bottom > edge) high = middle; else low = middle + 1;
  }
  return elements[low];
}

function grouped(problems) {
  const found = new Map();
  for (const problem of problems) {
    if (!found.has(problem.call)) found.set(problem.call, []);
    found.get(problem.call).push(problem);
  }
  return found;
}
