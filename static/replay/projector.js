/* Shows a session's pictures: asks a film for a step and draws what comes, the latest wish first. */
import { Booth, canCheck } from "./booth.js";

const FAR = 64; // steps

/* A booth in the page, with a worker's manners. */
class Inside {
  constructor(told) { this.booth = new Booth(told); }
  postMessage(message) { this.booth[message.type](message); }
  terminate() { this.booth.tell = () => {}; }
}

export class Projector {
  /**
   * Show on `canvas` a session that begins with the RGBA bytes `start`, `size` wide; `look` is the brush of a task whose strokes are paths.
   * `inside`: without a worker. `hooks`: drawn(step), checked({upto, wrong}).
   */
  constructor(canvas, { size, start, look = null, inside = false }, hooks = {}) {
    Object.assign(this, { size, hooks, actions: [], length: 0, waiting: null, wanted: null, shown: null });
    this.context = canvas.getContext("2d", { willReadFrequently: true });
    this.checks = { able: canCheck(), upto: 0, wrong: [] };
    this.begun = { type: "begin", size, start, look };
    this.#start(inside);
  }

  #start(inside) {
    if (inside) this.film = new Inside((message) => this.#told(message));
    else {
      this.film = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      this.film.onmessage = ({ data }) => this.#told(data);
      this.film.onerror = (event) => { // a browser that cannot start it shows the pictures all the same
        event.preventDefault();
        this.film.terminate();
        const again = this.wanted ?? this.waiting;
        Object.assign(this, { waiting: null, wanted: null });
        this.#start(true);
        if (again !== null) this.show(again);
      };
    }
    this.film.postMessage(this.begun);
    if (this.actions.length) this.film.postMessage({ type: "add", actions: this.actions });
  }

  /** Add the entries of a record that are new: those from `length` of `actions` on, in their order. */
  add(record) {
    const actions = [];
    for (let entry; (entry = record.at(this.actions.length + actions.length));) {
      const { kind, outcome, stroke, digest } = entry;
      actions.push({ kind, outcome, stroke, digest });
      if (kind !== "submit" || outcome !== "applied") this.length += 1;
    }
    if (!actions.length) return;
    this.actions.push(...actions);
    this.film.postMessage({ type: "add", actions });
  }

  /** Draw a step as soon as it is painted; of wishes that wait only the last counts. Whether it can be drawn at all. */
  show(step) {
    if (step > this.length) return false;
    if (this.waiting !== null) this.wanted = step;
    else if (step !== this.shown) {
      this.waiting = step;
      this.film.postMessage({ type: "show", step });
    }
    return true;
  }

  /** Whether a step is so far from every picture that is painted by now that another way to it is faster. */
  far(step) { return step > this.checks.upto + FAR && step !== this.shown; }

  /** Something else is drawn from now on: nothing that is on its way may come after it. */
  rest() { Object.assign(this, { shown: null, wanted: null, muted: this.waiting !== null }); }

  close() {
    this.closed = true;
    this.film.terminate();
  }

  #told(message) {
    if (this.closed) return;
    if (message.type === "checked") {
      this.checks.upto = message.upto;
      this.checks.wrong.push(...message.wrong);
      this.hooks.checked?.(this.checks);
      return;
    }
    const { wanted, muted } = this;
    Object.assign(this, { waiting: null, wanted: null, muted: false });
    if (!muted) {
      this.context.putImageData(new ImageData(message.pixels, this.size, this.size), 0, 0);
      this.shown = message.step;
      this.hooks.drawn?.(message.step);
    }
    if (wanted !== null) this.show(wanted);
  }
}
