/* Run: let a model answer the tasks of a set with tools, and see how far it is; judged and laid out for review in the end. */
import { open as openRuns } from "../judging/dialog.js";
import { setQuery } from "../tabs.js";
import { quoted } from "./dialogs.js";
import { ToolRunForm } from "./toolrunsform.js";
import { ToolRunList } from "./toolrunslist.js";

const idOf = ({ run_id: id }) => id;

/** Open the dialog on a set; `changed` is told once it is closed, if there may be other answers. */
export function open({ set, changed }) {
  const go = (list, link, at) => {
    list.element.closest("dialog").close();
    setQuery(link, { push: true });
    changed(at);
  };
  return openRuns({
    path: "rubrics/tool-runs", query: new URLSearchParams({ set: set.set_id }), idOf, stop: ["DELETE", ""], title: `Run a model on “${set.name}”`,
      forbidden: "No tool runs from this page", busy: ["running", "judging"],
    says: "A model answers each task with six tools, round by round. It goes on when this is closed; what has an answer is not asked again, and equal settings "
      + "are one run.",
    command: `easel tools run ${quoted(set.set_id)} --base-url URL --model NAME`, form: (start) => new ToolRunForm(set, start),
    list: (hooks) => { const list = new ToolRunList({ ...hooks,
      analysis: (judging) => go(list, { show: "analysis", by: judging, compare: null, traces: null }, { set: set.set_id }),
      queue: (queue) => go(list, { show: null }, { queue }) }); return list; },
  }, { set, changed });
}
