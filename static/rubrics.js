/* The Rubric review tab: a set of graded answers and a queue of it, which is reviewed, or whose agreement, scores, figures and traces are shown;
   and where tasks are written. */
import { announce, h, icon, storage } from "./dom.js";
import { shortcuts } from "./keys.js";
import { getSets } from "./rubrics/api.js";
import { bones, failed, hole } from "./rubrics/ending.js";
import { Review } from "./rubrics/review.js";
import { Reviewers, WhoDialog } from "./rubrics/who.js";
import { sampleTag } from "./rubrics/words.js";
import { current, setQuery } from "./tabs.js";
import { Menu } from "./watch/menu.js";

const TAB = "rubrics", KEY = "es-rubrics"; // the queue of last time
const VIEWS = [["review", "Review"], ["agreement", "Agreement"], ["scores", "Scores"], ["analysis", "Analysis"], ["author", "Author"]];
const WITHIN = { trace: "analysis" }; // views that are reached from another one
/* Views and dialogs that are rarely needed come when they are asked for. */
const LAZY = {
  agreement: () => import("./rubrics/agreement.js"), scores: () => import("./rubrics/scores.js"), analysis: () => import("./rubrics/analysis.js"),
  trace: () => import("./rubrics/tracepage.js"), author: () => import("./rubrics/author.js"),
};
const DIALOGS = {
  importer: () => import("./rubrics/importer.js"), toolruns: () => import("./rubrics/toolruns.js"), judge: () => import("./rubrics/judge.js"),
  newqueue: () => import("./rubrics/newqueue.js"), export: () => import("./rubrics/export.js"),
};
const DATA = [["importer", "Import…", "plus"], ["toolruns", "Run…", "play"], ["judge", "Judge…", "agent"], ["newqueue", "New queue…", "people"],
  ["export", "Export…", "save"]];
const NOT_LOADED = "A part of the page could not be loaded: check the connection, then reload the page.";
const CALM = 2000; // ms on another answer until the summary is brought up to date
const OURS = /^(tab|set|queue|show|view|deep_link|__.*)$/; // parameters of the link that no single view has
const viewIn = (link) => (VIEWS.some(([view]) => view === link.get("show")) || Object.hasOwn(WITHIN, link.get("show") ?? "") ? link.get("show") : "review");
const asked = () => { const link = new URLSearchParams(location.search); return link.get("tab") === TAB ? link : new URLSearchParams(); };

