"""How a player went about a task, whatever came of it: ``conduct/1``.

The paper (arXiv 2608.25417, section 4) logs invalid actions, undo and submit behaviour and tells of draw-undo loops
without formulas; the definitions here are ours. What is not defined is left empty (None), never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

VERSION = "conduct/1"


class Deed(NamedTuple):
    """One action, by what it was and what became of it."""

    kind: str
    """``brush_stroke``, ``undo``, ``submit`` or ``invalid``."""
    outcome: str
    """``applied``, ``rejected`` or ``invalid``."""


class Conduct(NamedTuple):
    """How a rollout went."""

    invalid_rate: float | None
    """Share of the steps whose action could not be read; None without a step."""
    rejected_rate: float | None
    """Share of the steps that broke a rule of the task, such as a stroke that touches a wall; None without a step."""
    undos: int
    """Undo steps, those that had nothing to take back included."""
    draw_undo_loops: int
    """Undo steps that take back the stroke that the step just before painted."""
    submit_percent: float | None
    """Steps used at the submit over the budget, times 100; 100 when the budget was spent; None before either, and
    where there is no budget."""


def conduct(deeds: Sequence[Deed], budget: int | None) -> Conduct:
    """The conduct of a rollout.

    Args:
        deeds: its actions in order; all but a submit cost a step.
        budget: its steps; None in practice.

    Example:
        >>> conduct([Deed("brush_stroke", "applied"), Deed("undo", "applied"), Deed("submit", "applied")], 8)
        Conduct(invalid_rate=0.0, rejected_rate=0.0, undos=1, draw_undo_loops=1, submit_percent=25.0)
    """
    steps = [deed for deed in deeds if deed.kind != "submit"]
    painted, undone = Deed("brush_stroke", "applied"), Deed("undo", "applied")
    ended = bool(budget) and (len(steps) < len(deeds) or len(steps) >= (budget or 0))
    return Conduct(
        invalid_rate=_share(steps, "invalid"),
        rejected_rate=_share(steps, "rejected"),
        undos=sum(deed.kind == "undo" for deed in steps),
        draw_undo_loops=sum(pair == (painted, undone) for pair in pairwise(steps)),
        submit_percent=100 * len(steps) / budget if ended and budget else None,
    )


def _share(steps: Sequence[Deed], outcome: str) -> float | None:
    return sum(deed.outcome == outcome for deed in steps) / len(steps) if steps else None
