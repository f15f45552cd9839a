/* The Compare view: two plans of one query beside each other, paragraph by paragraph; what is different shows at a glance. */
import { h, icon, plural, setText } from "../dom.js";
import { failed, hole } from "../rubrics/ending.js";
import { counted, sampleTag } from "../rubrics/words.js";
import { align, partsOf } from "./align.js";
import { answersTo, nameOf, sideHead, valueOf } from "./comparehead.js";
import { pairMap, pairRow } from "./comparerows.js";
import { difference } from "./differences.js";
import { reportsOf, saw } from "./seen.js";

const AT_ONCE = 40; // pairs that are drawn at first, and with each look further down
const FRAMES = 4; // in which a row is brought into place
const REFERENCE = "reference";
const ONLY = "c_only", PAIR = "c_pair"; // parameters of the link: only what differs; the pair where one stands
const key = (name, label, run) => [name, { label, run, once: true }];

class Compare {
  constructor(host, context) {
    Object.assign(this, { context, turn: 0, at: -1, pairs: [], rows: [], plans: null });
    const button = (label, glyph, title, run, name) =>
      h("button", { type: "button", class: "btn icon", "aria-label": label, title, "data-act": name, onclick: run }, icon(glyph));
    this.title = h("h1", { tabindex: -1, dir: "auto", class: "words" });
    this.tag = h("span", { class: "tag-place" });
    this.meta = h("p", { class: "sm sub" });
    this.judge = h("select", { class: "field", "aria-label": "Judge", onchange: ({ target }) => { context.setQuery({ inspection: target.value }); this.show(); } });
    this.only = h("input", { type: "checkbox", role: "switch", onchange: () => { context.setQuery({ [ONLY]: this.only.checked ? "1" : null }); this.#sift(); } });
    this.file = h("a", { class: "btn", download: true, title: "Both as one HTML file; it tells all that judges and people say" }, icon("save"),
      h("span", { class: "word" }, "HTML"));
    this.before = button("Previous query", "back", "Previous query ([)", () => this.query(-1), "before");
    this.after = button("Next query", "next", "Next query (])", () => this.query(1), "after");
    this.bar = h("div", { class: "es-bar compare-bar" }, h("div", { class: "bar-title grow" }, h("div", { class: "row" }, this.title, this.tag), this.meta),
      h("div", { class: "row acts" }, this.judge, this.file,
        h("button", { type: "button", class: "btn", "data-act": "swap", title: "Change sides (S)", onclick: () => this.swap() }, icon("compare"),
          "Swap"), h("div", { class: "row step" }, this.before, this.after)));
    this.heads = h("div", { class: "side-heads" });
    this.says = h("p", { class: "sm sub", role: "status" });
    this.map = h("div", {});
    this.strip = h("div", { class: "pair-strip" }, h("div", { class: "row between" }, this.says,
      h("div", { class: "row" }, h("label", { class: "switch" }, this.only, "Only differences"),
      h("div", { class: "row step" }, button("Previous difference", "up", "Previous difference (P)", () => this.differ(-1), "differ-before"),
        button("Next difference", "down", "Next difference (N)", () => this.differ(1), "differ-after")))), this.map);
    this.list = h("div", { class: "pair-rows" });
    this.end = h("div", { class: "list-end", "aria-hidden": "true" });
    this.place = h("div", {});
    this.top = h("div", { class: "compare-top" }, this.heads, this.strip);
    this.all = h("div", { class: "compared", hidden: true }, this.bar, this.top, this.list, this.end);
    host.append(this.place, this.all);
    this.further = new IntersectionObserver((entries) => { if (entries.some(({ isIntersecting }) => isIntersecting)) this.#more(); }, { rootMargin: "1200px 0px" });
    this.further.observe(this.end);
    this.keys = [
      key("n", "Next difference, or the one before", () => this.differ(1)), key("p", "Next difference, or the one before", () => this.differ(-1)),
      ["j", { label: "Next pair, or the one before", run: () => this.go(this.at + 1) }],
      ["k", { label: "Next pair, or the one before", run: () => this.go(this.at - 1) }],
      key("s", "Change sides", () => this.swap()), key("d", "Only differences", () => this.only.click()),
      key("1", "Open the left or the right plan in Inspect", () => this.open(0)), key("2", "Open the left or the right plan in Inspect", () => this.open(1)),
      key("]", "Next query, or the one before", () => this.query(1)), key("[", "Next query, or the one before", () => this.query(-1)),
      key("l", "List of plans", () => context.openDialog("list")),
    ];
  }

  // what is compared

  async show() {
    const { state } = this.context, mine = ++this.turn, link = this.context.link();
    const question = JSON.stringify([state.set.set_id, String(state.answer), link.get("with"), state.inspection, state.token, state.reading]);
    this.all.setAttribute("aria-busy", "true");
    if (state.set.set_id !== this.set) { this.set = state.set.set_id; this.all.hidden = true; this.place.replaceChildren(h("i", { class: "skel tall" })); }
    try {
      const plans = await this.#both(link.get("with"));
      if (mine !== this.turn) return;
      if (!plans) return;
      this.#lay(plans, question === this.question);
      this.question = question;
    } catch (error) {
      if (mine !== this.turn) return;
      if (!error.status && !error.retry) throw error; // a fault of the page
      this.#instead(error.status === 404 ? failed("There is no such plan here", error.message,
        [["Show what there is", () => { this.context.setQuery({ plan: null, with: null }); this.show(); }]])
        : failed("The plans could not be loaded", error.message, [["Try again", () => this.show()]]));
    }
    this.all.removeAttribute("aria-busy");
  }

  leave() {
    this.turn += 1;
    this.all.removeAttribute("aria-busy");
  }

  #instead(element) {
    this.plans = null;
    this.all.hidden = true;
    this.place.replaceChildren(element);
  }

  /* Both plans, or null when that is said on the page. */
  async #both(wished) {
    const { context, context: { state, api } } = this;
    let answer = Number.isInteger(state.answer) || String(state.answer).startsWith(`${REFERENCE}:`) ? state.answer : null;
    if (answer == null) {
      const step = await api.getStep(state.set.set_id, null, state.filters, state.token ?? undefined);
      answer = step.open ?? step.next;
      if (answer == null) {
        const filtered = Object.keys(state.filters).length > 0;
        this.#instead(hole("search", filtered ? "Nothing fits these filters" : "No plans in this set yet",
          filtered ? "Choose others in the list of plans." : "Import planners’ answers to its queries.",
          [filtered ? ["Plans", () => context.openDialog("list")] : ["Import…", () => context.openDialog("importer")]]));
        return null;
      }
    }
    const left = await this.#read(String(answer)), others = left.siblings, last = this.plans?.[1];
    const same = (wish) => others.find((one) => valueOf(one) === wish);
    const asBefore = ({ planner, attempt, answer: id }) => (last.answer == null ? id == null
      : id != null && planner === last.planner && attempt === last.attempt);
    const other = (wished && same(wished)) ?? (last && others.find(asBefore))
      ?? others.find(({ planner, answer: id }) => id != null && planner !== left.planner) ?? others[0];
    if (!other) {
      this.#instead(hole("compare", "Nothing to compare it with",
        "Only one plan answers this query, and the data have no reference answer: choose another plan.", [["Plans", () => context.openDialog("list")]]));
      return null;
    }
    const right = await this.#read(other.answer == null ? `${REFERENCE}:${left.query_id}` : String(other.answer));
    context.setQuery({ plan: left.answer ?? `${REFERENCE}:${left.query_id}`, with: valueOf(right) });
    return [left, right];
  }

  async #read(id) {
    const { state, api } = this.context, token = state.token ?? undefined;
    if (id.startsWith(`${REFERENCE}:`)) return api.getReference(state.set.set_id, id.slice(REFERENCE.length + 1), token);
    const reports = reportsOf(state), plan = await api.getPlan(Number(id), { reports }, token);
    if (reports === "shown") saw(plan.answer);
    return plan;
  }

  // how it is drawn

  #lay(plans, again) {
    const { context } = this, [left, right] = plans, { inspection } = context.state;
    const judges = [...new Map(plans.flatMap((plan) => plan.judges).map((one) => [one.inspection_id, one.judge]))],
      chosen = judges.find(([id]) => id === inspection)?.[0] ?? judges[0]?.[0];
    const judgeOf = (plan) => plan.judges.find(({ inspection_id: id }) => id === chosen) ?? null;
    this.plans = plans;
    this.place.replaceChildren();
    this.all.hidden = false;
    setText(this.title, left.title);
    this.tag.replaceChildren(...(left.sample ? [sampleTag()] : []));
    setText(this.meta, [left.category, left.intent, counted(answersTo(left).length, "answer", "answers")].filter(Boolean).join(", "));
    this.judge.hidden = judges.length < 2;
    this.judge.replaceChildren(...judges.map(([id, name]) => h("option", { value: id, selected: id === chosen }, name)));
    const base = left.answer == null ? right : left, other = base === left ? right : left; // in the file a reference answer stands on the right
    this.file.href = studio.url(`api/plans/answers/${base.answer}/export/compare.html?${new URLSearchParams({ other: valueOf(other) })}`);
    const acts = (side) => ({ choose: (value) => this.choose(side, value), open: () => this.open(side) });
    const held = document.activeElement?.closest(".side-head")?.querySelector("select") === document.activeElement ? document.activeElement?.dataset.side : null;
    this.heads.replaceChildren(...plans.map((plan, side) => sideHead(plan, side, judgeOf(plan), acts(side))));
    if (held) this.heads.querySelector(`[data-side="${held}"]`).focus({ preventScroll: true });
    const gapsOf = (plan) => (judgeOf(plan)?.recall?.gaps ?? []).map((gap) => ({ after: gap.block ?? gap.after_block, gap }));
    const parts = plans.map((plan) => partsOf(plan, gapsOf(plan)));
    this.pairs = align(...parts).map((pair) => pair.map((place, side) => (place == null ? null : parts[side][place])));
    this.differences = this.pairs.map(([one, other]) => difference(one, other, plans));
    this.sides = plans.map((plan, side) => ({ plan, judge: judgeOf(plan), name: nameOf(plan), open: (place) => this.open(side, place) }));
    this.map.replaceChildren(pairMap(this.pairs, this.differences, (k) => this.go(k)));
    this.#tell();
    const wanted = Number(context.link().get(PAIR) ?? NaN) - 1, before = again ? this.at : wanted;
    this.rows = [];
    this.at = -1;
    this.list.replaceChildren();
    this.only.checked = context.link().get(ONLY) === "1";
    this.#more();
    this.#sift();
    if (before > 0 && before < this.pairs.length) this.go(before); else if (!again) scrollTo({ top: 0, behavior: "instant" });
    context.say(`${nameOf(left)} and ${nameOf(right)}: ${this.says.textContent}`);
  }

  #tell() {
    const number = (kind) => this.differences.filter(({ kinds, alone }) => kinds.includes(kind) && !alone).length,
      alone = this.differences.filter((one) => one.alone).length;
    const said = [number("tools") && `${number("tools")} with other tools`, number("faults") && `${number("faults")} with other faults`,
      number("gaps") && `${number("gaps")} with other missing visuals`, alone && `${alone} only in one`].filter(Boolean);
    setText(this.says, `${plural(this.pairs.length, "row")}: ${said.join(", ") || "tools and faults are the same throughout"}`);
  }

  /* Rows further down. */
  #more(until = this.rows.length + AT_ONCE) {
    while (this.rows.length < Math.min(until, this.pairs.length)) {
      const k = this.rows.length, row = pairRow(k, this.pairs[k], this.differences[k], this.sides);
      row.addEventListener("click", (event) => { if (!event.target.closest("button, a, summary, select")) this.go(k, { scroll: false }); });
      this.rows.push(row);
      this.list.append(row);
    }
    this.end.hidden = this.rows.length >= this.pairs.length;
  }

  #sift() {
    const { checked } = this.only;
    this.list.classList.toggle("only", checked);
    this.list.toggleAttribute("data-alike", checked && !this.differences.some(({ kinds }) => kinds.length));
  }

  // what can be done

  /** Stand at a pair. */
  go(k, { scroll = true } = {}) {
    if (k < 0 || k >= this.pairs.length) return;
    if (this.only.checked && !this.differences[k].kinds.length) { this.differ(k > this.at ? 1 : -1); return; }
    this.#more(k + 1 + AT_ONCE / 2);
    this.rows[this.at]?.removeAttribute("aria-current");
    this.map.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.at = k;
    this.rows[k].setAttribute("aria-current", "true");
    this.map.querySelector(`[data-cell="${k}"]`)?.setAttribute("aria-current", "true");
    if (scroll) this.#reveal(this.rows[k]);
    this.context.setQuery({ [PAIR]: k ? k + 1 : null });
  }

  /* Bring a row under what stays at the top of the window; again in some frames, since rows that come into view have their own height then. */
  #reveal(row, frames = FRAMES) {
    const sticks = getComputedStyle(this.top).position === "sticky", head = parseFloat(getComputedStyle(this.top).top) || 0;
    scrollBy({ top: row.getBoundingClientRect().top - (sticks ? head + this.top.offsetHeight : 64), behavior: "instant" });
    if (frames) requestAnimationFrame(() => { if (row.isConnected && row === this.rows[this.at]) this.#reveal(row, frames - 1); });
  }

  /** To the next pair that differs, or the one before. */
  differ(by) {
    for (let k = this.at + by; k >= 0 && k < this.pairs.length; k += by) {
      if (!this.differences[k].kinds.length) continue;
      this.go(k);
      this.context.say(this.rows[k].getAttribute("aria-label"));
      return;
    }
    this.context.say(by > 0 ? "No more differences below" : "No differences above");
  }

  open(side, place = {}) { if (this.plans) this.context.openPlan(this.#idOf(side), place); }
  #idOf(side) { const { answer, query_id: query } = this.plans[side]; return answer ?? `${REFERENCE}:${query}`; }

  /* What the link asks for on both sides, as choosers have it: it is ahead of what is drawn while that is on its way. */
  get #wished() { const link = this.context.link(); return [link.get("plan")?.startsWith(`${REFERENCE}:`) ? REFERENCE : link.get("plan"), link.get("with")]; }

  #wish([left, right], pair = null) {
    this.context.setQuery({ plan: left === REFERENCE ? `${REFERENCE}:${this.plans[0].query_id}` : left, with: right, [PAIR]: pair }, { push: true });
    this.show();
  }

  /** Another plan on a side; where it stands on the other side they change over. */
  choose(side, value) {
    const wished = this.#wished;
    if (value === wished[1 - side]) { this.swap(); return; }
    wished[side] = value;
    this.#wish(wished);
  }

  swap() { if (this.plans) this.#wish(this.#wished.reverse(), this.at > 0 ? this.at + 1 : null); }

  /** The same planners on the next query, or the one before. */
  async query(by) {
    if (!this.plans) return;
    const { state, api } = this.context, mine = ++this.turn, base = this.plans.find(({ answer }) => answer != null), turned = base !== this.plans[0];
    try {
      const step = base && await api.getStep(state.set.set_id, base.answer, { ...state.filters, planner: base.planner }, state.token ?? undefined);
      const to = step && (by > 0 ? step.next : step.previous);
      if (mine !== this.turn) return;
      if (!to) { this.context.say(by > 0 ? "This is the last query" : "This is the first query"); this.all.removeAttribute("aria-busy"); return; }
      const there = turned ? await api.getPlan(to, {}, state.token ?? undefined) : null; // its reference answer stands on the left
      if (mine !== this.turn) return;
      this.context.setQuery({ plan: turned ? `${REFERENCE}:${there.query_id}` : to, with: turned ? to : null, [PAIR]: null }, { push: true });
      await this.show();
    } catch (error) { if (mine === this.turn) this.context.say(error.message); }
  }
}

export function mount(host, context) {
  const compare = new Compare(host, context);
  return { show: () => compare.show(), leave: () => compare.leave(), keys: compare.keys };
}
