"""Tasks as files, for those who work with them elsewhere: the picture, and what it is scored against."""

from __future__ import annotations

import json
from pathlib import Path

from easel_app.painting.tasks import Task
from easel_app.painting.truth import write_truth


def export(task: Task, folder: Path) -> None:
    """Write a semantic task to `<id>.png`, `<id>.mask.png` (where there is a mask) and `<id>.json` in a folder.

    Raises:
        OSError: the folder cannot be made or written.
        ValueError: it is no semantic task.
    """
    if task.truth is None:
        raise ValueError(f"{task.id} is no semantic task: its reference is all that it is scored against")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{task.id}.png").write_bytes(task.png)
    record = {**record_of(task), "truth": write_truth(task.truth, folder, task.id)}
    (folder / f"{task.id}.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def record_of(task: Task) -> dict[str, object]:
    """A task's own fields, as a catalogue holds them."""
    fields = task.model_dump(mode="json", exclude={*Task.model_computed_fields, "anchors"})
    return {**fields, "sha256": task.sha256}
