/* The Plan inspection tab: a set of plans, one of which is read and judged as a document; beside it two plans are compared, and scores and agreement shown. */
import { announce, dialog, h, icon, storage } from "./dom.js";
import { shortcuts } from "./keys.js";
import * as api from "./plans/api.js";
import { Desk } from "./plans/desk.js";
import { DIGITS, keysOf } from "./plans/keys.js";
import { PLACE } from "./plans/pane.js";
import { failed, hole, bones } from "./rubrics/ending.js";
import { Reviewers, WhoDialog } from "./rubrics/who.js";
import { current, setQuery } from "./tabs.js";
import { Menu } from "./watch/menu.js";

const TAB = "plans", KEY = "es-plans"; // the set of last time
const VIEWS = [["inspect", "Inspect"], ["compare", "Compare"], ["scores", "Scores"], ["agreement", "Agreement"]];
/* Views, the list and the dialogs come when they are asked for. */
const LAZY = { compare: () => import("./plans/compare.js"), scores: () => import("./plans/scores.js"), agreement: () => import("./plans/agreement.js"),
  list: () => import("./plans/list.js"), importer: () => import("./plans/importer.js"), inspect: () => import("./plans/inspect.js"),
  export: () => import("./plans/export.js") };
const DATA = [["importer", "Import…", "plus"], ["inspect", "Inspect…", "agent"], ["export", "Export…", "save"]];
const NOT_LOADED = "A part of the page could not be loaded: check the connection, then reload the page.";
/* Filters of the list: by their names in the link, those of REST. */
const FILTERS = { planner: "planner", category: "category", tool: "tool", status: "status", problem: "problem", severity: "severity", missing: "gap", open: "open",
  verdict: "verdict", q: "q" };
const LINKED = Object.fromEntries(Object.entries(FILTERS).map(([ours, rest]) => [rest, ours]));
const OWN = { inspect: /^(call|gap|block|part|report|doc|only)$/, compare: /^(with|c_.*)$/, scores: /^s_/, agreement: /^a_/ }; // parameters of one view alone
const asked = () => { const link = new URLSearchParams(location.search); return link.get("tab") === TAB ? link : new URLSearchParams(); };
const viewIn = (link) => (VIEWS.some(([view]) => view === link.get("show")) ? link.get("show") : "inspect");

