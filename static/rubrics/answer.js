/* What is graded: the conversation turn by turn, with pictures, the expert's answer, the model's and its tool calls. */
import { announce, h } from "../dom.js";
import { pictureUrl } from "./api.js";
import { markQuote, unmark } from "./mark.js";
import { Pictures } from "./pictures.js";
import { ANSWER, ASIDE, Prose } from "./prose.js";
import { Trace } from "./trace.js";
import { plainly } from "./words.js";
import { Zoom } from "./zoom.js";

const part = (label, ...children) => h("div", { class: "ans" }, h("h3", { class: "lab" }, label), ...children);

/* One turn of a conversation, beside the pictures of the turn `shown`: its own, or the last ones before it. */
class TurnSheet {
  constructor(turn, shown, facts, zoom, changed) {
    this.turn = turn;
    this.pictures = shown ? new Pictures(shown, zoom) : null;
    this.trace = turn.calls.length || turn.rounds != null ? new Trace(turn, zoom) : null;
    this.answer = new Prose(turn.answer, ANSWER, changed);
    this.raw = h("input", { type: "checkbox", role: "switch", onchange: () => { this.answer.put(this.raw.checked ? [["pre", turn.written]] : turn.answer); changed(); } });
    this.model = h("span", { class: "tag", hidden: true });
    const golden = turn.golden_answer, chain = turn.tool_trajectory;
    this.element = h("div", { class: this.pictures ? "rtask" : "rtask plain" },
      h("div", { class: "side" }, this.pictures?.element, shown && shown !== turn && h("p", { class: "xs sub" }, `Shown with turn ${shown.turn}`), h("p", { class: "xs mut facts" }, facts)),
      h("div", { class: "rtext" },
        part("Prompt", new Prose(turn.prompt, ASIDE).element),
        golden && part("Golden answer", new Prose(golden, ASIDE).element, chain && h("details", { class: "chain" }, h("summary", {}, "The expert’s tools"), new Prose([["pre", chain]], ASIDE).element)),
        h("div", { class: "ans model-answer" },
          h("div", { class: "row between" }, h("h3", { class: "lab row" }, "Model answer ", this.model),
            h("label", { class: "switch tiny", title: "The model’s own characters, without reading them as Markdown" }, this.raw, "As written")),
          this.answer.element, !turn.written.trim() && h("p", { class: "sm mut" }, "The model answered nothing.")),
        this.trace?.element));
  }
}

export class AnswerCard {
  constructor() {
    this.zoom = new Zoom({ urlOf: pictureUrl });
    this.tabs = h("div", { class: "seg", role: "group", "aria-label": "Turns" });
    this.head = h("div", { class: "row turns", hidden: true }, this.tabs, this.note = h("span", { class: "xs mut" }));
    this.place = h("div", {});
    this.element = h("section", { class: "card graded", "aria-label": "Answer to grade" }, this.head, this.place);
    this.sheets = new Map();
    this.quotes = [];
  }

  /** Show an assignment's conversation, with the turn of the criterion. */
  show(assignment, turn) {
    if (assignment.turns !== this.assignment?.turns) {
      this.sheets.clear();
      this.assignment = assignment;
      const many = assignment.turns.length;
      this.head.hidden = many < 2;
      this.tabs.replaceChildren(...assignment.turns.map(({ turn: number }) => h("button", { type: "button", "data-turn": number, onclick: () => this.#turn(number) }, many > 4 ? `${number}` : `Turn ${number}`)));
    }
    this.assignment = assignment;
    this.asked = turn;
    this.#turn(turn);
    for (const { model } of this.sheets.values()) this.#named(model);
  }

  #named(place) {
    const { model, attempt } = this.assignment;
    place.hidden = !model;
    place.textContent = model ? `${model}${attempt > 1 ? `, attempt ${attempt}` : ""}` : "";
  }

  get #sheet() { return this.sheets.get(this.turn); }

  #turn(number) {
    const { turns, category, domain, task_id: task } = this.assignment;
    if (!this.sheets.has(number)) {
      const facts = [category && plainly(category), domain && plainly(domain), task].filter(Boolean).join(" · ");
      const shown = turns.findLast((turn) => turn.turn <= number && turn.pictures.length);
      const sheet = new TurnSheet(turns.find((turn) => turn.turn === number), shown, facts, (...picture) => this.zoom.open(...picture), () => this.#marked());
      this.#named(sheet.model);
      this.sheets.set(number, sheet);
    }
    this.turn = number;
    for (const button of this.tabs.children) button.setAttribute("aria-pressed", String(Number(button.dataset.turn) === number));
    this.note.textContent = number === this.asked ? "The criterion is about this turn" : `The criterion is about turn ${this.asked}`;
    if (this.place.firstChild !== this.#sheet.element) this.place.replaceChildren(this.#sheet.element);
  }

  /** Mark quotes in the answer of the criterion's turn; returns which were found. */
  mark(quotes) {
    this.quotes = quotes;
    return this.#marked();
  }

  #marked() {
    const sheet = this.sheets.get(this.asked), { answer } = sheet, { body } = answer;
    unmark(body);
    this.marks = this.quotes.map((quote) => {
      let found = markQuote(body, quote);
      if (!found && answer.first && !this.growing) { // it stands further down
        this.growing = true;
        answer.grow();
        this.growing = false;
        found = markQuote(body, quote);
      }
      return found;
    });
    return this.marks.map(Boolean);
  }

  /** Bring the mark of a quote into sight, or the first one that there is. */
  toMark(k = this.marks?.findIndex(Boolean) ?? -1) {
    const mark = this.marks?.[k];
    if (!mark) { announce("No evidence is marked"); return; }
    this.#turn(this.asked);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    mark.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  }

  /** Show the picture larger. */
  magnify() { this.#sheet?.pictures?.open(); }
  /** Open all tool calls and bring them into sight, or close them. */
  trace() {
    const { trace } = this.#sheet ?? {}, opened = trace?.toggle();
    if (opened === undefined) announce("There are no tool calls");
    else if (opened && trace.element.getBoundingClientRect().top > innerHeight / 3) trace.element.scrollIntoView({ block: "start" });
  }
}
