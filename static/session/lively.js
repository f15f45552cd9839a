/* What an open session counts as. An agent that left never says so: only the time since its last action tells. */

export const MINUTE = 60_000; // ms; a model may think that long about one stroke

/** Whether a session {open, seq, at} is being painted: its last action, at `at` in ms, is less than a minute old.
    The server's clock may be ahead of the browser's. */
export const lively = ({ open, seq, at }) => open && seq > 0 && at != null && Math.abs(Date.now() - at) < MINUTE;

/** Whether a session {open, seq, begun} was never painted in and is older than a minute: a start that came to nothing. */
export const abandoned = ({ open, seq, begun }) => open && seq === 0 && Date.now() - begun > MINUTE;
