/* The Review view: one criterion at a time beside the answer, the vote on it, and the way through the queue. */
import { announce, h } from "../dom.js";
import { Backoff } from "../session/backoff.js";
import { AnswerCard } from "./answer.js";
import { Ballot } from "./ballot.js";
import { Desk } from "./desk.js";
import { bones, ended, failed, hole } from "./ending.js";
import { Filters } from "./filters.js";
import { Progress } from "./progress.js";
import { spoken } from "./reveal.js";
import { Rulings } from "./rulings.js";
import { Votes } from "./votes.js";
import { FILTERS, filtersOf } from "./walk.js";
import { WhoForm } from "./who.js";

const DWELL = 1500; // ms on an answer that one came upon, until it is kept
const LAST_MINUTES = 180_000; // ms before its end from which on one is told for how long a criterion is kept
const short = (text) => (text.length > 60 ? `${text.slice(0, 58)} …` : text);
const clock = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
const none = Object.fromEntries([...FILTERS, "entry"].map((name) => [name, null]));

export class Review {
  /** `shell`: reviewers, route(), link(changes, how) changes its parameters, meta() when what it tells has changed, open(view, changes) for another view, voted(). */
  constructor(shell) {
    Object.assign(this, { shell, turn: 0, question: null, asking: null, marked: "", on: false });
    const { reviewers } = shell;
    this.backoff = new Backoff((state) => this.#network(state));
    this.votes = new Votes(this.backoff, { me: () => reviewers.name, tokenOf: (name) => reviewers.tokenOf(name), present: () => this.entry }, {
      answered: (item, view) => this.#answered(item, view), refused: (item, error) => this.#refused(item, error),
      changed: () => this.#draw(), unknown: (item, error) => this.#unknown(item, error),
    });
    this.desk = new Desk({ stands: (entry) => this.votes.standing(entry), token: () => reviewers.token });
    this.who = new WhoForm(reviewers, { done: () => this.#known(), left: () => this.#unasked() });
    this.card = new AnswerCard();
    this.ballot = new Ballot({
      vote: (verdict) => this.vote(verdict), detail: (...change) => this.#detail(...change), next: () => this.next(), look: () => this.#look(), keep: () => this.#keep(),
      settle: (verdict, note) => this.#settle(verdict, note), further: () => this.#further(), toMark: (k) => this.card.toMark(k),
    }, this.who);
    this.progress = new Progress({ step: (by) => this.step(by), jump: (k) => this.#goTo(k) });
    this.filters = new Filters((changes) => { shell.link({ ...changes, entry: this.desk.entry?.entry ?? null }, { push: true }); shell.route(); });
    this.rulings = new Rulings(({ entry }) => this.#rule(entry));
    this.place = h("div", {});
    this.grid = h("div", { class: "review", hidden: true }, this.card.element, h("div", { class: "beside" }, this.ballot.element));
    this.element = h("div", { class: "review-view" }, this.place, this.grid);
    this.votes.restore();
    setInterval(() => this.#clock(), 5000);
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.votes.flush(); else this.#back(); });
    addEventListener("pagehide", () => this.votes.flush());
  }

  get entry() { return this.on ? this.desk.entry : null; }
  get me() { return this.shell.reviewers.name; }
  /* Another answer is on its way: a key is not taken for one on the present criterion, nor on one that nobody has seen. */
  get #busy() { return this.element.hasAttribute("aria-busy"); }
  /** "Answer 31 of 48", or nothing. */
  get where() { return this.desk.here && !this.grid.hidden ? `Answer ${this.desk.here.stop + 1} of ${this.desk.walk.stops.length}` : ""; }

  // what is shown

  /** Show what the link asks for of a queue. */
  async show({ set, queue }) {
    const link = new URLSearchParams(location.search), filters = filtersOf(link), entry = /^\d{1,15}$/.test(link.get("entry") ?? "") ? Number(link.get("entry")) : null;
    const question = JSON.stringify([queue.queue_id, filters, this.me]), { desk } = this;
    Object.assign(this, { set, queue, on: true });
    if (question === this.question && desk.walk) {
      this.filters.show(filters, set, queue, desk.walk);
      const at = desk.here?.entries.findIndex((one) => one.entry === entry) ?? -1;
      if (at >= 0 && !this.grid.hidden) {
        if (at !== desk.here.at) this.#goTo(at); else { this.#draw(); this.#back(); }
        return;
      }
      await this.#find(entry);
      return;
    }
    this.votes.flush();
    this.filters.show(filters, set, queue, null);
    const mine = this.#wait();
    try {
      const begun = await desk.begin(queue, filters);
      if (mine !== this.turn) return;
      this.question = question;
      desk.put(begun);
      this.filters.show(filters, set, queue, desk.walk);
      await this.#find(entry);
    } catch (error) { if (mine === this.turn) this.#trouble(error); }
  }

  leave() {
    this.votes.flush();
    this.on = false;
    this.turn += 1; // what is on its way is not shown any more
    this.element.removeAttribute("aria-busy");
  }

  /* Go to an entry of the walk, or to the first open one. */
  async #find(entry) {
    const { desk } = this, mine = this.#wait(), stop = desk.walk.at(entry);
    try {
      if (!desk.walk.count) { this.#nothing(); return; }
      if (entry !== null && stop < 0 && !desk.filtered) announce("The criterion of the link is not in this queue");
      const found = stop >= 0 ? await desk.fetch(stop, true) : (await desk.following()) ?? (desk.filtered ? await desk.fetch(0, false) : null);
      if (mine !== this.turn) return;
      if (found) this.#lay(found, { entry: stop >= 0 ? entry : null }); else this.#done();
    } catch (error) { if (mine === this.turn) this.#trouble(error); }
  }

  #lay(assignment, where, { push = false, focus = false } = {}) {
    this.desk.lay(assignment, where);
    this.#instead(null);
    this.#goTo(this.desk.here.at, { push, top: true });
    if (focus) this.ballot.title.focus({ preventScroll: true });
  }

  /* Show a criterion of the answer on the desk. */
  #goTo(at, { push = false, top = false } = {}) {
    const { desk, card } = this, { here } = desk;
    if (!top) this.votes.flush();
    here.at = at;
    if (this.asking && !this.votes.underWay) this.#unasked();
    this.shell.link({ entry: desk.entry.entry }, { push });
    card.show(here.assignment, desk.entry.turn);
    this.marked = null;
    this.#draw();
    if (top && scrollY > this.grid.offsetTop) scrollTo(0, 0);
    this.#clock();
    if (!top && desk.ageing) this.#keep();
    desk.prepare();
    this.shell.meta();
  }

  #draw() {
    const { desk, ballot, card } = this;
    if (!this.entry || this.grid.hidden) return;
    const { entry, here } = desk, shown = this.votes.standing(entry), quotes = entry.revealed?.judges.map(({ evidence }) => evidence) ?? [];
    const key = JSON.stringify([entry.entry, quotes]);
    if (key !== this.marked) { this.found = card.mark(quotes); this.marked = key; }
    ballot.show(entry, { shown, waiting: this.votes.waits(entry), blind: this.votes.blindOn(entry), draft: this.votes.draft(entry), found: this.found, me: this.me, required: this.queue.required });
    const { stops } = desk.walk;
    this.progress.show(here.entries.map((one) => desk.state(one)), here.at, { first: here.stop <= 0 && here.at === 0, last: here.stop === stops.length - 1 && here.at === here.entries.length - 1 });
  }

  /* Something in place of the criterion; null shows it. */
  #instead(element) {
    this.grid.hidden = Boolean(element);
    this.progress.element.hidden = Boolean(element);
    this.place.replaceChildren(...(element ? [element] : []));
    this.element.removeAttribute("aria-busy");
    this.shell.meta();
  }

  /* What is shown stays until the next is there; at first there are grey shapes. */
  #wait() {
    if (this.grid.hidden && !this.place.querySelector(".bones")) this.#instead(bones());
    this.element.setAttribute("aria-busy", "true");
    return ++this.turn;
  }

  #trouble(error) {
    const wrong = error.status >= 400 && error.status < 500 && !error.retry;
    if (error.code === "wrong_token") { // whoever it is will be asked with the next vote
      this.shell.reviewers.forget(this.me);
      this.shell.route();
      return;
    }
    this.question = null;
    this.#instead(failed("The criteria could not be loaded", error.message, [wrong ? ["All criteria", () => this.#all()] : ["Try again", () => this.shell.route()]]));
  }

  #all() {
    this.shell.link(none, { push: true });
    this.shell.route();
  }

  #nothing() {
    const { hidden } = this.desk.walk, more = `${hidden === 1 ? "One entry is" : `${hidden} entries are`} hidden until you have voted on ${hidden === 1 ? "it" : "them"}.`;
    if (!this.desk.filtered) this.#instead(hole("eye", "The queue is empty", "No criterion was drawn for it; make another one.", [["New queue…", () => this.shell.data("newqueue")]]));
    else this.#instead(hole("search", "Nothing fits these filters", hidden ? more : "Choose others, or take them away.", [["Clear filters", () => this.#all()]]));
  }

  #done() {
    this.shell.link({ entry: null });
    this.desk.here = null;
    const box = ended(this.desk, [
      this.desk.filtered && ["Clear filters", () => this.#all()], ["See the agreement", () => this.shell.open("agreement")], ["Disagreements", () => this.adjudicate()],
      this.desk.walk.mine > 0 && ["Look at your votes", () => this.#look0()],
    ].filter(Boolean));
    this.#instead(box);
    box.focus({ preventScroll: true });
    announce("All done: nothing in this queue waits for you");
  }

  /* The first answer again, with one's votes. */
  async #look0() {
    const stop = this.desk.walk.stops.findIndex(({ states }) => states.includes("m"));
    await this.#fetch(() => this.desk.fetch(stop, false), { entry: this.desk.walk.stops[stop].entries[0] });
  }

  /* Another answer comes: it is shown when it is there, and what keeps it from coming is said. */
  async #fetch(ask, where = {}) {
    const mine = this.#wait();
    try {
      const found = await ask();
      if (mine !== this.turn) return false;
      if (found) this.#lay(found, where, { push: true, focus: !document.activeElement || document.activeElement === document.body || this.element.contains(document.activeElement) });
      else this.#done();
      return true;
    } catch (error) {
      if (mine !== this.turn) return false;
      this.element.removeAttribute("aria-busy");
      if (this.grid.hidden || error.code === "wrong_token") this.#trouble(error); else this.ballot.refuse(error.message);
      return false;
    }
  }

