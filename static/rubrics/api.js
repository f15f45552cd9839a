/* REST of rubric sets, review queues and votes. */
import { request } from "../session/api.js";

const path = encodeURIComponent;

export const getSets = () => request("GET", "rubrics/sets");
/** A new reviewer: {name, token}. */
export const enrol = (name) => request("POST", "rubrics/reviewers", { json: { name } });
/** Whose token it is: {name}. */
export const whose = (token) => request("GET", "rubrics/reviewers/me", { token });
/** The way through a queue: the entries that fit `filters`, an object of the query's parameters. */
export const getWalk = (queue, filters, token) => request("GET", `rubrics/queues/${path(queue)}/walk?${new URLSearchParams(filters)}`, { token });
export const getDisagreements = (queue) => request("GET", `rubrics/queues/${path(queue)}/disagreements`);
/** The next answer from `place` on with open entries, which are then kept for the reviewer; null when there is none. */
export const nextAnswer = (queue, place, token) => request("POST", `rubrics/queues/${path(queue)}/next?place=${place}`, { token });
/** An answer whose open entries are kept for the reviewer from now on. */
export const keepAnswer = (queue, place, token) => request("POST", `rubrics/queues/${path(queue)}/places/${place}`, { token });
/** An answer; nothing of it is kept for anyone. */
export const lookAt = (queue, place, token) => request("GET", `rubrics/queues/${path(queue)}/places/${place}`, { token });
export const castVote = (entry, body, token) => request("POST", `rubrics/entries/${entry}/votes`, { json: body, token });
/** What others say of an entry that needs no vote of the reviewer. */
export const reveal = (entry, token) => request("POST", `rubrics/entries/${entry}/reveal`, { token });
export const pictureUrl = ({ digest }) => studio.url(`api/rubrics/pictures/${path(digest)}`);
