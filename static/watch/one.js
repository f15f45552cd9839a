/* One session: reference or task and canvas side by side, the scrubber, its actions; live or as it ended. */
import { announce, bestStep, eachFrame, f3, h, icon, plural, setText, signed } from "../dom.js";
import { GRADIENT, drawDifference } from "../difference.js";
import { Evidence, factsOf, legendOf } from "../evidence.js";
import { pictureLayout } from "../layout.js";
import { playerTag } from "../players.js";
import { Scrubber } from "../replay/scrubber.js";
import { Transport } from "../replay/transport.js";
import { getOverlay, getSession } from "../session/api.js";
import { Sheet, pictureOf } from "../sheet.js";
import { anchorsOf, isSemantic, nextAnchor, passedAnchor, scoreName, scoreWord } from "../tasks.js";
import { ActionList, IDLE, OF_CREDIT } from "./actions.js";
import { Bar } from "./bar.js";
import { Choose } from "./choose.js";
import { Controls } from "./controls.js";
import { Credit } from "./credit.js";
import { Drawer } from "./drawer.js";
import { Lane } from "./lane.js";
import { strokeOutline } from "./outline.js";
import { TakeOver, unable } from "./takeover.js";

export class One {
  /** `hooks`: back() to all sessions, compare(ids), stepped(step) for the link (null: the newest), filtered(name), kept(what, on); `tab` is the tab that this is shown in. */
  constructor(hooks, tab) {
    Object.assign(this, { hooks, tab, turn: 0, frames: 0 });
    this.transport = new Transport({ moved: () => this.#moved(), changed: () => this.drawControls() });
    this.scrubber = new Scrubber((step) => this.transport.go(step));
    this.controls = new Controls(this.transport, (direction) => this.jump(direction));
    this.list = new ActionList({ go: (step) => this.transport.go(step), newest: () => this.transport.go(this.transport.length), detail: () => this.drawer.toggle(true), filtered: (name) => hooks.filtered(name) });
    this.drawer = new Drawer(() => { this.details(false); this.detailButton.focus(); });
    this.credit = new Credit(() => this.#credited());
    this.takeover = new TakeOver();
    this.choose = new Choose((id) => this.hooks.compare([this.id, id]));
    this.#draft();
    this.lane = new Lane(this.canvas, tab, {
      changed: () => { this.#grown(); this.draw(); this.drawChart(); },
      shown: (step) => this.#shown(step), ready: () => { this.element.dataset.ready = this.id; },
      checked: () => this.#check(), connection: (state) => this.#connection(state),
    });
    this.draw = eachFrame(() => this.#draw());
    this.drawControls = eachFrame(() => this.#drawControls());
    this.drawChart = eachFrame(() => this.#course(), { later: true });
    this.settle = eachFrame(() => this.#settled(), { later: true });
  }

  #draft() {
    this.bar = new Bar({
      back: this.hooks.back, compare: (other) => this.compare(other), takeOver: () => this.takeOver(), say: (text) => this.say(text), again: () => this.draw()
    }, () => ({ id: this.id, step: this.transport.position }));
    this.reference = new Sheet("Reference");
    this.canvas = new Sheet("Canvas");
    this.asked = h("p", { class: "asked", hidden: true }); // in place of a picture
    this.reference.frame.append(this.asked);
    this.heat = h("canvas", { class: "over heat", hidden: true, role: "img", "aria-label": "Where the canvas differs from the reference" });
    this.outline = h("div", { class: "over" });
    this.canvas.frame.append(this.heat, this.outline);
    this.evidence = new Evidence(this.canvas.frame);
    this.left = h("figure", { class: "art a-ref" }, this.reference.frame, h("figcaption", { class: "between hide-s" }, this.leftName = h("b", {}, "Reference"), this.size = h("span", {})));
    this.step = h("b", {}, "Step 0");
    this.who = h("span", { class: "grow row" });
    this.score = h("b", { class: "now" }, "–");
    this.delta = h("span", { class: "tag" });
    const toggle = (name, label, key, act) => h("button", { type: "button", class: "btn ghost icon small", "aria-pressed": "false", "aria-label": label, title: `${label} (${key})`, "data-act": act, onclick: () => this[act]() }, icon(name));
    this.heatButton = toggle("heat", "Where the error remains", "D", "difference");
    this.pathButton = toggle("brush", "The stroke of this step", "S", "path");
    this.right = h("figure", { class: "art a-cv" }, this.canvas.frame, h("figcaption", {}, this.step, this.who, this.delta, this.pathButton, this.heatButton, this.score));
    this.switch = h("label", { class: "switch", hidden: true, title: "What the score rests on, over the canvas" },
      h("input", { type: "checkbox", role: "switch", checked: true, "data-evidence-switch": true, onchange: (event) => this.evidence.toggle(event.target.checked) }), "On the canvas");
    this.words = h("div", {});
    this.found = h("section", { class: "found", "aria-label": "Evidence", hidden: true }, h("div", { class: "row between" }, h("h3", {}, "Evidence"), this.switch), this.words);
    this.big = h("span", { class: "big" }, "–");
    this.near = h("div", { class: "xs sub pairs" });
    this.instruction = h("p", { class: "xs sub" });
    this.brief = h("div", { class: "brief" }, this.big, this.near, this.instruction, this.bar.live);
    this.summary = h("dl", { class: "summary" });
    this.check = h("span", { class: "xs mut check" });
    this.scale = h("span", { class: "xs row scale", hidden: true }, "0", h("i", { style: { background: GRADIENT } }), "1 mean error of a pixel");
    this.canvas.frame.append(this.scale);
    this.chart = h("section", { class: "card curve", "aria-label": "Replay" },
      h("div", { class: "row between" }, this.courseTitle = h("h3", {}, "Score over steps"), this.check, this.summary), this.scrubber.element, this.controls.element);
    this.creditButton = h("button", { type: "button", class: "btn small", "aria-pressed": "false", "data-act": "credit", title: "What the last canvas would lose without each stroke (K)", onclick: () => this.worth() }, "Credit");
    this.detailButton = h("button", { type: "button", class: "btn small", "aria-pressed": "false", "data-act": "details", title: "All that is known of this step (E)", onclick: () => this.details() }, icon("info"), "Details");
    this.tools = h("div", { class: "row between tools" }, this.creditWords = h("span", { class: "xs mut nowrap", role: "status" }), h("span", { class: "row" }, this.creditButton, this.detailButton));
    this.list.element.append(this.drawer.element, this.found, this.tools);
    this.body = h("div", { class: "watch" }, this.left, this.brief, this.right, this.chart, this.list.element);
    this.trouble = h("div", { hidden: true });
    this.element = h("section", { hidden: true }, this.bar.element, this.trouble, this.body);
  }

  /** Keep the pictures' size within `host`, whose child this is. */
  fit(host) { this.layout = pictureLayout(host, () => {}, { grid: this.body, below: this.chart, rail: [304, 400], inside: true }); }

  get id() { return this.lane.id; }

  /** The empty frames of a session that is on its way. */
  expect() {
    this.element.hidden = false;
    this.element.classList.add("loading");
    this.layout.refit(128);
  }

  /** Show the session of that id, at a step or at its newest; throws ApiError when it cannot be had. The latest call wins. */
  async open(id, { step = null, filter = "all", difference = false, details = false, credit = false } = {}) {
    this.close();
    this.listed = -1;
    const mine = ++this.turn, view = await getSession(id), bitmap = await pictureOf(view.task);
    if (mine !== this.turn) return;
    const { task } = view;
    this.reference.show(bitmap);
    this.#name(task);
    this.#conceal(task);
    this.bar.open(view, bitmap);
    setText(this.size, `${task.width} × ${task.height} px`);
    setText(this.courseTitle, `${scoreName(task)} over steps`);
    this.who.replaceChildren(playerTag(view.player));
    this.drawer.load(view);
    this.lane.open(view, bitmap);
    this.list.show(this.lane.record, task.width, view.seq);
    this.list.choose(filter);
    this.element.hidden = false;
    this.element.classList.remove("loading");
    this.layout.refit(task.width);
    this.transport.live = !this.lane.watched.finished;
    this.transport.load(view.step, step);
    this.difference(difference);
    this.details(details);
    this.#draw();
    this.drawChart();
    if (credit || OF_CREDIT.includes(filter)) this.worth();
  }

  /** Show another step of the session that is open; null is the newest. */
  seek(step) { this.transport.go(step ?? this.transport.length); }

  /* What the left picture is: a reference, or the task as its canvas began; a word to be written has no picture. */
  #name(task) {
    const name = isSemantic(task) ? "Task" : "Reference", written = task.kind === "handwriting";
    setText(this.leftName, name);
    this.reference.label(`${name}: ${task.title}`);
    this.reference.canvas.hidden = written;
    this.asked.hidden = !written;
    setText(this.asked, task.instruction);
    setText(this.instruction, isSemantic(task) ? task.instruction : "");
    this.heatButton.hidden = isSemantic(task); // the picture is where to draw, not what to match
    if (isSemantic(task)) this.difference(false);
  }

  /* No evidence yet; its place is kept where there will be some, so that nothing moves when it comes. */
  #conceal(task) {
    this.evidence.clear();
    this.switch.hidden = true;
    this.found.hidden = !isSemantic(task);
    this.words.replaceChildren(h("p", { class: "xs mut" }, "What the score rests on appears here at the end."));
    this.revealed = null;
  }

  /* The evidence of an ended session of a semantic task. */
  async #reveal() {
    const { id } = this;
    if (this.revealed === id) return;
    this.revealed = id;
    try {
      const overlay = await getOverlay(id);
      if (this.id !== id) return;
      await this.evidence.show(overlay);
      this.switch.hidden = false;
      this.switch.querySelector("input").checked = this.evidence.on;
      this.words.replaceChildren(legendOf(overlay), h("dl", { class: "facts" }, factsOf(overlay)));
      this.#moved();
    } catch (error) { if (this.id === id) this.say(`The evidence could not be loaded: ${error.message}`); }
  }

  /** Put the session away. */
  close() {
    this.turn += 1;
    this.bar.close();
    this.transport.pause();
    this.lane.close();
    this.credit.forget();
    this.#credited();
    delete this.element.dataset.ready;
    this.trouble.hidden = true;
    setText(this.check, "");
  }

  /** Go to the next (1) or the previous (-1) marked step. */
  jump(direction) {
    const steps = this.list.filter !== "all" && this.list.filter !== "marked" ? this.list.steps() : [...new Set([...this.#marks().map(({ step }) => step), bestStep(this.lane.view.curve)])].sort((a, b) => a - b);
    if (!this.transport.seek(steps, direction)) announce(direction > 0 ? "No mark ahead" : "No mark behind");
  }

  /* What is notable: where it was taken over, and what happened since. */
  #marks() {
    const { record, view: { parent } } = this.lane;
    return parent ? [{ kind: "fork", step: parent.step }, ...record.marks()] : record.marks();
  }

  /** Open or close the details of the step. */
  details(open = !this.drawer.open) {
    this.drawer.toggle(open);
    this.detailButton.setAttribute("aria-pressed", open);
    this.list.reveal();
    this.hooks.kept("details", open);
  }

  /** Show where the canvas differs from the reference, or stop. */
  difference(on = this.heat.hidden) {
    this.heat.hidden = !on || this.heatButton.hidden;
    this.scale.hidden = this.heat.hidden;
    this.heatButton.setAttribute("aria-pressed", !this.heat.hidden);
    this.hooks.kept("diff", !this.heat.hidden);
    if (!this.heat.hidden && this.lane.watched) this.#map();
  }

  /** Draw the path of the step's stroke over the canvas, or stop. */
  path(on = this.pathButton.getAttribute("aria-pressed") !== "true") {
    this.pathButton.setAttribute("aria-pressed", on);
    this.#outlined();
  }

  /** What each stroke is worth, in place of its gain; again takes it away. */
  worth() {
    const { credit, lane } = this;
    if (!lane.watched) return;
    const on = !(credit.loading || credit.ready);
    this.hooks.kept("credit", on);
    if (on) credit.ask(lane.id);
    else {
      credit.forget();
      this.#credited();
    }
  }

  /** Beside another session; without one the reader chooses. */
  compare(other = null) {
    const { view, task } = this.lane;
    if (other) this.hooks.compare([other, this.id]);
    else this.choose.open(task, [this.id], [view.parent?.session_id]);
  }

  takeOver() {
    const { view } = this.lane, step = this.transport.position, why = unable(view, step);
    if (why) announce(why);
    else this.takeover.open(view, step);
  }

  #connection({ waiting, seconds }) {
    this.trouble.hidden = !waiting;
    if (!waiting) return;
    this.trouble.replaceChildren(h("div", { class: "lost row", role: "alert" }, icon("warn"),
      h("span", { class: "grow" }, h("b", {}, "Connection lost."), ` This is the picture as it was; trying again ${seconds > 0 ? `in ${seconds} s` : "now"}.`),
      h("button", { type: "button", class: "btn small", onclick: () => this.lane.watched?.retryNow() }, "Try now")));
  }

  /** Say what went wrong, above the pictures. */
  say(text) {
    this.trouble.hidden = false;
    this.trouble.replaceChildren(h("div", { class: "lost row", role: "alert" }, icon("warn"), h("span", { class: "grow" }, text),
      h("button", { type: "button", class: "btn ghost icon small", "aria-label": "Dismiss", onclick: () => { this.trouble.hidden = true; } }, icon("x"))));
  }

  #grown() {
    this.transport.grow(this.lane.length, !this.lane.watched.finished);
    if (this.lane.record.length === this.listed) return;
    this.listed = this.lane.record.length;
    this.#follow();
  }

  /* Another step is wanted. Numbers follow at once, the picture as soon as it is painted. */
  #moved() {
    const { lane, transport } = this;
    if (!lane.watched) return;
    lane.show(transport.following ? null : transport.position);
    this.scrubber.move(transport.position);
    this.#follow();
    this.evidence.toggle(transport.following && this.switch.querySelector("input").checked);
    this.#outlined();
    this.#caption();
    this.settle();
  }

  /* The list and the details go along. */
  #follow() {
    const { lane: { record }, transport: { position, following } } = this;
    this.list.at(position, following);
    this.drawer.show(record, this.#index(), this.credit.values.get(record.at(this.#index())?.seq));
  }

  /* Place in the record of the step that is shown: -1 for the untouched canvas, the submit where one ends it. */
  #index() {
    const { transport: { position, following }, lane: { record } } = this;
    return following && record.length ? record.length - 1 : position - 1;
  }

  #shown() { if (!this.heat.hidden) this.#map(); }

  #map() { drawDifference(this.heat, this.canvas.pixels.read(), this.reference.pixels.read()); }

  #outlined() {
    const on = this.pathButton.getAttribute("aria-pressed") === "true", entry = this.lane.watched && this.lane.record.at(this.transport.position - 1);
    this.outline.replaceChildren(...(on && entry?.stroke ? [strokeOutline(entry, this.lane.task)] : []));
  }

  /* When scrubbing rests: the link, and what a screen reader hears. */
  #settled() { if (this.lane.watched) this.hooks.stepped(this.lane.atHead ? null : this.transport.position); }

  #caption() {
    const { lane, transport } = this, { view, task, watched: { finished } } = lane, { position } = transport, values = view.curve;
    const score = values[position] ?? values.at(-1), gain = position ? score - values[position - 1] : null, ended = finished && lane.atHead;
    setText(this.step, ended && view.step ? `Final, step ${view.step}` : `Step ${position}`);
    this.canvas.label(`Canvas after ${position} steps, ${scoreWord(task)} ${f3(score)}`);
    for (const place of [this.score, this.big]) setText(place, f3(score));
    const tone = gain == null || Math.abs(gain) < IDLE ? "" : gain > 0 ? "acc" : "bad";
    setText(this.delta, gain == null || ended ? "" : signed(gain));
    this.delta.className = `tag hide-s ${tone}`;
    const anchors = anchorsOf(task), above = nextAnchor(anchors, score), below = passedAnchor(anchors, score);
    const near = (anchor, none) => (anchor ? `${anchor.name} ${f3(anchor.value)}` : none);
    this.near.hidden = isSemantic(task);
    this.near.replaceChildren(h("span", {}, "Next anchor"), h("b", {}, near(above, "all passed")), h("span", {}, "Last passed"), h("b", {}, near(below, "none yet")));
    this.bar.draw(lane.watched, position);
  }

