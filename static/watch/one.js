/* One session: reference or task and canvas side by side, its curve and its actions, live or as it ended. */
import { course, markGlyph } from "../charts.js";
import { copyButton } from "../copy.js";
import { announce, bestStep, eachFrame, f3, h, icon, setText, signed } from "../dom.js";
import { Evidence, factsOf, legendOf } from "../evidence.js";
import { pictureLayout } from "../layout.js";
import { playerTag } from "../players.js";
import { getOverlay, getSession, watchUrl } from "../session/api.js";
import { takeTurn } from "../session/guest.js";
import { guestOf, tokenOf } from "../session/library.js";
import { MINUTE, lively } from "../session/lively.js";
import { Watched } from "../session/watched.js";
import { Sheet, pictureOf } from "../sheet.js";
import { openTab } from "../tabs.js";
import { RULES, anchorsOf, easelOf, isSemantic, nextAnchor, passedAnchor, scoreName, scoreWord } from "../tasks.js";
import { ActionList } from "./actions.js";

const MARKS = [["best", "Best"], ["drop", "Biggest drop"], ["repeat", "Repeat"], ["undo", "Undo"], ["refused", "Rejected or invalid"]];

export class One {
  /** `back()` leads to all sessions; `tab` is the tab that this is shown in. */
  constructor(back, tab) {
    Object.assign(this, { tab, watched: null, turn: 0 });
    this.#draft(back);
    this.list = new ActionList();
    this.list.element.append(this.found);
    this.body = h("div", { class: "watch" }, this.left, this.brief, this.right, this.chart, this.list.element);
    this.trouble = h("div", { hidden: true });
    this.element = h("section", { hidden: true }, this.bar, this.trouble, this.body);
    this.draw = eachFrame(() => this.#draw());
    this.drawChart = eachFrame(() => this.#course(), { later: true });
  }

  #draft(back) {
    this.thumb = h("canvas", { class: "thumb hide-s", width: 96, height: 96, "aria-hidden": "true" });
    this.title = h("h1", { tabindex: -1 }, "\u00a0");
    this.meta = h("div", { class: "meta" }, "\u00a0");
    this.state = h("div", { class: "row wide bar-state" });
    this.bar = h("div", { class: "es-bar between" },
      h("div", { class: "row wide bar-task" },
        h("button", { type: "button", class: "btn icon", "aria-label": "All sessions", title: "All sessions", onclick: back }, icon("grid")),
        this.thumb, h("div", { class: "bar-title" }, this.title, this.meta)),
      this.state);
    this.reference = new Sheet("Reference");
    this.canvas = new Sheet("Canvas");
    this.asked = h("p", { class: "asked", hidden: true }); // in place of a picture
    this.reference.frame.append(this.asked);
    this.evidence = new Evidence(this.canvas.frame);
    this.left = h("figure", { class: "art a-ref" }, this.reference.frame, h("figcaption", { class: "between hide-s" }, this.leftName = h("b", {}, "Reference"), this.size = h("span", {})));
    this.step = h("b", {}, "Step 0");
    this.who = h("span", { class: "grow row" });
    this.score = h("b", { class: "now" }, "–");
    this.delta = h("span", { class: "tag" });
    this.switch = h("label", { class: "switch", hidden: true, title: "What the score rests on, over the canvas" },
      h("input", { type: "checkbox", role: "switch", checked: true, "data-evidence-switch": true, onchange: (event) => this.evidence.toggle(event.target.checked) }), "On the canvas");
    this.right = h("figure", { class: "art a-cv" }, this.canvas.frame, h("figcaption", {}, this.step, this.who, this.delta, this.score));
    this.words = h("div", {});
    this.found = h("section", { class: "found", "aria-label": "Evidence", hidden: true }, h("div", { class: "row between" }, h("h3", {}, "Evidence"), this.switch), this.words);
    this.big = h("span", { class: "big" }, "–");
    this.near = h("div", { class: "xs sub pairs" });
    this.live = h("div", { class: "row xs" });
    this.instruction = h("p", { class: "xs sub" });
    this.brief = h("div", { class: "brief" }, this.big, this.near, this.instruction, this.live);
    this.summary = h("dl", { class: "summary" });
    this.plot = h("div", { class: "plot" });
    this.legend = h("div", { class: "legend hide-s" }, MARKS.map(([kind, name]) => h("span", { "data-mark": kind }, markGlyph(kind), name)));
    this.chart = h("section", { class: "card curve", "aria-label": "Score over steps" },
      h("div", { class: "row between" }, this.courseTitle = h("h3", {}, "Score over steps"), this.legend, this.summary), this.plot);
    new ResizeObserver(() => this.drawChart()).observe(this.plot);
  }

  /** Keep the pictures' size within `host`, whose child this is. */
  fit(host) { this.layout = pictureLayout(host, () => {}, { grid: this.body, below: this.chart, rail: [304, 400] }); }

  get id() { return this.watched?.id ?? null; }

  /** The empty frames of a session that is on its way. */
  expect() {
    this.element.hidden = false;
    this.element.classList.add("loading");
    this.layout.refit(128);
  }

  /** Show the session of that id; throws ApiError when it cannot be had. The latest call wins. */
  async open(id) {
    this.close();
    const mine = ++this.turn, view = await getSession(id), bitmap = await pictureOf(view.task);
    if (mine !== this.turn) return;
    const { task } = view;
    this.reference.show(bitmap);
    this.#name(task);
    this.canvas.blank(task.width);
    this.#conceal(task);
    const context = this.thumb.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, 96, 96);
    this.thumb.hidden = task.kind === "handwriting"; // a blank sheet
    setText(this.size, `${task.width} × ${task.height} px`);
    setText(this.title, task.title);
    setText(this.courseTitle, `${scoreName(task)} over steps`);
    this.title.title = task.title;
    this.who.replaceChildren(playerTag(view.player));
    this.stateKey = null;
    this.watched = new Watched(view, {
      pixels: this.canvas.pixels, tab: this.tab,
      hooks: {
        changed: () => { this.draw(); this.drawChart(); },
        drawn: () => { this.element.dataset.ready = id; },
        connection: (state) => this.#connection(state),
      },
    });
    this.list.show(this.watched.record, task.width, view.seq);
    this.element.hidden = false;
    this.element.classList.remove("loading");
    this.layout.refit(task.width);
    this.#draw();
    this.drawChart();
  }

