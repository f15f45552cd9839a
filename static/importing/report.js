/* What came of an import, record by record: what came in, what was there, what is refused and why. */
import { h, icon } from "../dom.js";
import { count } from "../rubrics/statistics.js";

const TITLES = { imported: "All of it came in", "imported in part": "The rest came in", refused: "Nothing came in" };
const any = (tally) => Object.values(tally).some(Boolean);
const records = (n, is) => `${count(n)} ${n === 1 ? `record ${is[0]}` : `records ${is[1]}`}`;

function remarks(list, more) {
  const remark = ({ place, field, message }) => h("li", {},
    h("div", { class: "row" }, h("b", { class: "words" }, place), field ? h("span", { class: "mono mut words" }, field) : null), h("p", { class: "words" }, message));
  const rest = more ? h("p", { class: "xs mut" }, `and ${count(more)} more`) : null;
  return [h("ul", { class: "remarks", tabindex: 0, "aria-label": "Remarks by place" }, list.map(remark)), rest];
}

function sentence({ state, name, added, sound, refused, followed }) {
  if (state === "refused" && !refused) return "There is no record in it.";
  const left = refused + followed, them = refused === 1 ? "it" : "them", rest = any(sound) ? ", or import the rest" : "";
  if (state === "refused") return `${records(refused, ["is", "are"])} refused, so nothing was stored. Correct ${them}${rest}.`;
  return `It is ${any(added) ? "" : "all "}in “${name}”${any(added) ? "" : " already"}${left ? `; ${records(left, ["was", "were"])} left out` : ""}.`;
}

function tallies(kinds, label, came, there) {
  const row = ([kind, name]) => h("tr", { "data-kind": kind }, h("th", { scope: "row" }, name), h("td", {}, count(came[kind])), h("td", {}, count(there[kind])));
  return h("table", { class: "tallies" }, h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, label), h("th", { scope: "col" }, "There already"))),
    h("tbody", {}, kinds.filter(([kind]) => came[kind] || there[kind]).map(row)));
}

/** The report as an element; `kinds` are [[kind of record, what they are called]]. */
export function reportOf(report, kinds) {
  const { state, added, there, sound, refused, followed, followers, faults, more_faults: moreFaults, notes, more_notes: moreNotes } = report;
  const wrong = state === "refused", [came, label] = wrong ? [sound, "Would come in"] : [added, "Came in"];
  const others = followed > 20 ? ` and ${count(followed - 20)} more` : "";
  const title = state === "imported" && !any(added) ? "Nothing new" : TITLES[state];
  return h("div", { class: "report", "data-state": state },
    h("div", { class: "row" }, icon(wrong ? "warn" : "check"), h("h3", {}, title)), h("p", { class: "sm sub words" }, sentence(report)),
    any(came) || any(there) ? tallies(kinds, label, came, there) : null,
    faults.length ? h("section", {}, h("h3", {}, `Refused: ${count(refused)}`), remarks(faults, moreFaults),
      followed ? h("p", { class: "xs mut" }, `Left out, for what they belong to is refused: ${followers.slice(0, 20).join(", ")}${others}.`) : null) : null,
    notes.length ? h("details", {}, h("summary", {}, `Odd, and settled: ${count(notes.length + moreNotes)}`), remarks(notes, moreNotes)) : null);
}
