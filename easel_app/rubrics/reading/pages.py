"""A column of pictures in a parquet file, read value by value, however large its pages are.

Writers look at the size of a page only once for many rows, so that a table of pictures often has a single page for all
of a row group: 100 rows of 5 MB are half a gigabyte, which pyarrow holds packed and unpacked. Here a large page is
unpacked piece by piece into a temporary file without a name (in TMPDIR), and a value is read from there when it is
wanted. The format is apache/parquet-format: page headers (parquet.thrift, in the compact protocol), RLE levels, PLAIN
and RLE_DICTIONARY values.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import pyarrow as pa

from easel_app.rubrics.reading import snappy
from easel_app.rubrics.reading.thrift import struct
from easel_app.sources.found import Content

MOST_SMALL = 1024 * 1024
"""Bytes of a page that is unpacked in memory here."""
STREAMED: Final = {"GZIP": "gzip", "ZSTD": "zstd", "BROTLI": "brotli"}
CODECS: Final = frozenset({"UNCOMPRESSED", "SNAPPY", *STREAMED})
DATA, DICTIONARY, DATA_2 = 0, 2, 3
PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY = 0, 2, 8
_PIECE = 1024 * 1024
_HEADERS = (1024, 64 * 1024, 2 * 1024 * 1024)
"""Bytes that a page's header may have: mostly few, but it may hold the least and the largest value."""


class Page(NamedTuple):
    """A page of a column, and where its packed bytes are."""

    kind: int
    start: int
    packed: int
    size: int
    """Bytes when unpacked."""
    values: int
    """Rows of the column, its gaps included."""
    encoding: int
    repetition: int = 0
    definition: int = 0
    """Of a page of the second version: bytes of the levels before its values, which are never packed; else 0."""
    compressed: bool = True


class Value(NamedTuple):
    """A picture's bytes, when they are wanted."""

    content: Content
    size: int


def pages(path: Path, column: Any) -> list[Page]:
    """The pages of a column of a row group, by their headers alone.

    Args:
        path: the file.
        column: pyarrow's metadata of the column in the row group.

    Raises:
        ValueError: the headers cannot be read.
    """
    start = column.data_page_offset
    if column.has_dictionary_page and column.dictionary_page_offset:
        start = min(start, column.dictionary_page_offset)
    end, found, values = start + column.total_compressed_size, [], 0
    with path.open("rb") as file:
        while start < end and values < column.num_values:
            page = _page(*_header(file, start, end))
            levels = page.repetition + page.definition
            if min(page[1:]) < 0 or page.start + page.packed > end or levels > min(page.packed, page.size):
                raise ValueError("a page that is longer than its column")
            if page.values > column.num_values:
                raise ValueError("a page with more values than its column")
            found.append(page)
            values += page.values if page.kind != DICTIONARY else 0
            start = page.start + page.packed
    return found


def can_read(found: list[Page], column: Any) -> bool:
    """Whether `values` knows all that these pages use."""
    known = (PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY)
    return column.compression in CODECS and all(page.encoding in known for page in found)


def values(path: Path, found: list[Page], column: Any, deepest: int, nested: bool) -> Iterator[Value | None]:
    """The values of a column of nullable bytes inside nullable structs, one for each struct or gap in place of one.

    Args:
        path: the file.
        found: its `pages`, which `can_read`.
        column: pyarrow's metadata of the column in the row group.
        deepest: the definition level of a value that is there; one less: it is null; two less: its struct is.
        nested: whether the column lies in a list, so that its pages hold repetition levels.

    Raises:
        ValueError, OSError: a page is damaged.
    """
    dictionary: list[Value] = []
    for page in found:
        there = _unpacked(path, page, column.compression)
        if page.kind == DICTIONARY:
            dictionary = list(_plain(there, 0, page.values))
            continue
        packed, start = _levels(path, there, page, nested)
        levels = _hybrid(packed, deepest.bit_length(), page.values)
        present = levels.count(deepest)
        if page.encoding == PLAIN:
            each = _plain(there, start, present)
        else:
            end = page.size - page.repetition - page.definition
            each = iter(_by_index(there, start, end, present, dictionary))
        for level in levels:
            if level >= deepest - 2:
                yield next(each) if level == deepest else None


def _header(file: BinaryIO, start: int, end: int) -> tuple[dict[int, Any], int]:
    """The header of the page at a place of a file, and where its bytes begin."""
    for size in _HEADERS:
        file.seek(start)
        try:
            header, length = struct(file.read(min(size, end - start)))
        except ValueError:
            if size == _HEADERS[-1] or size >= end - start:
                raise
        else:
            return header, start + length
    raise AssertionError


