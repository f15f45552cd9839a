/* The list of a set's plans that fit the filters, by query: what each calls, what is wrong with it, how far one is with it. */
import { h, icon, plural, setText } from "../dom.js";
import { markerOf } from "./marking.js";
import { failed, hole } from "../rubrics/ending.js";
import { count } from "../rubrics/statistics.js";
import { sampleTag } from "../rubrics/words.js";
import { Filters, filterWords } from "./filters.js";
import { reportsOf, saw } from "./seen.js";
import { SEVERITIES, TOOLS, severityIcon, verdictName } from "./words.js";

export { filterWords };

const PAGE = 100, FAR = 1000; // plans of a page, and up to which place the plan on show is looked for
const AHEAD = "600px 0px"; // around the list
const TAGS = { accept: "acc", revise: "warn", reject: "bad" };

const dots = (tools) => TOOLS.filter(([tool]) => tools[tool]).map(([tool, label]) =>
  h("span", { class: "dots", title: `${label}: ${plural(tools[tool], "call")}` }, h("i", { class: `t-dot t-${tool}` }),
    h("span", { class: "es-sr" }, label), tools[tool]));
const found = (problems) => SEVERITIES.filter(([severity]) => problems[severity]).map(([severity, label]) =>
  h("span", { class: "dots", title: plural(problems[severity], label.toLowerCase()) }, severityIcon(severity), problems[severity]));

function rowOf(plan, { current, me, judge, open, marker: { holds, mark } }) {
  const { answer, planner, attempt, calls, tools, problems, codes, fs, gaps, plan: verdict, done, no_output: none } = plan;
  const by = judge ? ` by ${judge}` : "", hits = codes.filter(holds), known = TOOLS.reduce((sum, [tool]) => sum + (tools[tool] ?? 0), 0);
  return h("button", { type: "button", class: "plan-row", "data-answer": answer, "aria-current": current ? "true" : null, tabindex: -1, onclick: () => open(answer) },
    h("span", { class: "es-sr" }, `${plan.title}, `), h("span", { class: "planner nowrap" }, mark(planner),
      attempt > 1 && h("span", { class: "mut" }, `, attempt ${attempt}`)),
    h("span", { class: "calls" }, none ? h("span", { class: "tag" }, "No output") : calls
      ? [dots(tools), calls > known && h("span", { class: "dots", title: `${plural(calls - known, "call")} of no known tool` },
        h("i", { class: "t-dot t-unknown" }), calls - known)] : h("span", { class: "mut" }, "no calls")),
    h("span", { class: "faults" }, found(problems)),
    h("span", { class: "judged" }, fs != null && h("span", { title: `Final score${by}` }, h("span", { class: "mut" }, "FS "), h("b", {}, fs)),
      gaps != null && h("span", { class: "dots", title: `${plural(gaps, "missing visual")}${by}` }, h("i", { class: "t-dot gap" }), gaps)),
    h("span", { class: "mine" }, verdict && h("span", { class: `tag ${TAGS[verdict]}` }, verdictName(verdict)),
      me && (done >= 1 ? h("span", { class: "all", title: "You have voted on all of it" }, icon("check"))
        : h("span", { class: "meter", title: `You have voted on ${Math.round(100 * done)}% of it` }, h("i", { style: { width: `${100 * done}%` } })))),
    hits.length > 0 && h("span", { class: "codes mono xs" }, hits.map((code) => h("span", {}, mark(code)))));
}

