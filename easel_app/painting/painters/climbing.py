"""Climbing: small random changes of a stroke, of which those that help are kept.

A change that helps is made again, half as large again; one that does not is tried the other way round; then chance has
the next one. What "helps" means is up to the caller, who measures each trial between `vary` and `settle`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from easel_app.engine.kernel import Floats, inlined, kernel
from easel_app.painting.painters.proposals import bell, unit

SHAPE = 10
"""The first numbers of a stroke: points, radii and opacities. Colours follow from them."""
POINT, PLACE, RADIUS, OPACITY = 0.06, 0.04, 0.12, 0.2
"""Standard deviation of a change at scale 1: of one point, the whole stroke, radii, opacities."""
SHRINK = 0.95
"""The scale after a change that did not help, in scales before."""
GROW = 1.5
"""A change that helped and is made again, in changes before."""
FRESH, OPPOSITE, AGAIN = 0.0, 1.0, 2.0


class Walk(NamedTuple):
    """Memory of a climb."""

    trial: Floats
    """(13,): the changed stroke."""
    change: Floats
    """(SHAPE,): what is added to the stroke."""
    state: Floats
    """(3,): the scale of changes, its least value, and whether the change is fresh, turned round or made again."""


def new_walk() -> Walk:
    """Memory for climbs."""
    return Walk(np.zeros(13), np.zeros(SHAPE), np.zeros(3))


@kernel
def begin(walk: Walk, scale: float, least: float) -> None:
    """Start to climb with changes of a scale that falls no lower than `least`."""
    walk.state[0], walk.state[1], walk.state[2] = scale, least, FRESH


@inlined
def _draw(change: Floats, rng: np.random.Generator, scale: float, opacity: bool) -> None:
    """A fresh change: of one point, the place, the width or both radii, and if asked of the opacities."""
    change[:] = 0.0
    kind = int(rng.random() * (8 if opacity else 6))
    a, b = bell(rng), bell(rng)
    if kind < 3:
        change[2 * kind], change[2 * kind + 1] = a * scale * POINT, b * scale * POINT
    elif kind == 3:
        for k in range(0, 6, 2):
            change[k], change[k + 1] = a * scale * PLACE, b * scale * PLACE
    elif kind < 6:
        change[6], change[8] = a * scale * RADIUS, (a if kind == 4 else b) * scale * RADIUS
    else:
        change[7], change[9] = a * OPACITY, (a if kind == 6 else b) * OPACITY


@kernel
def vary(walk: Walk, stroke: Floats, rng: np.random.Generator, opacity: bool) -> None:
    """Let `walk.trial` be the stroke, changed; the opacities only if `opacity` is set."""
    if walk.state[2] == FRESH:
        _draw(walk.change, rng, walk.state[0], opacity)
    walk.trial[:] = stroke
    for k in range(SHAPE):
        walk.trial[k] = unit(stroke[k] + walk.change[k])


@kernel
def settle(walk: Walk, stroke: Floats, better: bool) -> None:
    """Take over the trial if it is better, and decide what to try next."""
    state = walk.state
    if better:
        stroke[:] = walk.trial
        walk.change[:] *= GROW
        state[2] = AGAIN
        return
    state[0] = max(state[1], state[0] * SHRINK)
    if state[2] == FRESH:
        walk.change[:] *= -1.0
        state[2] = OPPOSITE
    else:
        state[2] = FRESH
