/* The question before a new session for an agent: which task, which rules, under which name. */
import { dialog, h, icon, storage } from "../dom.js";
import { createSession } from "../session/api.js";
import { CATEGORIES, RULES, isSemantic } from "../tasks.js";

const NAME = "My agent", KEY = "es-agent-name";

export class Begin {
  /** `tasks()` are all tasks; `begun(answer)` gets what the server says of a new session. */
  constructor(tasks, begun) {
    Object.assign(this, { tasks, begun, protocol: "studio" });
    this.task = h("select", { class: "field", id: "es-begin-task", onchange: () => this.#rules() });
    this.name = h("input", { class: "field", id: "es-begin-name", maxlength: 60, placeholder: NAME, autocomplete: "off" });
    this.rules = h("div", { class: "seg", role: "group", "aria-label": "Rules of the session" }, Object.entries(RULES).map(([key, { label }]) => h("button", {
      type: "button", "data-rules": key, onclick: () => { this.protocol = key; this.#rules(); },
    }, label)));
    this.says = h("p", { class: "xs mut" });
    this.shared = h("input", { type: "checkbox", role: "switch" });
    this.error = h("p", { class: "refusal", role: "alert", hidden: true });
    this.go = h("button", { type: "submit", class: "btn lg primary" }, "Begin");
    this.box = dialog({ class: "es sheet-dialog begin", "aria-labelledby": "es-begin-title" },
      h("div", { class: "row between" }, h("h2", { id: "es-begin-title" }, "New session for an agent"),
        h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => this.box.close() }, icon("x"))),
      this.error,
      h("form", { class: "form", onsubmit: (event) => { event.preventDefault(); this.#send(); } },
        h("label", { for: "es-begin-task" }, "Task"), this.task, h("label", { for: "es-begin-name" }, "Agent’s name"), this.name,
        h("span", {}, "Rules"), h("div", {}, this.rules, this.says), h("span", {}, "Turns"),
        h("label", { class: "switch" }, this.shared, "People who watch may take turns"),
        h("div", { class: "row foot" }, h("button", { type: "button", class: "btn lg", onclick: () => this.box.close() }, "Cancel"), this.go)));
  }

  open() {
    if (!this.task.options.length) {
      for (const [key, label] of Object.entries(CATEGORIES)) {
        const tasks = this.tasks().filter(({ category }) => category === key);
        if (tasks.length) this.task.append(h("optgroup", { label }, tasks.map(({ id, title }) => h("option", { value: id }, title))));
      }
      this.task.value = "natural-01";
    }
    this.name.value = storage.get(KEY, "");
    this.error.hidden = true;
    this.#rules();
    this.box.showModal();
    this.task.focus();
  }

  #rules() {
    const task = this.tasks().find(({ id }) => id === this.task.value);
    for (const button of this.rules.children) button.setAttribute("aria-pressed", String(button.dataset.rules === this.protocol));
    this.says.textContent = RULES[this.protocol].says(task?.budget ?? "its budget of", task && isSemantic(task));
  }

  async #send() {
    this.go.disabled = true;
    const name = this.name.value.trim();
    storage.set(KEY, name);
    try {
      const answer = await createSession({ task_id: this.task.value, protocol: this.protocol, player: { kind: "agent", name: name || NAME }, shared: this.shared.checked });
      this.box.close();
      this.begun(answer);
    } catch (error) {
      this.error.hidden = false;
      this.error.textContent = error.message;
    }
    this.go.disabled = false;
  }
}
