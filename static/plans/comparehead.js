/* Over each of two plans: who planned it, and its numbers, as far as they may be shown. */
import { h, icon, plural } from "../dom.js";
import { problemsOf } from "./differences.js";
import { SEVERITIES, TOOLS, severityIcon, share, verdictName } from "./words.js";

const REFERENCE = "reference";
const valueOf = ({ answer }) => (answer == null ? REFERENCE : String(answer));
const nameOf = ({ planner, attempt, answer }) => (answer == null ? "Reference answer" : `${planner}${attempt > 1 ? `, attempt ${attempt}` : ""}`);
export { nameOf, valueOf };

/** All that answer the query of a plan, itself too. */
export const answersTo = (plan) => [plan, ...plan.siblings].sort((one, other) => (one.answer == null) - (other.answer == null)
  || one.planner.localeCompare(other.planner) || one.attempt - other.attempt);

const HIDDEN = "Hidden until you have voted on it yourself, or asked to see it";
/* A figure of a judge: its value, a lock while it may not be shown, nothing where there is none. */
function judged(judge, inspector, label, says, value) {
  const standing = judge?.standing[inspector];
  if (!standing || standing === "missing") return null;
  if (standing === "unscored") return [label, h("span", { class: "mut", title: judge.unscored[inspector] ?? "The judge was asked and gave none" }, "unscored"), says];
  return [label, value == null ? h("span", { class: "mut locked", title: HIDDEN }, icon("lock"), h("span", { class: "es-sr" }, "hidden")) : h("b", {}, value), says];
}

/** Figures of a plan: [[label, content, what it says]]. */
export function figuresOf(plan, judge) {
  const { facts, mine } = plan, problems = problemsOf(plan);
  const tools = TOOLS.filter(([tool]) => facts.tools[tool]).map(([tool, label]) =>
    h("span", { class: "dots", title: `${label}: ${plural(facts.tools[tool], "call")}` }, h("i", { class: `t-dot t-${tool}` }),
      h("span", { class: "es-sr" }, label), facts.tools[tool]));
  const faults = SEVERITIES.filter(([severity]) => problems[severity]).map(([severity, label]) =>
    h("span", { class: "dots", title: plural(problems[severity], label.toLowerCase()) }, severityIcon(severity), problems[severity]));
  return [
    ["Calls", [h("b", {}, facts.calls), tools], "Tool calls, and those of each tool"],
    ["Problems", faults.length ? faults : h("b", {}, "0"), "By the rules alone: errors, warnings, hints"],
    facts.tool_set && ["Tool F1", h("b", {}, share(facts.tool_set.f1)), "Its set of tools against that of the reference answer"],
    facts.image_set && ["Picture F1", h("b", {}, share(facts.image_set.f1)), "Pictures that it cites against those of the reference answer"],
    judged(judge, "precision", "SR", `Share of calls that succeed, policy strict, by ${judge?.judge}`, judge?.precision?.credit && share(judge.precision.credit.strict)),
    judged(judge, "recall", "MI", `Missing visuals, by ${judge?.judge}`, judge?.recall?.mi),
    judged(judge, "chief", "FS", `Final score, by ${judge?.judge}`, judge?.chief?.fs),
    mine && (mine.fs != null || mine.plan)
      && ["Mine", [mine.fs != null && h("b", {}, mine.fs), mine.plan && h("span", {}, verdictName(mine.plan))], "What you say of it yourself"],
  ].filter(Boolean);
}

/** The head of a side; `acts`: choose(value) another plan, open() it in Inspect. */
export function sideHead(plan, side, judge, { choose, open }) {
  const label = side ? "Plan on the right" : "Plan on the left";
  const chooser = h("select", { class: "field grow", "aria-label": label, "data-side": side, onchange: ({ target }) => choose(target.value) },
    answersTo(plan).map((one) => h("option", { value: valueOf(one), selected: valueOf(one) === valueOf(plan) }, nameOf(one))));
  return h("section", { class: "side-head", "aria-label": label },
    h("div", { class: "row" }, chooser, h("button", { type: "button", class: "btn", "data-open": side, title: `Open in Inspect (${side + 1})`,
      onclick: () => open() }, "Inspect", icon("next"))),
    plan.no_output && h("p", { class: "sm warned" }, `No output: ${plan.no_output}`),
    h("dl", { class: "figures" }, figuresOf(plan, judge).map(([name, value, says]) => h("div", { title: says }, h("dt", {}, name), h("dd", {}, value)))));
}
