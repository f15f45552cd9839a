/* The figures of the Analysis view: players, groups, plots, tools, operations, endings, errors, and what is published elsewhere. */
import { h, setText } from "../dom.js";
import { setQuery } from "../tabs.js";
import { stacked } from "./analysisbars.js";
import { heldIn } from "./analysisfocus.js";
import { Repeats, Rounds, Scatter } from "./analysisplots.js";
import { FIGURES, GROUPS, SHADES, SORTS, matrix, ordered, playersTable } from "./analysistables.js";
import { ENDINGS, ERRORS, TOOL_KINDS, byKind, marked, whyWords } from "./analysiswords.js";
import { hole } from "./ending.js";
import { Published } from "./published.js";
import { operationsTable } from "./scorestables.js";
import { SHARE, count } from "./statistics.js";
import { StatisticsFeed } from "./statisticsfeed.js";
import { bonesOf, card, redraw, tableOf, troubleOf } from "./statisticsglyphs.js";

const LOOK = 20_000, SOON = 1500; // ms until the next look, and while code is still being read
const OPERATIONS_SAY = "Image calls whose code holds the operation, and how often it occurs in it; one call may hold several. The code is read, never run.";
const ERRORS_SAY = "As reviewers say with a vote of not met: the published taxonomy, perception in three. Shares of each player’s votes that give a reason.";
const GROUPS_SAY = "The stronger the colour, the higher. Press a cell for its answers.";
const REASONS = 3; // why calls fail that are listed for a player
const none = (text) => h("p", { class: "hole small" }, text);
/* What the link chooses among options, or the usual one. */
function chosen(name, options, usual = options[0][0]) {
  const wished = new URLSearchParams(location.search).get(name);
  return options.some(([value]) => value === wished) ? wished : usual;
}

/* A player's image operations as the table of scores takes them. */
function operationsOf({ player: model, tools: { operations, occurrences } }) {
  const counted = Object.keys(operations).map((kind) => [kind, { calls: operations[kind], occurrences: occurrences[kind] ?? 0 }]);
  return { model, tools: { operations: Object.fromEntries(counted) } };
}

/* Why calls failed, most first. */
function failuresTable(players) {
  const rows = players.filter(({ tools }) => tools.calls > tools.successes);
  if (!rows.length) return null;
  const row = ({ player, tools: { calls, successes, failures } }) => {
    const all = Object.entries(failures), told = all.slice(0, REASONS), left = all.length - told.length;
    return h("tr", { "data-player": player }, h("th", { scope: "row" }, h("span", { class: "rater" }, player)),
      h("td", {}, h("b", {}, count(calls - successes)), h("span", { class: "xs mut ends" }, `of ${count(calls)}`)),
      h("td", { class: "reasons" }, told.map(([why, n]) => h("span", { class: "words" }, h("span", { class: "mut" }, `${count(n)} × `), whyWords(why))),
        left > 0 && h("span", { class: "mut" }, `${count(left)} more ${left === 1 ? "reason" : "reasons"}`)));
  };
  return tableOf("Failed calls", [["Player"], ["Failed"], ["Most often because", null, "reasons"]], h("tbody", {}, rows.map(row)));
}

