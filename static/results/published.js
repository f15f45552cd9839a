/* The benchmark's published results, folded away and grey: for reference, never among ours. */
import { f3, h, icon } from "../dom.js";
import { request } from "../session/api.js";

const one = (value) => value.toFixed(1), percent = (value) => `${(100 * value).toFixed(1)}%`;
const RECONSTRUCTIONS = [
  ["final", "Final"], ["programmatic", "Programmatic"], ["spatial", "Spatial"], ["abstract", "Abstract"], ["natural", "Natural"],
  ["at_half", "@50%"], ["auc", "AUC"], ["best", "Best"], ["final_best_gap", "F−B gap"],
];
const SEMANTIC = [
  ["circle_outline", "Circle"], ["apple_outline", "Apple"], ["hello", "Hello"], ["simple_maze", "Simple maze"], ["harder_maze", "Harder maze"],
  ["maze_invalid_rate", "Maze invalid", percent], ["maze_undos", "Maze undos", String], ["other_undos", "Other undos", String], ["submit_percent", "Submit %", one],
];

export class Published {
  constructor() {
    Object.assign(this, { facts: null, semantic: false, drawn: null });
    this.body = h("div", { class: "said" });
    this.element = h("details", { class: "card published", ontoggle: () => this.#draw() },
      h("summary", {}, icon("down"), h("span", {}, h("b", {}, "Published results"), " of the benchmark, for reference: other pictures, so not comparable with ours")),
      this.body);
  }

  /** Show the table of the semantic tasks, or that of the reconstructions. */
  of(semantic) {
    this.semantic = semantic;
    this.#draw();
  }

  async #draw() {
    if (!this.element.open || this.drawn === this.semantic) return;
    if (!this.facts) {
      if (this.asking) return;
      this.body.replaceChildren(h("p", { class: "sm mut", role: "status" }, "Loading"));
      this.asking = true;
      try { this.facts = await request("GET", "results/published"); } catch (error) { this.#failed(error); return; } finally { this.asking = false; }
    }
    this.drawn = this.semantic;
    const { rows, semantic } = this.facts;
    this.body.replaceChildren(...(this.semantic
      ? this.#table("semantic tasks", semantic, SEMANTIC)
      : [...this.#table("reconstructions", rows, RECONSTRUCTIONS), this.#controls()]), this.#source());
  }

  #failed({ message }) {
    this.body.replaceChildren(h("p", { class: "sm", role: "alert" }, message, " ",
      h("button", { type: "button", class: "btn small", onclick: () => this.#draw() }, "Try again")));
  }

  #table(what, rows, columns) {
    const notes = [];
    const noted = ({ model, warnings = [] }) => warnings.map((warning) => h("sup", { title: warning }, notes.push(`${model}: ${warning}`)));
    const lines = rows.map((row) => h("tr", {}, h("th", { scope: "row", class: "who" }, row.model, noted(row)),
      columns.map(([key, , write = f3]) => h("td", { class: key === "final" ? "main" : null }, write(row[key])))));
    return [
      h("p", { class: "sm row caution" }, icon("warn"), this.facts.warning),
      h("div", { class: "tblwrap", tabindex: 0, role: "region", "aria-label": `Published results, ${what}` }, h("table", { class: "tbl" },
        h("caption", { class: "es-sr" }, `Published results on the ${what}, not comparable with ours`),
        h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "who" }, "Model"), columns.map(([, label]) => h("th", { scope: "col" }, label)))),
        h("tbody", {}, lines))),
      notes.length ? h("ol", { class: "xs notes", "aria-label": "Notes" }, notes.map((note) => h("li", {}, note))) : null,
    ].filter(Boolean);
  }

  #controls() {
    const said = this.facts.anchors.map(({ name, final, edge_iou: edges }) => `${name} ${f3(final)}, ${f3(edges)}`);
    return h("p", { class: "xs" }, `Controls on the paper’s own pictures, Final and Edge IoU: ${said.join("; ")}.`);
  }

  #source() {
    const { title, source, url, status, licence } = this.facts;
    return h("p", { class: "xs" }, h("b", {}, title), `. ${source}. `,
      h("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, url), ` ${status} ${licence}`);
  }
}
