/* How far the judge agrees with people, at a glance: three numbers that stand together, the table behind them, the kinds of criterion. */
import { h, icon, setText } from "../dom.js";
import { RUBRICS, SHARE, count, ends, intervalOf, roughly } from "./statistics.js";
import { StatisticsFeed } from "./statisticsfeed.js";
import { bar, bonesOf, confusion, gauge } from "./statisticsglyphs.js";
import { plainly, sampleTag } from "./words.js";

const QUIET = 1000; // ms without another wish before the figures are asked for again
const HEADLINE = 3; // agreement, Cohen's kappa, Gwet's AC1

function figure([key, label, says, its], comparison, words) {
  const estimate = comparison[key], why = estimate.value == null ? words.whyNot(key, comparison) : null, interval = intervalOf(estimate, null, its);
  return h("div", { class: "stat", "data-statistic": key },
    h("span", { class: "sm sub", title: says }, label), h("b", { class: why ? "undefined" : null }, why ? "undefined" : its.write(estimate.value)),
    gauge(estimate, its, { kind: "ruler" }), h("span", { class: "xs mut" }, why ?? interval.why ?? `95% CI ${ends(interval, its)}`));
}

function kinds({ objectivity = {} }) {
  const line = (kind) => {
    const { n, table: [[a], [, d]], percent_agreement: share } = objectivity[kind].judge_person;
    const label = h("span", {}, kind === "unknown" ? "Not annotated" : plainly(kind), " ", h("span", { class: "mut" }, `${count(a + d)} of ${count(n)}`));
    return h("div", { class: "kind", "data-kind": kind }, h("div", { class: "row between sm" }, label, h("b", {}, SHARE.write(share.value))), bar(share.value));
  };
  return ["objective", "subjective", "unknown"].filter((kind) => objectivity[kind]?.judge_person.n).map(line);
}

/** Whom and what the votes are of: "140 votes by 2 people against sample judge 1"; others may have voted where the judge has said nothing. */
export function against({ judge, agreement: { overall: { judge_person: { n } }, judge_reviewer: each } }) {
  const people = each.filter((one) => one.n).length;
  return `${count(n)} ${n === 1 ? "vote" : "votes"} by ${people === 1 ? "one person" : `${people} people`} against ${judge}`;
}

const columns = (head, stats, table, rest) => [
  h("div", {}, head, h("div", { class: "stats" }, stats)),
  h("div", {}, h("h3", {}, "Confusion"), table), h("div", {}, h("h3", {}, "By kind of criterion"), rest),
];
/** The three numbers of a comparison that stand together. */
export const headline = (comparison, words = RUBRICS) => words.statistics.slice(0, HEADLINE).map((one) => figure(one, comparison, words));
const hollow = ([, label]) => h("div", { class: "stat" }, h("span", { class: "sm sub" }, label),
  h("b", {}, h("i", { class: "skel" })), h("span", { class: "gauge ruler", "aria-hidden": "true" }), h("span", { class: "xs" }, "\u00a0"));

/** The three columns of the card: `head` over the numbers, the table, the kinds. Without a panel they are grey shapes. */
export function glance(head, panel) {
  if (!panel) return columns(head, RUBRICS.statistics.slice(0, HEADLINE).map(hollow), bonesOf(1, "conf-bones"), bonesOf(2));
  const { overall: { judge_person: comparison, judge_person_weighted: weighted }, groups } = panel.agreement;
  const uneven = weighted && `Criteria were drawn unevenly; weighted to all of them, agreement is ${SHARE.write(weighted.percent_agreement.value)}.`;
  const notes = [roughly(comparison.tasks), uneven].filter(Boolean).map((note) => h("p", { class: "xs mut rough" }, note));
  return columns(head, headline(comparison), confusion(comparison.table), [kinds(groups), notes]);
}

/** The card where there is nothing to compare. `acts`: data(name) opens a dialog on the data, open(view) another view, if that is of use. */
export function nothing(head, { judge }, { data, open }) {
  const says = judge == null ? "No judge has looked at this set: import verdicts, or let a model judge it."
    : "Votes count that are cast before the judge’s verdict is shown.";
  const act = judge == null ? ["Judge…", () => data("judge")] : open && ["Review", () => open("review")];
  return [h("div", {}, head), h("div", { class: "hole" }, icon("people"), h("b", {}, "No vote beside a judge’s verdict yet"), h("p", { class: "sm" }, says),
    act ? h("button", { type: "button", class: "btn", onclick: act[1] }, act[0]) : null)];
}

export class Summary {
  /** `acts`: data(name) opens a dialog on the data. */
  constructor(acts) {
    this.acts = acts;
    this.meta = h("p", { class: "sm mut" }, "\u00a0");
    this.tag = h("span", { class: "tag-place" });
    this.head = [h("div", { class: "row" }, h("h2", {}, "Agreement with the judge"), this.tag), this.meta];
    this.element = h("section", { class: "card agree", "aria-label": "Agreement with the judge", "aria-busy": "true" }, glance(this.head, null));
    const wait = () => this.element.setAttribute("aria-busy", "true");
    this.feed = new StatisticsFeed({ wait, draw: (panel) => this.#draw(panel), fail: (error, drawn) => this.#fail(error, drawn) }, { quiet: QUIET });
  }

  /** Show how the judge of a queue agrees on its set; asked again with the same, look again in a while. */
  show({ set, queue, token }) {
    this.tag.replaceChildren(...(set.sample ? [sampleTag()] : []));
    const query = new URLSearchParams(queue?.judging_id ? { judging: queue.judging_id } : {});
    this.feed.show(`rubrics/sets/${encodeURIComponent(set.set_id)}/agreement?${query}`, token);
  }

  leave() { this.feed.leave(); }

  #draw(panel) {
    const some = panel.agreement.overall.judge_person.n > 0;
    setText(this.meta, some ? against(panel) : "\u00a0");
    this.element.removeAttribute("aria-busy");
    this.element.replaceChildren(...(some ? glance(this.head, panel) : nothing(this.head, panel, this.acts)));
  }

  #fail(error, drawn) {
    if (!error || drawn) return; // what stands there is as old as it is
    this.element.removeAttribute("aria-busy");
    const again = h("button", { type: "button", class: "btn small", onclick: () => this.feed.again() }, "Try again");
    const says = h("span", {}, `The agreement could not be loaded. ${error.message}`);
    this.element.replaceChildren(h("div", {}, this.head), h("p", { class: "sm row" }, icon("warn"), says, again));
  }
}
