/* Mean scores over progress: a line for each chosen player, with the anchors, read off at any percent. */
import { line, short, spread, text } from "../charts.js";
import { clamp, eachFrame, f3, h, s, setText } from "../dom.js";

const END = 100; // percent of the budget
const LABEL = 18, FLOOR = 22, TOP = 8; // px: between two names, under the plot, over it
const KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -END, End: END };

export class Curves {
  constructor() {
    Object.assign(this, { lines: [], anchors: [], at: END });
    this.title = h("h3", {});
    this.where = h("span", { class: "sm mut", "aria-hidden": "true" });
    this.plot = h("div", { class: "plot", role: "slider", tabindex: 0, "aria-label": "Share of the budget", "aria-valuemin": 0, "aria-valuemax": END });
    this.note = h("p", { class: "xs mut" });
    this.element = h("section", { class: "card curves", "aria-label": "Progress" },
      h("div", { class: "row between" }, this.title, this.where), this.plot, this.note);
    this.redraw = eachFrame(() => this.#draw());
    new ResizeObserver(() => this.redraw()).observe(this.plot);
    const read = (event) => { if (this.scales) this.#move(this.#percentAt(event)); };
    this.plot.addEventListener("pointermove", read);
    this.plot.addEventListener("pointerdown", read);
    this.plot.addEventListener("pointerleave", ({ pointerType }) => { if (pointerType === "mouse" && document.activeElement !== this.plot) this.#move(END); });
    this.plot.addEventListener("blur", () => this.#move(END));
    this.plot.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.#move(clamp(this.at + step * (event.shiftKey ? 10 : 1), 0, END));
    });
  }

  /**
   * Show `lines` [{name, note (null, or [short, in words]), colour, values (score at each percent)}] and `anchors` [{name, value}];
   * `score` is what is shown, `note` stands under it.
   */
  show(lines, anchors, score, note) {
    Object.assign(this, { lines, anchors });
    setText(this.title, `${score} over progress`);
    setText(this.note, note);
    this.redraw();
  }

  #move(percent) {
    this.at = percent;
    this.#place();
  }

  #percentAt({ clientX }) {
    const { left, right } = this.scales;
    return Math.round(clamp((clientX - this.plot.getBoundingClientRect().left - left) / (right - left)) * END);
  }

  #draw() {
    const { plot, lines, anchors } = this, { clientWidth: width, clientHeight: height } = plot;
    if (!width || !height) return;
    const rows = [...lines.map((one) => ({ ...one, end: one.values.at(-1) })), ...anchors.map((one) => ({ ...one, end: one.value, colour: null }))];
    const left = 40, names = width < 380 ? 128 : width < 600 ? 148 : 184, right = width - names, floor = height - FLOOR;
    const all = [...lines.flatMap(({ values }) => values), ...anchors.map(({ value }) => value)];
    const [low, high] = all.length ? [Math.min(...all) - 0.01, Math.max(...all) + 0.01] : [0, 1];
    const X = (percent) => left + (percent / END) * (right - left), Y = (value) => TOP + ((high - value) / (high - low)) * (floor - TOP);
    const grid = [0.02, 0.05, 0.1, 0.2].find((d) => (high - low) / d <= 7) ?? 0.25, scale = [];
    for (let k = Math.ceil(low / grid); k * grid < high; k++) {
      scale.push(line(`M${left} ${Y(k * grid)}H${right}`, "ax"), text(left - 8, Y(k * grid) + 4, short(k * grid), "", "end"));
    }
    this.scales = { left, right, X, Y };
    this.stem = line(`M0 ${TOP}V${floor}`, "stem");
    this.dots = lines.map(({ colour }) => s("circle", { class: `dot ${colour}`, r: 3.5 }));
    const drawn = s("svg", { width, height, "aria-hidden": "true" }, scale,
      [0, 50, END].map((percent) => text(X(percent), height - 4, `${percent}%`, "", percent ? (percent < END ? "middle" : "end") : "start")),
      anchors.map(({ value }) => line(`M${left} ${Y(value)}H${right}`, "anc")),
      lines.map(({ values, colour }) => line(values.map((value, i) => `${i ? "L" : "M"}${X(i).toFixed(1)} ${Y(value).toFixed(1)}`).join(""), `ln ${colour}`)),
      this.stem, this.dots);
    this.values = rows.map(() => h("span", { class: "value" }));
    const ends = rows.map((row, k) => ({ ...row, value: this.values[k], y: Y(row.end) }));
    if (ends.length) spread(ends, Math.min(LABEL, (floor - TOP) / ends.length), TOP, floor);
    for (const { y, at, colour } of ends) drawn.append(line(`M${right + 2} ${y}L${right + 12} ${at}`, colour ? `lead ${colour}` : "lead"));
    plot.replaceChildren(drawn, ...ends.map((end) => this.#label(end, right + 16)));
    this.#place();
  }

  /* The name at the end of a line, with the value that is read off. */
  #label({ at, name, note, colour, value }, left) {
    const title = note ? `${name}, ${note[1]}` : name;
    return h("span", { class: `end ${colour ?? "anchor"}`, style: { left: `${left}px`, top: `${at}px` }, title, "aria-hidden": "true" },
      value, h("span", { class: "nowrap" }, colour ? name : name.toLowerCase()), note ? h("span", { class: "mut note" }, note[0]) : null);
  }

  /* Only what is read off changes while one moves along the axis. */
  #place() {
    const { scales, at, lines, anchors, plot } = this;
    if (!scales || !this.values) return;
    const { X, Y } = scales, figures = [...lines.map(({ values }) => values[at]), ...anchors.map(({ value }) => value)];
    this.stem.setAttribute("transform", `translate(${X(at)} 0)`);
    this.stem.style.visibility = at < END ? "" : "hidden";
    lines.forEach((_, k) => { this.dots[k].setAttribute("cx", X(at)); this.dots[k].setAttribute("cy", Y(figures[k])); });
    figures.forEach((value, k) => { if (this.values[k]) setText(this.values[k], f3(value)); });
    setText(this.where, at < END ? `at ${at} % of the budget` : "at the end");
    plot.setAttribute("aria-valuenow", at);
    plot.setAttribute("aria-valuetext", `${at} %${[...lines, ...anchors].map(({ name }, k) => `${k ? ", " : ": "}${name} ${f3(figures[k])}`).join("")}`);
  }
}
