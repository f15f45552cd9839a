"""Palettes: a ground and a few colours that are seen on it, of many kinds."""

from __future__ import annotations

import colorsys
from typing import NamedTuple

from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.raster import Colour, Paint, corners, linear, radial

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
SCHEMES = {
    "vivid": 5.0,
    "pastel": 2.0,
    "muted": 2.0,
    "deep": 2.0,
    "neighbours": 2.0,
    "opposites": 2.0,
    "one hue": 1.5,
    "grey": 0.7,
    "free": 2.0,
}
"""How colours go together, and how often."""


class Palette(NamedTuple):
    """Colours of a picture."""

    ground: Colour
    accents: tuple[Colour, ...]
    """Seven, each apart from the ground."""


def palette(dice: Dice, contrast: float | None = None) -> Palette:
    """A palette.

    Args:
        dice: chance.
        contrast: least difference of an accent from the ground (mean over red, green and blue, 0..255); None draws one.
    """
    scheme = dice.weighted(SCHEMES)
    apart = contrast if contrast is not None else dice.weighted({24.0: 1.0, 45.0: 3.0, 70.0: 5.0})
    hue = dice.share()
    ground = _ground(dice, scheme, hue)
    accents: list[Colour] = []
    while len(accents) < 7:
        candidates = [_accent(dice, scheme, hue) for _ in range(6)]
        accents.append(next((c for c in candidates if distance(c, ground) >= apart), readable(ground)))
    return Palette(ground, tuple(accents))


def distance(a: Colour, b: Colour) -> float:
    """Mean difference of two colours, 0..255."""
    return sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 3


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """A colour on the way from a to b: 0 is a, 1 is b."""
    red, green, blue = (int(x + (y - x) * share + 0.5) for x, y in zip(a, b, strict=True))
    return red, green, blue


def lighter(colour: Colour, share: float) -> Colour:
    """Towards white."""
    return mix(colour, WHITE, share)


def darker(colour: Colour, share: float) -> Colour:
    """Towards black."""
    return mix(colour, BLACK, share)


def readable(ground: Colour) -> Colour:
    """Black or white, whichever is farther from the ground."""
    return WHITE if sum(ground) < 384 else BLACK


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """A colour by hue, in turns, and saturation and value in [0, 1]."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, saturation, value)
    return int(red * 255 + 0.5), int(green * 255 + 0.5), int(blue * 255 + 0.5)


def backdrop(dice: Dice, own: Palette) -> Paint:
    """A ground that is plain, or a soft gradient about the palette's."""
    kind = dice.weighted({"plain": 6.0, "linear": 1.5, "radial": 1.0, "corners": 0.5})
    if kind == "plain":
        return own.ground
    other = dice.one((lighter(own.ground, 0.35), darker(own.ground, 0.3), mix(own.ground, dice.one(own.accents), 0.25)))
    if kind == "linear":
        ends = dice.one((((0.0, 0.0), (0.0, 1.0)), ((0.0, 0.0), (1.0, 1.0)), ((0.0, 0.5), (1.0, 0.5))))
        return linear(*ends, own.ground, other)
    if kind == "radial":
        return radial((dice.between(0.2, 0.8), dice.between(0.2, 0.8)), dice.between(0.5, 1.0), other, own.ground)
    return corners(own.ground, other, other, own.ground)


def _ground(dice: Dice, scheme: str, hue: float) -> Colour:
    kind = dice.weighted({"white": 1.5, "light": 3.0, "dark": 2.5, "coloured": 3.0})
    if kind == "white":
        return WHITE
    grey = scheme == "grey"
    turned = hue + dice.one((0.0, 0.5, 0.1, 0.9))
    if kind == "light":
        return hsv(turned, 0.0 if grey else dice.between(0.03, 0.25), dice.between(0.86, 1.0))
    if kind == "dark":
        return hsv(turned, 0.0 if grey else dice.between(0.1, 0.8), dice.between(0.05, 0.32))
    return hsv(turned, 0.0 if grey else dice.between(0.25, 0.95), dice.between(0.4, 0.95))


def _accent(dice: Dice, scheme: str, hue: float) -> Colour:
    if scheme == "vivid":
        return hsv(dice.share(), dice.between(0.7, 1.0), dice.between(0.75, 1.0))
    if scheme == "pastel":
        return hsv(dice.share(), dice.between(0.15, 0.42), dice.between(0.82, 1.0))
    if scheme == "muted":
        return hsv(dice.share(), dice.between(0.15, 0.5), dice.between(0.35, 0.75))
    if scheme == "deep":
        return hsv(dice.share(), dice.between(0.6, 1.0), dice.between(0.25, 0.6))
    if scheme == "neighbours":
        return hsv(hue + dice.between(-0.1, 0.1), dice.between(0.4, 1.0), dice.between(0.45, 1.0))
    if scheme == "opposites":
        return hsv(
            hue + dice.one((0.0, 0.5)) + dice.between(-0.03, 0.03), dice.between(0.5, 1.0), dice.between(0.4, 1.0)
        )
    if scheme == "one hue":
        return hsv(hue, dice.between(0.1, 1.0), dice.between(0.2, 1.0))
    if scheme == "grey":
        return hsv(0.0, 0.0, dice.share())
    return dice.whole(0, 255), dice.whole(0, 255), dice.whole(0, 255)
