"""Drawings to learn from: random letters in the fonts of the `tune` half, and what the recogniser sees of them."""

from __future__ import annotations

import string
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.handwriting.bank import Font, fonts
from benchmarks.handwriting.scribbling import KINDS, scribble
from benchmarks.handwriting.sets import Drawing
from benchmarks.handwriting.writing import Hand, Rng, between, random_letters, write
from easel_app.handwriting.crop import ink_box, strip
from easel_app.handwriting.network import FINE, network

DISTORTIONS = (0.0, 0.35, 0.7, 0.7, 1.0, 1.2)
SIZES = (64, 128, 256, 256, 256, 256, 256, 256, 256, 512)
COMMON, SHARES = (
    "etaoinshrdlucmfwygpbvkxqjz",
    (12, 9, 8, 7, 7, 7, 6, 6, 6, 4, 4, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1),
)


class Sample(NamedTuple):
    """What is seen, and what it says."""

    seen: NDArray[np.float16]
    """(steps, 1152), see `easel_app.handwriting.network.Seen`."""
    word: str
    """Letters a-z; `#` for a scribble."""
    font: str


def sample(seed: int, number: int) -> Sample | None:
    """One sample, the same for the same two numbers; None when nothing was drawn."""
    rng = np.random.Generator(np.random.PCG64([seed, number]))
    drawing = scribbled(rng) if rng.random() < 0.05 else lettered(rng)
    canvas = drawing.canvas()
    box = ink_box(canvas)
    if box is None:
        return None
    view = strip(canvas, box, stretch=1.25 if rng.random() < 0.5 else between(rng, 1.0, 1.5))
    seen = network().run(view.values).map[: -(-view.wide // FINE)]
    return Sample(seen.astype(np.float16), drawing.word, drawing.font)


def scribbled(rng: Rng) -> Drawing:
    """A scribble, whose one sign is no letter."""
    return Drawing("", "scribble", "#", scribble(rng, KINDS[int(rng.integers(len(KINDS)))]))


def lettered(rng: Rng) -> Drawing:
    """Letters without a meaning: in one font, or each in another; apart, touching, joined or in capitals."""
    known = fonts("/tune")
    font = known[int(rng.integers(len(known)))]
    if rng.random() < 0.35:
        mixed = {letter: known[int(rng.integers(len(known)))].glyphs[letter] for letter in string.ascii_letters}
        font = Font("mixed", font.set, mixed)
    word, d, kind = letters(rng), DISTORTIONS[int(rng.integers(len(DISTORTIONS)))], rng.random()
    if kind < 0.12:
        hand = Hand(min(d, 0.7), upper=True)
    elif kind < 0.42:
        hand = Hand(d, (-0.1, 0.06), connect=bool(rng.random() < 0.7))
    elif kind < (0.75 if font.set.startswith("cursive") else 0.55):
        hand = Hand(d, natural=True, connect=bool(rng.random() < 0.15))
    else:
        hand = Hand(d, (0.02, 0.6))
    return Drawing("", font.name, word, write(rng, font, word, hand), SIZES[int(rng.integers(len(SIZES)))])


def letters(rng: Rng) -> str:
    """Two to seven random letters, in some words the common ones more often, in some one of them doubled."""
    count = int(rng.integers(2, 8))
    if rng.random() < 0.6:
        word = random_letters(rng, count)
    else:
        bag = "".join(letter * share for letter, share in zip(COMMON, SHARES, strict=True))
        word = "".join(bag[i] for i in rng.integers(0, len(bag), count))
    if rng.random() < 0.2:
        place = int(rng.integers(len(word)))
        word = word[:place] + word[place] + word[place:]
    return word
