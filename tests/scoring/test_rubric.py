"""Scores of judged answers: the golden cases, the authors' code where it does not guess, laws, and hostile input."""

from __future__ import annotations

import doctest
import itertools
import json
import math
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.scoring import rubric as module
from easel_app.scoring.rubric import is_critical, score_benchmark, score_task, weight_of

CASES = Path(__file__).parent / "cases"
GOLDEN: dict[str, Any] = json.loads((CASES / "rubric_scoring_cases.json").read_text("utf-8"))
TABLES: dict[str, Any] = json.loads((CASES / "vtb_scoring.json").read_text("utf-8"))
OFFICIAL: dict[str, Any] = TABLES["scoring_golden_from_official_code"]
near = pytest.approx

turns = st.lists(
    st.dictionaries(
        st.sampled_from("abcdef"),
        st.fixed_dictionaries({"weight": st.integers(1, 5)}, optional={"critical": st.sampled_from(["yes", "no"])}),
        max_size=4,
    ),
    max_size=4,
)
policies = st.sampled_from(["weight", "flag"])


@st.composite
def judged(draw: st.DrawFn, answers: tuple[object, ...] = ("Met", "Not Met", None, "met")) -> tuple[Any, Any]:
    """Items by turn, and verdicts on some of them."""
    rubrics = draw(turns)
    return rubrics, [{item: draw(st.sampled_from(answers)) for item in items} for items in rubrics]


def completions(verdicts: Any) -> list[Any]:
    """All verdicts that these could become once their open items are closed."""
    places = [(k, item) for k, turn in enumerate(verdicts) for item in turn if turn[item] not in ("Met", "Not Met")]
    closed = []
    for choice in itertools.product(["Met", "Not Met"], repeat=min(len(places), 5)):
        copy = [dict(turn) for turn in verdicts]
        for (k, item), verdict in itertools.zip_longest(places, choice, fillvalue="Met"):
            copy[k][item] = verdict
        closed.append(copy)
    return closed


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_golden_tasks(case: dict[str, Any]) -> None:
    expected = case["expected"]
    score = score_task(case["rubrics_by_turn"], case["verdicts_by_turn"])
    assert score.status in expected["status_in"]
    assert score.score == (None if expected["score"] is None else near(expected["score"], abs=1e-9))
    assert score.passed in expected["pass_in"]
    assert (score.n_items, score.n_valid) == (expected["n_items"], expected["n_valid"])
    if expected.get("score_fraction"):
        assert score.score == float(Fraction(expected["score_fraction"]))
    if "score_bounds" in expected:
        assert score.score_bounds == near(tuple(expected["score_bounds"]), abs=1e-9)
    flagged = score_task(case["rubrics_by_turn"], case["verdicts_by_turn"], critical="flag")
    assert flagged.passed in expected["pass_in_dataset_flag_policy"]
    assert flagged.score == score.score


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_where_every_item_has_a_verdict_the_authors_code_says_the_same(case: dict[str, Any]) -> None:
    score = score_task(case["rubrics_by_turn"], case["verdicts_by_turn"])
    if score.status == "scored":
        assert score.score == near(case["official_code"]["score"], abs=1e-9)
        assert score.passed == bool(case["official_code"]["accuracy"])
    else:
        assert score.n_valid < case["expected"]["n_items"] or not score.n_items


@pytest.mark.parametrize("name", OFFICIAL["cases"])
def test_the_authors_code_on_its_own_cases(name: str) -> None:
    case = OFFICIAL["cases"][name]
    rubrics = case.get("rubrics_by_turn") or [case["rubrics"]]
    verdicts = [{item: case["verdicts"][item] for item in items} for items in rubrics]
    score = score_task(rubrics, verdicts)
    guesses = name in ("judge_raises_on_critical", "no_rubrics") or name.startswith("invalid_verdict")
    assert (score.status != "scored") == guesses
    if not guesses:
        assert score.score == near(case["official"]["score"], abs=1e-9)
        assert score.passed == bool(case["official"]["accuracy"])


