/* Executing a plan, where the host has configured what executes calls: how far it is, and how the document is shown, as
   the plan, as executed, or both. Nothing of it is there where nothing is configured, and no score depends on it. */
import { announce, h, plural, setText } from "../dom.js";
import { execute, getBackends, getExecution, stopExecution } from "./api.js";

const MODES = [["plan", "Plan"], ["executed", "Executed"], ["beside", "Side by side"]];
const EVERY = 700, PATIENCE = 5000; // ms between two looks at what is under way, and after one that failed
const NARROW = matchMedia("(max-width: 900px)"); // no room for two documents

export class Executing {
  /** `hooks`: changed() when there is something else to show, link(mode) when another way to show it was chosen. */
  constructor(hooks) {
    Object.assign(this, { hooks, configured: false, plan: null, view: null, chosen: "plan", turn: 0 });
    this.modes = h("div", { class: "seg", role: "group", "aria-label": "Show the document" },
      MODES.map(([mode, label]) => h("button", { type: "button", "data-mode": mode, onclick: () => this.choose(mode) }, label)));
    this.says = h("span", { class: "sm sub grow", role: "status" });
    this.run = h("button", { type: "button", class: "btn", "data-act": "execute", onclick: () => this.start() });
    this.halt = h("button", { type: "button", class: "btn", "data-act": "stop", hidden: true, onclick: () => this.#ask(stopExecution) }, "Stop");
    this.element = h("div", { class: "row executing", hidden: true }, this.modes, this.says, this.run, this.halt);
    NARROW.addEventListener("change", () => this.#draw());
    this.#learn();
  }

  /** Whether the plan on show can be executed here, or has been. */
  get offered() { return this.configured && this.plan?.answer != null && this.plan.calls.length > 0; }
  /** How the document is shown: `plan`, `executed` or `beside`. */
  get mode() { return !this.offered ? "plan" : this.chosen === "beside" && NARROW.matches ? "executed" : this.chosen; }
  get running() { return this.view?.state === "running"; }
  /** Whether calls can be executed now. */
  get ready() { return Boolean(this.view) && !this.running && !this.view.forbidden; }
  /** The calls as they were executed. */
  get results() { return this.view?.calls ?? []; }
  /** A call as it was executed; undefined as long as that is not known. */
  of(call) { return this.view?.calls[call - 1]; }

  /** Show a plan as the link says. */
  show(plan, mode) {
    const other = plan.answer !== this.plan?.answer || this.plan === null;
    this.chosen = MODES.some(([name]) => name === mode) ? mode : "plan";
    this.plan = plan;
    if (other) { this.rest(); this.view = null; }
    this.#draw();
    if (this.offered && (!this.view || this.running)) this.#look();
  }

  /** What is on its way is not waited for any more. */
  rest() {
    this.turn += 1;
    clearTimeout(this.timer);
  }

  choose(mode) {
    if (!this.offered) return;
    this.chosen = mode;
    this.hooks.link(mode === "plan" ? null : mode);
    this.#draw();
    announce(`Shown: ${MODES.find(([name]) => name === this.mode)[1].toLowerCase()}`);
  }

  /** The next way to show the document. */
  turnOver() {
    const modes = MODES.map(([mode]) => mode).filter((mode) => mode !== "beside" || !NARROW.matches);
    this.choose(modes[(modes.indexOf(this.mode) + 1) % modes.length]);
  }

  /** Execute what has no picture yet, or these calls; once all have one, all of them again. */
  start(calls = null) {
    if (!this.ready) return;
    if (this.chosen === "plan") this.choose("executed");
    this.#ask((answer) => execute(answer, { calls, again: calls === null && this.#left === 0 }));
  }

  get #left() { return this.results.filter(({ state }) => state === "open" || state === "failed").length; }

  async #learn() {
    try {
      const { backends } = await getBackends();
      this.configured = backends.some(({ backend }) => backend);
    } catch { setTimeout(() => this.#learn(), PATIENCE); return; } // nothing is said of it: most studios execute nothing
    if (this.plan) this.show(this.plan, this.chosen);
  }

  #look() { return this.#ask(getExecution); }

  /* Ask the server something of the plan on show, which tells what came of its calls so far. */
  async #ask(question) {
    const mine = ++this.turn;
    clearTimeout(this.timer);
    try {
      const view = await question(this.plan.answer);
      if (mine !== this.turn) return;
      const ended = this.running && view.state === "idle";
      this.view = view;
      if (this.running) this.timer = setTimeout(() => this.#look(), EVERY);
      this.#draw();
      if (ended) announce(this.says.textContent);
    } catch (error) {
      if (mine !== this.turn) return;
      if (this.running || error.retry) this.timer = setTimeout(() => this.#look(), PATIENCE);
      this.#draw(error.message);
    }
  }

  #draw(trouble = "") {
    this.element.hidden = !this.offered;
    if (this.offered) {
      const { view, running, run, halt } = this, held = [run, halt].includes(document.activeElement), left = this.#left;
      for (const button of this.modes.children) {
        button.setAttribute("aria-pressed", String(button.dataset.mode === this.mode));
        button.hidden = button.dataset.mode === "beside" && NARROW.matches;
      }
      setText(this.says, trouble || (view ? this.#words() : ""));
      this.says.classList.toggle("wrong", Boolean(trouble));
      const open = view?.calls.some(({ state }) => state !== "off");
      run.hidden = running || !open || Boolean(view.forbidden);
      halt.hidden = !running;
      setText(run, left ? `Execute ${plural(left, "call")}` : "Execute again");
      if (held) (running ? halt : run).focus({ preventScroll: true });
    }
    this.hooks.changed();
  }

  #words() {
    const { view } = this, all = view.calls.length, count = (wanted) => view.calls.filter(({ state }) => state === wanted).length;
    const [done, failed, off] = ["done", "failed", "off"].map(count), none = done + failed === 0;
    if (this.running) return `Executing, ${view.done} of ${view.total}`;
    if (none && view.forbidden) return view.forbidden;
    const first = none ? off < all && `${plural(all - off, "call")} not executed yet` : `${done} of ${plural(all, "call")} brought a picture`;
    return [first, failed && `${failed} failed`, off && `${off} without a backend`].filter(Boolean).join(", ");
  }
}
