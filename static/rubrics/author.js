/* The Author view: tasks are written, tried by models, reviewed twice and exported. All of it is told to people with a name only. */
import { announce, h } from "../dom.js";
import { shortcuts } from "../keys.js";
import { current, setQuery } from "../tabs.js";
import { pictureUrl } from "./api.js";
import { AuthorDesk } from "./authordesk.js";
import { DraftList, exportTasks } from "./authorlist.js";
import { ReadingDialog } from "./authorreading.js";
import { WhoDialog, WhoForm } from "./who.js";
import { Zoom } from "./zoom.js";

const TAB = "rubrics";
const GESTURES = [
  ["Save a version", "Mod+s"], ["Undo, outside a text", "Mod+z"], ["Do again, outside a text", "Mod+Shift+z"], ["Next criterion, in a criterion", "Enter"],
  ["Move a criterion", "Alt+ArrowUp", "Alt+ArrowDown"], ["Move a picture or a turn", "Alt+ArrowLeft", "Alt+ArrowRight"], ["This list", "?"],
];
const WHY = "Tasks hold golden answers, so they are shown to people with a name. Yours stands beside what you write and review; it is kept in this browser.";
const asked = () => new URLSearchParams(location.search);

export default class Author {
  /** `reviewers`: who they are in this browser. */
  constructor({ reviewers }) {
    Object.assign(this, { reviewers, shown: null, desk: null, fresh: null });
    this.who = new WhoForm(reviewers, { done: () => this.show(), left: () => {} });
    this.who.title.textContent = "Who is writing?";
    this.who.why.textContent = WHY;
    this.asking = h("div", { class: "card who-card" }, this.who.element);
    this.dialog = new WhoDialog(reviewers, () => this.show());
    this.reading = new ReadingDialog(() => {});
    this.zoom = new Zoom({ urlOf: pictureUrl });
    this.list = new DraftList({ reviewers, open: (id, fresh) => this.#open(id, fresh), unknown: () => this.#unknown() });
    this.element = h("div", { class: "author" });
    addEventListener("es:tab", () => { if (current() !== TAB) this.desk?.rest(); });
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.desk?.rest(); });
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("pagehide", () => this.desk?.away());
    addEventListener("beforeunload", (event) => { if (this.desk?.holds) event.preventDefault(); });
  }

  /** Show what the link asks for: the list, or a draft. */
  show() {
    shortcuts(TAB, [], GESTURES);
    const { name, token } = this.reviewers, id = asked().get("draft"), wanted = token ? `${id ?? ""} ${name}` : null;
    if (!token) this.#ask();
    else if (wanted !== this.shown) this.#put(wanted, id);
    else if (id) this.desk.show(); else this.list.show();
  }

  #put(wanted, id) {
    const left = this.leave();
    this.shown = wanted;
    if (id) {
      this.desk = new AuthorDesk(id, {
        reviewers: this.reviewers, zoom: this.zoom, dialog: this.reading, who: () => this.dialog.open("Review as this person"), unknown: () => this.#unknown(),
        back: () => this.#go({ draft: null, turn: null }), turn: () => (Number(asked().get("turn")) || 1) - 1,
        turned: (at) => { if (asked().get("draft") === id) setQuery({ turn: at ? at + 1 : null }); },
        export: () => exportTasks(this.reviewers.token, id).catch((error) => announce(error.message)),
        fresh: this.fresh === id,
      });
      this.fresh = null;
      this.element.replaceChildren(this.desk.element);
      this.desk.show();
    } else {
      this.element.replaceChildren(this.list.element);
      this.list.show();
      left?.then(() => this.list.again()); // with what was saved just now
    }
  }

  #go(changes) {
    setQuery(changes, { push: true });
    this.show();
  }

  #open(id, fresh = false) {
    this.fresh = fresh ? id : null;
    this.#go({ draft: id, turn: null });
  }

  #ask(error = null) {
    this.leave();
    this.element.replaceChildren(this.asking);
    this.who.ask("Begin", error);
  }

  /* A token that the server does not take. */
  #unknown() {
    const { name } = this.reviewers;
    this.reviewers.forget(name);
    this.#ask(`“${name}” is not known here any more: give a name again, or the token of one. What was not saved stays in this browser.`);
  }

  /* Everywhere on the page, in a text too. */
  #key(event) {
    const save = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "s";
    if (!save || !this.desk?.element.offsetParent || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.desk.saveNow();
  }

  /** Nobody looks at it any more; what is written is saved. */
  leave() {
    const left = this.desk?.leave();
    this.list.leave();
    Object.assign(this, { desk: null, shown: null });
    return left;
  }
}
