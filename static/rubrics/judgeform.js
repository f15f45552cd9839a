/* The form that begins a judging: which model, what it is shown, what it may cost; what is rarely needed stands under "More". */
import { choice, held, row } from "../connect/fields.js";
import { h, setText, storage } from "../dom.js";
import { keyNote, limitRows } from "../judging/form.js";
import { fieldsOf, numbersOf, ticks } from "./dialogs.js";
import { count } from "./statistics.js";

const KEY = "es-judge-form"; // endpoint and model of last time; never a key
const field = fieldsOf("judge"), number = numbersOf("judge");

export class JudgeForm {
  /** `start(wish)` begins the judging of a set, and is awaited. */
  constructor(set, start) {
    Object.assign(this, { set, start, keyFor: [] });
    const last = storage.get(KEY, {});
    this.base = field({ name: "base_url", type: "url", placeholder: "http://127.0.0.1:8000/v1", value: last.base_url ?? "", required: true });
    this.base.addEventListener("input", () => this.#hint());
    this.model = field({ name: "model", placeholder: "o4-mini", value: last.model ?? "", required: true, maxlength: 200 });
    this.key = field({ name: "key", type: "password", autocomplete: "off" });
    this.keyNote = h("p", { class: "xs mut" });
    this.of = ticks("Answers of", set.models.map((model) => [model, model]), { changed: () => this.#size() });
    this.most = number("most_items", { min: 1, placeholder: "all", oninput: () => this.#size() });
    this.says = h("p", { class: "sm mut", "aria-live": "polite" });
    this.error = h("span", {});
    this.go = h("button", { type: "submit", class: "btn lg primary" }, "Start");
    const pictures = choice("pictures", "What the judge is shown", [["none", "Text only"], ["task", "Text and pictures"]], "none");
    this.element = h("form", { class: "data-form", "aria-label": "Let a model judge", onsubmit: (event) => { event.preventDefault(); this.#send(); } },
      h("div", { class: "grid" }, row("Endpoint", this.base), row("Model", this.model),
        h("label", { class: "name", for: this.key.id }, "Key"), h("div", { class: "cell" }, this.key, this.keyNote),
        row("Shown", pictures, "Published judges see text only; with pictures it is another judge."),
        row("At a time", number("concurrency", { min: 1, max: 64, value: 8 }))),
      h("details", {}, h("summary", {}, "More"), h("div", { class: "grid" }, this.#more())),
      this.error, h("div", { class: "row between foot-row" }, this.says, this.go));
  }

  #more() {
    return [
      row("Name", field({ name: "name", maxlength: 80, placeholder: "like its model" }), "How to call the judge."),
      this.set.models.length > 1 ? row("Answers of", this.of.element) : [],
      row("Most items", this.most, "So many items of answers, drawn by the seed; a larger number goes on with the same draw."),
      row("Seed", number("seed", { min: 0, max: 2 ** 32 - 1, value: 0 })),
      limitRows(number),
    ];
  }

  /** Tell to which endpoints the server brings a key of its own. */
  offer(keyFor) {
    this.keyFor = keyFor;
    this.#hint();
    this.#size();
  }

  focus() { (this.base.value ? this.go : this.base).focus(); }

  #hint() { setText(this.keyNote, keyNote(this.base.value, this.keyFor)); }

  /* Tell how many calls it will be at most. */
  #size() {
    const some = this.of.some(), limit = Number(this.most.value) || Infinity, calls = some ? limit : Math.min(this.set.pairs, limit);
    this.go.disabled = Boolean(some && !some.length);
    const told = calls < Infinity ? `${count(calls)} calls at most` : `Answers of ${some.length} of ${this.set.models.length} models`;
    setText(this.says, this.go.disabled ? "Choose a model" : told);
  }

  async #send() {
    const some = this.of.some();
    storage.set(KEY, { base_url: this.base.value, model: this.model.value });
    this.go.disabled = true;
    setText(this.go, "Starting");
    await this.start({ ...held(this.element), set_id: this.set.set_id, ...(some ? { models: some } : {}) });
    setText(this.go, "Start");
    this.#size();
  }
}
