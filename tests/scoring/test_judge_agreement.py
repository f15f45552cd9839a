"""The agreement panel on arrays of verdicts: what each number is of, and what its interval resamples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, fields
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.stats import t

from easel_app.scoring.agreement import TABLE_BOUNDS, multi_rater, table_statistics, two_by_two
from easel_app.scoring.comparisons import Comparison, People
from easel_app.scoring.judge_agreement import JudgeAgreement, Slice, judge_agreement, worst_criteria
from easel_app.scoring.uncertainty import Estimate, wilson

Codes = NDArray[np.int8]
REFERENCE = json.loads((Path(__file__).parent / "cases" / "vtb_agreement.json").read_text(encoding="utf-8"))
Z = 1.959963984540054
QUICK = 20
"""Resamples where none is looked at."""


class Rows(NamedTuple):
    task: NDArray[np.intp]
    judge: Codes
    votes: Codes
    consensus: Codes

    def chosen(self, rows: Any) -> Rows:
        return Rows(*(column[rows] for column in self))

    def panel(self, **more: Any) -> JudgeAgreement:
        return judge_agreement(self.task, self.judge, self.votes, consensus=self.consensus, **more)


@st.composite
def rows(draw: st.DrawFn) -> Rows:
    """Up to thirty rows of up to four reviewers, with every code."""
    size, reviewers = draw(st.integers(0, 30)), draw(st.integers(0, 4))
    verdicts = arrays(np.int8, size, elements=st.integers(-1, 1))
    return Rows(
        draw(arrays(np.int64, size, elements=st.integers(3, 9))),
        draw(verdicts),
        draw(arrays(np.int8, (size, reviewers), elements=st.integers(-2, 1))),
        draw(verdicts),
    )


def made(size: int = 400, tasks: int = 25, reviewers: int = 3) -> Rows:
    """Rows with mistakes, gaps and differences between tasks."""
    rng = np.random.default_rng(size)
    task = rng.integers(0, tasks, size)
    truth = rng.random(size) < rng.beta(3, 2, tasks)[task]
    right = rng.beta(6, 1, tasks)[task]
    judge = np.where(rng.random(size) < right, truth, ~truth).astype(np.int8)
    votes = np.where(rng.random((reviewers, size)) < 0.9, truth, ~truth).astype(np.int8).T.copy()
    judge[rng.random(size) < 0.05] = -1
    votes[rng.random(votes.shape) < 0.2] = -1
    votes[rng.random(votes.shape) < 0.05] = -2
    return Rows(task, judge, votes, np.where(rng.random(size) < 0.5, truth, -1).astype(np.int8))


def ratings(votes: Codes) -> list[list[int | None]]:
    return [[int(vote) if vote >= 0 else None for vote in column] for column in votes.T]


def table_of(pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Rows the first one's Met and Not Met, columns the second one's; pairs without two verdicts are left out."""
    return [[sum(pair == (one, other) for pair in pairs) for other in (1, 0)] for one in (1, 0)]


def every(found: Any) -> Iterator[Estimate]:
    """All estimates in a record."""
    if isinstance(found, Estimate):
        yield found
    elif isinstance(found, dict):
        for each in found.values():
            yield from every(each)
    elif isinstance(found, (tuple, list)):
        for each in found:
            yield from every(each)
    elif hasattr(found, "__dataclass_fields__"):
        for field in fields(found):
            yield from every(getattr(found, field.name))


def holds(comparison: Comparison, table: list[list[int]]) -> None:
    """The comparison is that of the table."""
    expected = two_by_two(table)
    assert [list(row) for row in comparison.table] == table and comparison.n == expected.n
    for name in TABLE_BOUNDS:
        assert getattr(comparison, name).value == pytest.approx(getattr(expected, name), abs=1e-12)


