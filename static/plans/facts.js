/* What can be said of a plan without any judge: how its calls were read, which tools they call, how it meets the data's own answer. */
import { h } from "../dom.js";
import { AREAS } from "./problems.js";
import { STATUSES, TOOLS, share } from "./words.js";

const bar = (kind, label, count, total) => h("div", { class: `hb t-${kind}` }, h("span", {}, label),
  h("span", { class: "meter" }, h("i", { style: { width: `${(100 * count) / total}%` } })),
  h("span", {}, `${Math.round((100 * count) / total)}% `, h("span", { class: "mut" }, `(${count})`)));
const pair = (name, value, what) => h("div", {}, h("dt", {}, name, what && h("span", { class: "mut" }, ` ${what}`)), h("dd", {}, value));
const overlap = (found) => [share(found.precision), share(found.recall), share(found.f1)].join(" / ");

/** The Rules tab; what the rules find is listed below it. */
export function rules(plan) {
  const { facts } = plan, areas = AREAS.map(([area, label]) => [label, plan.problems.filter((problem) => problem.area === area).length]);
  const read = STATUSES.filter(([status]) => facts.statuses[status]).map(([status, label]) => `${facts.statuses[status]} ${label.toLowerCase()}`).join(", ");
  return h("div", { class: "rules" },
    h("div", { class: "trio" }, areas.map(([label, count]) => h("div", {}, h("span", { class: "sm sub" }, label), h("b", { class: count ? "" : "none" }, count)))),
    h("p", { class: "sm sub" }, facts.calls ? `Calls as they were read: ${read}.` : "The plan calls no tool."));
}

/** Which tools a plan calls, and how it meets the reference answer. */
export class Facts {
  constructor() { this.element = h("section", { class: "card rules", "aria-label": "Figures of the plan" }); }

  show({ facts }) {
    if (facts === this.facts) return;
    this.facts = facts;
    const called = TOOLS.filter(([tool]) => facts.tools[tool]), unknown = facts.calls - called.reduce((sum, [tool]) => sum + facts.tools[tool], 0);
    const compared = facts.tool_set || facts.image_set, three = "precision / recall / F1";
    this.element.replaceChildren(...[
      facts.calls > 0 && [h("h3", {}, "Calls by tool"), called.map(([tool, label]) => bar(tool, label, facts.tools[tool], facts.calls)),
        unknown > 0 && bar("unknown", "No tool", unknown, facts.calls), h("hr", { class: "rule" })],
      h("h3", {}, "Against the reference answer"),
      compared ? h("dl", { class: "pairs" },
        facts.tool_set && pair("Tools", overlap(facts.tool_set), three), facts.image_set && pair("Pictures", overlap(facts.image_set), three),
        facts.image_order != null && pair("Order of pictures", share(facts.image_order))) : h("p", { class: "sm sub" }, "The data have none for this query."),
      h("dl", { class: "pairs" }, facts.duplicates != null && pair("Pictures cited again", facts.duplicates),
        facts.out_of_range != null && pair("Out of range", facts.out_of_range)),
    ].flat(2).filter(Boolean));
  }
}
