/* REST with one error shape: {"error": {"code", "message", "field"}}. */

/** What went wrong, in the server's one sentence; `retry` says that the same request may succeed later. */
export class ApiError extends Error {
  constructor(message, { status = 0, code = "unreachable", field = null, retry = false, after = null } = {}) {
    super(message);
    Object.assign(this, { status, code, field, retry, after });
  }
}

const PASSING = new Set([408, 429, 502, 503, 504]);

/** Send a request to `path` below api/ and return the answer's JSON. Throws ApiError. */
export async function request(method, path, { json, body, token, timeout = 20_000 } = {}) {
  const headers = {};
  if (json !== undefined) headers["content-type"] = "application/json";
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(studio.url(`api/${path}`), {
      method, headers, credentials: "same-origin", body: json === undefined ? body : JSON.stringify(json), signal: AbortSignal.timeout(timeout),
    });
  } catch {
    throw new ApiError("The server cannot be reached.", { retry: true });
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  const { message, code, field } = answer?.error || {};
  throw new ApiError(message || `The server answered ${response.status} without a reason.`, {
    status: response.status, code, field,
    retry: PASSING.has(response.status) || response.ok, // an answer cut short has not arrived
    after: Number(response.headers.get("retry-after")) || null,
  });
}

export const getTasks = () => request("GET", "tasks");
export const getTask = (id) => request("GET", `tasks/${encodeURIComponent(id)}`);
export const getSession = (id) => request("GET", `sessions/${encodeURIComponent(id)}`);
export const createSession = (body) => request("POST", "sessions", { json: body });
export const act = (id, token, body) => request("POST", `sessions/${encodeURIComponent(id)}/actions`, { json: body, token });
export const referenceUrl = (id) => studio.url(`api/tasks/${encodeURIComponent(id)}/reference.png`);
export const eventsUrl = (id) => studio.url(`api/sessions/${encodeURIComponent(id)}/events`);

/** Make a task of a picture; `crop` is {left, top, side} in fractions of width, height and the shorter side. */
export function createOwnTask(file, size, crop) {
  const query = new URLSearchParams({ size, ...crop });
  return request("POST", `tasks/own?${query}`, { body: file, timeout: 120_000 });
}
