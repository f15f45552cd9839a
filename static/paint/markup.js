/* The Paint screen's constant markup. No text of people or models passes through here. */
import { h, icon, cap, s } from "../dom.js";

const button = (act, attributes, ...children) => h("button", { type: "button", class: "btn", "data-act": act, ...attributes }, ...children);

/** A range input with a name before and a value behind. */
const slide = (name, part, attributes) => h("label", { class: "slide" }, part,
  h("input", { type: "range", min: 0, max: 100, value: 0, "data-brush": name, "aria-label": attributes.label }),
  h("output", { "data-out": name, "aria-hidden": "true" }));

const layer = (name, attributes = {}) => h("canvas", { [`data-${name}`]: true, width: 128, height: 128, ...attributes });

const bar = () => h("div", { class: "es-bar between" },
  h("div", { class: "row wide bar-task" },
    h("canvas", { class: "thumb hide-s", "data-thumb": true, width: 96, height: 96, "aria-hidden": "true" }),
    h("div", { class: "bar-title" }, h("h1", { "data-title": true }, "\u00a0"), h("div", { class: "meta", "data-meta": true }, "\u00a0")),
    button("tasks", { class: "btn hide-s" }, icon("grid"), "Change task", cap("T"))),
  button("tasks", { class: "btn icon show-s", "aria-label": "Change task" }, icon("grid")),
  h("div", { class: "row wide hide-s bar-state", "data-state": true }));

const reference = () => h("figure", { class: "art a-ref" },
  h("div", { class: "pic", "data-ref-frame": true },
    h("div", { class: "stage" }, layer("reference", { role: "img", "aria-label": "Reference" })),
    s("svg", { "data-twin": true, "aria-hidden": "true" })),
  h("figcaption", { class: "between hide-s" },
    h("span", {}, h("b", {}, "Reference"), h("span", { class: "dim", "data-size": true })),
    h("span", { class: "row zoom", role: "group", "aria-label": "Zoom of both pictures" },
      button("zoom-out", { class: "btn ghost icon small", "aria-label": "Zoom out", title: "Zoom out (−)" }, icon("minus")),
      button("zoom-fit", { class: "btn ghost small pct", "aria-label": "Whole picture", title: "Whole picture (0)", "data-zoom": true }, "100%"),
      button("zoom-in", { class: "btn ghost icon small", "aria-label": "Zoom in", title: "Zoom in (+)" }, icon("plus")))));

const brief = () => h("div", { class: "brief" },
  h("div", { class: "row between" }, h("span", { class: "big", "data-score": true }, "–"), h("span", { class: "tag", "data-delta": true })),
  h("div", { class: "xs sub pairs", "data-neighbours": true }),
  h("div", { class: "row xs", "data-brief-state": true }));

const canvas = () => h("figure", { class: "art a-cv" },
  h("div", {
    class: "pic draw", "data-frame": true, tabindex: 0, role: "application", "aria-label": "Canvas",
    "aria-roledescription": "painting canvas", "aria-describedby": "es-canvas-help",
  },
  h("div", { class: "stage" },
    layer("canvas"), layer("onion", { style: { opacity: 0 } }), layer("difference", { hidden: true }), layer("preview")),
  h("p", { class: "invite", "data-invite": true, "aria-hidden": "true", hidden: true }, "Draw here to begin"),
  s("svg", { "data-handles": true, "aria-hidden": "true" }),
  h("div", { class: "notice", "data-notice": true, hidden: true })),
  h("p", { class: "es-sr", id: "es-canvas-help" },
    "Draw with mouse, pen or finger. By keyboard: arrow keys aim, with Shift in larger steps; Enter sets the start, then the control point, then the end and paints; Escape cancels; I takes the reference's colour at the crosshair."),
  h("figcaption", { class: "between" },
    h("span", {}, h("b", {}, "Canvas"), h("span", { class: "hide-s dim" }, "step ", h("span", { "data-step": true }, "0"))),
    h("span", { class: "row wide" },
      h("label", { class: "onion", title: "Reference over the canvas (hold R)" }, h("span", {}, "Onion skin"),
        h("input", { type: "range", min: 0, max: 100, value: 0, "data-onion-range": true, "aria-label": "Opacity of the reference over the canvas" }),
        h("output", { class: "hide-s pct", "data-onion-out": true, "aria-hidden": "true" }, "0%")),
      h("label", { class: "switch", title: "Where canvas and reference differ (D)" },
        h("input", { type: "checkbox", role: "switch", "data-difference-switch": true }), "Difference"))));

