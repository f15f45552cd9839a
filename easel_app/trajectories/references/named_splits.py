"""Which files of a data set are read: none of a split that is held out, unless the split is named after a `#`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

HELD_OUT = ("test", "testing", "eval", "evaluation", "val", "valid", "validation", "dev")
"""What the splits are called, digits aside (`val2017`), that models are compared on."""


def parted(place: str) -> tuple[str, str]:
    """The place of a data set and the split that is named: `PLACE#SPLIT`; without a `#` no split.

    The `#` of a folder that is there by the whole name is its own.
    """
    before, _, split = place.rpartition("#")
    return (before, split) if before and not Path(place).expanduser().is_dir() else (place, "")


def chosen(files: Iterable[str], split: str) -> list[str]:
    """The files of a split, or, when none is named, those of no split that is held out.

    Args:
        files: paths with `/` between, relative to the data set.
        split: such as `validation` or `val2017`; empty: none is named.
    """
    if split:
        return [file for file in files if _says(file, (split,))]
    return [file for file in files if not _says(file, HELD_OUT)]


def _says(file: str, splits: tuple[str, ...]) -> bool:
    """Whether a folder or a word of the file's name is one of the splits."""
    names = "|".join(map(re.escape, splits))
    return re.search(rf"(?:^|[/_.-])(?:{names})\d*(?:[/_.-]|$)", file, re.IGNORECASE) is not None
