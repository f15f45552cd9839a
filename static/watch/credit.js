/* What each stroke on the canvas is worth: the score that would be lost without it. Computed by the server on demand, told as it comes. */
import { creditUrl } from "../session/api.js";

/* The lines of a stream of JSON lines, one object each, as they arrive. */
async function* lines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part; !(part = await reader.read()).done;) {
    const pieces = (rest + part.value).split("\n");
    rest = pieces.pop();
    for (const piece of pieces) if (piece) yield JSON.parse(piece);
  }
}

export class Credit {
  /** `changed()` is told of progress, of the end and of a failure. */
  constructor(changed) { Object.assign(this, { changed }); this.forget(); }

  /** Nothing is known, and nothing is asked for any more. */
  forget() {
    this.abort?.abort();
    Object.assign(this, { abort: null, seq: null, done: 0, of: 0, ready: false, trouble: "", values: new Map() });
  }

  get loading() { return this.abort !== null; }

  /** Ask for a session's credit. */
  async ask(id) {
    this.forget();
    const abort = this.abort = new AbortController();
    this.changed();
    try {
      const response = await fetch(creditUrl(id), { signal: abort.signal });
      if (!response.ok) throw new Error((await response.json().catch(() => null))?.error?.message ?? `The credit could not be computed: the server answered ${response.status}.`);
      for await (const line of lines(response)) {
        if (abort !== this.abort) return;
        if (line.type === "plan") [this.of, this.seq] = [line.of, line.seq];
        if (line.type === "credit") {
          this.values.set(line.seq, line);
          this.done += 1;
        }
        if (line.type === "done") this.ready = true;
        this.changed();
      }
      if (!this.ready) throw new Error("The credit stopped half-way: ask for it again.");
    } catch (error) {
      if (abort !== this.abort) return;
      this.trouble = error instanceof TypeError ? "The server cannot be reached: ask for the credit again in a moment." : error.message;
    }
    this.abort = null;
    this.changed();
  }
}
