/* One plan on show: the document with its map, what is reported beside it, what is asked, and where the person stands in it. */
import { copyText } from "../copy.js";
import { announce, eachFrame, h } from "../dom.js";
import { markQuote, unmark } from "../rubrics/mark.js";
import { rawUrl } from "./api.js";
import { Article } from "./article.js";
import { Ballot } from "./ballot.js";
import { Bar } from "./bar.js";
import { codeText } from "./codetext.js";
import { Executing } from "./executing.js";
import { Facts } from "./facts.js";
import { Find, textsOf } from "./find.js";
import { lookAt, lookAtChart, lookAtMade } from "./look.js";
import { Minimap } from "./minimap.js";
import { outcome } from "./outcome.js";
import { said, split, valueOf, verdictOf } from "./parts.js";
import { Problems } from "./problems.js";
import { Query } from "./query.js";
import { Reports } from "./reports.js";
import { Sieve } from "./sieve.js";
import { isNone, nextOpen, partNames, partsOf, stopOf } from "./stops.js";
import { toolName } from "./words.js";

/** Parameters of the link that name a place in a plan. */
export const PLACE = { call: null, gap: null, block: null, part: null };
const LINKED_GAP = /^(m?)(\d{1,6})$/; // one's own, or a judge's
const PHONE = matchMedia("(max-width: 720px)");

