"""What a family of tasks makes of a size and a seed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.painting.truth import Truth


class Draft(NamedTuple):
    """A semantic task as it is generated."""

    picture: NDArray[np.uint8]
    """The start canvas, uint8 (n, n, 3), sRGB."""
    truth: Truth
    title: str
    """What is seen, such as ``Maze 7``."""
    instruction: str
    """What to do, in one or two sentences, without giving the answer away."""
    budget: int
    """Steps."""
