"""A reference picture of the pool, a candidate that gave none, and who draws them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from easel_app.painting.tasks import Source

Pixels = NDArray[np.uint8]
KEY_DIGITS = 16
"""Hexadecimal digits of a reference's key: with a million references two share one by chance once in 37 million."""
OWN_ORIGIN = "drawn by Easel Studio"
OWN_AUTHOR = "Easel Studio contributors"
OWN_LICENCE = "Apache-2.0"
Box = tuple[int, int, int, int]
"""Left, top, right and bottom, px; the last two just outside."""


class View(NamedTuple):
    """The part of a larger picture that a reference shows."""

    picture: str
    """Name of the larger picture."""
    box: Box


class Reference(NamedTuple):
    """A picture to paint after."""

    pixels: Pixels
    """uint8 (size, size, 3), sRGB, C-contiguous."""
    family: str
    """Which family drew it."""
    title: str
    """What is seen, or the name of a file, in one line of visible text."""
    source: Source
    """Where it comes from, and on what terms."""
    group: str
    """What it is a variant of, such as a cell of a photograph, a sprite, a word: decides its split."""
    view: View | None = None
    """If many references are taken from one picture: which part of which picture this one shows."""

    @property
    def key(self) -> str:
        """What the picture is called everywhere: the first digits of the SHA-256 of its bytes."""
        return hashlib.sha256(np.ascontiguousarray(self.pixels).tobytes()).hexdigest()[:KEY_DIGITS]


class Skipped(NamedTuple):
    """A candidate that gives no reference."""

    family: str
    name: str
    """Of the file, or its index."""
    reason: str
    """A code, such as `broken` or `duplicate`."""
    message: str
    """Why, in one sentence."""


class ReferenceSource(Protocol):
    """A family of references. Can be pickled."""

    @property
    def name(self) -> str:
        """Of the family."""

    @property
    def count(self) -> int | None:
        """Candidates that there are; None: as many as are asked for."""

    def draw(self, index: int) -> Reference | Skipped:
        """Candidate `index`, at least 0: a function of the family's seed and the index alone."""


@dataclass(frozen=True)
class Endless:
    """A family that the project draws itself: as many pictures as are asked for."""

    seed: int
    size: int
    """Of the pictures, px."""
    validation: float = 0.0
    """Share of groups that validation gets: a picture of several things has none of another split's."""
    name: ClassVar[str]
    count: ClassVar[int | None] = None
