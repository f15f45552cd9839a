/* The form of a task: what it tests, its turns as tabs, and of the turn on show prompt, pictures, golden answer, tool chain and rubric. */
import { announce, clamp, h, setText } from "../dom.js";
import { CATEGORIES, DOMAINS, MOST_TURNS, blankTurn, moved, withTurn, without } from "./authordocument.js";
import { Labelled, area, button, iconButton, linkButton, setValue, sortable, tooLong } from "./authorfields.js";
import { Items } from "./authoritems.js";
import { TurnPictures, filesOf } from "./authorpictures.js";
import { counted } from "./words.js";

const LONGEST = 100_000;
const TEXTS = [
  ["prompt", "Prompt", "What the model is asked, word for word.", 4, false],
  ["golden_answer", "Golden answer", "What an expert answers; the judge sees it, the models do not.", 3, false],
  ["tool_trajectory", "Reference tool chain", "Which tools in which order lead to it, such as: crop the label, enlarge it, read it, calculator.", 2, true],
];
const act = (label, glyph, run, attributes = {}) => iconButton(label, glyph, run, { kind: "", ...attributes });

export class Editor {
  /**
   * Of a TaskDocument. `hooks`: upload(file), zoom(pictures, at, nameOf), turned(at) when another turn is on show, views() of pictures by digest,
   * known(view) of a new one, sending(count) of pictures on their way.
   */
  constructor(document_, hooks) {
    Object.assign(this, { document: document_, hooks, at: 0, missing: [] });
    const write = (name) => ({ target }) => this.#change({ ...this.task, [name]: target.value }, name);
    this.title = h("input", { type: "text", class: "field", maxlength: 80, autocomplete: "off", oninput: write("title") });
    this.category = h("select", { class: "field", onchange: ({ target }) => this.#change({ ...this.task, category: target.value || null }) },
      h("option", { value: "" }, "Choose one"),
      CATEGORIES.map(([value, label, several]) => h("option", { value }, `${label}, ${several ? "multi-turn" : "single-turn"}`)));
    const domains = { list: "es-author-domains", placeholder: "such as finance" };
    this.domain = h("input", { type: "text", class: "field", maxlength: 128, autocomplete: "off", ...domains, oninput: write("domain") });
    this.fields = {
      title: new Labelled("Title", this.title, { place: "title", note: "For authors; models never see it." }),
      category: new Labelled("Category", this.category, { place: "category", note: "\u00a0" }),
      domain: new Labelled("Domain", this.domain, { place: "domain", note: "The field of knowledge." }),
    };
    this.tabs = h("div", { class: "turn-tabs", role: "tablist", "aria-label": "Turns" });
    this.add = button("Add turn", () => this.#addTurn(), { glyph: "plus", kind: "ghost small", "data-act": "add-turn" });
    this.left = act("Move this turn to the left (Alt+←)", "back", () => this.#moveTurn(-1));
    this.right = act("Move this turn to the right (Alt+→)", "next", () => this.#moveTurn(1));
    this.drop = act("Remove this turn", "x", () => this.#removeTurn(), { "data-act": "remove-turn" });
    this.turnActs = h("div", { class: "row turn-acts" }, this.left, this.right, this.drop);
    this.texts = Object.fromEntries(TEXTS.map(([name, label, note, rows, optional]) => {
      const control = area({ rows, "data-field": name }), field = new Labelled(label, control, { place: name, optional, note });
      control.addEventListener("input", () => {
        field.say(tooLong(control.value, LONGEST));
        this.#turn({ [name]: control.value }, name);
      });
      return [name, field];
    }));
    this.pictures = new TurnPictures({
      upload: hooks.upload, zoom: hooks.zoom, sending: hooks.sending, change: (pictures) => this.#turn({ pictures }), removed: (words) => this.#removed(words),
      add: (at, view) => { hooks.known(view); this.#addPicture(at, view.digest); },
    });
    this.items = new Items((rubric, mark) => this.#turn({ rubric }, mark), (words) => this.#removed(words));
    const { prompt, golden_answer: golden, tool_trajectory: chain } = this.texts;
    this.panel = h("div", { class: "turn-panel", role: "tabpanel", id: "es-author-turn" },
      h("div", { class: "turn-grid" }, h("div", { class: "turn-texts" }, prompt.element, golden.element, chain.element), this.pictures.element), this.items.element);
    this.undoButton = act("Undo (Ctrl+Z)", "undo", () => this.undo(), { "data-act": "undo" });
    this.redoButton = act("Redo (Ctrl+Shift+Z)", "redo", () => this.redo(), { "data-act": "redo" });
    this.notice = h("div", { class: "row removed" });
    this.element = h("div", { class: "card task-form" }, h("datalist", { id: "es-author-domains" }, DOMAINS.map((value) => h("option", { value }))),
      h("div", { class: "task-fields" }, Object.values(this.fields).map(({ element }) => element)),
      h("div", { class: "row turn-bar" }, this.tabs, this.add, h("span", { class: "grow" }), this.turnActs), this.panel, this.notice);
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("focusout", () => this.document.pause());
    this.#takesFiles();
    sortable(this.tabs, (from, to) => this.#moveTo(from, to), { across: true });
    this.draw();
  }

  get task() { return this.document.task; }

  #change(task, mark = null) { this.document.change(task, mark); }
  #turn(changes, mark = null) { this.#change(withTurn(this.task, this.at, changes), mark && `${mark} ${this.at}`); }

  #takesFiles() {
    const over = (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      this.panel.classList.toggle("over", event.type === "dragover");
    };
    this.panel.addEventListener("dragover", over);
    this.panel.addEventListener("dragleave", over);
    this.panel.addEventListener("drop", (event) => { over(event); if (filesOf(event.dataTransfer).length) this.pictures.take(filesOf(event.dataTransfer)); });
    this.panel.addEventListener("paste", (event) => {
      if (event.defaultPrevented || !filesOf(event.clipboardData).length || event.clipboardData.getData("text/plain")) return;
      event.preventDefault();
      this.pictures.take(filesOf(event.clipboardData));
    });
  }

  #addPicture(at, digest) {
    const { turns } = this.task, to = Math.min(at, turns.length - 1);
    if (!turns[to].pictures.includes(digest)) this.#change(withTurn(this.task, to, { pictures: [...turns[to].pictures, digest] }));
  }

  #removed(words) {
    announce(`${words}. Undo with Ctrl+Z.`);
    this.notice.replaceChildren(h("span", { class: "sm" }, words), linkButton("Undo", () => this.undo()));
    clearTimeout(this.noticing);
    this.noticing = setTimeout(() => { if (!this.notice.contains(document.activeElement)) this.notice.replaceChildren(); }, 10_000);
  }

  undo() { this.#back(() => this.document.undo(), "Undone"); }
  redo() { this.#back(() => this.document.redo(), "Done again"); }

  #back(step, words) {
    const held = document.activeElement;
    step();
    this.notice.replaceChildren();
    announce(words);
    if (!held.isConnected || held.disabled) (this.tabs.children[this.at] ?? this.title).focus({ preventScroll: true });
  }

  // turns

  #addTurn() {
    this.#change({ ...this.task, turns: [...this.task.turns, blankTurn()] });
    this.choose(this.task.turns.length - 1);
    this.texts.prompt.control.focus();
  }

  #removeTurn() {
    const { at } = this, to = (turn) => (turn === at ? null : turn > at ? turn - 1 : turn);
    this.pictures.permute(to);
    this.#change({ ...this.task, turns: without(this.task.turns, at) });
    this.tabs.children[this.at].focus();
    this.#removed(`Turn ${at + 1} was removed`);
  }

  #moveTurn(by) { this.#moveTo(this.at, this.at + by); }

  #moveTo(from, to) {
    const { turns } = this.task;
    if (to < 0 || to >= turns.length || from === to) return;
    const order = moved([...turns.keys()], from, to), held = document.activeElement;
    this.pictures.permute((turn) => order.indexOf(turn));
    this.at = order.indexOf(this.at);
    this.#change({ ...this.task, turns: moved(turns, from, to) });
    this.hooks.turned(this.at);
    announce(`Turn ${from + 1} is number ${to + 1} now`);
    if (held.disabled || this.tabs.contains(held)) this.tabs.children[this.at].focus();
  }

  /** Show a turn. */
  choose(at, { focus = false } = {}) {
    this.document.pause();
    this.at = Math.min(Math.max(at, 0), this.task.turns.length - 1);
    this.hooks.turned(this.at);
    this.draw();
    const tab = this.tabs.children[this.at], { scrollLeft, clientWidth } = this.tabs;
    this.tabs.scrollLeft = clamp(scrollLeft, tab.offsetLeft + tab.offsetWidth - clientWidth, tab.offsetLeft);
    if (focus) tab.focus();
  }

  #tab(k) {
    const dot = h("span", { class: "todo", hidden: true }), word = h("span", {});
    return h("button", { type: "button", role: "tab", draggable: "true", "aria-controls": "es-author-turn", onclick: () => this.choose(k), onkeydown: (event) => {
      const last = this.task.turns.length - 1, to = { ArrowLeft: k - 1, ArrowRight: k + 1, Home: 0, End: last }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.altKey) this.#moveTo(k, to); else this.choose((to + last + 1) % (last + 1), { focus: true });
    } }, word, dot);
  }

  // drawing

  /** Show the document as it is now. */
  draw() {
    const { task } = this, { turns } = task;
    this.at = Math.min(this.at, turns.length - 1);
    const turn = turns[this.at];
    setValue(this.title, task.title);
    setValue(this.category, task.category ?? "");
    setText(this.fields.category.note, CATEGORIES.find(([value]) => value === task.category)?.[3] ?? "What the task tests.");
    setValue(this.domain, task.domain);
    while (this.tabs.children.length < turns.length) this.tabs.append(this.#tab(this.tabs.children.length));
    while (this.tabs.children.length > turns.length) this.tabs.lastChild.remove();
    for (const [k, tab] of [...this.tabs.children].entries()) {
      const todo = this.missing.filter(({ where }) => where.startsWith(`turns.${k}.`)).length;
      setText(tab.firstChild, `Turn ${k + 1}`);
      tab.lastChild.hidden = !todo;
      tab.setAttribute("aria-selected", String(k === this.at));
      tab.setAttribute("aria-label", `Turn ${k + 1}${todo ? `, ${counted(todo, "thing", "things")} missing` : ""}`);
      tab.tabIndex = k === this.at ? 0 : -1;
    }
    this.add.disabled = turns.length >= MOST_TURNS;
    this.turnActs.hidden = turns.length < 2;
    this.left.disabled = this.at === 0;
    this.right.disabled = this.at === turns.length - 1;
    this.panel.setAttribute("aria-label", `Turn ${this.at + 1}`);
    for (const [name, { control }] of Object.entries(this.texts)) setValue(control, turn[name]);
    if (this.drawn !== this.at) for (const field of Object.values(this.texts)) field.say(null);
    this.drawn = this.at;
    this.pictures.show(turn.pictures, this.hooks.views(), this.at);
    this.items.show(turn.rubric);
    this.undoButton.disabled = !this.document.canUndo;
    this.redoButton.disabled = !this.document.canRedo;
  }

  /** What is missing, for the marks at the tabs. */
  mark(missing) {
    this.missing = missing;
    this.draw();
  }

  /** Go to a place such as `turns.0.rubric.2.description` and say there what is wrong with it. */
  focusOn(where, message = null) {
    const [first, turn, field, item, part] = where.split(".");
    if (first === "turns" && turn !== undefined) this.choose(Number(turn));
    const own = first === "turns" ? this.texts[field] : this.fields[first];
    if (own) {
      if (own.wrong.hidden) own.say(message); // what is said there already is about this text
      own.control.focus();
      own.element.scrollIntoView({ block: "nearest" });
    } else if (field === "pictures") {
      this.pictures.say(message);
      this.pictures.pick.focus();
    } else if (part === "id") this.items.rename(Number(item));
    else if (field === "rubric" && item === undefined) this.items.focus(Infinity);
    else if (field === "rubric") this.items.focus(Number(item), message);
    else this.add.focus();
    if (!own && message) announce(message);
  }

  /** Put the cursor where a new task begins. */
  focus() { this.title.focus(); this.title.select(); }

  /* In a text field the browser takes back what was typed there. */
  #key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if ((key !== "z" && key !== "y") || event.target.matches("textarea, input[type=text]")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) this.redo(); else this.undo();
  }
}
