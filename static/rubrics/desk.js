/* The answer on the desk: its criteria as they stand for the reviewer, for how long they are kept, and the answer that comes next. */
import { getWalk, keepAnswer, lookAt, nextAnswer, reveal } from "./api.js";
import { preload } from "./pictures.js";
import { Walk } from "./walk.js";

const FRESH = 0.6; // share of the time for which an answer is kept, after which it is asked for again
const AHEAD = 8; // pictures that are fetched ahead

export class Desk {
  /** `stands(entry)` gives the vote that stands on it, which may be on its way; `token()` is the reviewer's. */
  constructor({ stands, token }) {
    Object.assign(this, { stands, token, walk: null, here: null, ahead: null });
  }

  /** Go through a queue by filters. Throws ApiError. */
  async begin(queue, filters) {
    const walk = new Walk(await getWalk(queue.queue_id, filters, this.token()));
    return { queue, filters, walk };
  }

  put({ queue, filters, walk }) { Object.assign(this, { queue, filters, walk, here: null, ahead: null }); }

  get entry() { return this.here?.entries[this.here.at]; }
  get filtered() { return Object.keys(this.filters).length > 0; }
  /** How an entry stands, with what is on its way: `open`, `mine` or `full`. */
  state(entry) { return this.stands(entry) ? "mine" : entry.state === "mine" ? "open" : entry.state; }
  /** Whether a vote on an entry is wanted. */
  open(entry) { return this.state(entry) === "open"; }

  /** Put an assignment on the desk, at an entry, or at its first open one. `last`: or at its last one. */
  lay(assignment, { entry = null, last = false } = {}) {
    const stop = this.walk.of(assignment.place), listed = new Set(this.walk.stops[stop]?.entries);
    const fitting = assignment.entries.filter((one) => listed.has(one.entry)), entries = fitting.length ? fitting : assignment.entries;
    const asked = entries.findIndex((one) => one.entry === entry), first = entries.findIndex((one) => this.open(one));
    this.here = { assignment, entries, stop, at: asked >= 0 ? asked : last ? entries.length - 1 : Math.max(0, first), until: this.#until(assignment) };
    this.ahead = this.ahead?.from === assignment.place ? this.ahead : null;
    for (const one of entries) this.walk.note(one.entry, one.state);
  }

  /* By this browser's clock: the server's may go differently. */
  #until({ reserved_until: until }) { return until == null ? null : Date.now() + 1000 * this.queue.hold; }

  /** An answer by its stop; its open entries are kept if somebody reviews and `keep` says so. Throws ApiError. */
  fetch(stop, keep) { return this.#at(this.walk.stops[stop].place, keep); }
  #at(place, keep) { return keep && this.token() ? keepAnswer(this.queue.queue_id, place, this.token()) : lookAt(this.queue.queue_id, place, this.token()); }

  /** Ask again how the answer on the desk stands, and have it kept if `keep` says so. Throws ApiError. */
  async again(keep) {
    const { here } = this, found = await this.#at(here.assignment.place, keep);
    if (here === this.here) this.#merge(found);
  }

  #merge(found) {
    const { here } = this, now = new Map(found.entries.map((one) => [one.entry, one]));
    here.assignment = { ...found, turns: here.assignment.turns };
    here.entries = here.entries.map((one) => now.get(one.entry) ?? one);
    here.until = found.reserved_until == null ? here.until : this.#until(found);
    for (const one of here.entries) this.walk.note(one.entry, one.state);
  }

  /** Take what the server says of an entry after a vote; returns whether it is on the desk. */
  take(view) {
    this.walk?.note(view.entry, view.state);
    const { here } = this, at = here?.entries.findIndex(({ entry }) => entry === view.entry) ?? -1;
    if (at < 0) return false;
    here.entries[at] = view;
    if (here.until) here.until = Date.now() + 1000 * this.queue.hold;
    return true;
  }

  /** Learn what others say of an entry that needs no vote. Throws ApiError. */
  async look(entry) { return this.take(await reveal(entry, this.token())); }

  /** When only the present criterion is open, have the next answer ready. */
  prepare() {
    const { here } = this, place = here.assignment.place;
    if (!this.token() || this.ahead || here.entries.some((one, k) => k !== here.at && this.open(one))) return;
    const stop = this.filtered ? this.walk.nextOpen(here.stop) : 0;
    if (stop < 0 || (this.filtered && stop === here.stop)) return;
    const asked = this.filtered ? this.fetch(stop, true) : nextAnswer(this.queue.queue_id, place + 1, this.token());
    this.ahead = { from: place, at: Date.now(), asked: asked.catch(() => null) };
    this.ahead.asked.then((found) => { if (found && found.place !== place) preload(found.turns.flatMap(({ pictures }) => pictures).slice(0, AHEAD)); });
  }

  /** The answer that was made ready, if it still holds something open: {assignment} or null. */
  async ready() {
    const { ahead } = this;
    this.ahead = null;
    if (!ahead || Date.now() - ahead.at > FRESH * 1000 * this.queue.hold) return null;
    const found = await ahead.asked;
    return found && found.place !== this.here?.assignment.place && found.entries.some((one) => this.open(one)) ? found : null;
  }

  /** The next answer with open entries after the present one, or from the first one on; null when there is none. Throws ApiError. */
  async following() {
    if (!this.filtered && this.token()) {
      return nextAnswer(this.queue.queue_id, (this.here?.assignment.place ?? 0) + 1, this.token());
    }
    for (let tries = 0, from = this.here?.stop ?? -1; tries < 20; tries++) { // what was open may be full by now
      const stop = this.walk.nextOpen(from);
      if (stop < 0) return null;
      const found = await this.fetch(stop, true), listed = new Set(this.walk.stops[stop].entries);
      for (const one of found.entries) this.walk.note(one.entry, this.state(one));
      if (found.entries.some((one) => listed.has(one.entry) && this.open(one))) return found;
      from = stop;
    }
    return null;
  }

  /** Milliseconds for which the open entries are still kept; null when none is, or nothing is open. */
  get left() {
    const { here } = this;
    return here?.until && here.entries.some((one) => this.open(one)) ? here.until - Date.now() : null;
  }

  /** Whether it is time to have them kept longer. */
  get ageing() { return this.left !== null && this.left < 500 * this.queue.hold; }
}
