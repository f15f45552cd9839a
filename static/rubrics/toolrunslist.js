/* Tool runs of a set, the newest first: how far each is, what it does now, how it ended and what it has cost; and the ways on from there. */
import { duration } from "../connect/table.js";
import { h, icon, setText } from "../dom.js";
import { conditionTags, endingWords, toolWord } from "./analysiswords.js";
import { meter } from "./dialogs.js";
import { count } from "./statistics.js";
import { counted } from "./words.js";

const STATES = { running: "Running", judging: "Judging", finished: "Finished", stopped: "Stopped", interrupted: "Interrupted" };
const REASONS = 4, UNDER_WAY = 6; // that are listed
const LAST = 3; // runs in sight, beside those that are under way
const listed = (parts) => parts.filter(Boolean).join(", ");
const working = (state) => state === "running" || state === "judging";
const newest = (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at);
/* Why a run stopped, where “Go on” stands beside it. */
const stopped = (reason) => reason.replace(/; start (it|the [\w ]+?) again to go on\.$/, ". Go on continues it.");

function spent({ state, rounds, tool_calls: calls, prompt_tokens: asked, completion_tokens: said, cost, elapsed, eta }) {
  return listed([`${count(rounds)} ${rounds === 1 ? "round" : "rounds"}`, `${count(calls)} tool ${calls === 1 ? "call" : "calls"}`, `${count(asked + said)} tokens`,
    cost == null ? null : `cost ${cost.toFixed(2)}`,
    duration(elapsed), state === "running" && eta != null ? `${duration(eta)} to go` : null].map((text) => text?.replaceAll(" ", "\u00a0")));
}

const why = ({ queries: n, reason }) => h("li", { class: "words" }, `${counted(n, "attempt", "attempts")}: ${reason}`);

/* What is under way: which task, how far in it, and what it does. */
function underWay(attempts) {
  const row = ({ task_id: task, attempt, turn, turns, round, doing }) => h("li", { class: "row" },
    h("span", { class: "grow nowrap" }, task, attempt > 1 ? h("span", { class: "mut" }, `, attempt ${attempt}`) : null),
    h("span", { class: "mut" }, turns > 1 ? `turn ${turn} of ${turns}, round ${round}` : `round ${round}`),
      h("span", { class: "doing" }, doing === "model" ? "asks the model" : toolWord(doing)));
  return attempts.length ? h("ul", { class: "xs under-way", "aria-label": "Under way" }, attempts.slice(0, UNDER_WAY).map(row),
    attempts.length > UNDER_WAY ? h("li", { class: "mut" }, `and ${attempts.length - UNDER_WAY} more`) : null) : null;
}

export class ToolRunList {
  /** `hooks`: stop(run), goOn(run), analysis(judging) and queue(id) lead on. */
  constructor(hooks) {
    Object.assign(this, { hooks, seen: new Map(), watched: new Set() });
    const list = (label) => h("ul", { class: "judgings tool-runs", "aria-label": label });
    Object.assign(this, { now: list("Tool runs of this set"), past: list("Earlier runs"), word: h("summary", {}) });
    this.earlier = h("details", { class: "earlier" }, this.word, this.past);
    this.element = h("div", {}, this.now, this.earlier);
  }

  /** Draw runs; one that says the same as before is left alone, and one that was seen under way stays in sight. */
  draw(runs) {
    const held = document.activeElement?.closest("[data-run]")?.dataset.run, act = document.activeElement?.dataset.act;
    for (const { run_id: id, state } of runs) if (working(state)) this.watched.add(id);
    const others = runs.filter(({ run_id: id }) => !this.watched.has(id)).sort(newest), past = new Set(others.slice(LAST));
    const line = (run) => {
      const text = JSON.stringify(run), known = this.seen.get(run.run_id), element = known?.text === text ? known.line : this.#line(run);
      this.seen.set(run.run_id, { text, line: element });
      return element;
    };
    const put = (list, some) => list.replaceChildren(...some.sort(newest).map(line));
    put(this.now, runs.filter((run) => !past.has(run)));
    put(this.past, [...past]);
    this.earlier.hidden = !past.size;
    setText(this.word, counted(past.size, "earlier run", "earlier runs"));
    if (held) this.#hold(held, act);
  }