export default async function start(host) {
  let sets = null, set = null, tools = [], shown = null, turn = 0, loads = 0, asking = null;
  const views = {}, left = new Map(); // views by name, and the parameters of each as it was left
  const reviewers = new Reviewers(() => meta());
  const whoDialog = new WhoDialog(reviewers, () => { if (asking) asking(reviewers.token); else route(); }); // whoever asked goes on by themselves
  whoDialog.box.addEventListener("close", () => setTimeout(() => { asking?.(null); asking = null; })); // `done` comes after it
  const state = {
    get sets() { return sets ?? []; }, get set() { return set; }, get tools() { return tools; }, get plan() { return desk.plan; }, get me() { return reviewers.name; },
      get token() { return reviewers.token ?? null; }, get reading() { return desk.reading; },
    get answer() { const wanted = asked().get("plan"); return /^\d{1,15}$/.test(wanted ?? "") ? Number(wanted) : wanted; },
    get inspection() { return asked().get("inspection"); },
    get filters() { return Object.fromEntries([...asked()].filter(([name]) => name in FILTERS).map(([name, value]) => [FILTERS[name], value])); },
  };
  const link = (changes, how) => { if (current() === TAB) setQuery(changes, how); };
  const context = { api, state, openPlan, openView, openDialog, setQuery: link, setFilters, link: asked, changed, who, say: announce };
  const desk = new Desk({ reviewers, state, link, linked: asked, openPlan, openView, openDialog, who, meta: () => meta(), route: () => route(), filterTags,
    clearFilters: () => { setFilters(Object.fromEntries(Object.keys(LINKED).map((name) => [name, null]))); route(); } });
  views.inspect = { element: desk.element, show: () => desk.show(), leave: () => desk.leave(), keys: keysOf(desk, { list: () => openDialog("list") }) };

  const seg = h("div", { class: "seg views", role: "group", "aria-label": "Views" },
    VIEWS.map(([name, label]) => h("button", { type: "button", "data-view": name, onclick: () => openView(name) }, label)));
  const ofSet = h("select", { class: "field", "aria-label": "Set", hidden: true,
    onchange: ({ target }) => { left.clear(); link({ ...none(asked()), set: target.value }, { push: true }); route(); } });
  const button = (label, glyph, run, more = {}) => h("button", { type: "button", class: "btn icon", "aria-label": label, title: label, onclick: run, ...more },
    icon(glyph));
  const list = h("button", { type: "button", class: "btn", "data-act": "list", title: "List of plans (L)", onclick: () => openDialog("list") }, icon("grid"),
    h("span", { class: "word" }, "Plans"));
  const before = button("Previous plan ([)", "back", () => desk.leap(-1)), after = button("Next plan (])", "next", () => desk.leap(1));
  const copy = button("Copy a link to this place (C)", "copy", () => desk.pane.copyLink());
  const reading = h("button", { type: "button", class: "btn", "data-act": "reports", title: "Show reports without a vote (H)", onclick: () => desk.showReports() },
    icon("eye"), h("span", { class: "word" }, "Show reports"));
  const person = h("span", { class: "sm sub person" });
  const menu = new Menu("Data", "save", () => DATA.map(([name, label, glyph]) => h("button",
    { type: "button", role: "menuitem", class: "menu-item", "data-dialog": name, disabled: !set && name !== "importer",
    onclick: () => { menu.toggle(false); menu.button.focus(); openDialog(name); } }, icon(glyph), h("span", { class: "grow" }, label))), { hide: "word" });
  const place = h("div", { class: "plans-view" });
  host.replaceChildren(h("div", { class: "plans-top row" }, seg, ofSet, h("div", { class: "row step" }, list, before, after, copy), h("span", { class: "grow" }), person,
    reading, menu.element), place);

  function none(of) { return Object.fromEntries([...of].filter(([name]) => !/^(tab|view|deep_link|__.*)$/.test(name)).map(([name]) => [name, null])); }

  // what others ask for

  /* Show a plan, `reference:QUERY_ID`, or with null the first open one. */
  async function openPlan(answer, { call = null, gap = null, block = null, keep = true } = {}) {
    drawer?.box.close();
    link({ ...PLACE, show: null, plan: answer, call, gap, block, ...(keep ? {} : Object.fromEntries(Object.keys(FILTERS).map((name) => [name, null]))) }, { push: true });
    await route();
  }

  /* Another view as it was left, with these parameters of the link changed. */
  function openView(name, changes = {}) {
    const now = asked(), was = viewIn(now), own = Object.fromEntries([...now].filter(([key]) => OWN[was].test(key)));
    left.set(was, own);
    link({ ...Object.fromEntries(Object.keys(own).map((key) => [key, null])), ...left.get(name), ...changes, show: name === "inspect" ? null : name }, { push: true });
    return route();
  }

  function setFilters(changes) { link(Object.fromEntries(Object.entries(changes).map(([name, value]) => [LINKED[name] ?? name,
    value === false || value === "" ? null : value])), { push: true }); }

  let drawer = null, filterWords = null;
  async function openDialog(name) {
    try {
      if (name === "list") await openList(); else await (await LAZY[name]()).open(context);
    } catch (error) {
      console.warn(`dialog ${name} failed`, error);
      announce(NOT_LOADED);
      person.replaceChildren(h("span", { class: "refusal", role: "alert" }, NOT_LOADED));
    }
  }

  async function openList() {
    if (!set) return;
    if (!drawer) {
      const { mount, filterWords: words } = await LAZY.list(), body = h("div", { class: "list-body" });
      const box = dialog({ class: "es drawer plan-list plan-dialog", "aria-label": "Plans of this set" }, body,
        h("button", { type: "button", class: "btn ghost icon corner", "aria-label": "Close", onclick: () => box.close() }, icon("x")));
      drawer ??= { box, list: mount(body, context) };
      filterWords = words;
      box.addEventListener("close", () => { drawer.list.leave(); if (viewIn(asked()) === "inspect") route(); });
    }
    if (!drawer.box.open) drawer.box.showModal();
    await drawer.list.show();
  }

  /* The filters in words; each is taken away when it is pressed. */
  function filterTags() {
    const { filters } = state, named = filterWords?.(filters, state) ?? Object.entries(filters).map(([name, value]) => [name, `${name}: ${value}`]);
    return named.map(([name, text]) => h("button", { type: "button", class: "tag acc filter-tag", title: "Take this filter away",
      onclick: () => { setFilters({ [name]: null }); route(); } }, text, icon("x")));
  }

  /* There is other data. */
  async function changed({ set: id, inspection } = {}) {
    if (id && id !== set?.set_id) link({ ...none(asked()), set: id }, { push: true });
    if (inspection) link({ inspection });
    desk.question = null;
    await load();
  }

  /* Who reviews: the token, or null when the question is put aside. */
  function who(label = "Begin") {
    return new Promise((resolve) => { asking?.(null); asking = (token) => { asking = null; resolve(token ?? null); }; whoDialog.open(label); });
  }

  // what the link asks for

  async function load() {
    const mine = ++loads;
    if (!sets) place.replaceChildren(bones());
    try {
      const [found, known] = await Promise.all([api.getSets(), tools.length ? tools : api.getTools()]);
      if (mine !== loads) return;
      [sets, tools] = [found, known];
      await route();
    } catch (error) {
      if (mine !== loads) return;
      leave();
      place.replaceChildren(failed("The sets of plans could not be loaded", error.message, [["Try again", load]]));
    }
  }

  async function route() {
    if (!sets) return;
    const now = asked(), name = viewIn(now), wanted = now.get("set"), last = storage.get(KEY, null);
    set = sets.find(({ set_id: id }) => id === wanted) ?? (wanted ? null : sets.find(({ set_id: id }) => id === last) ?? sets[0] ?? null);
    for (const one of seg.children) one.setAttribute("aria-pressed", String(one.dataset.view === name));
    ofSet.hidden = sets.length < 2;
    ofSet.replaceChildren(...sets.map(({ set_id: id, name: called }) => h("option", { value: id }, called)));
    ofSet.value = set?.set_id ?? "";
    const empty = !sets.length ? hole("image", "No plans yet", "Import queries with planners’ answers to them: then they can be read, judged and inspected.",
      [["Import…", () => openDialog("importer")]])
      : !set ? failed("There is no such set here", "The link names one that this studio does not have.",
        [["Show what there is", () => { link({ ...none(asked()) }, { push: true }); route(); }]]) : null;
    if (empty) { leave(); place.replaceChildren(empty); meta(); return; }
    storage.set(KEY, set.set_id);
    if (asked().get("set") !== set.set_id) link({ set: set.set_id });
    if (Object.keys(state.filters).length && !filterWords) filterWords = (await LAZY.list().catch(() => ({}))).filterWords ?? null;
    await put(name);
  }

  async function put(name) {
    const mine = ++turn;
    let view = views[name];
    if (!view) {
      place.setAttribute("aria-busy", "true");
      try {
        const { mount } = await LAZY[name](), element = h("div", { class: `view-${name}` });
        view = views[name] ??= { element, ...mount(element, context) };
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
      shortcuts(TAB, view.keys ?? [], [...(view === views.inspect ? DIGITS : []), ["This list", "?"]]);
    }
    meta();
    await view.show();
  }

  function leave() { shown?.leave(); shown = null; }

  function meta() {
    const inspecting = shown === views.inspect, { plan, step } = desk, of = inspecting && plan?.answer != null;
    before.hidden = after.hidden = copy.hidden = reading.hidden = !inspecting;
    copy.disabled = !plan;
    before.disabled = !step?.previous;
    after.disabled = !step?.next;
    reading.disabled = !of;
    reading.setAttribute("aria-pressed", String(Boolean(of && (reviewers.name ? plan.mine?.revealed.includes("all") : desk.reading))));
    person.replaceChildren(...(reviewers.name ? ["Reviewing as ", h("b", {}, reviewers.name), " ",
      h("button", { type: "button", class: "link", "data-act": "who", onclick: () => whoDialog.open() },
      "change")] : [inspecting ? "Your first vote asks for your name" : ""]));
  }

  addEventListener("es:tab", () => { if (current() !== TAB) return; if (sets?.length) route(); else load(); });
  addEventListener("es:query", () => { if (asked().get("tab") === TAB) route(); });
  await load();
}
