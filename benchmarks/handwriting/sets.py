"""The sets of drawings that the reader is measured on. The same seed gives the same drawings on every machine."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.handwriting import agents
from benchmarks.handwriting.bank import Font, fonts
from benchmarks.handwriting.scribbling import KINDS, scribble
from benchmarks.handwriting.writing import Hand, Rng, mirrored, paths, trembling, word, write
from easel_app.painting.brush import dressed
from easel_app.painting.renderer import render

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

HANDS = {
    "clean": Hand(),
    "jittered": Hand(0.7),
    "hard": Hand(1.2),
    "touching": Hand(0.7, gap=(-0.08, 0.04), connect=True),
    "capitals": Hand(0.5, upper=True),
    "joined": Hand(natural=True),
    "joined, jittered": Hand(0.5, natural=True),
}
"""`joined` keeps the font's own spacing, at which the letters of a script touch."""
SCRIBBLES = 154
MIRRORED = 60


class Drawing(NamedTuple):
    """What is painted, and what it is."""

    set: str
    font: str
    word: str
    """Empty for what is no word."""
    curves: Floats
    """float64 (n, 3, 2), normalised."""
    size: int = 256

    def paths(self) -> list[Floats]:
        """As the actions of a session."""
        return paths(self.curves)

    def canvas(self) -> Pixels:
        """As the semantic brush paints it on white."""
        white = np.full((self.size, self.size, 3), 255, np.uint8)
        return render(np.array([dressed(path) for path in self.paths()]).reshape(-1, 13), white)


def rng_of(seed: int, *names: str) -> Rng:
    """Numbers that depend on a seed and on names only."""
    return np.random.Generator(np.random.PCG64([seed, *(zlib.crc32(name.encode()) for name in names)]))


def written(half: str, kind: str, each: int, seed: int = 1) -> Iterator[Drawing]:
    """`each` drawings a hand by each font of a kind (`print`, `plotter`, `cursive`) in one half (`tune`, `test`)."""
    for font in fonts(f"{kind}/{half}"):
        for name, hand in HANDS.items():
            rng = rng_of(seed, font.name, name)
            for i in range(each):
                text = word(rng, i)
                yield Drawing(f"{kind}, {name}", font.name, text, write(rng, font, text, hand))


def sized(half: str, each: int, seed: int = 1) -> Iterator[Drawing]:
    """Clean print on the other sizes of canvas."""
    for size in (64, 128, 512):
        for font in fonts(f"print/{half}"):
            rng = rng_of(seed, font.name, f"{size} px")
            for i in range(each):
                text = word(rng, i)
                yield Drawing(f"print, clean, {size} px", font.name, text, write(rng, font, text, Hand()), size)


def typed(seed: int = 1) -> Iterator[Drawing]:
    """Words of an agent, as typed and jittered five times."""
    rng = rng_of(seed, "agent")
    for number, (text, curves) in enumerate(agents.drawings()):
        yield Drawing("agent", f"agent {number}", text, curves)
        for _ in range(5):
            yield Drawing("agent, jittered", f"agent {number}", text, np.clip(trembling(rng, curves, 0.12), 0, 1))


def foreign(half: str, seed: int = 1, scribbles: int = SCRIBBLES, mirrors: int = MIRRORED) -> Iterator[Drawing]:
    """What must not be read as letters: scribbles, and "hello" in the mirror."""
    rng = rng_of(seed, "foreign", half)
    for i in range(scribbles):
        kind = KINDS[i % len(KINDS)]
        yield Drawing("scribbles", kind, "", scribble(rng, kind))
    hands = [font for font in fonts(f"/{half}") if not font.set.startswith("cursive")]
    for i in range(mirrors):
        font: Font = hands[i % len(hands)]
        drawn = write(rng, font, "hello", Hand(0.7 * (i % 2)))
        yield Drawing("mirrored", font.name, "", mirrored(drawn))


def everything(half: str, each: int, seed: int = 1) -> Iterator[Drawing]:
    """All sets of one half."""
    for kind in ("print", "plotter", "cursive"):
        yield from written(half, kind, each, seed)
    yield from sized(half, max(1, each // 3), seed)
    yield from typed(seed)
    yield from foreign(half, seed)
