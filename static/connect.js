/* The Connect tab: a session to point an agent at, the ways in, a painter to try, and runs of models. */
import { announce, h, icon, storage } from "./dom.js";
import { shortcuts } from "./keys.js";
import { createSession, getTasks, startPainter, stopPainter } from "./session/api.js";
import { Begin } from "./connect/begin.js";
import { SessionCard } from "./connect/card.js";
import { Runs } from "./connect/runs.js";
import { Snippets } from "./connect/snippets.js";

const KEY = "es-connected"; // the last session begun here: {id, token, painter}
const SHOWPIECES = ["natural-01", "abstract-14", "spatial-24", "natural-05", "abstract-02"]; // tasks that look well soon
const PACE = 12; // strokes a second: fast enough to see a picture come, slow enough to see each stroke

export default async function start(host) {
  let tasks = [], shown = 0;
  const snippets = new Snippets();
  const card = new SessionCard("connect", { tryIt: () => tryIt(), stop: (session) => halt(session), goOn: (session) => goOn(session) });
  const begin = new Begin(() => tasks, ({ session_id: id, write_token: token }) => put({ id, token, painter: false }));
  const fresh = h("button", { type: "button", class: "btn", onclick: () => begin.open() }, icon("plus"), "New session");
  const runs = new Runs("connect");
  host.replaceChildren(
    h("div", { class: "es-bar between" },
      h("div", { class: "bar-title" }, h("h1", {}, "Connect an agent"), h("div", { class: "meta" }, "MCP, REST and Python reach the same canvas. Every stroke is scored and recorded.")), fresh),
    card.element, snippets.element, runs.element);

  /* Show a session and remember it; its token is filled in where an agent may paint. */
  async function put(session) {
    storage.set(KEY, session);
    snippets.show(session.painter ? null : session);
    card.say(null);
    try { await card.follow(session); } catch (error) { card.say(error.message); }
  }

  async function tryIt() {
    const wanted = SHOWPIECES[shown++ % SHOWPIECES.length], task = tasks.find(({ id }) => id === wanted) ?? tasks[0];
    card.wait(true);
    card.say(null);
    try {
      const { session_id: id, write_token: token } = await createSession({ task_id: task.id, protocol: "studio", player: { kind: "painter", name: "Greedy painter" } });
      await work(id, token);
      await put({ id, token, painter: true });
      announce(`The greedy painter paints “${task.title}”`);
    } catch (error) { card.say(error.message); }
    card.wait(false);
  }

  const work = (id, token) => startPainter(id, token, { painter: "greedy", seed: Math.floor(Math.random() * 1e6), strokes_per_second: PACE });

  async function goOn(session) {
    try {
      await work(session.id, session.token);
      await put({ ...session, stopped: false });
    } catch (error) { card.say(error.message); }
  }

  async function halt(session) {
    try {
      await stopPainter(session.id, session.token);
      await put({ ...session, stopped: true });
    } catch (error) { card.say(error.message); }
  }

  shortcuts("connect", [["n", { label: "New session", run: () => { if (!fresh.disabled) begin.open(); }, once: true }]], [["This list", "?"]]);
  fresh.disabled = true;
  for (;;) {
    try { tasks = await getTasks(); break; } catch (error) { await again(card, error); }
  }
  fresh.disabled = false;
  runs.start(tasks);
  const last = storage.get(KEY, null);
  if (last) {
    snippets.show(last.painter ? null : last);
    try { await card.follow(last); } catch (error) {
      if (error.status === 404) { storage.set(KEY, null); snippets.show(null); } else card.say(error.message);
    }
  }
  await card.offer(tasks.find(({ id }) => id === SHOWPIECES[0]) ?? tasks[0]);
}

/* The tasks could not be had: say so and wait for the press of the button. */
function again(card, error) {
  return new Promise((resolve) => {
    card.say(error.message);
    card.error.append(" ", h("button", { type: "button", class: "btn small", onclick: () => { card.say(null); resolve(); } }, "Try again"));
  });
}
