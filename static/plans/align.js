/* Two plans of one query beside each other, aligned by paragraph: which of their parts say the same thing. The rule is that of the export
   (exports/plans/aligning.py); where words are written without spaces each character counts as one. */
const ALIKE = 0.15; // share of words in common from which two paragraphs stand beside each other
const SAME_TOOL = 0.1; // what it counts that two paragraphs have the same tools behind them
const MOST = 300; // parts of each plan that are aligned; those behind them follow in their order
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}_]+/gu;

/** The words of a Markdown tree. */
export const wordsIn = (nodes) => nodes.map((node) => (typeof node === "string" ? node : Array.isArray(node) ? wordsIn(node.slice(1)) : "")).join(" ");

/**
 * The parts of a plan: each a paragraph with the calls, the thinking and the gaps (with `after`, a block) behind it, in their order.
 * [{items: [{kind, piece | call | gap}], text, words, tools, calls}]
 */
export function partsOf(plan, gaps = []) {
  const calls = new Map(plan.calls.map((call) => [call.id, call])), parts = [];
  const waiting = [...gaps].sort((one, other) => one.after - other.after);
  const begin = (text) => { parts.push({ items: [], text, words: new Set(text.toLowerCase().match(WORD)), tools: [], calls: [], blocks: [] }); return parts.at(-1); };
  const due = (block) => { while (waiting.length && waiting[0].after <= block) (parts.at(-1) ?? begin("")).items.push({ kind: "gap", gap: waiting.shift().gap }); };
  due(0);
  for (const piece of plan.pieces) {
    const call = piece.kind === "call" ? calls.get(piece.call) : null;
    if (call) {
      const part = parts.at(-1) ?? begin("");
      part.items.push({ kind: "call", call });
      part.tools.push(call.tool);
      part.calls.push(call);
    } else if (piece.kind === "text") begin(wordsIn(piece.nodes)).items.push({ kind: "text", piece });
    else if (piece.kind === "thinking") (parts.at(-1) ?? begin("")).items.push({ kind: "thinking", piece });
    for (let block = piece.block ?? 1; piece.block != null && block <= (piece.last ?? piece.block); block++) parts.at(-1).blocks.push(block);
    if (piece.last != null) due(piece.last);
  }
  due(Infinity);
  return parts;
}

const sameTools = (one, other) => one.tools.length === other.tools.length && one.tools.every((tool, k) => tool === other.tools[k]);

/** How alike two parts are: the share of their words that both have, and a little for the same tools. */
export function likeness(one, other) {
  const [few, many] = one.words.size < other.words.size ? [one.words, other.words] : [other.words, one.words];
  let both = 0;
  for (const word of few) if (many.has(word)) both += 1;
  const all = few.size + many.size - both;
  return (all ? both / all : Number(sameTools(one, other))) + (one.tools.length && sameTools(one, other) ? SAME_TOOL : 0);
}

/**
 * Which part of the right plan stands beside which of the left one, [[place, place]] in the order of both, null where none does: the pairs
 * with the largest sum of likenesses that do not cross (Needleman and Wunsch 1970).
 */
export function align(left, right) {
  const n = Math.min(left.length, MOST), m = Math.min(right.length, MOST), wide = m + 1;
  const alike = new Float64Array(n * m), best = new Float64Array((n + 1) * wide);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      const same = (alike[i * m + j] = likeness(left[i], right[j])), paired = same >= ALIKE ? best[(i + 1) * wide + j + 1] + same : -1;
      best[i * wide + j] = Math.max(paired, best[(i + 1) * wide + j], best[i * wide + j + 1]);
    }
  }
  const pairs = [];
  let i = 0, j = 0;
  while (i < n && j < m) {
    const here = best[i * wide + j], same = alike[i * m + j];
    if (same >= ALIKE && here === best[(i + 1) * wide + j + 1] + same) pairs.push([i++, j++]);
    else if (here === best[(i + 1) * wide + j]) pairs.push([i++, null]);
    else pairs.push([null, j++]);
  }
  for (; i < left.length; i++) pairs.push([i, null]);
  for (; j < right.length; j++) pairs.push([null, j]);
  return pairs;
}
