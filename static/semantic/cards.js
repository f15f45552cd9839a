/* The five tasks: picture, how far one is with each, and the best results of people and of agents. */
import { f3, h, icon, s, setText } from "../dom.js";
import { kindOf } from "../players.js";
import { referenceUrl } from "../session/api.js";
import { bestOf, unfinished } from "../session/library.js";
import { solvedFrom } from "../tasks.js";

const GLYPHS = { human: "person", agent: "agent", painter: "brush" };
const WORD = "M11 24v24M11 40q5-8 8 0v8M26 42h9q0-7-5-6-5 1-4 7 2 6 8 3M41 24v24M47 24v24M58 48a5.500 5.500 0 1 1 .1 0"; // "hello"

/** The best results of a task that are worth telling: of people and of agents, else of painters: [{kind, player, score, step}]. */
export function bestKinds(best) {
  const found = (kinds) => kinds.filter((kind) => best?.[kind]).map((kind) => ({ kind, ...best[kind] }));
  const rivals = found(["human", "agent"]);
  return rivals.length ? rivals : found(["painter"]);
}

/** The glyph of a kind of player, with its word for screen readers. */
export const playerGlyph = (kind) => [icon(GLYPHS[kind]), h("span", { class: "es-sr" }, `${kindOf({ kind })} `)];

/* How far one is with the task on the easel; the library hears of it a little later. */
function own({ task, view, started, finished }) {
  const best = bestOf(task.id), final = finished ? view.curve.at(-1) : null;
  return { step: started && !finished ? view.step : null, score: final == null ? best : Math.max(final, best ?? 0) };
}

/* A word is written on a blank sheet: its card shows what may become of it. */
const picture = (task) => (task.kind === "handwriting"
  ? s("svg", { viewBox: "0 0 72 72", "aria-hidden": "true" }, s("path", { class: "line", d: "M8 50h56" }), s("path", { class: "word", d: WORD }))
  : h("img", { src: referenceUrl(task.id), alt: "", width: task.width, height: task.height, decoding: "async" }));

export class Cards {
  /** In `nav`, with `solved` for the count; `choose(task)` is asked for. */
  constructor(nav, solved, choose) { Object.assign(this, { nav, solved, choose, tasks: [], best: new Map(), cards: new Map() }); }

  /** The tasks to show. */
  offer(tasks) {
    this.tasks = tasks;
    this.cards = new Map(tasks.map((task) => [task.id, this.#card(task)]));
    this.nav.replaceChildren(...[...this.cards.values()].map(({ link }) => link));
  }

  #card(task) {
    const state = h("span", { class: "tag" }), done = h("span", { class: "done", title: "Solved before", hidden: true }, icon("check"), h("span", { class: "es-sr" }, "Solved before")), best = h("span", { class: "best-of xs" });
    const link = h("a", {
      class: "card tcard", href: `?tab=semantic&task=${encodeURIComponent(task.id)}`, "data-task": task.id,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // a new window, as of any link
        event.preventDefault();
        this.choose(task);
      },
    }, h("span", { class: "thumb" }, picture(task)), h("span", { class: "about" }, h("b", { class: "nowrap", title: task.title }, task.title), h("span", { class: "row" }, state, done), best));
    return { link, state, done, best };
  }

  /** The best results of all tasks: [{task_id, human, agent, painter}]. */
  results(best) {
    this.best = new Map(best.map((entry) => [entry.task_id, entry]));
    for (const [id, card] of this.cards) {
      const kinds = bestKinds(this.best.get(id));
      card.best.replaceChildren(...(kinds.length ? kinds.map(({ kind, player, score }) => h("span", { class: "row", title: `${kindOf({ kind })}: ${player}` }, playerGlyph(kind), f3(score))) : [h("span", { class: "mut" }, "No result yet")]));
    }
  }

  /** Who is at work on what: the states of all cards, with that of `painting` as it is now. */
  draw(painting) {
    let solved = 0;
    for (const task of this.tasks) {
      const { id, budget } = task, card = this.cards.get(id), { link, state } = card, here = painting?.task.id === id;
      const { step, score } = here && !painting.watching && !painting.guest ? own(painting) : { step: unfinished(id)?.step, score: bestOf(id) };
      const done = score >= solvedFrom(task);
      solved += done;
      if (here) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
      setText(state, step != null ? `Step ${step} of ${budget}` : score == null ? "Not started" : `${done ? "Solved" : "Done"}, ${f3(score)}`);
      card.done.hidden = !done || step == null; // its tag tells of the attempt under way
      state.className = `tag ${step != null ? "warn" : done ? "acc" : ""}`;
    }
    setText(this.solved, `${solved} of ${this.tasks.length} solved`);
  }

  /** Bring the card of a task into sight where they do not fit beside each other. */
  reveal(id) {
    const link = this.cards.get(id)?.link;
    if (link) this.nav.scrollLeft = link.offsetLeft - (this.nav.clientWidth - link.offsetWidth) / 2;
  }
}