@pytest.mark.parametrize("critical", ["weight", "flag"])
def test_the_published_example_fails_with_eight_of_seventeen(critical: Any) -> None:
    shown = TABLES["worked_example_figure2"]
    rubrics = {
        f"{k}": {"weight": one["weight"], "critical": "yes" if one["critical"] else "no"}
        for k, one in enumerate(shown["rubrics"])
    }
    verdicts = {f"{k}": "Met" if one["met"] else "Not Met" for k, one in enumerate(shown["rubrics"])}
    score = score_task([rubrics], [verdicts], critical=critical)
    assert (score.score, score.passed, score.n_critical) == (8 / 17, False, 2)
    assert round(8 / 17, 2) == shown["rubric_score_shown"]


@pytest.mark.parametrize(
    "verdict", [None, "", "met", "MET", "Met ", "NotMet", "not met", True, 1, ["Met"], {}, math.nan]
)
def test_only_the_two_texts_are_verdicts(verdict: object) -> None:
    score = score_task([{"a": {"weight": 5}, "b": {"weight": 1}}], [{"a": verdict, "b": "Met"}])
    assert (score.status, score.score, score.passed, score.n_valid) == ("incomplete", None, None, 1)
    assert score.score_bounds == (1 / 6, 1.0)


def test_a_task_that_nobody_judged_neither_passes_nor_fails_even_without_a_critical_item() -> None:
    score = score_task([{"a": {"weight": 1}}], [{}])
    assert (score.status, score.score, score.passed, score.score_bounds) == ("unscored", None, None, (0.0, 1.0))


def test_a_pass_that_open_items_cannot_change_is_told() -> None:
    score = score_task([{"a": {"weight": 5}, "b": {"weight": 1}}], [{"a": "Met"}])
    assert (score.status, score.score, score.passed) == ("incomplete", None, True)


def test_turns_of_verdicts_may_be_missing_at_the_end_or_be_none() -> None:
    rubrics = [{"a": {"weight": 2}}, {"a": {"weight": 3}}]
    assert score_task(rubrics, [{"a": "Met"}]) == score_task(rubrics, [{"a": "Met"}, None])
    assert score_task(rubrics, [None, {"a": "Met"}]).score_bounds == (3 / 5, 1.0)
    with pytest.raises(ValueError, match="3 turns of verdicts do not fit 2"):
        score_task(rubrics, [{}, {}, {}])


@pytest.mark.parametrize(
    "weight", [0, 6, -1, 2.5, True, False, "3", None, math.nan, math.inf, 10**99, [3], 3j, [[[[[[[[1]]]]]]]]]
)
def test_a_weight_that_is_none_is_refused_with_its_item(weight: object) -> None:
    with pytest.raises(ValueError, match="item 'roof' of turn 2"):
        score_task([{"a": {"weight": 1}}, {"roof": {"weight": weight}}], [{}, {}])


@pytest.mark.parametrize("rubric", [{}, None, "weight 3", [3]])
def test_an_item_without_a_weight_is_refused(rubric: Any) -> None:
    with pytest.raises(ValueError, match="item 'roof' of turn 1: its weight"):
        score_task([{"roof": rubric}], [{}], critical="flag")


def test_a_whole_weight_may_be_written_with_a_point() -> None:
    assert weight_of({"weight": 4.0}) == 4
    assert type(weight_of({"weight": 4.0})) is int


def test_a_verdict_on_an_item_of_another_turn_is_refused() -> None:
    with pytest.raises(ValueError, match="turn 2 has no item 'a'"):
        score_task([{"a": {"weight": 1}}, {"b": {"weight": 1}}], [{}, {"a": "Met"}])


@pytest.mark.parametrize("sides", [(["ab"], [{}]), ([{}], ["ab"]), ([{}], [[]]), ([None], [{}])])
def test_turns_that_map_nothing_are_refused(sides: Any) -> None:
    with pytest.raises(ValueError, match="turn 1 must map"):
        score_task(*sides)


def test_a_policy_of_another_name_is_refused_whatever_there_is_to_score() -> None:
    wrong: Any = "severity"
    with pytest.raises(ValueError, match="'weight' or 'flag'"):
        score_task([], [], critical=wrong)


