/* What a comparison looks like: the difference at a glance, and the tasks by how far the two are apart. */
import { h, plural } from "../dom.js";
import { outcomeCell, traceLink } from "./analysislinks.js";
import { SCORE_CHANGE, SHARE_CHANGE, count, roughly, sureness } from "./statistics.js";
import { gauge, tableOf } from "./statisticsglyphs.js";
import { plainly } from "./words.js";

const SHORT = 50; // tasks that are listed at once, and with each press
const gap = ({ a, b }) => (a.score == null || b.score == null ? null : b.score - a.score);
/** Whether two answers differ in score or pass, as far as it is told. */
export const differs = (task) => { const apart = gap(task); return apart === null ? false : Math.abs(apart) > 5e-4 || task.a.passed !== task.b.passed; };

/** Why none of the tasks differs, as far as it is told. */
export function nothingDiffers(tasks) {
  const waits = tasks.filter(({ a, b }) => a.status === "hidden" || b.status === "hidden").length;
  if (tasks.some((task) => gap(task) !== null)) return `They score the same on every task that both have scored${waits ? " and that may be told" : ""}.`;
  if (!waits) return "No task is scored for both yet.";
  return waits === tasks.length ? "All tasks wait for a blind vote."
    : `${plural(waits, "task")} ${waits === 1 ? "waits" : "wait"} for a blind vote, and no other one is scored for both.`;
}

/* A p-value in words: small ones as a bound. */
const chance = (p) => (p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`);

function figure(label, says, mean, its) {
  if (mean.value == null) return h("div", { class: "stat" }, h("span", { class: "sm sub" }, label), h("b", { class: "undefined" }, "–"),
    h("span", { class: "xs mut" }, "no task that both have scored"));
  return h("div", { class: "stat", title: says }, h("span", { class: "sm sub" }, label), h("b", { "data-figure": label }, its.write(mean.value)),
    gauge(mean, its, { kind: "ruler" }), h("span", { class: "xs mut" }, `95% CI ${sureness({ undefined: 0, ...mean }, its)[0]}, n ${count(mean.n)}`));
}

/** The comparison at a glance: B − A, and on which tasks they pass. */
export function summary({ a, b, difference, pass_difference: passing, both, only_a: onlyA, only_b: onlyB, neither, p_value: p }) {
  const cell = (name, n, kind) => h("td", { class: kind, "data-cell": name }, count(n)), head = (text) => h("th", { scope: "col" }, text), decided = onlyA + onlyB;
  const told = p == null ? "No task is passed by only one of them: there is nothing to test."
    : `Of ${plural(decided, "task")} that only one of them passes, B passes ${count(onlyB)} (exact McNemar test, ${chance(p)})`
      + (p < 0.05 ? "." : ": chance alone may bring that about.");
  return h("section", { class: "card compared-glance", "aria-label": "Difference" },
    h("div", { class: "gaps" }, h("h2", {}, "B − A"),
      h("p", { class: "sm mut words" }, h("b", {}, b), " − ", h("b", {}, a), ", by their first attempts at tasks that both have scored."),
      h("div", { class: "stats two" }, figure("Score", "Mean of the differences of rubric scores", difference, SCORE_CHANGE),
        figure("Pass rate", "Difference of the shares that pass", passing, SHARE_CHANGE)),
      h("p", { class: "xs mut rough" }, roughly(difference.n))),
    h("div", {}, h("h3", {}, "Passes"), h("table", { class: "conf" }, h("thead", {}, h("tr", {}, h("td", { class: "none" }), head("B passes"), head("B fails"))),
      h("tbody", {}, h("tr", {}, h("th", { scope: "row" }, "A passes"), cell("both", both, "same"), cell("only_a", onlyA, "only-a")),
        h("tr", {}, h("th", { scope: "row" }, "A fails"), cell("only_b", onlyB, "only-b"), cell("neither", neither, "same")))),
      h("p", { class: "xs mut mcnemar", "data-figure": "p" }, told)));
}

/* A difference as a bar to one side of a line. */
function apart(value) {
  if (value === null) return h("td", { class: "mut apart" }, "–");
  const wide = `${50 * Math.min(1, Math.abs(value))}%`;
  return h("td", { class: "apart" }, h("span", { class: "apart-of", "aria-hidden": "true" }, h("i", { class: value < 0 ? "behind" : "ahead", style: { width: wide } })),
    h("b", {}, SCORE_CHANGE.write(value)));
}

/** Tasks with both answers, what B is most ahead in first; `where`: {wish, asked, open}. Their rows open both traces side by side. */
export function tasksTable(tasks, { a, b }, { wish, asked, open }) {
  const order = [...tasks].sort((p, q) => (gap(q) ?? -Infinity) - (gap(p) ?? -Infinity)), rest = order.slice(SHORT);
  const side = (one) => { const cell = outcomeCell(one); if (one.answer == null) return cell;
    cell.replaceChildren(traceLink(wish, { answer: one.answer, ...asked }, open, { class: "row outcome-link" }, [...cell.childNodes])); return cell; };
  const row = (task) => {
    const both = task.a.answer != null && task.b.answer != null, first = task.a.answer ?? task.b.answer, says = both ? "Both traces side by side" : "The trace";
    const facts = [task.category && plainly(task.category), task.turns > 1 && plural(task.turns, "turn"), task.task_id].filter(Boolean).join(" · ");
    const name = first == null ? h("span", { class: "words clamp" }, task.prompt)
      : traceLink(wish, { answer: first, beside: both ? task.b.answer : null, ...asked }, open, { class: "words clamp", title: says }, task.prompt);
    return h("tr", { "data-task": task.task_id, class: "opens", onclick: ({ target }) => { if (!target.closest("a") && !getSelection().toString()) name.click?.(); } },
      h("th", { scope: "row", class: "task-cell" }, name, h("span", { class: "xs mut ends" }, facts)),
      side(task.a), side(task.b), apart(gap(task)), h("td", {}, `${count(task.a.calls)} · ${count(task.b.calls)}`),
        h("td", { class: "mut" }, `${task.a.rounds ?? "–"} · ${task.b.rounds ?? "–"}`));
  };
  const body = h("tbody", {}, order.slice(0, SHORT).map(row)), label = `Tasks of ${a} and ${b}`;
  const table = tableOf(label, [["Task"], ["A", a, "outcome"], ["B", b, "outcome"], ["B − A"], ["Calls A · B", "Tool calls of A · of B"],
    ["Rounds A · B", "Rounds of A · of B"]], body);
  const more = h("button", { type: "button", class: "btn small more-rows", onclick: () => { body.append(...rest.splice(0, SHORT).map(row)); tell(); } });
  const tell = () => { more.hidden = !rest.length; more.textContent = `Show ${count(Math.min(SHORT, rest.length))} more of ${count(rest.length)}`; };
  tell();
  return h("div", {}, table, more);
}
