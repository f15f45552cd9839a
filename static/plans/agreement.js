/* The Agreement view: how far to trust the three inspectors, with n and an interval for every figure. */
import { h, icon, setText } from "../dom.js";
import { against, headline } from "../rubrics/agreementsummary.js";
import { factsList, pairsTable, peopleFigures, splitTable, statisticsTable } from "../rubrics/agreementtables.js";
import { FEW_VOTES, count, roughly } from "../rubrics/statistics.js";
import { Choosers } from "../rubrics/statisticschoosers.js";
import { StatisticsFeed } from "../rubrics/statisticsfeed.js";
import { bonesOf, card, confusion, redraw, troubleOf } from "../rubrics/statisticsglyphs.js";
import { plainly, sampleTag } from "../rubrics/words.js";
import { COMPARED, GAPS_CHANGE, inspectorsTable, numbersTable, pairingTable, panelOf, partsTable, tiersPart, upheldTable, weakestList } from "./agreementtables.js";
import { WORDS, warningsOf } from "./figures.js";
import { worstCalls } from "./worst.js";
import { INSPECTORS, statusName, toolLabel } from "./words.js";

const LOOK = 20_000; // ms until the next look at what others have said meanwhile
const LISTED = 500; // plans of whose queries the titles are learnt
const HINTS = `Rows of fewer than ${FEW_VOTES} votes are grey: read them as hints.`;
const GROUPINGS = [ // as those of rubrics: key, what it is, names of some labels, how the others are written
  ["tool", "Tool", { none: "No known tool" }, toolLabel], ["category", "Category", { none: "Without a category" }, plainly],
  ["planner", "Planner", {}, (label) => label], ["status", "How the call was read", {}, statusName],
];
const IS = { // what is good or lacking, of each inspector
  precision: "Here a call is good if it succeeds: both gates pass, and all four scores are 2.",
  recall: "A row is a place of a plan, before its first block or after one; it is lacking where a gap is.",
  chief: "Here a plan is good if its final score is 60 or above.",
};

class Agreement {
  constructor(host, context) {
    this.context = context;
    this.choosers = new Choosers({ inspection: "Judge" }, () => this.#ask());
    this.csv = h("a", { class: "btn", download: true, title: "All statistics as a CSV file" }, icon("save"), "agreement.csv");
    this.tag = h("span", { class: "tag-place" });
    this.meta = h("p", { class: "sm mut" });
    this.note = h("div", {});
    this.body = h("div", { class: "panel" });
    this.seg = h("div", { class: "seg", role: "group", "aria-label": "Inspector" },
      INSPECTORS.map(([value, label]) => h("button", { type: "button", "data-value": value, onclick: () => this.choose(value) }, label)));
    this.element = h("div", { class: "statistics" }, h("div", { class: "row choosing" }, h("div", { class: "row" }, h("h1", {}, "Agreement"),
      this.tag), h("span", { class: "grow" }), this.choosers.element, this.csv), this.note, this.body);
    host.append(this.element);
    const hooks = { wait: () => this.#wait(), draw: (panel) => this.#draw(panel), fail: (...what) => troubleOf(this, ...what) };
    this.titles = new Map(); // of queries, by their ids
    this.feed = new StatisticsFeed(hooks, { tab: "plans", every: LOOK });
  }

  show() {
    const { set } = this.context.state;
    if (set.set_id !== this.set) { this.body.replaceChildren(); this.tell = false; this.panel = this.named = null; this.titles.clear(); }
    this.set = set.set_id;
    this.tag.replaceChildren(...(set.sample ? [sampleTag()] : []));
    this.#ask();
    if (this.panel) this.#draw(this.panel);
  }

  leave() { this.feed.leave(); }

  /** Show another inspector. */
  choose(inspector) {
    this.context.setQuery({ a_of: inspector === "precision" ? null : inspector });
    this.#draw(this.panel);
  }

  #ask() {
    const { set, token } = this.context.state, path = `plans/sets/${encodeURIComponent(set.set_id)}`,
      judges = set.inspections.map(({ inspection_id: id, judge }) => [id, judge]);
    const { inspection } = this.choosers.show({ inspection: judges }, { inspection: judges[0]?.[0] });
    this.csv.href = studio.url(`api/${path}/export/agreement.csv`);
    this.feed.show(`${path}/agreement?${new URLSearchParams(Object.entries({ inspection, tell: this.tell && 1 }).filter(([, value]) => value))}`, token);
  }

  #wait() {
    if (this.body.firstChild) { this.body.setAttribute("aria-busy", "true"); return; }
    this.body.replaceChildren(card("Three inspectors and people", "\u00a0", bonesOf(3, "rows")), card("All statistics", "\u00a0", bonesOf(9, "rows")));
  }

