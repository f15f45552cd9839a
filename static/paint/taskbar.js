/* The row above the pictures: which task, under which rules, and the link for others to watch. */
import { copyButton } from "../copy.js";
import { h, icon } from "../dom.js";
import { watchUrl } from "../session/api.js";
import { openTab } from "../tabs.js";
import { chosenProtocol, setChosenProtocol } from "../session/library.js";
import { CATEGORIES, RULES } from "../tasks.js";

/** A segmented control for the rules of the next painting. */
export function rulesControl(budget, changed) {
  const chosen = chosenProtocol();
  return h("div", { class: "row rules" },
    h("span", { class: "xs mut says" }, RULES[chosen].says(budget)),
    h("div", { class: "seg", role: "group", "aria-label": "Rules of the painting" },
      Object.entries(RULES).map(([key, { label, says }]) => h("button", {
        type: "button", "aria-pressed": String(key === chosen), title: says(budget), "data-rules": key,
        onclick: () => { setChosenProtocol(key); changed(key); },
      }, label))));
}

export class TaskBar {
  /** `hooks`: rules(protocol), again(), share(shared), take() a turn, back() with the turn. */
  constructor(host, hooks) {
    const $ = (name) => host.querySelector(`[data-${name}]`);
    Object.assign(this, { hooks, title: $("title"), meta: $("meta"), thumb: $("thumb"), state: $("state"), brief: $("brief-state"), size: $("size"), change: host.querySelectorAll("[data-act=tasks]") });
  }

  /** Whether a guest has the turn, which would stay with them if they left. */
  static holds({ guest, hasTurn, finished }) { return Boolean(guest && hasTurn && !finished); }

  /** Another task, with its place among the tasks of its category. */
  setTask(task, bitmap, place) {
    this.title.textContent = this.title.title = task.title;
    this.meta.textContent = [CATEGORIES[task.category] || task.category, place].filter(Boolean).join(", ");
    this.size.textContent = `${task.width} × ${task.height} px`;
    const context = this.thumb.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, this.thumb.width, this.thumb.height);
  }

  draw(painting) {
    const held = TaskBar.holds(painting);
    for (const button of this.change) Object.assign(button, { disabled: held, title: held ? "Hand back the turn first: it would stay with you" : "" });
    const key = [
      painting.id, painting.watching, painting.started, painting.protocol, painting.finished, painting.task.id,
      painting.guest, painting.hasTurn, painting.watching && painting.turn.shared, painting.guest && painting.waitsFor,
    ].join();
    if (key !== this.key) { // a focused button keeps its focus
      this.key = key;
      const nodes = painting.watching ? this.#watching(painting) : painting.guest ? this.#guest(painting)
        : painting.id ? this.#mine(painting) : [rulesControl(painting.task.budget, this.hooks.rules)];
      this.state.replaceChildren(...nodes.filter(Boolean));
      this.#brief(painting);
    }
    for (const box of [this.state, this.brief]) for (const input of box.querySelectorAll("[data-share]")) input.checked = painting.turn.shared;
  }

  #copy(painting, tight = false) { return copyButton(watchUrl(painting.id), { class: tight ? "btn ghost tight" : "btn" }); }

  #link(painting) {
    const url = new URL(watchUrl(painting.id));
    return h("div", { class: "copy wl" }, h("code", {}, url.host + url.pathname + url.search), this.#copy(painting));
  }

  #share(painting, label = null) {
    if (painting.finished) return null;
    return h("label", { class: "switch share", title: "Anyone who watches may paint strokes too; the painting is then never ranked" },
      h("input", { type: "checkbox", role: "switch", "data-share": true, "aria-label": "Let others take turns", onchange: (event) => this.hooks.share(event.target.checked) }),
      label ? h("span", { class: "words" }, label) : null, icon("people"));
  }

  #mine(painting) {
    const { label, says } = RULES[painting.protocol], { parent } = painting.view;
    return [
      parent?.session_id ? h("button", {
        type: "button", class: "btn ghost", title: `Goes on from step ${parent.step} of another painting and is not ranked; shows both side by side`,
        onclick: () => openTab("watch", { compare: `${parent.session_id},${painting.id}` }),
      }, icon("fork"), `From step ${parent.step}`) : null,
      this.#share(painting, "Let others take turns"),
      h("span", { class: "row" }, h("span", { class: "tag line", title: says(painting.task.budget) }, `${label} rules`)),
      painting.started && !painting.finished ? h("button", { type: "button", class: "btn ghost", title: "Begin a new painting of this task; this one stays as it is", onclick: this.hooks.again }, icon("again"), "Start over") : null,
      this.#link(painting),
    ];
  }

  #watching(painting) {
    return [
      h("span", { class: "row who" }, h("span", { class: painting.finished ? "live off" : "live" }),
        h("span", { class: "nowrap" }, h("b", {}, "Watching"), " ", h("span", { class: "sub" }, painting.player?.name ?? ""), painting.finished ? h("span", { class: "mut" }, ", finished") : null)),
      painting.turn.shared && !painting.finished ? h("button", { type: "button", class: "btn", onclick: this.hooks.take }, icon("brush"), "Take a turn") : null,
      h("button", { type: "button", class: "btn primary", onclick: this.hooks.again }, "Paint this task yourself"),
      this.#link(painting),
    ];
  }

  /* Taking turns in another's painting. */
  #guest(painting) {
    return [this.#whose(painting), this.#back(painting, "btn primary"), this.#link(painting)];
  }

  #whose(painting) {
    const name = painting.player.name, [whose, what] = painting.finished ? ["Finished", `the painting of ${name}`]
      : painting.hasTurn ? ["Your turn", `in the painting of ${name}`]
        : painting.waitsFor ? [`${painting.waitsFor} has the brush`, `in the painting of ${name}`]
          : [`It is the turn of ${name}`, "paint to take it"];
    return h("span", { class: "row who turn", title: `${whose}, ${what}` }, h("span", { class: painting.finished ? "live off" : "live" }),
      h("span", { class: "nowrap" }, h("b", {}, whose), h("span", { class: "sub" }, `, ${what}`)));
  }

  #back(painting, kind) {
    return painting.hasTurn && !painting.finished ? h("button", { type: "button", class: kind, title: "Give the turn back to the player", onclick: this.hooks.back }, "Hand back") : null;
  }

  #brief(painting) {
    const { watching, guest, finished, turn } = painting;
    const ghost = (label, run) => h("button", { type: "button", class: "btn ghost tight", onclick: run }, label);
    const nodes = guest ? [this.#whose(painting), this.#back(painting, "btn ghost tight")]
      : watching ? [
        h("span", { class: finished ? "live off" : "live" }), h("span", { class: "grow nowrap" }, h("b", {}, finished ? "Finished" : "Watching"), ` ${painting.player?.name ?? ""}`),
        turn.shared && !finished ? ghost("Take a turn", this.hooks.take) : ghost("Paint it yourself", this.hooks.again)]
        : [
          h("span", { class: "grow nowrap" }, `${RULES[painting.protocol].label} rules`),
          painting.id ? this.#share(painting) : null, painting.id ? this.#copy(painting, true) : null];
    this.brief.replaceChildren(...nodes.filter(Boolean));
  }
}
