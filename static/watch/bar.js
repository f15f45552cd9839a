/* The row above a session's pictures: what is painted, by whom, how it stands, and what can be done with it. */
import { copyButton } from "../copy.js";
import { h, icon, setText } from "../dom.js";
import { watchUrl } from "../session/api.js";
import { takeTurn } from "../session/guest.js";
import { guestOf, tokenOf } from "../session/library.js";
import { MINUTE, lively } from "../session/lively.js";
import { openTab } from "../tabs.js";
import { RULES, easelOf } from "../tasks.js";
import { exportMenu } from "./exports.js";
import { unable } from "./takeover.js";

export class Bar {
  /** `hooks`: back(), compare(id) with another session or none, takeOver(), say(text), again() when time alone has changed something. */
  constructor(hooks, of) {
    this.hooks = hooks;
    this.thumb = h("canvas", { class: "thumb hide-s", width: 96, height: 96, "aria-hidden": "true" });
    this.title = h("h1", { tabindex: -1 }, "\u00a0");
    this.meta = h("div", { class: "meta" }, "\u00a0");
    this.state = h("div", { class: "row bar-state" });
    this.live = h("div", { class: "row xs" }); // on a phone, beside the reference
    this.exports = exportMenu(of);
    this.take = h("button", { type: "button", class: "btn", onclick: () => this.hooks.takeOver() }, icon("fork"), this.takeWord = h("span", {}, "Take over"));
    this.element = h("div", { class: "es-bar between" },
      h("div", { class: "row wide bar-task" },
        h("button", { type: "button", class: "btn icon", "aria-label": "All sessions", title: "All sessions (esc)", onclick: hooks.back }, icon("grid")),
        this.thumb, h("div", { class: "bar-title" }, this.title, this.meta)),
      h("div", { class: "row bar-acts" }, this.state,
        h("button", { type: "button", class: "btn", title: "Beside another painting of this task (C)", "data-act": "compare", "aria-label": "Compare", onclick: () => hooks.compare() }, icon("compare"), h("span", { class: "hide-s" }, "Compare")),
        this.exports.element, this.take));
  }

  /** Another session, and its reference as a bitmap. */
  open({ task }, bitmap) {
    const context = this.thumb.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, 96, 96);
    this.thumb.hidden = task.kind === "handwriting"; // a blank sheet
    setText(this.title, task.title);
    this.title.title = task.title;
    this.key = this.origin = null;
  }

  close() { clearTimeout(this.still); }

  /** How it stands; `step` is the one that is shown. */
  draw(watched, step) {
    this.#meta(watched.view);
    this.#state(watched);
    const why = unable(watched.view, step);
    setText(this.takeWord, innerWidth <= 720 ? "Take over" : `Take over from step ${step}`);
    this.takeWord.style.minWidth = innerWidth <= 720 ? "" : `${15 + String(watched.task.budget).length}ch`; // nothing moves while one steps
    Object.assign(this.take, { disabled: Boolean(why), title: why || "A copy goes on from here (T)" });
  }

  #meta({ task, protocol, status, ranked, parent, imported, step }) {
    const end = { spent: "budget spent", submitted: `submitted after ${step} steps` }[status];
    const words = [`${RULES[protocol].label} rules`, protocol === "practice" ? null : `${task.budget} steps`, end, imported ? "imported" : null, !ranked && protocol !== "practice" ? "not ranked" : null].filter(Boolean).join(", ");
    const key = `${words} ${parent?.session_id}`;
    if (this.origin === key) return;
    this.origin = key;
    const origin = parent && (parent.session_id ? h("button", { type: "button", class: "link", title: "Show both side by side", onclick: () => this.hooks.compare(parent.session_id) }, `Goes on from step ${parent.step}: compare with its parent`)
      : `Goes on from step ${parent.step} of a painting elsewhere`);
    this.meta.replaceChildren(...(origin ? [origin, ", ", words] : [words])); // the end of a long line is cut
  }

  /* What happens and what can be done; rebuilt only when it changes, so that a focused button keeps its focus. */
  #state(watched) {
    const { finished, turn, view } = watched, token = tokenOf(watched.id), mine = token && !guestOf(watched.id);
    const painting = lively({ open: !finished, seq: view.seq, at: watched.lastAt });
    clearTimeout(this.still);
    if (painting) this.still = setTimeout(this.hooks.again, watched.lastAt + MINUTE - Date.now()); // no event tells of a player that left
    const key = [watched.id, finished, view.seq > 0, painting, turn.shared, turn.guest, Boolean(mine)].join();
    if (key === this.key) return;
    this.key = key;
    const { name } = view.player;
    const says = finished ? ["Finished", ""] : turn.guest ? [`${turn.guest} has the brush`, `, ${name} waits`]
      : painting ? [name, " is painting"] : ["Open", view.seq ? `, ${name} pauses` : ", no stroke yet"];
    const status = () => h("span", { class: "row who", title: says.join("") }, h("span", { class: painting || (turn.guest && !finished) ? "live" : "live off" }),
      h("span", { class: "nowrap" }, h("b", {}, says[0]), h("span", { class: "sub" }, says[1])));
    const act = finished ? null : mine ? h("button", { type: "button", class: "btn primary", onclick: () => openTab(easelOf(watched.task), { session: watched.id }) }, icon("brush"), "Paint on")
      : turn.shared ? this.#turn(watched) : null;
    this.take.classList.toggle("primary", !act);
    this.state.replaceChildren(...[h("span", { class: "hide-s state" }, status()), copyButton(() => location.href, { class: "btn hide-s" }), act].filter(Boolean));
    this.live.replaceChildren(status(), copyButton(watchUrl(watched.id), { class: "btn ghost tight" }));
  }

  #turn({ id, task }) {
    return h("button", {
      type: "button", class: "btn primary", title: "Paint strokes in this painting; the player waits until you hand back",
      onclick: () => takeTurn(id, task).catch((error) => this.hooks.say(error.message)),
    }, icon("brush"), "Take a turn");
  }
}
