"""What planners score by judges and by people, from a real store."""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import fmean

import pytest

from easel_app.plans.files import AnswerRecord
from easel_app.scoring.plan import call_credit, call_rate
from easel_app.services.plans.figures_views import PEOPLE, PlanScores, Ranks, ScoreRow
from easel_app.services.plans.plans import Plans
from easel_app.services.plans.scores import ScoreService
from easel_app.services.problems import NotFound
from easel_app.services.studio import Studio
from easel_app.store.judges import JudgingRecord
from easel_app.store.sets import SetRecord
from tests.services.plans.figuring import (
    SET,
    chief,
    empty_plans,
    judge,
    make_plans,
    person,
    precision,
    report,
    verdict,
    vote,
    vote_on_all,
)
from tests.services.plans.making import add_answer

GOOD = {
    "necessary": True,
    "boundary_ok": True,
    "scores": dict.fromkeys(("placement", "coherence", "parameters", "format"), 2),
}
BAD = GOOD | {"necessary": False}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Two judges on everything, the second with a model in each role; three people on most of it."""
    studio = empty_plans(tmp_path_factory.mktemp("judged"))
    make_plans(studio.plans, planners=("a", "b", "c", "d"), sample=True)
    judge(studio.plans, 1)
    judge(studio.plans, 2, "two", roles={"precision": "x", "recall": "y", "chief": "z"})
    for seed, name in enumerate(("Ada", "Ben", "Cleo")):
        vote_on_all(studio.plans, person(studio.plans, name), seed, 0.8)
    yield studio
    studio.close()


@pytest.fixture
def plans(tmp_path: object) -> Iterator[Plans]:
    studio = empty_plans(tmp_path)
    make_plans(studio.plans, 2, ("a",))
    yield studio.plans
    studio.close()


def row(found: PlanScores, planner: str, by: str, category: str | None = None) -> ScoreRow:
    return next(r for r in found.rows if (r.planner, r.by, r.category) == (planner, by, category))


def ranks(found: PlanScores, *wanted: object) -> Ranks:
    return next(r for r in found.ranks if (r.over, r.first.by, r.second.by, r.first.metric, r.second.metric) == wanted)


def test_a_judge_s_row_is_what_its_stored_reports_come_to(judged: Studio) -> None:
    found = judged.plans.scores.scores(SET)
    keys = {key.id: key for key in judged.plans.store.keys(SET)}
    rows = [r for r in judged.plans.inspections.reports("one") if keys[r.answer].planner == "a" and r.report]
    calls = [r.report["calls"] for r in rows if r.inspector == "precision" and r.report]
    own = row(found, "a", "one")
    assert own.sr["strict"]["micro"].estimate.value == pytest.approx(call_rate(calls).value)
    assert own.sr["no_fail"]["macro_query"].estimate.value == pytest.approx(
        call_rate(calls, "no_fail", "macro_query").value
    )
    assert own.fs.value == pytest.approx(fmean(r.report["fs"] for r in rows if r.inspector == "chief" and r.report))
    assert own.mi.value == pytest.approx(fmean(r.report["mi"] for r in rows if r.inspector == "recall" and r.report))
    assert sum(own.tiers.values()) == own.plans == 6
    assert {r.category for r in found.rows} == {None, "Recipe", "Travel"} and found.planners == ["a", "b", "c", "d"]


def test_what_needs_no_judge_is_told_once_for_each_planner(judged: Studio) -> None:
    found = judged.plans.scores.scores(SET)
    whole = [r for r in found.plain if r.category is None]
    assert [r.planner for r in whole] == ["a", "b", "c", "d"]
    assert {r.adoption["search"].value for r in whole} == {100} and {r.adoption["code"].value for r in whole} == {0}
    assert whole[0].tool_sets.mean["f1"].value == pytest.approx(2 / 3)  # two tools of a plan, one of the reference


def test_each_person_s_word_on_a_plan_is_one_record_and_their_last_word_counts(plans: Plans) -> None:
    first, second = plans.store.keys(SET)
    ada, ben = person(plans, "Ada"), person(plans, "Ben")
    for who, fs in ((ada, 10), (ada, 40), (ben, 80)):
        vote(plans, who, first.id, "fs", {"about": "fs", "fs": fs})
    vote(plans, ben, second.id, "gaps", {"about": "gaps", "gaps": []})
    vote(plans, ada, second.id, "fs", {"about": "fs", "fs": 99})
    vote(plans, ada, second.id, "fs", None)
    found = plans.scores.scores(SET)
    own = row(found, "a", PEOPLE)
    assert (own.fs.value, own.fs.n, own.mi.value, own.mi.n) == (60, 2, 0, 1)
    assert (own.plans, own.verdicts) == (2, 3)  # Ben spoke of both plans, Ada of one
    assert found.raters[-1].judge == "People (2 reviewers)" and found.raters[-1].plans["chief"] == 1


def test_calls_of_a_person_who_left_some_out_enter_only_as_open_and_only_if_nobody_gave_them_all(plans: Plans) -> None:
    first, second = plans.store.keys(SET)
    ada, ben = person(plans, "Ada"), person(plans, "Ben")
    for who, key, calls in ((ada, first, (1, 2)), (ben, first, (1,)), (ben, second, (2,))):
        for call in calls:
            vote(plans, who, key.id, f"call:{call}", {"about": "call", **(GOOD if who is ada else BAD)})
    own = row(plans.scores.scores(SET), "a", PEOPLE)
    rate = own.sr["strict"]["micro"]
    assert (rate.estimate.value, rate.estimate.n, own.open, own.without_calls) == (1, 2, 1, 0)
    assert rate.bounds == (0.5, 0.75)  # Ben's second plan: one call fails, the other is open


def test_a_call_without_a_verdict_leaves_its_query_out_and_bounds_say_where_the_rate_lies(plans: Plans) -> None:
    first, second = plans.store.keys(SET)
    judge(plans, 1)
    report(plans, "one", first, "precision", precision([GOOD]))
    report(plans, "one", second, "precision", precision([GOOD, BAD]))
    own = row(plans.scores.scores(SET), "a", "one")
    assert own.open == 1 and own.sr["strict"]["micro"].estimate.value == 0.5
    assert own.sr["strict"]["micro"].bounds == (0.5, 0.75)


def test_no_output_stands_in_no_figure_and_is_counted(plans: Plans) -> None:
    query = plans.store.keys(SET)[0].query
    answer = AnswerRecord(query_id="q00", planner="a", attempt=2, text="", no_output="It took too long.")
    add_answer(plans, query, answer)
    found = plans.scores.scores(SET)
    assert [(r.plans, r.no_output, r.adoption["search"].value) for r in found.plain if r.category is None] == [
        (2, 1, 100)
    ]
    assert any(warn.code == "no_output" and warn.text.startswith("1 answer is") for warn in found.warnings)


def test_judges_and_people_are_correlated_over_planners_and_over_plans(judged: Studio) -> None:
    found = judged.plans.scores.scores(SET)
    over_plans = ranks(found, "plans", "one", "two", "fs", "fs").ranks
    assert over_plans.n == 24 and over_plans.p is not None and over_plans.low is not None
    over_planners = ranks(found, "planners", "one", PEOPLE, "mi", "mi")
    assert over_planners.ranks.n == 4 and over_planners.ranks.exact and not over_planners.second.negated
    within = ranks(found, "planners", "one", "one", "fs", "mi")
    assert within.second.negated
    order = {r.planner: r for r in found.rows if r.by == "one" and r.category is None}
    by_fs = sorted(order, key=lambda name: order[name].fs.value or 0)
    by_mi = sorted(order, key=lambda name: order[name].mi.value or 0)
    assert (within.ranks.rho == -1) == (by_fs == by_mi)
    assert ranks(found, "planners", "one", None, "fs", "tool_f1").ranks.rho is None  # all alike, so no order


def test_below_four_planners_there_is_no_p_and_it_is_said(plans: Plans) -> None:
    judge(plans, 1)
    judge(plans, 2, "two")
    found = plans.scores.scores(SET)
    assert "few_planners" in {warn.code for warn in found.warnings}
    assert not [r for r in found.ranks if r.over == "planners"]  # of one planner there is no order at all
    assert ranks(found, "plans", "one", "two", "fs", "fs").ranks.p is None


def test_people_enter_correlations_by_their_blind_words_alone(plans: Plans) -> None:
    first, second = plans.store.keys(SET)
    judge(plans, 1)
    ada = person(plans, "Ada")
    plans.ballots.reveal(ada.id, second.id, "all", "2026")
    for key in (first, second):
        vote(plans, ada, key.id, "fs", {"about": "fs", "fs": 50})
    found = plans.scores.scores(SET)
    assert row(found, "a", PEOPLE).fs.n == 2
    assert not [r for r in found.ranks if PEOPLE in (r.first.by, r.second.by)]  # one plan was blind: no order


def test_warnings_tell_of_samples_other_judges_and_one_model_in_three_roles(judged: Studio) -> None:
    warnings = judged.plans.scores.scores(SET).warnings
    assert [warn.code for warn in warnings] == ["sample", "judges_differ", "one_model", "plan_not_execution"]
    assert "11.46" in warnings[1].text and "68.30" in warnings[1].text
    assert warnings[2].text.startswith("judge one has m in all three roles")


def test_scores_are_kept_until_a_vote_a_report_or_an_answer_comes_in(plans: Plans) -> None:
    judge(plans, 1)
    key = plans.store.keys(SET)[0]
    kept = plans.scores.scores(SET)
    assert plans.scores.scores(SET) is kept
    changes = [
        lambda: report(plans, "one", key, "chief", chief(77)),
        lambda: vote(plans, person(plans, "Ada"), key.id, "fs", {"about": "fs", "fs": 5}),
        lambda: add_answer(plans, key.query, AnswerRecord(query_id="q00", planner="z", text="Words.")),
    ]
    for change in changes:
        change()
        now = plans.scores.scores(SET)
        assert now is not kept
        kept = now
    assert kept.model_dump() == ScoreService(plans.library, plans.ballots).scores(SET).model_dump()


def test_an_empty_set_and_one_without_judges_have_tables_too(plans: Plans) -> None:
    found = plans.scores.scores(SET)
    assert found.rows == found.ranks == found.raters == [] and len(found.plain) == 3
    plans.store.create(SetRecord("empty", "Empty", False, {}, "2026"))
    nothing = plans.scores.scores("empty")
    assert nothing.plain == nothing.planners == [] and [warn.code for warn in nothing.warnings] == [
        "plan_not_execution"
    ]
    with pytest.raises(NotFound):
        plans.scores.scores("none such")


def test_random_verdicts_are_as_often_a_success_as_not() -> None:
    rng = random.Random(0)
    rate = fmean(call_credit(verdict(rng)).strict for _ in range(2000))
    assert 0.45 < rate < 0.65  # so that tables of agreement hold all four cells


def test_a_judge_that_never_gave_a_report_is_in_no_table_and_stays_an_inspection(plans: Plans) -> None:
    first, *_ = plans.store.keys(SET)
    plans.inspections.begin(JudgingRecord("ghost", SET, "ghost", "run", {}, "2025-01-01"))
    for inspector in ("precision", "recall", "chief"):
        report(plans, "ghost", first, inspector, None)
    found, view = plans.scores.scores(SET), plans.library.view(plans.library.set(SET))
    assert (found.raters, found.rows, view.inspections) == ([], [], [])
    assert plans.agreement.agreement(SET).inspection_id is None and plans.views.view(first.id, None).judges == []
    assert [each.judge for each in plans.views.view(first.id, None, inspection="ghost").judges] == ["ghost"]
    judge(plans, 1)
    assert [each.by for each in plans.scores.scores(SET).raters] == ["one"]
    assert plans.agreement.agreement(SET).inspection_id == "one"  # the oldest one with a report
    report(plans, "ghost", first, "chief", chief(50))
    assert [each.by for each in plans.scores.scores(SET).raters] == ["ghost", "one"]
