"""A fixed subset of the benchmark, on fonts that nothing was tuned on, with floors that show when reading gets worse.

The floors lie about .05 below what was measured; python -m benchmarks.handwriting tells the real numbers.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from benchmarks.handwriting.sets import Drawing, foreign, typed, written
from easel_app.handwriting import read
from easel_app.scoring.handwriting import alignment, positional_match

FLOORS = {
    "print, clean": 0.95,
    "print, jittered": 0.88,
    "print, touching": 0.58,
    "print, capitals": 0.93,
    "plotter, clean": 0.90,
    "cursive, joined": 0.93,
}


@cache
def subset() -> dict[str, list[Drawing]]:
    """One word of each font in each set, ten drawings at most."""
    found: dict[str, list[Drawing]] = {name: [] for name in FLOORS}
    for kind in ("print", "plotter", "cursive"):
        for drawing in written("test", kind, 1):
            if drawing.set in found:
                found[drawing.set].append(drawing)
    return {name: drawings[:10] for name, drawings in found.items()}


def mean_match(drawings: list[Drawing]) -> float:
    return float(np.mean([positional_match(read(d.canvas()).letters, d.word) for d in drawings]))


@pytest.mark.parametrize(("name", "floor"), FLOORS.items())
def test_letters_of_unseen_fonts_are_read(name: str, floor: float) -> None:
    assert len(subset()[name]) >= 7
    assert mean_match(subset()[name]) >= floor


def test_an_agent_that_spares_strokes_is_read() -> None:
    plain = [drawing for drawing in typed() if drawing.set == "agent"]
    assert mean_match(plain) >= 0.99


def test_scribbles_and_mirror_writing_earn_next_to_nothing() -> None:
    drawings = list(foreign("test", scribbles=14, mirrors=10))
    credit: dict[str, list[float]] = {"scribbles": [], "mirrored": []}
    for drawing in drawings:
        credit[drawing.set].append(positional_match(read(drawing.canvas()).letters, "hello"))
    assert np.mean(credit["scribbles"]) <= 0.02
    assert np.mean(credit["mirrored"]) <= 0.10


def test_an_entry_stroke_is_no_letter() -> None:
    """The school cursive that `rules/1` read as "hiello"."""
    joined = [d for d in written("test", "cursive", 1) if d.set == "cursive, joined" and d.font.startswith("playwrite")]
    assert [alignment(read(d.canvas()).letters, d.word) for d in joined] == [1.0]
