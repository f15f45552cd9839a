/* The trial of a draft: models answer it, a judge grades them, and it is kept if enough of them fail. */
import { row } from "../connect/fields.js";
import { h, icon, setText, storage } from "../dom.js";
import { keyNote } from "../judging/form.js";
import { request } from "../session/api.js";
import { openTab } from "../tabs.js";
import { newId } from "./authordocument.js";
import { viewLink } from "./authorfields.js";
import { toolWord } from "./analysiswords.js";
import { errorLine, fieldsOf, numbersOf } from "./dialogs.js";
import { SCORE } from "./statistics.js";
import { counted } from "./words.js";

const KEY = "es-author-trial"; // endpoints and models of last time; never a key
const MODELS = ["o3", "gemini-2.5-pro", "o4-mini"], FAILURES = 2;
const STATES = { waiting: "Waiting", running: "Answering", judging: "Being judged" };
const AGAIN = "Tried again by the same models and judge, it goes on where it stood.";
const field = fieldsOf("author-trial"), number = numbersOf("author-trial");

/** Whether nobody is at a trial any more. */
export const isOver = ({ models }) => models.every(({ state }) => state === "done" || state === "failed");

/* Why nothing came of a trial that is over. */
function whyOpen({ models }) {
  const silent = models.filter(({ answer }) => answer == null).length, unjudged = models.filter(({ answer, passed }) => answer != null && passed == null).length;
  if (!silent && unjudged === models.length) return "the judge gave no usable verdict";
  return [silent && `${counted(silent, "model has", "models have")} not answered`, unjudged && `${counted(unjudged, "answer has", "answers have")} no usable verdict`]
    .filter(Boolean).join(", and ");
}

/** What came of a trial, in a sentence. */
export function outcomeWords(trial) {
  const { outcome, failures, least_failures: least, models } = trial;
  const failed = `${failures} of ${counted(models.length, "model", "models")} failed`;
  if (outcome === "kept") return `Kept: ${failed}, at least ${least} had to.`;
  if (outcome === "dropped") return `Dropped: ${failed}, at least ${least} had to. It is too easy as it is.`;
  return isOver(trial) ? `Not decided: ${whyOpen(trial)}.` : `${failed} so far, at least ${least} have to.`;
}

/* How a model did, or how far it is; neither passing nor failing is the better one here. */
function verdict({ state, passed, answer }) {
  const tag = (word, title) => h("span", { class: "tag", title }, word);
  if (passed != null) return passed ? tag("Pass", "Its answer meets all that is critical") : tag("Fail", "Its answer misses something critical");
  if (STATES[state]) return h("span", { class: "row sm" }, h("span", { class: state === "waiting" ? "live off" : "live" }), STATES[state]);
  return h("span", { class: "tag warn" }, answer == null ? "No answer" : "Not judged");
}

/* Tools that no model of a trial had, which may be why they failed. */
function offOf(models) {
  const [first, ...others] = models.filter(({ answer }) => answer != null), off = first?.off.filter((tool) => others.every((one) => one.off.includes(tool))) ?? [];
  return off.length ? h("p", { class: "xs mut words" }, `Off in this trial: ${off.map(toolWord).join(", ")}.`) : null;
}

/** A trial: how far each model is, and what came of it. */
export function trialOf(trial) {
  const line = (one) => {
    const view = { show: "trace", answer: String(one.answer), set: trial.set_id };
    const link = one.answer == null ? null : viewLink(view, () => openTab("rubrics", view), { class: "sm", "data-answer": one.answer }, "Trace");
    const score = one.score == null ? null : h("span", { class: "sm mut", title: "Rubric score" }, SCORE.write(one.score));
    return h("li", { "data-model": one.model }, h("b", { class: "grow words" }, one.model), score, verdict(one), link,
      one.reason ? h("p", { class: "xs words trial-why" }, one.reason) : null);
  };
  const glyph = { kept: "check", dropped: "x" }[trial.outcome];
  return h("div", { class: "trial-told", "data-outcome": trial.outcome }, h("p", { class: "sm trial-says" }, glyph && icon(glyph), h("span", {}, outcomeWords(trial))),
    h("ul", { class: "trial-models", "aria-label": "Models" }, trial.models.map(line)), offOf(trial.models));
}

