/* The Inspect view: it fetches plans, goes through those that fit, and sends what the person says of them. */
import { announce, h } from "../dom.js";
import { bones, failed, hole } from "../rubrics/ending.js";
import { Backoff } from "../session/backoff.js";
import { getPlan, getReference, getStep, reveal } from "./api.js";
import { Pane } from "./pane.js";
import { isWhole, split } from "./parts.js";
import { reportsOf, saw, seen } from "./seen.js";
import { nextOpen } from "./stops.js";
import { Votes } from "./votes.js";

const MOST_TYPED = 50; // keys that wait
const FRESH = 20_000; // ms for which a plan that was read ahead is as good as new
const WARNING = "Shown before your votes, the reports are recorded as seen, and what you say of this plan from then on does not count as blind.";
const INCOMPLETE = { call: "Some rows are open: answer each gate with Y or X and each score with 0, 1 or 2.",
  gaps: "Choose a kind for each missing visual, 1 to 4." };
const LAST = "The final score comes last, since the chief’s report speaks of every part.";
const WAITS = { call: `This call has no scores yet. ${LAST}`, gaps: `Press 0 if no picture is missing, or mark where one is with M. ${LAST}`,
  gap: `Is a picture missing here? Y or X. ${LAST}`, plan: `Accept, revise or reject, 1 to 3. ${LAST}` };
const KEPT = "What you chose and saved is kept, and is sent when it is back; this page tries again by itself.";
const whenIdle = (run) => (window.requestIdleCallback ? requestIdleCallback(run, { timeout: 2000 }) : setTimeout(run, 200));

export class Desk {
  /**
   * `shell`: reviewers, state, linked(), link(changes, how), openPlan(answer), openView(name), openDialog(name), who(label), meta(), route(),
   * filterTags(), clearFilters().
   */
  constructor(shell) {
    Object.assign(this, { shell, turn: 0, reading: false, warned: null, typed: [], typing: false, stalled: false, ahead: null });
    const { reviewers } = shell;
    this.backoff = new Backoff((state) => this.#network(state));
    this.votes = new Votes(this.backoff, { tokenOf: (name) => reviewers.tokenOf(name), me: () => reviewers.name }, {
      answered: (item, view) => { if (view.answer === this.plan?.answer) this.pane.update(view); },
      changed: () => { this.pane?.head(); this.pane?.ask(); },
      refused: (item, error) => {
        this.votes.refused(item);
        this.pane.update(this.plan);
        this.#say(`${item.to === this.plan?.answer ? "" : "On an earlier plan: "}${error.message}`);
      },
      unknown: async (item) => { reviewers.forget(item.who); for (;;) if (await shell.who("Send my words")) return reviewers.name; },
    });
    this.pane = new Pane(shell, this.votes, { next: () => this.press(() => this.next()), saveAndNext: () => this.press(() => this.saveAndNext()),
      reveal: () => this.showReports(),
      open: (answer) => shell.openPlan(answer === "reference" ? `reference:${this.plan.query_id}` : answer) });
    this.place = h("div", {});
    this.element = h("div", { class: "desk" }, this.pane.bar.element, this.place, this.pane.element);
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") this.#again(); });
    this.#instead(null, false);
    this.votes.restore();
  }

  get plan() { return this.pane.plan; }
  get step() { return this.pane.step; }
  get me() { return this.shell.reviewers.name; }
  get token() { return this.shell.reviewers.token; }
  get #loading() { return this.element.hasAttribute("aria-busy"); }
  /* Another plan or an answer is on its way: nothing is taken for a word on the present plan. */
  get #busy() { return this.saving || this.#loading || !this.pane.shown; }

  // keys

  /**
   * What a key does. While a plan or an answer is on its way it waits for that: it is meant for what comes, and is not
   * lost. While the server cannot be reached one can still read.
   */
  async press(run) {
    if (this.stalled) { run(); return; }
    if (this.typed.length < MOST_TYPED) this.typed.push(run);
    await this.#type();
  }

  async #type() {
    if (this.typing) return;
    this.typing = true;
    try {
      while (this.typed.length && !this.saving && !this.#loading) {
        const under = this.typed.shift()();
        if (under?.then) await under;
      }
    } finally { this.typing = false; }
  }

