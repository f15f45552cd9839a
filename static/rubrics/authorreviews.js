/* The two reviews of a draft by two people who did not write it, and all that came before. */
import { h, setText } from "../dom.js";
import { Labelled, area, button, linkButton } from "./authorfields.js";
import { newId } from "./authordocument.js";
import { outcomeWords } from "./authortrial.js";
import { errorLine } from "./dialogs.js";

export const REVIEWS = 2;
const LONGEST = 4000, AT_ONCE = 50; // characters of a note; lines of the history
const SAID = { accept: ["acc", "Accepted"], changes: ["warn", "Changes asked for"], reject: ["bad", "Rejected"] };
const ACTS = [["accept", "Accept", "primary"], ["changes", "Ask for changes"], ["reject", "Reject"]];
/** A moment, in words of the reader's place. */
export function when(at) {
  const date = new Date(at), year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return date.toLocaleString([], { year, month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
}
/** Reviews of the last version. */
export const standing = ({ decisions, version }) => decisions.filter((one) => one.version === version);

/* A review on record. */
function said({ reviewer, decision, note, at }) {
  const [kind, words] = SAID[decision];
  const who = h("b", { class: "words grow" }, reviewer), head = h("div", { class: "row" }, h("span", { class: `tag ${kind}` }, words), who, h("span", { class: "xs mut" }, when(at)));
  return [head, note ? h("p", { class: "sm words" }, note) : null];
}

export class Reviews {
  /** `decide(body)` records a review and throws ApiError; `who()` lets another person review. */
  constructor(decide, who) {
    Object.assign(this, { decide, text: null, asked: null });
    this.list = h("ol", { class: "review-rounds" });
    const text = area({ rows: 2, maxlength: LONGEST, placeholder: "What decided it" });
    this.note = new Labelled("Note", text, { place: "note", note: "Needed to ask for changes or reject." });
    this.error = errorLine();
    this.buttons = ACTS.map(([decision, label, kind]) => button(label, () => this.#send(decision), { kind, "data-decision": decision }));
    this.form = h("div", { class: "review-form", role: "group", "aria-label": "Your review" },
      this.note.element, this.error.element, h("div", { class: "row review-acts" }, this.buttons));
    this.whyText = h("span", {});
    this.why = h("p", { class: "sm sub" }, this.whyText, " ", linkButton("Review as someone else", who));
    this.element = h("section", { class: "card side-card reviews-card", "aria-label": "Reviews", tabindex: -1 }, h("h3", {}, "Reviews"), this.list, this.form, this.why);
  }

  show(draft) {
    this.draft = draft;
    const { may, why_not: whyNot, stage } = draft, mine = standing(draft), able = may.includes("review");
    this.form.hidden = !able;
    this.why.hidden = able || !whyNot.review;
    setText(this.whyText, whyNot.review ?? "");
    this.why.lastChild.hidden = stage !== "review";
    const text = JSON.stringify([mine, stage]);
    if (text === this.text) return;
    this.text = text;
    this.list.replaceChildren(...Array.from({ length: REVIEWS }, (_, k) => {
      const one = mine.find(({ round }) => round === k + 1), due = stage === "review" && mine.length === k ? "Open" : "Not yet";
      return h("li", { "data-round": k + 1 },
        h("span", { class: "xs mut" }, `Round ${k + 1}`), h("div", { class: "round-said" }, one ? said(one) : h("span", { class: "sm mut" }, due)));
    }));
  }

  async #send(decision) {
    const note = this.note.control.value.trim(), { version } = this.draft;
    if (decision !== "accept" && !note) {
      this.note.say("A note is needed: say what has to change, or why it is rejected.");
      this.note.control.focus();
      return;
    }
    const body = { version, round: standing(this.draft).length + 1, decision, note }, asked = JSON.stringify([this.draft.draft_id, body]);
    if (this.asked?.text !== asked) this.asked = { text: asked, id: newId() };
    this.error.say(null);
    for (const button of this.buttons) button.disabled = true;
    try {
      await this.decide({ request_id: this.asked.id, ...body });
      this.note.control.value = "";
      this.asked = null;
      this.element.focus({ preventScroll: true }); // the buttons are gone
    } catch (error) {
      this.error.say(error.message);
      if (!error.retry) this.asked = null;
    }
    for (const button of this.buttons) button.disabled = false;
  }
}

/** Everything that happened to a draft, newest first; `look(version)` shows an earlier version. */
export function historyOf(draft, look) {
  const { versions, trials, decisions } = draft, quoted = (text) => h("span", { class: "words" }, text);
  const act = (version) => linkButton("look", () => look(version), { "aria-label": `Look at version ${version}` });
  const reviewed = ({ version, round, reviewer, decision, note }) =>
    [h("b", {}, SAID[decision][1]), ` in round ${round} of version ${version} by `, quoted(reviewer), note ? [". ", quoted(note)] : null];
  const all = [
    ...versions.map(({ version, author, at }) => [at, version, 0, [h("b", {}, `Version ${version}`), " by ", quoted(author), " ", act(version)]]),
    ...trials.map((trial) => [trial.at, trial.version, 1, [h("b", {}, "Trial"), ` of version ${trial.version}. ${outcomeWords(trial)}`]]),
    ...decisions.map((one) => [one.at, one.version, 1 + one.round, reviewed(one)]),
  ].sort(([a, v, i], [b, w, k]) => Date.parse(b) - Date.parse(a) || w - v || k - i);
  const lines = all.map(([at, , , words]) => h("li", { class: "sm" }, h("div", {}, words), h("span", { class: "xs mut" }, when(at)))), rest = lines.slice(AT_ONCE);
  const more = h("li", {}, button(`Show ${rest.length} more`, () => more.replaceWith(...rest), { kind: "small" }));
  return h("ol", { class: "history" }, lines.slice(0, AT_ONCE), rest.length ? more : null);
}
