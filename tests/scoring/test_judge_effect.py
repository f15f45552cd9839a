"""What a judge's mistakes do to ARS and APR, and what correcting them gives."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import t

from easel_app.scoring.agreement import rogan_gladen
from easel_app.scoring.judge_effect import Effect, JudgeEffect, answer_scores, judge_effect
from easel_app.scoring.rubric import score_task
from easel_app.scoring.uncertainty import Estimate

Z = 1.959963984540054
QUICK = 20
"""Resamples where none is looked at."""
SPOKEN: Mapping[int, str | None] = {1: "Met", 0: "Not Met", -1: None}


class Rows(NamedTuple):
    task: NDArray[np.intp]
    """Of each answer."""
    answer: NDArray[np.intp]
    weight: NDArray[np.intp]
    judge: NDArray[np.intp]
    consensus: NDArray[np.intp]

    def effect(self, **more: Any) -> JudgeEffect:
        return judge_effect(self.task, self.answer, self.weight, self.weight >= 4, self.judge, self.consensus, **more)


def made(answers: int = 120, tasks: int = 30, open_judge: float = 0.02, reviewed: float = 1.0) -> Rows:
    """Answers to tasks with up to seven items, some with none, of a judge that is kind to heavy items."""
    rng = np.random.default_rng(answers)
    task = rng.integers(0, tasks, answers)
    answer = np.repeat(np.arange(answers), rng.integers(0, 8, answers))
    size = len(answer)
    weight = rng.integers(1, 6, size)
    truth = rng.random(size) < rng.beta(5, 2, tasks)[task[answer]]
    judge = truth ^ (rng.random(size) < 0.03 + 0.05 * weight * ~truth)
    seen = rng.random(size) < reviewed
    judged = np.where(rng.random(size) < open_judge, -1, judge)
    return Rows(task, answer, weight, judged, np.where(seen, truth, -1))


@st.composite
def few_rows(draw: st.DrawFn) -> Rows:
    """Up to twenty rows of up to five answers."""
    answers = draw(st.integers(1, 5))
    row = st.tuples(st.integers(0, answers - 1), st.integers(1, 5), st.integers(-1, 1), st.integers(-1, 1))
    drawn = np.array(draw(st.lists(row, max_size=20)), np.intp).reshape(-1, 4)
    return Rows(np.array(draw(st.lists(st.integers(0, 3), min_size=answers, max_size=answers))), *drawn.T)


def plain_scores(rows: Rows, verdicts: NDArray[np.intp]) -> list[tuple[float, bool] | None]:
    """Score and pass of each answer by the plain scoring of a task; None where it has none."""
    found: list[tuple[float, bool] | None] = []
    for k in range(len(rows.task)):
        own = np.nonzero(rows.answer == k)[0].tolist()
        rubrics = {str(i): {"weight": int(rows.weight[i])} for i in own}
        said = {str(i): SPOKEN[int(verdicts[i])] for i in own}
        scored = score_task([rubrics], [said])
        found.append((scored.score, scored.passed) if scored.status == "scored" else None)  # type: ignore[arg-type]
    return found


def mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


@given(few_rows())
def test_answers_score_as_tasks_do(rows: Rows) -> None:
    found = answer_scores(rows.answer, rows.weight, rows.weight >= 4, rows.judge, len(rows.task))
    for k, expected in enumerate(plain_scores(rows, rows.judge)):
        assert bool(found.complete[k]) == (expected is not None)
        assert found.score[k] == pytest.approx(np.nan if expected is None else expected[0], nan_ok=True)
        assert bool(found.passed[k]) == bool(expected and expected[1])


@given(few_rows())
def test_rates_and_flips_are_those_of_plain_loops(rows: Rows) -> None:
    found = rows.effect(resamples=QUICK).overall
    judge, consensus = plain_scores(rows, rows.judge), plain_scores(rows, rows.consensus)
    judged = [each for each in judge if each]
    both = [(k, one, other) for k, (one, other) in enumerate(zip(judge, consensus, strict=True)) if one and other]
    assert (found.judged, found.reviewed) == (len(judged), len(both))
    assert found.answers == len(set(rows.answer.tolist()))
    assert found.ars.value == pytest.approx(mean([score for score, _ in judged]), abs=1e-12)
    assert found.apr.value == pytest.approx(mean([passed for _, passed in judged]), abs=1e-12)
    for paired, place in ((found.ars_paired, 0), (found.apr_paired, 1)):
        mine, theirs = mean([one[place] for _, one, _ in both]), mean([other[place] for *_, other in both])
        assert (paired.judge.value, paired.consensus.value) == (
            pytest.approx(mine, abs=1e-12), pytest.approx(theirs, abs=1e-12)
        )  # fmt: skip
        if mine is None or theirs is None:
            assert paired.difference.value is None
        else:
            assert paired.difference.value == pytest.approx(mine - theirs, abs=1e-12)
    assert found.only_judge_passes == tuple(k for k, one, other in both if one[1] and not other[1])
    assert found.only_consensus_passes == tuple(k for k, one, other in both if other[1] and not one[1])


@given(few_rows())
def test_a_rate_that_cannot_be_corrected_says_why(rows: Rows) -> None:
    found = rows.effect(resamples=QUICK).overall
    for correction in (found.ars_corrected, found.apr_corrected):
        value = correction.rate.value
        assert (value is None) == bool(correction.reason)
        assert value is None or 0 <= value <= 1
        sensitivity, specificity = correction.sensitivity.value, correction.specificity.value
        if value is not None:
            assert sensitivity is not None and specificity is not None and sensitivity + specificity > 1
        assert correction.rate.n == found.judged


@settings(max_examples=40)
@given(st.integers(3, 60), st.booleans())
def test_where_everything_is_reviewed_the_corrected_rate_is_that_by_consensus(answers: int, incomplete: bool) -> None:
    rows = made(answers, open_judge=0.05 if incomplete else 0.0)
    found = rows.effect(resamples=200).overall
    for correction, paired, rate in (
        (found.ars_corrected, found.ars_paired, found.ars), (found.apr_corrected, found.apr_paired, found.apr)
    ):  # fmt: skip
        assert paired.judge.value == rate.value
        if correction.rate.value is not None:
            assert correction.rate.value == pytest.approx(paired.consensus.value, abs=1e-9) and not correction.clipped
            if correction.rate.undefined == paired.consensus.undefined == 0:
                assert (correction.rate.low, correction.rate.high) == pytest.approx(
                    (paired.consensus.low, paired.consensus.high), abs=1e-9
                )


def test_items_count_by_their_share_in_their_answers_score() -> None:
    # one answer of two items, weights 1 and 4; the judge errs on the light one only
    rows = Rows(np.array([0, 1]), np.array([0, 0, 1]), np.array([1, 4, 2]), np.array([1, 1, 0]), np.array([0, 1, 0]))
    found = rows.effect().overall.ars_corrected
    assert found.specificity.value == pytest.approx(1 / 1.2) and found.specificity.n == 2  # by number it would be 1 / 2
    assert found.sensitivity == Estimate(1.0, None, None, 1, pytest.approx(500, abs=100))  # only one task has any
    assert found.rate.value == pytest.approx((0.8 + 0.0) / 2)


def test_a_sample_with_its_weights_corrects_as_a_full_review_does() -> None:
    full = made(answers=200, open_judge=0.0)
    # each row twice within its answer; of what the judge has as Met only one of the two is reviewed, and counts twice
    twice = np.repeat(np.arange(len(full.answer)), 2)
    left_out = (np.arange(len(twice)) % 2 == 1) & (full.judge[twice] == 1)
    rows = Rows(
        full.task, full.answer[twice], full.weight[twice], full.judge[twice],
        np.where(left_out, -1, full.consensus[twice]),
    )  # fmt: skip
    weight = np.where(full.judge[twice] == 1, 2.0, 1.0)
    expected = full.effect(resamples=300).overall.ars_corrected
    found = rows.effect(sampling_weight=weight, resamples=300).overall.ars_corrected
    for name in ("rate", "sensitivity", "specificity"):
        one, other = getattr(found, name), getattr(expected, name)
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
    unweighted = rows.effect(resamples=QUICK).overall.ars_corrected
    assert unweighted.rate.value != pytest.approx(expected.rate.value, abs=0.01)


def test_a_correction_is_as_sure_as_the_tasks_that_are_reviewed() -> None:
    rows = made()
    found = rows._replace(consensus=np.where(rows.task[rows.answer] == 3, rows.consensus, -1)).effect().overall
    for correction, rate in ((found.ars_corrected, found.ars), (found.apr_corrected, found.apr)):
        assert rate.low is not None and correction.rate.low is correction.rate.high is None
    assert found.ars_corrected.rate.value is not None


def test_it_is_the_formula_of_rogan_and_gladen() -> None:
    rows = made(reviewed=0.4)
    found = rows.effect(resamples=QUICK).overall
    assert found.reviewed < found.judged
    for rate, correction in ((found.ars, found.ars_corrected), (found.apr, found.apr_corrected)):
        sensitivity, specificity = correction.sensitivity.value, correction.specificity.value
        assert rate.value is not None and sensitivity is not None and specificity is not None
        expected = rogan_gladen(rate.value, sensitivity, specificity)
        assert expected and correction.rate.value == pytest.approx(expected.rate)
        assert correction.clipped == expected.clipped


def test_intervals_resample_tasks_the_reviewed_and_the_others_together() -> None:
    rows, resamples = made(reviewed=0.7), 80
    found = rows.effect(resamples=resamples).overall
    judged = answer_scores(rows.answer, rows.weight, rows.weight >= 4, rows.judge, 120).complete
    names = np.unique(rows.task[judged])
    plain: dict[str, list[float | None]] = {}
    for resample in np.random.default_rng(0).integers(0, len(names), (resamples, len(names))):
        answers = np.concatenate([np.nonzero(rows.task == names[k])[0] for k in resample])
        own = [np.nonzero(rows.answer == k)[0] for k in answers]
        picked = np.concatenate(own)
        again = Rows(
            np.arange(len(answers)), np.repeat(np.arange(len(answers)), [len(each) for each in own]),
            rows.weight[picked], rows.judge[picked], rows.consensus[picked],
        ).effect(resamples=0).overall  # fmt: skip
        for name, estimate in of(again).items():
            plain.setdefault(name, []).append(estimate.value)
    labelled = rows.answer[(rows.judge >= 0) & (rows.consensus >= 0) & judged[rows.answer]]
    clusters = {"ars": len(names), "ars_corrected": len(set(rows.task[labelled].tolist()))}
    for name, estimate in of(found).items():
        values = np.array([value for value in plain[name] if value is not None])
        assert estimate.undefined == resamples - len(values) and estimate.value is not None
        if name in clusters:
            wider = np.sqrt(clusters[name] / (clusters[name] - 1)) * t.ppf(0.975, clusters[name] - 1) / Z
            low, high = estimate.value + wider * (np.quantile(values, [0.025, 0.975]) - estimate.value)
            assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=1e-9)
        else:
            assert estimate.low is not None and estimate.high is not None
            assert estimate.low <= np.quantile(values, 0.025) and np.quantile(values, 0.975) <= estimate.high


def of(effect: Effect) -> dict[str, Estimate]:
    """Some estimates by name."""
    return {
        "ars": effect.ars,
        "apr": effect.apr,
        "difference": effect.ars_paired.difference,
        "ars_corrected": effect.ars_corrected.rate,
        "apr_corrected": effect.apr_corrected.rate,
    }


def test_a_difference_is_surer_than_its_two_rates_are() -> None:
    paired = made(answers=400, tasks=60).effect().overall.ars_paired
    width = {name: value["high"] - value["low"] for name, value in asdict(paired).items()}
    assert width["difference"] < 0.5 * min(width["judge"], width["consensus"])
    assert paired.difference.low is not None and paired.difference.low > 0  # the judge is too kind


def test_a_group_is_the_effect_on_its_answers() -> None:
    rows = made(reviewed=0.8)
    mask = np.arange(120) % 3 == 0
    found = rows.effect(groupings={"model": {"a": mask, "nobody": np.zeros(120, bool)}}, resamples=QUICK)
    assert found.overall == rows.effect(resamples=QUICK).overall
    own = mask[rows.answer]
    alone = Rows(rows.task, *(column[own] for column in rows[1:])).effect(resamples=QUICK).overall
    group = found.groups["model"]["a"]
    assert (group.answers, group.judged, group.reviewed) == (alone.answers, alone.judged, alone.reviewed)
    assert (group.only_judge_passes, group.only_consensus_passes) == (
        alone.only_judge_passes, alone.only_consensus_passes
    )  # fmt: skip
    for one, other in zip(of(group).values(), of(alone).values(), strict=True):
        assert (one.value, one.n) == (pytest.approx(other.value), other.n)
    nobody = found.groups["model"]["nobody"]
    assert nobody.answers == nobody.ars.n == 0 and nobody.ars.value is None
    assert nobody.ars_corrected.reason == NOT_JUDGED


def reasons(judge: list[int], consensus: list[int]) -> list[str | None]:
    """Why rates of answers of one critical item each cannot be corrected."""
    size = np.arange(len(judge))
    effect = Rows(size, size, np.full(len(judge), 4), np.array(judge, int), np.array(consensus, int)).effect(
        resamples=9
    )
    return [effect.overall.ars_corrected.reason, effect.overall.apr_corrected.reason]


NOT_JUDGED = "No answer has a verdict of the judge on every item."
UNKNOWN = "by consensus, so how often the judge says so too is not known."
USELESS = "Sensitivity and specificity add up to 1 or less: the judge's verdicts tell nothing of the people's."


@pytest.mark.parametrize(
    ("judge", "consensus", "expected"),
    [
        ([], [], [NOT_JUDGED, NOT_JUDGED]),
        ([-1, -1], [1, 0], [NOT_JUDGED, NOT_JUDGED]),
        ([1, 0], [0, 0], [f"No item is Met {UNKNOWN}", f"No fully reviewed answer is a pass {UNKNOWN}"]),
        ([1, 0], [1, -1], [f"No item is Not Met {UNKNOWN}", f"No fully reviewed answer is a fail {UNKNOWN}"]),
        ([1, 0], [-1, -1], [f"No item is Met {UNKNOWN}", f"No fully reviewed answer is a pass {UNKNOWN}"]),
        ([0, 1], [1, 0], [USELESS, USELESS]),
        ([1, 1], [1, 0], [USELESS, USELESS]),
        ([1, 0, 1], [1, 0, 0], [None, None]),
    ],
)
def test_a_reason_says_what_is_missing(judge: list[int], consensus: list[int], expected: list[str | None]) -> None:
    assert reasons(judge, consensus) == expected


def test_a_rate_beyond_what_the_errors_allow_is_clipped_and_told() -> None:
    # reviewed: sensitivity 1, specificity 1 / 2; the others are all Not Met, which such a judge would not say
    size = np.arange(20)
    judge = np.array([1, 1, 0, *[0] * 17])
    found = Rows(size, size, np.full(20, 4), judge, np.array([1, 0, 0, *[-1] * 17])).effect().overall
    assert found.ars_corrected.clipped and found.ars_corrected.rate.value == found.ars_corrected.rate.low == 0.0
    assert found.apr_corrected.clipped and found.apr_corrected.reason is None


def test_one_task_has_values_without_intervals_and_all_is_ready_for_json() -> None:
    one = made()._replace(task=np.zeros(120, np.intp)).effect()
    for estimate in of(one.overall).values():
        assert estimate.value is not None and estimate.low is estimate.high is None
    for effect in (one, made().effect(groupings={"model": {"a": np.ones(120, bool)}})):
        read = json.loads(json.dumps(asdict(effect), allow_nan=False))
        assert read["overall"]["ars"]["value"] == effect.overall.ars.value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": [0, 2]}, r"answers must lie in 0\.\.1, not in 0\.\.2"),
        ({"answer": [0, -1]}, "answers must lie in"),
        ({"weight": [1, 0]}, "weights must be 2 finite numbers above 0"),
        ({"weight": [1, np.inf]}, "weights must be"),
        ({"critical": [1, 0]}, "booleans"),
        ({"judge": [1, 2]}, "codes"),
        ({"consensus": [1]}, "shape"),
        ({"task": [0.5, 1]}, "tasks must be 2 whole"),
        ({"sampling_weight": [1, -1]}, "sampling weights"),
        ({"groupings": {"model": {"a": [True]}}}, "the mask of model a"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {
        "task": [0, 1], "answer": [0, 1], "weight": [1, 2], "critical": [True, False], "judge": [1, 0],
        "consensus": [1, 0],
    }  # fmt: skip
    with pytest.raises(ValueError, match=message):
        judge_effect(**(arguments | change))
