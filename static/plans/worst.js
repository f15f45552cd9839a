/* Calls on which people differ most from the judge; each opens where it stands in its plan. */
import { h, icon, plural } from "../dom.js";
import { count } from "../rubrics/statistics.js";
import { toolLabel } from "./words.js";

const SHOWN = 8; // that are listed at first

/** A card; `hidden` calls wait for a blind vote and are left out until `tell()`. `titles` are of queries, by their ids, as far as they are known. */
export function worstCalls(worst, hidden, { open, tell, titles }) {
  const line = ({ answer, query_id: query, planner, attempt, call, tool, judge, votes, differing }) => h("li", {},
    h("div", { class: "row between" }, h("span", {}, h("b", {}, `${count(differing)} of ${count(votes)}`),
      h("span", { class: "mut" }, judge ? " say it fails, the judge that it succeeds" : " say it succeeds, the judge that it fails")),
      h("span", { class: "xs mut words" }, `${planner}${attempt > 1 ? `, attempt ${attempt}` : ""}`)),
    h("button", { type: "button", class: "link", "data-call": `${answer}/${call}`, onclick: () => open(answer, { call, keep: false }) },
      `Call ${call}${tool ? `, ${toolLabel(tool)}` : ""}`),
    h("span", { class: "mut" }, " of ", h("span", { class: "words", "data-query": query }, titles.get(query) ?? query)));
  const lines = worst.map(line), list = h("ul", { class: "found" }, lines.slice(0, SHOWN)), rest = lines.slice(SHOWN),
    waits = `${plural(hidden, "call")} ${hidden === 1 ? "waits" : "wait"} for your vote`;
  function unfold() {
    list.append(...rest);
    more.remove();
    rest[0].querySelector("button").focus({ preventScroll: true });
  }
  const more = h("button", { type: "button", class: "btn ghost small more-lines", onclick: unfold }, `Show ${count(rest.length)} more`);
  return h("section", { class: "card worst", "aria-label": "Worst calls" }, h("h2", {}, "Worst calls"),
    h("p", { class: "sm mut" }, "Votes that differ from the judge, of all votes on the call; the surest ones first."),
    lines.length ? list : h("p", { class: "hole small" }, hidden ? [icon("lock"), `Nothing you may see yet: ${waits}.`]
      : "No vote differs from the judge."), rest.length > 0 && more,
    lines.length > 0 && hidden > 0 && h("p", { class: "sm row held" }, icon("lock"), h("span", {}, `${waits}; they are left out.`)),
    hidden > 0 && h("p", { class: "sm mut row telling" }, "Whoever is still to review them blind must not look.",
      h("button", { type: "button", class: "btn small", onclick: tell }, "Show everything all the same")));
}
