/* One trace: whose it is, its steps in order, and the rubric beside them. */
import { copyText } from "../copy.js";
import { announce, h, plural } from "../dom.js";
import { missing } from "./analysistrouble.js";
import { conditionTags, endingWords, toolWord } from "./analysiswords.js";
import { ANSWER, ASIDE, Prose } from "./prose.js";
import { Pictures } from "./pictures.js";
import { callStep, linkButton } from "./tracepagecall.js";
import { rubricPanel, scoreLine } from "./tracepagerubric.js";
import { codeText } from "../plans/codetext.js";
import { StatisticsFeed } from "./statisticsfeed.js";
import { bonesOf } from "./statisticsglyphs.js";
import { giveUp } from "./telling.js";
import { plainly } from "./words.js";

const WORDS = 4000; // characters of a remark that are shown at once
const MOST_CHIPS = 80; // steps up to which each has a chip

/* What a model said beside its calls. */
function remarkText(text) {
  const body = h("div", { class: "remark codetext" }, codeText(text.slice(0, WORDS)));
  if (text.length <= WORDS) return body;
  const more = h("button", { type: "button", class: "btn small", onclick: () => { body.replaceChildren(...codeText(text)); more.remove(); } },
    `Show all ${text.length.toLocaleString("en")} characters`);
  return h("div", {}, body, more);
}

