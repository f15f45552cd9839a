/* Scales and words of figures of plans, whose intervals come of resampling queries. */
import { COEFFICIENT, SHARE, ends, fixed, scale, wording } from "../rubrics/statistics.js";
import { h, icon } from "../dom.js";

const UNIT = "query";
const of = ({ low, high, write, end }) => scale(low, high, write, end, UNIT);
/** Scales: shares, coefficients, shares in percent already, final scores, their differences; gaps per plan up to `most`. */
export const PART = of(SHARE), RANK = of(COEFFICIENT), PERCENT = scale(0, 100, (value) => `${fixed(1)(value)}%`, fixed(1), UNIT),
  FINAL = scale(0, 100, fixed(1), fixed(1), UNIT);
const signed = (digits) => (value) => { const text = fixed(digits)(value); return value > 0 && /[1-9]/.test(text) ? `+${text}` : text; };
export const FINAL_CHANGE = scale(-100, 100, signed(1), signed(1), UNIT), PER_PLAN_CHANGE = scale(-4, 4, signed(2), signed(2), UNIT);
export const perPlan = (most) => scale(0, most, fixed(2), fixed(2), UNIT);

/** How statistics of two raters are told of calls that succeed, of places that lack a picture, of plans with a good final score. */
export const WORDS = {
  precision: wording({ is: "good", thing: "call", things: "calls", unit: UNIT }), recall: wording({ is: "lacking", thing: "place", things: "places", unit: UNIT }),
  chief: wording({ is: "good", thing: "plan", things: "plans", unit: UNIT }),
};

/** What to bear in mind, [{code, text}]; a sample is told by its tag. */
export const warningsOf = (warnings) => h("ul", { class: "warnings", "aria-label": "Bear in mind" },
  warnings.filter(({ code }) => code !== "sample").map(({ code, text }) =>
    h("li", { class: `sm row ${code === "judges_differ" || code === "one_model" ? "grave" : ""}`, "data-warning": code },
      icon(code === "judges_differ" || code === "one_model" ? "warn" : "info"), h("span", {}, text))));

/** A rank correlation in words: {rho, interval, p, n, left, tau, ties}. */
export function rankWords({ rho, low, high, p, exact, tau, n, left_out: left, ties }) {
  const write = (value) => (value == null ? null : RANK.write(value));
  return {
    rho: write(rho), tau: write(tau), n, left, ties: ties.some(Boolean) ? ties.join(" and ") : "none",
    interval: low == null ? (n < 4 ? "no interval below 4" : "no interval") : ends({ low, high }, RANK),
    p: p == null ? (n < 4 ? "no p below 4" : "–") : p < 0.001 ? `p < 0.001${exact ? ", exact" : ""}` : `p ${p.toFixed(3)}${exact ? ", exact" : ""}`,
  };
}
