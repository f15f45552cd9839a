/* The pictures of a turn: one large, the others in a row under it. */
import { h } from "../dom.js";
import { pictureUrl } from "./api.js";

const SMALL = 172; // px of width up to which a picture is shown at twice its size at least, and its pixels stay apart as they do when it is zoomed

/** A picture that opens larger when it is pressed; `zoom()` opens it. */
export function thumb(picture, name, zoom, attributes = {}) {
  const { width, height } = picture;
  return h("button", { type: "button", class: "thumb-pic", "aria-label": `${name}: look closer`, title: "Look closer (Z)", onclick: zoom, ...attributes },
    h("img", { src: pictureUrl(picture), width, height, alt: "", decoding: "async" }));
}

/** Fetch pictures ahead, so that they are there when they are shown. */
export function preload(pictures) {
  for (const picture of pictures) new Image().src = pictureUrl(picture);
}

export class Pictures {
  /** Of `turn`, {turn, pictures}; `zoom(pictures, at, nameOf)` shows one larger. */
  constructor({ turn, pictures }, zoom) {
    Object.assign(this, { pictures, at: 0, zoom });
    this.nameOf = (k) => (pictures.length > 1 ? `Picture ${k + 1} of ${pictures.length}, turn ${turn}` : `Picture of turn ${turn}`);
    this.large = h("div", { class: "pic" });
    this.row = h("div", { class: "strip", role: "group", "aria-label": "Pictures of this turn", hidden: pictures.length < 2 }, pictures.map((picture, k) => h("button", {
      type: "button", "aria-label": this.nameOf(k), onclick: () => this.choose(k),
    }, h("img", { src: pictureUrl(picture), alt: "", loading: "lazy", decoding: "async" }))));
    this.element = h("div", { class: "art" }, this.large, this.row);
    this.choose(0);
  }

  choose(at) {
    this.at = at;
    this.large.replaceChildren(thumb(this.pictures[at], this.nameOf(at), () => this.open(), { "data-zoom": true }));
    this.large.classList.toggle("pixels", this.pictures[at].width <= SMALL);
    for (const [k, button] of [...this.row.children].entries()) button.setAttribute("aria-pressed", String(k === at));
  }

  open() { this.zoom(this.pictures, this.at, this.nameOf); }
}
