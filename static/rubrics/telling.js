/* Being told what others say although one's own blind vote is still wanted: it is given up, at once or as soon as one has a name. */
import { storage } from "../dom.js";
import { request } from "../session/api.js";

const KEY = "es-rubrics-told"; // sets of which everything was told to somebody without a name
const give = (set, token, answer = null) => request("POST", `rubrics/sets/${encodeURIComponent(set)}/reveal`, { json: { answer }, token });

/** What the button says that is pressed for it, and beside it. */
export const ACT = "Show everything all the same", WARNING = "Votes on them do not count as blind from then on.";

/** Give up the blind votes on a set, or on one answer of it; returns whether it has to be asked for to be told all, as by somebody without a name. */
export async function giveUp(set, token, answer = null) {
  if (token) { await give(set, token, answer); return false; }
  storage.set(KEY, [...new Set([...storage.get(KEY, []), set])]);
  return true;
}

/** Somebody has a name now: what they have seen without one counts for them. */
export async function settleTold(token) {
  const sets = storage.get(KEY, []);
  await Promise.all(sets.map((set) => give(set, token).catch((error) => { if (error.status !== 404) throw error; })));
  storage.set(KEY, []);
}
