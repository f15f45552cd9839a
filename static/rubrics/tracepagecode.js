/* Code and output of models as text: Python with its words in colours, and nothing that acts unseen. */
import { h } from "../dom.js";
import { codeText } from "../plans/codetext.js";

const FIRST = 5000; // characters that are shown at once: as long as the code of a valid call may be
const MOST_TOKENS = 4000; // and from there on plain
const KEYWORDS = new Set(("and as assert async await break class continue def del elif else except finally for from global if import in is lambda match "
  + "nonlocal not or pass raise return try while with yield True False None").split(" "));
const TOKEN = new RegExp([
  "(?<comment>#[^\\n]*)",
  "(?<string>(?<![\\w])[rRbBfFuU]{0,2}(?:\"\"\"(?:\\\\[\\s\\S]|[^\\\\])*?(?:\"\"\"|$)|'''(?:\\\\[\\s\\S]|[^\\\\])*?(?:'''|$)"
    + "|\"(?:\\\\[\\s\\S]|[^\"\\\\\\n])*\"?|'(?:\\\\[\\s\\S]|[^'\\\\\\n])*'?))",
  "(?<number>(?<![\\p{L}\\p{N}_])(?:0[xX][\\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d[\\d_]*)?[jJ]?))",
  "(?<word>[\\p{L}_][\\p{L}\\p{N}_]*)",
].join("|"), "gu");

/** What Python code consists of: [[kind, text]], with kind null, `comment`, `string`, `number` or `keyword`; all texts together are the code. */
export function tokens(code) {
  const found = [];
  let from = 0;
  for (const match of code.matchAll(TOKEN)) {
    const { comment, string, number, word } = match.groups,
      kind = comment !== undefined ? "comment" : string !== undefined ? "string" : number !== undefined ? "number" : KEYWORDS.has(word) ? "keyword" : null;
    if (!kind) continue;
    if (match.index > from) found.push([null, code.slice(from, match.index)]);
    found.push([kind, match[0]]);
    from = match.index + match[0].length;
    if (found.length >= MOST_TOKENS) break;
  }
  if (from < code.length) found.push([null, code.slice(from)]);
  return found;
}

const waiting = new WeakMap(); // blocks that are plain as yet -> their text
/* Colours change no measure of a text: code is coloured when it comes near the window. */
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    const text = waiting.get(target);
    waiting.delete(target);
    if (text === undefined) continue;
    target.replaceChildren(...tokens(text).flatMap(([kind, part]) => (kind ? [h("span", { class: `py-${kind}` }, codeText(part))] : codeText(part))));
    target.dispatchEvent(new Event("es:coloured", { bubbles: true })); // its text nodes are other ones now
  }
}, { rootMargin: "600px" });

/* Show the beginning of a text in `body`, all of it on demand; `put(text)` shows one. */
function long(text, body, put) {
  put(text.slice(0, FIRST));
  if (text.length <= FIRST) return body;
  const all = () => { put(text); more.remove(); body.classList.add("whole"); body.tabIndex = 0; body.focus({ preventScroll: true }); };
  const more = h("button", { type: "button", class: "btn small", onclick: all }, `Show all ${text.length.toLocaleString("en")} characters`);
  return h("div", { class: "codelong" }, body, more);
}

/** Python code in a block of its own; `label` says of what. */
export function codeBlock(code, label) {
  const body = h("pre", { class: "codetext python", tabindex: 0, role: "region", "aria-label": label });
  return long(code, body, (text) => {
    body.replaceChildren(...codeText(text));
    waiting.set(body, text);
    seen.observe(body);
  });
}

/** Another text as it was written. */
export function textBlock(text, label, kind = "") {
  const body = h("pre", { class: `codetext ${kind}`, tabindex: 0, role: "region", "aria-label": label });
  return long(text, body, (part) => body.replaceChildren(...codeText(part)));
}

/** A text within a line or a cell. */
export function textSpan(text) {
  const body = h("span", { class: "codetext" });
  return long(text, body, (part) => body.replaceChildren(...codeText(part)));
}
