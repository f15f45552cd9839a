/* The score: similarity and its parts, its place among the anchors, its way over the steps, and the result. */
import { bestStep, eachFrame, f3, h, setText, signed } from "../dom.js";
import { ruler, spark, ticks } from "../charts.js";
import { anchorsOf, nextAnchor, passedAnchor } from "../tasks.js";

export class ScoreCard {
  constructor(host) {
    Object.assign(this, { host, painting: null });
    this.charts = eachFrame(() => this.#charts(), { later: true }); // pixels first
    let seen = "";
    const frames = [...host.querySelectorAll("[data-ruler], [data-spark]")];
    const watch = new ResizeObserver(() => { // charts fill their card; a hidden tab measures 0
      const now = frames.map(({ clientWidth, clientHeight }) => `${clientWidth} ${clientHeight}`).join();
      if (frames[0].clientWidth && now !== seen) { seen = now; this.charts(); }
    });
    for (const frame of frames) watch.observe(frame);
  }

  #all(name, write) { for (const element of this.host.querySelectorAll(`[data-${name}]`)) write(element); }

  draw(painting) {
    this.painting = painting;
    this.#all("score", (e) => e.classList.toggle("waiting", painting.pending > 0));
    const now = [painting.task.id, painting.id, painting.protocol, painting.view.seq, painting.view.step, painting.view.status, painting.watching, !painting.view.scores].join();
    if (now === this.now) return;
    this.now = now;
    const { view, task, finished } = painting, values = view.curve, score = values.at(-1);
    const delta = view.step > 0 ? score - values.at(-2) : null;
    const tone = delta == null || Math.abs(delta) < 0.0005 ? "" : delta > 0 ? "acc" : "bad";
    this.#all("score", (e) => setText(e, f3(score)));
    this.#all("delta", (e) => { setText(e, delta == null ? "" : signed(delta)); e.className = `tag ${tone}`; e.hidden = delta == null; });
    this.#all("delta-long", (e) => { setText(e, delta == null ? "" : `${signed(delta)} last step`); e.className = `tag ${tone}`; e.hidden = delta == null || finished; });
    this.#all("score-title", (e) => setText(e, finished ? "Final similarity" : "Similarity"));
    const parts = view.scores && { ssim: view.scores.ssim, colour: 1 - view.scores.l1, edge_iou: view.scores.edge_iou };
    this.#all("meter", (e) => { e.style.width = `${Math.max(0, parts?.[e.dataset.meter] ?? 0) * 100}%`; });
    this.#all("value", (e) => setText(e, f3(parts?.[e.dataset.value])));
    this.#all("step", (e) => setText(e, view.step));
    this.#all("budget", (e) => setText(e, view.steps_left == null ? "" : ` / ${task.budget}`));
    this.host.querySelector(".budget").classList.toggle("warn", view.steps_left != null && view.step >= task.budget * 0.9);
    this.#all("neighbours", (e) => this.#neighbours(e, score));
    this.#result(finished);
    this.charts();
  }

  #neighbours(host, score) {
    const anchors = anchorsOf(this.painting.task), above = nextAnchor(anchors, score), below = passedAnchor(anchors, score);
    host.replaceChildren(
      h("span", {}, "Next anchor"), h("b", {}, above ? `${above.name} ${f3(above.value)}` : "all passed"),
      h("span", {}, "Last passed"), h("b", {}, below ? `${below.name} ${f3(below.value)}` : "none yet"));
  }

  #result(finished) {
    const host = this.host.querySelector("[data-result]");
    host.hidden = !finished;
    if (!finished) return;
    const { task, view } = this.painting, values = view.curve, final = values.at(-1), at = bestStep(values), best = values[at];
    const anchors = anchorsOf(task), above = nextAnchor(anchors, final), below = passedAnchor(anchors, final);
    const place = !above ? `above ${below.name}, the highest anchor` : !below ? `below ${above.name}, the lowest anchor` : `above ${below.name}, below ${above.name}`;
    const row = (name, value, note) => [h("dt", {}, name), h("dd", {}, h("b", {}, value), note ? h("span", { class: "mut" }, ` ${note}`) : null)];
    host.replaceChildren(
      h("p", { class: "sm sub" }, `${view.status === "spent" ? "Budget spent" : "Submitted"} after ${view.step} ${view.step === 1 ? "step" : "steps"}, ${place}.`),
      h("dl", {}, row("Best", f3(best), `at step ${at}`), row("Gap", f3(best - final), best === final ? "ended at its best" : best - final < 0.0005 ? "less than .0005 below its best" : "lost after the best")));
  }

  #charts() {
    if (!this.painting) return;
    const { task, view } = this.painting, values = view.curve, score = values.at(-1), anchors = anchorsOf(task);
    const svg = this.host.querySelector(".ticks");
    svg.style.display = view.steps_left == null ? "none" : "";
    if (view.steps_left != null) ticks(svg, view.step, task.budget);
    const at = bestStep(values), best = values[at];
    ruler(this.host.querySelector("[data-ruler]"), anchors, score);
    const shown = [passedAnchor(anchors, score), nextAnchor(anchors, score)].filter(Boolean);
    spark(this.host.querySelector("[data-spark]"), values, view.steps_left == null ? null : task.budget, shown);
    this.host.querySelector("[data-best]").replaceChildren(...(view.step ? ["best ", h("b", {}, f3(best)), ` at step ${at}`] : ["begins with the first stroke"]));
  }
}
