/* What a person says of each part of a plan, as values: of a call an object of its gates and scores, of the gaps a list, of
   another's gap true or false, of the plan a verdict, and a final score. */
import { plural } from "../dom.js";
import { CRITERIA, GATES, verdictName } from "./words.js";

const GATE_NAMES = GATES.map(([name]) => name), SCORE_NAMES = CRITERIA.map(([name]) => name);
/** Rows of a call's ballot, in the order in which they are asked. */
export const ROWS = [...GATE_NAMES, ...SCORE_NAMES];
export const GOOD = Object.fromEntries(ROWS.map((row) => [row, GATE_NAMES.includes(row) ? true : 2]));
export const isGate = (row) => GATE_NAMES.includes(row);

/** {about, key} of a part such as `call:3`, `gaps`, `gap:JUDGE/2`, `plan`, `fs`. */
export function split(part) {
  const at = part.indexOf(":");
  return at < 0 ? { about: part, key: "" } : { about: part.slice(0, at), key: part.slice(at + 1) };
}

/** A value out of a vote's content; null without one. */
export function valueOf(content) {
  if (!content) return null;
  if (content.about === "call" || content.scores) return { necessary: content.necessary, boundary_ok: content.boundary_ok, ...content.scores };
  if (content.about === "gaps" || content.gaps) return content.gaps;
  return content.upheld ?? content.fs ?? content.verdict ?? null;
}

/** What stands in `mine` of a plan on a part: {value, note} or null. */
export function mineOn(mine, part) {
  if (!mine) return null;
  const { about, key } = split(part);
  const value = { call: () => valueOf(mine.calls[key]), gaps: () => valueOf(mine.gaps), gap: () => mine.upheld[key] ?? null, fs: () => mine.fs,
    plan: () => mine.plan }[about]();
  return value == null ? null : { value, note: mine.notes[part] ?? "" };
}

/** Whether a value says all that is asked. */
export function isWhole(part, value) {
  if (value == null) return false;
  const { about } = split(part);
  if (about === "call") return ROWS.every((row) => value[row] != null);
  if (about === "gaps") return value.every(({ type }) => type);
  return true;
}

/** The content of a vote. */
export function contentOf(part, value) {
  const { about } = split(part);
  if (about === "call") return { about, necessary: value.necessary, boundary_ok: value.boundary_ok,
    scores: Object.fromEntries(SCORE_NAMES.map((name) => [name, value[name]])) };
  return { about, ...{ gaps: { gaps: value }, gap: { upheld: value }, fs: { fs: value }, plan: { verdict: value } }[about] };
}

/** A call's value as reports have it, for its chips. */
export const verdictOf = (value) => ({ necessary: value.necessary, boundary_ok: value.boundary_ok, scores: value });
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** What another person says of a part, in one line. */
export function said({ reviewer, content, note, blind }) {
  const value = valueOf(content), ofCall = () => [value.necessary ? "adds value" : "adds nothing", value.boundary_ok ? "right tool" : "wrong tool",
    SCORE_NAMES.map((name) => value[name]).join(" ")].join(", ");
  const words = { call: ofCall, gaps: () => plural(value.length, "missing visual"), gap: () => (value ? "missing" : "not missing"), fs: () => String(value),
    plan: () => verdictName(value).toLowerCase() }[content.about]();
  return `${reviewer}: ${words}${note ? `, “${note}”` : ""}${blind ? "" : " (not blind)"}`;
}
