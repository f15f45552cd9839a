/* Where one is: which criterion of the answer, how its others stand, and the way to the next and the one before. */
import { h, icon, setText } from "../dom.js";

const MOST_BARS = 40; // more criteria than these share one bar
const WORDS = { open: "open", mine: "voted", full: "has enough reviewers" };

export class Progress {
  /** `step(by)` goes on or back by a criterion, `jump(k)` to one of the answer. */
  constructor({ step, jump }) {
    this.jump = jump;
    this.words = h("span", { class: "sm sub nowrap" });
    this.bars = h("div", { class: "queue", role: "group", "aria-label": "Criteria of this answer" });
    const button = (label, glyph, by) => h("button", { type: "button", class: "btn icon", "aria-label": label, title: label, onclick: () => step(by) }, icon(glyph));
    this.before = button("Previous criterion", "back", -1);
    this.after = button("Next criterion", "next", 1);
    this.element = h("div", { class: "row wide progress" }, this.words, this.bars, h("div", { class: "row" }, this.before, this.after));
  }

  /** Show criterion `at` of those that stand as `states` (`open`, `mine`, `full`); `first` and `last` of the whole way. */
  show(states, at, { first, last }) {
    setText(this.words, `Criterion ${at + 1} of ${states.length}`);
    if (this.bars.childElementCount !== (states.length > MOST_BARS ? 0 : states.length)) {
      this.bars.replaceChildren(...(states.length > MOST_BARS ? [] : states.map((_, k) => h("button", { type: "button", onclick: () => this.jump(k) }, h("i", {})))));
    }
    for (const [k, bar] of [...this.bars.children].entries()) {
      bar.className = states[k] === "mine" ? "mine" : states[k];
      bar.setAttribute("aria-label", `Criterion ${k + 1}, ${WORDS[states[k]]}`);
      bar.title = bar.getAttribute("aria-label");
      if (k === at) bar.setAttribute("aria-current", "step"); else bar.removeAttribute("aria-current");
    }
    const share = states.filter((state) => state === "mine").length / states.length;
    this.bars.classList.toggle("whole", states.length > MOST_BARS);
    this.bars.style.setProperty("--share", `${100 * share}%`);
    this.before.disabled = first;
    this.after.disabled = last;
  }
}
