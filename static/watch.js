/* The Watch tab: the wall of all sessions, one of them, or several side by side. */
import { h, icon } from "./dom.js";
import { shortcuts } from "./keys.js";
import { ApiError } from "./session/api.js";
import { setQuery } from "./tabs.js";
import { Compare, MOST } from "./watch/compare.js";
import { One } from "./watch/one.js";
import { Wall } from "./watch/wall.js";

const TAB = "watch", KINDS = ["human", "agent", "painter"];
const VIEW = ["session", "compare", "step", "filter", "by", "diff", "details", "credit"]; // parameters of a view; those of the wall stay
const asked = (name = "session") => {
  const query = new URLSearchParams(location.search);
  return query.get("tab") === TAB ? query.get(name) : null;
};
/* The step that a link names; null without one, or when it is none. */
const askedStep = () => (/^\d{1,5}$/.test(asked("step") ?? "") ? Number(asked("step")) : null);
const askedIds = () => [...new Set((asked("compare") ?? "").split(",").filter(Boolean))].slice(0, MOST);
/* What a link asks of the wall; values that are none of ours are left out. */
const wanted = () => ({ run: asked("run"), task: asked("task"), player: asked("player"), kind: KINDS.includes(asked("kind")) ? asked("kind") : null, order: asked("order") === "best" ? "best" : null });

