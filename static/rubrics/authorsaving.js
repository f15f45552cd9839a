/* A draft on its way to the server: kept in the browser at once, saved as a version when its author rests or leaves, one version
   in flight, each with its own id, so that one whose answer was lost is sent again and saved once. */
import { Backoff } from "../session/backoff.js";
import { getDraft, saveVersion, sendOff } from "./authorapi.js";
import { newId, same } from "./authordocument.js";

const REST = 8000; // ms without a change after which a version is saved
const SOON = 300; // ms until the browser keeps a change
const TAB = newId();
const keyOf = (id, who) => `es-author:${studio.url("")}:${id}:${who}`; // several studios may share an origin

/** What this browser keeps of a draft that `who` wrote and the server may not have: {task, version, pending, at}, or null. */
export function keptCopy(id, who) {
  try {
    const copy = JSON.parse(localStorage.getItem(keyOf(id, who)));
    return copy?.task?.turns?.length && Number.isInteger(copy.version) ? copy : null;
  } catch { return null; }
}

export class Saving {
  /**
   * Of the draft `id` whose `version` holds `base` (null: not known), changed to `task`; `pending` is a request of an earlier page whose answer is not
   * known. `hooks`: token(), changed() when `state` is another one, saved(draft), refused(error), adopted(draft) when a version from elsewhere takes
   * the place of one that was not changed here, conflict(draft) when there are two to choose from.
   */
  constructor({ id, who, version, base, task = base, pending = null }, hooks) {
    Object.assign(this, { id, who, version, base, task, pending, hooks, busy: false, state: "saved", message: "", seconds: 0, unkept: false, waiters: [] });
    this.backoff = new Backoff(({ waiting, seconds }) => { if (waiting) this.#say("lost", "", seconds); });
  }

  get dirty() { return Boolean(this.pending) || !same(this.task, this.base); }

  /** The task is another one now; `soon` if it is worth a version at once. */
  put(task, { soon = false } = {}) {
    this.task = task;
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), SOON);
    if (this.state === "conflict") return; // until its author has chosen
    clearTimeout(this.timer);
    if (!this.dirty) { this.#say("saved"); return; }
    if (!this.busy) this.#say("waiting");
    this.timer = setTimeout(() => this.now(), soon ? 0 : REST);
  }

  /** Keep in the browser what the server does not have yet. */
  keep() {
    clearTimeout(this.keeping);
    const key = keyOf(this.id, this.who), { unkept } = this;
    try {
      const { task, version, pending } = this;
      if (this.dirty) localStorage.setItem(key, JSON.stringify({ task, version, pending, at: new Date().toISOString(), tab: TAB }));
      else if (JSON.parse(localStorage.getItem(key))?.tab === TAB) localStorage.removeItem(key);
      this.unkept = false;
    } catch { this.unkept = this.dirty; } // no room, or a strict frame
    if (this.unkept !== unkept) this.hooks.changed();
  }

  /** Save now; resolves when nothing waits, or saving has to wait for a person. */
  async now() {
    clearTimeout(this.timer);
    this.keep();
    this.backoff.now();
    if (this.busy) { await new Promise((resolve) => this.waiters.push(resolve)); return; }
    if (this.state === "conflict") return;
    this.busy = true;
    try {
      while (this.dirty && await this.#send()) { /* sent again until it is answered */ }
    } finally {
      this.busy = false;
      for (const resolve of this.waiters.splice(0)) resolve();
    }
  }

  /* Send one version; whether to go on. */
  async #send() {
    this.pending ??= { request_id: newId(), based_on: this.version, task: this.task };
    this.keep();
    this.#say("saving");
    const sent = this.pending;
    let draft;
    try {
      draft = await saveVersion(this.id, sent, this.hooks.token());
    } catch (error) {
      if (error.retry && !this.gone) { await this.backoff.wait(error.after ?? 0); return !this.gone; }
      this.pending = error.retry ? sent : null;
      this.keep();
      if (error.status === 409) return this.#meet(error);
      this.#say("refused", error.message);
      this.hooks.refused(error);
      return false;
    }
    this.backoff.succeeded();
    Object.assign(this, { base: sent.task, version: sent.based_on + 1, pending: null }); // a version is always the one after that which was changed
    if (draft.version > this.version) { this.meet(draft); return false; } // an old request, and somebody has gone on since
    this.keep();
    this.#say(this.dirty ? "waiting" : "saved");
    this.hooks.saved(draft);
    return false; // what came since waits for its author's rest
  }

  /* Somebody else has saved another version, or the draft may not be changed. */
  async #meet(refusal) {
    try {
      const draft = await getDraft(this.id, this.hooks.token());
      if (draft.version > this.version) { this.meet(draft); return false; }
    } catch { /* the refusal itself is said */ }
    this.#say("refused", refusal.message);
    this.hooks.refused(refusal);
    return false;
  }

  /** The server has another version than the one that was changed here. Returns whether its author has to choose. */
  meet(draft) {
    if (!this.dirty || same(this.task, draft.task)) {
      Object.assign(this, { version: draft.version, base: draft.task, task: draft.task, pending: null });
      this.keep();
      this.#say("saved");
      this.hooks.adopted(draft);
      return false;
    }
    clearTimeout(this.timer);
    this.keep();
    this.#say("conflict");
    this.hooks.conflict(draft);
    return true;
  }

  /** Go on from a version of the server with what stands here, which is saved next, or with that version (`theirs`). */
  settle(draft, { theirs }) {
    Object.assign(this, { version: draft.version, base: draft.task, pending: null });
    if (theirs) this.task = draft.task;
    this.#say(this.dirty ? "waiting" : "saved");
    this.keep();
    return this.now();
  }

  /** The page goes: send without waiting. */
  away() {
    this.keep();
    if (!this.dirty || this.state === "conflict" || this.state === "refused") return;
    this.pending ??= { request_id: newId(), based_on: this.version, task: this.task };
    this.keep();
    sendOff(this.id, this.pending, this.hooks.token());
  }

  /** Nobody looks at it any more; what cannot be saved stays in the browser. */
  async leave() {
    this.gone = true;
    await this.now();
    clearTimeout(this.timer);
  }

  #say(state, message = "", seconds = 0) {
    Object.assign(this, { state, message, seconds });
    this.hooks.changed();
  }
}
