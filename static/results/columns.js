/* The columns of the leaderboard: what each says of a row, how it is written, and which end of it comes first. */
import { f3 } from "../dom.js";

const LARGE = { gap: 0.02, share: 0.2 }; // from here on a figure is trouble, and red
const percent = (value) => `${(100 * value).toFixed(1)}%`;
const count = (value) => String(Math.round(value * 10) / 10);
/** Half of a mean's interval; null where there is none. */
export const spreadOf = ({ low, high }) => (low == null ? null : (high - low) / 2);

/* A column: `of(row)` its figure or null, `write(figure)` what is shown, `up` whether the smallest comes first, `red(figure)`. */
const column = (key, label, says, width, of, more = {}) => ({ key, label, says, width, of, write: f3, up: false, red: () => false, ...more });
const SHARE = { up: true, write: percent, red: (share) => share > LARGE.share };
const field = (key, name, label, says, width, more) => column(key, label, says, width, (row) => row[name], more);

const WHO = [ // these and Final are as wide as the style sheet says
  field("rank", "rank", "#", "Rank by Final, shared by equals; a tick draws the player’s curve", 0, { up: true }),
  column("player", "Player", "Who painted, with the model and the run; opens the paintings", 0, ({ name }) => name.toLowerCase(), { up: true }),
];
const FINAL = (says) => [
  column("final", "Final", says, 0, ({ final }) => final.mean),
  column("interval", "95 % interval", "Of the mean over tasks, on one scale for all rows; the dotted line is the mean fill. Sorted by its width", 132,
    ({ final }) => spreadOf(final), { up: true }),
];
const COURSE = [
  field("at_half", "at_half", "@50%", "Score at half of the budget", 56),
  field("auc", "auc", "AUC", "Mean score over all steps", 52),
  field("best", "best", "Best", "Largest score after any step", 52),
  field("gap", "final_best_gap", "F−B gap", "Best minus Final: what was lost after the peak", 60, { up: true, red: (gap) => gap > LARGE.gap }),
];
const EDGES = field("edge_iou", "edge_iou", "Edge IoU", "Edge IoU of the last canvas", 66);
const CONDUCT = [
  field("repeat", "exact_repeat_rate", "Repeat", "Share of strokes equal to the one before", 58, SHARE),
  field("invalid", "invalid_rate", "Invalid", "Share of the steps whose action could not be read", 58, SHARE),
];
const SKILL = field("skill", "skill", "Skill", "0 at the mean fill, 1 at the data policy of the same task; our own number, beside the published ones", 60);
const COUNTS = [
  field("n", "n", "n", "Tasks that the means are over", 40, { write: count }),
  field("sessions", "sessions", "Sessions", "Ended sessions; a task that was repeated counts once, by their mean. After the plus: begun and not ended, which count nowhere", 72, { write: (value) => (value ? count(value) : "–") }),
];
const MAZES = [
  field("maze_invalid", "maze_invalid_rate", "Maze invalid", "Share of the steps in mazes that touched a wall or could not be read", 94, SHARE),
  field("maze_undos", "maze_undos", "Maze undos", "Undo steps, summed over the mazes", 90, { up: true, write: count }),
  field("other_undos", "other_undos", "Other undos", "Undo steps, summed over the other semantic tasks", 92, { up: true, write: count }),
  field("submit", "submit_percent", "Submit %", "Steps used at the submit over the budget, times 100", 76, { up: true, write: (value) => value.toFixed(1) }),
];

/** What "Final" means in a category, in one sentence. */
export const finalOf = (category) => (category === "semantic"
  ? "Final is the mean of the scores after the last stroke; it mixes metrics, so it gives an order only."
  : "Final is the mean similarity after the last stroke.");

/** The columns in a scope: `category` as the link has it, `parts` the categories or semantic tasks in it, [[id, label]]. */
export function columnsOf(category, parts) {
  const who = [...WHO, ...FINAL(finalOf(category))];
  const wide = (label) => 34 + Math.ceil(label.length * 6.2);
  if (category === "semantic") {
    const tasks = parts.map(([id, label]) => column(id, label, `Score of the task “${label}”`, wide(label), (row) => row.tasks[id] ?? null));
    return [...who, ...tasks, ...MAZES, CONDUCT[1], ...COURSE, CONDUCT[0], ...COUNTS];
  }
  const shelf = ([id, label]) => column(id, label, `Final in the category ${label}`, wide(label), (row) => row.categories[id]?.mean ?? null);
  return [...who, ...COURSE, EDGES, ...CONDUCT, SKILL, ...COUNTS, ...(category === "all" ? parts.map(shelf) : [])];
}

/** The column and the direction that a link's `sort` names: a column, with a minus the other way round. */
export function sortOf(text, columns) {
  const wish = text ?? "final", chosen = columns.find(({ key }) => key === wish.replace(/^-/, ""));
  return chosen ? { column: chosen, up: chosen.up !== wish.startsWith("-"), usual: wish === "final" } : sortOf(null, columns);
}

/** What the link says when a column's head is pressed: its better end first, then the other; null for the usual order. */
export function pressed({ column: at, up }, { key, up: first }) {
  const text = at.key === key && up === first ? `-${key}` : key;
  return text === "final" ? null : text;
}

/** Rows in the order of a column; equals stay as they are, and what has no figure comes last either way. */
export function ordered(rows, { column: { of }, up }) {
  const told = rows.map((row) => [of(row), row]);
  const compare = ([a], [b]) => {
    if (a == null || b == null) return (a == null) - (b == null);
    return (typeof a === "string" ? a.localeCompare(b) : a - b) * (up ? 1 : -1);
  };
  return told.sort(compare).map(([, row]) => row);
}
