/* The list of what the rules find wrong, and of what an inspector misses; each leads to its place. */
import { h, plural, setText } from "../dom.js";
import { gapName, placeName, severityIcon } from "./words.js";

export const AREAS = [["format", "Format"], ["schema", "Parameters"], ["plan", "Document"]];
const MOST = 60, ORDER = { error: 0, warning: 1, hint: 2 };

export class Problems {
  /** `go(target)` leads to a call, a block or a gap. */
  constructor(go) {
    Object.assign(this, { go, most: MOST });
    this.count = h("span", { class: "xs mut" });
    this.list = h("ul", { class: "probs" });
    this.more = h("button", { type: "button", class: "btn small", onclick: () => { this.most = Infinity; this.#draw(); } });
    this.element = h("section", { class: "card problems", "aria-labelledby": "es-plan-problems" },
      h("div", { class: "row between" }, h("h3", { id: "es-plan-problems" }, "Problems"), this.count), this.list, this.more);
  }

  /** Show those of a plan, and `gaps`: {key, after, gap}. */
  show(plan, gaps) {
    this.most = MOST;
    Object.assign(this, { plan, gaps });
    const whole = ({ call }) => Number(call != null); // what is wrong with the plan as such comes first
    this.all = [...plan.problems].sort((a, b) => ORDER[a.severity] - ORDER[b.severity] || whole(a) - whole(b));
    this.at = -1;
    this.#draw();
  }

  /** To the next problem, the gravest first. */
  next() {
    if (!this.all.length) return false;
    this.at = (this.at + 1) % this.all.length;
    this.#go(this.all[this.at]);
    return true;
  }

  #go({ call, block }) { this.go(call != null ? { call } : { block: block ?? 1 }); }

  #line(glyph, code, text, where, run) {
    return h("li", {}, glyph, h("div", { class: "what" }, h("code", {}, code), h("span", { class: "xs sub" }, text)),
      where && h("button", { type: "button", class: "link sm", onclick: run }, where));
  }

  #draw() {
    const { plan, all, gaps } = this, shown = all.slice(0, this.most), capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
    setText(this.count, all.length + gaps.length);
    this.list.replaceChildren(
      ...shown.map((problem) => this.#line(severityIcon(problem.severity), problem.code, problem.explanation,
        problem.call != null ? `Call ${problem.call}` : problem.block != null ? capital(placeName(plan, problem.block)) : null, () => this.#go(problem))),
      ...gaps.map(({ key, gap, after, whose }) => this.#line(severityIcon("gap"), "missing_visual",
        `${whose ? `${whose}: ` : ""}${gap.type ? gapName(gap.type) : "no kind yet"}`, capital(placeName(plan, after)), () => this.go({ gap: key }))));
    if (!this.list.firstChild) this.list.append(h("li", { class: "none" }, h("span", { class: "sm sub" }, "The rules find nothing wrong.")));
    this.more.hidden = shown.length >= all.length;
    setText(this.more, `Show all ${plural(all.length, "problem")}`);
  }
}
