"""The integer composite: exhaustive against its formula and against skia, then whole paintings by both."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import skia
from numpy.typing import NDArray

from benchmarks.strokes import KINDS
from easel_app.engine import Patch, StepEngine, composite, stroke_mask
from easel_app.engine.stroke import colour_bytes
from tests.engine import rule

Bytes = NDArray[np.uint8]
LEVELS = np.arange(256, dtype=np.uint8)
UNDER = np.repeat(LEVELS[:, None, None], 256, 1).repeat(3, 2)
"""All canvas bytes, one a row."""
OVER = np.ascontiguousarray(np.repeat(LEVELS[None, :], 256, 0))
"""All mask bytes, one a column."""


def formula(canvas: Bytes, alpha: Bytes, colour: Bytes) -> Bytes:
    mask = alpha[..., None].astype(np.int32)
    return ((colour * mask + canvas * (255 - mask) + 127) // 255).astype(np.uint8)


def by_skia(canvas: Bytes, patch: Patch, colour: Bytes) -> None:
    pixels = np.dstack([canvas, np.full(canvas.shape[:2], 255, np.uint8)])
    surface = skia.Surface(pixels, colorType=skia.ColorType.kRGBA_8888_ColorType)
    image = skia.Image.fromarray(patch.alpha, colorType=skia.ColorType.kAlpha_8_ColorType)
    paint = skia.Paint(Color=skia.Color(*colour.tolist()))
    surface.getCanvas().drawImage(image, patch.left, patch.top, skia.SamplingOptions(), paint)
    canvas[:] = pixels[..., :3]


@pytest.mark.parametrize("compositor", [composite, by_skia], ids=["engine", "skia"])
def test_all_triples_of_bytes_follow_the_formula(compositor: Callable[[Bytes, Patch, Bytes], None]) -> None:
    for level in range(0, 256, 3):  # three colours at a time, one a channel
        colour = np.minimum(np.arange(level, level + 3), 255).astype(np.uint8)
        canvas = UNDER.copy()
        compositor(canvas, Patch(OVER, 0, 0), colour)
        assert (canvas == formula(UNDER, OVER, colour)).all(), f"colours {colour}"


def test_a_patch_touches_only_its_place() -> None:
    canvas = np.random.default_rng(1).integers(0, 256, (9, 13, 3)).astype(np.uint8)
    expected, drawn = canvas.copy(), canvas.copy()
    patch = Patch(OVER[:4, 100:105].copy(), 5, 8)
    colour = np.array([1, 120, 255], np.uint8)
    expected[5:9, 8:13] = formula(canvas[5:9, 8:13], patch.alpha, colour)
    composite(canvas, patch, colour)
    by_skia(drawn, patch, colour)
    assert (canvas == expected).all() and (drawn == expected).all()


@pytest.mark.parametrize("size", [33, 128])
@pytest.mark.parametrize("kind", ["painting", "random"])
def test_skia_and_the_engine_paint_the_same_bytes(size: int, kind: str) -> None:
    engine = StepEngine(np.zeros((size, size, 3), np.uint8))
    session, plain = engine.canvas.copy(), engine.canvas.copy()
    for stroke in KINDS[kind](150, size, seed=3):
        engine.step(stroke)
        colour = np.floor(255 * stroke[10:] + 0.5).astype(np.uint8)
        if engine.mask.alpha.size:
            by_skia(session, engine.mask, colour)
        composite(plain, stroke_mask(stroke, size), colour_bytes(stroke))
        assert (engine.canvas == session).all() and (engine.canvas == plain).all()


def test_colours_round_to_the_nearest_byte() -> None:
    stroke = np.full(13, 0.5)
    stroke[10:] = [0.0, 1.0, 0.5 / 255]
    assert colour_bytes(stroke).tolist() == [0, 255, 1]


@pytest.mark.parametrize(
    ("canvas", "patch", "said"),
    [
        (np.zeros((4, 4), np.uint8), Patch(OVER[:2, :2].copy(), 0, 0), "must be C-contiguous uint8"),
        (np.zeros((4, 4, 3)), Patch(OVER[:2, :2].copy(), 0, 0), "must be C-contiguous uint8"),
        (np.zeros((3, 4, 4), np.uint8).transpose(1, 2, 0), Patch(OVER[:2, :2].copy(), 0, 0), "C-contiguous"),
        (np.zeros((4, 4, 3), np.uint8), Patch(OVER[:2, :2].copy(), 3, 0), "reaches beyond"),
        (np.zeros((4, 4, 3), np.uint8), Patch(OVER[:2, :2].copy(), 0, -1), "reaches beyond"),
    ],
)
def test_wrong_canvas_or_place_is_refused(canvas: Bytes, patch: Patch, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        composite(canvas, patch, np.zeros(3, np.uint8))


def test_a_read_only_canvas_is_refused() -> None:
    engine = StepEngine(np.zeros((16, 16, 3), np.uint8))
    with pytest.raises(ValueError, match="read-only"):
        composite(engine.canvas, Patch(OVER[:2, :2].copy(), 0, 0), np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="read-only"):
        engine.canvas[0, 0] = 0


def test_an_empty_patch_changes_nothing() -> None:
    canvas = np.full((5, 5, 3), 7, np.uint8)
    composite(canvas, Patch(np.zeros((0, 0), np.uint8), 0, 0), np.zeros(3, np.uint8))
    assert (canvas == 7).all()


def test_the_corner_strokes_agree_too() -> None:
    engine = StepEngine(np.zeros((24, 24, 3), np.uint8))
    drawn = engine.canvas.copy()
    for stroke in rule.corner_strokes(60, seed=5):
        engine.step(stroke)
        drawn = formula(drawn, rule.mask(stroke, 24), np.floor(255 * stroke[10:] + 0.5).astype(np.int32))
        assert (engine.canvas == drawn).all()
