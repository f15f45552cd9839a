/* Runs as a table: how far each is and what it has cost, with its sessions, failures and figures on demand. */
import { f3, h, icon } from "../dom.js";
import { playerTag } from "../players.js";
import { openTab } from "../tabs.js";
import { CATEGORIES } from "../tasks.js";

const STATES = { running: ["live", "Running"], finished: ["live off", "Finished"], stopped: ["live off", "Stopped"], interrupted: ["live off", "Interrupted"] };
const COLUMNS = [["Player"], ["State"], ["Sessions"], ["Score", "Mean score of all canvases with a step"], ["Tokens", "Of prompts + of replies"], ["Cost"], ["Time", "Of all sittings"]];
const SHOWN = 12; // active sessions and failures that are listed; the rest is counted
const one = (value) => value.toFixed(1).replace(/\.0$/, "");
const CONDUCT = [
  ["Maze invalid", "maze_invalid_rate", "Share of the steps in mazes that touched a wall or could not be read", f3], ["Maze undo", "maze_undos", "Undo steps in mazes", one],
  ["Other undo", "other_undos", "Undo steps in the other semantic tasks", one], ["Loops", "draw_undo_loops", "Undo steps right after the stroke that they take back", one], ["Submit %", "submit_percent", "Steps used at the submit over the budget, times 100", one],
];
const FIGURES = [
  ["Final", "final", "Mean similarity after the last step"], ["@50%", "at_half", "Similarity at half of the budget"], ["AUC", "auc", "Mean similarity over all steps"],
  ["Best", "best", "Largest similarity after any step"], ["F−B gap", "final_best_gap", "Best minus final"], ["Repeat", "exact_repeat_rate", "Share of strokes equal to the one before"],
  ["Skill", "skill", "0 at the mean fill, 1 at the data policy of the task"],
];

/** Seconds in two units at most. */
export function duration(seconds) {
  const s = Math.round(seconds), m = Math.floor(s / 60);
  if (s < 60) return `${s} s`;
  return m < 60 ? `${m} min ${s % 60} s` : `${Math.floor(m / 60)} h ${m % 60} min`;
}

const count = (value) => (value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : value >= 1e4 ? `${Math.round(value / 1e3)} k` : String(value));

/* Tokens of a run, short and in words. */
const spent = ({ calls, prompt_tokens: prompt, completion_tokens: reply }) => [calls ? `${count(prompt)} + ${count(reply)}` : "–", `${calls} answers, ${prompt} prompt and ${reply} reply tokens`];
const named = ({ name, settings: { protocol, take_over: from } }) => [name, protocol, from && `from step ${from.step}, not ranked`].filter(Boolean).join(", ");
const money = ({ cost }) => (cost == null ? "–" : cost.toFixed(2));

function progress({ state, attempts: { total, done, failed, active }, steps }) {
  const share = state === "finished" ? 1 : steps.total ? steps.done / steps.total : 0; // a submit leaves steps unused
  return h("div", { class: "progress" }, h("span", {}, h("b", {}, done), ` of ${total}`, active ? h("span", { class: "mut" }, `, ${active} active`) : null, failed ? h("span", { class: "neg" }, `, ${failed} given up`) : null),
    h("span", { class: state === "running" ? "meter" : "meter over", role: "progressbar", "aria-label": "Steps", "aria-valuemin": 0, "aria-valuemax": steps.total, "aria-valuenow": steps.done }, h("i", { style: { width: `${100 * share}%` } })));
}

export class RunTable {
  /** `hooks`: stop(run), goOn(run), tasks() a map of tasks. */
  constructor(hooks) {
    Object.assign(this, { hooks, open: new Set(), seen: new Map() });
    this.body = h("tbody", {});
    this.element = h("div", { class: "tblwrap", tabindex: 0, role: "region", "aria-label": "Runs" },
      h("table", { class: "tbl" }, h("thead", {}, h("tr", {}, COLUMNS.map(([name, says]) => h("th", { scope: "col", title: says }, name)))), this.body));
  }