export default async function start(host) {
  const wall = new Wall((id) => go({ session: id }), (query) => go({ run: null, task: null, player: null, kind: null, order: null, ...query }), TAB);
  const one = new One({
    back: () => go({}), compare: (ids) => go({ compare: ids.join(), step: asked("step") }),
    stepped: (step) => { if (asked() === one.id && askedStep() !== step) setQuery({ step }); },
    filtered: (name) => { if (asked() === one.id) setQuery({ filter: name === "all" ? null : name }); },
    kept: (name, on) => { if (asked() === one.id && !one.element.hidden) setQuery({ [name]: on ? "1" : null }); },
  }, TAB);
  const compare = new Compare({
    back: () => alone(compare.ids[0] ?? askedIds()[0] ?? null), open: (id) => alone(id), ids: (ids) => go({ compare: ids.join(), step: asked("step"), by: asked("by"), diff: asked("diff") }),
    moved: (position) => { if (askedStep() !== position) setQuery({ step: position }); },
    by: (unit) => setQuery({ by: unit === "step" ? null : unit }), difference: (on) => { if (askedIds().length) setQuery({ diff: on ? "1" : null }); },
  }, TAB);
  const lost = h("div", { hidden: true });
  let last = null; // the session that was asked for before
  host.replaceChildren(lost, wall.element, one.element, compare.element);
  one.fit(host);

  /* One of those that are compared, at the same step. */
  const alone = (id) => go({ session: id, step: asked("by") ? null : asked("step") });

  /* Another view: all its parameters are given. */
  function go(view) {
    setQuery({ ...Object.fromEntries(VIEW.map((name) => [name, null])), ...view }, { push: true });
    route({ focus: true });
  }

  /* What the URL asks for. `focus` goes to the new view's title, for the pressed link is gone. */
  async function route({ focus = false } = {}) {
    const ids = askedIds(), id = ids.length ? null : asked(), from = last, key = ids.join() || id;
    lost.hidden = true;
    last = id ?? ids[0] ?? null;
    if (id && id === one.id) { one.seek(askedStep()); return; }
    if (ids.length && ids.join() === compare.ids.join()) { compare.seek(askedStep()); return; }
    if (!key) {
      wall.of(wanted());
      wall.element.inert = false; // a session may still be on its way
      put(wall);
      if (focus) (wall.element.querySelector(`a[data-session="${CSS.escape(from ?? "")}"]`) ?? wall.element.querySelector("h1")).focus();
      return;
    }
    const shown = ids.length ? compare : one;
    try {
      wall.element.inert = true;
      if (wall.element.hidden && one.element.hidden && compare.element.hidden) one.expect(); // else the last view stays until the new one is there
      if (ids.length) await compare.open(ids, { position: askedStep(), by: asked("by"), difference: asked("diff") === "1" });
      else await one.open(id, { step: askedStep(), filter: asked("filter") ?? "all", difference: asked("diff") === "1", details: asked("details") === "1", credit: asked("credit") === "1" });
      if (key !== (askedIds().join() || asked())) return;
      put(shown);
      scrollTo(0, 0);
      if (focus) shown.element.querySelector("h1").focus();
    } catch (error) {
      if (key === (askedIds().join() || asked())) failed(error);
    } finally { wall.element.inert = false; }
  }

  /* Only one of the views is on show, and only it is followed. */
  function put(view) {
    for (const other of [one, compare]) if (other !== view) { other.close(); other.element.hidden = true; }
    wall.show(view === wall);
    if (view) view.element.hidden = false;
  }

  function failed(error) {
    if (!(error instanceof ApiError)) console.error(error); // a fault of this page
    const gone = error.status === 404;
    put(null);
    lost.hidden = false;
    lost.replaceChildren(h("div", { class: "hole err", role: "alert" }, icon("warn"), h("b", {}, gone ? "There is no such session here" : "The session could not be opened"),
      h("p", { class: "sm" }, gone ? "Check the link, or ask for it again; a studio keeps its sessions, but another studio does not know them." : error.message),
      h("div", { class: "row" },
        gone ? null : h("button", { type: "button", class: "btn", onclick: () => route() }, "Try again"),
        h("button", { type: "button", class: "btn", onclick: () => go({}) }, "All sessions"))));
  }

  /* The view that keys speak to, if there is one. */
  const replay = () => [one, compare].find((view) => !view.element.hidden);
  const key = (name, label, run, options = {}) => [name, { label, run: () => { const view = replay(); if (view) run(view); }, ...options }];
  const single = (name, label, run) => key(name, label, (view) => { if (view === one) run(); }, { once: true });
  shortcuts(TAB, [
    key(" ", "Play or pause", ({ transport }) => transport.toggle(), { once: true }),
    key("ArrowRight", "Step forward, back", ({ transport }) => transport.step(1)), key("ArrowLeft", "Step forward, back", ({ transport }) => transport.step(-1)),
    key("Shift+ArrowRight", "Ten steps", ({ transport }) => transport.step(10)), key("Shift+ArrowLeft", "Ten steps", ({ transport }) => transport.step(-10)),
    key("Home", "First, newest step", ({ transport }) => transport.go(0)), key("End", "First, newest step", (view) => { view.transport.go(view.transport.length); view.list?.follow(); }),
    key("n", "Next, previous mark or change of lead", (view) => view.jump(1)), key("p", "Next, previous mark or change of lead", (view) => view.jump(-1)),
    key("]", "Faster, slower", ({ transport }) => transport.faster(1)), key("[", "Faster, slower", ({ transport }) => transport.faster(-1)),
    key("d", "Where the error remains, or canvases differ", (view) => view.difference(), { once: true }),
    single("e", "Details of the step", () => one.details()), single("s", "The stroke of the step", () => one.path()), single("k", "Credit of each stroke", () => one.worth()), single("t", "Take over from this step", () => one.takeOver()),
    key("c", "Compare with another painting", (view) => (view === one ? one.compare() : compare.more()), { once: true }),
    ["Escape", { label: "Back", run: () => { if (askedIds().length) alone(askedIds()[0]); else if (asked()) go({}); }, once: true }],
  ], [["From picture to picture", "arrows"], ["Open a session", "Enter"], ["This list", "?"]]);
  const rest = () => { for (const { transport } of [one, compare]) transport.pause(); }; // nobody sees it
  addEventListener("es:tab", rest);
  document.addEventListener("visibilitychange", rest);
  addEventListener("es:query", () => { if (new URLSearchParams(location.search).get("tab") === TAB) route(); });
  await route();
}
