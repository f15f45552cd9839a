/* Filters within a plan: tools, how calls were read, how grave their problems are, gaps. What does not fit is dimmed, and keys pass it by. */
import { h } from "../dom.js";
import { toolDot } from "./cards.js";
import { SEVERITIES, STATUSES, TOOLS, fails } from "./words.js";

export class Sieve {
  /** `changed(fits)` gets a predicate of stops, or null when all fit. */
  constructor(changed) {
    Object.assign(this, { changed, on: new Set() });
    this.element = h("div", { class: "sieve", role: "group", "aria-label": "Show only" });
  }

  /** Show what a plan has, and how much of each. */
  show(plan, gaps) {
    const severe = (call, severity) => (this.severities.get(call.id) ?? new Set()).has(severity);
    this.severities = new Map();
    for (const { call, severity } of plan.problems) if (call != null) { if (!this.severities.has(call)) this.severities.set(call,
      new Set()); this.severities.get(call).add(severity); }
    this.calls = new Map(plan.calls.map((call) => [call.id, call]));
    const test = (name, label, glyph, fits) => ({ name, label, glyph, fits, count: plan.calls.filter(fits).length });
    this.kinds = [
      ...TOOLS.map(([tool, label]) => test(`tool:${tool}`, label, toolDot(tool), (call) => call.tool === tool)),
        test("tool:unknown", "No tool", toolDot(null), (call) => !call.tool),
      test("failed", "Failed", h("i", { class: "t-dot fail" }), fails),
        ...STATUSES.slice(1, 3).map(([status, label]) => test(`status:${status}`, label, null, (call) => call.status === status)),
      ...SEVERITIES.slice(1).map(([severity, label]) => test(`severity:${severity}`, `${label}s`, null, (call) => severe(call, severity))),
        { name: "gap", label: "Gaps", glyph: h("i", { class: "t-dot gap" }), fits: () => false, count: gaps.length },
    ].filter(({ count, name }) => count > 0 || this.on.has(name));
    this.element.replaceChildren(...this.kinds.map(({ name, label, glyph, count }) => h("button",
      { type: "button", "data-only": name, "aria-pressed": String(this.on.has(name)), onclick: () => this.toggle(name) }, glyph, label,
      h("span", { class: "mut" }, count))), h("button", { type: "button", class: "link xs clear", onclick: () => this.clear() }, "Show all"));
    this.#tell();
  }

  toggle(name) { if (!this.on.delete(name)) this.on.add(name); this.#tell(); }
  clear() { this.on.clear(); this.#tell(); }

  #tell() {
    for (const button of this.element.querySelectorAll("[data-only]")) button.setAttribute("aria-pressed", String(this.on.has(button.dataset.only)));
    this.element.classList.toggle("on", this.on.size > 0);
    const chosen = this.kinds.filter(({ name }) => this.on.has(name));
    const groups = ["tool", "failed", "status", "severity"].map((group) => chosen.filter(({ name }) => name.split(":")[0] === group)).filter((group) => group.length);
    const gaps = this.on.has("gap");
    // kinds of one group add up, groups narrow down; gaps are a kind of their own
    this.changed(!chosen.length ? null : ({ kind, call }) => (kind === "gap" ? gaps : kind === "call" && groups.length > 0 && groups.every((group) => group.some(({ fits }) => fits(this.calls.get(call))))));
  }
}