  // what is shown

  /** Show what the link asks for of a set. */
  async show() {
    try { await this.#show(); } finally { this.#type(); }
  }

  async #show() {
    const { state } = this.shell, link = this.shell.linked(), wanted = link.get("plan"),
      question = (id) => JSON.stringify([state.set.set_id, id, this.me, state.filters]);
    if (question(wanted) === this.question && this.pane.shown) {
      this.pane.turn(link);
      return;
    }
    const mine = this.#wait();
    try {
      const found = await this.#fetch(wanted);
      this.backoff.succeeded();
      if (mine !== this.turn) return;
      if (!found) { this.#nothing(); return; }
      if (found.moved) { this.shell.link({ set: found.moved }); await this.shell.route(); return; } // the link names no set, or another one
      this.question = question(String(found.id));
      if (wanted !== String(found.id)) this.shell.link({ plan: found.id });
      this.#instead(null);
      this.pane.lay(found.plan, found.step, link);
      performance.mark("es:plan");
      this.#lookAhead();
      if (found.late) this.#refresh();
    } catch (error) { if (mine === this.turn) this.#trouble(error); }
  }

  leave() {
    this.turn += 1; // what is on its way is not shown any more
    this.typed.length = 0;
    this.element.removeAttribute("aria-busy");
    this.pane.executing.rest();
  }

  /* The plan of the link, or the first open one that fits; null when none fits. */
  async #fetch(wanted) {
    const { set, filters } = this.shell.state, { token } = this;
    if (wanted?.startsWith("reference:")) return { id: wanted, step: null, plan: await getReference(set.set_id, wanted.slice(10), token) };
    const stepOf = (id) => getStep(set.set_id, id, filters, token), asked = /^\d{1,15}$/.test(wanted ?? "") ? Number(wanted) : null;
    if (asked) {
      const late = this.#isAhead(asked) && performance.now() - this.ahead.at > FRESH;
      const [plan, step] = await Promise.all([this.#read(asked), stepOf(asked).catch((error) => { if (error.status !== 404) throw error; return null; })]);
      return plan.set_id === set.set_id ? { id: asked, step, plan, late } : { moved: plan.set_id };
    }
    const { open, next } = await stepOf(null), id = (token ? open : null) ?? next;
    if (!id) return null;
    const [plan, step] = await Promise.all([this.#read(id), stepOf(id)]);
    return { id, step, plan };
  }

  /* A plan as this person may see it; what is told to whoever has no name is noted. */
  #read(id) {
    const { ahead } = this, reports = reportsOf(this);
    if (reports === "shown") saw(id);
    if (!this.#isAhead(id)) return getPlan(id, { reports }, this.token);
    this.ahead = null;
    return ahead.plan;
  }

  // what comes next is there before it is asked for

  #aheadKey(id) { return JSON.stringify([id, reportsOf(this), this.token]); }
  #isAhead(id) { return this.ahead?.key === this.#aheadKey(id); }

  /* Where Enter goes on to behind the last part of the plan at a step. */
  #following(step) { return (this.me && step.open !== this.plan.answer ? step.open : null) ?? step.next; }

  #lookAhead() {
    const mine = this.turn, id = this.step && this.#following(this.step);
    this.ahead = null;
    if (id) whenIdle(() => {
      if (mine !== this.turn) return;
      const ahead = { key: this.#aheadKey(id), at: performance.now(), plan: getPlan(id, { reports: reportsOf(this) }, this.token) };
      this.ahead = ahead;
      ahead.plan.catch(() => { if (this.ahead === ahead) this.ahead = null; }); // then it is read when it is asked for
    });
  }

  /* The person may have voted in another window meanwhile. */
  #again() { if (!this.#busy && this.pane.voted && this.element.offsetParent) this.#refresh(); }

  /* What others said of the plan on show since it was read ahead. */
  async #refresh() {
    const mine = this.turn, { plan } = this;
    const view = await getPlan(plan.answer, { reports: reportsOf(this) }, this.token).catch(() => null);
    if (view && mine === this.turn && this.plan === plan && !this.votes.underWay) this.pane.update(view);
  }

  // the way

  /** Save what is chosen here and go on to the next part without a word; behind the last one to the next plan. */
  async next() {
    if (this.#busy) return;
    const { pane, votes, plan } = this, { part } = pane;
    if (!pane.voted) { await this.leap(1); return; }
    const { value } = votes.shown(plan, part), differs = votes.differs(plan, part);
    if (differs && value != null && !isWhole(part, value)) { this.pane.ballot.toOpen(); this.#say(INCOMPLETE[split(part).about]); return; }
    const save = differs && value != null;
    if (save && !(await this.#send([part]))) return;
    const open = nextOpen(pane.parts, part, (one) => votes.open(this.plan, one));
    if (open && open !== part) pane.to(open);
    else if (open && part !== "fs" && pane.parts.some((one) => one !== part && votes.open(this.plan, one))) this.#stay(part);
    else if (save && pane.parts.includes("fs")) { pane.reports.open("chief"); announce("Saved: every part of this plan has your word; Enter goes on to the next plan"); }
    else await this.#further();
  }

  /* Only the final score is left besides the part at hand. */
  #stay(part) {
    const text = WAITS[split(part).about];
    this.pane.ballot.refuse(text, ["Final score now", () => this.pane.to("fs")]);
    announce(text);
  }

  /** Save all that is chosen on this plan, and go on to the next plan with open parts. */
  async saveAndNext() {
    if (this.#busy) return;
    const parts = this.pane.voted ? this.votes.unsaved(this.plan) : [];
    if (!parts.length || (await this.#send(parts))) await this.#further();
  }

  /** Another plan that fits. */
  async leap(by) {
    if (this.#busy) return;
    const to = by > 0 ? this.step?.next : this.step?.previous;
    if (to) await this.shell.openPlan(to); else this.#say(by > 0 ? "This is the last plan that fits." : "This is the first plan that fits.");
  }

  /* The next plan with open parts, or the next one for who has no name. */
  async #further() {
    const { set, filters } = this.shell.state, { answer } = this.plan, mine = this.#wait();
    try {
      await this.votes.settled(); // else the server takes what is on its way for open
      const step = await getStep(set.set_id, answer, filters, this.token);
      if (mine !== this.turn) return;
      this.element.removeAttribute("aria-busy");
      this.pane.step = step;
      const to = this.#following(step);
      if (to) await this.shell.openPlan(to); else if (step.open === answer) this.#say("Only this plan is left, and some of its parts are open."); else this.#done();
    } catch (error) {
      if (mine !== this.turn) return;
      this.element.removeAttribute("aria-busy");
      this.#say(error.message);
    }
  }

  // what the person says

  /* Send what is chosen on these parts; returns whether it is on its way. What judges miss is asked next, so the answer on gaps is waited for. */
  async #send(parts) {
    const { answer } = this.plan;
    this.saving = true;
    try {
      if (!(await this.#named(answer))) return false;
      for (const part of parts) this.votes.save(this.plan, part);
      if (parts.includes("gaps")) await this.votes.settled();
      return this.plan.answer === answer;
    } finally { this.saving = false; }
  }

  /* Who says it is asked before the first word; that they have read reports without a name is recorded first. */
  async #named(answer) {
    if (!this.me && !(await this.shell.who("Begin and save"))) return false;
    if (this.plan.mine) return true;
    try { // the plan as it stands for this person
      const view = seen().has(answer) ? await reveal(answer, "all", this.token) : await getPlan(answer, {}, this.token);
      if (this.plan.answer !== answer) return false;
      this.question = JSON.stringify([this.shell.state.set.set_id, String(answer), this.me, this.shell.state.filters]);
      this.pane.update(view);
      return true;
    } catch (error) { this.#say(error.message); return false; }
  }

  /** Show what judges and others say of the whole plan. Who has a name is told first what follows, and asks again. */
  async showReports() {
    const { plan, me } = this;
    if (this.#busy || !this.pane.voted || plan.mine?.revealed.includes("all")) return;
    if (me && this.warned !== plan.answer) {
      this.warned = plan.answer;
      this.pane.ballot.refuse(WARNING, ["Show reports", () => this.showReports()]);
      announce(`${WARNING} Press H again to show them.`);
      return;
    }
    const mine = ++this.turn;
    if (!me) this.reading = !this.reading;
    try {
      const view = me ? await reveal(plan.answer, "all", this.token) : await this.#read(plan.answer);
      if (mine !== this.turn || this.plan.answer !== plan.answer) return;
      this.pane.ballot.refuse(null);
      this.pane.update(view);
      this.pane.stand(this.shell.linked());
      announce(me || this.reading ? "Reports shown" : "Reports hidden");
    } catch (error) { this.#say(error.message); }
  }

  #say(text) {
    this.pane.ballot.refuse(text);
    announce(text);
  }

  // what stands in place of a plan

  #instead(element, there = true) {
    this.pane.element.hidden = this.pane.bar.element.hidden = Boolean(element) || !there;
    this.place.replaceChildren(...(element ? [element] : []));
    if (element && there) this.typed.length = 0; // what it was meant for does not come
    this.element.removeAttribute("aria-busy");
  }

  /* What is shown stays until the next is there; at first there are grey shapes. */
  #wait() {
    if (!this.pane.shown && !this.place.querySelector(".bones")) this.#instead(bones());
    this.element.setAttribute("aria-busy", "true");
    return ++this.turn;
  }

  #trouble(error) {
    if (error.code === "wrong_token") { this.shell.reviewers.forget(this.me); this.shell.route(); return; } // whoever it is will be asked with the next word
    if (!error.status && !error.retry) console.error(error); // a fault of the page itself
    this.question = null;
    const gone = error.status === 404, filtered = error.status === 422 && Object.keys(this.shell.state.filters).length > 0;
    const first = gone ? ["Show the first plan", () => this.shell.openPlan(null)] : filtered ? ["Clear filters", () => this.shell.clearFilters()]
      : ["Try again", () => { if (error.retry) this.backoff.now(); else this.shell.route(); }];
    this.#instead(failed(gone ? "There is no such plan here" : "The plan could not be loaded", error.retry ? `${error.message} ${KEPT}` : error.message,
      [first, ["All plans", () => this.shell.openDialog("list")]]));
    this.shell.meta();
    if (error.retry) this.#untilBack(error.after ?? 0);
  }

  /* Ask again by itself, as long as nothing else is asked for. */
  async #untilBack(after) {
    const mine = this.turn;
    await this.backoff.wait(after);
    if (mine === this.turn) await this.shell.route();
  }

  #nothing() {
    this.question = null;
    this.#instead(Object.keys(this.shell.state.filters).length > 0 ? hole("search", "Nothing fits these filters", "Choose others, or take them away.",
      [["Clear filters", () => this.shell.clearFilters()]])
      : hole("image", "This set holds no plans yet", "Import planners’ answers to its queries.", [["Import…", () => this.shell.openDialog("importer")]]));
    this.shell.meta();
  }

  #done() {
    const box = hole("check", "All done", `Every plan ${Object.keys(this.shell.state.filters).length ? "that fits the filters " : ""}has your words on all its parts.`,
      [["See the agreement", () => this.shell.openView("agreement")], ["Look at this plan again", () => this.#instead(null)]]);
    this.#instead(box);
    box.focus({ preventScroll: true });
    announce("All done: no plan waits for you");
  }

  #network({ waiting, seconds }) {
    this.stalled = waiting;
    if (!waiting) { this.pane.ballot.refuse(null); return; }
    this.pane.ballot.refuse(`The server cannot be reached. Your words are kept and sent again ${seconds > 0 ? `in ${seconds} s` : "now"}.`,
      ["Try now", () => this.backoff.now()]);
  }
}
