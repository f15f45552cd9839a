/* A task as it is written: values that never change in place, so that a change can be taken back and two versions compared. */

/** A name that nothing else has, for a criterion or a request. */
export const newId = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
const UNTITLED = "Untitled task", UNSEEN = /[\p{C}\p{Zl}\p{Zp}]+/gu;
const line = (text) => text.replace(UNSEEN, "").trim();
/** A task's title, as far as it can be seen. */
export const titleOf = (task) => line(task.title) || UNTITLED;
/** A task as it is saved: names hold nothing that cannot be seen. */
export const named = (task) => ({ ...task, title: titleOf(task), domain: line(task.domain) });
/** What a task tests: [value, label, whether it has several turns, what it is]. */
export const CATEGORIES = [
  ["region_switch", "Region switch", false, "Facts from regions that lie far apart: find, crop, combine."],
  ["hybrid_tool_reasoning", "Hybrid tool reasoning", false, "A picture tool together with calculator or search."],
  ["follow_up", "Follow-up", true, "The first prompt leaves it open: ask back, then answer."],
  ["temporal", "Temporal reasoning", true, "A sequence of pictures over the turns."],
  ["progressive", "Progressive reasoning", true, "Questions on one picture, each building on the last."],
];
export const categoryWords = (value) => CATEGORIES.find(([name]) => name === value)?.[1] ?? null;
export const KINDS = ["instruction following", "truthfulness", "visual understanding", "reasoning", "writing style / presentation"];
export const DOMAINS = ["STEM", "medical", "finance", "sports", "generalist"];
export const MOST_TURNS = 32, MOST_ITEMS = 200, MOST_PICTURES = 64;

export const blankTurn = () => ({ prompt: "", golden_answer: "", tool_trajectory: "", pictures: [], rubric: [] });
export const newItem = (description = "", id = newId()) =>
  ({ id, description, weight: 3, critical: null, objectivity: null, explicitness: null, categories: [], final_answer: null });
export const criticalOf = ({ weight, critical }) => critical ?? weight >= 4;

/* Lists without change in place. */
export const put = (list, at, value) => list.map((one, k) => (k === at ? value : one));
export const without = (list, at) => list.filter((_, k) => k !== at);
export function moved(list, from, to) {
  const rest = without(list, from);
  return [...rest.slice(0, to), list[from], ...rest.slice(to)];
}
/** A task with some fields of one turn changed. */
export const withTurn = (task, at, changes) => ({ ...task, turns: put(task.turns, at, { ...task.turns[at], ...changes }) });
/** Whether two values say the same; parts that versions share are not gone through. */
export function same(a, b) {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object" || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** What stands at a place such as `turns.0.rubric.2.description`; undefined where there is nothing. */
export function valueAt(task, where) {
  const within = (value, key) => (value !== null && typeof value === "object" && Object.hasOwn(value, key) ? value[key] : undefined);
  return where.split(".").reduce(within, task);
}

function itemWords({ description, weight, critical, objectivity, explicitness, categories, final_answer: final }) {
  const flag = critical != null && (critical ? "critical by flag" : "not critical by flag");
  return [description || "(empty)", `weight ${weight}`, flag, objectivity, explicitness, ...categories, final && "final answer"].filter(Boolean).join(" · ");
}

/* All that can differ, as [what it is, place in words, text]; a criterion is the same one wherever it stands. */
function told(task) {
  const turn = ({ prompt, golden_answer: golden, tool_trajectory: chain, pictures, rubric }, k) => {
    const at = `Turn ${k + 1}`, shown = pictures.map((digest) => digest.slice(0, 8)).join(", ");
    const texts = [["prompt", prompt], ["golden answer", golden], ["reference tool chain", chain], ["pictures", shown]];
    const items = rubric.map((item, i) => [`${k} item ${item.id}`, `${at}, criterion ${i + 1}`, `${i + 1}. ${itemWords(item)}`]);
    return [...texts.map(([name, text]) => [`${k} ${name}`, `${at}, ${name}`, text]), ...items];
  };
  const whole = [["title", task.title], ["category", categoryWords(task.category) ?? ""], ["domain", task.domain], ["turns", String(task.turns.length)]];
  return [...whole.map(([name, text]) => [name, name.charAt(0).toUpperCase() + name.slice(1), text]), ...task.turns.flatMap(turn)];
}

/** Where two versions differ: [place in words, text of the first, text of the second]. */
export function differences(mine, theirs) {
  const [ours, others] = [mine, theirs].map((task) => new Map(told(task).map(([key, place, text]) => [key, { place, text }])));
  const keys = [...new Set([...ours.keys(), ...others.keys()])];
  return keys.map((key) => [(ours.get(key) ?? others.get(key)).place, ours.get(key)?.text ?? "", others.get(key)?.text ?? ""]).filter(([, a, b]) => a !== b);
}

/** A task, its changes, and the way back. */
export class TaskDocument {
  /** `changed(task)` is told after each change. */
  constructor(task, changed) { Object.assign(this, { task, changed, before: [], after: [], mark: null }); }

  get canUndo() { return this.before.length > 0; }
  get canRedo() { return this.after.length > 0; }

  /** Another state; changes of the same `mark`, such as letters typed into one field, are taken back together. */
  change(task, mark = null) {
    if (same(task, this.task)) return;
    if (mark === null || mark !== this.mark || !this.before.length) this.before = [...this.before, this.task].slice(-200);
    Object.assign(this, { task, mark, after: [] });
    this.changed(task);
  }

  /** From here on typing counts as another change. */
  pause() { this.mark = null; }

  undo() { this.#step(this.before, this.after); }
  redo() { this.#step(this.after, this.before); }

  #step(from, to) {
    if (!from.length) return;
    to.push(this.task);
    this.task = from.pop();
    this.mark = null;
    this.changed(this.task);
  }

  /** A state that came from elsewhere, with no way back to what was before. */
  reset(task) {
    Object.assign(this, { task, before: [], after: [], mark: null });
    this.changed(task);
  }
}
