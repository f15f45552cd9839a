"""What may be shown to whom of what judges and people say of a plan.

Nothing is told of a part before the person has voted on it, or has asked to see it (`store.plan_votes` records both).
A reader without a name may read everything, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from easel_app.store.plan_votes import ALL, FINAL

GAPS: Final = "gaps"
PLAN: Final = "plan"


class Sight(NamedTuple):
    """The parts of one answer of which a person may see what others say."""

    everything: bool
    parts: frozenset[str] = frozenset()

    def shows(self, part: str) -> bool:
        """Whether what others say of a part may be shown."""
        return self.everything or part in self.parts

    def shows_call(self, call: int) -> bool:
        """Whether the verdicts on a call may be shown."""
        return self.shows(call_part(call))

    def shows_all_calls(self, calls: int) -> bool:
        """Whether what is said of all calls together may be shown.

        Of a plan without calls that is a word on what is missing, so it goes with the gaps.
        """
        return all(map(self.shows_call, range(1, calls + 1))) if calls else self.shows(GAPS)

    def shows_all(self, calls: int) -> bool:
        """Whether nothing is kept back of a plan with that many calls."""
        return self.shows_all_calls(calls) and all(map(self.shows, (GAPS, FINAL, PLAN)))


NOTHING: Final = Sight(False)
EVERYTHING: Final = Sight(True)


def sight_of(revealed: Iterable[str]) -> Sight:
    """What a person may see who has seen others' words on these parts."""
    parts = frozenset(revealed)
    return Sight(ALL in parts, parts)


def call_part(call: int) -> str:
    """The part that is a call."""
    return f"call:{call}"


def gap_part(judge: str, gap: int) -> str:
    """The part that is a gap which a judge reports."""
    return f"gap:{judge}/{gap}"


def open_parts(calls: int, *, no_output: bool) -> list[str]:
    """The parts of a plan with that many calls on which everybody is asked to vote; of an answer that is none, one."""
    if no_output:
        return [PLAN]
    return [*map(call_part, range(1, calls + 1)), GAPS, FINAL, PLAN]
