"""The single-line glyphs in `fonts.npz` (built by tools/build_fonts; licences in SOURCES.md)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FILE = Path(__file__).parent / "fonts.npz"
UNIT = 256
"""Steps of a coordinate in an x-height."""


class Glyph(NamedTuple):
    """A letter in x-heights: x from the pen's origin, y down from the baseline."""

    curves: Floats
    """float64 (k, 3, 2): start, control and end point of each curve."""
    advance: float
    """How far the pen moves for the next letter."""


class Font(NamedTuple):
    """The letters of one hand."""

    name: str
    set: str
    """`print`, `cursive` or `plotter`, then `/tune` or `/test`."""
    glyphs: dict[str, Glyph]


@cache
def fonts(kind: str = "") -> tuple[Font, ...]:
    """The fonts whose set begins with or ends in `kind`, such as `print/tune`, `cursive` or `/test`; all for ''."""
    return tuple(font for font in _all() if font.set.startswith(kind) or font.set.endswith(kind))


@cache
def _all() -> tuple[Font, ...]:
    with np.load(FILE) as file:
        named = json.loads(file["fonts"].tobytes())
        table, curves = file["glyphs"], file["curves"] / UNIT
    found = [Font(entry["name"], entry["set"], {}) for entry in named]
    for font, letter, first, count, advance in table.tolist():
        found[font].glyphs[chr(letter)] = Glyph(curves[first : first + count], advance / UNIT)
    return tuple(found)
