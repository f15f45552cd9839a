"""The kinds of sets of data that are judged."""

from __future__ import annotations

from typing import NamedTuple


class Wing(NamedTuple):
    """One kind of sets."""

    name: str
    """Of its commands, its routes and its tab, such as `rubrics`."""
    one: str
    """What one of its sets is called, such as "rubric set"."""
    judging: str
    """What one judge's work on a set is called, such as "judging"."""


RUBRICS = Wing("rubrics", "rubric set", "judging")
PLANS = Wing("plans", "set of plans", "inspection")
