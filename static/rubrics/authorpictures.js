/* The pictures of a turn: chosen, dropped or pasted, put in order and taken out. What is on its way stands behind those that are there. */
import { announce, h, setText } from "../dom.js";
import { pictureUrl } from "./api.js";
import { MOST_PICTURES, moved, without } from "./authordocument.js";
import { button, iconButton, redraw, sortable } from "./authorfields.js";
import { bytes, errorLine } from "./dialogs.js";

const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"], LARGEST = 32_000_000;
const named = ({ name }) => (name ? `“${name.length > 60 ? `${name.slice(0, 58)} …` : name}”` : "The picture");

/** Files that come with a paste or a drop. */
export const filesOf = (transfer) => [...(transfer?.files ?? [])];

export class TurnPictures {
  /**
   * `hooks`: upload(file) sends one and resolves to {digest, width, height}, add(turn, view) when it is there, change(digests), zoom(pictures, at, nameOf),
   * sending(count) of those on their way, removed(words) that something can be taken back.
   */
  constructor(hooks) {
    Object.assign(this, { hooks, digests: [], views: {}, coming: [], tiles: new Map(), turn: 0 });
    const chosen = () => { this.take([...this.input.files]); this.input.value = ""; };
    this.input = h("input", { type: "file", accept: TYPES.join(), multiple: true, hidden: true, tabindex: -1, onchange: chosen });
    this.pick = button("Add pictures", () => this.input.click(), { glyph: "plus", kind: "small", "data-act": "pictures" });
    this.says = h("p", { class: "xs mut" });
    this.list = h("ul", { class: "tiles", "aria-label": "Pictures of this turn" });
    this.error = errorLine();
    this.wrong = h("p", { class: "wrong", role: "alert", hidden: true });
    this.element = h("section", { class: "turn-pictures", "data-place": "pictures" },
      h("div", { class: "row between" }, h("h3", { class: "lab" }, "Pictures"), this.pick), this.input, this.list, this.says, this.wrong, this.error.element);
    sortable(this.list, (from, to) => { if (to < this.digests.length) this.#move(from, to); }, { across: true });
  }

  get sending() { return this.coming.filter(({ error }) => !error).length; }

  /** Show the pictures of a turn; `views` has {digest, width, height} of those that are known, by digest. */
  show(digests, views, turn) {
    if (turn !== this.turn) { this.error.say(null); this.say(null); }
    Object.assign(this, { digests, views, turn });
    this.#draw();
  }

  #draw() {
    const { digests, tiles } = this, mine = this.coming.filter(({ turn }) => turn === this.turn);
    const shown = digests.map((digest, at) => {
      const tile = tiles.get(digest) ?? this.#tile(digest);
      tiles.set(digest, tile);
      tile.name(at, digests.length);
      return tile.element;
    });
    redraw(this.list, [...shown, ...mine.map(({ element }) => element)]);
    this.list.hidden = !this.list.firstChild;
    const room = digests.length < MOST_PICTURES;
    this.pick.disabled = !room;
    setText(this.says, room ? "PNG, JPEG, WebP or GIF; dropped or pasted here too. Models see them in this order." : `A turn has at most ${MOST_PICTURES} pictures.`);
  }

  #tile(digest) {
    const image = h("img", { src: pictureUrl({ digest }), alt: "", decoding: "async", draggable: "false" });
    const look = h("button", { type: "button", class: "tile-look", draggable: "true", onclick: () => this.#zoom(digest) }, image);
    const before = iconButton("Earlier (Alt+←)", "back", () => this.#by(digest, -1, before));
    const after = iconButton("Later (Alt+→)", "next", () => this.#by(digest, 1, after));
    const out = iconButton("Take out", "x", () => this.#remove(digest), { "data-act": "remove" });
    const number = h("span", { class: "xs mut" });
    const element = h("li", { class: "tile-of", "data-digest": digest, onkeydown: (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by && event.altKey) this.#by(digest, by, event.target); else if (event.key === "Delete" && event.target === look) this.#remove(digest); else return;
      event.preventDefault();
    } }, look, h("div", { class: "row tile-acts" }, before, number, after, h("span", { class: "grow" }), out));
    const name = (at, count) => {
      setText(number, at + 1);
      look.setAttribute("aria-label", `Picture ${at + 1} of ${count}: look closer`);
      before.disabled = at === 0;
      after.disabled = at === count - 1;
    };
    return { element, look, out, name };
  }

  #zoom(digest) {
    const pictures = this.digests.map((one) => this.views[one] ?? { digest: one, width: null, height: null });
    this.hooks.zoom(pictures, this.digests.indexOf(digest), (k) => `Picture ${k + 1} of ${pictures.length}, turn ${this.turn + 1}`);
  }

  #by(digest, by, held) {
    const from = this.digests.indexOf(digest), to = from + by;
    if (to < 0 || to >= this.digests.length) return;
    this.#move(from, to);
    (held.disabled ? this.tiles.get(digest).look : held).focus({ preventScroll: true });
  }

  #move(from, to) {
    this.hooks.change(moved(this.digests, from, to));
    announce(`Picture ${from + 1} is number ${to + 1} now`);
  }

  #remove(digest) {
    const at = this.digests.indexOf(digest);
    this.hooks.change(without(this.digests, at));
    const next = this.digests[Math.min(at, this.digests.length - 1)];
    (next ? this.tiles.get(next).out : this.pick).focus();
    this.hooks.removed(`Picture ${at + 1} was taken out`);
  }

