/* Where the words of a search stand in short texts that a list shows. */
import { h } from "../dom.js";

const exactly = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** What a search marks: {holds(text) whether one of its words stands there, mark(text) the text in pieces, of which the words are marked}. */
export function markerOf(q = "") {
  const words = [...new Set(q.split(/\s+/).filter(Boolean))].sort((one, other) => other.length - one.length).map(exactly);
  const found = words.length ? new RegExp(`(${words.join("|")})`, "giu") : null;
  return {
    holds: (text) => Boolean(found && text.search(found) >= 0),
    mark: (text) => (found ? text.split(found).map((piece, k) => (k % 2 ? h("mark", {}, piece) : piece)) : text),
  };
}
