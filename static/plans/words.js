/* How tools, criteria, gaps and verdicts are called, in the order in which they are shown. */
import { h, icon } from "../dom.js";

export const TOOLS = [["reference", "Reference"], ["search", "Search"], ["diffusion", "Diffusion"], ["code", "Code"], ["edit", "Edit"]];
/** Gates of a call: [field, question, what it is called where it fails]. */
export const GATES = [["necessary", "Adds value", "adds nothing"], ["boundary_ok", "Right tool", "wrong tool"]];
/** What a call is scored by: [field, label, key]. */
export const CRITERIA = [["placement", "Placement", "a"], ["coherence", "Coherence", "s"], ["parameters", "Parameters", "d"], ["format", "Format", "f"]];
export const GAPS = [["dangling_reference", "Points to no picture"], ["procedural_gap", "A step needs one"], ["ungrounded_entity", "A real thing unseen"],
  ["unmet_request", "A wish unmet"]];
export const VERDICTS = [["accept", "Accept"], ["revise", "Revise"], ["reject", "Reject"]];
export const STATUSES = [["strict", "Strict"], ["lenient", "Lenient"], ["repaired", "Repaired"], ["failed", "Failed"]];
export const SEVERITIES = [["error", "Error", "x"], ["warning", "Warning", "warn"], ["hint", "Hint", "info"]];
export const INSPECTORS = [["precision", "Precision"], ["recall", "Recall"], ["chief", "Chief"]];
/** Tiers of the final score, from the worst. */
export const TIERS = [0, 20, 40, 60, 80, 100];

const labelOf = (list, value) => list.find(([name]) => name === value)?.[1];
/** A tool of the registry by its name; what the call names, where that is none. */
export const toolLabel = (tool) => labelOf(TOOLS, tool) ?? tool;
export const toolName = (call) => labelOf(TOOLS, call.tool) ?? (call.called ? `“${call.called}”` : "No tool");
export const gapName = (kind) => labelOf(GAPS, kind) ?? kind;
export const verdictName = (verdict) => labelOf(VERDICTS, verdict) ?? verdict;
export const statusName = (status) => labelOf(STATUSES, status) ?? status;

/** Whether a call would not run: it could not be read, or says what no tool can do. */
export const fails = (call) => call.status === "failed" || call.severity === "error";
export const severityIcon = (severity) => h("span", { class: `sev ${severity}`, title: labelOf(SEVERITIES, severity) ?? "Missing visual" },
  icon(SEVERITIES.find(([name]) => name === severity)?.[2] ?? "eye"));
/** A share with two decimals, as the reports have it. */
export const share = (value) => (value == null ? "n/a" : value.toFixed(2));
/** "call 3", "block 4", "the beginning". */
export const placeName = (plan, block) => {
  if (!block) return "the beginning";
  const call = plan.calls.find((one) => one.block === block);
  return call ? `call ${call.id}` : `paragraph ${paragraphNumber(plan, block)}`;
};
/** Paragraphs are counted without the calls between them. */
export const paragraphNumber = (plan, block) => block - plan.calls.filter((one) => one.block < block).length;
