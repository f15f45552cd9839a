/* Players as points on two figures, with what each is sure to; and pass rates over repeated attempts. */
import { line, spread, text } from "../charts.js";
import { clamp, eachFrame, h, s, setText } from "../dom.js";
import { placed } from "./analysislabels.js";
import { roving, stops } from "./analysistip.js";
import { outline } from "./analysiswords.js";
import { count, intervalOf, sureness } from "./statistics.js";

const LINE = 16, TIGHT = 13, NAME = 148; // px: height of a name, the least of it, and its greatest width
const COVERED = 6; // px between points that cover each other
const HIGH = { wide: 336, narrow: 280 };
const pen = document.createElement("canvas").getContext("2d");

/* A text no wider than `most` px, with its width. */
function fitted(words, most, font) {
  pen.font = font;
  const wide = (text) => Math.ceil(pen.measureText(text).width);
  if (wide(words) <= most) return { text: words, width: wide(words) };
  let cut = words.slice(0, 60);
  while (cut.length > 1 && wide(`${cut}…`) > most) cut = cut.slice(0, -1);
  return { text: `${cut.trimEnd()}…`, width: wide(`${cut.trimEnd()}…`) };
}

/* The same of a name with how many more stand at its place, which is always to be read. */
function withMore(name, more, most, font) {
  if (!more) return fitted(name, most, font);
  const end = fitted(` +${more}`, most, font), { text, width } = fitted(name, most - end.width, font);
  return { text: `${text} +${more}`, width: width + end.width };
}

/* Points that cover each other, as lists: they have one name. */
function together(points) {
  const spots = [];
  for (const point of points) {
    const spot = spots.find(([first]) => Math.hypot(first.cx - point.cx, first.cy - point.cy) < COVERED);
    if (spot) spot.push(point); else spots.push([point]);
  }
  return spots;
}

/* Round steps from `low` to `high`, about `most` of them. */
function ticks(low, high, most) {
  const raw = (high - low) / most, power = 10 ** Math.floor(Math.log10(raw)), step = power * [1, 2, 2.5, 5, 10].find((by) => by * power >= raw * 0.999);
  const marks = [];
  for (let k = Math.ceil(low / step - 1e-6); k * step <= high + step * 1e-6; k++) marks.push(k * step);
  return { marks, step };
}

/* The ends of an axis around means with their intervals: a share stays between 0 and 1, a number above 0, and little looks like little. */
function ends(means, { high }) {
  const all = means.flatMap(({ value, low, high: top }) => [value, low, top]).filter((value) => value != null), least = high === 1 ? 0.1 : 1;
  let [from, to] = [Math.min(...all), Math.max(...all)];
  const room = Math.max(0.06 * (to - from), (least - (to - from)) / 2);
  [from, to] = [from - room, to + room];
  const { step } = ticks(from, to, 4);
  [from, to] = [Math.max(0, Math.floor(from / step + 1e-9) * step), Math.ceil(to / step - 1e-9) * step];
  return [from, high === 1 ? Math.min(1, to) : to];
}

/** A figure of a player in words: its value, how sure it is, of how many. */
export function figureLines(label, mean, its) {
  if (mean.value == null) return [[label, "not known"]];
  return [[label, its.write(mean.value)], ["95% interval", sureness({ undefined: 0, ...mean }, its)[0]], ["n", count(mean.n)]];
}
export const inWords = (told) => `${told.title}: ${told.lines.map(([name, value]) => `${name} ${value}`).join(", ")}`;

/* A card that draws itself as wide as it is. */
class Plot {
  constructor(title, says, tip, kind) {
    this.host = h("div", { class: `plot ${kind}`, role: "group", "aria-label": title });
    this.note = h("p", { class: "xs mut plot-note" });
    this.left = h("p", { class: "xs mut plot-note" });
    this.element = h("section", { class: "card plotted", "aria-label": title }, h("h2", {}, title), h("p", { class: "sm mut" }, says), this.host, this.note, this.left);
    this.redraw = eachFrame(() => { if (this.host.clientWidth && this.shown) this.draw(this.host.clientWidth); });
    new ResizeObserver(() => this.redraw()).observe(this.host);
    this.told = new WeakMap();
    tip.watch(this.host, "[data-point]", (point) => this.told.get(point));
    roving(this.host, "[data-point]");
  }