  #draw(panel) {
    this.panel = panel;
    const wanted = this.context.link().get("a_of"), inspector = INSPECTORS.find(([name]) => name === wanted)?.[0] ?? "precision", { judge, reviewers, warnings } = panel;
    const any = INSPECTORS.some(([name]) => panelOf(panel, name).overall.coverage.votes > 0);
    for (const button of this.seg.children) button.setAttribute("aria-pressed", String(button.dataset.value === inspector));
    this.body.removeAttribute("aria-busy");
    if (!any || judge == null) {
      redraw(this.body, [warningsOf(warnings), h("section", { class: "card" }, this.#nothing(judge))]);
      return;
    }
    if (inspector === "precision") this.#name(panel.precision.worst);
    const says = `${judge} beside ${reviewers.length === 1 ? "one person" : `${reviewers.length} people`}; only votes that were cast before anything was `
      + "revealed. Published figures are of other data and another judge: a landmark, no comparison.";
    redraw(this.body, [
      warningsOf(warnings), card("Three inspectors and people", says, inspectorsTable(panel, inspector, (name) => this.choose(name))),
      weakestList(panel.precision, GROUPINGS),
      h("div", { class: "row segs of-inspector" }, h("h2", {}, COMPARED.find(([name]) => name === inspector)[1]), this.seg), this.#inspector(panel, inspector),
    ]);
  }

  /* Learn titles of queries, once for each set, by a look at its list; one that is not among those keeps its id. */
  async #name(worst) {
    const { api, state: { set, token } } = this.context;
    if (this.named === set.set_id || worst.every(({ query_id: id }) => this.titles.has(id))) return;
    this.named = set.set_id;
    const { plans } = await api.getPlans(set.set_id, {}, { limit: LISTED }, token ?? undefined).catch(() => ({ plans: [] })); // ids will do
    if (this.set !== set.set_id) return;
    for (const { query_id: id, title } of plans) this.titles.set(id, title);
    if (plans.length) this.#draw(this.panel);
  }

  #nothing(judge) {
    const { context } = this, says = judge == null ? "No judge has looked at this set: let models inspect it, or import reports."
      : "Votes count that are cast before the judge’s report is shown.";
    const [label, run] = judge == null ? ["Inspect…", () => context.openDialog("inspect")] : ["Begin", () => context.openPlan(null)];
    return h("div", { class: "hole" }, icon("people"), h("b", {}, "No vote beside a judge’s report yet"), h("p", { class: "sm" }, says),
      h("button", { type: "button", class: "btn", onclick: run }, label));
  }

