/* The leaderboard as a table: complete rows with the anchors among them, incomplete ones in a part of their own. */
import { f3, h, icon, s, setText } from "../dom.js";
import { playerTag } from "../players.js";
import { spreadOf } from "./columns.js";

const GLYPH = 56; // width of an interval's picture, px
const BONES = 8; // rows of a table that is on its way
const HEADING = "Incomplete: not ranked against complete ones";

/** The wall's query of a row's paintings; null for an anchor. */
export function paintingsOf({ kind, name, run_id: run }) {
  if (kind === "anchor") return null;
  return kind === "people" ? { kind: "human" } : run ? { run } : { player: name, kind };
}

const domain = (rows) => {
  const all = rows.flatMap(({ final: { mean, low, high } }) => [mean, low ?? mean, high ?? mean]), low = Math.min(...all), high = Math.max(...all);
  return [low, Math.max(high, low + 0.001)];
};

/* A mean with its interval as dot and line; `fill` is where the mean fill stands. */
function interval({ mean, low, high }, [from, to], fill) {
  const X = (value) => (4 + ((value - from) / (to - from)) * (GLYPH - 8)).toFixed(1);
  return s("svg", { class: "ci", width: GLYPH, height: 16, "aria-hidden": "true" },
    fill == null ? null : s("path", { class: "anc", d: `M${X(fill)} 0V16` }),
    low == null ? null : s("path", { class: "span", d: `M${X(low)} 8H${X(high)}` }),
    s("circle", { class: "mean", cx: X(mean), cy: 8, r: 3.5 }));
}

/* Glyph and name of who painted. */
function face({ kind, name }) {
  if (kind === "anchor") return name;
  return kind === "people" ? h("span", { class: "row player", title: name }, icon("people"), h("span", { class: "nowrap" }, name)) : playerTag({ kind, name });
}

/* How much of the scope an incomplete row covers. */
const cover = ({ n, coverage }, tasks) => h("span", { class: "row cover" },
  h("span", { class: "meter", "aria-hidden": "true" }, h("i", { style: { width: `${100 * coverage}%` } })), `${n} of ${tasks}`);

const bound = (value) => f3(value).replace(/^(−?)0/, "$1");
const CELLS = {
  rank: ({ key, name, rank, curve }) => h("td", { class: "pick" }, curve.length === 0 ? null : h("label", { class: "row" },
    h("input", { type: "checkbox", "data-act": `pick ${key}`, "aria-label": `Curve of ${name}` }), h("span", { class: "rank" }, rank ?? "–"))),
  player: (row, { you, tasks }) => {
    const link = paintingsOf(row), { kind, name, model, run_id: run, imported, complete } = row, more = [model !== name && model, run].filter(Boolean).join(", ");
    const shown = link ? h("a", { href: `?${new URLSearchParams({ tab: "watch", ...link })}`, "data-act": `open ${row.key}` }, face(row)) : face(row);
    return h("th", { scope: "row", class: "who" },
      h("div", { class: "row" }, shown, you ? h("span", { class: "tag acc" }, "You") : null),
      h("div", { class: "row xs mut" },
        kind === "people" ? h("span", { class: "tag" }, "human baseline") : null,
        imported ? h("span", { class: "tag", title: "Made elsewhere and imported: who painted it is a claim" }, "imported") : null,
        complete ? null : cover(row, tasks),
        more ? h("span", { class: "nowrap", title: more }, more) : null));
  },
  final: (row, _, { write, of }) => h("td", { class: "main" }, write(of(row))),
  interval: ({ final }, { scale, fill }) => {
    const sure = final.low != null;
    return h("td", { class: "mut", title: sure ? `${final.low.toFixed(3)} to ${final.high.toFixed(3)}` : null }, h("span", { class: "row" },
      interval(final, scale, fill), h("span", { class: "grow" }, sure ? `${bound(final.low)}–${bound(final.high)}` : "–")));
  },
};
CELLS.sessions = ({ sessions, unfinished }) => h("td", { class: "mut", title: unfinished ? `${unfinished} more have begun and not ended; only ended ones count` : null },
  sessions || unfinished ? `${sessions}${unfinished ? ` +${unfinished}` : ""}` : "–");
const PLACE = { rank: "pick", player: "who", final: "main" }; // classes of the columns that stay in sight
const QUIET = new Set(["n", "sessions"]);
const figure = (row, _, { key, of, write, red }) => {
  const value = of(row);
  return h("td", { class: value != null && red(value) ? "neg" : QUIET.has(key) ? "mut" : null }, value == null ? "–" : write(value));
};

/* Children of `body` in this order; what stands right is not touched, so that it keeps its focus. */
function arrange(body, rows) {
  let at = body.firstChild;
  for (const row of rows) {
    if (row === at) at = at.nextSibling;
    else body.insertBefore(row, at);
  }
  while (at) { const next = at.nextSibling; at.remove(); at = next; }
}

