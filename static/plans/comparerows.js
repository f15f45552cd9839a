/* Pairs of parts as rows: what stands beside what, and what is different. */
import { h, icon } from "../dom.js";
import { callCard, gapMarker, scoreChips, textBlock, thinking } from "./cards.js";
import { lookAt, lookAtChart } from "./look.js";
import { fails } from "./words.js";

const LINES = 80; // of a paragraph that are shown at once
const SAYS = { tools: "Other tools", faults: "Other faults", gaps: "Other missing visuals" };

function item({ kind, piece, call, gap }, plan, judge, problems) {
  if (kind === "text") return textBlock(piece.nodes, LINES);
  if (kind === "thinking") return thinking(piece);
  if (kind === "gap") return gapMarker(gap);
  const verdict = judge?.precision?.calls.find(({ call_id: id }) => id === call.id);
  const zoom = call.image?.digest ? () => lookAt(call.image, plan.pool) : call.chart ? () => lookAtChart(call) : null;
  return callCard(call, { problems: problems.filter((problem) => problem.call === call.id), scores: verdict ? [scoreChips(verdict)] : [], zoom });
}

function half(part, side, { plan, judge, name, faults, open }) {
  const label = h("span", { class: "xs mut of show-s" }, name);
  if (!part) return h("div", { class: "half none", "data-half": side }, label, h("span", { class: "es-sr" }, "Nothing stands beside it"));
  const [first] = part.blocks, call = part.calls[0], tags = faults.filter(({ call: of }) => of == null);
  return h("div", { class: "half", "data-half": side }, label, part.items.map((one) => item(one, plan, judge, faults)),
    tags.length > 0 && h("p", { class: "row notes" }, tags.map(({ code, severity, explanation }) =>
      h("span", { class: `tag mono ${severity === "error" ? "bad" : severity === "warning" ? "warn" : "line"}`, title: explanation }, code))),
    h("button", { type: "button", class: "btn ghost small icon go", "aria-label": `Open this place of ${name} in Inspect`,
      title: "Open this place in Inspect", onclick: () => open(call && !part.text ? { call: call.id } : { block: first }) }, icon("next")));
}

/** A row of a pair; `sides` are {plan, judge, name, open(place)}. */
export function pairRow(k, [left, right], { kinds, alone, sides: told }, sides) {
  const says = [alone && `Only in ${sides[alone === "left" ? 0 : 1].name}`, ...(alone ? [] : kinds.map((kind) => SAYS[kind]))].filter(Boolean);
  return h("section", { class: `pair-row ${kinds.length ? "differs" : "same"} ${alone ? "alone" : ""}`, "data-pair": k,
    "aria-label": `Pair ${k + 1}${says.length ? `: ${says.join(", ").toLowerCase()}` : ""}`, tabindex: -1 },
    says.length > 0 && h("div", { class: "pair-says" }, says.map((text) => h("span", { class: `tag ${alone ? "line" : text === SAYS.faults ? "bad" : "warn"}` }, text))),
    [left, right].map((part, side) => half(part, side, { ...sides[side], faults: told[side]?.faults ?? [] })));
}

/** The map: a cell for each pair, which leads to it. */
export function pairMap(pairs, differences, go) {
  const words = ({ kinds, alone }) => (alone ? ["stands alone", ...kinds.slice(1)] : kinds).join(", ") || "alike";
  return h("div", { class: "pair-map", role: "group", "aria-label": "Pairs of paragraphs" }, pairs.map(([left, right], k) => h("button", {
    type: "button", class: [...differences[k].kinds, [left, right].some((part) => part?.calls.some(fails)) && "failed"].filter(Boolean).join(" "),
    "data-cell": k, tabindex: -1, "aria-label": `Pair ${k + 1}: ${words(differences[k])}`,
    title: `Pair ${k + 1}: ${words(differences[k])}`, onclick: () => go(k),
  }, h("i", {}))));
}
