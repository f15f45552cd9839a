/* Models that judge a set: begun here, and seen how far they are; they go on when the dialog is closed. */
import { h, icon } from "../dom.js";
import { errorLine, forbidden, sheet } from "../rubrics/dialogs.js";
import { request } from "../session/api.js";

const POLL = 1000; // ms between looks while one is running
const PATIENT = { timeout: 60_000 };

/**
 * Open the dialog on a set; `changed` is told once it is closed, if something may be judged otherwise. `what`: {path of REST, query that asks for
 * those of the set, idOf(judging), stop [method, rest of its path], kind and title of the dialog, says in its head, warns above the form, command for
 * a terminal, forbidden the title where nothing may begin, busy the states in which it is looked again, form(start) as JudgeForm is, list(hooks) as
 * JudgeList is}.
 */
export async function open(what, { set, changed }) {
  const { path, idOf } = what, at = (judging, rest = "") => `${path}/${encodeURIComponent(idOf(judging))}${rest}`;
  let found = [], timer = null, dirty = false, shut = false;
  const lost = errorLine(), trouble = errorLine();
  const form = what.form((wish) => act(() => request("POST", path, { json: wish, ...PATIENT }), trouble));
  const [method, rest] = what.stop, busy = ({ state }) => (what.busy ?? ["running"]).includes(state);
  const list = what.list({
    stop: (judging) => act(() => request(method, at(judging, rest))),
    goOn: (judging) => act(() => request("POST", at(judging, "/continue"), { json: form.keys?.() ?? (form.key.value ? { key: form.key.value } : {}), ...PATIENT })),
  });
  const known = h("section", { class: "known-judgings", hidden: true }, lost.element, list.element), place = h("div", {}, h("i", { class: "skel" }));

  sheet("judging", what.title, { kind: what.kind, sample: set.sample, left: leave }, h("p", { class: "sm sub" }, what.says), known,
    what.warns ? h("p", { class: "sm row caution" }, icon("warn"), h("span", {}, what.warns)) : null, place);
  const looked = look();
  try {
    const { allowed, reason, key_for: keyFor } = await request("GET", "runs/options");
    place.replaceChildren(allowed ? form.element : forbidden(what.forbidden ?? "No judging from this page", reason, what.command));
    form.error.replaceWith(trouble.element);
    form.offer(keyFor);
    await looked;
    if ([known, place].some((part) => part.contains(document.activeElement))) return; // somebody was faster
    const now = found.find(busy);
    if (now) list.focus(now); else if (allowed) form.focus();
  } catch (error) {
    place.replaceChildren(trouble.element);
    trouble.say(error.message);
  }

  function leave() {
    shut = true;
    clearTimeout(timer);
    if (dirty) changed({});
  }

  /* Do something to a judging and show how it is then; what went wrong is said in `where`. */
  async function act(run, where = lost) {
    try {
      const view = await run(), same = (one) => idOf(one) === idOf(view);
      dirty = true;
      show(found.some(same) ? found.map((one) => (same(one) ? view : one)) : [...found, view]);
      where.say(null);
      if (where === trouble) list.focus(view);
      wait();
    } catch (error) {
      where.say(error.message);
      if (where === lost) known.hidden = false;
    }
  }

  function show(judgings) {
    found = judgings;
    known.hidden = !found.length;
    list.draw(found);
  }

  function wait() {
    clearTimeout(timer);
    if (!shut && found.some(busy)) timer = setTimeout(look, POLL);
  }

  async function look() {
    try {
      show(await request("GET", `${path}?${what.query}`));
      lost.say(null);
    } catch (error) {
      lost.say(error.message);
      known.hidden = false;
    }
    wait();
  }
}
