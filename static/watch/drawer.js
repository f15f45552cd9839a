/* The detail drawer: all that is known of one action, and what its player was shown and said. */
import { f3, h, icon, plural, setText, signed } from "../dom.js";
import { STROKE } from "../mask.js";
import { canvasUrl, getExchanges, referenceUrl } from "../session/api.js";

const LONG = 40_000; // characters of a text that are shown at once
const KINDS = { brush_stroke: "Stroke", undo: "Undo", submit: "Submit", invalid: "Not understood" };
const WHO = { human: "a person", agent: "the agent", painter: "a built-in painter" };

const seconds = (value) => (value == null ? null : value < 1 ? `${Math.round(value * 1000)} ms` : value < 120 ? `${value.toFixed(1)} s` : `${Math.round(value / 60)} min`);
const facts = (pairs) => h("dl", { class: "facts" }, pairs.filter(([, value]) => value != null && value !== "").map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));

/* A text of any length: its beginning, and the rest on demand. */
function prose(text, kind = "said") {
  if (text.length <= LONG) return h("pre", { class: kind }, text);
  const box = h("pre", { class: kind }, text.slice(0, LONG));
  const more = h("button", { type: "button", class: "btn small", onclick: () => { setText(box, text); more.remove(); } }, `Show all ${text.length.toLocaleString("en")} characters`);
  return [box, more];
}

/* What an endpoint's answer says, part by part: reasoning, text, calls. */
function said(reply) {
  const message = reply?.choices?.[0]?.message ?? {}, parts = [];
  const text = (content) => (typeof content === "string" ? content : Array.isArray(content) ? content.map((part) => part?.text ?? "").join("\n") : "");
  const thought = text(message.reasoning_content ?? message.reasoning);
  if (thought) parts.push(h("h4", {}, "Reasoning"), prose(thought));
  if (text(message.content)) parts.push(h("h4", {}, "Reply"), prose(text(message.content)));
  for (const call of message.tool_calls ?? []) parts.push(h("h4", {}, `Call of ${call?.function?.name ?? "a tool"}`), prose(String(call?.function?.arguments ?? "")));
  const raw = h("details", {}, h("summary", {}, "Raw answer"));
  raw.addEventListener("toggle", () => { if (raw.open && raw.children.length === 1) raw.append(...[prose(JSON.stringify(reply, null, 1))].flat()); });
  return [...parts, raw];
}

