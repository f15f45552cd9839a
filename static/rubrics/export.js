/* Export: a set in each of its forms. */
import { h } from "../dom.js";
import { command, formsOf, quoted, sheet } from "./dialogs.js";

const LINES = "JSON lines", CSV = "CSV";
const FORMS = [
  ["Verdicts and votes", "Every verdict of a judge and every vote, those that were changed too; JSON lines can be imported again.",
    [["verdicts.jsonl", LINES], ["verdicts.csv", CSV]]],
  ["Consensus", "What people settled on for each criterion of each answer, beside the judges.", [["consensus.jsonl", LINES], ["consensus.csv", CSV]]],
  ["Agreement", "All statistics with n and intervals, by every judge and group.", [["agreement.csv", CSV]]],
  ["Scores", "ARS and APR of every model, by every judge and by people.", [["scores.csv", CSV]]],
  ["Answers for the authors’ scripts", "A JSON list for each player, with pictures beside it, as VisualToolBench’s own judge takes it.", [["responses.zip", "ZIP"]]],
  ["The whole set", "Tasks, answers, verdicts and votes with their pictures, to be imported elsewhere.", [["set.zip", "ZIP"]]],
];
const TELLS = "These files tell what judges and other people say: whoever is still to review blind looks at them later.";
const HUB = "A folder of parquet files with a card; nothing leaves this machine unless --push names a repository.";

/** Open the dialog on a set. */
export function open({ set: { set_id: id, name: title, sample } }) {
  const at = (name) => studio.url(`api/rubrics/sets/${encodeURIComponent(id)}/export/${name}`);
  sheet("exporting", `Export “${title}”`, { sample }, h("p", { class: "sm sub" }, TELLS), formsOf(FORMS, at),
    h("h3", {}, "As a data set for the Hugging Face hub"), h("p", { class: "sm sub" }, HUB), command(`easel rubrics export ${quoted(id)} --form hub --to ${quoted(id)}`));
}
