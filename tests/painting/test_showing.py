"""What a model is shown is the canvas enlarged by whole pixels, and lines that can be seen on any ground."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from easel_app.painting.showing import LARGEST_SCALE, MOST_WIDTH, PLAIN, ROOM, Look, show

colour = st.tuples(*[st.integers(0, 255)] * 3)


def noise(size: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (size, size, 3), np.uint8)


def flat(size: int, rgb: tuple[int, int, int]) -> np.ndarray:
    return np.full((size, size, 3), rgb, np.uint8)


def lines(size: int) -> np.ndarray:
    """Where lines lie: the pixels that hold the coordinates 0.1 to 0.9."""
    places = [int(np.floor(np.float64(f"0.{tenth}") * size + 1e-9)) for tenth in range(1, 10)]
    found = np.zeros((size, size), bool)
    found[places] = found[:, places] = True
    return found


@given(seed=st.integers(0, 99), size=st.sampled_from([1, 7, 64]), scale=st.integers(2, LARGEST_SCALE))
def test_each_pixel_becomes_a_square(seed: int, size: int, scale: int) -> None:
    pixels = noise(size, seed)
    shown = show(pixels, Look(scale=scale))
    assert (shown.shape, shown.dtype) == ((size * scale, size * scale, 3), np.uint8)
    for dy in range(scale):
        for dx in range(scale):
            assert (shown[dy::scale, dx::scale] == pixels).all()


def test_plain_is_the_picture_itself() -> None:
    pixels = noise(64)
    assert show(pixels, PLAIN) is pixels
    assert Look() == PLAIN


@pytest.mark.parametrize("size, scale", [(64, 1), (64, 3), (128, 1), (100, 2)])
def test_the_grid_leaves_all_other_pixels_alone(size: int, scale: int) -> None:
    pixels = noise(size)
    bare, shown = show(pixels, Look(scale=scale)), show(pixels, Look(scale=scale, grid=True))
    changed = (bare != shown).any(-1)
    assert changed.any()
    assert not changed[~lines(size * scale)].any()
    assert (pixels == noise(size)).all()  # what was painted is not touched


@given(colour)
def test_lines_show_on_any_ground(rgb: tuple[int, int, int]) -> None:
    pixels = flat(64, rgb)
    shown = show(pixels, Look(grid=True)).astype(int)
    difference = np.abs(shown - pixels).mean(-1)
    assert (difference[lines(64)] >= 63).all()
    assert (difference[~lines(64)] == 0).all()


@given(st.integers(0, 999))
def test_lines_show_on_every_pixel_of_a_busy_ground(seed: int) -> None:
    pixels = noise(64, seed)
    difference = np.abs(show(pixels, Look(grid=True)).astype(int) - pixels).mean(-1)
    assert (difference[lines(64)] >= 63).all()


@pytest.mark.parametrize("size, scale", [(64, 1), (64, 3), (128, 1), (64, 4), (128, 2), (128, 8), (512, 1)])
def test_lines_are_numbered_where_there_is_room(size: int, scale: int) -> None:
    shown = show(flat(size, (255, 255, 255)), Look(scale=scale, grid=True))
    numbers = (shown != 255).any(-1) & ~lines(size * scale)
    assert numbers.any() == (size * scale >= ROOM)
    # along the top and the left edge only: nine along each
    inside = numbers.copy()
    inside[:13], inside[:, :15] = False, False
    assert not inside.any()


def test_numbers_tell_the_coordinate_of_the_line_before_them() -> None:
    shown = show(flat(64, (255, 255, 255)), Look(scale=8, grid=True))
    numbers = (shown != 255).any(-1) & ~lines(512)
    starts = [int(np.floor(512 * tenth / 10)) for tenth in range(1, 10)]
    along = [numbers[:13, start + 1 : start + 16] for start in starts]
    down = [numbers[start + 1 : start + 14, :15] for start in starts]
    assert all(box.any() for box in along + down)
    assert len({box.tobytes() for box in along}) == len({box.tobytes() for box in down}) == 9


@given(seed=st.integers(0, 99), scale=st.integers(1, LARGEST_SCALE), grid=st.booleans())
def test_the_same_picture_is_shown_the_same(seed: int, scale: int, grid: bool) -> None:
    look = Look(scale=scale, grid=grid)
    assert (show(noise(64, seed), look) == show(noise(64, seed), look)).all()


def test_what_would_be_too_wide_is_refused_with_what_would_not() -> None:
    assert len(show(noise(512), Look(scale=4, grid=True))) == MOST_WIDTH
    with pytest.raises(ValueError, match="enlarge by 4 at most"):
        show(noise(512), Look(scale=5))


@pytest.mark.parametrize(
    "wish", [{"scale": 0}, {"scale": 9}, {"scale": -1}, {"scale": 1.5}, {"scale": "2"}, {"scale": True}, {"grid": 1},
             {"grid": "yes"}, {"zoom": 2}, {"scale": None}],
)  # fmt: skip
def test_a_look_is_checked(wish: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Look.model_validate(wish)
