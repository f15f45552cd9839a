/* How far a draft is, in words. */
import { h } from "../dom.js";
import { REVIEWS, standing } from "./authorreviews.js";

/** Stages in their order: [value, label, kind of tag, what it means]. */
export const STAGES = [
  ["draft", "Draft", "line", "Being written"], ["trial", "Trial", "warn", "Models have not decided it yet"],
  ["dropped", "Dropped", "bad", "Too few models failed: change it, then try again"], ["review", "Review", "warn", "Waiting for two reviews"],
  ["accepted", "Accepted", "acc", "Accepted in both reviews"], ["rejected", "Rejected", "bad", "Rejected in a review"],
];

/** Its stage as a tag; in review, how many of the reviews there are. */
export function stageChip(draft) {
  const { stage, decisions, reviews = decisions && standing(draft).length } = draft, [, label, kind, title] = STAGES.find(([value]) => value === stage) ?? [stage, stage, "line", null];
  const done = reviews != null && stage === "review" ? ` ${reviews}/${REVIEWS}` : "";
  return h("span", { class: `tag ${kind}`, "data-stage": stage, title }, label + done);
}
