"""One to four large letters, digits or signs."""

from __future__ import annotations

import unicodedata

from easel_app.trajectories.references.colours import backdrop, palette
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.lettering import Face, faces
from easel_app.trajectories.references.raster import Canvas
from easel_app.trajectories.references.reference import Endless, Reference
from easel_app.trajectories.references.shapes import disc, rect, rounded
from easel_app.trajectories.references.splitting import beside
from easel_app.trajectories.references.text import ink

PLACES = {
    1: (((0.5, 0.5, 0.8),),),
    2: (
        ((0.28, 0.5, 0.42), (0.72, 0.5, 0.42)),
        ((0.5, 0.27, 0.44), (0.5, 0.73, 0.44)),
        ((0.3, 0.3, 0.44), (0.7, 0.7, 0.44)),
    ),
    3: (
        ((0.2, 0.5, 0.28), (0.5, 0.5, 0.28), (0.8, 0.5, 0.28)),
        ((0.5, 0.27, 0.4), (0.27, 0.74, 0.4), (0.73, 0.74, 0.4)),
    ),
    4: (((0.27, 0.27, 0.4), (0.73, 0.27, 0.4), (0.27, 0.73, 0.4), (0.73, 0.73, 0.4)),),
}
"""Middles and sides of the boxes that so many signs stand in."""

LOOK_ALIKE = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХЁ", "ABEZHIKMNOPTYXABEKMHOPCTXË")
"""Greek and Cyrillic capitals that are drawn as Latin ones are."""


class Glyphs(Endless):
    """The family `glyphs`."""

    name = "glyphs"

    def draw(self, index: int) -> Reference:
        """Picture number `index`."""
        dice = Dice(self.seed, self.name, index)
        own = palette(dice, contrast=dice.one((45.0, 70.0, 110.0)))
        canvas = Canvas(self.size, backdrop(dice, own))
        places = dice.one(PLACES[dice.weighted({1: 5.0, 2: 2.5, 3: 1.5, 4: 1.5})])
        face = _face(dice)
        signs = [_sign(dice, face)]
        signs += [_sign(dice, face, signs[0], self.validation) for _ in places[1:]]
        plate = dice.weighted({"none": 6.0, "disc": 1.0, "square": 1.0, "half": 1.0})
        turned = dice.chance(0.35)
        if plate == "half":
            canvas.fill(rect(0, 0, 1, 0.5) if dice.chance(0.5) else rect(0, 0, 0.5, 1), own.accents[5])
        for sign, (x, y, room) in zip(signs, places, strict=True):
            side = room * dice.between(0.6, 1.12) if len(places) == 1 else room
            if plate == "disc":
                canvas.fill(disc(x, y, side * 0.56), own.accents[4])
            elif plate == "square":
                canvas.fill(
                    rounded(x - side / 2, y - side / 2, x + side / 2, y + side / 2, side * 0.15), own.accents[4]
                )
            box = (x, y, *((side * 0.7, side * 0.7) if plate in ("disc", "square") else (side, side)))
            ink(
                canvas,
                dice,
                own,
                face,
                [sign],
                box,
                dice.between(-40, 40) if turned else 0.0,
                own.ground if plate in ("disc", "square") else None,
            )
        detail = f"{face.style}, seed {self.seed}, number {index}"
        return Reference(canvas.bytes(), self.name, _title(signs), face.source(detail), group_of(signs[0]))


def group_of(sign: str) -> str:
    """The group of a sign: a capital letter, for all letters that look like it."""
    return f"glyphs {sign.upper().translate(LOOK_ALIKE)}"


def _face(dice: Dice) -> Face:
    return faces()[dice.weighted({style: 3.0 if style == "symbols" else 1.0 for style in faces()})]


def _sign(dice: Dice, face: Face, first: str = "", validation: float = 0.0) -> str:
    """Any sign of a font, or one that may be in a picture with a first one."""
    script = dice.weighted({name: 2.0 if name == "latin" else 1.0 for name in face.characters})
    signs = [sign for sign in face.characters[script] if sign not in " .,'`-_’–—¡"]
    if script == "latin":
        kind = dice.weighted({"letter": 5.0, "digit": 2.0, "sign": 1.0})
        signs = [
            sign for sign in signs if kind == ("digit" if sign.isdigit() else "letter" if sign.isalpha() else "sign")
        ]
    return dice.one(beside(first, signs, group_of, validation) or [first]) if first else dice.one(signs)


def _title(signs: list[str]) -> str:
    if len(signs) == 1:
        return f"“{signs[0]}”, {unicodedata.name(signs[0], 'a sign').lower()}"
    return f"“{' '.join(signs)}”"
