"""Stroke credit of sessions: computed on demand, once for all who ask at the same time, and kept for who asks again."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.painting.credit import Credit, credits
from easel_app.painting.protocol import Kind
from easel_app.painting.scores import headline
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import Task
from easel_app.services.problems import Busy, Conflict
from easel_app.services.sessions import SessionService

AT_ONCE = 2
"""Computations at a time."""
PATIENCE = 2.0
"""Seconds that one waits for its turn: one that nobody follows any more ends within a stroke."""
MOST_COLUMNS = 512_000
"""The most strokes times the canvas's width: 1,000 strokes at 512 px, 2,000 at 256 px, more than a session holds below.

A painting of 1,000 strokes at 512 px takes 5 s. The worst that can be painted, strokes as wide as the canvas and too
faint to hide each other, takes two minutes at this limit whatever the width, since that grows with the square of the
product; its masks take 256 MB at most.
"""
MOST_READINGS = 500
"""The most strokes of handwriting: reading the canvas without one of them takes 0.1 to 0.2 s."""
MOST_KEPT = 100_000
"""Credits that are kept, those asked for last: about 13 MB."""
PAUSE = 0.02
"""Seconds after which a follower looks for more."""
log = logging.getLogger(__name__)


class StrokeCredit(NamedTuple):
    """The credit of a stroke that lies on a session's canvas."""

    seq: int
    """The action that painted it."""
    without: float
    """The score that the canvas would have without it."""
    credit: float
    """What the canvas would lose: its score less `without`."""


class _Canvas(NamedTuple):
    """A session's canvas at one moment, and the strokes that lie on it."""

    task: Task
    seq: int
    score: float
    pixels: NDArray[np.uint8]
    strokes: NDArray[np.float64]
    """(n, 13), the lowest first."""
    seqs: list[int]
    """Of the actions that painted them."""

    @property
    def key(self) -> str:
        """Digest of all that the credits depend on; an undone stroke, a submit or a fork leaves it as it was."""
        return hashlib.sha256(self.task.digest.encode() + self.strokes.tobytes()).hexdigest()


@dataclass(eq=False)
class _Computation:
    """The credits of a canvas, computed in a thread of their own for all who follow."""

    of: int
    found: list[Credit] = field(default_factory=list)
    followers: set[Following] = field(default_factory=set)
    stop: threading.Event = field(default_factory=threading.Event)
    """Set when nobody follows any more; it then ends after the stroke that is being looked at."""
    ended: bool = False

    @property
    def complete(self) -> bool:
        """Whether every stroke has its credit; a moment later it has ended."""
        return len(self.found) == self.of


class Following:
    """One caller's share in a computation; to be closed when it is no longer wanted."""

    def __init__(self, canvas: _Canvas, computation: _Computation, leave: Callable[[Following], None]) -> None:
        self.seq, self.score, self.of = canvas.seq, canvas.score, computation.of
        """Actions in the session's log, the score of its canvas, and how many strokes lie on it."""
        self._seqs, self._computation, self._leave = canvas.seqs, computation, leave

    async def credits(self) -> AsyncIterator[list[StrokeCredit]]:
        """The credits, the lowest stroke first, some at a time as they come.

        Raises:
            RuntimeError: the computation failed, or the studio closes.
        """
        told = 0
        while told < self.of:
            ended, fresh = self._computation.ended, self._computation.found[told:]
            if fresh:
                yield [StrokeCredit(self._seqs[one.place], one.without, one.credit) for one in fresh]
                told += len(fresh)
            elif ended:
                raise RuntimeError("the credits of a session were not computed to their end")
            else:
                await asyncio.sleep(PAUSE)

    def close(self) -> None:
        """Follow no more: a computation that nobody follows stops within a stroke. Safe to call twice."""
        self._leave(self)


