"""Draw pictures of the sample set of plans: `python -m tools.plan_sample_pictures` writes data/plans/pictures/*.png.

Flat scenes in the palette of the tasks, 320 × 240, drawn four times as large and reduced. They stand in pools beside
the pictures of data/tasks where those show nothing that fits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from tools.build_tasks import palette as p
from tools.build_tasks.raster import Colour

FOLDER = Path(__file__).resolve().parents[1] / "data" / "plans" / "pictures"
WIDTH, HEIGHT, FINE = 320, 240, 4
Point = tuple[float, float]


class Sheet:
    """A picture in pixels of its final size."""

    def __init__(self, ground: Colour) -> None:
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), ground)
        self.draw = ImageDraw.Draw(self.image)

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill a polygon."""
        self.draw.polygon([(x * FINE, y * FINE) for x, y in points], fill)

    def box(self, x: float, y: float, width: float, height: float, fill: Colour, radius: float = 0) -> None:
        """Fill a box, its corners rounded by a radius."""
        corners = (x * FINE, y * FINE, (x + width) * FINE, (y + height) * FINE)
        self.draw.rounded_rectangle(corners, radius * FINE, fill)

    def oval(self, x: float, y: float, across: float, down: float, fill: Colour) -> None:
        """Fill an ellipse round a middle, by its two radii."""
        self.draw.ellipse(((x - across) * FINE, (y - down) * FINE, (x + across) * FINE, (y + down) * FINE), fill)

    def line(self, points: Sequence[Point], fill: Colour, width: float) -> None:
        """Draw a line with round ends and corners."""
        self.draw.line([(x * FINE, y * FINE) for x, y in points], fill, round(width * FINE), joint="curve")
        for x, y in (points[0], points[-1]):
            self.oval(x, y, width / 2, width / 2, fill)

    def table(self, fill: Colour, from_y: float = 168) -> None:
        """A table top, down from a height."""
        self.box(0, from_y, WIDTH, HEIGHT - from_y, fill)

    def save(self, name: str) -> None:
        """Write it as a PNG of at most 64 colours."""
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        small.quantize(64, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def batter() -> Sheet:
    """A bowl of batter with a whisk, an egg and a jug of milk."""
    sheet = Sheet(p.MIST)
    sheet.table(p.CLAY)
    sheet.box(232, 84, 52, 98, p.SKY, 12)
    sheet.box(238, 112, 40, 64, p.WHITE, 8)
    sheet.line([(284, 108), (304, 118), (302, 146), (284, 154)], p.SKY, 7)
    sheet.line([(196, 40), (158, 116)], p.SLATE, 6)
    sheet.oval(148, 176, 84, 12, p.SIENNA)
    sheet.draw.pieslice((62 * FINE, 46 * FINE, 234 * FINE, 190 * FINE), 0, 180, p.COBALT)
    sheet.oval(148, 118, 86, 20, p.CREAM)
    sheet.oval(148, 120, 76, 15, p.SAND)
    for spread in (-14, -5, 5, 14):
        sheet.line([(160, 110), (146 + spread, 118), (138 + spread, 126)], p.SLATE, 2)
    sheet.oval(38, 178, 16, 20, p.BLUSH)
    return sheet


def pan(ground: Colour, cake: Colour, spots: Colour, *, lifted: bool) -> Sheet:
    """A pan with a pancake seen from above, one edge of it lifted perhaps."""
    sheet = Sheet(ground)
    sheet.line([(208, 120), (306, 92)], p.UMBER, 16)
    sheet.oval(132, 124, 104, 96, p.CHARCOAL)
    sheet.oval(132, 124, 92, 84, p.INK)
    sheet.oval(132, 124, 80, 73, cake)
    for turn in range(11):
        angle, far = turn * 2.4, 14 + 5.2 * turn
        sheet.oval(132 + far * math.cos(angle), 124 + 0.9 * far * math.sin(angle), 5, 4, spots)
    if lifted:
        sheet.polygon([(62, 148), (132, 196), (86, 214), (52, 184)], p.INK)
        sheet.polygon([(62, 148), (132, 196), (118, 158)], spots)
        sheet.line([(20, 226), (96, 172)], p.SIENNA, 9)
    return sheet


def folded() -> Sheet:
    """Two folded crêpes on a plate with lemon."""
    sheet = Sheet(p.TEAL)
    sheet.oval(160, 134, 128, 78, p.PETROL)
    sheet.oval(160, 128, 128, 78, p.CREAM)
    sheet.oval(160, 128, 100, 58, p.WHITE)
    for shift, shade in ((0, p.OCHRE), (44, p.SAND)):
        sheet.polygon([(84 + shift, 150), (182 + shift, 156), (150 + shift, 86)], shade)
        sheet.line([(104 + shift, 140), (150 + shift, 90)], p.MUSTARD, 3)
    sheet.oval(108, 104, 20, 20, p.LEMON)
    sheet.oval(108, 104, 15, 15, p.CREAM)
    for turn in range(6):
        angle = turn * math.pi / 3
        sheet.line([(108, 104), (108 + 13 * math.cos(angle), 104 + 13 * math.sin(angle))], p.LEMON, 2)
    return sheet


def pears() -> Sheet:
    """Pears in a pot of red wine with cinnamon."""
    sheet = Sheet(p.BLUSH)
    sheet.table(p.UMBER, 180)
    sheet.box(62, 96, 196, 100, p.SLATE, 18)
    sheet.box(38, 118, 30, 14, p.CHARCOAL, 7)
    sheet.box(252, 118, 30, 14, p.CHARCOAL, 7)
    sheet.oval(160, 98, 98, 26, p.STEEL)
    sheet.oval(160, 100, 88, 21, p.WINE)
    for x, tilt in ((112, -8), (160, 0), (208, 8)):
        sheet.oval(x, 96, 22, 17, p.CRIMSON)
        sheet.oval(x + tilt, 72, 12, 18, p.CRIMSON)
        sheet.line([(x + tilt, 56), (x + 1.6 * tilt, 40)], p.UMBER, 4)
    sheet.line([(122, 112), (176, 116)], p.SIENNA, 6)
    return sheet


def coat() -> Sheet:
    """A navy coat on a hanger."""
    sheet = Sheet(p.LINEN)
    sheet.line([(160, 20), (160, 34)], p.SLATE, 3)
    sheet.line([(116, 54), (160, 34), (204, 54)], p.SIENNA, 5)
    sheet.polygon([(116, 50), (88, 64), (66, 158), (88, 166), (112, 100), (106, 228), (214, 228), (208, 100),
                   (232, 166), (254, 158), (232, 64), (204, 50)], p.NAVY)  # fmt: skip
    sheet.polygon([(138, 46), (160, 104), (182, 46)], p.CREAM)
    sheet.polygon([(138, 44), (112, 66), (158, 118), (161, 104)], p.INK)
    sheet.polygon([(182, 44), (208, 66), (162, 118), (159, 104)], p.INK)
    sheet.line([(160, 116), (160, 228)], p.INK, 2)
    for y in (136, 166, 196):
        sheet.oval(148, y, 4, 4, p.OCHRE)
        sheet.oval(172, y, 4, 4, p.OCHRE)
    return sheet


def tote() -> Sheet:
    """A plain canvas bag, nothing on it."""
    sheet = Sheet(p.SAGE)
    sheet.table(p.MOSS, 206)
    sheet.draw.arc((112 * FINE, 20 * FINE, 208 * FINE, 150 * FINE), 180, 360, p.SAND, 8 * FINE)
    sheet.polygon([(80, 84), (240, 84), (250, 222), (70, 222)], p.CREAM)
    sheet.polygon([(80, 84), (240, 84), (241, 98), (79, 98)], p.LINEN)
    sheet.polygon([(226, 98), (241, 98), (250, 222), (228, 222)], p.LINEN)
    for x in (116, 204):
        sheet.box(x - 7, 82, 14, 18, p.SAND, 2)
    return sheet


def shirt() -> Sheet:
    """A shirt with blue stripes, laid flat."""
    sheet = Sheet(p.SKY)
    outline = [(120, 40), (72, 60), (36, 128), (68, 146), (96, 110), (96, 220), (224, 220), (224, 110), (252, 146),
               (284, 128), (248, 60), (200, 40)]  # fmt: skip
    sheet.polygon(outline, p.CREAM)
    whole = Image.new("L", sheet.image.size)
    ImageDraw.Draw(whole).polygon([(x * FINE, y * FINE) for x, y in outline], 255)
    stripes = Sheet(p.CREAM)
    for y in range(70, 220, 18):
        stripes.box(0, y, WIDTH, 8, p.NAVY)
    sheet.image.paste(stripes.image, mask=whole)
    sheet.oval(160, 40, 40, 16, p.SKY)
    return sheet


def trousers() -> Sheet:
    """Olive trousers, folded once."""
    sheet = Sheet(p.CREAM)
    sheet.polygon([(104, 24), (216, 24), (236, 226), (176, 226), (160, 84), (144, 226), (84, 226)], p.MOSS)
    sheet.box(104, 20, 112, 14, p.FOREST, 3)
    sheet.line([(160, 34), (160, 84)], p.FOREST, 3)
    sheet.line([(118, 48), (110, 66)], p.FOREST, 3)
    sheet.line([(202, 48), (210, 66)], p.FOREST, 3)
    sheet.oval(160, 27, 4, 4, p.OCHRE)
    return sheet


def boots() -> Sheet:
    """A pair of brown boots."""
    sheet = Sheet(p.SAND)
    sheet.table(p.CLAY, 196)
    for x, shade in ((54, p.UMBER), (158, p.SIENNA)):
        sheet.polygon([(x, 48), (x + 56, 48), (x + 58, 140), (x + 108, 164), (x + 112, 192), (x, 192)], shade)
        sheet.box(x - 4, 190, 120, 12, p.CHARCOAL, 4)
        sheet.box(x + 22, 48, 14, 54, p.CHARCOAL)
        for y in (116, 128, 140):
            sheet.line([(x + 36, y), (x + 58, y + 4)], p.CREAM, 3)
    return sheet


def tangram() -> Sheet:
    """The square of the seven pieces of a tangram."""
    sheet = Sheet(p.LINEN)
    side, left, top, gap = 200, 60, 20, 1.6
    pieces: list[tuple[Colour, list[Point]]] = [
        (p.CRIMSON, [(0, 0), (0, 4), (2, 2)]),
        (p.NAVY, [(0, 0), (4, 0), (2, 2)]),
        (p.OCHRE, [(4, 0), (4, 2), (3, 1)]),
        (p.TEAL, [(2, 2), (3, 1), (4, 2), (3, 3)]),
        (p.PLUM, [(2, 2), (3, 3), (1, 3)]),
        (p.CORAL, [(0, 4), (1, 3), (3, 3), (2, 4)]),
        (p.MOSS, [(4, 2), (4, 4), (2, 4)]),
    ]
    for shade, corners in pieces:
        middle = [sum(each) / len(corners) for each in zip(*corners, strict=True)]
        shrunk = [
            tuple(m + (c - m) * (1 - gap / 40) for c, m in zip(corner, middle, strict=True)) for corner in corners
        ]
        sheet.polygon([(left + x * side / 4, top + y * side / 4) for x, y in shrunk], shade)
    return sheet


PICTURES: dict[str, Callable[[], Sheet]] = {
    "crepe-batter": batter,
    "crepe-in-pan": lambda: pan(p.ROSE, p.SAND, p.MUSTARD, lifted=False),
    "crepe-turned": lambda: pan(p.ROSE, p.OCHRE, p.SIENNA, lifted=True),
    "crepe-folded": folded,
    "pears-in-pot": pears,
    "navy-coat": coat,
    "tote-bag": tote,
    "striped-shirt": shirt,
    "olive-trousers": trousers,
    "brown-boots": boots,
    "tangram-square": tangram,
}


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(exist_ok=True)
    for name, drawn in PICTURES.items():
        drawn().save(name)


if __name__ == "__main__":
    main()
