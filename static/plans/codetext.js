/* Code-like text (parameters, raw calls) of models as text nodes, in which nothing acts unseen: what changes the direction
   of the text, takes no room or does not print is written out by its number. */
import { h } from "../dom.js";

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u{e0000}-\u{e0fff}]/gu;
const PLAIN = new Set(["\n", "\t"]);
const MOST_MARKS = 500; // and from there on one mark for all, since each is an element
const LONG = 4000; // characters that are shown at once
const number = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Nodes of a text. */
export function codeText(text) {
  const nodes = [];
  let from = 0, marks = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    if (PLAIN.has(character) || index < from) continue;
    if (index > from) nodes.push(text.slice(from, index));
    let end = index + character.length, times = 1;
    while (text.startsWith(character, end)) { end += character.length; times += 1; }
    if (character === "\r" && times === 1 && text[end] === "\n") nodes.push(""); // a line's end
    else if (++marks > MOST_MARKS) { nodes.push(text.slice(index).replace(UNSEEN, (one) => (PLAIN.has(one) ? one : "\ufffd"))); return nodes; }
    else nodes.push(h("span", { class: "ctl", title: "A character that cannot be seen" }, times > 1 ? `${number(character)} ×${times}` : number(character)));
    from = end;
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

const TURNS = /[\u202a-\u202e\u2066-\u2069]|[\p{Cc}\p{Cs}]/gu; // in prose only what turns the text round, or does not print

/** A tree of prose in which nothing turns the text round: what would is written out by its number, as code. */
export function plainTree(nodes) {
  return nodes.flatMap((node) => {
    if (typeof node === "string") return node.search(TURNS) >= 0 ? marked(node) : [node];
    if (!Array.isArray(node)) return [node];
    const [name, ...children] = node, addressed = name === "a" || name === "img";
    return [[name, ...(addressed ? [String(children[0]).replace(TURNS, "\ufffd"), ...plainTree(children.slice(1))] : plainTree(children))]];
  });
}

function marked(text) {
  const found = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(TURNS)) {
    if (PLAIN.has(character) || character === "\r" || index < from) continue;
    if (found.length > MOST_MARKS) return [...found, text.slice(from).replace(TURNS, (one) => (PLAIN.has(one) ? one : "\ufffd"))];
    let end = index + character.length;
    while (text.startsWith(character, end)) end += character.length;
    found.push(text.slice(from, index), ["code", number(character)]);
    from = end;
  }
  return [...found, text.slice(from)].filter((part) => part !== "");
}

/** A text that shows its beginning, and all of it on demand; `tag` holds it. */
export function codeBlock(text, tag = "pre", attributes = {}) {
  const body = h(tag, { ...attributes, class: `codetext ${attributes.class ?? ""}` }, codeText(text.slice(0, LONG)));
  if (text.length <= LONG) return body;
  const more = h("button", { type: "button", class: "btn small",
    onclick: () => { body.replaceChildren(...codeText(text)); more.remove(); body.tabIndex = -1; body.focus({ preventScroll: true }); } },
    `Show all ${text.length.toLocaleString("en")} characters`);
  return h("div", { class: "codelong" }, body, more);
}
