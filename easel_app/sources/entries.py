"""JSON files as a stream of their entries: JSON lines, or one list of any length. Never more than one entry is held.

A list is decoded piece by piece: `raw_decode` is tried on what has been read, and where it fails only because the text
ends, twice as much is read first, so that the work stays linear in the size of the file.
"""

from __future__ import annotations

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from easel_app.sources.found import Fault, Place, Problem
from easel_app.sources.jsontext import LENIENT, STRICT, NotReadable, decoded

PIECE = 256 * 1024
MOST_ENTRY = 64 * 1024 * 1024
"""Bytes of a line, characters of an entry: a picture as a data URL of the largest size, or a plan of the largest size
with each of its characters escaped, with some text."""
_NO_TEXT = re.compile("[\udc80-\udcff]")
"""What `surrogateescape` makes of bytes that are no text."""
_NOT_BLANK = re.compile(r"[^ \t\n\r]")
_GZIP = b"\x1f\x8b"


class Entry(NamedTuple):
    """A value and where it stands."""

    place: Place
    value: Any


class JsonFile:
    """A file of JSON lines, or one JSON list; plain or packed by gzip."""

    def __init__(self, path: Path, name: str = "") -> None:
        """Read from `path`; problems call the file `name`, empty for the only one."""
        self._path, self._name = path, name
        self.size = path.stat().st_size
        self.position = 0
        """Bytes of the file that have been read."""

    def entries(self) -> Iterator[Entry | Problem]:
        """All entries in order, from the beginning; after what cannot be got over, a problem is the last thing."""
        with self._path.open("rb") as file:
            packed = file.read(2) == _GZIP
            file.seek(0)
            pieces = self._pieces(file, packed)
            try:
                first = next((piece for piece in pieces if piece.strip()), b"")
                start = first.removeprefix(codecs.BOM_UTF8).lstrip()
                if start.startswith(b"["):
                    yield from self._list(pieces, start)
                elif (whole := self._one_object(first)) is not None:
                    yield Entry(Place("entry", 1, self._name), whole)
                else:
                    yield from self._lines(pieces, first)
            except (zlib.error, gzip.BadGzipFile, EOFError) as error:
                yield self._broken(f"the gzip file is damaged or cut off ({error}); what comes before it was read")

    def _pieces(self, file: BinaryIO, packed: bool) -> Iterator[bytes]:
        source = gzip.GzipFile(fileobj=file) if packed else file
        while piece := source.read(PIECE):
            self.position = file.tell()
            yield piece

    def _broken(self, why: str, kind: str = "", number: int = 0) -> Problem:
        return Problem(Place(kind, number, self._name), (Fault("", why),))

    def _one_object(self, first: bytes) -> Any:
        """What a file is that is one object over several lines, such as a summary; None for any other."""
        line = first.removeprefix(codecs.BOM_UTF8).lstrip().partition(b"\n")[0]
        if not line.startswith(b"{") or self.size > MOST_ENTRY or len(line) >= PIECE // 2:
            return None
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            with self._path.open("rb") as file:
                try:
                    return decoded(file.read(MOST_ENTRY).decode("utf-8-sig"))
                except ValueError:
                    return None
        return None

    def _lines(self, pieces: Iterator[bytes], first: bytes) -> Iterator[Entry | Problem]:
        for number, line in enumerate(_split(first, pieces), 1):
            if line is None:
                yield self._broken(f"it has more than {MOST_ENTRY // 1024**2} MB, which no line needs", "line", number)
                continue
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                if text.strip():
                    yield Entry(Place("line", number, self._name), decoded(text))
            except UnicodeDecodeError as error:
                yield self._broken(f"it is not UTF-8 text (byte {error.start + 1})", "line", number)
            except NotReadable as error:
                yield self._broken(str(error), "line", number)

    def _list(self, pieces: Iterator[bytes], start: bytes) -> Iterator[Entry | Problem]:
        text = _Text(pieces, start)
        text.drop(1)
        number = 0
        try:
            while (mark := text.next()) != "]":
                if number:
                    if mark != ",":
                        raise NotReadable("a comma or the end of the list is missing after the entry before")
                    text.drop(1)
                number += 1
                place = Place("entry", number, self._name)
                try:
                    value, end = text.value(STRICT)
                    if text.damaged(end):
                        raise _Refused("it is not UTF-8 text")
                except _Refused as error:
                    yield Problem(place, (Fault("", str(error)),))
                    end = text.value(LENIENT)[1]
                else:
                    yield Entry(place, value)
                text.drop(end)
        except (NotReadable, RecursionError) as error:
            why = str(error) if isinstance(error, NotReadable) else "it is nested too deeply"
            yield self._broken(f"{why}; nothing after it can be read", "entry", number or 1)
        else:
            text.drop(1)
            if text.next():
                yield self._broken("something follows the end of the list; only the list was read")


