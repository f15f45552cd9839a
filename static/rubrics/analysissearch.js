/* A field that searches the traces of a set. */
import { h, icon } from "../dom.js";

const PAUSE = 300; // ms without a key until it is searched

export class Search {
  /** `find(q)` is told what to search for, an empty text when there is nothing any more; `typing`: whether it is told while one types. */
  constructor(find, { typing = true } = {}) {
    let timer = null;
    const now = () => { clearTimeout(timer); find(this.input.value.trim()); };
    this.input = h("input", {
      type: "search", "aria-label": "Search the traces", placeholder: "Search traces", title: "All words, in any order; “in quotes” one after the other (/)", maxlength: 200, "data-own": true,
      oninput: () => { clearTimeout(timer); if (typing) timer = setTimeout(now, PAUSE); },
      onkeydown: (event) => {
        if (event.isComposing) return;
        if (event.key === "Enter") { event.preventDefault(); now(); }
        if (event.key === "Escape") { event.preventDefault(); if (this.input.value) { this.input.value = ""; if (typing) now(); } else this.input.blur(); }
      },
    });
    this.element = h("div", { class: "search trace-search" }, icon("search"), this.input, h("span", { class: "kbd", "aria-hidden": "true" }, "/"));
  }

  focus() { this.input.focus(); this.input.select(); }
  /** What the link says is searched for; what is being typed stays. */
  show(q) { if (document.activeElement !== this.input) this.input.value = q; }
}
