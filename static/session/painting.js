/* One attempt at one task, as this page sees it. The server's events are the truth; what is under way is kept apart. */
import { eachFrame } from "../dom.js";
import { ApiError, createSession, handBack, share } from "./api.js";
import { Backoff } from "./backoff.js";
import { Feed } from "./feed.js";
import { forget, guestOf, noteResult, playerName, remember } from "./library.js";
import { ActionQueue } from "./queue.js";
import { Turn } from "./turn.js";
import { isSemantic } from "../tasks.js";

const SILENCE = 2000; // ms after an answer without its event: the stream is stuck, ask anew
const HELD = 3000; // ms after which an action that had to wait for its turn is tried again, should no event tell

export class Painting {
  /**
   * A new painting of `task` (nothing is written until the first stroke), or the one of `view`, with `token` to go on.
   * `hooks`: changed(), drawn() after a snapshot's pixels, message(text, answer) with the answer if there was one,
   * connection({waiting, seconds}), acted(event), begun(id). `tab` is the tab that shows it.
   */
  constructor({ task, protocol, view = null, token = null, pixels, preview, hooks, tab = "paint" }) {
    Object.assign(this, { task, pixels, preview, token, tab });
    this.hooks = Object.fromEntries(Object.entries(hooks).map(([name, run]) => [name, (...args) => this.closed || run(...args)]));
    this.protocol = view?.protocol ?? protocol;
    this.id = view?.session_id ?? null;
    this.player = view?.player ?? { kind: "human", name: playerName() };
    this.guest = (token && guestOf(this.id)) || null; // the name under which this page takes turns in another's painting
    this.view = view ?? {
      status: "open", seq: 0, step: 0, steps_left: this.protocol === "practice" ? null : task.budget,
      scores: null, curve: [task.anchors?.blank ?? 0], strokes: 0, can_undo: false, turn: { shared: false, guest: null },
    };
    this.turn = new Turn(() => this.#turned());
    this.turn.set(this.view.turn);
    this.heldUntil = []; // what waits for the turn
    this.history = new Map(); // seq -> {kind, stroke} of applied actions; no stroke where another page sent it
    this.undone = [];
    this.told = this.view.seq; // the last action that was announced
    this.untold = null;
    this.waitingForPixels = []; // {seq, preview}: acknowledged, not yet drawn
    this.drawn = -1;
    this.feed = null;
    this.note = eachFrame(() => this.#note(), { later: true });
    this.creation = this.id ? Promise.resolve({ id: this.id, token }) : null;
    this.backoff = new Backoff((state) => this.hooks.connection(state));
    this.queue = new ActionQueue(this.backoff, () => this.begin(), {
      answered: (item, answer) => this.#answered(item, answer),
      refused: (item, error) => this.#refused(item, error),
      changed: () => this.hooks.changed(),
      held: () => this.#held(),
    });
    if (this.id) {
      this.#follow();
      if (token) this.#restore();
    }
  }

  // ---- what the screen shows

  get watching() { return Boolean(this.id) && !this.token; }
  get finished() { return this.view.status !== "open"; }
  get started() { return this.view.step > 0 || this.queue.items.length > 0; }
  get pending() { return this.queue.items.length; }
  /** Steps that are still free once everything under way has arrived; Infinity in practice. */
  get free() {
    const costly = this.queue.items.filter(({ action, seen }) => action.kind !== "submit" && !seen).length;
    return this.view.steps_left == null ? Infinity : this.view.steps_left - costly;
  }

  get submitting() { return this.queue.items.some(({ action }) => action.kind === "submit"); }
  /** Who has the turn, when it is neither free nor this page's: a guest's name, else null. */
  get waitsFor() { return this.turn.guest && this.turn.guest !== this.guest ? this.turn.guest : null; }
  /** Whether this page has taken the turn from the player. */
  get hasTurn() { return Boolean(this.guest) && this.turn.guest === this.guest; }
  get canPaint() { return !this.watching && !this.finished && !this.submitting && this.free > 0 && !this.waitsFor; }
  get canUndo() {
    const moves = { brush_stroke: 1, undo: -1, submit: 0 };
    const under = this.queue.items.reduce((sum, { action, seen }) => sum + (seen ? 0 : moves[action.kind]), 0);
    return this.canPaint && !this.strict && this.view.strokes + under > 0;
  }

  /** Whether the rules know strokes only: the published ones of a reconstruction. */
  get strict() { return this.protocol === "benchmark" && !isSemantic(this.task); }
  get canRedo() { return this.canPaint && this.undone.length > 0; }
  get canSubmit() { return !this.watching && !this.finished && !this.submitting && !this.strict && this.started && !this.guest && !this.waitsFor; }

  // ---- what a person does

  /** Create the session, once; resolves to {id, token}. */
  begin() {
    this.creation ??= this.#create();
    return this.creation;
  }

  /** Send a stroke (13 named numbers, or the six of a path); it shows at once as a preview. */
  paint(stroke, { redone = false } = {}) {
    if (!this.canPaint) return;
    if (!redone) this.undone = [];
    const shown = this.preview.add(stroke);
    this.queue.push({ kind: "brush_stroke", stroke }).preview = shown;
  }

  undo() { if (this.canUndo) this.queue.push({ kind: "undo" }); }
  redo() { if (this.canRedo) this.paint(this.undone.pop(), { redone: true }); }
  submit() { if (this.canSubmit) this.queue.push({ kind: "submit" }); }
  retryNow() { this.backoff.now(); }

  /** Let others take turns, or end that. Throws ApiError. */
  async share(shared) { this.#turnIs(await share(this.id, this.token, shared)); }

  /** Give the turn back to the player, as the guest who has it or as the owner. Throws ApiError. */
  async handBack() { this.#turnIs(await handBack(this.id, this.token)); }

  close() {
    this.closed = true;
    this.queue.close();
    this.feed?.close();
    this.turn.close();
    this.backoff.now();
    this.#release();
    this.preview.clear();
  }

  // ---- what the server says

  async #create() {
    for (;;) {
      try {
        const made = await createSession({ task_id: this.task.id, protocol: this.protocol, player: this.player });
        Object.assign(this, { id: made.session_id, token: made.write_token });
        this.view.watch_url = made.watch_url;
        remember(this.id, { token: this.token, task_id: this.task.id, step: 0, open: true });
        this.backoff.succeeded();
        if (!this.closed) this.#follow();
        this.hooks.begun(this.id);
        return { id: this.id, token: this.token };
      } catch (error) {
        if (!error.retry || this.closed) { this.creation = null; throw error; }
        await this.backoff.wait(error.after ?? 0);
      }
    }
  }

  #follow() {
    this.feed = new Feed(this.id, this.backoff, {
      snapshot: (view) => this.#snapshot(view),
      action: (event) => this.#acted(event),
      turn: (turn) => this.#turnIs(turn),
    }, this.tab);
  }

  #turnIs(turn) {
    this.turn.set(turn);
    this.#turned();
  }

  #turned() {
    if (!this.waitsFor) this.#release();
    this.hooks.changed();
  }

