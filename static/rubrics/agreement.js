/* The Agreement view: how far to trust the judge, with n and an interval for every figure. */
import { announce, h, icon, setText } from "../dom.js";
import { corrections, effectByModel, effectTable } from "./agreementeffect.js";
import { lists } from "./agreementlists.js";
import { against, glance, nothing } from "./agreementsummary.js";
import { coverageList, pairsTable, peopleFigures, splitTable, statisticsTable } from "./agreementtables.js";
import { FEW_VOTES, count, roughly } from "./statistics.js";
import { Choosers, POLICIES } from "./statisticschoosers.js";
import { StatisticsFeed } from "./statisticsfeed.js";
import { bonesOf, card, redraw, troubleOf } from "./statisticsglyphs.js";
import { giveUp } from "./telling.js";
import { sampleTag } from "./words.js";

export { Summary } from "./agreementsummary.js";

const HINTS = `Rows of fewer than ${FEW_VOTES} votes are grey: read them as hints.`;
const LOOK = 20_000; // ms until the next look at what others have voted meanwhile

export default class Agreement {
  /** `acts`: data(name) opens a dialog on the data, open(view) another view. */
  constructor(acts) {
    this.acts = acts;
    this.choosers = new Choosers({ judging: "Judge", of: "Criteria", model: "Model", critical: "Critical is" }, () => this.#ask());
    this.csv = h("a", { class: "btn", download: true, title: "All statistics as a CSV file" }, icon("save"), "agreement.csv");
    this.note = h("div", {});
    this.body = h("div", { class: "panel" });
    this.element = h("div", { class: "statistics" }, h("div", { class: "row choosing" }, this.choosers.element, this.csv), this.note, this.body);
    this.meta = h("p", { class: "sm mut" });
    this.opened = new Set(); // lists that are shown whole
    const hooks = { wait: () => this.#wait(), draw: (panel) => this.#draw(panel), fail: (...what) => troubleOf(this, ...what) };
    this.feed = new StatisticsFeed(hooks, { every: LOOK });
  }

  show(wish) {
    if (wish.set.set_id !== this.wish?.set.set_id) this.body.replaceChildren();
    this.wish = wish;
    this.#ask();
  }

  leave() { this.feed.leave(); }

  #ask() {
    const { set, queue, token } = this.wish, { judgings, models } = set, path = `rubrics/sets/${encodeURIComponent(set.set_id)}`;
    const { judging, of, model, critical } = this.choosers.show({
      judging: judgings.map(({ judging_id: id, judge }) => [id, judge]), of: queue ? [["set", "The whole set"], ["queue", `The queue “${queue.name}”`]] : [],
      model: [["", "All models"], ...models.map((name) => [name, name])], critical: POLICIES,
    }, { judging: queue?.judging_id ?? judgings[0]?.judging_id, of: "set", model: "", critical: "weight" });
    const asked = { judging, queue: of === "queue" ? queue?.queue_id : "", model, critical };
    this.csv.href = studio.url(`api/${path}/export/agreement.csv`);
    this.feed.show(`${path}/agreement?${new URLSearchParams(Object.entries({ ...asked, tell: this.tell && 1 }).filter(([, value]) => value))}`, token);
  }

  #wait() {
    if (this.body.firstChild) { this.body.setAttribute("aria-busy", "true"); return; }
    setText(this.meta, "\u00a0");
    this.body.replaceChildren(h("section", { class: "card agree" }, glance(this.#head(), null)), card("All statistics", "\u00a0", bonesOf(9, "rows")));
  }

  #head() { return [h("div", { class: "row" }, h("h2", {}, "Agreement with the judge"), this.wish.set.sample ? sampleTag() : null), this.meta]; }

  #draw(panel) {
    const { agreement, effect, judge, reviewers, standing, critical } = panel, { overall } = agreement;
    const any = overall.judge_person.n > 0, voted = overall.coverage.votes > 0;
    const votes = card("Votes", null, coverageList(agreement, standing));
    setText(this.meta, any ? against(panel) : "\u00a0");
    this.body.removeAttribute("aria-busy");
    redraw(this.body, [
      h("section", { class: "card agree" }, any ? glance(this.#head(), panel) : nothing(this.#head(), panel, this.acts)),
      voted ? h("div", { class: "beside-two" }, this.#statistics(panel), votes) : votes,
      any ? card("By groups of criteria", HINTS, splitTable(agreement)) : null,
      voted ? card("Pairs of raters", `Where one person stands apart, the pairs show it. ${HINTS}`, pairsTable(agreement, judge, reviewers)) : null,
      judge == null ? null : card("Effect on the scores", `Critical is ${critical === "flag" ? "what the data set’s flag says" : "weight 4 and 5"}. n is answers.`,
        effectTable(effect.overall), corrections(effect.overall), effectByModel(effect.groups)),
      ...(any ? [lists(panel, this.opened, () => this.#tell())].flat() : []),
    ]);
  }

  async #tell() {
    const { set, token } = this.wish;
    try {
      this.tell = await giveUp(set.set_id, token);
      this.#ask();
    } catch (error) { announce(error.message); }
  }

  #statistics({ agreement, resamples }) {
    const { judge_person: judged, people } = agreement.overall;
    const says = `95% intervals by ${count(resamples)} resamples of tasks. People and people is the ceiling: no judge can be held to more. ${roughly(judged.tasks)}`;
    return card("All statistics", says, statisticsTable(agreement),
      h("h3", {}, "People among themselves", h("span", { class: "mut" }, `, each of ${count(people.n_items_with_two_or_more)} criteria with two votes alike`)),
      peopleFigures(agreement));
  }
}
