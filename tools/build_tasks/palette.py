"""The colours of the drawn pictures: a few small palettes, each with a ground, an ink and its accents.

A picture takes one palette and few of its colours; that keeps a sheet of a hundred pictures calm. Names describe the
colour, so that a scene reads as a description of what is painted.
"""

from __future__ import annotations

from .raster import Colour


def colour(code: str) -> Colour:
    """The bytes of a colour written as six hexadecimal digits."""
    value = int(code, 16)
    return value >> 16, value >> 8 & 255, value & 255


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """A colour on the way from a to b: 0 is a, 1 is b."""
    red, green, blue = (int(x + (y - x) * share + 0.5) for x, y in zip(a, b, strict=True))
    return red, green, blue


WHITE = colour("FFFFFF")
CREAM = colour("F2EAD8")
LINEN = colour("E7DDCB")
SAND = colour("E8CF9F")
OCHRE = colour("DFAE48")
MUSTARD = colour("C98F2B")
APRICOT = colour("EFA86B")
CORAL = colour("E5735A")
BRICK = colour("C4533A")
CRIMSON = colour("A5303A")
WINE = colour("6E2338")
ROSE = colour("E8A6A1")
BLUSH = colour("F3D3C7")
PLUM = colour("5B3A5E")
LILAC = colour("B7A3CC")
INDIGO = colour("2E2C5A")
INK = colour("1C2333")
NAVY = colour("1F3A54")
PETROL = colour("1F5060")
TEAL = colour("2F7F7B")
SEA = colour("6FA8A3")
SKY = colour("9CC4D6")
MIST = colour("CFDBDC")
STEEL = colour("5C83A6")
COBALT = colour("2B5AA0")
MINT = colour("BFDCC5")
SAGE = colour("9DB08A")
MOSS = colour("62803F")
FOREST = colour("27523F")
PINE = colour("173A35")
UMBER = colour("5A3A28")
SIENNA = colour("9A5A34")
CLAY = colour("C98A63")
STONE = colour("A79F90")
SLATE = colour("59636E")
CHARCOAL = colour("2C2E33")
LEMON = colour("F2D64B")
