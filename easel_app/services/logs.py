"""`easel-log/1`: a session as JSON lines, plain or packed by gzip, read as text that nobody vouches for.

The first line says how the session began, each further one is an action. Of a line, what was done, by whom and when are
facts, which are taken over once they are known to be well formed; what came of it (outcome, step, status, scores,
digest) is a claim, which may be left out and is only ever compared.
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from easel_app.painting.protocol import ProtocolName
from easel_app.painting.rollout import Outcome, Status
from easel_app.painting.stroke import VISIBLE, Action, Strict, explain
from easel_app.services.problems import Invalid, TooLarge, Unsupported
from easel_app.services.sessions import LOG_FORMAT, MOST_ACTIONS
from easel_app.services.views import Line

MOST_BYTES = 16 * 1024 * 1024
"""Bytes of a log, unpacked; 4,000 actions take a quarter of it."""
MOST_LINE = 64 * 1024
MOST_FIRST_LINE = 2 * 1024 * 1024
"""Bytes of the first line, which may carry the picture of an own task."""
MOST_DIGITS = 16
"""Of an integer: all that a double holds exactly, and far more than any field needs."""
_GZIP = b"\x1f\x8b"
_PIECE = 64 * 1024
"""Bytes that are unpacked and split at a time."""


def _moment(text: str) -> str:
    """A time as this store writes times."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.utcoffset() is None:
            raise ValueError("it could be anywhere")
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        message = "it must be a time in ISO 8601 with its offset from UTC"
        raise PydanticCustomError("moment", message) from None
    if moment > datetime.now(UTC):
        raise PydanticCustomError("moment", "it lies in the future of this machine's clock")
    return moment.isoformat(timespec="milliseconds")


Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Moment = Annotated[str, StringConstraints(max_length=40), AfterValidator(_moment)]
Count = Annotated[int, Field(ge=0, strict=True)]
Who = Literal["human", "agent", "painter"]
Parts = dict[str, Any]
"""Claimed scores: any parts, for they may be of another metric."""


class SessionLine(Strict):
    """How a session began, as its log tells it."""

    type: Literal["session"]
    format: str
    id: Id
    task_id: Id
    task_digest: Digest
    protocol: ProtocolName
    player_kind: Who
    player_name: Line
    player_model: Line | None
    created_at: Moment
    parent_id: Id | None
    fork_step: Count | None
    imported_from: Id | None
    renderer: str = ""
    metric: str = ""
    task_set: str = ""
    start_scores: Parts | None = None
    task: dict[str, Any] | None = None
    """Record of an own picture's task; of no use here, for all of it follows from the picture."""
    reference_png: str | None = None
    """An own picture as PNG in base64."""


class ActionLine(Strict):
    """An action, as a log tells it."""

    type: Literal["action"]
    seq: Count
    kind: str
    params: dict[str, Any]
    message: Annotated[str, StringConstraints(max_length=300, pattern=VISIBLE)]
    """The reason of an invalid action, which is a fact; else a claim."""
    actor: Who
    guest: Line | None
    at: Moment
    session_id: Id | None = None
    request_id: str = ""
    outcome: Outcome | None = None
    step: Count | None = None
    status: Status | None = None
    scores: Parts | None = None
    canvas_digest: Digest | None = None


class Entry(NamedTuple):
    """An action to play, with the line that tells it."""

    line: ActionLine
    action: Action

    @property
    def number(self) -> int:
        """Number of the line in its log, from 1."""
        return self.line.seq + 1


class Log(NamedTuple):
    """A log whose every line is well formed; nothing of it has been played."""

    session: SessionLine
    entries: list[Entry]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the log's facts, hexadecimal: the same for every copy, whatever it claims and is called now."""
        session, task = self.session, self.session.task_digest
        began = [session.imported_from or session.id, session.protocol, session.created_at, session.fork_step]
        player = [session.player_kind, session.player_name, session.player_model]
        done = [[action.model_dump(), line.actor, line.guest, line.at] for line, action in self.entries]
        return hashlib.sha256(json.dumps([LOG_FORMAT, task, began, player, done]).encode()).hexdigest()


def bad_line(number: int, reason: str) -> Invalid:
    """The refusal of a log for what one line holds; the reason is a sentence."""
    return Invalid("log_line", f"Line {number} of the log: {reason}", f"line {number}")


def read(body: bytes) -> Log:
    """A log from its bytes, which may be anybody's; reads no further than the first fault.

    Raises:
        Unsupported: it is of no format that we know.
        TooLarge: it, a line of it or the number of its actions is beyond what we take.
        Invalid: a line is not as it must be; says which and why.
    """
    lines = _lines(body)
    first = next(lines, None)
    if first is None:
        raise bad_line(1, "there is none: the log is empty; send what the studio exports.")
    session = _session(first)
    entries = [_entry(session, number, line) for number, line in enumerate(lines, 2)]
    if session.fork_step is not None and session.fork_step > len(entries):
        reason = f"fork_step is {session.fork_step}, but only {len(entries)} actions follow; send all of them."
        raise bad_line(1, reason)
    return Log(session, entries)