def test_the_flag_counts_by_its_word_and_a_missing_one_is_no() -> None:
    flags: list[object] = ["yes", " Yes", True, "no", "", None, False, 1, "true"]
    assert [is_critical({"weight": 1, "critical": flag}, "flag") for flag in flags] == [True] * 3 + [False] * 6
    assert not is_critical({"weight": 5}, "flag")
    assert [is_critical({"weight": weight, "critical": "no"}) for weight in (3, 4, 5)] == [False, True, True]


@given(judged(), policies)
def test_scores_lie_within_their_bounds_and_counts_add_up(case: Any, critical: Any) -> None:
    score = score_task(*case, critical=critical)
    assert 0 <= score.n_critical <= score.n_items
    assert 0 <= score.n_valid <= score.n_items == sum(map(len, case[0]))
    if score.score_bounds is None:
        assert (score.n_items, score.status) == (0, "unscored")
    else:
        low, high = score.score_bounds
        assert 0 <= low <= high <= 1
        assert score.score is None or low == score.score == high


@given(judged(), policies)
def test_every_completion_lies_within_the_bounds_and_keeps_what_is_decided(case: Any, critical: Any) -> None:
    rubrics, verdicts = case
    score = score_task(rubrics, verdicts, critical=critical)
    ends = [score_task(rubrics, whole, critical=critical) for whole in completions(verdicts)]
    for end in ends:
        assert score.score_bounds is None or (end.score is not None)
        if score.score_bounds is not None and end.score is not None:
            assert score.score_bounds[0] <= end.score <= score.score_bounds[1]
        assert score.passed is None or end.passed == score.passed


@given(judged(("Met", "Not Met")), policies, st.data())
def test_meeting_one_more_item_never_lowers_score_or_pass(case: Any, critical: Any, data: st.DataObject) -> None:
    rubrics, verdicts = case
    failed = [(k, item) for k, turn in enumerate(verdicts) for item in turn if turn[item] == "Not Met"]
    before = score_task(rubrics, verdicts, critical=critical)
    if failed:
        turn, item = data.draw(st.sampled_from(failed))
        verdicts[turn] = {**verdicts[turn], item: "Met"}
        after = score_task(rubrics, verdicts, critical=critical)
        assert before.score is not None and after.score is not None and after.score > before.score
        assert bool(after.passed) >= bool(before.passed)


@given(judged(), policies, st.randoms())
def test_the_order_of_items_and_turns_does_not_matter(case: Any, critical: Any, random: Any) -> None:
    both = list(zip(*case, strict=True))
    random.shuffle(both)
    shuffled = [[dict(random.sample(list(side.items()), len(side))) for side in turn] for turn in both]
    changed = [turn[0] for turn in shuffled], [turn[1] for turn in shuffled]
    assert score_task(*changed, critical=critical) == score_task(*case, critical=critical)


@given(judged(), policies)
def test_a_task_scores_the_same_however_it_is_split_into_turns(case: Any, critical: Any) -> None:
    rubrics, verdicts = ([{(k, item): turn[item] for item in turn} for k, turn in enumerate(side)] for side in case)
    whole = [[{item: turn[item] for turn in side for item in turn}] for side in (rubrics, verdicts)]
    single = [[{item: turn[item]} for turn in side for item in turn] for side in (rubrics, verdicts)]
    score = score_task(*case, critical=critical)
    assert score_task(whole[0], whole[1], critical=critical) == score
    assert score_task(single[0], single[1], critical=critical) == score


@pytest.mark.parametrize("case", GOLDEN["aggregate_cases"], ids=lambda case: case["id"])
def test_golden_benchmarks(case: dict[str, Any]) -> None:
    score, expected = score_benchmark(case["tasks"]), case["expected"]
    assert (score.n_total, score.n_scored) == (expected["n_total"], expected["n_scored"])
    assert (score.ars, score.apr) == (near(expected["ars"], abs=1e-9), near(expected["apr"], abs=1e-9))
    for key in ("by_domain", "by_eval_focus"):
        groups = {name: asdict(group) for name, group in getattr(score, key).items()}
        assert groups.keys() == expected[key].keys()
        for name, group in expected[key].items():
            assert {field: groups[name][field] for field in group} == near(group, abs=1e-9)
    assert score.coverage == near(expected["n_scored"] / expected["n_total"], abs=1e-9)


