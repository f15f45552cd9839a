/* Published results, folded away: for reference, never among ours. */
import { h, icon } from "../dom.js";
import { request } from "../session/api.js";

/** A fold that fetches what it tells when it is opened: `summary` are the words on it, `tell(facts)` its content. */
export class Folded {
  constructor(summary, get, tell) {
    Object.assign(this, { get, tell, facts: null });
    this.body = h("div", { class: "said" });
    this.element = h("details", { class: "card published", ontoggle: () => this.#draw() }, h("summary", {}, icon("down"), h("span", {}, summary)), this.body);
  }

  async #draw() {
    if (!this.element.open || this.facts) return;
    this.body.replaceChildren(h("p", { class: "sm mut", role: "status" }, "Loading"));
    try {
      this.facts = await this.get();
    } catch ({ message }) {
      this.body.replaceChildren(h("p", { class: "sm", role: "alert" }, message, " ",
        h("button", { type: "button", class: "btn small", onclick: () => this.#draw() }, "Try again")));
      return;
    }
    this.body.replaceChildren(...this.tell(this.facts).flat(Infinity).filter(Boolean));
  }
}

/** That they are not comparable with ours, and why. */
export const caution = (warning) => h("p", { class: "sm row caution" }, icon("warn"), warning);
/** Where they come from. */
export const origin = ({ title, source, url, status, licence }) => h("p", { class: "xs" }, h("b", {}, title), `. ${source}. `,
  h("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, url), ` ${status} ${licence}`);
/** A table of published values: `heads` and the cells of `rows`, of which the first ones name the row; `main` is the column that matters. */
export const publishedTable = (label, heads, rows, main = 1) => h("div", { class: "tblwrap", tabindex: 0, role: "region", "aria-label": label }, h("table", { class: "tbl" },
  h("caption", { class: "es-sr" }, `${label}, not comparable with ours`),
  h("thead", {}, h("tr", {}, heads.map((head, k) => h("th", { scope: "col", class: k ? null : "who" }, head)))),
  h("tbody", {}, rows.map(([name, ...values]) => h("tr", {}, h("th", { scope: "row", class: "who" }, name), values.map((value, k) => h("td", { class: k + 1 === main ? "main" : null }, value)))))));

/** The published results of VisualToolBench. */
export class Published extends Folded {
  constructor() {
    super([h("b", {}, "Published results"), " of VisualToolBench, for reference: another judge and other tools, so not comparable with ours"], () => request("GET", "rubrics/published"), (facts) => [
      caution(facts.warning), publishedTable("Published pass rates", ["Model", "APR, published", "Released"], facts.rows.map(({ model, apr_percent: rate, released }) => [model, `${rate.toFixed(2)}%`, released])),
      h("p", { class: "xs" }, facts.judge_alignment), origin(facts),
    ]);
  }
}
