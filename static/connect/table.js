/* Runs as a table: how far each is and what it has cost, with its sessions, failures and figures on demand. */
import { f3, h, icon } from "../dom.js";
import { playerTag } from "../players.js";
import { openTab } from "../tabs.js";
import { CATEGORIES } from "../tasks.js";

const STATES = { running: ["live", "Running"], finished: ["live off", "Finished"], stopped: ["live off", "Stopped"], interrupted: ["live off", "Interrupted"] };
const COLUMNS = ["Player", "State", "Sessions", "S so far", "Tokens", "Cost", "Time", ""];
const SHOWN = 12; // active sessions and failures that are listed; the rest is counted
const FIGURES = [
  ["Final", "final", "Mean similarity after the last step"], ["@50%", "at_half", "Similarity at half of the budget"], ["AUC", "auc", "Mean similarity over all steps"],
  ["Best", "best", "Largest similarity after any step"], ["F−B gap", "final_best_gap", "Best minus final"], ["Repeat", "exact_repeat_rate", "Share of strokes equal to the one before"],
];

/** Seconds in two units at most. */
export function duration(seconds) {
  const s = Math.round(seconds), m = Math.floor(s / 60);
  if (s < 60) return `${s} s`;
  return m < 60 ? `${m} min ${s % 60} s` : `${Math.floor(m / 60)} h ${m % 60} min`;
}

const count = (value) => (value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : value >= 1e4 ? `${Math.round(value / 1e3)} k` : String(value));

function progress({ attempts: { total, done, failed, active }, steps }) {
  const share = steps.total ? steps.done / steps.total : 0;
  return h("div", { class: "progress" }, h("span", {}, h("b", {}, done), ` of ${total}`, active ? h("span", { class: "mut" }, `, ${active} active`) : null, failed ? h("span", { class: "neg" }, `, ${failed} failed`) : null),
    h("span", { class: "meter", role: "progressbar", "aria-label": "Steps", "aria-valuemin": 0, "aria-valuemax": steps.total, "aria-valuenow": steps.done }, h("i", { style: { width: `${100 * share}%` } })));
}

export class RunTable {
  /** `hooks`: stop(run), goOn(run), tasks() a map of tasks. */
  constructor(hooks) {
    Object.assign(this, { hooks, open: new Set(), seen: new Map() });
    this.body = h("tbody", {});
    this.element = h("div", { class: "tblwrap", tabindex: 0, role: "region", "aria-label": "Runs" },
      h("table", { class: "tbl" }, h("thead", {}, h("tr", {}, COLUMNS.map((name) => h("th", { scope: "col" }, name || h("span", { class: "es-sr" }, "Actions"))))), this.body));
  }

  /** Draw runs, newest first; a row that says the same as before is left alone. */
  draw(runs) {
    const rows = runs.flatMap((run) => {
      const key = JSON.stringify([run, this.open.has(run.run_id)]), known = this.seen.get(run.run_id);
      if (known?.key === key) return known.rows;
      const drawn = [this.#row(run), ...(this.open.has(run.run_id) ? [this.#details(run)] : [])];
      this.seen.set(run.run_id, { key, rows: drawn });
      return drawn;
    });
    const focus = document.activeElement?.dataset?.act;
    this.body.replaceChildren(...rows);
    if (focus && !document.activeElement?.dataset?.act) this.body.querySelector(`[data-act="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    this.runs = runs;
  }

  #row(run) {
    const { state, run_id: id, similarity, prompt_tokens: prompt, completion_tokens: reply, calls, cost, elapsed, eta } = run, open = this.open.has(id);
    const [dot, says] = STATES[state], button = (act, label, glyph, action) => h("button", { type: "button", class: "btn small", "data-act": `${act} ${id}`, onclick: action }, icon(glyph), label);
    return h("tr", { "data-run": id },
      h("td", {}, playerTag(run.player), h("div", { class: "xs mut nowrap", title: id }, `${run.name}, ${run.settings.protocol ?? ""}`)),
      h("td", {}, h("span", { class: "row" }, h("span", { class: dot }), h("b", {}, says))),
      h("td", {}, progress(run)), h("td", { class: "main" }, f3(similarity)),
      h("td", { title: `${calls} answers, ${prompt} prompt and ${reply} reply tokens` }, calls ? `${count(prompt)} + ${count(reply)}` : "–"),
      h("td", {}, cost == null ? "–" : cost.toFixed(2)),
      h("td", {}, duration(elapsed), state === "running" && eta != null ? h("div", { class: "xs mut" }, `${duration(eta)} to go`) : null),
      h("td", {}, h("div", { class: "row" },
        state === "running" ? button("stop", "Stop", "stop", () => this.hooks.stop(run)) : state === "finished" ? null : button("continue", "Continue", "play", () => this.hooks.goOn(run)),
        h("button", {
          type: "button", class: `btn small ghost icon fold ${open ? "open" : ""}`, "data-act": `fold ${id}`, "aria-expanded": String(open), "aria-label": `Details of ${run.player.name}`,
          onclick: () => { this.open[open ? "delete" : "add"](id); this.draw(this.runs); },
        }, icon("down")))));
  }

  #details(run) {
    const title = (id) => this.hooks.tasks().get(id)?.title ?? id;
    const rest = (list) => (list.length > SHOWN ? h("li", { class: "mut" }, `and ${list.length - SHOWN} more`) : null);
    return h("tr", { class: "details" }, h("td", { colspan: COLUMNS.length }, h("div", { class: "inside" },
      run.reason ? h("p", { class: "sm" }, run.reason) : null,
      run.active.length ? h("section", {}, h("h3", {}, "Being painted"), h("ul", { class: "active" }, run.active.slice(0, SHOWN).map((active) => h("li", {}, h("button", {
        type: "button", class: "btn ghost tight", "data-act": `watch ${active.session_id}`, onclick: () => openTab("watch", { session: active.session_id }),
      }, icon("eye"), h("span", { class: "nowrap" }, title(active.task_id)), h("span", { class: "mut" }, `${active.step} / ${active.budget}`), f3(active.similarity)))), rest(run.active))) : null,
      run.failures.length ? h("section", {}, h("h3", {}, "Given up"), h("ul", { class: "failures sm" }, run.failures.slice(-SHOWN).map(({ task_id: id, message }) => h("li", {}, h("b", {}, title(id)), ` ${message}`)), rest(run.failures))) : null,
      this.#summary(run))));
  }

  #summary({ summary }) {
    if (!summary.length) return h("p", { class: "sm mut" }, "The figures come with the first session that ends.");
    const name = (category) => (category === "all" ? "All" : CATEGORIES[category] ?? category);
    return h("section", {}, h("h3", {}, "Figures of this studio’s own tasks"),
      h("table", { class: "tbl figures" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Category"), h("th", { scope: "col", title: "Tasks with an ended session" }, "n"), FIGURES.map(([label, , says]) => h("th", { scope: "col", title: says }, label)), h("th", { scope: "col", title: "95 % interval of the mean final similarity over tasks" }, "Final, 95 %"))),
        h("tbody", {}, summary.map((entry) => h("tr", { class: entry.category === "all" ? "all" : "" }, h("th", { scope: "row" }, name(entry.category)), h("td", {}, entry.n),
          FIGURES.map(([, key]) => h("td", { class: key === "final" ? "main" : "" }, f3(entry[key]))),
          h("td", {}, entry.final_low == null ? "–" : `${f3(entry.final_low)} to ${f3(entry.final_high)}`))))),
      h("p", { class: "xs mut" }, "Our tasks, renderer and metric settings: these figures do not stand beside published ones."));
  }
}