  // the way

  /** The next open criterion: of this answer, or of the next one that has any. */
  async next() {
    const { desk } = this;
    if (!this.entry || this.#busy) return;
    this.votes.flush();
    const { entries, at } = desk.here, later = entries.findIndex((one, k) => k > at && desk.open(one));
    if (later >= 0) { this.#goTo(later); return; }
    if (desk.filtered && !desk.walk.openOnes) { await this.step(1); return; } // a list of what one has voted on: go through it
    await this.#fetch(async () => {
      const ready = await desk.ready();
      if (ready) return ready;
      if (!navigator.onLine || this.backoff.attempt) throw Object.assign(new Error("The server cannot be reached: your votes are kept and sent again; go on when it answers."), { retry: true });
      await this.votes.settled(); // else the server takes what is on its way for open
      return desk.following();
    });
  }

  /** The next criterion, or the one before, whatever its state. */
  async step(by) {
    const { here, walk } = this.desk;
    if (!this.entry || this.#busy) return;
    const at = here.at + by, stop = here.stop + by;
    if (at >= 0 && at < here.entries.length) this.#goTo(at);
    else if (walk.stops[stop]) await this.#across(stop, { entry: by > 0 ? walk.stops[stop].entries[0] : null, last: by < 0 });
    else this.#edge(by > 0 ? "This is the last criterion" : "This is the first criterion");
  }

  /* There is no way on. */
  #edge(text) {
    announce(text);
    this.ballot.say(`${text}.`);
  }

