"""One session in each of the forms that it can leave the studio in."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from easel_app.exports import atif, replay
from easel_app.exports.clip import Clip, Form, write_clip
from easel_app.exports.frames import enlarged
from easel_app.painting import png
from easel_app.painting.showing import LARGEST_SCALE, MOST_WIDTH
from easel_app.painting.tasks import Task
from easel_app.services.problems import Busy, Conflict, Invalid
from easel_app.services.sessions import SessionService
from easel_app.services.tasks import TaskService
from easel_app.settings import static_folder
from easel_app.store.records import ActionRecord, SessionRecord

AT_ONCE = 2
"""Clips that are made at the same time."""
OWN_FIELDS = ("task", "reference_png")
"""What the first line of an own picture's log holds beside the record, and a replay has elsewhere."""


class Stopped(Exception):
    """Nobody waits for the export any more."""


class Exports:
    """Sessions as files."""

    def __init__(self, sessions: SessionService, tasks: TaskService, static: Path | None = None) -> None:
        """Export sessions; `static` is where a replay's scripts and styles are, if not the project's own."""
        self._sessions, self._tasks = sessions, tasks
        self._static = static or static_folder()
        self._hands = threading.BoundedSemaphore(AT_ONCE)

    def name(self, session_id: str, kind: str) -> str:
        """A file name of letters, digits, dots and dashes that tells task, player and session.

        Raises:
            NotFound: no such session.
        """
        session, _ = self._sessions.records(session_id)
        return file_name(session, kind)

    def log(self, session_id: str) -> Iterator[str]:
        """The lines of the log, each with its line end. Raises `NotFound` as `name` does."""
        return (line_of(entry) for entry in self._sessions.log(session_id))

    def picture(self, session_id: str, step: int | None = None, scale: int = 1) -> bytes:
        """The canvas now or after a step as PNG, each pixel a square of `scale` px.

        Raises:
            NotFound: no such session, or it has not come to that step.
            Invalid: the picture would be too large.
        """
        return scaled(self._sessions.canvas(session_id, step), scale)

    def clip(self, session_id: str, form: Form, wish: Clip, stopping: Callable[[], bool] = lambda: False) -> BinaryIO:
        """A clip as an open file at its beginning; it is gone when it is closed.

        Args:
            session_id: the session.
            form: the clip's format.
            wish: pace, length and what is shown.
            stopping: asked before each step.

        Raises:
            NotFound: no such session.
            Conflict: its log no longer gives the recorded canvas.
            Unsupported: MP4, and PyAV is not installed.
            Busy: enough clips are being made.
            Stopped: `stopping()` said so.
        """
        task, session, actions = self._recorded(session_id)
        if task.digest != session.task_digest:
            message = f"The task {task.id} has another picture today than the one that was painted; export the log."
            raise Conflict("other_task", message)
        if not self._hands.acquire(blocking=False):
            raise Busy("too_many_exports", f"{AT_ONCE} clips are being made just now; try again in a minute.")
        try:
            with tempfile.TemporaryDirectory(prefix="easel-clip-") as folder:
                path = Path(folder, f"clip.{form}")
                write_clip(path, form, task, actions, wish, stopping)
                if stopping():
                    raise Stopped
                return path.open("rb")  # its name goes with the folder, the file itself when it is closed
        finally:
            self._hands.release()

    def replay(self, session_id: str) -> str:
        """The session as one HTML file that opens from disk. Raises `NotFound` as `name` does."""
        lines = list(self._sessions.log(session_id))
        fingerprint = hashlib.sha256("".join(map(line_of, lines)).encode()).hexdigest()
        lines[0] = {name: value for name, value in lines[0].items() if name not in OWN_FIELDS}
        # where this studio is served is of no use in a file, and nobody's business
        session = {**self._sessions.view(session_id).model_dump(mode="json"), "watch_url": ""}
        task = self._tasks.get(session["task"]["id"])
        return replay.page(session, lines, task.png, fingerprint, self._static)

    def atif(self, session_id: str, base: str | None = None) -> dict[str, Any]:
        """The session as an ATIF trajectory.

        Args:
            session_id: the session.
            base: address of a studio that shows its pictures, without a slash at its end; None leaves pictures out.

        Raises:
            NotFound: no such session.
        """
        evidence = [line for line in self._sessions.evidence(session_id) if line["type"] == "exchange"]
        return atif.trajectory(*self._recorded(session_id), evidence, base)

    def _recorded(self, session_id: str) -> tuple[Task, SessionRecord, list[ActionRecord]]:
        session, actions = self._sessions.records(session_id)
        return self._tasks.get(session.task_id), session, actions


def scaled(picture: bytes, scale: int) -> bytes:
    """A PNG with each pixel as a square of `scale` px.

    Raises:
        Invalid: it would be too large.
    """
    if scale == 1:
        return picture
    pixels = png.decode(picture)
    if not 1 <= scale <= LARGEST_SCALE or len(pixels) * scale > MOST_WIDTH:
        most = min(LARGEST_SCALE, MOST_WIDTH // len(pixels))
        raise Invalid("too_wide", f"scale is {scale}, but a canvas of {len(pixels)} px takes 1 to {most}.", "scale")
    return png.encode(enlarged(pixels, scale))


def line_of(entry: dict[str, Any]) -> str:
    """A line of a log as the studio exports it."""
    return json.dumps(entry, ensure_ascii=False) + "\n"


def file_name(session: SessionRecord, kind: str) -> str:
    """A file name that any system takes, whatever the player is called: task, player, session, and its kind."""
    words = (session.task_id, session.player_name, session.id)
    return f"{'-'.join(filter(None, map(_plain, words)))}.{kind}"


def _plain(text: str) -> str:
    """The ASCII letters and digits of a text, with dashes between, 40 at most."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:40].strip("-")