class _Refused(NotReadable):
    """An entry is wrong in itself, but its end can be told."""


class _Text:
    """The text of a list from where it has been read to, as much of it as was needed."""

    def __init__(self, pieces: Iterator[bytes], start: bytes) -> None:
        self._pieces = pieces
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._text, self._at = self._decoder.decode(start), 0
        self._ended = False

    def drop(self, count: int) -> None:
        """Let go of what has been read."""
        self._at += count  # the text is cut only when more of it is read: cutting it copies it

    def damaged(self, count: int) -> bool:
        """Whether so much of the text holds bytes that are no UTF-8."""
        return _NO_TEXT.search(self._text, self._at, self._at + count) is not None

    def next(self) -> str:
        """The next character that is not blank, which is then the first; empty at the end."""
        while not (rest := _NOT_BLANK.search(self._text, self._at)):
            self._at = len(self._text)
            if not self._more(PIECE):
                return ""
        self._at = rest.start()
        return rest[0]

    def value(self, decoder: json.JSONDecoder) -> tuple[Any, int]:
        """The value that begins here, and how long it is."""
        if not self.next():
            raise NotReadable("the list is cut off")
        while True:
            try:
                value, end = decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                detail = f"{error.msg.removesuffix(' at')} at its character {error.pos - self._at + 1}"
                left = len(self._text) - self._at
                if not (_may_go_on(error, len(self._text)) and self._more(max(PIECE, left))):
                    raise NotReadable(f"it is not valid JSON ({detail})") from None
            except NotReadable as error:
                raise _Refused(str(error)) from None
            else:
                # a number might go on
                if self._text[end : end + 64].strip("0123456789.eE+-") or not self._more(PIECE):
                    return value, end - self._at

    def _more(self, count: int) -> bool:
        """Read that many characters on, and let go of those that are done with; whether there were any."""
        parts = [self._text[self._at :]]
        if len(parts[0]) > MOST_ENTRY:
            raise NotReadable(f"it has more than {MOST_ENTRY / 1024**2:.0f} million characters, which no entry needs")
        read = 0
        while read < count and not self._ended:
            piece = next(self._pieces, b"")
            self._ended = not piece
            parts.append(self._decoder.decode(piece, self._ended))
            read += len(parts[-1])
        self._text, self._at = "".join(parts), 0
        return read > 0


def _may_go_on(error: json.JSONDecodeError, length: int) -> bool:
    """Whether a text may only be wrong because it ends there: in a string, or at its very end."""
    return error.msg.startswith("Unterminated string") or error.pos >= length - len("-Infinity")


def _split(first: bytes, pieces: Iterator[bytes]) -> Iterator[bytes | None]:
    """Lines without their ends; None for one that is too long, of which no more is held than that."""
    parts: list[bytes] = []
    length = 0
    piece = first
    while piece:
        *whole, rest = piece.split(b"\n")
        for part in whole:
            parts.append(part)
            yield b"".join(parts) if length + len(part) <= MOST_ENTRY else None
            parts, length = [], 0
        length += len(rest)
        parts = [*parts, rest] if length <= MOST_ENTRY else []
        piece = next(pieces, b"")
    if length > MOST_ENTRY:
        yield None
    elif length:
        yield b"".join(parts)