  get font() { return `550 12px ${getComputedStyle(this.host).fontFamily}`; }

  /* Say whose names the plot has no room for. */
  unnamed(names) { setText(this.left, names.length ? `Without a name: ${names.join(", ")}.` : ""); }

  /* In place of a plot: that there is nothing to draw. */
  lacks(words) {
    this.host.replaceChildren(h("p", { class: "hole small" }, words));
    this.unnamed([]);
  }

  /* A point of a player that can have the focus. */
  point(key, told, mark, ...drawn) {
    const group = s("g", { "data-point": key, role: "img", "aria-label": inWords(told), class: `point ${mark.colour}` }, drawn);
    this.told.set(group, told);
    return group;
  }

  put(width, height, ...drawn) {
    const held = this.host.contains(document.activeElement) ? document.activeElement.dataset.point : null;
    this.host.replaceChildren(s("svg", { width, height }, drawn));
    const points = stops([...this.host.querySelectorAll("[data-point]")]);
    if (held != null) points.find((one) => one.dataset.point === held)?.focus({ preventScroll: true });
  }
}

export class Scatter extends Plot {
  /** `x` and `y`: {label, scale}; `even`: whether the line on which both are the same is drawn, and what it says. */
  constructor({ title, says, x, y, even = null }, tip) {
    super(title, says, tip, "scatter");
    Object.assign(this, { x, y, even });
    if (even) this.note.textContent = even;
  }

  /** Show players [{name, mark, x, y}] whose figures are means with intervals; those without one of them are told of. */
  show(players) {
    this.shown = players.filter(({ x, y }) => x.value != null && y.value != null);
    const left = players.filter((one) => !this.shown.includes(one));
    this.note.textContent = [this.even, left.length ? `Without a point: ${left.map(({ name }) => name).join(", ")}.` : ""].filter(Boolean).join(" ");
    if (!this.shown.length) {
      this.note.textContent = "";
      this.lacks(`No player has both figures yet: ${this.x.label} and ${this.y.label}.`);
    }
    this.redraw();
  }

  draw(width) {
    const { shown, x, y } = this;
    if (!shown.length) return;
    const narrow = width < 480, height = narrow ? HIGH.narrow : HIGH.wide, area = { x: 48, y: 20, w: width - 72, h: height - 68 };
    const [[x0, x1], [y0, y1]] = [ends(shown.map((one) => one.x), x.scale), ends(shown.map((one) => one.y), y.scale)];
    const X = (value) => area.x + (clamp(value, x0, x1) - x0) / (x1 - x0) * area.w, Y = (value) => area.y + area.h - (clamp(value, y0, y1) - y0) / (y1 - y0) * area.h;
    const floor = area.y + area.h, across = ticks(x0, x1, narrow ? 4 : 6), up = ticks(y0, y1, 5), drawn = [];
    const says = (value, { scale: { high } }, step) => (high === 1 ? `${Number((100 * value).toFixed(1))}%` : value.toFixed(step < 1 ? (step < 0.1 ? 2 : 1) : 0));
    for (const value of up.marks) drawn.push(line(`M${area.x} ${Y(value)}H${area.x + area.w}`, "ax"), text(area.x - 8, Y(value) + 4, says(value, y, up.step), "", "end"));
    for (const value of across.marks) drawn.push(line(`M${X(value)} ${floor}v4`, "ax2"), text(X(value), floor + 18, says(value, x, across.step), "", "middle"));
    drawn.push(line(`M${area.x} ${floor}H${area.x + area.w}`, "ax2"), text(area.x + area.w, height - 6, `${x.label} →`, "d", "end"));
    const [from, to] = [Math.max(x0, y0), Math.min(x1, y1)];
    if (this.even && to > from) drawn.push(line(`M${X(from)} ${Y(from)}L${X(to)} ${Y(to)}`, "anc"));
    const whiskers = [], at = shown.map((one) => ({ ...one, cx: X(one.x.value), cy: Y(one.y.value) }));
    const whisker = ({ x: across, y: up, cx, cy }) => {
      const parts = [], [h1, v1] = [intervalOf(across), intervalOf(up)];
      if (h1.why == null) { parts.push(`M${X(h1.low)} ${cy}H${X(h1.high)}`); whiskers.push({ x: X(h1.low), y: cy - 1, w: X(h1.high) - X(h1.low), h: 2 }); }
      if (v1.why == null) { parts.push(`M${cx} ${Y(v1.low)}V${Y(v1.high)}`); whiskers.push({ x: cx - 1, y: Y(v1.high), w: 2, h: Y(v1.low) - Y(v1.high) }); }
      return parts.join("");
    };
    const paths = at.map(whisker), spots = together(at);
    const names = spots.map(([{ name }, ...more]) => withMore(name, more.length, Math.min(NAME, area.w / 2.4), this.font));
    const boxes = placed(spots.map(([{ cx, cy }], k) => ({ x: cx, y: cy, w: names[k].width, h: LINE })), whiskers, { ...area, x: area.x + 2, w: width - area.x - 2 });
    this.unnamed(spots.filter((_, k) => !boxes[k]).flat().map(({ name }) => name));
    drawn.push(at.map((one, k) => {
      const { name, mark, x: across, y: up, cx, cy } = one, place = spots.findIndex((spot) => spot.includes(one)), label = spots[place][0] === one ? boxes[place] : null;
      const others = spots[place].filter((other) => other !== one).map((other) => other.name);
      const told = { title: name, lines: [...figureLines(y.label, up, y.scale), ...figureLines(x.label, across, x.scale),
        ...(others.length ? [["Here too", others.join(", ")]] : [])] };
      const leader = label?.far ? line(`M${cx} ${cy}L${clamp(cx, label.x, label.x + label.w)} ${clamp(cy, label.y, label.y + label.h)}`, "lead") : null;
      return this.point(name, told, mark, leader, line(paths[k], "whisker"), line(outline(mark, cx, cy), "spot"),
        s("circle", { class: "grasp", cx, cy, r: 14 }), label ? text(label.x, label.y + 12, names[place].text, "halo name") : null);
    }));
    this.put(width, height, text(area.x, 10, `↑ ${y.label}`, "d halo"), drawn);
  }
}

