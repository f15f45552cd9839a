/* What settles a disagreement between people: a ruling is chosen, reasoned and then given. No key pressed in here touches one's own vote. */
import { announce, cap, h, icon, setText } from "../dom.js";
import { VERDICTS, said } from "./words.js";

const RULINGS = VERDICTS.filter(([verdict]) => verdict !== "cannot_assess");
const OF_VOTES = new Set(["1", "2", "3", "x"]); // keys that would change one's own vote or what stands beside it
const FIRST = "Choose met or not met first";

export class Settle {
  /** `settle(verdict, note)` gives a ruling (null takes one's own back), `further()` goes to the next disagreement, `turned()` is told when the form opens or closes. */
  constructor({ settle, further, turned }) {
    Object.assign(this, { settle, entry: null, chosen: null });
    this.words = h("span", { class: "who-says" });
    this.reason = h("p", { class: "sub words" });
    this.back = h("button", { type: "button", class: "btn small", onclick: () => settle(null, "") }, "Take it back");
    this.further = h("button", { type: "button", class: "btn small primary", onclick: further }, "Next disagreement");
    this.ruling = h("div", { class: "ruling", hidden: true }, h("div", { class: "row" }, icon("check"), this.words), this.reason, h("div", { class: "row" }, this.further, this.back));
    this.choices = h("div", { class: "seg rule", role: "group", tabindex: -1, "aria-label": "Ruling: M met, N not met" }, RULINGS.map(([verdict, label, key]) => h("button", {
      type: "button", "data-ruling": verdict, "aria-keyshortcuts": key.toUpperCase(), onclick: () => this.choose(verdict),
    }, label, cap(key.toUpperCase()))));
    this.note = h("textarea", { class: "field", rows: 2, maxlength: 4000, placeholder: "Why? It stands beside the ruling.", "aria-label": "Reason of the ruling" });
    this.go = h("button", { type: "button", class: "btn primary", onclick: () => this.#give() });
    this.title = h("b", { class: "grow" });
    this.does = h("span", { class: "sub" }, "Settle it");
    this.form = h("details", { class: "settle", ontoggle: turned, onkeydown: (event) => this.#key(event) },
      h("summary", { class: "row" }, icon("people"), this.title, this.does, icon("down")),
      h("div", { tabindex: -1 }, h("p", { class: "xs mut" }, "A ruling settles it for the consensus. All votes stay as they are."), this.choices, this.note, this.go));
    this.element = h("div", { class: "saids" }, this.ruling, this.form);
  }

  /** Whether a ruling is being chosen. */
  get open() { return this.form.open && !this.form.hidden; }

  /** Show for an entry whether people disagree, and the ruling there is, to `me`. */
  show({ entry, revealed: { adjudication: ruling } }, me, disagreed) {
    if (entry !== this.entry) {
      [this.note.value, this.form.open] = ["", false];
      this.choose(null);
    }
    this.entry = entry;
    this.ruling.hidden = !ruling;
    if (ruling) {
      const own = ruling.reviewer === me;
      this.words.replaceChildren(h("b", {}, `Settled as ${said(ruling.verdict)}`), own ? " by you" : ` by ${ruling.reviewer}`);
      setText(this.reason, ruling.note);
      this.reason.hidden = !ruling.note;
      this.back.hidden = !own;
    }
    setText(this.title, ruling ? "Change the ruling" : "People disagree on this");
    this.does.hidden = Boolean(ruling);
    this.form.hidden = !disagreed;
  }

  /** Nothing of another criterion stays in the page. */
  clear() {
    this.ruling.hidden = this.form.hidden = true;
    this.words.replaceChildren();
    setText(this.reason, "");
  }

  /** Choose a ruling, which is not given yet; null chooses none. Another verdict than met and not met is none. */
  choose(verdict) {
    if (verdict === "cannot_assess") { announce("A ruling is met or not met"); return; }
    this.chosen = verdict;
    for (const button of this.choices.children) button.setAttribute("aria-pressed", String(button.dataset.ruling === verdict));
    setText(this.go, verdict ? `Settle as ${said(verdict)}` : FIRST);
    this.go.setAttribute("aria-disabled", String(!verdict)); // it keeps its place among the tabs
  }

  #give() {
    if (this.chosen) this.settle(this.chosen, this.note.value.trim());
    else { announce(FIRST); this.choices.focus(); }
  }

  #key(event) {
    const { target, key } = event, held = event.ctrlKey || event.metaKey, writing = target === this.note;
    if (key === "Escape" && writing) this.choices.focus();
    else if (key === "Enter" && (writing ? held : target === this.choices || target.getAttribute("aria-pressed") === "true" || target === this.form.lastChild)) this.#give();
    else if (writing || held || !OF_VOTES.has(key.toLowerCase())) return;
    event.preventDefault();
  }

  /** Open the form, if people disagree. */
  rule() {
    if (this.form.hidden) return;
    this.form.open = true;
    this.choices.focus();
  }

  /** The ruling was taken: what comes next has the focus, unless somebody is elsewhere by now. */
  ruled() {
    const held = [null, document.body].includes(document.activeElement) || this.element.contains(document.activeElement);
    this.form.open = false;
    this.choose(null);
    if (held) (this.ruling.hidden ? this.form.firstChild : this.further).focus();
  }
}
