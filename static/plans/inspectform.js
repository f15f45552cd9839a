/* The form that begins an inspection: one model in all three roles, or one for each; what is rarely needed stands under "More". */
import { choice, held, row } from "../connect/fields.js";
import { h, plural, setText, storage } from "../dom.js";
import { keyNote, limitRows } from "../judging/form.js";
import { fieldsOf, numbersOf, ticks } from "../rubrics/dialogs.js";
import { count } from "../rubrics/statistics.js";
import { INSPECTORS } from "./words.js";

const KEY = "es-inspect-form"; // endpoints and models of last time; never a key
const ASKED = INSPECTORS.length; // calls for each plan, repairs left out
const DOES = { precision: "Scores each call.", recall: "Finds what is missing.", chief: "Reads both, gives the final score." };
const field = fieldsOf("inspect"), number = numbersOf("inspect");

export class InspectForm {
  /** `start(wish)` begins the inspection of a set, and is awaited. */
  constructor(set, start) {
    Object.assign(this, { set, start, keyFor: [] });
    const last = storage.get(KEY, {});
    this.base = field({ name: "base_url", type: "url", placeholder: "http://127.0.0.1:8000/v1", value: last.base_url ?? "", required: true });
    this.base.addEventListener("input", () => this.#hint());
    this.model = field({ name: "model", placeholder: "gemini-2.5-pro", value: last.model ?? "", required: true, maxlength: 200 });
    this.key = field({ name: "key", type: "password", autocomplete: "off" });
    this.keyNote = h("p", { class: "xs mut" });
    this.ways = choice("ways", "Roles", [["same", "The same for all three"], ["own", "Each its own"]], last.own ? "own" : "same", () => this.#roles());
    this.roles = Object.fromEntries(INSPECTORS.map(([role, label]) => [role, this.#role(role, label, last.roles?.[role] ?? {})]));
    this.own = h("div", { class: "roles" }, INSPECTORS.map(([role, label]) => h("fieldset", { "data-role": role },
      h("legend", {}, h("b", {}, label), h("span", { class: "sm mut" }, ` ${DOES[role]}`)), Object.values(this.roles[role]))));
    this.of = ticks("Plans of", set.planners.map((planner) => [planner, planner]), { changed: () => this.#size() });
    this.most = number("most_plans", { min: 1, placeholder: "all", oninput: () => this.#size() });
    this.says = h("p", { class: "sm mut", "aria-live": "polite" });
    this.error = h("span", {});
    this.go = h("button", { type: "submit", class: "btn lg primary" }, "Start");
    const pictures = choice("pictures", "What the inspectors are shown", [["none", "Text only"], ["pool", "Text and pictures"]], "none");
    this.element = h("form", { class: "data-form", "aria-label": "Let models inspect", onsubmit: (event) => { event.preventDefault(); this.#send(); } },
      h("div", { class: "grid" }, row("Endpoint", this.base), row("Model", this.model), h("label", { class: "name", for: this.key.id }, "Key"),
        h("div", { class: "cell" }, this.key, this.keyNote),
        row("Roles", h("div", {}, this.ways, this.own)),
        row("Shown", pictures, "With pictures of the pool, made small, it is another judge."),
        row("At a time", number("concurrency", { min: 1, max: 64, value: 8 }))),
      h("details", {}, h("summary", {}, "More"), h("div", { class: "grid" }, [
        row("Name", field({ name: "name", maxlength: 80, placeholder: "like its model" }), "How to call the judge."),
        set.planners.length > 1 ? row("Plans of", this.of.element) : [],
        row("Most plans", this.most, "So many plans, drawn by the seed; a larger number goes on with the same draw."),
        row("Seed", number("seed", { min: 0, max: 2 ** 32 - 1, value: 0 })), limitRows(number),
      ])), this.error, h("div", { class: "row between foot-row" }, this.says, this.go));
    this.#roles();
  }

  /* Fields of a role; what is empty is as for all. */
  #role(role, label, last) {
    const one = (name, says, attributes) => field({ id: `es-inspect-${role}-${name}`, name, "data-own": "1", "aria-label": `${label}: ${says}`,
      placeholder: `${says}, as above`, ...attributes });
    const price = (name, says) => one(name, says, { type: "number", inputmode: "decimal", min: 0, step: "any", placeholder: says });
    return { base_url: one("base_url", "Endpoint", { type: "url", value: last.base_url ?? "" }),
      model: one("model", "Model", { maxlength: 200, value: last.model ?? "" }), key: one("key", "Key", { type: "password", autocomplete: "off" }),
      price_prompt: price("price_prompt", "Prompt price"), price_completion: price("price_completion", "Reply price") };
  }

  #roles() {
    this.own.hidden = this.ways.dataset.value !== "own";
    for (const fields of Object.values(this.roles)) for (const one of Object.values(fields)) one.disabled = this.own.hidden;
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
    const some = this.of.some(), limit = Number(this.most.value) || Infinity, plans = some ? limit : Math.min(this.set.answers, limit);
    this.go.disabled = Boolean(some && !some.length);
    setText(this.says, this.go.disabled ? "Choose a planner" : plans < Infinity
      ? `${plural(plans, "plan")}, ${count(ASKED * plans)} reports at most` : `Plans of ${some.length} of ${this.set.planners.length} planners`);
  }

  /* What each role has of its own: {role: {base_url, model}, keys, prices}. */
  #own() {
    const told = (role, ...names) => Object.fromEntries(names.map((name) => [name, this.roles[role][name].value.trim()]).filter(([, value]) => value));
    const wish = { keys: {}, prices: {} };
    if (this.own.hidden) return {};
    for (const [role] of INSPECTORS) {
      const model = told(role, "base_url", "model"), { key } = told(role, "key"), prices = told(role, "price_prompt", "price_completion");
      if (Object.keys(model).length) wish[role] = model;
      if (key) wish.keys[role] = key;
      if (Object.keys(prices).length) wish.prices[role] = Object.fromEntries(Object.entries(prices).map(([name, value]) => [name, Number(value)]));
    }
    return wish;
  }

  async #send() {
    const some = this.of.some(), { ways, ...common } = held(this.element),
      roles = Object.fromEntries(INSPECTORS.map(([role]) => [role, { base_url: this.roles[role].base_url.value, model: this.roles[role].model.value }]));
    storage.set(KEY, { base_url: this.base.value, model: this.model.value, own: ways === "own", roles });
    this.go.disabled = true;
    setText(this.go, "Starting");
    await this.start({ ...common, ...this.#own(), set_id: this.set.set_id, ...(some ? { planners: some } : {}) });
    setText(this.go, "Start");
    this.#size();
  }
}
