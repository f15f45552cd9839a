/* Which plan this is, where it stands among those that fit, and the verdict on it. */
import { h, plural, setText } from "../dom.js";
import { sampleTag } from "../rubrics/words.js";
import { VERDICTS } from "./words.js";

export class Bar {
  /** `hooks`: verdict(value), saveAndNext(), open(answer) another answer to the query. */
  constructor(hooks) {
    this.title = h("h1", { tabindex: -1 });
    this.tags = h("span", { class: "row bar-tags" });
    this.meta = h("div", { class: "meta" });
    this.planner = h("select", { class: "field planner", "aria-label": "Planner: other answers to this query", onchange: ({ target }) => hooks.open(target.value) });
    this.verdicts = h("div", { class: "seg", role: "group", "aria-label": "Your verdict" },
      VERDICTS.map(([value, label]) => h("button", { type: "button", "data-verdict": value,
        onclick: ({ detail, currentTarget }) => { if (detail) currentTarget.blur(); hooks.verdict(value); } }, label))); // by mouse, Enter then goes on
    this.save = h("button", { type: "button", class: "btn primary", "data-act": "save", onclick: () => hooks.saveAndNext() }, "Save and next");
    this.voting = h("div", { class: "row wide voting" }, h("span", { class: "sm sub hide-s" }, "Your verdict"), this.verdicts, this.save);
    this.element = h("div", { class: "es-bar" },
      h("div", { class: "bar-title grow" }, this.title, h("div", { class: "row" }, this.meta, this.tags)), this.planner, this.voting);
  }

  /** Show a plan: `step` where it stands, `missing` how many visuals are missing where that may be told, `done` [parts with a word, parts]. */
  show(plan, { step, filtered, missing, verdict, done, filters }) {
    setText(this.title, plan.title);
    this.title.title = plan.title;
    this.tags.replaceChildren(...[plan.category && h("span", { class: "tag line" }, plan.category), plan.intent && h("span", { class: "tag line hide-s" }, plan.intent),
      plan.sample && sampleTag(), ...filters].filter(Boolean));
    const { facts } = plan, among = step?.place ? `Plan ${step.place} of ${step.total}${filtered ? " that fit" : ""}` : step && `Not among the ${step.total} that fit`;
    const place = plan.answer == null ? "Reference answer" : among || "Plan";
    setText(this.meta, [place, plural(facts.paragraphs, "paragraph"), plural(facts.calls, "tool call"), missing != null && plural(missing, "missing visual"),
      done && plan.answer != null && `${done[0]} of ${done[1]} parts done`].filter(Boolean).join(", "));
    const option = ({ answer, planner, attempt }) => h("option", { value: answer ?? "reference" }, `${planner}${attempt > 1 ? `, attempt ${attempt}` : ""}`);
    this.planner.replaceChildren(...[plan, ...plan.siblings].map(option));
    this.planner.value = String(plan.answer ?? "reference");
    this.planner.disabled = !plan.siblings.length;
    this.voting.hidden = plan.answer == null;
    for (const button of this.verdicts.children) button.setAttribute("aria-pressed", String(button.dataset.verdict === verdict));
  }
}
