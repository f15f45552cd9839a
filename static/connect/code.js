/* Program text with a little colour. Everything goes in as text nodes; what is secret is shown as dots. */
import { h } from "../dom.js";

const DOTS = "••••••••••••";
const WORDS = {
  python: /\b(import|from|as|while|not|or|and|in|for|if|else|print|True|False|None)\b/y,
  shell: /\b(curl|echo|sed)\b/y,
  json: /\b(true|false|null)\b/y,
};
const STRING = /"(?:[^"\\]|\\.)*"|'[^']*'/y, NUMBER = /\b\d+(?:\.\d+)?\b/y, COMMENT = /#[^\n]*/y;

/* What begins at `at`: [class, text]; a string that is followed by a colon names something. */
function token(text, at, language) {
  const take = (pattern) => { pattern.lastIndex = at; return pattern.exec(text)?.[0]; };
  const comment = language !== "json" && take(COMMENT);
  if (comment) return ["c", comment];
  const string = take(STRING);
  if (string) return [language === "json" && /^\s*:/.test(text.slice(at + string.length)) ? "k" : "s", string];
  const word = take(WORDS[language]);
  if (word) return ["k", word];
  const number = language !== "shell" && take(NUMBER);
  return number ? ["s", number] : null;
}

/** Nodes of a text in `language` (python, shell or json); `secret` is masked wherever it stands. */
export function coloured(text, language, secret = null) {
  const shown = secret ? text.replaceAll(secret, DOTS) : text, out = [];
  let plain = "";
  const flush = () => { if (plain) out.push(plain); plain = ""; };
  for (let at = 0; at < shown.length;) {
    const found = /\w/.test(shown[at - 1] ?? "") && /\w/.test(shown[at]) ? null : token(shown, at, language);
    if (!found) { plain += shown[at++]; continue; }
    flush();
    out.push(h("span", { class: found[0] }, found[1]));
    at += found[1].length;
  }
  flush();
  return out;
}
