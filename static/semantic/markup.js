/* The Semantic screen's constant markup. No text of people or models passes through here. */
import { cap, h, icon, s } from "../dom.js";
import { SOLVED } from "../tasks.js";

const button = (act, attributes, ...children) => h("button", { type: "button", class: "btn", "data-act": act, ...attributes }, ...children);
const layer = (name) => h("canvas", { [`data-${name}`]: true, width: 128, height: 128 });

const bar = () => h("div", { class: "es-bar between" },
  h("div", { class: "bar-title" }, h("h1", {}, "Semantic tasks"), h("div", { class: "meta" }, "Draw what is asked. A checker scores the result; there is no reference.")),
  h("span", { class: "sub sm nowrap", title: SOLVED, "data-solved": true }));

const canvas = () => h("figure", { class: "art a-cv" },
  h("div", {
    class: "pic draw", "data-frame": true, tabindex: 0, role: "application", "aria-label": "Canvas",
    "aria-roledescription": "painting canvas", "aria-describedby": "es-semantic-help",
  },
  h("div", { class: "stage" }, layer("canvas"), layer("preview")),
  h("p", { class: "invite", "data-invite": true, "aria-hidden": "true", hidden: true }, "Draw here to begin"),
  s("svg", { "data-handles": true, "aria-hidden": "true" }),
  h("div", { class: "notice", "data-notice": true, hidden: true })),
  h("p", { class: "es-sr", id: "es-semantic-help" },
    "Draw with mouse, pen or finger. By keyboard: arrow keys aim, with Shift in larger steps; Enter sets the start, then the control point, then the end and paints; Escape cancels."),
  h("figcaption", { class: "between", "data-below": true },
    h("span", {}, h("b", {}, "Canvas"), h("span", { class: "dim", "data-size": true })),
    h("span", { class: "row zoom hide-s", role: "group", "aria-label": "Zoom of the canvas" },
      button("zoom-out", { class: "btn ghost icon small", "aria-label": "Zoom out", title: "Zoom out (−)" }, icon("minus")),
      button("zoom-fit", { class: "btn ghost small pct", "aria-label": "Whole picture", title: "Whole picture (0)", "data-zoom": true }, "100%"),
      button("zoom-in", { class: "btn ghost icon small", "aria-label": "Zoom in", title: "Zoom in (+)" }, icon("plus")))));

const head = () => h("div", { class: "a-head" },
  h("div", { class: "row between" }, h("h2", { "data-title": true }, "\u00a0"), h("span", { class: "link", "data-link": true })),
  h("div", { class: "row sm sub whose", "data-whose": true, hidden: true }),
  h("p", { class: "sub", "data-instruction": true }));

const fact = (name, ...value) => [h("dt", {}, name), h("dd", {}, value)];
const facts = () => h("dl", { class: "facts sm a-facts" },
  fact("Brush", h("span", { "data-brush": true })),
  fact("Budget", h("span", { "data-terms": true })),
  fact("Score", h("span", { "data-scored": true })),
  fact("Solution", button("solution", { class: "btn ghost tight", title: "A script that knows the answer draws it, in Watch" }, icon("play"), "Watch a script draw it")),
  fact("Best so far", h("div", { class: "best", "data-best": true })));

const act = () => h("div", { class: "a-act" },
  h("div", { class: "dbud" },
    h("div", { class: "budget" }, h("span", { class: "lab" }, "Steps"), h("span", {}, h("b", { "data-step": true }, "0"), h("span", { class: "mut", "data-budget": true }))),
    s("svg", { class: "ticks", preserveAspectRatio: "none", "aria-hidden": "true" }), h("b", { class: "final show-s", "data-final": true })),
  h("div", { class: "row acts2" },
    button("undo", { class: "btn lg", disabled: true, title: "Undo (Z): costs a step, as a stroke does" }, icon("undo"), "Undo", cap("Z", "hide-s")),
    button("submit", { class: "btn lg primary", disabled: true, title: "Finish and take the score (Shift+Enter)" }, "Submit"),
    button("back", { class: "btn lg", hidden: true, title: "Give the turn back to the player" }, "Hand back"),
    button("over", { class: "btn lg ghost hide-s", hidden: true, title: "Begin anew; this attempt stays as it is" }, icon("again"), "Start over")),
  h("div", { class: "row acts3" }, button("take", { class: "btn lg", hidden: true, title: "Draw in this attempt; the player waits until you hand back" }, icon("brush"), "Take a turn"),
    button("again", { class: "btn lg" }, "Try again"), button("next", { class: "btn lg primary" }, "Next task")),
  h("p", { class: "xs mut hint", "data-hint": true }));

const result = () => h("section", { class: "a-result result", "aria-label": "Result", "data-result": true });

const toast = () => h("div", { class: "toasts" }, h("div", { class: "toast", role: "alert", "data-toast": true, hidden: true }));

const strokes = () => h("aside", { class: "card a-list", "aria-label": "Strokes", "data-list": true },
  h("header", { class: "row between" }, h("h3", {}, "Strokes"), h("span", { class: "xs mut", "data-kept": true })),
  h("p", { class: "sm mut", "data-none": true }, "Each stroke is listed here, with what became of it."),
  h("ol", { class: "log", role: "list", tabindex: 0, "aria-label": "Strokes, newest first", "data-strokes": true }));

/** Draw the screen into its host. */
export function draw(host) {
  host.replaceChildren(bar(), h("nav", { class: "tasks", "aria-label": "Tasks", "data-cards": true }),
    h("div", { class: "work" }, head(), canvas(), h("div", { class: "a-side" }, facts(), act(), result(), toast()), strokes()));
}
