"""Reading a canvas: what is written there, told without knowing what should be.

Two readers see the same strip: the recogniser of rapidocr, which has read much of everything, and a small head on its
convolutions, which knows single letters in many hands. Taken is the word that both find likely together. The rules: a
glyph that is no letter keeps its place as `#`; capitals, and digits that look like a letter, count as that letter; a
reading below a floor of confidence is none; a drawing that reads much better in the mirror is mirror writing, which is
not read; and lines are read from top to bottom as one word, a line that says nothing as one `#`.
"""

from __future__ import annotations

from itertools import pairwise
from math import exp
from typing import NamedTuple

import numpy as np

from easel_app.handwriting.crop import Box, Pixels, Strip, ink_box, lines, strip
from easel_app.handwriting.decoding import decode, likelihoods, spans, splices
from easel_app.handwriting.head import head
from easel_app.handwriting.network import FINE, STEP, Floats, name, network
from easel_app.scoring.ink import ink

VERSION = "rules/3"
FLOOR = 0.2
"""Readings of less confidence are none."""
MARGIN = 0.1
"""So much more confident must a reading in the mirror be to show mirror writing, which takes a second look..."""
MIRROR_FLOOR = 0.8
"""...with at least this confidence..."""
MIRROR_LETTERS = 3
"""...and at least so many letters."""
MOST_LINES = 4
"""Lines that are read, from the top; any more would cost time and bring no credit."""
UNKNOWN = "#"


class Reading(NamedTuple):
    """What is written on a canvas."""

    letters: str
    """Left to right, a-z; `#` stands for a glyph that is no letter. Empty when nothing can be read."""
    confidence: float
    """Chance of a letter by both readers, as a geometric mean, in [0, 1]; also of a reading that a rule threw away."""
    raw: str
    """The letters before the floor and the mirror rule."""
    mirrored: bool
    """Whether the drawing was taken for mirror writing."""
    box: Box | None
    """Top, bottom, left, right of the ink in px, the second of each pair exclusive; None on an empty canvas."""
    columns: tuple[tuple[float, float], ...]
    """Left and right in px of each of `letters`."""
    reader: str
    """Name and version of the recogniser and of the rules, which stand for the head too."""


class Found(NamedTuple):
    """What both readers agree on."""

    text: str
    confidence: float
    signs: Floats
    """float32 (fine steps, 28): what the head says."""


def reader_name() -> str:
    """Name and version of the recogniser and of the rules."""
    return f"{name()} {VERSION}"


def read(canvas: Pixels) -> Reading:
    """Read the word on a canvas that began white.

    Args:
        canvas: uint8 (n, n, 3), sRGB.

    Returns:
        The reading, a pure function of the pixels.

    Raises:
        ValueError: the canvas has another shape or type.
        RuntimeError: the weights of the recogniser are not installed.
    """
    reader, box = reader_name(), ink_box(canvas)
    if box is None:
        return Reading("", 0.0, "", False, None, (), reader)
    found = lines(canvas, box)
    parts = [_line(canvas, own, reader) for own in found[:MOST_LINES]]
    if len(parts) == 1:
        return parts[0]
    # a line that says nothing is one glyph more: what was written besides the word is not free
    letters = "".join(part.letters or UNKNOWN for part in parts)
    columns = [column for part in parts for column in part.columns or (_columns(part),)]
    return Reading(
        letters if any(part.letters for part in parts) else "",
        min(part.confidence for part in parts),
        "\n".join(part.raw for part in parts),
        any(part.mirrored for part in parts),
        box,
        tuple(columns) if any(part.letters for part in parts) else (),
        reader,
    )


def _columns(part: Reading) -> tuple[float, float]:
    """The whole width of a line."""
    _, _, left, right = part.box or (0, 0, 0, 0)
    return float(left), float(right)


def _line(canvas: Pixels, box: Box, reader: str) -> Reading:
    """The reading of one line."""
    view = strip(canvas, box)
    found = agreed(view)
    mirrored = found.confidence < 1 - MARGIN and is_mirrored(canvas, box, found)
    kept = not mirrored and found.confidence >= FLOOR
    columns = letter_columns(canvas, box, found, view) if kept else ()
    return Reading(found.text if kept else "", found.confidence, found.text, mirrored, box, columns, reader)


def agreed(view: Strip) -> Found:
    """The word, of what either reads and what can be spliced from both, that the two find likeliest together."""
    seen = network().run(view.values)
    signs, fine = seen.signs[: -(-view.wide // STEP)], head().signs(seen.map[: -(-view.wide // FINE)])
    words = splices(decode(signs), decode(fine))
    weights = likelihoods(signs, words) + likelihoods(fine, words)
    best = int(weights.argmax())
    return Found(words[best], exp(weights[best] / 2 / len(words[best])) if words[best] else 0.0, fine)


def is_mirrored(canvas: Pixels, box: Box, found: Found) -> bool:
    """Whether the drawing reads clearly better in the mirror than `found` does."""
    seen = agreed(strip(canvas, box, mirrored=True))
    known = sum(letter != "#" for letter in seen.text)
    return seen.confidence > max(found.confidence + MARGIN, MIRROR_FLOOR) and known >= MIRROR_LETTERS


def letter_columns(canvas: Pixels, box: Box, found: Found, view: Strip) -> tuple[tuple[float, float], ...]:
    """Share the ink's width among the letters, in px: two neighbours part where there is least ink between them.

    Of columns with as little ink the one nearest to halfway between the time steps of the two is taken.
    """
    if not found.text:
        return ()
    top, bottom, left, right = box
    cut = canvas[top:bottom, left:right]
    inked = ink(cut, np.full_like(cut, 255)).sum(0)
    steps = [(a + b) / 2 for a, b in spans(found.signs, found.text)]
    middles = [min(max(view.offset + step * FINE / view.scale, left), right) for step in steps]
    edges = [float(left)]
    for a, b in pairwise(middles):
        between = np.arange(max(int(a), left), max(min(int(b) + 1, right), int(a) + 1))
        order = np.lexsort((np.abs(between - (a + b) / 2), inked[np.minimum(between, right - 1) - left]))
        edges.append(max(float(between[order[0]]), edges[-1]))
    return tuple(pairwise([*edges, float(right)]))


def warm() -> None:
    """Load both readers and read once, so that no player waits for it."""
    canvas = np.full((64, 64, 3), 255, np.uint8)
    canvas[16:48, 30:33] = (0, 0, 139)
    read(canvas)