export class Pane {
  /** `shell` and `votes` are those of the desk; `hooks`: next(), saveAndNext(), reveal(), open(answer). */
  constructor(shell, votes, hooks) {
    Object.assign(this, { shell, votes, plan: null, step: null, at: null, part: null, parts: [], gaps: [], fits: null, sizes: {} });
    const go = (target) => this.go(target, { push: true });
    this.bar = new Bar({ verdict: (value) => this.put("plan", { value: votes.shown(this.plan, "plan").value === value ? null : value }),
      saveAndNext: hooks.saveAndNext, open: hooks.open });
    this.article = new Article({ pick: (stop) => this.go({ key: stop.key }, { scroll: false }), zoom: (call) => this.look(call), drawn: () => this.minimap.follow() });
    this.minimap = new Minimap({ jump: (key) => this.article.reveal(key), across: (edge) => this.article.across(edge) });
    this.sieve = new Sieve((fits) => this.#sift(fits), (only) => shell.link({ only }));
    this.executing = new Executing({ changed: () => this.#executed(), link: (doc) => shell.link({ doc }) });
    this.find = new Find({ go: (where) => this.#found(where),
      texts: () => textsOf(this.plan, this.article.stops, this.judge, this.executing.mode === "plan" ? [] : this.executing.results),
      elementOf: ({ key, query }) => (query ? this.query.element : key ? this.article.shell(key) : this.reports.panel), left: () => this.query.own() });
    this.query = new Query((image) => lookAt(image, this.plan.pool));
    this.reports = new Reports({ go, choose: (id) => { shell.link({ inspection: id }); this.update(this.plan); },
      tab: (name) => shell.link({ report: name === "rules" ? null : name }), reveal: hooks.reveal });
    this.problems = new Problems(go);
    this.facts = new Facts();
    this.ballot = new Ballot({ put: (...change) => this.put(...change), next: hooks.next, goTo: ({ block, part }) => this.go({ block, part }),
      mark: () => this.mark(), back: () => this.takeBack(), final: () => this.to("fs"), drawn: () => this.ask() });
    this.note = h("p", { class: "notice words", hidden: true });
    this.rail = h("div", { class: "rail" },
      h("div", { class: "rail-scroll" }, this.reports.element, this.problems.element, this.facts.element), this.ballot.element);
    this.element = h("div", { class: "plans", hidden: true }, this.minimap.element,
      h("div", { class: "doc-column" }, this.query.element, this.note, this.executing.element,
        h("div", { class: "doc-tools" }, this.sieve.element, this.find.element), this.article.element),
      this.rail);
    const fit = eachFrame(() => this.#fit()), sizes = new ResizeObserver(fit);
    addEventListener("scroll", fit, { passive: true });
    for (const one of [this.element, this.ballot.element]) sizes.observe(one);
  }

  get shown() { return Boolean(this.plan) && !this.element.hidden; }
  /** Whether it is a planner's answer, on which people vote. */
  get voted() { return this.plan?.answer != null; }
  /** What the chosen judge says of the plan, or null. */
  get judge() {
    const { judges } = this.plan, wanted = this.shell.state.inspection;
    return judges.find(({ inspection_id: id }) => id === wanted) ?? judges[0] ?? null;
  }

  // what is shown

  /** Show a plan, at the place that the link names or at the first part without a word. */
  lay(plan, step, link) {
    Object.assign(this, { plan, step });
    this.#gaps();
    this.query.show(plan);
    this.article.show(plan, this.#marks());
    this.executing.show(plan, link.get("doc"));
    this.#notice(plan);
    this.reports.tab = link.get("report") ?? "rules";
    this.sieve.choose(link.get("only"));
    this.sieve.show(plan, this.gaps);
    this.find.again();
    this.draw();
    scrollTo({ top: 0, behavior: "instant" });
    this.ballot.refuse(null);
    this.stand(link, { fresh: true });
  }

  /** The same plan, as the link says now. */
  turn(link) {
    this.reports.tab = link.get("report") ?? "rules";
    this.executing.show(this.plan, link.get("doc"));
    this.sieve.choose(link.get("only"));
    this.sieve.show(this.plan, this.gaps);
    this.draw();
    this.stand(link);
  }

  /** More is known of the plan on show: after a vote, or of another judge. */
  update(view) {
    this.plan = { ...this.plan, judges: view.judges, mine: view.mine, others: view.others };
    this.#gaps();
    this.article.still(() => {
      this.article.refresh(this.plan, this.#marks());
      this.sieve.show(this.plan, this.gaps);
      this.find.changed();
      this.draw();
    });
  }

  /* Why there is no answer, what to say of it, and what keeps a part of it from being read at all. */
  #notice(plan) {
    const many = plan.problems.find(({ code }) => code === "too_many_calls"), own = `/api/plans/answers/${plan.answer}/raw`;
    const lines = [plan.no_output ? `No answer: ${plan.no_output}` : isNone(plan) && "No answer: the plan is empty.", plan.note, many?.explanation].filter(Boolean);
    const raw = (words) => h("a", { href: rawUrl(plan.answer), target: "_blank", rel: "noopener" }, words);
    const told = (text) => text.split(own).map((piece, k) => [k > 0 && raw(own), piece && codeText(piece)]);
    this.note.replaceChildren(...lines.map((line) => h("span", { class: "words", dir: "auto" }, told(line))));
    if (this.voted && !isNone(plan) && !lines.some((line) => line.includes(own))) this.note.append(h("span", {}, raw("Its whole text, as it came")));
    this.note.classList.toggle("grave", Boolean(many));
    this.note.hidden = !lines.length;
  }

  /** Draw what stands around the document. */
  draw() {
    if (!this.shown) return;
    this.reports.show(this.plan, this.judge);
    this.problems.show(this.plan, this.gaps);
    this.facts.show(this.plan);
    this.head();
    this.ask();
  }

  /** Draw which plan it is, and how far one is with it. */
  head() {
    if (!this.shown) return;
    const { plan, parts, votes, shell, voted } = this, open = voted && shell.reviewers.name ? parts.filter((part) => votes.open(plan, part)).length : 0;
    this.bar.show(plan, { step: this.step, filtered: Object.keys(shell.state.filters).length > 0, missing: this.judge?.recall?.mi ?? null,
      verdict: voted ? votes.shown(plan, "plan").value : null, done: voted && shell.reviewers.name ? [parts.length - open, parts.length] : null,
      filters: shell.filterTags() });
    shell.meta();
  }

  /** Draw what is asked where one stands. */
  ask({ typing = false } = {}) {
    this.ballot.element.hidden = !this.voted;
    if (!this.shown || !this.voted || !this.part) return;
    const { plan, judge, part, votes } = this;
    const { about, key } = split(part), stands = votes.standing(plan, part), open = this.parts.filter((one) => one !== part && votes.open(plan, one));
    const report = about === "call" ? judge?.precision?.calls.find(({ call_id: id }) => String(id) === key) : about === "fs" ? judge?.chief : null;
    this.ballot.show(plan, part, {
      typing, judge: report ? (about === "fs" ? report.fs : valueOf(report)) : null, judgeName: judge?.judge ?? "", at: this.block,
      last: !open.length, open: about === "fs" && !plan.mine?.revealed.includes("all") ? partNames(open) : "",
      word: { ...votes.shown(plan, part), stands: Boolean(stands), waits: votes.waits(plan, part), differs: votes.differs(plan, part),
        blind: stands ? plan.mine?.blind[part] : undefined },
      others: plan.others.filter((other) => other.part === part).map(said),
    });
  }

  /* Gaps that are shown: those of the chosen judge, and one's own; with them the parts that are asked. */
  #gaps() {
    const { plan, judge } = this, theirs = judge?.recall?.gaps ?? [], mine = this.voted ? this.votes.shown(plan, "gaps").value ?? [] : [];
    this.gaps = [
      ...theirs.map((gap) => ({ key: `g${gap.gap_id}`, after: gap.after_block, gap, whose: "", part: `gap:${judge.judge}/${gap.gap_id}` })),
      ...mine.map((gap, k) => ({ key: `m${k + 1}`, after: gap.after_block, gap, whose: "marked by you", part: "gaps" })),
    ];
    this.parts = this.voted ? partsOf(plan, this.gaps.filter(({ part }) => part !== "gaps")) : [];
  }

  #marks() {
    const { plan, judge } = this, theirs = new Map((judge?.precision?.calls ?? []).map((report) => [report.call_id, report]));
    return {
      gaps: this.gaps,
      scores: (call) => {
        const stands = this.voted ? this.votes.standing(plan, `call:${call}`) : null;
        return [stands && ["You", verdictOf(stands.value)], theirs.has(call) && [judge.judge, theirs.get(call)]].filter(Boolean);
      },
    };
  }

  /* The document as the plan, as executed, or both. */
  #executed() {
    const { executing } = this, run = (call) => (executing.ready ? () => executing.start([call]) : null);
    this.element.classList.toggle("beside", executing.mode === "beside");
    this.article.as(executing.mode, (call) => {
      const found = executing.of(call), zoom = () => lookAtMade(call, executing.results);
      return { sign: JSON.stringify([found, executing.ready]), make: () => outcome(this.plan.calls[call - 1], found, { zoom, run: run(call) }) };
    });
    this.find.changed();
  }

  /* The rail has the window from where it begins, the map from where it begins in the page; what is asked may stand over the plan's foot. */
  #fit() {
    if (!this.element.offsetParent) return;
    const from = Math.round(this.element.getBoundingClientRect().top), { element } = this.ballot, foot = getComputedStyle(element).position === "fixed";
    const sizes = { "--top": Math.max(0, from), "--start": from + Math.round(scrollY), "--foot": foot ? element.offsetHeight : 0 };
    for (const [name, size] of Object.entries(sizes)) if (size !== this.sizes[name]) this.element.style.setProperty(name, `${this.sizes[name] = size}px`);
  }

  // where one stands

  /** The block that one stands at, 0 for none. */
  get block() { return this.article.stop(this.at)?.block ?? 0; }

  /** Stand where the link says; `fresh`: or at the first part without a word. */
  stand(link, { fresh = false } = {}) {
    const number = (name) => (/^\d{1,6}$/.test(link.get(name) ?? "") ? Number(link.get(name)) : null), gap = LINKED_GAP.exec(link.get("gap") ?? ""),
      key = gap && (gap[1] ? gap[0] : `g${gap[2]}`);
    const target = { call: number("call"), block: number("block"), key: key && this.article.stop(key) ? key : null, part: link.get("part") };
    if (Object.values(target).some((one) => one != null) && this.go(target, { quiet: true })) return;
    if (key) announce("The gap of the link is not shown; a judge’s report is hidden until you have voted");
    if (!fresh) return;
    const open = this.shell.reviewers.name ? nextOpen(this.parts, null, (part) => this.votes.open(this.plan, part)) : null;
    this.to(open ?? this.parts[0] ?? null, { quiet: true, scroll: PHONE.matches || (Boolean(open) && open !== this.parts[0]) });
  }

  /** Go to a place: {call}, {block}, {gap} or {key} of a stop, or {part}; returns whether it is there. */
  go({ call = null, block = null, gap = null, key = null, part = null }, { push = false, scroll = true, quiet = false } = {}) {
    if (!this.shown) return false;
    const { article } = this, named = key ?? gap;
    const stop = named != null ? article.stop(named) : call != null ? article.call(call) : block != null ? stopOf(article.stops, Math.max(1, block)) : null;
    const wanted = stop && part !== "gaps" ? this.#partAt(stop) : part;
    if (!stop && !this.parts.includes(wanted)) { if (!quiet) announce("That place is not shown"); return false; }
    this.at = stop?.key ?? null;
    this.part = wanted;
    article.go(this.at, { scroll: scroll && Boolean(stop) });
    this.#count();
    const { kind } = stop ?? {}, places = { call: { call: stop?.call }, gap: { gap: stop?.key.replace(/^g/, "") }, text: { block: stop?.block } };
    this.shell.link({ ...PLACE, ...(places[kind] ?? { part: wanted }) }, { push });
    this.ballot.refuse(null);
    this.ask();
    this.reports.follow(/^(call|gap):/.test(wanted ?? "") ? wanted : null);
    this.#quote(kind === "gap" && stop.gap.gap.anchor_quote ? stop : null);
    if (!quiet) announce(this.#spoken(stop));
    return true;
  }

  #spoken(stop) {
    if (!stop) return this.ballot.title.textContent;
    if (stop.kind === "call") return `Call ${stop.call}, ${toolName(this.plan.calls[stop.call - 1])}`;
    return stop.kind === "gap" ? "Missing visual" : `Paragraph, block ${stop.block ?? "without a number"}`;
  }

  #partAt(stop) { return !this.voted ? null : stop.kind === "call" ? `call:${stop.call}` : stop.kind === "gap" ? stop.gap.part : "gaps"; }

  /** Go to where a part is asked. */
  to(part, options = {}) {
    if (!part) { this.at = null; this.article.go(null); this.#count(); this.ask(); return; }
    const { about, key } = split(part), gap = about === "gap" && this.gaps.find((one) => one.part === part);
    this.go(about === "call" ? { call: Number(key) } : gap ? { key: gap.key } : { part }, options);
  }

  #count() {
    const place = this.article.place(this.at), { length } = this.article.stops;
    this.minimap.stand(place, length ? `${place >= 0 ? place + 1 : "–"} of ${length}` : "");
  }

  /* The passage that lacks a picture, marked in the paragraph that it stands in. */
  #quote(stop) {
    if (this.quoted) unmark(this.quoted);
    this.quoted = null;
    if (!stop) return;
    const { gap } = stop.gap, home = stopOf(this.article.stops, gap.block ?? stop.block), shell = home && this.article.shell(home.key);
    if (shell && home.kind === "text" && markQuote(shell, gap.anchor_quote)) this.quoted = shell;
  }

