/* The tasks that are being written: a line each, whose stage says what comes next. */
import { announce, h, icon, setText } from "../dom.js";
import { ApiError } from "../session/api.js";
import { setQuery } from "../tabs.js";
import { draftsPath, exported, makeDraft } from "./authorapi.js";
import { categoryWords, newId } from "./authordocument.js";
import { button, viewLink } from "./authorfields.js";
import { when } from "./authorreviews.js";
import { STAGES, stageChip } from "./authorstages.js";
import { errorLine } from "./dialogs.js";
import { failed } from "./ending.js";
import { StatisticsFeed } from "./statisticsfeed.js";
import { counted } from "./words.js";

const COLUMNS = ["Task", "Stage", "Author", "Criteria", "Changed"];
const LOOK = 20_000; // ms until the next look
const STEPS = [
  ["brush", "Write it", "A prompt with pictures, the golden answer and a rubric: what a good answer must meet."],
  ["agent", "Let models try it", "Three models answer. It is kept only if at least two of them fail."],
  ["people", "Two reviews", "Two people who did not write it accept it, one after the other."],
  ["save", "Export", "Accepted tasks leave in the schema of the data set, ready to be imported."],
];

/** Save accepted tasks, or one of them, as a file that can be imported. */
export async function exportTasks(token, draft = null) {
  const { rows } = await exported(token, draft), url = URL.createObjectURL(new Blob([JSON.stringify(rows, null, 1)], { type: "application/json" }));
  h("a", { href: url, download: "dataset.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  announce(`${counted(rows.length, "task", "tasks")} exported`);
}

export class DraftList {
  /** `shell`: reviewers, open(id, fresh), unknown(). */
  constructor(shell) {
    Object.assign(this, { shell, drafts: null, request: null });
    const add = () => button("New task", () => this.#make(), { glyph: "plus", kind: "primary", "data-act": "new" });
    this.add = add();
    this.stage = h("select", { class: "field", "aria-label": "Stage", onchange: () => this.#filter({ stage: this.stage.value || null }) });
    this.mine = h("input", { type: "checkbox", role: "switch", onchange: () => this.#filter({ mine: this.mine.checked ? "1" : null }) });
    this.says = h("span", { class: "sm mut", role: "status" });
    this.out = button("Export accepted", () => this.#export(), { glyph: "save", "data-act": "export" });
    this.error = errorLine();
    const whose = h("label", { class: "switch" }, this.mine, "Mine");
    this.bar = h("div", { class: "row list-bar" }, this.stage, whose, this.says, h("span", { class: "grow" }), this.out, this.add);
    this.body = h("tbody", {});
    this.table = h("table", { class: "drafts" }, h("thead", {}, h("tr", {}, COLUMNS.map((name) => h("th", { scope: "col" }, name)))), this.body);
    const all = button("Show all", () => this.#filter({ stage: null, mine: null }));
    this.none = h("div", { class: "hole small", hidden: true }, h("p", { class: "sm" }, "No task fits."), all);
    this.card = h("div", { class: "card drafts-card" }, this.table, this.none);
    this.empty = h("div", { class: "hole author-empty" },
      h("b", {}, "No task is being written yet"), h("p", { class: "sm" }, "Models are measured by tasks that people write. Each goes four steps."),
      h("ol", { class: "steps" }, STEPS.map(([glyph, title, text]) => h("li", {}, icon(glyph), h("b", {}, title), h("p", { class: "sm" }, text)))), add());
    this.place = h("div", {}, this.#bones());
    this.element = h("div", { class: "author-list" }, this.error.element, this.bar, this.place);
    this.bar.hidden = true;
    const draw = (drafts) => { this.drafts = drafts; this.draw(); };
    this.feed = new StatisticsFeed({ wait: () => {}, draw, fail: (error, drawn) => this.#failed(error, drawn) }, { every: LOOK });
  }

  #bones() { return h("div", { class: "card drafts-card", "aria-hidden": "true" }, Array.from({ length: 5 }, () => h("i", { class: "skel" }))); }

  show() {
    if (this.drafts) this.draw();
    this.feed.show(draftsPath, this.shell.reviewers.token);
  }

  leave() { this.feed.leave(); }
  /** Ask anew, if it is still on show. */
  again() { if (this.feed.question) this.feed.again(); }

  #failed(error, drawn) {
    if (error?.status === 401) { this.shell.unknown(); return; }
    if (error && !drawn) this.place.replaceChildren(failed("The tasks could not be loaded", error.message, [["Try again", () => this.feed.again()]]));
    else this.error.say(error?.message ?? null);
  }

  #filter(changes) {
    setQuery(changes);
    this.draw();
  }

  draw() {
    const { drafts } = this, { name } = this.shell.reviewers, link = new URLSearchParams(location.search);
    const stage = link.get("stage") ?? "", mine = Boolean(link.get("mine"));
    const countOf = (value) => drafts.filter((one) => one.stage === value).length;
    const options = [["", `All stages (${drafts.length})`], ...STAGES.map(([value, label]) => [value, `${label} (${countOf(value)})`])], text = JSON.stringify(options);
    if (text !== this.options) {
      this.options = text;
      this.stage.replaceChildren(...options.map(([value, label]) => h("option", { value }, label)));
    }
    this.stage.value = stage;
    this.mine.checked = mine;
    this.bar.hidden = !drafts.length;
    this.out.disabled = !drafts.some((one) => one.stage === "accepted");
    this.out.title = this.out.disabled ? "No task is accepted yet" : "Accepted tasks in the schema of the data set";
    const shown = drafts.filter((one) => (!stage || one.stage === stage) && (!mine || one.author === name)).sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
    const many = `${shown.length < drafts.length ? `${shown.length} of ` : ""}${counted(drafts.length, "task", "tasks")}`;
    setText(this.says, this.out.disabled ? `${many}. No task is accepted yet.` : many);
    const held = this.body.contains(document.activeElement) ? document.activeElement.dataset.draft : null;
    this.body.replaceChildren(...shown.map((one) => this.#line(one)));
    if (held) this.body.querySelector(`[data-draft="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
    this.table.hidden = !shown.length;
    this.none.hidden = Boolean(shown.length);
    const now = drafts.length ? this.card : this.empty;
    if (this.place.firstChild !== now) this.place.replaceChildren(now);
  }

  #line(one) {
    const { draft_id: id, title, category, author, version, turns, items, at } = one;
    const facts = [categoryWords(category) ?? "No category", turns > 1 ? `${turns} turns` : null, `version ${version}`].filter(Boolean).join(", ");
    const link = viewLink({ show: "author", draft: id }, () => this.shell.open(id), { class: "words", "data-draft": id }, title);
    const whose = h("span", { class: "words author-name" }, author), changed = h("time", { datetime: at }, when(at));
    const cells = [[link, h("span", { class: "xs mut" }, facts)], stageChip(one), whose, items, changed];
    return h("tr", {}, cells.map((cell) => h("td", {}, cell)));
  }

  async #make() {
    this.request ??= newId(); // the same wish, if the answer is lost
    this.add.disabled = true;
    try {
      const { draft_id: id } = await makeDraft({ request_id: this.request }, this.shell.reviewers.token);
      this.request = null;
      this.error.say(null);
      this.shell.open(id, true);
    } catch (error) {
      if (error.status === 401 || error.code === "wrong_token") this.shell.unknown(); else this.error.say(`The task was not begun: ${error.message}`);
    }
    this.add.disabled = false;
  }

  async #export() {
    this.out.setAttribute("aria-busy", "true");
    try {
      await exportTasks(this.shell.reviewers.token);
      this.error.say(null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.error.say(`Nothing was exported: ${error.message}`);
    }
    this.out.removeAttribute("aria-busy");
  }
}
