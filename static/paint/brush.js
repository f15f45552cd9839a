/* The brush: one state for dock, pointer and keyboard. It outlives undo, a change of task and a reload. */
import { clamp, storage } from "../dom.js";
import { pathOf } from "../curve.js";
import { pixelRadius } from "../mask.js";
import { toHex } from "./colour.js";

const KEY = "es-brush", RECENT = 6;
const FIRST = {
  radius_start: 0.2, radius_end: 0.2, opacity_start: 1, opacity_end: 1,
  colour: [79, 124, 134], recent: [], pressure: true,
};
const NUMBERS = ["radius_start", "radius_end", "opacity_start", "opacity_end"];
const round = (value) => Math.round(clamp(value) * 1e6) / 1e6;

function sound(saved) {
  const state = { ...FIRST, ...saved };
  for (const name of NUMBERS) state[name] = Number.isFinite(state[name]) ? clamp(state[name]) : FIRST[name];
  const bytes = (colour) => Array.isArray(colour) && colour.length === 3 && colour.every((b) => Number.isInteger(b) && b >= 0 && b <= 255);
  if (!bytes(state.colour)) state.colour = FIRST.colour;
  state.recent = Array.isArray(state.recent) ? state.recent.filter(bytes).slice(0, RECENT) : [];
  return state;
}

export class Brush {
  /** `changed()` is told after each change. */
  constructor(changed) {
    this.changed = changed;
    this.state = sound(storage.get(KEY, {}));
    this.chosen = storage.get(KEY, null) !== null; // a newcomer's colour comes from the first reference
  }

  set(changes) {
    Object.assign(this.state, changes);
    if (changes.colour) this.chosen = true;
    storage.set(KEY, this.state);
    this.changed();
  }

  /** Both widths by a factor, at least by a hair; `ends` names one of them. */
  scale(factor, ends = ["radius_start", "radius_end"]) {
    // the width is 1 + radius · W / 2 px; 1/64 stands for one pixel of a 128 px canvas
    this.set(Object.fromEntries(ends.map((name) => [name, clamp((this.state[name] + 1 / 64) * factor - 1 / 64)])));
  }

  /** Both opacities by a difference. */
  fade(difference) {
    const { opacity_start, opacity_end } = this.state;
    this.set({ opacity_start: round(opacity_start + difference), opacity_end: round(opacity_end + difference) });
  }

  /** Keep the colour in hand among the recent ones. */
  used() {
    const hex = toHex(this.state.colour);
    const others = this.state.recent.filter((colour) => toHex(colour) !== hex);
    this.set({ recent: [this.state.colour, ...others].slice(0, RECENT) });
  }

  /** Radii, with the pen's pressure at both ends if there is a pen and the switch is on; half pressure is the set width. */
  radii(pressure = null) {
    const { radius_start, radius_end } = this.state;
    if (!pressure || !this.state.pressure) return [radius_start, radius_end];
    return [radius_start, radius_end].map((radius, end) => clamp(radius * pressure[end] * 2));
  }

  /** The 13 numbers of a stroke along `curve` {start, control, end}. */
  stroke(curve, pressure = null) {
    const [radius_start, radius_end] = this.radii(pressure), { opacity_start, opacity_end, colour } = this.state;
    const [red, green, blue] = colour.map((byte) => byte / 255);
    return {
      ...pathOf(curve),
      radius_start: round(radius_start), opacity_start: round(opacity_start), radius_end: round(radius_end), opacity_end: round(opacity_end),
      red, green, blue,
    };
  }
}

/** Width in pixels of the canvas of a radius in [0, 1]. */
export const widthOf = (radius, size) => 2 * pixelRadius(radius, size);
