"""The three tables of a data set, column by column: references, trajectories, samples."""

from __future__ import annotations

from easel_app.exports.parquet import Column
from easel_app.runs.prompts import INTEGERS

KEY = Column("reference_key", "string", "which reference; the first 16 digits of the SHA-256 of its RGB bytes")
FAMILY = Column("family", "string", "family of the reference")

REFERENCES = (
    KEY,
    FAMILY,
    Column("title", "string", "what is seen, or the name of a file"),
    Column("origin", "string", "package, generator or collection that it is from"),
    Column("author", "string", "who made it"),
    Column("licence", "string", "terms that it may be used under"),
    Column("detail", "string", "seed of a generated picture, crop of a photograph"),
    Column("image", "image", "the picture, PNG"),
)
TRAJECTORIES = (
    KEY,
    FAMILY,
    Column("painter", "string", "who painted, name and version"),
    Column("seed", "int64", "where the painter's chance came from"),
    Column("actions", "[int32]", f"13 integers a stroke, 0 to {INTEGERS}, in the published order, one after the other"),
    Column("similarity", "[float64]", "similarity/1 before the first stroke and after each one"),
    Column("canvas_sha256", "string", "SHA-256 of the RGB bytes of the last canvas"),
)
SAMPLE = (
    KEY,
    FAMILY,
    Column("subset", "string", "C1, early reconstruction, or C2, light completion"),
    Column("step", "int32", "number of the stroke, from 0"),
    Column("strokes", "int32", "strokes of the whole trajectory"),
    Column("action", "[int32]", f"the stroke: 13 integers, 0 to {INTEGERS}, in the published order"),
    Column("similarity", "float64", "similarity/1 of the canvas that is shown"),
    Column("similarity_after", "float64", "similarity/1 after the stroke"),
)
PICTURES = (
    Column("reference", "image", "what to paint after, PNG"),
    Column("canvas", "image", "the canvas before the stroke, PNG"),
)


def sample_columns(images: bool) -> tuple[Column, ...]:
    """Columns of the samples, with their pictures or without."""
    return (*SAMPLE, *PICTURES) if images else SAMPLE
