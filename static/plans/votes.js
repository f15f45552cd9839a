/* What the person says of plans: what stands, what is on its way, and what is chosen and not saved yet. */
import { Outbox } from "../outbox.js";
import { castVote } from "./api.js";
import { contentOf, isWhole, mineOn, same, split, valueOf } from "./parts.js";

const DRAFTS = "es-plan-drafts", MOST = 400;

function kept() {
  try { return new Map(JSON.parse(sessionStorage.getItem(DRAFTS)) ?? []); } catch { return new Map(); }
}

export class Votes {
  /** `hooks` are those of the outbox; `tokenOf(name)`, `me()`. */
  constructor(backoff, { tokenOf, me }, hooks) {
    Object.assign(this, { me, drafts: kept() });
    this.outbox = new Outbox("es-plan-votes", ({ to, who, body }) => castVote(to, body, tokenOf(who)), backoff, hooks);
  }

  restore() { this.outbox.restore(); }
  settled() { return this.outbox.settled(); }
  get underWay() { return this.outbox.items.length > 0; }

  /** What stands on a part of a plan: {value, note}, on its way or stored; or null. */
  standing(plan, part) {
    const { about, key } = split(part), item = this.outbox.items.findLast(({ to, body }) => to === plan.answer && body.about === about && body.key === key);
    if (item) return item.body.content ? { value: valueOf(item.body.content), note: item.body.note } : null;
    return mineOn(plan.mine, part);
  }

  waits(plan, part) {
    const { about, key } = split(part);
    return this.outbox.items.some(({ to, body }) => to === plan.answer && body.about === about && body.key === key);
  }

  /** What is shown as the person's word: the draft, or what stands: {value, note}. */
  shown(plan, part) {
    const draft = this.drafts.get(`${plan.answer} ${part}`), stands = this.standing(plan, part);
    return { value: draft?.value ?? stands?.value ?? null, note: draft?.note ?? stands?.note ?? "" };
  }

  /** Choose something; nothing is saved. */
  put(plan, part, changes) {
    const key = `${plan.answer} ${part}`, next = { ...this.shown(plan, part), ...changes }, stands = this.standing(plan, part);
    this.drafts.delete(key);
    if (!same(next, { value: stands?.value ?? null, note: stands?.note ?? "" })) this.drafts.set(key, next);
    if (this.drafts.size > MOST) this.drafts.delete(this.drafts.keys().next().value);
    this.#keep();
  }

  /** Whether something is chosen that is not saved. */
  differs(plan, part) { return this.drafts.has(`${plan.answer} ${part}`); }
  /** Whether a word is still wanted. */
  open(plan, part) { return this.standing(plan, part) === null; }

  /** Save what is chosen; returns whether there was something to save. */
  save(plan, part) {
    const { value, note } = this.shown(plan, part);
    if (!isWhole(part, value) || (!this.differs(plan, part) && !this.open(plan, part))) return false;
    this.#send(plan, part, contentOf(part, value), note);
    return true;
  }

  /** Parts of a plan with a whole word that is not saved. */
  unsaved(plan) {
    const of = `${plan.answer} `;
    return [...this.drafts].filter(([key, { value }]) => key.startsWith(of) && isWhole(key.slice(of.length), value)).map(([key]) => key.slice(of.length));
  }

  /** Take what stands back. */
  takeBack(plan, part) {
    this.drafts.delete(`${plan.answer} ${part}`);
    if (this.standing(plan, part)) this.#send(plan, part, null, ""); else this.#keep();
  }

  /** Nothing that was chosen is lost with a vote that is not taken. */
  refused({ to, body }) {
    if (body.content) this.drafts.set(`${to} ${body.key ? `${body.about}:${body.key}` : body.about}`, { value: valueOf(body.content), note: body.note });
    this.#keep();
  }

  #send(plan, part, content, note) {
    this.drafts.delete(`${plan.answer} ${part}`);
    this.#keep();
    this.outbox.push(plan.answer, this.me(), { ...split(part), content, note });
  }

  #keep() {
    try { sessionStorage.setItem(DRAFTS, JSON.stringify([...this.drafts])); } catch { /* a strict frame */ }
  }
}
