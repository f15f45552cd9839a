/* Inspect: let models report on the plans of a set, and see how far they are. */
import { open as openJudging } from "../judging/dialog.js";
import { JudgeList } from "../judging/list.js";
import { quoted } from "../rubrics/dialogs.js";
import { count } from "../rubrics/statistics.js";
import { InspectForm } from "./inspectform.js";
import { INSPECTORS } from "./words.js";

const total = (numbers) => Object.values(numbers).reduce((sum, one) => sum + one, 0);
const WARNS = "Absolute scores do not carry over between judges: as published, the same plans have SR 11.46 under one judge and 68.30 under another. "
  + "One model in three roles is one opinion, no vote of three.";
const SAID = /^The set is also judged by /; // each judge has it of all others; once is enough, and `WARNS` says it
const WORDS = {
  idOf: ({ inspection_id: id }) => id, label: "Judges of this set", things: "Reports",
  facts: ({ judge, models, settings: { pictures } }) => {
    const [model, ...others] = new Set(Object.values(models));
    const roles = others.length > 0 && INSPECTORS.map(([role, label]) => models[role] && `${label}: ${models[role]}`).filter(Boolean).join(", ");
    return [roles || (model !== judge && model), pictures === "pool" && "with pictures"];
  },
  warnings: ({ warnings = [] }) => warnings.filter((text) => !SAID.test(text)),
  tallies: ({ reports, unscored, without_output: none }) => [...INSPECTORS.map(([role, label]) => [`${label} ${count(reports[role] ?? 0)}`]),
    ...(total(unscored) ? [[`${count(total(unscored))} unscored`, true]] : []), ...(none ? [[`${count(none)} without output`]] : [])],
};
const SAYS = "Three inspectors read each plan: Precision scores its calls, Recall finds what it lacks, Chief reads both and gives the final score. "
  + "Nothing is executed. They go on when this is closed; a report that is there is not asked for again.";

/** Open the dialog on the set. */
export async function open({ state: { set }, changed }) {
  return openJudging({
    path: "plans/inspections", query: new URLSearchParams({ set_id: set.set_id }), idOf: WORDS.idOf, stop: ["POST", "/stop"], kind: "plan",
    title: `Inspect “${set.name}”`, says: SAYS, warns: WARNS,
    command: `easel plans inspect ${quoted(set.set_id)} --base-url URL --model NAME`, form: (start) => new InspectForm(set, start),
    list: (hooks) => new JudgeList(hooks, WORDS),
  }, { set, changed });
}