def _session(line: bytes) -> SessionLine:
    value = _object(1, line)
    if value.get("type") != "session":
        raise bad_line(1, 'it is no session; a log begins with {"type": "session", …}, so send it from its beginning.')
    if value.get("format") != LOG_FORMAT:
        found = repr(value.get("format"))[:40] if "format" in value else "missing"
        message = f"Line 1 of the log: its format is {found}, but {LOG_FORMAT} is the one that is known here."
        raise Unsupported("log_format", message, "line 1")
    try:
        session = SessionLine.model_validate(value)
    except ValidationError as error:
        raise bad_line(1, explain(error, "log").message) from None
    if session.parent_id and session.fork_step is None:
        raise bad_line(1, "parent_id is given, but fork_step is not; correct the log and send it again.")
    return session


_ACTION: TypeAdapter[Action] = TypeAdapter(Action)


def _entry(session: SessionLine, number: int, line: bytes) -> Entry:
    value, due = _object(number, line), number - 1
    if due > MOST_ACTIONS + 1 or (due > MOST_ACTIONS and value.get("kind") != "submit"):
        message = f"Line {number} of the log: a session holds {MOST_ACTIONS:,} actions and a submit; this one has more."
        raise TooLarge("log_too_large", message, f"line {number}")
    try:
        found = ActionLine.model_validate(value)
        action = _ACTION.validate_python(_wish(found))
    except ValidationError as error:
        raise bad_line(number, explain(error, "log").message) from None
    if found.seq != due:
        reason = f"its seq is {found.seq}, but {due} is next: no action may be missing, twice or out of order."
        raise bad_line(number, reason)
    if found.params and found.kind != "brush_stroke":
        raise bad_line(number, f"params must be empty for the kind {found.kind}; correct the log and send it again.")
    if found.guest and found.actor != "human":
        raise bad_line(number, f"actor is {found.actor}, but a guest is a human; correct the log and send it again.")
    # what a fork goes on from was its parent's
    if found.session_id not in (None, session.id) and due > (session.fork_step or 0):
        reason = f"it is of the session {found.session_id}, but the log is of {session.id}; send one log at a time."
        raise bad_line(number, reason)
    return Entry(found, action)


def _wish(line: ActionLine) -> dict[str, Any]:
    """The action of a line, as a caller would send it."""
    if line.kind == "brush_stroke":
        return {"kind": line.kind, "stroke": line.params}
    return {"kind": line.kind, "reason": line.message} if line.kind == "invalid" else {"kind": line.kind}


def _lines(body: bytes) -> Iterator[bytes]:
    """The lines of a log, one by one, without their ends."""
    rest, number, length = b"", 1, 0
    for piece in _unpacked(body) if body.startswith(_GZIP) else _pieces(body):
        length += len(piece)
        if length > MOST_BYTES:
            message = f"The log has more than {MOST_BYTES // 1024**2} MB, unpacked; send a smaller one."
            raise TooLarge("log_too_large", message)
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield _bounded(number, line)
            number += 1
        _bounded(number, rest)
    if rest.strip():
        yield rest


def _bounded(number: int, line: bytes) -> bytes:
    most = MOST_FIRST_LINE if number == 1 else MOST_LINE
    if len(line) > most:
        message = f"Line {number} of the log: it has more than {most // 1024} kB, which no line needs; correct the log."
        raise TooLarge("log_too_large", message, f"line {number}")
    return line


def _pieces(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), _PIECE):
        yield body[start : start + _PIECE]


def _unpacked(body: bytes) -> Iterator[bytes]:
    """What is packed by gzip, piece by piece, so that no more is unpacked than is asked for."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        for packed in _pieces(body):
            if unpacker.eof:  # some tools write several members; a log that a studio packs has one
                raise zlib.error("something follows its end")
            yield unpacker.decompress(packed, _PIECE)
            while unpacker.unconsumed_tail:
                yield unpacker.decompress(unpacker.unconsumed_tail, _PIECE)
        while more := unpacker.decompress(b"", _PIECE):
            yield more
        if unpacker.unused_data or not unpacker.eof:
            raise zlib.error("something follows its end" if unpacker.eof else "it is cut off")
    except zlib.error as error:
        message = f"The log is damaged: the gzip file cannot be unpacked ({error}); send it again, or unpacked."
        raise Invalid("log_damaged", message) from None


def _object(number: int, line: bytes) -> dict[str, Any]:
    """The JSON object of a line, without any liberty that a JSON reader may take."""
    try:
        value = _JSON.decode(line.decode())
    except json.JSONDecodeError as error:
        reason = f"{error.msg.removesuffix(' at')} at character {error.pos + 1}"
    except ValueError as error:
        reason = str(error)
    except RecursionError:
        reason = "it is nested too deeply"
    else:
        if isinstance(value, dict):
            return value
        reason = "it is another value"
    raise bad_line(number, f"it is not one whole JSON object ({reason}); the log may be cut off or damaged.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object each of whose keys stands there once; else two readers could read two different logs."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {name[:40]!r} stands there twice")
        found[name] = value
    return found


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"an integer of {len(digits)} digits")
    return int(digits)


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number that is not finite")
    return number


_JSON = json.JSONDecoder(object_pairs_hook=_once, parse_int=_integer, parse_float=_number, parse_constant=_number)