class CreditService:
    """Computes what each stroke is worth to the canvas that it lies on."""

    def __init__(self, sessions: SessionService, *, patience: float = PATIENCE, most_kept: int = MOST_KEPT) -> None:
        self._sessions, self._patience, self._most_kept = sessions, patience, most_kept
        self._changed = threading.Condition()
        """Held by whoever changes what follows; notified when a computation ends."""
        self._computations: OrderedDict[str, _Computation] = OrderedDict()
        """Those that may be joined, under way or complete, by the key of their canvas; the last asked for come last."""
        self._at_work: dict[_Computation, threading.Thread] = {}

    def follow(self, session_id: str) -> Following:
        """Credit the strokes that lie on a session's canvas now.

        Raises:
            NotFound: no such session.
            Conflict: too many strokes lie on the canvas, or the log does not give the recorded one.
            Busy: as many computations as may be are under way.
        """
        canvas = self._canvas(session_id)
        key = canvas.key
        with self._changed:
            if not self._changed.wait_for(lambda: self._may_join(key), self._patience):
                message = f"The strokes of {AT_ONCE} other sessions are being credited just now; try again in a minute."
                raise Busy("busy", message)
            if key not in self._computations:
                self._computations[key] = self._begun(canvas)
            self._computations.move_to_end(key)
            computation = self._computations[key]
            following = Following(canvas, computation, partial(self._leave, key, computation))
            computation.followers.add(following)
            return following

    def _may_join(self, key: str) -> bool:
        return key in self._computations or len(self._at_work) < AT_ONCE

    def _canvas(self, session_id: str) -> _Canvas:
        with self._sessions.hold(session_id) as session:
            rollout = session.rollout
            if not session.intact:
                message = "The log no longer gives the recorded canvas, so no credit is due; look at another session."
                raise Conflict("not_intact", message)
            lying = rollout.history.lying()
            _require_few(rollout.task, len(lying))
            return _Canvas(
                task=rollout.task,
                seq=len(rollout.history),
                score=headline(rollout.scores),
                pixels=np.array(rollout.pixels, order="C"),
                strokes=np.array([stroke for _, stroke in lying]).reshape(-1, len(STROKE_FIELDS)),
                seqs=[action for action, _ in lying],
            )

    def _begun(self, canvas: _Canvas) -> _Computation:
        computation = _Computation(len(canvas.seqs))
        thread = threading.Thread(target=self._work, args=(canvas, computation), name="credit", daemon=True)
        thread.start()
        self._at_work[computation] = thread
        return computation

    def _work(self, canvas: _Canvas, computation: _Computation) -> None:
        try:
            for credit in credits(canvas.task, canvas.strokes, canvas.pixels):
                computation.found.append(credit)
                if computation.stop.is_set():
                    break
        except Exception:
            log.exception("the credits of a canvas of %s failed", canvas.task.id)
        with self._changed:
            computation.ended = True
            del self._at_work[computation]
            if not computation.complete:
                self._forget(canvas.key, computation)
            self._keep_few()
            self._changed.notify_all()

    def _leave(self, key: str, computation: _Computation, following: Following) -> None:
        with self._changed:
            computation.followers.discard(following)
            if not computation.followers and not computation.complete:
                computation.stop.set()
                self._forget(key, computation)

    def _forget(self, key: str, computation: _Computation) -> None:
        """Let nobody join a computation any more; one that was begun in its place stays."""
        if self._computations.get(key) is computation:
            del self._computations[key]

    def _keep_few(self) -> None:
        surplus = sum(kept.of + 1 for kept in self._computations.values()) - self._most_kept
        for key, kept in list(self._computations.items()):
            if surplus > 0 and kept.ended:
                surplus -= kept.of + 1
                del self._computations[key]

    def close(self) -> None:
        """Stop all computations and wait for their end; safe to call twice."""
        with self._changed:
            at_work = dict(self._at_work)
        for computation in at_work:
            computation.stop.set()
        for thread in at_work.values():
            thread.join()


def _require_few(task: Task, count: int) -> None:
    """Refuse what would take minutes."""
    most = MOST_READINGS if task.kind is Kind.HANDWRITING else MOST_COLUMNS // task.width
    if count > most:
        message = (
            f"{count:,} strokes lie on this canvas, but at {task.width} px at most {most:,} can be credited: "
            f"continue from an earlier step and look at that session."
        )
        raise Conflict("too_many_strokes", message)
