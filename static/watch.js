/* The Watch tab: the wall of all sessions, and one of them. */
import { h, icon } from "./dom.js";
import { shortcuts } from "./keys.js";
import { setQuery } from "./tabs.js";
import { One } from "./watch/one.js";
import { Wall } from "./watch/wall.js";

const TAB = "watch";
const asked = (name = "session") => {
  const query = new URLSearchParams(location.search);
  return query.get("tab") === TAB ? query.get(name) : null;
};

export default async function start(host) {
  const wall = new Wall((id) => go(id), () => everyRun(), TAB), one = new One(() => go(null), TAB);
  const lost = h("div", { hidden: true });
  let last = null; // the session that was asked for before
  host.replaceChildren(lost, wall.element, one.element);
  one.fit(host);

  function go(id) {
    setQuery({ session: id }, { push: true });
    route({ focus: true });
  }

  function everyRun() {
    setQuery({ run: null }, { push: true });
    route({ focus: true });
  }

  /* What the URL asks for: one session, or all of them. `focus` goes to the new view's title, for the pressed link is gone. */
  async function route({ focus = false } = {}) {
    const id = asked(), from = last;
    lost.hidden = true;
    last = id;
    if (id && id === one.id) return;
    if (!id) {
      one.close();
      one.element.hidden = true;
      wall.element.inert = false;
      wall.of(asked("run"));
      wall.show(true);
      if (focus) (wall.element.querySelector(`a[data-session="${CSS.escape(from ?? "")}"]`) ?? wall.element.querySelector("h1")).focus();
      return;
    }
    try {
      wall.element.inert = true;
      if (wall.element.hidden && one.element.hidden) one.expect(); // else the last view stays until the new one is there
      await one.open(id);
      if (id !== asked()) return;
      wall.show(false);
      scrollTo(0, 0);
      if (focus) one.element.querySelector("h1").focus();
    } catch (error) {
      if (id === asked()) failed(error);
    } finally { wall.element.inert = false; }
  }

  function failed(error) {
    const gone = error.status === 404;
    one.element.hidden = true;
    wall.show(false);
    lost.hidden = false;
    lost.replaceChildren(h("div", { class: "hole err", role: "alert" }, icon("warn"), h("b", {}, gone ? "There is no such session here" : "The session could not be opened"),
      h("p", { class: "sm" }, gone ? "Check the link, or ask for it again; a studio keeps its sessions, but another studio does not know them." : error.message),
      h("div", { class: "row" },
        gone ? null : h("button", { type: "button", class: "btn", onclick: () => route() }, "Try again"),
        h("button", { type: "button", class: "btn", onclick: () => go(null) }, "All sessions"))));
  }

  shortcuts(TAB, [
    ["Escape", { label: "All sessions", run: () => { if (asked()) go(null); }, once: true }],
    ["End", { label: "Newest action", run: () => one.list.follow() }],
  ], [["From picture to picture", "arrows"], ["Open a session", "Enter"], ["This list", "?"]]);
  addEventListener("es:query", () => { if (new URLSearchParams(location.search).get("tab") === TAB) route(); });
  await route();
}
