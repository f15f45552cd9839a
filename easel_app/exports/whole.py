"""Files and folders that appear at their place when all is in them, or not at all."""

from __future__ import annotations

import errno
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from easel_app.exports.files import File, write_files, zipped
from easel_app.services.problems import Conflict

ZIP = ".zip"


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place to write to; what is there afterwards is at `path`, and nothing when it failed.

    Raises:
        OSError: there is something at that place that is no file, such as a folder or a device.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EEXIST, "there is something at that place that is no file", str(path))
    unfinished = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to fill; it is at `folder` afterwards, and nothing when it failed.

    Raises:
        Conflict: there is something at that place.
    """
    folder = folder.absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Conflict("not_empty", f"{folder} is not an empty folder; choose another, for nothing is overwritten.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = folder.parent / f".{folder.name}.{secrets.token_hex(4)}"
    unfinished.mkdir()
    try:
        yield unfinished
        unfinished.rename(folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write one file. Raises OSError."""
    with whole_file(path) as unfinished, unfinished.open("wb") as file:
        file.writelines(pieces)


def write_package(path: Path, files: Iterable[File]) -> None:
    """Write files as a ZIP archive where `path` ends so, else as a folder.

    Raises:
        Conflict: there is something in that folder.
        OSError: it cannot be written.
    """
    if path.suffix.lower() == ZIP:
        write_whole(path, zipped(files))
    else:
        with whole_folder(path) as folder:
            write_files(folder, files)
