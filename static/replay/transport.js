/* Where a replay stands: a position, and how it moves. Positions are whole numbers from 0, the untouched canvas, to `length`. */
import { clamp } from "../dom.js";

/** How fast it plays, in multiples of `RATE` positions a second. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16];
export const RATE = 4;

export class Transport {
  /** `moved()` is told of every change of the position, `changed()` of everything else. */
  constructor({ moved, changed }) {
    Object.assign(this, { moved, changed, position: 0, length: 0, speed: 1, unit: 1, playing: false, following: true, live: false, frame: 0 });
  }

  /** Begin with another replay of this length, at its end, or at `position`. */
  load(length, position = null) {
    this.pause();
    Object.assign(this, { length, following: position === null || position >= length, position: position === null ? length : clamp(position, 0, length) });
    this.changed();
    this.moved();
  }

  /** There are more positions now; who is at the end stays at the end. */
  grow(length, live) {
    const grown = length !== this.length, turned = live !== this.live;
    Object.assign(this, { length, live });
    if (grown && this.following) this.position = length;
    if (grown || turned) this.changed();
    if (grown) this.moved();
  }

  /** Go to a position; at the end it follows what comes. */
  go(position, { keep = false } = {}) {
    if (!keep) this.pause();
    const to = clamp(Math.round(position), 0, this.length);
    this.following = to === this.length;
    if (to === this.position) return;
    this.position = to;
    this.moved();
  }

  step(by) { this.go(this.position + by); }
  toggle() { if (this.playing) this.pause(); else this.play(); }

  /** Play from here, or from the start when it is at the end. */
  play() {
    if (this.playing || !this.length) return;
    if (this.position >= this.length) this.go(0);
    this.playing = true;
    let before = null, due = 0;
    const tick = (now) => {
      if (!this.playing) return;
      due += before === null ? 0 : Math.min(0.25, (now - before) / 1000) * RATE * this.speed * this.unit;
      before = now;
      if (due >= 1) {
        const by = Math.floor(due);
        due -= by;
        this.go(this.position + by, { keep: true });
        if (this.position >= this.length && !this.live) { this.pause(); return; }
      }
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
    this.changed();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.frame);
    this.changed();
  }

  /** Faster (1) or slower (-1). */
  faster(by) { this.pace(SPEEDS[clamp(SPEEDS.indexOf(this.speed) + by, 0, SPEEDS.length - 1)]); }
  pace(speed) {
    this.speed = speed;
    this.changed();
  }

  /** Go to the nearest of some positions ahead (1) or behind (-1); whether there is one. */
  seek(positions, direction) {
    const found = direction > 0 ? positions.find((p) => p > this.position) : positions.findLast((p) => p < this.position);
    if (found === undefined) return false;
    this.go(found);
    return true;
  }
}
