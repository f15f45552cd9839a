/* The Results tab: where players stand, with how sure that is, and how they came there. */
import { h, icon, plural, setText } from "./dom.js";
import { shortcuts } from "./keys.js";
import { Board } from "./results/board.js";
import { columnsOf, finalOf, ordered, pressed, sortOf } from "./results/columns.js";
import { Curves } from "./results/curves.js";
import { Filters, KINDS, PROTOCOLS, SCOPES } from "./results/filters.js";
import { Published } from "./results/published.js";
import { getSemanticTasks, request } from "./session/api.js";
import { hasPainted, playerName } from "./session/library.js";
import { current, openTab, setQuery } from "./tabs.js";

const TAB = "results";
const ASKED = ["category", "protocol", "kind", "renderer", "metric", "imported"]; // what the server is asked for
const VIEW = [...ASKED, "sort", "lines"]; // all that the link holds
const POLL = 20_000, SOON = 1500; // ms until the next look, and while sessions are still being counted
const LINES = 8, FIRST = 5; // curves at a time, each drawn its own way; those of the best at first
const SHELVES = SCOPES.filter(([id]) => id !== "all" && id !== "semantic");
const SAID = { benchmark: "benchmark rules", studio: "studio rules" };

const known = (value, options) => (options.some(([id]) => id && id === value) ? value : null);

/* What the link asks for; what is none of ours is not asked for. */
function asked() {
  const link = new URLSearchParams(location.search);
  const view = Object.fromEntries(VIEW.map((name) => [name, link.get("tab") === TAB ? link.get(name) : null]));
  const { category, protocol, kind, imported } = view;
  return { ...view, category: category ?? "all", protocol: known(protocol, PROTOCOLS), kind: known(kind, KINDS), imported: imported === "1" ? "1" : null };
}
const button = (label, run, kind = "") => h("button", { type: "button", class: `btn ${kind}`, onclick: run }, label);
const searchOf = (query) => String(new URLSearchParams(ASKED.filter((name) => query[name]).map((name) => [name, query[name]])));

