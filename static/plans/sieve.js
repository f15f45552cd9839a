/* Filters within a plan: tools, how calls were read, how grave their problems are, gaps. What does not fit is dimmed, and keys
   pass it by. The link names what is chosen: `only=tool-search.gap`. */
import { h } from "../dom.js";
import { toolDot } from "./cards.js";
import { SEVERITIES, STATUSES, TOOLS, fails } from "./words.js";

const GROUPS = ["tool", "failed", "status", "severity"]; // kinds of one group add up, groups narrow down; gaps are a kind of their own

export class Sieve {
  /** `changed(fits)` gets a predicate of stops, or null when all fit; `link(only)` what the link is to say, or null. */
  constructor(changed, link) {
    Object.assign(this, { changed, link, on: new Set(), kinds: [] });
    this.element = h("div", { class: "sieve", role: "group", "aria-label": "Show only" });
  }

  /** Choose what the link says; drawn by show(). */
  choose(only) { this.on = new Set((only ?? "").split(".").filter(Boolean).slice(0, 20).map((name) => name.replace("-", ":"))); }

  /** Show what a plan has, and how much of each. */
  show(plan, gaps) {
    const severities = new Map(plan.calls.map(({ id }) => [id, new Set()]));
    for (const { call, severity } of plan.problems) severities.get(call)?.add(severity);
    this.calls = new Map(plan.calls.map((call) => [call.id, call]));
    const test = (name, label, glyph, fits) => ({ name, label, glyph, fits, count: plan.calls.filter(fits).length });
    this.kinds = [
      ...TOOLS.map(([tool, label]) => test(`tool:${tool}`, label, toolDot(tool), (call) => call.tool === tool)),
      test("tool:unknown", "No tool", toolDot(null), (call) => !call.tool),
      test("failed", "With errors", h("i", { class: "t-dot fail" }), fails),
      ...STATUSES.slice(1, 3).map(([status, label]) => test(`status:${status}`, label, null, (call) => call.status === status)),
      ...SEVERITIES.slice(1).map(([severity, label]) => test(`severity:${severity}`, `${label}s`, null, ({ id }) => severities.get(id).has(severity))),
      { name: "gap", label: "Gaps", glyph: h("i", { class: "t-dot gap" }), fits: () => false, count: gaps.length },
    ].filter(({ count, name }) => count > 0 || this.on.has(name));
    this.element.replaceChildren(...this.kinds.map((kind) => this.#button(kind)),
      h("button", { type: "button", class: "link xs clear", onclick: () => this.#set(() => this.on.clear()) }, "Show all"));
    this.#tell();
  }

  #button({ name, label, glyph, count }) {
    const toggle = () => this.#set(() => { if (!this.on.delete(name)) this.on.add(name); });
    return h("button", { type: "button", "data-only": name, onclick: toggle }, glyph, label, h("span", { class: "mut" }, count));
  }

  #set(change) {
    change();
    this.link(this.kinds.filter(({ name }) => this.on.has(name)).map(({ name }) => name.replace(":", "-")).join(".") || null);
    this.#tell();
  }

  #tell() {
    for (const button of this.element.querySelectorAll("[data-only]")) button.setAttribute("aria-pressed", String(this.on.has(button.dataset.only)));
    const chosen = this.kinds.filter(({ name }) => this.on.has(name)), gaps = chosen.some(({ name }) => name === "gap");
    this.element.classList.toggle("on", chosen.length > 0);
    const groups = GROUPS.map((group) => chosen.filter(({ name }) => name.split(":")[0] === group)).filter((group) => group.length);
    const called = (call) => groups.length > 0 && groups.every((group) => group.some(({ fits }) => fits(call)));
    this.changed(!chosen.length ? null : ({ kind, call }) => (kind === "gap" ? gaps : kind === "call" && called(this.calls.get(call))));
  }
}
