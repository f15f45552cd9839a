/* Patience that can be seen: one countdown for everything of a painting that waits for the server. */

const FIRST = 1, LONGEST = 15; // seconds

export class Backoff {
  /** `changed({waiting, seconds})` is told at every tick and when the connection is back. */
  constructor(changed) {
    this.changed = changed;
    this.attempt = 0;
    this.waiters = [];
    this.timer = null;
    this.seconds = 0;
  }

  /** Resolves when it is time to try again. `least` is what the server asked for, in seconds. */
  wait(least = 0) {
    return new Promise((resolve) => {
      this.waiters.push(resolve);
      if (this.timer) return;
      this.seconds = Math.max(least, Math.min(LONGEST, FIRST * 2 ** this.attempt));
      this.attempt += 1;
      this.changed({ waiting: true, seconds: this.seconds });
      this.timer = setInterval(() => {
        this.seconds -= 1;
        if (this.seconds <= 0) this.now(); else this.changed({ waiting: true, seconds: this.seconds });
      }, 1000);
    });
  }

  /** Try at once. */
  now() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.waiters.length) this.changed({ waiting: true, seconds: 0 });
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  /** Something got through. */
  succeeded() {
    if (!this.attempt) return;
    this.attempt = 0;
    this.now();
    this.changed({ waiting: false, seconds: 0 });
  }
}