class List {
  constructor(host, context) {
    Object.assign(this, { context, turn: 0, plans: [], codes: new Set(), next: null });
    this.filters = new Filters((changes) => { context.setFilters(changes); return this.show(); });
    this.title = h("h2", {}, "Plans");
    this.tag = h("span", { class: "tag-place" });
    this.says = h("span", { class: "sm mut", role: "status" });
    this.by = h("span", { class: "sm mut by" });
    this.rows = h("div", { class: "plan-rows" });
    this.end = h("div", { class: "list-end sm mut" });
    this.scroll = h("div", { class: "list-scroll", tabindex: -1 }, this.rows, this.end);
    host.append(h("header", { class: "list-head" }, h("div", { class: "row" }, this.title, this.tag, this.says, this.by), this.filters.element), this.scroll);
    host.addEventListener("keydown", (event) => this.#keys(event));
    new IntersectionObserver((entries) => { if (entries.some(({ isIntersecting }) => isIntersecting)) this.#more(); },
      { root: this.scroll, rootMargin: AHEAD }).observe(this.end);
  }

  /** Show the plans that fit, as they are now. */
  async show() {
    const { state } = this.context, { set, token, reading, filters, inspection } = state, mine = ++this.turn;
    const ofSet = set.set_id !== this.set?.set_id, question = JSON.stringify([set.set_id, filters, token, inspection, reading]), other = question !== this.question;
    if (ofSet) { this.codes.clear(); this.rows.replaceChildren(); }
    const { judge = null } = set.inspections.find(({ inspection_id: id }) => id === inspection) ?? set.inspections[0] ?? {};
    Object.assign(this, { set, question, judge, asked: { ...filters, reports: reportsOf(state) }, marker: markerOf(filters.q) });
    this.tag.replaceChildren(...(set.sample ? [sampleTag()] : []));
    this.filters.show(filters, { set, me: state.me, sees: state.me || reading }, [...this.codes].sort());
    this.filters.settle(filters.q);
    this.scroll.setAttribute("aria-busy", "true");
    if (ofSet) this.rows.replaceChildren(...Array.from({ length: 8 }, () => h("i", { class: "skel" })));
    const top = this.scroll.scrollTop, held = this.rows.contains(document.activeElement) ? document.activeElement.dataset.answer : null;
    try {
      const step = Number.isInteger(state.answer) && !this.opened ? this.context.api.getStep(set.set_id, state.answer, this.asked, token).catch(() => null) : null;
      const page = await this.#page(0, other ? PAGE : Math.max(PAGE, Math.min(500, this.plans.length)));
      if (mine !== this.turn) return;
      this.plans = [];
      this.rows.replaceChildren();
      setText(this.by, "");
      this.#draw(page);
      for (const place = (await step)?.place ?? 0; place <= FAR && place > this.plans.length && this.next != null;) if (mine !== this.turn || !await this.#more()) break;
      if (mine !== this.turn) return;
      if (!other) this.scroll.scrollTop = top; else if (this.opened) this.scroll.scrollTop = 0;
      if (held) this.#focus(this.#row(held));
      else if (!this.opened) this.#begin();
      this.opened = true;
    } catch (error) {
      if (mine !== this.turn) return;
      if (!error.status && !error.retry) throw error; // a fault of the page
      this.plans = [];
      this.next = null;
      setText(this.says, "");
      this.rows.replaceChildren(failed("The plans could not be listed", error.message, [["Try again", () => this.show()]]));
    }
    this.scroll.removeAttribute("aria-busy");
  }

  leave() {
    this.turn += 1;
    this.opened = false;
    this.scroll.removeAttribute("aria-busy");
  }

  async #page(offset, limit = PAGE) {
    const { state, api } = this.context, page = await api.getPlans(this.set.set_id, this.asked, { offset, limit, inspection: state.inspection },
      state.token ?? undefined);
    if (this.asked.reports === "shown") saw(...page.plans.filter(({ fs, gaps }) => fs != null || gaps != null).map(({ answer }) => answer));
    return page;
  }

  /* The next page; whether there was one. */
  async #more() {
    if (this.next == null || this.fetching) return false;
    const mine = this.turn;
    this.fetching = true;
    try {
      const page = await this.#page(this.next);
      if (mine === this.turn) this.#draw(page);
    } catch (error) {
      if (mine !== this.turn) return false;
      this.next = null;
      this.end.replaceChildren(h("span", {}, error.message, " "),
        h("button", { type: "button", class: "btn small", onclick: () => { this.next = this.plans.length; this.#more(); } }, "Try again"));
      return false;
    } finally { this.fetching = false; }
    return mine === this.turn;
  }

  #draw({ plans, total, of, next }) {
    const { state } = this.context, { judge, marker } = this, { mark } = marker, filtered = Object.keys(state.filters).length > 0;
    setText(this.says, total === of ? plural(of, "plan") : `${count(total)} of ${count(of)}`);
    if (plans.some(({ fs, gaps }) => fs != null || gaps != null)) setText(this.by, `FS and gaps by ${judge}`);
    for (const plan of plans) {
      const shelf = this.plans.at(-1)?.query_id === plan.query_id ? this.rows.lastElementChild
        : this.rows.appendChild(h("section", { class: "plan-group", role: "group", "aria-label": plan.title },
          h("h3", {}, h("span", { class: "grow words" }, mark(plan.title)), plan.category && h("span", { class: "tag line", title: plan.category },
            mark(plan.category)))));
      shelf.append(rowOf(plan, { current: plan.answer === state.answer, me: state.me, judge, marker, open: (answer) => this.context.openPlan(answer) }));
      this.plans.push(plan);
      for (const code of plan.codes) this.codes.add(code);
    }
    this.next = next;
    this.filters.know([...this.codes].sort());
    this.end.replaceChildren(...(next == null ? [] : ["Loading"]));
    if (!total) this.rows.replaceChildren(filtered ? hole("search", "Nothing fits", this.#why(), [["Clear the filters", () => this.filters.clear.click()]])
      : hole("image", "No plans in this set yet", "Import planners’ answers to its queries, or let a model plan with easel plans generate.",
        [["Import…", () => this.context.openDialog("importer")]]));
    const first = this.#all()[0];
    if (first && !this.rows.querySelector('.plan-row[tabindex="0"]')) (this.rows.querySelector("[aria-current]") ?? first).tabIndex = 0;
  }

  #why() {
    const { filters, me } = this.context.state;
    if (filters.verdict && !me) return "Nobody reviews here, so there is no verdict of yours: clear the filters, or vote first.";
    if (!filters.gap) return "Ask for less, or clear the filters.";
    return "Missing visuals are looked for only in reports that may be shown to you: vote on the gaps of plans first, or clear the filters.";
  }

  // by keys

  #all() { return [...this.rows.querySelectorAll(".plan-row")]; }
  #row(answer) { return this.rows.querySelector(`.plan-row[data-answer="${CSS.escape(answer)}"]`); }
  #focus(row) {
    if (!row) return;
    for (const one of this.rows.querySelectorAll('.plan-row[tabindex="0"]')) one.tabIndex = -1;
    row.tabIndex = 0;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  /* Where one begins: at the plan on show, else at the first one. */
  #begin() {
    const here = this.rows.querySelector("[aria-current]") ?? this.#all()[0];
    if (!here) { this.filters.words.focus(); return; }
    this.#focus(here);
    here.scrollIntoView({ block: "center" });
  }

  #keys(event) {
    const { key, target } = event, typing = target === this.filters.words, row = target.closest?.(".plan-row");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "/" && !target.matches("input:not([type=checkbox])")) { event.preventDefault(); this.filters.words.focus(); this.filters.words.select(); return; }
    if (key === "Enter" && typing) { event.preventDefault(); this.filters.now().then(() => this.#all()[0]?.click()); return; }
    const all = row || typing ? this.#all() : [], at = all.indexOf(row);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1,
      ...(typing ? {} : { Home: 0, End: all.length - 1, PageDown: Math.min(all.length - 1, at + 10), PageUp: Math.max(0, at - 10) }) }[key];
    if (to === undefined || !all.length) return;
    event.preventDefault();
    if (to < 0) { if (row) this.filters.words.focus(); } else if (to < all.length) this.#focus(all[to]);
    if (to >= all.length - 5) this.#more();
  }
}

export const mount = (host, context) => { const list = new List(host, context); return { show: () => list.show(), leave: () => list.leave() }; };
