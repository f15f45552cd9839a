"""Writing a word with a font: layout, then what a hand does to it. A drawing is float64 (n, 3, 2), normalised."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.handwriting.bank import Font

Floats = NDArray[np.float64]
Rng = np.random.Generator
# fmt: off
WORDS = (
    "about", "after", "again", "apple", "beach", "black", "bread", "bring", "chair", "chest", "child", "cloud",
    "crowd", "dance", "dream", "earth", "every", "field", "flame", "fresh", "ghost", "giant", "grape", "green",
    "happy", "heart", "horse", "house", "juice", "knife", "large", "laugh", "light", "lemon", "money", "mouse",
    "music", "night", "ocean", "paint", "piano", "plant", "queen", "quick", "river", "round", "salad", "shape",
    "sharp", "sheep", "smile", "snake", "space", "stone", "sugar", "table", "tiger", "toast", "train", "uncle",
    "under", "virus", "voice", "water", "wheel", "white", "world", "young", "zebra", "jumbo",
)
# fmt: on
GAP = 0.3
"""Gap between the ink of two letters in x-heights when nothing is distorted."""


class Hand(NamedTuple):
    """How a word is written."""

    distortion: float = 0.0
    """0 as the font has it, 0.7 jittered, 1.2 hard to read for people too."""
    gap: tuple[float, float] | None = None
    """Least and greatest gap between the ink of two letters in x-heights; None: a usual one."""
    natural: bool = False
    """Letters at the distance the font gives them, as joined scripts need."""
    connect: bool | None = None
    """Whether lines join the letters; None: a fifth of the distorted words."""
    upper: bool = False


def noise(rng: Rng, scale: float, shape: tuple[int, ...] = ()) -> Floats:
    """Bell-shaped noise of standard deviation `scale`, at most three times it: the same on every machine."""
    return np.asarray((rng.random((*shape, 3)).sum(-1) - 1.5) * 2 * scale)


def between(rng: Rng, low: float, high: float) -> float:
    """A number from low to high."""
    return low + (high - low) * float(rng.random())


def random_letters(rng: Rng, length: int) -> str:
    """Letters, each as likely as any other."""
    return "".join(string.ascii_lowercase[i] for i in rng.integers(0, 26, length))


def write(rng: Rng, font: Font, word: str, hand: Hand) -> Floats:
    """One drawing of a word, normalised, within the canvas."""
    d = hand.distortion
    low, high = hand.gap or ((GAP, GAP) if d == 0 else (0.06, 0.58))
    connect = hand.connect if hand.connect is not None else d > 0 and rng.random() < 0.2
    curves = layout(rng, font, word.upper() if hand.upper else word, hand, between(rng, low, high), connect)
    if d > 0:
        if rng.random() < 0.4:
            curves = simplified(rng, curves)
        curves = trembling(rng, warped(rng, curves, d), d)
    return placed(rng, curves, free=d > 0)


def layout(rng: Rng, font: Font, text: str, hand: Hand, gap: float, connect: bool) -> Floats:
    """Letters in a row, each a little larger, turned and shifted; joined when asked."""
    d, x = hand.distortion, 0.0
    row: list[Floats] = []
    for letter in text:
        glyph = font.glyphs[letter] if letter in font.glyphs else font.glyphs[letter.lower()]
        middle = np.array([glyph.curves[..., 0].mean(), -0.5])
        curves = (glyph.curves - middle) * (1 + d * noise(rng, 0.10, (2,)))
        curves = curves @ turn(d * float(noise(rng, 0.07))) + middle + [0, d * float(noise(rng, 0.09))]
        curves[..., 0] += x if hand.natural else x - curves[..., 0].min()
        if connect and row and abs(curves[0, 0, 0] - row[-1][-1, 2, 0]) < 1.2:
            start, end = row[-1][-1, 2], curves[0, 0]
            row.append(np.array([[start, (start + end) / 2 + [0, 0.15], end]]))
        row.append(curves)
        step = glyph.advance if hand.natural else curves[..., 0].max() - x + gap * (1 + d * float(noise(rng, 0.25)))
        x += step
    return np.concatenate(row)


def turn(angle: float) -> Floats:
    """Matrix that turns rows of x, y by an angle in radians."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, sine], [-sine, cosine]])


