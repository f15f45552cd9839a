/* Whose turn it is, as events tell it. A guest who does nothing for a minute loses the turn without an event. */

const LEASE = 60_000; // ms, as the server has it

export class Turn {
  /** `changed()` is told when the turn goes back by itself. */
  constructor(changed) {
    Object.assign(this, { changed, shared: false, guest: null, timer: null });
  }

  /** As a view or a `turn` event says: {shared, guest}. */
  set({ shared, guest }) {
    this.shared = shared;
    this.#hold(guest);
  }

  /** An action takes the turn of who made it: a guest's name, or null for the player. */
  acted(guest) { this.#hold(guest ?? null); }

  close() { clearTimeout(this.timer); }

  #hold(guest) {
    clearTimeout(this.timer);
    this.guest = guest;
    if (guest) this.timer = setTimeout(() => { this.guest = null; this.changed(); }, LEASE);
  }
}
