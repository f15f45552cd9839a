/* The path of a stroke over a canvas, with its width at both ends; red and dotted where it was refused. */
import { s } from "../dom.js";
import { dressed, pixelRadius } from "../mask.js";

/** An entry's stroke as an SVG of the canvas's own size. */
export function strokeOutline({ stroke, outcome, contact }, task) {
  const size = task.width, { x_start: x0, y_start: y0, x_control: x1, y_control: y1, x_end: x2, y_end: y2, radius_start: r0, radius_end: r2 } = dressed(stroke, task.brush);
  const [ax, ay, bx, by, cx, cy] = [x0, y0, x1, y1, x2, y2].map((value) => value * size), d = `M${ax} ${ay}Q${bx} ${by} ${cx} ${cy}`;
  const refused = outcome !== "applied";
  const ends = [[ax, ay, r0], [cx, cy, r2]].flatMap(([x, y, r]) => ["halo-line", "ink-line"].map((kind) => s("circle", { class: kind, cx: x, cy: y, r: pixelRadius(r, size) })));
  return s("svg", { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" },
    refused ? s("path", { class: "refused-line", d }) : [s("path", { class: "halo-line", d }), s("path", { class: "ink-line", d }), ...ends],
    contact ? s("circle", { class: "refused-place", cx: contact.x * size, cy: contact.y * size, r: size / 50 }) : null);
}
