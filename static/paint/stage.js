/* The canvas, with a reference beside it or alone: painted pixels, preview, overlays and everything that a pointer or a
   key does to them. */
import { announce, eachFrame } from "../dom.js";
import { Pixels } from "../canvas.js";
import { curveOf, fitPressure, fitQuadratic, straight } from "../curve.js";
import { pictureLayout } from "../layout.js";
import { Aim } from "./aim.js";
import { Eyedropper } from "./eyedropper.js";
import { Handles } from "./handles.js";
import { Overlays } from "./overlays.js";
import { watchPointers } from "./pointer.js";
import { Preview } from "./preview.js";
import { View } from "./view.js";

const BESIDE = { columns: 2, rail: [272, 360], bar: 96 }; // the layout of a canvas and its reference

export class Stage {
  /**
   * `brush` is the Brush in hand, or a fixed one. `hooks`: painting() the current Painting, begin() at the first touch,
   * zoomed(zoom) and, beside a reference, picked(rgb, where) and picking(on).
   * `grid`, `below` and `layout` are those of `pictureLayout`; without a `reference` the canvas begins as the task's picture.
   */
  constructor(host, brush, hooks, { grid, below, reference = true, layout = BESIDE }) {
    const $ = (name) => host.querySelector(`[data-${name}]`);
    Object.assign(this, { host, brush, hooks, frame: $("frame"), size: 128, referencePixels: null });
    this.referenceFrame = reference ? $("ref-frame") : null;
    this.view = new View([this.referenceFrame, this.frame].filter(Boolean), () => { this.#redraw(); hooks.zoomed(this.view.zoom); });
    this.handles = new Handles($("handles"), this.view);
    this.marks = [this.handles];
    this.pixels = new Pixels($("canvas"), () => this.overlays?.refresh());
    this.preview = new Preview($("preview"), (stroke, contact) => this.refused(stroke, contact));
    if (reference) this.#beside($);
    this.layout = pictureLayout(host, (fit) => { this.view.resize(fit); this.#redraw(); }, { grid, below, ...layout });
    this.panning = false;
    this.used = eachFrame(() => brush.used(), { later: true });
    this.invite = $("invite");
    this.#watch();
    this.aim = new Aim(this.frame, () => this.size, {
      allowed: () => hooks.painting()?.canPaint ?? false,
      begin: () => hooks.begin(),
      draft: (curve) => this.#draft(curve),
      cross: (point) => {
        if (point) this.invite.hidden = true;
        for (const marks of this.marks) marks.set({ cross: point, brush: null, radii: brush.radii() });
      },
      paint: (curve) => this.#paint(curve),
      reveal: (point) => this.view.reveal(point),
      pick: (point) => { if (reference) hooks.picked(this.#referenceColour(point)); },
    });
  }

  /* What only a canvas with its reference has. */
  #beside($) {
    const { host, hooks } = this;
    this.reference = $("reference");
    this.onion = $("onion");
    this.twin = new Handles($("twin"), this.view); // on the reference: where the hand is on the canvas
    this.marks.push(this.twin);
    this.overlays = new Overlays(host, this.pixels, () => this.referencePixels);
    this.eyedropper = new Eyedropper(this.view, new Map([[this.referenceFrame, this.reference], [this.frame, this.pixels.canvas]]), {
      picked: (rgb) => hooks.picked(rgb),
      changed: (on) => { host.classList.toggle("picking", on); if (on) for (const marks of this.marks) marks.set({ brush: null }); hooks.picking(on); },
    });
  }

  #redraw() { for (const marks of this.marks ?? []) marks.draw(); }

  /** Another task and its picture, which is the reference or, without one, where the canvas begins. */
  show(task, bitmap) {
    this.size = task.width;
    for (const marks of this.marks) marks.size = task.width;
    this.cancel();
    this.view.reset();
    this.pixels.reset(task.width);
    this.preview.reset(task.width, task.brush);
    this.layout.refit(task.width);
    if (!this.reference) {
      this.pixels.context.drawImage(bitmap, 0, 0);
      return;
    }
    for (const canvas of [this.reference, this.onion]) {
      canvas.width = canvas.height = task.width;
      canvas.getContext("2d", { willReadFrequently: true }).drawImage(bitmap, 0, 0);
    }
    this.referencePixels = this.reference.getContext("2d", { willReadFrequently: true }).getImageData(0, 0, task.width, task.width);
    this.overlays.refresh();
  }

  cancel() {
    this.pointers.cancel();
    this.aim.hide();
    this.handles.set({ curve: null, ghost: null });
    for (const marks of this.marks) marks.set({ brush: null });
    this.preview.setDraft(null);
  }

  /** Hold Space: a drag moves the picture. */
  grab(on) {
    this.panning = on;
    this.host.classList.toggle("grab", on);
  }

  brushChanged() { this.handles.set({ radii: this.brush.radii() }); }

  #referenceColour(point) {
    const { data, width } = this.referencePixels, last = width - 1;
    const at = 4 * (Math.min(last, Math.floor(point.y * width)) * width + Math.min(last, Math.floor(point.x * width)));
    return [...data.slice(at, at + 3)];
  }

  #watch() {
    document.addEventListener("keydown", (event) => this.#arrows(event));
    const picks = (event) => this.eyedropper && (this.eyedropper.active || event.altKey);
    const tool = (event) => (this.panning ? "pan" : picks(event) ? "pick" : null);
    this.pointers = watchPointers(this.frame, this.view, {
      tool: (event) => tool(event) ?? (this.hooks.painting()?.canPaint ? "draw" : null),
      begin: (samples, info) => this.#begin(samples, info),
      move: (samples, info) => this.#sketch(samples, info),
      end: (samples, info) => this.#end(samples, info),
      cancel: () => this.#stop(),
      hover: (event) => this.#hover(this.frame, event),
      pick: (event, done) => this.eyedropper.at(this.frame, event, done),
      pinched: () => this.handles.draw(),
    });
    if (this.referenceFrame) watchPointers(this.referenceFrame, this.view, {
      tool: (event) => tool(event) ?? (this.view.zoom > 1 ? "pan" : null),
      begin: () => false, move() {}, end() {}, cancel() {},
      hover: (event) => this.#hover(this.referenceFrame, event),
      pick: (event, done) => this.eyedropper.at(this.referenceFrame, event, done),
      pinched() {},
    });
  }

  /* Arrows aim from wherever nothing has the focus. */
  #arrows(event) {
    if (event.target !== document.body || !event.key.startsWith("Arrow") || !this.host.offsetParent) return;
    event.preventDefault();
    this.frame.focus({ preventScroll: true });
    this.frame.dispatchEvent(new KeyboardEvent("keydown", event));
  }

  #hover(frame, event) {
    if (this.eyedropper) {
      if (event && (this.eyedropper.active || event.altKey)) { this.eyedropper.at(frame, event, false); return; }
      this.eyedropper.hide();
    }
    if (frame !== this.frame) return;
    const show = event && !this.panning && this.hooks.painting()?.canPaint;
    const brush = show ? this.view.toCanvas(frame, event) : null;
    for (const marks of this.marks) marks.set({ brush, radii: this.brush.radii() });
  }

  #begin(samples, info) {
    this.handles.set({ ghost: null });
    this.invite.hidden = true;
    this.hooks.begin();
    this.#sketch(samples, info);
    return true;
  }

  #curve(samples, info) { return info.straight ? straight(samples) : fitQuadratic(samples); }
  #pressure(samples, info) { return info.pen ? fitPressure(samples) : null; }

  /* At most one fit and one mask a frame, however fast the pointer reports. */
  #sketch(samples, info) {
    this.latest = { samples, info };
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      if (this.latest) this.#draft(this.#curve(this.latest.samples, this.latest.info), this.#pressure(this.latest.samples, this.latest.info));
    });
  }

  #draft(curve, pressure = null) {
    this.preview.setDraft(curve && this.brush.stroke(curve, pressure));
    this.handles.set({ curve, radii: this.brush.radii(pressure) });
  }

  #stop() {
    this.latest = null;
    this.#draft(null);
  }

  #end(samples, info) {
    const curve = this.#curve(samples, info), pressure = this.#pressure(samples, info);
    this.#stop();
    this.#paint(curve, pressure);
  }

  #paint(curve, pressure = null) {
    const painting = this.hooks.painting();
    if (!painting?.canPaint) { announce("This stroke was not painted: the budget is spent."); return; }
    this.handles.set({ ghost: null });
    painting.paint(this.brush.stroke(curve, pressure));
    this.used();
  }

  /** Mark a stroke that was not taken until the next one, with the place where it touched a wall; null takes the mark away. */
  refused(stroke, contact = null) {
    this.handles.set({ ghost: stroke && { ...curveOf(stroke), contact } });
  }
}
