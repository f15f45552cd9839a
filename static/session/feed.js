/* What happens in sessions: a snapshot of each first, then every action with contiguous `seq`. A hole leads to a new
   connection, hence to a new snapshot. */
import { allEventsUrl, eventsUrl } from "./api.js";
import { Stream } from "./stream.js";

/* Whether an action is the next one of its session, which it then is counted as. */
const counted = (state, action) => {
  if (action.seq !== state.seq + 1) return false;
  Object.assign(state, { seq: action.seq, finished: action.status !== "open" });
  return true;
};

/** The feed of one session. */
export class Feed extends Stream {
  /** `hooks`: snapshot(view), action(event), turn({shared, guest}); `tab` is the tab that shows them. */
  constructor(id, backoff, hooks, tab) {
    const state = { seq: -1, finished: false };
    super(backoff, {
      tab, url: () => eventsUrl(id), over: () => state.finished,
      events: {
        snapshot: (view) => {
          Object.assign(state, { seq: view.seq, finished: view.status !== "open" });
          backoff.succeeded();
          hooks.snapshot(view);
        },
        action: (action) => {
          if (counted(state, action)) hooks.action(action);
          else if (action.seq > state.seq) this.refresh();
        },
        turn: (turn) => hooks.turn(turn),
      },
    });
    this.state = state;
  }

  /** The last action that was heard of. */
  get seq() { return this.state.seq; }
}

/** The feed of several sessions in one stream. */
export class Feeds extends Stream {
  /** `hooks`: snapshot(view), action(event), each with its session_id. */
  constructor(backoff, hooks, tab) {
    const states = new Map();
    super(backoff, {
      tab, url: () => (states.size ? allEventsUrl([...states.keys()]) : null), over: () => [...states.values()].every(({ finished }) => finished),
      events: {
        snapshot: (view) => {
          states.set(view.session_id, { seq: view.seq, finished: view.status !== "open" });
          backoff.succeeded();
          hooks.snapshot(view);
        },
        action: (action) => {
          const state = states.get(action.session_id);
          if (!state) return; // dropped, but still in the stream
          if (counted(state, action)) hooks.action(action);
          else if (action.seq > state.seq) this.refresh();
        },
      },
    });
    this.states = states;
  }

  /** Forget a session; when it is followed again it comes with a snapshot. */
  drop(id) { this.states.delete(id); }

  /** Listen to these sessions, 24 at most. Others stay until a new one comes: a new stream sends every canvas again. */
  follow(ids) {
    if (ids.length && ids.every((id) => this.states.has(id))) return;
    for (const id of this.states.keys()) if (!ids.includes(id)) this.states.delete(id);
    for (const id of ids) if (!this.states.has(id)) this.states.set(id, { seq: -1, finished: false });
    this.refresh();
  }
}
