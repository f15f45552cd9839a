/* The row under a scrubber: play, step, speed, and what the marks mean. */
import { markGlyph } from "../charts.js";
import { h, icon } from "../dom.js";
import { SPEEDS } from "../replay/transport.js";

const MARKS = { fork: "Taken over", best: "Best", rise: "Biggest gain", drop: "Biggest drop", repeat: "Repeat", undo: "Undo", rejected: "Rejected", invalid: "Invalid" };

export class Controls {
  /** For a transport; `next(direction)` goes to the next mark. */
  constructor(transport, next) {
    this.transport = transport;
    const button = (name, label, key, run) => h("button", { type: "button", class: "btn ghost icon", "aria-label": label, title: `${label} (${key})`, onclick: run }, icon(name));
    this.play = button("play", "Play", "space", () => transport.toggle());
    this.play.className = "btn primary icon";
    this.speeds = SPEEDS.map((speed) => h("button", { type: "button", "aria-pressed": "false", "aria-label": `${speed} times`, onclick: () => transport.pace(speed) }, `${speed}×`));
    this.legend = h("div", { class: "legend" }, Object.entries(MARKS).map(([kind, name]) => h("span", { "data-mark": kind }, markGlyph(kind), name)));
    this.element = h("div", { class: "row controls" },
      h("div", { class: "row moves" },
        button("first", "First step", "home", () => transport.go(0)), button("back", "Step back", "←", () => transport.step(-1)), this.play,
        button("next", "Step forward", "→", () => transport.step(1)), button("last", "Newest step", "end", () => transport.go(transport.length)),
        h("span", { class: "joined marks-nav" }, ...[["up", "Previous mark", "P", -1], ["down", "Next mark", "N", 1]].map(([name, label, key, by]) => {
          const found = button(name, label, key, () => next(by));
          found.classList.add("small");
          return found;
        }))),
      h("div", { class: "seg speeds", role: "group", "aria-label": "Speed" }, this.speeds), this.legend);
  }

  /** Draw what has changed: whether it plays, how fast, which `kinds` of marks there are. */
  draw(kinds) {
    const { playing, speed, length } = this.transport;
    if (this.drawn === [playing, speed, length > 0, ...kinds].join()) return;
    this.drawn = [playing, speed, length > 0, ...kinds].join();
    this.play.replaceChildren(icon(playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.play.disabled = !length;
    SPEEDS.forEach((of, k) => this.speeds[k].setAttribute("aria-pressed", of === speed));
    for (const item of this.legend.children) item.hidden = !kinds.has(item.dataset.mark);
  }
}
