"""Intervals by the cluster bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from easel_app.scoring.uncertainty import mean_interval

values = st.floats(0, 1, allow_nan=False)


@given(st.lists(st.lists(values, min_size=1, max_size=3), min_size=2, max_size=20))
def test_an_interval_holds_only_what_means_of_clusters_can_give(clusters: list[list[float]]) -> None:
    means = [float(np.mean(cluster)) for cluster in clusters]
    found = mean_interval(clusters)
    assert found and min(means) - 1e-12 <= found.low <= found.high <= max(means) + 1e-12
    assert found == mean_interval(clusters)


def test_it_agrees_with_scipys_percentile_bootstrap() -> None:
    sample = np.random.default_rng(1).random(40)
    theirs = bootstrap((sample,), np.mean, method="percentile", n_resamples=9999, rng=2).confidence_interval
    ours = mean_interval([[value] for value in sample])
    assert ours and (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_repeats_of_a_task_do_not_narrow_it() -> None:
    sample = np.random.default_rng(3).random(20).tolist()
    once, five = mean_interval([[value] for value in sample]), mean_interval([[value] * 5 for value in sample])
    assert once and five and once == pytest.approx(five)


def test_it_is_undefined_for_fewer_than_two_clusters() -> None:
    assert mean_interval([]) is None and mean_interval([[0.4, 0.6]]) is None and mean_interval([[0.4], []]) is None
