/* A draft that is open: written or read on the left; what is missing, its trial and its reviews on the right. */
import { announce, h, icon, setText } from "../dom.js";
import { ApiError } from "../session/api.js";
import { bones, failed } from "./ending.js";
import { StatisticsFeed } from "./statisticsfeed.js";
import { decide, draftPath, getVersion, sendPicture, startTrial } from "./authorapi.js";
import { Checks } from "./authorchecks.js";
import { TaskDocument, differences, named, titleOf } from "./authordocument.js";
import { Editor } from "./authoreditor.js";
import { button, iconButton, linkButton } from "./authorfields.js";
import { conversation, reading } from "./authorreading.js";
import { Reviews, historyOf, when } from "./authorreviews.js";
import { Saving, keptCopy } from "./authorsaving.js";
import { stageChip } from "./authorstages.js";
import { TrialPanel, isOver } from "./authortrial.js";

const OFTEN = 2000, SELDOM = 20_000; // ms until the next look, during a trial and else
const VOIDS = "What is changed now is a new version: its trial and its reviews begin anew.";
const SENT = "Pictures and prompts in this order, beside a system prompt and the tools. A turn’s golden answer, tool chain and rubric are not sent with it.";
const authorOf = ({ versions, version, author }) => versions.find((one) => one.version === version)?.author ?? author;
const clip = (text) => (text.length > 1500 ? `${text.slice(0, 1500)} …` : text);

