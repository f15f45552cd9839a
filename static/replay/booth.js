/* Where a film runs: paints steps on demand and, in between, holds every one of them against its recorded digest, the SHA-256 of
   the picture's RGB bytes. The same in a worker and in a page that was opened from a file and can have none. */
import { Film, rgbOf } from "./film.js";

const SLICE = 10; // ms of work between two rests
const QUIET = 120; // ms after a wish in which nothing else is painted

/** Digests need a page of a secure origin: this machine, https, or a file. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Booth {
  /** `tell(message)` hears of {type: "frame", step, pixels} and {type: "checked", upto, wrong: [steps]}. */
  constructor(tell) { Object.assign(this, { tell, digests: [null], upto: 0, checking: false, asked: -QUIET }); }

  /** The untouched canvas as RGBA bytes, `size` wide, and the brush `look` of a task whose strokes are paths, else null. */
  begin({ size, start, look }) {
    this.film = new Film(size, start, look);
    this.reader = this.film.reader();
  }

  /** The next actions {kind, outcome, stroke, digest}. */
  add({ actions }) {
    for (const action of actions) {
      this.film.add(action);
      if (this.film.length === this.digests.length) this.digests.push(action.digest);
    }
    this.#check();
  }

  /** Paint a step. */
  show({ step }) {
    this.asked = performance.now();
    this.tell({ type: "frame", step, pixels: this.reader.at(step).slice() });
  }

  /* All steps in their order. Even where nothing can be checked it leaves kept pictures behind, so that any step is near one. */
  async #check() {
    if (this.checking) return;
    this.checking = true;
    const { film, digests } = this, reader = film.reader(), able = canCheck();
    let wrong = [], known = null, since = performance.now(); // the digest of the picture before; the last rest
    while (this.upto < film.length) {
      const step = this.upto + 1, pixels = known && film.same(step - 1, step) ? null : reader.at(step);
      if (able && pixels) known = hex(await crypto.subtle.digest("SHA-256", rgbOf(pixels)));
      if (able && digests[step] && digests[step] !== known) wrong.push(step);
      this.upto = step;
      const now = performance.now();
      if (now - since < SLICE && step < film.length) continue;
      this.tell({ type: "checked", upto: step, wrong });
      wrong = [];
      do await new Promise((done) => setTimeout(done, now - this.asked < QUIET ? QUIET / 2 : 0)); // what is asked for comes first
      while (performance.now() - this.asked < QUIET);
      since = performance.now();
    }
    this.checking = false;
  }
}
