"""Pictures as files beside the database, each under the digest of its bytes: gigabytes that no query looks into."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from easel_app.store.database import StoreFull


class PictureFiles:
    """A folder of files that are written once and never changed."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is created with its first file."""
        self._folder = folder

    def put(self, content: bytes) -> str:
        """Keep a file; its SHA-256 in hex. On disk when this returns, and never half of it, whatever happens.

        Raises:
            StoreFull: the disk is full.
        """
        digest = hashlib.sha256(content).hexdigest()
        path = self._path(digest)
        if path.exists():
            return digest
        try:
            _write(path, content)
        except OSError as error:
            if StoreFull.is_said_by(error):
                raise StoreFull from error
            raise
        return digest

    def get(self, digest: str) -> bytes | None:
        """The file of that digest, or None."""
        try:
            return self._path(digest).read_bytes()
        except FileNotFoundError:
            return None

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
