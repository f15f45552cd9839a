"""Words and short lines, as signs, labels, headlines and handwriting."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from easel_app.trajectories.references import words
from easel_app.trajectories.references.colours import Palette, backdrop, darker, lighter, palette
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.lettering import Face, faces, mask
from easel_app.trajectories.references.raster import Canvas, Paint, linear
from easel_app.trajectories.references.reference import Endless, Reference
from easel_app.trajectories.references.shapes import disc, place, rect, ribbon, rounded
from easel_app.trajectories.references.splitting import beside

KINDS = {"word": 4.0, "line": 2.5, "number": 1.5, "plate": 2.0, "repeated": 1.0, "scattered": 1.5, "underlined": 1.0}
Box = tuple[float, float, float, float]
Written = tuple[list[str], str]
"""The lines of a picture, and the word or whole line by which it is grouped."""


class Text(Endless):
    """The family `text`."""

    name = "text"

    def draw(self, index: int) -> Reference:
        """Picture number `index`."""
        dice = Dice(self.seed, self.name, index)
        hand = _hand(dice, self.validation)
        own, kind = palette(dice, contrast=dice.one((45.0, 70.0, 110.0))), dice.weighted(KINDS)
        canvas = Canvas(self.size, backdrop(dice, own))
        lines, unit = _DRAWN[kind](canvas, dice, own, hand)
        source = hand.face.source(f"{kind} in {hand.face.style}, seed {self.seed}, number {index}")
        return Reference(canvas.bytes(), self.name, f"“{' '.join(lines)}”", source, group_of(unit))


def group_of(unit: str) -> str:
    """The group of a word or of a whole line, however it is spelt."""
    return f"text {unit.casefold()}"


class Hand(NamedTuple):
    """How a picture's words are written, and which may stand together."""

    face: Face
    script: str
    validation: float
    """Share of words and lines that validation gets."""

    def word(self, dice: Dice, first: str = "") -> str:
        """Any word of the script, or one that may be in a picture with a first one."""
        known = {"latin": words.LATIN, "greek": words.GREEK, "cyrillic": words.CYRILLIC}[self.script].split()
        if first:
            known = beside(first, known, group_of, self.validation)
        has = self.face.characters[self.script]
        spelt = dice.weighted({str.lower: 3.0, str.upper: 2.0, str.capitalize: 3.0})
        fitting = [word for word in map(spelt, known) if set(word) <= set(has)]
        return dice.one(fitting)

    def words(self, dice: Dice, count: int) -> list[str]:
        """So many words of one split."""
        first = self.word(dice)
        return [first, *(self.word(dice, first) for _ in range(count - 1))]


def _hand(dice: Dice, validation: float) -> Hand:
    """A font, and a script that it has."""
    face = dice.one([face for style, face in faces().items() if style != "symbols"])
    script = dice.weighted({name: {"latin": 6.0, "greek": 1.0, "cyrillic": 1.5}[name] for name in face.characters})
    return Hand(face, script, validation)


def ink(
    canvas: Canvas,
    dice: Dice,
    own: Palette,
    face: Face,
    lines: list[str],
    box: Box,
    turn: float = 0.0,
    paint: Paint | None = None,
) -> None:
    """Write lines into a box, plainly or with a shadow, an outline or a gradient."""
    colour = dice.one(own.accents[:3])
    effect = dice.weighted({"plain": 6.0, "shadow": 1.5, "outline": 1.5, "gradient": 1.5}) if paint is None else "plain"
    everywhere = slice(0, canvas.size), slice(0, canvas.size)
    if effect == "shadow":
        moved = (box[0] + 0.02, box[1] + 0.02, *box[2:])
        canvas.lay(*everywhere, mask(lines, face.style, canvas.size, moved, turn), darker(own.ground, 0.5), 0.8)
    if effect == "outline":
        far = own.accents[3] if own.accents[3] != colour else lighter(colour, 0.5)
        canvas.lay(*everywhere, mask(lines, face.style, canvas.size, box, turn, bold=0.07), far)
    if effect == "gradient":
        paint = linear((0, box[1] - box[3] / 2), (0, box[1] + box[3] / 2), colour, own.accents[4])
    canvas.lay(*everywhere, mask(lines, face.style, canvas.size, box, turn), paint or colour)


def _tilt(dice: Dice) -> float:
    return dice.weighted({0.0: 5.0, dice.between(-12, 12): 3.0, dice.between(-45, 45): 2.0, 90.0: 0.5})


def word(canvas: Canvas, dice: Dice, own: Palette, hand: Hand) -> Written:
    """One word, large or small."""
    text, turn = hand.word(dice), _tilt(dice)
    width = dice.between(0.45, 0.92) * (0.85 if turn % 90 else 1.0)
    along, aside = (0.5 - width / 2) * dice.between(-1, 1), (0.08 if turn % 90 else 0.3) * dice.between(-1, 1)
    spot = (0.5 + aside, 0.5 + along) if turn == 90.0 else (0.5 + along, 0.5 + aside)
    ink(canvas, dice, own, hand.face, [text], (*spot, width, 0.5), turn)
    return [text], text