/* Two versions of a task where they differ, to choose from. */
function conflictOf(draft, mine, me, { keep, take }) {
  const places = differences(mine, draft.task), by = authorOf(draft) === me ? "elsewhere under your name" : `by ${authorOf(draft)}`;
  const cell = (text) => h("td", { class: "words" }, text ? clip(text) : h("span", { class: "mut" }, "Nothing"));
  return h("section", { class: "card conflict", role: "alertdialog", "aria-labelledby": "es-author-conflict", tabindex: -1 },
    h("h2", { id: "es-author-conflict" }, "Two versions of this task"),
    h("p", { class: "sm sub words" },
      `Version ${draft.version} was saved ${by} while you were writing here. Nothing is lost: that version stays in the history, and yours comes back with Undo.`),
    h("div", { class: "tblwrap", tabindex: 0, role: "region", "aria-label": "Where they differ" }, h("table", { class: "versions" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Place"), h("th", { scope: "col" }, "Yours"), h("th", { scope: "col" }, `Version ${draft.version}`))),
      h("tbody", {}, places.slice(0, 100).map(([place, ours, theirs]) => h("tr", {}, h("th", { scope: "row" }, place), cell(ours), cell(theirs)))))),
    places.length > 100 ? h("p", { class: "xs mut" }, `and ${places.length - 100} more places`) : null,
    h("div", { class: "row acts" }, button(`Save yours as version ${draft.version + 1}`, keep, { kind: "primary", "data-act": "keep-mine" }),
      button(`Take version ${draft.version}`, take, { "data-act": "take-theirs" })));
}

export class AuthorDesk {
  /**
   * Of the draft `id`. `shell`: reviewers, zoom, dialog (a ReadingDialog), back() to the list, who() lets another person review, unknown() when the
   * server does not take the token, turn() and turned(at) in the link, export() the task, fresh if it was made just now.
   */
  constructor(id, shell) {
    Object.assign(this, { id, shell, draft: null, saving: null, views: {}, wanted: null, sending: 0, mode: null, me: shell.reviewers.name });
    this.title = h("h2", { class: "words", tabindex: -1 }, "\u00a0");
    this.chip = h("span", { class: "chip-place" });
    this.state = h("div", { class: "row sm save-state", role: "status" });
    this.acts = h("div", { class: "row desk-acts" });
    this.notice = h("div", { class: "notices" });
    this.main = h("div", { class: "desk-main" }, bones());
    this.checks = new Checks((where, message) => this.editor?.focusOn(where, message));
    this.trial = new TrialPanel((wish) => this.#try(wish));
    this.reviews = new Reviews((body) => this.#decide(body), () => shell.who());
    this.past = h("details", { class: "card side-card past" }, h("summary", {}, h("h3", {}, "History")));
    this.side = h("div", { class: "desk-side", hidden: true }, this.checks.element, this.trial.element, this.reviews.element, this.past);
    this.preview = button("As a model sees it", () => this.#preview(), { glyph: "eye", title: "What a model is sent", "data-act": "preview" });
    this.save = button("Save", () => this.saveNow(), { glyph: "save", title: "Save a version now (Ctrl+S)", "data-act": "save" });
    this.edit = button("Edit", () => this.#edit(), { glyph: "brush", title: VOIDS, "data-act": "edit" });
    this.out = button("Export", () => shell.export(), { glyph: "save", title: "This task in the schema of the data set", "data-act": "export" });
    const back = iconButton("All tasks", "back", () => shell.back(), { kind: "", "data-act": "back" });
    this.head = h("div", { class: "row desk-head" }, back, this.title, this.chip, this.state, h("span", { class: "grow" }), this.acts);
    this.element = h("div", { class: "author-desk" }, this.head, this.notice, h("div", { class: "desk-grid" }, this.main, this.side));
    this.feed = new StatisticsFeed({ wait: () => {}, draw: (draft) => this.#draw(draft), fail: (error, drawn) => this.#failed(error, drawn) }, { every: SELDOM });
  }

  show() { this.feed.show(draftPath(this.id), this.shell.reviewers.token); }

  /** Nobody looks at it any more; resolves when it is saved, or cannot be; null if there was nothing to save. */
  leave() {
    this.feed.leave();
    return this.saving?.dirty ? this.saving.leave() : null;
  }

  /** Whoever wrote it looks elsewhere: save what there is. */
  rest() { this.saving?.now(); }
  away() { this.saving?.away(); }
  /** Whether something would be lost if the page went. */
  get holds() { return this.sending > 0 || Boolean(this.saving?.unkept); }
  get #token() { return this.shell.reviewers.tokenOf(this.me); }

  #failed(error, drawn) {
    if (error?.status === 401) { this.shell.unknown(); return; }
    this.stale = Boolean(error);
    if (drawn) this.#say();
    if (drawn || !error) return; // what is shown stays
    const acts = [["Try again", () => this.feed.again()], ["All tasks", () => this.shell.back()]];
    this.head.hidden = true; // without a title its arrow stands alone
    this.main.replaceChildren(failed("The task could not be loaded", error.message, error.status === 404 ? acts.slice(1) : acts));
  }

  // what is shown

  #draw(draft) {
    const { saving } = this;
    if (saving?.busy) { this.later = draft; return; } // the answer to what is on its way says more
    if (saving && draft.version < saving.version) return;
    Object.assign(this, { draft, views: { ...this.views, ...draft.pictures } });
    if (!saving) this.#begin(draft);
    else if (draft.version > saving.version) saving.meet(draft);
    this.feed.every = draft.trials.length && !isOver(draft.trials.at(-1)) ? OFTEN : SELDOM;
    this.#show();
    if (!saving && this.shell.fresh) this.editor.focus();
  }

  /* Take up a draft, with what this browser has kept of it. */
  #begin(draft) {
    const copy = keptCopy(this.id, this.me), version = copy?.version ?? draft.version, task = copy?.task ?? draft.task;
    this.document = new TaskDocument(task, (now) => this.#changed(now));
    this.saving = new Saving({ id: this.id, who: this.me, version, base: version === draft.version ? draft.task : null, task, pending: copy?.pending }, {
      token: () => this.#token, changed: () => this.#say(), saved: (saved) => this.#saved(saved), refused: (error) => this.#refused(error),
      adopted: (other) => { this.document.reset(other.task); announce(`Version ${other.version} by ${authorOf(other)} is shown`); },
      conflict: (other) => this.#conflict(other),
    });
    if (!copy) return;
    if (copy.pending) this.saving.now();
    else if (draft.version > version) this.saving.meet(draft);
    else {
      this.saving.put(task);
      if (this.saving.dirty) this.#back(draft, copy);
    }
  }

  /* What an earlier page left unsaved is here again. */
  #back(draft, { at }) {
    const gone = () => { line.remove(); this.title.focus({ preventScroll: true }); };
    const discard = () => { this.document.change(draft.task); gone(); };
    const words = `What you wrote until ${when(at)} and was not saved is here again.`;
    const line = h("div", { class: "row told-back", role: "status" }, icon("again"), h("span", { class: "sm grow" }, words),
      button("Discard it", discard, { kind: "small", "data-act": "discard" }), iconButton("Close", "x", gone));
    this.notice.append(line);
  }

  get #editing() {
    const { may, stage, version } = this.draft;
    return this.saving.dirty || (may.includes("edit") && (stage === "draft" || this.wanted === version));
  }

  #show() {
    const { draft, saving } = this, editing = this.#editing, { task } = this.document;
    this.head.hidden = false;
    setText(this.title, titleOf(task));
    this.chip.replaceChildren(stageChip(draft));
    const mode = editing ? "edit" : `read ${draft.version}`;
    if (mode !== this.mode) this.#turnTo(mode, editing);
    this.side.hidden = false;
    const { missing } = draft;
    this.checks.element.hidden = !editing && !missing.length;
    this.checks.show(missing, draft.task, task);
    if (editing) this.editor.mark(missing);
    this.trial.show(draft);
    this.reviews.show(draft);
    this.#history(draft);
    this.#say();
    if (saving.state !== "conflict") this.main.querySelector(".conflict")?.remove();
  }

  #turnTo(mode, editing) {
    this.mode = mode;
    if (editing && !this.editor) {
      this.editor = new Editor(this.document, {
        upload: (file) => sendPicture(file, this.#token), zoom: (...what) => this.shell.zoom.open(...what), views: () => this.views,
        known: (view) => { this.views = { ...this.views, [view.digest]: view }; }, sending: (count) => { this.sending = count; }, turned: (at) => this.shell.turned(at),
      });
      this.editor.choose(this.shell.turn());
    }
    const held = this.acts.contains(document.activeElement);
    const { may } = this.draft;
    this.main.replaceChildren(editing ? this.editor.element : h("div", { class: "card told-card" }, this.#told(this.draft.task)));
    const { undoButton, redoButton } = this.editor ?? {}, read = [may.includes("edit") && this.edit, may.includes("export") && this.out].filter(Boolean);
    this.acts.replaceChildren(...(editing ? [undoButton, redoButton, this.preview, this.save] : [this.preview, ...read]));
    if (held) this.title.focus({ preventScroll: true });
  }

  #told(task) { return reading(task, this.views, (...what) => this.shell.zoom.open(...what)); }

  #history(draft) {
    const text = JSON.stringify([draft.versions, draft.trials, draft.decisions]);
    if (text === this.pastText) return;
    this.pastText = text;
    this.past.lastChild.remove();
    this.past.append(h("summary", {}, h("h3", {}, "History")), historyOf(draft, (version) => this.#look(version)));
    while (this.past.children.length > 2) this.past.firstChild.remove();
  }

  /* How it is saved. */
  #say() {
    const { saving, draft } = this;
    if (!saving || !draft) return;
    const { state, message, seconds, unkept, version } = saving;
    const now = this.#editing ? `Saved as version ${version}` : `Version ${version} by ${authorOf(draft)}`;
    const kept = unkept ? "this browser cannot keep it, so leave the page open" : "kept in this browser";
    const says = {
      saved: [this.stale ? `${now}; no connection, so there may be a newer one` : now], saving: ["Saving"],
      waiting: [unkept ? `Not saved yet: ${kept}` : "Kept in this browser, saved in a moment"],
      lost: [`No connection: ${kept}, sent again ${seconds > 0 ? `in ${seconds} s` : "now"}`, linkButton("Try now", () => saving.backoff.now())],
      refused: [`Not saved: ${message}`, linkButton("Try again", () => saving.now())], conflict: ["Not saved: somebody else has saved another version"],
    }[state];
    const text = JSON.stringify([state, says[0]]);
    this.save.disabled = !saving.dirty || state === "saving" || state === "conflict";
    if (text === this.said) return;
    this.said = text;
    const held = this.state.contains(document.activeElement);
    this.state.dataset.state = state;
    this.state.setAttribute("aria-live", state === "saving" || state === "waiting" || (state === "lost" && seconds % 5) ? "off" : "polite");
    this.state.replaceChildren(h("span", { class: "dot" }), h("span", { class: "words" }, says[0]), ...says.slice(1));
    if (held) (this.state.querySelector("button") ?? this.title).focus({ preventScroll: true });
  }

  // what is written

  #changed(task) {
    this.saving.put(named(task));
    setText(this.title, titleOf(task));
    this.editor?.draw();
    this.checks.show(this.draft.missing, this.draft.task, task);
    this.#say();
  }

  /** Save a version at once, and say so. */
  async saveNow() {
    await this.saving.now();
    if (this.saving.state === "saved") announce(`Saved as version ${this.saving.version}`);
  }

  #saved(draft) {
    const later = this.later?.version >= draft.version ? this.later : draft;
    Object.assign(this, { later: null, draft: later, views: { ...this.views, ...later.pictures } });
    if (this.wanted !== null) this.wanted = later.version;
    this.notice.replaceChildren();
    this.#show();
  }

  /* The server does not take what was written: say so at its place, if it tells it. */
  #refused(error) {
    if (this.saving.gone) return; // it stays in the browser, and is offered again
    if (error.status === 401 || error.code === "wrong_token") { this.shell.unknown(); return; }
    const where = String(error.field ?? "").replace(/^task\./, "").replace(/\[(\d+)\]/g, ".$1");
    if (this.editor && /^(title|category|domain|turns)/.test(where)) this.editor.focusOn(where, error.message);
  }

  #conflict(other) {
    const settle = (theirs) => {
      card.remove();
      this.draft = other;
      if (theirs) this.document.change(other.task);
      this.saving.settle(other, { theirs });
      this.#show();
      this.title.focus({ preventScroll: true });
    };
    const card = conflictOf(other, this.document.task, this.me, { keep: () => settle(false), take: () => settle(true) });
    queueMicrotask(() => {
      this.main.querySelector(".conflict")?.remove();
      this.main.prepend(card);
      card.focus();
    });
  }

  #edit() {
    this.wanted = this.draft.version;
    this.#show();
    this.editor.focus();
    if (this.draft.stage !== "draft") this.notice.replaceChildren(h("div", { class: "row told-back" }, icon("info"), h("span", { class: "sm" }, VOIDS)));
  }

  // what follows

  #preview() {
    this.shell.dialog.open("As a model sees it", SENT, conversation(this.document.task, this.views, (...what) => this.shell.zoom.open(...what)));
  }

  async #look(version) {
    try {
      const found = await getVersion(this.id, version, this.#token), task = found.task ?? found;
      this.views = { ...(found.pictures ?? {}), ...this.views };
      const restore = this.draft.may.includes("edit") ? [["Bring it back", () => { this.wanted = this.draft.version; this.#show(); this.document.change(task); }]] : [];
      this.shell.dialog.open(`Version ${version}`, `${task.title}, as it was saved.`, this.#told(task), restore);
    } catch (error) { announce(error.message); }
  }

  async #try(wish) {
    await this.saving.now();
    if (this.saving.dirty) throw new ApiError("The task is not saved yet, and models try what is saved: see beside its title why.");
    await startTrial(this.id, wish, this.#token);
    this.wanted = null;
    await this.feed.again();
  }

  async #decide(body) {
    await decide(this.id, body, this.#token);
    await this.feed.again();
    announce("Your review is recorded");
  }
}
