/* What stands beside the canvas: what is asked, under which terms, how far it is and what can be done now. */
import { ticks } from "../charts.js";
import { copyButton } from "../copy.js";
import { f3, h, plural, setText } from "../dom.js";
import { kindOf } from "../players.js";
import { watchUrl } from "../session/api.js";
import { scoreName } from "../tasks.js";
import { brushWidth } from "./brush.js";
import { bestKinds, playerGlyph } from "./cards.js";

const SCORED = {
  outline: "how well the region that the line encloses fits",
  handwriting: "letters that are read at their place",
  maze: "how far the line gets along the way to the flag",
};

/** One line on what can be done now, or on what would enable what cannot. */
function hint({ watching, finished, task, view, started, canPaint, submitting, guest, waitsFor, player }) {
  if (watching) return `Read only: you are watching ${player.name}.`;
  if (finished) return `${scoreName(task)} ${f3(view.curve.at(-1))}, ${view.status === "spent" ? "budget spent" : "submitted"} after ${plural(view.step, "step")}.`;
  if (submitting) return "Taking the score.";
  if (waitsFor) return `${waitsFor} has the brush.`;
  if (!canPaint) return "The last step is on its way.";
  if (guest) return `In the attempt of ${player.name}, who submits.`;
  if (!started) return "Draw on the canvas to begin.";
  return task.kind === "maze" ? "Undo costs a step; submit when the line is at the flag." : "Undo costs a step; submit when it is done.";
}

export class Panel {
  constructor(host) {
    const $ = (name) => host.querySelector(`[data-${name}]`);
    Object.assign(this, {
      host, title: $("title"), instruction: $("instruction"), link: $("link"), brush: $("brush"), size: $("size"), terms: $("terms"), scored: $("scored"), best: $("best"),
      step: $("step"), budget: $("budget"), ticks: host.querySelector(".ticks"), meter: host.querySelector(".budget"), hint: $("hint"), final: $("final"),
      undo: $("act=undo"), submit: $("act=submit"), over: $("act=over"), take: $("act=take"), back: $("act=back"), again: $("act=again"),
    });
  }

  /** Another task. */
  setTask(task) {
    setText(this.title, task.title);
    setText(this.instruction, task.instruction);
    setText(this.brush, `fixed, ${brushWidth(task)} wide`);
    setText(this.size, `${task.width} × ${task.height} px`);
    setText(this.terms, `${task.budget} steps; an undo costs one, a submit none`);
    setText(this.scored, SCORED[task.kind]);
    this.key = this.linked = undefined;
  }

  /** The best results of the task: {human, agent, painter}, or nothing. */
  results(best) {
    const kinds = bestKinds(best);
    this.best.replaceChildren(...(kinds.length ? kinds.map(({ kind, player, score, step }) => h("span", { class: "row", title: `${kindOf({ kind })}: ${player}` },
      playerGlyph(kind), h("span", { class: "nowrap" }, player), h("b", {}, f3(score)), h("span", { class: "mut nowrap steps" }, plural(step, "step")))) : ["none yet"]));
  }

  draw(painting) {
    const { view, task, finished, watching } = painting;
    const key = [painting.id, view.step, view.steps_left].join();
    if (key !== this.key) {
      this.key = key;
      setText(this.step, view.step);
      setText(this.budget, view.steps_left == null ? "" : ` / ${task.budget}`);
      this.meter.classList.toggle("warn", view.steps_left != null && view.step >= task.budget * 0.9);
      this.ticks.style.visibility = view.steps_left == null ? "hidden" : "";
      if (view.steps_left != null) ticks(this.ticks, view.step, task.budget);
    }
    this.undo.disabled = !painting.canUndo;
    this.submit.disabled = !painting.canSubmit;
    setText(this.submit, painting.submitting ? "Scoring" : "Submit");
    this.over.hidden = !painting.started || finished || watching || Boolean(painting.guest);
    this.take.hidden = !watching || finished || !painting.turn.shared;
    this.back.hidden = !painting.hasTurn || finished;
    setText(this.again, watching ? "Draw it yourself" : "Try again");
    setText(this.hint, hint(painting));
    setText(this.final, finished ? `${scoreName(task)} ${f3(view.curve.at(-1))}` : "");
    if (painting.id !== this.linked) {
      this.linked = painting.id;
      this.link.replaceChildren(...(painting.id ? [copyButton(watchUrl(painting.id), { class: "btn ghost tight" })] : []));
    }
  }
}
