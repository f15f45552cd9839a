/* One quadratic Bézier through what a hand drew. Pure functions; points are {x, y, pressure?} in [0, 1]. */

const SAMPLES = 64; // an even walk along the path, so that a slow start does not weigh more than a fast end
const ROUNDS = 40; // a hairpin needs many; most paths stop after a few

const at = (p, q, t) => p + (q - p) * t;

const NAMES = ["start", "control", "end"];
const rounded = (value) => Math.round(Math.min(1, Math.max(0, value)) * 1e6) / 1e6;

/** The six coordinates of a curve {start, control, end} by the names that a stroke gives them, to a millionth. */
export const pathOf = (curve) => Object.fromEntries(NAMES.flatMap((name) => ["x", "y"].map((axis) => [`${axis}_${name}`, rounded(curve[name][axis])])));
/** The curve {start, control, end} of a stroke's coordinates. */
export const curveOf = (stroke) => Object.fromEntries(NAMES.map((name) => [name, { x: stroke[`x_${name}`], y: stroke[`y_${name}`] }]));

/** The point of a curve {start, control, end} at t. */
export function pointAt({ start, control, end }, t) {
  const u = 1 - t;
  return {
    x: u * u * start.x + 2 * u * t * control.x + t * t * end.x,
    y: u * u * start.y + 2 * u * t * control.y + t * t * end.y,
  };
}

/** Length of a curve, to a few thousandths of it. */
export function lengthOf(curve, pieces = 24) {
  let sum = 0;
  for (let k = 1, before = curve.start; k <= pieces; k++) {
    const point = pointAt(curve, k / pieces);
    sum += Math.hypot(point.x - before.x, point.y - before.y);
    before = point;
  }
  return sum;
}

/** The path resampled at `count` points of equal distance; pressure goes along. */
export function resample(points, count = SAMPLES) {
  const lengths = [0];
  for (let i = 1; i < points.length; i++) {
    lengths.push(lengths[i - 1] + Math.hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y));
  }
  const total = lengths.at(-1);
  if (!total) return [points[0]];
  const out = [];
  for (let k = 0, i = 1; k < count; k++) {
    const goal = (total * k) / (count - 1);
    while (i < points.length - 1 && lengths[i] < goal) i++;
    const span = lengths[i] - lengths[i - 1], t = span ? Math.min(1, (goal - lengths[i - 1]) / span) : 0;
    const a = points[i - 1], b = points[i];
    out.push({ x: at(a.x, b.x, t), y: at(a.y, b.y, t), pressure: at(a.pressure ?? 0.5, b.pressure ?? 0.5, t) });
  }
  return out;
}

/* With the ends fixed the error is a parabola in the control point, one for each axis: the best point of the allowed
   range [0, 1] is therefore the best point of all, clamped. */
