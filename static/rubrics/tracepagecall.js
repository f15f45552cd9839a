/* One tool call of a trace: what was sent, what came back, the pictures that it made, how long it took and whether it was of use. */
import { announce, h, icon } from "../dom.js";
import { copyText } from "../copy.js";
import { toolWord, whyWords } from "./analysiswords.js";
import { thumb } from "./pictures.js";
import { codeBlock, textBlock, textSpan } from "./tracepagecode.js";
import { plainly } from "./words.js";

const FIELDS = 40; // named values that are shown
const LONGEST = 200_000; // characters of a text that may be read as JSON
const PLAIN = new Set(["ok", "output_path", "output_paths"]); // what pictures and printed text tell better
const PRINTED = new Set(["stdout", "stderr", "traceback"]); // kept as they are written
const NONE = new Set();
const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const SHORT = 80; // characters of JSON that stay on one line
const asText = (value) => { if (typeof value === "string") return value; const line = JSON.stringify(value) ?? "";
  return line.length > SHORT ? JSON.stringify(value, null, 1) : line; };

/* What a tool sent as JSON text, as a value; else as it came. */
function read(value) {
  if (typeof value !== "string" || value.length > LONGEST || !/^\s*\{/.test(value)) return value;
  try { return JSON.parse(value); } catch { return value; }
}

/* Named values: code and printed text in blocks of their own, the others as a table; `seen` after them, and beneath it, folded, what is called as in `folded`. */
function named(value, what, { empty = "Nothing", folded = NONE, seen = null } = {}) {
  if (value == null || value === "") return [seen ?? h("p", { class: "xs mut" }, "Nothing")];
  if (!isTable(value)) return [textBlock(asText(value), what), seen];
  const pairs = Object.entries(value), block = ([name, text]) => (name === "code" || PRINTED.has(name)) && typeof text === "string";
  const blocks = pairs.filter((pair) => block(pair) && pair[1]), plain = pairs.filter((pair) => !block(pair) && !folded.has(pair[0])),
    under = pairs.filter(([name]) => folded.has(name));
  const list = (some) => some.length > 0 && h("dl", { class: "pairs-list" },
    some.slice(0, FIELDS).map(([name, text]) => h("div", {}, h("dt", { class: "mono" }, textSpan(name.slice(0, 80))), h("dd", {}, textSpan(asText(text))))));
  const one = ([name, text]) => (name === "code" ? codeBlock(text, `${what}: code`)
    : h("div", { class: "printed" }, h("span", { class: "mono xs mut" }, name), textBlock(text, `${what}: ${name}`, name)));
  return [
    ...blocks.map(one),
    list(plain),
    plain.length > FIELDS && h("p", { class: "xs mut" }, `and ${plain.length - FIELDS} more`),
    !blocks.length && !plain.length && empty && h("p", { class: "xs mut" }, empty),
    seen,
    under.length > 0 && h("details", { class: "fields" }, h("summary", {}, "Fields"), list(under)),
  ];
}

/** Seconds, short. */
export const seconds = (value) => (value < 0.0995 ? `${Math.round(1000 * value)} ms` : `${value.toFixed(value < 9.95 ? 2 : 1)} s`);

/** A button that copies the way to a step; `link()` gives its address, `what` says of what. */
export const linkButton = (link, what) => h("button",
  { type: "button", class: "btn ghost icon small copy-link", title: "Copy the link to this step", "aria-label": `Copy the link to ${what}`,
  onclick: async () => { await copyText(link()); announce("Link copied"); } }, icon("copy"));

const WIDE = 320, HIGH = 240; // px of a picture at most

/* A picture that a call made, as large as it will be before it is there: nothing moves when it comes. */
function made(picture, name, zoom) {
  const button = thumb(picture, name, zoom), { width, height } = picture;
  button.firstChild.style.width = `${Math.round(Math.min(width, WIDE, (width * HIGH) / height))}px`;
  return button;
}

/** A call as a step; `turn` is its turn's number, `zoom(pictures, at, nameOf)` shows a picture larger, `link()` is its address. */
export function callStep(call, turn, { zoom, link }) {
  const { call: number, name, arguments: sent, observation, pictures, success, why, operations, latency } = call, what = `call ${number}`;
  const nameOf = (k) => `Picture ${k + 1} of call ${number}, turn ${turn}`, came = read(observation), short = toolWord(name);
  const seen = pictures.length ? h("div", { class: "made" }, pictures.map((picture, k) => made(picture, nameOf(k), () => zoom(pictures, k, nameOf)))) : null;
  const told = { seen, empty: seen ? null : "Nothing was printed", folded: seen || (isTable(came) && [...PRINTED].some((name) => came[name])) ? PLAIN : NONE };
  return h("article", { class: `step call-step ${success ? "" : "failed"}`, "data-step": true, "data-turn": turn, "data-call": number, tabindex: -1,
    "aria-label": `Turn ${turn}, call ${number}: ${short}, ${success ? "success" : "failed"}` },
    h("header", { class: "row step-head" }, h("span", { class: "step-number" }, number), h("span", { class: "mono name", title: short }, name || "without a name"),
      operations.slice(0, 8).map((operation) => h("span", { class: "tag line" }, plainly(operation))),
      success ? h("span", { class: "tag acc", title: why }, "Success") : h("span", { class: "tag bad" }, "Failed"), h("span", { class: "grow" }),
      latency == null ? null : h("span", { class: "sm mut latency", title: "Until it came back" }, seconds(latency)), linkButton(link, what)),
    !success && why ? h("p", { class: "why words" }, sentence(whyWords(why))) : null,
    h("div", { class: "sent" }, named(read(sent), `What ${what} sent`)),
    h("div", { class: "came" }, h("h4", {}, "Came back"), named(came, `What ${what} brought`, told)));
}
