"""A finished data set as chats for supervised fine-tuning, for one stage and one trainer."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import Final, Literal, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from easel_app.exports.whole import whole_folder
from easel_app.painting.showing import PLAIN, Look
from easel_app.runs.prompts import PROMPT
from easel_app.services.problems import Conflict, Invalid, NotFound
from easel_app.trajectories.folder import CARD, MANIFEST, Shard, Split
from easel_app.trajectories.reading import DataSet, Sample
from easel_app.trajectories.reasoning.records import texts_of
from easel_app.trajectories.training import llama_factory, trl
from easel_app.trajectories.training.config import Stage
from easel_app.trajectories.training.layout import Chat, chat_of, run_options
from easel_app.trajectories.training.selection import REPLAY, Selection, budget_of, selection

LayoutName = Literal["trl", "llama-factory"]
LAYOUTS: dict[LayoutName, ModuleType] = {"trl": trl, "llama-factory": llama_factory}
FORMAT: Final = "easel-sft/1"
NOTE = "sft.json"
"""What is noted of an export; a folder that has it is complete."""
SOURCE_CARD = "DATASET.md"
"""The data set's own card, which tells whose the references are."""
WITH_REASONING = "reasoning"
MOST_STROKES = 2_000
"""That a question may name: as many as a trajectory may have."""


class Writer(Protocol):
    """Writes chats in a layout."""

    def shard(self, shard: Shard) -> AbstractContextManager[None]:
        """Write what is added within to the files of a shard."""

    def add(self, sample: Sample, chat: Chat) -> None:
        """Add a chat."""

    def finish(self) -> None:
        """Write what is left."""


class Note(BaseModel):
    """What an export is of."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["easel-sft/1"] = FORMAT
    layout: LayoutName
    stage: Stage
    prompt: str
    """Version of the prompt; a run asks by the same."""
    coordinates: Literal["integer"] = "integer"
    calling: Literal["text"] = "text"
    look: Look
    replay: float
    seed: int
    budgets: tuple[int, ...] = ()
    """Numbers of strokes that the questions name, each drawn by chance; none: that of the trajectory."""
    dataset: str
    """SHA-256 of the data set's manifest."""
    counts: dict[Split, dict[str, int]]
    """Samples by subset, and how many of them have a reasoning text."""

    @property
    def training(self) -> int:
        """Samples to train on."""
        return sum(count for name, count in self.counts["train"].items() if name != WITH_REASONING)


Told = Callable[[int, int], None]
"""Hears how many samples are written, of how many at most."""


