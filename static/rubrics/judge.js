/* Judge: let a model judge the answers of a set, and see how far it is. */
import { open as openJudging } from "../judging/dialog.js";
import { JudgeList } from "../judging/list.js";
import { quoted } from "./dialogs.js";
import { JudgeForm } from "./judgeform.js";
import { count } from "./statistics.js";

const WORDS = {
  idOf: ({ judging_id: id }) => id, label: "Judgings of this set", things: "Items",
  facts: ({ judge, settings: { model, pictures } }) => [model !== judge && model, pictures === "task" && "with pictures"],
  tallies: ({ met, not_met: not, unscored }) => [[`${count(met)} met`], [`${count(not)} not met`], ...(unscored ? [[`${count(unscored)} unscored`, true]] : [])],
};

/** Open the dialog on a set; `changed` is told once it is closed, if there may be other verdicts. */
export function open({ set, changed }) {
  return openJudging({
    path: "rubrics/judgings", query: new URLSearchParams({ set: set.set_id }), idOf: WORDS.idOf, stop: ["DELETE", ""], title: `Judge “${set.name}”`,
    says: "A model is asked about each criterion of each answer, each by itself. It goes on when this is closed; what has a verdict is not asked again.",
    command: `easel rubrics judge ${quoted(set.set_id)} --base-url URL --model NAME`, form: (start) => new JudgeForm(set, start), list: (hooks) => new JudgeList(hooks, WORDS),
  }, { set, changed });
}
