/* The form that begins a run: who paints, which tasks, under which rules; what is rarely needed stands under "More". */
import { h, plural, setText, storage } from "../dom.js";
import { startRun } from "../session/api.js";
import { CATEGORIES, RULES, isSemantic } from "../tasks.js";
import { choice, field, held, row, toggle } from "./fields.js";

const KEY = "es-run-form"; // the endpoint, the model and the player of last time; never a key
const plain = (address) => address.trim().replace(/\/+$/, "");
const number = (name, attributes) => field({ name, type: "number", ...attributes });

export class RunForm {
  /** `started(view)` gets a run that has begun or goes on. */
  constructor(started) {
    this.started = started;
    const last = storage.get(KEY, {}), redraw = () => this.#draw();
    this.player = choice("player", "Who paints", [["model", "Model"], ["greedy", "Greedy"], ["random", "Random"]], last.player ?? "model", redraw);
    this.base = field({ oninput: () => this.#hint(), name: "base_url", type: "url", placeholder: "http://127.0.0.1:8000/v1", value: last.base_url ?? "", required: true });
    this.model = field({ name: "model", placeholder: "qwen3.5-9b", value: last.model ?? "", required: true, maxlength: 200 });
    this.key = field({ name: "key", type: "password", autocomplete: "off" });
    this.keyNote = h("p", { class: "xs mut" });
    this.endpoint = h("div", { class: "grid" }, row("Endpoint", this.base), row("Model", this.model), row("Key", h("div", {}, this.key, this.keyNote)));
    this.endpoint.querySelector("span.name").replaceWith(h("label", { class: "name", for: this.key.id }, "Key"));
    this.categories = h("div", { class: "ticks-list", role: "group", "aria-label": "Categories of tasks" });
    this.rules = choice("protocol", "Rules of the sessions", ["benchmark", "studio", "practice"].map((key) => [key, RULES[key].label]), "benchmark", redraw);
    this.repeats = number("repeats", { min: 1, max: 100, value: 1, oninput: redraw });
    this.concurrency = number("concurrency", { min: 1, max: 64, value: 8 });
    this.more = h("details", {}, h("summary", {}, "More"), this.#more());
    this.size = h("p", { class: "xs mut", "aria-live": "polite" });
    this.error = h("p", { class: "refusal", role: "alert", hidden: true });
    this.go = h("button", { type: "submit", class: "btn lg primary" }, "Start");
    this.element = h("form", {
      class: "run-form", "aria-label": "Run a model",
      onsubmit: (event) => { event.preventDefault(); this.#send(); },
    },
    h("div", { class: "grid" }, row("Player", this.player, "A model behind an endpoint, or a painter that is built in.")), this.endpoint,
    h("div", { class: "grid" }, row("Tasks", this.categories), row("Rules", this.rules), row("Repeats", this.repeats), row("At a time", this.concurrency)),
    this.more, this.error, h("div", { class: "row between" }, this.size, this.go));
  }

  #more() {
    this.ofModel = h("div", { class: "grid" },
      row("Temperature", number("temperature", { min: 0, max: 2, step: 0.05, placeholder: "default" })),
      row("Longest reply", number("max_tokens", { min: 1, placeholder: "default" }), "In tokens."),
      row("History", number("history", { min: 0, max: 100, placeholder: "none" }), "Last turns that are shown again. Empty: as published, none, in semantic tasks three."),
      row("Coordinates", choice("coordinates", "Coordinates", [["float", "0 to 1"], ["integer", "0 to 1000"]], "float")),
      row("Replies", choice("calling", "Replies", [["auto", "Auto"], ["tools", "Tool calls"], ["text", "JSON in text"]], "auto")),
      row("Reading", choice("reading", "Reading of replies", [["lenient", "Lenient"], ["strict", "Strict"]], "lenient"), "Lenient takes numbers in strings and JSON beside prose, and notes it."),
      row("Picture scale", number("scale", { min: 1, max: 8, value: 1 }), "Each pixel becomes a square of that side."),
      row("Grid", toggle("grid", "Lines at every tenth of the canvas")),
      row("Time-out", number("timeout", { min: 1, max: 3600, value: 120 }), "Seconds that an answer may take."),
      row("Most tokens", number("most_tokens", { min: 1, placeholder: "no limit" })),
      row("Most money", number("most_money", { min: 0, step: "any", placeholder: "no limit" }), "Needs both prices."),
      row("Prompt price", number("price_prompt", { min: 0, step: "any" }), "Of a million tokens."),
      row("Reply price", number("price_completion", { min: 0, step: "any" }), "Of a million tokens."));
    this.ofPainter = h("div", { class: "grid" }, row("Seed", number("seed", { min: 0, value: 0 })));
    return [this.ofModel, this.ofPainter, h("div", { class: "grid" },
      row("Turns", toggle("shared", "People who watch may take turns"), "Such sessions are not ranked."),
      row("Name", field({ name: "name", placeholder: "run", maxlength: 40, pattern: "[A-Za-z0-9_.\\-]+", title: "Letters, digits, dots, dashes and underscores" }), "Tells runs of equal settings apart."))];
  }

  /** The tasks to choose from, and the endpoints to which the server brings a key of its own. */
  offer(tasks, keyFor) {
    Object.assign(this, { tasks, keyFor: keyFor.map(plain) });
    this.#hint();
    this.categories.replaceChildren(...Object.entries(CATEGORIES).filter(([key]) => tasks.some(({ category }) => category === key)).map(([key, label]) => h("label", { class: "sm" },
      h("input", { type: "checkbox", checked: true, value: key, "data-own": true, onchange: () => this.#draw() }), label, h("span", { class: "mut" }, tasks.filter(({ category }) => category === key).length))));
    this.#draw();
  }

  #hint() {
    const own = this.keyFor.includes(plain(this.base.value));
    setText(this.keyNote, `${own ? "Empty: the server’s own key is used." : "Empty, if the endpoint needs none."} A key typed here stays in the server’s memory for this sitting and is never written down; Continue uses it too.`);
  }

  get #chosen() { return [...this.categories.querySelectorAll("input:checked:enabled")].map(({ value }) => value); }

  #draw() {
    const model = this.player.dataset.value === "model", chosen = this.tasks.filter((task) => this.#chosen.includes(task.category) && (model || !isSemantic(task))); // these painters look for a reference
    for (const input of this.categories.querySelectorAll("input[value=semantic]")) {
      input.disabled = !model;
      input.closest("label").title = model ? "" : "These painters look for a reference; scripts for semantic tasks are on their tab.";
    }
    for (const part of [this.endpoint, this.ofModel]) part.hidden = !model;
    this.ofPainter.hidden = model;
    for (const input of [this.base, this.model]) input.required = model;
    const repeats = Math.max(1, Number(this.repeats.value) || 1), steps = repeats * chosen.reduce((sum, { budget }) => sum + budget, 0);
    setText(this.size, chosen.length ? `${plural(chosen.length * repeats, "session")}, ${steps.toLocaleString("en")} steps` : "Choose tasks");
    this.go.disabled = !chosen.length;
  }

  async #send() {
    const wish = held(this.element), all = this.#chosen.length === this.categories.children.length;
    storage.set(KEY, { player: wish.player, base_url: this.base.value, model: this.model.value });
    if (!all) wish.categories = this.#chosen;
    this.go.disabled = true;
    setText(this.go, "Starting");
    try {
      this.started(await startRun(wish));
      this.error.hidden = true;
      this.key.value = "";
    } catch (error) {
      this.error.hidden = false;
      this.error.textContent = error.message;
    }
    setText(this.go, "Start");
    this.#draw();
  }
}