@given(rows())
def test_each_table_is_of_the_verdicts_that_it_says(given_rows: Rows) -> None:
    task, judge, votes, consensus = given_rows
    found = given_rows.panel(resamples=QUICK)
    reviewers = range(votes.shape[1])
    holds(found.overall.judge_person, table_of([(v, j) for j, row in zip(judge, votes, strict=True) for v in row]))
    holds(found.judge_consensus, table_of(list(zip(consensus, judge, strict=True))))
    assert len(found.judge_reviewer) == len(reviewers)
    for r, comparison in enumerate(found.judge_reviewer):
        holds(comparison, table_of(list(zip(votes[:, r], judge, strict=True))))
    common = [(i, j) for i, j in combinations(reviewers, 2) if ((votes[:, i] >= 0) & (votes[:, j] >= 0)).any()]
    assert [(pair.first, pair.second) for pair in found.reviewer_pairs] == common
    for i, j, comparison in ((pair.first, pair.second, pair.comparison) for pair in found.reviewer_pairs):
        holds(comparison, table_of(list(zip(votes[:, i], votes[:, j], strict=True))))
    overall = found.overall.judge_person
    compared = (votes >= 0).any(1) & (judge >= 0)
    assert overall.tasks == len(set(task[compared].tolist()))
    (a, b), (c, d) = overall.table
    assert (overall.sensitivity.n, overall.specificity.n) == (a + b, c + d)
    assert (overall.sensitivity_wilson, overall.specificity_wilson) == (wilson(a, a + b), wilson(d, c + d))


@given(rows())
def test_two_people_are_entered_both_ways(given_rows: Rows) -> None:
    votes = given_rows.votes
    both = [(row[i], row[j]) for row in votes for i in range(len(row)) for j in range(len(row)) if i != j]
    found, table = given_rows.panel(resamples=QUICK).overall.person_person, table_of(both)
    assert [list(row) for row in found.table] == table and table[0][1] == table[1][0]
    assert found.n == sum(map(sum, table)) / 2 and found.sensitivity_wilson is found.specificity_wilson is None
    expected = two_by_two(table)
    for name in set(TABLE_BOUNDS) - {"krippendorff_alpha_nominal"}:  # which knows how many there are
        assert getattr(found, name).value == pytest.approx(getattr(expected, name), abs=1e-12)
    if found.n and 0 < (met := expected.prevalence or 0) < 1:
        chance = met**2 + (1 - met) ** 2  # Scott's pi takes one share of Met for both
        assert found.cohen_kappa.value == pytest.approx((expected.percent_agreement - chance) / (1 - chance), abs=1e-12)
    assert found.percent_agreement.n == found.n and found.sensitivity.n == sum(table[0])


@given(rows())
def test_alpha_of_two_people_is_that_of_their_pairs(given_rows: Rows) -> None:
    two = given_rows.votes[:, :2]
    found = judge_agreement(given_rows.task, given_rows.judge, two, resamples=QUICK).overall
    alpha = found.people.krippendorff_alpha_nominal.value
    assert found.person_person.krippendorff_alpha_nominal.value == pytest.approx(alpha, abs=1e-12)


@given(rows())
def test_people_agree_as_many_raters_do(given_rows: Rows) -> None:
    found, expected = given_rows.panel(resamples=QUICK).overall.people, multi_rater(ratings(given_rows.votes))
    for name in ("percent_agreement", "gwet_ac1", "krippendorff_alpha_nominal", "fleiss_kappa"):
        assert getattr(found, name).value == pytest.approx(getattr(expected, name), abs=1e-12)
        assert getattr(found, name).n == expected.n_items_with_two_or_more == found.n_items_with_two_or_more
    assert found.n_items == int((given_rows.votes >= 0).any(1).sum())


@given(rows())
def test_coverage_counts_rows_and_votes(given_rows: Rows) -> None:
    _, judge, votes, consensus = given_rows
    found = given_rows.panel(resamples=QUICK).overall.coverage
    plain = list(zip(judge.tolist(), votes.tolist(), strict=True))
    voted = [any(vote >= 0 for vote in row) for _, row in plain]
    assert (found.rows, found.judged, found.voted) == (len(plain), sum(j >= 0 for j, _ in plain), sum(voted))
    assert found.compared == sum(j >= 0 and has for (j, _), has in zip(plain, voted, strict=True))
    assert found.agreed == sum(value >= 0 for value in consensus.tolist())
    assert found.votes == sum(vote >= 0 for _, row in plain for vote in row)
    assert found.cannot_assess == sum(vote == -2 for _, row in plain for vote in row)
    if plain:
        assert (found.judged_share, found.voted_share) == (found.judged / len(plain), found.voted / len(plain))
    else:
        assert found.judged_share is found.voted_share is None


