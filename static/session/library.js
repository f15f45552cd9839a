/* What this browser remembers: the write tokens of paintings begun here, the best results, the last task, the name. */
import { storage } from "../dom.js";

const PAINTINGS = "es-paintings", BEST = "es-best", KEPT = 300, LONGEST = 60;

/* A stored table, without what is of another kind: another version, or a hand, may have written it. */
function table(key, good) {
  const stored = storage.get(key, {});
  return Object.fromEntries(Object.entries(stored && typeof stored === "object" ? stored : {}).filter(([, value]) => good(value)));
}
const paintings = () => table(PAINTINGS, (facts) => facts && typeof facts === "object");
const bests = () => table(BEST, Number.isFinite);

/** The write token of a session, or undefined when it was begun elsewhere. */
export const tokenOf = (id) => paintings()[id]?.token;

/** The name under which a guest's token was given out; undefined for a painting of one's own. */
export const guestOf = (id) => paintings()[id]?.guest;

/** Remember a painting begun here, or one in which a turn may be taken: {token, task_id, step, open, guest}. */
export function remember(id, facts) {
  const all = paintings();
  all[id] = { ...all[id], ...facts, at: Date.now() };
  const newest = Object.entries(all).sort(([, a], [, b]) => b.at - a.at).slice(0, KEPT);
  storage.set(PAINTINGS, Object.fromEntries(newest));
}

/** Whether anything was painted in this browser. */
export const hasPainted = () => Object.keys(paintings()).length > 0;

/** A token that the server no longer takes. */
export function forget(id) {
  const { [id]: _, ...rest } = paintings();
  storage.set(PAINTINGS, rest);
}

/** The newest painting of a task that was begun here, has a stroke and is not finished: {id, step, ...} or undefined. */
export function unfinished(taskId) {
  return Object.entries(paintings())
    .filter(([, facts]) => facts.task_id === taskId && facts.open && facts.step > 0 && !facts.guest)
    .sort(([, a], [, b]) => b.at - a.at)
    .map(([id, facts]) => ({ id, ...facts }))[0];
}

/** Put a painting aside, so that it is no longer offered to be continued. */
export function putAside(id) { if (tokenOf(id)) remember(id, { open: false }); }

export const bestOf = (taskId) => bests()[taskId];
export function noteResult(taskId, score) {
  const all = bests();
  if (!(all[taskId] >= score)) storage.set(BEST, { ...all, [taskId]: score });
}

const LAST = { paint: "es-task", semantic: "es-semantic-task" }; // the last task of each tab
export const lastTask = (tab = "paint") => storage.get(LAST[tab], null);
export const setLastTask = (id, tab = "paint") => storage.set(LAST[tab], id);
const sound = (name) => String(name).replace(/\p{C}/gu, "").trim().slice(0, LONGEST);
export const playerName = () => sound(storage.get("es-name", "")) || "Guest painter";
export const setPlayerName = (name) => storage.set("es-name", sound(name));
export const chosenProtocol = () => storage.get("es-protocol", "studio");
export const setChosenProtocol = (protocol) => storage.set("es-protocol", protocol);
