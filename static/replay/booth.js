/* Where a film runs: paints steps on demand and, in between, holds every one of them against its recorded digest, the SHA-256 of
   the picture's RGB bytes. The same in a worker and in a page that was opened from a file and can have none. */
import { Film, rgbOf } from "./film.js";

const BATCH = 12; // steps between two words on how far the check is

/** Digests need a page of a secure origin: this machine, https, or a file. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Booth {
  /** `tell(message)` hears of {type: "frame", step, pixels} and {type: "checked", upto, wrong: [steps]}. */
  constructor(tell) { Object.assign(this, { tell, digests: [null], upto: 0, checking: false }); }

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
  show({ step }) { this.tell({ type: "frame", step, pixels: this.reader.at(step).slice() }); }

  async #check() {
    if (this.checking || !canCheck()) return;
    this.checking = true;
    const { film, digests } = this, reader = film.reader();
    let wrong = [], known = null; // the digest of the picture before
    while (this.upto < film.length) {
      const step = this.upto + 1;
      if (!known || !film.same(step - 1, step)) known = hex(await crypto.subtle.digest("SHA-256", rgbOf(reader.at(step))));
      if (digests[step] && digests[step] !== known) wrong.push(step);
      this.upto = step;
      if (step % BATCH === 0 || step === film.length) {
        this.tell({ type: "checked", upto: step, wrong });
        wrong = [];
        await new Promise((done) => setTimeout(done)); // what is asked for comes first
      }
    }
    this.checking = false;
  }
}
