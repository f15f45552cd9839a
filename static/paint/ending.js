/* The end of a painting: the line under the buttons, and the question before an early submit. */
import { dialog, h, plural } from "../dom.js";

/** One line on what can be done now, or on what would enable what cannot. */
export function hint({ watching, finished, protocol, task, view, started, canPaint, submitting, guest, waitsFor }) {
  if (watching) return "Read only: you are watching.";
  if (finished) return view.status === "spent" ? "The budget is spent." : "Submitted.";
  if (submitting) return "Taking the last score.";
  if (waitsFor) return `${waitsFor} has the brush.`;
  if (!canPaint) return "The last step is on its way.";
  if (guest) return "The player submits.";
  if (protocol === "benchmark") return started ? `Strokes only: ends after step ${task.budget}.` : `Strokes only, no undo, ${task.budget} steps.`;
  if (!started) return "Draw on the canvas to begin.";
  return protocol === "practice" ? "No budget, never ranked." : "Undo costs a step.";
}

/** A question that a slip of the hand must not answer; resolves to whether to go on. */
function ask(title, text, no, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const box = dialog({ class: "es sheet-dialog ask", "aria-labelledby": "es-ask-title" },
      h("h2", { id: "es-ask-title" }, title),
      h("p", { class: "sub" }, text),
      h("div", { class: "row" },
        h("button", { type: "button", class: "btn lg", onclick: () => box.close() }, no),
        h("button", { type: "button", class: "btn lg primary", onclick: () => { answer = true; box.close(); } }, yes)));
    box.addEventListener("close", () => { box.remove(); resolve(answer); });
    box.showModal();
  });
}

/** Ask before most of a budget is given away. */
export const confirmSubmit = (left, budget) =>
  ask("Submit now?", `${plural(left, "step")} of ${budget} are left. A submitted painting cannot be changed.`, "Keep painting", "Submit");

/** Ask before a painting under way is left for a white canvas. */
export const confirmStartOver = (step) =>
  ask("Start over?", `This painting of ${plural(step, "step")} stays as it is; the way back to it is its link.`, "Keep painting", "Start over");