/* Lines of players over whole numbers. */
class Lines extends Plot {
  /* `lines` are [{name, mark, kind, points: [{at, value, size, low, high, key, told}]}], `top` the upper end, `write` a value of the axis. */
  lines(width, lines, { top, write, least = 1, label, up, beyond = null, labelled }) {
    const most = Math.max(...lines.flatMap(({ points }) => points.map(({ at }) => at)), least + 1), height = width < 480 ? HIGH.narrow : HIGH.wide;
    const names = Math.min(NAME + 8, width / 3), area = { x: 48, y: 20, w: width - 48 - names, h: height - 64 }, floor = area.y + area.h;
    const X = (at) => area.x + 12 + ((at - least) / (most - least)) * (area.w - 24), Y = (value) => floor - (Math.min(value, top) / top) * area.h, drawn = [],
      ending = [];
    const { marks, step } = ticks(0, top, 5);
    for (const value of marks) drawn.push(line(`M${area.x} ${Y(value)}H${area.x + area.w}`, "ax"), text(area.x - 8, Y(value) + 4, write(value, step), "", "end"));
    const every = Math.ceil((most - least + 1) / Math.max(3, Math.floor(area.w / 40)));
    for (let at = least; at <= most; at += every) drawn.push(text(X(at), floor + 18, String(at), "", "middle"));
    drawn.push(line(`M${area.x} ${floor}H${area.x + area.w}`, "ax2"), text(area.x + area.w, height - 6, `${label} →`, "d", "end"));
    if (beyond) drawn.push(line(`M${X(least)} ${Y(least)}L${X(Math.min(most, top))} ${Y(Math.min(most, top))}`, "anc"));
    for (const { name, mark, kind, points } of lines) {
      drawn.push(line(points.map(({ at, value }, k) => `${k ? "L" : "M"}${X(at)} ${Y(value)}`).join(""), `ln ${mark.colour} ${kind}`));
      drawn.push(points.map(({ at, value, low, high, key, told, thin }) => this.point(key, told, mark,
        low == null ? null : line(`M${X(at)} ${Y(low)}V${Y(high)}`, "whisker"),
        line(outline(mark, X(at), Y(value)), `spot ${kind} ${thin ? "thin" : ""}`), s("circle", { class: "grasp", cx: X(at), cy: Y(value), r: 12 }))));
      if (labelled(kind)) ending.push({ name, mark, x: X(points.at(-1).at) + 8, y: Y(points.at(-1).value) });
    }
    const room = Math.floor(area.h / TIGHT) + 1, ended = ending.slice(0, room); // the names of more would cover each other
    this.unnamed(ending.slice(room).map(({ name }) => name));
    if (ended.length) for (const { name, mark, x, y, at } of spread(ended, Math.min(LINE, area.h / Math.max(1, ended.length - 1)), area.y, floor)) {
      drawn.push(line(`M${x} ${y}L${area.x + area.w + 2} ${at}`, "lead"),
        text(area.x + area.w + 6, at + 4, fitted(name, names - 8, this.font).text, `name ${mark.colour}`));
    }
    this.put(width, height, text(area.x, 10, `↑ ${up}`, "d halo"), drawn);
  }
}

