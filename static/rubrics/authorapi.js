/* REST of tasks that are being written. They hold golden answers, so each request proves who asks. */
import { request } from "../session/api.js";

const PATIENT = 120_000; // ms that a picture may take
const at = (id, rest = "") => `rubrics/drafts/${encodeURIComponent(id)}${rest}`;

export const draftsPath = "rubrics/drafts";
export const draftPath = at;
export const getDraft = (id, token) => request("GET", at(id), { token });
export const makeDraft = (body, token) => request("POST", draftsPath, { json: body, token });
/** Save a version: {request_id, based_on, task}; the same request saves it once. */
export const saveVersion = (id, body, token) => request("POST", at(id, "/versions"), { json: body, token, timeout: 60_000 });
/** An earlier version. */
export const getVersion = (id, version, token) => request("GET", at(id, `/versions/${version}`), { token });
/** A picture of one's own: {digest, width, height}. */
export const sendPicture = (file, token) => request("POST", `${draftsPath}/pictures`, { body: file, token, timeout: PATIENT });
export const startTrial = (id, wish, token) => request("POST", at(id, "/trials"), { json: wish, token, timeout: 60_000 });
export const decide = (id, body, token) => request("POST", at(id, "/decisions"), { json: body, token });
/** Accepted tasks, or one of them, in the schema of the data set: {rows}. */
export const exported = (token, draft = null) => request("GET", `${draftsPath}/export${draft ? `?${new URLSearchParams({ draft })}` : ""}`, { token, timeout: PATIENT });

/** Save a version while the page goes; nobody hears whether it arrived, and the same request can be sent again. */
export function sendOff(id, body, token) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  try {
    fetch(studio.url(`api/${at(id, "/versions")}`), { method: "POST", headers, body: JSON.stringify(body), keepalive: true, credentials: "same-origin" }).catch(() => {});
  } catch { /* larger than a page may leave behind: the copy in the browser is sent next time */ }
}