  /** The next block, or the one before. */
  blocks(by) { this.#walk(by, ({ kind }) => kind !== "thinking"); }
  /** The next call that fits, or the one before. */
  calls(by) { this.#walk(by, (stop) => stop.kind === "call" && (!this.fits || this.fits(stop))); }
  missing(by) { this.#walk(by, ({ kind }) => kind === "gap", "No missing visual is shown from here on"); }

  #walk(by, wanted, none = by > 0 ? "The plan ends here" : "The plan begins here") {
    if (!this.shown) return;
    const { stops } = this.article, from = this.at ? this.article.place(this.at) : ["plan", "fs"].includes(this.part) ? stops.length : -1;
    for (let k = from + by; stops[k]; k += by) if (wanted(stops[k])) { this.go({ key: stops[k].key }); return; }
    announce(none);
  }

  #sift(fits) {
    this.fits = fits;
    if (!this.plan) return;
    this.article.dim(fits);
    const off = fits ? (stop) => (stop.kind === "call" || stop.kind === "gap") && !fits(stop) : undefined;
    this.minimap.show(this.article.stops, this.plan, off);
    this.#count();
    const first = fits && this.article.stops.find(fits), here = this.at && this.article.stop(this.at);
    if (first && this.shown && !(here && fits(here))) this.article.reveal(first.key);
  }

  #found({ key, query, report, call, gap }) {
    if (query) { this.query.lend(query); this.query.element.scrollIntoView({ block: "center" }); } else this.query.own();
    if (key) this.go({ key }, { quiet: true });
    if (!report) return;
    this.reports.open(report);
    this.reports.follow(call != null ? `call:${call}` : this.gaps.find((one) => one.key === gap)?.part ?? null);
  }

