/* Who reviews in this browser. A name is taken once; its token proves it to the server with every vote. */
import { dialog, h, icon, storage } from "../dom.js";
import { enrol, whose } from "./api.js";
import { settleTold } from "./telling.js";

const KEY = "es-reviewers", LONGEST = 60;

export class Reviewers {
  /** `changed()` is told when another person reviews. */
  constructor(changed) {
    this.changed = changed;
    this.server = studio.url(""); // several studios may share an origin
    const { name, tokens } = storage.get(KEY, {})?.[this.server] ?? {};
    Object.assign(this, { tokens: tokens && typeof tokens === "object" ? tokens : {}, name: null });
    this.name = Object.hasOwn(this.tokens, name) ? name : null;
  }

  get token() { return this.tokenOf(this.name); }
  get names() { return Object.keys(this.tokens); }
  tokenOf(name) { return Object.hasOwn(this.tokens, name) ? this.tokens[name] : undefined; }

  /** Take a name that nobody has, or one that this browser has. Throws ApiError. */
  async begin(name) {
    if (this.tokenOf(name)) await this.use(name);
    else {
      const { name: given, token } = await enrol(name);
      await settleTold(token);
      this.#put(given, { ...this.tokens, [given]: token });
    }
  }

  /** Review with a token that was given out elsewhere, under the name that it is of. Throws ApiError. */
  async adopt(token) {
    const { name } = await whose(token);
    await settleTold(token);
    this.#put(name, { ...this.tokens, [name]: token });
  }
  /** Review under another name of this browser. Throws ApiError. */
  async use(name) {
    await settleTold(this.tokenOf(name));
    this.#put(name, this.tokens);
  }

  /** A token that the server does not take. */
  forget(name) {
    const { [name]: _, ...rest } = this.tokens;
    this.#put(this.name === name ? null : this.name, rest);
  }

  #put(name, tokens) {
    Object.assign(this, { name, tokens });
    storage.set(KEY, { ...storage.get(KEY, {}), [this.server]: { name, tokens } });
    this.changed();
  }
}

/** The question who reviews; in place of the vote buttons, or in a dialog. */
export class WhoForm {
  /** `done()` follows when somebody reviews, `left()` when the question is put aside. */
  constructor(reviewers, { done, left }) {
    Object.assign(this, { reviewers, done });
    const id = `es-who-${WhoForm.count = (WhoForm.count ?? 0) + 1}`;
    this.title = h("h3", { id: `${id}-title` }, "Who is reviewing?");
    this.why = h("p", { class: "xs mut" }, "Your name stands beside your votes. It is kept in this browser.");
    this.name = h("input", { class: "field", id, maxlength: LONGEST, autocomplete: "nickname", spellcheck: "false", placeholder: "Your name", "aria-labelledby": `${id}-title` });
    this.token = h("input", { class: "field", type: "password", autocomplete: "off", maxlength: 200, "aria-label": "Token", placeholder: "Token of this name" });
    this.known = h("div", { class: "row known" });
    this.error = h("p", { class: "refusal", role: "alert", hidden: true });
    this.go = h("button", { type: "submit", class: "btn primary" }, "Begin");
    this.element = h("form", {
      class: "who-form", "aria-labelledby": `${id}-title`,
      onsubmit: (event) => { event.preventDefault(); this.#send(); }, onkeydown: (event) => { if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); left(); } },
    },
    this.title, h("div", { class: "row" }, this.name, this.go, h("button", { type: "button", class: "btn ghost", onclick: left }, "Cancel")), this.error, this.known,
    h("details", {}, h("summary", { class: "xs mut" }, "I have a token for my name"), this.token), this.why);
  }

  /** Ask; the button says what follows. */
  ask(label, error = null) {
    this.go.textContent = label;
    this.#say(error);
    const others = this.reviewers.names.filter((name) => name !== this.reviewers.name);
    this.known.hidden = !others.length;
    const use = (name) => h("button", { type: "button", class: "btn small", onclick: () => this.#take(() => this.reviewers.use(name)) }, name);
    this.known.replaceChildren(h("span", { class: "xs mut" }, "In this browser:"), ...others.slice(0, 6).map(use));
    this.name.focus();
    this.name.select();
  }

  #say(text) {
    this.error.hidden = !text;
    this.error.textContent = text ?? "";
  }

  async #send() {
    const name = this.name.value.trim(), token = this.token.value.trim();
    if (!name && !token) { this.#say("A name is needed: write how you want to be shown beside your votes."); this.name.focus(); return; }
    await this.#take(() => (token ? this.reviewers.adopt(token) : this.reviewers.begin(name)));
  }

  async #take(how) {
    this.go.setAttribute("aria-busy", "true");
    try {
      await how();
      this.#say(null);
      this.token.value = "";
      this.done();
    } catch (error) {
      this.#say(error.message);
      this.name.focus();
      this.name.select();
    }
    this.go.removeAttribute("aria-busy");
  }
}

/** The question in a dialog: another person reviews from now on. */
export class WhoDialog {
  constructor(reviewers, done) {
    this.form = new WhoForm(reviewers, { done: () => { this.box.close(); done(); }, left: () => this.box.close() });
    this.box = dialog({ class: "es sheet-dialog ask rubric-dialog", "aria-label": "Who is reviewing?" }, h("div", { class: "row between corner" }, h("span", {}),
      h("button", { type: "button", class: "btn ghost icon", "aria-label": "Close", onclick: () => this.box.close() }, icon("x"))), this.form.element);
  }

  open(label = "Review as this person") {
    if (!this.box.open) this.box.showModal();
    this.form.ask(label);
  }
}
