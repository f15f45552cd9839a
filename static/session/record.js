/* What happened in a session, action by action, wherever it was heard of: the log and the events say the same, each
   action has one place. Pure; nothing here is drawn. */
import { STROKE } from "../mask.js";
import { headline } from "../tasks.js";

/* Where a rejected stroke touched a wall; the log has it in the message alone. */
function contactIn(message) {
  const [, x, y] = /at \(([\d.]+), ([\d.]+)\)/.exec(message ?? "") ?? [];
  return x === undefined ? null : { x: Number(x), y: Number(y) };
}
/* An entry {seq, kind, stroke, outcome, message, contact, step, status, score, digest, actor, guest, at} of a line of the log. */
const ofLog = ({ seq, kind, params, outcome, message, step, status, scores, canvas_digest: digest, actor, guest, at }) => ({
  seq, kind, stroke: kind === "brush_stroke" ? params : null, outcome, message, contact: contactIn(message), step, status, score: headline(scores), digest, actor, guest: guest ?? null, at: Date.parse(at),
});
/* The same of an event. */
const ofEvent = ({ seq, kind, stroke, outcome, message, contact, step, status, score, canvas_digest: digest, actor, guest, at }) => ({
  seq, kind, stroke: kind === "brush_stroke" ? stroke : null, outcome, message, contact: contact ?? null, step, status, score, digest, actor, guest: guest ?? null, at: Date.parse(at),
});

export class Record {
  constructor() {
    this.entries = []; // by seq, from 1; undefined where nothing has been heard yet
    this.start = null; // score of the untouched canvas
    this.length = 0; // entries from the first without a hole
  }

  /** Note lines of the log; a line of an action that is known changes nothing. */
  addLog(lines) { for (const line of lines) if (line.type === "action") this.#add(ofLog(line)); }

  /** Note an event. */
  addEvent(event) { this.#add(ofEvent(event)); }

  #add(entry) {
    if (this.entries[entry.seq - 1]) return;
    this.entries[entry.seq - 1] = entry;
    while (this.entries[this.length]) this.#derive(this.length++);
  }

  /* Change of the score and whether the stroke equals the one before: undo and submit stand between no two strokes. */
  #derive(index) {
    const entry = this.entries[index], before = this.entries[index - 1];
    entry.gain = entry.score - (before?.score ?? this.start ?? entry.score);
    const painted = entry.kind === "brush_stroke" && entry.outcome === "applied";
    entry.repeat = painted && Boolean(this.last) && STROKE.every((name) => this.last[name] === entry.stroke[name]);
    if (painted) this.last = entry.stroke;
  }

  /** The entry at a place, from 0; undefined beyond the first hole. */
  at(index) { return index < this.length ? this.entries[index] : undefined; }

  /** Seconds between an action and the one before; null for the first. */
  pauseBefore(index) {
    const before = this.entries[index - 1]?.at, now = this.entries[index]?.at;
    return Number.isFinite(before) && Number.isFinite(now) ? Math.max(0, now - before) / 1000 : null;
  }

  /** Notable actions in their order: {kind, step} with kind rise or drop (the largest gain and loss), repeat, undo, rejected or invalid. */
  marks() {
    const marks = [];
    let rise = null, drop = null;
    for (let i = 0; i < this.length; i++) {
      const entry = this.entries[i];
      if (entry.outcome !== "applied") marks.push({ kind: entry.outcome, step: entry.step });
      else if (entry.kind === "undo") marks.push({ kind: "undo", step: entry.step });
      else if (entry.repeat) marks.push({ kind: "repeat", step: entry.step });
      if (entry.gain < Math.min(-0.0005, drop?.gain ?? 0)) drop = entry;
      if (entry.gain > Math.max(0.0005, rise?.gain ?? 0)) rise = entry;
    }
    for (const [kind, entry] of [["rise", rise], ["drop", drop]]) if (entry) marks.push({ kind, step: entry.step });
    return marks.sort((a, b) => a.step - b.step);
  }
}
