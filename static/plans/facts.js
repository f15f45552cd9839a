/* What can be said of a plan without any judge: how its calls were read, which tools they call, how it meets the data's own answer. */
import { h } from "../dom.js";
import { AREAS } from "./problems.js";
import { STATUSES, TOOLS, share } from "./words.js";

const bar = (kind, label, count, total) => h("div", { class: `hb t-${kind}` }, h("span", {}, label),
  h("span", { class: "meter" }, h("i", { style: { width: `${total ? (100 * count) / total : 0}%` } })),
  h("span", {}, total ? `${Math.round((100 * count) / total)}% ` : "", h("span", { class: "mut" }, `(${count})`)));
const pair = (name, value, what) => h("div", {}, h("dt", {}, name, what && h("span", { class: "mut" }, ` ${what}`)), h("dd", {}, value));
const overlap = (found) => [share(found.precision), share(found.recall), share(found.f1)].join(" / ");

/** The Rules tab. */
export function rules(plan) {
  const { facts } = plan, areas = AREAS.map(([area, label]) => [label, plan.problems.filter((problem) => problem.area === area).length]);
  const unknown = facts.calls - Object.values(facts.tools).reduce((sum, count) => sum + count, 0);
  const read = STATUSES.filter(([status]) => facts.statuses[status]).map(([status, label]) => `${facts.statuses[status]} ${label.toLowerCase()}`).join(", ");
  const compared = facts.tool_set || facts.image_set, three = "precision / recall / F1";
  return h("div", { class: "rules" },
    h("div", { class: "trio" }, areas.map(([label, count]) => h("div", {}, h("span", { class: "sm sub" }, label), h("b", { class: count ? "" : "none" }, count)))),
    h("p", { class: "sm sub" }, facts.calls ? `Calls as they were read: ${read}.` : "The plan calls no tool."),
    h("hr", { class: "rule" }),
    h("h3", {}, "Calls by tool"), TOOLS.map(([tool, label]) => bar(tool, label, facts.tools[tool] ?? 0, facts.calls)),
    unknown > 0 && bar("unknown", "No tool", unknown, facts.calls),
    h("hr", { class: "rule" }),
    h("h3", {}, "Against the reference answer"),
    compared ? h("dl", { class: "pairs" },
      facts.tool_set && pair("Tools", overlap(facts.tool_set), three), facts.image_set && pair("Pictures", overlap(facts.image_set), three),
      facts.image_order != null && pair("Order of pictures", share(facts.image_order))) : h("p", { class: "sm sub" }, "The data have none for this query."),
    h("dl", { class: "pairs" }, facts.duplicates != null && pair("Pictures cited again", facts.duplicates),
      facts.out_of_range != null && pair("Out of range", facts.out_of_range)));
}