  /* It is another's turn: what was sent waits here, and goes out when the turn is back. */
  #held() {
    if (!this.turn.guest) this.feed?.refresh(); // the event that took it has not come
    return new Promise((resolve) => {
      this.heldUntil.push(resolve);
      setTimeout(resolve, HELD);
    });
  }

  #release() { for (const resolve of this.heldUntil.splice(0)) resolve(); }

  #restore() {
    for (const item of this.queue.restore(this.id)) {
      if (item.action.kind === "brush_stroke") item.preview = this.preview.add(item.action.stroke);
    }
  }

  #snapshot({ canvas, ...view }) {
    this.view = view;
    this.#turnIs(view.turn);
    if (this.untold?.seq <= view.seq) this.#tell(this.untold); // its event came before this stream
    if (!this.queue.items.length) this.told = Math.max(this.told, view.seq); // else an answer is still to be told
    this.pixels.load(canvas, () => { this.#settle(view.seq); this.hooks.drawn(); });
    this.note();
    this.hooks.changed();
  }

  #acted(event) {
    const item = this.queue.items[0], stroke = item?.action.stroke ?? null;
    // Events name no request. With one request in flight, an event of its kind is taken for its effect until the
    // answer says otherwise; so the preview goes in the very frame in which its pixels come.
    const ours = item && !item.seen && item.action.kind === event.kind && event.guest === this.guest;
    this.turn.acted(event.guest);
    this.#turned();
    if (ours) item.seen = event.seq;
    if (event.outcome === "applied") {
      if (event.kind === "undo" && ours) {
        const gone = this.#top();
        if (gone) this.undone.push(gone);
      }
      this.view.strokes += { brush_stroke: 1, undo: -1, submit: 0 }[event.kind];
      this.history.set(event.seq, { kind: event.kind, stroke: ours ? stroke : null });
    }
    this.#merge(event);
    this.view.can_undo = event.can_undo;
    this.pixels.patch(event.patch, () => { if (ours) item.preview?.hide(); this.#settle(event.seq); });
    this.#tell(event);
    this.hooks.changed();
  }

  /* Each action is announced once, by its event or, if the stream began after it, by its answer. */
  #tell(event) {
    if (event.seq <= this.told) return;
    this.told = event.seq;
    this.hooks.acted(event);
  }

  /* The stroke that lies on top; null where this page cannot know it. */
  #top() {
    const canvas = [];
    for (let seq = 1; seq <= this.view.seq; seq++) {
      const { kind, stroke } = this.history.get(seq) ?? {};
      if (!kind) canvas.fill(null); // an action of before this page: what lay below is not known any more
      else if (kind === "undo") canvas.pop();
      else if (kind === "brush_stroke") canvas.push(stroke);
    }
    return canvas.at(-1) ?? null;
  }

  #merge({ seq, step, steps_left, status, score, scores }) {
    if (seq < this.view.seq) return;
    const { curve } = this.view;
    while (curve.length < step) curve.push(curve.at(-1));
    curve[step] = score;
    Object.assign(this.view, { seq, step, steps_left, status, score, scores });
    this.note();
  }

  #note() {
    const { step, scores } = this.view;
    if (!this.token) return;
    remember(this.id, { task_id: this.task.id, step, open: !this.finished });
    if (this.finished && this.protocol !== "practice" && scores && !this.guest) noteResult(this.task.id, this.view.curve.at(-1));
  }

  #answered(item, answer) {
    if (answer.outcome === "applied") {
      this.history.set(answer.seq, { kind: item.action.kind, stroke: item.action.stroke ?? null });
      if (item.preview && this.drawn < answer.seq) { item.preview.show(); this.waitingForPixels.push({ seq: answer.seq, preview: item.preview }); } else item.preview?.remove();
    } else {
      item.preview?.refuse(answer.contact);
      this.hooks.message(answer.message, answer);
    }
    this.#merge(answer);
    const said = { ...answer, kind: item.action.kind, stroke: item.action.stroke ?? null };
    if (this.feed.seq >= answer.seq) this.#tell(said); else this.untold = said;
    if (this.finished) this.queue.clear();
    setTimeout(() => { if (!this.closed && this.feed.source && this.feed.seq < answer.seq) this.feed.refresh(); }, SILENCE);
    this.hooks.changed();
  }

  #refused(item, error) {
    item.preview?.refuse();
    if (!(error instanceof ApiError)) console.error(error);
    if (error.status === 401 || error.status === 403) {
      if (this.guest) error = new ApiError("Your turns have ended: the owner has stopped sharing, or the studio was restarted.", error);
      forget(this.id);
      Object.assign(this, { token: null, guest: null });
      this.queue.clear();
    }
    if (error.status === 409) this.feed?.refresh(); // the server knows something that this page does not
    this.hooks.message(error.message);
    this.hooks.changed();
  }

  #settle(seq) {
    this.drawn = Math.max(this.drawn, seq);
    this.waitingForPixels = this.waitingForPixels.filter((entry) => {
      if (entry.seq > seq) return true;
      entry.preview.remove();
      return false;
    });
  }
}
