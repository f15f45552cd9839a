/* One event stream, open while it is looked at: a break, a hidden page or another tab ends it, and a new connection
   begins with the whole truth again. */
import { current } from "../tabs.js";

export class Stream {
  /**
   * `url()` is where to listen, or null while there is nothing to hear; `tab` names the tab that must be on show, if any.
   * `events`: name -> what gets the parsed data. `over()` says that nothing more will happen.
   */
  constructor(backoff, { url, events, tab = null, over = () => false }) {
    Object.assign(this, { backoff, url, events, tab, over });
    this.source = null;
    this.closed = false;
    this.look = () => (this.#wanted() ? this.open() : this.#drop());
    for (const [target, name] of this.#moments()) target.addEventListener(name, this.look);
    this.look();
  }

  #moments() { return [[document, "visibilitychange"], [window, "es:tab"], [window, "pageshow"], [window, "pagehide"]]; }

  // HTTP/1.1 allows six connections to a server: who does not look must not keep one
  #wanted() { return !document.hidden && !this.closed && (!this.tab || current() === this.tab); }

  open() {
    const url = !this.source && this.#wanted() && this.url();
    if (!url) return;
    const source = this.source = new EventSource(url);
    for (const [name, run] of Object.entries(this.events)) {
      source.addEventListener(name, (event) => { if (source === this.source) run(JSON.parse(event.data)); });
    }
    source.addEventListener("error", () => this.#lost(source));
  }

  /** Ask for the whole truth again. */
  refresh() { this.#drop(); this.open(); }

  close() {
    this.closed = true;
    this.#drop();
    for (const [target, name] of this.#moments()) target.removeEventListener(name, this.look);
  }

  #drop() {
    this.source?.close();
    this.source = null;
  }

  async #lost(source) {
    if (source !== this.source) return;
    this.#drop();
    if (this.over() || !this.#wanted()) return;
    await this.backoff.wait();
    this.open();
  }
}
