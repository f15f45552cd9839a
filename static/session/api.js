/* REST with one error shape: {"error": {"code", "message", "field"}}. */

/** What went wrong, in the server's one sentence; `retry` says that the same request may succeed later. */
export class ApiError extends Error {
  constructor(message, { status = 0, code = "unreachable", field = null, retry = false, after = null } = {}) {
    super(message);
    Object.assign(this, { status, code, field, retry, after });
  }
}

const PASSING = new Set([408, 429, 502, 503, 504]);

function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}

/** Send a request to `path` below api/ and return the answer's JSON. Throws ApiError. */
export async function request(method, path, { json, body, token, timeout = 20_000 } = {}) {
  const headers = {};
  if (json !== undefined) headers["content-type"] = "application/json";
  if (token) headers.authorization = `Bearer ${token}`;
  let response, text;
  try {
    response = await fetch(studio.url(`api/${path}`), {
      method, headers, credentials: "same-origin", body: json === undefined ? body : JSON.stringify(json), signal: AbortSignal.timeout(timeout),
    });
    text = await response.text(); // cut off, as when the page goes, it says nothing, not even an error
  } catch {
    throw new ApiError("The server cannot be reached.", { retry: true });
  }
  if (response.status === 204) return null;
  const answer = parsed(text);
  if (response.ok && answer !== null) return answer;
  const { message, code, field } = answer?.error || {};
  throw new ApiError(message || `The server answered ${response.status} without a reason.`, {
    status: response.status, code, field,
    retry: PASSING.has(response.status) || response.ok, // an answer cut short has not arrived
    after: Number(response.headers.get("retry-after")) || null,
  });
}

export const getTasks = () => request("GET", "tasks");
export const getSemanticTasks = () => request("GET", "tasks?category=semantic");
/** The best ended ranked session of each semantic task, by kind of player. */
export const getBest = () => request("GET", "tasks/best");
export const getTask = (id) => request("GET", `tasks/${encodeURIComponent(id)}`);
export const getSession = (id) => request("GET", `sessions/${encodeURIComponent(id)}`);
export const createSession = (body) => request("POST", "sessions", { json: body });
export const listSessions = (query = {}) => request("GET", `sessions?${new URLSearchParams(query)}`);
const ofSession = (method, id, path, options) => request(method, `sessions/${encodeURIComponent(id)}/${path}`, options);
export const act = (id, token, body) => ofSession("POST", id, "actions", { json: body, token });
export const share = (id, token, shared) => ofSession("PUT", id, "sharing", { json: { shared }, token });
export const join = (id, name) => ofSession("POST", id, "guests", { json: { name } });
/** Let a built-in painter paint from now on: {painter, seed, strokes_per_second}. */
export const startPainter = (id, token, wish) => ofSession("POST", id, "painter", { json: wish, token });
export const stopPainter = (id, token) => ofSession("DELETE", id, "painter", { token });
/** What the score of an ended session of a semantic task rests on: a picture to be laid over its canvas, with its words. */
export const getOverlay = (id) => ofSession("GET", id, "overlay", {});
export const handBack = (id, token) => ofSession("POST", id, "hand-back", { token });
export const referenceUrl = (id) => studio.url(`api/tasks/${encodeURIComponent(id)}/reference.png`);

export const runOptions = () => request("GET", "runs/options");
export const listRuns = () => request("GET", "runs");
export const startRun = (wish) => request("POST", "runs", { json: wish, timeout: 60_000 });
export const continueRun = (id, key) => request("POST", `runs/${encodeURIComponent(id)}/continue`, { json: key ? { key } : {}, timeout: 60_000 });
export const stopRun = (id) => request("DELETE", `runs/${encodeURIComponent(id)}`);

/** The page that shows a session to anyone. */
export const watchUrl = (id) => studio.url(`?tab=watch&session=${encodeURIComponent(id)}`);
export const canvasUrl = (id, step = null) => studio.url(`api/sessions/${encodeURIComponent(id)}/canvas.png${step === null ? "" : `?step=${step}`}`);
export const exportUrl = (id, name) => studio.url(`api/sessions/${encodeURIComponent(id)}/export/${name}`);
export const exchangesUrl = (id) => studio.url(`api/sessions/${encodeURIComponent(id)}/evidence`);
export const creditUrl = (id) => studio.url(`api/sessions/${encodeURIComponent(id)}/credit`);
export const eventsUrl = (id) => studio.url(`api/sessions/${encodeURIComponent(id)}/events`);
/** One stream of several sessions, 24 at most. */
export const allEventsUrl = (ids) => studio.url(`api/sessions/events?${new URLSearchParams(ids.map((id) => ["session", id]))}`);

/* What a path answers in JSON lines, as objects. Throws ApiError with `failing` and the status. */
async function linesOf(path, failing) {
  let response;
  try {
    response = await fetch(studio.url(`api/${path}`), { credentials: "same-origin", signal: AbortSignal.timeout(60_000) });
    if (response.ok) return (await response.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
  } catch {
    throw new ApiError("The server cannot be reached.", { retry: true });
  }
  throw new ApiError(`${failing}: the server answered ${response.status}.`, { status: response.status, retry: PASSING.has(response.status) });
}

/** Everything that happened in a session: the lines of its log. Throws ApiError. */
export const getLog = (id) => linesOf(`sessions/${encodeURIComponent(id)}/log`, "The log could not be read");
/** What a session's player was shown and said: lines of observations and exchanges. Throws ApiError. */
export const getExchanges = (id) => linesOf(`sessions/${encodeURIComponent(id)}/evidence`, "What the player was shown could not be read");
/** Go on from a step of a session: {step, player, protocol}. */
export const fork = (id, wish) => ofSession("POST", id, "forks", { json: wish });

/** Take in a session from its log, a file. */
export const importLog = (file) => request("POST", "sessions/import", { body: file, timeout: 310_000 }); // the server gives up after 300 s

/** Make a task of a picture; `crop` is {left, top, side} in fractions of width, height and the shorter side. */
export function createOwnTask(file, size, crop) {
  const query = new URLSearchParams({ size, ...crop });
  return request("POST", `tasks/own?${query}`, { body: file, timeout: 120_000 });
}
