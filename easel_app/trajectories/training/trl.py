"""Chats as parquet files with `prompt`, `completion` and `images`, as TRL's `SFTTrainer` reads them.

Of the two layouts that TRL takes (`messages`, or `prompt` with `completion`) this is the one whose loss is of the
answer alone without any option, whatever the chat template.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from easel_app.painting.showing import PLAIN, Look
from easel_app.trajectories.folder import Shard
from easel_app.trajectories.reading import Sample
from easel_app.trajectories.training.layout import PICTURES, Chat

NAME = "trl"
DATA = "data"
"""Folder of the files."""
GROUP = 256
"""Rows that are in memory."""
_TEXT = {"dtype": "string", "_type": "Value"}
_MESSAGES = [{"role": _TEXT, "content": [{"type": _TEXT, "text": _TEXT}]}]
FEATURES: Mapping[str, Any] = {
    "prompt": _MESSAGES,
    "completion": _MESSAGES,
    "images": {"feature": {"_type": "Image"}, "_type": "Sequence"},
    "reference_key": _TEXT,
    "subset": _TEXT,
    "step": {"dtype": "int32", "_type": "Value"},
}
"""Columns as `datasets` reads them from a file."""
PLAIN_FEATURES: Mapping[str, Any] = {name: {"_type": "Image"} for name in PICTURES}
"""Further columns where `images` are shown enlarged or with a grid: both as they are, which rewards paint on."""
_CONTENT = pa.list_(pa.struct([("type", pa.string()), ("text", pa.string())]))
_CHAT = pa.list_(pa.struct([("role", pa.string()), ("content", _CONTENT)]))
_IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_COLUMNS = pa.schema(
    [
        ("prompt", _CHAT),
        ("completion", _CHAT),
        ("images", pa.list_(_IMAGE)),
        ("reference_key", pa.string()),
        ("subset", pa.string()),
        ("step", pa.int32()),
    ]
)
_DICTIONARY_BYTES = 64 * 1024 * 1024
"""The question and a reference are the same in many rows and kept once a group."""


class Layout:
    """Writes chats into a folder, a file for each shard of the data set."""

    def __init__(self, folder: Path, name: str, look: Look = PLAIN) -> None:
        """Begin in an empty folder; `name` is of the whole, and `look` of the pictures of its chats."""
        self._folder, self._schema, self._plain = folder / DATA, schema_of(look), look == PLAIN
        self._folder.mkdir()
        self._rows: list[dict[str, Any]] = []
        self._writer: pq.ParquetWriter | None = None

    @contextmanager
    def shard(self, shard: Shard) -> Iterator[None]:
        """Write what is added within into the file of a shard. Raises OSError."""
        path = self._folder / file_name(shard)
        with pq.ParquetWriter(
            path, self._schema, compression="zstd", dictionary_pagesize_limit=_DICTIONARY_BYTES
        ) as self._writer:
            yield
            self._flush()

    def add(self, sample: Sample, chat: Chat) -> None:
        """Add a chat. Raises OSError."""
        stem = sample.reference_key
        names = (f"{stem}.png", f"{stem}-{sample.step}.png")
        row: dict[str, Any] = {
            "prompt": chat.prompt,
            "completion": chat.completion,
            "images": _files(chat.images, names),
            "reference_key": stem,
            "subset": sample.subset,
            "step": sample.step,
        }
        if not self._plain:
            row |= zip(PICTURES, _files((sample.reference, sample.canvas), names), strict=True)
        self._rows.append(row)
        if len(self._rows) >= GROUP:
            self._flush()

    def finish(self) -> None:
        """Write what is left."""

    def _flush(self) -> None:
        if self._rows and self._writer:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
            self._rows = []


def schema_of(look: Look) -> pa.Schema:
    """Columns of a file whose chats show their pictures so."""
    columns, features = _COLUMNS, dict(FEATURES)
    if look != PLAIN:
        features |= PLAIN_FEATURES
        for name in PLAIN_FEATURES:
            columns = columns.append(pa.field(name, _IMAGE))
    return columns.with_metadata({"huggingface": json.dumps({"info": {"features": features}})})


def _files(pictures: Sequence[bytes], names: Sequence[str]) -> list[dict[str, Any]]:
    """Pictures with their names, as `datasets` keeps them."""
    return [{"bytes": each, "path": name} for each, name in zip(pictures, names, strict=True)]


def file_name(shard: Shard) -> str:
    """Name of a shard's file, as in the data set."""
    return PurePath(shard.file("samples")).name


def usage(name: str) -> str:
    """How the folder is used, in Markdown."""
    return f"""\
Rows have `prompt` and `completion`, messages with a list of texts and pictures, and `images`: {" and ".join(PICTURES)}.
Where a look enlarges these or lays a grid over them, columns of those names hold both as they are, for rewards.
So TRL's `SFTTrainer` takes them for vision-language models, and its loss is then of the completion alone. This is
`{name}`; it is trained by

    easel trajectories train stage{name[-1]} --data THIS_FOLDER --output ADAPTER

or read by `datasets.load_dataset("THIS_FOLDER")`.
"""