def export_sft(
    folder: Path,
    to: Path,
    stage: Stage,
    layout: LayoutName = "trl",
    *,
    replay: float | None = None,
    seed: int = 0,
    budgets: Sequence[int] = (),
    look: Look = PLAIN,
    reasoning: bool = True,
    told: Told = lambda done, total: None,
) -> Note:
    """Write the samples of a stage as chats; the same data set and options give the same files.

    Memory holds the samples of one reference. Validation has the stage's own subset and no replay.

    Args:
        folder: of a data set that is complete.
        to: a folder that is not there yet, or empty; it appears when all is in it.
        stage: 1: C1; 2: C2 and a replay of C1.
        layout: for which trainer.
        replay: share of C1 in the samples of stage 2; None: as published, 0.15.
        seed: of the choice of what is replayed, and of budgets.
        budgets: numbers of strokes of which each question names one, drawn by chance among those that are not used up;
            where none is left, and by default, it names that of the trajectory.
        look: how pictures are shown; a run has to show them the same way.
        reasoning: whether the texts of `easel trajectories reason` stand before the answers, where there are some.
        told: hears of the progress.

    Raises:
        NotFound: there is no data set.
        Conflict: it is not complete or a file of it is not what its manifest says, or `to` holds something.
        Invalid: the replay cannot be had, or a budget is none.
        OSError: it cannot be written.
    """
    data = DataSet(folder)
    _check_whole(data)
    share = (REPLAY if stage == 2 else 0.0) if replay is None else replay
    if not 0.0 <= share < 1.0 or (stage == 1 and share):
        rule = "only stage 2 has a replay" if stage == 1 else "it must be at least 0 and less than 1"
        raise Invalid("replay", f"The replay is {share:g}, but {rule}; correct it and try again.", "replay")
    budgets = tuple(sorted(set(budgets)))
    wrong = [each for each in budgets if not 1 <= each <= MOST_STROKES]
    if wrong:
        message = f"A budget is {wrong[0]}, but must be from 1 to {MOST_STROKES} strokes; correct it."
        raise Invalid("budgets", message, "budgets")
    rules: dict[Split, Selection] = {
        split: selection(data, stage, split, share, seed) for split in data.manifest.references
    }
    total, done = sum(sum(counts.values()) for counts in data.manifest.samples.values()), 0
    module, name = LAYOUTS[layout], f"easel_stage{stage}"
    counts: dict[Split, Counter[str]] = {split: Counter() for split in rules}
    with whole_folder(to) as place:
        writer: Writer = module.Layout(place, name, look)
        for shard in data.shards():
            texts = texts_of(folder, shard) if reasoning else {}
            with writer.shard(shard):
                for sample in data.shard_samples(shard):
                    done += 1
                    key = (sample.reference_key, sample.step)
                    if not rules[shard.split].takes(sample.subset, *key):
                        continue
                    text, asked = texts.get(key), sample._replace(strokes=budget_of(sample, budgets, seed))
                    writer.add(asked, _chat(asked, text, look))
                    counts[shard.split][sample.subset] += 1
                    counts[shard.split][WITH_REASONING] += text is not None
            told(done, total)
        writer.finish()
        note = Note(
            layout=layout,
            stage=stage,
            prompt=PROMPT,
            look=look,
            replay=share,
            seed=seed,
            budgets=budgets,
            dataset=hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest(),
            counts={split: dict(sorted(each.items())) for split, each in counts.items()},
        )
        (place / SOURCE_CARD).write_bytes((folder / CARD).read_bytes())
        (place / CARD).write_text(_card(note, module.usage(name)), encoding="utf-8")
        (place / NOTE).write_text(note.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return note


def read_note(folder: Path) -> Note:
    """What is noted of an export.

    Raises:
        NotFound: the folder holds none.
        Conflict: it is of another format.
    """
    try:
        text = (folder / NOTE).read_bytes()
    except OSError:
        what = "a data set that is not exported yet" if (folder / MANIFEST).exists() else "no export"
        message = f"{folder} holds {what}: write one by easel trajectories export-sft, and give its folder."
        raise NotFound("no_export", message) from None
    try:
        return Note.model_validate_json(text)
    except ValidationError:
        message = f"{folder / NOTE} is not of the format {FORMAT}; export the data set anew."
        raise Conflict("other_format", message) from None


def _chat(sample: Sample, text: str | None, look: Look) -> Chat:
    try:
        return chat_of(sample, text, look)
    except ValueError as error:
        raise Invalid("too_wide", str(error), "scale") from error


def _check_whole(data: DataSet) -> None:
    """Refuse a data set of which a file is missing or has another size than its manifest says."""
    for name, note in data.manifest.files.items():
        path = data.folder.path / name
        if not path.is_file() or path.stat().st_size != note.bytes:
            what = "is missing" if not path.is_file() else "has another size than its manifest says"
            message = f"{path} {what}; run easel trajectories verify, and make again what it names."
            raise Conflict("damaged", message)


def _card(note: Note, usage: str) -> str:
    """The export's own card."""
    pattern = f"{trl.DATA}/{{}}-*.parquet" if note.layout == "trl" else "{}.jsonl"
    files = [{"split": split, "path": pattern.format(split)} for split in note.counts]
    rows = "\n".join(f"| {split} | {_told(counts)} |" for split, counts in note.counts.items())
    shown = f"enlarged by {note.look.scale}" if note.look.scale > 1 else "as they are"
    run = f"easel run {run_options(note.look)}"
    budgets = ", ".join(map(str, note.budgets))
    budget = f"one of {budgets}, drawn by chance" if budgets else "those of the trajectory"
    return f"""\
---
configs: {json.dumps([{"config_name": "default", "data_files": files}])}
---
# EASEL-style painting, stage {note.stage}, as chats with pictures

Each chat shows a reference and a canvas (pictures {shown}) and asks for the next brush stroke, in the words of
`{note.prompt}`; the answer is the stroke as JSON, in thousandths. A question names a number of strokes: {budget}.
So a model that was trained on it plays by `{run} …`.

| split | samples |
| --- | --- |
{rows}

{usage}
Whose the references are, and on what terms, is told in `{SOURCE_CARD}`.
"""


def _told(counts: dict[str, int]) -> str:
    words = {name: "with reasoning" if name == WITH_REASONING else f"of {name}" for name in counts}
    return ", ".join(f"{count:,} {words[name]}" for name, count in counts.items()) or "none"
