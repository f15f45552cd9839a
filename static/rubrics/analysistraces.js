/* The traces of a set as a list: all answers that fit, or the places in them that hold what is searched for. */
import { announce, h, icon, plural } from "../dom.js";
import { request } from "../session/api.js";
import { heldIn } from "./analysisfocus.js";
import { outcomeCell, traceLink } from "./analysislinks.js";
import { missing } from "./analysistrouble.js";
import { TOOL_KINDS } from "./analysiswords.js";
import { hole } from "./ending.js";
import { count } from "./statistics.js";
import { Choosers } from "./statisticschoosers.js";
import { StatisticsFeed } from "./statisticsfeed.js";
import { bonesOf, redraw, tableOf } from "./statisticsglyphs.js";
import { ACT, WARNING, giveUp } from "./telling.js";
import { plainly } from "./words.js";

const PAGE = 100; // answers or places that are shown at once, and with each press
const STATUSES = [["", "All answers"], ["scored", "Scored"], ["incomplete", "Incomplete"], ["unscored", "Unscored"], ["hidden", "Hidden"]];
export const PLACES = [["prompt", "Prompt"], ["answer", "Answer"], ["remark", "Remark"], ["code", "Code"], ["arguments", "Arguments"], ["observation", "Output"]];
const placeWord = (where) => PLACES.find(([key]) => key === where)?.[1] ?? where;
const listOf = (path, parameters) => `${path}?${new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "" && value != null))}`;

export class Traces {
  /** `acts`: open(view, parameters). */
  constructor(acts) {
    this.acts = acts;
    this.choosers = new Choosers({ player: "Player", category: "Category", status: "Answers", tool: "Tool", where: "Found in", failed: "Calls" }, () => this.#ask());
    this.says = h("p", { class: "sm mut", role: "status" }, "\u00a0");
    this.telling = h("p", { class: "sm mut row telling" }, icon("lock"), h("span", {}, `Hidden scores wait for a blind vote; whoever is to cast it must not look. ${WARNING}`),
      h("button", { type: "button", class: "btn small", onclick: () => this.#tell() }, ACT));
    this.note = h("div", {});
    this.body = h("div", { class: "panel" });
    this.element = h("div", { class: "statistics traces" }, h("div", { class: "row between traces-head" }, this.choosers.element, this.says), this.note, this.body);
    const hooks = { wait: () => this.#wait(), draw: (found) => this.#draw(found),
      fail: (...what) => missing(this, "The answers", ["Show all", () => this.choosers.clear()], ...what) };
    this.feed = new StatisticsFeed(hooks);
  }

  show(wish, asked) {
    if (wish.set.set_id !== this.wish?.set.set_id) this.body.replaceChildren();
    Object.assign(this, { wish, asked });
    this.#ask();
  }

  leave() { this.feed.leave(); }

  #ask() {
    const { set, token } = this.wish, q = new URLSearchParams(location.search).get("q") ?? "", path = `rubrics/sets/${encodeURIComponent(set.set_id)}`;
    const link = new URLSearchParams(location.search), any = (label, list) => [["", label], ...list];
    const kept = (name, list) => { const value = link.get(name); return value && !list.includes(value) ? [...list, value] : list; };
      // there may be newer ones than are known here
    const chosen = this.choosers.show({
      player: any("All players", kept("player", set.models).map((name) => [name, name])),
        category: q ? [] : any("All categories", kept("category", set.categories).map((name) => [name, plainly(name)])),
      status: q ? [] : STATUSES, tool: q ? any("All tools", TOOL_KINDS.slice(0, -1)) : [], where: q ? any("Everywhere", PLACES) : [],
        failed: q ? [["", "All calls"], ["1", "Failed ones"]] : [],
    }, { player: "", category: "", status: "", tool: "", where: "", failed: "" });
    const { player, category, status, tool, where, failed } = chosen;
    Object.assign(this, { q, filtered: Object.values(chosen).some(Boolean) });
    this.path = q ? listOf(`${path}/search`, { q, player, tool, where, failures: failed && "true", limit: PAGE })
      : listOf(`${path}/answers`, { ...this.asked, player, category, status, tell: this.tell && "true", limit: PAGE });
    this.feed.show(this.path, token);
  }

  async #tell() {
    try {
      this.tell = await giveUp(this.wish.set.set_id, this.wish.token);
      this.#ask();
    } catch (error) { announce(error.message); }
  }

  #wait() {
    this.says.textContent = "\u00a0";
    if (this.body.firstChild) { this.body.setAttribute("aria-busy", "true"); return; }
    this.body.replaceChildren(h("section", { class: "card told" }, bonesOf(12, "rows")));
  }

  #draw(found) {
    this.body.removeAttribute("aria-busy");
    const hold = heldIn(this.body);
    if (found.hits) this.#hits(found); else this.#answers(found);
    hold();
  }

