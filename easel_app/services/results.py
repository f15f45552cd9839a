"""Results: the best of each task, and how players stand, from the figures of ended sessions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from easel_app.services import figures
from easel_app.services.tasks import TaskService
from easel_app.services.telling import summary_of
from easel_app.services.views import Best, BestOfTask, SessionSummary
from easel_app.store.figures import FiguresRecord, FigureStore
from easel_app.store.records import SessionStore

AT_ONCE = 200
"""Figures that one question computes at most: those of sessions that an older version recorded are missing at first."""
KINDS = ("human", "agent", "painter")


class ResultService:
    """What has come of the sessions that may be ranked."""

    def __init__(self, store: FigureStore, sessions: SessionStore, tasks: TaskService) -> None:
        self._store, self._sessions, self._tasks = store, sessions, tasks

    def catch_up(self) -> int:
        """Compute some of the figures that are missing; returns how many still are."""
        missing = self._store.missing(figures.VERSION, AT_ONCE)
        if not missing:
            return 0
        self._store.add(list(self._computed(missing)))
        return self._store.count_missing(figures.VERSION) if len(missing) == AT_ONCE else 0

    def _computed(self, session_ids: Sequence[str]) -> Iterator[FiguresRecord]:
        for session_id in session_ids:
            session = self._sessions.session(session_id)
            assert session is not None  # noqa: S101  sessions are never deleted
            yield figures.of_log(self._tasks.get(session.task_id), session, self._sessions.actions(session_id))

    def best(self, task_ids: Sequence[str]) -> list[BestOfTask]:
        """The best ended, ranked session of each kind of player, for each of some tasks."""
        best: dict[str, dict[str, Best]] = {task_id: {} for task_id in task_ids}
        for entry in self._best(task_ids, KINDS):
            told = Best(session_id=entry.session_id, player=entry.player.name, score=entry.score, step=entry.step)
            best[entry.task_id][entry.player.kind] = told
        return [BestOfTask(task_id=task_id, **found) for task_id, found in best.items()]

    def gallery(self, kinds: Sequence[str] = KINDS) -> list[SessionSummary]:
        """The best ended, ranked painting of each listed task, in the order of the tasks."""
        order = [task.id for task in self._tasks.list()]
        first: dict[str, SessionSummary] = {}
        for entry in self._best(order, kinds):  # best first
            first.setdefault(entry.task_id, entry)
        return [first[task_id] for task_id in order if task_id in first]

    def _best(self, task_ids: Sequence[str], kinds: Sequence[str]) -> list[SessionSummary]:
        self.catch_up()
        found = self._store.best(figures.VERSION, task_ids, kinds)
        return [summary_of(entry) for entry in self._sessions.summaries([session_id for session_id, _, _ in found])]
