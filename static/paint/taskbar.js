/* The row above the pictures: which task, under which rules, and the link for others to watch. */
import { announce, h, icon } from "../dom.js";
import { chosenProtocol, setChosenProtocol } from "../session/library.js";

export const CATEGORIES = { programmatic: "Programmatic", spatial: "Spatial geometry", abstract: "Abstract and cartoon", natural: "Natural", own: "Your own pictures" };

/** The rules a painting can have, each in a few words. */
export const RULES = {
  studio: { label: "Studio", says: (budget) => `${budget} steps; undo costs one` },
  practice: { label: "Practice", says: () => "no budget, never ranked" },
  benchmark: { label: "Benchmark", says: (budget) => `strokes only, exactly ${budget}` },
};

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

export async function copyLink(address) {
  const url = new URL(address, document.baseURI).href;
  try { await navigator.clipboard.writeText(url); } catch { // no permission, or not a secure page
    const field = document.body.appendChild(h("textarea", { class: "es-sr" }));
    field.value = url;
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  announce("Link copied");
}

export class TaskBar {
  /** `hooks`: rules(protocol), again(), copy(). */
  constructor(host, hooks) {
    const $ = (name) => host.querySelector(`[data-${name}]`);
    Object.assign(this, { hooks, title: $("title"), meta: $("meta"), thumb: $("thumb"), state: $("state"), brief: $("brief-state"), size: $("size") });
  }

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
    const key = [painting.id, painting.watching, painting.started, painting.protocol, painting.finished, painting.task.id].join();
    if (key === this.key) return; // a focused button keeps its focus
    this.key = key;
    const nodes = painting.watching ? this.#watching(painting) : painting.id ? this.#mine(painting) : [rulesControl(painting.task.budget, this.hooks.rules)];
    this.state.replaceChildren(...nodes);
    this.#brief(painting);
  }

  #copy(tight) {
    const label = h("span", {}, "Copy link");
    return h("button", {
      type: "button", class: tight ? "btn ghost tight" : "btn", title: "Others can watch with this link",
      onclick: async () => { await this.hooks.copy(); label.textContent = "Copied"; setTimeout(() => { label.textContent = "Copy link"; }, 1600); },
    }, icon("copy"), label);
  }

  #link(painting) {
    const url = new URL(painting.view.watch_url ?? location.href, document.baseURI);
    return h("div", { class: "copy wl" }, h("code", {}, url.host + url.pathname + url.search), this.#copy(false));
  }

  #mine(painting) {
    const { label, says } = RULES[painting.protocol];
    return [
      h("span", { class: "row" }, h("span", { class: "tag line", title: says(painting.task.budget) }, `${label} rules`)),
      painting.started && !painting.finished ? h("button", { type: "button", class: "btn ghost", title: "Begin a new painting of this task; this one stays as it is", onclick: this.hooks.again }, icon("again"), "Start over") : null,
      this.#link(painting),
    ].filter(Boolean);
  }

  #watching(painting) {
    return [
      h("span", { class: "row who" }, h("span", { class: painting.finished ? "live off" : "live" }),
        h("span", { class: "nowrap" }, h("b", {}, "Watching"), " ", h("span", { class: "sub" }, painting.player?.name ?? ""), painting.finished ? h("span", { class: "mut" }, ", finished") : null)),
      h("button", { type: "button", class: "btn primary", onclick: this.hooks.again }, "Paint this task yourself"),
      this.#link(painting),
    ];
  }

  #brief(painting) {
    const who = painting.watching ? [h("span", { class: painting.finished ? "live off" : "live" }), h("span", { class: "grow nowrap" }, h("b", {}, painting.finished ? "Finished" : "Watching"), ` ${painting.player?.name ?? ""}`)]
      : [h("span", { class: "grow nowrap" }, `${RULES[painting.protocol].label} rules`)];
    const act = painting.watching ? h("button", { type: "button", class: "btn ghost tight", onclick: this.hooks.again }, "Paint it yourself") : painting.id ? this.#copy(true) : null;
    this.brief.replaceChildren(...who, ...(act ? [act] : []));
  }
}
