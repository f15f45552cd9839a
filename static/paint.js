/* The Paint tab: which painting is on the easel, and who tells whom. */
import { announce, eachFrame, f3, setText, signed } from "./dom.js";
import { Easel } from "./easel.js";
import { shortcuts } from "./keys.js";
import { openTab, setQuery } from "./tabs.js";
import { getSession, getTasks } from "./session/api.js";
import { takeTurn } from "./session/guest.js";
import { chosenProtocol, lastTask, setLastTask, tokenOf } from "./session/library.js";
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
import { confirmSubmit, hint } from "./paint/ending.js";

const FAVOURITE = "natural"; // a newcomer's first task is the first of this category

/* Whether the URL speaks of this tab: the session of another tab's view is none of ours. */
const onShow = () => (new URLSearchParams(location.search).get("tab") ?? "paint") === "paint";

export default async function start(host) {
  const $ = (selector) => host.querySelector(selector);
  draw(host);
  let tasks = [], semantic = new Set(), stage = null;

  const drawDock = eachFrame(() => dock.draw());
  const brush = new Brush(() => { drawDock(); stage?.brushChanged(); });
  const dock = new Dock(host, brush);
  const notice = new Notice($("[data-notice]"));
  const zoom = $("[data-zoom]");
  stage = new Stage(host, brush, {
    painting: () => easel.painting,
    begin: () => { notice.clear(); easel.begin(); },
    picked: (colour) => { brush.set({ colour }); announce(`Colour ${$("[data-hex]").textContent}`); },
    picking: (on) => $("[data-act=eyedropper]").setAttribute("aria-pressed", String(on)),
    zoomed: (factor) => { zoom.textContent = `${Math.round(factor * 100)}%`; zoom.classList.toggle("mut", factor === 1); },
  }, { grid: $(".paint"), below: $(".a-dock") });
  const siblings = ({ category }) => tasks.filter((task) => task.category === category);
  const easel = new Easel(host, {
    tab: "paint", stage, notice, protocol: chosenProtocol, siblings: (task) => (siblings(task).length ? siblings(task) : tasks),
    on: { put, acted, refresh: () => refresh(), message: (text) => notice.say(text), gone: (task) => forgetOwn(task.id) },
  });
  const card = new ScoreCard(host);
  const bar = new TaskBar(host, {
    rules: () => renew(), again: () => easel.again(), take: () => easel.told(() => takeTurn(easel.painting.id, easel.painting.task)),
    share: (shared) => easel.told(() => easel.painting.share(shared)), back: () => easel.told(() => easel.painting.handBack()),
  });
  const own = new OwnPicture((task) => easel.choose(task));
  const picker = new Picker({
    tasks: () => tasks, own: ownTasks, current: () => easel.painting?.task.id, budget: () => easel.painting?.task.budget ?? 0,
    choose: (task) => easel.choose(task), rules: () => renew(), upload: () => own.open(),
    begun: () => { const { painting } = easel; return Boolean(painting?.id && painting.started && !painting.finished && !painting.watching); }, again: () => easel.again(),
  });

  const refresh = eachFrame(() => {
    const { painting } = easel;
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
    easel.tellTurn();
    if (!painting.canPaint) stage.brushChanged();
  });

  function acted({ kind, step, outcome, status, guest = null }) {
    const { painting } = easel, values = painting.view.curve, score = values.at(-1);
    const gain = signed(score - (values.at(-2) ?? score)).replace("+", "up ").replace("−", "down ").replace("±", "changed by ");
    const what = kind === "undo" ? "Undone. " : outcome === "applied" ? "" : "Not painted. ";
    const end = status === "spent" ? " The budget is spent." : status === "submitted" ? " Submitted." : "";
    const who = guest && guest !== painting.guest ? `${guest}: ` : "";
    announce(kind === "submit" ? `Submitted with similarity ${f3(score)}` : `${who}${what}Step ${step}, similarity ${f3(score)}, ${gain}.${end}`);
  }

  /* What a task brings besides its picture. */
  function put(task, bitmap) {
    stage.show(task, bitmap);
    const colours = palette(stage.referencePixels);
    if (!brush.chosen) brush.state.colour = colours[Math.floor(colours.length / 2)];
    dock.setTask(task.width, colours);
    const place = siblings(task).findIndex(({ id }) => id === task.id);
    bar.setTask(task, bitmap, place < 0 ? "never ranked" : `task ${place + 1} of ${siblings(task).length}`);
    $("[data-reference]").setAttribute("aria-label", `Reference: ${task.title}`);
    if (task.category !== "own" || ownTasks().some(({ id }) => id === task.id)) setLastTask(task.id);
  }

  const find = async (id) => tasks.find((task) => task.id === id) ?? (id.startsWith("own-") ? findOwn(id) : null);

  /* Other rules for a painting that is not begun yet. */
  function renew() { if (!easel.painting.id && !easel.painting.started) easel.show(easel.painting.task); }

  async function submit() {
    const { painting } = easel;
    if (!painting.canSubmit) return;
    const { steps_left: left } = painting.view, { budget } = painting.task;
    if (left != null && left >= budget / 2 && !(await confirmSubmit(left, budget))) return;
    painting.submit();
    refresh();
  }

  /* What the URL asks for: a session, a task, the last task, or the first one worth painting. A semantic task or a session
     of one is the other tab's matter: it is opened there. */
  async function route() {
    const { painting } = easel, query = new URLSearchParams(onShow() ? location.search : ""), session = query.get("session"), wanted = query.get("task");
    if (session && session === painting?.id && painting.token === (tokenOf(session) ?? null)) return;
    let lost = null, away = semantic.has(wanted) ? { task: wanted } : null;
    if (session) {
      try {
        const view = await getSession(session);
        if (!isSemantic(view.task)) return await easel.open(view);
        away = { session };
      } catch (error) { lost = error.status === 404 ? "The painting of this link does not exist here: begin one of your own, or ask for the link again." : error.message; }
      setQuery({ session: null });
    }
    if (away) setQuery({ task: null });
    const task = (wanted && !away && (await find(wanted).catch(() => null))) ?? null;
    if (wanted && !task && !away) { lost = `There is no task “${wanted}” here: this is another one.`; setQuery({ task: null }); }
    if (task && !session && easel.painting && !easel.painting.id && easel.painting.task.id === task.id) return;
    const last = !task && (!wanted || away) && lastTask() && (await find(lastTask()).catch(() => null));
    const first = task || last || tasks.find(({ category }) => category === FAVOURITE) || tasks[0];
    await easel.show(first);
    if (away) openTab("semantic", away);
    if (lost) notice.say(lost);
  }

  const acts = {
    tasks: () => { if (!easel.painting || !TaskBar.holds(easel.painting)) picker.open(); }, undo: () => easel.painting?.undo(), redo: () => easel.painting?.redo(),
    submit, again: () => easel.again(), next: () => easel.next(),
    eyedropper: () => stage.eyedropper.toggle(), colour: () => dock.openColours(),
    "zoom-in": () => stage.view.zoomBy(1.25), "zoom-out": () => stage.view.zoomBy(0.8), "zoom-fit": () => stage.view.reset(),
  };
  host.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]")?.dataset.act;
    if (act && easel.painting) acts[act]?.();
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

  await easel.load(async () => {
    const all = await getTasks();
    tasks = all.filter((task) => !isSemantic(task));
    semantic = new Set(all.filter(isSemantic).map(({ id }) => id));
    await route();
  }, $(".paint"));
  addEventListener("es:query", () => { if (onShow()) route().catch((error) => notice.say(error.message)); });
}
