/* Judges of a set: how far each is, what it found and what it has cost; stopped and gone on with here. */
import { duration } from "../connect/table.js";
import { h, icon } from "../dom.js";
import { meter } from "../rubrics/dialogs.js";
import { count } from "../rubrics/statistics.js";

const STATES = { running: "Running", finished: "Finished", stopped: "Stopped", interrupted: "Interrupted", imported: "Imported" };
const REASONS = 4; // for no verdict that are listed
const listed = (parts) => parts.filter(Boolean).join(", ");

/* What a judging has cost so far. */
function spent({ state, calls, prompt_tokens: asked, completion_tokens: said, cost, elapsed, eta }) {
  const left = state === "running" && eta != null ? `${duration(eta)} to go` : null;
  return listed([`${count(calls)} ${calls === 1 ? "answer" : "answers"}`, `${count(asked + said)} tokens`, cost == null ? null : `cost ${cost.toFixed(2)}`,
    duration(elapsed), left]);
}

export class JudgeList {
  /** `hooks`: stop(judging), goOn(judging). `words`: idOf(judging), facts(judging) beside its name, tallies(judging) what it found,
   * warnings(judging) if there are any, label of the list, things that it judges. */
  constructor(hooks, words) {
    Object.assign(this, { hooks, words, seen: new Map() });
    this.element = h("ul", { class: "judgings", "aria-label": words.label });
  }

  /** Draw judgings; one that says the same as before is left alone. */
  draw(judgings) {
    const held = document.activeElement?.closest("[data-judging]")?.dataset.judging;
    this.element.replaceChildren(...judgings.map((judging) => {
      const id = this.words.idOf(judging), text = JSON.stringify(judging), known = this.seen.get(id), line = known?.text === text ? known.line : this.#line(judging);
      this.seen.set(id, { text, line });
      return line;
    }));
    if (held) this.#hold(held);
  }

  /** Bring a judging into view with the focus on what can be done with it, or on itself until something can be done. */
  focus(judging) { this.#hold(this.words.idOf(judging))?.scrollIntoView({ block: "nearest" }); }

  /* Returns the line that has the focus now. */
  #hold(id) {
    const line = this.seen.get(id)?.line;
    (line?.querySelector("button") ?? line)?.focus({ preventScroll: true });
    return line;
  }

  #line(judging) {
    const { words } = this, id = words.idOf(judging), { judge, origin, state, total, done, left_out: left, unscored_for: reasons, trouble, reason } = judging;
    const imported = origin === "imported", running = state === "running";
    const facts = listed([...words.facts(judging), left.length > 0 && `without ${left.join(", ")}`]);
    return h("li", { "data-judging": id, tabindex: -1 },
      h("div", { class: "row between" }, h("div", { class: "grow" }, h("b", {}, judge), facts ? h("span", { class: "sm mut" }, ` ${facts}`) : null),
        h("span", { class: "row state" }, h("span", { class: running ? "live" : "live off" }), running && reason ? "Stopping" : STATES[state]),
        imported ? null : this.#act(judging)),
      imported ? null : meter(`${words.things} judged by ${judge}`, total ? done / total : 0),
      h("div", { class: "sm row tallies" }, imported ? null : h("span", {}, h("b", {}, count(done)), ` of ${count(total)}`),
        words.tallies(judging).map(([text, warned]) => h("span", { class: warned ? "warned" : null }, text)),
        imported ? null : h("span", { class: "mut" }, spent(judging))),
      running && trouble ? h("p", { class: "sm row warned" }, icon("warn"), h("span", { class: "words" }, `No answer from the endpoint: ${trouble}`)) : null,
      reason ? h("p", { class: "sm sub words" }, reason) : null,
      (words.warnings?.(judging) ?? []).map((warning) => h("p", { class: "xs row warned" }, icon("warn"), h("span", { class: "words" }, warning))),
      reasons.length ? h("ul", { class: "xs mut" }, reasons.slice(0, REASONS).map((one) => h("li", { class: "words" }, `${count(one.items)}: ${one.reason}`))) : null);
  }

  #act(judging) {
    const id = this.words.idOf(judging), { judge, state, reason, total, done } = judging;
    const button = (act, label, glyph, onclick) => h("button",
      { type: "button", class: "btn small", "data-act": `${act} ${id}`, "aria-label": `${label} ${judge}`, onclick }, icon(glyph), label);
    if (state === "running") return reason ? null : button("stop", "Stop", "stop", () => this.hooks.stop(judging));
    return state === "finished" && done >= total ? null : button("continue", "Go on", "play", () => this.hooks.goOn(judging));
  }
}