export class Figures {
  /** `acts`: open, data, tip, look({player, category}) shows traces, empty(whether) there is nobody to tell of. */
  constructor(acts) {
    const { tip } = acts;
    Object.assign(this, { acts, tip });
    this.note = h("div", {});
    this.body = h("div", { class: "panel" });
    this.element = h("div", { class: "statistics" }, this.note, this.body, new Published().element);
    const axis = (key) => { const [, label, , scale] = FIGURES.find(([one]) => one === key); return { label, scale }; };
    const against = (key, says) => new Scatter({ title: `APR against ${axis(key).label.toLowerCase()}`, says, x: axis(key), y: axis("apr") }, tip);
    this.scatters = [["proactivity", against("proactivity", "Whether who calls tools more readily passes more often. Lines are 95% intervals.")],
      ["volume", against("volume", "Whether more calls pass more often. Lines are 95% intervals.")]];
    this.rounds = new Rounds(tip);
    this.repeats = new Repeats(tip);
    const choose = (name, value) => { setQuery({ [name]: value }); this.#groups(); };
    const choice = (name, label, options) => h("div", { class: "seg", role: "group", "aria-label": label },
      options.map(([value, text], k) => h("button", { type: "button", "data-value": value, onclick: () => choose(name, k ? value : null) }, text)));
    this.ofGroup = choice("group", "Groups of tasks", GROUPS);
    this.ofShade = choice("shade", "Which figure", SHADES);
    this.players = h("div", { class: "flush" });
    this.grouped = h("div", { class: "flush" });
    const hooks = { wait: () => this.#wait(), draw: (analysis) => this.#draw(analysis), fail: (...what) => troubleOf(this, ...what) };
    this.feed = new StatisticsFeed(hooks, { every: LOOK });
  }

  show(wish, asked, choosers) {
    if (wish.set.set_id !== this.wish?.set.set_id) this.body.replaceChildren();
    Object.assign(this, { wish, choosers });
    this.feed.show(`rubrics/sets/${encodeURIComponent(wish.set.set_id)}/analysis?${new URLSearchParams(asked)}`, null);
    if (this.came && this.body.contains(this.players)) this.#draw(this.came);
  }

  leave() { clearTimeout(this.soon); this.feed.leave(); }

  #wait() {
    if (this.body.firstChild) { this.body.setAttribute("aria-busy", "true"); return; }
    const rows = this.wish.set.models.length;
    const plot = (title) => h("section", { class: "card plotted", "aria-label": title }, h("h2", {}, title), h("p", { class: "sm mut" }, "\u00a0"),
      h("div", { class: "plot skel" }));
    this.body.replaceChildren(card("Players", "\u00a0", bonesOf(rows + 1, "rows of-players")), card("By group", "\u00a0", bonesOf(rows + 2, "rows")),
      h("div", { class: "pair" }, this.scatters.map(([, { element }]) => plot(element.getAttribute("aria-label")))));
  }

  #draw(analysis) {
    this.body.removeAttribute("aria-busy");
    this.came = analysis;
    const hold = heldIn(this.body); // the parts are taken out and put in again
    const { judge, critical, resamples } = analysis, players = ordered(marked(analysis.players), this.#sort);
    this.analysis = { ...analysis, players };
    this.acts.empty(!players.length);
    if (!players.length) {
      redraw(this.body, [hole("agent", "No answers yet",
        "Let a model answer the tasks of this set with its tools, or import answers that there are: how they did appears here.",
        [["Run…", () => this.acts.data("toolruns")], ["Import…", () => this.acts.data("importer")]])]);
      return;
    }
    const plotted = players.map(({ player: name, mark, repeats, tools, apr, errors }) => ({ name, mark, repeats, tools, apr, errors }));
    for (const [key, plot] of this.scatters) plot.show(plotted.map((one) => ({ ...one, y: one.apr, x: one.tools[key] })));
    this.rounds.show(plotted.map((one) => ({ ...one, rounds: one.tools.by_rounds })));
    this.repeats.show(plotted, SHARE);
    const whose = judge == null ? "what people settled on" : `the verdicts of ${judge}`,
      policy = critical === "flag" ? "what the data set’s flag says" : "weight 4 and 5";
    const nobody = judge == null && players.every(({ answers, unscored }) => answers === unscored);
    const says = `${nobody ? "No verdicts yet" : `By ${whose}`}; critical is ${policy}. Means with 95% intervals by ${count(resamples)} resamples of tasks. `
      + "A history of golden answers is the published one.";
    const bars = (label, counts, kinds, things, lacking) =>
      stacked(label, plotted.map((one) => ({ name: one.name, counts: counts(one) })), kinds, things, this.tip, lacking);
    const tools = bars("Calls by tool", ({ tools: { by_tool: calls } }) => byKind(calls), TOOL_KINDS, "calls");
    const endings = bars("Turns by how they ended", (one) => one.tools.endings, ENDINGS, "turns", "Not on record");
    const errors = bars("Kinds of error", (one) => one.errors, ERRORS, "votes");
    const failures = failuresTable(players), repeats = players.some((one) => one.repeats.length) ? this.repeats.element : null;
    const failed = failures && card("Failed calls", "Calls that were not valid or gave nothing, by why.", failures);
    redraw(this.body, [
      this.#verdicts(players), card("Players", says, this.players),
      card("By group", GROUPS_SAY, h("div", { class: "row segs" }, this.ofGroup, this.ofShade), this.grouped),
      h("div", { class: "pair" }, this.scatters.map(([, { element }]) => element)),
      tools ? null : this.#untooled(),
      tools && h("div", { class: "pair" }, card("Tools", "Calls by tool, as shares of each player’s calls.", tools), this.rounds.element),
      tools && card("Image operations", OPERATIONS_SAY + this.#unread(players),
        this.#operations(players)),
      repeats && failed ? h("div", { class: "pair" }, repeats, failed) : repeats ?? failed,
      h("div", { class: "pair" }, card("Endings", "How turns ended, where it is on record.", endings ?? none("Endings are on record for answers of tool runs only.")),
        card("Why answers miss criteria", ERRORS_SAY, errors ?? none("No reviewer has said it yet: they can with a vote of not met."))),
    ]);
    this.#players();
    this.#groups();
    hold();
  }

  #operations(players) {
    const table = operationsTable(players.map(operationsOf));
    setText(table.querySelector("thead th"), "Player");
    return table;
  }

  /* What operations rest on, as long as code of calls has not been read yet; then it is looked again soon. */
  #unread(players) {
    const left = players.reduce((sum, { tools: { image_calls: all, images_read: read } }) => sum + all - read, 0);
    clearTimeout(this.soon);
    if (left) this.soon = setTimeout(() => this.feed.again(), SOON);
    return left ? ` The code of ${count(left)} more calls is being read.` : "";
  }

