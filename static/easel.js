/* Which painting stands on a tab's easel: shown, gone on with, begun anew. What the Paint and the Semantic tab share. */
import { h } from "./dom.js";
import { confirmStartOver } from "./paint/ending.js";
import { getSession } from "./session/api.js";
import { putAside, tokenOf, unfinished } from "./session/library.js";
import { Painting } from "./session/painting.js";
import { pictureOf } from "./sheet.js";
import { setQuery } from "./tabs.js";

export class Easel {
  /**
   * `tab` is the tab's key, `protocol()` the rules of a new painting, `siblings(task)` the tasks among which one follows
   * the other. `on`: put(task, bitmap) shows what a task brings besides its picture, shown(painting) may, refresh() shows what has changed,
   * acted(action) tells of an action, message(text, answer) of what was refused, gone(task) of a task that is no more.
   */
  constructor(host, { tab, stage, notice, protocol, siblings, on }) {
    Object.assign(this, { host, tab, stage, notice, protocol, siblings, on, painting: null, turn: 0 });
    this.frame = host.querySelector("[data-frame]");
    this.hooks = {
      changed: () => on.refresh(),
      acted: (action) => on.acted(action),
      message: (text, answer) => on.message(text, answer),
      drawn: () => this.#ready(),
      connection: (state) => {
        this.#ready();
        notice.connection(state, this.painting.view.step, this.painting.pending, () => this.painting.retryNow());
      },
      begun: (id) => { setQuery({ session: id, task: null }); on.refresh(); },
    };
  }

  #ready() { this.host.dataset.ready = "true"; }

  /** Put a painting on the easel; resolves to whether it is there. The latest call wins: a slow picture must not replace
   *  a newer choice. */
  async show(task, { view = null, token = null } = {}) {
    const mine = ++this.turn, bitmap = await pictureOf(task);
    if (mine !== this.turn) return false;
    const { stage, notice, tab, hooks } = this, other = this.painting && this.painting.task.id !== task.id;
    this.painting?.close();
    notice.connection({ waiting: false }, 0, 0, null);
    notice.say(null);
    this.on.put(task, bitmap);
    this.painting = new Painting({ task, protocol: this.protocol(), view, token, pixels: stage.pixels, preview: stage.preview, hooks, tab });
    this.on.shown?.(this.painting);
    this.on.refresh();
    if (other) scrollTo(0, 0);
    if (!view?.step) this.#ready(); // else with its strokes, by the first snapshot
    return true;
  }

  /** Put the painting of a session on the easel. */
  open(view) { return this.show(view.task, { view, token: tokenOf(view.session_id) ?? null }); }

  /** A chosen task: the painting of it that was begun here goes on; else a new one, with nothing written yet. */
  async choose(task, { fresh = false } = {}) {
    this.host.inert = true; // no stroke may land on the painting that leaves
    try {
      let going = fresh ? null : unfinished(task.id);
      const opened = going && (await getSession(going.id).then((view) => this.open(view)).catch((error) => {
        if (error.status !== 404) throw error; // out of reach is not gone
        putAside(going.id);
        going = null;
      }));
      if (opened ?? (await this.show(task))) setQuery({ task: going ? null : task.id, session: going?.id ?? null }, { push: true });
    } catch (error) {
      if (error.status === 404) this.on.gone?.(task);
      this.notice.say(error.message);
    } finally {
      this.host.inert = false;
      this.frame.focus({ preventScroll: true }); // ready to be painted on, by keys too
    }
  }

  /** The same task once more; asks first when a painting of it is under way. */
  async again() {
    const { painting } = this;
    if (painting.started && !painting.finished && !painting.watching && !(await confirmStartOver(painting.view.step))) return;
    if (painting.id) putAside(painting.id);
    this.choose(painting.task, { fresh: true });
  }

  /** The task after this one. */
  next() {
    const tasks = this.siblings(this.painting.task), at = tasks.findIndex(({ id }) => id === this.painting.task.id);
    this.choose(tasks[(at + 1) % tasks.length]);
  }

  /** Do what may be refused; the reason stands on the canvas, and the controls show what is. */
  async told(act) {
    try { await act(); } catch (error) { this.notice.say(error.message); }
    this.on.refresh();
  }

  /** Begin the session before its first stroke arrives. */
  begin() { this.painting.begin().catch((error) => this.notice.say(error.message)); }

  /** What the notice tells of turns: whose it is, when it is neither free nor this page's. */
  tellTurn() {
    const { painting } = this, waits = painting.waitsFor && !painting.finished && !painting.watching;
    this.notice.turn(waits
      ? { guest: painting.waitsFor, waiting: painting.pending, owner: !painting.guest, back: () => this.told(() => painting.handBack()) } : null);
  }

  /** Do what the first screen needs; when it fails, say so before `place` and wait for the press of a button. */
  async load(what, place) {
    this.host.inert = true; // until there is something to act on
    for (;;) {
      try { await what(); break; } catch (error) { await this.#asked(error, place); }
    }
    this.host.inert = false;
  }

  #asked(error, place) {
    this.host.inert = false;
    return new Promise((resolve) => {
      const box = h("div", { class: "hole err first", role: "alert" }, h("b", {}, "The tasks could not be loaded"), h("p", {}, error.message),
        h("button", { type: "button", class: "btn", onclick: () => { box.remove(); this.host.inert = true; resolve(); } }, "Try again"));
      place.before(box);
    });
  }
}
