"""Emoji on grounds: one, two, or many of them."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Mapping
from functools import cache

import numpy as np
from PIL import Image

from easel_app.painting.tasks import Source
from easel_app.settings import data_folder
from easel_app.trajectories.references.colours import Palette, backdrop, darker, lighter, palette
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.raster import Canvas
from easel_app.trajectories.references.reference import Endless, Reference
from easel_app.trajectories.references.shapes import SIMPLE, TURN, disc, place, rect
from easel_app.trajectories.references.splitting import beside

LAYOUTS = {"one": 5.0, "two": 3.0, "few": 1.5, "row": 0.8, "ring": 0.8, "grid": 0.8}
Spot = tuple[float, float, float]
"""Middle and side of a sprite, in sides of the picture."""


class Emoji(Endless):
    """The family `emoji`."""

    name = "emoji"

    def draw(self, index: int) -> Reference:
        """Picture number `index`."""
        dice = Dice(self.seed, self.name, index)
        own, layout = palette(dice), dice.weighted(LAYOUTS)
        canvas = Canvas(self.size, backdrop(dice, own))
        _behind(canvas, dice, own)
        spots = _spots(dice, layout)
        count = len(spots) if layout in ("two", "few") else dice.whole(1, 2) if layout == "grid" else 1
        chosen = [dice.one(names())]
        if count > 1:
            others = beside(chosen[0], names(), group_of, self.validation)
            others.remove(chosen[0])
            chosen += dice.some(others, count - 1)
        sheet = Image.fromarray(canvas.bytes())
        turned, flipped = dice.chance(0.35), dice.chance(0.5)
        for k, (x, y, side) in enumerate(spots):
            sprite = _sprite(chosen[k % len(chosen)], max(4, int(side * self.size + 0.5)))
            if flipped:
                sprite = sprite.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            if turned:
                sprite = sprite.rotate(dice.between(-30, 30), Image.Resampling.BICUBIC, expand=True)
            corner = int(x * self.size - sprite.width / 2), int(y * self.size - sprite.height / 2)
            sheet.paste(sprite, corner, sprite)
        title, source = _title(chosen, len(spots)), _source(chosen, self.seed, index)
        return Reference(np.array(sheet), self.name, title, source, group_of(chosen[0]))


def group_of(sprite: str) -> str:
    """The group of a sprite: what it shows, whichever set it is of."""
    return f"emoji {sprite.partition('/')[2]}"


@cache
def names() -> list[str]:
    """All sprites, as `set/name`, in a fixed order."""
    return sorted(_bodies())


@cache
def _bodies() -> Mapping[str, bytes]:
    """The sprites' files; four megabytes."""
    with zipfile.ZipFile(data_folder() / "references" / "emoji.zip") as archive:
        return {name.removesuffix(".webp"): archive.read(name) for name in archive.namelist() if name.endswith(".webp")}


@cache
def _about() -> Mapping[str, Mapping[str, str]]:
    with zipfile.ZipFile(data_folder() / "references" / "emoji.zip") as archive:
        return json.loads(archive.read("about.json"))  # type: ignore[no-any-return]


def _sprite(name: str, side: int) -> Image.Image:
    with Image.open(io.BytesIO(_bodies()[name]), formats=["WEBP"]) as image:
        return image.convert("RGBA").resize((side, side), Image.Resampling.LANCZOS)


def _behind(canvas: Canvas, dice: Dice, own: Palette) -> None:
    """Now and then a floor, a disc or a few shapes behind the emoji."""
    kind = dice.weighted({"nothing": 6.0, "floor": 1.5, "disc": 1.5, "shapes": 1.0})
    if kind == "floor":
        y = dice.between(0.6, 0.8)
        canvas.fill(rect(0, y, 1, 1), darker(own.ground, 0.25) if sum(own.ground) > 300 else lighter(own.ground, 0.2))
    elif kind == "disc":
        canvas.fill(disc(0.5, 0.5, dice.between(0.3, 0.47)), own.accents[0])
    elif kind == "shapes":
        for k in range(dice.whole(2, 6)):
            shape = SIMPLE[dice.one(list(SIMPLE))](dice)
            canvas.fill(place(shape, dice.share(), dice.share(), dice.between(0.06, 0.2), dice.angle()), own.accents[k])


def _spots(dice: Dice, layout: str) -> list[Spot]:
    if layout == "one":
        side = dice.between(0.45, 1.0)
        room = (1 - side) / 2
        return [(0.5 + room * dice.between(-1, 1), 0.5 + room * dice.between(-1, 1), side)]
    if layout == "two":
        a, b = dice.between(0.3, 0.52), dice.between(0.3, 0.52)
        if dice.chance(0.7):
            return [(0.26, dice.between(0.35, 0.65), a), (0.74, dice.between(0.35, 0.65), b)]
        return [(dice.between(0.3, 0.7), 0.26, a), (dice.between(0.3, 0.7), 0.74, b)]
    if layout == "few":
        middles = dice.some(
            [(0.22, 0.24), (0.52, 0.2), (0.8, 0.3), (0.24, 0.72), (0.55, 0.55), (0.8, 0.76)], dice.whole(3, 5)
        )
        return [(x, y, dice.between(0.2, 0.36)) for x, y in middles]
    if layout == "row":
        count, y, swing = dice.whole(3, 4), dice.between(0.35, 0.65), dice.one((0.0, 0.12))
        return [((k + 0.5) / count, y + swing * (-1) ** k, 0.95 / count) for k in range(count)]
    if layout == "ring":
        count, start = dice.whole(4, 8), dice.angle()
        turns = [start + k * TURN / count for k in range(count)]
        return [(0.5 + 0.34 * math.cos(a), 0.5 + 0.34 * math.sin(a), min(0.34, 1.7 / count)) for a in turns]
    count = dice.whole(2, 4)
    return [((k % count + 0.5) / count, (k // count + 0.5) / count, 0.85 / count) for k in range(count * count)]


def _title(chosen: list[str], count: int) -> str:
    plain = [name.partition("/")[2].replace("-", " ") for name in chosen]
    text = " and ".join([", ".join(plain[:-1]), plain[-1]] if len(plain) > 1 else plain)
    return f"{text.capitalize()}{f', {count} times' if count > len(plain) else ''}"


def _source(chosen: list[str], seed: int, index: int) -> Source:
    sets = [_about()[name] for name in sorted({name.partition("/")[0] for name in chosen})]
    return Source(
        origin=" and ".join(about["title"] for about in sets),
        author=" and ".join(about["author"] for about in sets),
        licence=" and ".join(about["licence"] for about in sets),
        detail=f"{', '.join(chosen)} of {', '.join(about['package'] for about in sets)}; seed {seed}, number {index}",
    )
