/* Votes on their way: in the order in which they were cast, one in flight, each with its own id, so that one whose answer was
   lost is sent again and counted once. What waits is kept in the tab's storage and survives a reload. */
const newId = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

export class Outbox {
  /**
   * `key` names what waits in the tab's storage, `send(item)` sends {to, who, body}; `hooks`: answered(item, view), refused(item, error),
   * changed(), and unknown(item, error), which resolves to the name under which a vote is cast whose token the server does not take.
   */
  constructor(key, send, backoff, hooks) {
    Object.assign(this, { key, send, backoff, hooks, items: [], busy: false, waiters: [] });
  }

  /** Send what a reviewer `who` says of `to`, a plan or an entry of a queue. */
  push(to, who, body) {
    this.items.push({ to, who, body: { request_id: newId(), ...body } });
    this.#changed();
    this.#pump();
  }

  /** Take up what an earlier load of the page left unsent. */
  restore() {
    try {
      const items = JSON.parse(sessionStorage.getItem(this.key));
      this.items = Array.isArray(items) ? items.filter((item) => item?.to != null && item.body?.request_id) : [];
    } catch { this.items = []; }
    if (!this.items.length) return;
    this.hooks.changed();
    this.#pump();
  }

  /** Resolves when nothing waits. */
  settled() { return this.items.length ? new Promise((resolve) => this.waiters.push(resolve)) : Promise.resolve(); }

  #changed() {
    try {
      if (this.items.length) sessionStorage.setItem(this.key, JSON.stringify(this.items)); else sessionStorage.removeItem(this.key);
    } catch { /* a strict frame: what waits then lives as long as the page */ }
    this.hooks.changed();
  }

  async #pump() {
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.items.length) await this.#first(this.items[0]);
    } finally { this.busy = false; }
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  /* Send one; it leaves only when the server has taken or refused it. */
  async #first(item) {
    let view;
    try {
      view = await this.send(item);
    } catch (error) {
      if (error.retry) await this.backoff.wait(error.after ?? 0);
      else if (error.status === 401 || error.code === "wrong_token") await this.#renamed(item, error);
      else { this.#done(); this.hooks.refused(item, error); }
      return;
    }
    this.backoff.succeeded();
    this.#done();
    this.hooks.answered(item, view);
  }

  /* All that waits under a name is cast under the one that takes its place. */
  async #renamed(item, error) {
    const was = item.who, name = await this.hooks.unknown(item, error);
    for (const other of this.items) if (other.who === was) other.who = name;
    this.#changed();
  }

  #done() {
    this.items.shift();
    this.#changed();
  }
}
