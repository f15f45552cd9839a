/* REST of plans: sets, plans as documents, votes, and the figures, dialogs and exports beside them. */
import { request } from "../session/api.js";

const path = encodeURIComponent;
const below = (rest) => `plans/${rest}`;
/* A query without what is not asked for. */
export function asked(parameters) {
  const wanted = Object.entries(parameters).filter(([, value]) => value != null && value !== "" && value !== false);
  const text = new URLSearchParams(wanted).toString();
  return text && `?${text}`;
}

export const getSets = () => request("GET", below("sets"));
export const getTools = () => request("GET", below("tools"));
/** Plans of a set that fit `filters`: {plans, total, of, next}. */
export const getPlans = (set, filters = {}, { offset = 0, limit = 100, inspection = null } = {}, token) =>
  request("GET", below(`sets/${path(set)}/plans${asked({ ...filters, offset, limit, inspection })}`), { token });
/** Where an answer stands among those that fit: {place, total, previous, next, open}. */
export const getStep = (set, answer, filters = {}, token) =>
  request("GET", below(`sets/${path(set)}/step${asked({ answer, ...filters })}`), { token });
/** A plan; `reports` is `shown` for whoever only reads. */
export const getPlan = (answer, { inspection = null, reports = "blind" } = {}, token) =>
  request("GET", below(`answers/${path(answer)}${asked({ inspection, reports })}`), { token, timeout: 60_000 });
/** The data's own answer to a query, as a plan. */
export const getReference = (set, query, token) =>
  request("GET", below(`sets/${path(set)}/queries/${path(query)}/reference`), { token, timeout: 60_000 });
export const findPlan = (set, { query_id, planner, attempt }) =>
  request("GET", below(`sets/${path(set)}/find${asked({ query_id, planner, attempt })}`));
export const castVote = (answer, body, token) =>
  request("POST", below(`answers/${path(answer)}/votes`), { json: body, token, timeout: 60_000 });
/** See what others say of a part without a vote; later votes on it are not blind. */
export const reveal = (answer, part, token) =>
  request("POST", below(`answers/${path(answer)}/reveal`), { json: { part }, token, timeout: 60_000 });
/** All of an answer's text as it came, as plain text. */
export const rawUrl = (answer) => studio.url(`api/plans/answers/${path(answer)}/raw`);
/** Only ever a picture of the studio's own store, by its digest. */
export const pictureUrl = ({ digest }) => studio.url(`api/plans/pictures/${path(digest)}`);

/** What executes calls here: {forbidden, backends: [{tool, backend, note}]}. */
export const getBackends = () => request("GET", below("executions/backends"));
/** What came of a plan's calls so far: {state, total, done, forbidden, calls}; so do the next two answer. */
export const getExecution = (answer) => request("GET", below(`answers/${path(answer)}/executions`));
/** Execute calls, {calls: numbers or null for all, again: also those that brought a picture}. */
export const execute = (answer, wish) => request("POST", below(`answers/${path(answer)}/executions`), { json: wish });
export const stopExecution = (answer) => request("DELETE", below(`answers/${path(answer)}/executions`));

export const getScores = (set, query = {}, token) => request("GET", below(`sets/${path(set)}/scores${asked(query)}`), { token, timeout: 60_000 });
export const getPublished = () => request("GET", below("published"));
export const getAgreement = (set, query = {}, token) => request("GET", below(`sets/${path(set)}/agreement${asked(query)}`), { token, timeout: 60_000 });
export const exportUrl = (set, name) => studio.url(`api/plans/sets/${path(set)}/export/${path(name)}`);
