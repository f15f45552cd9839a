/* A task to be read: as its authors and reviewers see it, or as a model does, which is told neither golden answers nor rubric. */
import { dialog, h, icon, setText } from "../dom.js";
import { categoryWords, criticalOf } from "./authordocument.js";
import { button, iconButton } from "./authorfields.js";
import { thumb } from "./pictures.js";
import { long } from "./trace.js";
import { counted, plainly } from "./words.js";

const empty = (text) => h("p", { class: "sm mut" }, text);
const part = (label, content) => h("div", { class: "ans" }, h("h3", { class: "lab" }, label), content);
const words = (text, none) => (text.trim() ? h("div", { class: "words told-text" }, long(text, "span")) : empty(none));

function pictures(digests, views, turn, zoom) {
  const all = digests.map((digest) => views[digest] ?? { digest, width: null, height: null }), nameOf = (k) => `Picture ${k + 1} of ${all.length}, turn ${turn}`;
  const look = (picture, k) => thumb(picture, nameOf(k), () => zoom(all, k, nameOf), { title: "Look closer" });
  return all.length ? h("div", { class: "told-pictures" }, all.map(look)) : null;
}

/** What a criterion is, as tags. */
function tags(item) {
  const { weight, critical, objectivity, explicitness, categories, final_answer: final } = item, is = criticalOf(item);
  return [
    is && h("span", { class: "tag bad" }, "Critical"), h("span", { class: "tag" }, `Weight ${weight}`),
    critical != null && critical !== weight >= 4 && h("span", { class: "tag warn" }, critical ? "Flag says critical" : "Flag says not critical"),
    objectivity && h("span", { class: "tag line" }, plainly(objectivity)), explicitness && h("span", { class: "tag line" }, plainly(explicitness)),
    final && h("span", { class: "tag line" }, "Final answer"), categories.map((kind) => h("span", { class: "tag line" }, plainly(kind))),
  ];
}

const criterion = (item) => h("li", {},
  h("p", { class: "words" }, item.description.trim() || h("span", { class: "mut" }, "Without words")), h("div", { class: "row told-tags" }, tags(item)));

/** All of a task: prompts, pictures, golden answers, tool chains and rubrics. */
export function reading(task, views, zoom) {
  const many = task.turns.length > 1;
  const turn = ({ prompt, golden_answer: golden, tool_trajectory: chain, pictures: digests, rubric }, k) => h("section", { class: "told-turn", "data-turn": k + 1 },
    many ? h("h2", {}, `Turn ${k + 1}`) : null, pictures(digests, views, k + 1, zoom),
    part("Prompt", words(prompt, "Not written yet")), part("Golden answer", words(golden, "Not written yet")),
    chain.trim() ? part("Reference tool chain", words(chain, "")) : null,
    part(`Rubric, ${counted(rubric.length, "criterion", "criteria")}`,
      rubric.length ? h("ol", { class: "told-rubric" }, rubric.map(criterion)) : empty("No criterion yet")));
  const facts = [categoryWords(task.category) ?? "No category yet", task.domain || "No domain yet", many ? "Multi-turn" : "Single-turn"];
  return h("div", { class: "told-task" }, h("div", { class: "row told-tags" }, facts.map((fact) => h("span", { class: "tag line" }, fact))), task.turns.map(turn));
}

/** What a model is sent, turn by turn. */
export function conversation(task, views, zoom) {
  const turn = ({ prompt, pictures: digests }, k) => [
    h("section", { class: "said-by user" },
      h("h3", { class: "lab" }, task.turns.length > 1 ? `User, turn ${k + 1}` : "User"), pictures(digests, views, k + 1, zoom), words(prompt, "Nothing yet")),
    h("section", { class: "said-by model" }, h("h3", { class: "lab" }, icon("agent"), "Model"), empty("Calls tools and answers here.")),
  ];
  return h("div", { class: "conversation" }, task.turns.map(turn));
}

/** A dialog in which a task is read; `acts` are [[label, run]] for the task on show. */
export class ReadingDialog {
  constructor(zoom) {
    this.zoom = zoom;
    this.title = h("h2", { id: "es-author-reading" });
    this.says = h("p", { class: "sm sub" });
    this.body = h("div", {});
    this.foot = h("div", { class: "row foot-row" });
    this.box = dialog({ class: "es sheet-dialog rubric-dialog rubric-data author-reading", "aria-labelledby": "es-author-reading" },
      h("div", { class: "row between" }, this.title, iconButton("Close", "x", () => this.box.close(), { kind: "" })), this.says, this.body, this.foot);
  }

  open(title, says, content, acts = []) {
    setText(this.title, title);
    setText(this.says, says);
    this.body.replaceChildren(content);
    this.foot.replaceChildren(...acts.map(([label, run]) => button(label, () => { this.box.close(); run(); })));
    if (!this.box.open) this.box.showModal();
    this.box.scrollTop = 0;
  }
}