  /* What the left picture is: a reference, or the task as its canvas began; a word to be written has no picture. */
  #name(task) {
    const name = isSemantic(task) ? "Task" : "Reference", written = task.kind === "handwriting";
    setText(this.leftName, name);
    this.reference.label(`${name}: ${task.title}`);
    this.reference.canvas.hidden = written;
    this.asked.hidden = !written;
    setText(this.asked, task.instruction);
    setText(this.instruction, isSemantic(task) ? task.instruction : "");
  }

  /* No evidence yet; its place is kept where there will be some, so that nothing moves when it comes. */
  #conceal(task) {
    this.evidence.clear();
    this.switch.hidden = true;
    this.found.hidden = !isSemantic(task);
    this.words.replaceChildren(h("p", { class: "xs mut" }, "What the score rests on appears here at the end."));
    this.shown = null;
  }

  /* The evidence of an ended session of a semantic task. */
  async #reveal() {
    const { id } = this.watched;
    if (this.shown === id) return;
    this.shown = id;
    try {
      const overlay = await getOverlay(id);
      if (this.id !== id) return;
      await this.evidence.show(overlay);
      this.switch.hidden = false;
      this.switch.querySelector("input").checked = this.evidence.on;
      this.words.replaceChildren(legendOf(overlay), h("dl", { class: "facts" }, factsOf(overlay)));
    } catch (error) { if (this.id === id) this.say(`The evidence could not be loaded: ${error.message}`); }
  }

  /** Put the session away. */
  close() {
    this.turn += 1;
    clearTimeout(this.still);
    this.watched?.close();
    this.watched = null;
    delete this.element.dataset.ready;
    this.trouble.hidden = true;
  }

  #connection({ waiting, seconds }) {
    this.trouble.hidden = !waiting;
    if (!waiting) return;
    this.trouble.replaceChildren(h("div", { class: "lost row", role: "alert" }, icon("warn"),
      h("span", { class: "grow" }, h("b", {}, "Connection lost."), ` This is the picture as it was; trying again ${seconds > 0 ? `in ${seconds} s` : "now"}.`),
      h("button", { type: "button", class: "btn small", onclick: () => this.watched?.retryNow() }, "Try now")));
  }

  #draw() {
    const { watched } = this;
    if (!watched) return;
    const { view, task, record, finished } = watched, values = view.curve, score = values.at(-1), gain = view.step ? score - values.at(-2) : null;
    const of = view.steps_left == null ? "" : ` of ${task.budget}`;
    setText(this.step, finished && view.step ? `Final, step ${view.step}` : `Step ${view.step}${of}`);
    this.canvas.label(`Canvas after ${view.step} steps, ${scoreWord(task)} ${f3(score)}`);
    for (const place of [this.score, this.big]) setText(place, f3(score));
    const tone = gain == null || Math.abs(gain) < 0.0005 ? "" : gain > 0 ? "acc" : "bad";
    setText(this.delta, gain == null || finished ? "" : signed(gain));
    this.delta.className = `tag hide-s ${tone}`;
    const anchors = anchorsOf(task), above = nextAnchor(anchors, score), below = passedAnchor(anchors, score);
    const near = (anchor, none) => (anchor ? `${anchor.name} ${f3(anchor.value)}` : none);
    this.near.hidden = isSemantic(task);
    this.near.replaceChildren(h("span", {}, "Next anchor"), h("b", {}, near(above, "all passed")), h("span", {}, "Last passed"), h("b", {}, near(below, "none yet")));
    const at = bestStep(values), best = values[at];
    const fact = (name, value, note = "") => h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, value), note ? h("span", { class: "mut" }, ` ${note}`) : null));
    this.summary.replaceChildren(fact(finished ? "Final" : "Now", f3(score)), fact("Best", view.step ? f3(best) : "–", view.step ? `step ${at}` : ""), fact("Gap", view.step ? f3(best - score) : "–"));
    if (finished && isSemantic(task)) this.#reveal();
    this.list.draw();
    this.#meta(view);
    this.#state();
    const last = record.at(record.length - 1);
    if (last && record.length === view.seq && this.told !== `${watched.id} ${view.seq}`) {
      this.told = `${watched.id} ${view.seq}`;
      if (finished) announce(`Finished with ${scoreWord(task)} ${f3(score)}, best ${f3(best)} at step ${at}`);
    }
  }

  #meta({ protocol, task, step, status, ranked }) {
    const end = { spent: "budget spent", submitted: `submitted after ${step} steps` }[status];
    const rules = `${RULES[protocol]?.label ?? protocol} rules`;
    setText(this.meta, [rules, protocol === "practice" ? null : `${task.budget} steps`, end, !ranked && protocol !== "practice" ? "not ranked" : null].filter(Boolean).join(", "));
  }

  /* What happens and what can be done; rebuilt only when it changes, so that a focused button keeps its focus. */
  #state() {
    const { watched } = this, { finished, turn, view } = watched, token = tokenOf(watched.id), mine = token && !guestOf(watched.id);
    const painting = lively({ open: !finished, seq: view.seq, at: watched.lastAt });
    clearTimeout(this.still);
    if (painting) this.still = setTimeout(this.draw, watched.lastAt + MINUTE - Date.now()); // no event tells of a player that left
    const key = [watched.id, finished, view.seq > 0, painting, turn.shared, turn.guest, Boolean(mine)].join();
    if (key === this.stateKey) return;
    this.stateKey = key;
    const { name } = view.player;
    const says = finished ? ["Finished", ""] : turn.guest ? [`${turn.guest} has the brush`, `, ${name} waits`] 
      : painting ? [name, " is painting"] : ["Open", view.seq ? `, ${name} pauses` : ", no stroke yet"];
    const status = () => h("span", { class: "row who", title: says.join("") }, h("span", { class: painting || (turn.guest && !finished) ? "live" : "live off" }),
      h("span", { class: "nowrap" }, h("b", {}, says[0]), h("span", { class: "sub" }, says[1])));
    const act = finished ? null : mine ? h("button", { type: "button", class: "btn primary", onclick: () => openTab(easelOf(watched.task), { session: watched.id }) }, icon("brush"), "Paint on")
      : turn.shared ? this.#take() : null;
    this.state.replaceChildren(...[h("span", { class: "hide-s" }, status()), copyButton(watchUrl(watched.id), { class: "btn hide-s" }), act].filter(Boolean));
    this.live.replaceChildren(status(), copyButton(watchUrl(watched.id), { class: "btn ghost tight" }));
  }

  #take() {
    const { id, task } = this.watched;
    return h("button", {
      type: "button", class: "btn primary", title: "Paint strokes in this painting; the player waits until you hand back",
      onclick: () => takeTurn(id, task).catch((error) => this.say(error.message)),
    }, icon("brush"), "Take a turn");
  }

  /** Say what went wrong, above the pictures. */
  say(text) {
    this.trouble.hidden = false;
    this.trouble.replaceChildren(h("div", { class: "lost row", role: "alert" }, icon("warn"), h("span", { class: "grow" }, text),
      h("button", { type: "button", class: "btn ghost icon small", "aria-label": "Dismiss", onclick: () => { this.trouble.hidden = true; } }, icon("x"))));
  }

  #course() {
    const { watched } = this;
    if (!watched) return;
    const { view, task, record } = watched, marks = record.marks(), anchors = anchorsOf(task);
    const top = nextAnchor(anchors, Math.max(...view.curve))?.value ?? 1; // what lies far above would flatten the curve
    course(this.plot, view.curve, view.steps_left == null ? null : task.budget, anchors.filter(({ value }) => value <= top), marks, scoreName(task));
    const seen = new Set(["best", ...marks.map(({ kind }) => kind)]);
    for (const item of this.legend.children) item.hidden = !seen.has(item.dataset.mark);
  }
}
