"""Plans with what a judge or people say of them, as `scoring.plan_table` takes them.

Records of people are made of their present words. Each person's word on a plan counts as one: who said something of a
plan gives one record, so a plan that three people scored has three in the means. SR takes a person's calls only when
they gave a verdict on each; where nobody did, the plan is open, by the verdicts of whoever gave the most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from easel_app.plans.outline import Outline
from easel_app.scoring.plan import Verdict
from easel_app.scoring.plan_sums import PlanRecord
from easel_app.services.plans.figures_views import PEOPLE
from easel_app.services.plans.judged import Judged
from easel_app.services.plans.people import Words
from easel_app.store.plans import PlanKey

Answers = Sequence[tuple[PlanKey, Outline]]


def _record(key: PlanKey, found: Outline, judge: str | None) -> PlanRecord:
    """A plan without what anybody says of it."""
    return PlanRecord(
        query=key.query_id,
        planner=key.planner,
        judge=judge,
        category=key.category,
        calls=[None] * len(found.tools),
        tools=found.tools,
        reference_tools=found.reference_tools,
        statuses=found.statuses,
        cited=found.cited,
        reference_cited=found.reference_cited,
        pool_size=found.pool_size,
    )


def _said(
    record: PlanRecord, calls: Sequence[Verdict | None], gaps: Sequence[Mapping[str, str]] | None, fs: float | None
) -> PlanRecord:
    """The same with what somebody says of it."""
    kinds = None if gaps is None else [gap["type"] for gap in gaps]
    return replace(record, calls=calls, gaps=kinds, fs=fs)


def plain_records(answers: Answers) -> Iterator[PlanRecord]:
    """The plans, of whom nobody says anything."""
    return (_record(key, found, None) for key, found in answers)


def by_judge(answers: Answers, by: str, own: Judged) -> Iterator[PlanRecord]:
    """The plans with what one judge says of each."""
    for key, found in answers:
        calls = verdicts_on(own.calls.get(key.id, {}), found)
        yield _said(_record(key, found, by), calls, own.gaps.get(key.id), own.fs.get(key.id))


def by_people(answers: Answers, said: Words) -> Iterator[PlanRecord]:
    """A record for each person who said something of a plan."""
    for key, found in answers:
        verdicts = {name: verdicts_on(own, found) for name, own in said.calls.get(key.id, {}).items()}
        counted = {name: own for name, own in verdicts.items() if None not in own}
        people = {name for of in (said.calls, said.gaps, said.fs, said.plans) for name in of.get(key.id, {})}
        if people and found.tools and not counted:  # nobody has looked at every call: the plan is open
            nearest = max(sorted(people), key=lambda name: sum(v is not None for v in verdicts.get(name, ())))
            counted = {nearest: verdicts.get(nearest, [None] * len(found.tools))}
        for name in sorted(people):
            gaps, fs = said.gaps.get(key.id, {}).get(name), said.fs.get(key.id, {}).get(name)
            yield _said(_record(key, found, PEOPLE), counted.get(name, ()), gaps, fs)


def verdicts_on(own: Mapping[int, Verdict], found: Outline) -> list[Verdict | None]:
    """What somebody says of each call of a plan; None for one that is open."""
    return [own.get(call) for call in range(1, len(found.tools) + 1)]