  /** Look closer at the picture or chart of the call at hand: at what it brought, where the document is shown as executed. */
  closer() {
    const id = this.article.stop(this.at)?.call, { mode, results } = this.executing;
    if (mode !== "plan" && this.executing.of(id)?.picture) lookAtMade(id, results); else this.look(this.plan?.calls[(id ?? 0) - 1]);
  }

  /** Look closer at the picture or chart that the plan gives a call. */
  look(call) {
    if (call?.image?.digest) lookAt(call.image, this.plan.pool); else if (call?.chart) lookAtChart(call); else announce("There is no picture to look at");
  }

  // what the person says

  /** Choose something on a part; it is saved with Enter. */
  put(part, changes, { typing = false } = {}) {
    if (!this.shown || !this.voted) return;
    this.votes.put(this.plan, part, changes);
    this.ballot.refuse(null);
    if (part === "gaps" && "value" in changes && !typing) this.update(this.plan); else if (part === "plan") this.head();
    this.ask({ typing: typing || !("value" in changes) });
  }

  /** Take back what stands or is chosen on the part at hand. */
  takeBack() {
    const { plan, part, votes } = this;
    if (!this.shown || !this.voted || !part || !(votes.standing(plan, part) || votes.differs(plan, part))) return;
    votes.takeBack(plan, part);
    this.ballot.refuse(null);
    this.update(this.plan);
    announce("Taken back");
  }

  /** Copy a link to the place at hand, without what the person has filtered and opened. */
  async copyLink() {
    if (!this.shown) return;
    const stop = this.article.stop(this.at), { shell, plan, judge } = this, theirs = stop?.kind === "gap" && stop.key.startsWith("g");
    const place = stop?.kind === "call" ? { call: stop.call } : theirs ? { gap: stop.key.slice(1), ...(plan.judges.length > 1 && { inspection: judge.inspection_id }) }
      : stop?.block ? { block: stop.block } : {};
    await copyText(studio.url(`?${new URLSearchParams({ tab: "plans", set: plan.set_id, plan: shell.state.answer, ...place })}`));
    announce("Link copied");
  }

  /** Mark that a picture is missing after the block at hand. */
  mark() {
    if (!this.shown || !this.voted) return;
    this.part = "gaps";
    this.ask();
    this.ballot.markAt(this.block);
    this.ask();
    announce("Missing visual marked: choose a kind, 1 to 4");
  }
}
