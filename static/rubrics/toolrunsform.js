/* The form of a tool run: which model, under what conditions, how often, who judges; what is rarely needed stands under "More". */
import { choice, held, row } from "../connect/fields.js";
import { h, icon, plural, setText, storage } from "../dom.js";
import { keyNote, limitRows } from "../judging/form.js";
import { request } from "../session/api.js";
import { fieldsOf, numbersOf } from "./dialogs.js";
import { count } from "./statistics.js";

const KEY = "es-tool-run-form"; // endpoints and models of last time; never a key
const field = fieldsOf("tool-run"), number = numbersOf("tool-run");
const OF_JUDGE = { "data-own": "1" }; // stands in a part of its own of the request
const NETWORKS = [["recorded", "Recorded"], ["service", "Services"], ["off", "Off"]];

export class ToolRunForm {
  /** `start(wish)` begins the run on a set, and is awaited. */
  constructor(set, start) {
    Object.assign(this, { set, start, keyFor: [] });
    const last = storage.get(KEY, {}), url = { type: "url", placeholder: "http://127.0.0.1:8000/v1" };
    this.base = field({ name: "base_url", ...url, value: last.base_url ?? "", required: true, oninput: () => this.#hint() });
    this.model = field({ name: "model", placeholder: "qwen3-vl-32b", value: last.model ?? "", required: true, maxlength: 200 });
    this.key = field({ name: "key", type: "password", autocomplete: "off" });
    this.keyNote = h("p", { class: "xs mut" });
    this.tools = choice("tools", "Tools", [["all", "All six"], ["no_vision", "No vision tool"], ["none", "None"]], "all", () => this.#sandbox());
    this.repeats = number("repeats", { min: 1, max: 100, value: 1, oninput: () => this.#size() });
    this.most = number("most", { min: 1, placeholder: "all", oninput: () => this.#size() });
    this.judge = field({ name: "judge_model", placeholder: "nobody", value: last.judge ?? "", maxlength: 200, oninput: () => this.#judged(), ...OF_JUDGE });
    this.judgeBase = field({ name: "judge_base_url", ...url, placeholder: "like the model’s", value: last.judge_base_url ?? "", ...OF_JUDGE });
    this.judgeKey = field({ name: "judge_key", type: "password", autocomplete: "off" });
    this.required = number("required", { min: 1, max: 20, value: 2, ...OF_JUDGE });
    this.ofJudge = [row("Judge’s URL", this.judgeBase), row("Judge’s key", this.judgeKey, "Empty: like the model’s, at the same endpoint."),
      row("Reviewers", this.required, "People who vote on each entry of the queue.")].flat();
    this.network = h("div", {});
    this.cassette = h("select", { class: "field", "aria-label": "Recording", hidden: true });
    this.temperature = number("temperature", { min: 0, max: 2, step: 0.05, inputmode: "decimal", placeholder: "family" });
    this.off = h("p", { class: "sm row caution sandbox-off", role: "status", hidden: true }, icon("warn"), h("span", {}));
    this.says = h("p", { class: "sm mut", "aria-live": "polite" });
    this.error = h("span", {});
    this.go = h("button", { type: "submit", class: "btn lg primary" }, "Start");
    this.element = h("form", { class: "data-form", "aria-label": "Let a model answer with tools", onsubmit: (event) => { event.preventDefault(); this.#send(); } },
      h("div", { class: "grid" }, row("Endpoint", this.base), row("Model", this.model), h("label", { class: "name", for: this.key.id }, "Key"),
        h("div", { class: "cell" }, this.key, this.keyNote),
        row("Prompt", choice("prompt", "System prompt", [["strong", "Strong"], ["medium", "Medium"], ["weak", "Weak"]], "strong"),
          "Of the system: how strongly it asks to look closer with tools."),
        row("Tools", this.tools, "The others are the ablations of the paper."),
          row("History", choice("history", "History", [["golden", "Golden answers"], ["own", "Own answers"]], "golden"),
          "What stands for earlier turns: golden answers, as published, or the model’s own."),
        row("Repeats", this.repeats, "Attempts at each task: from two on there are pass@k and pass^k."),
          row("Judge", this.judge, "A model that judges the answers in the end; then a review queue is made of them."), this.ofJudge),
      this.off, h("details", { class: "more" }, h("summary", {}, "More"),
        this.#more().map(([title, ...rows]) => h("section", {}, h("h3", {}, title), h("div", { class: "grid" }, rows)))),
      this.error, h("div", { class: "row between foot-row" }, this.says, this.go));
    this.#networks({ services: [], cassettes: [] });
    this.#learn();
    this.#judged();
  }

  /* What is rarely needed: [title, rows] of each part. */
  #more() {
    const [, ...limits] = limitRows(number); // the temperature is a matter of the family here
    return [
      ["Tasks", row("Tasks", this.most, "So many tasks at most, drawn by the seed; empty: all of the set."),
        row("Seed", number("seed", { min: 0, max: 2 ** 32 - 1, value: 0 }))],
      ["Model", row("Name", field({ name: "player", maxlength: 80, placeholder: "like its model" }), "How to call its answers."),
        row("Temperature", this.temperature, "Empty: as published for models of its family."),
        row("Effort", field({ name: "effort", maxlength: 20, placeholder: "family", pattern: "[a-z0-9]+" }),
          "Of reasoning, such as high; empty: as published for its family."),
        row("Longest side", number("longest", { min: 128, max: 8192, value: 2048 }), "Pixels of a picture as the model is shown it.")],
      ["Tools", row("Network", this.network, "What answers search, pages and weather: a recording, the services of this host, or nobody."),
        row("Variables", choice("variables", "Variables of code", [["fresh", "Fresh for each call"], ["kept", "Kept"]], "fresh"),
          "Files of the code are kept either way."),
        row("Pictures", choice("pictures", "Pictures of tools", [["auto", "Auto"], ["tool", "Tool message"], ["user", "User message"]], "auto"),
          "Where the model is shown what a tool made.")],
      ["Limits", row("Round limit", number("most_rounds", { min: 1, max: 100, value: 20 }), "Of a turn, as published."),
        row("Reply limit", number("max_tokens", { min: 1, placeholder: "not sent" }), "In tokens."),
        row("At once", number("concurrency", { min: 1, max: 64, value: 4 }), "Attempts under way at a time."), limits],
    ];
  }

  /* What only a judge needs. */
  #judged() { for (const element of this.ofJudge) element.hidden = !this.judge.value.trim(); }

  /* Which tools there are on this host. */
  async #learn() {
    try {
      this.here = await request("GET", "rubrics/tools");
      this.#networks(this.here);
      this.#sandbox();
    } catch (error) { if (!error.status && !error.retry) throw error; } // the server says what is wrong when it begins
  }

  #networks({ services, cassettes }) {
    const offered = NETWORKS.filter(([value]) => value !== "service"
      || services.length).map(([value, label]) => [value, value === "service" ? `Services: ${services.join(", ")}` : label]);
    this.cassette.hidden = cassettes.length < 2;
    this.cassette.replaceChildren(...cassettes.map((name) => h("option", { value: name }, name)));
    if (cassettes.includes("sample")) this.cassette.value = "sample";
    this.network.replaceChildren(choice("network", "Network", offered, "recorded",
      () => { this.cassette.hidden = cassettes.length < 2 || this.#networkNow !== "recorded"; }), this.cassette);
  }

  get #networkNow() { return this.network.firstChild.dataset.value; }

  /* That code cannot be run here, where it would be. */
  #sandbox() {
    const why = this.here?.sandbox_off, wanted = this.tools.dataset.value !== "none";
    this.off.hidden = !why || !wanted;
    setText(this.off.lastChild, `The two tools that run code are off here, and tell the model so: ${why ?? ""}`);
  }

  /** Tell to which endpoints the server brings a key of its own. */
  offer(keyFor) {
    this.keyFor = keyFor;
    this.#hint();
    this.#size();
  }

  focus() { (this.base.value ? this.go : this.base).focus(); }

  /** Keys that are typed here, for going on with a run. */
  keys() { return Object.fromEntries([["key", this.key], ["judge_key", this.judgeKey]].filter(([, { value }]) => value).map(([name, { value }]) => [name, value])); }

  #hint() { setText(this.keyNote, keyNote(this.base.value, this.keyFor)); }

  /* How many attempts it will be. */
  #size() {
    const { tasks } = this.set, limit = Number(this.most.value) || Infinity, asked = Math.min(tasks, limit), repeats = Number(this.repeats.value) || 1;
    setText(this.says, `${plural(asked, "task")}${repeats > 1 ? ` × ${repeats} = ${count(asked * repeats)} attempts` : ""}`);
  }

  async #send() {
    const { judge, judgeBase, required, cassette } = this, { temperature, judge_key: judgeKey, ...wish } = held(this.element), judged = judge.value.trim();
    storage.set(KEY, { base_url: this.base.value, model: this.model.value, judge: judged, judge_base_url: judgeBase.value });
    this.go.disabled = true;
    setText(this.go, "Starting");
    await this.start({
      ...wish, set_id: this.set.set_id, ...(temperature == null ? {} : { temperature }),
        ...(wish.network === "recorded" && cassette.value ? { cassette: cassette.value } : {}),
      ...(judged ? { judge: { model: judged, required: Number(required.value) || 2, ...(judgeBase.value.trim() ? { base_url: judgeBase.value.trim() } : {}) },
        ...(judgeKey ? { judge_key: judgeKey } : {}) } : {}),
    });
    this.go.disabled = false;
    setText(this.go, "Start");
  }
}
