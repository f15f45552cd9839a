"""Two players task by task: golden figures by hand, the exact test beside SciPy's, and what may not be told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from easel_app.services.problems import NotFound
from easel_app.services.reviewers import NewReviewer, Person
from easel_app.services.rubrics.analyses import Analyses
from easel_app.services.rubrics.analysis_views import PlayerComparison
from easel_app.services.rubrics.comparing import BEGINNING, mcnemar
from easel_app.services.studio import Studio
from tests.services.rubrics.analysing import GOOD, Made, analyses
from tests.services.rubrics.making import SET, make_queue, said


@pytest.fixture
def made(studio: Studio) -> Made:
    """Six tasks: both pass, only a, only b twice, neither, and one that b has not finished."""
    made = Made(studio)
    for number, both in enumerate(("mm mm", "mm nm", "nm mm", "nn mm", "nn nn", "mm m-")):
        of_a, of_b = both.split()
        made.task(f"t{number}", category="temporal")
        made.answer(f"t{number}", "a", of_a, [GOOD])
        made.answer(f"t{number}", "b", of_b)
    return made


@pytest.fixture
def found(studio: Studio) -> Analyses:
    return analyses(studio)


def compare(
    found: Analyses, a: str = "a", b: str = "b", by: str | None = None, who: Person | None = None, *, tell: bool = False
) -> PlayerComparison:
    return found.comparing.comparison(SET, a, b, by, "weight", who, tell=tell)


def test_figures_are_those_by_hand(made: Made, found: Analyses) -> None:
    one = compare(found)
    assert (one.both, one.only_a, one.only_b, one.neither) == (1, 1, 2, 1)
    assert one.p_value == pytest.approx(1.0)
    # b less a: 0, 3/8 - 1, 1 - 3/8, 1, 0
    assert one.difference.value == pytest.approx(1 / 5) and one.difference.n == 5
    assert one.pass_difference.value == pytest.approx((0 - 1 + 1 + 1 + 0) / 5)
    low, value, high = one.difference.low, one.difference.value, one.difference.high
    assert low is not None and value is not None and high is not None and -1 <= low < value < high <= 1
    last = one.tasks[-1]
    assert (last.a.status, last.b.status, last.b.score, last.b.passed) == ("scored", "incomplete", None, None)
    assert (one.tasks[1].a.passed, one.tasks[1].b.score, one.tasks[1].a.calls) == (True, 3 / 8, 1)
    assert [task.task_id for task in one.tasks] == [f"t{k}" for k in range(6)] and one.hidden == 0


def test_the_other_way_round_only_signs_and_sides_change(made: Made, found: Analyses) -> None:
    there, back = compare(found), compare(found, "b", "a")
    assert (there.only_a, there.both, there.p_value) == (back.only_b, back.both, back.p_value)
    assert there.difference.value == pytest.approx(-(back.difference.value or 0))
    assert [(task.a, task.b) for task in there.tasks] == [(task.b, task.a) for task in back.tasks]
    same = compare(found, "a", "a")
    assert (same.difference.value, same.only_a, same.p_value) == (0.0, 0, None)


def test_the_first_attempt_counts_and_a_missing_answer_is_none(made: Made, found: Analyses) -> None:
    made.answer("t1", "c", "mm", attempt=3)
    made.answer("t1", "c", "nn", attempt=2)
    one = compare(found, "c", "b")
    (task,) = [task for task in one.tasks if task.task_id == "t1"]
    assert (task.a.score, one.difference.n, one.only_a) == (0.0, 1, 0)
    assert one.tasks[0].a.status == "none" and one.tasks[0].a.answer is None
    assert (one.difference.low, one.p_value) == (None, None)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_test_is_the_exact_binomial_one(only_a: int, only_b: int) -> None:
    p = mcnemar(only_a, only_b)
    n = only_a + only_b
    assert p == (pytest.approx(binomtest(only_a, n, 0.5).pvalue) if n else None)


def test_an_answer_that_waits_for_a_blind_vote_is_told_to_nobody_who_may_cast_it(made: Made, found: Analyses) -> None:
    rubrics = made.rubrics
    queue = make_queue(rubrics, required=1, models=("b",)).queue_id
    ada = rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name="Ada")).token)
    for who in (None, ada):
        hidden = compare(found, who=who)
        assert hidden.hidden == 6 and {task.b.status for task in hidden.tasks} == {"hidden"}
        assert {(task.b.score, task.b.passed) for task in hidden.tasks} == {(None, None)}
        assert {task.a.status for task in hidden.tasks} == {"scored"}, "a is in no queue"
    told = compare(found, tell=True)
    assert (told.hidden, told.tasks[0].b.passed) == (0, True)
    assert (told.both, told.difference) == (hidden.both, hidden.difference), "figures over all tasks are told"
    (first, second) = rubrics.reviews.entries(queue)[:2]
    assert first.answer == second.answer
    rubrics.votes.cast(first.id, ada, said("1"))
    assert compare(found, who=ada).hidden == 6, "the other item of that answer still waits"
    rubrics.votes.cast(second.id, ada, said("2"))
    assert compare(found, who=ada).hidden == compare(found).hidden == 5, "one vote is all that is required"


def test_what_is_kept_for_a_reviewer_at_the_moment_is_told_to_nobody(made: Made, found: Analyses) -> None:
    rubrics = made.rubrics
    queue = rubrics.queues.record(make_queue(rubrics, required=1, models=("b",)).queue_id)
    ada = rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name="Ada")).token)
    assert rubrics.votes.reserved(queue, ada, 1, only=False)
    assert compare(found).hidden == 6, "Ada may ask without her token"


def test_a_long_prompt_is_told_by_its_beginning_on_one_line(made: Made, found: Analyses) -> None:
    made.task("long", prompts=["word \n\t" * 10_000])
    made.answer("long", "a", "mm")
    prompt = compare(found).tasks[-1].prompt
    assert len(prompt) == BEGINNING and prompt.startswith("word word") and prompt.endswith("…") and "\n" not in prompt


def test_unknown_players_are_refused_by_their_side(made: Made, found: Analyses) -> None:
    with pytest.raises(NotFound) as refused:
        compare(found, "a", "nobody")
    assert (refused.value.code, refused.value.field) == ("no_such_player", "b")
