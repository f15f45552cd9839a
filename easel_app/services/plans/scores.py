"""What the planners of a set score, by each judge and by people, and how alike these order planners and plans."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from easel_app.scoring.plan_table import VERSION, PlanRow, plan_table
from easel_app.scoring.rank_correlation import FEWEST
from easel_app.services.judge_names import judge_names
from easel_app.services.plans.figures_views import PEOPLE, PlainRow, PlanScores, Rater, ScoreRow, Warn
from easel_app.services.plans.judged import Judged, judged, one_model
from easel_app.services.plans.judges import models_of
from easel_app.services.plans.library import PlanLibrary
from easel_app.services.plans.people import Words, blind, current, words
from easel_app.services.plans.published import judges_differ, one_voice
from easel_app.services.plans.ranks import correlations
from easel_app.services.plans.score_records import Answers, by_judge, by_people, plain_records
from easel_app.store.judges import JudgingRecord
from easel_app.store.plan_votes import PlanVoteStore

MOST_KEPT = 8
"""Sets whose scores are kept until something new comes in."""


class _Fresh(NamedTuple):
    """What scores are computed from: when one of these changes, they are out of date."""

    answers: int
    judges: int
    report: int
    vote: int


class ScoreService:
    """PlanScores the plans of sets."""

    def __init__(self, library: PlanLibrary, ballots: PlanVoteStore) -> None:
        self._library, self._ballots = library, ballots
        self._kept: dict[str, tuple[_Fresh, PlanScores]] = {}
        self._computing = threading.Lock()

    def scores(self, set_id: str) -> PlanScores:
        """What the planners of a set score.

        Raises:
            NotFound: no such set.
        """
        self._library.set(set_id)
        fresh = _Fresh(
            self._library.store.counts(set_id)["answers"],
            len(self._library.inspections.judgings(set_id)),
            self._library.inspections.last(set_id),
            self._ballots.last(set_id),
        )
        with self._computing:  # a second caller waits for the first one's answer
            kept = self._kept.pop(set_id, None)
            found = kept[1] if kept and kept[0] == fresh else self._compute(set_id)
            self._kept = dict([*list(self._kept.items())[1 - MOST_KEPT :], (set_id, (fresh, found))])
        return found

    def _compute(self, set_id: str) -> PlanScores:
        record, outlines = self._library.set(set_id), self._library.outlines(set_id)
        answers = [(key, found) for key, found in outlines if not found.no_output]
        judgings = self._library.reporting(set_id)
        judges = {each.id: judged(self._library.inspections.reports(each.id)) for each in judgings}
        votes = self._ballots.votes(set_id)
        now, before = words(current(votes)), words(blind(votes))
        names = judge_names(self._library.inspections.judgings(set_id))
        raters = [*_judges(judgings, judges, names), *_people(now)]
        spoken_of = _spoken_of(answers, now)
        by_judges = chain.from_iterable(by_judge(answers, by, own) for by, own in judges.items())
        table = plan_table([*plain_records(answers), *by_judges, *by_people(answers, now)]).rows
        plain = [_plain_row(row, outlines) for row in table if row.judge is None]
        return PlanScores(
            set_id=set_id,
            sample=record.sample,
            version=VERSION,
            raters=raters,
            categories=sorted({key.category for key, _ in outlines if key.category is not None}),
            planners=sorted({key.planner for key, _ in outlines}),
            rows=[_score_row(row, spoken_of) for row in table if row.judge is not None],
            plain=plain,
            ranks=list(correlations(answers, table, judges, before)),
            warnings=list(_warnings(raters, plain, sample=record.sample)),
        )


def _judges(
    judgings: Sequence[JudgingRecord], judges: Mapping[str, Judged], names: Mapping[str, str]
) -> Iterator[Rater]:
    for each in judgings:
        models, own = models_of(each), judges[each.id]
        yield Rater(
            by=each.id,
            judge=names[each.id],
            kind="judge",
            origin="run" if each.origin == "run" else "imported",
            models=models,
            one_model=one_model(models),
            plans={"precision": len(own.calls), "recall": len(own.gaps), "chief": len(own.fs)},
        )


def _people(said: Words) -> Iterator[Rater]:
    if count := len(said.reviewers):
        yield Rater(
            by=PEOPLE,
            judge=f"People ({count} reviewer{'s' if count > 1 else ''})",
            kind="people",
            origin="people",
            models={},
            one_model=False,
            plans={"precision": len(said.calls), "recall": len(said.gaps), "chief": len(said.fs)},
        )


def _spoken_of(answers: Answers, said: Words) -> Counter[tuple[str, str | None]]:
    """Plans of which people said something, by planner and category; None for all."""
    keys = [key for key, _ in answers if key.id in said.answers]
    return Counter((key.planner, category) for key in keys for category in {None, key.category})


def _score_row(row: PlanRow, spoken_of: Mapping[tuple[str, str | None], int]) -> ScoreRow:
    shared = {name: getattr(row, name) for name in ScoreRow.model_fields if name not in ("by", "plans", "verdicts")}
    plans = spoken_of[row.planner, row.category] if row.judge == PEOPLE else row.plans
    return ScoreRow(by=row.judge or "", plans=plans, verdicts=row.plans, **shared)


def _plain_row(row: PlanRow, outlines: Answers) -> PlainRow:
    lost = sum(
        found.no_output and key.planner == row.planner and row.category in (None, key.category)
        for key, found in outlines
    )
    shared = {name: getattr(row, name) for name in PlainRow.model_fields if name != "no_output"}
    return PlainRow(no_output=lost, **shared)


def _warnings(raters: Sequence[Rater], plain: Sequence[PlainRow], *, sample: bool) -> Iterator[Warn]:
    judges = [rater for rater in raters if rater.kind == "judge"]
    planners = len({row.planner for row in plain})
    if sample:
        yield Warn(code="sample", text="The set was made up, so no figure of it says anything about a model.")
    if judges:
        yield judges_differ()
    yield from (one_voice(rater.judge, rater.models["chief"]) for rater in judges if rater.one_model)
    if judges and planners < FEWEST:
        text = f"Rank correlations over planners have an interval and a p from {FEWEST} on; here there are {planners}."
        yield Warn(code="few_planners", text=text)
    if len({n for rater in judges for n in rater.plans.values()}) > 1:
        text = "Inspectors have reports on different numbers of plans; each figure tells its own n."
        yield Warn(code="partial", text=text)
    if lost := sum(row.no_output for row in plain if row.category is None):
        are, stand = ("s are", "stand") if lost > 1 else (" is", "stands")
        text = f"{lost} answer{are} no output, as after a time-out, and {stand} in no figure."
        yield Warn(code="no_output", text=text)
    yield Warn(
        code="plan_not_execution",
        text="These are scores of plans, which nobody has executed: a good plan is not a good execution.",
    )
