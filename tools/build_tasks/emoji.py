"""Openly licensed emoji on painted grounds: SVG from a pinned package, drawn large by skia, then averaged."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import NamedTuple

import numpy as np
import skia
from numpy.typing import NDArray

from . import packages
from .raster import Picture
from .recipe import Image, Source

SIZE = 128
SCALE = 8


class Artist(NamedTuple):
    """A set of emoji."""

    package: str
    version: str
    title: str
    author: str
    licence: str


NOTO = Artist("noto", packages.NOTO, "Noto Emoji", "Google Inc", "Apache-2.0")
FLUENT = Artist("fluent-emoji-flat", packages.FLUENT, "Fluent Emoji Flat", "Microsoft Corporation", "MIT")


def source(artist: Artist, name: str) -> Source:
    """Where an emoji comes from."""
    return Source(
        f"{artist.title}, {name}",
        artist.author,
        artist.licence,
        f"@iconify-json/{artist.package} {artist.version}, {name}",
    )


def place(ground: Picture, svg: str, box: tuple[float, float, float]) -> Image:
    """The ground with an emoji over it.

    skia draws at eight times the size; means of 8 × 8 premultiplied pixels are then laid over the ground.

    Args:
        ground: a picture of 128 px.
        svg: the emoji as a square SVG document with a width.
        box: left and top of the emoji and its side, in pixels.
    """
    drawn = _render(svg, *box)
    colour, alpha = drawn[..., :3], drawn[..., 3:]
    return np.floor(ground.bytes() * (1.0 - alpha / 255.0) + colour + 0.5).clip(0, 255).astype(np.uint8)


def _render(svg: str, left: float, top: float, side: float) -> NDArray[np.float64]:
    """An emoji as premultiplied RGBA means, float64 (128, 128, 4) in 0..255."""
    document = skia.SVGDOM.MakeFromStream(skia.MemoryStream.MakeCopy(svg.encode()))
    width = float(ET.fromstring(svg).get("width", "16"))  # noqa: S314 (from a pinned package)
    surface = skia.Surface.MakeRaster(skia.ImageInfo.MakeN32Premul(SIZE * SCALE, SIZE * SCALE))
    canvas = surface.getCanvas()
    canvas.clear(skia.ColorTRANSPARENT)
    canvas.scale(SCALE, SCALE)
    canvas.translate(left, top)
    canvas.scale(side / width, side / width)
    document.setContainerSize(skia.Size(width, width))
    document.render(canvas)
    pixels = np.zeros((SIZE * SCALE, SIZE * SCALE, 4), np.uint8)
    info = skia.ImageInfo.Make(SIZE * SCALE, SIZE * SCALE, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    surface.readPixels(info, pixels)
    means: NDArray[np.float64] = pixels.reshape(SIZE, SCALE, SIZE, SCALE, 4).astype(np.float64).mean(axis=(1, 3))
    return means