def warped(rng: Rng, curves: Floats, d: float) -> Floats:
    """Slant, a waving and rising baseline, a turn, and a stretch of the whole word."""
    curves = curves - [curves[..., 0].min(), 0]
    along = curves[..., 0] / max(curves[..., 0].max(), 1e-3)
    x = curves[..., 0] - curves[..., 1] * d * noise(rng, 0.18)
    wave = np.sin(2 * np.pi * (along * between(rng, 0.5, 1.5) + rng.random()))
    y = curves[..., 1] + d * (noise(rng, 0.12) * wave + noise(rng, 0.12) * along)
    return np.stack([x, y], -1) @ turn(d * float(noise(rng, 0.05))) * [between(rng, 1 - 0.25 * d, 1 + 0.25 * d), 1]


def trembling(rng: Rng, curves: Floats, d: float) -> Floats:
    """Move each point a little; curves that met go on meeting in half of the drawings and come apart in the others."""
    count, loose = len(curves), d * (0.05 if rng.random() < 0.5 else 0.012)
    starts, ends = noise(rng, 0.03 * d, (count, 2)), noise(rng, 0.03 * d, (count, 2))
    meets = np.abs(curves[1:, 0] - curves[:-1, 2]).max(-1) < 1e-6
    starts[1:][meets] = ends[:-1][meets]
    moved = curves.copy()
    moved[:, 0] += starts + noise(rng, loose, (count, 2))
    moved[:, 1] += (starts + ends) / 2 + noise(rng, 0.04 * d, (count, 2))
    moved[:, 2] += ends + noise(rng, loose, (count, 2))
    return moved


def simplified(rng: Rng, curves: Floats) -> Floats:
    """Write as one who saves strokes: some neighbours become one curve, some curves become straight."""
    kept: list[Floats] = []
    i = 0
    while i < len(curves):
        now = curves[i]
        if i + 1 < len(curves) and np.abs(curves[i + 1, 0] - now[2]).max() < 0.12 and rng.random() < 0.4:
            ahead = curves[i + 1]
            a, b = now[2] - now[0], ahead[2] - ahead[0]
            if a @ b > 0.2 * np.hypot(*a) * np.hypot(*b):
                kept.append(np.array([now[0], 2 * now[2] - (now[0] + ahead[2]) / 2, ahead[2]]))
                i += 2
                continue
        kept.append(np.array([now[0], (now[0] + now[2]) / 2, now[2]]) if rng.random() < 0.08 else now)
        i += 1
    return np.array(kept)


def placed(rng: Rng, curves: Floats, free: bool) -> Floats:
    """Fit a drawing into the unit square, keeping its shape: a margin of a tenth, or a free one and a free place."""
    low, high = curves.min((0, 1)), curves.max((0, 1))
    margin = between(rng, 0.05, 0.2) if free else 0.1
    scale = (1 - 2 * margin) / max(float((high - low).max()), 1e-3)
    room = 1 - 2 * margin - (high - low) * scale
    return np.asarray(np.clip((curves - low) * scale + margin + room * (rng.random(2) if free else 0.5), 0, 1))


def mirrored(curves: Floats) -> Floats:
    """Left becomes right."""
    return np.asarray(curves * [-1, 1] + [1, 0])


def paths(curves: Floats) -> list[Floats]:
    """As the actions of a session: float64 (6,) each."""
    return list(curves.reshape(-1, 6))


def word(rng: Rng, index: int, words: Sequence[str] = WORDS) -> str:
    """A third "hello", a third other words, a third random letters, by turns."""
    if index % 3 == 0:
        return "hello"
    return words[int(rng.integers(len(words)))] if index % 3 == 1 else random_letters(rng, int(rng.integers(4, 8)))
