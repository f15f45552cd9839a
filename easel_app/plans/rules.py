"""The rule-based inspector: what can be said of a plan at once and without any model.

It scores the format of each call as decoding found it (2 strict, 1 lenient or repaired, 0 failed) and sorts the
parser's problems. Of meaning it says nothing: whether a picture is needed, or missed, is for the other inspectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

from easel_app.plans.problems import KINDS, Area
from easel_app.plans.records import Plan, Problem, Status

VERSION: Final = "plan_rules/1"
FormatScore = Literal[0, 1, 2]
_SCORES: Final[Mapping[Status, FormatScore]] = {"strict": 2, "lenient": 1, "repaired": 1, "failed": 0}


class RuleCall(NamedTuple):
    """What the rules say of one call."""

    call_id: int
    status: Status
    format: FormatScore
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class RuleReport:
    """What the rules say of one plan."""

    calls: tuple[RuleCall, ...]
    areas: Mapping[Area, tuple[Problem, ...]]
    """All problems by what they are about: `format`, `schema` and `plan`, each in the order of the text."""
    findings: tuple[Problem, ...]
    """Those that belong to the plan and to no call of it."""

    @property
    def format_rate(self) -> float | None:
        """Mean format score over 2, [0, 1]; None without calls."""
        return sum(call.format for call in self.calls) / (2 * len(self.calls)) if self.calls else None


def format_score(status: Status) -> FormatScore:
    """The format score of a call, from how its body was decoded."""
    return _SCORES[status]


def rule_report(plan: Plan) -> RuleReport:
    """What the rules say of a plan."""
    areas: dict[Area, list[Problem]] = {area: [] for area in get_args(Area)}
    for problem in plan.problems:
        areas[KINDS[problem.code].area].append(problem)
    return RuleReport(
        calls=tuple(RuleCall(call.id, call.status, format_score(call.status), call.problems) for call in plan.calls),
        areas={area: tuple(found) for area, found in areas.items()},
        findings=tuple(problem for problem in plan.problems if problem.call_id is None),
    )
