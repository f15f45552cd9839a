/* Of what kinds something is, as a bar of parts for each player: tools, endings, errors. */
import { h } from "../dom.js";
import { roving, stops } from "./analysistip.js";
import { inWords } from "./analysisplots.js";
import { SHARE, count, own } from "./statistics.js";

const SAID = 0.085; // of the bar from which on a part has its share written on it
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/**
 * Bars of players [{name, counts}] in parts of `kinds` [[key, short, in a sentence]]; `things` is what is counted. Players without
 * any are told of beneath, as what is `lacking`; null if no player has any.
 */
export function stacked(label, players, kinds, things, tip, lacking = `No ${things}`) {
  const rows = players.map(({ name, counts }) => ({ name, counts, n: sum(kinds.map(([key]) => own(counts, key) ?? 0)) })), some = rows.filter(({ n }) => n);
  if (!some.length) return null;
  const used = kinds.filter(([key]) => some.some(({ counts }) => own(counts, key))), kind = (key) => `k${kinds.findIndex(([one]) => one === key) + 1}`,
    told = new WeakMap();
  const part = ({ name, counts, n }) => ([key, short]) => {
    const value = own(counts, key) ?? 0, share = value / n,
      words = { title: name, lines: [[short, `${count(value)} of ${count(n)} ${things}`], ["Share", SHARE.write(share)]] };
    if (!value) return null;
    const element = h("span", { class: `part ${kind(key)}`, role: "img", "data-part": key, "aria-label": inWords(words), style: { "flex-grow": value } },
      share >= SAID ? h("span", { "aria-hidden": "true" }, `${Math.round(100 * share)}%`) : null);
    told.set(element, words);
    return element;
  };
  const host = h("div", { class: "stacked", role: "group", "aria-label": label }, some.map((row) => h("div", { class: "stack", "data-player": row.name },
    h("span", { class: "stack-name", title: row.name }, row.name), h("span", { class: "stack-bar" }, used.map(part(row))),
      h("span", { class: "sm mut stack-n" }, `n ${count(row.n)}`))));
  stops([...host.querySelectorAll("[data-part]")]);
  tip.watch(host, "[data-part]", (element) => told.get(element));
  roving(host, "[data-part]");
  const none = rows.filter(({ n }) => !n).map(({ name }) => name);
  return [
    h("ul", { class: "stack-key", "aria-label": `Parts of the bars: ${label}` },
      used.map(([key, short, says]) => h("li", { title: says }, h("i", { class: `part ${kind(key)}` }), short))), host,
    none.length > 0 && h("p", { class: "xs mut words" }, `${lacking}: ${none.join(", ")}.`),
  ];
}
