"""Procedural pictures: shapes in layouts, patterns, and scenes of a few objects."""

from __future__ import annotations

from collections.abc import Callable

from easel_app.painting.tasks import Source
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.indoors import INDOORS
from easel_app.trajectories.references.layouts import LAYOUTS, Drawn
from easel_app.trajectories.references.outdoors import OUTDOORS
from easel_app.trajectories.references.patterns import PATTERNS
from easel_app.trajectories.references.reference import OWN_AUTHOR, OWN_LICENCE, OWN_ORIGIN, Endless, Reference

Kind = Callable[[Dice, int], Drawn]
GROUPS: dict[str, tuple[dict[Kind, float], float]] = {
    "layouts": (LAYOUTS, 4.0),
    "patterns": (PATTERNS, 3.0),
    "outdoors": (OUTDOORS, 1.5),
    "indoors": (INDOORS, 1.5),
}


class Geometry(Endless):
    """The family `geometry`."""

    name = "geometry"

    def draw(self, index: int) -> Reference:
        """Picture number `index`."""
        dice = Dice(self.seed, self.name, index)
        group = dice.weighted({name: weight for name, (_, weight) in GROUPS.items()})
        kind = dice.weighted(GROUPS[group][0])
        canvas, title = kind(dice, self.size)
        source = Source(
            origin=OWN_ORIGIN,
            author=OWN_AUTHOR,
            licence=OWN_LICENCE,
            detail=f"{kind.__name__}, seed {self.seed}, number {index}",
        )
        return Reference(canvas.bytes(), self.name, title, source, f"{self.name} {self.seed}/{index}")
