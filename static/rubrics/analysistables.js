/* Players with their figures as a table, and by group as a matrix. */
import { h, s } from "../dom.js";
import { inWords, figureLines } from "./analysisplots.js";
import { roving, stops } from "./analysistip.js";
import { conditionTags, outline } from "./analysiswords.js";
import { SCORE, SHARE, count, fixed, scale, sureness } from "./statistics.js";
import { gaugeCell, tableOf } from "./statisticsglyphs.js";
import { plainly } from "./words.js";

/** Calls, rounds: numbers without an upper end. */
export const NUMBER = scale(0, Infinity, fixed(2));

/** Figures of a player: [key, label, what it says, its scale, where it stands]. */
export const FIGURES = [
  ["apr", "APR", "Average pass rate: share of answers without a critical criterion that is not met", SHARE, (player) => player.apr],
  ["ars", "ARS", "Average rubric score: mean share of the weight that is met", SCORE, (player) => player.ars],
  ["proactivity", "Proactivity", "Share of answers with at least one call", SHARE, ({ tools }) => tools.proactivity],
  ["success", "Success", "Share of calls that were valid and gave something", SHARE, ({ tools }) => tools.success_rate],
  ["volume", "Volume", "Calls per answer", NUMBER, ({ tools }) => tools.volume],
  ["rounds", "Rounds", "Rounds of the model per answer, where they are on record", NUMBER, ({ tools }) => tools.rounds],
];
const GAUGED = new Set(["apr", "ars"]);
const WHY = { apr: "none scored", ars: "none scored", success: "no calls", rounds: "not on record" };
const BACK = "-"; // before a figure of the link: the other way round