export class Board {
  /** `hooks`: sort(column), choose(key, on), open(query) of the wall. */
  constructor(hooks) {
    Object.assign(this, { hooks, columns: [], seen: new Map() });
    this.head = h("tr", {});
    this.whole = h("tbody", {});
    this.part = h("tbody", { class: "part" });
    this.why = h("span", {});
    this.reason = h("tr", {}, h("th", { scope: "rowgroup" }, h("div", { class: "why" }, h("b", {}, HEADING), this.why)));
    this.sizes = h("colgroup", {});
    this.table = h("table", { class: "tbl" }, this.sizes, h("thead", {}, this.head), this.whole, this.part);
    this.scroller = h("div", { class: "tblwrap", tabindex: 0, role: "region", "aria-label": "Leaderboard" }, this.table);
    this.element = h("div", { class: "card board" }, this.scroller);
    this.scroller.addEventListener("scroll", () => this.#edges(), { passive: true });
    new ResizeObserver(() => this.#edges()).observe(this.scroller);
    this.table.addEventListener("change", ({ target }) => {
      if (target.dataset.act?.startsWith("pick ")) hooks.choose(target.dataset.act.slice(5), target.checked);
    });
    this.table.addEventListener("click", (event) => this.#click(event));
  }

  /* What lies beyond the sides shows as an edge. */
  #edges() {
    const { scrollLeft, scrollWidth, clientWidth } = this.scroller;
    this.element.toggleAttribute("data-before", scrollLeft > 0);
    this.element.toggleAttribute("data-beyond", scrollLeft + clientWidth < scrollWidth - 1);
  }

  /* A row opens its paintings; its box, and whoever selects text, do not. */
  #click(event) {
    const row = this.rowOf?.get(event.target.closest("tr")), query = row && paintingsOf(row);
    if (!query || event.target.closest("label") || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if (!event.target.closest("a") && !getSelection().isCollapsed) return;
    event.preventDefault();
    this.hooks.open(query);
  }

  #heads(columns) {
    const text = JSON.stringify(columns.map(({ key, label }) => [key, label]));
    if (text === this.headed) return;
    this.headed = text;
    this.columns = columns;
    this.seen.clear();
    // the widths of the columns that stay in sight are those of the style sheet; the player has what is left
    this.sizes.replaceChildren(...columns.map(({ key, width }) => h("col", PLACE[key] ? { class: `c-${PLACE[key]}` } : { style: { width: `${width}px` } })));
    this.table.style.setProperty("--rest", `${columns.reduce((sum, { key, width }) => sum + (PLACE[key] ? 0 : width), 0)}px`);
    this.reason.firstChild.colSpan = columns.length;
    this.head.replaceChildren(...columns.map((column) => {
      const { key, label, says } = column, press = () => this.hooks.sort(column);
      return h("th", { scope: "col", class: PLACE[key], "data-column": key },
        h("button", { type: "button", title: says, "data-act": `sort ${key}`, onclick: press }, label, h("span", { class: "arrow", "aria-hidden": "true" })));
    }));
  }

  /** Bones of a table that is on its way. */
  wait(columns) {
    this.#heads(columns);
    const bones = () => h("tr", { class: "bones", "aria-hidden": "true" }, columns.map(({ key }) => h("td", { class: PLACE[key] }, h("i", { class: "skel" }))));
    arrange(this.whole, Array.from({ length: BONES }, bones));
    arrange(this.part, []);
    this.scroller.setAttribute("aria-busy", "true");
  }

  /**
   * Draw complete (`whole`) and incomplete (`part`) rows in their order. `view`: columns, sort, slots (keys of the curves, by colour),
   * you(row), tasks (how many), by (words on the order of the incomplete).
   */
  draw(whole, part, { columns, sort, slots, you, tasks, by }) {
    const held = document.activeElement?.dataset?.act, rows = [...whole, ...part], scale = rows.length ? domain(rows) : [0, 1];
    const fill = whole.find(({ key }) => key === "mean_fill")?.final.mean;
    this.#heads(columns);
    for (const th of this.head.children) {
      const on = th.dataset.column === sort.column.key;
      if (on) th.setAttribute("aria-sort", sort.up ? "ascending" : "descending"); else th.removeAttribute("aria-sort");
      setText(th.querySelector(".arrow"), on ? (sort.up ? "↑" : "↓") : "");
    }
    const before = this.seen;
    this.seen = new Map();
    this.rowOf = new Map();
    const drawn = (row) => {
      const told = { you: you(row), tasks, scale, fill }, { curve, ...facts } = row, text = JSON.stringify([facts, told, !curve.length]);
      const known = before.get(row.key), tr = known?.text === text ? known.tr : this.#row(row, told);
      this.seen.set(row.key, { text, tr });
      this.rowOf.set(tr, row);
      return tr;
    };
    arrange(this.whole, whole.map(drawn));
    arrange(this.part, part.length ? [this.reason, ...part.map(drawn)] : []);
    setText(this.why, by);
    this.scroller.removeAttribute("aria-busy");
    this.mark(slots);
    this.#edges();
    if (!held || document.activeElement?.dataset?.act === held) return;
    this.table.querySelector(`[data-act="${CSS.escape(held)}"]`)?.focus({ preventScroll: true }); // what had the focus was moved or drawn anew
  }

  #row(row, told) {
    return h("tr", { class: row.kind === "anchor" ? "base" : told.you ? "opens you" : "opens", "data-row": row.key },
      this.columns.map((column) => (CELLS[column.key] ?? figure)(row, told, column)));
  }

  /** Show which rows have a curve, in which colour; when all colours are taken no more can be had. */
  mark(slots) {
    const full = slots.every(Boolean);
    for (const input of this.table.querySelectorAll("[data-act^='pick ']")) {
      const at = slots.indexOf(input.dataset.act.slice(5)), on = at >= 0;
      input.checked = on;
      input.disabled = full && !on;
      input.className = on ? `p${at + 1}` : "";
      input.title = input.disabled ? `${slots.length} curves at most: untick one first` : "Curve of this player";
    }
  }
}