  /** Send files, and put them behind the others once they are there; what is no picture is told at once. */
  take(files) {
    this.error.say(null);
    this.say(null);
    const refused = [];
    let room = MOST_PICTURES - this.digests.length - this.sending;
    for (const file of files) {
      const why = !TYPES.includes(file.type) ? "is not a PNG, JPEG, WebP or GIF picture: convert it to one of these."
        : file.size > LARGEST ? `has ${bytes(file.size)}, more than the ${bytes(LARGEST)} that are taken: make it smaller.`
          : room < 1 ? `would be picture ${MOST_PICTURES + 1} of this turn, which has at most ${MOST_PICTURES}.` : null;
      if (why) { refused.push(`${named(file)} ${why}`); continue; }
      room -= 1;
      this.#send(file);
    }
    if (refused.length) this.error.say(refused.slice(0, 3).join(" "));
    this.#draw();
  }

  async #send(file) {
    const url = URL.createObjectURL(file), says = h("span", { class: "xs" }, "Sending"), one = { turn: this.turn, error: null };
    const gone = () => { this.coming = this.coming.filter((other) => other !== one); URL.revokeObjectURL(url); this.#draw(); };
    const image = h("img", { src: url, alt: "", onerror: () => { image.hidden = true; } }), acts = h("div", { class: "row tile-acts" }, says);
    one.element = h("li", { class: "tile-of coming", "aria-label": `Sending ${file.name}` }, h("span", { class: "tile-look" }, image), acts);
    this.coming.push(one);
    this.hooks.sending(this.sending);
    try {
      const view = await this.hooks.upload(file);
      if (this.digests.includes(view.digest) && one.turn === this.turn) announce(`${named(file)} is there already`);
      gone();
      this.hooks.add(one.turn, view);
      announce(`${named(file)} was added`);
    } catch (error) {
      if (error.retry) {
        one.error = error;
        setText(says, "Not sent");
        one.element.setAttribute("aria-label", `${file.name} was not sent`);
        const again = () => { gone(); this.#send(file); this.#draw(); }, leave = () => { gone(); this.pick.focus(); };
        acts.append(h("span", { class: "grow" }), iconButton("Send it again", "again", again), iconButton("Leave it out", "x", leave));
        this.error.say(`${named(file)} was not sent: ${error.message} Send it again.`);
      } else {
        gone();
        this.error.say(`${named(file)}: ${error.message}`);
      }
    }
    this.hooks.sending(this.sending);
  }

  /** The turns stand otherwise: `to(turn)` is where one stands now, or null if it is gone. */
  permute(to) { this.coming = this.coming.map((one) => Object.assign(one, { turn: to(one.turn) ?? 0 })); }

  /** Say what is wrong with them, until files come. */
  say(text) {
    this.wrong.hidden = !text;
    setText(this.wrong, text ?? "");
  }
}