  /** The next answer, or the one before. */
  async leap(by) {
    const stop = (this.desk.here?.stop ?? 0) + by;
    if (!this.entry || this.#busy) return;
    if (this.desk.walk.stops[stop]) await this.#across(stop, {}); else this.#edge(by > 0 ? "This is the last answer" : "This is the first answer");
  }

  /* To an answer that one comes upon: it is kept for the reviewer when they stay. */
  async #across(stop, where) {
    this.votes.flush();
    if (!(await this.#fetch(() => this.desk.fetch(stop, false), where))) return;
    const { here } = this.desk;
    setTimeout(() => { if (here === this.desk.here && !here.until && this.on) this.#keep(); }, DWELL);
  }

  // votes

  /** A verdict by its key: while a disagreement is being settled it is the ruling that is chosen, and one's own vote stays. */
  press(verdict) {
    const { settle } = this.ballot.reveal;
    if (this.entry?.revealed && settle.open) settle.choose(verdict); else this.vote(verdict);
  }

  /** Vote on the criterion; the verdict that stands already is taken back. */
  vote(verdict) {
    const { entry } = this, stands = entry && this.votes.standing(entry);
    if (!entry || this.#busy || (entry.state === "full" && !stands)) return;
    this.ballot.refuse(null);
    if (this.me) this.votes.cast(entry, stands?.verdict === verdict ? null : verdict); else this.#ask(() => this.votes.cast(this.entry, verdict), verdict);
  }

  /** How sure one is, 1 to 3; the same again leaves it open. */
  sure(value) {
    if (this.entry && !this.#busy && !this.ballot.details.hidden) this.#detail({ confidence: this.votes.draft(this.entry).confidence === value ? null : value });
  }

  #detail(changes, how = {}) {
    if (!this.entry) return;
    this.votes.detail(this.entry, changes, how);
    if (!how.typing) this.#draw();
  }

  /** Take the last vote back, or bring the one before it back. */
  async undo() {
    this.votes.flush();
    const entry = this.votes.last?.entry;
    if (!entry || this.#busy) { if (!entry) this.ballot.say("Nothing to undo: no vote since the page was opened."); return; }
    if (this.entry?.entry !== entry) {
      const stop = this.desk.walk.at(entry), at = this.desk.here?.entries.findIndex((one) => one.entry === entry) ?? -1;
      if (at >= 0) this.#goTo(at); else if (stop < 0 || !(await this.#fetch(() => this.desk.fetch(stop, false), { entry }))) return;
    }
    if (this.votes.last?.entry === entry) this.votes.back();
  }

  async #answered(item, view) {
    const here = this.desk.take(view);
    this.ballot.refuse(null);
    if (here && view.entry === this.entry?.entry) announce(item.body.role === "review" ? spoken(view) : view.revealed?.adjudication ? "Settled" : "The ruling is taken back");
    this.#draw();
    if (item.body.role === "adjudication" && view.entry === this.entry?.entry) this.ballot.reveal.settle.ruled();
    this.shell.voted();
    const { assignment, entries } = this.desk.here ?? {};
    if (here && assignment.model === null && !entries.some((one) => this.desk.open(one)) && !this.votes.underWay) { // who answered is told now
      await this.#quietly(() => this.desk.again(false));
      this.#again();
    }
  }

  async #refused(item, error) {
    const at = this.desk.here?.entries.findIndex(({ entry }) => entry === item.to) ?? -1;
    if (error.status === 409 && at >= 0) await this.#quietly(() => this.desk.again(Boolean(this.me)));
    this.#draw();
    const here = item.to === this.entry?.entry, named = at >= 0 ? `“${short(this.desk.here.entries[at].description)}”: ` : "An earlier vote was not taken: ";
    const other = here ? "" : named;
    this.ballot.refuse(`${other}${error.message}`);
  }

  /* The name of who votes, in place of one whose token the server does not take. */
  #unknown(item, error) {
    this.shell.reviewers.forget(item.who);
    return new Promise((resolve) => this.#ask(() => resolve(this.me), null, item.who ? error.message : null));
  }

  // who

  /* Ask who reviews, and go on with `then`. */
  #ask(then, verdict, error = null) {
    this.asking = then;
    this.wanted = verdict;
    this.ballot.ask(true);
    this.who.ask(verdict ? "Begin and vote" : "Begin", error);
  }

  async #known() {
    const then = this.asking, { entry } = this;
    this.asking = null;
    this.ballot.ask(false);
    await this.shell.route(); // how all stands for this person
    if (then && (!this.wanted || (this.entry?.entry === entry?.entry && this.desk.open(this.entry)))) then();
    this.ballot.title.focus({ preventScroll: true });
  }

  #unasked() {
    if (this.votes.underWay) return; // votes wait for a name
    this.asking = null;
    const held = this.who.element.contains(document.activeElement);
    this.ballot.ask(false);
    if (held) this.ballot.title.focus({ preventScroll: true });
  }

  // what others say, without a vote

  /* Tell what others say; `rule` goes on to settling it. */
  async #look({ rule = false } = {}) {
    const { entry } = this;
    if (!this.me) { this.#ask(() => this.#look({ rule }), null); return; }
    if (!entry.revealed) await this.#quietly(() => this.desk.look(entry.entry), true);
    this.#draw();
    if (rule && this.entry?.entry === entry.entry && this.entry.revealed) this.ballot.reveal.settle.rule();
  }

  /** The list of disagreements. */
  adjudicate() { if (this.queue) this.rulings.open(this.set, this.queue); }

  /* Show an entry on which people disagree, with what they say. */
  async #rule(entry) {
    let stop = this.desk.walk.at(entry);
    if (stop < 0) { // the filters leave it out
      this.shell.link({ ...none, entry }, { push: true });
      await this.shell.route();
      stop = this.desk.walk.at(entry);
    } else if (this.entry?.entry !== entry) await this.#fetch(() => this.desk.fetch(stop, false), { entry });
    if (this.entry?.entry === entry && !this.desk.open(this.entry)) await this.#look({ rule: true });
  }

