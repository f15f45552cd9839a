"""Apples to be outlined: a still life of two or three of one kind, of which the left one is asked for.

All apples of a picture share colours, mottling and light, so that only shape tells the left one from the others. It
touches the right one, or one hides a part of the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from easel_app.painting.families.draft import Draft
from easel_app.painting.families.drawing import (
    Colour,
    Floats,
    Pixels,
    chance,
    coverage,
    direction,
    grid,
    noise,
    over,
    smooth,
    to_bytes,
)
from easel_app.painting.truth import Mask, OutlineTruth

SIZES = (64, 128, 256, 512)
"""Widths in px that apples are drawn at."""
BUDGET = 64
INSTRUCTION = (
    "Draw the outline of the left apple as one closed line along its visible edge. "
    "Its stem and its leaf are not part of it."
)

LIGHT = (-0.48, -0.62, 0.62)
"""Towards the light: from the upper left, in front."""
HALFWAY = (-0.267, -0.344, 0.900)
"""Between the light and the eye: normals there shine."""
WALL: tuple[Colour, Colour] = ((0.87, 0.87, 0.80), (0.62, 0.66, 0.61))
WOOD: tuple[Colour, Colour] = ((0.80, 0.62, 0.42), (0.63, 0.44, 0.27))
SKINS: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((0.90, 0.77, 0.30), (0.80, 0.20, 0.13), (0.55, 0.06, 0.08)),
    ((0.72, 0.75, 0.27), (0.82, 0.25, 0.16), (0.60, 0.09, 0.09)),
    ((0.93, 0.73, 0.36), (0.87, 0.30, 0.17), (0.66, 0.11, 0.10)),
    ((0.80, 0.79, 0.36), (0.74, 0.19, 0.17), (0.50, 0.05, 0.10)),
)
"""Ground, blush and streaks of a kind of apple."""
STEM: Colour = (0.31, 0.21, 0.12)
LEAF: tuple[Colour, Colour] = ((0.45, 0.60, 0.22), (0.22, 0.38, 0.13))


class _Apple(NamedTuple):
    """Where an apple stands and how it leans."""

    x: float
    y: float
    radius: float
    tilt: float
    """Tangent of half the angle that it leans to the right by."""
    leaf: bool
    place: int
    """0: the left one, 1: the right one, 2: the third."""


class _Body(NamedTuple):
    """An apple's own coordinates: a ball of radius 1, as the eye sees it."""

    across: Floats
    down: Floats
    field: Floats
    """Negative inside the silhouette."""
    straight_across: Floats
    """Before the ball was pressed into an apple."""
    straight_down: Floats


def draft(size: int, seed: int) -> Draft:
    """The apples of a size and a seed.

    Args:
        size: one of `SIZES`, px.
        seed: 0 to 2^31 - 1; the same scene at every size.

    Returns:
        A draft whose mask is what is seen of the left apple's body; a stem or a leaf before it takes nothing away.

    Raises:
        ValueError: the size or the seed is another.
    """
    picture, bodies = still_life(size, seed)
    return Draft(picture, OutlineTruth(bodies[0]), f"Apples {seed}", INSTRUCTION, BUDGET)


def still_life(size: int, seed: int) -> tuple[Pixels, list[Mask]]:
    """The picture, uint8 (size, size, 3), and what is seen of each apple's body, bool (size, size): first the left
    apple's, then that of the one to its right, last that of a third one if there is one.

    Raises:
        ValueError: the size is none of `SIZES`, or the seed is not in 0 to 2^31 - 1.
    """
    rng = chance(size, seed, SIZES)
    apples, horizon = _scene(rng)
    skin = SKINS[int(rng.integers(len(SKINS)))]
    x, y = grid(size)
    picture = _room(rng, x, y, horizon)
    for apple in apples:
        _shade(picture, x, y, apple)
    seen: list[tuple[int, Mask]] = []
    for apple in apples:
        part = _window(size, apple)
        body = _body(x[part], y[part], apple)
        behind = np.logical_or.reduce([mask[part] for _, mask in seen]) if seen else False
        over(picture[part], (0.12, 0.03, 0.02), 0.5 * smooth(-body.field, -0.22, 0.0) * behind)
        _paint_body(rng, picture[part], body, skin)
        _paint_stem(picture[part], body, apple)
        covered = np.zeros((size, size), bool)
        covered[part] = body.field < 0.0
        seen = [*((place, mask & ~covered) for place, mask in seen), (apple.place, covered)]
    return to_bytes(picture), [mask for _, mask in sorted(seen, key=lambda item: item[0])]


