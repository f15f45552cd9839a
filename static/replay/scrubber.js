/* The scrubber: scores over a replay's positions as curves, marks on a track, and a head that is dragged over both. */
import { GLYPHS, WHOLE, line, short, spread, text, thinned } from "../charts.js";
import { bestStep, clamp, eachFrame, f3, h, s, setText } from "../dom.js";

const TRACK = 24, FLOOR = 40; // distances of the track and of the plot's floor from the lower edge, px
let ids = 0;

export class Scrubber {
  /** `go(position)` is asked for by pointer; keys are the screen's. */
  constructor(go) {
    Object.assign(this, { go, facts: null, position: 0, id: ++ids });
    this.element = h("div", { class: "plot", role: "slider", tabindex: 0, "aria-label": "Step", "aria-valuemin": 0 });
    this.hint = h("div", { class: "hint", hidden: true, "aria-hidden": "true" });
    this.redraw = eachFrame(() => this.#draw());
    new ResizeObserver(() => this.redraw()).observe(this.element);
    this.#drag();
  }

  /**
   * What to show: `lanes` of {name, colour, values (score by step), at(position) -> step, place(step) -> position}, `total` positions of the axis,
   * `length` positions that there are, `anchors` [{name, value}], `marks` [{kind, position}], `strip` [{from, to, colour}] (who led), `score` (its name), `tell(position)` (in words)
   * and `ends` [left, right] (texts of the axis) with `short(position)` for the head.
   */
  show(facts) {
    if (facts.lanes.length !== this.facts?.lanes.length) this.scales = null; // what is drawn is of others
    this.facts = facts;
    this.element.setAttribute("aria-valuemax", facts.length);
    this.redraw();
  }

  /** Nothing is shown any more. */
  clear() { this.facts = this.scales = null; }

  /** Move the head. */
  move(position) {
    this.position = position;
    this.#place();
  }

  #scales() {
    const { lanes, anchors, total } = this.facts, { clientWidth: width, clientHeight: height } = this.element;
    const narrow = width < 480, left = narrow ? 34 : 40, right = width - (anchors.length && !narrow ? 104 : lanes.length > 1 ? 20 : 12), floor = height - FLOOR;
    let [low, high] = WHOLE;
    if (anchors.length) {
      const all = anchors.map((a) => a.value);
      for (const { values } of lanes) for (const value of values) all.push(value);
      [low, high] = [all.reduce((a, b) => Math.min(a, b)) - 0.015, all.reduce((a, b) => Math.max(a, b)) + 0.02];
    }
    return { narrow, width, height, left, right, floor, low, high, track: height - TRACK, X: (p) => left + (p / Math.max(1, total)) * (right - left), Y: (v) => 6 + ((high - v) / (high - low)) * (floor - 6) };
  }

