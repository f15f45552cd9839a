/* Who led when: pure. Scores that differ by less than half of the last digit that is stored are a tie. */
const TIE = 5e-7;

/**
 * The leader at each position 1..length: `scoresAt(position)` gives the scores of all lanes. Returns {runs: [{from, to, lane}] without the ties,
 * held: positions that each lane led, changes: how often the lead went to another, last: position of the last change or null}.
 */
export function leaders(scoresAt, length, lanes) {
  const runs = [], held = Array(lanes).fill(0);
  let leader = null, changes = 0, last = null;
  for (let position = 1; position <= length; position++) {
    const scores = scoresAt(position), top = Math.max(...scores), first = scores.filter((score) => top - score < TIE);
    const lane = first.length === 1 ? scores.indexOf(top) : null;
    if (lane === null) continue;
    held[lane] += 1;
    if (leader !== null && leader !== lane) [changes, last] = [changes + 1, position];
    leader = lane;
    const run = runs.at(-1);
    if (run?.lane === lane && run.to === position - 1) run.to = position;
    else runs.push({ from: position - 1, to: position, lane });
  }
  return { runs, held, changes, last };
}