def _scene(rng: np.random.Generator) -> tuple[list[_Apple], float]:
    """The apples from back to front, and where the table ends."""
    size, other, gap, depth, height, third = (float(value) for value in rng.random(6))
    tilts = [0.16 * float(value) - 0.08 for value in rng.random(3)]
    leaves = [bool(value) for value in rng.integers(2, size=3)]
    in_front, three = bool(rng.integers(2)), bool(rng.integers(2))
    radius = 0.205 + 0.03 * size
    foot = 0.74 + 0.08 * height
    left = _Apple(0.27 + 0.04 * gap, foot - radius, radius, tilts[0], leaves[0], 0)
    beside = radius * (0.94 + 0.12 * other)
    lift = (0.02 + 0.03 * depth) * (1.0 if in_front else -1.0)
    apart = (radius + beside) * (0.80 + 0.14 * gap)
    right = _Apple(left.x + apart, foot - lift - beside, beside, tilts[1], leaves[1], 1)
    apples = [right, left] if in_front else [left, right]
    if three:
        behind, between = radius * 0.92, left.x + apart * (0.45 + 0.2 * third)
        apples.insert(0, _Apple(between, foot - 0.13 - behind, behind, tilts[2], leaves[2], 2))
    return apples, min(apple.y for apple in apples) + 0.10


def _room(rng: np.random.Generator, x: Floats, y: Floats, horizon: float) -> Floats:
    """The wall and the table."""
    picture = np.zeros((*x.shape, 3))
    over(picture, WALL[0], 1.0)
    over(picture, WALL[1], smooth(0.55 * x + 0.75 * y, 0.1, 1.1))
    over(picture, (1.0, 0.98, 0.92), 0.25 * noise(rng, x, y, 3, 3) * smooth(-y, -horizon, 0.0))
    wood = np.zeros_like(picture)
    over(wood, WOOD[0], 1.0)
    waves = 0.012 * noise(rng, x, y, 3, 5)
    grain = 0.55 * noise(rng, x, y + waves, 2, 40) + 0.45 * noise(rng, x, y + waves, 5, 110)
    over(wood, WOOD[1], 0.75 * smooth(grain, 0.35, 0.85))
    over(wood, (0.25, 0.15, 0.08), 0.35 * smooth(x + 0.4 * y, 0.4, 1.5))
    over(wood, (1.0, 0.90, 0.74), 0.30 * smooth(-y, -horizon - 0.25, -horizon))
    over(picture, (0.40, 0.36, 0.30), 0.35 * smooth(y, horizon - 0.05, horizon))
    over(picture, wood, coverage(horizon - y))
    return picture


def _shade(picture: Floats, x: Floats, y: Floats, apple: _Apple) -> None:
    """What an apple takes from the table's light: a long soft shadow to the right and a dark one under it."""
    foot = apple.y + 0.90 * apple.radius
    for length, height, shift, strength in ((1.45, 0.34, 0.62, 0.42), (1.0, 0.20, 0.22, 0.45), (0.62, 0.12, 0.04, 0.6)):
        u = (x - apple.x - shift * apple.radius) / (length * apple.radius)
        v = (y - foot) / (height * apple.radius)
        over(picture, (0.16, 0.09, 0.05), strength * smooth(-u * u - v * v, -1.0, 0.0))


def _window(size: int, apple: _Apple) -> tuple[slice, slice]:
    """Rows and columns that an apple, its stem and its leaf lie in."""
    top, bottom = ((apple.y + part * apple.radius) * size for part in (-1.7, 1.2))
    left, right = ((apple.x + part * apple.radius) * size for part in (-1.2, 1.2))
    return slice(max(0, int(top)), int(bottom) + 1), slice(max(0, int(left)), int(right) + 1)


def _body(x: Floats, y: Floats, apple: _Apple) -> _Body:
    """Press a ball into an apple: hollow at the stem, a little at the foot, and narrower there."""
    cos, sin = direction(apple.tilt)
    u, v = (x - apple.x) / apple.radius, (y - apple.y) / apple.radius
    u, v = u * cos + v * sin, v * cos - u * sin
    across = u / (1.0 - 0.09 * v - 0.03 * v * v)
    near = across * across
    crown = 0.20 / (1.0 + 7.0 * near) * smooth(-v, -0.1, 0.75)
    foot = 0.07 / (1.0 + 9.0 * near) * smooth(v, 0.1, 0.9)
    down = (v - crown + foot) / 0.97
    return _Body(across, down, np.sqrt(near + down * down) - 1.0, u, v)


