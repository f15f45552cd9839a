/* What stands in place of a criterion when there is none to show. */
import { h, icon } from "../dom.js";
import { counted } from "./words.js";

const button = ([label, run], k) => h("button", { type: "button", class: `btn ${k ? "" : "primary"}`, onclick: run }, label);
/** A box that says what there is not, and what to do: `acts` are [[label, run]], the first one first. */
export const hole = (glyph, title, text, acts = []) => h("div", { class: "hole", tabindex: -1 }, icon(glyph), h("b", {}, title), h("p", { class: "sm" }, text), h("div", { class: "row acts" }, acts.map(button)));

/** Something failed: what, and the way to try again. */
export const failed = (title, message, acts) => h("div", { class: "hole err", role: "alert", tabindex: -1 }, icon("warn"), h("b", {}, title), h("p", { class: "sm" }, message), h("div", { class: "row acts" }, acts.map(button)));

/** Nothing in the queue waits for the reviewer. */
export function ended({ walk, queue, filtered }, acts) {
  const mine = walk.mine, left = walk.count - mine;
  const voted = `You have voted on ${mine} of ${counted(walk.count, "criterion", "criteria")} in “${queue.name}”${filtered ? " that fit the filters" : ""}.`;
  const others = ` The other ${left === 1 ? "one needs" : `${left} need`} no more votes: as many others as are required have voted, or are at it.`;
  return hole("check", "All done", left ? voted + others : voted, acts);
}

/** Grey shapes of what is on its way. */
export function bones() {
  const lines = (...kinds) => kinds.map((kind) => h("i", { class: `skel ${kind}` }));
  const parts = Array.from({ length: 3 }, () => h("div", { class: "ans" }, lines("short", "", "")));
  return h("div", { class: "review bones", "aria-hidden": "true" },
    h("div", { class: "card graded" }, h("div", { class: "rtask" }, h("div", { class: "side" }, lines("pic")), h("div", { class: "rtext" }, parts))),
    h("div", { class: "card ballot" }, lines("short", "title", "tall", "tall")));
}
