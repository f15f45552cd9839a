/* What statistics look like: intervals on their scale, bars, the table of two raters, and cells of tables that hold them. */
import { h, icon } from "../dom.js";
import { count, intervalOf, sureness } from "./statistics.js";

const place = (value, { low, high }) => `${(100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low)}%`;

/** An estimate on its whole scale: its interval as a bar, its value as a line across; `ceiling` is a second value to compare with. Words beside it say the same. */
export function gauge(estimate, its, { wilson = null, ceiling = null, kind = "" } = {}) {
  const { value } = estimate, { low, high, why } = intervalOf(estimate, wilson);
  return h("span", { class: `gauge ${kind}`, "aria-hidden": "true" },
    its.low < 0 ? h("i", { class: "zero" }) : null,
    why == null ? h("i", { class: "span", style: { left: place(low, its), right: `calc(100% - ${place(high, its)})` } }) : null,
    ceiling == null ? null : h("i", { class: "ceiling", style: { left: place(ceiling, its) } }),
    value == null ? null : h("i", { class: "at", style: { left: place(value, its) } }));
}

/** A bar of a share, or of `value` among `most`. */
export const bar = (value, most = 1) => h("span", { class: "bar-of", "aria-hidden": "true" }, h("i", { style: { width: `${most ? (100 * value) / most : 0}%` } }));

/** A cell with a value and its interval beneath; `why` says why there is no value, `attributes` go to the cell. */
export function valueCell(estimate, its, { why = "", wilson = null, ...attributes } = {}) {
  if (estimate.value == null) return h("td", attributes, why ? [h("span", { class: "undefined" }, "undefined"), h("span", { class: "xs mut reason" }, why)] : "–");
  const [short, says, left] = sureness(estimate, its, wilson);
  return h("td", attributes, h("b", {}, its.write(estimate.value)), h("span", { class: "xs mut ends", title: says }, short), left && h("span", { class: "xs mut ends" }, left));
}
export const gaugeCell = (...drawn) => h("td", { class: "gauged" }, gauge(...drawn));
export const countCell = (n) => h("td", { class: "mut" }, count(n));

/** A table in a box that scrolls sideways; `heads` are [label, title, class]. */
export function tableOf(label, heads, ...bodies) {
  const head = ([text, title = null, kind = null]) => h("th", { scope: "col", title, class: kind }, text);
  return h("div", { class: "tblwrap", tabindex: 0, role: "region", "aria-label": label },
    h("table", { class: "tbl" }, h("thead", {}, h("tr", {}, heads.map(head))), bodies));
}

/** What people say (rows) and what the judge says (columns): whether something is `is`, an adjective. */
export function confusion([met, not], { is = "met" } = {}) {
  const head = (label) => h("th", { scope: "col" }, label), cell = (value, agree) => h("td", { class: agree ? "y" : "x" }, count(value));
  const row = (label, values, same) => h("tr", {}, h("th", { scope: "row" }, label), values.map((value, k) => cell(value, k === same)));
  return h("table", { class: "conf" },
    h("thead", {}, h("tr", {}, h("td", { class: "none" }), head(`Judge ${is}`), head(`Judge not ${is}`))),
    h("tbody", {}, row(`People ${is}`, met, 0), row(`People not ${is}`, not, 1)));
}

/** Grey shapes of `lines` lines that are on their way. */
export const bonesOf = (lines, kind = "") => h("div", { class: `bones ${kind}`, "aria-hidden": "true" }, Array.from({ length: lines }, () => h("i", { class: "skel" })));

/** A card with a title, a sentence and what it tells. */
export const card = (title, says, ...content) => h("section", { class: "card told", "aria-label": title },
  h("div", { class: "told-head" }, h("h2", {}, title), says ? h("p", { class: "sm mut" }, says) : null), content);

/** Other content for a view; tables keep how far they were scrolled, and what had the focus has it again. */
export function redraw(body, content) {
  const named = () => [...body.querySelectorAll("[aria-label], a[href], button")];
  const nameOf = (one) => one.getAttribute("aria-label") ?? one.getAttribute("href") ?? one.textContent;
  const scrolled = new Map(named().filter(({ scrollLeft }) => scrollLeft).map((one) => [nameOf(one), one.scrollLeft]));
  const held = body.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  body.replaceChildren(...content.flat(Infinity).filter(Boolean));
  for (const one of named()) {
    if (scrolled.has(nameOf(one))) one.scrollLeft = scrolled.get(nameOf(one));
    if (held !== null && nameOf(one) === held && one.tabIndex >= 0) one.focus({ preventScroll: true });
  }
}

/** Say in a view ({body, note, feed, choosers}) that its figures could not be had; those that stand stay, as old as they are. No error takes it back. */
export function troubleOf({ body, note, feed, choosers }, error, drawn) {
  const again = h("button", { type: "button", class: "btn small", onclick: () => feed.again() }, "Try again");
  body.removeAttribute("aria-busy");
  const stale = error && drawn && h("p", { class: "sm row stale", role: "status" }, icon("warn"), h("span", {}, `${error.message} The figures are as they were.`), again);
  note.replaceChildren(...(stale ? [stale] : []));
  if (!error || drawn) return;
  const wrong = error.status >= 400 && error.status < 500 && !error.retry; // the link asks for what there is not
  body.replaceChildren(h("div", { class: "hole err", role: "alert" }, icon("warn"), h("b", {}, "The figures could not be loaded"), h("p", { class: "sm" }, error.message),
    wrong ? h("button", { type: "button", class: "btn", onclick: () => choosers.clear() }, "Show all of the set") : again));
}
