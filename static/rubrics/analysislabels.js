/* Where the names of points stand in a plot, so that no two of them meet and none covers a point. */

const RINGS = [11, 16, 24, 34, 46, 60, 76, 94]; // px between a point and the edge of its name
const WAYS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]];
const POINT = 9, GAP = 2; // px of half a point with its room, and between names
const CROSSED = 14; // px that a whisker under a name is worth

const meets = (a, b) => a.x < b.x + b.w + GAP && b.x < a.x + a.w + GAP && a.y < b.y + b.h + GAP && b.y < a.y + a.h + GAP;

/* The box of a name so far off its point, to one side of it. */
function boxOf({ x, y, w, h }, [across, down], off) {
  const left = across > 0 ? x + off : across < 0 ? x - off - w : x - w / 2;
  return { x: left, y: down > 0 ? y + off : down < 0 ? y - off - h : y - h / 2, w, h };
}

/**
 * Places for names: `points` are [{x, y, w, h}] in px with the size of each one's name, `whiskers` [{x, y, w, h}] what names
 * rather do not cover, `area` {x, y, w, h} what they stay in. Returns a box for each point, with `far` where it stands apart
 * from its point, or null where there is no room.
 */
export function placed(points, whiskers, area) {
  const solid = points.map(({ x, y }) => ({ x: x - POINT, y: y - POINT, w: 2 * POINT, h: 2 * POINT })), taken = [], found = points.map(() => null);
  const near = (point) => points.filter((one) => Math.hypot(one.x - point.x, one.y - point.y) < 48).length;
  const order = points.map((_, k) => k).sort((a, b) => near(points[b]) - near(points[a]) || points[a].y - points[b].y); // the crowded ones choose first
  const inside = (box) => box.x >= area.x && box.y >= area.y && box.x + box.w <= area.x + area.w && box.y + box.h <= area.y + area.h;
  for (const k of order) {
    let best = null;
    for (const off of RINGS) {
      if (best && off >= best.cost) break;
      for (const [rank, way] of WAYS.entries()) {
        const box = boxOf(points[k], way, off), free = inside(box) && !taken.some((one) => meets(one, box))
          && !solid.some((one, other) => other !== k && meets(one, box));
        const cost = off + rank + CROSSED * whiskers.filter((one) => meets(one, box)).length;
        if (free && (!best || cost < best.cost)) best = { ...box, cost, far: off > RINGS[0] + 4 };
      }
    }
    if (!best) continue;
    found[k] = best;
    taken.push(best);
  }
  return found;
}