def _page(header: dict[int, Any], start: int) -> Page:
    try:
        kind, size, packed = header[1], header[2], header[3]
        if kind == DATA_2:
            told = header[8]
            return Page(kind, start, packed, size, told[1], told[4], told[6], told[5], told.get(7, True))
        told = header[{DATA: 5, DICTIONARY: 7}[kind]]
        return Page(kind, start, packed, size, told[1], told[2])
    except (KeyError, TypeError):
        raise ValueError("a page of an unknown kind") from None


class _Bytes:
    """Bytes of a page, in memory or in a file without a name, which is gone when nobody holds this any more."""

    def __init__(self, content: bytes | BinaryIO) -> None:
        self._content = content

    def __del__(self) -> None:
        if not isinstance(self._content, bytes):
            self._content.close()

    def read(self, start: int, count: int) -> bytes:
        if isinstance(self._content, bytes):
            found = self._content[start : start + count]
        else:
            found = os.pread(self._content.fileno(), count, start)
            while len(found) < count and (
                more := os.pread(self._content.fileno(), count - len(found), start + len(found))
            ):
                found += more
        if len(found) < count:
            raise ValueError("a page is cut off")
        return found


class _Part:
    """A part of a file as a file of its own."""

    def __init__(self, file: BinaryIO, count: int) -> None:
        self._file, self._left, self.closed = file, count, False

    def read(self, count: int = -1) -> bytes:
        found = self._file.read(self._left if count < 0 else min(count, self._left))
        self._left -= len(found)
        return found

    def close(self) -> None:
        self.closed = True

    def readable(self) -> bool:
        return True


def _unpacked(path: Path, page: Page, compression: str) -> _Bytes:
    """A page's bytes, without levels that are never packed."""
    codec = compression if page.compressed else "UNCOMPRESSED"
    levels = page.repetition + page.definition
    packed, size = page.packed - levels, page.size - levels
    with path.open("rb") as file:
        file.seek(page.start + levels)
        if size <= MOST_SMALL and packed <= 2 * MOST_SMALL:
            content = file.read(packed)
            if codec != "UNCOMPRESSED" and size:
                content = pa.Codec(codec.lower()).decompress(content, size, asbytes=True)
            return _Bytes(content)
        target: Any = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  it lives as long as its values
        found = _Bytes(target)
        part: Any = _Part(file, packed)
        if codec == "SNAPPY":
            snappy.unpack(part, size, target)
            return found
        if codec in STREAMED:
            part = pa.CompressedInputStream(pa.PythonFile(part, "r"), STREAMED[codec])
        while size > 0 and (piece := part.read(min(_PIECE, size))):
            target.write(piece)
            size -= len(piece)
        return found


def _plain(there: _Bytes, start: int, count: int) -> Iterator[Value]:
    for _ in range(count):
        size = int.from_bytes(there.read(start, 4), "little")
        yield Value(partial(there.read, start + 4, size), size)
        start += 4 + size


def _levels(path: Path, there: _Bytes, page: Page, nested: bool) -> tuple[bytes, int]:
    """The definition levels of a page as they are packed, and where its values begin."""
    if page.kind == DATA_2:
        with path.open("rb") as whole:
            whole.seek(page.start + page.repetition)
            return whole.read(page.definition), 0
    start = 0
    if nested:
        start = 4 + int.from_bytes(there.read(0, 4), "little")
    size = int.from_bytes(there.read(start, 4), "little")
    return there.read(start + 4, size), start + 4 + size


def _by_index(there: _Bytes, start: int, end: int, count: int, dictionary: list[Value]) -> list[Value]:
    if not count:
        return []
    width = there.read(start, 1)[0]
    try:
        return [dictionary[index] for index in _hybrid(there.read(start + 1, end - start - 1), width, count)]
    except IndexError:
        raise ValueError("a value that the dictionary does not have") from None


def _hybrid(data: bytes, width: int, count: int) -> list[int]:
    """Whole numbers of `width` bits in runs and packed groups of eight (parquet-format, Encodings, RLE)."""
    found: list[int] = []
    at, thereeach = 0, (width + 7) // 8
    while len(found) < count:
        header, shift = 0, 0
        while True:
            if at >= len(data):
                raise ValueError("levels are cut off")
            byte = data[at]
            at += 1
            header |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if header & 1:
            size = (header >> 1) * width
            bits = int.from_bytes(data[at : at + size], "little")
            at += size
            groups = min((header >> 1) * 8, count - len(found))
            found += [bits >> (width * k) & ((1 << width) - 1) for k in range(groups)]
        else:
            value = int.from_bytes(data[at : at + thereeach], "little")
            at += thereeach
            found += [value] * min(header >> 1, count - len(found))
            if not header:
                raise ValueError("an empty run")
    return found