export default async function start(host) {
  let sets = null, set = null, queue = null, shown = null, turn = 0, loads = 0, stale = false, missed = null;
  const views = {}, left = new Map(); // views by name, once they are needed, and the parameters of each as it was left
  const reviewers = new Reviewers(() => meta());
  const whoDialog = new WhoDialog(reviewers, () => route());
  const tag = h("span", { class: "place" }), metaLine = h("div", { class: "meta" }, "\u00a0");
  const seg = h("div", { class: "seg views", role: "group", "aria-label": "Views" }, VIEWS.map(([name, label]) => h("button", { type: "button", "data-view": name, onclick: () => open(name) }, label)));
  const chooser = (label, chosen) => h("select", { class: "field", hidden: true, "aria-label": label, onchange: ({ target }) => chosen(target.value) });
  const ofSet = chooser("Set", (id) => go({ set: id, queue: null })), ofQueue = chooser("Queue", (id) => go({ queue: id }));
  const menu = new Menu("Data", "grid", items, { hide: "word" });
  const review = views.review = new Review({ reviewers, route: () => route(), meta: () => meta(), link: (changes, how) => { if (current() === TAB) setQuery(changes, how); }, open, data, voted: () => { stale = true; } });
  const place = h("div", { class: "place-view" }), under = h("div", { class: "row under" }, ofSet, ofQueue, review.filters.tail, review.filters.fields);
  const bar = h("div", { class: "es-bar" }, h("div", { class: "bar-title" }, h("div", { class: "row" }, h("h1", {}, "Rubric review"), tag), metaLine), seg, h("span", { class: "grow" }),
    review.progress.element, h("div", { class: "row bar-acts" }, review.filters.button, menu.element));
  const below = h("div", { class: "summary-place" });
  host.replaceChildren(bar, under, place, below);
  review.progress.element.classList.toggle("off", viewIn(asked()) !== "review");
  const room = new ResizeObserver(() => { if (place.offsetParent) host.style.setProperty("--top", `${Math.round(place.getBoundingClientRect().top + scrollY)}px`); });
  for (const above of [bar, under]) room.observe(above); // what is beneath them has the rest of the window

  function items() {
    const item = (name, label, glyph, run, needs) => h("button", {
      type: "button", role: "menuitem", class: "menu-item", onclick: () => { menu.toggle(false); menu.button.focus(); run(); }, "data-dialog": name, disabled: Boolean(needs),
    }, icon(glyph), h("span", { class: "grow" }, label, needs && h("span", { class: "xs needs" }, needs)));
    return [
      ...DATA.map(([name, label, glyph]) => item(name, label, glyph, () => data(name), !set && name !== "importer" && "Import a set first")),
      item("rulings", "Disagreements…", "compare", () => review.adjudicate(), !queue && "Make a queue first"),
    ];
  }

  /* Open a dialog on the data. */
  async function data(name) {
    try {
      const { open: show } = await DIALOGS[name]();
      await show({ set, sets: sets ?? [], queue, token: reviewers.token ?? null, changed });
    } catch (error) {
      console.warn(`dialog ${name} failed`, error);
      announce(NOT_LOADED);
      under.querySelector(".refusal")?.remove();
      under.append(h("p", { class: "refusal", role: "alert" }, NOT_LOADED));
    }
  }

  /* There is other data; `at` names the set or queue to show. */
  async function changed(at = {}) {
    if (at.set || at.queue) setQuery({ set: at.set ?? null, queue: at.queue ?? null, entry: null }, { push: true });
    review.question = null;
    await load();
  }

  /* Another view as it was left, with these parameters of the link changed. */
  function open(name, changes = {}) {
    const link = asked(), own = Object.fromEntries([...link].filter(([key]) => !OURS.test(key)));
    left.set(viewIn(link), own);
    const there = go({ ...Object.fromEntries(Object.keys(own).map((key) => [key, null])), ...left.get(name), ...changes, show: name === "review" ? null : name });
    return there.then(() => { if (document.activeElement === document.body) shown?.focus?.(); }); // what had the focus is gone with the view before
  }

  function go(changes) {
    const others = "set" in changes || "queue" in changes ? { entry: null } : {};
    if ("set" in changes || "queue" in changes) left.clear();
    setQuery({ ...others, ...changes }, { push: true });
    return route();
  }

  /* Show what the link asks for in another set, which may be newer than what is known. */
  function settle(id) {
    setQuery({ set: id, queue: null });
    return sets.some((one) => one.set_id === id) ? route() : load();
  }

  async function load() {
    const mine = ++loads;
    if (!sets) place.replaceChildren(bones());
    try {
      const found = await getSets();
      if (mine !== loads) return;
      sets = found;
      await route();
    } catch (error) {
      if (mine !== loads) return;
      leave();
      place.replaceChildren(failed("The rubric sets could not be loaded", error.message, [["Try again", load]]));
    }
  }

  /* Which set and queue the link asks for, or those of last time, or the first ones. */
  function choose(link) {
    const last = storage.get(KEY, null), all = sets.flatMap((one) => one.queues.map((its) => [one, its]));
    const wanted = all.find(([, { queue_id: id }]) => id === link.get("queue")) ?? (link.get("queue") || link.get("set") ? null : all.find(([, { queue_id: id }]) => id === last) ?? all[0]);
    [set, queue] = wanted ?? [sets.find(({ set_id: id }) => id === link.get("set")) ?? (link.get("queue") || link.get("set") ? null : sets[0]), null];
    if (set && !queue && !link.get("queue")) queue = set.queues.find(({ queue_id: id }) => id === last) ?? set.queues[0] ?? null;
    if (queue) storage.set(KEY, queue.queue_id);
  }

  /* Show what the link asks for. */
  async function route() {
    if (!sets) return;
    const link = asked(), name = viewIn(link);
    choose(link);
    const wanted = link.get("queue") ?? link.get("set");
    if (!set && wanted && wanted !== missed) { // it may be younger than this page, as a draft's first trial is
      missed = wanted;
      await load();
      return;
    }
    for (const button of seg.children) button.setAttribute("aria-pressed", String(button.dataset.view === (WITHIN[name] ?? name)));
    choosers(name === "review", name !== "author");
    tag.replaceChildren(...(set?.sample && name !== "author" ? [sampleTag()] : [])); // authors write for no set
    const empty = name === "author" ? null : !sets.length ? hole("image", "No rubric data yet", "Import tasks with rubrics and models’ answers to them: then a judge can grade them and people review it.", [["Import…", () => data("importer")]])
      : !set ? failed("There is no such set or queue here", "The link names one that this studio does not have.", [["Show what there is", () => go({ set: null, queue: null })]])
        : name === "review" && !queue ? hole("people", `No review queue in “${set.name}” yet`, "A queue says what is to be reviewed, and by how many people.", [["New queue…", () => data("newqueue")]]) : null;
    if (empty) {
      leave();
      meta();
      place.replaceChildren(empty);
      return;
    }
    if (set && (link.get("tab") === TAB || current() === TAB)) setQuery(queue ? { queue: queue.queue_id, set: null } : { set: set.set_id });
    await put(name);
  }

  function choosers(reviewing, setsMatter = true) {
    const fill = (select, list, value, key) => {
      select.hidden = list.length < 2;
      select.replaceChildren(...list.map((one) => h("option", { value: one[key] }, one.name)));
      select.value = value ?? "";
    };
    fill(ofSet, sets, set?.set_id, "set_id");
    fill(ofQueue, set?.queues ?? [], queue?.queue_id, "queue_id");
    if (!setsMatter) ofSet.hidden = true;
    if (!reviewing) ofQueue.hidden = true; // scores are of the set, and the agreement has a chooser of its own
  }

  async function put(name) {
    const mine = ++turn;
    let view = views[name];
    if (!view) {
      place.setAttribute("aria-busy", "true");
      try {
        const { default: View } = await LAZY[name]();
        view = views[name] ??= new View({ open, data, settle, reviewers });
      } catch (error) {
        console.warn(`view ${name} failed`, error);
        leave();
        place.replaceChildren(failed("This view could not be loaded", NOT_LOADED, [["Reload", () => location.reload()]]));
      }
      place.removeAttribute("aria-busy");
      if (!view || mine !== turn) return;
    }
    if (shown !== view) {
      leave();
      shown = view;
      place.replaceChildren(view.element);
      shortcuts(TAB, view === review ? KEYS : view.keys ?? [], [["This list", "?"]]);
    }
    const reviewing = view === review;
    review.filters.button.classList.toggle("off", !reviewing);
    under.classList.toggle("reviewing", reviewing);
    review.progress.element.classList.toggle("off", !reviewing);
    meta();
    const wish = { set, queue, token: reviewers.token ?? null };
    summary(reviewing, wish);
    await view.show(wish);
  }

  function leave() {
    shown?.leave();
    shown = null;
    review.progress.element.classList.add("off");
    below.hidden = true;
  }

  /* Under the review: how far the judge agrees so far. */
  async function summary(on, wish) {
    below.hidden = !on;
    if (!on) return;
    try {
      const { Summary } = await LAZY.agreement();
      views.summary ??= new Summary({ data });
      if (!below.firstChild) below.append(views.summary.element);
      stale = false;
      await views.summary.show(wish);
    } catch (error) { console.warn("summary failed", error); } // the review goes on without it
  }

  let answer = "", later = null;
  function meta() {
    const where = shown === review ? review.where : "";
    const change = () => h("button", { type: "button", class: "link", "data-act": "who", onclick: () => whoDialog.open() }, "change");
    const nobody = shown === review ? [where ? "the first vote asks for your name" : "The first vote asks for your name"] : [];
    const who = reviewers.name ? [viewIn(asked()) === "author" ? "Writing as " : "Reviewing as ", h("b", {}, reviewers.name), " ", change()] : nobody;
    metaLine.replaceChildren(...[where, where && who.length ? " · " : "", ...who].filter(Boolean));
    if (!metaLine.firstChild) metaLine.append(set?.name ?? "\u00a0");
    if (where !== answer && stale) { // computing it must not slow the first look at another answer down
      clearTimeout(later);
      later = setTimeout(() => { if (shown === review) summary(true, { set, queue, token: reviewers.token ?? null }); }, CALM);
    }
    answer = where;
  }

  const key = (name, label, run, more = {}) => [name, { label, run, once: true, ...more }];
  const KEYS = [
    key("m", "Met", () => review.press("met")), key("n", "Not met", () => review.press("not_met")), key("u", "Can’t assess", () => review.press("cannot_assess")),
    key("Enter", "Next open criterion", () => review.next()), ...["ArrowLeft", "k"].map((name) => key(name, "Previous criterion", () => review.step(-1), { once: false })),
    ...["ArrowRight", "j"].map((name) => key(name, "Next criterion", () => review.step(1), { once: false })),
    key("Shift+ArrowRight", "Next answer", () => review.leap(1)), key("Shift+ArrowLeft", "Previous answer", () => review.leap(-1)),
    ...[1, 2, 3].map((value) => key(String(value), "Confidence low, medium, high", () => review.sure(value))), key("o", "Note", () => review.ballot.write()), key("e", "Why it misses", () => review.ballot.explain()),
    key("z", "Look closer at the picture", () => review.card.magnify()), key("v", "Go to the marked evidence", () => review.card.toMark()), key("t", "Open or close the tool calls", () => review.card.trace()),
    key("a", "Disagreements to settle", () => review.adjudicate()), key("x", "Undo the last vote", () => review.undo()),
  ];
  addEventListener("es:tab", () => { if (current() !== TAB) review.votes.flush(); else if (sets?.length) route(); else load(); });
  addEventListener("es:query", () => { if (new URLSearchParams(location.search).get("tab") === TAB) route(); });
  await load();
}
