/* The criteria of a turn, a row each; the last row is a free one that becomes a criterion with its first letter. */
import { announce, h, icon, setText } from "../dom.js";
import { area, iconButton, linkButton, pick, redraw, setValue, sortable, tooLong } from "./authorfields.js";
import { KINDS, MOST_ITEMS, criticalOf, moved, newId, newItem, put, without } from "./authordocument.js";
import { counted, plainly } from "./words.js";

const WEIGHTS = [1, 2, 3, 4, 5].map((weight) => [weight, String(weight), weight >= 4 ? `Weight ${weight}: critical` : `Weight ${weight}`]);
const SIDES = [["objectivity", "Objective or subjective", [["objective", "Objective", "It can be checked"], ["subjective", "Subjective", "It is a matter of judgement"]]],
  ["explicitness", "Explicit or implicit", [["explicit", "Explicit", "The prompt asks for it"], ["implicit", "Implicit", "A good answer has it unasked"]]]];
const LONGEST = 4000;
const short = (text) => (text.length > 40 ? `${text.slice(0, 38)} …` : text || "without words");

/* A name for each item; ids that are given twice, which a trial refuses, stay apart. */
const keysOf = (items) => items.map(({ id }, k) => (items.findIndex((one) => one.id === id) === k ? id : `${id} ${k}`));

