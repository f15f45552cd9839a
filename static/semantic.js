/* The Semantic tab: which task is on the easel, and who tells whom. The canvas is the one of the Paint tab, alone. */
import { announce, eachFrame, f3, h } from "./dom.js";
import { shortcuts } from "./keys.js";
import { confirmStartOver } from "./paint/ending.js";
import { Notice } from "./paint/notice.js";
import { Stage } from "./paint/stage.js";
import { getBest, getSemanticTasks, getSession, getTask } from "./session/api.js";
import { takeTurn } from "./session/guest.js";
import { lastTask, putAside, setLastTask, tokenOf, unfinished } from "./session/library.js";
import { Painting } from "./session/painting.js";
import { pictureOf } from "./sheet.js";
import { current, openTab, setQuery } from "./tabs.js";
import { isSemantic, scoreName } from "./tasks.js";
import { FixedBrush } from "./semantic/brush.js";
import { Cards } from "./semantic/cards.js";
import { draw } from "./semantic/markup.js";
import { Panel } from "./semantic/panel.js";
import { Result } from "./semantic/result.js";
import { watchSolution } from "./semantic/solution.js";
import { Strokes } from "./semantic/strokes.js";
import { Toast } from "./semantic/toast.js";

const TAB = "semantic", RULES = "benchmark"; // the published rules: undo and submit, in the budget
const LAYOUT = { columns: 1, rail: [320 + 24 + 304, Infinity], narrow: 320, smallest: 512, bar: 96, fill: 0.8 };

/* Whether the URL speaks of this tab: the session of another tab's view is none of ours. */
const onShow = () => new URLSearchParams(location.search).get("tab") === TAB;

