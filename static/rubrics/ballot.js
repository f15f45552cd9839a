/* One criterion and the vote on it: verdict, confidence, kind of error, note; then what others say. */
import { cap, h, icon, setText } from "../dom.js";
import { Reveal, spoken } from "./reveal.js";
import { CONFIDENCES, ERRORS, VERDICTS, tagsOf } from "./words.js";

const MOST_NOTE = 4000;
const MUCH = 240; // characters of a criterion from which on it is set smaller

/* How a vote was saved: only another verdict than the blind one is no longer blind. */
function savedAs(shown, blind) {
  if (shown?.blind !== false) return "Vote saved";
  return blind === shown.verdict ? "Saved; your verdict stays blind" : "Saved after the reveal";
}

export class Ballot {
  /**
   * `hooks`: vote(verdict), detail(changes, {now}) for note, confidence and error, next(), look() for a criterion that needs no vote,
   * keep() keeps it longer, settle(verdict, note), further() to the next disagreement, toMark().
   */
  constructor(hooks, who) {
    Object.assign(this, { hooks, who });
    this.tags = h("div", { class: "row tags" });
    this.title = h("h2", { class: "crit", tabindex: -1 });
    this.votes = h("div", { class: "votes", role: "group", "aria-label": "Your verdict" }, VERDICTS.map(([value, label, key]) => h("button", {
      type: "button", class: "btn", "data-vote": value, "aria-keyshortcuts": key.toUpperCase(),
      onclick: (event) => { hooks.vote(value); if (event.detail) this.title.focus({ preventScroll: true }); }, // so that Enter goes on, and does not press it again
      onkeydown: (event) => this.#enter(event),
    }, label, cap(key.toUpperCase()))));
    // in a narrow window it stands at its foot, under the criterion's first words or what the judge says
    this.on = h("button", { type: "button", class: "btn primary cast-next", onclick: () => hooks.next() }, "Next criterion");
    this.cast = h("div", { class: "cast" }, this.votes, this.on, who.element);
    this.confidence = h("div", { class: "seg", role: "group", "aria-label": "Confidence" }, CONFIDENCES.map(([value, label]) => h("button", {
      type: "button", "data-confidence": value, "aria-keyshortcuts": value, onclick: () => hooks.detail({ confidence: this.draft.confidence === value ? null : value }),
    }, label, cap(value))));
    this.error = h("select", {
      class: "field", id: "es-vote-error", onchange: () => hooks.detail({ error: this.error.value || null }), onblur: () => hooks.detail({}, { now: true }),
      onkeydown: (event) => { if (event.key === "Escape") { event.preventDefault(); this.#leave(); } },
    },
    h("option", { value: "" }, "Not said"), ERRORS.map(([value, label]) => h("option", { value }, label)));
    this.miss = h("div", { class: "row pick-row" }, h("label", { class: "lab row", for: "es-vote-error" }, "Why it misses", cap("E")), this.error);
    this.note = h("textarea", {
      class: "field", id: "es-vote-note", rows: 3, maxlength: MOST_NOTE, placeholder: "What in the answer decided it?",
      oninput: () => hooks.detail({ note: this.note.value }, { typing: true }), onblur: () => hooks.detail({}, { now: true }), onkeydown: (event) => this.#typed(event),
    });
    this.details = h("div", { class: "details" },
      h("div", { class: "row pick-row" }, h("span", { class: "lab row" }, "Confidence", h("span", { class: "mut" }, "optional")), this.confidence),
      h("label", { class: "lab note-lab row", for: "es-vote-note" }, "Note", h("span", { class: "mut" }, "optional"), cap("O")), this.note, this.miss);
    this.veil = h("div", { class: "veil" }, icon("lock"), h("span", {}, "The judge’s verdict appears after you vote."));
    this.enough = h("div", { class: "veil" }, icon("people"), h("span", { class: "grow" }, ""), h("button", { type: "button", class: "btn small", onclick: () => hooks.look() }, "Show what they say"));
    this.reveal = new Reveal({ ...hooks, turned: () => this.#remind() });
    this.status = h("p", { class: "xs mut state grow" });
    this.acts = h("button", { type: "button", class: "btn small" });
    this.refusal = h("div", { class: "refusal row", role: "alert", hidden: true }, h("span", { class: "grow" }), this.acts);
    this.next = h("button", { type: "button", class: "btn primary", "data-next": true, onclick: () => hooks.next() }, h("span", {}, "Next criterion"), cap("↵"));
    this.keeps = h("div", { class: "row kept xs", hidden: true }, h("span", { class: "grow" }), h("button", { type: "button", class: "btn small", onclick: () => hooks.keep() }, "Keep it longer"));
    this.element = h("section", { class: "card ballot", "aria-label": "Criterion" },
      this.tags, this.title, this.cast, this.details, this.veil, this.enough, this.reveal.element, this.refusal,
      this.keeps, h("div", { class: "row between foot" }, this.status, this.next));
    this.ask(false);
  }

  /* Enter on a vote that stands goes on, as it does everywhere else. */
  #enter(event) {
    if (event.key !== "Enter" || event.target.getAttribute("aria-pressed") !== "true") return;
    event.preventDefault();
    this.hooks.next();
  }

  #typed(event) {
    if (event.key === "Escape") this.#leave();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      this.#leave();
      if (this.shown?.verdict) this.hooks.next();
    } else return;
    event.preventDefault();
  }

  #leave() {
    this.title.focus({ preventScroll: true });
  }