export default async function start(host) {
  let query = asked(), search = null, results = null, of = null, error = null; // `of` is the question that the results answer
  let tasks = null, turn = 0, timer = null;
  const filters = new Filters((changes) => go(changes, { push: true }));
  const board = new Board({ sort: (column) => go({ sort: pressed(sort(), column) }), choose, open: (view) => openTab("watch", view) });
  const curves = new Curves(), published = new Published();
  const meta = h("div", { class: "meta whole" }, "\u00a0");
  const note = h("div", {});
  const state = h("p", { class: "sm mut row state", role: "status" });
  const more = h("p", { class: "sm mut more", hidden: true });
  const body = h("div", { class: "results" }, h("div", { class: "left" }, board.element, more), curves.element);
  host.replaceChildren(
    h("div", { class: "es-bar between" },
      h("div", { class: "bar-title" }, h("h1", {}, "Results"), meta),
      h("div", { class: "row bar-acts" }, filters.category, filters.csv)),
    h("div", { class: "row under" }, filters.element, state), note, body, published.element);

  const parts = () => (query.category === "semantic" ? (tasks ?? []).map(({ id, title }) => [id, title]) : SHELVES);
  const columns = () => columnsOf(query.category, parts());
  const sort = () => sortOf(query.sort, columns());
  const wanted = () => !document.hidden && current() === TAB;

  /* Other parameters of the view. */
  function go(changes, how) {
    setQuery(changes, how);
    route();
  }

  /* Show what the link asks for; returns whether the server is asked for it. */
  function route() {
    query = asked();
    if (searchOf(query) === search) { draw(); return false; }
    search = searchOf(query);
    error = null;
    if (results?.category !== query.category) results = null; // other columns
    body.setAttribute("aria-busy", "true");
    draw();
    look();
    return true;
  }

  async function look() {
    clearTimeout(timer);
    const mine = ++turn, { category } = query, question = search;
    try {
      const [answer, listed] = await Promise.all([request("GET", `results?${question}`), category === "semantic" ? tasks ?? getSemanticTasks() : tasks]);
      if (mine !== turn) return;
      [results, of, tasks, error] = [answer, question, listed, null];
    } catch (trouble) {
      if (mine !== turn) return;
      error = trouble;
    }
    body.removeAttribute("aria-busy");
    draw();
    wait();
  }

  function wait() {
    clearTimeout(timer);
    if (wanted()) timer = setTimeout(look, results?.pending && !error ? SOON : POLL);
  }

  /* The keys of the players that have a curve, by colour; those of the link, or the best. */
  function slots() {
    const drawable = new Set(results.players.filter(({ curve }) => curve.length).map(({ key }) => key)), best = results.players.filter(({ rank }) => rank != null);
    const chosen = query.lines == null ? (best.length ? best : results.players).slice(0, FIRST).map(({ key }) => key) : query.lines.split(",");
    return Array.from({ length: LINES }, (_, k) => (drawable.has(chosen[k]) ? chosen[k] : null));
  }

  function choose(key, on) {
    const lines = slots(), at = lines.indexOf(on ? null : key);
    if (at >= 0) lines[at] = on ? key : null;
    go({ lines: lines.map((one) => one ?? "").join(",").replace(/,+$/, "") });
  }

  function draw() {
    filters.draw(query, search, results, Boolean(results) && of === search);
    published.of(query.category === "semantic");
    const failed = error && (of !== search || !results); // else what is there stays, as old as it is
    body.hidden = Boolean(failed) || (results != null && !results.players.length);
    note.replaceChildren(...(failed ? [trouble()] : results && !results.players.length ? [empty()] : []));
    status();
    filters.csv.style.visibility = failed ? "hidden" : "";
    if (failed) return;
    if (!results) {
      setText(meta, "\u00a0");
      board.wait(columns());
      curves.show([], [], "Score", "\u00a0");
      return;
    }
    const { players, anchors, category, protocol, renderer, metric, left_out: left } = results;
    setText(meta, `${plural(results.tasks, "task")}, ${SAID[protocol]}, ${renderer}, ${metric.replaceAll(",", ", ")}. ${finalOf(category)}`);
    const by = sort(), order = (rows) => (by.usual ? rows : ordered(rows, by)), lines = slots(), mine = hasPainted() ? playerName() : null;
    const whole = ordered([...players.filter(({ complete }) => complete), ...anchors], by), part = order(players.filter(({ complete }) => !complete));
    board.draw(whole, part, {
      columns: columns(), sort: by, slots: lines, tasks: results.tasks, by: by.usual ? ", by coverage and then by Final" : "",
      you: ({ kind, name, imported }) => kind === "human" && !imported && name === mine,
    });
    more.hidden = !left;
    setText(more, `${plural(left, "more row")} after these; the CSV file has all.`);
    const named = new Map(players.map((row) => [row.key, row]));
    curves.show(
      lines.flatMap((key, k) => (key ? [lineOf(named.get(key), `p${k + 1}`)] : [])), anchors.map(({ name, final }) => ({ name, value: final.mean })),
      category === "semantic" ? "Score" : "Similarity",
      `Mean over tasks; a session that ended early keeps its last score.${anchors.length ? " Dotted lines are what the anchors score at the end." : ""} `
        + `Tick up to ${LINES} players in the table.`);
  }

  function lineOf({ name, complete, n, curve }, colour) {
    return { name, colour, values: curve, note: complete ? null : [`${n}/${results.tasks}`, `only ${n} of ${results.tasks} tasks`] };
  }

  /* What goes on beside the figures. */
  function status() {
    if (error && results && of === search) {
      state.replaceChildren(icon("warn"), h("span", {}, `${error.message} The figures are as they were.`), button("Try again", look, "small"));
    } else setText(state, results?.pending ? `${plural(results.pending, "session")} ${results.pending === 1 ? "is" : "are"} still being counted` : "");
  }

  function trouble() {
    const wrong = error.status >= 400 && error.status < 500 && !error.retry; // the link asks for what there is not
    return h("div", { class: "hole err", role: "alert" }, icon("warn"), h("b", {}, "The results could not be loaded"), h("p", { class: "sm" }, error.message),
      wrong ? button("All results", () => go(Object.fromEntries(VIEW.map((name) => [name, null])), { push: true })) : button("Try again", look));
  }

  /* Nobody is in scope: say why, and what changes that. */
  function empty() {
    const other = results.protocols.find(({ protocol, sessions }) => protocol !== results.protocol && sessions);
    const says = (title, text, label, run) => h("div", { class: "hole" }, icon("eye"), h("b", {}, title), h("p", { class: "sm" }, text), button(label, run, "primary"));
    if (other) {
      const { protocol, sessions } = other, there = sessions === 1 ? "is one session" : `are ${sessions} sessions`;
      return says("Nobody has played by these rules yet", `There ${there} by ${SAID[protocol]}.`, `Show ${protocol} rules`, () => go({ protocol }, { push: true }));
    }
    if (query.kind === "human") {
      const tab = query.category === "semantic" ? "semantic" : "paint";
      return says("No person has finished one of these tasks yet", "Paint one to its end: the human baseline begins with it.", "Paint a task", () => openTab(tab));
    }
    const text = "Let a painter or a model play these tasks: it appears here with its first painting that has ended.";
    return says("No results yet", text, "Start a run", () => openTab("connect"));
  }

  document.addEventListener("visibilitychange", () => (wanted() ? look() : clearTimeout(timer)));
  addEventListener("es:tab", () => { if (!wanted()) clearTimeout(timer); else if (!route()) look(); });
  addEventListener("es:query", () => { if (new URLSearchParams(location.search).get("tab") === TAB) route(); });
  shortcuts(TAB, [], [["Sort by a column, open a player", "Enter"], ["Draw a player’s curve", " "], ["Read the curves off", "arrows"], ["This list", "?"]]);
  route();
}
