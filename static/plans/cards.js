/* What a plan consists of, as elements: paragraphs, tool calls as cards, thinking, and markers of what is missing. */
import { h, icon } from "../dom.js";
import { Prose } from "../rubrics/prose.js";
import { pictureUrl } from "./api.js";
import { described, smallChart } from "./chart.js";
import { codeBlock, codeText, plainTree } from "./codetext.js";
import { CRITERIA, GATES, fails, gapName, statusName, toolLabel, toolName } from "./words.js";

const LINES = 240; // of a paragraph that are shown at once
const GLYPHS = { search: "search", diffusion: "brush", code: "heat", edit: "brush", reference: "image" };

/** A square in a tool's colour. */
export const toolDot = (tool) => h("i", { class: `t-dot t-${tool ?? "unknown"}` });

/** A paragraph of a plan: its words as text nodes, its links and pictures only told of. */
export function textBlock(nodes, lines = LINES) {
  const told = new Prose(plainTree(nodes), lines, () => direct()), direct = () => { for (const one of told.body.children) one.setAttribute("dir", "auto"); };
  told.body.setAttribute("dir", "auto"); // a quote in another script has a direction of its own
  direct();
  return told.element;
}

/** The four scores of a call; what fails a gate stands before them. */
export function scoreChips(verdict, whose = "") {
  const failed = GATES.filter(([gate]) => !verdict[gate]);
  return h("div", { class: "scs", role: "group", "aria-label": whose ? `Scores: ${whose}` : "Scores" }, whose && h("span", { class: "whose mut" }, whose),
    failed.map(([, , label]) => h("span", { class: "tag bad" }, label)),
    CRITERIA.map(([name, label]) => h("span", {}, h("i", { class: `s${verdict.scores[name]}` }, verdict.scores[name]), label)));
}

/** A small picture of the row's own pool, or why there is none; `zoom()` shows it larger. */
export function poolThumb(image, zoom, size = 72) {
  if (!image.digest) return h("span", { class: "vis none", title: image.missing }, icon("image"), h("span", { class: "es-sr" }, `No picture: ${image.missing}`));
  const alt = `Picture ${image.index}${image.name ? `, ${image.name}` : ""}`;
  const picture = h("img", { src: pictureUrl(image), width: size, height: size, alt, loading: "lazy", decoding: "async" });
  return looked(picture, zoom);
}

/* Something small that `zoom()` shows larger. */
const looked = (content, zoom, label = null) => (!zoom ? h("span", { class: "vis" }, content)
  : h("button", { type: "button", class: "vis look", title: "Look closer (Z)", "aria-label": label, "data-zoom": true, onclick: zoom }, content));

function visual(call, { zoom, failed }) {
  if (call.image) return poolThumb(call.image, zoom && call.image.digest ? () => zoom(call) : null);
  if (call.chart) return looked(smallChart(call.chart), zoom && (() => zoom(call)), `${described(call.chart)}: look closer`);
  return h("span", { class: "vis none", "aria-hidden": "true" }, icon(failed ? "x" : GLYPHS[call.tool] ?? "x"));
}

/* Nothing of a call's own words is cut: who judges a prompt has to read it. */
function said(call) {
  const params = call.params.filter(({ name, value }) => !(call.code != null && name === "code" && value));
  return [
    call.description && codeBlock(call.description, "p", { class: "desc", dir: "auto" }),
    params.length > 0 && h("dl", { class: "params mono" }, params.map(({ name, value, text }) => h("div", {}, h("dt", {}, codeText(name), ":"),
      codeBlock(text ? `“${value}”` : value, "dd")))),
    call.code != null && codeBlock(call.code, "pre", { class: "mono", title: "Shown as text; never run" }),
    call.no_chart && h("p", { class: "xs mut no-chart" }, codeText(call.no_chart)),
  ];
}

/**
 * A tool call as a card. `problems` are the plan's that belong to it, `scores` elements under it, `zoom(call)` shows
 * its picture or chart larger; `raw` says whether its raw text can be unfolded.
 */
export function callCard(call, { problems = [], scores = [], zoom = null, raw = true } = {}) {
  const failed = fails(call), unread = call.status === "failed", coded = problems.some(({ code }) => code === call.status);
  const errors = problems.filter(({ severity }) => severity === "error"), others = problems.filter(({ severity }) => severity !== "error");
  const tag = ({ code, severity, explanation }) => h("span", { class: `tag ${severity === "warning" ? "warn" : "line"} mono`, title: explanation }, code);
  return h("div", { class: `tool t-${call.tool ?? "unknown"} ${failed ? "fail" : ""}`, role: "group",
    "aria-label": `Call ${call.id}, ${toolName(call)}${unread ? ", failed" : failed ? ", with an error" : ""}` },
    visual(call, { zoom, failed }),
    h("div", { class: "told" },
      h("div", { class: "row head" }, h("span", { class: "name" }, toolName(call)), h("span", { class: "xs mut" }, `call ${call.id}`),
        h("span", { class: "flags" }, others.map(tag),
          call.status !== "strict" && !unread && !coded && h("span", { class: "tag warn", title: "How its body was decoded" }, statusName(call.status)),
          failed && h("span", { class: "tag bad", title: unread ? "Its body could not be read" : "It was read, but would not run" },
            unread ? "Call failed" : "Error"))),
      said(call),
      errors.map(({ code, explanation }) => h("p", { class: "xs wrong" }, h("code", {}, code), " ", explanation)),
      h("div", { class: "scores" }, scores),
      raw && rawText(call)));
}

function rawText(call) {
  return unfolding("raw", h("summary", { class: "xs" }, "Raw text"), () => codeBlock(call.raw, "pre", { class: "mono" }));
}

/* Something folded, made by `make()` when it is unfolded first. */
function unfolding(kind, summary, make) {
  const box = h("details", { class: kind, ontoggle: () => { if (box.open && box.lastChild === summary) box.append(make()); } }, summary);
  return box;
}

/** Thinking, folded; it is no part of the document. */
export function thinking(piece) {
  const words = piece.nodes.map((node) => (Array.isArray(node) ? node.slice(1).join("") : node)).join("");
  const long = words.length > 200_000 ? `${words.length.toLocaleString("en")} characters` : `${words.split(/\s+/).filter(Boolean).length} words`;
  return unfolding("thinking", h("summary", { class: "sm" }, "Thinking", h("span", { class: "mut" }, `, ${long}`)), () => codeBlock(words));
}

/** Where a picture is missing: `gap` of a report, or of a person (`whose`). */
export function gapMarker(gap, { whose = "", acts = [] } = {}) {
  const reason = gap.reason ?? gap.note;
  return h("div", { class: `miss ${whose ? "mine" : ""}`, role: "group", "aria-label": `Missing visual${whose ? `, ${whose}` : ""}` }, icon("eye"),
    h("div", { class: "grow" }, h("span", { class: "lead-in" }, whose ? `Missing visual, ${whose}. ` : "Missing visual. "),
      reason && h("span", { class: "words", dir: "auto" }, codeText(reason)),
      h("span", { class: "kind" }, h("span", { class: "tag line" }, gap.type ? gapName(gap.type) : "No kind yet"),
        gap.severity && h("span", { class: `tag ${gap.severity === "major" ? "warn" : "line"}` }, gap.severity),
        gap.suggested_tool && h("span", { class: "tag line" }, toolDot(gap.suggested_tool), toolLabel(gap.suggested_tool)))), acts);
}