@settings(max_examples=40)
@given(rows(), st.randoms(use_true_random=False))
def test_a_group_is_the_panel_of_its_rows(given_rows: Rows, random: Any) -> None:
    mask = np.array([random.random() < 0.5 for _ in given_rows.task], np.bool_)
    labels = {"some": mask, "the same": mask.copy(), "none": np.zeros_like(mask)}
    found = given_rows.panel(groupings={"category": labels}, resamples=QUICK)
    alone = given_rows.chosen(mask).panel(resamples=QUICK).overall
    assert list(found.groups) == ["category"] and list(found.groups["category"]) == list(labels)
    some = found.groups["category"]["some"]
    assert some == found.groups["category"]["the same"] and some.coverage == alone.coverage
    for one, other in zip(every(some), every(alone), strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-12) and one.n == other.n
    assert all(each.value is None for each in every(found.groups["category"]["none"]))


def test_macro_f1_is_that_of_healthbench_overall_and_by_category() -> None:
    block = REFERENCE["healthbench_meta_reference"]
    votes = [[int(vote) for vote in row] + [-1] * (2 - len(row)) for row in block["humans"]]
    masks = {name: np.array(block["category"]) == name for name in "AB"}
    found = judge_agreement(
        np.arange(8), np.array(block["judge"], int), votes, groupings={"category": masks}, resamples=QUICK
    )
    expected = block["expected"]
    for prefix, part in {"": found.overall, **{f"{n}: ": found.groups["category"][n] for n in "AB"}}.items():
        comparison = part.judge_person
        for name, value in (
            ("f1_balanced", comparison.macro_f1.value),
            ("recall_pos", comparison.sensitivity.value),
            ("recall_neg", comparison.specificity.value),
            ("precision_pos", comparison.table[0][0] / sum(row[0] for row in comparison.table)),
            ("precision_neg", comparison.table[1][1] / sum(row[1] for row in comparison.table)),
        ):
            assert value == pytest.approx(expected[f"{prefix}pairwise_model_{name}"]["value"], abs=1e-9)
        assert comparison.n == expected[f"{prefix}pairwise_model_recall_balanced"]["n"]
    # the ceiling by the same measure: of six rows with two votes two pairs differ
    ((a, b), (c, d)), macro = found.overall.person_person.table, found.overall.person_person.macro_f1.value
    assert (a, b, c, d) == (4, 2, 2, 4) and macro == pytest.approx(2 / 3)


@pytest.mark.parametrize("seed", [0, 3])
def test_intervals_resample_tasks_with_all_their_rows(seed: int) -> None:
    all_rows, resamples = made(), 60
    mask = np.arange(len(all_rows.task)) % 3 == 0
    found = all_rows.panel(groupings={"turn": {"1": mask}}, seed=seed, resamples=resamples)
    names = np.unique(all_rows.task[(all_rows.votes >= 0).any(1) | (all_rows.consensus >= 0)])
    drawn = np.random.default_rng(seed).integers(0, len(names), (resamples, len(names)))
    plain = []
    for resample in drawn:
        chosen = np.concatenate([np.nonzero(all_rows.task == names[k])[0] for k in resample])
        again = all_rows.chosen(chosen).panel(groupings={"turn": {"1": mask[chosen]}}, resamples=0)
        plain.append([np.nan if each.value is None else each.value for each in every(again)])
    table, estimates = np.array(plain), list(every(found))
    assert len(estimates) == table.shape[1] > 80
    for estimate, column in zip(estimates, table.T, strict=True):
        assert estimate.undefined == np.isnan(column).sum()
        if estimate.value is None:
            assert estimate.low is estimate.high is None
    # the widening by hand for those that all tasks speak of
    for estimate, index in ((found.overall.judge_person.cohen_kappa, 1), (found.overall.judge_person.phi, 3)):
        assert estimates[index] is estimate and estimate.value is not None
        wider = np.sqrt(len(names) / (len(names) - 1)) * t.ppf(0.975, len(names) - 1) / Z
        low, high = estimate.value + wider * (np.quantile(table[:, index], [0.025, 0.975]) - estimate.value)
        assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=1e-12)


