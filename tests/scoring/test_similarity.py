from __future__ import annotations

import doctest
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from skimage.data import astronaut

from easel_app.scoring import similarity as module
from easel_app.scoring.similarity import LUMA, METRIC, WEIGHTS, combine, edges, luma, similarity

Picture = NDArray[np.uint8]
C1, C2 = 0.01**2, 0.03**2
"""SSIM's constants for values in [0, 1]."""


def flat(level: int, side: int = 16) -> Picture:
    return np.full((side, side, 3), level, np.uint8)


def step(column: int, side: int = 32) -> Picture:
    """Black on the left, white from `column` on."""
    picture = flat(0, side)
    picture[:, column:] = 255
    return picture


def photograph() -> Picture:
    return np.ascontiguousarray(astronaut()[64:192:2, 160:288:2])


pictures = st.builds(
    lambda seed, side: np.random.default_rng(seed).integers(0, 256, (side, side, 3)).astype(np.uint8),
    st.integers(0, 2**32 - 1),
    st.integers(7, 24),
)


def test_weights_are_the_published_ones_and_sum_to_one() -> None:
    assert METRIC == "similarity/1"
    assert WEIGHTS == (0.5, 0.3, 0.2)
    assert sum(WEIGHTS) == pytest.approx(1.0)
    assert sum(LUMA) == pytest.approx(1.0)


@settings(max_examples=30, deadline=None)
@given(picture=pictures)
def test_a_picture_is_identical_to_itself(picture: Picture) -> None:
    assert tuple(similarity(picture, picture)) == pytest.approx((1.0, 1.0, 0.0, 1.0), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), side=st.integers(7, 24))
def test_parts_are_symmetric_and_within_their_bounds(seed: int, side: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = (rng.integers(0, 256, (side, side, 3)).astype(np.uint8) for _ in range(2))
    score = similarity(a, b)
    assert tuple(score) == pytest.approx(tuple(similarity(b, a)), abs=1e-12)
    assert -1.0 <= score.ssim <= 1.0
    assert 0.0 <= score.l1 <= 1.0
    assert 0.0 <= score.edge_iou <= 1.0
    assert score == combine(*score[1:])


def test_more_noise_scores_lower_in_every_part() -> None:
    picture = photograph()
    noise = np.random.default_rng(0).normal(0.0, 1.0, picture.shape)
    scores = [
        similarity(np.clip(picture + level * noise, 0, 255).astype(np.uint8), picture) for level in (0, 4, 16, 64)
    ]
    for better, worse in pairwise(scores):
        assert worse.similarity < better.similarity
        assert worse.ssim < better.ssim
        assert worse.l1 > better.l1
        assert worse.edge_iou < better.edge_iou


def test_two_pictures_without_edges_agree_on_edges() -> None:
    assert similarity(flat(0), flat(255)).edge_iou == 1.0


def test_edges_where_there_should_be_none_count_as_all_wrong() -> None:
    assert similarity(step(16), flat(0, 32)).edge_iou == 0.0


def test_edges_must_match_pixel_for_pixel() -> None:
    found = np.flatnonzero(edges(step(16)).any(0))
    assert found.tolist() == [15, 16]  # a tie: the gradient is equal on both sides of the step
    assert similarity(step(16), step(16)).edge_iou == 1.0
    assert similarity(step(16), step(17)).edge_iou == pytest.approx(1 / 3)
    assert similarity(step(16), step(18)).edge_iou == 0.0


def test_black_on_white_by_hand() -> None:
    score = similarity(flat(0), flat(255))
    assert score.ssim == pytest.approx(C1 / (1 + C1), abs=1e-12)  # means 0 and 1, no variance
    assert score.l1 == 1.0
    assert score.similarity == pytest.approx(0.5 * C1 / (1 + C1) + 0.2, abs=1e-12)


def test_one_window_by_hand() -> None:
    canvas = flat(0, 7)
    canvas[3, 3, 1] = 255  # one green pixel: mean 1/49, sample variance (1 - 1/49) / 48 = 1/49
    green = C1 / (1 / 49**2 + C1) * C2 / (1 / 49 + C2)
    score = similarity(canvas, flat(0, 7))
    assert score.ssim == pytest.approx((1 + green + 1) / 3, abs=1e-12)
    assert score.l1 == pytest.approx(1 / (3 * 49), abs=1e-15)


def test_a_photograph_shifted_by_a_pixel_keeps_its_score() -> None:
    picture = photograph()
    score = similarity(np.roll(picture, 1, axis=1), picture)
    golden = (0.7243338140633031, 0.7592116313387877, 0.057293581495098035, 0.3095803642121932)
    assert tuple(score) == pytest.approx(golden, abs=1e-9)


def test_luma_weighs_red_green_and_blue() -> None:
    primaries = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]], np.uint8)
    assert luma(primaries).tolist() == [[0.2126, 0.7152, 0.0722, pytest.approx(1.0)]]


@pytest.mark.parametrize(
    ("canvas", "reference", "said"),
    [
        (flat(0, 16), flat(0, 17), r"canvas \(16, 16, 3\) and reference \(17, 17, 3\) must share one shape"),
        (np.zeros((16, 16), np.uint8), np.zeros((16, 16), np.uint8), "must share one shape"),
        (np.zeros((16, 16, 4), np.uint8), np.zeros((16, 16, 4), np.uint8), "must share one shape"),
        (np.zeros((16, 16, 3)), flat(0), r"canvas \(float64\) and reference \(uint8\) must be uint8"),
        (flat(0, 6), flat(0, 6), "a side of 6 px is shorter than the SSIM window of 7 px"),
    ],
)
def test_wrong_pictures_are_refused(canvas: Picture, reference: Picture, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        similarity(canvas, reference)


def test_the_documented_example_is_true() -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 0 and failed == 0
