"""Single-line fonts in SVG, as plotters use them: the glyphs are lines already."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from .glyph import Glyph

Floats = NDArray[np.float64]


def font_glyphs(file: Path, letters: str) -> dict[str, Glyph]:
    """The glyphs of an SVG font whose paths have only absolute M, L and C commands, in x-heights."""
    drawn, advances = {}, {}
    for element in ElementTree.parse(file).iter():  # noqa: S314 - a file of a package that we chose
        letter = element.get("unicode", "")
        if element.tag.endswith("glyph") and letter in letters and len(letter) == 1 and element.get("d"):
            drawn[letter] = _lines(element.get("d", ""))
            advances[letter] = float(element.get("horiz-adv-x", "0"))
    heights = np.concatenate(drawn["x"])[:, 1]
    base, unit = float(heights.max()), float(np.ptp(heights))
    return {
        letter: Glyph.of([(line - [0, base]) / unit for line in lines], advances[letter] / unit)
        for letter, lines in drawn.items()
    }


def _lines(path: str) -> list[Floats]:
    """Polylines (n, 2), y down."""
    lines: list[list[Floats]] = []
    for command, numbers in re.findall(r"([MLC])([^MLC]*)", path):
        points = np.array(numbers.split(), float).reshape(-1, 2) * [1, -1]
        if command == "M":
            lines.append([points[0]])
        elif command == "L":
            lines[-1].extend(points)
        else:
            for a, b, end in points.reshape(-1, 3, 2):
                start, t = lines[-1][-1], np.linspace(0.1, 1, 10)[:, None]
                lines[-1].extend((1 - t) ** 3 * start + 3 * t * (1 - t) ** 2 * a + 3 * t**2 * (1 - t) * b + t**3 * end)
    return [np.array(line) for line in lines]
