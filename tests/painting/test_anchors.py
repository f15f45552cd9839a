"""The anchors: what they are, and that the catalogue's are those of the committed pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from easel_app.painting import anchors
from easel_app.scoring.similarity import similarity

TASKS = Path(__file__).parents[2] / "data" / "tasks"
CATALOGUE: list[dict[str, Any]] = json.loads((TASKS / "catalogue.json").read_text(encoding="utf-8"))["tasks"]

pictures = arrays(np.uint8, st.tuples(st.integers(7, 12), st.integers(7, 12), st.just(3)))


def picture(*pixels: tuple[int, int, int]) -> np.ndarray:
    """A picture of one row."""
    return np.array([pixels], np.uint8)


def test_blank_is_white_in_the_shape_of_the_reference() -> None:
    canvas = anchors.blank(np.zeros((9, 11, 3), np.uint8))
    assert canvas.shape == (9, 11, 3)
    assert canvas.dtype == np.uint8
    assert (canvas == 255).all()


@pytest.mark.parametrize(
    ("values", "mean"), [((0, 1), 1), ((0, 0, 0, 1), 0), ((2, 3), 3), ((255, 255), 255), ((254, 255), 255)]
)
def test_mean_is_rounded_half_up_to_a_byte(values: tuple[int, ...], mean: int) -> None:
    canvas = anchors.mean_fill(picture(*[(v, 0, 0) for v in values]))
    assert (canvas[..., 0] == mean).all()
    assert (canvas[..., 1:] == 0).all()


def test_mean_is_taken_a_channel() -> None:
    assert anchors.mean_fill(picture((0, 100, 200), (10, 50, 100)))[0, 0].tolist() == [5, 75, 150]


def test_dominant_colour_is_the_mean_of_the_fullest_cell_alone() -> None:
    canvas = anchors.dominant_fill(picture((32, 32, 32), (35, 33, 40), (255, 0, 0)))
    assert canvas[0, 0].tolist() == [34, 33, 36]


def test_of_equally_full_cells_the_lowest_number_wins() -> None:
    assert anchors.dominant_fill(picture((200, 0, 0), (0, 200, 0), (0, 0, 200)))[0, 0].tolist() == [0, 0, 200]


def test_a_cell_ends_at_every_sixteenth_value() -> None:
    assert anchors.dominant_fill(picture((15, 0, 0), (16, 0, 0), (17, 0, 0)))[0, 0].tolist() == [17, 0, 0]


@given(pictures)
def test_fills_are_flat_and_within_the_colours_of_the_reference(reference: np.ndarray) -> None:
    before = reference.copy()
    for fill in (anchors.mean_fill, anchors.dominant_fill):
        canvas = fill(reference)
        assert canvas.shape == reference.shape
        assert canvas.dtype == np.uint8
        assert (canvas == canvas[0, 0]).all()
        assert (canvas[0, 0] >= reference.min(axis=(0, 1))).all()
        assert (canvas[0, 0] <= reference.max(axis=(0, 1))).all()
    assert (reference == before).all()


@given(pictures, st.randoms(use_true_random=False))
def test_fills_do_not_depend_on_where_a_colour_is(reference: np.ndarray, random: Any) -> None:
    order = list(range(reference.shape[0] * reference.shape[1]))
    random.shuffle(order)
    moved = reference.reshape(-1, 3)[order].reshape(reference.shape)
    assert (anchors.mean_fill(moved) == anchors.mean_fill(reference)).all()
    assert (anchors.dominant_fill(moved) == anchors.dominant_fill(reference)).all()


@given(pictures)
def test_no_pixel_lies_in_a_fuller_cell_than_the_dominant_one(reference: np.ndarray) -> None:
    cells, counts = np.unique(reference.reshape(-1, 3) // 16, axis=0, return_counts=True)
    dominant = (cells == anchors.dominant_fill(reference)[0, 0] // 16).all(axis=1)
    assert counts[dominant] == counts.max()


@given(st.tuples(*[st.integers(0, 255)] * 3))
@settings(max_examples=20)
def test_fills_match_a_flat_reference_exactly(colour: tuple[int, int, int]) -> None:
    scores = anchors.scores(np.full((16, 16, 3), colour, np.uint8))
    assert scores["mean_fill"] == 1.0
    assert scores["dominant_fill"] == 1.0
    assert scores["blank"] <= 1.0


@given(pictures)
@settings(max_examples=20)
def test_scores_are_the_similarity_of_the_three_canvases(reference: np.ndarray) -> None:
    assert anchors.scores(reference) == {
        "blank": similarity(anchors.blank(reference), reference).similarity,
        "mean_fill": similarity(anchors.mean_fill(reference), reference).similarity,
        "dominant_fill": similarity(anchors.dominant_fill(reference), reference).similarity,
    }


@pytest.mark.parametrize(
    "reference",
    [np.zeros((16, 16, 3)), np.zeros((16, 16), np.uint8), np.zeros((16, 16, 4), np.uint8)],
    ids=["floats", "grey", "alpha"],
)
def test_what_is_no_rgb_picture_is_refused_by_type_and_shape(reference: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"must be uint8 \(h, w, 3\), not"):
        anchors.scores(reference)


@pytest.mark.parametrize("task", CATALOGUE, ids=lambda task: str(task["id"]))
def test_the_catalogue_holds_the_anchors_of_the_committed_picture(task: dict[str, Any]) -> None:
    with Image.open(TASKS / f"{task['id']}.png") as file:
        found = anchors.scores(np.asarray(file))
    for name, score in found.items():
        assert task["anchors"][name] == pytest.approx(score, rel=0, abs=1e-12)
        assert score < 0.95, "a task that a flat fill solves is no task"
