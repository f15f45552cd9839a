/* Judge: let a model judge the answers of a set, and see how far it is. */
import { h } from "../dom.js";
import { request } from "../session/api.js";
import { errorLine, forbidden, quoted, sheet } from "./dialogs.js";
import { JudgeForm } from "./judgeform.js";
import { JudgeList } from "./judgelist.js";

const POLL = 1000; // ms between looks while a judging is running
const PATIENT = { timeout: 60_000 };
const SAYS = "A model is asked about each criterion of each answer, each by itself. It goes on when this is closed; what has a verdict is not asked again.";
const at = (id, act = "") => `rubrics/judgings/${encodeURIComponent(id)}${act}`;

/** Open the dialog on a set; `changed` is told once it is closed, if there may be other verdicts. */
export async function open({ set, changed }) {
  let found = [], timer = null, dirty = false, shut = false;
  const lost = errorLine(), trouble = errorLine();
  const form = new JudgeForm(set, (wish) => act(() => request("POST", "rubrics/judgings", { json: wish, ...PATIENT }), trouble));
  const list = new JudgeList({
    stop: ({ judging_id: id }) => act(() => request("DELETE", at(id))),
    goOn: ({ judging_id: id }) => act(() => request("POST", at(id, "/continue"), { json: form.key.value ? { key: form.key.value } : {}, ...PATIENT })),
  });
  const known = h("section", { class: "known-judgings", hidden: true }, lost.element, list.element), place = h("div", {}, h("i", { class: "skel" }));

  sheet("judging", `Judge “${set.name}”`, { sample: set.sample, left: leave }, h("p", { class: "sm sub" }, SAYS), known, place);
  look();
  try {
    const { allowed, reason, key_for: keyFor } = await request("GET", "runs/options");
    const elsewhere = `easel rubrics judge ${quoted(set.set_id)} --base-url URL --model NAME`;
    place.replaceChildren(allowed ? form.element : forbidden("No judging from this page", reason, elsewhere));
    form.error.replaceWith(trouble.element);
    form.offer(keyFor);
    if (allowed && !known.contains(document.activeElement)) form.focus();
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
      const view = await run(), same = ({ judging_id: id }) => id === view.judging_id;
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
    if (!shut && found.some(({ state }) => state === "running")) timer = setTimeout(look, POLL);
  }

  async function look() {
    try {
      show(await request("GET", `rubrics/judgings?set=${encodeURIComponent(set.set_id)}`));
      lost.say(null);
    } catch (error) {
      lost.say(error.message);
      known.hidden = false;
    }
    wait();
  }
}
