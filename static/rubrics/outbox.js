/* Votes on their way: in the order in which they were cast, one in flight, each with its own id, so that one whose answer was
   lost is sent again and counted once. What waits is kept in the tab's storage and survives a reload. */
import { castVote } from "./api.js";

const KEY = "es-votes";
const newId = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

function kept() {
  try {
    const items = JSON.parse(sessionStorage.getItem(KEY));
    return Array.isArray(items) ? items.filter((item) => Number.isInteger(item?.entry) && item.body?.request_id) : [];
  } catch { return []; }
}

export class Outbox {
  /**
   * `hooks`: tokenOf(name), answered(item, entry), refused(item, error), changed(), and unknown(item, error), which resolves to the name
   * under which a vote is cast whose token the server does not take.
   */
  constructor(backoff, hooks) {
    Object.assign(this, { backoff, hooks, items: [], busy: false, waiters: [] });
  }

  /** Cast a vote of a reviewer `who` on an entry. */
  push(entry, who, body) {
    this.items.push({ entry, who, body: { request_id: newId(), ...body } });
    this.#changed();
    this.#pump();
  }

  /** Take up what an earlier load of the page left unsent. */
  restore() {
    this.items = kept();
    if (!this.items.length) return;
    this.hooks.changed();
    this.#pump();
  }

  /** What was cast last on an entry as a reviewer and has not been acknowledged, if anything. */
  of(entry) { return this.items.findLast((item) => item.entry === entry && item.body.role === "review"); }

  /** Resolves when nothing waits. */
  settled() { return this.items.length ? new Promise((resolve) => this.waiters.push(resolve)) : Promise.resolve(); }

  #changed() {
    try {
      if (this.items.length) sessionStorage.setItem(KEY, JSON.stringify(this.items)); else sessionStorage.removeItem(KEY);
    } catch { /* a strict frame: what waits then lives as long as the page */ }
    this.hooks.changed();
  }

  async #pump() {
    if (this.busy) return;
    this.busy = true;
    while (this.items.length) {
      const item = this.items[0];
      try {
        const entry = await castVote(item.entry, item.body, this.hooks.tokenOf(item.who));
        this.backoff.succeeded();
        this.#done();
        this.hooks.answered(item, entry);
      } catch (error) {
        if (error.retry) { await this.backoff.wait(error.after ?? 0); continue; }
        if (error.status === 401 || error.code === "wrong_token") {
          const was = item.who, name = await this.hooks.unknown(item, error);
          for (const other of this.items) if (other.who === was) other.who = name;
          this.#changed();
          continue;
        }
        this.#done();
        this.hooks.refused(item, error);
      }
    }
    this.busy = false;
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  #done() {
    this.items.shift();
    this.#changed();
  }
}