def test_every_interval_holds_its_value_within_its_bounds() -> None:
    found = made().panel(groupings={"turn": {str(k): np.arange(400) % 7 == k for k in range(7)}}, resamples=200)
    for part in (found.overall, *found.groups["turn"].values()):
        for name, (lowest, highest) in TABLE_BOUNDS.items():
            each = getattr(part.judge_person, name)
            assert each.low is not None and lowest <= each.low <= each.value <= each.high <= highest
            assert each.low < each.high and each.undefined == 0


def test_a_group_of_few_tasks_is_surer_of_nothing() -> None:
    all_rows = made()
    two = np.isin(all_rows.task, [0, 1])
    found = all_rows.panel(groupings={"g": {"one": all_rows.task == 0, "two": two}}, resamples=200).groups["g"]
    assert found["one"].judge_person.tasks == 1 and found["two"].judge_person.tasks == 2
    for each in every(found["one"]):
        assert each.low is None and each.high is None
    assert found["one"].judge_person.percent_agreement.value is not None
    assert found["two"].judge_person.percent_agreement.low is not None
    assert found["two"].judge_person.percent_agreement.undefined > 0  # resamples that hold neither of the two


def test_a_share_is_as_sure_as_the_tasks_that_it_is_of() -> None:
    judge = np.array([1, 0, 1, 1, 0, 1])
    votes = np.array([[1], [0], [0], [1], [1], [1]])  # Not Met in the first task only
    found = judge_agreement([0, 0, 0, 1, 1, 2], judge, votes).overall.judge_person
    assert found.specificity.value == 0.5 and found.specificity.low is found.specificity.high is None
    assert found.sensitivity.low is not None and found.percent_agreement.low is not None


def test_one_task_has_values_without_intervals() -> None:
    found = made(tasks=1).panel()
    assert found.overall.judge_person.cohen_kappa.value is not None
    for each in every(found):
        assert each.low is each.high is None and each.undefined == 0


