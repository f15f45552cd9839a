"""How far to trust three inspectors: each beside people, these beside each other, by blind words alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from easel_app.scoring.agreement import VERSION
from easel_app.scoring.gap_pairing import Pairing, pairing
from easel_app.scoring.judge_agreement import JudgeAgreement, judge_agreement, worst_criteria
from easel_app.scoring.number_agreement import number_agreement
from easel_app.scoring.plan import GAPS, TIERS
from easel_app.scoring.tier_agreement import TierAgreement, tier_agreement, tier_places
from easel_app.scoring.uncertainty import RESAMPLES, wilson
from easel_app.scoring.verdicts import NO_VERDICT, Codes, Floats, Mask
from easel_app.services.judge_names import judge_names
from easel_app.services.plans.agreement_rows import PARTS, Indices, Places, Rows, groups
from easel_app.services.plans.figures_views import (
    Agreement,
    ChiefAgreement,
    Grouping,
    LeftOut,
    PlanVerdicts,
    PrecisionAgreement,
    RecallAgreement,
    Share,
    Upheld,
    Verdict,
    WeakGroup,
    WorstCall,
)
from easel_app.services.plans.judged import Judged, judged, one_model
from easel_app.services.plans.judges import models_of
from easel_app.services.plans.library import PlanLibrary
from easel_app.services.plans.people import Words, blind, current, fate, words
from easel_app.services.plans.published import judges_differ, one_voice, published
from easel_app.services.reviewers import Person
from easel_app.store.plan_votes import ALL, FINAL, PlanVoteStore

MOST_KEPT = 16
"""Agreements that are kept until a vote or a report comes in."""
MOST_WORST = 20
"""Calls that are listed."""
GOOD = 60
"""FS from which a plan is useful: where the second best tier begins."""
TOLERANCES = (0, 1)
"""Blocks that two gaps may be apart to be paired."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
FEWEST_IN_GROUP = 20
"""Verdicts that a group has to have to be among the weakest."""
MOST_WEAK = 3
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)


class _Computed(NamedTuple):
    agreement: Agreement
    """Without its worst calls."""
    worst: list[WorstCall]
    calls: set[tuple[int, int]]
    """All calls of the set, by answer and number."""