export class TrialPanel {
  /** `start(wish)` saves what is not saved and begins a trial; it throws ApiError. */
  constructor(start) {
    Object.assign(this, { start, text: null, asked: null });
    const last = storage.get(KEY, {});
    const said = () => this.#hint();
    const address = { type: "url", maxlength: 200 }, name = { maxlength: 80, oninput: said };
    this.base = field({ name: "base_url", placeholder: "http://127.0.0.1:8000/v1", value: last.base_url ?? "", required: true, oninput: said, ...address });
    this.models = MODELS.map((model, k) => field({ name: `model_${k + 1}`, placeholder: model, value: last.models?.[k] ?? "", "aria-label": `Model ${k + 1}`, ...name }));
    this.judge = field({ name: "judge", placeholder: "o4-mini", value: last.judge ?? "", required: true, maxlength: 80 });
    this.key = field({ name: "key", type: "password", autocomplete: "off", maxlength: 4000 });
    this.keyNote = h("p", { class: "xs mut" });
    this.least = number("least_failures", { min: 0, max: MODELS.length, value: FAILURES, required: true, oninput: said });
    this.leastNote = h("p", { class: "xs mut" });
    this.judgeBase = field({ name: "judge_base_url", placeholder: "the same endpoint", value: last.judge_base_url ?? "", ...address });
    this.judgeKey = field({ name: "judge_key", type: "password", autocomplete: "off", maxlength: 4000 });
    const option = ([value, label]) => h("option", { value }, label);
    this.critical = h("select", { class: "field", id: "es-author-trial-critical" }, [["weight", "By weight"], ["flag", "By flag"]].map(option));
    this.error = errorLine();
    this.go = h("button", { type: "submit", class: "btn primary" }, "Start the trial");
    this.form = h("form", { class: "trial-form", "aria-label": "Trial", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.#send(); } },
      h("div", { class: "grid" }, row("Endpoint", this.base),
        h("span", { class: "name" }, "Models"), h("div", { class: "cell models", role: "group", "aria-label": "Models" }, this.models), row("Judge", this.judge),
        h("label", { class: "name", for: this.key.id }, "Key"), h("div", { class: "cell" }, this.key, this.keyNote),
        h("label", { class: "name", for: this.least.id }, "Must fail"), h("div", { class: "cell" }, this.least, this.leastNote)),
      h("details", {}, h("summary", { class: "sm" }, "More"), h("div", { class: "grid" },
        row("Judge at", this.judgeBase, "If it answers elsewhere."), row("Its key", this.judgeKey), row("Critical is", this.critical))),
      this.error.element, this.go);
    this.why = h("p", { class: "sm sub" });
    this.now = h("div", { "aria-live": "polite" });
    this.again = h("details", { class: "again", hidden: true }, h("summary", { class: "sm" }, "Try again"));
    this.place = h("div", {});
    this.element = h("section", { class: "card side-card trial-card", "aria-label": "Trial", tabindex: -1 },
      h("h3", {}, "Trial"), this.now, this.why, this.place, this.again);
    this.#hint();
    this.#offer();
  }

  /* Whether this studio may ask models, and to which endpoints it has keys. */
  async #offer() {
    try {
      this.options = await request("GET", "runs/options");
    } catch { this.options = null; } // the server says it when it is asked
    this.#hint();
    if (this.draft) this.show(this.draft);
  }

  #hint() {
    const named = this.models.filter(({ value }) => value.trim()).length || MODELS.length, least = Number(this.least.value);
    setText(this.keyNote, keyNote(this.base.value, this.options?.key_for ?? []));
    setText(this.leastNote, `Keep it if at least ${least} of ${named} fail${least === FAILURES && named === MODELS.length ? ", as published" : ""}.`);
  }

  show(draft) {
    this.draft = draft;
    const { may, why_not: why, trials, version } = draft, last = trials.at(-1), now = last?.version === version ? last : null;
    const forbidden = this.options && !this.options.allowed ? this.options.reason : null, able = may.includes("try") && !forbidden && (!now || isOver(now));
    const text = JSON.stringify([last, version, able, why.try, forbidden]);
    if (text === this.text) return;
    this.text = text;
    this.now.replaceChildren(...(now ? [trialOf(now)] : []));
    const told = now && !may.includes("edit"); // whoever only reads it sees what came of it
    setText(this.why, able ? (now ? AGAIN : "Models answer the task as it is saved, and a judge grades them.") : told ? "" : forbidden ?? why.try ?? "");
    this.why.hidden = !this.why.textContent;
    this.again.hidden = !(able && now);
    this.again.open = able && Boolean(now);
    (able && now ? this.again : this.place).append(this.form);
    this.form.hidden = !able;
  }

  async #send() {
    const wrong = [this.base, this.judge].find(({ value }) => !value.trim()) ?? (this.models.some(({ value }) => value.trim()) ? null : this.models[0]);
    for (const control of [this.base, this.judge, ...this.models]) control.toggleAttribute("aria-invalid", false);
    if (wrong) {
      wrong.setAttribute("aria-invalid", "true");
      wrong.focus();
      this.error.say({ base_url: "An endpoint is needed: the address where the models answer.", judge: "A judge is needed: the name of the model that grades." }[wrong.name]
        ?? "A model is needed: name at least one.");
      return;
    }
    const value = (control) => control.value.trim() || null, models = this.models.map(value).filter(Boolean);
    storage.set(KEY, { base_url: value(this.base), models: this.models.map(value), judge: value(this.judge), judge_base_url: value(this.judgeBase) });
    const at = { base_url: value(this.base), judge_base_url: value(this.judgeBase) };
    const wish = { ...at, models, judge: value(this.judge), least_failures: Number(this.least.value) || 0, critical: this.critical.value };
    const asked = JSON.stringify([this.draft.draft_id, wish]);
    if (this.asked?.text !== asked) this.asked = { text: asked, id: newId() }; // the same wish again, after a lost answer, is the same request
    this.error.say(null);
    this.go.setAttribute("aria-busy", "true");
    setText(this.go, "Starting");
    try {
      await this.start({ request_id: this.asked.id, ...wish, key: value(this.key), judge_key: value(this.judgeKey) });
      this.asked = null;
      this.element.focus({ preventScroll: true }); // the form is gone
    } catch (error) {
      this.error.say(error.message);
      if (!error.retry) this.asked = null;
    }
    this.go.removeAttribute("aria-busy");
    setText(this.go, "Start the trial");
  }
}
