/* The brush of a semantic task: its look is the task's own, a stroke is only a path. */
import { pathOf } from "../curve.js";
import { pixelRadius } from "../mask.js";

export class FixedBrush {
  /** In hand for a task with a `brush` {radius, red, green, blue}. */
  setTask(task) { this.radius = task.brush.radius; }

  /** Radii at both ends; a pen's pressure changes nothing. */
  radii() { return [this.radius, this.radius]; }

  /** The six numbers of a stroke along `curve` {start, control, end}. */
  stroke(curve) { return pathOf(curve); }

  used() { /* nothing to keep */ }
}

/** Width in pixels of the lines of a task, in words. */
export function brushWidth({ brush, width }) {
  const pixels = 2 * pixelRadius(brush.radius, width);
  return `${pixels < 10 ? pixels.toFixed(1).replace(/\.0$/, "") : Math.round(pixels)} px`;
}
