"""Results: the best of each task, how players stand, and what is published elsewhere."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from easel_app.painting.tasks import SEMANTIC, Task
from easel_app.services import figures
from easel_app.services.ranking import ALL, KINDS, Ended, ResultQuery, ranked, unfinished
from easel_app.services.result_views import Published, Results
from easel_app.services.tasks import TaskService
from easel_app.services.telling import summary_of
from easel_app.services.views import Best, BestOfTask, SessionSummary
from easel_app.settings import data_folder
from easel_app.store.figures import FiguresRecord, FigureStore
from easel_app.store.records import SessionStore

SPELL = 0.25
"""Seconds that one question spends at most on figures that are missing: sessions of an older version have none."""
MOST_ROWS = 200
"""Players of one answer; a page of more is read by nobody."""
KEPT = 16
"""Answers that are kept until another session ends."""
log = logging.getLogger(__name__)


class ResultService:
    """What has come of the sessions that may be ranked."""

    def __init__(self, store: FigureStore, sessions: SessionStore, tasks: TaskService) -> None:
        self._store, self._sessions, self._tasks = store, sessions, tasks
        self._catching, self._asking = threading.Lock(), threading.Lock()
        # those without figures, the oldest last; asked for once, since whatever ends now has its figures at once
        self._missing: list[str] | None = None
        self._ended, self._as_of = Ended((), {}), 0
        self._answers: OrderedDict[ResultQuery, Results] = OrderedDict()

    def catch_up(self) -> int:
        """Compute some of the figures that are missing; returns how many still are."""
        with self._catching:
            if self._missing is None:
                self._missing = self._store.missing(figures.VERSION)[::-1]
            end, made = time.monotonic() + SPELL, 0
            found: list[FiguresRecord] = []
            while made < len(self._missing) and (not made or time.monotonic() < end):
                made += 1
                found += self._computed(self._missing[-made])
            if made:
                self._store.add(found)
                del self._missing[-made:]
            return len(self._missing)

    def _computed(self, session_id: str) -> Iterator[FiguresRecord]:
        session = self._sessions.session(session_id)
        assert session is not None  # noqa: S101  sessions are never deleted
        try:
            yield figures.of_log(self._tasks.get(session.task_id), session, self._sessions.actions(session_id))
        except Exception:  # its task is gone, or was another then: no reason to show no results at all
            log.warning("session %s has no figures: its log and its task do not fit", session_id, exc_info=True)

    def best(self, task_ids: Sequence[str]) -> list[BestOfTask]:
        """The best ended, ranked session of each kind of player, for each of some tasks."""
        best: dict[str, dict[str, Best]] = {task_id: {} for task_id in task_ids}
        for entry in self._best([self._tasks.get(task_id) for task_id in task_ids], KINDS):
            told = Best(session_id=entry.session_id, player=entry.player.name, score=entry.score, step=entry.step)
            best[entry.task_id][entry.player.kind] = told
        return [BestOfTask(task_id=task_id, **found) for task_id, found in best.items()]

    def gallery(self, kinds: Sequence[str] = KINDS) -> list[SessionSummary]:
        """The best ended, ranked painting of each listed task, in the order of the tasks."""
        tasks = self._tasks.list()
        first: dict[str, SessionSummary] = {}
        for entry in self._best(tasks, kinds):  # best first
            first.setdefault(entry.task_id, entry)
        return [first[task.id] for task in tasks if task.id in first]

    def _best(self, tasks: Iterable[Task], kinds: Sequence[str]) -> list[SessionSummary]:
        self.catch_up()
        found = self._store.best(figures.VERSION, {task.id: task.digest for task in tasks}, kinds)
        return [summary_of(entry) for entry in self._sessions.summaries([session_id for session_id, _, _ in found])]

    def results(self, query: ResultQuery) -> Results:
        """Where players stand, the first `MOST_ROWS` of them; kept until another session ends.

        Raises:
            NotFound: there is no such category.
            Invalid: a metric that scores no task in scope.
        """
        scope, pending = self._scope(query.category), self.catch_up()
        with self._asking:  # one counts while the others wait for the same answer
            ended = self._fresh()
            answer = self._answers.pop(query, None) or ranked(ended, query, scope, MOST_ROWS)
            self._answers[query] = answer
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        return self._whole(answer, query, scope, pending)

    def all_results(self, query: ResultQuery) -> Results:
        """The same with every row. Raises as `results` does."""
        scope, pending = self._scope(query.category), self.catch_up()
        with self._asking:
            answer = ranked(self._fresh(), query, scope)
        return self._whole(answer, query, scope, pending)

    def _whole(self, answer: Results, query: ResultQuery, scope: Sequence[Task], pending: int) -> Results:
        """The answer with what changes although no session ends: how many are open, and still to be counted."""
        open_now = unfinished(self._store.unfinished(), answer, query, scope)
        players = [
            row.model_copy(update={"unfinished": open_now[row.key]}) if row.key in open_now else row
            for row in answer.players
        ]
        return answer.model_copy(update={"pending": pending, "players": players})

    def published(self) -> Published:
        """The benchmark's published results."""
        return _published()

    def _fresh(self) -> Ended:
        """All ended sessions, read again if another one has ended since."""
        newest = self._store.newest(figures.VERSION)
        if newest != self._as_of:
            tasks = {task.id: task for task in self._tasks.list()}
            self._ended, self._as_of = Ended(self._store.ranked(figures.VERSION), tasks), newest
            self._answers.clear()
        return self._ended

    def _scope(self, category: str) -> list[Task]:
        """The tasks of a category; `all` are the reconstructions."""
        listed = self._tasks.list(None if category == ALL else category)
        return [task for task in listed if task.kind.semantic == (category == SEMANTIC)]


@cache
def _published() -> Published:
    return Published.model_validate_json((data_folder() / "published" / "easel.json").read_bytes())
