"""Cassettes: recorded answers of the tools that need the network, so that a run can be done again as it was.

A file of JSON lines, each `{"tool": …, "arguments": {…}, "observation": {…}, "at": …, "source": …}`. A call is found by
its canonical arguments: blanks, capitals and the order of keys make no difference where they make none to the tool.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import orjson
from pydantic import Field, ValidationError, field_validator

from easel_app.rubrics.records import MOST_DEEP
from easel_app.rubrics.tools.descriptions import SENT
from easel_app.rubrics.tools.observation import Observation
from easel_app.scoring.tool_schemas import BY_NAME, misfit
from easel_app.sources.fields import Record, Words
from easel_app.sources.jsontext import depth

NETWORK: Final = ("google_search", "browser_get_page_text", "historical_weather")
"""The tools whose answers are recorded."""
MOST_LINE = 1024 * 1024
MOST_BYTES = 256 * 1024 * 1024
_PORTS = {"http": 80, "https": 443}


class BadCassette(ValueError):
    """A file is no cassette; the message says which line is wrong and why, in one sentence."""


class Recording(Record):
    """A line of a cassette."""

    tool: str = Field(description="Its name as sent.")
    arguments: dict[str, Any] = Field(description="Canonical.")
    observation: dict[str, Any] = Field(description="The payload that came back.")
    at: str = Field(default="", max_length=40, description="When, ISO 8601; empty for what was made up.")
    source: Words = Field(default="", max_length=200, description="Where it comes from, such as `service`, `sample`.")

    @field_validator("tool")
    @classmethod
    def _of_the_network(cls, name: str) -> str:
        if SENT.get(name) not in NETWORK:
            raise ValueError(f"the tool is none of {', '.join(NETWORK)}")
        return SENT[name]

    @field_validator("arguments", "observation")
    @classmethod
    def _not_too_deep(cls, data: dict[str, Any]) -> dict[str, Any]:
        if depth(data) > MOST_DEEP:
            raise ValueError(f"it is nested more than {MOST_DEEP} deep")
        return data


class Cassette:
    """Recordings by tool and arguments. Of equal keys the first that holds an answer counts, else the first."""

    def __init__(self, path: Path | None = None) -> None:
        """An empty one; what is added goes to the end of the file, where there is one."""
        self._path = path
        self._found: dict[str, dict[str, Any]] = {}

    def __len__(self) -> int:
        return len(self._found)

    @classmethod
    def read(cls, path: Path) -> Cassette:
        """The cassette of a file.

        Raises:
            BadCassette: a line is damaged or no recording, or the file is too large.
            OSError: the file cannot be read.
        """
        if path.stat().st_size > MOST_BYTES:
            raise BadCassette(f"The cassette {path.name} is larger than {MOST_BYTES // 2**20} MB; split it.")
        cassette = cls(path)
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MOST_LINE + 1), b""), start=1):
                if line.strip():
                    cassette._take(_recording(line, f"Line {number} of the cassette {path.name}"))
        return cassette

    def find(self, tool: str, arguments: Mapping[str, Any]) -> Observation | None:
        """What was recorded of a call whose arguments fit the tool; None when nothing was."""
        found = self._found.get(key(tool, arguments))
        return None if found is None else Observation(dict(found))

    def add(self, tool: str, arguments: Mapping[str, Any], observation: Observation, at: str, source: str) -> None:
        """Record a call, and write it to the file where there is one, for good when this returns.

        Several processes may add to a file at once. What is recorded already, with an answer, is not recorded again.

        Raises:
            ValueError: it is nested too deeply to be read again.
            OSError: the disk does not take it; the file is then as it was.
        """
        recording = Recording(
            tool=tool, arguments=canonical(tool, arguments), observation=observation.payload, at=at, source=source
        )
        if self._take(recording) and self._path:
            _append(self._path, orjson.dumps(recording.model_dump()) + b"\n")

    def _take(self, recording: Recording) -> bool:
        """Whether it is new."""
        place = key(recording.tool, recording.arguments)
        known = self._found.get(place)
        if known is not None and (_answers(known) or not _answers(recording.observation)):
            return False
        self._found[place] = recording.observation
        return True


def key(tool: str, arguments: Mapping[str, Any]) -> str:
    """What a call is found by."""
    return json.dumps([SENT[tool], canonical(tool, arguments)], sort_keys=True)


def canonical(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments in the one form of all that mean the same to a tool; idempotent.

    Args:
        tool: one of `NETWORK`, by either name.
        arguments: fit the tool.
    """
    name = SENT[tool]
    defaults = {param: schema["default"] for param, schema in BY_NAME[name].params.items() if "default" in schema}
    found = {**defaults, **arguments}
    if "num_results" in found:
        found["num_results"] = int(found["num_results"])
    for param, fold in (("query", folded), ("location", _place), ("url", address)):
        if param in found:
            found[param] = fold(found[param])
    return dict(sorted(found.items()))


def folded(text: str) -> str:
    """Text without what search and geocoding do not look at: capitals, and blanks but between words."""
    return " ".join(text.casefold().casefold().split())


def _place(text: str) -> str:
    return ", ".join(filter(None, (folded(part) for part in text.split(","))))


def address(text: str) -> str:
    """An address of a page in one form: small letters in scheme and host, no usual port, no fragment."""
    text = text.strip()
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return text
    if parts.scheme not in _PORTS or not host or "@" in parts.netloc:
        return text
    host = f"[{host}]" if ":" in host else host
    place = host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"
    return urlunsplit((parts.scheme, place, parts.path or "/", parts.query, ""))


def _answers(observation: Mapping[str, Any]) -> bool:
    return observation.get("status") != "error"


def _recording(line: bytes, where: str) -> Recording:
    if len(line) > MOST_LINE:
        raise BadCassette(f"{where} is longer than {MOST_LINE // 2**20} MB; delete it.")
    try:
        found = Recording.model_validate(orjson.loads(line))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadCassette(f"{where} is no recording ({place}: {first['msg']}); correct or delete it.") from None
    except ValueError:
        raise BadCassette(f"{where} is damaged, for it is no JSON; delete it.") from None
    if why := misfit(BY_NAME[found.tool], found.arguments):
        raise BadCassette(f"{where} does not fit {found.tool} ({why}); correct or delete it.")
    return found


def _append(path: Path, line: bytes) -> None:
    """Add a line, whole or not at all; a line that a crash cut off is ended first, so that it costs no other one."""
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            line = b"\n" + line
        try:
            if os.write(descriptor, line) != len(line):
                raise OSError(f"{path.name} could not be written in full")
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, size)
            raise
    finally:
        os.close(descriptor)
