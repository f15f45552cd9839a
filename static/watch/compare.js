/* Several sessions of one task side by side, on one scrubber. */
import { copyButton } from "../copy.js";
import { GRADIENT, drawDifference } from "../difference.js";
import { announce, bestStep, eachFrame, f3, h, icon, plural, setText } from "../dom.js";
import { pictureLayout } from "../layout.js";
import { playerTag } from "../players.js";
import { Scrubber } from "../replay/scrubber.js";
import { Transport } from "../replay/transport.js";
import { ApiError, getSession } from "../session/api.js";
import { Sheet, pictureOf } from "../sheet.js";
import { anchorsOf, nextAnchor, scoreName, scoreWord } from "../tasks.js";
import { Choose } from "./choose.js";
import { Controls } from "./controls.js";
import { Lane } from "./lane.js";
import { leaders } from "./lead.js";

/** Sessions side by side at most. */
export const MOST = 4;
const PARTS = 200; // positions of the budget as a whole

/* One of the pictures with its caption. */
class Side {
  constructor(compare, index) {
    this.colour = `p${index + 1}`;
    this.sheet = new Sheet("Canvas");
    this.over = h("canvas", { class: "over heat", hidden: true, role: "img", "aria-label": "Where this canvas differs from the first" });
    this.sheet.frame.append(this.over);
    this.step = h("b", {}, "Step 0");
    this.who = h("span", { class: "grow row" });
    this.score = h("b", { class: "now" }, "–");
    this.element = h("figure", { class: "art a-side" }, this.sheet.frame, h("figcaption", {}, h("i", { class: `dash ${this.colour}`, "aria-hidden": "true" }), this.step, this.who,
      this.open = h("a", { class: "btn ghost icon small", "aria-label": "Open this painting alone", title: "Open this painting alone" }, icon("eye")),
      this.drop = h("button", { type: "button", class: "btn ghost icon small", "aria-label": "Take it away", title: "Take it away", onclick: () => compare.without(this.lane.id) }, icon("x")), this.score));
    this.lane = new Lane(this.sheet, compare.tab, { changed: () => compare.grown(), shown: () => compare.shown(this), ready: () => compare.ready(), connection: (state) => compare.connection(state) });
  }
}

