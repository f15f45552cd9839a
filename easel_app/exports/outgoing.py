"""A single file that leaves the studio, made while it is sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from easel_app.sources.fields import UNSTORABLE

TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv", "zip": "application/zip"}
"""Media types of sets by how the name ends."""
PAGE = {"html": "text/html; charset=utf-8"}
_PLAIN = re.compile(r"[^A-Za-z0-9.-]+")


class Export(NamedTuple):
    """A file that is being made."""

    file_name: str
    """Of letters, digits, dots and dashes."""
    media_type: str
    pieces: Iterator[bytes]


def export(name: str, pieces: Iterator[bytes]) -> Export:
    """A file by a name that may hold anything, but ends as its kind does."""
    return Export(_PLAIN.sub("-", name), (TYPES | PAGE)[name.rpartition(".")[2]], pieces)


def encoded(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines of text as bytes; what no JSON file could hold (see `UNSTORABLE`) is a mark here as well."""
    return (UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", line).encode() for line in lines)
