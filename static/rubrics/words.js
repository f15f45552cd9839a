/* How verdicts, kinds of error and criteria are called. */
import { h } from "../dom.js";

/** Verdicts in the order of their buttons: [value, label, key]. */
export const VERDICTS = [["met", "Met", "m"], ["not_met", "Not met", "n"], ["cannot_assess", "Can’t assess", "u"]];
const SAID = { met: "met", not_met: "not met", cannot_assess: "can’t assess" };
/** A verdict in the middle of a sentence. */
export const said = (verdict) => SAID[verdict] ?? "no verdict";
export const CONFIDENCES = [[1, "Low"], [2, "Medium"], [3, "High"]];
/** Why an answer misses a criterion. */
export const ERRORS = [
  ["visual_perception.no_tool", "Did not look closer: no tool was called"], ["visual_perception.wrong_view", "Looked at the wrong place, or with wrong code"],
  ["visual_perception.misread", "Had the right view and misread it"], ["reasoning", "Reasoning"], ["calculation", "Calculation"], ["other", "Something else"],
];
export const errorWords = (kind) => ERRORS.find(([value]) => value === kind)?.[1] ?? kind;

/** An identifier as words: `region_switch` is "Region switch". */
export const plainly = (name) => {
  const words = String(name).replaceAll("_", " ");
  return /^stem$/i.test(words) ? "STEM" : words.charAt(0).toUpperCase() + words.slice(1);
};
/** A number of things whose plural is its own word. */
export const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;
/** From this weight on an item is critical. */
export const isCritical = ({ weight }) => weight >= 4;

/** What kind of criterion it is, as tags. */
export function tagsOf(entry) {
  const { weight, flag, objectivity, explicitness, categories } = entry, critical = isCritical(entry);
  return [
    critical && h("span", { class: "tag bad" }, "Critical"), h("span", { class: "tag" }, `Weight ${weight}`),
    objectivity && h("span", { class: "tag line" }, plainly(objectivity)), explicitness === "implicit" && h("span", { class: "tag line" }, "Implicit"),
    flag != null && flag !== critical && h("span", { class: "tag warn", title: `By its weight the criterion is ${critical ? "" : "not "}critical.` }, flag ? "Flag says critical" : "Flag says not critical"),
    categories.map((category) => h("span", { class: "tag line cat" }, plainly(category))),
  ];
}
/** Marks data that was made up, wherever it shows. */
export const sampleTag = () => h("span", { class: "tag warn", "data-sample": true, title: "Made up to show what this is; no figure of it means anything" }, "Sample data");