const sample = (kind) => s("svg", { width: 28, height: 10, "aria-hidden": "true" }, line("M0 5H28", `ln ${kind}`));
const percent = (value) => `${Number((100 * value).toFixed(1))}%`;

export class Repeats extends Lines {
  constructor(tip) {
    super("Repeated attempts", "pass@k: at least one of k attempts passes; pass^k: all of k attempts pass. Means over the tasks with so many scored attempts.", tip,
      "repeats");
    this.note.replaceChildren(h("span", {}, sample(""), "pass@k"), h("span", {}, sample("all"), "pass^k"));
    this.note.classList.add("line-key");
  }

  /** Show players [{name, mark, repeats}] with two attempts or more; `scale` is that of rates. */
  show(players, scale) {
    Object.assign(this, { shown: players.filter(({ repeats }) => repeats.length), scale });
    this.redraw();
  }

  draw(width) {
    const rates = [["pass_at_k", "pass@", ""], ["pass_hat_k", "pass^", "all"]], { scale } = this;
    const of = ({ name, mark, repeats }) => rates.map(([rate, label, kind]) => ({ name, mark, kind,
      points: repeats.filter((one) => one[rate].value != null).map((one) => {
      const mean = one[rate], { low = null, high = null } = intervalOf(mean), key = `${label}${one.k}`;
      const lines = [...figureLines(key, mean, scale),
        ["Tasks", one.left_out ? `${count(one.tasks)}, without ${count(one.left_out)} of fewer attempts` : count(one.tasks)]];
      return { at: one.k, value: mean.value, low, high, key: `${name} ${key}`, told: { title: name, lines } };
    }) })).filter(({ points }) => points.length);
    const lines = this.shown.flatMap(of), all = lines.flatMap(({ points }) => points.map(({ value, high }) => ({ value, low: null, high })));
    this.lines(width, lines, { top: all.length ? ends([{ value: 0 }, ...all], scale)[1] : 1, write: percent, label: "Attempts k", up: "Rate",
      labelled: (kind) => !kind });
  }
}

export class Rounds extends Lines {
  constructor(tip) {
    super("Rounds against calls", "Calls of answers with so many rounds, on average; above the dotted line a round holds more than one call. Hollow: one answer only.",
      tip, "rounds");
  }

  /** Show players [{name, mark, rounds: [{rounds, answers, calls}]}] of which rounds are on record. */
  show(players) {
    this.shown = players.filter(({ rounds }) => rounds.length);
    if (!this.shown.length) this.lacks("Rounds are on record for answers of tool runs only.");
    this.redraw();
  }

  draw(width) {
    if (!this.shown.length) return;
    const lines = this.shown.map(({ name, mark, rounds }) => ({ name, mark, kind: "", points: rounds.map(({ rounds: at, answers, calls }) => ({
      at, value: calls, key: `${name} ${at}`, thin: answers === 1,
        told: { title: name, lines: [["Rounds", count(at)], ["Calls, mean", calls.toFixed(2)], ["n", count(answers)]] },
    })) }));
    const most = Math.max(...lines.flatMap(({ points }) => points.map(({ value }) => value)), 2);
    this.lines(width, lines, { top: ticks(0, most, 5).marks.at(-1) >= most ? most : Math.ceil(most / ticks(0, most, 5).step) * ticks(0, most, 5).step,
      write: (value) => String(Number(value.toFixed(1))), label: "Rounds", up: "Calls", beyond: true, labelled: () => true });
  }
}
