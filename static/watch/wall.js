/* All sessions, newest first, as a wall of pictures; those that are open grow while one looks. */
import { eachFrame, h, icon } from "../dom.js";
import { getTasks, listSessions } from "../session/api.js";
import { Backoff } from "../session/backoff.js";
import { Feeds } from "../session/feed.js";
import { current, openTab } from "../tabs.js";
import { Tile } from "./tile.js";

const PAGE = 24, TOGETHER = 24; // sessions asked for at once; sessions in one stream
const POLL = 3000; // ms between looks for new sessions

export class Wall {
  /** `open(id)` shows one session; `tab` is the tab that this is shown in. */
  constructor(open, tab) {
    Object.assign(this, { open, tab, shown: false, tiles: new Map(), tasks: null, timer: null, more: false });
    this.grid = h("div", { class: "wall", role: "list", "aria-label": "Sessions, newest first" });
    this.note = h("div", {});
    this.older = h("button", { type: "button", class: "btn", hidden: true, onclick: () => this.#older() }, "Older sessions");
    this.meta = h("div", { class: "meta" }, "All that is painted here, newest first.");
    this.element = h("section", { hidden: true },
      h("div", { class: "es-bar" }, h("div", {}, h("h1", { tabindex: -1 }, "Watch"), this.meta)), this.note, this.grid, h("div", { class: "row foot" }, this.older));
    this.backoff = new Backoff((state) => this.#connection(state));
    this.feeds = new Feeds(this.backoff, {
      snapshot: (view) => this.tiles.get(view.session_id)?.snapshot(view),
      action: (event) => this.tiles.get(event.session_id)?.action(event),
    }, tab);
    this.settle = eachFrame(() => { for (const tile of this.tiles.values()) tile.draw(); });
    this.grid.addEventListener("keydown", (event) => this.#move(event));
    for (const [target, name] of [[document, "visibilitychange"], [window, "es:tab"]]) target.addEventListener(name, () => this.#wake());
  }

  /** Show the wall, or put it away. */
  show(shown) {
    this.shown = shown;
    this.element.hidden = !shown;
    this.#wake();
  }

  get #wanted() { return this.shown && !document.hidden && current() === this.tab; }

  #wake() {
    clearTimeout(this.timer);
    if (this.#wanted) this.#look();
    else if (!this.shown) this.feeds.follow([]);
  }

  async #look() {
    clearTimeout(this.timer);
    try {
      this.tasks ??= new Map((await getTasks()).map((task) => [task.id, task]));
      this.#put(await listSessions({ limit: PAGE }));
      this.backoff.succeeded();
    } catch (error) {
      if (!this.#wanted) return;
      if (!error.retry) { this.#trouble(error.message); return; }
      await this.backoff.wait(error.after ?? 0);
    }
    if (!this.#wanted) return;
    this.settle();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#look(), POLL);
  }

  /* The newest page: what is new goes to the front, what is known keeps its place and its picture. */
  #put(summaries) {
    const first = !this.tiles.size, fresh = summaries.filter(({ session_id: id }) => !this.tiles.has(id)).map((summary) => this.#tile(summary));
    this.grid.prepend(...fresh.map((tile) => tile.item));
    if (first) this.older.hidden = summaries.length < PAGE;
    this.#follow();
    if (this.tiles.size) this.note.replaceChildren();
    else this.#empty();
    this.element.dataset.ready = "true";
  }

  #tile(summary) {
    const tile = new Tile(summary, this.tasks.get(summary.task_id), this.open);
    tile.item = h("div", { role: "listitem" }, tile.element);
    this.tiles.set(tile.id, tile);
    return tile;
  }

  /* The first open ones of the wall are followed live. */
  #follow() {
    if (!this.shown) return;
    const order = [...this.grid.children].map((item) => this.tiles.get(item.firstElementChild.dataset.session));
    this.feeds.follow(order.filter((tile) => tile.open).slice(0, TOGETHER).map(({ id }) => id));
  }

  async #older() {
    const last = this.grid.lastElementChild?.firstElementChild.dataset.session;
    this.older.disabled = true;
    try {
      const summaries = await listSessions({ limit: PAGE, before: last });
      this.grid.append(...summaries.filter(({ session_id: id }) => !this.tiles.has(id)).map((summary) => this.#tile(summary).item));
      this.older.hidden = summaries.length < PAGE;
      this.#follow();
    } catch (error) { this.#trouble(error.message); }
    this.older.disabled = false;
  }

  #empty() {
    if (this.note.querySelector("[data-empty]")) return;
    this.note.replaceChildren(h("div", { class: "hole", "data-empty": true }, icon("eye"), h("b", {}, "No session yet"),
      h("p", { class: "sm" }, "Paint a task, or let a built-in painter begin one: it appears here at once."),
      h("div", { class: "row" },
        h("button", { type: "button", class: "btn", onclick: () => openTab("paint") }, "Paint a task"),
        h("button", { type: "button", class: "btn primary", onclick: () => openTab("connect") }, "Watch a painter at work"))));
  }

  #trouble(text) {
    this.note.replaceChildren(h("div", { class: "lost row", role: "alert" }, icon("warn"), h("span", { class: "grow" }, text),
      h("button", { type: "button", class: "btn small", onclick: () => { this.note.replaceChildren(); this.#look(); } }, "Try again")));
  }

  #connection({ waiting, seconds }) {
    if (!waiting) { if (this.tiles.size) this.note.replaceChildren(); return; }
    this.note.replaceChildren(h("div", { class: "lost row", role: "alert" }, icon("warn"),
      h("span", { class: "grow" }, h("b", {}, "Connection lost."), ` The pictures are as they were; trying again ${seconds > 0 ? `in ${seconds} s` : "now"}.`),
      h("button", { type: "button", class: "btn small", onclick: () => this.backoff.now() }, "Try now")));
  }

  /* Arrows go from picture to picture. */
  #move(event) {
    const links = [...this.grid.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const columns = getComputedStyle(this.grid).gridTemplateColumns.split(" ").length;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    links[to]?.focus();
  }
}
