/* What others say of a criterion, once one has voted: judges with their reasons, people with their notes, and what settles a
   disagreement between people. */
import { h, icon } from "../dom.js";
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

/** Whether people say different things of an entry. */
export function disagree(entry) {
  const people = [entry.vote, ...(entry.revealed?.others ?? [])].filter(Boolean);
  return new Set(people.map(({ verdict }) => verdict)).size > 1;
}

export class Reveal {
  /** `settle(verdict, note)` settles a disagreement (null takes that back); `toMark(k)` goes to the marked evidence of a judge. */
  constructor({ settle, toMark }) {
    Object.assign(this, { settle, toMark });
    this.said = h("div", { class: "saids" });
    this.note = h("textarea", { class: "field", rows: 2, maxlength: 4000, placeholder: "Why? It stands beside the ruling.", "aria-label": "Reason of the ruling" });
    this.ruling = h("div", { class: "ruling", hidden: true });
    const button = (verdict, label) => h("button", { type: "button", class: "btn", onclick: () => this.settle(verdict, this.note.value.trim()) }, label);
    this.form = h("details", { class: "settle" }, h("summary", { class: "row" }, icon("people"), h("b", { class: "grow" }, "People disagree on this"), h("span", { class: "sub" }, "Settle it"), icon("down")),
      h("div", {}, h("p", { class: "xs mut" }, "A ruling settles it for the consensus. All votes stay as they are."), this.note, h("div", { class: "row" }, button("met", "Settle as met"), button("not_met", "Settle as not met"))));
    this.element = h("div", { class: "revealed" }, this.said, this.ruling, this.form);
  }

  /** Show what is told of an entry to `me`; `found` says which judges' evidence is marked. */
  show(entry, me, found) {
    const { judges, others, adjudication: ruling } = entry.revealed, mine = entry.vote?.verdict;
    if (entry.entry !== this.entry) [this.note.value, this.form.open] = ["", false];
    this.entry = entry.entry;
    this.said.replaceChildren(
      ...judges.map((judge, k) => judgeCard(judge, mine, found[k], judges.length > 1, () => this.toMark(k))),
      ...(judges.length ? [] : [h("p", { class: "reveal sub" }, "No judge has graded this answer.")]),
      ...(others.length ? [h("ul", { class: "others", "aria-label": "Others’ votes" }, others.map((vote) => voteLine(vote, mine)))] : []));
    this.ruling.hidden = !ruling;
    if (ruling) {
      const own = ruling.reviewer === me;
      const words = h("span", {}, h("b", {}, `Settled as ${said(ruling.verdict)}`), own ? " by you" : [" by ", ruling.reviewer]);
      this.ruling.replaceChildren(h("div", { class: "row between" }, h("span", { class: "row who-says" }, icon("check"), words),
        own && h("button", { type: "button", class: "btn small", onclick: () => this.settle(null, "") }, "Take it back")), ruling.note && h("p", { class: "sub words" }, cut(ruling.note)));
    }
    this.form.hidden = !disagree(entry);
  }

  /** Nothing of another criterion stays in the page. */
  clear() {
    this.said.replaceChildren();
    this.ruling.replaceChildren();
  }

  /** Open what settles a disagreement. */
  rule() {
    if (this.form.hidden) return;
    this.form.open = true;
    this.form.querySelector(".btn").focus();
  }
}
