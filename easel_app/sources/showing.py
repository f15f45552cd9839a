"""Pictures as a model is shown them: no larger than it can use, in one format."""

from __future__ import annotations

import base64
import io
from typing import NamedTuple

from PIL import Image, ImageOps

from easel_app.sources.pictures import NoPicture

LONGEST = 1024
"""Pixels of the longer side at most, where nothing else is asked for; smaller pictures keep their size."""
QUALITY = 85


def form(longest: int) -> str:
    """How a picture is shown, in words."""
    return f"jpeg, at most {longest} px, quality {QUALITY}"


FORM = form(LONGEST)


class Picture(NamedTuple):
    """A picture as a model is shown it."""

    digest: str
    """SHA-256 of the original file."""
    url: str
    """The data URL that is sent."""
    form: str = FORM


def shown(content: bytes, longest: int = LONGEST) -> str:
    """A picture file as the data URL of a JPEG: upright, its first frame, on white where it is transparent.

    Args:
        content: the file.
        longest: pixels of the longer side at most.

    Raises:
        NoPicture: its pixels cannot be read.
    """
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP", "GIF")) as opened:
            opened.draft("RGB", (2 * longest, 2 * longest))
            image = ImageOps.exif_transpose(opened)
            image.thumbnail((longest, longest))
            if image.has_transparency_data:
                image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA"))
            file = io.BytesIO()
            image.convert("RGB").save(file, "JPEG", quality=QUALITY)
    except Exception:  # damaged data can make a decoder raise anything
        raise NoPicture("its pixels cannot be read, since the file is damaged or cut off") from None
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()
