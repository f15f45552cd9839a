"""What a file of unknown origin is: one of four kinds of pictures, by its content alone, or refused."""

from __future__ import annotations

import hashlib
import io
import re
from typing import Final, Literal

from PIL import Image

from easel_app.sources.fields import Picture
from easel_app.sources.structure import costly

Kind = Literal["png", "jpeg", "webp", "gif"]
KINDS: Final[dict[str, Kind]] = {"PNG": "png", "JPEG": "jpeg", "MPO": "jpeg", "WEBP": "webp", "GIF": "gif"}
"""By Pillow's name of the format; a camera's MPO is a JPEG with something behind it."""
MOST_BYTES = 32 * 1024 * 1024
MOST_PIXELS = 40_000_000
_ENDINGS = {"jpg": "jpeg", "jpe": "jpeg", "jfif": "jpeg", "mpo": "jpeg"}
_MARKUP = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!--|!doctype|\?xml|[a-z])", re.IGNORECASE)
_SVG = re.compile(rb"<(?:\w+:)?svg[\s>/]", re.IGNORECASE)


class NoPicture(ValueError):
    """It is no picture that we take; the message is a part of a sentence that says why."""


def identify(content: bytes) -> Picture:
    """The record of a picture from its file, whatever the file is called. Only the header is read, no pixel.

    Raises:
        NoPicture: it is no PNG, JPEG, WebP or GIF file, has more than 32 MB or 40 megapixels, its header is damaged, or
            it is made so that reading it takes far too long.
    """
    if len(content) > MOST_BYTES:
        raise NoPicture(too_large(len(content)))
    if why := costly(content):
        raise NoPicture(why)
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP", "GIF")) as image:
            name, (width, height) = image.format or "", image.size
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise NoPicture(_too_many(None)) from None
    except Exception:  # a damaged header can make a decoder raise anything: SyntaxError, struct.error, …
        raise NoPicture(_what_instead(content)) from None
    if width * height > MOST_PIXELS:
        raise NoPicture(_too_many(width * height))
    if width < 1 or height < 1:
        raise NoPicture("the picture has no pixels")
    digest = hashlib.sha256(content).hexdigest()
    return Picture(digest=digest, format=KINDS[name], width=width, height=height)


def too_large(size: int) -> str:
    """Why a file of that many bytes is refused."""
    return f"the picture has {size / 1e6:.1f} MB, and at most {MOST_BYTES / 1e6:.1f} MB are taken"


def pretends(called: str, picture: Picture) -> str:
    """What a file name or a media type claims that the picture is not, in words; empty when it claims nothing wrong.

    Args:
        called: such as `a/b.png` or `image/png`.
        picture: what it is.
    """
    ending = called.rpartition("/")[2].rpartition(".")[2].lower()
    claim = _ENDINGS.get(ending, ending)
    if not called or claim == picture.format or not ("." in called.rpartition("/")[2] or called.startswith("image/")):
        return ""
    return f"it is called {_short(called)}, but it is a {picture.format.upper()} picture; it is kept as that"


def _short(text: str) -> str:
    shown = "".join(c if c.isprintable() else "�" for c in text)
    return repr(shown if len(shown) <= 60 else f"…{shown[-59:]}")


def _too_many(pixels: int | None) -> str:
    found = f"{pixels / 1e6:.0f}" if pixels else f"far more than {MOST_PIXELS // 10**6}"
    return f"the picture has {found} megapixels, and at most {MOST_PIXELS // 10**6} are taken"


def _what_instead(content: bytes) -> str:
    start = content[:1024]
    if not content:
        return "the file is empty"
    for signature, name in ((b"\x89PNG", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"GIF8", "GIF"), (b"RIFF", "WebP")):
        if start.startswith(signature) and (name != "WebP" or start[8:12] == b"WEBP"):
            return f"the file begins as {name}, but its header is damaged or cut off"
    what = ""
    if _MARKUP.match(start):
        what = ", but an SVG drawing" if _SVG.search(start) else ", but HTML or XML"
    return f"the file is no PNG, JPEG, WebP or GIF picture{what}"
