/* What one address of the server says, kept on screen: asked when it is wanted, asked again when there may be news, and drawn only when it says something else. */
import { request } from "../session/api.js";
import { current } from "../tabs.js";


export class StatisticsFeed {
  /**
   * `hooks`: wait() an answer to another question is on its way, draw(answer), fail(error, drawn) with whether an answer to this question stands.
   * It asks only while `tab` is looked at. `quiet`: ms without another wish before the same question is asked again; `every`: ms after which it is asked again by itself, 0 for never.
   */
  constructor(hooks, { tab = "rubrics", quiet = 0, every = 0 } = {}) {
    Object.assign(this, { hooks, tab, quiet, every, question: null, turn: 0, text: null, timer: null });
    document.addEventListener("visibilitychange", () => { if (this.question && this.#seen()) this.#soon(0); });
  }

  /** Show what `path` says to who has `token`. */
  show(path, token) {
    const question = JSON.stringify([path, token]), other = question !== this.question;
    Object.assign(this, { path, token, question });
    if (other) {
      this.text = null;
      this.hooks.wait();
    }
    this.#soon(this.text === null ? 0 : this.quiet);
  }

  /** Ask nothing any more. */
  leave() {
    clearTimeout(this.timer);
    this.turn++;
    this.question = null;
  }

  #seen() { return !document.hidden && current() === this.tab; }

  #soon(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.again(), pause);
  }

  /** Ask now. */
  async again() {
    clearTimeout(this.timer);
    if (!this.#seen()) return; // it is asked when somebody looks
    const mine = ++this.turn;
    try {
      const answer = await request("GET", this.path, { token: this.token ?? undefined, timeout: 60_000 });
      if (mine !== this.turn) return;
      const text = JSON.stringify(answer);
      if (text !== this.text) this.hooks.draw(answer);
      this.text = text;
      this.hooks.fail(null, true);
    } catch (error) {
      if (mine !== this.turn) return;
      if (!error.status && !error.retry) throw error; // a fault of the page
      if (error.code === "wrong_token" && this.token) { // of a server that was set up anew: ask like anyone
        this.token = null;
        this.again();
        return;
      }
      this.hooks.fail(error, this.text !== null);
    }
    if (this.every) this.#soon(this.every);
  }
}
