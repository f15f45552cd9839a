/* How tools, conditions and endings are called on the Analysis page, and how players are marked in its plots. */
import { h } from "../dom.js";

/** The six tools: [name as it is sent, short, in a sentence, other names of it]. */
const TOOLS = [
  ["python_image_processing", "Image code", "Code that works on pictures"],
  ["python_interpreter", "Interpreter", "Other code"],
  ["google_search", "Search", "Web search", "web_search"],
  ["browser_get_page_text", "Page text", "Text of a web page", "browser-get-page-text"],
  ["historical_weather", "Weather", "Weather of a day"],
  ["calculator", "Calculator", "Calculator"],
];
const OTHER = "other";

/** Why a call failed, for people: what the rule says of one field is said of the tool. */
export const whyWords = (why) => (why === "ok is false" ? "the tool reported an error" : why);

/** Kinds of tool for a stacked bar: [key, short, in a sentence]. */
export const TOOL_KINDS = [...TOOLS.map(([name, short, says]) => [name, short, says]), [OTHER, "Other names", "Calls by a name that is none of the six"]];
const KIND = new Map(TOOLS.flatMap(([name, , , alias]) => [name, alias].filter(Boolean).map((one) => [one, name])));
/** How a tool is called in short; a name that is none of the six stays as it was sent. */
export const toolWord = (name) => TOOLS.find(([key]) => key === KIND.get(name))?.[1] ?? (name || "without a name");

/** Calls by name as calls by kind of tool. */
export function byKind(calls) {
  const sums = {};
  for (const [name, count] of Object.entries(calls)) { const kind = KIND.get(name) ?? OTHER; sums[kind] = (sums[kind] ?? 0) + count; }
  return sums;
}

/** How a turn ended: [key, short, in a sentence]. */
export const ENDINGS = [
  ["answered", "Answered", "The model answered without a further call"], ["most_rounds", "Out of rounds", "It still called tools in the last round that it had"],
  ["cut_off", "Cut off", "Its answer was cut off at its longest length"], ["refused", "Refused", "It refused, or a filter of its endpoint did"],
  ["empty", "Said nothing", "It said nothing and called nothing"],
];
export const endingWords = (ending) => ENDINGS.find(([key]) => key === ending) ?? [ending, ending, ending];

/** The published error taxonomy with our three sub-codes of perception: [key, short, in a sentence]. */
export const ERRORS = [
  ["visual_perception.no_tool", "Perception: no tool", "Visual perception: no tool was called"],
  ["visual_perception.wrong_view", "Perception: wrong view", "Visual perception: a tool was called with wrong code or region"],
  ["visual_perception.misread", "Perception: misread", "Visual perception: the right view, still misread"],
  ["reasoning", "Reasoning", "Reasoning"], ["calculation", "Calculation", "Calculation"], ["other", "Others", "Others"],
];

const PROMPTS = { strong: "Strong prompt", medium: "Medium prompt", weak: "Weak prompt" };
const OFFERED = { all: "All tools", no_vision: "No vision tool", none: "No tools" };
const HISTORIES = { golden: "Golden history", own: "Own history" };
const HISTORY_SAYS = { golden: "Earlier turns are told with the golden answers, as published", own: "Earlier turns are told with the model’s own answers" };

/**
 * Under what conditions answers were made, as quiet tags; `mixed` if they differ, in `differing`. What is not prompt, tools or history stands in
 * the tags' titles, or with `all` beside them.
 */
export function conditionTags(conditions, { mixed = false, differing = [], all = false } = {}) {
  const { prompt, prompt_version: version, tools, history, temperature, effort, sandbox } = conditions ?? {};
  const rest = [temperature != null && `Temperature ${temperature}`, effort && `Effort ${effort}`, sandbox === "kept" && "Variables kept"].filter(Boolean);
  const tag = (text, ...says) => text && h("span", { class: "tag line", title: [...says, ...(all ? [] : rest)].filter(Boolean).join(". ") || null }, text);
  const tags = [tag(PROMPTS[prompt], version && `Version ${version} of its words`), tag(OFFERED[tools]), tag(HISTORIES[history], HISTORY_SAYS[history]),
    ...(all ? rest.map((text) => tag(text)) : [])].filter(Boolean);
  const differs = mixed && h("span", { class: "tag warn",
    title: differing.length ? `Its answers differ in ${differing.join(", ")}` : "Its answers were made under different conditions" }, "Mixed conditions");
  if (differs) return [...tags, differs];
  return tags.length ? tags : [h("span", { class: "tag line", title: "Nothing is known of how its answers were made" }, "Conditions not on record")];
}

const SHAPES = {
  round: (x, y) => `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z`, square: (x, y) => `M${x - 4.5} ${y - 4.5}h9v9h-9Z`,
  up: (x, y) => `M${x - 5.5} ${y + 4.5}h11l-5.5 -10Z`, diamond: (x, y) => `M${x - 6} ${y}l6 -6l6 6l-6 6Z`,
};
const COLOURS = 5, FORMS = Object.keys(SHAPES);
const markOf = (k) => ({ colour: `p${(k % COLOURS) + 1}`, form: FORMS[Math.floor(k / COLOURS) % FORMS.length] });
/** Players, each with its mark {colour, form}, twenty of which differ: in the order of their first answers, so that whoever joins changes no other one's. */
export function marked(players) {
  const order = [...players].sort((a, b) => a.first - b.first);
  return players.map((player) => ({ ...player, mark: markOf(order.indexOf(player)) }));
}
/** The outline of a mark around a point. */
export const outline = ({ form }, x, y) => SHAPES[form](x, y);
