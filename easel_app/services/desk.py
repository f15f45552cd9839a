"""The desk: sessions that are open in memory, each held by one caller at a time.

A session is rebuilt from its log whenever it is not here, so leaving the desk loses nothing.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from easel_app.painting.rollout import Rollout, Turn
from easel_app.painting.showing import Look
from easel_app.services.problems import Busy, Refusal
from easel_app.store.records import SessionRecord

MOST_BYTES = 512 * 1024 * 1024
"""What the kept pictures of all open sessions may take together."""


@dataclass
class OpenSession:
    """A session with its rollout; `answers` holds what each request was told."""

    record: SessionRecord
    rollout: Rollout
    answers: dict[str, tuple[int, Turn]] = field(default_factory=dict)
    intact: bool = True
    assisted: bool = False
    """Whether another than its player has acted: a guest, or a built-in painter."""
    seen: set[tuple[int, Look]] = field(default_factory=set)
    """How its player was shown the pictures since the last action, and its seq: each way is recorded once."""


@dataclass
class _Place:
    lock: threading.Lock = field(default_factory=threading.Lock)
    callers: int = 0
    session: OpenSession | None = None

    @property
    def weight(self) -> int:
        """Bytes of the pictures that the session keeps."""
        return self.session.rollout.history.kept_bytes if self.session else 0


class Desk:
    """Open sessions, the least recently used leaving first."""

    def __init__(self, most: int, reopen: Callable[[str], OpenSession]) -> None:
        """Keep up to `most` sessions; `reopen` rebuilds one from its log."""
        self._most, self._reopen = most, reopen
        self._lock = threading.Lock()
        self._places: OrderedDict[str, _Place] = OrderedDict()

    @contextmanager
    def hold(self, session_id: str, *, most: int | None = None) -> Iterator[OpenSession]:
        """Have a session to oneself; waits for its turn, unless `most` callers wait already.

        If the block fails otherwise than by a `Refusal`, which changes nothing, memory may be ahead of the log: the
        session is then rebuilt before its next use.
        """
        with self._lock:
            place = self._places.setdefault(session_id, _Place())
            self._places.move_to_end(session_id)
            if most is not None and place.callers > most:
                raise Busy("too_many_waiting", "Too many actions of this session wait already; send them one by one.")
            place.callers += 1
        try:
            with place.lock:
                if place.session is None:
                    place.session = self._reopen(session_id)
                try:
                    yield place.session
                except Refusal:
                    raise
                except BaseException:
                    place.session = None
                    raise
        finally:
            with self._lock:
                place.callers -= 1
                # a session that began meanwhile has a place of its own, which stays
                if place.session is None and not place.callers and self._places.get(session_id) is place:
                    del self._places[session_id]
                self._clear()

    def put(self, session: OpenSession) -> None:
        """Lay a session that has just begun on the desk."""
        with self._lock:
            self._places[session.record.id] = _Place(session=session)
            self._clear()

    def _clear(self) -> None:
        surplus = len(self._places) - self._most
        spare = MOST_BYTES - sum(place.weight for place in self._places.values())
        for session_id, place in list(self._places.items()):
            if surplus <= 0 and spare >= 0:
                break
            if not place.callers:
                surplus, spare = surplus - 1, spare + place.weight
                del self._places[session_id]
