"""No picture of a task, however it is changed, may be trained on."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from easel_app.painting.tasks import Catalogue, Task
from easel_app.settings import data_folder
from easel_app.trajectories.references.families import DRAWERS
from easel_app.trajectories.references.hashing import apart, colours_of, phash_of
from easel_app.trajectories.references.leaks import Tasks, published, turned
from easel_app.trajectories.references.reference import Pixels

ALL = [task for task in Catalogue(data_folder() / "tasks", data_folder() / "semantic") if task.shows_reference]


@pytest.fixture(scope="module")
def tasks() -> Tasks:
    return published()


def like(tasks: Tasks, pixels: Pixels) -> str | None:
    return tasks.like(pixels, phash_of(pixels))


def jpeg(pixels: Pixels) -> Pixels:
    held = io.BytesIO()
    Image.fromarray(pixels).save(held, "JPEG", quality=80)
    return np.array(Image.open(held))


def cut(left: int, top: int, right: int, bottom: int) -> Callable[[Pixels], Pixels]:
    """So many pixels taken off each side, the rest enlarged again."""

    def change(pixels: Pixels) -> Pixels:
        height, width = pixels.shape[:2]
        box = (left, top, width - right, height - bottom)
        return np.array(Image.fromarray(pixels).crop(box).resize((width, height), Image.Resampling.LANCZOS))

    return change


def moved(pixels: Pixels) -> Pixels:
    """The crop begins two pixels farther left and up; what comes in repeats the border."""
    return np.pad(pixels, ((2, 0), (2, 0), (0, 0)), "edge")[:-2, :-2]


def scaled(side: int) -> Callable[[Pixels], Pixels]:
    return lambda pixels: np.array(Image.fromarray(pixels).resize((side, side), Image.Resampling.LANCZOS))


CHANGES: dict[str, Callable[[Pixels], Pixels]] = {
    "as it is": lambda pixels: pixels,
    "JPEG of quality 80": jpeg,
    "cut by 2 px all around": cut(2, 2, 2, 2),
    "cut by 2 px on the left": cut(2, 0, 0, 0),
    "moved by 2 px": moved,
    "of 96 px": scaled(96),
    "of 200 px": scaled(200),
    "a little lighter": lambda pixels: np.clip(pixels * 1.05 + 5, 0, 255).astype(np.uint8),
    "mirrored, as JPEG": lambda pixels: jpeg(np.ascontiguousarray(pixels[:, ::-1])),
    "upside down and moved": lambda pixels: moved(np.ascontiguousarray(pixels[::-1])),
}


def test_there_are_all_tasks_but_the_one_that_shows_a_blank_canvas() -> None:
    assert len(ALL) == 114


@pytest.mark.parametrize("change", CHANGES)
def test_no_task_passes(tasks: Tasks, change: str) -> None:
    assert [task.id for task in ALL if like(tasks, CHANGES[change](task.reference)) is None] == []


def test_no_task_passes_in_any_of_the_eight_ways_a_square_is_turned(tasks: Tasks) -> None:
    for task in ALL[::6]:
        assert {like(tasks, way) for way in turned(task.reference)} == {task.id}


def test_the_eight_ways_are_all_there_are() -> None:
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    ways = {way.tobytes() for way in turned(pixels)}
    assert len(ways) == 8
    assert all(way.tobytes() in ways for other in turned(pixels) for way in turned(other))


@pytest.mark.parametrize("family", sorted(DRAWERS))
def test_pictures_of_our_own_are_hardly_ever_taken_for_a_task(tasks: Tasks, family: str) -> None:
    source = DRAWERS[family](1, 128)
    found = [like(tasks, source.draw(index).pixels) for index in range(60)]
    assert sum(name is not None for name in found) <= 1


@given(st.tuples(*[st.integers(0, 255)] * 3))
@example((211, 109, 80))
def test_a_flat_picture_is_like_no_task(tasks: Tasks, colour: tuple[int, int, int]) -> None:
    assert like(tasks, np.full((128, 128, 3), colour, np.uint8)) is None


def test_a_picture_of_the_same_forms_in_other_colours_is_no_leak(tasks: Tasks) -> None:
    task: Task = next(task for task in ALL if task.id == "spatial-12")
    assert like(tasks, np.ascontiguousarray(255 - task.reference)) is None


@settings(max_examples=30)
@given(arrays(np.uint8, (8, 8, 3)))
def test_the_hash_is_a_law_of_grey_frequencies(small: Pixels) -> None:
    pixels = np.kron(small, np.ones((8, 8, 1), np.uint8))
    grey = np.repeat(np.array(Image.fromarray(pixels).convert("L"))[..., None], 3, axis=2)
    assert phash_of(pixels) == phash_of(grey)
    bright = grey // 2
    if (bright * 2 == grey).all():
        assert apart(phash_of(bright), np.array([phash_of(grey)]))[0] == 0
    assert colours_of(pixels).shape == (48,)


def test_the_hash_is_the_same_on_every_machine_and_a_flat_picture_has_no_bit() -> None:
    assert int(phash_of(ALL[0].reference)) == 18014402804776980
    assert int(phash_of(np.full((40, 40, 3), 77, np.uint8))) == 0


def test_the_hash_changes_little_by_jpeg_and_much_between_pictures() -> None:
    bits = np.array([phash_of(task.reference) for task in ALL])
    near = [int(apart(phash_of(jpeg(task.reference)), bits[k : k + 1])[0]) for k, task in enumerate(ALL)]
    between = [int(each) for k in range(len(bits)) for each in apart(bits[k], bits[k + 1 :])]
    assert np.median(near) <= 2
    assert np.median(between) >= 26