function solve(points, ts) {
  const start = points[0], end = points.at(-1);
  let weight = 0, x = 0, y = 0;
  for (let i = 0; i < points.length; i++) {
    const t = ts[i], u = 1 - t, w = 2 * u * t;
    weight += w * w;
    x += w * (points[i].x - u * u * start.x - t * t * end.x);
    y += w * (points[i].y - u * u * start.y - t * t * end.y);
  }
  const inside = (value) => Math.min(1, Math.max(0, value));
  return weight > 1e-12
    ? { x: inside(x / weight), y: inside(y / weight) }
    : { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
}

function errorOf(curve, points, ts) {
  let sum = 0;
  for (let i = 0; i < points.length; i++) {
    const p = pointAt(curve, ts[i]);
    sum += (p.x - points[i].x) ** 2 + (p.y - points[i].y) ** 2;
  }
  return sum / points.length;
}

/* Parameters at which the curve has run through the same share of its length as the path has at each point. Near a
   hairpin's turn the hand covers little ground while t runs on, which no other start finds out. */
function byLength(curve, count, pieces = 96) {
  const lengths = [0];
  for (let k = 1, before = curve.start; k <= pieces; k++) {
    const point = pointAt(curve, k / pieces);
    lengths.push(lengths[k - 1] + Math.hypot(point.x - before.x, point.y - before.y));
    before = point;
  }
  const total = lengths[pieces] || 1;
  const ts = [];
  for (let i = 0, k = 1; i < count; i++) {
    const goal = (total * i) / (count - 1);
    while (k < pieces && lengths[k] < goal) k++;
    const span = lengths[k] - lengths[k - 1];
    ts.push((k - 1 + (span ? Math.min(1, Math.max(0, (goal - lengths[k - 1]) / span)) : 0)) / pieces);
  }
  return ts;
}

/* One Newton step of each parameter towards the foot of the perpendicular; order along the path is kept. */
function reparametrise(curve, points, ts) {
  const { start, control, end } = curve;
  const ddx = 2 * (start.x - 2 * control.x + end.x), ddy = 2 * (start.y - 2 * control.y + end.y);
  const next = ts.map((t, i) => {
    const p = pointAt(curve, t), u = 1 - t;
    const dx = 2 * (u * (control.x - start.x) + t * (end.x - control.x));
    const dy = 2 * (u * (control.y - start.y) + t * (end.y - control.y));
    const ex = p.x - points[i].x, ey = p.y - points[i].y;
    const slope = dx * dx + dy * dy + ex * ddx + ey * ddy;
    return slope > 1e-12 ? Math.min(1, Math.max(0, t - (ex * dx + ey * dy) / slope)) : t;
  });
  next[0] = 0;
  next[next.length - 1] = 1;
  for (let i = 1; i < next.length; i++) next[i] = Math.max(next[i], next[i - 1]);
  return next;
}

/**
 * Least-squares quadratic Bézier of a path: ends fixed, control point solved; parameters by chord length, then by the
 * curve's own length, then moved to its nearest points, until nothing is gained. The control point stays in [0, 1].
 * Returns {start, control, end, error} with the mean squared distance.
 */
export function fitQuadratic(points) {
  const path = resample(points);
  const start = { x: path[0].x, y: path[0].y };
  if (path.length === 1) return { start, control: start, end: start, error: 0 };
  const end = { x: path.at(-1).x, y: path.at(-1).y };
  let best = null;
  const descend = (ts, rounds, next) => {
    for (let round = 0, last = Infinity; round < rounds; round++) {
      const curve = { start, control: solve(path, ts), end };
      const error = errorOf(curve, path, ts);
      if (!best || error < best.error) best = { ...curve, error };
      if (error > last * 0.999 || error < 1e-9) break;
      last = error;
      ts = next(curve, ts);
    }
  };
  descend(path.map((_, i) => i / (path.length - 1)), ROUNDS, (curve) => byLength(curve, path.length));
  descend(reparametrise(best, path, byLength(best, path.length)), ROUNDS, (curve, ts) => reparametrise(curve, path, ts));
  return best;
}

/** A straight stroke from the first to the last point. */
export function straight(points) {
  const [start, end] = [points[0], points.at(-1)].map(({ x, y }) => ({ x, y }));
  return { start, control: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }, end, error: 0 };
}

/** The line through the pen's pressure along the path: [at the start, at the end], each in [0, 1]. */
export function fitPressure(points) {
  const path = resample(points), n = path.length;
  const mean = path.reduce((sum, p) => sum + (p.pressure ?? 0.5), 0) / n;
  let cross = 0, square = 0;
  for (let i = 0; i < n; i++) {
    const t = n > 1 ? i / (n - 1) - 0.5 : 0;
    cross += t * ((path[i].pressure ?? 0.5) - mean);
    square += t * t;
  }
  const slope = square ? cross / square : 0;
  return [mean - slope / 2, mean + slope / 2].map((value) => Math.min(1, Math.max(0, value)));
}
