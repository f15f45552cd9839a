/* What stands beside the canvas: what is asked, under which terms, how far it is and what can be done now. */
import { ticks } from "../charts.js";
import { copyButton } from "../copy.js";
import { f3, h, plural, setText } from "../dom.js";
import { kindOf, playerTag } from "../players.js";
import { watchUrl } from "../session/api.js";
import { MINUTE, lively } from "../session/lively.js";
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
  if (finished) return `${watching || guest ? `By ${player.name}: ` : ""}${view.status === "spent" ? "budget spent" : "submitted"} after ${plural(view.step, "step")}.`.replace(/^./, (first) => first.toUpperCase());
  if (watching) return `Read only: you are watching ${player.name}.`;
  if (submitting) return "Taking the score.";
  if (waitsFor) return `${waitsFor} has the brush.`;
  if (!canPaint) return "The last step is on its way.";
  if (guest) return `In the attempt of ${player.name}, who submits.`;
  if (!started) return "Draw on the canvas to begin.";
  return task.kind === "maze" ? "Undo costs a step; submit when the line is at the flag." : "Undo costs a step; submit when it is done.";
}

export class Panel {
  /** In `host`; `later()` is told when what stands here is true no more. */
  constructor(host, later) {
    const $ = (name) => host.querySelector(`[data-${name}]`);
    Object.assign(this, {
      host, later, title: $("title"), whose: $("whose"), instruction: $("instruction"), link: $("link"), brush: $("brush"), size: $("size"), terms: $("terms"), scored: $("scored"), best: $("best"),
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
    this.best.parentElement.hidden = task.category !== "semantic"; // of generated tasks no best is kept
    this.key = this.linked = undefined;
  }

  /** The best results of the task: {human, agent, painter}, or nothing. */
  results(best) {
    const kinds = bestKinds(best);
    this.best.replaceChildren(...(kinds.length ? kinds.map(({ kind, player, score, step }) => h("span", { class: "row", title: `${kindOf({ kind })}: ${player}` },
      playerGlyph(kind), h("span", { class: "nowrap" }, player), h("b", {}, f3(score)), h("span", { class: "mut nowrap steps" }, plural(step, "step")))) : ["none yet"]));
  }

  /** Show a painting whose last action was `at`, in ms, or null while that is not known. */
  draw(painting, at) {
    this.#player(painting, at);
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
    this.submit.hidden = Boolean(painting.guest);
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

  /* Whose attempt it is, if it is another's. */
  #player({ id, watching, guest, finished, view, player, turn }, at) {
    clearTimeout(this.still);
    this.whose.hidden = !watching && !guest;
    if (this.whose.hidden) return;
    const painting = lively({ open: !finished, seq: view.seq, at }), says = finished ? "finished" : turn.guest ? `waits for ${turn.guest}` : painting ? "painting" : "open";
    if (painting) this.still = setTimeout(this.later, at + MINUTE - Date.now()); // no event tells of a player that left
    if (this.told === `${id} ${says}`) return;
    this.told = `${id} ${says}`;
    this.whose.replaceChildren(h("span", { class: painting ? "live" : "live off" }), playerTag(player), h("span", { class: "mut" }, says));
  }
}
