/* Taking in logs that were made elsewhere: chosen or dropped, each is played again by the server, whole or not at all. */
import { dialog, f3, h, icon, plural } from "../dom.js";
import { importLog } from "../session/api.js";

/* What a log claimed and what came of it, in words. */
function verdict({ claims: { differing_scores: scores, differing_digests: digests, differing_outcomes: outcomes, differing_steps: steps, worst } }) {
  const wrong = [scores && `${plural(scores, "score")} (by up to ${f3(worst)})`, digests && plural(digests, "picture"), outcomes && plural(outcomes, "outcome"), steps && `${plural(steps, "count")} of steps`].filter(Boolean);
  return wrong.length ? `Its claims do not hold: ${wrong.join(", ")} differ from what came of it here. Ours are stored.` : "All that it claims holds.";
}

export class Importer {
  /** `open(id)` shows a session, `done()` is told when there are new ones. */
  constructor(open, done) {
    Object.assign(this, { open, done });
    this.file = h("input", { type: "file", multiple: true, accept: ".jsonl,.ndjson,.gz,application/x-ndjson,application/gzip", hidden: true, onchange: () => this.#take([...this.file.files]) });
    this.button = h("button", { type: "button", class: "btn", title: "Sessions that were played elsewhere, from their logs", "data-act": "import", "aria-label": "Import", onclick: () => this.file.click() }, icon("plus"), h("span", { class: "hide-s" }, "Import"));
    this.list = h("ul", { class: "imports" });
    this.box = dialog({ class: "es sheet-dialog", "aria-labelledby": "es-import-title" },
      h("div", { class: "row between" }, h("h2", { id: "es-import-title" }, "Import"), h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => this.box.close() }, icon("x"))),
      h("p", { class: "sm sub" }, "Each log is played again here and scored anew. Imported sessions are marked, and in Results only where you ask for them."), this.list, this.file);
  }

  async #take(files) {
    this.file.value = "";
    if (!files.length) return;
    this.list.replaceChildren();
    if (!this.box.open) this.box.showModal();
    for (const file of files) {
      const line = h("li", { class: "sm" }, h("b", {}, file.name), h("p", { class: "sub" }, "Playing it again …"));
      this.list.append(line);
      try {
        const found = await importLog(file);
        line.lastChild.replaceWith(h("p", { class: "sub" }, `${plural(found.actions, "action")}, score ${f3(found.score)}. ${verdict(found)} `,
          h("button", { type: "button", class: "link", onclick: () => { this.box.close(); this.open(found.session_id); } }, "Show it")));
        this.done();
      } catch (error) { line.lastChild.replaceWith(h("p", { class: "bad", role: "alert" }, error.message)); }
    }
  }
}