const dock = () => h("div", { class: "card dock a-dock", role: "group", "aria-label": "Brush" },
  h("div", { class: "d-col" },
    h("div", { class: "lab" }, "Colour",
      button("eyedropper", { class: "btn ghost tight", "aria-pressed": "false", title: "Pick a colour from the reference or the canvas (I, or hold Alt)" }, icon("drop"), "Pick from reference", cap("I", "hide-s"))),
    h("div", { class: "colour" },
      h("div", {},
        h("button", { type: "button", class: "now", "data-act": "colour", "aria-haspopup": "dialog", title: "Choose any colour (C)" }),
        h("div", { class: "mono hex", "data-hex": true })),
      h("div", {},
        h("div", { class: "swrow" }, h("span", {}, "Palette"), h("div", { class: "sws", role: "group", "aria-label": "Palette of the reference", "data-palette": true })),
        h("div", { class: "swrow" }, h("span", {}, "Recent"), h("div", { class: "sws", role: "group", "aria-label": "Recent colours", "data-recent": true }))))),
  h("div", {},
    h("div", { class: "lab" }, h("span", { class: "ink" }, "Width ", h("span", {}, "px")),
      h("label", { class: "switch tiny", title: "The pressure of a pen changes the width" },
        h("input", { type: "checkbox", role: "switch", "data-pressure": true, "aria-label": "Pen pressure changes the width" }), "Pen")),
    slide("radius_start", "Start", { label: "Width at the start" }), slide("radius_end", "End", { label: "Width at the end" })),
  h("div", {},
    h("div", { class: "lab" }, "Opacity"),
    slide("opacity_start", "Start", { label: "Opacity at the start" }), slide("opacity_end", "End", { label: "Opacity at the end" })),
  h("div", { class: "d-prev" }, h("div", { class: "lab" }, "Brush"), h("canvas", { class: "prev", width: 192, height: 120, role: "img", "aria-label": "The brush as it paints", "data-brush-preview": true })),
  h("div", { class: "d-act" },
    h("div", { class: "dbud" },
      h("div", { class: "budget" }, h("span", { class: "lab" }, "Steps"), h("span", {}, h("b", { "data-step": true }, "0"), h("span", { class: "mut", "data-budget": true }))),
      s("svg", { class: "ticks", preserveAspectRatio: "none", "aria-hidden": "true" })),
    h("div", { class: "row acts2" },
      h("div", { class: "joined" },
        button("undo", { class: "btn lg", disabled: true, "aria-label": "Undo", title: "Undo (Z): costs a step, as a stroke does" }, icon("undo"), h("span", {}, "Undo")),
        button("redo", { class: "btn lg icon", disabled: true, "aria-label": "Redo", title: "Paint the undone stroke again (Ctrl+Shift+Z): costs a step" }, icon("redo"))),
      button("submit", { class: "btn lg primary grow", disabled: true, title: "Finish the painting (Shift+Enter)" }, "Submit")),
    h("div", { class: "row acts3" },
      button("again", { class: "btn lg grow" }, "Paint again"), button("next", { class: "btn lg primary grow" }, "Next task")),
    h("p", { class: "xs mut hint", "data-hint": true })));

const meter = (name, key, title) => h("div", { class: "comp", title }, name, h("span", { class: "meter" }, h("i", { "data-meter": key })), h("b", { "data-value": key }, "–"));

const rail = () => h("aside", { class: "card a-rail score", "aria-label": "Score" },
  h("div", { class: "r1" },
    h("div", { class: "row between" }, h("h3", { "data-score-title": true }, "Similarity"), h("span", { class: "tag", "data-delta-long": true })),
    h("div", { class: "big", "data-score": true }, "–"),
    h("div", { "data-components": true },
      meter("SSIM", "ssim", "Structure: half of the similarity"),
      meter("Colour", "colour", "1 − mean absolute difference: three tenths of the similarity"),
      meter("Edges", "edge_iou", "Shared edges: one fifth of the similarity")),
    h("div", { class: "result", "data-result": true, hidden: true })),
  h("div", { class: "r2" }, h("h3", {}, "Against the anchors"), h("div", { "data-ruler": true })),
  h("div", { class: "r3" }, h("div", { class: "row between" }, h("h3", {}, "Over steps"), h("span", { class: "xs mut", "data-best": true })), h("div", { "data-spark": true })));

/** Draw the screen into its host. */
export function draw(host) {
  host.replaceChildren(bar(), h("div", { class: "paint" }, reference(), brief(), canvas(), dock(), rail()));
}
