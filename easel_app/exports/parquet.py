"""Parquet files in Hugging Face's manner, written group by group; each column told once, with what it means."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import pyarrow as pa
import pyarrow.parquet as pq

GROUP_BYTES = 8 * 1024 * 1024
"""Of pictures and texts."""
GROUP_ROWS = 10_000
"""A group of rows is written when it has come to one of these: no more is in memory."""
_ARROW = {
    "string": pa.string(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "bool": pa.bool_(),
    "image": pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
}


class Column(NamedTuple):
    """A column."""

    name: str
    type: str
    """string, int32, int64, float64, bool or image (a file with its name); in brackets a list of it, as `[string]`."""
    meaning: str

    @property
    def words(self) -> str:
        """The type in words."""
        return self.type.replace("[", "list of ").replace("]", "")


class Table:
    """A parquet file that is written group by group."""

    def __init__(self, path: Path, columns: Sequence[Column], repeated: Sequence[str] = ()) -> None:
        """Begin a file; its schema tells `datasets` which columns are pictures.

        Args:
            path: where to.
            columns: of each row.
            repeated: columns of pictures of which many rows show the same one, which is then kept once a group.
        """
        features = {column.name: feature_of(column.type) for column in columns}
        metadata = {"huggingface": json.dumps({"info": {"features": features}})}
        self._schema = pa.schema([(column.name, arrow_of(column.type)) for column in columns], metadata)
        once = [column.name for column in columns if column.type == "string"]
        once += [f"{name}.{part}" for name in repeated for part in ("bytes", "path")]
        self._writer = pq.ParquetWriter(
            path, self._schema, compression="zstd", use_dictionary=once, dictionary_pagesize_limit=GROUP_BYTES
        )
        self._rows: list[Mapping[str, Any]] = []
        self._weight = 0
        self.rows = 0
        """That were added."""
        self.bytes = 0
        """Of what is written, as Arrow has it in memory."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush()
        self._writer.close()

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append rows, a value or None for each column."""
        for row in rows:
            self._rows.append(row)
            self.rows += 1
            self._weight += _weight(list(row.values()))
            if self._weight >= GROUP_BYTES or len(self._rows) >= GROUP_ROWS:
                self._flush()

    def _flush(self) -> None:
        if self._rows:
            group = pa.Table.from_pylist(self._rows, self._schema)
            self._writer.write_table(group)
            self.bytes += group.nbytes
            self._rows, self._weight = [], 0


def arrow_of(kind: str) -> pa.DataType:
    """A column's type as Arrow's."""
    return pa.list_(arrow_of(kind[1:-1])) if kind.startswith("[") else _ARROW[kind]


def feature_of(kind: str) -> dict[str, Any]:
    """A column's type as the feature that `datasets` reads from the schema (its older versions too)."""
    if kind.startswith("["):
        return {"feature": feature_of(kind[1:-1]), "_type": "Sequence"}
    return {"_type": "Image"} if kind == "image" else {"dtype": kind, "_type": "Value"}


def yaml_of(column: Column, indent: str) -> list[str]:
    """A column as lines of a card's `dataset_info`."""
    lines, kind, margin = [f"{indent}- name: {column.name}"], column.type, f"{indent}  "
    while kind.startswith("[["):
        lines.append(f"{margin}sequence:")
        kind, margin = kind[1:-1], f"{margin}  "
    lines.append(f"{margin}sequence: {kind[1:-1]}" if kind.startswith("[") else f"{margin}dtype: {kind}")
    return lines


def _weight(value: Any) -> int:
    """Bytes of the pictures and characters of the texts in a value."""
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return 0
    return sum(map(_weight, value))