  /** Bring a run into view with the focus on what can be done with it. */
  focus({ run_id: id }) { this.#hold(id)?.scrollIntoView({ block: "nearest" }); }

  #hold(id, act) {
    const line = this.seen.get(id)?.line;
    (line?.querySelector(act ? `[data-act="${CSS.escape(act)}"]` : "button") ?? line?.querySelector("button") ?? line)?.focus({ preventScroll: true });
    return line;
  }

  #line(run) {
    const { run_id: id, player, settings, state, reason, total, done, endings, unanswered, under_way: attempts, trouble, left_out: left, sandbox_off: off,
      judged, to_judge: toJudge } = run;
    const ended = Object.entries(endings).filter(([kind, n]) => kind !== "answered" && n).map(([kind, n]) => `${count(n)} ${endingWords(kind)[1].toLowerCase()}`);
    const warned = (text) => h("p", { class: "xs row warned" }, icon("warn"), h("span", { class: "words" }, text));
    return h("li", { "data-run": id, tabindex: -1 },
      h("div", { class: "row between" }, h("div", { class: "grow" }, h("b", {}, player),
        settings.model !== player ? h("span", { class: "sm mut" }, ` ${settings.model}`) : null),
        h("span", { class: "row state" }, h("span", { class: working(state) ? "live" : "live off" }), working(state) && reason ? "Stopping" : STATES[state]),
          this.#act(run)),
      h("div", { class: "row conditions" }, conditionTags({ prompt: settings.prompt, prompt_version: settings.prompt_version, tools: settings.tools,
        history: settings.history, sandbox: settings.variables })),
      state === "finished" ? null : state === "judging" ? meter(`Criteria of ${player} judged`, toJudge ? judged / toJudge : null)
        : meter(`Attempts of ${player} answered`, total ? done / total : 0),
      h("div", { class: "sm row tallies" }, h("span", {}, h("b", {}, count(done)), ` of ${count(total)} attempts`),
        state === "judging" && toJudge ? h("span", {}, h("b", {}, count(judged)), ` of ${count(toJudge)} criteria judged`) : null,
        ended.map((text) => h("span", { class: "warned" }, text)), left.length ? h("span", { class: "mut" }, `without ${left.join(", ")}`) : null,
        h("span", { class: "mut" }, spent(run))),
      underWay(attempts), working(state) && trouble ? warned(`No answer from the endpoint: ${trouble}`) : null,
        off && settings.tools !== "none" ? warned(`The tools that run code are off: ${off}`) : null,
      reason ? h("p", { class: "sm sub words" }, stopped(reason)) : null,
      unanswered.length ? h("ul", { class: "xs mut" }, unanswered.slice(0, REASONS).map(why)) : null,
      this.#ways(run));
  }

  /* Where its answers can be looked at. */
  #ways({ run_id: id, done, judging_id: judging, queue_id: queue }) {
    if (!done) return null;
    const way = (act, label, glyph, run) => h("button", { type: "button", class: "btn small", "data-act": `${act} ${id}`, onclick: run }, icon(glyph), label);
    return h("div", { class: "row ways" }, way("analysis", "Analysis", "eye", () => this.hooks.analysis(judging)),
      queue ? way("queue", "Review queue", "people", () => this.hooks.queue(queue)) : null);
  }

  #act(run) {
    const { run_id: id, player, state, reason, total, done, plan, judging_id: judging } = run;
    const button = (act, label, glyph, onclick) => h("button",
      { type: "button", class: "btn small", "data-act": `${act} ${id}`, "aria-label": `${label} ${player}`, onclick }, icon(glyph), label);
    if (working(state)) return reason ? null : button("stop", "Stop", "stop", () => this.hooks.stop(run));
    return state === "finished" && done >= total && (!plan.judge || judging) ? null : button("continue", "Go on", "play", () => this.hooks.goOn(run));
  }
}
