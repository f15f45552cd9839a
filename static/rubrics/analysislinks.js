/* Ways from the Analysis page to a trace and back, as links that can be opened elsewhere too. */
import { h } from "../dom.js";
import { SCORE } from "./statistics.js";

/** The address of a view of this tab; parameters that are null are left out. */
export function addressOf({ set, queue }, view, parameters) {
  const place = queue ? { queue: queue.queue_id } : { set: set.set_id };
  return `?${new URLSearchParams(Object.entries({ tab: "rubrics", ...place, show: view, ...parameters }).filter(([, value]) => value != null))}`;
}

/** A link to a trace, which `open(view, parameters)` shows in this page. `place`: {answer, turn, call, round, q, beside, by, critical}. */
export function traceLink(wish, place, open, attributes, ...children) {
  const parameters = Object.fromEntries(["answer", "turn", "call", "round", "q", "beside", "by",
    "critical"].map((name) => [name, place[name] == null ? null : String(place[name])]));
  return h("a", {
    href: addressOf(wish, "trace", parameters), ...attributes,
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      open("trace", parameters);
    },
  }, children);
}

/** Two players as one parameter of the link; commas of their names are written otherwise. */
export const pairText = (a, b) => [a, b].map((name) => encodeURIComponent(name)).join(",");
/** The two names of such a parameter, undefined what is not there or cannot be read. */
export function pairOf(text) {
  try { return (text ?? "").split(",").slice(0, 2).map((part) => decodeURIComponent(part) || undefined); } catch { return []; }
}

/** What someone scored, short: [words, kind of tag]. */
export function outcome({ status, passed }) {
  if (status === "hidden") return ["Hidden", "line"];
  if (status === "none") return ["No answer", "line"];
  if (status === "scored") return passed ? ["Pass", "acc"] : ["Fail", "bad"];
  return [status === "incomplete" ? "Incomplete" : "Unscored", "line"];
}

/** The verdict on an answer with its score, in a cell. */
export function outcomeCell(line) {
  const [words, kind] = outcome(line);
  return h("td", { class: "outcome" }, line.score == null ? null : h("span", { class: "score" }, SCORE.write(line.score)), h("span", { class: `tag ${kind}` }, words));
}
