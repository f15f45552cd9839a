/* What a call's data say, drawn from the numbers alone: small on its card, and large with axes and names. */
import { clamp, h, s } from "../dom.js";

const MOST_DRAWN = 2000; // values of a chart; more are thinned
const SMALL = { width: 72, height: 72, top: 8, right: 8, bottom: 8, left: 8 };
const LARGE = { width: 640, height: 360, top: 16, right: 16, bottom: 40, left: 56 };
const px = (value) => Math.round(value * 10) / 10;
const nice = (value) => (Math.abs(value) >= 1e6 || (value && Math.abs(value) < 1e-3) ? value.toExponential(1) : String(Number(value.toPrecision(6)))).replace("-", "−");

/* Round numbers over a range, about `count` of them. */
function ticks(low, high, count = 5) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw)), step = power * [1, 2, 5, 10].find((by) => by * power >= raw);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9 && found.length < 20; value += step) found.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  return found;
}

function range(values, { zero }) {
  let low = zero ? 0 : Infinity, high = zero ? 0 : -Infinity;
  for (const value of values) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  if (low > high) return [0, 1];
  if (low === high) return low === 0 ? [0, 1] : [Math.min(low, 0), Math.max(high, 0)];
  return [low, high];
}

const mark = (k) => `c${(k % 5) + 1}`;
const thinned = (list) => (list.length <= MOST_DRAWN ? list : list.filter((_, k) => k % Math.ceil(list.length / MOST_DRAWN) === 0));

function pie(view, size) {
  const values = (view.series[0]?.values ?? []).map((value) => Math.max(0, value ?? 0)), total = values.reduce((sum, value) => sum + value, 0) || 1;
  const radius = Math.min(size.width, size.height) / 2 - 6, cx = size === SMALL ? size.width / 2 : radius + 6, cy = size.height / 2;
  const shown = values.length > 60 ? values.slice(0, 60) : values;
  let from = -Math.PI / 2;
  const at = (angle) => `${px(cx + radius * Math.cos(angle))} ${px(cy + radius * Math.sin(angle))}`;
  return shown.map((value, k) => {
    const to = from + (2 * Math.PI * value) / total, whole = value / total > 0.9999;
    const d = `M${px(cx)} ${px(cy)}L${at(from)}A${px(radius)} ${px(radius)} 0 ${to - from > Math.PI ? 1 : 0} 1 ${at(to)}Z`;
    const part = whole ? s("circle", { cx, cy, r: radius, class: `slice ${mark(k)}` }) : s("path", { d, class: `slice ${mark(k)}` });
    from = to;
    return part;
  });
}

/* Bars, lines and points on two axes. */
function plot(view, size) {
  const inner = { x: size.left, y: size.top, w: size.width - size.left - size.right, v: size.height - size.top - size.bottom };
  const count = Math.max(1, ...view.series.map(({ values }) => values.length)), bars = view.kind === "bar";
  const [low, high] = range(view.series.flatMap(({ values }) => values), { zero: bars });
  const y = (value) => inner.y + inner.v * (1 - (value - low) / (high - low));
  const [left, right] = view.x ? range(view.x, { zero: false }) : [0, Math.max(1, count - 1)];
  const slot = inner.w / count, across = (value) => inner.x + (inner.w * (value - left)) / (right - left || 1);
  const x = (k) => (bars ? inner.x + slot * (k + 0.5) : view.x ? across(view.x[k]) : count === 1 ? inner.x + inner.w / 2 : across(k));
  const level = (name, value) => s("line", { class: name, x1: inner.x, x2: inner.x + inner.w, y1: px(y(value)), y2: px(y(value)) });
  const drawn = [];
  if (size === LARGE) {
    const beside = (value) => s("text", { class: "tx", x: inner.x - 8, y: px(y(value)) + 4, "text-anchor": "end" }, nice(value));
    for (const value of ticks(low, high)) drawn.push(level("ax", value), beside(value));
    const every = Math.ceil(count / 10);
    const below = (at, text) => drawn.push(s("text", { class: "tx", x: px(at), y: size.height - 16, "text-anchor": "middle" }, text));
    if (view.x) for (const value of ticks(left, right, 6)) below(across(value), nice(value));
    else view.labels.forEach((label, k) => { if (k % every === 0) below(x(k), label.length > 14 ? `${label.slice(0, 13)}…` : label); });
  }
  view.series.slice(0, 20).forEach(({ values }, k) => {
    const points = thinned(values.map((value, at) => [at, value]).filter(([at, value]) => Number.isFinite(value) && (!view.x || Number.isFinite(view.x[at]))));
    if (bars) {
      const beside = Math.min(view.series.length, 20), wide = Math.max(0.5, (slot * 0.76) / beside), zero = y(clamp(0, low, high));
      for (const [at, value] of points) drawn.push(s("rect", { class: mark(k), x: px(x(at) - (wide * beside) / 2 + wide * k), width: px(wide),
        y: px(Math.min(y(value), zero)), height: Math.max(0.8, px(Math.abs(y(value) - zero))) }));
    } else if (view.kind === "line" && points.length > 1) {
      const order = view.x ? [...points].sort(([a], [b]) => view.x[a] - view.x[b]) : points;
      drawn.push(s("path", { class: `curve ${mark(k)}`, d: `M${order.map(([at, value]) => `${px(x(at))} ${px(y(value))}`).join("L")}` }));
    } else for (const [at, value] of points) drawn.push(s("circle", { class: mark(k), cx: px(x(at)), cy: px(y(value)), r: size === LARGE ? 4 : 2 }));
  });
  if (bars || view.kind === "line") drawn.push(level("ax2", clamp(0, low, high)));
  return drawn;
}

const draw = (view, size) => s("svg", { class: "chart", viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-label": described(view) },
  view.kind === "pie" ? pie(view, size) : plot(view, size));

/** A chart in words. */
export function described(view) {
  const kind = { bar: "Bar chart", line: "Line chart", pie: "Pie chart", scatter: "Scatter plot" }[view.kind];
  return `${kind}${view.title ? `: ${view.title}` : ""}, ${view.series[0]?.values.length ?? 0} values${view.series.length > 1 ? ` in ${view.series.length} series` : ""}`;
}
/** For a card: 72 px, without axes. */
export const smallChart = (view) => draw(view, SMALL);
/** With axes and names. */
export function largeChart(view) {
  const names = view.kind === "pie" ? view.labels.slice(0, 60) : view.series.length > 1 ? view.series.slice(0, 20).map(({ name }) => name) : [];
  return h("figure", { class: "chart-large" }, draw(view, LARGE),
    names.length > 0 && h("figcaption", { class: "legend" }, names.map((name, k) => h("span", {}, h("i", { class: mark(k) }), name || `Series ${k + 1}`))),
    view.note && h("p", { class: "xs mut" }, view.note));
}