  #draw() {
    const { facts, element } = this;
    if (!facts || !element.clientWidth || !element.clientHeight) return;
    const { lanes, anchors, marks, strip = [], ends, score } = facts, scales = this.#scales(), { narrow, width, height, left, right, floor, low, high, track, X, Y } = scales;
    this.scales = scales;
    const grid = [0.02, 0.05, 0.1, 0.2].find((d) => (high - low) / d <= 4.5) ?? 0.25, scale = [];
    for (let k = Math.ceil(low / grid); k * grid < high; k++) scale.push(line(`M${left} ${Y(k * grid)}H${right}`, "ax"), text(left - 8, Y(k * grid) + 4, short(k * grid), "", "end"));
    const curves = lanes.map(({ values, place }) => thinned(values, right - left).map(([i, v], k) => `${k ? "L" : "M"}${X(place(i)).toFixed(1)} ${Y(v).toFixed(1)}`).join(""));
    const names = anchors.length ? spread(anchors.map((a) => ({ ...a, y: Y(a.value) })), 15, 10, floor) : [];
    const clip = `es-past-${this.id}`, seen = new Set();
    const sparse = marks.filter(({ kind, position }) => { const key = `${kind} ${Math.round(X(position) / 3)}`; return !seen.has(key) && seen.add(key); });
    const under = (kind, position, step) => (kind === "drop" ? Math.min(Y(lanes[0].values[step]) + 10, floor - 5) : kind === "rise" ? Math.max(Y(lanes[0].values[step]) - 10, 8) : track);
    this.past = s("rect", { x: 0, y: 0, width: 0, height });
    this.dots = lanes.map(({ colour }) => s("circle", { class: `dot ${colour}`, r: 3.5 }));
    this.stem = line(`M0 2V${track}`, "stem");
    this.knob = s("circle", { class: "knob", cy: track, r: 7 });
    this.head = s("g", { class: "head" }, this.stem, this.knob);
    this.now = text(0, height - 2, "", "k", "middle");
    this.ends = [text(left, height - 2, ends[0]), text(right, height - 2, ends[1], "", "end")];
    element.replaceChildren(s("svg", { width, height, "aria-hidden": "true" },
      s("clipPath", { id: clip }, this.past), scale, anchors.map((a) => line(`M${left} ${Y(a.value)}H${right}`, "anc")),
      lanes.length === 1 ? line(`${curves[0]}L${X(lanes[0].place(lanes[0].values.length - 1))} ${floor}L${left} ${floor}Z`, "area", { "clip-path": `url(#${clip})` }) : null,
      curves.map((d, k) => line(d, `ln ahead ${lanes[k].colour}`)), curves.map((d, k) => line(d, `ln ${lanes[k].colour}`, { "clip-path": `url(#${clip})` })),
      names.map((a) => (narrow ? text(right, a.at - 3, a.name, "d halo", "end") : [line(`M${right} ${a.y}L${right + 8} ${a.at}`, "lead"), text(right + 12, a.at + 4, a.name, "d")])),
      line(`M${left} ${track}H${right}`, "ax2"), strip.map(({ from, to, colour }) => line(`M${X(from)} ${track}H${X(to)}`, `led ${colour}`)),
      sparse.map(({ kind, position, step }) => GLYPHS[kind](X(position), under(kind, position, step))),
      lanes.map(({ values, place }) => { const best = bestStep(values); return best ? GLYPHS.best(X(place(best)), Y(values[best])) : null; }),
      this.dots, this.head, this.ends, this.now), this.hint);
    element.setAttribute("aria-label", `${score} over steps`);
    this.#place();
  }

  /* Only the head moves while one scrubs; nothing else is laid out again. */
  #place() {
    const { facts, scales, position, element } = this;
    if (!facts || !scales) return;
    const { X, Y, left, right } = scales, x = X(position), near = (a, b) => Math.abs(a - b) < 30;
    this.past.setAttribute("width", x + 0.5);
    this.head.setAttribute("transform", `translate(${x} 0)`);
    facts.lanes.forEach(({ values, at, place }, k) => {
      const step = Math.min(at(position), values.length - 1);
      this.dots[k].setAttribute("cx", X(Math.min(position, place(step))));
      this.dots[k].setAttribute("cy", Y(values[step]));
    });
    setText(this.now, facts.short(position));
    this.now.setAttribute("x", x);
    this.now.setAttribute("text-anchor", near(x, right) ? "end" : near(x, left) ? "start" : "middle");
    this.ends[0].style.visibility = near(x, left) ? "hidden" : "";
    this.ends[1].style.visibility = near(x, right) ? "hidden" : "";
    element.setAttribute("aria-valuenow", position);
    element.setAttribute("aria-valuetext", facts.tell(position));
  }

  #positionAt(event) {
    const { left, right } = this.scales, { total, length } = this.facts;
    return clamp(Math.round(((event.clientX - this.element.getBoundingClientRect().left - left) / (right - left)) * total), 0, length);
  }

  #drag() {
    const { element } = this;
    let dragging = false;
    element.addEventListener("pointerdown", (event) => {
      if (event.button || !this.scales) return;
      dragging = true;
      element.setPointerCapture(event.pointerId);
      this.go(this.#positionAt(event));
    });
    element.addEventListener("pointermove", (event) => {
      if (!this.scales) return;
      const position = this.#positionAt(event);
      if (dragging) this.go(position);
      this.#hover(position);
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) element.addEventListener(name, () => { dragging = false; });
    element.addEventListener("pointerleave", () => { this.hint.hidden = true; });
  }

  /* What is at the pointer, in words, above the curve. */
  #hover(position) {
    const { hint, facts, scales } = this, { X, left, right } = scales;
    hint.hidden = false;
    setText(hint, facts.lanes.length > 1 ? facts.short(position) : `${facts.short(position)}  ${f3(facts.lanes[0].values[Math.min(facts.lanes[0].at(position), facts.lanes[0].values.length - 1)])}`);
    hint.style.left = `${clamp(X(position), left + 36, right - 36)}px`;
  }
}
