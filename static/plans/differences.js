/* What is different between two aligned parts, and between two plans as a whole. */
import { SEVERITIES, fails } from "./words.js";

const sorted = (list) => [...list].map(String).sort().join();
/** Problems of a part: those of its calls, and those of its paragraphs. */
const faultsOf = (part, problems) => problems.filter(({ call, block }) => (call != null ? part.calls.some(({ id }) => id === call)
  : block != null && part.blocks.includes(block)));
const sideOf = (part, plan) => {
  const faults = faultsOf(part, plan.problems), gaps = part.items.filter(({ kind }) => kind === "gap").length;
  return { tools: part.tools, faults, gaps, failed: part.calls.filter(fails).length };
};

/** A pair of parts, either of which may be missing: {left, right, alone, kinds}, where `kinds` tell what differs: `alone`, `tools`, `faults`, `gaps`. */
export function difference(left, right, plans) {
  const sides = [left, right].map((part, k) => part && sideOf(part, plans[k])), [one, other] = sides;
  if (!one || !other) {
    const there = one ?? other, bare = !there.tools.length && !there.faults.length && !there.gaps;
    return { sides, alone: one ? "left" : "right", kinds: bare ? ["alone"] : ["alone", ...(there.tools.length ? ["tools"] : []),
      ...(there.faults.length ? ["faults"] : []), ...(there.gaps ? ["gaps"] : [])] };
  }
  const kinds = [];
  if (sorted(one.tools) !== sorted(other.tools)) kinds.push("tools");
  if (sorted(one.faults.map(({ code }) => code)) !== sorted(other.faults.map(({ code }) => code))) kinds.push("faults");
  if (one.gaps !== other.gaps) kinds.push("gaps");
  return { sides, alone: null, kinds };
}

/** Problems of a plan by severity, {error, warning, hint}. */
export const problemsOf = ({ problems }) => Object.fromEntries(SEVERITIES.map(([severity]) =>
  [severity, problems.filter((problem) => problem.severity === severity).length]));
