/* Inline SVG charts. Colours are tokens, so dark mode needs no redraw; text goes in as text nodes. */
import { bestStep, f3, s } from "./dom.js";

export const text = (x, y, content, kind = "", anchor = "start") => s("text", { class: `tx ${kind}`, x, y, "text-anchor": anchor }, content);
export const line = (d, kind, attributes = {}) => s("path", { class: kind, d, ...attributes });
const path = (values, X, Y) => values.map((v, i) => `${i ? "L" : "M"}${X(i).toFixed(1)} ${Y(v).toFixed(1)}`).join("");
export const short = (value) => value.toFixed(2).replace("-", "−");

/** The scale of a score without anchors: little looks like little. */
export const WHOLE = [0, 1.02];

/** Leader lines part labels that are nearer than `gap`; rows are {y, at} with `at` to be found. */
export function spread(rows, gap, low, high) {
  rows.sort((p, q) => p.y - q.y);
  for (const row of rows) row.at = row.y;
  for (let pass = 0; pass < 60; pass++) {
    for (let i = 1; i < rows.length; i++) {
      const lack = gap - (rows[i].at - rows[i - 1].at);
      if (lack > 0) { rows[i].at += lack / 2; rows[i - 1].at -= lack / 2; }
    }
    rows[0].at = Math.max(low, rows[0].at);
    rows.at(-1).at = Math.min(high, rows.at(-1).at);
  }
  // many rows have not come to rest by then: what is still too near is pushed down from the top, then up from the lower end
  rows.forEach((row, k) => { row.at = Math.max(row.at, k ? rows[k - 1].at + gap : low); });
  rows.at(-1).at = Math.min(high, rows.at(-1).at);
  for (let k = rows.length - 2; k >= 0; k--) rows[k].at = Math.min(rows[k].at, rows[k + 1].at - gap);
  return rows;
}

/** A vertical scale with the score among its anchors: [{name, value}], highest first or in any order. */
export function ruler(host, anchors, score) {
  const width = host.clientWidth, height = Math.max(132, Math.min(204, host.clientHeight)), x = 48;
  if (!width) return;
  const values = [score, ...anchors.map((a) => a.value)];
  const low = Math.min(...values) - 0.03, high = Math.max(...values) + 0.03;
  const Y = (v) => 8 + ((high - v) / (high - low)) * (height - 16);
  const [minor, major] = high - low > 0.45 ? [0.02, 0.1] : [0.01, 0.05];
  const marks = [];
  for (let k = Math.ceil(low / minor); k * minor <= high; k++) {
    const value = k * minor, big = Math.abs(value / major - Math.round(value / major)) < 1e-6;
    marks.push(line(`M${x - (big ? 12 : 6)} ${Y(value)}H${x}`, big ? "ax2" : "ax"));
    if (big) marks.push(text(x - 18, Y(value) + 4, short(value), "", "end"));
  }
  const rows = spread([...anchors.map((a) => ({ ...a, y: Y(a.value) })), { name: "this canvas", value: score, mine: true, y: Y(score) }], 20, 10, height - 10);
  for (const row of rows) {
    const from = x + (row.y > Y(score) || row.mine ? 6 : 2);
    marks.push(
      line(`M${from} ${row.y}H${x + 14}L${x + 26} ${row.at}H${x + 32}`, row.mine ? "lead mine" : "lead"),
      text(x + 38, row.at + 4, row.name, row.mine ? "a" : "d"), text(width, row.at + 4, f3(row.value), row.mine ? "a" : "k", "end"));
  }
  const label = `Similarity ${f3(score)} among ${anchors.map((a) => `${a.name} ${f3(a.value)}`).join(", ")}`;
  host.replaceChildren(s("svg", { width, height, role: "img", "aria-label": label }, marks,
    line(`M${x} ${Y(high)}V${Y(low)}`, "ax2"), s("rect", { x, y: Y(score), width: 4, height: Y(low) - Y(score), class: "bar" })));
}

