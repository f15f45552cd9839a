/* Searching a plan: in all that is shown of it, wherever it is folded, and whether or not it has been drawn yet. */
import { h, icon, setText } from "../dom.js";
import { gapName, statusName, toolName } from "./words.js";

const MOST_MARKED = 200; // ranges that are highlighted at once
const plain = (nodes) => nodes.map((node) => (typeof node === "string" ? node : Array.isArray(node) ? plain(node.slice(1)) : "")).join(" ");

/** Everything that can be found: [{where, text}] in the order of the page. */
export function textsOf(plan, stops, judge, executed = []) {
  const byCall = new Map();
  for (const problem of plan.problems) byCall.set(problem.call, `${byCall.get(problem.call) ?? ""} ${problem.code} ${problem.explanation}`);
  const calls = new Map(plan.calls.map((call) => [call.id, call]));
  const ofStop = ({ kind, piece, call, gap }) => {
    if (kind === "gap") return `missing visual ${gap.whose} ${gap.gap.type ? gapName(gap.gap.type) : ""} ${gap.gap.reason ?? gap.gap.note ?? ""}`;
    if (kind !== "call") return plain(piece.nodes);
    const one = calls.get(call);
    return [`call ${call}`, toolName(one), statusName(one.status), one.description, ...one.params.map(({ name, value }) => `${name}: ${value}`), one.no_chart,
      one.raw, byCall.get(call) ?? "", executed[call - 1]?.reason ?? ""].join(" ");
  };
  const reports = [
    ...(judge?.precision?.calls ?? []).map((one) => ({ where: { report: "precision", call: one.call_id }, text: one.reason })),
    judge?.precision?.summary && { where: { report: "precision" }, text: judge.precision.summary },
    ...(judge?.recall?.gaps ?? []).map((one) => ({ where: { report: "recall", gap: `g${one.gap_id}` }, text: `${one.anchor_quote} ${one.reason}` })),
    judge?.recall && { where: { report: "recall" }, text: judge.recall.summary },
    judge?.chief && { where: { report: "chief" }, text: judge.chief.reason },
  ].filter(Boolean);
  return [
    { where: { query: "text" }, text: plain(plan.query) },
    { where: { query: "sources" }, text: [...plan.pool.map(({ name }) => name), ...plan.documents.map(({ text }) => plain(text))].join(" ") },
    ...stops.map((stop) => ({ where: { key: stop.key }, text: ofStop(stop) })), ...reports,
  ];
}

export class Find {
  /** `go(where)` leads to a place, `texts()` gives all texts, `elementOf(where)` what is drawn there, `left()` is told when it ends. */
  constructor({ go, texts, elementOf, left }) {
    Object.assign(this, { go, texts, elementOf, left, hits: [], at: -1 });
    this.input = h("input", { type: "search", "aria-label": "Find in this plan", placeholder: "Find in plan", maxlength: 200, oninput: () => this.#look(),
      onkeydown: (event) => this.#key(event) });
    this.count = h("span", { class: "xs mut", "aria-live": "polite" });
    this.element = h("div", { class: "search find" }, icon("search"), this.input, this.count, h("span", { class: "kbd", "aria-hidden": "true" }, "/"));
  }

  focus() { this.input.focus(); this.input.select(); }

  /** Another plan is shown: look for the same in it. */
  again() { this.all = null; if (this.input.value.trim()) this.#look({ go: false }); else this.#mark(""); }

  /** More is shown than before. */
  changed() { this.all = null; }

  #look({ go = true } = {}) {
    const wanted = this.input.value.trim().toLowerCase();
    this.all ??= this.texts().map(({ where, text }) => ({ where, text: text.toLowerCase() }));
    this.hits = wanted ? this.all.filter(({ text }) => text.includes(wanted)).map(({ where }) => where) : [];
    this.at = -1;
    if (go && this.hits.length) this.#step(1); else this.#tell();
    this.#mark(wanted);
  }

  #tell() { setText(this.count, !this.input.value.trim() ? "" : this.hits.length ? `${this.at + 1} of ${this.hits.length}` : "none"); }

  #step(by) {
    if (!this.hits.length) return;
    this.at = (this.at + by + this.hits.length) % this.hits.length;
    this.go(this.hits[this.at]);
    this.#tell();
    this.#mark(this.input.value.trim().toLowerCase());
  }

  #key(event) {
    if (event.key === "Enter") { event.preventDefault(); this.#step(event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); this.input.value = ""; this.#look({ go: false }); this.left(); this.input.blur(); }
  }

  /* The words where they are drawn; the text itself is not touched. */
  #mark(wanted) {
    if (!CSS.highlights) return;
    CSS.highlights.delete("es-plan-find");
    if (!wanted) return;
    const ranges = [];
    for (const where of [...this.hits.slice(Math.max(0, this.at)), ...this.hits.slice(0, Math.max(0, this.at))].slice(0, 60)) {
      const root = this.elementOf(where);
      if (!root) continue;
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && ranges.length < MOST_MARKED) {
        const text = walker.currentNode.data.toLowerCase();
        for (let from = text.indexOf(wanted); from >= 0 && ranges.length < MOST_MARKED; from = text.indexOf(wanted, from + wanted.length)) {
          if (from + wanted.length > walker.currentNode.data.length) break;
          const range = new Range();
          range.setStart(walker.currentNode, from);
          range.setEnd(walker.currentNode, from + wanted.length);
          ranges.push(range);
        }
      }
    }
    if (ranges.length) CSS.highlights.set("es-plan-find", new Highlight(...ranges));
  }
}
