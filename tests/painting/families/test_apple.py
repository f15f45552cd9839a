"""The family of apples: the left one is in one piece, and colour alone does not tell it from the others."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import binary_dilation, label
from sklearn.linear_model import LogisticRegression

from easel_app.painting.families.apple import BUDGET, SIZES, draft, still_life
from easel_app.painting.truth import OutlineTruth
from easel_app.scoring import BRUSH_COLOUR
from easel_app.scoring.outline import dice

SEEDS = range(12)
seeds = st.integers(0, 2**31 - 1)
few = settings(max_examples=12, deadline=None)


def mask_of(size: int, seed: int) -> np.ndarray:
    truth = draft(size, seed).truth
    assert isinstance(truth, OutlineTruth)
    return truth.mask


@given(st.sampled_from(SIZES), seeds)
@few
def test_a_draft_is_complete(size: int, seed: int) -> None:
    made = draft(size, seed)
    assert made.picture.shape == (size, size, 3) and made.picture.dtype == np.uint8
    assert isinstance(made.truth, OutlineTruth)
    assert made.truth.mask.shape == (size, size) and made.truth.mask.dtype == np.bool_
    assert made.budget == BUDGET == 64 and made.title == f"Apples {seed}"
    assert "left apple" in made.instruction and "stem" in made.instruction


@given(st.sampled_from(SIZES), seeds)
@few
def test_the_left_apple_is_one_piece_of_plausible_size_within_the_canvas(size: int, seed: int) -> None:
    mask = mask_of(size, seed)
    assert label(mask)[1] == 1
    assert 0.09 <= mask.mean() <= 0.18
    assert not (mask[0].any() or mask[-1].any() or mask[:, 0].any() or mask[:, -1].any())
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    assert mask.sum() >= 0.70 * rows.size * columns.size, "a round thing fills its box"


@given(seeds)
@few
def test_two_or_three_apples_are_seen_and_the_left_one_touches_the_right_one(seed: int) -> None:
    _, bodies = still_life(128, seed)
    assert len(bodies) in (2, 3)
    assert binary_dilation(bodies[0], iterations=2)[bodies[1]].any()
    assert not np.logical_and.reduce(bodies[:2]).any()
    middles = [np.argwhere(body).mean(0)[1] for body in bodies]
    assert middles[0] < min(middles[1:]) - 0.06 * 128, "which apple is the left one is beyond doubt"
    assert bodies[1].mean() >= 0.09


def test_some_left_apples_are_partly_hidden_and_some_hide_others() -> None:
    fuller = [bodies[0].sum() > bodies[1].sum() for _, bodies in (still_life(64, seed) for seed in range(24))]
    assert 4 <= sum(fuller) <= 20
    assert {len(still_life(64, seed)[1]) for seed in range(8)} == {2, 3}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_linear_rule_of_colour_tells_the_left_apple_from_the_right_one(seed: int) -> None:
    picture, (left, right, *_) = still_life(128, seed)
    colours = np.concatenate([picture[left], picture[right]]) / 255
    which = np.repeat([0, 1], [left.sum(), right.sum()])
    told = LogisticRegression(class_weight="balanced", C=100).fit(colours, which).predict(colours)
    assert np.mean([(told[which == k] == k).mean() for k in (0, 1)]) <= 0.75


@pytest.mark.parametrize("seed", SEEDS)
def test_no_choice_of_colours_whatever_cuts_the_left_apple_out_of_the_picture(seed: int) -> None:
    # the best set of colours (16 levels a channel), chosen by the truth itself: those most often in the left apple
    picture, (left, *_) = still_life(256, seed)
    bins = (picture // 16).astype(int) @ np.array([256, 16, 1])
    inside, all_over = np.bincount(bins[left], minlength=4096), np.bincount(bins.ravel(), minlength=4096)
    order = np.argsort(-inside / np.maximum(all_over, 1))
    scores = 2 * inside[order].cumsum() / (all_over[order].cumsum() + left.sum())
    chosen = np.zeros(4096, bool)
    chosen[order[: int(scores.argmax()) + 1]] = True
    assert dice(chosen[bins], left) == pytest.approx(scores.max())
    assert scores.max() <= 0.80


@given(st.sampled_from(SIZES), seeds)
@few
def test_no_pixel_is_near_the_brush_colour(size: int, seed: int) -> None:
    off = np.abs(draft(size, seed).picture.astype(int) - np.array(BRUSH_COLOUR)).sum(-1)
    assert off.min() >= 120


@given(seeds)
@few
def test_a_seed_gives_the_same_scene_at_every_size(seed: int) -> None:
    (small, (seen, *_)), (large, (left, *_)) = still_life(128, seed), still_life(256, seed)
    assert abs(seen.mean() - left.mean()) <= 0.008
    halved = large.reshape(128, 2, 128, 2, 3).mean((1, 3))
    assert np.abs(small - halved).mean() <= 5.0


def test_seeds_give_different_pictures() -> None:
    assert len({draft(64, seed).picture.tobytes() for seed in range(20)}) == 20


@pytest.mark.parametrize(
    ("size", "digest"),
    [
        (64, "b38b0aaac21aad49"),
        (128, "171a013327a38521"),
        (256, "8d3a2223cd75faa6"),
        (512, "40b220c2270a3bbe"),
    ],
)
def test_a_seed_gives_the_same_bytes_on_every_machine(size: int, digest: str) -> None:
    made = draft(size, 7)
    assert hashlib.sha256(made.picture.tobytes() + mask_of(size, 7).tobytes()).hexdigest()[:16] == digest


@pytest.mark.parametrize("size", [0, 100, 1024])
def test_a_size_that_is_none_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="choose one of 64, 128, 256, 512"):
        draft(size, 1)


@pytest.mark.parametrize("seed", [-1, 2**31])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="choose another"):
        draft(64, seed)
