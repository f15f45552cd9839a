/* The session at hand: its pictures, how far it is, its links; and the button that lets a painter begin one. */
import { spark } from "../charts.js";
import { copyButton } from "../copy.js";
import { eachFrame, f3, h, icon, plural, setText } from "../dom.js";
import { playerTag } from "../players.js";
import { getSession, share, watchUrl } from "../session/api.js";
import { Watched } from "../session/watched.js";
import { Sheet, pictureOf } from "../sheet.js";
import { openTab } from "../tabs.js";
import { anchorsOf, isSemantic, nextAnchor, passedAnchor, scoreName } from "../tasks.js";

const PAINTING = { human: "Person painting", agent: "Agent painting", painter: "Painter at work" }, PAUSES = { human: "Person pauses", agent: "Agent pauses", painter: "Painter pauses" };
const LIVELY = 8000; // ms after an action for which its player counts as painting

/* How long ago, in the largest unit that fits. */
function ago(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3600)} h ago`;
}

export class SessionCard {
  /** `hooks`: tryIt(); stop(session) the painter and goOn(session) with it. */
  constructor(tab, hooks) {
    Object.assign(this, { tab, hooks, watched: null, session: null, busy: false });
    this.reference = new Sheet("Reference");
    this.canvas = new Sheet("Canvas");
    this.step = h("span", {}, "Canvas");
    this.score = h("b", {});
    this.title = h("div", { class: "what" });
    this.about = h("div", { class: "sm sub" });
    this.who = h("div", { class: "row who" });
    this.state = h("div", { class: "row state" });
    this.detail = h("div", { class: "sm sub" });
    this.last = h("div", { class: "sm mut" });
    this.link = h("div", { class: "copy" });
    this.plot = h("div", { class: "plot" });
    this.acts = h("div", { class: "row acts" });
    this.error = h("p", { class: "refusal", role: "alert", hidden: true });
    this.invite = h("div", { class: "invite" }, h("h2", {}, "See an agent paint"),
      h("p", { class: "sub" }, "A built-in painter begins a picture right here: no key, no set-up. It looks at what still differs, chooses a stroke, and every stroke is scored as yours would be."));
    this.facts = h("div", { class: "facts" },
      h("div", {}, h("div", { class: "lab" }, "Session"), this.title, this.about, this.who),
      h("div", {}, h("div", { class: "lab" }, "Status"), this.state, this.detail, this.last),
      h("div", {}, h("div", { class: "lab" }, "Watch link"), this.link, h("p", { class: "xs mut" }, "Anyone can watch; painting needs the token.")));
    const art = (sheet, ...caption) => h("figure", {}, sheet.frame, h("figcaption", { class: "row between" }, caption));
    this.element = h("section", { class: "card sess", "aria-label": "Session" },
      h("div", { class: "pair" }, art(this.reference, this.left = h("span", {}, "Reference")), art(this.canvas, this.step, this.score)),
      h("div", { class: "side" }, this.error, this.invite, this.facts, this.plot, this.acts));
    this.draw = eachFrame(() => this.#draw());
    this.chart = eachFrame(() => this.#chart(), { later: true });
    new ResizeObserver(() => this.chart()).observe(this.plot);
    setInterval(() => { if (this.watched && !document.hidden && this.element.offsetParent) this.draw(); }, 1000); // "2 s ago"
    this.#layout();
  }

  /** Show what a painter would paint, until there is a session. */
  async offer(task) {
    if (this.session) return;
    const bitmap = await pictureOf(task).catch(() => null);
    if (this.session) return;
    if (bitmap) this.reference.show(bitmap);
    this.reference.label(`Reference: ${task.title}`);
    this.canvas.blank(task.width);
    this.element.dataset.ready = "offer";
  }

  /** Follow a session {id, token, painter}; throws ApiError when it cannot be had. */
  async follow(session) {
    const view = await getSession(session.id), bitmap = await pictureOf(view.task);
    this.watched?.close();
    this.session = session;
    this.reference.show(bitmap);
    setText(this.left, isSemantic(view.task) ? "Task" : "Reference");
    this.reference.label(`${this.left.textContent}: ${view.task.title}`);
    this.canvas.blank(view.task.width);
    this.key = null;
    this.watched = new Watched(view, {
      pixels: this.canvas.pixels, tab: this.tab,
      hooks: { changed: () => { this.draw(); this.chart(); }, drawn: () => { this.element.dataset.ready = session.id; } },
    });
    this.#layout();
    this.#draw();
    this.chart();
  }

  /** Say what went wrong; null takes it away. */
  say(text) {
    this.error.hidden = !text;
    this.error.textContent = text ?? "";
  }

  /** Whether something is being begun. */
  wait(busy) {
    this.busy = busy;
    this.key = null;
    this.#layout();
    this.#draw();
  }

  #tryButton(label) {
    return h("button", { type: "button", class: "btn lg primary", "aria-busy": String(this.busy), "data-try": true, onclick: () => { if (!this.busy) this.hooks.tryIt(); } }, icon("play"), this.busy ? "Beginning" : label);
  }

  #layout() {
    const any = Boolean(this.session);
    this.invite.hidden = any;
    this.facts.hidden = this.plot.hidden = !any;
    if (any) return;
    const focused = this.acts.contains(document.activeElement), button = this.#tryButton("Try it");
    this.acts.replaceChildren(button);
    if (focused) button.focus({ preventScroll: true });
  }

  #draw() {
    const { watched, session } = this;
    if (!watched) return;
    const { view, task, finished, turn } = watched, limited = view.steps_left != null;
    const lively = !finished && watched.lastAt != null && Math.abs(Date.now() - watched.lastAt) < LIVELY;
    setText(this.title, session.id);
    setText(this.about, `${task.title}, ${limited ? `${task.budget} steps` : "no budget"}`);
    setText(this.step, view.step ? `Step ${view.step}` : "Canvas");
    setText(this.score, f3(watched.score));
    const says = finished ? "Finished" : turn.guest ? `${turn.guest} has the brush` : !view.step ? "No stroke yet" : (lively ? PAINTING : PAUSES)[view.player.kind];
    setText(this.detail, finished ? `${f3(watched.score)} after ${plural(view.step, "step")}` : `Step ${view.step}${limited ? ` of ${task.budget}` : ""}`);
    setText(this.last, watched.lastAt == null ? "\u00a0" : `last stroke ${ago(Date.now() - watched.lastAt)}`);
    const state = [says, lively].join();
    if (state !== this.stateKey) {
      this.stateKey = state;
      this.state.replaceChildren(h("span", { class: lively ? "live" : "live off" }), h("b", { class: "nowrap", title: says }, says));
    }
    const input = this.acts.querySelector("[data-share]");
    if (input) input.checked = turn.shared;
    const atWork = session.painter && !finished && !session.stopped && (lively || Boolean(turn.guest) || !view.step);
    const key = [session.id, finished, this.busy, atWork].join();
    if (key === this.key) return; // a focused button keeps its focus
    this.key = key;
    const focused = this.acts.contains(document.activeElement);
    const url = new URL(watchUrl(session.id));
    this.link.replaceChildren(h("code", {}, url.href.replace(/^https?:\/\//, "")), copyButton(watchUrl(session.id), { label: "Copy", said: "Link copied" }));
    this.who.replaceChildren(playerTag(view.player), ...(session.painter || finished ? [] : [copyButton(session.token, { label: "Copy token", said: "Write token copied", class: "btn ghost tight" })]));
    this.acts.replaceChildren(...[
      atWork ? h("button", { type: "button", class: "btn lg", onclick: () => this.hooks.stop(session) }, icon("stop"), "Stop") : this.#tryButton(session.painter ? "Try it again" : "Try a painter"),
      session.painter && !finished && !atWork ? h("button", { type: "button", class: "btn lg", onclick: () => this.hooks.goOn(session) }, icon("play"), "Go on") : null,
      h("button", { type: "button", class: "btn lg", onclick: () => openTab("watch", { session: session.id }) }, icon("eye"), "Open in Watch"),
      finished ? null : this.#share(session),
    ].filter(Boolean));
    if (focused) this.acts.querySelector("button").focus({ preventScroll: true });
  }

  #share(session) {
    return h("label", { class: "switch", title: "Anyone who watches may paint strokes too; the painting is then never ranked" },
      h("input", {
        type: "checkbox", role: "switch", "data-share": true,
        onchange: async (event) => {
          try { this.watched.turn.set(await share(session.id, session.token, event.target.checked)); } catch (error) { this.say(error.message); }
          this.draw();
        },
      }), "Let others take turns");
  }

  #chart() {
    if (!this.watched || !this.plot.clientWidth) return;
    const { view, task, score } = this.watched, anchors = anchorsOf(task);
    const near = [passedAnchor(anchors, score), nextAnchor(anchors, score)].filter(Boolean);
    spark(this.plot, view.curve, view.steps_left == null ? null : task.budget, near, scoreName(task));
  }
}