/** The mark of a player as it stands in the plots. */
export const glyph = (mark) => s("svg", { class: `player-glyph ${mark.colour}`, width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true" },
  s("path", { class: "spot", d: outline(mark, 7, 7) }));

/** What players can be sorted by, as the link says it: a figure, highest first, or `name`; each with a minus before it the other way round. */
export const SORTS = [...FIGURES.map(([key]) => key), "name"].flatMap((key) => [[key], [BACK + key]]);

/** Players in the order that `sort` asks for; what has no value comes last. */
export function ordered(players, sort) {
  const back = sort.startsWith(BACK), key = back ? sort.slice(1) : sort, figure = FIGURES.find(([one]) => one === key), way = back ? -1 : 1;
  if (!figure) return back ? [...players].reverse() : players;
  const value = (player) => figure[4](player).value;
  return [...players].sort((a, b) => (value(a) == null) - (value(b) == null) || way * (value(b) - value(a)) || 0);
}

/* A figure and, on one line beneath it, its interval or why there is none, and of `n` how many it is if that is worth a word. */
function figureCell(mean, its, why, n, attributes) {
  if (mean.value == null) return h("td", attributes, h("b", { class: "undefined" }, "–"), h("span", { class: "xs mut ends" }, why));
  const [short, says] = sureness({ undefined: 0, ...mean }, its);
  return h("td", attributes, h("b", {}, its.write(mean.value)),
    h("span", { class: "xs mut ends", title: says }, [short.replace(/^no interval: /, ""), n && `n\u00a0${count(mean.n)}`].filter(Boolean).join(", ")));
}

/** The table of players; `hooks`: sort(key) by another figure, traces(player) shows its answers, by(judging) takes another's verdicts. */
export function playersTable(players, sort, hooks) {
  const header = (key, label, title, kind = null) => {
    const mine = sort === key || sort === BACK + key, rises = (key === "name") === (sort === key);
    return h("th", { scope: "col", class: kind, abbr: label, "aria-sort": mine ? (rises ? "ascending" : "descending") : null },
      h("button", { type: "button", class: "sorts", title, "data-sort": key, "aria-label": `${label}: sort`, onclick: () => hooks.sort(sort === key ? BACK + key : key) },
        label, h("span", { class: "arrow", "aria-hidden": "true" }, mine ? (rises ? "↑" : "↓") : "")));
  };
  const other = (key, { n }, { answers, scored }) => n && n !== (GAUGED.has(key) ? scored : answers);
  const cell = (player) => ([key, , , its, of]) => {
    const mean = of(player), found = figureCell(mean, its, WHY[key] ?? "no answers", other(key, mean, player), { "data-figure": key });
    return GAUGED.has(key) ? [found, gaugeCell(mean, its)] : found;
  };
  const left = ({ answers, scored, attempts }) => [answers > scored && `${count(answers - scored)} not scored`,
    attempts > 1 && `${attempts} attempts`].filter(Boolean).join(", ");
  const elsewhere = ({ scored, judged_by: [most] }) => most && most.answers > scored && most.judging_id !== hooks.now && h("button", { type: "button", class: "link xs",
    title: "Show the figures by its verdicts", onclick: () => hooks.by(most.judging_id) }, `${count(most.answers)} by ${most.judge}`);
  const named = ({ player, conditions, ...more }) => h("button", { type: "button", class: "link rater", onclick: () => hooks.traces(player),
    title: [player, ...conditionTags(conditions, more).map(({ textContent }) => textContent)].join(", ") }, h("span", { class: "clamp" }, player));
  const row = (player) => h("tr", { "data-player": player.player },
    h("th", { scope: "row" }, h("div", { class: "player-name" }, glyph(player.mark),
      named(player)), h("div", { class: "conditions" }, conditionTags(player.conditions, player))),
    FIGURES.map(cell(player)),
    h("td", { "data-figure": "scored" }, h("b", {}, `${count(player.scored)} of ${count(player.answers)}`),
      h("span", { class: "xs mut ends" }, left(player)), elsewhere(player)));
  const heads = [header("name", "Player", "By name"),
    ...FIGURES.flatMap(([key, label, says]) => [header(key, label, says), GAUGED.has(key) ? h("th", { scope: "col", class: "gauged" }) : null]),
    h("th", { scope: "col", title: "Answers with a verdict on every criterion; only they enter APR and ARS" }, "n scored")];
  const table = tableOf("Players", [], h("tbody", {}, players.map(row)));
  table.querySelector("thead tr").replaceChildren(...heads.filter(Boolean));
  return table;
}

/** What the matrix tells of groups: [key, label, which groups]. */
export const GROUPS = [["category", "Category", "categories"], ["domain", "Domain", "domains"], ["turn_kind", "Turns", "turn_kinds"]];
/** And which figure: [key, label, its scale, of a group]. */
export const SHADES = [
  ["apr", "APR", SHARE, ({ group }) => group.apr], ["ars", "ARS", SCORE, ({ group }) => group.ars],
  ["proactivity", "Proactivity", SHARE, ({ proactivity: value, group: { total: n } }) => ({ value, low: null, high: null, n })],
  ["volume", "Volume", NUMBER, ({ volume: value, group: { total: n } }) => ({ value, low: null, high: null, n })],
];
const DARKEST = 42; // percent of the pigment under the highest value; ink stays legible on it

/** Players by group, each cell the darker the higher it is; null where the tasks tell no groups. `opens(player, key)` shows the answers of a cell. */
export function matrix(players, group, shade, tip, opens) {
  const [, , list] = GROUPS.find(([key]) => key === group), [, label, its, of] = SHADES.find(([key]) => key === shade);
  const keys = [...new Set(players.flatMap((player) => player[list].map(({ key }) => key)))].sort();
  if (!keys.length) return null;
  const cells = players.map((player) => keys.map((key) => player[list].find((one) => one.key === key))), told = new WeakMap();
  const values = cells.flat().map((cell) => cell && of(cell).value).filter((value) => value != null), most = Math.max(...values, 0);
  const drawn = (player, key, cell) => {
    if (!cell) return h("td", { class: "mut lacks" }, "–");
    const mean = of(cell), { group: { total }, success_rate: success } = cell, rest = SHADES.filter(([one]) => one !== shade);
    const short = (its, { value }) => (value == null ? "–" : its.write(value));
    const words = { title: `${player.player}, ${plainly(key)}`,
      lines: [...(mean.low == null && mean.value != null ? [[label, its.write(mean.value)], ["n", count(mean.n)]] : figureLines(label, mean, its)),
      ["Answers", count(total)],
      ...rest.map(([, name, scaled, figure]) => [name, short(scaled, figure(cell))]), ["Success", success == null ? "–" : SHARE.write(success)]] };
    const element = h("td", { class: `shade ${mean.value == null ? "lacks" : ""}`, role: "gridcell", "data-cell": key, "aria-label": inWords(words),
      style: { "--shade": `${mean.value == null || !most ? 0 : ((DARKEST * mean.value) / most).toFixed(1)}%` },
      onclick: () => opens(player.player, key), onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); opens(player.player, key); } } },
      mean.value == null ? h("span", { class: "mut" }, "–") : its.write(mean.value), h("span", { class: "xs ends" }, `n ${count(mean.n)}`));
    told.set(element, words);
    return element;
  };
  const rows = players.map((player, k) => h("tr", { "data-player": player.player }, h("th", { scope: "row" }, h("span", { class: "rater" }, player.player)),
    keys.map((key, at) => drawn(player, key, cells[k][at]))));
  const table = tableOf(`${label} by group`, [["Player"], ...keys.map((key) => [plainly(key)])], h("tbody", {}, rows));
  table.classList.add("matrix");
  table.style.setProperty("--groups", keys.length);
  table.removeAttribute("tabindex"); // its cells can have the focus
  table.querySelector("table").setAttribute("role", "grid");
  stops([...table.querySelectorAll("[data-cell]")]);
  tip.watch(table, "[data-cell]", (cell) => told.get(cell));
  roving(table, "[data-cell]", () => (players.some((_, k) => cells[k].some((cell) => !cell)) ? 0 : keys.length));
  return table;
}
