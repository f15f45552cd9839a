"""Letters as masks, by FreeType through Pillow, in the open fonts of `data/references/fonts`.

Pillow's basic layout places one glyph after the other without any feature of a font, so the same wheel of Pillow gives
the same bytes on every machine.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from easel_app.painting.tasks import Source
from easel_app.settings import data_folder
from easel_app.trajectories.references.raster import Floats
from easel_app.trajectories.references.reference import OWN_AUTHOR, OWN_LICENCE, OWN_ORIGIN

FINER = 2
"""Letters are drawn so many times larger, turned, and then averaged."""
NOMINAL = 64
"""Size at which a text is measured, px."""


class Face(NamedTuple):
    """A font."""

    style: str
    family: str
    author: str
    licence: str
    characters: dict[str, str]
    """By script: latin, greek, cyrillic, symbols."""

    def source(self, detail: str) -> Source:
        """Where a picture comes from whose letters are of this font: its licence is the font's, not the picture's."""
        return Source(
            origin=f"{OWN_ORIGIN} in {self.family}",
            author=f"{OWN_AUTHOR}; font by {self.author}",
            licence=f"{OWN_LICENCE}; font {self.licence}",
            detail=detail,
        )


@cache
def faces() -> dict[str, Face]:
    """The fonts by their style."""
    path = data_folder() / "references" / "fonts" / "fonts.json"
    return {entry["style"]: Face(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))}


def mask(
    lines: list[str],
    style: str,
    size: int,
    box: tuple[float, float, float, float],
    turn: float = 0.0,
    bold: float = 0.0,
) -> Floats:
    """Text as the share of each pixel that its letters cover, float32 (size, size) in [0, 1].

    Args:
        lines: of text, one below the other, centred.
        style: of the font.
        size: of the picture, px.
        box: middle (x, y), width and height that the text is fitted into before it is turned, in sides of the picture.
        turn: degrees, counter-clockwise.
        bold: how much an outline adds on each side, in heights of the letters.
    """
    x, y, width, height = box
    left, top, right, bottom = _extent(lines, style)
    scale = min(width * size / max(right - left, 1), height * size / max(bottom - top, 1)) * FINER
    pixels = max(4, int(NOMINAL * scale))
    font, edge = _font(style, pixels), int(bold * pixels + 0.5)
    text = "\n".join(lines)
    layout: dict[str, Any] = {"font": font, "align": "center", "spacing": pixels // 6, "stroke_width": edge}
    left, top, right, bottom = ImageDraw.Draw(Image.new("L", (1, 1))).multiline_textbbox((0, 0), text, **layout)
    ink = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2))
    ImageDraw.Draw(ink).multiline_text((1 - left, 1 - top), text, 255, **layout)
    if turn:
        ink = ink.rotate(turn, Image.Resampling.BICUBIC, expand=True)
    sheet = Image.new("L", (size * FINER, size * FINER))
    sheet.paste(ink, (int(x * size * FINER - ink.width / 2), int(y * size * FINER - ink.height / 2)))
    return np.asarray(sheet.reduce(FINER), np.float32) / np.float32(255)


@lru_cache(maxsize=256)
def _font(style: str, pixels: int) -> ImageFont.FreeTypeFont:
    path = data_folder() / "references" / "fonts" / f"{style}.ttf"
    return ImageFont.truetype(str(path), pixels, layout_engine=ImageFont.Layout.BASIC)


def _extent(lines: list[str], style: str) -> tuple[float, float, float, float]:
    drawing = ImageDraw.Draw(Image.new("L", (1, 1)))
    return drawing.multiline_textbbox(
        (0, 0), "\n".join(lines), _font(style, NOMINAL), align="center", spacing=NOMINAL // 6
    )
