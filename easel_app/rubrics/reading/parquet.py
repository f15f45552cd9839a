"""Rows of parquet files, one after the other, with pictures as cells whose bytes are read when they are wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from easel_app.rubrics.reading import dataset
from easel_app.rubrics.reading.pages import can_read, pages, values
from easel_app.rubrics.records import MOST_PICTURES, MOST_TURNS
from easel_app.sources.entries import Entry
from easel_app.sources.found import Fault, Place, Problem
from easel_app.sources.references import Cell

BUFFER = 256 * 1024
"""Bytes of a column that are read from disk at a time; without one, pyarrow reads all of a row group at once."""
MOST_TEXT = 256 * 1024 * 1024
"""Bytes of a row group's texts, unpacked."""
PICTURES = (*dataset.COLUMNS["by_turn"], *dataset.COLUMNS["images"])


class ParquetFile:
    """A parquet file of the benchmark's data set; memory is bounded by a row's texts and by one picture."""

    def __init__(self, path: Path, name: str = "") -> None:
        """Read from `path`; problems call the file `name`, empty for the only one."""
        self._path, self._name = path, name
        self.size = path.stat().st_size
        self.position = 0
        """Bytes of the file that have been read, in proportion to its rows."""

    def entries(self) -> Iterator[Entry | Problem]:
        """All rows in order."""
        number = 0
        try:
            with pq.ParquetFile(self._path, buffer_size=BUFFER, pre_buffer=False) as file:
                if fault := _unusable(file):
                    yield self._problem("", 0, fault)
                    return
                for row in self._rows(file):
                    number += 1
                    self.position = self.size * number // file.metadata.num_rows
                    yield Entry(Place("row", number, self._name), row)
        except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
            # pyarrow's own words may be long, and hold what is in the file
            why = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
            why = "".join(c if c.isprintable() else "�" for c in why)
            here = ("row", number + 1) if number else ("", 0)
            yield self._problem(*here, f"the parquet file is damaged or of another form ({why}); the rest is not read")

    def _problem(self, kind: str, number: int, why: str) -> Problem:
        return Problem(Place(kind, number, self._name), (Fault("", why),))

    def _rows(self, file: pq.ParquetFile) -> Iterator[dict[str, Any]]:
        names = [name for name in file.schema_arrow.names if name in _KNOWN]
        texts = [name for name in names if name not in PICTURES]
        by_turn = next((name for name in dataset.COLUMNS["by_turn"] if name in names), None)
        flat = next((name for name in dataset.COLUMNS["images"] if name in names), None)
        for group in range(file.num_row_groups):
            rows = (
                row
                for batch in file.iter_batches(8, row_groups=[group], columns=texts, use_threads=False)
                for row in batch.to_pylist()
            )
            turns = _Column(self._path, file, group, by_turn)
            images = _Column(self._path, file, group, flat)
            for at, row in enumerate(rows):
                pictures = turns.row(at)
                if by_turn and _any(pictures):
                    row[by_turn] = pictures
                elif flat:  # twice the bytes of the other column, so it is opened only where that has none
                    row[flat] = images.row(at)
                yield row


_KNOWN = frozenset(name for names in (dataset.PLAIN, *dataset.COLUMNS.values()) for name in names)


def _unusable(file: pq.ParquetFile) -> str:
    """Why a file cannot be read, in words; empty when it can."""
    names = set(file.schema_arrow.names)
    if not names & set(dataset.COLUMNS["prompts"]) or not names & {"id", "task_id"}:
        return "it has no column of prompts or none of ids, so it is not the benchmark's data set; choose another file"
    for group in range(file.num_row_groups):
        metadata = file.metadata.row_group(group)
        text = 0
        for at in range(metadata.num_columns):
            column = metadata.column(at)
            name = column.path_in_schema.partition(".")[0]
            if name not in PICTURES and name in _KNOWN:
                text += column.total_uncompressed_size
            if column.num_values > (metadata.num_rows + 1) * MOST_TURNS * (MOST_PICTURES + 1):
                return f"its column {name[:40]!r} has more entries than its rows can hold"
        if text > MOST_TEXT:
            return f"its row group {group + 1} has {text / 1e6:.0f} MB of text; at most {MOST_TEXT // 2**20} are taken"
    return ""


class _Column:
    """A column of pictures in a row group, read forwards from where it is first wanted."""

    def __init__(self, path: Path, file: pq.ParquetFile, group: int, name: str | None) -> None:
        self._rows = _cells(path, file, group, name) if name else None
        self._next = 0

    def row(self, number: int) -> Any:
        """The cells of a row, which is not before the last one asked for; None when there is no such column."""
        if self._rows is None:
            return None
        for row in self._rows:
            self._next += 1
            if self._next > number:
                return row
        raise ValueError("a column of pictures that is shorter than the others")


def _cells(path: Path, file: pq.ParquetFile, group: int, name: str) -> Iterator[Any]:
    """The pictures of each row, nested as the column is, its structs as cells."""
    leaf = _leaf(file.schema_arrow.field(name))
    if leaf is not None:
        metadata = file.metadata.row_group(group)
        numbers = {metadata.column(at).path_in_schema: at for at in range(metadata.num_columns)}
        number = numbers.get(f"{name}{leaf}bytes")
        if number is not None:
            column = metadata.column(number)
            found = pages(path, column)
            if can_read(found, column):
                deepest = file.schema.column(number).max_definition_level
                stream = values(path, found, column, deepest, bool(leaf.strip(".")))
                shape = file.iter_batches(64, row_groups=[group], columns=[f"{name}{leaf}path"], use_threads=False)
                for batch in shape:
                    for row in batch.column(0).to_pylist():
                        yield _filled(row, stream, leaf.count("list."))
                return
    for batch in file.iter_batches(1, row_groups=[group], columns=[name], use_threads=False):
        yield _as_cells(batch.column(0)[0].as_py())


def _leaf(field: pa.Field) -> str | None:
    """How a column's structs of bytes and path are reached, such as `.list.element.`; None for other columns.

    Only where everything is nullable, as all writers of the data set make it: the levels are counted on that.
    """
    path, kind = ".", field.type
    while field.nullable and pa.types.is_list(kind):
        field = kind.value_field
        path, kind = f"{path}list.{field.name}.", field.type
    if not (field.nullable and pa.types.is_struct(kind)) or {each.name for each in kind} != {"bytes", "path"}:
        return None
    content, name = kind.field("bytes"), kind.field("path")
    plain = content.type == pa.binary() and pa.types.is_string(name.type)
    return path if plain and content.nullable and name.nullable else None


_END = object()


def _filled(shape: Any, stream: Iterator[Any], lists: int) -> Any:
    """Cells in the shape of the column of their names, so many lists deep, with the bytes in their order."""
    if lists:
        return None if shape is None else [_filled(each, stream, lists - 1) for each in shape]
    value: Any = next(stream, _END)  # there is one for a gap, too
    if value is _END:
        raise ValueError("a column of bytes that is shorter than that of their names")
    return None if shape is None else Cell(value and value.content, value.size if value else 0, shape["path"])


def _as_cells(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_cells(each) for each in value]
    if isinstance(value, Mapping):
        content, path = value.get("bytes"), value.get("path")
        return _cell(content, path if isinstance(path, str) else None)
    return _cell(value, None) if isinstance(value, bytes) else value


def _cell(content: bytes | None, path: str | None) -> Cell:
    return Cell(None if content is None else lambda: content, len(content or b""), path)


def _any(pictures: Any) -> bool:
    """Whether there is a picture at all."""
    return any(map(_any, pictures)) if isinstance(pictures, list) else pictures is not None
