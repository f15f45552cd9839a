/* The published results of VisualToolBench, folded away: for reference, never among ours. */
import { h, icon } from "../dom.js";
import { request } from "../session/api.js";

export class Published {
  constructor() {
    this.facts = null;
    this.body = h("div", { class: "said" });
    this.element = h("details", { class: "card published", ontoggle: () => this.#draw() },
      h("summary", {}, icon("down"), h("span", {}, h("b", {}, "Published results"), " of VisualToolBench, for reference: another judge and other tools, so not comparable with ours")),
      this.body);
  }

  async #draw() {
    if (!this.element.open || this.facts) return;
    this.body.replaceChildren(h("p", { class: "sm mut", role: "status" }, "Loading"));
    try {
      this.facts = await request("GET", "rubrics/published");
    } catch ({ message }) {
      this.body.replaceChildren(h("p", { class: "sm", role: "alert" }, message, " ",
        h("button", { type: "button", class: "btn small", onclick: () => this.#draw() }, "Try again")));
      return;
    }
    const { rows, title, source, url, status, licence, warning, judge_alignment: alignment } = this.facts;
    this.body.replaceChildren(
      h("p", { class: "sm row caution" }, icon("warn"), warning),
      h("div", { class: "tblwrap", tabindex: 0, role: "region", "aria-label": "Published results" }, h("table", { class: "tbl" },
        h("caption", { class: "es-sr" }, "Published pass rates, not comparable with ours"),
        h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "who" }, "Model"), h("th", { scope: "col" }, "APR, published"), h("th", { scope: "col" }, "Released"))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row", class: "who" }, row.model),
          h("td", { class: "main" }, `${row.apr_percent.toFixed(2)}%`), h("td", {}, row.released)))))),
      h("p", { class: "xs" }, alignment),
      h("p", { class: "xs" }, h("b", {}, title), `. ${source}. `, h("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, url), ` ${status} ${licence}`));
  }
}
