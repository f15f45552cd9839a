/* The event stream of a session: a snapshot first, then every action with contiguous `seq`. A hole, a broken stream or
   a page that comes back into view leads to a new connection, hence to a new snapshot. */
import { eventsUrl } from "./api.js";

export class Feed {
  /** `hooks`: snapshot(view), action(event), gone() when the session does not exist. */
  constructor(id, backoff, hooks) {
    Object.assign(this, { id, backoff, hooks });
    this.seq = -1;
    this.source = null;
    this.closed = false;
    this.finished = false;
    this.visibility = () => (this.#wanted() ? this.open() : this.#drop());
    for (const [target, name] of this.#moments()) target.addEventListener(name, this.visibility);
    this.visibility();
  }

  #moments() { return [[document, "visibilitychange"], [window, "es:tab"], [window, "pageshow"], [window, "pagehide"]]; }

  // HTTP/1.1 allows six connections to a server: a hidden page must not keep one
  #wanted() { return !document.hidden && !this.closed; }

  open() {
    if (this.source || !this.#wanted()) return;
    const source = this.source = new EventSource(eventsUrl(this.id));
    source.addEventListener("snapshot", (event) => {
      const view = JSON.parse(event.data);
      this.seq = view.seq;
      this.finished = view.status !== "open";
      this.backoff.succeeded();
      this.hooks.snapshot(view);
    });
    source.addEventListener("action", (event) => {
      const action = JSON.parse(event.data);
      if (action.seq <= this.seq) return;
      if (action.seq !== this.seq + 1) { this.refresh(); return; }
      this.seq = action.seq;
      this.finished = action.status !== "open";
      this.hooks.action(action);
    });
    source.addEventListener("error", () => this.#lost(source));
  }

  /** Ask for the whole truth again. */
  refresh() { this.#drop(); this.open(); }

  close() {
    this.closed = true;
    this.#drop();
    for (const [target, name] of this.#moments()) target.removeEventListener(name, this.visibility);
  }

  #drop() {
    this.source?.close();
    this.source = null;
  }

  async #lost(source) {
    if (source !== this.source) return;
    this.#drop();
    if (this.finished || !this.#wanted()) return; // nothing more will happen, or nobody looks
    await this.backoff.wait();
    this.open();
  }
}
