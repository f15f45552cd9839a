"""What is wished for, and what is noted beside the texts: who wrote them, on what, how many, at what cost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Literal

import pyarrow.parquet as pq
from pydantic import Field, ValidationError, model_validator

from easel_app.exports.parquet import Column
from easel_app.llm import Endpoint
from easel_app.painting.showing import LARGEST_SCALE
from easel_app.painting.stroke import Strict
from easel_app.runs.settings import Key, Limits, Text
from easel_app.trajectories.folder import Shard
from easel_app.trajectories.reasoning.prompting import PROMPT
from easel_app.trajectories.tables import KEY

FOLDER, MANIFEST = "reasoning", "manifest.json"
"""Where the texts of a data set are within it, and what is noted of them there."""
TABLE = (
    KEY,
    Column("step", "int32", "number of the stroke, from 0"),
    Column("reasoning", "string", "what differs most and what stroke helps, in one to three sentences of a model"),
    Column("model", "string", "who wrote it"),
    Column("prompt", "string", "name and version of what it was asked"),
    Column("turn", "int32", "1, or 2 where a first text could not be used"),
)


State = Literal["running", "finished", "stopped"]


class Writer(Strict):
    """Who writes the texts, and how they are asked; the texts of a data set are all by one."""

    model: Text = Field(description="Name of the model at its endpoint.")
    prompt: str = Field(default=PROMPT, description="Name and version of what it is asked.")
    temperature: float | None = Field(default=None, ge=0, le=2, description="Left out of requests when null.")
    max_tokens: int | None = Field(default=None, ge=1, le=10**7, description="Longest reply; left out when null.")
    scale: int = Field(default=4, ge=1, le=LARGEST_SCALE, description="What pictures are enlarged by.")


class NewReasoning(Limits):
    """Texts that are wished for."""

    base_url: Text = Field(description="Where the model answers, up to and with /v1.")
    key: Key = None
    writer: Writer
    share: float = Field(default=0.1, gt=0, le=1, description="Share of the references whose samples get a text.")

    @model_validator(mode="after")
    def _addressed(self) -> NewReasoning:
        Endpoint(base_url=self.base_url, model=self.writer.model, key=self.key)
        return self


class Counts(Strict):
    """What came of the strokes of a shard, or of several."""

    wanted: int = 0
    texts: int = 0
    left_out: dict[str, int] = Field(default_factory=dict)
    """Strokes without a text although a model was asked twice, by the reason's code (`checking.RULES`)."""

    @property
    def without(self) -> int:
        """Strokes that stay without a text."""
        return sum(self.left_out.values())

    @property
    def open(self) -> int:
        """Strokes that a model is still to be asked about."""
        return self.wanted - self.texts - self.without

    def __add__(self, other: Counts) -> Counts:
        """Both together."""
        codes = sorted({*self.left_out, *other.left_out})
        left_out = {code: self.left_out.get(code, 0) + other.left_out.get(code, 0) for code in codes}
        return Counts(wanted=self.wanted + other.wanted, texts=self.texts + other.texts, left_out=left_out)


class ReasoningManifest(Strict):
    """What is noted of the texts of a data set. No key and no address is in it, for the data may be published."""

    writer: Writer
    share: float
    data: str
    """Digest of the data set's tables (`scenes.data_digest`)."""
    state: State = "running"
    reason: str = ""
    """Why it stopped, in one sentence."""
    calls: int = 0
    """That were answered."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    """None where nobody told."""
    shards: dict[str, Counts] = Field(default_factory=dict)
    """By the name of the file."""

    @property
    def counts(self) -> Counts:
        """Those of all shards."""
        return sum(self.shards.values(), Counts())

    def change(self, writer: Writer, share: float, data: str) -> str | None:
        """What another wish would change, in words; None where it goes on with this one, as a larger share does."""
        mine, theirs = self.writer.model_dump(), writer.model_dump()
        told = [f"{name} was {mine[name]} and is {theirs[name]}" for name in mine if mine[name] != theirs[name]]
        if share < self.share:
            told.append(f"share was {self.share:g} and is {share:g}")
        if data != self.data:
            told.append("the data set was another one")
        return ", ".join(told) or None


def table_name(shard: Shard) -> str:
    """Name of the file with a shard's texts, within the folder of texts."""
    return PurePath(shard.file("samples")).name


def reasoning_manifest(data: Path) -> ReasoningManifest | None:
    """What is noted of the texts of the data set in a folder; None where it has none.

    Raises:
        ValueError: it is damaged; in one sentence.
    """
    path = data / FOLDER / MANIFEST
    try:
        return ReasoningManifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError:
        raise ValueError(f"{path} is damaged; remove it, and the answers that were paid for are still used.") from None


def texts_of(data: Path, shard: Shard) -> Mapping[tuple[str, int], str]:
    """The texts on a shard's strokes, by the reference's key and the step; none where there is no file.

    Raises:
        OSError: the file cannot be read (pyarrow's ArrowInvalid, a ValueError, where it is damaged).
    """
    path = data / FOLDER / table_name(shard)
    if not path.exists():
        return {}
    rows = pq.read_table(path, columns=["reference_key", "step", "reasoning"]).to_pylist()
    return {(row["reference_key"], row["step"]): row["reasoning"] for row in rows}
