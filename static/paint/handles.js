/* What lies over the canvas and is never paint: the stroke's handles, the brush's outline, the crosshair, a refused stroke. */
import { s } from "../dom.js";
import { pixelRadius } from "../mask.js";

const twice = (d) => [s("path", { d, class: "halo-line" }), s("path", { d, class: "ink-line" })];
const ring = (p, r, kind = "") => [s("circle", { cx: p.x, cy: p.y, r, class: `halo-line ${kind}` }), s("circle", { cx: p.x, cy: p.y, r, class: `ink-line ${kind}` })];

export class Handles {
  constructor(svg, view) {
    Object.assign(this, { svg, view, size: 128, curve: null, radii: [0, 0], brush: null, cross: null, ghost: null });
  }

  /** Show parts: curve {start, control, end}, radii, brush (a point), cross (a point), ghost (a curve, with
      `contact`, the place where it touched a wall, if it did); null hides. */
  set(parts) {
    Object.assign(this, parts);
    this.draw();
  }

  draw() {
    const { side } = this.view; // known, not measured: reading it from the page would force a layout in each frame
    if (side !== this.side) this.svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
    this.side = side;
    const at = (point) => { const f = this.view.toFrame(point); return { x: f.x * side, y: f.y * side }; };
    const px = (radius) => (pixelRadius(radius, this.size) / this.size) * side * this.view.zoom;
    this.svg.replaceChildren(...[
      this.ghost && this.#ghost(this.ghost, at),
      this.curve && this.#curve(this.curve, at, px),
      this.brush && ring(at(this.brush), Math.max(1.5, px(this.radii[0]))),
      this.cross && this.#cross(at(this.cross), px),
    ].filter(Boolean).flat(2));
  }

  #curve({ start, control, end }, at, px) {
    const [a, c, b] = [start, control, end].map(at);
    return [
      ...twice(`M${a.x} ${a.y}Q${c.x} ${c.y} ${b.x} ${b.y}`),
      s("path", { d: `M${a.x} ${a.y}L${c.x} ${c.y}L${b.x} ${b.y}`, class: "dash-line under" }), s("path", { d: `M${a.x} ${a.y}L${c.x} ${c.y}L${b.x} ${b.y}`, class: "dash-line" }),
      ...ring(a, px(this.radii[0]), "soft"), ...ring(b, px(this.radii[1]), "soft"),
      s("circle", { cx: a.x, cy: a.y, r: 3.5, class: "knob" }), s("rect", { x: c.x - 4, y: c.y - 4, width: 8, height: 8, class: "knob" }),
      s("circle", { cx: b.x, cy: b.y, r: 3.5, class: "knob" }),
    ];
  }

  #cross(p, px) {
    return [
      ...twice(`M${p.x - 14} ${p.y}H${p.x - 4}M${p.x + 4} ${p.y}H${p.x + 14}M${p.x} ${p.y - 14}V${p.y - 4}M${p.x} ${p.y + 4}V${p.y + 14}`),
      ...ring(p, Math.max(2, px(this.radii[0])), "soft"),
    ];
  }

  #ghost({ start, control, end, contact = null }, at) {
    const [a, c, b] = [start, control, end].map(at), m = contact ? at(contact) : { x: (a.x + 2 * c.x + b.x) / 4, y: (a.y + 2 * c.y + b.y) / 4 };
    return [
      s("path", { d: `M${a.x} ${a.y}Q${c.x} ${c.y} ${b.x} ${b.y}`, class: "refused-line" }),
      contact ? s("circle", { cx: m.x, cy: m.y, r: 12, class: "refused-place" }) : [],
      s("path", { d: `M${m.x - 6} ${m.y - 6}l12 12m0 -12l-12 12`, class: "refused-cross" }),
    ];
  }
}
