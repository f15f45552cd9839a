/* The Semantic tab: which task is on the easel, and who tells whom. The canvas is the one of the Paint tab, alone. */
import { announce, eachFrame, f3 } from "./dom.js";
import { Easel } from "./easel.js";
import { shortcuts } from "./keys.js";
import { Notice } from "./paint/notice.js";
import { Stage } from "./paint/stage.js";
import { getBest, getSemanticTasks, getSession, getTask } from "./session/api.js";
import { takeTurn } from "./session/guest.js";
import { lastTask, setLastTask, tokenOf } from "./session/library.js";
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
  let tasks = [];

  const frame = $("[data-frame]"), zoom = $("[data-zoom]"), brush = new FixedBrush();
  const notice = new Notice($("[data-notice]")), toast = new Toast($("[data-toast]"), () => { stage.refused(null); frame.focus({ preventScroll: true }); });
  const cards = new Cards($("[data-cards]"), $("[data-solved]"), (task) => easel.choose(task));
  const panel = new Panel(host, () => refresh()), strokes = new Strokes($("[data-list]"), () => refresh()), result = new Result($("[data-result]"), $(".stage"));
  const stage = new Stage(host, brush, {
    painting: () => easel.painting,
    begin: () => { quiet(); easel.begin(); },
    zoomed: (factor) => { zoom.textContent = `${Math.round(factor * 100)}%`; zoom.classList.toggle("mut", factor === 1); },
  }, { grid: $(".work"), reference: false, layout: LAYOUT });

  const easel = new Easel(host, {
    tab: TAB, stage, notice, protocol: () => RULES, siblings: () => tasks,
    on: {
      put, acted, refresh: () => refresh(), shown: (painting) => strokes.show(painting),
      message: (text, answer) => { if (!answer) notice.say(text); }, // an answer is told when it is heard of as an action
    },
  });

  /* Take away what was said of the last stroke. */
  function quiet() {
    notice.clear();
    toast.clear();
    stage.refused(null);
  }

  const refresh = eachFrame(() => {
    const { painting } = easel;
    if (!painting) return;
    const { task, view, finished, watching } = painting;
    strokes.draw();
    panel.draw(painting, strokes.record.at(view.seq - 1)?.at ?? null);
    cards.draw(painting);
    result.draw(painting);
    $("[data-invite]").hidden = painting.started || !painting.canPaint || task.kind !== "handwriting"; // a picture invites by itself
    host.classList.toggle("finished", finished || watching);
    $("[data-act=next]").hidden = watching || !tasks.length;
    frame.classList.toggle("draw", painting.canPaint);
    frame.setAttribute("aria-label", `Canvas, ${task.title}, ${task.width} by ${task.height} pixels${watching ? ", watching only" : ""}`);
    easel.tellTurn();
  });

  function acted(action) {
    const { kind, step, outcome, status, score, guest = null } = action, { painting } = easel, { task } = painting;
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

  /* What a task brings besides its picture. */
  function put(task, bitmap) {
    toast.clear();
    brush.setTask(task);
    stage.show(task, bitmap);
    panel.setTask(task);
    panel.results(cards.best.get(task.id));
    setLastTask(task.id, TAB);
    cards.reveal(task.id);
  }

  const results = eachFrame(async () => {
    try {
      cards.results(await getBest());
      if (easel.painting) panel.results(cards.best.get(easel.painting.task.id));
    } catch (error) { if (!error.retry) console.error(error); } // the old results stay
  }, { later: true });

  const find = async (id) => tasks.find((task) => task.id === id) ?? getTask(id);

  /* What the URL asks for: a session, a task, the last task, or the first. A reconstruction is the other tab's matter. */
  async function route() {
    const { painting } = easel, query = new URLSearchParams(onShow() ? location.search : ""), session = query.get("session"), wanted = query.get("task");
    if (session && session === painting?.id && painting.token === (tokenOf(session) ?? null)) return;
    let lost = null, away = null, task = null;
    if (session) {
      try {
        const view = await getSession(session);
        if (isSemantic(view.task)) return void (await easel.open(view));
        away = { session };
      } catch (error) { lost = error.status === 404 ? "The attempt of this link does not exist here: begin one of your own, or ask for the link again." : error.message; }
      setQuery({ session: null });
    }
    if (wanted) {
      try { task = await find(wanted); } catch (error) { lost = error.status === 404 ? `There is no task “${wanted}” here: this is another one.` : error.message; }
      if (task && !isSemantic(task)) { away ??= { task: wanted }; task = null; }
      if (!task) setQuery({ task: null });
    }
    if (task && !session && easel.painting && !easel.painting.id && easel.painting.task.id === task.id) return;
    const kept = task || !lastTask(TAB) ? null : await find(lastTask(TAB)).catch(() => null), last = kept && isSemantic(kept) ? kept : null;
    await easel.show(task ?? last ?? tasks[0]);
    if (away) openTab("paint", away);
    if (lost) notice.say(lost);
  }

  const acts = {
    undo: () => { quiet(); easel.painting.undo(); }, redo: () => { quiet(); easel.painting.redo(); }, submit: () => { quiet(); easel.painting.submit(); refresh(); }, over: () => easel.again(), again: () => easel.again(), next: () => easel.next(),
    take: () => easel.told(() => takeTurn(easel.painting.id, easel.painting.task)), back: () => easel.told(() => easel.painting.handBack()), solution,
    "zoom-in": () => stage.view.zoomBy(1.25), "zoom-out": () => stage.view.zoomBy(0.8), "zoom-fit": () => stage.view.reset(),
  };
  async function solution() {
    const button = $("[data-act=solution]");
    button.disabled = true;
    await easel.told(() => watchSolution(easel.painting.task));
    button.disabled = false;
  }
  host.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]")?.dataset.act;
    if (act && easel.painting) acts[act]?.();
  });
  const key = (label, act) => ({ label, run: () => { if (easel.painting) acts[act](); }, once: true });
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

  await easel.load(async () => {
    tasks = await getSemanticTasks();
    cards.offer(tasks);
    await route();
  }, $(".work"));
  results();
  addEventListener("es:query", () => { if (onShow()) route().catch((error) => notice.say(error.message)); });
  addEventListener("es:tab", () => { if (current() === TAB) { results(); refresh(); } });
}
