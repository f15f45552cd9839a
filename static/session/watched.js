/* A session that this page looks at without acting in it: its pixels, its score and everything that happened. */
import { getLog } from "./api.js";
import { Backoff } from "./backoff.js";
import { Feed } from "./feed.js";
import { Record } from "./record.js";
import { Turn } from "./turn.js";

export class Watched {
  /**
   * Follow the session of `view` while `tab` is on show; its pixels go to `pixels`.
   * `hooks`: changed(), drawn() when a snapshot's pixels are down, connection({waiting, seconds}).
   */
  constructor(view, { pixels, tab, hooks }) {
    Object.assign(this, { id: view.session_id, task: view.task, pixels, hooks, closed: false, reading: false });
    this.record = new Record();
    this.turn = new Turn(() => this.#changed());
    this.#take(view);
    this.backoff = new Backoff((state) => { if (!this.closed) hooks.connection?.(state); });
    this.feed = new Feed(this.id, this.backoff, {
      snapshot: ({ canvas, ...fresh }) => {
        if (this.closed) return;
        this.#take(fresh);
        pixels.load(canvas, () => { if (!this.closed) hooks.drawn?.(); });
        this.#changed();
      },
      action: (event) => this.#acted(event),
      turn: (turn) => { this.turn.set(turn); this.#changed(); },
    }, tab);
  }

  get finished() { return this.view.status !== "open"; }
  get score() { return this.view.curve.at(-1); }
  /** When the last action was taken, in ms; null before the first or while it is not known. */
  get lastAt() { return this.record.at(this.view.seq - 1)?.at ?? null; }

  retryNow() { this.backoff.now(); }

  close() {
    this.closed = true;
    this.turn.close();
    this.feed.close();
    this.backoff.now();
  }

  #changed() { if (!this.closed) this.hooks.changed(); }

  #take(view) {
    this.view = view;
    this.record.start = view.curve[0];
    this.turn.set(view.turn);
    this.#catchUp();
  }

  #acted(event) {
    if (this.closed) return;
    const { view } = this, { seq, step, steps_left, status, score, scores } = event;
    view.curve[step] = score;
    Object.assign(view, { seq, step, steps_left, status, score, scores });
    this.turn.acted(event.guest);
    this.record.addEvent(event);
    this.pixels.patch(event.patch);
    this.#changed();
  }

  /* What was before the stream is in the log, which holds everything that an event has told of. */
  async #catchUp() {
    if (this.reading) return;
    this.reading = true;
    while (this.record.length < this.view.seq && !this.closed) {
      const known = this.record.length;
      try {
        this.record.addLog(await getLog(this.id));
        this.#changed();
        if (this.record.length === known) break; // the next snapshot asks again
      } catch (error) {
        if (!error.retry) { console.error(error); break; }
        await this.backoff.wait(error.after ?? 0);
      }
    }
    this.reading = false;
  }
}
