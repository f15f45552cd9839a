/* The rubric of an answer with the verdicts on it, and the experts' answers, folded. */
import { h, icon } from "../dom.js";
import { ASIDE, Prose } from "./prose.js";
import { outcome } from "./analysislinks.js";
import { SCORE } from "./statistics.js";
import { ACT, WARNING } from "./telling.js";

const VERDICT = { met: ["acc", "Met"], not_met: ["bad", "Not met"], hidden: ["line", "Hidden"] };

/** The verdict on an item, as a tag. */
export function verdictTag(verdict) {
  const [kind, words] = VERDICT[verdict] ?? ["line", "No verdict"];
  return h("span", { class: `tag ${kind}` }, verdict === "hidden" ? icon("lock") : null, words);
}

function itemLine({ description, weight, critical, verdict, said }) {
  const tell = said && verdict !== "hidden" && (said.reason || said.unscored || said.evidence);
  return h("li", { "data-verdict": verdict ?? "none" },
    h("div", { class: "row item-tags" }, verdictTag(verdict), h("span", { class: "tag line" }, `Weight ${weight}`),
      critical ? h("span", { class: "tag line critical" }, "Critical") : null),
    h("p", { class: "words criterion" }, description),
    tell ? h("details", { class: "judge-said" }, h("summary", {}, said.verdict ? `Why, says ${said.judge}` : `${said.judge} gave no verdict`),
      h("p", { class: "words sm" }, said.reason || said.unscored), said.evidence ? h("blockquote", { class: "words sm" }, said.evidence) : null) : null);
}

/** Which answer passes, and with what score, in large. */
export function scoreLine(trace) {
  const [words, kind] = outcome(trace);
  return h("div", { class: "row score-line" },
    trace.score == null ? null : h("b", { class: "score-large", title: "Rubric score: share of the weight that is met" }, SCORE.write(trace.score)),
    h("span", { class: `tag ${kind}` }, trace.status === "hidden" ? icon("lock") : null, words));
}

/** The panel beside a trace; `tell()` shows what is hidden. */
export function rubricPanel(trace, tell) {
  const { items, turns, hidden } = trace, many = turns.length > 1;
  const ofTurn = ({ turn, golden_answer: golden, tool_trajectory: chain }) => {
    const own = items.filter((item) => item.turn === turn);
    if (!own.length && !golden && !chain) return null;
    return h("section", { class: "rubric-turn", "aria-label": `Rubric of turn ${turn}` }, many ? h("h3", {}, `Turn ${turn}`) : null,
      own.length ? h("ul", { class: "rubric-items" }, own.map(itemLine)) : h("p", { class: "sm mut" }, "No criterion is about this turn."),
      golden || chain ? h("details", { class: "golden" }, h("summary", {}, "Golden answer"),
        golden ? new Prose(golden, ASIDE).element : h("p", { class: "sm mut" }, "None is on record."),
        chain ? [h("h4", {}, "The expert’s tools"), new Prose([["pre", chain]], ASIDE).element] : null) : null);
  };
  return h("div", { class: "rubric-panel" }, h("div", { class: "row between" }, h("h2", {}, "Rubric"), scoreLine(trace)),
    hidden ? h("p", { class: "sm mut row telling" }, icon("lock"),
      h("span", {}, `${hidden === 1 ? "One criterion waits" : `${hidden} criteria wait`} for a blind vote: whoever is to cast it must not look. ${WARNING}`),
      h("button", { type: "button", class: "btn small", onclick: tell }, ACT)) : null,
    items.length || turns.some(({ golden_answer: golden }) => golden) ? turns.map(ofTurn) : h("p", { class: "sm mut" }, "The task has no rubric."));
}
