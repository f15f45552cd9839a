/* Runs of models and painters over many tasks: the form that begins one, and how far each is. */
import { h, icon } from "../dom.js";
import { continueRun, listRuns, runOptions, stopRun } from "../session/api.js";
import { current } from "../tabs.js";
import { RunForm } from "./form.js";
import { RunTable } from "./table.js";

const POLL = 1000; // ms between looks while a run is running

export class Runs {
  /** `tab` is the tab that this is shown in. */
  constructor(tab) {
    Object.assign(this, { tab, tasks: new Map(), timer: null, allowed: false, list: [] });
    this.form = new RunForm((run) => { this.table.open.add(run.run_id); this.#put(run); this.#look(); });
    this.table = new RunTable({ tasks: () => this.tasks, stop: (run) => this.#do(() => stopRun(run.run_id)), goOn: (run) => this.#do(() => continueRun(run.run_id, this.form.key.value)) });
    this.note = h("div", { hidden: true });
    this.empty = h("div", { class: "hole" }, icon("grid"), h("b", {}, "No run yet"), h("p", { class: "sm" }, "A run lets one player paint many tasks. After a restart of the server, press Continue: it goes on where it stood."));
    this.side = h("div", { class: "card run-list" }, this.note, this.empty, this.table.element);
    this.launch = h("div", { class: "card run-start" });
    this.element = h("section", { class: "runs", "aria-label": "Run a model" },
      h("div", { class: "head" }, h("h2", {}, "Run a model"), h("p", { class: "sm mut" }, "Let any OpenAI-compatible endpoint, or a built-in painter, paint a whole set of tasks. The same from a terminal: ", h("span", { class: "mono" }, "easel run"), ".")),
      h("div", { class: "run-grid" }, this.launch, this.side));
    this.table.element.hidden = true;
    for (const [target, name] of [[document, "visibilitychange"], [window, "es:tab"]]) target.addEventListener(name, () => { if (this.tasks.size) this.#look(); });
  }

  /** Begin, with the tasks to choose from. */
  async start(tasks) {
    this.tasks = new Map(tasks.map((task) => [task.id, task]));
    try {
      const { allowed, reason, key_for: keyFor = [] } = await runOptions();
      this.allowed = allowed;
      if (allowed) this.form.offer(tasks, keyFor);
      this.launch.replaceChildren(allowed ? this.form.element : h("div", { class: "hole" }, icon("lock"), h("b", {}, "No runs from this page"), h("p", { class: "sm" }, reason)));
    } catch (error) { this.#say(error.message); }
    this.#look();
  }

  #say(text) {
    this.note.hidden = !text;
    this.note.replaceChildren(...(text ? [h("p", { class: "refusal", role: "alert" }, text)] : []));
  }

  async #do(act) {
    try {
      this.#put(await act());
      this.#say(null);
    } catch (error) { this.#say(error.message); }
    this.#look();
  }

  #put(run) { this.#show([run, ...this.list.filter(({ run_id: id }) => id !== run.run_id)].sort((a, b) => b.created_at.localeCompare(a.created_at))); }

  #show(list) {
    this.list = list;
    this.empty.hidden = list.length > 0;
    this.table.element.hidden = !list.length;
    this.table.draw(list);
  }

  /* Look now, and again in a second as long as something runs and someone sees it. */
  async #look() {
    clearTimeout(this.timer);
    if (document.hidden || current() !== this.tab) return;
    try {
      this.#show(await listRuns());
      if (this.lost) this.#say(null);
      this.lost = false;
    } catch (error) {
      this.lost = true;
      this.#say(error.message);
    }
    clearTimeout(this.timer);
    if (this.lost || this.list.some(({ state }) => state === "running")) this.timer = setTimeout(() => this.#look(), this.lost ? 5 * POLL : POLL);
  }
}
