"""A second opinion on the mask: the same rule as a skia shader, drawn by skia in float32."""

from __future__ import annotations

import numpy as np
import pytest
import skia
from numpy.typing import NDArray

from benchmarks.strokes import KINDS
from easel_app.engine import stroke_mask
from tests.engine import rule

MOST = 256
"""Discs that fit in the shader's uniforms."""

SHADER = skia.RuntimeEffect.MakeForShader(
    f"""
    uniform float4 discs[{MOST}];  // x, y, radius, opacity
    uniform float count;
    half4 main(float2 point) {{
        float cover = 0;
        float value = 0;
        for (int i = 0; i < {MOST}; i++) {{
            if (float(i) < count) {{
                float4 disc = discs[i];
                float part = clamp(disc.z + 0.5 - distance(point, disc.xy), 0.0, 1.0);
                if (part > 0.0) {{
                    cover = max(cover, part);
                    value += (disc.w - value) * (part / cover);
                }}
            }}
        }}
        return half4(half(cover * value));
    }}
    """
)


def shaded(stroke: NDArray[np.float64], size: int) -> NDArray[np.uint8]:
    """The mask of a stroke as skia draws it, white on black."""
    discs = np.array(rule.discs(stroke, size), np.float32)
    uniforms = np.zeros(4 * MOST + 1, np.float32)
    uniforms[: discs.size], uniforms[-1] = discs.ravel(), len(discs)
    pixels = np.zeros((size, size, 4), np.uint8)
    pixels[..., 3] = 255
    paint = skia.Paint()
    paint.setShader(SHADER.makeShader(skia.Data.MakeWithCopy(uniforms.tobytes())))
    skia.Surface(pixels).getCanvas().drawPaint(paint)
    return pixels[..., 0].copy()


@pytest.mark.parametrize(("size", "kind", "count"), [(33, "random", 30), (64, "random", 12), (64, "painting", 40)])
def test_skia_draws_the_same_mask_within_one_level(size: int, kind: str, count: int) -> None:
    differing = pixels = 0
    for stroke in KINDS[kind](count, size, seed=11):
        difference = np.abs(rule.whole(stroke_mask(stroke, size), size).astype(int) - shaded(stroke, size))
        assert difference.max() <= 1
        differing, pixels = differing + int((difference > 0).sum()), pixels + difference.size
    assert differing <= 1e-3 * pixels  # only where float32 rounds to another level
