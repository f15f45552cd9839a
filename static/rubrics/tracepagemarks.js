/* What was searched for, marked where it stands in a trace; the text itself is not touched. */

const NAME = "es-trace-find", MOST = 400; // places that are marked at once
const BLOCKS = "pre, p, li, td, th, dd, dt, h2, h3, h4, blockquote, summary, .remark, .codetext";

/* The text nodes beneath `root`, those of one block after the other in one list. */
function blocksOf(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), blocks = [];
  let last = null;
  while (walker.nextNode()) {
    const { currentNode: node } = walker, block = node.parentElement.closest(BLOCKS) ?? node.parentElement;
    if (block !== last) blocks.push([]);
    blocks.at(-1).push(node);
    last = block;
  }
  return blocks;
}

/** Mark a text in `root`, however it is written in capitals and blanks, and whatever its words are coloured as; an empty one marks nothing. */
export function mark(root, wanted) {
  if (!globalThis.CSS?.highlights) return;
  CSS.highlights.delete(NAME);
  const words = (wanted ?? "").trim().split(/\s+/).filter(Boolean), ranges = [];
  if (!words.length) return;
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+"), "giu");
  for (const nodes of blocksOf(root)) {
    const starts = [];
    let text = "";
    for (const { data } of nodes) { starts.push(text.length); text += data; }
    const at = (place) => { const k = starts.findLastIndex((start) => start <= place); return [nodes[k], place - starts[k]]; };
    for (const { index, 0: found } of text.matchAll(pattern)) {
      const range = new Range(), [last, end] = at(index + found.length - 1);
      range.setStart(...at(index));
      range.setEnd(last, end + 1);
      if (ranges.push(range) >= MOST) break;
    }
    if (ranges.length >= MOST) break;
  }
  if (ranges.length) CSS.highlights.set(NAME, new Highlight(...ranges));
}
