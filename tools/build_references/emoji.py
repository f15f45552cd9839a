"""Emoji as sprites: drawn large by skia, averaged, and packed into one archive of lossless WebP files."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import skia
from numpy.typing import NDArray
from PIL import Image

from . import packages

SIZE = 128
SCALE = 4
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Date of every file in the archive, so that the same emoji give the same bytes."""


class Artist(NamedTuple):
    """A set of emoji, and what is taken of it."""

    set: str
    """What its sprites are called by."""
    package: str
    version: str
    title: str
    author: str
    licence: str
    categories: tuple[str, ...]


ARTISTS = [
    Artist(
        "fluent",
        "@iconify-json/fluent-emoji-flat",
        "1.2.6",
        "Fluent Emoji Flat",
        "Microsoft Corporation",
        "MIT",
        ("Animals & Nature", "Food & Drink", "Activities", "Travel & Places", "Objects"),
    ),
    Artist(
        "noto",
        "@iconify-json/noto",
        "1.2.9",
        "Noto Emoji",
        "Google LLC",
        "Apache-2.0",
        ("Animals & Nature", "Food & Drink", "Smileys & Emotion"),
    ),
]
UNLIKE = re.compile(r"oclock|thirty$|moon$|-moon-face|seat$|button|symbol|^(eye|tongue|wireless)$")
"""Names that are left out: a clock for every half hour, phases of the moon, letters on plates."""
FAINTEST = 0.08
"""Least share of a sprite that is painted."""


def build(cache: Path, out: Path, tasks: Path) -> list[tuple[Artist, int]]:
    """Write `emoji.zip`, with a file `about.json` about the sets in it; returns how many are of which artist.

    No emoji that a task shows is taken, from whichever artist.

    Args:
        cache: where packages are kept.
        out: folder to write to.
        tasks: catalogue of the tasks.
    """
    used = {name.rpartition(", ")[2] for name in _origins(tasks)}
    counts, about = [], {}
    with zipfile.ZipFile(out / "emoji.zip", "w", zipfile.ZIP_STORED) as archive:
        for artist in ARTISTS:
            names = []
            for name, svg in _documents(artist, cache):
                sprite = _drawn(svg)
                if name in used or (sprite[..., 3] > 127).mean() < FAINTEST:
                    continue
                file = io.BytesIO()
                Image.fromarray(sprite).save(file, "WEBP", lossless=True, quality=100, method=6, exact=False)
                archive.writestr(zipfile.ZipInfo(f"{artist.set}/{name}.webp", EPOCH), file.getvalue())
                names.append(name)
            counts.append((artist, len(names)))
            package = f"{artist.package} {artist.version}"
            about[artist.set] = {
                "title": artist.title,
                "author": artist.author,
                "licence": artist.licence,
                "package": package,
            }
        archive.writestr(zipfile.ZipInfo("about.json", EPOCH), json.dumps(about))
    return counts


def _origins(tasks: Path) -> Iterator[str]:
    for task in json.loads(tasks.read_text(encoding="utf-8"))["tasks"]:
        if "Emoji" in task["source"]["origin"]:
            yield task["source"]["origin"]


def _documents(artist: Artist, cache: Path) -> Iterator[tuple[str, str]]:
    """Names and SVG documents of what is taken, in the order of the names."""
    icons, about = map(json.loads, packages.read(cache, artist.package, artist.version, "icons.json", "metadata.json"))
    names = {name for category in artist.categories for name in about["categories"][category]}
    for name in sorted(name for name in names if name in icons["icons"] and not UNLIKE.search(name)):
        icon = icons["icons"][name]
        width, height = (icon.get(side, icons.get(side, 16)) for side in ("width", "height"))
        yield (
            name,
            f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">{icon["body"]}</svg>',
        )


def _drawn(svg: str) -> NDArray[np.uint8]:
    """An emoji as uint8 (128, 128, 4), alpha not multiplied in."""
    side = SIZE * SCALE
    width = float(re.search(r' width="([\d.]+)"', svg)[1])  # type: ignore[index]
    document = skia.SVGDOM.MakeFromStream(skia.MemoryStream.MakeCopy(svg.encode()))
    surface = skia.Surface.MakeRaster(skia.ImageInfo.MakeN32Premul(side, side))
    canvas = surface.getCanvas()
    canvas.clear(skia.ColorTRANSPARENT)
    canvas.scale(side / width, side / width)
    document.setContainerSize(skia.Size(width, width))
    document.render(canvas)
    pixels = np.zeros((side, side, 4), np.uint8)
    surface.readPixels(skia.ImageInfo.Make(side, side, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType), pixels)
    means = pixels.reshape(SIZE, SCALE, SIZE, SCALE, 4).astype(np.float64).mean(axis=(1, 3))
    alpha = means[..., 3:]
    colour = np.divide(means[..., :3] * 255.0, alpha, out=np.zeros_like(means[..., :3]), where=alpha >= 0.5)
    return np.floor(np.concatenate([colour, alpha], axis=2) + 0.5).clip(0, 255).astype(np.uint8)