export class TraceSheet {
  /**
   * `hooks`: zoom(pictures, at, nameOf), link(sheet, place) the address of a step, at(sheet, place) when a step is gone to, open(sheet, answer)
   * another answer instead, told(sheet) once it is drawn, lost(sheet) where it could not be had, all() shows all traces.
   */
  constructor(hooks) {
    Object.assign(this, { hooks, trace: null, wanted: null });
    this.note = h("div", {});
    this.body = h("div", { class: "trace-body" });
    this.element = h("div", { class: "trace-sheet" }, this.note, this.body);
    this.room = new ResizeObserver(() => this.#above());
    this.feed = new StatisticsFeed({ wait: () => this.#wait(), draw: (trace) => this.#draw(trace), fail: (...what) => this.#fail(...what) });
  }

  /** Show an answer's trace at a place {turn, call, round}; `asked` are {by, critical}. */
  show(answer, asked, token, place, { folded = false } = {}) {
    if (folded !== this.folded && this.trace) { this.folded = folded; this.#draw(this.trace); }
    Object.assign(this, { asked, token, folded });
    if (answer !== this.answer) this.wanted = place;
    this.answer = answer;
    const query = Object.entries({ ...asked, tell: this.tell && "true" }).filter(([, value]) => value);
    this.feed.show(`rubrics/answers/${encodeURIComponent(answer)}/trace?${new URLSearchParams(query)}`, token);
    if (this.trace?.answer === Number(answer) && JSON.stringify(place) !== JSON.stringify(this.place)) this.go(place, { quiet: true });
  }

  leave() { this.feed.leave(); }

  #wait() {
    if (this.body.firstChild) { this.body.setAttribute("aria-busy", "true"); return; }
    this.body.replaceChildren(h("section", { class: "card trace-main" }, bonesOf(12)), h("aside", { class: "card rubric-side" }, bonesOf(8)));
  }

  async #tell() {
    try {
      this.tell = await giveUp(this.trace.set_id, this.token, this.token ? this.trace.answer : null);
      this.show(this.answer, this.asked, this.token, this.place);
    } catch (error) { announce(error.message); }
  }

  #fail(error, drawn) {
    if (error && !drawn) { this.trace = null; this.hooks.lost(this); }
    missing(this, "This trace", ["All traces", this.hooks.all], error, drawn);
  }

  #draw(trace) {
    const again = this.trace?.answer === trace.answer, held = this.body.contains(document.activeElement) && this.place;
    this.trace = trace;
    this.body.removeAttribute("aria-busy");
    const panel = rubricPanel(trace, () => this.#tell());
    const main = h("section", { class: "card trace-main", "aria-label": `Trace of ${trace.player}` }, this.#head(),
      this.folded ? h("details", { class: "folded-rubric" }, h("summary", {}, "Rubric and golden answer"), panel) : null,
      h("ol", { class: "trace-turns" }, trace.turns.map((turn) => this.#turn(turn))));
    this.body.classList.toggle("folded", Boolean(this.folded));
    this.body.replaceChildren(main, ...(this.folded ? [] : [h("aside", { class: "card rubric-side", "aria-label": "Rubric" }, panel)]));
    this.room.disconnect();
    this.room.observe(main.firstChild);
    if (again) {
      this.#mark(this.place);
      if (held) this.#element(held)?.focus({ preventScroll: true });
    } else {
      this.place = null;
      if (this.element.getBoundingClientRect().top < 0) this.element.scrollIntoView({ block: "start" }); // another one begins at its beginning
      this.go(this.wanted ?? {}, { quiet: true });
    }
    this.hooks.told(this);
  }

  #head() {
    const { player, attempt, attempts, conditions, task_id: task, category, domain, turns } = this.trace;
    const rounds = turns.reduce((sum, turn) => sum + (turn.rounds ?? 0), 0),
      calls = turns.reduce((sum, { steps }) => sum + steps.reduce((all, step) => all + step.calls.length, 0), 0);
    const facts = [task, category && plainly(category), domain && plainly(domain), turns.length > 1 && plural(turns.length, "turn"), rounds && plural(rounds, "round"),
      plural(calls, "call")].filter(Boolean).join(" · ");
    this.chips = h("nav", { class: "chips", "aria-label": "Steps" });
    return h("header", { class: "trace-head" },
      h("div", { class: "row between" }, h("h2", { class: "words" }, player), this.folded ? scoreLine(this.trace) : null),
      h("p", { class: "xs mut words" }, facts),
      h("div", { class: "row trace-tags" }, conditionTags(conditions, { all: true }),
        attempts.length > 1 ? h("div", { class: "row attempts" }, h("span", { class: "sm mut" }, "Attempt"),
          h("div", { class: "seg", role: "group", "aria-label": "Attempts" },
          attempts.map((one) => h("button", { type: "button", "aria-pressed": String(one.attempt === attempt), "aria-label": `Attempt ${one.attempt}`,
          onclick: () => this.hooks.open(this, one.answer) }, one.attempt)))) : null), this.chips);
  }

  #turn(turn) {
    const { turn: number, prompt, pictures, steps, answer, written, ended } = turn, many = this.trace.turns.length > 1;
    const link = (place) => () => this.hooks.link(this, { turn: number, ...place });
    const step = (kind, place, what, label, ...content) => {
      const { call = null, round = null } = place, attributes = { "data-step": true, "data-turn": number, "data-call": call, "data-round": round };
      const copy = linkButton(link(place), `${what} of turn ${number}`);
      return h("article", { class: `step ${kind}`, ...attributes, tabindex: -1, "aria-label": `Turn ${number}: ${what}` },
        h("header", { class: "row step-head" }, h("span", { class: "lab" }, label), h("span", { class: "grow" }), copy), content);
    };
    const shown = pictures.length ? new Pictures({ turn: number, pictures }, this.hooks.zoom) : null;
    const body = new Prose(answer, ANSWER), raw = h("input", { type: "checkbox", role: "switch", onchange: () => body.put(raw.checked ? [["pre", written]] : answer) }),
      [, end, says] = endingWords(ended);
    return h("li", { class: "trace-turn" }, many ? h("h3", { class: "turn-name" }, `Turn ${number} of ${this.trace.turns.length}`) : null,
      step("prompt-step", {}, "prompt", "Prompt", h("div", { class: shown ? "asked with-pictures" : "asked" }, shown?.element, new Prose(prompt, ASIDE).element)),
      steps.map((one) => this.#round(one, number, step, link)),
      step("answer-step", { call: "answer" }, "answer", ["Answer", ended && ended !== "answered" ? h("span", { class: "tag warn", title: says }, end) : null],
        body.element, written.trim() ? h("label", { class: "switch tiny", title: "The model’s own characters, without reading them as Markdown" }, raw, "As written")
          : h("p", { class: "sm mut" }, "The model answered nothing.")));
  }

  #round({ round, remark, calls }, turn, step, link) {
    const { zoom } = this.hooks;
    return h("section", { class: "round", "aria-label": round == null ? "Calls" : `Round ${round}` },
      round == null ? null : h("h4", { class: "round-name" }, `Round ${round}`, calls.length > 1 ? h("span", { class: "mut" }, `, ${calls.length} calls at once`) : null),
      remark ? step("remark-step", { round: round ?? 0 }, round == null ? "remark" : `what the model said in round ${round}`, "Said", remarkText(remark)) : null,
      calls.map((call) => callStep(call, turn, { zoom, link: link({ call: call.call }) })));
  }

  /** Put the focus on the step that was gone to. */
  focus() { this.#element(this.place ?? {})?.focus({ preventScroll: true }); }

  /** Its steps in order. */
  get steps() { return [...this.body.querySelectorAll("[data-step]")]; }

  #element({ turn, call, round } = {}) {
    const all = this.steps, of = (element) => element.dataset;
    return all.find((one) => of(one).turn === String(turn ?? 1)
      && (call != null ? of(one).call === String(call) : round != null ? of(one).round === String(round) : !of(one).call && !of(one).round)) ?? null;
  }

  #placeOf({ dataset: { turn, call, round } }) { return { turn, call: call ?? null, round: round ?? null }; }

  /** Go to a place; a place that there is not is the first step. `quiet`: the focus stays where it is. */
  go(place, { quiet = false } = {}) {
    const element = this.#element(place) ?? this.steps[0], first = !place || (place.turn == null && place.call == null && place.round == null);
    if (!element) return;
    this.#mark(this.#placeOf(element));
    this.#above();
    if (!first || !quiet) element.scrollIntoView({ block: "start" });
    if (!quiet) element.focus({ preventScroll: true });
  }

  /* Steps come to rest beneath what stays above them. */
  #above() { this.element.style.setProperty("--trace-head", `${this.body.querySelector(".trace-head")?.offsetHeight ?? 0}px`); }

  /** The step before or after the one that was gone to. */
  step(by) {
    const all = this.steps, at = all.findIndex((one) => one.classList.contains("here")), to = all[Math.min(all.length - 1, Math.max(0, at + by))];
    if (!to || at === all.indexOf(to)) return;
    this.go(this.#placeOf(to));
    this.hooks.at(this, this.place);
  }

  /** Put the address of the step that was gone to on the clipboard. */
  async copy() {
    await copyText(this.hooks.link(this, this.place ?? {}));
    announce("Link copied");
  }

  #mark(place) {
    this.place = place;
    const here = this.#element(place ?? {});
    for (const one of this.steps) one.classList.toggle("here", one === here);
    this.#chips(here);
  }

  /* A chip for each step: where one is in the trace, and the way to the others. */
  #chips(here) {
    const all = this.steps;
    this.chips.hidden = all.length > MOST_CHIPS;
    if (this.chips.hidden) return;
    const word = ({ dataset: { call, round } }) => { // in full where there is room
      if (call && call !== "answer") return call;
      const [full, brief] = call ? ["Answer", "A"] : round ? ["Said", "…"] : ["Prompt", "P"];
      return [h("span", { class: "full" }, full), h("span", { class: "brief" }, brief)];
    };
    if (this.chips.childElementCount !== all.length) {
      this.chips.replaceChildren(...all.map((one) => h("button",
        { type: "button", class: `chip ${one.classList.contains("failed") ? "failed" : ""} ${one.dataset.call === "answer" || !one.dataset.call ? "word" : ""}`,
        "data-first": one.classList.contains("prompt-step"), title: one.getAttribute("aria-label"), "aria-label": one.getAttribute("aria-label"),
        onclick: () => { this.go(this.#placeOf(one)); this.hooks.at(this, this.place); } }, word(one))));
    }
    all.forEach((one, k) => { if (one === here) this.chips.children[k].setAttribute("aria-current", "step");
      else this.chips.children[k].removeAttribute("aria-current"); });
  }
}