  #inspector(panel, inspector) {
    const agreement = panelOf(panel, inspector), words = WORDS[inspector], { overall } = agreement, { judge_person: judged } = overall,
      { judge, reviewers, standing } = panel;
    if (!overall.coverage.votes) return h("section", { class: "card" }, h("div", { class: "hole" }, icon("people"),
      h("b", {}, `No vote on ${words.things} yet`), h("p", { class: "sm" }, "Votes count that are cast before the judge’s report is shown.")));
    const rough = roughly(judged.tasks, words), glance = h("section", { class: "card agree two-columns", "aria-label": "At a glance" },
      h("div", {}, h("h3", {}, against({ judge, agreement })), h("p", { class: "sm mut" }, IS[inspector]),
        h("div", { class: "stats" }, headline(judged, words)), rough && h("p", { class: "xs mut rough" }, rough)),
      h("div", {}, h("h3", {}, "Confusion"), confusion(judged.table, words)));
    const facts = card("Votes", null, coverage(agreement, standing, words));
    const all = card("All statistics",
      `95% intervals by ${count(panel.resamples)} resamples of queries. People and people is the ceiling: no judge can be held to more.`,
      statisticsTable(agreement, words),
      h("h3", {}, "People among themselves",
        h("span", { class: "mut" }, `, each of ${count(overall.people.n_items_with_two_or_more)} ${words.things} with two votes alike`)),
      peopleFigures(agreement, words));
    const groups = GROUPINGS.filter(([key]) => Object.keys(agreement.groups[key] ?? {}).length);
    return [
      glance, this.#own(panel, inspector), h("div", { class: "beside-two" }, all, facts),
      groups.length > 0 && card(`By groups of ${words.things}`, HINTS, splitTable(agreement, { groupings: groups, words })),
      card("Pairs of raters", `Where one person stands apart, the pairs show it. ${HINTS}`, pairsTable(agreement, judge, reviewers,
        { words, settled: false })),
    ].flat().filter(Boolean);
  }

  /* What only one inspector has. */
  #own({ precision, recall, chief, judge, reviewers, hidden }, inspector) {
    if (inspector === "precision") return [worstCalls(precision.worst, hidden, { open: (answer, place) => this.context.openPlan(answer, place),
      tell: () => { this.tell = true; this.#ask(); }, titles: this.titles }),
      card("Gates and scores", "Each by itself: whether a gate passes, whether a score is 2.", partsTable(precision))];
    if (inspector === "recall") return [
      card("Gaps that pair", "A gap of the judge pairs with one of a person in the same place, or up to one block apart. "
        + "Lists of people among themselves are the ceiling.", pairingTable(recall)),
      card("Gaps of the judge that people uphold",
        "People’s present votes on the judge’s own gaps, which they have seen: not blind. Wilson’s 95% intervals.", upheldTable(recall.upheld)),
      card("Numbers of gaps", `Of each plan; difference is the judge less a person. ${HINTS}`, numbersTable(recall.mi, judge, reviewers, GAPS_CHANGE)),
    ];
    return [card("Final scores", `Difference is the judge less a person. ${HINTS}`, numbersTable(chief.fs, judge, reviewers)),
      card("Tiers and verdicts", null, tiersPart(chief))];
  }
}

/* What there is to say anything from, and what does not count. */
function coverage({ overall: { coverage: of } }, { after_reveal: after, withdrawn }, { things }) {
  const share = (part) => (of.rows ? ` (${Math.round((1000 * part) / of.rows) / 10}%)` : ""), name = things.charAt(0).toUpperCase() + things.slice(1);
  return factsList([
    [name, count(of.rows), null], ["Judged", count(of.judged) + share(of.judged), "With a verdict of the judge"],
    ["Voted on", count(of.voted) + share(of.voted), "With a blind vote"], ["Compared", count(of.compared) + share(of.compared), "With both"],
    ["Votes", count(of.votes), "Cast before the judge’s report was shown"],
    ["After the reveal, in all", count(after), "Present votes that are not the blind ones, on any part; they are not in the agreement"],
    ["Taken back, in all", count(withdrawn), "Blind votes that were taken back; they are not in the agreement"],
  ]);
}

export function mount(host, context) {
  const agreement = new Agreement(host, context);
  return { show: () => agreement.show(), leave: () => agreement.leave() };
}
