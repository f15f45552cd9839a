/* Answers on whose pass the judge and people differ, and the criteria on which they differ most; both lead into the review. */
import { h, icon } from "../dom.js";
import { openTab } from "../tabs.js";
import { count } from "./statistics.js";
import { ACT, WARNING } from "./telling.js";

const SHOWN = 8; // that are listed at first

/* The way to where it can be looked at, {queue_id, entry}; what is in no queue has none. */
function entryLink(shown, ...children) {
  if (!shown) return h("span", { class: "words" }, children);
  const view = { queue: shown.queue_id, entry: String(shown.entry) };
  return h("a", {
    class: "words", href: `?${new URLSearchParams({ tab: "rubrics", ...view })}`,
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      openTab("rubrics", view);
    },
  }, children);
}

const waiting = (hidden) => `${count(hidden)} ${hidden === 1 ? "entry waits" : "entries wait"} for your vote`;

/* A list with a title; `hidden` entries may not be told of, `opened` holds the titles of lists that are shown whole. */
function listed(title, says, lines, empty, hidden, opened) {
  const whole = opened.has(title), list = h("ul", { class: "found" }, whole ? lines : lines.slice(0, SHOWN)), rest = whole ? [] : lines.slice(SHOWN);
  const more = h("button", { type: "button", class: "btn ghost small more-lines", onclick: () => open() }, `Show ${count(rest.length)} more`);
  function open() {
    opened.add(title);
    list.append(...rest);
    more.remove();
    rest[0].tabIndex = -1;
    rest[0].focus({ preventScroll: true });
  }
  return h("section", { class: "card", "aria-label": title }, h("h2", {}, title), h("p", { class: "sm mut" }, says),
    lines.length ? list : h("p", { class: "hole small" }, hidden ? [icon("lock"), `Nothing you may see yet: ${waiting(hidden)}.`] : empty), rest.length ? more : null,
    lines.length && hidden ? h("p", { class: "sm row held" }, icon("lock"), h("span", {}, `${waiting(hidden)}; what would tell of ${hidden === 1 ? "it" : "them"} is left out.`)) : null);
}

const flipLine = ({ task_id: task, model, attempt, judge_passes: passes, shown }) => h("li", { class: "row" },
  h("span", { class: `tag ${passes ? "warn" : "bad"}` }, passes ? "Only the judge passes it" : "Only people pass it"),
  h("span", { class: "grow" }, entryLink(shown, task, h("span", { class: "mut" }, ` ${model}${attempt > 1 ? `, attempt ${attempt}` : ""}`))));
const criterionLine = ({ task_id: task, turn, description, votes, differing, shown }) => h("li", {},
  h("div", { class: "row between" }, h("b", {}, `${count(differing)} of ${count(votes)}`), h("span", { class: "xs mut words" }, `${task}, turn ${turn}`)),
  entryLink(shown, description));

/** Both lists, from a panel. */
export function lists({ flips, worst, hidden, effect }, opened, tell) {
  const reviewed = `Pass by one and not by the other, of the ${count(effect.overall.reviewed)} answers that are wholly reviewed.`;
  const differing = "Votes that differ from the judge, of all votes on the criterion; the surest ones first.";
  const pair = h("div", { class: "pair" },
    listed("Answers that flip", reviewed, flips.map(flipLine), "None flips.", hidden, opened),
    listed("Worst criteria", differing, worst.map(criterionLine), "No vote differs from the judge.", hidden, opened));
  return hidden ? [pair, h("p", { class: "sm mut row telling" }, `Whoever is still to review them blind must not look. ${WARNING}`,
    h("button", { type: "button", class: "btn small", onclick: tell }, ACT))] : pair;
}
