"""Samples from the engine and a painter, and exports of them, without a data set around."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from easel_app.engine import StepEngine
from easel_app.painting import png
from easel_app.painting.env import catalogue
from easel_app.painting.painters import painter
from easel_app.painting.showing import PLAIN, Look
from easel_app.painting.tasks import Task
from easel_app.runs.prompts import INTEGERS, PROMPT
from easel_app.trajectories.folder import Shard
from easel_app.trajectories.reading import Sample
from easel_app.trajectories.sampling import Subset
from easel_app.trajectories.training import trl
from easel_app.trajectories.training.config import Stage
from easel_app.trajectories.training.exporting import NOTE, WITH_REASONING, Note
from easel_app.trajectories.training.layout import chat_of

SIZE = 64


def task(number: int) -> Task:
    """A task of 64 px, which is in every studio, so that a run can play it."""
    found = [each for each in catalogue() if each.width == SIZE and not each.kind.semantic]
    return found[number]


def samples(number: int, subset: Subset, steps: int) -> Iterator[Sample]:
    """The first samples of a painting of that task."""
    chosen = task(number)
    engine = StepEngine(chosen.reference)
    hired = painter("random", chosen.reference, chosen.budget, number)
    for step in range(steps):
        before, canvas = engine.scores().similarity, png.encode(engine.canvas)
        stroke = hired.next(engine.canvas, step)
        assert stroke is not None
        action = np.rint(stroke * INTEGERS).astype(int)
        after = engine.step(action / INTEGERS).similarity
        key = f"{number:016x}"
        numbers, reference = tuple(action.tolist()), png.encode(chosen.reference)
        yield Sample(key, "geometry", subset, step, chosen.budget, numbers, before, after, reference, canvas)


def export(
    folder: Path,
    rows: Sequence[Sample],
    stage: Stage,
    replay: float = 0.0,
    look: Look = PLAIN,
    thought: str | None = None,
) -> Path:
    """Write samples for TRL, as `export_sft` writes those of a data set."""
    folder.mkdir()
    layout = trl.Layout(folder, f"easel_stage{stage}", look)
    with layout.shard(Shard("train", 0, 1)):
        for row in rows:
            layout.add(row, chat_of(row, thought, look))
    layout.finish()
    counts = {WITH_REASONING: len(rows) if thought else 0}
    for row in rows:
        counts[row.subset] = counts.get(row.subset, 0) + 1
    note = Note(
        layout="trl",
        stage=stage,
        prompt=PROMPT,
        look=look,
        replay=replay,
        seed=0,
        dataset="0" * 64,
        counts={"train": counts},
    )
    (folder / NOTE).write_text(note.model_dump_json())
    return folder
