/* Finding a quote in a text that is on show, whatever Markdown or a browser made of its blanks and marks, and marking it. */
import { h } from "../dom.js";

const LISTED = /^[ \t]*(?:>[ \t]*)*(?:\d{1,9}[.)]|[-*+])[ \t]+/gm; // a list's marks are not in its rendered text
const SIGNS = /[\p{L}\p{N}\p{S}%&@]/u; // what counts: letters, digits and signs such as + and =, but none of Markdown's
const MARKDOWN = /[`~^<>|]/;
const counts = (character) => SIGNS.test(character) && !MARKDOWN.test(character);

/* The characters of a text that count, and where each stands in it. */
function squeezed(text) {
  const characters = [], places = [];
  let at = 0;
  for (const character of text) {
    if (counts(character)) {
      for (const unit of character.normalize("NFKD").toLowerCase()) if (counts(unit)) { characters.push(unit); places.push([at, at + character.length]); }
    }
    at += character.length;
  }
  return { text: characters.join(""), places: places.flatMap((place, k) => Array(characters[k].length).fill(place)) };
}

const textsOf = (root) => {
  const found = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
};

/** Take all marks away. */
export function unmark(root) {
  for (const mark of root.querySelectorAll("mark")) mark.replaceWith(...mark.childNodes);
  root.normalize();
}

/** Mark `quote` in the text of `root`; returns the first mark, or null when it is not there. */
export function markQuote(root, quote) {
  const wanted = squeezed(quote.replace(LISTED, "")).text || "";
  if (!wanted) return null;
  const nodes = textsOf(root), starts = [];
  let whole = "";
  for (const node of nodes) { starts.push(whole.length); whole += node.data; }
  const { text, places } = squeezed(whole), at = text.indexOf(wanted);
  if (at < 0) return null;
  const from = places[at][0], to = places[at + wanted.length - 1][1];
  let first = null;
  nodes.forEach((node, k) => {
    const begin = Math.max(0, from - starts[k]), end = Math.min(node.data.length, to - starts[k]);
    if (begin >= end || (!node.data.slice(begin, end).trim() && !node.parentElement.closest("pre"))) return;
    const range = new Range(), mark = h("mark", {});
    range.setStart(node, begin);
    range.setEnd(node, end);
    range.surroundContents(mark);
    first ??= mark;
  });
  return first;
}
