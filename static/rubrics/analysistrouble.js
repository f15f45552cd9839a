/* What the Analysis and Trace views say when something of theirs could not be had. */
import { h, icon } from "../dom.js";
import { failed } from "./ending.js";

/**
 * Say in a view ({body, note, feed}) that `what`, such as "This trace", could not be had; one that stands stays, as old as it is. `elsewhere` is
 * [label, run]: what helps where the link asks for what there is not. No error takes it back.
 */
export function missing({ body, note, feed }, what, elsewhere, error, drawn) {
  const again = ["Try again", () => feed.again()], [label, run] = again;
  body.removeAttribute("aria-busy");
  const stale = error && drawn && h("p", { class: "sm row stale", role: "status" }, icon("warn"), h("span", {}, `${error.message} ${what} may have changed since.`),
    h("button", { type: "button", class: "btn small", onclick: run }, label));
  note.replaceChildren(...(stale ? [stale] : []));
  if (!error || drawn) return;
  const wrong = error.status >= 400 && error.status < 500 && !error.retry;
  body.replaceChildren(failed(`${what} could not be loaded`, error.message, [wrong ? elsewhere : again]));
}
