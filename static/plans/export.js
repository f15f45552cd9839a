/* Export: a set of plans in each of its forms, and the plan on show as a page of its own. */
import { h } from "../dom.js";
import { command, formsOf, quoted, sheet } from "../rubrics/dialogs.js";

const CSV = "CSV";
const FORMS = [
  ["The whole set", "Queries, answers, reports and votes, to be imported elsewhere; the ZIP brings the pictures, too.",
    [["set.zip", "ZIP"], ["set.jsonl", "JSON lines"]]],
  ["Plans", "One row each: calls, problems, overlap with the reference answer, and what judges and people say.", [["plans.csv", CSV]]],
  ["Calls", "One row each: how it was read, its problems, and every gate and score.", [["calls.csv", CSV]]],
  ["Missing visuals", "One row each, of judges and of people, with what people say of it.", [["gaps.csv", CSV]]],
  ["Scores", "What planners score by each judge and by people.", [["scores.csv", CSV]]],
  ["Agreement", "All statistics of each inspector with n and intervals.", [["agreement.csv", CSV]]],
];
const PAGE = "The document with its calls in place, its pictures, reports and problems as one HTML file that opens from disk. "
  + "It holds no script and fetches nothing.";
const TELLS = "These files tell everything that judges and other people say, also where you have not voted yet: whoever is still to review blind looks at them later.";

/** Open the dialog on the set, and on the plan on show. */
export async function open({ state: { set: { set_id: id, name, sample }, plan } }) {
  const at = (file) => studio.url(`api/plans/sets/${encodeURIComponent(id)}/export/${file}`), answer = plan?.set_id === id ? plan.answer : null;
  const page = () => studio.url(`api/plans/answers/${answer}/export/plan.html`);
  const one = answer != null && formsOf([[`${plan.planner}: ${plan.title}`, PAGE, [["plan.html", "HTML"]]]], page);
  sheet("exporting", `Export “${name}”`, { kind: "plan", sample }, h("p", { class: "sm sub" }, TELLS), formsOf(FORMS, at),
    one && [h("h3", {}, "The plan on show"), one], h("h3", {}, "By a terminal"), command(`easel plans export ${quoted(id)} --to ${quoted(`${id}.zip`)}`));
}