  /** Ask who votes in place of the buttons, or no longer. */
  ask(on) {
    this.votes.hidden = on;
    this.who.element.hidden = !on;
  }

  /**
   * Show an entry with the vote that stands, `shown`, which may still be on its way (`waiting`), and what is typed, `draft`. `blind`: the
   * verdict that was given before the reveal and still counts, null for none. `found`: which evidence is
   * marked; `me`: the reviewer's name.
   */
  show(entry, { shown, waiting, blind, draft, found, me, required }) {
    const other = entry.entry !== this.entry?.entry, verdict = shown?.verdict ?? null;
    Object.assign(this, { entry, shown, draft });
    if (other) {
      this.tags.replaceChildren(...tagsOf(entry).flat().filter(Boolean));
      setText(this.title, entry.description);
      this.title.classList.toggle("much", entry.description.length > MUCH);
      this.refuse(null);
    }
    const full = entry.state === "full" && !verdict;
    for (const button of this.votes.children) {
      button.setAttribute("aria-pressed", String(button.dataset.vote === verdict));
      button.disabled = full;
    }
    for (const button of this.confidence.children) button.setAttribute("aria-pressed", String(Number(button.dataset.confidence) === draft.confidence));
    this.miss.hidden = verdict !== "not_met";
    this.error.value = draft.error ?? "";
    if (this.note.value !== draft.note) this.note.value = draft.note;
    this.details.hidden = full && !draft.note;
    const told = Boolean(entry.revealed);
    this.veil.hidden = told || full;
    setText(this.veil.lastChild, waiting ? "Saving your vote …" : "The judge’s verdict appears after you vote.");
    this.enough.hidden = !full || told;
    setText(this.enough.children[1], `${required === 1 ? "One reviewer is" : `${required} reviewers are`} enough here, and that many have voted or are at it.`);
    this.reveal.element.hidden = !told;
    if (told) this.reveal.show(entry, me, found); else this.reveal.clear();
    const saved = `${savedAs(shown, blind)}. Press its key again to take it back, out of the agreement.`;
    const without = told && !full ? "No vote of yours stands. One from now on counts as after the reveal." : "";
    this.say(waiting ? "Saving …" : verdict ? saved : without);
    this.element.dataset.entry = entry.entry;
    this.#remind();
    const done = Boolean(verdict) || full;
    if (this.next.hidden !== !done) {
      if (!done && [this.next, this.on].includes(document.activeElement)) this.title.focus({ preventScroll: true });
      this.next.hidden = this.on.hidden = !done;
    }
  }

  /* What stands over the vote in a narrow window: the criterion, and once one has voted and settles nothing, what the judge says. */
  #remind() {
    const { entry, shown, reveal: { settle } } = this;
    this.cast.dataset.crit = entry.revealed && shown?.verdict && !settle.open ? `${spoken(entry)}.` : entry.description.slice(0, 240);
  }

  /** Say something in passing. */
  say(text) { setText(this.status, text); }

  /** Say why a vote was not taken, or that it waits, with what can be done, [label, run]; or nothing. */
  refuse(text, act = null) {
    this.refusal.hidden = !text;
    setText(this.refusal.firstChild, text ?? "");
    this.acts.hidden = !act;
    if (!act) return;
    setText(this.acts, act[0]);
    this.acts.onclick = act[1];
  }

  /** Go to the note, or to the kind of error when there is one to choose. */
  write() { if (!this.details.hidden) this.note.focus(); }
  explain() { if (!this.miss.hidden && !this.details.hidden) this.error.focus(); }

  /** Say until when the criterion is kept, or that it no longer is; null says nothing. */
  kept(text) {
    this.keeps.hidden = !text;
    setText(this.keeps.firstChild, text ?? "");
  }
}
