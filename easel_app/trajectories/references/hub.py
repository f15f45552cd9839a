"""The family `hub`: a Hugging Face data set of pictures as parquet files, from the hub or in a folder.

Rows are read lazily and near each other: some rows of a group, then of the next, so that a data set that is sorted by
what it shows is not taken from its beginning alone.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from huggingface_hub import metadata_load, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils.tqdm import disable_progress_bars

from easel_app.painting.tasks import Source
from easel_app.services.problems import Invalid, Refusal
from easel_app.trajectories.references.decoding import NoReference, check_size, decode
from easel_app.trajectories.references.dice import shuffled
from easel_app.trajectories.references.named_splits import chosen, parted
from easel_app.trajectories.references.pictures import UNKNOWN, cropped, group_of, listed, skipped, visible
from easel_app.trajectories.references.reference import Reference, Skipped

RUN = 32
"""Rows that are taken of a group before the next group's turn."""
BATCH = 16
"""Rows that are in memory at a time while a group is read."""


class Visit(NamedTuple):
    """Some rows of a group of rows of a file."""

    file: int
    group: int
    rows: array[int]


class Hub:
    """The pictures of a data set, in a seeded order."""

    name = "hub"

    def __init__(
        self, place: str, seed: int, size: int, cache: Path | None = None, endpoint: str | None = None
    ) -> None:
        """Find the files, fetching them if need be, and read how many rows they have.

        Args:
            place: a folder of parquet files, or NAME or NAME@REVISION on the hub. Test and validation splits are left
                out unless one is named: PLACE#SPLIT.
            seed: of the order.
            size: of the references, px.
            cache: where fetched files are kept; None: where huggingface_hub keeps its own.
            endpoint: address of another hub.

        Raises:
            Refusal: it cannot be fetched, or holds no pictures in parquet files.
        """
        self._seed, self._size = seed, size
        whole, split = parted(place)
        local = Path(whole).expanduser()
        if local.is_dir():
            self._folder, called = local, local.name
        else:
            self._folder = fetched(whole, cache, endpoint)
            called = f"{whole.partition('@')[0]}@{self._folder.name[:12]}"  # a snapshot's folder is named by its commit
        self._origin = f"data set {called}"
        self._licence = _licence(self._folder)
        self._files = chosen((file for file in sorted(listed(self._folder)) if file.endswith(".parquet")), split)
        if not self._files:
            message = (
                f"{whole} holds no parquet file of a split {split}; name another after the #."
                if split
                else f"{whole} holds no parquet file outside of test and validation splits; name one as {whole}#SPLIT."
            )
            raise Invalid("no_parquet", message, "families")
        self._visits = self._planned(place)
        self._starts = array("q", [0])
        for visit in self._visits:
            self._starts.append(self._starts[-1] + len(visit.rows))
        self._held: tuple[int, dict[int, Any]] = (-1, {})

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_held": (-1, {})}

    @property
    def count(self) -> int:
        """Rows that there are."""
        return self._starts[-1]

    def draw(self, index: int) -> Reference | Skipped:
        """A square of the picture in the row that comes at `index`."""
        at = bisect_right(self._starts, index) - 1
        visit = self._visits[at]
        row = visit.rows[index - self._starts[at]]
        name = f"{self._files[visit.file]}, row {row} of group {visit.group}"
        try:
            if self._held[0] != at:
                self._held = (at, self._rows(visit))
            content, path = _content(self._held[1][row])
            decoded = decode(content)
        except NoReference as error:
            return skipped(self.name, name, error)
        except (OSError, pa.ArrowException) as error:
            return skipped(self.name, name, NoReference("unreadable", f"its file is damaged ({type(error).__name__})"))
        pixels, where = cropped(decoded, self._size)
        source = Source(origin=self._origin, author=UNKNOWN, licence=self._licence, detail=visible(f"{name}, {where}"))
        title = visible(Path(path).stem) if path else f"Row {row}"
        return Reference(pixels, self.name, title, source, group_of(self.name, name))

    def _planned(self, place: str) -> list[Visit]:
        groups: list[tuple[int, int, array[int]]] = []
        self._columns: list[str] = []
        for k, file in enumerate(self._files):
            try:
                with pq.ParquetFile(self._folder / file) as table:
                    self._columns.append(column_of(table.schema_arrow, file))
                    sizes = [table.metadata.row_group(g).num_rows for g in range(table.metadata.num_row_groups)]
            except (OSError, pa.ArrowException):
                message = f"{file} of {place} is no sound parquet file; fetch it again, or take it away."
                raise Invalid("no_parquet", message, "families") from None
            groups += [(k, g, shuffled(rows, self._seed, self.name, file, g)) for g, rows in enumerate(sizes)]
        order = shuffled(len(groups), self._seed, self.name, "groups")
        longest = max((len(rows) for _, _, rows in groups), default=0)
        return [
            Visit(file, group, rows[start : start + RUN])
            for start in range(0, longest, RUN)
            for file, group, rows in (groups[g] for g in order)
            if start < len(rows)
        ]

    def _rows(self, visit: Visit) -> dict[int, Any]:
        """The pictures of a visit by their rows; no more than a few rows beside them are in memory."""
        wanted, at = set(visit.rows), 0
        found: dict[int, Any] = {}
        with pq.ParquetFile(self._folder / self._files[visit.file], pre_buffer=False) as table:
            column = self._columns[visit.file]
            for batch in table.iter_batches(BATCH, row_groups=[visit.group], columns=[column]):
                values = batch.column(0)
                found |= {row: values[row - at].as_py() for row in range(at, at + len(values)) if row in wanted}
                at += len(values)
        return found