  /* Where no answer has a score, what changes that. */
  #verdicts(players) {
    if (players.some(({ scored }) => scored)) return null;
    const judged = this.wish.set.judgings.length;
    return hole("agent", judged ? "No answer is scored yet" : "Nobody has judged these answers yet",
      "Pass rates and scores need a verdict on every criterion of an answer. How tools were used is known already.", [["Judge…", () => this.acts.data("judge")]]);
  }

  #untooled() {
    return card("Tools", null, hole("grid", "No tool calls on record", "A tool run lets a model answer the tasks with six tools, and records every call.",
      [["Run…", () => this.acts.data("toolruns")]]));
  }

  /* Which figure players are sorted by, in the table and by groups. */
  get #sort() { return chosen("sort", SORTS, "apr"); }

  #players() {
    redraw(this.players, [playersTable(this.analysis.players, this.#sort, {
      sort: (key) => { setQuery({ sort: key === "apr" ? null : key }); this.#draw(this.came); }, traces: (player) => this.acts.look({ player }),
      by: (judging) => this.acts.by(judging), now: this.analysis.by,
    })]);
  }

  #groups() {
    const group = chosen("group", GROUPS), shade = chosen("shade", SHADES);
    for (const [seg, value] of [[this.ofGroup, group], [this.ofShade, shade]]) {
      for (const button of seg.children) button.setAttribute("aria-pressed", String(button.dataset.value === value));
    }
    const found = matrix(this.analysis.players, group, shade, this.tip,
      (player, key) => this.acts.look(group === "category" ? { player, category: key } : { player }));
    this.grouped.replaceChildren(found ?? none("The tasks do not say it."));
  }
}
