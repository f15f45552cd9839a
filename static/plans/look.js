/* Looking closer: a picture of the pool, one that a call brought, or a chart with its axes. */
import { dialog, h, icon } from "../dom.js";
import { Zoom } from "../rubrics/zoom.js";
import { pictureUrl } from "./api.js";
import { largeChart } from "./chart.js";

let zoom = null, box = null;

function open(pictures, at, nameOf) {
  if (at < 0) return;
  zoom ??= new Zoom({ urlOf: pictureUrl });
  zoom.open(pictures, at, nameOf);
}

/** A picture of `pool`, with the others beside it. */
export function lookAt(image, pool) {
  const pictures = pool.filter(({ digest }) => digest);
  open(pictures, pictures.findIndex(({ index }) => index === image.index), (k) => `Picture ${pictures[k].index}, ${pictures[k].comes_with}`);
}

/** The picture that a call brought, with those of the other calls; `results` are the calls as they were executed. */
export function lookAtMade(call, results) {
  const pictures = results.filter(({ picture }) => picture).map(({ call: of, picture }) => ({ digest: picture, of }));
  open(pictures, pictures.findIndex(({ of }) => of === call), (k) => `Call ${pictures[k].of}, as executed`);
}

export function lookAtChart(call) {
  box ??= dialog({ class: "es sheet-dialog plan-dialog chart-dialog", "aria-labelledby": "es-chart-title" });
  box.replaceChildren(h("div", { class: "row between" }, h("h2", { id: "es-chart-title" }, call.chart.title || `Chart of call ${call.id}`),
    h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => box.close() }, icon("x"))),
    largeChart(call.chart), h("p", { class: "xs mut" }, "Drawn from the data that the call gives; nothing of it was executed."));
  box.showModal();
}
