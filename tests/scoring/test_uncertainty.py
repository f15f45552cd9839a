"""Intervals by the cluster bootstrap: what they hold, and how often they hold the truth."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import bootstrap, t
from statsmodels.stats.proportion import proportion_confint

from easel_app.scoring.agreement import table_statistics
from easel_app.scoring.uncertainty import (
    RESAMPLES,
    Estimate,
    cluster_intervals,
    cluster_sums,
    mean_interval,
    mean_intervals,
    wilson,
    wilson_ends,
)

values = st.floats(0, 1, allow_nan=False)
Z = 1.959963984540054


@given(st.lists(st.lists(values, min_size=1, max_size=3), min_size=2, max_size=20))
def test_an_interval_holds_the_mean_and_keeps_to_its_bounds(clusters: list[list[float]]) -> None:
    mean = float(np.mean([np.mean(cluster) for cluster in clusters]))
    found, bounded = mean_interval(clusters), mean_interval(clusters, bounds=(0.0, 1.0))
    assert found and bounded and found.low <= mean + 1e-12 and mean - 1e-12 <= found.high
    assert bounded == pytest.approx((max(0.0, found.low), min(1.0, found.high)))
    assert found == mean_interval(clusters)


def test_a_mean_beyond_the_bounds_stays_in_its_interval() -> None:
    found = mean_interval([[-0.02], [-0.01], [-0.03]], bounds=(0.0, 1.0))  # a similarity may be a little below 0
    assert found and found.low == pytest.approx(-0.02) and 0 < found.high < 0.01
    found = mean_interval([[1.2], [1.3], [1.1]], bounds=(0.0, 1.0))
    assert found and found.high == pytest.approx(1.2) and 0 < found.low < 1.2


def test_equal_values_leave_no_doubt() -> None:
    assert mean_interval([[0.1]] * 7) == pytest.approx((0.1, 0.1), abs=1e-15)


@pytest.mark.parametrize("size", [4, 40])
def test_it_is_scipys_percentile_interval_as_wide_as_a_t_interval_is(size: int) -> None:
    sample = np.random.default_rng(1).random(size)
    theirs = bootstrap((sample,), np.mean, method="percentile", n_resamples=9999, rng=2).confidence_interval
    wider = np.sqrt(size / (size - 1)) * t.ppf(0.975, size - 1) / Z
    ours = mean_interval([[value] for value in sample])
    expected = [sample.mean() + wider * (end - sample.mean()) for end in (theirs.low, theirs.high)]
    assert ours and (ours.low, ours.high) == pytest.approx(expected, abs=0.015 * wider)


SAMPLES = 1000
DRAWS = {"normal": (lambda rng, shape: rng.normal(0.5, 0.1, shape), 0.5),
         "skewed": (lambda rng, shape: rng.beta(2, 6, shape), 0.25)}  # fmt: skip


@pytest.mark.parametrize("size", [5, 15, 40, 110])
@pytest.mark.parametrize("name", DRAWS)
def test_about_95_in_100_intervals_hold_the_true_mean_for_few_tasks_too(name: str, size: int) -> None:
    draw, mean = DRAWS[name]
    samples: NDArray[np.float64] = draw(np.random.default_rng(size), (SAMPLES, size))
    found = [interval for interval in mean_intervals(list(samples)) if interval]
    held = sum(low <= mean <= high for low, high in found) / SAMPLES
    # four standard errors of such a share are 0.028; five skewed values tell too little of their tail
    assert (0.90 if (name, size) == ("skewed", 5) else 0.92) <= held <= 0.98


def test_many_samples_at_once_get_the_intervals_that_each_would_get_alone() -> None:
    rng = np.random.default_rng(0)
    samples = [rng.random(size) for size in [*range(30), *[7] * 600]]  # more of one size than are held together
    alone = [mean_interval([[value] for value in sample]) for sample in samples]
    assert [found is None for found in alone] == [len(sample) < 2 for sample in samples]
    for one, other in zip(mean_intervals(samples), alone, strict=True):
        assert (one is None) == (other is None) and (one is None or one == pytest.approx(other, abs=1e-12))
    assert mean_intervals([]) == []


def test_repeats_of_a_task_do_not_narrow_it() -> None:
    sample = np.random.default_rng(3).random(20).tolist()
    once, five = mean_interval([[value] for value in sample]), mean_interval([[value] * 5 for value in sample])
    assert once and five and once == pytest.approx(five)


def test_it_is_undefined_for_fewer_than_two_clusters() -> None:
    assert mean_interval([]) is None and mean_interval([[0.4, 0.6]]) is None and mean_interval([[0.4], []]) is None


def ratio(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first column over the second, and over the third."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[:, :1] / sums[:, 1:]


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("size", [2, 5, 23, 300])
def test_clusters_are_resampled_as_in_plain_python(size: int, seed: int) -> None:
    rng = np.random.default_rng(size)
    rows = rng.integers(0, 4, (size, 3))
    rows[1:, 2] = 0  # so that the second ratio is undefined in each resample without the first cluster
    rows[0] = 1, 2, 3
    resamples = 300
    drawn = np.random.default_rng(seed).integers(0, size, (resamples, size))
    found = cluster_intervals(rows, ratio, n=[11, 12], clusters=[size, 4], seed=seed, resamples=resamples)
    for column, estimate, clusters in zip((1, 2), found, (size, 4), strict=True):
        plain = []
        for resample in drawn.tolist():
            above, below = sum(int(rows[k, 0]) for k in resample), sum(int(rows[k, column]) for k in resample)
            if below:
                plain.append(above / below)
        value = rows[:, 0].sum() / rows[:, column].sum()
        wider = np.sqrt(clusters / (clusters - 1)) * t.ppf(0.975, clusters - 1) / Z
        ends = [value + wider * (end - value) for end in np.quantile(plain, [0.025, 0.975])]
        expected = (value, min(value, ends[0]), max(value, ends[1]), 10 + column, resamples - len(plain))
        assert (estimate.value, estimate.low, estimate.high, estimate.n, estimate.undefined) == pytest.approx(expected)


def test_it_is_the_interval_of_a_mean_where_the_statistic_is_one() -> None:
    sample = np.random.default_rng(4).random(30)
    (found,) = cluster_intervals(np.column_stack([sample, np.ones(30)]), ratio)
    assert (found.low, found.high) == pytest.approx(mean_interval([[value] for value in sample]))
    assert (found.value, found.n) == (pytest.approx(sample.mean()), 30)


def test_equal_clusters_leave_no_doubt_in_a_statistic() -> None:
    (found,) = cluster_intervals([[1, 3]] * 7, ratio)
    assert found == Estimate(1 / 3, 1 / 3, 1 / 3, 7, 0)


def test_a_statistic_without_doubt_to_measure_has_no_interval() -> None:
    nothing = cluster_intervals(np.zeros((0, 2)), ratio)
    assert nothing == [Estimate(None, None, None, 0, 0)]
    assert cluster_intervals([[1, 2]], ratio) == [Estimate(0.5, None, None, 1, 0)]
    assert cluster_intervals([[1, 2], [0, 0]], ratio, clusters=[1])[0].low is None
    assert cluster_intervals([[1, 0], [2, 0]], ratio) == [Estimate(None, None, None, 2, RESAMPLES)]


def test_no_interval_leaves_its_bounds_or_its_statistic() -> None:
    rows = [[9, 10], [10, 10], [10, 10], [5, 10]]
    (free,) = cluster_intervals(rows, ratio)
    (bound,) = cluster_intervals(rows, ratio, bounds=(0, 1))
    assert free.high and free.high > 1 and (bound.low, bound.high) == (free.low, 1.0)
    (outside,) = cluster_intervals(rows, ratio, bounds=(0.9, 1))
    assert outside.value == outside.low == 0.85


@pytest.mark.parametrize("rows", [[1, 2, 3], [[1.0, np.nan]], [[np.inf, 1]]])
def test_what_is_no_table_of_sums_is_refused(rows: Any) -> None:
    with pytest.raises(ValueError, match="finite numbers"):
        cluster_intervals(rows, ratio)


def test_memory_does_not_grow_with_resamples_times_clusters() -> None:
    sums = np.random.default_rng(0).integers(0, 9, (5000, 400)).astype(np.float64)
    tracemalloc.start()
    found = cluster_intervals(sums, ratio, resamples=600)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == 399 and peak < 60e6  # as float64 the draws alone would be 24 MB for 600, 80 MB for 2,000


def test_about_95_in_100_intervals_hold_the_true_agreement_and_kappa_of_few_tasks() -> None:
    rng, tasks, samples = np.random.default_rng(15), 15, 400

    def drawn(shape: tuple[int, ...]) -> NDArray[np.float64]:
        met, right = rng.beta(4, 2, shape), rng.beta(5, 1, shape)  # what the eight items of a task have in common
        person = rng.binomial(8, met)
        a, d = rng.binomial(person, right), rng.binomial(8 - person, right)
        return np.stack([a, person - a, 8 - person - d, d], axis=-1).astype(np.float64)

    def statistic(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        found = table_statistics(sums.reshape(len(sums), -1, 2, 2))
        return np.concatenate([found["percent_agreement"], found["cohen_kappa"]], axis=1)

    truth = np.repeat(statistic(drawn((200_000,)).sum(0)[None])[0], samples)
    found = cluster_intervals(drawn((tasks, samples)).reshape(tasks, -1), statistic)
    held = np.array([(each.low, each.high) for each in found])
    inside = ((held[:, 0] <= truth) & (truth <= held[:, 1])).reshape(2, samples).mean(1)
    assert ((inside >= 0.88) & (inside <= 0.99)).all()


@given(st.integers(1, 500), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilsons_interval_is_that_of_statsmodels(n: int, share: float, confidence: float) -> None:
    k = round(share * n)
    found = wilson(k, n, confidence)
    assert found == pytest.approx(proportion_confint(k, n, 1 - confidence, "wilson"), abs=1e-12)
    assert found and 0 <= found.low <= k / n <= found.high <= 1
    assert (found.low == 0) == (k == 0) and (found.high == 1) == (k == n)


def test_wilsons_interval_of_none_begins_and_of_all_ends_exactly() -> None:
    n = np.arange(1, 2000)
    assert (wilson_ends(0, n)[:, 0] == 0).all() and (wilson_ends(n, n)[:, 1] == 1).all()


def test_wilsons_interval_of_nothing_is_undefined() -> None:
    assert wilson(0, 0) is None
    assert wilson_ends([0, 3], [0, 4])[1] == pytest.approx(wilson(3, 4))
    assert np.isnan(wilson_ends([0, 3], [0, 4])[0]).all()


@pytest.mark.parametrize(
    ("k", "n", "confidence"),
    [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0), (1, 2, 0.0), (np.nan, 2, 0.95), (1, np.inf, 0.95)],
)
def test_what_is_no_share_is_refused(k: float, n: float, confidence: float) -> None:
    with pytest.raises(ValueError, match=r"k must lie in 0\.\.n"):
        wilson(k, n, confidence)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 9)), max_size=20))
def test_sums_of_clusters_are_those_of_their_rows(rows: list[tuple[int, int, int]]) -> None:
    found = cluster_sums([row[0] for row in rows], np.array([row[1:] for row in rows]).reshape(-1, 2), 5)
    assert found.tolist() == [[sum(row[c] for row in rows if row[0] == k) for c in (1, 2)] for k in range(5)]
