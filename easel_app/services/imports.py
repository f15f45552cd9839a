"""Taking in a log made elsewhere: played again from its first action, whole or not at all.

What a log says was done is done here once more, by the rules and the scores of this version; what it claims came of it
is compared with that and never stored.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic import BaseModel, Field

from easel_app.painting.renderer import RENDERER
from easel_app.painting.rollout import Closed, NotAllowed, Rollout, Status, WrongStroke
from easel_app.painting.scores import METRICS, headline, stored
from easel_app.painting.tasks import OWN, Task
from easel_app.services.desk import OpenSession
from easel_app.services.figures import by_another, of_rollout
from easel_app.services.ledger import now, record_of, token_hash
from easel_app.services.logs import Log, Parts, SessionLine, bad_line, read
from easel_app.services.pictures import received
from easel_app.services.problems import Busy, Conflict, NotFound, Refusal, TooLarge
from easel_app.services.tasks import TaskService, own_id, own_task
from easel_app.services.telling import watch_path
from easel_app.services.views import NewAction
from easel_app.store.figures import keeping
from easel_app.store.records import ActionRecord, PictureStore, SessionRecord, SessionStore

AT_ONCE = 2
"""Logs that are taken in at the same time."""
MOST_SECONDS = 300.0
"""That a log may take to play; scores of handwriting cost up to a quarter of a second of a core each."""


class Claims(BaseModel):
    """How far what a log claims is from what came of it here; all counts are 0 for a log that tells the truth."""

    actions: int = Field(description="Actions whose line claimed a score.")
    worst: float = Field(description="Largest difference between a number in a claimed score and ours.")
    differing_scores: int = Field(description="Lines, the first one included, whose claimed score is not ours.")
    differing_digests: int = Field(description="Actions after which the canvas is not the claimed one.")
    differing_outcomes: int = Field(description="Actions that were claimed to have another outcome.")
    differing_steps: int = Field(description="Actions after which steps or status are not the claimed ones.")

    @property
    def hold(self) -> bool:
        """Whether nothing differs."""
        return not (self.differing_scores + self.differing_digests + self.differing_outcomes + self.differing_steps)


class Imported(BaseModel):
    """A session that has been imported; it is in no ranking unless imported ones are asked for."""

    session_id: str = Field(description="Name of the session in links and requests.")
    watch_url: str = Field(description="A page that shows the session to anyone.")
    actions: int = Field(description="Actions in the log.")
    steps: int = Field(description="Steps used.")
    status: Status = Field(description="`open`, or why the session had ended.")
    score: float = Field(description="The task's score of its last canvas, computed here.")
    claims: Claims = Field(description="What the log claimed, against what came of it here.")


class _Played(NamedTuple):
    session: OpenSession
    records: list[ActionRecord]


class ImportService:
    """Takes in logs made elsewhere."""

    def __init__(self, store: SessionStore, tasks: TaskService, pictures: PictureStore) -> None:
        self._store, self._tasks, self._pictures = store, tasks, pictures
        self._hands = threading.BoundedSemaphore(AT_ONCE)
        self._adopting = threading.Lock()

    def take_in(
        self, body: bytes, seconds: float | None = MOST_SECONDS, stopping: Callable[[], bool] = lambda: False
    ) -> Imported:
        """Import a log, plain or packed by gzip; all of it is stored when this returns, or nothing.

        Args:
            body: the log, as the studio exports it or anyone claims to have.
            seconds: how long playing it may take; None: as long as it takes.
            stopping: whether nobody waits for it any more, asked before each action.

        Raises:
            Invalid, TooLarge, Unsupported: the log cannot be taken, with the line and the reason.
            Conflict: it is here already; the message names the session.
            Busy: too many logs at once.
        """
        if not self._hands.acquire(blocking=False):
            raise Busy("busy", f"{AT_ONCE} logs are being imported just now; try again when they are done.")
        try:
            log = read(body)
            session_id = log.fingerprint[:16]
            self._require_new(session_id)
            task, picture = self._task(log.session)
            played = _play(log, session_id, task, seconds, stopping)
            self._adopt(played, picture)
            return _told(log, played)
        finally:
            self._hands.release()

    def _require_new(self, session_id: str) -> None:
        if self._store.session(session_id):
            raise Conflict("imported_already", f"This log has been imported before: it is the session {session_id}.")

    def _task(self, session: SessionLine) -> tuple[Task, Mapping[str, Any] | None]:
        """What a log's session painted; with the record to store of it if it is an own picture that is new here."""
        try:
            task = self._tasks.get(session.task_id)
            if task.digest == session.task_digest:
                return task, None
        except NotFound:
            task = None
        if session.reference_png is not None and session.task_id.startswith(f"{OWN}-"):
            task_id = own_id(session.task_digest)
            try:
                reference = received(session.reference_png, session.task_digest)
            except Refusal as refusal:
                raise bad_line(1, refusal.message) from None
            try:
                return self._tasks.get(task_id), None
            except NotFound:
                return own_task(task_id, reference)
        if task:
            raise bad_line(1, f"the task {task.id} has another picture here, so the log would paint something else.")
        raise bad_line(1, f"there is no task {session.task_id} here; import it where the task is known.")

    def _adopt(self, played: _Played, picture: Mapping[str, Any] | None) -> None:
        begun, rollout = played.session.record, played.session.rollout
        ended = rollout.status is not Status.OPEN and rollout.protocol.ranked
        kept = keeping(of_rollout(begun, rollout, played.session.assisted)) if ended else None
        with self._adopting:  # the same log, or picture, may come twice at once
            self._require_new(begun.id)
            if picture and not self._pictures.get(rollout.task.id):
                self._pictures.add(rollout.task.id, picture, rollout.task.png, now())
            self._store.adopt(begun, played.records, kept)


