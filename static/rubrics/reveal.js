/* What others say of a criterion, once one has voted: judges with their reasons, people with their notes, and what settles a
   disagreement between people. */
import { h } from "../dom.js";
import { Settle } from "./settle.js";
import { CONFIDENCES, errorWords, said } from "./words.js";

const cut = (text) => (text.length > 1200 ? [text.slice(0, 1200), h("span", { class: "mut" }, " …")] : text);

/** How one's verdict compares with another's: [words, class of the tag]. */
export function compared(mine, theirs) {
  if (!mine) return null;
  if (!theirs || [mine, theirs].includes("cannot_assess")) return ["Not compared", ""];
  return mine === theirs ? ["You agree", "acc"] : ["You disagree", "warn"];
}
const tagOf = (words) => words && h("span", { class: `tag ${words[1]}` }, words[0]);

/** What a screen reader is told after a vote. */
export function spoken(entry) {
  const judge = entry.revealed?.judges[0], words = judge && compared(entry.vote?.verdict, judge.verdict);
  if (!entry.vote) return "Vote taken back";
  return ["Saved", judge ? `Judge says ${said(judge.verdict)}` : "No judge has graded this", words && judge.verdict ? words[0] : null].filter(Boolean).join(". ");
}

function judgeCard({ judge, verdict, reason, evidence, unscored }, mine, found, several, toMark) {
  return h("div", { class: "reveal", "data-judge": true },
    h("div", { class: "row between" },
      h("span", { class: "who-says" }, h("b", {}, `Judge: ${said(verdict)}`), " ", h("span", { class: several ? "sub" : "mut", title: "The judge’s name" }, judge)), tagOf(compared(mine, verdict))),
    h("p", { class: "sub words" }, cut(verdict ? reason : `${unscored}${reason ? `: ${reason}` : ""}`)),
    evidence && (found ? h("button", { type: "button", class: "link", onclick: toMark }, "Evidence is marked in the model answer") : h("blockquote", { class: "sub words" }, cut(evidence))));
}

function voteLine({ reviewer, verdict, confidence, note, error, blind }, mine) {
  const facts = [confidence && `${CONFIDENCES[confidence - 1][1].toLowerCase()} confidence`, error && errorWords(error), !blind && "after the reveal"].filter(Boolean).join(", ");
  return h("li", {}, h("div", { class: "row between" }, h("span", { class: "who-says" }, h("b", {}, reviewer), `: ${said(verdict)}`), tagOf(compared(mine, verdict))),
    facts && h("p", { class: "xs mut" }, facts), note && h("p", { class: "sub words" }, cut(note)));
}

/** Whether some people say that an entry is met and others that it is not. */
export function disagree(entry) {
  const said = new Set([entry.vote, ...(entry.revealed?.others ?? [])].map((vote) => vote?.verdict));
  return said.has("met") && said.has("not_met");
}

export class Reveal {
  /** `hooks`: toMark(k) goes to the marked evidence of a judge, and those of what settles a disagreement. */
  constructor(hooks) {
    this.toMark = hooks.toMark;
    this.said = h("div", { class: "saids" });
    this.settle = new Settle(hooks);
    this.element = h("div", { class: "revealed" }, this.said, this.settle.element);
  }

  /** Show what is told of an entry to `me`; `found` says which judges' evidence is marked. */
  show(entry, me, found) {
    const { judges, others } = entry.revealed, mine = entry.vote?.verdict, key = JSON.stringify([entry.entry, judges, others, mine, found]);
    this.settle.show(entry, me, disagree(entry));
    if (key === this.shown) return; // what has the focus in there keeps it
    this.shown = key;
    this.said.replaceChildren(
      ...judges.map((judge, k) => judgeCard(judge, mine, found[k], judges.length > 1, () => this.toMark(k))),
      ...(judges.length ? [] : [h("p", { class: "reveal sub" }, "No judge has graded this answer.")]),
      ...(others.length ? [h("ul", { class: "others", "aria-label": "Others’ votes" }, others.map((vote) => voteLine(vote, mine)))] : []));
  }

  /** Nothing of another criterion stays in the page. */
  clear() {
    this.shown = null;
    this.said.replaceChildren();
    this.settle.clear();
  }
}
