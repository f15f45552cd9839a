/* The list of criteria on which people disagree, to settle them one by one. */
import { dialog, h, icon, plural, setText } from "../dom.js";
import { getDisagreements } from "./api.js";
import { sampleTag } from "./words.js";

const MOST = 500; // that are listed

export class Rulings {
  /** `chosen({entry, place})` gets the one to look at. */
  constructor(chosen) {
    Object.assign(this, { chosen, turn: 0 });
    this.head = h("div", { class: "row" });
    this.says = h("p", { class: "sm mut", role: "status" });
    this.list = h("ul", { class: "rulings" });
    this.open_ = h("input", { type: "checkbox", role: "switch", checked: true, onchange: () => this.#draw() });
    this.box = dialog({
      class: "es drawer rubric-dialog", "aria-labelledby": "es-rulings-title",
      onkeydown: (event) => { if (event.key.toLowerCase() === "a" && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); this.box.close(); } },
    },
    h("header", {}, h("div", { class: "row between" }, this.head, h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => this.box.close() }, icon("x"))),
      h("div", { class: "row between" }, this.says, h("label", { class: "switch" }, this.open_, "Unsettled only"))), h("div", { class: "shelves" }, this.list));
  }

  /** Look them up in a queue. */
  async open(set, queue) {
    const mine = ++this.turn;
    this.found = null;
    this.head.replaceChildren(h("h2", { id: "es-rulings-title" }, "Disagreements"), ...(set.sample ? [sampleTag()] : []));
    this.#draw();
    if (!this.box.open) this.box.showModal();
    try {
      const found = await getDisagreements(queue.queue_id);
      if (mine === this.turn) this.found = found;
    } catch (error) { if (mine === this.turn) this.error = error; }
    if (mine !== this.turn) return;
    this.#draw();
    this.list.querySelector("button")?.focus();
  }

  /** The next one in a queue after an entry, from the first one on when there is none up to the end, that is not settled; or undefined. Throws ApiError. */
  async following(queue, entry) {
    const found = await getDisagreements(queue.queue_id), at = found.findIndex((one) => one.entry === entry);
    return [...found.slice(at + 1), ...found.slice(0, at + 1)].find(({ settled }) => !settled);
  }

  #draw() {
    const { found, error } = this;
    this.error = null;
    if (!found) {
      setText(this.says, error ? error.message : "Looking for them …");
      this.list.replaceChildren();
      return;
    }
    const left = found.filter(({ settled }) => !settled), listed = this.open_.checked ? left : found;
    setText(this.says, found.length ? `${plural(left.length, "disagreement")} to settle, ${found.length - left.length} settled` : "");
    const [title, text] = found.length ? ["All of them are settled", "Switch “Unsettled only” off to look at them again."]
      : ["Nothing for you to settle yet", "A criterion on which people disagree appears here when all its reviewers have voted, or once you have voted on it yourself."];
    const empty = () => h("li", {}, h("div", { class: "hole" }, icon("check"), h("b", {}, title), h("p", { class: "sm" }, text)));
    this.list.replaceChildren(...(listed.length ? listed.slice(0, MOST).map((one) => this.#line(one)) : [empty()]));
  }

  #line(one) {
    return h("li", {}, h("button", { type: "button", class: "ruling-line", "data-entry": one.entry, onclick: () => { this.box.close(); this.chosen(one); } },
      h("span", { class: "grow words" }, one.description.slice(0, 400)), h("span", { class: `tag ${one.settled ? "acc" : "warn"}` }, one.settled ? "Settled" : "Open"),
      h("span", { class: "xs mut" }, `Answer ${one.place}, ${one.task_id}`)));
  }
}
