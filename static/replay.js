/* A replay of one session in a page of its own, opened from a file: all that it shows is in the page, nothing is fetched. */
import { bestStep, eachFrame, f3, h, plural, setText, signed } from "./dom.js";
import { drawDifference } from "./difference.js";
import { pictureLayout } from "./layout.js";
import { playerTag } from "./players.js";
import { Projector } from "./replay/projector.js";
import { Scrubber } from "./replay/scrubber.js";
import { Transport } from "./replay/transport.js";
import { Record } from "./session/record.js";
import { Sheet } from "./sheet.js";
import { RULES, anchorsOf, headline, isSemantic, nextAnchor, scoreName, scoreWord } from "./tasks.js";
import { ActionList, IDLE } from "./watch/actions.js";
import { Controls } from "./watch/controls.js";
import { startOf } from "./watch/start.js";

/** Show {session, task, log, reference (data URL), fingerprint} in `host`. */
export default async function start(host, { session, task, log, reference, fingerprint }) {
  const picture = new Image();
  picture.src = reference;
  await picture.decode();

  const record = new Record(), [begun] = log;
  record.start = headline(begun.start_scores);
  record.addLog(log);
  const steps = Array.from({ length: record.length }, (_, i) => record.at(i)).filter(({ kind, outcome }) => kind !== "submit" || outcome !== "applied");
  const values = [record.start, ...steps.map(({ score }) => score)], length = steps.length, marks = record.marks(), best = bestStep(values);
  const total = session.protocol === "practice" ? Math.max(1, length) : task.budget;

  const left = new Sheet(`${isSemantic(task) ? "Task" : "Reference"}: ${task.title}`), canvas = new Sheet("Canvas"), heat = h("canvas", { class: "over heat", hidden: true });
  canvas.frame.append(heat);
  const map = () => { if (!heat.hidden) drawDifference(heat, canvas.pixels.read(), left.pixels.read()); };
  const check = h("span", { class: "xs mut check" }), step = h("b", {}), score = h("b", { class: "now" }), delta = h("span", { class: "tag" });
  const fact = (name, value, note = "") => h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, value), note ? h("span", { class: "mut" }, ` ${note}`) : null));
  const summary = h("dl", { class: "summary" }, fact("Final", f3(values.at(-1))), length ? [fact("Best", f3(values[best]), `step ${best}`), fact("Gap", f3(values[best] - values.at(-1)))] : null);
  const transport = new Transport({ moved, changed: eachFrame(() => controls.draw(new Set(["best", ...marks.map(({ kind }) => kind)]))) });
  const scrubber = new Scrubber((to) => transport.go(to));
  const jump = (direction) => transport.seek([...new Set([best, ...marks.map((mark) => mark.step)])].sort((a, b) => a - b), direction);
  const controls = new Controls(transport, jump), list = new ActionList({ go: (to) => transport.go(to), newest: () => transport.go(length) });
  const difference = isSemantic(task) ? null : h("button", { type: "button", class: "btn small", "aria-pressed": "false", onclick: flip }, "Difference");
  const projector = new Projector(canvas.canvas, { size: task.width, start: startOf(task, picture), look: task.brush, inside: true }, {
    drawn: () => { map(); host.dataset.step = transport.position; },
    checked: ({ upto, wrong }) => {
      check.classList.toggle("bad", wrong.length > 0);
      setText(check, wrong.length ? `${plural(wrong.length, "picture")} not as recorded, the first at step ${wrong[0]}` : upto < length ? `${upto} of ${length} pictures checked` : "all pictures as recorded");
    },
  });

  function flip() {
    heat.hidden = !heat.hidden;
    difference.setAttribute("aria-pressed", !heat.hidden);
    map();
  }

  function moved() {
    const { position } = transport;
    projector.show(position);
    scrubber.move(position);
    list.at(position, position === length);
    setText(step, `Step ${position}`);
    setText(score, f3(values[position]));
    const gain = position ? values[position] - values[position - 1] : 0;
    setText(delta, position ? signed(gain) : "");
    delta.className = `tag ${Math.abs(gain) < IDLE ? "" : gain > 0 ? "acc" : "bad"}`;
    canvas.label(`Canvas after ${position} steps, ${scoreWord(task)} ${f3(values[position])}`);
  }

  const rules = [`${RULES[session.protocol]?.label ?? session.protocol} rules`, session.protocol === "practice" ? plural(length, "step") : `${length} of ${plural(task.budget, "step")}`, session.renderer, session.metric].join(", ");
  const chart = h("section", { class: "card curve", "aria-label": "Replay" }, h("div", { class: "row between" }, h("h3", {}, `${scoreName(task)} over steps`), check, summary), scrubber.element, controls.element);
  const body = h("div", { class: "watch" },
    h("figure", { class: "art a-ref" }, left.frame, h("figcaption", { class: "hide-s" }, h("b", {}, isSemantic(task) ? "Task" : "Reference"))),
    h("figure", { class: "art a-cv" }, canvas.frame, h("figcaption", {}, step, h("span", { class: "grow row" }, playerTag(session.player)), delta, difference, score)), chart, list.element);
  host.classList.add("s-watch");
  host.replaceChildren(
    h("div", { class: "es-bar" }, h("div", { class: "bar-title" }, h("h1", {}, task.title), h("div", { class: "meta" }, rules))), body,
    h("p", { class: "xs mut foot-note" }, task.instruction, " ", `Session ${session.session_id}, exported from Easel Studio; SHA-256 of its log ${fingerprint}.`));

  left.pixels.reset(task.width);
  left.context.drawImage(picture, 0, 0);
  canvas.blank(task.width);
  const layout = pictureLayout(host, () => {}, { grid: body, below: chart, rail: [304, 400], inside: true });
  layout.refit(task.width);
  list.show(record, task.width);
  projector.add(record);
  const asked = /^#step=(\d{1,5})$/.exec(location.hash)?.[1];
  transport.load(length, asked === undefined ? null : Number(asked));
  const anchors = anchorsOf(task), top = nextAnchor(anchors, values.reduce((a, b) => Math.max(a, b)))?.value ?? 1, same = (at) => at;
  scrubber.show({
    lanes: [{ name: session.player.name, colour: "", values, at: same, place: same }], total, length, anchors: anchors.filter(({ value }) => value <= top),
    marks: marks.map(({ kind, step: at }) => ({ kind, step: at, position: at })), score: scoreName(task), ends: ["0", String(total)], short: String,
    tell: (at) => `Step ${at}, ${scoreWord(task)} ${f3(values[at])}`,
  });
  scrubber.move(transport.position);

  const KEYS = {
    " ": () => transport.toggle(), ArrowRight: () => transport.step(1), ArrowLeft: () => transport.step(-1), Home: () => transport.go(0), End: () => transport.go(length),
    n: () => jump(1), p: () => jump(-1), "]": () => transport.faster(1), "[": () => transport.faster(-1), d: () => difference?.click(),
  };
  document.addEventListener("keydown", (event) => {
    const run = KEYS[event.key];
    if (!run || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select") || (event.key === " " && event.target.closest("button"))) return;
    event.preventDefault();
    run();
  });
}
