"""Draw the pictures that the second half of the plan sample needs: `python -m tools.plan_sample_pictures_c`.

Eight flat drawings of 320 × 240 pixels, made of nothing but the shapes below: no font, no photograph, no chance. Here
stands what `data/` did not have yet: rooms that a user could have photographed, a window in section, two heads of a
tripod, a ring of canals, an eye in section.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 320, 240
FINE = 4
"""Drawn so many times larger, then reduced: smooth edges."""
Point = tuple[float, float]

INK, NAVY, TEAL, SEA = "#1d2230", "#1f3a55", "#1f5260", "#74a9a5"
RED, CORAL, GOLD, SAND, CREAM = "#c5533a", "#e8745c", "#e0ad45", "#e7dcc8", "#f5eddd"
WINE, GREEN, SKY, STONE, WOOD, WHITE = "#6d2238", "#5c8044", "#9fc4d9", "#b9b4ac", "#9a6240", "#fdfbf6"


class Sheet:
    """A drawing in pixels of the finished picture."""

    def __init__(self, ground: str) -> None:
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), ground)
        self.draw = ImageDraw.Draw(self.image)

    def box(self, left: float, top: float, right: float, bottom: float, fill: str, radius: float = 0) -> None:
        """A filled rectangle, with round corners if asked for."""
        place = [left * FINE, top * FINE, right * FINE - 1, bottom * FINE - 1]
        self.draw.rounded_rectangle(place, radius * FINE, fill)

    def shape(self, points: Sequence[Point], fill: str) -> None:
        """A filled polygon."""
        self.draw.polygon([(x * FINE, y * FINE) for x, y in points], fill)

    def line(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A line through points, with round ends."""
        wide = round(width * FINE)
        self.draw.line([(x * FINE, y * FINE) for x, y in points], fill, wide, joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc(x, y, width / 2, fill)

    def disc(self, x: float, y: float, radius: float, fill: str) -> None:
        """A filled circle."""
        self.oval(x, y, radius, radius, fill)

    def oval(self, x: float, y: float, wide: float, high: float, fill: str) -> None:
        """A filled ellipse with its half axes."""
        self.draw.ellipse([(x - wide) * FINE, (y - high) * FINE, (x + wide) * FINE, (y + high) * FINE], fill)

    def arc(self, x: float, y: float, radius: float, degrees: tuple[float, float], fill: str, width: float) -> None:
        """An arc of a circle, clockwise from the right."""
        place = [(x - radius) * FINE, (y - radius) * FINE, (x + radius) * FINE, (y + radius) * FINE]
        self.draw.arc(place, *degrees, fill, round(width * FINE))

    def reduced(self) -> Image.Image:
        """The finished picture, in at most 64 colours."""
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        return small.quantize(64, dither=Image.Dither.NONE)


def hallway() -> Sheet:
    """A narrow hallway with a worn grey floor, a door at its end."""
    sheet = Sheet("#d9d3c5")
    sheet.shape([(0, 0), (320, 0), (212, 62), (108, 62)], WHITE)
    sheet.shape([(0, 0), (108, 62), (108, 166), (0, 240)], "#e9e2d2")
    sheet.shape([(320, 0), (212, 62), (212, 166), (320, 240)], "#d3cab7")
    sheet.shape([(0, 240), (108, 166), (212, 166), (320, 240)], "#8f8d88")
    for x, y, wide in ((120, 214, 20), (196, 196, 15), (150, 182, 9), (232, 226, 18)):
        sheet.oval(x, y, wide, wide / 4, "#7f7d79")
    sheet.shape([(0, 226), (108, 160), (108, 166), (0, 240)], WHITE)
    sheet.shape([(320, 226), (212, 160), (212, 166), (320, 240)], WHITE)
    sheet.box(134, 84, 186, 166, WHITE)
    sheet.box(138, 88, 182, 166, TEAL)
    for top, bottom in ((94, 118), (126, 158)):
        sheet.box(144, top, 158, bottom, "#2f6673")
        sheet.box(162, top, 176, bottom, "#2f6673")
    sheet.disc(178, 128, 2, GOLD)
    sheet.line([(160, 0), (160, 30)], INK, 1)
    sheet.shape([(142, 46), (178, 46), (168, 28), (152, 28)], GOLD)
    for x, top, bottom, deep in ((34, 70, 140, 26), (262, 76, 132, 20)):
        sheet.shape([(x, top), (x + deep, top + 4), (x + deep, bottom - 10), (x, bottom)], WOOD)
        sheet.shape([(x + 4, top + 5), (x + deep - 4, top + 8), (x + deep - 4, bottom - 15), (x + 4, bottom - 7)], SKY)
    return sheet


def living_room() -> Sheet:
    """A living room with a pale blue-grey wall behind a sofa, in cool light."""
    sheet = Sheet("#c3ccd1")
    sheet.box(0, 178, 320, 240, "#a98f78")
    for y in (190, 206, 224):
        sheet.line([(0, y), (320, y)], "#9a8069", 1)
    sheet.box(0, 172, 320, 180, WHITE)
    sheet.box(18, 26, 92, 128, WHITE)
    sheet.box(24, 32, 86, 122, "#dbe8ee")
    sheet.box(53, 32, 57, 122, WHITE)
    sheet.box(24, 74, 86, 78, WHITE)
    sheet.box(142, 40, 184, 84, INK)
    sheet.box(146, 44, 180, 80, CREAM)
    sheet.disc(163, 64, 11, RED)
    sheet.box(194, 34, 228, 84, INK)
    sheet.box(198, 38, 224, 80, CREAM)
    sheet.shape([(202, 76), (211, 48), (220, 76)], TEAL)
    sheet.box(118, 112, 262, 176, NAVY, 12)
    sheet.box(108, 132, 134, 188, "#274867", 9)
    sheet.box(246, 132, 272, 188, "#274867", 9)
    sheet.box(130, 148, 190, 182, "#2d5175", 7)
    sheet.box(191, 148, 250, 182, "#2d5175", 7)
    sheet.shape([(140, 120), (170, 124), (166, 152), (137, 148)], GOLD)
    for x in (118, 262):
        sheet.box(x - 3, 186, x + 3, 198, WOOD)
    sheet.oval(190, 218, 84, 14, SAND)
    sheet.box(291, 88, 294, 196, INK)
    sheet.shape([(276, 90), (310, 90), (302, 58), (284, 58)], CREAM)
    sheet.oval(292, 198, 14, 3, INK)
    sheet.shape([(44, 204), (74, 204), (70, 174), (48, 174)], RED)
    for x, y in ((34, 128), (46, 112), (60, 104), (74, 114), (84, 130)):
        sheet.line([(59, 176), ((59 + x) / 2, (164 + y) / 2), (x, y)], GREEN, 3)
        sheet.oval(x, y, 8, 12, GREEN)
    return sheet


def tile_plan() -> Sheet:
    """A long floor from above: laid from its centre lines, cut tiles at both edges alike."""
    sheet = Sheet(CREAM)
    left, top, right, bottom, side = 24, 72, 296, 168, 32
    sheet.box(left - 6, top - 6, right + 6, bottom + 6, INK)
    sheet.box(left, top, right, bottom, SAND)
    for row in range(-2, 3):
        for column in range(-5, 5):
            x, y = 160 + column * side, 120 + row * side - side / 2
            place = (max(left, x + 1), max(top, y + 1), min(right, x + side - 1), min(bottom, y + side - 1))
            if place[0] < place[2] and place[1] < place[3]:
                whole = place[2] - place[0] > side - 3 and place[3] - place[1] > side - 3
                sheet.box(*place, (TEAL if (row + column) % 2 else SEA) if whole else GOLD)
    for at in range(8, 320, 14):
        sheet.line([(at, 120), (at + 6, 120)], RED, 2)
    for at in range(38, 206, 14):
        sheet.line([(160, at), (160, at + 6)], RED, 2)
    sheet.box(210, 168, 250, 176, CREAM)
    sheet.arc(210, 174, 38, (0, 90), INK, 1.5)
    sheet.line([(210, 174), (210, 212)], INK, 3)
    return sheet


def sash_window() -> Sheet:
    """A wooden sash window from inside, the lower sash not quite shut, with a draught below it."""
    sheet = Sheet("#e8dcc6")
    sheet.box(84, 14, 236, 206, WHITE)
    sheet.box(96, 26, 224, 196, "#c9c2b3")
    sheet.box(100, 30, 220, 112, WHITE)
    sheet.box(98, 104, 222, 190, WHITE)
    panes = ((108, 38, 157, 102), (163, 38, 212, 102), (106, 114, 157, 178), (163, 114, 214, 178))
    for left, top, right, bottom in panes:
        sheet.box(left, top, right, bottom, SKY)
        sheet.shape([(left, bottom), (left, bottom - 22), (right, bottom - 30), (right, bottom)], "#8db39a")
        sheet.shape([(left + 6, top + 30), (left + 24, top + 4), (left + 30, top + 4), (left + 6, top + 40)], "#c4dfeb")
    sheet.box(150, 104, 170, 110, GOLD, 2)
    sheet.box(98, 190, 222, 196, INK)
    sheet.box(74, 204, 246, 216, WHITE, 2)
    sheet.box(74, 214, 246, 218, "#cfc4ae")
    for x in (122, 160, 198):
        wave = [(x + 5 * math.sin(step / 2), 198 + step * 2.4) for step in range(14)]
        sheet.line(wave, TEAL, 2)
    sheet.shape([(20, 0), (66, 0), (58, 120), (70, 240), (14, 240)], RED)
    sheet.shape([(300, 0), (254, 0), (262, 120), (250, 240), (306, 240)], RED)
    for x in (34, 48, 272, 286):
        sheet.line([(x, 0), (x, 240)], "#a8432d", 2)
    return sheet


def glazing() -> Sheet:
    """Three windows in section: one pane; one pane with a second window behind it; one sealed double pane."""
    sheet = Sheet("#dfe9ec")
    sheet.box(0, 0, 320, 240, CREAM)
    for index, panes in enumerate(((50,), (44, 84), (54, 64))):
        left = 10 + index * 102
        sheet.box(left, 20, left + 96, 220, SKY)
        sheet.box(left + (panes[0] + 4), 20, left + 96, 220, "#f3d9b5")
        for pane in panes:
            wide = 14 if len(panes) == 2 and panes[1] > 70 else 26
            middle = sum(panes) / len(panes) if wide == 26 else pane
            for top, bottom in ((20, 52), (188, 220)):
                sheet.box(left + middle - wide / 2 + 2, top, left + middle + wide / 2 + 2, bottom, WOOD)
            sheet.box(left + pane, 48, left + pane + 4, 192, TEAL)
        if len(panes) == 2 and panes[1] < 70:
            sheet.box(left + panes[0] + 4, 48, left + panes[1], 54, INK)
            sheet.box(left + panes[0] + 4, 186, left + panes[1], 192, INK)
        for row in range((4, 2, 1)[index]):
            y = 78 + row * 28
            sheet.line([(left + 86, y), (left + 12, y)], RED, 3)
            sheet.shape([(left + 6, y), (left + 16, y - 6), (left + 16, y + 6)], RED)
    return sheet


def tripod_heads() -> Sheet:
    """A ball head with one knob, and a head for panning with its handle, each on three legs."""
    sheet = Sheet("#e9e3d6")
    sheet.box(0, 204, 320, 240, "#cfc6b2")
    for x in (84, 236):
        for foot in (x - 46, x, x + 46):
            sheet.line([(x, 132), (foot, 216)], INK, 6)
        sheet.box(x - 9, 112, x + 9, 140, NAVY, 3)
    sheet.box(66, 98, 102, 116, INK, 4)
    sheet.disc(84, 90, 17, GOLD)
    sheet.box(66, 94, 102, 112, INK, 5)
    sheet.line([(102, 104), (116, 104)], INK, 4)
    sheet.disc(120, 104, 7, RED)
    sheet.shape([(64, 78), (100, 62), (104, 70), (68, 86)], NAVY)
    sheet.box(218, 96, 254, 116, INK, 3)
    sheet.box(226, 76, 246, 100, NAVY, 3)
    sheet.disc(236, 86, 6, GOLD)
    sheet.box(212, 66, 260, 76, NAVY, 2)
    sheet.line([(246, 92), (296, 124)], INK, 5)
    sheet.line([(276, 111), (298, 125)], RED, 8)
    sheet.arc(84, 90, 40, (200, 340), TEAL, 2.5)
    sheet.shape([(42, 84), (52, 76), (44, 70)], TEAL)
    sheet.shape([(126, 84), (116, 76), (124, 70)], TEAL)
    sheet.line([(206, 50), (266, 50)], TEAL, 2.5)
    sheet.shape([(200, 50), (210, 44), (210, 56)], TEAL)
    sheet.shape([(272, 50), (262, 44), (262, 56)], TEAL)
    return sheet


def canal_ring() -> Sheet:
    """A town map: four canals in half rings around an old centre, a harbour above, a walk from square to square."""
    sheet = Sheet("#eadfc9")
    middle = (160, 58)
    for radius, ground in ((176, "#e3d3b4"), (142, "#eadfc9"), (112, "#e3d3b4"), (84, "#eadfc9"), (56, "#e0b98c")):
        sheet.disc(*middle, radius, ground)
    for radius in (56, 84, 112, 142):
        sheet.arc(*middle, radius, (0, 180), SEA, 7)
    for degrees in (24, 52, 90, 128, 156):
        turn = math.radians(degrees)
        ends = [(middle[0] + far * math.cos(turn), middle[1] + far * math.sin(turn)) for far in (56, 190)]
        sheet.line(ends, WHITE, 3)
    sheet.box(0, 0, 320, 58, SEA)
    for x in (40, 110, 240, 292):
        sheet.arc(x, 30, 9, (20, 160), "#5e9794", 2)
        sheet.arc(x + 18, 30, 9, (20, 160), "#5e9794", 2)
    sheet.box(134, 44, 186, 62, WINE, 3)
    for x in (142, 154, 166, 178):
        sheet.box(x - 3, 49, x + 3, 55, GOLD)
    walk = [(160, 64), (160, 100), (137, 130), (96, 149), (80, 118), (54, 138), (96, 204), (160, 214)]
    for (x, y), (to_x, to_y) in pairwise(walk):
        steps = max(2, round(math.hypot(to_x - x, to_y - y) / 7))
        for step in range(steps):
            sheet.disc(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps, 2, RED)
    for x, y in (walk[0], walk[2], walk[5], walk[7]):
        sheet.disc(x, y, 6, WHITE)
        sheet.disc(x, y, 4, RED)
    return sheet


def eye() -> Sheet:
    """An eye in section: cornea, iris, lens, retina with its pit, nerve."""
    sheet = Sheet("#eaf0ee")
    sheet.shape([(232, 138), (312, 158), (312, 190), (222, 168)], GOLD)
    sheet.shape([(232, 146), (312, 168), (312, 180), (226, 160)], "#c98d35")
    sheet.disc(92, 120, 44, SKY)
    sheet.disc(158, 120, 92, WHITE)
    sheet.arc(158, 120, 92, (0, 360), STONE, 3)
    sheet.disc(158, 120, 86, RED)
    sheet.disc(158, 120, 81, "#f3c9a0")
    sheet.disc(158, 120, 77, "#e4eef0")
    sheet.oval(76, 120, 26, 44, SKY)
    sheet.oval(83, 120, 22, 38, "#c9e2ec")
    sheet.shape([(88, 70), (98, 70), (94, 106), (86, 106)], TEAL)
    sheet.shape([(88, 170), (98, 170), (94, 134), (86, 134)], TEAL)
    sheet.oval(110, 120, 13, 30, GOLD)
    sheet.oval(107, 116, 6, 18, "#ecc878")
    sheet.oval(238, 118, 5, 8, RED)
    for rises, first, last in ((-1, 100, 64), (1, 78, 44)):
        vessel = [math.radians(rises * (first - (first - 24) * step / 20)) for step in range(21)]
        sheet.line([(158 + 74 * math.cos(turn), 120 + 74 * math.sin(turn)) for turn in vessel], WINE, last / 20)
    for y in (92, 120, 148):
        sheet.line([(10, y), (66, 120 + (y - 120) * 0.8), (110, 120 + (y - 120) * 0.6), (233, 119)], "#f0a830", 1.5)
    return sheet


PICTURES: Final[dict[str, Callable[[], Sheet]]] = {
    "hallway": hallway,
    "living-room": living_room,
    "tile-plan": tile_plan,
    "sash-window": sash_window,
    "glazing": glazing,
    "tripod-heads": tripod_heads,
    "canal-ring": canal_ring,
    "eye": eye,
}


def draw(folder: Path) -> list[Path]:
    """Write all pictures into a folder, which is made; the files, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{name}.png" for name in PICTURES]
    for file, make in zip(files, PICTURES.values(), strict=True):
        make().reduced().save(file, optimize=True)
    return files


def main() -> None:
    """Draw them all, and say how large they are."""
    parser = argparse.ArgumentParser(prog="python -m tools.plan_sample_pictures_c", description="Draw the pictures.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path("data/plans/pictures"))
    for file in draw(parser.parse_args().folder):
        print(f"{file} {file.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    main()