/** A score, by its `name`, over steps with its best point and the anchors in sight; `total` is null when there is no budget. */
export function spark(host, values, total, anchors, name = "Similarity") {
  const width = host.clientWidth, height = Math.max(104, Math.min(280, host.clientHeight));
  if (!width) return;
  const step = values.length - 1, span = total ?? Math.max(20, Math.ceil((step + 1) / 20) * 20), floor = height - 18;
  const all = [...values, ...anchors.map((a) => a.value)], [low, high] = anchors.length ? [Math.min(...all) - 0.01, Math.max(...all) + 0.02] : WHOLE;
  // room at the top for the name of the highest anchor
  const X = (i) => 4 + (i / span) * (width - 8), Y = (v) => 14 + ((high - v) / (high - low)) * (floor - 18);
  const best = bestStep(values), curve = path(values, X, Y);
  const near = (a, b) => Math.abs(a - b) < 22;
  // the lower of two lines that are close has its name beneath it, if there is room above the axis
  const below = (a) => anchors.some((b) => b.value > a.value && Y(a.value) - Y(b.value) < 16) && Y(a.value) + 15 < floor;
  host.replaceChildren(s("svg", { width, height, role: "img", "aria-label": `${name} over ${step} steps, best ${f3(values[best])} at step ${best}` },
    line(`M0 ${floor}H${width}`, "ax"),
    line(`${curve}L${X(step)} ${floor}L${X(0)} ${floor}Z`, "area"),
    anchors.map((a) => line(`M0 ${Y(a.value)}H${width}`, "anc")),
    line(curve, "ln"),
    anchors.map((a) => text(width, Y(a.value) + (below(a) ? 13 : -5), a.name, "halo", "end")),
    s("circle", { class: "best", cx: X(best), cy: Y(values[best]), r: 4 }), s("circle", { class: "dot", cx: X(step), cy: Y(values[step]), r: 3 }),
    near(X(step), X(0)) ? null : text(0, height - 3, "0"), near(X(step), width) ? null : text(width, height - 3, total ?? "", "", "end"),
    text(Math.min(width, Math.max(0, X(step))), height - 3, step, "k", X(step) < 12 ? "start" : X(step) > width - 12 ? "end" : "middle")));
}

/** One tick for each step of the budget; from nine tenths on they warn. */
export function ticks(svg, used, total) {
  svg.setAttribute("viewBox", `0 0 ${total * 4} 8`);
  const ink = used >= total * 0.9 ? "warn" : "spent";
  svg.replaceChildren(...Array.from({ length: total }, (_, i) => s("rect", { x: i * 4, width: 2.4, height: 8, class: i < used ? ink : "left" })));
}

/** Values thinned to the lowest and highest of each pixel column: [[step, value]]. */
export function thinned(values, width) {
  if (values.length <= 2 * width) return values.map((value, i) => [i, value]);
  const out = [], span = values.length / width;
  for (let k = 0; k < width; k++) {
    const from = Math.floor(k * span), to = Math.min(values.length, Math.floor((k + 1) * span));
    let low = from, high = from;
    for (let i = from; i < to; i++) { if (values[i] < values[low]) low = i; if (values[i] > values[high]) high = i; }
    out.push(...[...new Set([Math.min(low, high), Math.max(low, high)])].map((i) => [i, values[i]]));
  }
  return [...out, [values.length - 1, values.at(-1)]];
}

/** What marks a notable step, by its kind. */
export const GLYPHS = {
  best: (x, y) => s("circle", { class: "best", cx: x, cy: y, r: 4 }),
  rise: (x, y) => s("path", { class: "m-rise", d: `M${x - 4.5} ${y + 3.5}h9l-4.5 -8z` }),
  drop: (x, y) => s("path", { class: "m-drop", d: `M${x - 4.5} ${y - 3.5}h9l-4.5 8z` }),
  repeat: (x, y) => s("path", { class: "m-repeat", d: `M${x - 2} ${y - 4}v8M${x + 2} ${y - 4}v8` }),
  undo: (x, y) => s("rect", { class: "m-undo", x: x - 3.5, y: y - 3.5, width: 7, height: 7 }),
  fork: (x, y) => s("path", { class: "m-fork", d: `M${x} ${y - 7}v14M${x} ${y - 1}l5 -5` }),
  rejected: (x, y) => s("path", { class: "m-refused", d: `M${x - 3.5} ${y - 3.5}l7 7m0-7l-7 7` }),
  invalid: (x, y) => s("path", { class: "m-refused", d: `M${x} ${y - 4.5}l4 4.5l-4 4.5l-4 -4.5z` }),
};
/** The glyph of a mark, for a legend. */
export const markGlyph = (kind) => s("svg", { class: "glyph", width: 14, height: 14, "aria-hidden": "true" }, GLYPHS[kind](7, 7));