def test_all_of_one_mind_leave_no_doubt_and_nothing_that_needs_both_classes() -> None:
    met = np.ones(40, np.int8)
    found = judge_agreement(np.arange(40) // 4, met, np.column_stack([met, met]), consensus=met)
    for comparison in (found.overall.judge_person, found.overall.person_person, found.judge_consensus):
        assert comparison.percent_agreement == Estimate(1.0, 1.0, 1.0, comparison.n, 0)
        assert comparison.gwet_ac1 == Estimate(1.0, 1.0, 1.0, comparison.n, 0)
        undefined = (comparison.cohen_kappa, comparison.phi, comparison.krippendorff_alpha_nominal, comparison.macro_f1)
        assert undefined == (Estimate(None, None, None, comparison.n, 2000),) * 4
        assert comparison.specificity == Estimate(None, None, None, 0, 2000)
    assert found.overall.people.fleiss_kappa.value is None
    assert found.overall.judge_person.specificity_wilson is None
    assert found.overall.judge_person.sensitivity_wilson == wilson(80, 80)


def test_without_votes_everything_is_undefined() -> None:
    for size, reviewers in ((0, 0), (0, 3), (5, 0), (5, 2)):
        nobody = np.full((size, reviewers), -1)
        found = judge_agreement(
            np.arange(size), np.ones(size, int), nobody, groupings={"g": {"a": np.ones(size, bool)}}
        )
        assert all((each.value, each.low, each.n) == (None, None, 0) for each in every(found))
        assert len(found.judge_reviewer) == reviewers and found.reviewer_pairs == ()
        json.dumps(asdict(found), allow_nan=False)


def test_the_order_of_rows_reviewers_and_task_numbers_does_not_matter() -> None:
    all_rows = made()
    found = all_rows.panel(resamples=QUICK)
    order = np.random.default_rng(1).permutation(len(all_rows.task))
    shuffled = all_rows.chosen(order)
    assert asdict(shuffled.panel(resamples=QUICK)) == asdict(found)
    other = shuffled._replace(task=shuffled.task * 7 + 100, votes=shuffled.votes[:, [2, 0, 1]])
    again = other.panel(resamples=QUICK)
    assert asdict(again.overall) == asdict(found.overall)
    assert again.judge_reviewer == tuple(found.judge_reviewer[r] for r in (2, 0, 1))
    assert [pair.comparison.cohen_kappa for pair in again.reviewer_pairs] == [
        found.reviewer_pairs[k].comparison.cohen_kappa for k in (1, 2, 0)
    ]


def test_sampling_weights_make_it_speak_of_what_was_sampled_from() -> None:
    all_rows = made()
    assert all_rows.panel(sampling_weight=np.full(400, 3.0), resamples=QUICK).overall.judge_person_weighted is None
    compared = (all_rows.votes >= 0).any(1) & (all_rows.judge >= 0)
    others = np.where(compared, 3.0, np.arange(1, 401))
    assert all_rows.panel(sampling_weight=others, resamples=QUICK).overall.judge_person_weighted is None
    weight = np.where(all_rows.judge == 1, 4.0, 1.0)
    found = all_rows.panel(sampling_weight=weight, resamples=200).overall
    comparison, plain = found.judge_person_weighted, found.judge_person
    assert comparison and plain == all_rows.panel(resamples=200).overall.judge_person
    table = np.array(plain.table, float) * [4, 1]  # the judge's Met count four times
    table *= plain.n / table.sum()
    for name, value in table_statistics(table).items():
        assert getattr(comparison, name).value == pytest.approx(float(value), abs=1e-12)
        assert getattr(comparison, name).n == getattr(plain, name).n
    assert comparison.table == plain.table and comparison.sensitivity_wilson is None
    # rows that were drawn with a quarter's chance and are there four times need no weight
    four = np.repeat(np.arange(400), weight.astype(int))
    repeated = all_rows.chosen(four).panel(resamples=QUICK).overall.judge_person
    assert comparison.specificity.value == pytest.approx(repeated.specificity.value)


def test_it_is_ready_for_json() -> None:
    found = made().panel(groupings={"g": {"a": np.arange(400) < 3}}, sampling_weight=np.arange(1, 401), resamples=QUICK)
    read = json.loads(json.dumps(asdict(found), allow_nan=False))
    assert read["overall"]["judge_person"]["cohen_kappa"]["value"] == found.overall.judge_person.cohen_kappa.value
    assert isinstance(found.overall, Slice) and isinstance(found.overall.people, People)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"votes": [[2], [0]]}, "votes must be codes"),
        ({"votes": [1, 0]}, "shape"),
        ({"judge": [1]}, "verdicts of the judge must be of shape"),
        ({"judge": [1, -2]}, "verdicts of the judge must be codes"),
        ({"judge": ["met", "met"]}, "codes"),
        ({"judge": [0.5, 1.0]}, "codes"),
        ({"judge": [np.nan, 1.0]}, "codes"),
        ({"judge": [None, 1]}, "codes"),
        ({"task": [0]}, "tasks must be 2 whole numbers"),
        ({"task": [0.5, 1.0]}, "tasks must be 2 whole numbers"),
        ({"consensus": [1, 0, 1]}, "the consensus must be of shape"),
        ({"sampling_weight": [1.0, 0.0]}, "above 0"),
        ({"sampling_weight": [1.0, np.nan]}, "above 0"),
        ({"groupings": {"turn": {"1": [True]}}}, "the mask of turn 1"),
        ({"groupings": {"turn": {"1": [1, 0]}}}, "booleans"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"task": [0, 1], "judge": [1, 0], "votes": [[1], [0]]}
    with pytest.raises(ValueError, match=message):
        judge_agreement(**(arguments | change))


def test_the_worst_criteria_are_those_that_surely_differ() -> None:
    criterion = np.array([7] * 12 + [3] * 2 + [5] * 12 + [9] * 3)
    judge = np.ones(29, int)
    votes = np.full((29, 2), -1)
    votes[:12, 0] = [0] * 9 + [1] * 3  # 9 of 12 differ
    votes[12:14, 0] = 0  # 2 of 2
    votes[14:26, 1] = 1  # none of 12
    votes[26:, 0] = [0, 1, -2]  # 1 of 2
    judge[28] = -1
    found = worst_criteria(criterion, judge, votes)
    assert [(each.criterion, each.votes, each.differing) for each in found] == [(7, 12, 9), (3, 2, 2), (9, 2, 1)]
    interval = wilson(9, 12)
    assert interval and found[0].surely == pytest.approx(interval.low)
    assert worst_criteria([], [], np.empty((0, 2))) == []
    with pytest.raises(ValueError, match="criteria"):
        worst_criteria([1], judge, votes)
