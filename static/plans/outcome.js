/* What came of a call when it was executed: its picture in the place where the plan has the call, or why there is none. */
import { h, icon } from "../dom.js";
import { pictureUrl } from "./api.js";
import { codeText } from "./codetext.js";
import { toolName } from "./words.js";

/**
 * `found` is the call as it was executed, undefined as long as that is not known; `zoom()` shows its picture larger, and
 * `run()` executes it, null where it cannot be.
 */
export function outcome(call, found, { zoom, run }) {
  const { state, picture, reason } = found ?? { state: "unknown" }, name = `Call ${call.id}, ${toolName(call)}`;
  const said = [name, call.description && [": ", h("span", { class: "words", dir: "auto" }, codeText(call.description))]];
  if (state === "done") return h("figure", { class: "came", "data-came": state },
    h("button", { type: "button", class: "frame-pic", title: "Look closer (Z)", onclick: zoom },
      h("img", { src: pictureUrl({ digest: picture }), alt: [name, call.description.slice(0, 300)].filter(Boolean).join(": "), loading: "lazy", decoding: "async" })),
    h("figcaption", { class: "xs mut" }, said));
  return h("div", { class: "came none", "data-came": state, role: "group", "aria-label": `${name}, as executed` }, icon(state === "failed" ? "x" : "image"),
    h("div", { class: "grow" }, h("p", { class: "sm words", dir: "auto" }, state === "open" ? "Not executed yet." : codeText(reason ?? "")),
      h("p", { class: "xs mut" }, said)),
    run && (state === "failed" || state === "open") && h("button", { type: "button", class: "btn small", onclick: run }, state === "failed" ? "Try again" : "Execute"));
}