/* One criterion. `hooks`: change(changes, mark), move(by, held), remove(to), next(), lines(lines) for several that were pasted, which returns why not. */
class Row {
  constructor(key, hooks) {
    Object.assign(this, { key, hooks });
    const change = (name) => (value) => hooks.change({ [name]: value });
    this.number = h("span", { class: "item-number", draggable: "true", title: "Drag to another place (Alt+↑, Alt+↓)" });
    this.text = area({ rows: 1, "data-field": "description", oninput: () => this.#write(), onpaste: (event) => this.#paste(event) });
    this.wrong = h("p", { class: "wrong", role: "alert", hidden: true });
    this.weight = pick("Weight", WEIGHTS, change("weight"));
    this.sides = SIDES.map(([name, label, options]) => [name, pick(label, options, change(name), { clear: true })]);
    this.critical = h("input", { type: "checkbox", role: "switch", onchange: () => hooks.change({ critical: this.critical.checked }) });
    this.flagged = linkButton("by weight", () => { hooks.change({ critical: null }); this.critical.focus(); },
      { class: "link xs", title: "A flag of its own: press to go by the weight again" });
    this.final = h("input", { type: "checkbox", role: "switch", onchange: () => hooks.change({ final_answer: this.final.checked || null }) });
    this.kindsWord = h("span", { class: "nowrap" });
    this.kinds = h("div", { class: "kinds-list", role: "group", "aria-label": "Categories", tabindex: -1 }); // a press on its ground does not leave it
    this.kindsBox = h("details", { class: "kinds" }, h("summary", { class: "btn small" }, this.kindsWord, icon("down")), this.kinds);
    this.kindsBox.addEventListener("focusout", ({ relatedTarget }) => { if (!this.kindsBox.contains(relatedTarget)) this.kindsBox.open = false; });
    this.up = iconButton("Move up (Alt+↑)", "up", () => hooks.move(-1, this.up));
    this.down = iconButton("Move down (Alt+↓)", "down", () => hooks.move(1, this.down));
    this.remove = iconButton("Remove this criterion", "x", () => hooks.remove("remove"), { "data-act": "remove" });
    this.element = h("li", { class: "item", "data-item": key, onkeydown: (event) => this.#key(event) },
      this.number, h("div", { class: "item-text", "data-place": "description" }, this.text, this.wrong),
      h("div", { class: "row item-weight" }, h("span", { class: "xs mut", "aria-hidden": "true" }, "Weight"), this.weight),
      h("div", { class: "row item-acts" }, this.up, this.down, this.remove),
      h("div", { class: "item-flags" },
        h("div", { class: "row item-critical" }, h("label", { class: "switch tiny" }, this.critical, "Critical"), this.flagged), this.sides.map(([, control]) => control),
        h("label", { class: "switch tiny" }, this.final, "Final answer"), this.kindsBox));
  }

  show(item, at, count) {
    this.item = item;
    const free = at === count;
    this.element.classList.toggle("free", free);
    setText(this.number, free ? "" : at + 1);
    this.number.draggable = !free;
    this.text.placeholder = !free ? "" : count ? "Another criterion" : "What must a good answer meet? Enter begins the next one.";
    this.text.setAttribute("aria-label", free ? "New criterion" : `Criterion ${at + 1}`);
    this.element.setAttribute("aria-label", free ? "New criterion" : `Criterion ${at + 1}: ${short(item.description)}`);
    setValue(this.text, item.description);
    this.weight.show(item.weight);
    for (const [name, control] of this.sides) control.show(item[name]);
    this.final.checked = Boolean(item.final_answer);
    const flagged = item.critical != null;
    this.critical.checked = criticalOf(item);
    this.critical.parentElement.title = flagged ? "By a flag of its own" : "By its weight: from 4 on it is critical. A press gives it a flag of its own.";
    setText(this.flagged, flagged ? "Use weight" : "by weight");
    this.flagged.disabled = !flagged;
    this.up.disabled = at === 0;
    this.down.disabled = at >= count - 1;
    this.#kinds(item.categories);
  }

  #kinds(chosen) {
    setText(this.kindsWord, chosen.length ? chosen.map(plainly).join(", ") : "Categories");
    const boxes = [...this.kinds.querySelectorAll("input")];
    for (const kind of [...KINDS, ...chosen]) {
      if (boxes.some(({ value }) => value === kind)) continue;
      const input = h("input", { type: "checkbox", value: kind, onchange: () => {
        const rest = this.item.categories.filter((one) => one !== kind);
        this.hooks.change({ categories: input.checked ? [...rest, kind] : rest });
      } });
      boxes.push(input);
      this.kinds.append(h("label", { class: "sm" }, input, plainly(kind)));
    }
    for (const box of boxes) box.checked = chosen.includes(box.value);
  }

  #write() {
    const { value } = this.text;
    this.say(tooLong(value, LONGEST));
    this.hooks.change({ description: value }, `item ${this.key}`);
  }

  #paste(event) {
    const lines = event.clipboardData.getData("text/plain").split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
    if (lines.length < 2 || this.text.value) return;
    event.preventDefault();
    this.say(lines.map((line) => tooLong(line, LONGEST)).find(Boolean) ?? this.hooks.lines(lines));
  }

