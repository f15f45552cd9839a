/* Which plans of a set are listed and stepped through: fields for it, and the same in words. */
import { h, icon, setText } from "../dom.js";
import { GAPS, SEVERITIES, STATUSES, TOOLS, VERDICTS, gapName, statusName, toolLabel, verdictName } from "./words.js";

const PAUSE = 250; // ms without a key before words are searched for
const WITH = { error: "with errors", warning: "with warnings", hint: "with hints" };
const SAYS = { // filters in words, by their name
  planner: (name) => name, category: (name) => name, tool: (tool) => (tool === "unknown" ? "tool: none that is known" : `tool: ${toolLabel(tool).toLowerCase()}`),
  status: (status) => `a call: ${statusName(status).toLowerCase()}`, problem: (code) => code, severity: (severity) => WITH[severity] ?? severity,
  gap: (kind) => (kind === "any" ? "with missing visuals" : `missing: ${gapName(kind).toLowerCase()}`), open: () => "only open",
  verdict: (verdict) => (verdict === "none" ? "no verdict of mine" : `my verdict: ${verdictName(verdict).toLowerCase()}`), q: (words) => `“${words}”`,
};

/** Filters in words: [[name, words]]. */
export const filterWords = (filters) => Object.entries(filters).filter(([name]) => name in SAYS).map(([name, value]) => [name, SAYS[name](value)]);

export class Filters {
  /** `ask(changes)` is told of filters that change, by REST's names; null takes one away. It may be awaited. */
  constructor(ask) {
    this.ask = ask;
    const choose = ({ target: { dataset, value } }) => ask({ [dataset.filter]: value || null });
    const select = (name, label, options) => h("select", { class: "field", "data-filter": name, "aria-label": label, onchange: choose },
      options.map(([value, text]) => h("option", { value }, text)));
    const of = (name, label, none, options) => select(name, label, [["", none], ...options]);
    this.selects = {
      planner: of("planner", "Planner", "All planners", []), category: of("category", "Category", "All categories", []),
      tool: of("tool", "Tool", "Any tool", [...TOOLS, ["unknown", "No known tool"]]), status: of("status", "How a call was read", "Any reading", STATUSES),
      severity: of("severity", "Severity of problems", "Any severity", SEVERITIES.map(([value, label]) => [value, `${label}s`])),
      gap: of("gap", "Missing visuals", "Any gaps", [["any", "With missing visuals"], ...GAPS]),
      verdict: of("verdict", "My verdict", "Any verdict", [...VERDICTS, ["none", "None of mine"]]),
    };
    this.codes = h("datalist", { id: "es-plan-codes" });
    this.problem = h("input", { class: "field", list: this.codes.id, maxlength: 40, "data-filter": "problem", "aria-label": "Problem code",
      placeholder: "Any problem code", autocomplete: "off", spellcheck: "false", onchange: ({ target }) => ask({ problem: target.value.trim() || null }) });
    this.open = h("input", { type: "checkbox", role: "switch", "data-filter": "open", onchange: () => ask({ open: this.open.checked ? "true" : null }) });
    this.words = h("input", { type: "search", maxlength: 200, "data-filter": "q", "aria-label": "Search all that is shown of plans",
      placeholder: "Search queries, plans, calls, problems", autocomplete: "off", spellcheck: "false", oninput: () => this.#search() });
    this.search = h("label", { class: "search" }, icon("search"), this.words, h("span", { class: "kbd", "aria-hidden": "true" }, "/"));
    this.clear = h("button", { type: "button", class: "btn ghost small",
      onclick: () => { ask(Object.fromEntries(Object.keys(SAYS).map((name) => [name, null]))); this.words.focus(); } }, icon("x"), "Clear");
    this.fields = h("div", { class: "list-fields" }, Object.values(this.selects), this.problem, this.codes,
      h("label", { class: "switch", title: "Plans with a part on which you have not voted" }, this.open, "Only open"), this.clear);
    this.element = h("div", { class: "list-filters" }, this.search, this.fields);
  }

  /** Show what is chosen of a set; `codes` are problem codes that it is known to have. */
  show(filters, { set, me, sees }, codes) {
    const { planner, category, gap, verdict } = this.selects, given = JSON.stringify([set.planners, set.categories]);
    if (given !== this.given) {
      this.given = given;
      const fill = (field, names) => field.replaceChildren(field.options[0], ...names.map((value) => h("option", { value }, value)));
      fill(planner, set.planners);
      fill(category, set.categories);
    }
    verdict.hidden = this.open.parentElement.hidden = !me;
    gap.hidden = !sees;
    for (const [name, field] of Object.entries(this.selects)) {
      const value = filters[name] ?? "";
      // a link may ask for what the set does not have
      if (value && ![...field.options].some((option) => option.value === value)) field.append(h("option", { value }, value));
      field.value = value;
      field.classList.toggle("chosen", value !== "");
      if (value) field.hidden = false;
    }
    this.open.checked = Boolean(filters.open);
    if (this.open.checked) this.open.parentElement.hidden = false;
    if (document.activeElement !== this.problem) this.problem.value = filters.problem ?? "";
    this.problem.classList.toggle("chosen", Boolean(filters.problem));
    if (document.activeElement !== this.words) this.words.value = filters.q ?? "";
    this.clear.hidden = !Object.keys(filters).length;
    this.know(codes);
  }

  /** Problem codes to choose from. */
  know(codes) {
    const text = codes.join();
    if (text === this.known) return;
    this.known = text;
    this.codes.replaceChildren(...codes.map((value) => h("option", { value })));
  }

  /* Search for what stands in the field, once nothing more is typed. */
  #search() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.now(), PAUSE);
  }

  /** Search for it now, unless that was asked already; resolves when it is answered. */
  async now() {
    clearTimeout(this.later);
    const q = this.words.value.trim();
    if (q === (this.asked ?? "")) return;
    this.asked = q;
    await this.ask({ q: q || null });
  }

  /** What the words in the link are, so that the same are not asked for again. */
  settle(q) { if (document.activeElement !== this.words || q === this.words.value.trim()) this.asked = q ?? ""; }
}