  /** Draw runs, newest first; a row that says the same as before is left alone. */
  draw(runs) {
    const rows = runs.flatMap((run) => {
      const key = JSON.stringify([run, this.open.has(run.run_id)]), known = this.seen.get(run.run_id);
      if (known?.key === key) return known.rows;
      const drawn = [...this.#row(run), this.open.has(run.run_id) ? this.#details(run) : null].filter(Boolean);
      this.seen.set(run.run_id, { key, rows: drawn });
      return drawn;
    });
    const focus = document.activeElement?.dataset?.act;
    this.body.replaceChildren(...rows);
    if (focus && !document.activeElement?.dataset?.act) this.body.querySelector(`[data-act="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    this.runs = runs;
  }

  #row(run) {
    const { state, run_id: id, score, elapsed, eta, trouble } = run, [dot, says] = STATES[state], [tokens, counted] = spent(run);
    return [
      h("tr", { "data-run": id },
        h("td", {}, h("div", { class: "row who" }, this.#fold(run), h("div", {}, playerTag(run.player), h("div", { class: "xs mut nowrap", title: id }, named(run))))),
        h("td", {}, h("span", { class: "row" }, h("span", { class: dot }), h("b", {}, says)), this.#act(run)),
        h("td", {}, progress(run)), h("td", { class: "main" }, f3(score)),
        h("td", { title: counted }, tokens), h("td", {}, money(run)),
        h("td", {}, duration(elapsed), state === "running" && eta != null ? h("div", { class: "xs mut" }, `${duration(eta)} to go`) : null)),
      state === "running" && trouble ? h("tr", { class: "trouble", "data-trouble": id }, h("td", { colspan: COLUMNS.length }, h("div", { class: "row" }, icon("warn"), h("span", { class: "grow" }, `No answer from the endpoint: ${trouble}`)))) : null,
    ];
  }

  #fold(run) {
    const id = run.run_id, open = this.open.has(id);
    return h("button", {
      type: "button", class: `btn small ghost icon fold ${open ? "open" : ""}`, "data-act": `fold ${id}`, "aria-expanded": String(open), "aria-label": `Details of ${run.player.name}`,
      onclick: () => { this.open[open ? "delete" : "add"](id); this.draw(this.runs); },
    }, icon("down"));
  }

  #act(run) {
    if (run.state === "finished") return null;
    const button = (act, label, glyph, action) => h("button", { type: "button", class: "btn small", "data-act": `${act} ${run.run_id}`, onclick: action }, icon(glyph), label);
    return run.state === "running" ? button("stop", "Stop", "stop", () => this.hooks.stop(run)) : button("continue", "Continue", "play", () => this.hooks.goOn(run));
  }

  #details(run) {
    const title = (id) => this.hooks.tasks().get(id)?.title ?? id;
    const rest = (list) => (list.length > SHOWN ? h("li", { class: "mut" }, `and ${list.length - SHOWN} more`) : null);
    return h("tr", { class: "details" }, h("td", { colspan: COLUMNS.length }, h("div", { class: "inside" },
      run.reason ? h("p", { class: "sm" }, run.reason) : null,
      h("p", { class: "sm mut slim" }, h("b", {}, run.run_id), `: ${spent(run)[1]}, cost ${money(run)}, ${duration(run.elapsed)} of all sittings${run.state === "running" && run.eta != null ? `, ${duration(run.eta)} to go` : ""}.`),
      h("button", { type: "button", class: "btn small", "data-act": `watch ${run.run_id}`, onclick: () => openTab("watch", { run: run.run_id }) }, icon("eye"), "Its paintings"),
      run.active.length ? h("section", {}, h("h3", {}, "Being painted"), h("ul", { class: "active" }, run.active.slice(0, SHOWN).map((active) => h("li", {}, h("button", {
        type: "button", class: "btn ghost tight", "data-act": `watch ${active.session_id}`, onclick: () => openTab("watch", { session: active.session_id }),
      }, icon("eye"), h("span", { class: "nowrap" }, title(active.task_id)), h("span", { class: "mut" }, `${active.step} / ${active.budget}`), f3(active.score)))), rest(run.active))) : null,
      run.failures.length ? h("section", {}, h("h3", {}, "Given up"), h("ul", { class: "failures sm" }, run.failures.slice(-SHOWN).map(({ task_id: id, message }) => h("li", {}, h("b", {}, title(id)), ` ${message}`)), rest(run.failures))) : null,
      this.#summary(run))));
  }

  #summary({ summary, semantic }) {
    if (!summary.length && !semantic) return h("p", { class: "sm mut" }, "The figures come with the first session that ends.");
    const name = (category) => (category === "all" ? "All" : CATEGORIES[category] ?? category);
    return h("section", {}, h("h3", {}, "Figures of this studio’s own tasks"),
      summary.length > 0 && h("table", { class: "tbl figures" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Category"), h("th", { scope: "col", title: "Tasks with an ended session" }, "n"), FIGURES.map(([label, , says]) => h("th", { scope: "col", title: says }, label)), h("th", { scope: "col", title: "95 % interval of the mean final similarity over tasks" }, "Final, 95 %"))),
        h("tbody", {}, summary.map((entry) => h("tr", { class: entry.category === "all" ? "all" : "" }, h("th", { scope: "row" }, name(entry.category)), h("td", {}, entry.n),
          FIGURES.map(([, key]) => h("td", { class: key === "final" ? "main" : "" }, f3(entry[key]))),
          h("td", {}, entry.final_low == null ? "–" : `${f3(entry.final_low)} to ${f3(entry.final_high)}`))))),
      semantic && this.#semantic(semantic),
      h("p", { class: "xs mut" }, "Our tasks, renderer and metric settings: these figures do not stand beside published ones."));
  }

  /* The semantic tasks: a score for each, and how the player went about them. */
  #semantic({ scores, ...conduct }) {
    return [h("table", { class: "tbl figures", "data-semantic": true },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Semantic task"), h("th", { scope: "col", title: "Tasks with an ended session" }, "n"), h("th", { scope: "col" }, "Score"), h("th", { scope: "col", title: "95 % interval of the mean over tasks" }, "95 %"))),
      h("tbody", {}, scores.map(({ task, n, score, low, high }) => h("tr", {}, h("th", { scope: "row" }, this.hooks.tasks().get(task)?.title ?? task), h("td", {}, n), h("td", { class: "main" }, f3(score)), h("td", {}, low == null ? "–" : `${f3(low)} to ${f3(high)}`))))),
    h("dl", { class: "conduct sm" }, CONDUCT.map(([label, key, says, write]) => h("div", { title: says }, h("dt", {}, label), h("dd", {}, conduct[key] == null ? "–" : write(conduct[key])))))];
  }
}
