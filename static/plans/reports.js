/* What the rules and the three inspectors report, beside the plan. What may not be shown yet is not in the page: its tab says what shows it. */
import { h, icon } from "../dom.js";
import { scoreChips, toolDot } from "./cards.js";
import { codeText } from "./codetext.js";
import { tierRuler } from "./ballot.js";
import { rules } from "./facts.js";
import { INSPECTORS, gapName, share, toolLabel, toolName } from "./words.js";

const TABS = [["rules", "Rules"], ...INSPECTORS];
const NEEDS = { precision: "Score a call, and what the inspector says of it appears; its summary comes when all calls are scored.",
  recall: "Save your missing visuals, none perhaps, and the inspector’s appear.", chief: "Give your final score, and the chief’s appears." };
const MOST = 100; // entries that are drawn at once
export const CAUTION = "Absolute scores do not carry over from one judge to another: in a published case the success rate of one planner is 11.46% under one "
  + "judge and 68.30% under another.";
const words = (text) => h("p", { class: "sm words", dir: "auto" }, codeText(text));

export class Reports {
  /** `hooks`: go(target) leads to its place, choose(inspection), tab(name) is told of the tab, reveal() shows all reports. */
  constructor(hooks) {
    Object.assign(this, { hooks, tab: "rules", most: MOST });
    this.tabs = h("div", { class: "subtabs", role: "tablist", "aria-label": "Reports" }, TABS.map(([name, label]) => h("button",
      { type: "button", role: "tab", id: `es-plan-tab-${name}`, "aria-controls": "es-plan-report", "data-report": name,
        onclick: () => this.open(name, { told: true }) }, label, h("span", { class: "n" }))));
    this.tabs.addEventListener("keydown", (event) => this.#keys(event));
    this.chooser = h("select", { class: "field", "aria-label": "Judge", onchange: ({ target }) => hooks.choose(target.value) });
    this.judgeRow = h("div", { class: "judge-row", hidden: true },
      h("label", { class: "row" }, h("span", { class: "sm sub" }, "Judge"), this.chooser), h("p", { class: "xs mut" }, CAUTION));
    this.panel = h("div", { role: "tabpanel", id: "es-plan-report", tabindex: -1 });
    this.element = h("section", { class: "card reports", "aria-label": "Reports" }, this.tabs, this.judgeRow, this.panel);
  }

  /** Show what `judge` (JudgeReports, or null) says of a plan; `at` = the stop that one stands at. */
  show(plan, judge, { reading = false } = {}) {
    if (plan.answer !== this.plan?.answer) this.most = MOST;
    Object.assign(this, { plan, judge, reading });
    this.chooser.replaceChildren(...plan.judges.map(({ inspection_id: id, judge: name }) => h("option", { value: id }, name)));
    this.chooser.value = judge?.inspection_id ?? "";
    const values = { rules: plan.problems.length, precision: judge?.precision?.credit ? share(judge.precision.credit.strict) : null,
      recall: judge?.recall ? judge.recall.mi : null, chief: judge?.chief ? judge.chief.fs : null };
    for (const button of this.tabs.children) {
      const name = button.dataset.report, standing = judge?.standing[name];
      button.querySelector(".n").replaceChildren(...(values[name] != null ? [String(values[name])] : standing === "hidden" ? [icon("lock")] : []));
      button.title = standing === "hidden" ? "Hidden until you have voted" : "";
    }
    this.open(this.tab);
  }

  open(name, { told = false } = {}) {
    this.tab = TABS.some(([one]) => one === name) ? name : "rules";
    for (const button of this.tabs.children) {
      const on = button.dataset.report === this.tab;
      button.setAttribute("aria-selected", String(on));
      button.tabIndex = on ? 0 : -1;
    }
    this.judgeRow.hidden = this.tab === "rules" || (this.plan?.judges.length ?? 0) < 2;
    const content = this.plan && [this.tab === "rules" ? rules(this.plan) : this.#report(this.tab)].flat(Infinity);
    if (content) this.panel.replaceChildren(...content.filter((child) => child != null && child !== false));
    this.panel.setAttribute("aria-labelledby", `es-plan-tab-${this.tab}`);
    this.follow(this.at);
    if (told) this.hooks.tab(this.tab);
  }

  /** The entry of the call or gap that one stands at comes into view. */
  follow(at) {
    this.at = at;
    for (const entry of this.panel.querySelectorAll(".entry")) {
      const here = Boolean(at) && entry.dataset.at === at;
      entry.classList.toggle("on", here);
      if (here) reveal(entry);
    }
  }

  #report(name) {
    const { judge, plan } = this, standing = judge?.standing[name] ?? "missing", content = judge?.[name];
    const made = content && { precision: () => this.#precision(content), recall: () => this.#recall(content), chief: () => this.#chief(content) }[name]();
    const whose = judge && [judge.judge, judge.models[name], judge.origin === "imported" && "came with the data"].filter(Boolean).join(", ");
    const model = judge && content ? h("p", { class: "xs mut by" }, whose) : null;
    if (standing === "hidden") return [made, this.#veil(name), made && model];
    if (standing === "unscored") return h("p", { class: "sm sub" }, "Asked, without a report that counts: ", judge.unscored[name] ?? "no reason was kept", ".");
    if (content) return [made, model];
    return h("p", { class: "sm sub" },
      plan.answer == null ? "Judges inspect planners’ answers, not the data’s own." : "No judge was asked yet: “Inspect…” in the menu Data asks one.");
  }

  #veil(name) {
    return h("div", { class: "veil" }, icon("lock"), h("div", {}, h("p", {}, NEEDS[name]),
      h("button", { type: "button", class: "link", "data-act": "reveal", onclick: () => this.hooks.reveal() }, "Show reports without a vote")));
  }

  #entry(at, target, head, ...body) {
    return h("li", { class: "entry", "data-at": at }, h("div", { class: "row between" },
      h("button", { type: "button", class: "link sm", onclick: () => this.hooks.go(target) }, head[0]), head[1]), ...body);
  }

  #list(entries, all) {
    const more = () => { this.most = Infinity; this.open(this.tab); };
    return [h("ol", { class: "entries" }, entries),
      entries.length < all && h("button", { type: "button", class: "btn small", onclick: more }, `Show all ${all}`)];
  }

