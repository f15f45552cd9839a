/* What the screens say of a task: its category, the rules of a painting, its anchors. */

export const CATEGORIES = { programmatic: "Programmatic", spatial: "Spatial geometry", abstract: "Abstract and cartoon", natural: "Natural", semantic: "Semantic", generated: "Generated", own: "Your own pictures" };

/** The rules a painting can have, each in a few words. */
export const RULES = {
  studio: { label: "Studio", says: (budget) => `${budget} steps; undo costs one` },
  practice: { label: "Practice", says: () => "no budget, never ranked" },
  benchmark: { label: "Benchmark", says: (budget, semantic = false) => (semantic ? `${budget} steps; undo costs one` : `strokes only, exactly ${budget}`) },
};

const SCORES = { reconstruction: "Similarity", outline: "Overlap (Dice)", handwriting: "Letters in place", maze: "Progress" };
/** What the score of a task is called in a heading, and in a sentence. */
export const scoreName = (task) => SCORES[task.kind];
export const scoreWord = ({ kind }) => SCORES[kind][0].toLowerCase() + SCORES[kind].slice(1);
/** From which score on a semantic task counts as solved: a way or a word is whole or it is not. */
export const solvedFrom = (task) => (task.kind === "outline" ? 0.9 : 1);
export const SOLVED = "An outline counts as solved from 0.9 on, a word or a way through a maze only when it is whole";
/** The one number of scores that ranks, as a line of the log holds them. */
export const headline = (scores) => scores.similarity ?? scores.dice ?? scores.match ?? scores.progress;
/** Whether the brush is fixed and strokes are paths. */
export const isSemantic = (task) => task.kind !== "reconstruction";
/** The tab in which a task is painted. */
export const easelOf = (task) => (isSemantic(task) ? "semantic" : "paint");

const ANCHORS = { data_policy_250: "policy at 250", data_policy: "data policy", mean_fill: "mean fill", dominant_fill: "dominant fill", blank: "blank canvas" };

/** [{name, value}] of the anchors that a task has, highest first. */
export const anchorsOf = (task) => Object.entries(ANCHORS)
  .filter(([key]) => Number.isFinite(task.anchors?.[key])) // semantic tasks have none
  .map(([key, name]) => ({ name, value: task.anchors[key] }))
  .sort((a, b) => b.value - a.value);

/** The lowest anchor above a score and the highest that it has passed; undefined where there is none. */
export const nextAnchor = (anchors, score) => anchors.filter((a) => a.value > score + 5e-7).at(-1);
export const passedAnchor = (anchors, score) => anchors.find((a) => a.value <= score + 5e-7);
