/* Where one can stand in a plan: its paragraphs and calls in order, the gaps between them, and what is asked at the end. */

/**
 * The plan's pieces with the gaps in their places: [{key, kind, block, last, call, piece | gap}]; a piece may hold several blocks.
 * `gaps` are {key, after, …}; one behind the last block stands at the end.
 */
export function stopsOf(plan, gaps) {
  const left = [...gaps].sort((a, b) => a.after - b.after), found = [];
  const mark = (gap, at) => found.push({ key: gap.key, kind: "gap", block: at, call: null, gap });
  const upTo = (block, at) => { while (left.length && left[0].after <= block) mark(left.shift(), at); };
  upTo(0, 0);
  for (const [k, piece] of plan.pieces.entries()) {
    const { kind, block, call } = piece, last = piece.last ?? block;
    found.push({ key: block == null ? `t${k}` : `b${block}`, kind, block, last, call, piece });
    if (block != null) upTo(last, block);
  }
  upTo(Infinity, found.findLast(({ block }) => block != null)?.block ?? 0);
  return found;
}

/** The stop whose piece holds a block. */
export const stopOf = (stops, block) => stops.find((stop) => stop.kind !== "gap" && stop.block != null && stop.block <= block && block <= stop.last);

/** What is asked of a plan, in this order: calls, gaps, others' gaps, the plan, its final score; where there is no answer, a verdict alone. */
export function partsOf(plan, shownGaps) {
  if (isNone(plan)) return ["plan"];
  return [...plan.calls.map(({ id }) => `call:${id}`), "gaps", ...shownGaps.map(({ part }) => part), "plan", "fs"];
}

/** Whether there is no answer, as after a refusal. */
export const isNone = ({ no_output: why, problems }) => Boolean(why) || problems.some(({ code }) => code === "no_output");

/**
 * The next part without a word after `part`, round to `part` itself; null when there is none. The final score comes when nothing
 * else is open: with it the chief's report is told, which speaks of every part.
 */
export function nextOpen(parts, part, isOpen) {
  const at = parts.indexOf(part), open = [...parts.slice(at + 1), ...parts.slice(0, at + 1)].filter(isOpen);
  return open.find((one) => one !== "fs") ?? open[0] ?? null;
}

/** Parts of a plan in words: "calls 2 and 3, missing visuals". */
export function partNames(parts) {
  const calls = parts.filter((part) => part.startsWith("call:")).map((part) => part.slice(5)), few = calls.slice(0, 6), more = calls.length - few.length;
  const last = more ? `${more} more` : few.pop(), listed = few.length ? `${few.join(", ")} and ${last}` : last;
  return [calls.length && `call${calls.length > 1 ? "s" : ""} ${listed}`, parts.includes("gaps") && "missing visuals",
    parts.some((part) => part.startsWith("gap:")) && "what the judge misses", parts.includes("plan") && "your verdict"].filter(Boolean).join(", ");
}

/** How much room a piece takes, in lines: what the map shows, and a guess of its height before it is drawn. */
export function linesOf({ kind, piece }) {
  if (kind === "gap") return 2;
  if (kind === "call") return 4;
  if (kind === "thinking") return 1;
  return Math.min(12, Math.max(1, Math.ceil(lengthOf(piece.nodes, 1100) / 92)));
}

/* Characters of a tree, not counted beyond `most`. */
function lengthOf(nodes, most) {
  let length = 0;
  const count = (node) => {
    if (length >= most) return;
    if (typeof node === "string") length += node.length; else if (Array.isArray(node)) node.slice(1).forEach(count);
  };
  nodes.forEach(count);
  return length;
}
