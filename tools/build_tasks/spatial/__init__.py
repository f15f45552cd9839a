"""The forty spatial pictures, 128 × 128: scenes of three to nine objects that test layout.

One module a family: what is inside what, over what, larger than what, in line with what, standing on what.
"""

from __future__ import annotations

from itertools import zip_longest

from ..recipe import Recipe
from . import balance, inside, land, over, rows, sizes, solids, still, symmetry, tangram, town


def recipes() -> list[Recipe]:
    """The forty in the order of their numbers: the first of every family, then the second of every family, and on."""
    families = (inside, still, balance, town, over, solids, land, sizes, tangram, symmetry, rows)
    rounds = zip_longest(*[family.recipes() for family in families])
    return [recipe for one_each in rounds for recipe in one_each if recipe is not None]
