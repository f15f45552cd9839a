"""Sessions as a data set in Hugging Face layout: a card, two parquet tables with pictures, and the logs.

Rows are written as sessions are read, so that memory does not grow with their number; the folder appears when all is
in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from easel_app.exports.card import Tally, card
from easel_app.exports.parquet import Table
from easel_app.exports.service import line_of
from easel_app.exports.tables import ACTIONS, SESSIONS, action_row, session_row
from easel_app.exports.whole import whole_folder
from easel_app.services.problems import NotFound
from easel_app.services.sessions import SessionService
from easel_app.services.tasks import TaskService
from easel_app.store.runs import RunStore

PAGE = 100
"""Sessions of a list that are read at once."""
TITLE = "Easel Studio sessions"


class Chosen(NamedTuple):
    """Which ended sessions of published tasks to export; with nothing given, all."""

    run: str | None = None
    task: str | None = None
    player: str | None = None

    def words(self) -> str:
        """The same in words."""
        parts = [f"{name} `{_plain(value)}`" for name, value in self._asdict().items() if value is not None]
        return f"those of {' and '.join(parts)}" if parts else "all that had ended"


def write_dataset(
    folder: Path,
    chosen: Chosen,
    sessions: SessionService,
    tasks: TaskService,
    runs: RunStore,
    told: Callable[[int], None] = lambda count: None,
) -> Tally:
    """Write a data set into a folder that does not exist yet, or is empty; whole or not at all.

    Own pictures are in no list and so in no data set. Sessions whose task has another picture today are left out and
    counted.

    Args:
        folder: where to.
        chosen: which sessions.
        sessions: the studio's sessions.
        tasks: its tasks.
        runs: its runs.
        told: hears how many sessions are written.

    Raises:
        Conflict: there is something at that place.
        NotFound: no ended session is of those that were chosen.
        OSError: it cannot be written.
    """
    with whole_folder(folder) as unfinished:
        tally = _fill(unfinished, chosen, sessions, tasks, runs, told)
        if not tally.sessions:
            message = "No ended session of a published task is among those; an open one is exported once it has ended."
            raise NotFound("no_sessions", message)
        (unfinished / "README.md").write_text(card(tally, TITLE, chosen.words()), encoding="utf-8")
    return tally


def _fill(
    folder: Path,
    chosen: Chosen,
    sessions: SessionService,
    tasks: TaskService,
    runs: RunStore,
    told: Callable[[int], None],
) -> Tally:
    for name in ("data", "logs"):
        (folder / name).mkdir()
    of_run = {session_id: run.id for run in runs.runs() for session_id in runs.sessions(run.id).values()}
    tally = Tally()
    with ExitStack() as stack:
        session_table = stack.enter_context(Table(folder / "data" / "sessions.parquet", SESSIONS))
        action_table = stack.enter_context(Table(folder / "data" / "actions.parquet", ACTIONS))
        for session_id in _ended(sessions, chosen):
            session, actions = sessions.records(session_id)
            try:
                task = tasks.get(session.task_id)
            except NotFound:
                task = None
            if task is None or task.digest != session.task_digest:
                tally.left_out += 1
                continue
            session_table.add([session_row(task, session, actions, of_run.get(session_id))])
            action_table.add(action_row(session_id, action) for action in actions)
            with (folder / "logs" / f"{session_id}.jsonl").open("w", encoding="utf-8") as log:
                log.writelines(map(line_of, sessions.log(session_id)))
            if evidence := list(sessions.evidence(session_id)):
                (folder / "evidence").mkdir(exist_ok=True)
                with (folder / "evidence" / f"{session_id}.jsonl").open("w", encoding="utf-8") as file:
                    file.writelines(map(line_of, evidence))
                tally.evidence += 1
            tally.add(task, session, len(actions))
            told(tally.sessions)
    tally.bytes = {"sessions": session_table.bytes, "actions": action_table.bytes}
    return tally


def _ended(sessions: SessionService, chosen: Chosen) -> Iterator[str]:
    """Ids of the chosen sessions that have ended, newest first, page by page."""
    before: str | None = None
    while page := sessions.newest(limit=PAGE, before=before, ended=True, **chosen._asdict()):
        yield from (entry.session_id for entry in page)
        before = page[-1].session_id


def _plain(text: str) -> str:
    """What a caller asked for as text that begins no markup."""
    return "".join(char if char.isalnum() or char in " -_.:@" else "?" for char in text)[:80]