export class Drawer {
  /** `close()` is asked for by its button. */
  constructor(close) {
    Object.assign(this, { id: null, task: null, entry: null, known: null, length: -1, turn: 0 });
    this.title = h("h3", {});
    this.body = h("div", { class: "drawer-body", tabindex: 0, role: "group", "aria-label": "Details of the action" });
    this.element = h("section", { class: "detail", "aria-label": "Details", hidden: true },
      h("header", { class: "row between" }, this.title, h("button", { type: "button", class: "btn ghost icon small", "aria-label": "Close the details", title: "Close (E)", onclick: close }, icon("x"))), this.body);
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    });
  }

  get open() { return !this.element.hidden; }

  /** Of another session, its view. */
  load({ session_id: id, task, player, imported }) {
    const why = imported ? "A log that was made elsewhere does not hold what its player was shown and said." : player.kind === "agent" ? "Nothing is on record of what the agent was shown and said: it acts by itself, and did not ask to see the canvas before this step."
      : "Nothing is on record of what the player was shown: people and built-in painters see the canvas itself.";
    Object.assign(this, { id, task, why, entry: null, known: null, length: -1 });
  }

  /** Open it, or put it away. */
  toggle(open = !this.open) {
    this.element.hidden = !open;
    if (open) this.#draw();
  }

  /** Show an entry of `record`, at `index`; null before the first. `credit` is what the stroke is worth, if that is known. */
  show(record, index, credit = null) {
    const entry = index < 0 ? null : record.at(index);
    if (entry === this.entry && credit === this.credit) return;
    Object.assign(this, { entry, credit, pause: index < 0 ? null : record.pauseBefore(index), total: record.length });
    if (this.open) this.#draw();
  }

  async #draw() {
    const { entry } = this;
    setText(this.title, entry ? (entry.kind === "submit" ? "Submit" : `Step ${entry.step}`) : "Before the first step");
    if (!entry) {
      this.body.replaceChildren(h("p", { class: "sm sub" }, "The canvas as the player found it. Step forward to see what happened."));
      return;
    }
    const { kind, outcome, message, stroke, contact, actor, guest, at, gain, score } = entry;
    this.body.replaceChildren(
      facts([["Action", `${KINDS[kind] ?? kind}, ${outcome}${entry.repeat ? ", a repeat" : ""}`], ["Reason", message], ["Touches a wall at", contact && `${contact.x.toFixed(3)}, ${contact.y.toFixed(3)}`],
        ["Score after it", `${f3(score)} (${signed(gain)})`], ["Credit at the end", this.credit && `${signed(this.credit.credit)} (${f3(this.credit.without)} without it)`],
        ["By", guest ? `${guest}, a guest` : WHO[actor] ?? actor], ["Time", Number.isFinite(at) ? new Date(at).toLocaleString() : null], ["Pause before it", seconds(this.pause)]]),
      ...(stroke ? [this.#numbers(stroke)] : []), this.place = h("div", { class: "exchange" }, h("p", { class: "xs mut" }, "Looking up what the player was shown …")));
    const mine = ++this.turn, { place } = this;
    try {
      const found = await this.#of(entry.seq);
      if (mine === this.turn) place.replaceChildren(...found);
    } catch (error) {
      if (mine === this.turn) place.replaceChildren(h("p", { class: "sm sub" }, error.message), h("button", { type: "button", class: "btn small", onclick: () => this.#draw() }, "Try again"));
    }
  }

  #numbers(stroke) {
    const names = STROKE.filter((name) => stroke[name] !== undefined);
    return h("details", { open: true }, h("summary", {}, plural(names.length, "number")), h("dl", { class: "numbers" }, names.map((name) => h("div", {}, h("dt", {}, name), h("dd", {}, String(Number(stroke[name].toPrecision(6))))))));
  }

  /* What is on record of the exchange that led to an action, as elements. */
  async #of(seq) {
    if (!this.known || this.length < seq) [this.known, this.length] = [await getExchanges(this.id), this.total];
    const exchanges = this.known.filter((line) => line.type === "exchange" && line.seq === seq);
    const looks = this.known.filter((line) => line.type === "observation" && line.seq === seq - 1);
    if (!exchanges.length && !looks.length) return [h("p", { class: "xs mut" }, this.why)];
    return [
      ...looks.flatMap(({ shown }) => [h("h4", {}, "Asked to see"), this.#pictures(shown)]),
      ...exchanges.flatMap((line) => [
        facts([["Tokens", `${line.prompt_tokens} in, ${line.completion_tokens} out`], ["Cost", line.cost == null ? null : String(line.cost)], ["Answered after", seconds(line.latency)],
          ["Tries before", line.retries.length ? line.retries.map(({ reason, waited }) => `${reason} (waited ${seconds(waited)})`).join("; ") : null], ["Read with help", line.notes.join("; ")]]),
        ...said(line.reply), h("h4", {}, "Was shown"), ...line.shown.flatMap((turn) => this.#message(turn)),
      ]),
    ];
  }

  #message({ content }) {
    if (!Array.isArray(content)) return [prose(String(content ?? ""))].flat();
    return content.flatMap((part) => (part.type === "picture" ? this.#pictures([part.picture]) : prose(String(part.text ?? ""), "shown")));
  }

  #pictures(shown) {
    return h("div", { class: "row seen" }, shown.map(({ picture, step, scale, grid }) => h("figure", {},
      h("img", { src: picture === "reference" ? referenceUrl(this.task.id) : canvasUrl(this.id, step), alt: "", loading: "lazy" }),
      h("figcaption", {}, [picture === "reference" ? "Reference" : `Canvas, step ${step}`, scale > 1 ? `× ${scale}` : null, grid].filter(Boolean).join(", ")))));
  }
}