class AgreementService:
    """Computes agreements; one is kept until something new comes in."""

    def __init__(self, library: PlanLibrary, ballots: PlanVoteStore) -> None:
        self._library, self._ballots = library, ballots
        self._kept: dict[tuple[str, str | None], tuple[tuple[int, ...], _Computed]] = {}
        self._computing = threading.Lock()

    def agreement(
        self, set_id: str, inspection_id: str | None = None, person: Person | None = None, *, tell: bool = False
    ) -> Agreement:
        """The agreement of one judge of a set with people.

        Args:
            set_id: which set.
            inspection_id: which judge; None: the set's first.
            person: who asks; the list of calls leaves out those on which they may still say something blind. Of
                somebody unknown that may be any.
            tell: whether the list tells everything all the same.

        Raises:
            NotFound: no such set or inspection.
        """
        computed = self._computed(set_id, inspection_id)
        waiting = set() if tell else computed.calls - self._told(set_id, person, computed.calls)
        worst = [one for one in computed.worst if (one.answer, one.call) not in waiting][:MOST_WORST]
        precision = computed.agreement.precision.model_copy(update={"worst": worst})
        return computed.agreement.model_copy(update={"precision": precision, "hidden": len(waiting)})

    def _told(self, set_id: str, person: Person | None, calls: set[tuple[int, int]]) -> set[tuple[int, int]]:
        """The calls of which a person knows what others say, or may."""
        if person is None:
            return set()
        revealed = self._ballots.revealed_in(person.id, set_id)
        return {(answer, call) for answer, call in calls if revealed.get(answer, set()) & {ALL, FINAL, f"call:{call}"}}

    def _computed(self, set_id: str, inspection_id: str | None) -> _Computed:
        self._library.set(set_id)
        inspection = self._library.judging(set_id, inspection_id)
        fresh = (
            self._library.store.counts(set_id)["answers"],
            self._library.inspections.last(set_id),
            self._ballots.last(set_id),
        )
        with self._computing:  # a second caller waits for the first one's answer
            kept = self._kept.pop((set_id, inspection), None)
            found = kept[1] if kept and kept[0] == fresh else self._compute(set_id, inspection)
            self._kept = dict([*list(self._kept.items())[1 - MOST_KEPT :], ((set_id, inspection), (fresh, found))])
        return found

    def _compute(self, set_id: str, inspection: str | None) -> _Computed:
        judgings = self._library.inspections.judgings(set_id)
        record = next((each for each in judgings if each.id == inspection), None)
        name = judge_names(judgings)[record.id] if record else None
        own = judged(self._library.inspections.reports(inspection)) if inspection else Judged()
        votes = self._ballots.votes(set_id)
        answers = [(key, found) for key, found in self._library.outlines(set_id) if not found.no_output]
        rows = Rows(answers, own, words(blind(votes)))
        found, models = fate(votes), models_of(record) if record else {}
        agreement = Agreement(
            set_id=set_id,
            sample=self._library.set(set_id).sample,
            inspection_id=inspection,
            judge=name,
            models=models,
            version=VERSION,
            resamples=RESAMPLES,
            reviewers=rows.reviewers,
            precision=self._precision(rows),
            recall=_recall(rows, _upheld(name or "", own, words(current(votes)))),
            chief=_chief(rows),
            published=published().agreement,
            standing=LeftOut(after_reveal=found.after_reveal, withdrawn=found.withdrawn),
            hidden=0,
            warnings=[judges_differ()] if record else [],
        )
        if record and one_model(models):
            agreement.warnings.append(one_voice(name or "", models["chief"]))
        calls = {(row.key.id, row.call) for row in rows.calls}
        return _Computed(agreement, _worst(rows), calls)

    def _precision(self, rows: Rows) -> PrecisionAgreement:
        judge, people = rows.verdicts
        query = np.array([row.key.query for row in rows.calls], np.intp)
        by = {
            "tool": groups(row.tool or "none" for row in rows.calls),
            "category": groups(row.key.category for row in rows.calls),
            "planner": groups(row.key.planner for row in rows.calls),
            "status": groups(self._statuses(rows)),
        }
        found = {
            name: judge_agreement(query, judge[:, part], people[:, :, part], groupings=by if not part else None)
            for part, name in enumerate(PARTS)
        }
        parts = {name: found[name].overall for name in PARTS[1:]}
        return PrecisionAgreement(success=found[PARTS[0]], parts=parts, worst=[], weakest=_weakest(found[PARTS[0]]))

    def _statuses(self, rows: Rows) -> Iterator[str | None]:
        """How each call was read, of plans on whose calls somebody voted: only those have to be looked at again."""
        for row in rows.calls:
            voted = row.key.id in rows.people.calls
            yield self._library.read(row.key.id).plan.call(row.call).status if voted else None


def _weakest(success: JudgeAgreement) -> list[WeakGroup]:
    """The groups on which the judge agrees least with people, the lowest first (see `PrecisionAgreement.weakest`)."""
    of_all = success.overall.judge_person.cohen_kappa.value
    found = []
    for grouping in GROUPINGS:
        for label, part in success.groups.get(grouping, {}).items():
            both = part.judge_person
            percent, kappa, high = both.percent_agreement.value, both.cohen_kappa.value, both.cohen_kappa.high
            if of_all is None or percent is None or kappa is None or both.n < FEWEST_IN_GROUP or kappa >= of_all:
                continue
            surely = high is not None and high < of_all
            found.append(
                WeakGroup(grouping=grouping, label=label, n=both.n, percent=percent, kappa=kappa, surely=surely)
            )
    return sorted(found, key=lambda one: (one.kappa, -one.n, one.grouping, one.label))[:MOST_WEAK]


def _worst(rows: Rows) -> list[WorstCall]:
    judge, people = rows.verdicts
    if not rows.calls:
        return []
    found = worst_criteria(np.arange(len(rows.calls)), judge[:, 0], people[:, :, 0])
    return [
        WorstCall(
            answer=row.key.id,
            query_id=row.key.query_id,
            planner=row.key.planner,
            attempt=row.key.attempt,
            call=row.call,
            tool=row.tool,
            judge=bool(judge[one.criterion, 0]),
            votes=one.votes,
            differing=one.differing,
            surely=one.surely,
        )
        for one in found
        for row in (rows.calls[one.criterion],)
    ]


