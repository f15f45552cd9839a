/* The Paint tab: which painting is on the easel, and who tells whom. */
import { announce, eachFrame, f3, h, setText, signed } from "./dom.js";
import { shortcuts } from "./keys.js";
import { openTab, setQuery } from "./tabs.js";
import { getSession, getTasks } from "./session/api.js";
import { takeTurn } from "./session/guest.js";
import { chosenProtocol, lastTask, putAside, setLastTask, tokenOf, unfinished } from "./session/library.js";
import { Painting } from "./session/painting.js";
import { pictureOf } from "./sheet.js";
import { isSemantic } from "./tasks.js";
import { Brush } from "./paint/brush.js";
import { palette } from "./paint/colour.js";
import { Dock } from "./paint/dock.js";
import { draw } from "./paint/markup.js";
import { Notice } from "./paint/notice.js";
import { OwnPicture, findOwn, forgetOwn, ownTasks } from "./paint/own.js";
import { Picker } from "./paint/picker.js";
import { ScoreCard } from "./paint/score.js";
import { Stage } from "./paint/stage.js";
import { TaskBar } from "./paint/taskbar.js";
import { confirmStartOver, confirmSubmit, hint } from "./paint/ending.js";

const FAVOURITE = "natural"; // a newcomer's first task is the first of this category

/* Whether the URL speaks of this tab: the session of another tab's view is none of ours. */
const onShow = () => (new URLSearchParams(location.search).get("tab") ?? "paint") === "paint";

