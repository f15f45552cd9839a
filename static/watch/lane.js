/* One session in a replay: what happened in it, and its picture at any step. At its head the picture is the server's own, as the
   event stream brings it; every other step is painted here. */
import { Projector } from "../replay/projector.js";
import { canvasUrl } from "../session/api.js";
import { Watched } from "../session/watched.js";
import { Sheet } from "../sheet.js";
import { startOf } from "./start.js";

export class Lane {
  /** Shows its session on `sheet`. `hooks`: changed() when anything has happened in it, shown(step) when a step is drawn, ready(), checked(checks), connection(state). */
  constructor(sheet, tab, hooks) {
    Object.assign(this, { sheet, tab, hooks, watched: null, projector: null, step: null });
    this.head = new Sheet(""); // the newest picture, off the page
    this.head.pixels.changed = () => { if (this.atHead) this.#head(); };
  }

  get id() { return this.watched?.id ?? null; }
  get view() { return this.watched.view; }
  get task() { return this.watched.task; }
  get record() { return this.watched.record; }
  /** Steps that there are. */
  get length() { return this.view.step; }
  /** Steps that there may be: the budget, or what has been made where there is none. */
  get total() { return this.view.protocol === "practice" ? Math.max(20, Math.ceil((this.length + 1) / 20) * 20) : this.task.budget; }
  get atHead() { return this.step === null; }
  /** The step that is shown. */
  get at() { return this.step ?? this.length; }

  /** Show a session: its `view`, and its reference or start as a bitmap. */
  open(view, bitmap) {
    this.close();
    const { task } = view;
    this.step = null;
    this.head.blank(task.width);
    this.sheet.blank(task.width);
    this.projector = new Projector(this.sheet.canvas, { size: task.width, start: startOf(task, bitmap), look: task.brush }, {
      drawn: (step) => this.hooks.shown?.(step), checked: (checks) => this.hooks.checked?.(checks),
    });
    this.watched = new Watched(view, {
      pixels: this.head.pixels, tab: this.tab,
      hooks: {
        changed: () => { this.projector.add(this.record); this.#wish(); this.hooks.changed(); },
        drawn: () => { this.#head(); this.hooks.ready?.(); },
        connection: (state) => this.hooks.connection?.(state),
      },
    });
  }

  /** Show a step; null, or the last one, is the head, which is followed. */
  show(step) {
    const to = step === null || step >= this.length ? null : step;
    if (to === null && this.step === null) return;
    this.step = to;
    if (to === null) this.#head();
    else this.#wish();
  }

  close() {
    this.watched?.close();
    this.projector?.close();
    this.watched = this.projector = null;
  }

  /* A step that is not on record yet is drawn when it is. One that is far from all that is painted by now comes from the server. */
  #wish() {
    if (this.step === null) return;
    if (this.projector.far(this.step)) this.#fetch();
    else this.projector.show(this.step);
  }

  async #fetch() {
    if (this.fetching) return; // the latest wish is looked at when it is done
    const { step, projector } = this;
    this.fetching = true;
    try {
      const response = await fetch(canvasUrl(this.id, step));
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const bitmap = await createImageBitmap(await response.blob(), { colorSpaceConversion: "none", premultiplyAlpha: "none" });
      if (projector === this.projector && this.step !== null) {
        projector.rest();
        this.sheet.context.drawImage(bitmap, 0, 0);
        this.hooks.shown?.(step);
      }
    } catch { projector.show(step); /* slowly, but it comes */ }
    this.fetching = false;
    if (projector === this.projector && this.step !== step) this.#wish();
  }

  #head() {
    if (!this.atHead || !this.projector) return;
    this.projector.rest();
    this.sheet.context.drawImage(this.head.canvas, 0, 0);
    this.hooks.shown?.(this.length);
  }
}
