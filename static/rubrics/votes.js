/* The reviewer's votes: what stands on an entry with what is on its way, what is typed beside it, and the way back. */
import { Outbox } from "../outbox.js";
import { castVote } from "./api.js";
import { Drafts } from "./drafts.js";

const DETAILS = ["verdict", "confidence", "note", "error"];
const BLANK = { confidence: null, note: "", error: null };
const SOON = 800; // ms after which what was chosen beside a vote that stands is sent

export class Votes {
  /** `me()` is the reviewer's name, `tokenOf(name)` their token, `present()` the entry on show; `hooks` are those of the outbox. */
  constructor(backoff, { me, tokenOf, present }, hooks) {
    Object.assign(this, { me, present, undoable: [], later: null });
    this.drafts = new Drafts();
    this.outbox = new Outbox("es-votes", ({ to, who, body }) => castVote(to, body, tokenOf(who)), backoff, {
      ...hooks,
      answered: (item, view) => { this.#taken(item, view); hooks.answered(item, view); },
      refused: (item, error) => { this.#left(item); hooks.refused(item, error); },
    });
  }

  /** Take up what an earlier load of the page left unsent. */
  restore() { this.outbox.restore(); }
  get underWay() { return this.outbox.items.length > 0; }
  /** Resolves when nothing is on its way. */
  settled() { return this.outbox.settled(); }

  /** The vote that stands on an entry, or null. */
  standing(entry) {
    const item = this.#under(entry.entry);
    return item ? (item.body.verdict ? item.body : null) : entry.vote;
  }
  /** The verdict on an entry that was given blind and still counts, or null. */
  blindOn(entry) { return entry.blind_verdict; }

  waits(entry) { return Boolean(this.#under(entry.entry)); }
  /** What is typed or chosen beside it: {note, confidence, error}. */
  draft(entry) { return this.drafts.of(entry.entry, this.standing(entry)); }

  /** Note what is typed or chosen; beside a vote that stands it is sent at once (`now`), a little later, or with flush() (`typing`). */
  detail(entry, changes, { now = false, typing = false } = {}) {
    clearTimeout(this.later);
    if (Object.keys(changes).length) this.drafts.put(entry.entry, { ...this.draft(entry), ...changes });
    if (now) this.flush(); else if (!typing && this.standing(entry)) this.later = setTimeout(() => this.flush(), SOON);
  }

  /** Send what was typed or chosen beside the vote that stands on the entry on show. */
  flush() {
    clearTimeout(this.later);
    const entry = this.present(), stands = entry && this.standing(entry);
    if (stands && this.me() && this.drafts.differs(entry.entry, stands)) this.cast(entry, stands.verdict);
  }

  /** Vote on an entry; null takes the vote back, and leaves what was typed. */
  cast(entry, verdict) {
    clearTimeout(this.later);
    const stands = this.standing(entry), draft = this.draft(entry);
    if (stands) this.drafts.put(entry.entry, draft);
    this.undoable.push({ entry: entry.entry, before: stands && Object.fromEntries(DETAILS.map((name) => [name, stands[name]])) });
    this.#send(entry.entry, verdict ? { verdict, ...draft, error: verdict === "not_met" ? draft.error : null } : { verdict });
  }

  /** What the last vote changed: {entry, before}, or undefined; `back` brings it back. */
  get last() { return this.undoable.at(-1); }
  back() {
    const { entry, before } = this.undoable.pop();
    this.drafts.drop(entry);
    this.#send(entry, before ?? { verdict: null });
  }

  /** Settle a disagreement on an entry; null takes one's ruling back. */
  settle(entry, verdict, note) { this.#send(entry.entry, { verdict, note, role: "adjudication" }); }

  /* What was cast last on an entry as a reviewer and is on its way, if anything. */
  #under(entry) { return this.outbox.items.findLast(({ to, body }) => to === entry && body.role === "review"); }

  #send(entry, body) { this.outbox.push(entry, this.me(), { ...BLANK, role: "review", ...body }); }

  #taken({ to: entry, body }, { vote }) {
    if (body.role === "review" && vote && !this.#under(entry) && !this.drafts.differs(entry, vote)) this.drafts.drop(entry);
  }

  /* Nothing that was typed is lost with a vote that is not taken. */
  #left({ to: entry, body: { role, verdict, note, confidence, error } }) {
    this.undoable = this.undoable.filter((one) => one.entry !== entry);
    if (role === "review" && verdict) this.drafts.put(entry, { note, confidence, error });
  }
}
