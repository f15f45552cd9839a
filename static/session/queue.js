/* Actions in the order in which they were made: one request in flight, each with its own id, so that a request whose
   answer was lost is sent again and counted once. What waits is kept in the tab's storage and survives a reload. */
import { act } from "./api.js";

const newId = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

function kept(key, items) {
  try {
    if (items.length) sessionStorage.setItem(key, JSON.stringify(items.map(({ request_id, action }) => ({ request_id, action }))));
    else sessionStorage.removeItem(key);
  } catch { /* a strict frame: what waits then lives as long as the page */ }
}

export class ActionQueue {
  /**
   * `ready()` resolves to {id, token} of the session, which may still be in the making.
   * `hooks`: answered(item, answer), refused(item, error), changed(items), and held(error), which resolves when an
   * action for which it is not the time yet may be sent again.
   */
  constructor(backoff, ready, hooks) {
    Object.assign(this, { backoff, ready, hooks });
    this.items = [];
    this.busy = false;
    this.closed = false;
    this.key = null;
  }

  /** Put an action at the end; returns its item. */
  push(action) {
    const item = { request_id: newId(), action };
    this.items.push(item);
    this.#changed();
    this.#pump();
    return item;
  }

  /** Take up what an earlier load of the page left unsent. */
  restore(sessionId) {
    this.key = `es-queue-${sessionId}`;
    try { this.items = JSON.parse(sessionStorage.getItem(this.key)) || []; } catch { this.items = []; }
    this.#changed();
    this.#pump();
    return this.items;
  }

  /** Forget what waits, such as strokes after the budget was spent. */
  clear() {
    this.items.splice(this.busy ? 1 : 0);
    this.#changed();
  }

  close() { this.closed = true; }

  #changed() {
    if (this.key) kept(this.key, this.items);
    this.hooks.changed(this.items);
  }

  async #pump() {
    if (this.busy) return;
    this.busy = true;
    while (this.items.length && !this.closed) {
      const item = this.items[0];
      try {
        const { id, token } = await this.ready();
        this.key = `es-queue-${id}`;
        const answer = await act(id, token, { request_id: item.request_id, action: item.action });
        this.backoff.succeeded();
        this.#done(item);
        this.hooks.answered(item, answer);
      } catch (error) {
        if (this.closed) break;
        if (error.retry) { await this.backoff.wait(error.after ?? 0); continue; }
        if (error.code === "not_your_turn") { await this.hooks.held(error); continue; }
        this.#done(item);
        this.hooks.refused(item, error);
      }
    }
    this.busy = false;
  }

  #done(item) {
    if (this.items[0] === item) this.items.shift();
    this.#changed();
  }
}
