/* All sessions, newest first, as a wall of pictures; those that are open grow while one looks. */
import { eachFrame, h, icon } from "../dom.js";
import { getTask, getTasks, listSessions } from "../session/api.js";
import { Backoff } from "../session/backoff.js";
import { Feeds } from "../session/feed.js";
import { current, openTab } from "../tabs.js";
import { Importer } from "./importer.js";
import { Tile } from "./tile.js";

const PAGE = 24, TOGETHER = 24; // sessions asked for at once; sessions in one stream
const FILTERS = ["run", "task", "player", "kind", "order"], WORDS = { run: "the run ", task: "the task ", player: "", kind: "players of the kind " };
const POLL = 3000; // ms between looks for new sessions

export class Wall {
  /** `open(id)` shows one session, `only(query)` other ones on the wall; `tab` is the tab that this is shown in. */
  constructor(open, only, tab) {
    Object.assign(this, { open, only, tab, shown: false, tiles: new Map(), tasks: null, timer: null, query: {}, last: null });
    this.importer = new Importer(open, () => this.#wake());
    this.orders = h("div", { class: "seg", role: "group", "aria-label": "Which paintings" }, [["newest", "Newest"], ["best", "Best of each task"]].map(([order, label]) => h("button", {
      type: "button", "data-order": order, onclick: () => only(order === "best" ? { order } : {}),
    }, label)));
    this.grid = h("div", { class: "wall", role: "list", "aria-label": "Sessions, newest first" });
    this.note = h("div", {});
    this.older = h("button", { type: "button", class: "btn", hidden: true, onclick: () => this.#older() }, "Older sessions");
    this.meta = h("div", { class: "meta whole" });
    this.every = h("button", { type: "button", class: "btn", onclick: () => only({}) }, icon("grid"), "All sessions");
    this.element = h("section", { hidden: true },
      h("div", { class: "es-bar between" }, h("div", { class: "bar-title" }, h("h1", { tabindex: -1 }, "Watch"), this.meta), h("div", { class: "row bar-acts" }, this.every, this.orders, this.importer.button)), this.note, this.grid, h("div", { class: "row foot" }, this.older));
    this.backoff = new Backoff((state) => this.#connection(state));
    this.feeds = new Feeds(this.backoff, {
      snapshot: (view) => this.tiles.get(view.session_id)?.snapshot(view),
      action: (event) => this.tiles.get(event.session_id)?.action(event),
    }, tab);
    this.settle = eachFrame(() => { for (const tile of this.tiles.values()) tile.draw(); });
    this.grid.addEventListener("keydown", (event) => this.#move(event));
    for (const [target, name] of [[document, "visibilitychange"], [window, "es:tab"]]) target.addEventListener(name, () => this.#wake());
  }

  /** Show only the sessions that a query {run, task, player, kind, order} asks for. */
  of(query) {
    const asked = Object.fromEntries(FILTERS.filter((name) => query[name]).map((name) => [name, query[name]]));
    if (JSON.stringify(asked) !== JSON.stringify(this.query)) {
      this.tiles.clear();
      this.grid.replaceChildren();
      this.note.replaceChildren();
      Object.assign(this, { query: asked, last: null });
      this.older.hidden = true;
      delete this.element.dataset.ready;
    }
    const { order, ...only } = this.query, of = Object.entries(only).flatMap(([name, value], k) => [k ? " and " : "", WORDS[name], h("b", { title: value }, value)]);
    this.every.hidden = !of.length;
    for (const button of this.orders.children) button.setAttribute("aria-pressed", button.dataset.order === (order ?? "newest"));
    this.orders.hidden = of.length > 0;
    this.meta.replaceChildren(...(order === "best" ? ["The best ranked painting of each task."] : of.length ? ["Only the paintings of ", ...of, ", newest first."] : ["All that is painted here, newest first."]));
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
    const { query } = this;
    try {
      this.tasks ??= new Map((await getTasks()).map((task) => [task.id, task]));
      const page = await this.#known(await this.#page());
      if (query !== this.query) return; // another look is on its way
      await this.#put(page);
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

  #page(query = {}) { return listSessions({ limit: PAGE, ...this.query, ...query }); }

  /* The same summaries, once what can be known of their tasks is: generated ones and people's own are in no list. */
  async #known(summaries) {
    const strange = [...new Set(summaries.map((summary) => summary.task_id))].filter((id) => !this.tasks.has(id));
    await Promise.all(strange.map(async (id) => this.tasks.set(id, await getTask(id).catch((error) => { if (error.retry) throw error; }))));
    return summaries;
  }

  /* The newest page: what is new goes to its place, what is known keeps its place and its picture. */
  async #put(summaries) {
    for (const tile of this.tiles.values()) if (tile.abandoned && !tile.element.matches(":focus")) this.#remove(tile);
    this.#add(summaries, this.grid.firstChild);
    if (!this.last) {
      this.#reached(summaries);
      if (!this.tiles.size && !this.older.hidden) await this.#older();
    }
    this.#follow();
    if (this.tiles.size) this.note.replaceChildren();
    else this.#empty();
    this.element.dataset.ready = "true";
  }

  /* Tiles of those that are new, each behind the one that is listed before it; the first before `next`. */
  #add(summaries, next) {
    for (const summary of summaries) {
      let tile = this.tiles.get(summary.session_id);
      if (tile) { next = tile.item.nextSibling; continue; }
      tile = new Tile(summary, this.tasks.get(summary.task_id), this.open);
      if (tile.abandoned) continue;
      tile.item = h("div", { role: "listitem" }, tile.element);
      this.tiles.set(tile.id, tile);
      this.grid.insertBefore(tile.item, next);
    }
  }

  #remove(tile) {
    tile.item.remove();
    this.tiles.delete(tile.id);
    this.feeds.drop(tile.id);
  }

  /* How far back the wall has looked; what it left out counts. */
  #reached(summaries) {
    this.last = summaries.at(-1)?.session_id ?? this.last;
    this.older.hidden = summaries.length < PAGE;
  }

  /* The first open ones of the wall are followed live. */
  #follow() {
    if (!this.shown) return;
    const order = [...this.grid.children].map((item) => this.tiles.get(item.firstElementChild.dataset.session));
    this.feeds.follow(order.filter((tile) => tile.open).slice(0, TOGETHER).map(({ id }) => id));
  }

  async #older() {
    const { query } = this, known = this.tiles.size;
    this.older.disabled = true;
    try {
      do { // a page of starts that came to nothing leads to the next
        const summaries = await this.#known(await this.#page({ before: this.last }));
        if (query !== this.query) break;
        this.#add(summaries, null);
        this.#reached(summaries);
      } while (this.tiles.size === known && !this.older.hidden);
      this.#follow();
    } catch (error) { this.#trouble(error.message); }
    this.older.disabled = false;
  }

  #empty() {
    if (this.note.querySelector("[data-empty]")) return;
    if (this.query.order) {
      this.note.replaceChildren(h("div", { class: "hole", "data-empty": true }, icon("eye"), h("b", {}, "No ranked painting yet"), h("p", { class: "sm" }, "A painting is ranked when it has ended, by benchmark or studio rules, and one player alone painted it."), h("button", { type: "button", class: "btn", onclick: () => openTab("paint") }, "Paint a task")));
      return;
    }
    if (Object.keys(this.query).length) {
      this.note.replaceChildren(h("div", { class: "hole", "data-empty": true }, icon("eye"), h("b", {}, "No such painting yet"), h("p", { class: "sm" }, "Each appears here with its first stroke.")));
      return;
    }
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