  #key(event) {
    const { key, target } = event, within = target === this.text;
    if (event.isComposing) return;
    if (event.altKey && (key === "ArrowUp" || key === "ArrowDown")) this.hooks.move(key === "ArrowUp" ? -1 : 1, target);
    else if (within && key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) this.hooks.next();
    else if (within && key === "Backspace" && !this.text.value) this.hooks.remove("text");
    else if (key === "Escape" && this.kindsBox.open && this.kindsBox.contains(target)) {
      this.kindsBox.open = false;
      this.kindsBox.firstChild.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Say what is wrong with it. */
  say(text) {
    this.wrong.hidden = !text;
    setText(this.wrong, text ?? "");
    if (text) this.text.setAttribute("aria-invalid", "true"); else this.text.removeAttribute("aria-invalid");
  }
}

export class Items {
  /** `change(rubric, mark)` is told of the criteria as they are then; `removed(words)` that something can be taken back. */
  constructor(change, removed) {
    Object.assign(this, { change, removed, rows: new Map(), rubric: [], keys: [], free: newItem() });
    this.says = h("span", { class: "sm mut" });
    this.list = h("ol", { class: "items" });
    this.element = h("section", { class: "rubric", "data-place": "rubric" }, h("div", { class: "row between rubric-head" }, h("h3", {}, "Rubric"), this.says), this.list);
    sortable(this.list, (from, to) => { if (to < this.rubric.length) this.#move(from, to); });
  }

  show(rubric) {
    this.rubric = rubric;
    if (rubric.some(({ id }) => id === this.free.id)) this.free = newItem(); // it has become one
    const all = rubric.length < MOST_ITEMS ? [...rubric, this.free] : rubric;
    this.keys = keysOf(all);
    const rows = all.map((item, at) => {
      const key = this.keys[at], row = this.rows.get(key) ?? new Row(key, this.#hooks(key));
      row.show(item, at, rubric.length);
      return row;
    });
    this.rows = new Map(rows.map((row) => [row.key, row]));
    redraw(this.list, rows.map(({ element }) => element));
    const points = rubric.reduce((sum, { weight }) => sum + weight, 0), critical = rubric.filter(criticalOf).length;
    setText(this.says, rubric.length ? `${counted(rubric.length, "criterion", "criteria")}, ${critical} critical, ${counted(points, "point", "points")}` : "");
  }

  /* Where the row of a key stands; -1 is the free one. */
  #at(key) {
    const at = this.keys.indexOf(key);
    return at < this.rubric.length ? at : -1;
  }

  #hooks(key) {
    return {
      change: (changes, mark = null) => {
        const at = this.#at(key);
        if (at >= 0) this.change(put(this.rubric, at, { ...this.rubric[at], ...changes }), mark);
        else if (changes.description?.trim()) this.change([...this.rubric, { ...this.free, ...changes }], mark);
      },
      move: (by, held) => {
        const at = this.#at(key), to = at + by;
        if (at < 0 || to < 0 || to >= this.rubric.length) return;
        this.#move(at, to);
        (held.disabled ? this.rows.get(key).text : held).focus({ preventScroll: true });
        this.rows.get(key).element.scrollIntoView({ block: "nearest" });
      },
      remove: (to) => this.#remove(key, to),
      next: () => this.focus(this.#at(key) + 1),
      lines: (lines) => {
        const at = this.#at(key), upto = at < 0 ? this.rubric.length : at, rest = at < 0 ? [] : this.rubric.slice(at + 1), room = MOST_ITEMS - upto - rest.length;
        if (lines.length > room) return `These are ${lines.length} lines, and ${counted(room, "criterion fits", "criteria fit")} in here: paste fewer.`;
        this.change([...this.rubric.slice(0, upto), ...lines.map((line) => newItem(line)), ...rest]);
        this.focus(upto + lines.length);
        return null;
      },
    };
  }

  #move(from, to) {
    this.change(moved(this.rubric, from, to));
    announce(`Criterion ${from + 1} is number ${to + 1} now`);
  }

  #remove(key, to) {
    const at = this.#at(key);
    if (at < 0) { if (this.rubric.length) this.focus(this.rubric.length - 1); return; }
    const { description } = this.rubric[at];
    this.change(without(this.rubric, at));
    const row = [...this.rows.values()][to === "text" ? Math.max(0, at - 1) : at];
    if (to === "text" || row?.key === this.free.id) row?.text.focus(); else row?.remove.focus();
    if (description) this.removed(`Criterion ${at + 1} was removed`);
  }

  /** Give a criterion whose id another one has an id of its own. */
  rename(at) {
    this.change(put(this.rubric, at, { ...this.rubric[at], id: newId() }));
    this.focus(at);
    announce(`Criterion ${at + 1} has an id of its own now`);
  }

  /** Put the cursor into a criterion by its place, or into the free row; say what is wrong with it. */
  focus(at, wrong = null) {
    const row = [...this.rows.values()][Math.min(at, this.rows.size - 1)];
    row?.text.focus();
    row?.element.scrollIntoView({ block: "nearest" });
    if (wrong) row?.say(wrong);
  }
}
