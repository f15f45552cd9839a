/* New queue: what is to be reviewed, by how many people, all of it or a sample. */
import { choice, row } from "../connect/fields.js";
import { announce, h, setText } from "../dom.js";
import { request } from "../session/api.js";
import { errorLine, fieldsOf, numbersOf, sheet, ticks } from "./dialogs.js";
import { count, own } from "./statistics.js";
import { counted } from "./words.js";

const STRATA = [["verdict", "Judge’s verdict"], ["critical", "Critical or not"], ["objectivity", "Objective or subjective"], ["category", "Category"]];
const MINUTES = 15, REQUIRED = 2, SAMPLE = 200, LARGEST_SEED = 2 ** 31 - 1;
const atLeastOne = ({ value }) => Math.max(1, Number(value) || 1);

/** Open the dialog on a set; `changed` is told of the queue that was made. */
export function open({ set, changed }) {
  const { set_id: id, judgings, models, pairs: all, queues } = set, usual = `Review ${queues.length + 1}`;
  const field = fieldsOf("queue"), number = numbersOf("queue"), error = errorLine();
  const name = field({ name: "name", maxlength: 80, placeholder: usual });
  const required = number("required", { min: 1, max: 20, value: REQUIRED, required: true, oninput: told });
  const whole = choice("scope", "What is reviewed", [["all", "All criteria"], ["sample", "A sample"]], "all", told);
  const size = number("size", { min: 1, max: 1_000_000, value: Math.min(all, SAMPLE), oninput: told });
  const strata = ticks("Groups to draw from", STRATA.map(([value, text]) => [value, text, value === "verdict" && !judgings.length]), { checked: false });
  const even = choice("even", "Shares of the groups", [["no", "In proportion"], ["yes", "Even"]], "no");
  const judge = h("select", { class: "field", id: "es-queue-judge" }, judgings.map((one) => h("option", { value: one.judging_id }, one.judge)));
  const of = ticks("Answers of", models.map((model) => [model, model]), { changed: told });
  const seed = number("seed", { min: 0, max: LARGEST_SEED, value: 0, required: true }), hold = number("minutes", { min: 1, max: 1440, value: MINUTES, required: true });
  const says = h("p", { class: "sm mut", "aria-live": "polite" }), go = h("button", { type: "submit", class: "btn lg primary" }, "Make the queue");
  const sampling = h("div", { class: "grid" },
    row("Criteria", size, "Pairs of an answer and a criterion, drawn by the seed."),
    row("Groups", strata.element, "A sample drawn within groups has some of each."),
    row("Shares", even, "Even draws as many of each group; the agreement weighs them back."));
  const more = h("details", {}, h("summary", {}, "More"), h("div", { class: "grid" },
    models.length > 1 ? row("Answers of", of.element) : [],
    judgings.length > 1 ? row("Judge", judge, "Whose verdict is shown after a vote.") : [],
    row("Seed", seed, "Of the order, and of the sample."),
    row("Kept for", hold, "Minutes for which an answer is kept for whoever looks at it; every vote begins them anew.")));
  let pairsOf = null; // pairs by model, once they are needed

  const { close } = sheet("newqueue", "New queue", { sample: set.sample },
    h("form", { class: "data-form", onsubmit: (event) => { event.preventDefault(); send(); } },
      h("div", { class: "grid" }, row("Name", name), row("Reviewers", required, "People who vote on each criterion."), row("What", whole)), sampling, more,
      error.element, h("div", { class: "row between foot-row" }, says, go)));
  told();
  name.focus();

  function sampled() { return whole.dataset.value === "sample"; }

  /* Pairs of the set that answers of some models have (null: of all); null when they cannot be counted. */
  async function pairs(some) {
    if (!some) return all;
    const groups = (panel) => panel.agreement.groups.model;
    pairsOf ??= request("GET", `rubrics/sets/${encodeURIComponent(id)}/agreement`, { timeout: 60_000 }).then(groups).catch(() => null);
    const found = await pairsOf;
    return found && some.reduce((sum, model) => sum + (own(found, model)?.coverage.rows ?? 0), 0);
  }

  /* Tell how many entries it will have. */
  async function told() {
    const some = of.some();
    sampling.hidden = !sampled();
    size.required = sampled();
    go.disabled = Boolean(some && !some.length);
    if (some) setText(says, go.disabled ? "Choose a model" : "Counting …");
    if (go.disabled) return;
    const found = await pairs(some);
    if (JSON.stringify(of.some()) !== JSON.stringify(some)) return; // a later call tells
    const wanted = sampled() ? atLeastOne(size) : found, entries = found === null ? wanted : Math.min(found, wanted), votes = entries * atLeastOne(required);
    setText(says, entries === null ? "" : `${counted(count(entries), "entry", "entries")}, ${count(votes)} ${votes === 1 ? "vote" : "votes"}`);
  }

  async function send() {
    go.disabled = true;
    setText(go, "Making it");
    const sample = sampled() ? { size: Number(size.value), strata: strata.ticked(), even: even.dataset.value === "yes" } : {};
    const wish = {
      set_id: id, name: name.value.trim() || usual, required: Number(required.value), judging_id: judge.value || null, models: of.some(),
      seed: Number(seed.value), hold: 60 * Number(hold.value), ...sample,
    };
    try {
      const queue = await request("POST", "rubrics/queues", { json: wish, timeout: 60_000 });
      close();
      announce(`The queue ${queue.name} has ${counted(queue.entries, "entry", "entries")}`);
      changed({ set: id, queue: queue.queue_id });
    } catch (trouble) { error.say(trouble.message); }
    setText(go, "Make the queue");
    go.disabled = false;
  }
}