def column_of(schema: pa.Schema, file: str) -> str:
    """The column of pictures: what `datasets` has marked as such, else the one that can only be that.

    Raises:
        Invalid: there is none, or more than one.
    """
    marked: list[str] = []
    try:
        told = json.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
        marked = [name for name, kind in told["info"]["features"].items() if kind.get("_type") == "Image"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    found = [name for name in marked if name in schema.names] or [
        field.name for field in schema if _holds_files(field.type)
    ]
    if len(found) != 1:
        what = f"the columns {', '.join(found)} may all hold pictures" if found else "no column holds pictures"
        message = f"In {file} {what}; give a data set with one column of pictures."
        raise Invalid("no_picture_column", message, "families")
    return found[0]


def fetched(place: str, cache: Path | None, endpoint: str | None) -> Path:
    """The folder of a data set of the hub, its parquet files and its card, fetched as far as they are not here.

    Raises:
        Refusal: it cannot be fetched; the message says why and holds no address.
    """
    name, _, revision = place.partition("@")
    disable_progress_bars()
    try:
        return Path(
            snapshot_download(
                name,
                repo_type="dataset",
                revision=revision or None,
                allow_patterns=["*.parquet", "README.md"],
                cache_dir=cache,
                endpoint=endpoint,
            )
        )
    except Exception as error:  # of whatever HTTP client the hub's library brings
        why = _reason(error, revision)
    raise Refusal("not_fetched", f"The data set {place} cannot be fetched: {why}.", "families")


def _reason(error: BaseException, revision: str) -> str:
    """Why it was not fetched; not in the error's own words, which may hold addresses and headers."""
    match error:
        case HFValidationError():
            return "it is neither a folder here nor a name such as NAME/SET; correct it"
        case GatedRepoError():
            return "its terms must be accepted on its page first; do so, and log in by `hf auth login`"
        case RevisionNotFoundError():
            return f"it has no revision {revision}; correct what follows the @"
        case RepositoryNotFoundError():
            return "the hub has no data set of that name, or only for others; correct it, or log in by `hf auth login`"
        case LocalEntryNotFoundError():  # the hub's library tells so of any other answer, too
            if isinstance(error.__cause__, HfHubHTTPError):
                return _reason(error.__cause__, revision)
            return "the hub cannot be reached, and it has not been fetched before; check the network and try again"
        case HfHubHTTPError() if error.response.status_code in (401, 403):
            return "the hub does not open it to everyone; log in by `hf auth login`, or set HF_TOKEN"
        case HfHubHTTPError():
            return f"the hub answered {error.response.status_code}; try again later"
        case OSError() if error.strerror:
            return f"it cannot be written to the cache ({error.strerror}); make room and try again"
    return f"the hub cannot be reached ({type(error).__name__}); check the network and try again"


def _holds_files(kind: pa.DataType) -> bool:
    if pa.types.is_struct(kind):
        return bool(kind.get_field_index("bytes") >= 0)
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def _content(value: Any) -> tuple[bytes, str]:
    """A picture's bytes and its name in the data set, from a cell."""
    content, path = (value.get("bytes"), value.get("path")) if isinstance(value, dict) else (value, None)
    if not isinstance(content, bytes):
        raise NoReference("missing", "the table holds only its name" if path else "its cell is empty")
    check_size(len(content))
    return content, path if isinstance(path, str) else ""


def _licence(folder: Path) -> str:
    """What the data set's card says."""
    try:
        told = metadata_load(folder / "README.md") or {}
    except Exception:  # a card in any shape
        told = {}
    licence = told.get("license")
    return visible(", ".join(map(str, licence)) if isinstance(licence, list) else str(licence)) if licence else UNKNOWN