def line(canvas: Canvas, dice: Dice, own: Palette, hand: Hand) -> Written:
    """A short sentence in two or three lines."""
    latin = hand.script == "latin"
    parts = dice.one(words.LINES).split() if latin else hand.words(dice, dice.whole(2, 3))
    unit = " ".join(parts) if latin else parts[0]
    if dice.chance(0.35):
        parts = [part.upper() for part in parts]
    rows = min(len(parts), dice.whole(2, 3))
    cuts = [round(k * len(parts) / rows) for k in range(rows + 1)]
    lines = [" ".join(parts[a:b]) for a, b in pairwise(cuts)]
    ink(
        canvas,
        dice,
        own,
        hand.face,
        lines,
        (0.5, 0.5 + dice.between(-0.08, 0.08), dice.between(0.7, 0.92), 0.8),
        dice.one((0.0, 0.0, dice.between(-15, 15))),
    )
    return lines, unit


def number(canvas: Canvas, dice: Dice, own: Palette, hand: Hand) -> Written:
    """A number, a time, a price, a sum or a date."""
    n = dice.whole(0, 9999)
    text = dice.one(
        (
            f"{n}",
            f"{n % 100}",
            f"{n % 24}:{n % 60:02d}",
            f"${n % 100}.{n % 10}9",
            f"{n % 100}%",
            f"{n % 10}+{n % 7}={n % 10 + n % 7}",
            f"{1 + n % 28}.{1 + n % 12}.",
            f"No. {n % 100}",
            f"{n % 10}/{1 + n % 9}",
            f"#{n % 1000}",
        )
    )
    ink(
        canvas,
        dice,
        own,
        hand.face,
        [text],
        (0.5, 0.5 + dice.between(-0.15, 0.15), dice.between(0.5, 0.9), 0.7),
        _tilt(dice) / 2,
    )
    return [text], text


def plate(canvas: Canvas, dice: Dice, own: Palette, hand: Hand) -> Written:
    """A word on a plate: a label, a sign, a badge."""
    text, colour = hand.word(dice), own.accents[0]
    form = dice.one(("label", "badge", "ticket"))
    if form == "badge":
        canvas.fill(disc(0.5, 0.5, 0.42), colour)
        canvas.fill(place([*disc(0, 0, 1.0), *[c[::-1] for c in disc(0, 0, 0.94)]], 0.5, 0.5, 0.39), own.ground)
        box = (0.5, 0.5, 0.62, 0.4)
    else:
        high = dice.between(0.16, 0.28)
        shape = rounded(0.06, 0.5 - high, 0.94, 0.5 + high, 0.08 if form == "label" else 0.0)
        canvas.fill(shape, colour)
        if form == "ticket":
            for x in (0.06, 0.94):
                canvas.fill(disc(x, 0.5, 0.05), own.ground)
        box = (0.5, 0.5, 0.74, high * 1.4)
    ink(canvas, dice, own, hand.face, [text], box, 0.0, own.ground)
    return [text], text


def repeated(canvas: Canvas, dice: Dice, own: Palette, hand: Hand) -> Written:
    """A word again and again, below itself."""
    text, rows = hand.word(dice), dice.whole(3, 5)
    for k in range(rows):
        y = (k + 0.5) / rows
        ink(canvas, dice, own, hand.face, [text], (0.5 + 0.06 * (k % 2), y, 0.8, 0.62 / rows), 0.0, own.accents[k % 4])
    return [text] * rows, text


def scattered(canvas: Canvas, dice: Dice, own: Palette, hand: Hand) -> Written:
    """Two to five words of different sizes and turns."""
    count = dice.whole(2, 5)
    found = hand.words(dice, count)
    for k, text in enumerate(found):
        box = (dice.between(0.35, 0.65), (k + 0.5) / count, dice.between(0.4, 0.75), 0.8 / count)
        ink(canvas, dice, own, hand.face, [text], box, dice.between(-20, 20), own.accents[k])
    return found, found[0]


def underlined(canvas: Canvas, dice: Dice, own: Palette, hand: Hand) -> Written:
    """A word with a line below it, or between two bars."""
    text = hand.word(dice)
    ink(canvas, dice, own, hand.face, [text], (0.5, 0.48, 0.78, 0.4))
    if dice.chance(0.5):
        canvas.fill(ribbon(np.array([(0.12, 0.76), (0.88, 0.76 + dice.between(-0.04, 0.04))]), 0.04), own.accents[5])
    else:
        for y in (0.1, 0.82):
            canvas.fill(rect(0, y, 1, y + 0.08), own.accents[5])
    return [text], text


_DRAWN = {
    "word": word,
    "line": line,
    "number": number,
    "plate": plate,
    "repeated": repeated,
    "scattered": scattered,
    "underlined": underlined,
}