  #draw() {
    const { lane } = this;
    if (!lane.watched) return;
    const { view, task, record, watched: { finished } } = lane, values = view.curve, score = values.at(-1);
    this.#caption();
    const at = bestStep(values), best = values[at];
    const fact = (name, value, note = "") => h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, value), note ? h("span", { class: "mut" }, ` ${note}`) : null));
    this.summary.replaceChildren(fact(finished ? "Final" : "Now", f3(score)), fact("Best", view.step ? f3(best) : "–", view.step ? `step ${at}` : ""), fact("Gap", view.step ? f3(best - score) : "–"));
    if (finished && isSemantic(task)) this.#reveal();
    this.list.draw();
    this.#outlined();
    const last = record.at(record.length - 1);
    if (last && record.length === view.seq && this.told !== `${lane.id} ${view.seq}`) {
      this.told = `${lane.id} ${view.seq}`;
      if (finished) announce(`Finished with ${scoreWord(task)} ${f3(score)}, best ${f3(best)} at step ${at}`);
    }
  }

  #drawControls() {
    if (!this.lane.watched) return;
    const kinds = new Set(this.#marks().map(({ kind }) => kind));
    if (this.lane.length) kinds.add("best");
    this.controls.draw(kinds);
  }

  #course() {
    const { lane } = this;
    if (!lane.watched) return;
    const { view, task } = lane, anchors = anchorsOf(task), values = view.curve;
    const top = nextAnchor(anchors, values.reduce((a, b) => Math.max(a, b)))?.value ?? 1; // what lies far above would flatten the curve
    const same = (step) => step;
    this.scrubber.show({
      lanes: [{ name: view.player.name, colour: "", values, at: same, place: same }], total: lane.total, length: lane.length, anchors: anchors.filter(({ value }) => value <= top),
      marks: this.#marks().map(({ kind, step }) => ({ kind, step, position: step })), score: scoreName(task), ends: ["0", view.protocol === "practice" ? "" : String(task.budget)],
      short: String, tell: (step) => `Step ${step}, ${scoreWord(task)} ${f3(values[Math.min(step, values.length - 1)])}`,
    });
    this.scrubber.move(this.transport.position);
    this.#drawControls();
  }

  /* Every picture that is painted here is held against the digest that was recorded with it. */
  #check() {
    const { projector } = this.lane, { able, upto, wrong } = projector.checks;
    this.check.classList.toggle("bad", wrong.length > 0);
    setText(this.check, wrong.length ? `${plural(wrong.length, "picture")} not as recorded, the first at step ${wrong[0]}` : !able ? "" : upto < projector.length ? `${upto} of ${projector.length} pictures checked` : upto ? "all pictures as recorded" : "");
  }

  #credited() {
    const { credit } = this, shown = credit.ready || credit.loading;
    this.creditButton.setAttribute("aria-pressed", shown);
    if (credit.trouble && OF_CREDIT.includes(this.list.filter)) this.list.choose("all");
    setText(this.creditButton, credit.loading ? "Stop" : "Credit");
    if (credit.ready || !shown) this.list.value(credit.ready ? credit.values : null);
    if (credit.ready) this.#follow();
    const all = [...credit.values.values()], harmful = all.filter((found) => found.credit < -IDLE).length, idle = all.filter((found) => Math.abs(found.credit) < IDLE).length;
    setText(this.creditWords, credit.trouble || (credit.loading ? `Without each stroke: ${credit.done} of ${credit.of || "…"}` : credit.ready ? `Credit: ${harmful} harm, ${idle} change under .0005` : ""));
    this.creditWords.title = this.creditWords.textContent;
  }
}
