"""The answers that were paid for, a JSON line each, on disk before anything else is asked: what a run goes on from."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from easel_app.llm import Reply, Usage
from easel_app.painting.stroke import Strict
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict
from easel_app.trajectories.reasoning.checking import MOST_READ, Fault, Unfit, checked

Place = tuple[str, int]
"""Key of a reference, and the step."""
TURNS = 2
"""Times that a model is asked about a stroke at most."""


class Answer(Strict):
    """What a model said of one stroke."""

    key: str
    step: int
    said: str = Field(max_length=MOST_READ)
    ended: Literal["stop", "length", "refused"]
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    latency: float
    at: str

    @classmethod
    def of(cls, place: Place, reply: Reply) -> Answer:
        """A reply as it is kept."""
        refused = bool(reply.refusal) or reply.finish_reason == "content_filter"
        ended: Literal["stop", "length", "refused"] = "length" if reply.finish_reason == "length" else "stop"
        return cls(
            key=place[0],
            step=place[1],
            said=(reply.text or reply.refusal or "")[:MOST_READ],
            ended="refused" if refused else ended,
            prompt_tokens=reply.usage.prompt_tokens,
            completion_tokens=reply.usage.completion_tokens,
            cost=reply.usage.cost,
            latency=reply.latency,
            at=now(),
        )

    @property
    def usage(self) -> Usage:
        """What it used."""
        return Usage(self.prompt_tokens, self.completion_tokens, self.cost, reported=True)

    @property
    def finding(self) -> str | Fault:
        """The text, or why it is none."""
        try:
            return checked(self.said, self.ended)
        except Unfit as unfit:
            return unfit.fault


class Ledger:
    """The answers on one shard; for any number of threads."""

    def __init__(self, path: Path) -> None:
        """Read what is there, and leave out a last line that was cut off by a crash.

        Raises:
            Conflict: another line is damaged.
            OSError: it cannot be read or written.
        """
        self._path, self._lock = path, threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._answers: dict[Place, list[Answer]] = {}
        content = path.read_bytes() if path.exists() else b""
        whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                answer = Answer.model_validate_json(line)
            except ValidationError:
                message = f"Line {number} of {path} is damaged; remove that line to have its stroke asked about again."
                raise Conflict("damaged", message) from None
            self._answers.setdefault((answer.key, answer.step), []).append(answer)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        if whole < len(content):
            os.ftruncate(self._file, whole)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def __iter__(self) -> Iterator[Answer]:
        return (answer for said in self._answers.values() for answer in said)

    def said(self, key: str, step: int) -> tuple[Answer, ...]:
        """What was said of a stroke, in order."""
        return tuple(self._answers.get((key, step), ()))

    def add(self, answer: Answer) -> None:
        """Write an answer down, durably.

        Raises:
            OSError: it cannot be written; then the file is as it was.
        """
        line = answer.model_dump_json().encode("utf-8", "replace") + b"\n"
        with self._lock:
            size = os.fstat(self._file).st_size
            try:
                written = os.write(self._file, line)
                if written < len(line):
                    raise OSError(f"only {written} of {len(line)} bytes could be written")
                os.fsync(self._file)
            except OSError:
                os.ftruncate(self._file, size)
                raise
            self._answers.setdefault((answer.key, answer.step), []).append(answer)

    def open(self, place: Place) -> bool:
        """Whether a model is still to be asked about a stroke."""
        said = self._answers.get(place, [])
        return len(said) < TURNS and not any(isinstance(answer.finding, str) for answer in said)

    def finding(self, place: Place) -> str | Fault | None:
        """What came of a stroke: a text, or why the last answer is none; None where nothing was said."""
        found: str | Fault | None = None
        for answer in self._answers.get(place, []):
            found = answer.finding
            if isinstance(found, str):
                return found
        return found