export class Compare {
  /** `hooks`: ids(list) asks for other sessions, back() for the first alone, open(id) for one, moved(position) and by(unit), difference(on) for the link. */
  constructor(hooks, tab) {
    Object.assign(this, { hooks, tab, sides: [], turn: 0, by: "step", different: false });
    this.transport = new Transport({ moved: () => this.#moved(), changed: () => this.drawControls() });
    this.scrubber = new Scrubber((position) => this.transport.go(position));
    this.controls = new Controls(this.transport, (direction) => this.jump(direction));
    this.choose = new Choose((id) => hooks.ids([...this.ids, id]));
    this.title = h("h1", { tabindex: -1 }, "\u00a0");
    this.meta = h("div", { class: "meta" }, "\u00a0");
    this.units = h("div", { class: "seg", role: "group", "aria-label": "What is set side by side" }, [["step", "By step"], ["budget", "By budget"]].map(([unit, label]) => h("button", { type: "button", "data-by": unit, onclick: () => this.measure(unit) }, label)));
    this.heat = h("button", { type: "button", class: "btn", "aria-pressed": "false", title: "Where each canvas differs from the first (D)", "data-act": "difference", onclick: () => this.difference() }, icon("heat"), h("span", { class: "hide-s" }, "Difference"));
    this.add = h("button", { type: "button", class: "btn", title: "One more painting of this task (C)", "data-act": "add", onclick: () => this.more() }, icon("plus"), h("span", { class: "hide-s" }, "Add"));
    this.bar = h("div", { class: "es-bar between" },
      h("div", { class: "row wide bar-task" }, h("button", { type: "button", class: "btn icon", "aria-label": "Back to the first alone", title: "Back to the first alone (esc)", onclick: hooks.back }, icon("back")), h("div", { class: "bar-title" }, this.title, this.meta)),
      h("div", { class: "row bar-acts" }, this.units, this.heat, this.add, copyButton(() => location.href, { class: "btn hide-s" })));
    this.reference = new Sheet("Reference");
    this.left = h("figure", { class: "art a-side a-ref" }, this.reference.frame, h("figcaption", {}, h("b", {}, "Reference")));
    this.pictures = h("div", { class: "side-by-side" });
    this.led = h("p", { class: "sm led-words", role: "status" });
    this.scale = h("span", { class: "xs mut row scale-line", hidden: true }, "Difference from the first: 0", h("i", { style: { background: GRADIENT } }), "1");
    this.chart = h("section", { class: "card curve", "aria-label": "Replay" }, h("div", { class: "row between" }, this.courseTitle = h("h3", {}, "\u00a0"), this.scale, this.led), this.scrubber.element, this.controls.element);
    this.trouble = h("div", { hidden: true });
    this.body = h("div", { class: "compare" }, this.pictures, this.chart);
    this.element = h("section", { hidden: true }, this.bar, this.trouble, this.body);
    this.draw = eachFrame(() => this.#draw());
    this.drawControls = eachFrame(() => { if (this.sides.length) this.controls.draw(new Set(["best"])); });
    this.drawChart = eachFrame(() => this.#course(), { later: true });
    this.settle = eachFrame(() => { if (this.sides.length) hooks.moved(this.transport.following ? null : this.transport.position); }, { later: true });
  }

  get ids() { return this.sides.map(({ lane }) => lane.id); }
  get lanes() { return this.sides.map(({ lane }) => lane); }
  get task() { return this.sides[0].lane.task; }

  /* The pictures are as large as so many of them can be. */
  #refit() {
    this.layout ??= pictureLayout(this.body, () => {}, { grid: this.pictures, below: this.chart, rail: [0, 0], smallest: 200, inside: true });
    this.layout.refit(this.task.width, this.sides.length + 1);
  }

  /** Show sessions of one task; throws ApiError when one cannot be had. The latest call wins. */
  async open(ids, { position = null, by = "step", difference = false } = {}) {
    this.close();
    const mine = ++this.turn, views = await Promise.all(ids.slice(0, MOST).map(getSession)), { task } = views[0];
    const other = views.find((view) => view.task.id !== task.id);
    if (other) throw new ApiError(`Only paintings of one task can be compared; one of these is “${task.title}”, another “${other.task.title}”.`);
    const bitmap = await pictureOf(task);
    if (mine !== this.turn) return;
    this.by = by === "budget" ? "budget" : "step";
    this.reference.show(bitmap);
    this.reference.label(`Reference: ${task.title}`);
    this.sides = views.map((view, index) => new Side(this, index));
    this.pictures.replaceChildren(this.left, ...this.sides.map(({ element }) => element));
    views.forEach((view, k) => {
      const { lane, who, open } = this.sides[k];
      lane.open(view, bitmap);
      who.replaceChildren(playerTag(view.player), ...(view.parent ? [h("span", { class: "tag", title: `Goes on from step ${view.parent.step} of another painting` }, icon("fork"), String(view.parent.step))] : []));
      open.setAttribute("aria-label", `Open the painting of ${view.player.name} alone`);
      open.href = `?tab=watch&session=${encodeURIComponent(view.session_id)}`;
      open.onclick = (event) => { if (event.ctrlKey || event.metaKey || event.shiftKey) return; event.preventDefault(); this.hooks.open(view.session_id); };
    });
    setText(this.title, task.title);
    setText(this.meta, views.length > 1 ? `${views.length} paintings side by side` : "Choose another painting of this task");
    setText(this.courseTitle, scoreName(task));
    Object.assign(this.add, { disabled: views.length >= MOST, title: views.length >= MOST ? `${MOST} at most: take one away first` : "One more painting of this task (C)" });
    this.element.hidden = false;
    this.#refit();
    this.transport.live = this.lanes.some(({ watched }) => !watched.finished);
    this.#measure();
    this.transport.load(this.#length(), position);
    this.difference(difference);
    this.draw();
    this.drawChart();
    if (views.length < 2) this.more();
  }

  close() {
    this.turn += 1;
    this.transport.pause();
    for (const lane of this.lanes) lane.close();
    this.sides = [];
    this.scrubber.clear();
    delete this.element.dataset.ready;
    this.trouble.hidden = true;
  }

  /** Without one of the sessions. */
  without(id) {
    const rest = this.ids.filter((other) => other !== id);
    if (rest.length > 1) this.hooks.ids(rest);
    else this.hooks.open(rest[0]);
  }

  /** Ask for one more. */
  more() {
    if (this.sides.length >= MOST) announce(`${MOST} at most: take one away first`);
    else this.choose.open(this.task, this.ids, this.lanes.map(({ view }) => view.parent?.session_id));
  }

  /** Go to the next (1) or the previous (-1) change of the lead, best step or fork. */
  jump(direction) { if (!this.transport.seek(this.#turns(), direction)) announce(direction > 0 ? "No mark ahead" : "No mark behind"); }

  seek(position) { this.transport.go(position ?? this.transport.length); }

  /** Set side by side what is at the same step, or at the same share of the budget. */
  measure(by) {
    if (by === this.by) return;
    const { following } = this.transport, share = this.transport.position / Math.max(1, this.#total());
    this.by = by;
    this.#measure();
    this.hooks.by(by);
    this.transport.length = this.#length();
    this.transport.go(following ? this.transport.length : share * this.#total());
    this.#moved();
    this.drawChart();
  }

  #measure() {
    for (const button of this.units.children) button.setAttribute("aria-pressed", button.dataset.by === this.by);
    this.transport.unit = this.by === "budget" ? PARTS / Math.max(...this.lanes.map((lane) => this.#whole(lane))) : 1;
  }

  /* Steps of a lane that count as its whole: the budget, or all that was made where there is none. */
  #whole(lane) { return lane.view.protocol === "practice" ? Math.max(1, lane.length) : lane.task.budget; }
  #stepAt(lane, position) { return Math.min(lane.length, this.by === "step" ? position : Math.floor((position * this.#whole(lane)) / PARTS)); }
  #place(lane, step) { return this.by === "step" ? step : (step * PARTS) / this.#whole(lane); }
  #total() { return this.by === "step" ? Math.max(...this.lanes.map(({ total }) => total)) : PARTS; }
  #length() { return Math.ceil(Math.max(...this.lanes.map((lane) => this.#place(lane, lane.length)))); }

  /** Show where the canvases differ from the first, or stop. */
  difference(on = !this.different) {
    this.different = on;
    this.heat.setAttribute("aria-pressed", on);
    this.scale.hidden = !on;
    this.sides.forEach(({ over }, k) => { over.hidden = !on || k === 0; });
    this.hooks.difference(on);
    if (on) this.#maps();
  }

  #maps() { for (const side of this.sides.slice(1)) drawDifference(side.over, side.sheet.pixels.read(), this.sides[0].sheet.pixels.read()); }

  /* A picture is there: the maps are of the pictures as they are. */
  shown() { if (this.different && this.sides.length > 1) this.#maps(); }
  ready() { if (this.lanes.every(({ watched }) => watched)) this.element.dataset.ready = this.ids.join(); }

  grown() {
    if (!this.sides.length || this.lanes.some(({ watched }) => !watched)) return;
    this.transport.grow(this.#length(), this.lanes.some(({ watched }) => !watched.finished));
    this.#moved();
    this.draw();
    this.drawChart();
  }

  connection({ waiting, seconds }) {
    this.trouble.hidden = !waiting;
    if (waiting) this.trouble.replaceChildren(h("div", { class: "lost row", role: "alert" }, icon("warn"), h("span", { class: "grow" }, h("b", {}, "Connection lost."), ` These are the pictures as they were; trying again ${seconds > 0 ? `in ${seconds} s` : "now"}.`)));
  }

  #moved() {
    const { transport, sides } = this;
    if (!sides.length || this.lanes.some(({ watched }) => !watched)) return;
    for (const { lane, step, score, sheet } of sides) {
      const at = this.#stepAt(lane, transport.position), value = lane.view.curve[at];
      lane.show(transport.following ? null : at);
      setText(step, at === lane.length && lane.watched.finished && at < transport.position && this.by === "step" ? `Step ${at}, ended` : `Step ${at}`);
      setText(score, f3(value));
      sheet.label(`Canvas of ${lane.view.player.name} after ${at} steps, ${scoreWord(lane.task)} ${f3(value)}`);
    }
    const values = sides.map(({ lane }) => lane.view.curve[this.#stepAt(lane, transport.position)]), top = Math.max(...values);
    sides.forEach(({ element }, k) => element.classList.toggle("leads", sides.length > 1 && values[k] === top && values.filter((value) => value === top).length === 1));
    this.scrubber.move(transport.position);
    this.settle();
  }

  /* The lead while all of them painted: who has ended holds no lead, and gives none away. */
  #lead() { return leaders((position) => this.lanes.map((lane) => lane.view.curve[this.#stepAt(lane, position)]), this.#common(), this.sides.length); }
  #common() { return Math.floor(Math.min(...this.lanes.map((lane) => this.#place(lane, lane.length)))); }

  /* Where the lead is taken, where a session is at its best, where one was taken over. */
  #turns() {
    const { runs } = this.#lead(), turns = runs.filter(({ lane }, k) => lane !== runs[k - 1]?.lane).map(({ from }) => from + 1);
    for (const lane of this.lanes) turns.push(...[bestStep(lane.view.curve), lane.view.parent?.step ?? 0].map((step) => Math.round(this.#place(lane, step))));
    return [...new Set(turns)].filter((position) => position > 0).sort((p, q) => p - q);
  }

  #draw() {
    const { sides } = this;
    if (sides.length < 2) { setText(this.led, ""); return; }
    const { held, changes, last } = this.#lead(), total = this.#common(), order = sides.map((_, k) => k).sort((p, q) => held[q] - held[p]);
    const at = (position) => (this.by === "step" ? `step ${position}` : `${Math.round((100 * position) / PARTS)} %`), name = (k) => h("b", {}, h("i", { class: `dash ${sides[k].colour}`, "aria-hidden": "true" }), sides[k].lane.view.player.name);
    const [first] = order, share = this.by === "step" ? `${held[first]} of the ${plural(total, "step")} that all have` : `${Math.round((100 * held[first]) / Math.max(1, total))} % of the way that all have come`;
    const ends = sides.map(({ lane }) => lane.view.curve.at(-1)), top = Math.max(...ends), ahead = ends.filter((score) => top - score < 5e-7).length === 1 ? ends.indexOf(top) : null;
    this.led.replaceChildren(...(held[first] ? [name(first), ` led ${share}; `, changes ? `the lead changed ${changes === 1 ? "once" : `${changes} times`}, last at ${at(last)}; ` : ""] : [`A tie in the ${this.by === "step" ? `${plural(total, "step")} that all have` : "part that all have come"}; `]),
      ...(ahead === null ? ["a tie at the end"] : [name(ahead), ` ${this.transport.live ? "is ahead" : "ends ahead"}`]));
    this.led.title = this.led.textContent;
  }

  #course() {
    const { sides, lanes } = this;
    if (!sides.length) return;
    const anchors = anchorsOf(this.task), best = Math.max(...lanes.map(({ view }) => view.curve.reduce((a, b) => Math.max(a, b)))), top = nextAnchor(anchors, best)?.value ?? 1;
    const step = this.by === "step", short = (position) => (step ? String(position) : `${Math.round((100 * position) / PARTS)} %`);
    this.scrubber.show({
      lanes: sides.map(({ lane, colour }) => ({ name: lane.view.player.name, colour, values: lane.view.curve, at: (position) => this.#stepAt(lane, position), place: (at) => this.#place(lane, at) })),
      total: this.#total(), length: this.#length(), anchors: anchors.filter(({ value }) => value <= top), marks: [], strip: sides.length > 1 ? this.#lead().runs.map(({ from, to, lane }) => ({ from, to, colour: sides[lane].colour })) : [],
      score: scoreName(this.task), ends: step ? ["0", String(this.#total())] : ["0 %", "100 %"], short,
      tell: (position) => `${step ? "Step" : "Budget"} ${short(position)}: ${lanes.map((lane) => `${lane.view.player.name} ${f3(lane.view.curve[this.#stepAt(lane, position)])}`).join(", ")}`,
    });
    this.scrubber.move(this.transport.position);
  }
}
