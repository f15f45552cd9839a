"""How far inspectors agree with people, from a real store, against other libraries and plain definitions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score, f1_score, matthews_corrcoef

from easel_app.scoring.judge_agreement import JudgeAgreement, Slice
from easel_app.scoring.plan import CRITERIA, call_credit, fs_tier
from easel_app.scoring.uncertainty import wilson
from easel_app.services.plans.figures_views import Agreement
from easel_app.services.plans.people import blind, words
from easel_app.services.plans.plans import Plans
from easel_app.services.problems import NotFound
from easel_app.services.studio import Studio
from easel_app.store.plans import PlanKey
from tests.services.plans.figuring import (
    SET,
    chief,
    empty_plans,
    gap,
    judge,
    make_plans,
    person,
    precision,
    recall,
    report,
    vote,
    vote_on_all,
)

FULL = dict.fromkeys(CRITERIA, 2)
GOOD: dict[str, Any] = {"necessary": True, "boundary_ok": True, "scores": FULL}
BAD: dict[str, Any] = GOOD | {"boundary_ok": False}
Pairs = list[tuple[bool, bool]]
"""What a person says and what the judge says."""


class Said:
    """What the stores hold, read the plain way."""

    def __init__(self, plans: Plans) -> None:
        self.people = words(blind(plans.ballots.votes(SET)))
        self.reports = {(row.answer, row.inspector): row.report for row in plans.inspections.reports("one")}

    def calls(self, part: str) -> Pairs:
        def yes(verdict: Any) -> bool:
            if part == "success":
                return call_credit(verdict).strict == 1
            return bool(verdict[part]) if part in verdict else verdict["scores"][part] == 2

        judged = {
            (answer, call["call_id"]): call
            for (answer, inspector), content in self.reports.items()
            if inspector == "precision" and content
            for call in content["calls"]
        }
        return [
            (yes(verdict), yes(judged[answer, call]))
            for answer, people in self.people.calls.items()
            for own in people.values()
            for call, verdict in own.items()
        ]

    def gaps(self, answer: int) -> list[int]:
        content = self.reports[answer, "recall"]
        assert content
        return [each["after_block"] for each in content["gaps"]]

    def fs(self, answer: int) -> int:
        content = self.reports[answer, "chief"]
        assert content
        return int(content["fs"])


@pytest.fixture(scope="module")
def voted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = empty_plans(tmp_path_factory.mktemp("voted"))
    make_plans(studio.plans, calls=3)
    judge(studio.plans, 1)
    for seed, name in enumerate(("Ada", "Ben", "Cleo")):
        vote_on_all(studio.plans, person(studio.plans, name), seed, 0.8)
    yield studio
    studio.close()


@pytest.fixture(scope="module")
def found(voted: Studio) -> Agreement:
    return voted.plans.agreement.agreement(SET, tell=True)


@pytest.fixture
def plans(tmp_path: object) -> Iterator[Plans]:
    studio = empty_plans(tmp_path)
    make_plans(studio.plans, 3, ("a",))
    yield studio.plans
    studio.close()


def check(told: Slice, pairs: Pairs) -> None:
    """Hold a slice against other libraries on the same pairs."""
    people, judged = (np.array([pair[k] for pair in pairs]) for k in (0, 1))
    found = told.judge_person
    agreed = fmean(people == judged)
    share = (people.mean() + judged.mean()) / 2
    assert found.n == len(pairs)
    assert found.percent_agreement.value == pytest.approx(agreed)
    assert found.cohen_kappa.value == pytest.approx(cohen_kappa_score(people, judged))
    assert found.phi.value == pytest.approx(matthews_corrcoef(people, judged))
    assert found.macro_f1.value == pytest.approx(f1_score(people, judged, average="macro"))
    assert found.gwet_ac1.value == pytest.approx((agreed - 2 * share * (1 - share)) / (1 - 2 * share * (1 - share)))


@pytest.mark.parametrize("part", ["success", "necessary", "boundary_ok", *CRITERIA])
def test_calls_agree_as_scikit_learn_has_it_whole_and_part_by_part(voted: Studio, found: Agreement, part: str) -> None:
    pairs = Said(voted.plans).calls(part)
    assert len(set(pairs)) == 4  # all four cells, so that no statistic is trivial
    check(found.precision.success.overall if part == "success" else found.precision.parts[part], pairs)


def test_calls_are_split_by_what_they_are_and_each_reviewer_stands_alone(found: Agreement) -> None:
    told, groups = found.precision.success, found.precision.success.groups
    assert {name: sorted(labels) for name, labels in groups.items()} == {
        "tool": ["reference", "search"],
        "category": ["Recipe", "Travel"],
        "planner": ["a", "b", "c"],
        "status": ["strict"],
    }
    for labels in groups.values():
        assert sum(each.judge_person.n for each in labels.values()) == told.overall.judge_person.n
    assert found.reviewers == ["Ada", "Ben", "Cleo"]
    assert sum(each.n for each in told.judge_reviewer) == told.overall.judge_person.n
    assert sum(pair.comparison.n for pair in told.reviewer_pairs) == told.overall.person_person.n
    assert (told.overall.coverage.rows, told.overall.judge_person.tasks) == (54, 6)


def test_places_are_judged_one_by_one_a_gap_behind_the_same_block_or_none(voted: Studio, found: Agreement) -> None:
    said, pairs = Said(voted.plans), []
    for answer, people in said.people.gaps.items():
        judged = set(said.gaps(answer))
        for own in people.values():
            missed = {each["after_block"] for each in own}
            pairs += [(place in missed, place in judged) for place in range(8)]  # seven blocks, and before the first
    check(found.recall.places.overall, pairs)


def test_gaps_pair_exactly_and_one_block_apart_beside_what_two_people_reach(voted: Studio, found: Agreement) -> None:
    said = Said(voted.plans)
    lists = {a: [[g["after_block"] for g in own] for own in people.values()] for a, people in said.people.gaps.items()}
    judged = sum(len(said.gaps(answer)) * len(people) for answer, people in lists.items())
    missed = sum(len(own) for people in lists.values() for own in people)
    exact = sum(
        min(own.count(place), said.gaps(answer).count(place))
        for answer, people in lists.items()
        for own in people
        for place in set(own)
    )
    strict, tolerant = found.recall.judge_person
    assert (strict.tolerance, strict.paired, strict.first_only, strict.second_only) == (
        0,
        exact,
        judged - exact,
        missed - exact,
    )
    assert tolerant.tolerance == 1 and tolerant.paired > strict.paired
    people_pairs = sum(len(list(combinations(people, 2))) for people in lists.values())
    assert [each.comparisons for each in found.recall.person_person] == [people_pairs] * 2


def test_final_scores_are_held_together_in_order_in_distance_and_by_tier(voted: Studio, found: Agreement) -> None:
    said = Said(voted.plans)
    pairs = [(own, said.fs(answer)) for answer, people in said.people.fs.items() for own in people.values()]
    means = {answer: fmean(people.values()) for answer, people in said.people.fs.items()}
    rho = spearmanr([said.fs(answer) for answer in means], list(means.values())).statistic
    assert found.chief.fs.ranks.rho == pytest.approx(rho) and found.chief.fs.ranks.n == len(means)
    assert found.chief.fs.difference.value == pytest.approx(fmean(judged - own for own, judged in pairs))
    assert found.chief.fs.absolute_difference.value == pytest.approx(fmean(abs(judged - own) for own, judged in pairs))
    check(found.chief.good.overall, [(own >= 60, judged >= 60) for own, judged in pairs])
    same = fmean(fs_tier(own) == fs_tier(judged) for own, judged in pairs)
    assert found.chief.judge_person.same.value == pytest.approx(same)
    assert sum(map(sum, found.chief.judge_person.table)) == len(pairs)
    counts = [len(own) for own in said.people.gaps.values() for own in own.values()]
    assert found.recall.mi.difference.n == len(counts)


def test_verdicts_on_plans_stand_beside_the_judge_s_tiers(voted: Studio, found: Agreement) -> None:
    said = Said(voted.plans)
    own = [(v, said.fs(a)) for a, people in said.people.plans.items() for v in people.values()]
    table = found.chief.plans
    for k, verdict in enumerate(table.verdicts):
        scores = [fs for v, fs in own if v == verdict]
        assert table.table[k] == [sum(fs_tier(fs).label == tier for fs in scores) for tier in table.tiers]
        assert table.mean_fs[k] == pytest.approx(fmean(scores))
    assert table.unjudged == 0


def test_only_first_words_said_blind_count_and_what_became_of_the_others_is_told(plans: Plans) -> None:
    judge(plans, 1)
    first, second, third = plans.store.keys(SET)
    ada = person(plans, "Ada")
    report(plans, "one", first, "precision", precision([GOOD, GOOD]))
    assert vote(plans, ada, first.id, "call:1", {"about": "call", **BAD})
    assert not vote(plans, ada, first.id, "call:1", {"about": "call", **GOOD})  # drawn to the judge after the reveal
    vote(plans, ada, first.id, "call:2", {"about": "call", **GOOD})
    vote(plans, ada, first.id, "call:2", None)
    vote(plans, ada, first.id, "call:2", {"about": "call", **GOOD})
    vote(plans, ada, second.id, "fs", {"about": "fs", "fs": 50})
    assert not vote(plans, ada, second.id, "call:1", {"about": "call", **GOOD})  # the Chief speaks of every part
    plans.ballots.reveal(ada.id, third.id, "all", "2026")
    assert not vote(plans, ada, third.id, "gaps", {"about": "gaps", "gaps": []})
    found = plans.agreement.agreement(SET)
    assert found.precision.success.overall.judge_person.table == ((0, 0), (1, 0))
    assert found.recall.places.overall.coverage.votes == 0 and found.recall.mi.difference.n == 0
    assert (found.chief.fs.difference.n, found.chief.good.overall.coverage.votes) == (1, 1)
    assert (found.standing.after_reveal, found.standing.withdrawn) == (4, 1)


def test_people_uphold_the_judge_s_own_gaps_or_not(plans: Plans) -> None:
    key = plans.store.keys(SET)[0]
    judge(plans, 1, "one")
    gaps = [gap(1, 1, "unmet_request", "major"), gap(2, 2), gap(3, 3), gap(4, 4)]
    for each in plans.store.keys(SET):
        report(plans, "one", each, "recall", recall(gaps if each == key else []))
    for name, upheld in (("Ada", (1, 1, 0)), ("Ben", (1, 0, 0)), ("Cleo", (1,))):
        who = person(plans, name)
        for number, word in enumerate(upheld, 1):
            vote(plans, who, key.id, f"gap:judge one/{number}", {"about": "gap", "upheld": not word})
            vote(plans, who, key.id, f"gap:judge one/{number}", {"about": "gap", "upheld": bool(word)})
        vote(plans, who, key.id, "gap:another/1", {"about": "gap", "upheld": True})
    upheld = plans.agreement.agreement(SET).recall.upheld
    assert (upheld.votes.k, upheld.votes.n, upheld.gaps.k, upheld.gaps.n, upheld.reported) == (4, 7, 1, 3, 4)
    assert (upheld.votes.low, upheld.votes.high) == wilson(4, 7)
    assert (upheld.by_severity["major"].value, upheld.by_type["procedural_gap"].value) == (1, None)


def test_a_gap_beyond_the_end_is_at_the_end_and_a_plan_without_blocks_has_one_place(plans: Plans) -> None:
    judge(plans, 1)
    keys = plans.store.keys(SET)
    for key in keys:
        report(plans, "one", key, "recall", recall([gap(1, 5000)]))
    last = 5  # of two calls and three paragraphs
    vote(plans, person(plans, "Ada"), keys[0].id, "gaps", {
        "about": "gaps", "gaps": [{"after_block": last, "type": "unmet_request", "note": ""}]
    })  # fmt: skip
    found = plans.agreement.agreement(SET).recall
    assert found.places.overall.judge_person.table == ((1, 0), (0, 5)) and found.judge_person[0].paired == 1


def worst_of(plans: Plans, *who: Any, tell: bool = False) -> list[tuple[int, int]]:
    found = plans.agreement.agreement(SET, None, *who, tell=tell)
    return [(call.answer, call.call) for call in found.precision.worst]


def test_the_list_of_calls_tells_nobody_what_others_say_of_calls_that_wait_for_their_word(plans: Plans) -> None:
    judge(plans, 1)
    first, second, third = plans.store.keys(SET)
    ada, ben = person(plans, "Ada"), person(plans, "Ben")
    for key in (first, second, third):
        report(plans, "one", key, "precision", precision([GOOD, GOOD]))
        vote(plans, ada, key.id, "call:1", {"about": "call", **BAD})
    every = [(first.id, 1), (second.id, 1), (third.id, 1)]
    assert worst_of(plans, tell=True) == worst_of(plans, ada) == every
    assert worst_of(plans) == worst_of(plans, ben) == []
    vote(plans, ben, first.id, "call:1", {"about": "call", **GOOD})
    plans.ballots.reveal(ben.id, second.id, "all", "2026")
    assert sorted(worst_of(plans, ben)) == every[:2]
    assert [plans.agreement.agreement(SET, None, who).hidden for who in (ben, ada, None)] == [3, 3, 6]


def test_the_worst_calls_are_those_that_surely_differ(plans: Plans) -> None:
    judge(plans, 1)
    first, second, _ = plans.store.keys(SET)
    people = [person(plans, name) for name in ("Ada", "Ben", "Cleo")]
    for key in (first, second):
        report(plans, "one", key, "precision", precision([GOOD, GOOD]))
    for who in people:
        vote(plans, who, second.id, "call:2", {"about": "call", **BAD})
    vote(plans, people[0], first.id, "call:1", {"about": "call", **BAD})
    top, other = plans.agreement.agreement(SET, tell=True).precision.worst
    assert (top.answer, top.call, top.tool, top.judge, top.votes, top.differing) == (second.id, 2, "search", True, 3, 3)
    assert (other.answer, other.votes) == (first.id, 1) and top.surely > other.surely


def test_the_weakest_groups_are_the_lowest_of_those_below_all_calls_with_enough_votes(found: Agreement) -> None:
    success = found.precision.success
    every = {
        (grouping, label): part.judge_person
        for grouping, labels in success.groups.items()
        for label, part in labels.items()
    }
    of_all = success.overall.judge_person.cohen_kappa.value
    assert of_all is not None
    below = {
        key: own.cohen_kappa
        for key, own in every.items()
        if own.n >= 20 and own.cohen_kappa.value is not None and own.cohen_kappa.value < of_all
    }
    weakest = found.precision.weakest
    assert below and len(weakest) == min(3, len(below))
    lowest = sorted(kappa.value for kappa in below.values() if kappa.value is not None)
    assert [one.kappa for one in weakest] == lowest[: len(weakest)]
    for one in weakest:
        kappa, own = below[one.grouping, one.label], every[one.grouping, one.label]
        assert (one.n, one.percent, one.kappa) == (own.n, own.percent_agreement.value, kappa.value)
        assert one.surely == (kappa.high is not None and kappa.high < of_all)


def test_every_list_by_reviewer_has_all_reviewers_in_one_order(plans: Plans) -> None:
    judge(plans, 1)
    key = plans.store.keys(SET)[0]
    vote(plans, person(plans, "Zoe"), key.id, "fs", {"about": "fs", "fs": 5})
    vote(plans, person(plans, "Ada"), key.id, "gaps", {"about": "gaps", "gaps": []})
    found = plans.agreement.agreement(SET)
    lists: list[JudgeAgreement] = [found.precision.success, found.recall.places, found.chief.good]
    assert found.reviewers == ["Ada", "Zoe"] and {len(each.judge_reviewer) for each in lists} == {2}
    assert [pair.n for pair in found.chief.fs.judge_reviewer] == [0, 1]
    assert [pair.n for pair in found.recall.mi.judge_reviewer] == [1, 0]


def test_what_is_published_stands_beside_ours_and_warnings_name_the_judge(found: Agreement) -> None:
    assert [row.percent for row in found.published] == [84.0, 85.88, 88.0]
    assert [warn.code for warn in found.warnings] == ["judges_differ", "one_model"]
    assert (found.judge, found.models["chief"]) == ("judge one", "m")


def test_it_is_kept_until_something_comes_in_and_then_made_anew(plans: Plans) -> None:
    judge(plans, 1)
    judge(plans, 2, "two")
    key: PlanKey = plans.store.keys(SET)[0]
    one = plans.agreement.agreement(SET, "one")
    assert (
        plans.agreement.agreement(SET).chief is one.chief
        and plans.agreement.agreement(SET, "two").chief is not one.chief
    )
    report(plans, "one", key, "chief", chief(1))
    assert plans.agreement.agreement(SET).chief is not one.chief


def test_without_a_judge_without_people_or_without_plans_all_numbers_are_missing_not_zero(plans: Plans) -> None:
    alone = plans.agreement.agreement(SET, tell=True)
    assert alone.inspection_id is None and alone.precision.success.overall.judge_person.cohen_kappa.value is None
    assert alone.recall.upheld.votes.value is None and alone.chief.judge_person.same.value is None
    vote_on_all(plans, person(plans, "Ada"), 1)
    people = plans.agreement.agreement(SET, tell=True)
    assert people.precision.success.overall.coverage.votes == 6 and people.precision.worst == []
    assert people.chief.plans.unjudged == 3
    plans.store.create(plans.library.set(SET)._replace(id="empty", name="Empty"))
    nothing = plans.agreement.agreement("empty")
    assert nothing.precision.success.overall.coverage.rows == nothing.hidden == 0
    for wrong in (("none such", None), (SET, "none such")):
        with pytest.raises(NotFound):
            plans.agreement.agreement(*wrong)
