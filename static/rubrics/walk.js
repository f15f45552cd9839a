/* The way through a queue: which entries there are, in order, and how each stands for the reviewer. */

/** Filters of the queue, as the link and the query name them. */
export const TEXTS = ["model", "turn", "category", "objectivity", "reviewer"];
export const SWITCHES = ["critical", "open", "disagreement", "flips", "unscored"];
export const FILTERS = [...TEXTS, ...SWITCHES];

/** The filters of a link, as the query's parameters; what is no filter is left out. */
export function filtersOf(link) {
  const found = {};
  for (const name of TEXTS) { const value = link.get(name)?.trim(); if (value && value.length <= 80) found[name] = value; }
  for (const name of SWITCHES) if (link.get(name) === "1" || link.get(name) === "true") found[name] = "true";
  if (found.turn && !/^([1-9]|[12]\d|3[0-2])$/.test(found.turn)) delete found.turn;
  return found;
}

export class Walk {
  /** Of what the server says: {places, stops: [{place, entries, states}], hidden}. */
  constructor({ places, stops, hidden }) {
    Object.assign(this, { answers: places, hidden });
    this.stops = stops.map(({ place, entries, states }) => ({ place, entries, states: [...states] }));
    this.places = new Map(); // entry -> [stop, which of it]
    for (const [k, { entries }] of this.stops.entries()) entries.forEach((entry, n) => this.places.set(entry, [k, n]));
  }

  get count() { return this.places.size; }
  get openOnes() { return this.#sum("o"); }
  get mine() { return this.#sum("m"); }
  #sum(letter) { return this.stops.reduce((sum, { states }) => sum + states.filter((state) => state === letter).length, 0); }

  /** Index of the stop of an entry, or -1. */
  at(entry) { return this.places.get(entry)?.[0] ?? -1; }
  /** Index of the stop at a place, or -1. */
  of(place) { return this.stops.findIndex((stop) => stop.place === place); }

  /** Note how an entry stands now: `open`, `mine` or `full`. */
  note(entry, state) {
    const found = this.places.get(entry);
    if (found) this.stops[found[0]].states[found[1]] = state[0];
  }

  /** The next stop after `from` with open entries, from the first one on when there is none up to the end; or -1. */
  nextOpen(from) {
    const { length } = this.stops;
    for (let k = 1; k <= length; k++) { const at = (from + k) % length; if (this.stops[at].states.includes("o")) return at; }
    return -1;
  }
}
