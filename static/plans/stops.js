/* Where one can stand in a plan: its paragraphs and calls in order, the gaps between them, and what is asked at the end. */

/**
 * The plan's pieces with the gaps in their places: [{key, kind, block, last, call, piece | gap}]; a piece may hold several blocks.
 * `gaps` are {key, after, …}; one behind the last block stands at the end.
 */
export function stopsOf(plan, gaps) {
  const left = [...gaps].sort((a, b) => a.after - b.after), found = [];
  const upTo = (block, at) => { while (left.length && left[0].after <= block) { const gap = left.shift(); found.push({ key: gap.key, kind: "gap", block: at, call: null,
    gap }); } };
  upTo(0, 0);
  for (const [k, piece] of plan.pieces.entries()) {
    found.push({ key: piece.block == null ? `t${k}` : `b${piece.block}`, kind: piece.kind, block: piece.block, last: piece.last ?? piece.block, call: piece.call,
      piece });
    if (piece.block != null) upTo(piece.last ?? piece.block, piece.block);
  }
  upTo(Infinity, found.findLast(({ block }) => block != null)?.block ?? 0);
  return found;
}

/** The stop whose piece holds a block. */
export const stopOf = (stops, block) => stops.find((stop) => stop.kind !== "gap" && stop.block != null && stop.block <= block && block <= stop.last);

/** What the asking person still has to say of a plan, in the order in which it is asked: calls, gaps, others' gaps, the plan, its final score. */
export function partsOf(plan, shownGaps) {
  return [...plan.calls.map(({ id }) => `call:${id}`), "gaps", ...shownGaps.map(({ part }) => part), "plan", "fs"];
}

/** The next part without a word after `part`, or from the first on; null when there is none. */
export function nextOpen(parts, part, isOpen) {
  const at = parts.indexOf(part);
  return [...parts.slice(at + 1), ...parts.slice(0, at + 1)].find(isOpen) ?? null;
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
