"""What the evidence of a score shows, also to those who do not tell its colours apart."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.painting.board import judge
from easel_app.painting.brush import dressed, line_radius
from easel_app.painting.env import find_task
from easel_app.painting.evidence import GOOD, MISSING, WRONG, Evidence, Key, evidence
from easel_app.painting.lettering import write
from easel_app.painting.painters import able, next_action, painter
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.renderer import render
from easel_app.painting.rollout import Rollout
from easel_app.painting.scores import MazeScores, OutlineScores
from easel_app.painting.stroke import PATH_FIELDS, BrushStroke
from easel_app.painting.tasks import Task
from easel_app.painting.truth import MazeTruth, OutlineTruth
from easel_app.scoring.ink import ink
from easel_app.scoring.outline import enclosed

PAPER = 255.0
paths = st.lists(st.lists(st.integers(0, 64).map(lambda n: n / 64), min_size=6, max_size=6), max_size=4)
TASKS = (
    "circle-outline", "circle-64-3", "apple-outline", "apple-128-2",
    "hello", "handwriting-128-5", "simple-maze", "harder-maze", "maze-512-3",
)  # fmt: skip


def the(task_id: str) -> Task:
    task = find_task(task_id)
    assert task
    return task


def drawn(task: Task, strokes: list[np.ndarray]) -> tuple[np.ndarray, Evidence]:
    """The canvas with strokes, float64 (6,) each, and its evidence."""
    lying = [dressed(np.asarray(stroke, np.float64)) for stroke in strokes]
    canvas = render(np.array(lying), task.start) if lying else task.start
    assert task.truth
    return canvas, evidence(task, canvas, judge(task.truth, task.start, canvas))


def solved(task: Task, steps: int) -> list[np.ndarray]:
    """The first strokes of the script that knows the answer."""
    rollout = Rollout(task, ProtocolName.BENCHMARK)
    hand = painter(able(task.truth)[0], task.reference, task.budget, 0, task.truth)
    strokes = []
    for step in range(steps):
        action = next_action(hand, rollout.pixels, step)
        if not isinstance(action, BrushStroke):
            break
        rollout.play(action)
        named = action.stroke.model_dump()
        strokes.append(np.array([named[name] for name in PATH_FIELDS]))
    return strokes


def loop(x: float, y: float, wide: float, high: float) -> list[np.ndarray]:
    """An ellipse in twelve strokes."""
    turns, strokes = np.linspace(0, 2 * np.pi, 13), []
    for a, b in pairwise(turns):
        middle, reach = (a + b) / 2, 1 / np.cos((b - a) / 2)
        places = (a, 1.0), (middle, reach), (b, 1.0)
        strokes.append(np.array([at for t, r in places for at in (x + r * wide * np.cos(t), y + r * high * np.sin(t))]))
    return strokes


def over(canvas: np.ndarray, found: Evidence) -> np.ndarray:
    """The picture as it is seen, over the canvas: float64 (m, m, 3)."""
    scale = len(found.picture) // len(canvas)
    alpha = found.picture[..., 3:] / 255
    return found.picture[..., :3] * alpha + np.repeat(np.repeat(canvas, scale, 0), scale, 1) * (1 - alpha)


def luma(colours: np.ndarray) -> np.ndarray:
    """Relative luminance, [0, 1], of sRGB in [0, 255]."""
    part = np.asarray(colours) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """Contrast ratio of WCAG 2 of two colours, 1 to 21."""
    low, high = sorted((float(luma(one)), float(luma(other))))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("task_id", TASKS)
@settings(max_examples=20)
@given(strokes=paths)
def test_whatever_is_drawn_has_a_picture_keys_and_labels_in_range(task_id: str, strokes: list[list[float]]) -> None:
    task = the(task_id)
    canvas, found = drawn(task, [np.array(stroke) for stroke in strokes])
    side = len(found.picture)
    assert found.picture.shape == (side, side, 4)
    assert found.picture.dtype == np.uint8
    assert side >= 512
    assert side % len(canvas) == 0
    assert found.keys
    assert len({key.colour for key in found.keys}) == len(found.keys)
    assert all(0 <= label.x <= 1 and 0.03 <= label.y <= 0.97 and label.text for label in found.labels)
    assert all(name and value for name, value in found.facts)
    assert len({name for name, _ in found.facts}) == len(found.facts)


@pytest.mark.parametrize("task_id", ["apple-outline", "apple-256-7"])
def test_the_three_areas_of_an_apple_are_told_apart_by_pattern_too(task_id: str) -> None:
    """Red on red apples looks like paint: without their colours the areas must differ."""
    task = the(task_id)
    assert isinstance(task.truth, OutlineTruth)
    y, x = (axis.mean() / task.width for axis in np.nonzero(task.truth.mask))
    canvas, found = drawn(task, loop(x + 0.12, y, 0.15, 0.2))
    region, target = enclosed(ink(canvas, task.start), line_radius(task.width)), task.truth.mask
    scale = len(found.picture) // task.width
    period, turns = 16, {}
    for name, area in (("good", region & target), ("missing", target & ~region), ("wrong", region & ~target)):
        inside = np.repeat(np.repeat(area, scale, 0), scale, 1)
        white = (found.picture[..., :3] == 255).all(2) & (found.picture[..., 3] < 255)  # the rim is not meant
        rows, columns = np.nonzero(inside & white)
        slopes = ((columns + rows) % period, (columns - rows) % period)
        turns[name] = [
            np.bincount(slope, minlength=period).max() / len(rows) if len(rows) > 400 else 0 for slope in slopes
        ]
    # of hatching one way, all white is in few lines of that slope; of hatching both ways, half of it is in each
    assert max(turns["good"]) < 0.2
    assert turns["missing"][0] > 0.2 > turns["missing"][1]
    assert min(turns["wrong"]) > 0.1


@settings(max_examples=20)
@given(st.integers(0, 2**31 - 1))
def test_the_rim_of_the_target_stands_out_from_any_picture(seed: int) -> None:
    task = the(f"apple-128-{seed}")
    assert isinstance(task.truth, OutlineTruth)
    _, found = drawn(task, [])
    solid = found.picture[..., 3] == 255
    white, dark = (solid & (found.picture[..., :3] == tone).all(2) for tone in ((255, 255, 255), (21, 25, 24)))
    mask = task.truth.mask
    scale = len(found.picture) // len(mask)
    inside = np.repeat(np.repeat(mask, scale, 0), scale, 1)
    border = inside & ~(np.roll(inside, 1, 0) & np.roll(inside, -1, 0) & np.roll(inside, 1, 1) & np.roll(inside, -1, 1))
    assert white[border].all()
    assert dark.sum() > 0.5 * border.sum()
    assert contrast(np.array((255, 255, 255)), np.array((21, 25, 24))) > 15


@pytest.mark.parametrize("steps", [0, 4, 20, 99])
@pytest.mark.parametrize("task_id", ["simple-maze", "harder-maze"])
def test_the_route_is_whole_where_it_was_reached_and_dashed_ahead(task_id: str, steps: int) -> None:
    task = the(task_id)
    assert isinstance(task.truth, MazeTruth)
    canvas, found = drawn(task, solved(task, steps))
    scores = judge(task.truth, task.start, canvas)
    assert isinstance(scores, MazeScores)
    scale = len(found.picture) / task.width
    route = np.array([task.truth.centre(cell) for cell in task.truth.route]) * scale
    pitch = task.truth.pitch * scale
    along = np.arange(0, (len(route) - 1) * pitch, 0.5)
    places = np.stack([np.interp(along, np.arange(len(route)) * pitch, route[:, axis]) for axis in (0, 1)])
    seen = found.picture[tuple(places[::-1].astype(int))]
    come = scores.progress * (len(route) - 1) * pitch
    good, missing = ((seen == (*colour, 255)).all(1) for colour in (GOOD, MISSING))
    assert good[along < come].all()
    ahead = along > come + pitch / 2
    assert not good[ahead].any()
    if ahead.any():
        assert 0.4 < missing[ahead].mean() < 0.9


def test_the_lines_of_a_route_have_an_edge_that_can_be_seen_on_brush_and_paper() -> None:
    task = the("harder-maze")
    canvas, found = drawn(task, solved(task, 20))
    brush, paper = np.array((0, 0, 139)), np.full(3, PAPER)
    for colour, edge, ground in ((GOOD, (255, 255, 255), brush), (MISSING, (21, 25, 24), paper)):
        line, rim = ((found.picture == (*tone, 255)).all(2) for tone in (colour, edge))
        beside = np.zeros_like(line)
        for axis in (0, 1):
            for way in (-1, 1):
                beside |= np.roll(line, way, axis)
        outer = beside & ~line
        assert (rim & outer).sum() > 0.8 * outer.sum()
        assert contrast(np.array(edge), ground) > 3
    assert over(canvas, found).max() <= PAPER


def test_letters_of_a_word_at_the_upper_edge_are_whole_and_beneath_it() -> None:
    task = the("hello")
    word = write("hello")
    top = min(path[1::2].min() for path in word)
    high = [np.clip(path - np.array([0, top] * 3), 0, 1) for path in word]
    canvas, found = drawn(task, high)
    rows = np.nonzero(ink(canvas, task.start).any(1))[0]
    assert "".join(label.text for label in found.labels) == "hello"
    assert {label.y for label in found.labels} == {(rows[-1] + 1) / task.width + 0.03}
    _, usual = drawn(task, word)
    assert all(label.y < min(path[1::2].min() for path in word) for label in usual.labels)


def test_nothing_read_is_called_that_and_has_no_confidence() -> None:
    task = the("hello")
    mirrored = [np.abs(path - np.array([1, 0] * 3)) for path in write("hello")]
    for strokes, taken in (([], False), (mirrored, True)):
        _, found = drawn(task, strokes)
        facts = dict(found.facts)
        assert [key.label for key in found.keys] == ["nothing read"]
        assert "Confidence" not in facts
        assert facts["Read"] == "nothing"
        assert ("Taken for" in facts) == taken
    _, found = drawn(task, write("hello"))
    assert float(dict(found.facts)["Confidence"]) > 0.9


@pytest.mark.parametrize("task_id", ["circle-outline", "hello", "simple-maze"])
def test_the_score_itself_is_no_fact_again(task_id: str) -> None:
    task = the(task_id)
    _, found = drawn(task, solved(task, 99))
    assert not {"Dice", "Progress", "Letters in place"} & set(dict(found.facts))


def test_evidence_of_another_kind_of_score_is_refused() -> None:
    task = the("simple-maze")
    with pytest.raises(ValueError, match="simple-maze is scored as OutlineScores"):
        evidence(task, task.start, OutlineScores(0.0, 0, 0))


def test_a_key_tells_the_pattern_beside_the_colour() -> None:
    assert [Key(colour, "").pattern for colour in (GOOD, MISSING, WRONG)] == ["plain", "hatched", "crossed"]
