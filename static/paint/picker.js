/* The task drawer: by category with thumbnails, search, rules and name of the next painting, and own pictures. */
import { dialog, f3, h, icon } from "../dom.js";
import { referenceUrl } from "../session/api.js";
import { bestOf, playerName, setPlayerName, unfinished } from "../session/library.js";
import { CATEGORIES } from "../tasks.js";
import { rulesControl } from "./taskbar.js";

const shownOf = () => (innerWidth <= 720 ? 3 : 4); // of a category until it is opened: one row
const matches = (task, words) => words.every((word) => `${task.title} ${task.id} ${CATEGORIES[task.category] ?? ""}`.toLowerCase().includes(word));

export class Picker {
  /** `hooks`: tasks() all tasks, own() own ones, current() the task's id, budget(), choose(task), rules(protocol), upload(),
   *  begun() whether there is something to start over, again(). */
  constructor(hooks) {
    this.hooks = hooks;
    this.opened = new Set();
    this.search = h("input", { type: "search", placeholder: "Search by name", "aria-label": "Search tasks", autocomplete: "off" });
    this.name = h("input", { type: "text", maxlength: 60, placeholder: "Guest painter", autocomplete: "nickname", "aria-label": "Your name, shown beside your paintings" });
    this.rules = h("div", { class: "drawer-rules" });
    this.list = h("div", { class: "shelves" });
    this.box = dialog({ class: "es drawer", "aria-labelledby": "es-drawer-title" },
      h("header", {},
        h("div", { class: "row between" }, h("h1", { id: "es-drawer-title" }, "Choose a task"),
          h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => this.box.close() }, icon("x"))),
        h("div", { class: "row wide drawer-tools" },
          h("label", { class: "search" }, icon("search"), this.search),
          h("label", { class: "as" }, h("span", { class: "sub" }, "Painting as"), this.name)),
        this.rules),
      this.list);
    this.search.addEventListener("input", () => this.#draw());
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") { event.preventDefault(); this.#tiles()[0]?.focus(); }
    });
    this.name.addEventListener("change", () => setPlayerName(this.name.value));
    this.list.addEventListener("keydown", (event) => this.#move(event));
    this.list.addEventListener("focusin", (event) => { if (event.target.matches(".tile")) this.#rove(event.target); });
  }

  open() {
    if (this.box.open) return;
    this.search.value = "";
    this.name.value = playerName() === "Guest painter" ? "" : playerName();
    this.#drawRules();
    this.#draw();
    this.box.showModal();
    const tile = this.#tiles().find((t) => t.getAttribute("aria-pressed") === "true") ?? this.#tiles()[0];
    tile?.focus({ preventScroll: true });
    tile?.scrollIntoView({ block: "center" });
  }

  close() { this.box.close(); }

  #drawRules() {
    this.rules.replaceChildren(rulesControl(this.hooks.budget(), (protocol) => { this.hooks.rules(protocol); this.#drawRules(); this.rules.querySelector("[aria-pressed=true]").focus(); }),
      ...(this.hooks.begun() ? [h("button", { type: "button", class: "btn", onclick: () => { this.close(); this.hooks.again(); } }, icon("again"), "Start over")] : []));
  }

  #tiles() { return [...this.list.querySelectorAll(".tile")]; }
  #rove(tile) { for (const other of this.#tiles()) other.tabIndex = other === tile ? 0 : -1; }

  #draw() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean), tasks = this.hooks.tasks().filter((task) => matches(task, words));
    const shelves = Object.keys(CATEGORIES).filter((category) => category !== "own")
      .map((category) => this.#shelf(category, tasks.filter((task) => task.category === category), words.length > 0));
    const own = words.length ? null : this.#own();
    const none = h("div", { class: "hole" }, icon("search"), h("b", {}, "No task by that name"), h("p", {}, "Try a shorter word, or look through the categories."),
      h("button", { type: "button", class: "btn", onclick: () => { this.search.value = ""; this.#draw(); this.search.focus(); } }, "Show all tasks"));
    this.list.replaceChildren(...(tasks.length ? [...shelves, own].filter(Boolean) : [none]));
    const tiles = this.#tiles();
    if (tiles.length) this.#rove(tiles.find((t) => t.getAttribute("aria-pressed") === "true") ?? tiles[0]);
  }

  #shelf(category, tasks, searching) {
    if (!tasks.length) return null;
    const few = shownOf(), open = searching || this.opened.has(category), current = tasks.findIndex((task) => task.id === this.hooks.current());
    let shown = open ? tasks : tasks.slice(0, few);
    if (!open && current >= few) shown = [...tasks.slice(0, few - 1), tasks[current]];
    const toggle = () => {
      this.opened[open ? "delete" : "add"](category);
      this.#draw();
      this.list.querySelector(`[data-shelf="${category}"] .tight`)?.focus({ preventScroll: true });
    };
    return h("section", { "data-shelf": category, "aria-label": CATEGORIES[category] },
      h("h3", {}, CATEGORIES[category], tasks.length > few && !searching
        ? h("button", { type: "button", class: `btn ghost tight ${open ? "open" : ""}`, "aria-expanded": String(open), onclick: toggle }, open ? "Fewer" : `All ${tasks.length}`, icon("next")) : null),
      h("div", { class: "gallery" }, shown.map((task) => this.#tile(task))));
  }

  #own() {
    return h("section", { "data-shelf": "own", "aria-label": CATEGORIES.own },
      h("h3", {}, CATEGORIES.own),
      h("div", { class: "gallery" },
        h("button", { type: "button", class: "tile add", onclick: () => { this.close(); this.hooks.upload(); } }, h("span", { class: "plus" }, icon("plus")), h("span", { class: "name" }, "Add a picture")),
        this.hooks.own().map((task) => this.#tile(task))));
  }

  #tile(task) {
    const going = unfinished(task.id), best = bestOf(task.id), current = task.id === this.hooks.current();
    const note = going ? `step ${going.step}` : best == null ? "" : f3(best).replace(/^0/, "");
    const says = going ? `, begun, step ${going.step}` : best == null ? "" : `, your best ${f3(best)}`;
    return h("button", { type: "button", class: "tile", "aria-pressed": String(current), "aria-label": `${task.title}${says}`, title: task.title, "data-task": task.id, onclick: () => { this.close(); this.hooks.choose(task); } },
      h("img", { src: referenceUrl(task.id), alt: "", loading: "lazy", decoding: "async", width: task.width, height: task.height }),
      h("span", { class: "row between" }, h("span", { class: "name" }, task.title), h("span", { class: going ? "xs going" : "mut xs" }, note)));
  }

  /* Arrows go to the nearest tile that way; Tab leaves the shelves. */
  #move(event) {
    const tiles = this.#tiles(), at = tiles.indexOf(document.activeElement);
    // a letter begins a search: it lands in the field, which has the focus by then
    if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) { this.search.focus(); return; }
    if (at < 0 || !/^(Arrow|Home|End)/.test(event.key)) return;
    event.preventDefault();
    const from = tiles[at].getBoundingClientRect(), middle = from.left + from.width / 2;
    const across = (tile) => Math.abs(tile.getBoundingClientRect().left + tile.offsetWidth / 2 - middle);
    const row = (wanted) => wanted.length && wanted.filter((tile) => Math.abs(tile.offsetTop - wanted[0].offsetTop) < 4).reduce((a, b) => (across(b) < across(a) ? b : a));
    const to = {
      ArrowRight: () => tiles[at + 1], ArrowLeft: () => tiles[at - 1], Home: () => tiles[0], End: () => tiles.at(-1),
      ArrowDown: () => row(tiles.filter((tile) => tile.getBoundingClientRect().top >= from.bottom - 4)),
      ArrowUp: () => row(tiles.filter((tile) => tile.getBoundingClientRect().bottom <= from.top + 4).reverse()),
    }[event.key]();
    if (to) to.focus();
    else if (event.key === "ArrowUp") this.search.focus();
  }
}