  #answers({ answers, total }) {
    this.says.textContent = `${count(total)} ${total === 1 ? "answer" : "answers"}`;
    if (!total) {
      const [text, acts] = this.filtered ? ["No answer fits what was chosen.", [["Show all", () => this.choosers.clear()]]]
        : ["Let a model answer the tasks of this set, or import answers.", [["Run…", () => this.acts.data("toolruns")]]];
      redraw(this.body, [hole("agent", this.filtered ? "Nothing fits" : "No answers yet", text, acts)]);
      return;
    }
    const rows = h("tbody", {}, answers.map((line) => this.#line(line)));
    const table = tableOf("Answers", [["Task"], ["Player", null, "who"], ["Calls", null, "used"], ["Pictures", "That its calls made", "used"], ["Score"]], rows);
    const more = h("button", { type: "button", class: "btn small", onclick: () => this.#more(rows, more, total) });
    this.#left(more, answers.length, total);
    redraw(this.body, [h("section", { class: "card told answers", "aria-label": "Answers" }, table, more)]);
    this.#hidden(answers);
  }

  /* Where scores are hidden, say why before them. */
  #hidden(lines) { if (lines.some(({ status }) => status === "hidden")) this.body.prepend(this.telling); }

  #line(line) {
    const { answer, task_id: task, category, player, attempt, calls, pictures } = line;
    return h("tr", { "data-answer": answer },
      h("th", { scope: "row" }, traceLink(this.wish, { answer, ...this.asked }, this.acts.open, { class: "words" }, task),
        category ? h("span", { class: "xs mut ends" }, plainly(category)) : null),
      h("td", { class: "words who" }, player, attempt > 1 ? h("span", { class: "mut" }, `, attempt ${attempt}`) : null),
      h("td", { class: "used" }, count(calls)), h("td", { class: "used mut" }, count(pictures)), outcomeCell(line));
  }

  #left(more, shown, total) {
    more.hidden = shown >= total;
    more.textContent = `Show ${count(Math.min(PAGE, total - shown))} more of ${count(total - shown)}`;
  }

  async #more(rows, more, total) {
    const { path } = this, { children } = rows, from = children.length;
    more.disabled = true;
    try {
      const { answers } = await request("GET", `${path}&offset=${from}`, { token: this.wish.token ?? undefined });
      if (path !== this.path) return;
      rows.append(...answers.map((line) => this.#line(line)));
      this.#hidden(answers);
      this.#left(more, children.length, answers.length ? total : children.length);
      children[from]?.querySelector("a").focus();
    } catch (error) { missing(this, "The answers", [], error, true); }
    more.disabled = false;
  }

  #hits({ hits, total, more }) {
    this.says.textContent = total ? `${more ? "More than " : ""}${count(total)} ${total === 1 ? "place" : "places"}` : "Nothing found";
    if (!total) {
      redraw(this.body, [hole("search", "Nothing found", `No prompt, answer, code or output that fits holds all of “${this.q}”.`,
        this.filtered ? [["Search everywhere", () => this.choosers.clear()]] : [])]);
      return;
    }
    const groups = new Map();
    for (const hit of hits) { if (!groups.has(hit.answer)) groups.set(hit.answer, []); groups.get(hit.answer).push(hit); }
    redraw(this.body, [...[...groups.values()].map((found) => this.#found(found)),
      hits.length < total && h("p", { class: "sm mut" },
        `The first ${count(hits.length)} of ${more ? "more than " : ""}${count(total)} places: say more of what is searched for, or choose a player.`)]);
  }

  #found(hits) {
    const [{ answer, task_id: task, player, attempt }] = hits, prompt = hits.every(({ where }) => where === "prompt");
    const line = (hit) => {
      const { turn, call, round, where, before, found, after } = hit, at = call != null ? `call ${call}` : round != null ? `round ${round}` : null;
      const place = { answer, turn, call: call ?? (where === "answer" ? "answer" : null), round: call == null && where === "remark" ? round : null, q: this.q,
        ...this.asked };
      return h("li", {}, traceLink(this.wish, place, this.acts.open, { class: "hit" },
        h("span", { class: "xs mut hit-place" }, [`Turn ${turn}`, at].filter(Boolean).join(", ")), h("span", { class: "tag line" }, placeWord(where)),
        h("span", { class: "words excerpt" }, before, h("mark", {}, found), after)));
    };
    return h("section", { class: "card hits", "aria-label": `${task}, ${player}`, "data-answer": answer },
      h("div", { class: "row" }, h("h3", { class: "words" }, task),
        h("span", { class: "sm mut words" }, prompt ? "what all players are asked" : `${player}${attempt > 1 ? `, attempt ${attempt}` : ""}`),
        h("span", { class: "grow" }), h("span", { class: "xs mut" }, plural(hits.length, "place"))),
      h("ul", { class: "hit-list" }, hits.map(line)));
  }
}