  /* To the next disagreement that nobody has settled; without one, the list says so. */
  async #further() {
    await this.#quietly(async () => {
      const next = await this.rulings.following(this.queue, this.entry.entry);
      if (next) await this.#rule(next.entry); else this.adjudicate();
    }, true);
  }

  #settle(verdict, note) {
    const settle = () => this.votes.settle(this.entry, verdict, note);
    if (this.me) settle(); else this.#ask(settle, null);
  }

  // how long it is kept

  async #keep() {
    await this.#quietly(() => this.desk.again(true));
    this.#again();
    this.#clock();
  }

  /* Somebody looks at the page again: what is on the desk may be another's by now. */
  #back() { if (this.on && !this.grid.hidden && this.desk.here && this.me && (this.desk.ageing || this.desk.left === null)) this.#keep(); }

  #again() {
    const { here, entry } = this.desk;
    if (!here || this.grid.hidden) return;
    this.card.show(here.assignment, entry.turn);
    this.#draw();
  }

  #clock() {
    const { left } = this.desk;
    this.ballot.kept(!this.on || left === null || left > LAST_MINUTES ? null : left > 0 ? `Kept for you until ${clock(Date.now() + left)}` : "No longer kept for you: another reviewer may take it");
  }

  /* What is asked beside the reviewer's work: a failure is said only if they asked for it. */
  async #quietly(ask, loud = false) {
    try { await ask(); } catch (error) { if (loud) this.ballot.refuse(error.message); }
  }

  #network({ waiting, seconds }) {
    if (!waiting) { this.ballot.refuse(null); return; }
    this.ballot.refuse(`The server cannot be reached. Your vote is kept and sent again ${seconds > 0 ? `in ${seconds} s` : "now"}.`, ["Try now", () => this.backoff.now()]);
  }
}