  #precision({ calls, summary, credit }) {
    const byId = new Map(this.plan.calls.map((call) => [call.id, call])), shown = calls.slice(0, this.most);
    const rate = (label, value, title) => h("div", { title }, h("span", { class: "sm sub" }, label), h("b", {}, share(value)));
    const entry = (report) => {
      const { call_id: id, suggested_tool: better, reason } = report, name = byId.has(id) ? toolName(byId.get(id)) : "not in the plan";
      const head = [`Call ${id}, ${name}`, better && h("span", { class: "tag line" }, toolDot(better), `Better: ${toolLabel(better)}`)];
      return this.#entry(`call:${id}`, { call: id }, head, scoreChips(report), words(reason));
    };
    return [
      credit && h("div", { class: "trio" }, rate("SR, strict", credit.strict, "Both gates pass and all four scores are 2"),
        rate("SR, no fail", credit.no_fail, "Both gates pass and no score is 0"),
        rate("Partial credit", credit.partial_credit, "Sum of the scores by 8; no success rate")),
      summary && words(summary), this.#list(shown.map(entry), calls.length),
    ];
  }

  #recall({ gaps, mi, summary }) {
    const { judge } = this;
    const entry = ({ gap_id: id, type, severity, anchor_quote: quote, reason, block }) => {
      const head = [`Gap ${id}, ${gapName(type)}`, h("span", { class: `tag ${severity === "major" ? "warn" : "line"}` }, severity)];
      return this.#entry(`gap:${judge.judge}/${id}`, { gap: `g${id}` }, head, h("blockquote", { class: "sm", dir: "auto" }, codeText(quote)), words(reason),
        block == null && h("p", { class: "xs mut" }, "The quote was not found in the plan."));
    };
    return [
      h("div", { class: "trio" }, h("div", {}, h("span", { class: "sm sub" }, "MI, missing visuals"), h("b", {}, mi))), words(summary),
      this.#list(gaps.slice(0, this.most).map(entry), gaps.length),
    ];
  }

  #chief({ fs, tier, meaning, reason, decisive_calls: calls, decisive_gaps: gaps, conflicts }) {
    const rate = this.judge.precision?.credit?.strict, mi = this.judge.recall?.mi;
    const link = (text, target) => h("button", { type: "button", class: "link sm", onclick: () => this.hooks.go(target) }, text);
    const measure = ([short, long, what], value, part = null) => h("div", {},
      h("div", { class: "row between sm" }, h("span", {}, h("abbr", { title: long }, short), h("span", { class: "mut" }, ` ${what}`)), h("b", {}, value)),
      part != null && h("div", { class: "meter" }, h("i", { style: { width: `${100 * part}%` } })));
    return [
      h("div", { class: "chief" }, h("div", {}, h("div", { class: "sm sub" }, "Final score"), h("div", { class: "big" }, fs)), words(reason)),
      tierRuler(fs), h("p", { class: "xs mut" }, `Tier ${tier.replace("-", " to ")}: ${meaning}`),
      conflicts.map(({ explanation }) => h("p", { class: "caution xs" }, icon("warn"), explanation)),
      (calls.length > 0 || gaps.length > 0) && h("p", { class: "row decisive" }, h("span", { class: "sm sub" }, "Decisive"),
        calls.slice(0, 20).map((id) => link(`Call ${id}`, { call: id })), gaps.slice(0, 20).map((id) => link(`Gap ${id}`, { gap: `g${id}` }))),
      h("hr", { class: "rule" }),
      h("div", { class: "two" },
        measure(["SR", "Success rate of calls, policy strict", "calls that succeed"], share(rate), rate ?? 0),
        measure(["MI", "Missed images", "missing visuals"], mi ?? "n/a")),
    ];
  }

  #keys(event) {
    const all = [...this.tabs.children], at = all.indexOf(document.activeElement),
      to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[(to + all.length) % all.length];
    next.focus();
    next.click();
  }
}

/* Scroll what holds the entry, never the window: the plan stays where it is. */
function reveal(entry) {
  const pane = entry.closest(".rail-scroll");
  if (!pane || pane.scrollHeight <= pane.clientHeight) return;
  const box = entry.getBoundingClientRect(), room = pane.getBoundingClientRect();
  if (box.top < room.top || box.bottom > room.bottom) pane.scrollTop += box.top - room.top - 12;
}