export default async function start(host) {
  const $ = (selector) => host.querySelector(selector);
  draw(host);
  let painting = null, tasks = [], semantic = new Set(), turn = 0, stage = null;

  const drawDock = eachFrame(() => dock.draw());
  const brush = new Brush(() => { drawDock(); stage?.brushChanged(); });
  const dock = new Dock(host, brush);
  const notice = new Notice($("[data-notice]"));
  const zoom = $("[data-zoom]");
  stage = new Stage(host, brush, {
    painting: () => painting,
    begin: () => { notice.clear(); painting.begin().catch((error) => notice.say(error.message)); },
    picked: (colour) => { brush.set({ colour }); announce(`Colour ${$("[data-hex]").textContent}`); },
    picking: (on) => $("[data-act=eyedropper]").setAttribute("aria-pressed", String(on)),
    zoomed: (factor) => { zoom.textContent = `${Math.round(factor * 100)}%`; zoom.classList.toggle("mut", factor === 1); },
  }, { grid: $(".paint"), below: $(".a-dock") });
  const card = new ScoreCard(host);
  const bar = new TaskBar(host, {
    rules: () => renew(), again: () => again(), take: () => told(() => takeTurn(painting.id, painting.task)),
    share: (shared) => told(() => painting.share(shared)), back: () => told(() => painting.handBack()),
  });
  const own = new OwnPicture((task) => choose(task));
  const picker = new Picker({
    tasks: () => tasks, own: ownTasks, current: () => painting?.task.id, budget: () => painting?.task.budget ?? 0,
    choose: (task) => choose(task), rules: () => renew(), upload: () => own.open(),
    begun: () => Boolean(painting?.id && painting.started && !painting.finished && !painting.watching), again: () => again(),
  });

  const refresh = eachFrame(() => {
    if (!painting) return;
    card.draw(painting);
    bar.draw(painting);
    $("[data-act=undo]").disabled = !painting.canUndo;
    $("[data-act=redo]").disabled = !painting.canRedo;
    $("[data-act=submit]").disabled = !painting.canSubmit;
    setText($("[data-act=submit]"), painting.submitting ? "Scoring" : "Submit");
    setText($("[data-hint]"), hint(painting));
    $("[data-invite]").hidden = painting.started || !painting.canPaint;
    host.classList.toggle("finished", painting.finished);
    for (const part of host.querySelectorAll(".dock > div:not(.d-act)")) part.inert = painting.watching || painting.finished;
    setText($("[data-act=again]"), painting.watching ? "Paint it yourself" : "Paint again");
    $("[data-act=next]").hidden = painting.watching;
    $("[data-frame]").classList.toggle("draw", painting.canPaint);
    $("[data-frame]").setAttribute("aria-label", `Canvas, ${painting.task.width} by ${painting.task.height} pixels${painting.watching ? ", watching only" : ""}`);
    notice.turn(painting.waitsFor && !painting.finished && !painting.watching
      ? { guest: painting.waitsFor, waiting: painting.pending, owner: !painting.guest, back: () => told(() => painting.handBack()) } : null);
    if (!painting.canPaint) stage.brushChanged();
  });

  /* Do what may be refused; the reason stands on the canvas, and the controls show what is. */
  async function told(act) {
    try { await act(); } catch (error) { notice.say(error.message); }
    refresh();
  }

  function acted({ kind, step, outcome, status, guest = null }) {
    const values = painting.view.curve, score = values.at(-1);
    const gain = signed(score - (values.at(-2) ?? score)).replace("+", "up ").replace("−", "down ").replace("±", "changed by ");
    const what = kind === "undo" ? "Undone. " : outcome === "applied" ? "" : "Not painted. ";
    const end = status === "spent" ? " The budget is spent." : status === "submitted" ? " Submitted." : "";
    const who = guest && guest !== painting.guest ? `${guest}: ` : "";
    announce(kind === "submit" ? `Submitted with similarity ${f3(score)}` : `${who}${what}Step ${step}, similarity ${f3(score)}, ${gain}.${end}`);
  }

  function ready() { host.dataset.ready = "true"; }

  const hooks = {
    changed: refresh,
    acted,
    message: (text) => notice.say(text),
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
    stage.show(task, bitmap);
    const colours = palette(stage.referencePixels);
    if (!brush.chosen) brush.state.colour = colours[Math.floor(colours.length / 2)];
    dock.setTask(task.width, colours);
    const siblings = tasks.filter(({ category }) => category === task.category), place = siblings.findIndex(({ id }) => id === task.id);
    bar.setTask(task, bitmap, place < 0 ? "never ranked" : `task ${place + 1} of ${siblings.length}`);
    $("[data-reference]").setAttribute("aria-label", `Reference: ${task.title}`);
    if (task.category !== "own" || ownTasks().some(({ id }) => id === task.id)) setLastTask(task.id);
    painting = new Painting({ task, protocol: chosenProtocol(), view, token, pixels: stage.pixels, preview: stage.preview, hooks });
    refresh();
    if (!view?.step) ready(); // else with its strokes, by the first snapshot
    if (other) scrollTo(0, 0);
    return true;
  }

  const find = async (id) => tasks.find((task) => task.id === id) ?? (id.startsWith("own-") ? findOwn(id) : null);

  const open = (view) => show(view.task, { view, token: tokenOf(view.session_id) ?? null });

  /* A task from the drawer: the painting of it that was begun here goes on; else a new one, with nothing written yet. */
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
      if (error.status === 404) forgetOwn(task.id);
      notice.say(error.message);
    } finally {
      host.inert = false;
      $("[data-frame]").focus({ preventScroll: true }); // ready to be painted on, by keys too
    }
  }

  /* Other rules for a painting that is not begun yet. */
  function renew() { if (!painting.id && !painting.started) show(painting.task); }

  async function again() {
    if (painting.started && !painting.finished && !painting.watching && !(await confirmStartOver(painting.view.step))) return;
    if (painting.id) putAside(painting.id);
    choose(painting.task, { fresh: true });
  }

  function nextTask() {
    const siblings = tasks.filter(({ category }) => category === painting.task.category);
    const at = siblings.findIndex(({ id }) => id === painting.task.id);
    choose(siblings[(at + 1) % siblings.length] ?? tasks[0]);
  }

  async function submit() {
    if (!painting.canSubmit) return;
    const { steps_left: left } = painting.view, { budget } = painting.task;
    if (left != null && left >= budget / 2 && !(await confirmSubmit(left, budget))) return;
    painting.submit();
    refresh();
  }

  /* What the URL asks for: a session, a task, the last task, or the first one worth painting. A semantic task or a session
     of one is the other tab's matter: it is opened there. */
  async function route() {
    const query = new URLSearchParams(onShow() ? location.search : ""), session = query.get("session"), wanted = query.get("task");
    if (session && session === painting?.id && painting.token === (tokenOf(session) ?? null)) return;
    let lost = null, away = semantic.has(wanted) ? { task: wanted } : null;
    if (session) {
      try {
        const view = await getSession(session);
        if (!isSemantic(view.task)) return await open(view);
        away = { session };
      } catch (error) { lost = error.status === 404 ? "The painting of this link does not exist here: begin one of your own, or ask for the link again." : error.message; }
      setQuery({ session: null });
    }
    if (away) setQuery({ task: null });
    const task = (wanted && !away && (await find(wanted).catch(() => null))) ?? null;
    if (wanted && !task && !away) { lost = `There is no task “${wanted}” here: this is another one.`; setQuery({ task: null }); }
    if (task && !session && painting && !painting.id && painting.task.id === task.id) return;
    const last = !task && (!wanted || away) && lastTask() && (await find(lastTask()).catch(() => null));
    const first = task || last || tasks.find(({ category }) => category === FAVOURITE) || tasks[0];
    await show(first);
    if (away) openTab("semantic", away);
    if (lost) notice.say(lost);
  }

  const acts = {
    tasks: () => { if (!painting || !TaskBar.holds(painting)) picker.open(); }, undo: () => painting?.undo(), redo: () => painting?.redo(), submit, again, next: nextTask,
    eyedropper: () => stage.eyedropper.toggle(), colour: () => dock.openColours(),
    "zoom-in": () => stage.view.zoomBy(1.25), "zoom-out": () => stage.view.zoomBy(0.8), "zoom-fit": () => stage.view.reset(),
  };
  host.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]")?.dataset.act;
    if (act && painting) acts[act]?.();
  });

  function escape() {
    stage.cancel();
    stage.eyedropper.toggle(false);
    notice.clear();
  }
  shortcuts("paint", [
    ["i", { label: "Pick a colour", run: acts.eyedropper, once: true }],
    ["Alt", { label: "Pick a colour, while held", run: () => stage.eyedropper.hold(true), up: () => stage.eyedropper.hold(false) }],
    ["c", { label: "Choose any colour", run: acts.colour, once: true }],
    ["]", { label: "Wider, narrower", run: () => brush.scale(1.12) }],
    ["[", { label: "Wider, narrower", run: () => brush.scale(1 / 1.12) }],
    ["}", { label: "The same at the end only", run: () => brush.scale(1.12, ["radius_end"]) }],
    ["{", { label: "The same at the end only", run: () => brush.scale(1 / 1.12, ["radius_end"]) }],
    [".", { label: "More, less opaque", run: () => brush.fade(0.1) }],
    [",", { label: "More, less opaque", run: () => brush.fade(-0.1) }],
    ["z", { label: "Undo", run: acts.undo, once: true }],
    ["Mod+z", { label: "Undo", run: acts.undo, once: true }],
    ["Mod+Shift+z", { label: "Redo, as a new stroke", run: acts.redo, once: true }],
    ["Mod+y", { label: "Redo, as a new stroke", run: acts.redo, once: true }],
    ["Shift+Enter", { label: "Submit", run: submit, once: true }],
    ["r", { label: "Onion skin, while held", run: () => stage.overlays.peek(true), up: () => stage.overlays.peek(false) }],
    ["d", { label: "Difference", run: () => stage.overlays.flip(), once: true }],
    [" ", { label: "Move the picture, while held", run: () => stage.grab(true), up: () => stage.grab(false) }],
    ["+", { label: "Zoom in, out", run: acts["zoom-in"] }],
    ["=", { run: acts["zoom-in"] }],
    ["-", { label: "Zoom in, out", run: acts["zoom-out"] }],
    ["0", { label: "Whole picture", run: acts["zoom-fit"] }],
    ["t", { label: "Change task", run: acts.tasks, once: true }],
    ["Escape", { label: "Cancel a stroke or a pick", run: escape }],
  ], [
    ["Straight stroke, while drawn", "Shift"], ["Aim on the canvas, which has the focus", "arrows", "Shift+arrows"],
    ["Set start, control, end", "Enter"], ["This list", "?"],
  ]);

  host.inert = true; // until there is something to act on
  for (;;) {
    try {
      const all = await getTasks();
      tasks = all.filter((task) => !isSemantic(task));
      semantic = new Set(all.filter(isSemantic).map(({ id }) => id));
      await route();
      break;
    } catch (error) { await retryButton(host, error); }
  }
  host.inert = false;
  addEventListener("es:query", () => { if (onShow()) route().catch((error) => notice.say(error.message)); });
}

/* The first load failed: say so where the pictures would be, and wait for the press of the button. */
function retryButton(host, error) {
  host.inert = false;
  return new Promise((resolve) => {
    const box = h("div", { class: "hole err first", role: "alert" }, h("b", {}, "The tasks could not be loaded"), h("p", {}, error.message),
      h("button", { type: "button", class: "btn", onclick: () => { box.remove(); host.inert = true; resolve(); } }, "Try again"));
    host.querySelector(".paint").before(box);
  });
}
