"""What is sent as PNG comes back byte for byte, by any reader."""

import io

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from easel_app.painting import png

pictures = st.tuples(st.integers(1, 40), st.integers(1, 40)).flatmap(lambda s: arrays(np.uint8, (*s, 3)))


@given(pictures)
def test_pixels_survive(picture: np.ndarray) -> None:
    file = png.encode(picture)
    assert (png.decode(file) == picture).all()
    assert (cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR_RGB) == picture).all()


@pytest.mark.parametrize("step", [1, 3])
def test_views_of_larger_pictures_are_fine(step: int) -> None:
    wide = np.random.default_rng(0).integers(0, 256, (64, 64, 4)).astype(np.uint8)
    view = wide[5:50:step, 7:40:step, :3]
    assert (png.decode(png.encode(view)) == view).all()


def test_checksums_are_right() -> None:
    with Image.open(io.BytesIO(png.encode(np.zeros((9, 9, 3), np.uint8)))) as image:
        image.verify()