def test_the_means_are_those_of_the_authors_code() -> None:
    tasks = [{**task, "pass": bool(task["accuracy"])} for task in OFFICIAL["aggregate_input"]]
    expected, score = OFFICIAL["aggregate_official"], score_benchmark(tasks)
    assert (score.ars, score.apr) == (
        near(expected["overall_score"], abs=1e-9),
        near(expected["overall_accuracy"], abs=1e-9),
    )
    for found, wanted in (
        (score.by_domain, expected["domain_results"]),
        (score.by_eval_focus, expected["eval_focus_results"]),
    ):
        assert {name: (group.ars, group.apr) for name, group in found.items()} == {
            name: (near(group["scores"], abs=1e-9), near(group["accuracies"], abs=1e-9))
            for name, group in wanted.items()
        }
    kinds = score.by_turn_kind
    assert {name: group.n for name, group in kinds.items()} == {"multi-turn": 6, "single-turn": 6}


def test_sciences_are_one_domain_however_they_are_written() -> None:
    written = ["chemistry", "Maths", "math", "MATHEMATICS", " biology ", "Engineering", "physics", "STEM", "Sports"]
    score = score_benchmark({"prompt_category": name, "score": 1.0, "pass": True} for name in written)
    assert {name: group.n for name, group in score.by_domain.items()} == {"STEM": 8, "sports": 1}


def test_tasks_without_a_score_are_counted_beside_the_means() -> None:
    tasks: list[dict[str, Any]] = [
        {"task_id": "a", "score": 0.5, "pass": True, "status": "scored", "prompt_category": "sports"},
        {"task_id": "b", "score": None, "pass": False, "status": "incomplete", "prompt_category": "medical"},
        {"task_id": "c", "score": None, "pass": None, "status": "unscored", "prompt_category": None},
        {"task_id": "d"},
    ]
    score = score_benchmark(tasks)
    assert (score.n_total, score.n_scored, score.n_incomplete, score.n_unscored) == (4, 1, 1, 2)
    assert (score.ars, score.apr, score.coverage) == (0.5, 1.0, 0.25)
    assert list(score.by_domain) == ["medical", "sports"]
    medical = score.by_domain["medical"]
    assert (medical.ars, medical.apr, medical.n, medical.n_total) == (None, None, 0, 1)


def test_no_task_leaves_everything_undefined() -> None:
    score = score_benchmark([])
    assert (score.n_total, score.ars, score.apr, score.coverage) == (0, None, None, None)
    assert not (score.by_domain or score.by_eval_focus or score.by_turn_kind)


@pytest.mark.parametrize(
    "task",
    [
        {"score": 1.1, "pass": True},
        {"score": -0.1, "pass": True},
        {"score": 10**99, "pass": True},
        {"score": math.nan, "pass": True},
        {"score": "0.5", "pass": True},
        {"score": 0.5, "pass": None},
        {"score": 0.5, "pass": "yes"},
        {"score": 0.5},
        {"score": None, "pass": True, "status": "scored"},
        {"score": 0.5, "pass": True, "status": "incomplete"},
    ],
)
def test_a_task_that_contradicts_itself_is_refused_by_name(task: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="task 't9' "):
        score_benchmark([{"task_id": "t9", **task}])


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.sampled_from(["maths", "finance"])), min_size=1), st.randoms()
)
def test_means_do_not_depend_on_the_order_of_tasks(rows: list[tuple[float, bool, str]], random: Any) -> None:
    tasks = [{"score": score, "pass": passed, "prompt_category": name} for score, passed, name in rows]
    score = score_benchmark(tasks)
    assert score_benchmark(random.sample(tasks, len(tasks))) == score
    assert sum(group.n for group in score.by_domain.values()) == score.n_scored == len(rows)
