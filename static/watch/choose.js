/* The question which other painting of a task to set beside one: its newest, best first on demand, or any by its link. */
import { dialog, f3, h, icon, setText } from "../dom.js";
import { playerTag } from "../players.js";
import { canvasUrl, getSession, listSessions } from "../session/api.js";

const MOST = 60;

/* The id in a link to a painting, or the text itself. */
const idIn = (text) => { try { return new URL(text).searchParams.get("session") ?? text; } catch { return text; } };

export class Choose {
  /** `chosen(id)` gets the session. */
  constructor(chosen) {
    Object.assign(this, { chosen, turn: 0 });
    this.title = h("h2", { id: "es-choose-title" }, "Compare with");
    this.list = h("div", { class: "gallery" });
    this.note = h("div", {});
    this.link = h("input", { class: "field grow", "aria-label": "Link or id of a painting", placeholder: "Paste a link", autocomplete: "off", spellcheck: "false" });
    this.error = h("p", { class: "refusal", role: "alert", hidden: true });
    this.box = dialog({ class: "es drawer choose", "aria-labelledby": "es-choose-title" },
      h("header", {}, h("div", { class: "row between" }, this.title, h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => this.box.close() }, icon("x"))),
        h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); this.#byLink(); } }, this.link, h("button", { type: "submit", class: "btn" }, "Open")), this.error),
      h("div", { class: "shelves" }, this.note, this.list));
  }

  /** Ask for a painting of `task` that is none of `ids`; `parents` are what those go on from, and come first. */
  async open(task, ids, parents = []) {
    Object.assign(this, { task, ids });
    const mine = ++this.turn;
    this.error.hidden = true;
    this.link.value = "";
    this.list.replaceChildren();
    this.note.replaceChildren(h("p", { class: "sm mut" }, "Looking for other paintings of this task …"));
    this.box.showModal();
    try {
      const found = (await listSessions({ task: task.id, limit: MOST })).filter(({ session_id: id, seq }) => seq > 0 && !ids.includes(id));
      if (mine !== this.turn) return;
      const first = (summary) => parents.includes(summary.session_id);
      found.sort((a, b) => first(b) - first(a) || b.score - a.score);
      this.note.replaceChildren(...(found.length ? [] : [h("div", { class: "hole" }, icon("eye"), h("b", {}, "No other painting of this task yet"), h("p", { class: "sm" }, "Paint it, let a painter paint it, or take over from a step: the copy can be compared at once."))]));
      this.list.replaceChildren(...found.map((summary) => this.#tile(summary, first(summary))));
      this.list.querySelector("button")?.focus();
    } catch (error) {
      if (mine === this.turn) this.note.replaceChildren(h("p", { class: "refusal" }, error.message));
    }
  }

  #tile({ session_id: id, player, score, step, status, parent: origin, imported, created_at: at }, parent) {
    return h("button", { type: "button", class: "tile", "data-choose": id, onclick: () => this.#take(id) },
      h("img", { src: canvasUrl(id), alt: "", loading: "lazy", decoding: "async" }), h("span", { class: "row between" }, playerTag(player), h("b", {}, f3(score))), h("span", { class: "xs mut" }, [`${step} steps`, status === "open" && "open", parent && "its parent", origin && `from step ${origin.step}`, imported && "imported", new Date(at).toLocaleDateString()].filter(Boolean).join(", ")));
  }

  #take(id) {
    this.box.close();
    this.chosen(id);
  }

  async #byLink() {
    const id = idIn(this.link.value.trim()), { ids, task } = this;
    const refuse = (text) => { this.error.hidden = false; setText(this.error, text); };
    if (!id) return;
    if (ids.includes(id)) { refuse("This painting is shown already; give another one."); return; }
    try {
      const view = await getSession(id);
      if (view.task.id !== task.id) refuse(`That is a painting of “${view.task.title}”; only paintings of one task can be compared.`);
      else this.#take(id);
    } catch (error) { refuse(error.status === 404 ? "There is no painting of that link here; check it." : error.message); }
  }
}
