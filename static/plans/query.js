/* What was asked, always on show above the plan, and all that a plan may draw on, folded beneath it. */
import { eachFrame, h, icon, plural, setText, storage } from "../dom.js";
import { poolThumb, textBlock } from "./cards.js";
import { codeText } from "./codetext.js";

const KEY = "es-plan-query", STRIP = 8, LINES = 60, MOST = 120; // pictures in the head, lines, pictures at once

export class Query {
  /** `zoom(image)` shows a picture of the pool larger. */
  constructor(zoom) {
    this.zoom = zoom;
    this.text = h("div", { class: "question", id: "es-plan-query" });
    this.more = h("button", { type: "button", class: "link xs", hidden: true, "aria-controls": "es-plan-query", onclick: () => this.#unfold(!this.whole) });
    this.words = h("span", { class: "nowrap" });
    this.strip = h("span", { class: "strip-small", "aria-hidden": "true" });
    this.inside = h("div", { class: "inside" });
    this.sources = h("details", { ontoggle: () => this.#draw() },
      h("summary", { class: "row", onclick: () => this.#chosen(!this.sources.open) }, icon("down"), this.words, this.strip, h("span", { class: "grow" }),
        h("span", { class: "kbd", "aria-hidden": "true" }, "Q")), this.inside);
    this.element = h("section", { class: "card asked-for", "aria-label": "Query" }, this.text, this.more, this.sources);
    new ResizeObserver(eachFrame(() => this.#measure())).observe(this.text);
    this.own();
  }

  show(plan) {
    this.plan = plan;
    const { documents, pool } = plan;
    this.text.replaceChildren(textBlock(plan.query, LINES));
    this.#unfold(false);
    this.words.replaceChildren([documents.length && plural(documents.length, "document"), pool.length && plural(pool.length, "picture"),
      `picture ${plan.index_base} is the first`].filter(Boolean).join(", "));
    if (!pool.length) this.words.textContent = documents.length ? `${plural(documents.length, "document")}, no pictures` : "no documents, no pictures";
    this.strip.replaceChildren(...pool.filter(({ digest }) => digest).slice(0, STRIP).map((image) => poolThumb(image, null, 24)));
    this.drawn = false;
    this.own();
    this.#draw();
  }

  /** Unfold or fold the documents and pictures, as the person wants it from now on. */
  toggle() {
    this.sources.open = !this.sources.open;
    this.#chosen(this.sources.open);
  }

  /** As the person has left it. */
  own() { this.sources.open = storage.get(KEY, false) === true; }

  /** Unfold what holds something that was found: `text`, or `sources`. */
  lend(what) { if (what === "text") this.#unfold(true); else this.sources.open = true; }

  #chosen(open) { storage.set(KEY, open); }

  #unfold(whole) {
    this.whole = whole;
    this.text.classList.toggle("whole", whole);
    this.#measure();
  }

  /* Whether there is more than the lines that are shown. */
  #measure() {
    this.more.hidden = !this.whole && this.text.scrollHeight <= this.text.clientHeight + 1;
    this.more.setAttribute("aria-expanded", String(this.whole));
    setText(this.more, this.whole ? "Less" : "More");
  }

  /* Made when it is unfolded. */
  #draw() {
    if (!this.sources.open || this.drawn || !this.plan) return;
    this.drawn = true;
    const { pool, documents } = this.plan;
    const figure = (image) => h("figure", {}, poolThumb(image, image.digest ? () => this.zoom(image) : null),
      h("figcaption", { class: "xs" }, h("b", {}, image.index), " ", h("span", { class: "mut" }, codeText(image.name || image.missing || image.comes_with))));
    const gallery = (images) => images.length > 0 && h("div", { class: "pool" }, images.slice(0, MOST).map(figure),
      images.length > MOST && h("p", { class: "xs mut" }, `and ${images.length - MOST} more`));
    const ofQuery = pool.filter(({ comes_with: with_ }) => with_ === "query"), byIndex = new Map(pool.map((image) => [image.index, image]));
    this.inside.replaceChildren(...[gallery(ofQuery), documents.map(({ text, images }, k) => h("details", { class: "document" },
      h("summary", { class: "sm" }, `Document ${k + 1}`, h("span", { class: "mut" }, images.length ? `, pictures ${images[0]} to ${images.at(-1)}` : ", no pictures")),
      gallery(images.map((index) => byIndex.get(index)).filter(Boolean)), textBlock(text, LINES)))].flat().filter(Boolean));
    if (documents.length <= 2) for (const box of this.inside.querySelectorAll(".document")) box.open = true;
  }
}
