/* The end: the score, and the evidence that it rests on, drawn over the canvas and told beside it. */
import { f3, h } from "../dom.js";
import { Evidence, factsOf, legendOf } from "../evidence.js";
import { getOverlay } from "../session/api.js";
import { scoreWord } from "../tasks.js";

export class Result {
  /** In `box`, whose place is kept before the end; the evidence lies in `stage`. */
  constructor(box, stage) {
    Object.assign(this, { box, id: null });
    this.evidence = new Evidence(stage);
  }

  /** The result of a painting that has ended, or what will stand here. */
  draw(painting) {
    const id = painting.finished ? painting.id : null, key = id ?? painting.watching;
    if (key === this.key) return;
    Object.assign(this, { key, id, switch: null });
    this.evidence.clear();
    if (!id) {
      this.box.replaceChildren(h("h3", {}, "Result"), h("p", { class: "sm mut" }, painting.watching
        ? "The score and its evidence appear here at the end." : "The score appears here, with its evidence on the canvas, when you submit or the budget is spent."));
      return;
    }
    const { view, task } = painting;
    this.told = h("div", { class: "told" });
    this.box.replaceChildren(
      h("div", { class: "row between" }, h("h3", {}, `Final ${scoreWord(task)}`), this.switch = h("label", { class: "switch", hidden: true, title: "What the score rests on, over the canvas (E)" },
        h("input", { type: "checkbox", role: "switch", checked: true, "data-evidence-switch": true, onchange: (event) => this.evidence.toggle(event.target.checked) }), "Evidence")),
      h("div", { class: "big", "data-score": true }, f3(view.curve.at(-1))), this.told);
    this.#load(id);
  }

  /** Show or hide the evidence, if there is some. */
  flip() { if (this.switch && !this.switch.hidden) this.switch.querySelector("input").click(); }

  async #load(id) {
    this.told.replaceChildren(h("p", { class: "sm mut", role: "status" }, "Reading the evidence …"));
    try {
      const overlay = await getOverlay(id);
      if (id !== this.id) return;
      await this.evidence.show(overlay);
      if (id !== this.id) return;
      this.evidence.toggle(true);
      this.switch.hidden = false;
      this.switch.querySelector("input").checked = true;
      this.told.replaceChildren(legendOf(overlay), h("dl", { class: "facts sm" }, factsOf(overlay)));
    } catch (error) {
      if (id !== this.id) return;
      this.told.replaceChildren(h("p", { class: "sm", role: "alert" }, `The evidence could not be loaded: ${error.message} `,
        h("button", { type: "button", class: "btn small", onclick: () => this.#load(id) }, "Try again")));
    }
  }
}
