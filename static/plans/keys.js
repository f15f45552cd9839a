/* The keys of the Inspect view. The rhythm: read, answer with digits (a score, a kind, a verdict, a final score) and Y or X (yes or
   no), save with Enter, which goes on to the next part without a word and behind the last one to the next plan. A call without
   fault takes two keys, T and Enter. */
import { CRITERIA } from "./words.js";

const held = { once: false };

/** What digits do, for the list of keys: [what, digits]. */
export const DIGITS = [["Score of a call", "0–2"], ["None is missing, or its kind", "0–4"], ["Verdict on the plan", "1–3"], ["Final score", "0–9"]];

/** Keys for a desk; `list()` opens the list of plans. */
export function keysOf(desk, { list }) {
  const { pane } = desk, { ballot, executing } = pane;
  const key = (name, label, run, more = {}) => [name, { label, run: () => desk.press(run), once: true, ...more }];
  return [
    key("Enter", "Save, and on to what is open", () => desk.next()),
    key("t", "All good: gates pass, four times 2", () => ballot.allGood()),
    ...Array.from({ length: 10 }, (_, n) => key(String(n), null, () => ballot.digit(n))),
    key("y", "Yes, at a gate or a judge’s gap", () => ballot.answer(true)),
    key("x", "No, at a gate or a judge’s gap", () => ballot.answer(false)),
    ...CRITERIA.map(([, , name], k) => key(name, "Choose a criterion", () => ballot.criterion(k))),
    key("ArrowUp", "Row above or below, score ±1", () => ballot.step(-1), held),
    key("ArrowDown", "Row above or below, score ±1", () => ballot.step(1), held),
    key("m", "Mark a missing visual here", () => pane.mark()),
    key("Backspace", "Erase a digit or a marked visual", () => ballot.erase()),
    key("u", "Take your word back", () => pane.takeBack()),
    key("Delete", "Take your word back", () => pane.takeBack()),
    key("o", "Note", () => ballot.write()),
    key("j", "Next block, or the one before", () => pane.blocks(1), held),
    key("k", "Next block, or the one before", () => pane.blocks(-1), held),
    key("n", "Next call, or the one before", () => pane.calls(1), held),
    key("p", "Next call, or the one before", () => pane.calls(-1), held),
    key("g", "Next missing visual", () => pane.missing(1)),
    key("e", "Next problem", () => pane.problems.next()),
    key("]", "Next plan, or the one before", () => desk.leap(1)),
    key("[", "Next plan, or the one before", () => desk.leap(-1)),
    key("z", "Look closer at the picture or chart", () => pane.closer()),
    ["v", { get label() { return executing.offered ? "Plan, as executed, or both" : null; }, run: () => desk.press(() => executing.turnOver()), once: true }],
    key("r", "Raw text of the call", () => { if (pane.at) pane.article.raw(pane.at); }),
    key("q", "Open or close what came with the query", () => pane.query.toggle()),
    key("/", "Find in the plan", () => pane.find.focus()),
    key("c", "Copy a link to this place", () => pane.copyLink()),
    key("h", "Show reports without a vote", () => desk.showReports()),
    ["l", { label: "List of plans", run: list, once: true }],
  ];
}
