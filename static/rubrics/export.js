/* Export: a set in each of its forms. */
import { h, icon } from "../dom.js";
import { command, quoted, sheet } from "./dialogs.js";

const LINES = "JSON lines", CSV = "CSV";
const FORMS = [
  ["Verdicts and votes", "Every verdict of a judge and every vote, those that were changed too; JSON lines can be imported again.",
    [["verdicts.jsonl", LINES], ["verdicts.csv", CSV]]],
  ["Consensus", "What people settled on for each criterion of each answer, beside the judges.", [["consensus.jsonl", LINES], ["consensus.csv", CSV]]],
  ["Agreement", "All statistics with n and intervals, by every judge and group.", [["agreement.csv", CSV]]],
  ["Scores", "ARS and APR of every model, by every judge and by people.", [["scores.csv", CSV]]],
  ["The whole set", "Tasks, answers, verdicts and votes with their pictures, to be imported elsewhere.", [["set.zip", "ZIP"]]],
];
const TELLS = "These files tell what judges and other people say: whoever is still to review blind looks at them later.";
const HUB = "A folder of parquet files with a card; nothing leaves this machine unless --push names a repository.";

/** Open the dialog on a set. */
export function open({ set: { set_id: id, name: title, sample } }) {
  const at = (name) => studio.url(`api/rubrics/sets/${encodeURIComponent(id)}/export/${name}`);
  const file = ([name, kind]) => h("a", { class: "btn small", download: true, href: at(name), title: name, "data-export": name }, icon("save"), h("span", {}, kind));
  const form = ([label, says, files]) => h("li", {}, h("div", { class: "grow" }, h("b", {}, label), h("p", { class: "sm sub" }, says)),
    h("div", { class: "files" }, files.map(file)));
  sheet("exporting", `Export “${title}”`, { sample }, h("p", { class: "sm sub" }, TELLS), h("ul", { class: "forms" }, FORMS.map(form)),
    h("h3", {}, "As a data set for the Hugging Face hub"), h("p", { class: "sm sub" }, HUB), command(`easel rubrics export ${quoted(id)} --form hub --to ${quoted(id)}`));
}
