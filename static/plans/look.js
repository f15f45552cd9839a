/* Looking closer: a picture of the pool, or a chart with its axes. */
import { dialog, h, icon } from "../dom.js";
import { Zoom } from "../rubrics/zoom.js";
import { largeChart } from "./chart.js";

let zoom = null, box = null;

/** A picture of `pool`, with the others beside it. */
export function lookAt(image, pool) {
  const pictures = pool.filter(({ digest }) => digest), at = pictures.findIndex(({ index }) => index === image.index);
  if (at < 0) return;
  zoom ??= new Zoom();
  zoom.open(pictures, at, (k) => `Picture ${pictures[k].index}, ${pictures[k].comes_with}`);
}

export function lookAtChart(call) {
  box ??= dialog({ class: "es sheet-dialog plan-dialog chart-dialog", "aria-labelledby": "es-chart-title" });
  box.replaceChildren(h("div", { class: "row between" }, h("h2", { id: "es-chart-title" }, call.chart.title || `Chart of call ${call.id}`),
    h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => box.close() }, icon("x"))),
    largeChart(call.chart), h("p", { class: "xs mut" }, "Drawn from the data that the call gives; nothing of it was executed."));
  box.showModal();
}