export default async function start(host) {
  const $ = (selector) => host.querySelector(selector);
  draw(host);
  let painting = null, tasks = [], turn = 0;

  const frame = $("[data-frame]"), zoom = $("[data-zoom]"), brush = new FixedBrush();
  const notice = new Notice($("[data-notice]")), toast = new Toast($("[data-toast]"), () => { stage.refused(null); frame.focus({ preventScroll: true }); });
  const cards = new Cards($("[data-cards]"), $("[data-solved]"), (task) => choose(task));
  const panel = new Panel(host), strokes = new Strokes($("[data-list]")), result = new Result($("[data-result]"), $(".stage"));
  const stage = new Stage(host, brush, {
    painting: () => painting,
    begin: () => { quiet(); painting.begin().catch((error) => notice.say(error.message)); },
    zoomed: (factor) => { zoom.textContent = `${Math.round(factor * 100)}%`; zoom.classList.toggle("mut", factor === 1); },
  }, { grid: $(".work"), below: $(".toasts"), reference: false, layout: LAYOUT });

  /* Take away what was said of the last stroke. */
  function quiet() {
    notice.clear();
    toast.clear();
    stage.refused(null);
  }

  const refresh = eachFrame(() => {
    if (!painting) return;
    const { task, finished, watching } = painting;
    panel.draw(painting);
    cards.draw(painting);
    strokes.draw();
    result.draw(painting);
    $("[data-invite]").hidden = painting.started || !painting.canPaint || task.kind !== "handwriting"; // a picture invites by itself
    host.classList.toggle("finished", finished || watching);
    $("[data-act=next]").hidden = watching || !tasks.length;
    frame.classList.toggle("draw", painting.canPaint);
    frame.setAttribute("aria-label", `Canvas, ${task.title}, ${task.width} by ${task.height} pixels${watching ? ", watching only" : ""}`);
    notice.turn(painting.waitsFor && !finished && !watching
      ? { guest: painting.waitsFor, waiting: painting.pending, owner: !painting.guest, back: () => told(() => painting.handBack()) } : null);
  });

  /* Do what may be refused; the reason stands on the canvas, and the controls show what is. */
  async function told(act) {
    try { await act(); } catch (error) { notice.say(error.message); }
    refresh();
  }

  function acted(action) {
    const { kind, step, outcome, status, score, guest = null } = action, { task } = painting;
    strokes.add(action);
    const who = guest && guest !== painting.guest ? `${guest}: ` : "";
    if (outcome !== "applied" && kind === "brush_stroke") { // also one that another window of this painting sent
      toast.say(action); // it is an alert, so nothing else is announced
      stage.refused(action.stroke, action.contact);
    } else if (status === "open") announce(`${who}${kind === "undo" ? "Undone. " : ""}Step ${step} of ${task.budget}.`);
    if (status !== "open") {
      announce(`${who}${status === "spent" ? "The budget is spent." : "Submitted."} ${scoreName(task)} ${f3(score)}.`);
      results();
    }
  }

  function ready() { host.dataset.ready = "true"; }

  const hooks = {
    changed: refresh,
    acted,
    message: (text, answer) => { if (!answer) notice.say(text); }, // an answer is told when it is heard of as an action
    drawn: ready,
    connection: (state) => { ready(); notice.connection(state, painting.view.step, painting.pending, () => painting.retryNow()); },
    begun: (id) => { setQuery({ session: id, task: null }); refresh(); },
  };

  /* Put a painting on the easel; resolves to whether it is there. The latest call wins: a slow picture must not
     replace a newer choice. */
  async function show(task, { view = null, token = null } = {}) {
    const mine = ++turn, bitmap = await pictureOf(task);
    if (mine !== turn) return false;
    const other = painting && painting.task.id !== task.id;
    painting?.close();
    notice.connection({ waiting: false }, 0, 0, null);
    notice.say(null);
    toast.clear();
    brush.setTask(task);
    stage.show(task, bitmap);
    panel.setTask(task);
    panel.results(cards.best.get(task.id));
    setLastTask(task.id, TAB);
    painting = new Painting({ task, protocol: RULES, view, token, pixels: stage.pixels, preview: stage.preview, hooks, tab: TAB });
    strokes.show(painting);
    refresh();
    cards.reveal(task.id);
    if (other) scrollTo(0, 0);
    if (!view?.step) ready(); // else with its strokes, by the first snapshot
    return true;
  }

  const open = (view) => show(view.task, { view, token: tokenOf(view.session_id) ?? null });

  /* A task of the cards: the painting of it that was begun here goes on; else a new one, with nothing written yet. */
  async function choose(task, { fresh = false } = {}) {
    host.inert = true; // no stroke may land on the painting that leaves
    try {
      let going = fresh ? null : unfinished(task.id);
      const opened = going && (await getSession(going.id).then(open).catch((error) => {
        if (error.status !== 404) throw error; // out of reach is not gone
        putAside(going.id);
        going = null;
      }));
      if (opened ?? (await show(task))) setQuery({ task: going ? null : task.id, session: going?.id ?? null }, { push: true });
    } catch (error) {
      notice.say(error.message);
    } finally {
      host.inert = false;
      frame.focus({ preventScroll: true }); // ready to be painted on, by keys too
    }
  }

  async function again() {
    if (painting.started && !painting.finished && !painting.watching && !(await confirmStartOver(painting.view.step))) return;
    if (painting.id) putAside(painting.id);
    choose(painting.task, { fresh: true });
  }

  function nextTask() {
    const at = tasks.findIndex(({ id }) => id === painting.task.id);
    choose(tasks[(at + 1) % tasks.length]);
  }

  const results = eachFrame(async () => {
    try {
      cards.results(await getBest());
      if (painting) panel.results(cards.best.get(painting.task.id));
    } catch (error) { if (!error.retry) console.error(error); } // the old results stay
  }, { later: true });

  const find = async (id) => tasks.find((task) => task.id === id) ?? getTask(id);

  /* What the URL asks for: a session, a task, the last task, or the first. A reconstruction is the other tab's matter. */
  async function route() {
    const query = new URLSearchParams(onShow() ? location.search : ""), session = query.get("session"), wanted = query.get("task");
    if (session && session === painting?.id && painting.token === (tokenOf(session) ?? null)) return;
    let lost = null, away = null, task = null;
    if (session) {
      try {
        const view = await getSession(session);
        if (isSemantic(view.task)) return void (await open(view));
        away = { session };
      } catch (error) { lost = error.status === 404 ? "The attempt of this link does not exist here: begin one of your own, or ask for the link again." : error.message; }
      setQuery({ session: null });
    }
    if (wanted) {
      try { task = await find(wanted); } catch (error) { lost = error.status === 404 ? `There is no task “${wanted}” here: this is another one.` : error.message; }
      if (task && !isSemantic(task)) { away ??= { task: wanted }; task = null; }
      if (!task) setQuery({ task: null });
    }
    if (task && !session && painting && !painting.id && painting.task.id === task.id) return;
    const last = task || !lastTask(TAB) ? null : await find(lastTask(TAB)).catch(() => null);
    await show(task ?? last ?? tasks[0]);
    if (away) openTab("paint", away);
    if (lost) notice.say(lost);
  }

  const acts = {
    undo: () => { quiet(); painting.undo(); }, redo: () => { quiet(); painting.redo(); }, submit: () => { quiet(); painting.submit(); refresh(); }, over: again, again, next: nextTask,
    take: () => told(() => takeTurn(painting.id, painting.task)), back: () => told(() => painting.handBack()), solution,
    "zoom-in": () => stage.view.zoomBy(1.25), "zoom-out": () => stage.view.zoomBy(0.8), "zoom-fit": () => stage.view.reset(),
  };
  async function solution() {
    const button = $("[data-act=solution]");
    button.disabled = true;
    await told(() => watchSolution(painting.task));
    button.disabled = false;
  }
  host.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]")?.dataset.act;
    if (act && painting) acts[act]?.();
  });
  const key = (label, act) => ({ label, run: () => { if (painting) acts[act](); }, once: true });
  shortcuts(TAB, [
    ["z", key("Undo", "undo")], ["Mod+z", key("Undo", "undo")],
    ["Mod+Shift+z", key("Redo, as a new stroke", "redo")], ["Mod+y", key("Redo, as a new stroke", "redo")],
    ["Shift+Enter", key("Submit", "submit")],
    ["e", { label: "Evidence, after the end", run: () => result.flip(), once: true }],
    [" ", { label: "Move the picture, while held", run: () => stage.grab(true), up: () => stage.grab(false) }],
    ["+", { label: "Zoom in, out", run: () => acts["zoom-in"]() }], ["=", { run: () => acts["zoom-in"]() }],
    ["-", { label: "Zoom in, out", run: () => acts["zoom-out"]() }], ["0", { label: "Whole picture", run: () => acts["zoom-fit"]() }],
    ["Escape", { label: "Cancel a stroke", run: () => { stage.cancel(); quiet(); } }],
  ], [
    ["Straight stroke, while drawn", "Shift"], ["Aim on the canvas, which has the focus", "arrows", "Shift+arrows"],
    ["Set start, control, end", "Enter"], ["This list", "?"],
  ]);

  host.inert = true; // until there is something to act on
  for (;;) {
    try {
      tasks = await getSemanticTasks();
      cards.offer(tasks);
      await route();
      break;
    } catch (error) { await retryButton(host, error); }
  }
  host.inert = false;
  results();
  addEventListener("es:query", () => { if (onShow()) route().catch((error) => notice.say(error.message)); });
  addEventListener("es:tab", () => { if (current() === TAB) { results(); refresh(); } });
}

/* The first load failed: say so where the tasks would be, and wait for the press of the button. */
function retryButton(host, error) {
  host.inert = false;
  return new Promise((resolve) => {
    const box = h("div", { class: "hole err first", role: "alert" }, h("b", {}, "The tasks could not be loaded"), h("p", {}, error.message),
      h("button", { type: "button", class: "btn", onclick: () => { box.remove(); host.inert = true; resolve(); } }, "Try again"));
    host.querySelector(".work").before(box);
  });
}
