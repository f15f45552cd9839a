"""The family `folder`: any folder of pictures, with all that lies below it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from easel_app.painting.tasks import Source
from easel_app.services.problems import NotFound
from easel_app.trajectories.references.decoding import Decoded, NoReference, check_size, decode, square
from easel_app.trajectories.references.dice import shuffled
from easel_app.trajectories.references.reference import Pixels, Reference, Skipped

UNKNOWN = "not stated"
LONGEST = 300
"""Characters of a title, a name or a licence that are kept."""


class Folder:
    """Pictures of a folder and of the folders in it, in a seeded order that no file system decides."""

    name = "folder"

    def __init__(self, path: Path, seed: int, size: int, terms: Source | None = None) -> None:
        """List the files; none is opened.

        Args:
            path: the folder.
            seed: of the order.
            size: of the references, px.
            terms: where they come from and on what terms; None: what can be said of any folder.

        Raises:
            NotFound: there is no such folder, or it cannot be read.
        """
        self._path, self._size = path, size
        self._terms = terms or Source(origin=f"folder {path.name}", author=UNKNOWN, licence=UNKNOWN, detail="")
        self._files = sorted(listed(path))
        self._order = shuffled(len(self._files), seed, self.name)

    @property
    def count(self) -> int:
        """Files that there are, pictures or not."""
        return len(self._files)

    def draw(self, index: int) -> Reference | Skipped:
        """A square of the file that comes at `index`."""
        file = self._files[self._order[index]]
        try:
            decoded = decode(read(self._path / file))
        except NoReference as error:
            return skipped(self.name, file, error)
        pixels, where = cropped(decoded, self._size)
        detail = f"{file}, {where}"
        terms = self._terms.model_copy(update={"detail": visible(detail)})
        return Reference(pixels, self.name, visible(Path(file).stem), terms, group_of(self.name, file))


def listed(path: Path) -> Iterator[str]:
    """The files below a folder, as paths relative to it with `/` between; hidden ones are left out.

    A link to a folder is followed, but no folder is entered twice: links in a circle come to an end.

    Raises:
        NotFound: there is no such folder, or it or one in it cannot be read.
    """

    def unreadable(error: OSError) -> NoReturn:
        message = f"The folder of pictures {error.filename} cannot be read ({error.strerror}); correct the path."
        raise NotFound("no_such_folder", message, "families") from None

    entered: set[tuple[int, int]] = set()
    for here, folders, files in os.walk(path, onerror=unreadable, followlinks=True):
        at = Path(here).stat()
        if (at.st_dev, at.st_ino) in entered:
            folders.clear()
            continue
        entered.add((at.st_dev, at.st_ino))
        folders[:] = sorted(folder for folder in folders if not folder.startswith("."))
        for file in files:
            if not file.startswith("."):
                yield (Path(here) / file).relative_to(path).as_posix()


def read(path: Path) -> bytes:
    """A file's bytes, never more than are taken of a picture.

    Raises:
        NoReference: `huge`, or `unreadable`.
    """
    try:
        if not path.is_file():
            raise NoReference("unreadable", "it is no file")
        check_size(path.stat().st_size)
        return path.read_bytes()
    except OSError as error:
        raise NoReference("unreadable", f"it cannot be read ({error.strerror})") from None


def cropped(decoded: Decoded, size: int) -> tuple[Pixels, str]:
    """The square in the middle of a picture, as large as it allows, and in words where that lies.

    Never a square by chance: of two copies of a picture both would stay, for their crops would differ.
    """
    height, width = decoded.pixels.shape[:2]
    side = min(width, height)
    left, top = (width - side) // 2, (height - side) // 2
    where = f"crop of {side} × {side} px at ({left}, {top})"
    return square(decoded.pixels, size, left, top, side), f"{where}, {decoded.note}" if decoded.note else where


def skipped(family: str, name: str, error: NoReference) -> Skipped:
    """The candidate of that name, with why it gives nothing."""
    shown = visible(name)
    return Skipped(family, shown, error.reason, f"{shown} gives no reference, for {error}.")


def group_of(family: str, file: str) -> str:
    """The group of a picture that is one source by itself; a name that is no Unicode is told apart all the same."""
    return f"{family} {os.fsencode(file).decode(errors='backslashreplace')}"


def visible(text: str) -> str:
    """A text of unknown origin as one short line: what does not show becomes a replacement character."""
    line = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line).strip() or "untitled"
