"""A sheet of samples to look at: reference, canvas, the stroke that follows, and the canvas after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from easel_app.engine import Replayer
from easel_app.engine.kernel import Bytes
from easel_app.painting import png
from easel_app.trajectories.folder import Split
from easel_app.trajectories.reading import DataSet, Sample, damaged, strokes_of

GAP, LINE = 8, 18
"""Between pictures, and for a line of text; px."""
PAPER, INK, QUIET, ACCENT = (250, 249, 246), (28, 28, 32), (110, 110, 118), (230, 60, 40)
CURVE = 24
"""Pieces that a stroke's curve is drawn in."""
COLUMNS = ("reference", "canvas", "stroke", "after")


class Drawn(NamedTuple):
    """The pictures of a sample, uint8 (size, size, 3)."""

    reference: Bytes
    canvas: Bytes
    stroke: Bytes
    after: Bytes


def draw_sample(sample: Sample) -> Drawn:
    """All that a sample shows: the stroke is drawn as its curve over the paler canvas, with a ring where it begins."""
    reference, canvas = png.decode(sample.reference), png.decode(sample.canvas)
    size = len(reference)
    stroke = strokes_of(sample.action)
    replayer = Replayer(size)
    replayer.canvas[:] = canvas
    replayer.paint(stroke[None])
    pale = Image.fromarray(((canvas.astype(np.uint16) + 2 * 255) // 3).astype(np.uint8))
    pen = ImageDraw.Draw(pale)
    t = np.linspace(0.0, 1.0, CURVE + 1)[:, None]
    start, control, end = stroke[:2] * size, stroke[2:4] * size, stroke[4:6] * size
    curve = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
    pen.line([tuple(point) for point in curve.tolist()], fill=ACCENT, width=2)
    radius = 3.0
    pen.ellipse([*(start - radius).tolist(), *(start + radius).tolist()], outline=ACCENT, width=1)
    return Drawn(reference, canvas, np.asarray(pale), replayer.canvas.copy())


def sheet(data: DataSet, count: int, seed: int = 0, split: Split = "train", columns: int = 2) -> Image.Image:
    """Random samples of a data set, each a row of four pictures with what is known of it.

    Args:
        data: the data set.
        count: samples, at least 1; as many as there are if there are fewer.
        seed: which ones.
        split: of which split.
        columns: samples side by side.

    Raises:
        Conflict: what it would draw is damaged.
        OSError: a file cannot be read.
    """
    samples = list(_random(data, count, np.random.default_rng(seed), split))
    size = data.manifest.recipe.pool.size
    across = len(COLUMNS) * (size + GAP) + 2 * GAP
    down = size + 2 * LINE + GAP
    rows = -(-len(samples) // columns)
    paper = Image.new("RGB", (columns * across + GAP, rows * down + LINE + 2 * GAP), PAPER)
    pen, font = ImageDraw.Draw(paper), ImageFont.load_default(12)
    for column in range(columns):
        for k, name in enumerate(COLUMNS):
            pen.text((GAP + column * across + k * (size + GAP), GAP), name, QUIET, font)
    for number, sample in enumerate(samples):
        left, top = GAP + number % columns * across, GAP + LINE + number // columns * down
        with damaged(f"A picture of {sample.reference_key}"):
            drawn = draw_sample(sample)
        for k, picture in enumerate(drawn):
            paper.paste(Image.fromarray(picture), (left + k * (size + GAP), top))
        pen.text((left, top + size + 2), f"{sample.family} {sample.reference_key}", QUIET, font)
        told = f"{sample.subset} {sample.step} / {sample.strokes}"
        told += f"   S {sample.similarity:.3f}, then {sample.similarity_after:.3f}"
        pen.text((left + 2 * (size + GAP), top + size + 2), told, INK, font)
    return paper


def _random(data: DataSet, count: int, rng: np.random.Generator, split: Split) -> Iterator[Sample]:
    """Samples drawn from some shards: a sheet needs no more than a few of them to be read."""
    shards = data.shards(split)
    if not shards:
        return
    some = sorted(rng.choice(len(shards), min(len(shards), 4), replace=False).tolist())
    rows = {number: data.manifest.files[shards[number].file("samples")].rows for number in some}
    places = [(number, row) for number, total in rows.items() for row in range(total)]
    chosen = {places[k] for k in rng.choice(len(places), min(count, len(places)), replace=False).tolist()}
    for number in some:
        for row, sample in enumerate(data.shard_samples(shards[number])):
            if (number, row) in chosen:
                yield sample