def _recall(rows: Rows, upheld: Upheld) -> RecallAgreement:
    plan, judge, people = rows.places
    judge_person: list[tuple[int, Places]] = []
    person_person: list[tuple[int, Places]] = []
    for number, (key, _) in enumerate(rows.answers):
        own, lists = rows.judge_gaps(number), rows.people_gaps(number)
        if own is not None:
            judge_person += [(key.query, (own, each)) for each in lists.values()]
        person_person += [(key.query, two) for two in combinations(lists.values(), 2)]
    counted = rows.counts
    return RecallAgreement(
        places=judge_agreement(rows.query[plan], judge, people, groupings=_by_plan(rows, plan)),
        judge_person=[_paired(judge_person, tolerance, both_ways=False) for tolerance in TOLERANCES],
        person_person=[_paired(person_person, tolerance, both_ways=True) for tolerance in TOLERANCES],
        upheld=upheld,
        mi=number_agreement(rows.query, *counted),
    )


def _paired(found: Sequence[tuple[int, Places]], tolerance: int, *, both_ways: bool) -> Pairing:
    clusters = np.array([query for query, _ in found], np.intp)
    return pairing(clusters, [places for _, places in found], tolerance, both_ways=both_ways)


def _by_plan(rows: Rows, plan: Indices) -> dict[str, dict[str, Mask]]:
    """Masks of rows by what their plans are, of which `plan` has the places among the answers."""
    keys = [key for key, _ in rows.answers]
    by = {"category": groups(key.category for key in keys), "planner": groups(key.planner for key in keys)}
    return {name: {label: mask[plan] for label, mask in masks.items()} for name, masks in by.items()}


def _upheld(judge: str, own: Judged, said: Words) -> Upheld:
    """What people say now of the gaps that the judge reports."""
    gaps = {(answer, f"{judge}/{gap['gap_id']}"): gap for answer, gaps in own.gaps.items() for gap in gaps}
    words_on = {
        (answer, key): [upheld[key] for upheld in said.upheld.get(answer, {}).values() if key in upheld]
        for answer, key in gaps
    }
    known = {key: found for key, found in words_on.items() if found}

    def of(name: str, value: str) -> Share:
        return _share([word for key, found in known.items() if gaps[key][name] == value for word in found])

    severities: tuple[Literal["minor", "major"], ...] = ("minor", "major")
    return Upheld(
        votes=_share([word for found in known.values() for word in found]),
        gaps=_share([2 * sum(found) > len(found) for found in known.values()]),
        by_type={kind: of("type", kind) for kind in GAPS},
        by_severity={severity: of("severity", severity) for severity in severities},
        reported=len(gaps),
    )


def _share(said: Sequence[bool]) -> Share:
    k, n = sum(said), len(said)
    ends = wilson(k, n)
    low, high = ends or (None, None)
    return Share(k=k, n=n, value=k / n if n else None, low=low, high=high)


def _chief(rows: Rows) -> ChiefAgreement:
    judge, people = rows.final
    everywhere = np.arange(len(rows.answers))
    return ChiefAgreement(
        fs=number_agreement(rows.query, judge, people),
        good=judge_agreement(rows.query, _good(judge), _good(people), groupings=_by_plan(rows, everywhere)),
        judge_person=_tiers(rows, [(column, judge) for column in people.T], both_ways=False),
        person_person=_tiers(rows, list(combinations(people.T, 2)), both_ways=True),
        plans=_plan_verdicts(rows, judge),
    )


def _good(fs: Floats) -> Codes:
    return np.where(np.isnan(fs), NO_VERDICT, fs >= GOOD).astype(np.int8)


def _tiers(rows: Rows, pairs: Sequence[tuple[Floats, Floats]], *, both_ways: bool) -> TierAgreement:
    first, second = (np.concatenate([np.empty(0), *[pair[k] for pair in pairs]]) for k in (0, 1))
    return tier_agreement(np.tile(rows.query, len(pairs)), first, second, both_ways=both_ways)


def _plan_verdicts(rows: Rows, judge: Floats) -> PlanVerdicts:
    scores: dict[str, list[float]] = {verdict: [] for verdict in VERDICTS}
    unjudged = 0
    for (key, _), fs in zip(rows.answers, judge.tolist(), strict=True):
        for verdict in rows.people.plans.get(key.id, {}).values():
            if np.isnan(fs):
                unjudged += 1
            else:
                scores[verdict].append(fs)
    tiers = [np.bincount(tier_places(found).astype(np.intp), minlength=len(TIERS)) for found in scores.values()]
    return PlanVerdicts(
        verdicts=list(VERDICTS),
        tiers=[tier.label for tier in TIERS],
        table=[counts.tolist() for counts in tiers],
        mean_fs=[float(np.mean(found)) if found else None for found in scores.values()],
        unjudged=unjudged,
    )
