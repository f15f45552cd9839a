"""Intervals by the cluster bootstrap: what they hold, and how often they hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import bootstrap, t

from easel_app.scoring.uncertainty import mean_interval, mean_intervals

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
