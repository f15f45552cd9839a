/* Going on from a step of a session: as a person, by a built-in painter, or by an agent. */
import { copyButton } from "../copy.js";
import { dialog, h, icon, setText } from "../dom.js";
import { fork, startPainter, watchUrl } from "../session/api.js";
import { playerName, remember, setPlayerName } from "../session/library.js";
import { openTab } from "../tabs.js";
import { easelOf } from "../tasks.js";

const PAINTERS = {
  reconstruction: [["greedy", "Greedy painter"], ["greedy-s", "Greedy painter for the score"],
    ["planner", "Planner for the score"], ["random", "Random strokes"]],
  outline: [["tracer", "Tracer"]], handwriting: [["writer", "Writer"]], maze: [["solver", "Solver"]],
};
const PACE = 5; // strokes a second

/** Why nothing can be gone on from this step, in one sentence; empty when it can. */
export function unable({ task, protocol, intact }, step) {
  if (!intact) return "The log no longer gives the recorded canvas";
  if (protocol !== "practice" && step >= task.budget) return `All ${task.budget} steps are used here; go back to an earlier one`;
  return "";
}

export class TakeOver {
  constructor() {
    this.who = "me";
    this.title = h("h2", { id: "es-takeover-title" });
    this.says = h("p", { class: "sm sub" });
    this.name = h("input", { class: "field", id: "es-takeover-name", maxlength: 60, autocomplete: "off" });
    this.painter = h("select", { class: "field", id: "es-takeover-painter" });
    this.choices = h("div", { class: "seg", role: "group", "aria-label": "Who goes on" }, [["me", "I do"], ["painter", "A painter"], ["agent", "An agent"]].map(([key, label]) => h("button", {
      type: "button", "data-who": key, onclick: () => { this.who = key; this.#draw(); },
    }, label)));
    this.rows = { name: [h("label", { for: "es-takeover-name" }, "Name"), this.name], painter: [h("label", { for: "es-takeover-painter" }, "Painter"), this.painter] };
    this.error = h("p", { class: "refusal", role: "alert", hidden: true });
    this.go = h("button", { type: "submit", class: "btn lg primary" }, "Take over");
    this.form = h("form", { class: "form", onsubmit: (event) => { event.preventDefault(); this.#send(); } },
      h("span", {}, "Who goes on"), this.choices, ...this.rows.name, ...this.rows.painter,
      h("div", { class: "row foot" }, h("button", { type: "button", class: "btn lg", onclick: () => this.box.close() }, "Cancel"), this.go));
    this.given = h("div", { hidden: true });
    this.box = dialog({ class: "es sheet-dialog begin takeover", "aria-labelledby": "es-takeover-title" },
      h("div", { class: "row between" }, this.title, h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => this.box.close() }, icon("x"))),
      this.error, this.says, this.form, this.given);
  }

  /** Ask who goes on from a step of the session of `view`. */
  open(view, step) {
    Object.assign(this, { view, step });
    const { task, protocol } = view;
    setText(this.title, `Take over from step ${step}`);
    setText(this.says, [`A copy begins with the first ${step} steps; this painting stays as it is.`, protocol === "benchmark" && task.kind === "reconstruction" ? "It goes on by studio rules, which know undo and submit." : "", "The copy says where it comes from and is not ranked."].filter(Boolean).join(" "));
    this.painter.replaceChildren(...PAINTERS[task.kind].map(([value, label]) => h("option", { value }, label)));
    Object.assign(this.error, { hidden: true });
    this.form.hidden = this.says.hidden = false;
    this.given.hidden = true;
    this.#draw();
    this.box.showModal();
    this.choices.querySelector("[aria-pressed=true]").focus();
  }

  #draw() {
    for (const button of this.choices.children) button.setAttribute("aria-pressed", button.dataset.who === this.who);
    this.name.value = this.who === "agent" ? "My agent" : playerName();
    for (const part of this.rows.name) part.hidden = this.who === "painter";
    for (const part of this.rows.painter) part.hidden = this.who !== "painter";
    setText(this.go, { me: "Paint on", painter: "Let it paint", agent: "Get its token" }[this.who]);
  }

  async #send() {
    const { view, step, who } = this, { task } = view, name = this.name.value.trim();
    this.go.disabled = true;
    this.error.hidden = true;
    try {
      const player = who === "me" ? { kind: "human", name: name || playerName() } : who === "agent" ? { kind: "agent", name: name || "My agent" } : { kind: "painter", name: this.painter.value };
      const { session_id: id, write_token: token } = await fork(view.session_id, { step, player, protocol: view.protocol === "benchmark" && task.kind === "reconstruction" ? "studio" : null });
      if (who === "me" && name) setPlayerName(name);
      if (who === "painter") await startPainter(id, token, { painter: this.painter.value, seed: 0, strokes_per_second: PACE });
      if (who !== "painter") remember(id, { token, task_id: task.id, step, open: true });
      if (who === "agent") this.#give(id, token);
      else {
        this.box.close();
        openTab(who === "me" ? easelOf(task) : "watch", { session: id });
      }
    } catch (error) {
      this.error.hidden = false;
      setText(this.error, error.message);
    }
    this.go.disabled = false;
  }

  /* What an agent needs. */
  #give(id, token) {
    const row = (name, value) => [h("span", {}, name), h("div", { class: "copy" }, h("code", { title: value }, value), copyButton(value, { label: "Copy", said: `${name} copied` }))];
    this.form.hidden = this.says.hidden = true;
    this.given.hidden = false;
    this.given.replaceChildren(h("p", { class: "sm sub" }, "Give these to the agent; by MCP or REST it goes on where the copy stands. The token is shown once."),
      h("div", { class: "form" }, ...row("Session", id), ...row("Write token", token), ...row("Watch it", watchUrl(id)),
        h("div", { class: "row foot" }, h("button", { type: "button", class: "btn lg primary", onclick: () => { this.box.close(); openTab("watch", { session: id }); } }, "Watch the copy"))));
    this.given.querySelector("button").focus();
  }
}