def _paint_body(rng: np.random.Generator, picture: Floats, body: _Body, skin: tuple[Colour, Colour, Colour]) -> None:
    """The skin in its light."""
    a, b = body.across, body.down
    z = np.sqrt(np.maximum(1.0 - a * a - b * b, 0.0))
    # the skin is patterned from stem to foot: a meridian is the same share of each parallel's width
    meridian = np.clip(0.5 + 0.5 * a / np.sqrt(np.maximum(1.0 - 0.9 * b * b, 0.05)), 0.0, 1.0)
    height = np.clip(0.5 + 0.5 * b, 0.0, 1.0)
    ground, blush, deep = skin
    side = float(rng.random())
    clouds = 0.6 * noise(rng, meridian, height, 3, 3) + 0.4 * noise(rng, meridian, height, 6, 6)
    streaks = 0.6 * noise(rng, meridian, height, 26, 3) + 0.4 * noise(rng, meridian, height, 60, 5)
    sunny = 0.5 - (meridian - side) * (meridian - side)
    red = clouds + 0.35 * streaks + 0.30 * sunny - 0.22 * smooth(height, 0.6, 1.0)
    pattern = np.zeros_like(picture)
    over(pattern, ground, 1.0)
    over(pattern, blush, 0.92 * smooth(red, 0.38, 0.85))
    over(pattern, deep, 0.60 * smooth(red, 0.62, 1.10) * smooth(streaks, 0.35, 0.75))
    over(pattern, (0.70, 0.70, 0.30), 0.55 * smooth(-height, -0.24, -0.08))
    over(pattern, (0.97, 0.86, 0.60), 0.45 * _dots(rng, meridian, height, 22, 20))
    lit = a * LIGHT[0] + b * LIGHT[1] + z * LIGHT[2]
    light = 0.36 + 0.74 * smooth(lit, -0.55, 1.05)
    light *= 1.0 - 0.30 * smooth(-z, -0.45, 0.0)
    hollow = a * a / 0.16 + (b + 0.86) * (b + 0.86) / 0.045
    light *= 1.0 - 0.55 * smooth(-hollow, -1.0, 0.1)
    pattern *= light[..., None]
    over(pattern, (0.78, 0.52, 0.30), 0.30 * smooth(b, 0.45, 1.0) * smooth(a, -0.6, 0.8))
    shine = np.clip(a * HALFWAY[0] + b * HALFWAY[1] + z * HALFWAY[2], 0.0, 1.0)
    for _ in range(4):
        shine = shine * shine
    over(pattern, (1.0, 0.97, 0.90), 0.22 * shine)
    glint = shine * shine
    glint = glint * glint
    over(pattern, (1.0, 1.0, 0.98), 0.75 * smooth(glint * glint, 0.15, 0.95))
    over(picture, pattern, coverage(body.field))


def _dots(rng: np.random.Generator, x: Floats, y: Floats, columns: int, rows: int) -> Floats:
    """Small soft dots in [0, 1], one in about every second cell of a lattice over the unit square."""
    across, down, reach = rng.random((3, rows, columns))
    u, v = x * columns, y * rows
    i, j = (np.minimum(np.floor(value), top - 1).astype(np.int64) for value, top in ((u, columns), (v, rows)))
    right, below = u - i - (0.25 + 0.5 * across[j, i]), v - j - (0.25 + 0.5 * down[j, i])
    largest = 0.22 * np.maximum(2.0 * reach[j, i] - 1.0, 0.05)
    shown: Floats = smooth(-(right * right + below * below), -largest * largest, 0.0) * (reach[j, i] > 0.5)
    return shown


def _paint_stem(picture: Floats, body: _Body, apple: _Apple) -> None:
    """The stem out of the hollow, and perhaps a leaf on it."""
    u, v = body.straight_across, body.straight_down
    rise = np.clip((-0.70 - v) / 0.55, 0.0, 1.0)
    middle = 0.16 * rise * rise
    width = 0.035 + 0.025 * rise * rise
    stem = np.maximum(np.abs(u - middle) - width, np.abs(v + 0.975) - 0.275)
    over(picture, STEM, coverage(stem))
    over(picture, (0.62, 0.46, 0.28), 0.6 * coverage(np.maximum(stem, np.abs(u - middle + 0.4 * width) - 0.4 * width)))
    if apple.leaf:
        _paint_leaf(picture, u - 0.10, v + 1.08)


def _paint_leaf(picture: Floats, u: Floats, v: Floats) -> None:
    """A pointed leaf from (0, 0) up to the right, where two discs meet; lighter above its vein than below."""
    cos, sin = 0.90, -0.43
    along, off = u * cos + v * sin, v * cos - u * sin
    half, bulge = 0.36, 0.55
    s, bent = along - half, off - 0.10 * along * (along - 2.0 * half)
    t = np.abs(bent) + bulge
    shade = coverage(np.sqrt(s * s + t * t) - np.sqrt(half * half + bulge * bulge))
    over(picture, LEAF[0], shade)
    over(picture, LEAF[1], shade * smooth(bent, -0.05, 0.12) * 0.9)
    over(picture, (0.70, 0.78, 0.42), 0.8 * shade * smooth(-np.abs(bent), -0.022, -0.008))
