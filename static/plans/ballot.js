/* What is asked of the person at the place where they stand: a call's gates and scores, missing pictures, a judge's gap, the
   plan, its final score. Digits answer, Y and X say yes and no, Enter saves. */
import { cap, clamp, h, icon, plural, setText } from "../dom.js";
import { GOOD, ROWS, isGate, isWhole, split } from "./parts.js";
import { CRITERIA, GAPS, GATES, TIERS, VERDICTS, gapName, placeName, toolName } from "./words.js";

const ANSWERS = [[true, "Yes"], [false, "No"]];
const LABELS = Object.fromEntries([...GATES.map(([name, label]) => [name, [label, ""]]), ...CRITERIA.map(([name, label, key]) => [name, [label, key]])]);

export class Ballot {
  /** `hooks`: put(part, changes) notes what is chosen, next() saves and goes on, goTo(target), mark() marks a gap, back() takes a word back. */
  constructor(hooks) {
    this.hooks = hooks;
    this.title = h("h3", { class: "grow", id: "es-plan-part" });
    this.aside = h("span", { class: "xs mut aside" });
    this.body = h("div", { class: "asked", onkeydown: (event) => this.#pressed(event) });
    this.body.addEventListener("click", (event) => { // whoever uses the mouse goes on with keys: Enter saves, and does not press once more
      if (event.detail && event.target.closest("button")) document.activeElement?.blur();
    }, { capture: true });
    this.note = h("textarea", { class: "field", rows: 2, maxlength: 4000, "aria-label": "Note", placeholder: "Note, shown beside your word",
      oninput: () => this.hooks.put(this.part, { note: this.note.value }), onkeydown: (event) => this.#typed(event) });
    this.noteBox = h("details", { class: "note-box" }, h("summary", { class: "xs" }, "Note ", cap("O")), this.note);
    this.state = h("span", { class: "xs mut grow state", role: "status" });
    this.take = h("button", { type: "button", class: "link xs", hidden: true, title: "Take back (U)", onclick: () => this.hooks.back() }, "Take back ", cap("U"));
    this.good = h("button", { type: "button", class: "btn", title: "Both gates pass and all scores are 2, then correct what is not", onclick: () => this.allGood() },
      "All good ", cap("T"));
    this.go = h("button", { type: "button", class: "btn", onclick: () => this.hooks.next() }, h("span", {}, "Save"), cap("↵"));
    this.othersTitle = h("summary", { class: "xs" });
    this.othersList = h("div", {});
    this.others = h("details", { class: "others", open: matchMedia("(min-width: 1181px)").matches }, this.othersTitle, this.othersList);
    this.refusal = h("p", { class: "refusal", role: "alert", hidden: true });
    this.element = h("section", { class: "card ballot", "aria-labelledby": "es-plan-part" }, h("div", { class: "row between ballot-head" }, this.title, this.aside),
      this.body, this.others, this.noteBox, this.refusal,
      h("div", { class: "row ballot-foot" }, this.state, this.take, this.good, this.go));
    Object.assign(this, { part: null, row: 0, gap: 0, digits: "" });
  }

  /**
   * Show a part. `word` = {value, note, stands, waits, differs}, `judge` what the judge says of it as a value (or null), `others` lines of other people,
   * `at` the block that one stands at, `last` whether no other part is open, `open` names those that are before the final score.
   */
  show(plan, part, { word, judge = null, judgeName = "", others = [], at = 0, last = false, open = "", typing = false }) {
    const fresh = part !== this.part || plan.answer !== this.plan?.answer;
    Object.assign(this, { plan, part, word, judge, at, open });
    if (fresh) { this.row = this.#firstOpen(); this.gap = 0; this.digits = ""; this.noteBox.open = false; }
    this.element.dataset.part = part;
    const { about, key } = split(part);
    const [title, draw] = {
      call: () => [this.#callTitle(key), () => this.#call()],
      gaps: () => ["Missing visuals", () => this.#gaps()],
      gap: () => [`Is a picture missing here? ${key}`, () => this.#upheld()],
      plan: () => ["Your verdict on the plan", () => this.#verdict()],
      fs: () => ["Your final score", () => this.#final()],
    }[about]();
    setText(this.title, title);
    setText(this.aside, judge != null && about !== "gaps" ? `${judgeName} in outline` : "");
    if (!typing || fresh) this.#draw(draw);
    if (document.activeElement !== this.note) this.note.value = word.note;
    if (word.note && !this.noteBox.open && fresh) this.noteBox.open = true;
    this.others.hidden = !others.length;
    setText(this.othersTitle, `${plural(others.length, "other")} on this`);
    this.othersList.replaceChildren(...others.slice(0, 50).map((line) => h("p", { class: "xs" }, line)));
    this.good.hidden = about !== "call";
    this.take.hidden = !word.stands;
    const whole = isWhole(part, word.value);
    const saved = word.stands && !word.differs && `Saved${word.blind === false ? ", not blind" : word.blind ? ", blind" : ""}`;
    setText(this.state, word.waits ? "Saving…" : saved || (word.differs && whole ? "Not saved yet" : this.#missing()));
    const pending = whole && (word.differs || !word.stands);
    setText(this.go.firstChild, pending ? "Save" : last ? "Next plan" : "Next");
  }

  /* What is drawn anew keeps the focus where it was. */
  #draw(draw) {
    const held = this.body.contains(document.activeElement) ? document.activeElement.dataset.vote : null;
    this.body.replaceChildren(...[draw()].flat());
    if (held) this.body.querySelector(`[data-vote="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  }

  refuse(text, act = null) {
    this.refusal.hidden = !text;
    this.refusal.replaceChildren(...(text ? [text, act && " ", act && h("button", { type: "button", class: "link", onclick: act[1] }, act[0])].filter(Boolean) : []));
  }

  // keys

  /** A digit answers what is asked. */
  digit(n) {
    const { about } = split(this.part ?? "");
    if (about === "call") this.#score(n);
    else if (about === "gaps" && n === 0) this.none();
    else if (about === "gaps" && GAPS[n - 1]) this.#kind(GAPS[n - 1][0]);
    else if (about === "plan" && VERDICTS[n - 1]) this.hooks.put(this.part, { value: VERDICTS[n - 1][0] });
    else if (about === "fs") {
      this.digits = Number(this.digits + n) <= 100 && this.digits !== "0" ? this.digits + n : String(n);
      this.hooks.put(this.part, { value: Number(this.digits) });
    }
  }

  /* A score goes to the row at hand; from a gate, to the first criterion without one. */
  #score(n) {
    if (isGate(ROWS[this.row])) this.row = ROWS.findIndex((row, k) => k >= 2 && this.word.value?.[row] == null);
    if (this.row < 0) this.row = 2;
    if (n <= 2) this.set(ROWS[this.row], n);
  }

  /** Yes or no, to the gate at hand or to a judge's gap. */
  answer(yes) {
    const { about } = split(this.part ?? "");
    if (about === "gap") this.hooks.put(this.part, { value: yes });
    if (about !== "call") return;
    if (!isGate(ROWS[this.row])) this.row = this.word.value?.necessary == null ? 0 : 1;
    this.set(ROWS[this.row], yes);
  }

  set(row, value) {
    const next = { ...this.word.value, [row]: value };
    const at = ROWS.indexOf(row), open = ROWS.findIndex((name, k) => k > at && next[name] == null);
    this.row = open >= 0 ? open : Math.min(at + 1, ROWS.length - 1);
    this.hooks.put(this.part, { value: ordered(next) });
  }

  allGood() {
    if (split(this.part ?? "").about !== "call") return;
    this.row = 2;
    this.hooks.put(this.part, { value: ordered(GOOD) });
  }

  /** Another row of a call, another of one's gaps, or a final score one higher or lower. */
  step(by) {
    const { about } = split(this.part ?? "");
    if (about === "call") this.choose((this.row + by + ROWS.length) % ROWS.length);
    else if (about === "gaps") this.pick(clamp(this.gap + by, 0, Math.max(0, (this.word.value ?? []).length - 1)));
    else if (about === "fs") {
      this.digits = "";
      this.hooks.put(this.part, { value: clamp((this.word.value ?? (by > 0 ? 49 : 51)) - by, 0, 100) });
    }
  }

  /** The row of a criterion. */
  criterion(k) { if (split(this.part ?? "").about === "call") this.choose(2 + k); }
  choose(row) {
    this.row = row;
    for (const [k, element] of [...this.body.querySelectorAll("[data-row]")].entries()) element.classList.toggle("on", k === row);
  }

  /** Take a digit of the final score back, or the gap at hand. */
  erase() {
    const { about } = split(this.part ?? "");
    if (about === "gaps") this.remove(this.gap);
    if (about !== "fs") return;
    this.digits = String(this.word.value ?? "").slice(0, -1);
    this.hooks.put(this.part, { value: this.digits === "" ? null : Number(this.digits) });
  }

  /** Go to the first row without an answer. */
  toOpen() { if (split(this.part ?? "").about === "call") this.choose(this.#firstOpen()); }

  write() { this.noteBox.open = true; this.note.focus(); }

  // gaps

  /** Mark a gap after a block, or go to the one that is marked there. */
  markAt(block) {
    const list = this.word.value ?? [], there = list.findIndex(({ after_block: after }) => after === block);
    if (there < 0) this.hooks.put("gaps", { value: [...list, { after_block: block, type: "", note: "" }] });
    this.gap = there < 0 ? list.length : there;
  }
  /** Nothing is missing. */
  none() { if (!this.word.value?.length) this.hooks.put("gaps", { value: [] }); }
  pick(k) {
    this.gap = k;
    const found = this.word.value?.[k];
    if (found) this.hooks.goTo({ block: found.after_block, part: "gaps" });
  }
  remove(k) {
    const list = this.word.value ?? [];
    if (!list[k]) return;
    this.gap = Math.max(0, k - 1);
    this.hooks.put("gaps", { value: list.filter((_, at) => at !== k) });
  }
  #kind(type) {
    const list = this.word.value ?? [];
    if (list[this.gap]) this.hooks.put("gaps", { value: list.map((gap, k) => (k === this.gap ? { ...gap, type } : gap)) });
  }
  #note(k, note) { this.hooks.put("gaps", { value: this.word.value.map((gap, at) => (at === k ? { ...gap, note } : gap)) }, { typing: true }); }

  // what is drawn

  #firstOpen() { return Math.max(0, ROWS.findIndex((row) => this.word.value?.[row] == null)); }
  #callTitle(id) { const call = this.plan.calls[id - 1]; return `Your scores for call ${id}, ${call ? toolName(call) : ""}`; }

  #missing() {
    const { about } = split(this.part), value = this.word.value;
    if (about === "call") { const left = ROWS.filter((row) => value?.[row] == null).length; return left === ROWS.length ? "" : `${left} of ${ROWS.length} left`; }
    return about === "gaps" && value?.length ? "Choose a kind, 1 to 4" : "";
  }

  #row(row, buttons) {
    const k = ROWS.indexOf(row), [label, key] = LABELS[row];
    return h("div", { class: `ask-row ${k === this.row ? "on" : ""}`, "data-row": row, onclick: () => this.choose(k) }, h("span", { class: "sm grow" }, label),
      key && cap(key.toUpperCase()), h("div", { class: "seg", role: "group", "aria-label": label }, buttons));
  }

  #choice(label, value, chosen, judged, run, more = {}) {
    return h("button", { type: "button", "aria-pressed": String(value === chosen), class: value === judged ? "judged" : "",
      title: value === judged ? "The judge’s" : null, onclick: (event) => { event.stopPropagation(); run(); }, ...more }, label);
  }

  #call() {
    const { value } = this.word, { judge } = this;
    const choice = (row, one, label) => this.#choice(label, one, value?.[row], judge?.[row], () => this.set(row, one), { "data-vote": `${row}:${one}` });
    const gates = GATES.map(([gate]) => this.#row(gate, ANSWERS.map(([yes, label]) => choice(gate, yes, label))));
    const scores = CRITERIA.map(([name]) => this.#row(name, [0, 1, 2].map((score) => choice(name, score, String(score)))));
    return [h("div", { class: "gates" }, gates), h("div", { class: "criteria" }, scores)];
  }

  #gaps() {
    const { value } = this.word, list = value ?? [], here = placeName(this.plan, this.at), small = { type: "button", class: "btn small" };
    return [
      !list.length && h("p", { class: "sm sub" }, "Where the text needs a picture and has none, mark it at its paragraph."),
      list.length > 0 && h("ol", { class: "found" }, list.map((gap, k) => this.#gapRow(gap, k))),
      h("div", { class: "row gap-acts" },
        !list.length && h("button", { ...small, "data-vote": "none", "aria-pressed": String(Boolean(value)), onclick: () => this.none() }, cap("0"), "None is missing"),
        h("button", { ...small, "data-vote": "mark", "data-act": "mark", onclick: () => this.hooks.mark() }, cap("M"), `Missing after ${here}`)),
    ].filter(Boolean);
  }

  /* A gap that the person has marked; of the one at hand the kind and a note are asked. */
  #gapRow(gap, k) {
    const here = k === this.gap, own = (run) => (event) => { event.stopPropagation(); run(); }; // not a press on the row
    return h("li", { class: here ? "on" : "", onclick: () => this.pick(k) },
      h("div", { class: "row" },
        h("button", { type: "button", class: "link sm", onclick: own(() => this.pick(k)) }, `After ${placeName(this.plan, gap.after_block)}`),
        h("span", { class: "sm sub grow nowrap" }, gap.type ? gapName(gap.type) : "kind?"),
        h("button", { type: "button", class: "link xs", onclick: own(() => this.remove(k)) }, "Remove")),
      here && h("div", { class: "kinds", role: "group", "aria-label": "Kind of gap" }, GAPS.map(([kind, label], n) => h("button",
        { type: "button", class: "btn small", "aria-pressed": String(kind === gap.type), onclick: own(() => this.#kind(kind)) }, cap(String(n + 1)), label))),
      here && h("input", { class: "field", maxlength: 4000, value: gap.note, placeholder: "What should be seen there", "aria-label": "Note on this gap",
        "data-gap-note": true, "data-vote": "note", onclick: own(() => {}),
        oninput: ({ target }) => this.#note(k, target.value), onkeydown: (event) => this.#typed(event) }));
  }

  #upheld() {
    const { value } = this.word;
    const choice = ([yes, label]) => this.#choice(label, yes, value, null, () => this.hooks.put(this.part, { value: yes }), { "data-vote": `upheld:${yes}` });
    return h("div", { class: "ask-row on", "data-row": "upheld" }, h("span", { class: "sm grow" }, "A picture is missing there"),
      h("div", { class: "seg", role: "group", "aria-label": "Do you agree?" }, ANSWERS.map(choice)));
  }

  #verdict() {
    const { value } = this.word;
    return h("div", { class: "kinds three", role: "group", "aria-label": "Verdict" }, VERDICTS.map(([verdict, label], n) => h("button",
      { type: "button", class: "btn", "data-vote": verdict, "aria-pressed": String(verdict === value), onclick: () => this.hooks.put(this.part, { value: verdict }) },
      cap(String(n + 1)), label)));
  }

  #final() {
    const { value } = this.word;
    const read = (text) => (/^\d{1,3}$/.test(text) ? Math.min(100, Number(text)) : null);
    const input = h("input", { class: "field fs", type: "text", inputmode: "numeric", maxlength: 3, value: value ?? "", "aria-label": "Final score, 0 to 100",
      onkeydown: (event) => this.#typed(event), oninput: ({ target }) => this.hooks.put(this.part, { value: read(target.value) }, { typing: true }) });
    const after = `Still open: ${this.open}. What you say of these after your final score does not count as blind: the chief’s report speaks of every part.`;
    return [h("div", { class: "row final" }, input, h("div", { class: "grow" }, tierRuler(value, this.judge),
      h("p", { class: "xs mut" }, "Type it: digits, ↑ and ↓, or click. Last of all, since the chief’s report speaks of every part."))),
    this.open && h("p", { class: "caution xs" }, icon("warn"), h("span", {}, after))].filter(Boolean);
  }

  /* Enter on what is chosen already goes on; on another choice it presses that, as on any button. */
  #pressed(event) {
    if (event.key !== "Enter" || event.defaultPrevented || event.isComposing || !event.target.closest("[data-vote][aria-pressed=true]")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) this.hooks.next();
  }

  /* Out of a field: Escape leaves it, Enter saves and leaves it. */
  #typed(event) {
    if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); event.target.blur(); this.hooks.drawn(); }
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    event.target.blur();
    this.hooks.next();
  }
}

const ordered = (value) => Object.fromEntries(ROWS.filter((row) => value[row] != null).map((row) => [row, value[row]]));

/** Five tiers, the one that a score lies in, and where in it; the judge's as an outline. */
export function tierRuler(score, judge = null) {
  const tier = score == null ? -1 : Math.min(4, Math.floor(score / 20));
  return h("div", { class: "tiers", role: "img", "aria-label": score == null ? "No score yet" : `${score} lies in the tier ${TIERS[tier]} to ${TIERS[tier + 1]}` },
    h("div", { class: "tier-row" }, TIERS.slice(0, 5).map((_, k) => h("i", { class: k === tier ? "on" : "" })),
      score != null && h("b", { style: { left: `${score}%` } }), judge != null && h("b", { class: "judged", style: { left: `${judge}%` } })),
    h("div", { class: "xs mut tier-ends" }, TIERS.map((end) => h("span", {}, end))));
}
