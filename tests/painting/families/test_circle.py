"""The family of circles: one disc, the same at every size, on a picture that leaves the brush's colour alone."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import label

from easel_app.painting.families.circle import BUDGET, SIZES, draft
from easel_app.painting.truth import OutlineTruth
from easel_app.scoring import BRUSH_COLOUR

seeds = st.integers(0, 2**31 - 1)
sizes = st.sampled_from(SIZES)
few = settings(max_examples=20, deadline=None)


def mask_of(size: int, seed: int) -> np.ndarray:
    truth = draft(size, seed).truth
    assert isinstance(truth, OutlineTruth)
    return truth.mask


@given(sizes, seeds)
@few
def test_a_draft_is_complete(size: int, seed: int) -> None:
    made = draft(size, seed)
    assert made.picture.shape == (size, size, 3) and made.picture.dtype == np.uint8
    assert mask_of(size, seed).shape == (size, size) and mask_of(size, seed).dtype == np.bool_
    assert made.budget == BUDGET == 64 and made.title == f"Circle {seed}" and "outline" in made.instruction


@given(sizes, seeds)
@few
def test_the_target_is_one_disc_that_keeps_off_the_rim(size: int, seed: int) -> None:
    mask = mask_of(size, seed)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    height, width = int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1
    assert abs(height - width) <= 1
    assert 2 * 0.18 * size - 1 <= height <= 2 * 0.33 * size + 1  # a disc begins and ends within a pixel
    assert mask.sum() == pytest.approx(np.pi * ((height + width) / 4) ** 2, rel=0.06)
    assert min(rows[0], columns[0], size - 1 - rows[-1], size - 1 - columns[-1]) >= 0.06 * size - 1
    assert label(mask)[1] == 1


@given(seeds)
@few
def test_the_disc_shows_as_one_flat_colour_that_its_surroundings_have_not(seed: int) -> None:
    made, mask = draft(128, seed), mask_of(128, seed)
    middle = np.argwhere(mask).mean(0).round().astype(int)
    colour = made.picture[middle[0], middle[1]]
    same = (made.picture == colour).all(-1)
    assert (same & mask).sum() >= 0.9 * mask.sum()
    assert not (same & ~mask).any()


@given(sizes, seeds)
@few
def test_no_pixel_is_near_the_brush_colour(size: int, seed: int) -> None:
    off = np.abs(draft(size, seed).picture.astype(int) - np.array(BRUSH_COLOUR)).sum(-1)
    assert off.min() >= 150


@given(seeds)
@few
def test_a_seed_gives_the_same_scene_at_every_size(seed: int) -> None:
    shares = [mask_of(size, seed).mean() for size in SIZES]
    assert np.ptp(shares) <= 0.012
    middles = [(np.argwhere(mask_of(size, seed)).mean(0) + 0.5) / size for size in SIZES]
    assert np.ptp(middles, axis=0).max() <= 0.01


def test_seeds_give_many_different_circles() -> None:
    places = {tuple(np.argwhere(mask_of(64, seed)).mean(0).round(1)) for seed in range(40)}
    assert len(places) >= 35


@pytest.mark.parametrize(
    ("size", "digest"),
    [
        (64, "0adbc0085c1d4ffc"),
        (128, "9f2f52e44fef8088"),
        (256, "74e2820736bd6f09"),
        (512, "583dab1ca49818f3"),
    ],
)
def test_a_seed_gives_the_same_bytes_on_every_machine(size: int, digest: str) -> None:
    made = draft(size, 7)
    found = hashlib.sha256(made.picture.tobytes() + mask_of(size, 7).tobytes()).hexdigest()[:16]
    assert found == digest


@pytest.mark.parametrize("size", [0, 100, 1024, -64])
def test_a_size_that_is_none_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="choose one of 64, 128, 256, 512"):
        draft(size, 1)


@pytest.mark.parametrize("seed", [-1, 2**31])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="choose another"):
        draft(64, seed)
