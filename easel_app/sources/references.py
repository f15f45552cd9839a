"""Pictures that an entry names: files beside it, data URLs, or cells of a table."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from easel_app.sources.fields import Picture
from easel_app.sources.found import Content, Fault
from easel_app.sources.jsontext import shown
from easel_app.sources.pictures import MOST_BYTES, NoPicture, identify, pretends, too_large

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w.+-]+=[\w.+-]+)*);base64,", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cell:
    """A picture in a table: its bytes when they are wanted, and what it is called there."""

    content: Content | None
    """None when only its name is there."""
    size: int
    path: str | None


Reference = str | Cell


class Folder:
    """Where the files lie that entries may name; nothing outside of it is ever opened.

    A path that leads out of it by `..`, by a link or by being absolute is refused, for a file from elsewhere could name
    whatever this machine holds.
    """

    def __init__(self, path: Path | None, root: Path | None = None) -> None:
        """Paths are relative to `path`, and may lead anywhere inside `root` (else inside `path`); None: nowhere."""
        self._path = path.resolve() if path else None
        self._root = root.resolve() if root else self._path

    def file(self, name: str) -> Path:
        """The file of that relative path.

        Raises:
            NoPicture: there is none that may be opened.
        """
        if self._path is None or self._root is None:
            raise NoPicture("what is sent has no files beside it; give the picture as a data URL, or import from disk")
        if "\0" in name or PurePosixPath(name).is_absolute():
            raise NoPicture("the path is not relative to the file that names it")
        try:
            path = (self._path / name).resolve()
            if not path.is_relative_to(self._root):
                raise NoPicture("the path leads out of the folder of the file that names it")
            if not path.is_file():
                raise NoPicture("there is no such file")
        except (OSError, RuntimeError):  # a name that is too long, links in a circle
            raise NoPicture("there is no such file") from None
        return path

    def by_ending(self, name: str) -> Path | None:
        """The file that a path made on another machine means, by the longest end of it that is here; else None.

        The authors' files hold paths from the root of their checkout, and absolute ones in traces. The bare name of a
        longer path is not enough: each task's folder has a picture of the same name.
        """
        parts = [part for part in PurePosixPath(name).parts if part != "/"]
        if self._path is None or ".." in parts:
            return None
        for start in range(max(1, len(parts) - 1)):
            try:
                return self.file("/".join(parts[start:]))
            except NoPicture:
                continue
        return None


@dataclass(slots=True)
class Gallery:
    """The pictures of one record as it is read: what they are, how to get them, and what is odd or wrong about them."""

    folder: Folder
    by_ending: bool = False
    """Whether paths are of another machine, so that the end of one is enough."""
    contents: dict[str, Content] = field(default_factory=dict)
    notes: list[Fault] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def take(self, reference: object, where: str) -> Picture | None:
        """The picture that is meant at a path of the record; None when it is refused, which is then among the faults.

        A text is a relative path or a data URL.
        """
        try:
            if isinstance(reference, Cell):
                return self._taken(_of_cell(reference), reference.path or "", where)
            if not isinstance(reference, str):
                raise NoPicture("it must be a path or a data URL")
            if reference.startswith("data:"):
                url = _DATA_URL.match(reference)
                content = _of_url(reference, url)
                return self._taken(lambda: content, url[1] or "" if url else "", where)
            path = (self.by_ending and self.folder.by_ending(reference)) or self.folder.file(reference)
            return self._taken(_of_file(path), path.name, where)
        except NoPicture as error:
            named = f" {shown(reference)}" if isinstance(reference, str) and not reference.startswith("data:") else ""
            self.faults.append(Fault(where, f"picture{named}: {error}"))
        except (OSError, ValueError):  # the disk, or the table that holds it
            self.faults.append(Fault(where, "picture: it cannot be read, for what holds it is damaged"))
        return None

    def take_if_there(self, names: Iterable[object], where: str) -> list[Picture]:
        """The pictures of those paths that have a file here and are pictures; of the others no word is lost."""
        found = []
        for name in names:
            path = self.folder.by_ending(name) if isinstance(name, str) else None
            if path is None:
                continue
            try:
                found.append(self._taken(_of_file(path), path.name, where))
            except (NoPicture, OSError) as error:
                self.notes.append(Fault(where, f"picture {shown(path.name)} of a trace is left out: {error}"))
        return found

    def _taken(self, content: Callable[[], bytes], called: str, where: str) -> Picture:
        picture = identify(content())
        self.contents[picture.digest] = content
        if lie := pretends(called, picture):
            self.notes.append(Fault(where, f"picture: {lie}"))
        return picture


def _of_cell(cell: Cell) -> Content:
    if cell.content is None:
        raise NoPicture("only its name is in the file, not its bytes")
    if cell.size > MOST_BYTES:
        raise NoPicture(too_large(cell.size))
    return cell.content


def _of_file(path: Path) -> Content:
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise NoPicture(too_large(size))

    def content() -> bytes:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)

    return content


def _of_url(text: str, url: re.Match[str] | None) -> bytes:
    if url is None:
        raise NoPicture("its data URL is of another form than data:image/…;base64,…")
    if (len(text) - url.end()) * 3 // 4 > MOST_BYTES + 2:
        raise NoPicture(too_large((len(text) - url.end()) * 3 // 4))
    try:
        return base64.b64decode(text[url.end() :].encode("ascii"), validate=True)
    except (ValueError, binascii.Error):
        raise NoPicture("the base64 of its data URL is damaged") from None
