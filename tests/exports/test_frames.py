"""Frames are the canvases of the log, and never all in memory."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from easel_app.exports.containers import patches, write_gif, write_webp
from easel_app.exports.frames import GAP, canvases, enlarged, frames, scale_of, steps_shown
from easel_app.painting import png
from easel_app.services.problems import Conflict
from tests.exports.conftest import House

Pixels = NDArray[np.uint8]


@pytest.mark.parametrize("name", ["painted", "maze", "fork", "model", "open", "empty", "own"])
def test_the_canvases_are_those_that_the_studio_shows_at_every_step(house: House, name: str) -> None:
    task, _, actions = house.recorded(name)
    found = list(canvases(task, actions))
    steps = house.studio.sessions.state(house.ids[name]).step
    assert len(found) == steps + 1
    for step, canvas in enumerate(found):
        assert (canvas == png.decode(house.studio.sessions.canvas(house.ids[name], step))).all()


def test_a_log_that_gives_another_canvas_is_refused(house: House) -> None:
    task, _, actions = house.recorded("painted")
    other = replace(actions[0], params={**actions[0].params, "red": 0.123})
    with pytest.raises(Conflict, match="no longer gives the recorded canvas"):
        list(canvases(task, [other, *actions[1:]]))


@given(st.integers(0, 5000), st.integers(2, 600))
def test_thinning_keeps_first_and_last_and_is_even(steps: int, most: int) -> None:
    shown = steps_shown(steps, most)
    assert shown[0] == 0
    assert shown[-1] == steps
    assert len(shown) == min(most, steps + 1)
    gaps = np.diff(shown)
    assert gaps.size == 0 or (gaps.min() >= 1 and gaps.max() - gaps.min() <= 1)


@given(st.integers(1, 2048))
def test_a_shown_canvas_is_even_and_no_smaller_than_it_must_be(width: int) -> None:
    side = scale_of(width) * width
    assert side >= 256
    assert side % 2 == 0
    assert side - 2 * width < 256 or scale_of(width) <= 2


def test_beside_the_reference_stands_at_the_left(house: House) -> None:
    task, _, actions = house.recorded("painted")
    found = list(frames(task, actions, most=600, beside=True))
    side = task.width * scale_of(task.width)
    for frame, canvas in zip(found, canvases(task, actions), strict=True):
        assert frame.shape == (side, 2 * side + GAP, 3)
        assert (frame[:, :side] == enlarged(task.reference, scale_of(task.width))).all()
        assert (frame[:, side + GAP :] == enlarged(canvas, scale_of(task.width))).all()


def test_nothing_more_is_made_once_nobody_waits(house: House) -> None:
    task, _, actions = house.recorded("painted")
    asked = iter([False, False, True])
    assert len(list(frames(task, actions, most=600, stopping=lambda: next(asked)))) == 2


@pytest.mark.parametrize("write", [write_webp, write_gif])
def test_only_a_few_frames_are_in_memory_at_a_time(write: object) -> None:
    made: list[weakref.ref[Pixels]] = []
    most = 0

    def found() -> Iterator[Pixels]:
        nonlocal most
        rng = np.random.default_rng(0)
        for _ in range(40):
            frame = rng.integers(0, 255, (32, 32, 3), np.uint8)
            made.append(weakref.ref(frame))
            most = max(most, sum(one() is not None for one in made))
            yield frame
            del frame

    assert callable(write)
    write(BytesIO(), (32, 32), patches(found(), 12, 1.0))
    assert most <= 3