def _play(
    log: Log, session_id: str, task: Task, seconds: float | None, stopping: Callable[[], bool] = lambda: False
) -> _Played:
    """Play a log from the task's start canvas."""
    told = log.session
    rollout = Rollout(task, told.protocol, skia=True)
    begun = SessionRecord(
        id=session_id,
        task_id=task.id,
        task_digest=task.digest,
        protocol=told.protocol,
        player_kind=told.player_kind,
        player_name=told.player_name,
        player_model=told.player_model,
        renderer=RENDERER,
        metric=METRICS[task.kind],
        task_set=task.task_set,
        token_hash=token_hash(secrets.token_urlsafe(24)),  # of a token that nobody gets
        start_scores=stored(rollout.scores),
        created_at=told.created_at,
        fork_step=told.fork_step,  # its parent is not here, but it did not begin by itself
        imported_from=told.id,
    )
    played = _Played(OpenSession(begun, rollout), [])
    due = float("inf") if seconds is None else time.monotonic() + seconds
    for entry in log.entries:
        line, action = entry
        if stopping():
            message = "Nobody waits for the import any more, so it was given up and nothing is stored; send it again."
            raise Conflict("import_stopped", message)
        try:
            turn = rollout.play(action)
        except (Closed, NotAllowed, WrongStroke) as error:
            raise bad_line(entry.number, str(error)) from None
        # request ids make retries safe, and nobody can retry; a fork's need not be unique
        wish = NewAction.model_construct(request_id=f"line-{entry.number}", action=action)
        record = record_of(played.session, line.seq, wish, turn, line.guest, line.actor)
        played.records.append(replace(record, at=line.at))
        played.session.assisted |= by_another(record, begun)
        if time.monotonic() > due:
            message = f"Playing the log takes more than {seconds:.0f} s; use `easel import` while no studio is served."
            raise TooLarge("log_too_long", message)
    return played


def _told(log: Log, played: _Played) -> Imported:
    begun, rollout = played.session.record, played.session.rollout
    return Imported(
        session_id=begun.id,
        watch_url=watch_path(begun.id),
        actions=len(played.records),
        steps=rollout.step,
        status=rollout.status,
        score=headline(rollout.scores),
        claims=_claims(log, played),
    )


def _claims(log: Log, played: _Played) -> Claims:
    """What a log claims, against what came of it."""
    pairs = [(entry.line, record) for entry, record in zip(log.entries, played.records, strict=True)]
    scores = [(line.scores, record.scores) for line, record in pairs]
    all_scores = [(log.session.start_scores, played.session.record.start_scores), *scores]
    return Claims(
        actions=sum(claimed is not None for claimed, _ in scores),
        worst=max((apart for claimed, ours in all_scores for apart in _apart(claimed, ours)), default=0.0),
        differing_scores=sum(claimed not in (None, ours) for claimed, ours in all_scores),
        differing_digests=sum(line.canvas_digest not in (None, ours.canvas_digest) for line, ours in pairs),
        differing_outcomes=sum(line.outcome not in (None, ours.outcome) for line, ours in pairs),
        differing_steps=sum(
            line.step not in (None, ours.step) or line.status not in (None, ours.status) for line, ours in pairs
        ),
    )


def _apart(claimed: Parts | None, ours: Mapping[str, Any]) -> Iterator[float]:
    """How far each number of a claimed score is from the same one of ours."""
    for name, value in (claimed or {}).items():
        again = ours.get(name)
        if isinstance(value, int | float) and isinstance(again, int | float) and bool not in (type(value), type(again)):
            yield abs(float(value) - float(again))
