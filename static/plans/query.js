/* What was asked, and all that a plan may draw on: folded above the plan, with the pool's pictures in its head. */
import { h, icon, plural, storage } from "../dom.js";
import { poolThumb, textBlock } from "./cards.js";
import { codeText } from "./codetext.js";

const KEY = "es-plan-query", STRIP = 8, LINES = 60, MOST = 120; // pictures in the head, lines, pictures at once

export class Query {
  /** `zoom(image)` shows a picture of the pool larger. */
  constructor(zoom) {
    this.zoom = zoom;
    this.words = h("span", { class: "grow nowrap" });
    this.strip = h("span", { class: "strip-small", "aria-hidden": "true" });
    this.inside = h("div", { class: "inside" });
    this.element = h("details", { class: "card asked-for", ontoggle: () => { storage.set(KEY, this.element.open); this.#draw(); } },
      h("summary", { class: "row" }, h("b", {}, "Query"), this.words, this.strip, h("span", { class: "kbd", "aria-hidden": "true" }, "Q"), icon("down")), this.inside);
    this.element.open = storage.get(KEY, false) === true;
  }

  show(plan) {
    this.plan = plan;
    const { documents, pool } = plan;
    this.words.replaceChildren([documents.length && plural(documents.length, "document"), pool.length && plural(pool.length, "picture"),
      `picture ${plan.index_base} is the first`].filter(Boolean).join(", "));
    if (!pool.length) this.words.textContent = documents.length ? `${plural(documents.length, "document")}, no pictures` : "no documents, no pictures";
    this.strip.replaceChildren(...pool.filter(({ digest }) => digest).slice(0, STRIP).map((image) => poolThumb(image, null, 24)));
    this.drawn = false;
    this.#draw();
  }

  toggle() { this.element.open = !this.element.open; }

  /* Made when it is unfolded. */
  #draw() {
    if (!this.element.open || this.drawn || !this.plan) return;
    this.drawn = true;
    const { query, pool, documents } = this.plan;
    const figure = (image) => h("figure", {}, poolThumb(image, image.digest ? () => this.zoom(image) : null),
      h("figcaption", { class: "xs" }, h("b", {}, image.index), " ", h("span", { class: "mut" }, codeText(image.name || image.missing || image.comes_with))));
    const gallery = (images) => images.length > 0 && h("div", { class: "pool" }, images.slice(0, MOST).map(figure),
      images.length > MOST && h("p", { class: "xs mut" }, `and ${images.length - MOST} more`));
    const told = (nodes) => textBlock(nodes, LINES);
    const ofQuery = pool.filter(({ comes_with: with_ }) => with_ === "query"), byIndex = new Map(pool.map((image) => [image.index, image]));
    this.inside.replaceChildren(...[told(query), gallery(ofQuery),
      documents.map(({ text, images }, k) => h("details", { class: "document" },
        h("summary", { class: "sm" }, `Document ${k + 1}`, h("span", { class: "mut" }, images.length ? `, pictures ${images[0]} to ${images.at(-1)}` : ", no pictures")),
        gallery(images.map((index) => byIndex.get(index)).filter(Boolean)), told(text)))].flat().filter(Boolean));
    if (documents.length <= 2) for (const box of this.inside.querySelectorAll(".document")) box.open = true;
  }
}
