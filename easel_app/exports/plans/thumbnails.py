"""Pictures of a plan's pool as small ones within a page; nothing of a page is ever fetched."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import Final

from PIL import Image

from easel_app.sources.pictures import NoPicture
from easel_app.sources.showing import shown

LONGEST: Final = 384
"""Pixels of the longer side at most."""
QUALITY: Final = 80
MOST: Final = 120
"""Pictures of one page; a pool may hold more."""


class Thumbnails:
    """Makes data URLs of pictures, each once."""

    def __init__(self, picture: Callable[[str], bytes | None]) -> None:
        """Use the files that `picture` gives by their digest; None for one that was taken away."""
        self._picture = picture
        self._made: dict[str, str] = {}

    def of(self, digest: str) -> str:
        """The data URL of a picture; empty when there is none to be shown."""
        if digest not in self._made:
            self._made[digest] = self._make(digest) if len(self._made) < MOST else ""
        return self._made[digest]

    def _make(self, digest: str) -> str:
        content = self._picture(digest)
        if content is None:
            return ""
        try:
            large = base64.b64decode(shown(content).partition(",")[2])  # upright, in one format, damaged or not
        except NoPicture:
            return ""
        image, file = Image.open(io.BytesIO(large)), io.BytesIO()
        image.thumbnail((LONGEST, LONGEST))
        image.save(file, "JPEG", quality=QUALITY)
        return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()
