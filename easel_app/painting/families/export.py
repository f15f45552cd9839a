"""Tasks as files, for those who work with them elsewhere: the picture, and what it is scored against."""

from __future__ import annotations

import json
from pathlib import Path

from easel_app.painting.tasks import Task
from easel_app.painting.truth import write_truth

ABOUT = """Semantic tasks of Easel Studio, written by `easel tasks make`. Each has:

<id>.png        the picture: the canvas before the first stroke. `sha256` in the record is of its RGB bytes, row by row.
<id>.mask.png   of an outline: the target, white. Of a maze: the walls, white. Handwriting has none.
<id>.json       the record. `metric` names the score. `brush` is the look of every stroke: 0.5 + radius W / 4 px in
                radius. `truth` is what the drawing is scored against: the `word`; or of a maze the `route`, cells
                (column, row) from the start to the goal, `cells` a side, the `pitch` of the lattice and its `origin` in
                px. Its `sha256` is of these facts as sorted JSON, followed by the mask's bits, eight a byte.

To score a canvas in Python:

    from easel_app.painting.board import judge
    from easel_app.painting.truth import read_truth
    judge(read_truth(record["truth"], folder), start, canvas)   # start and canvas: uint8 RGB arrays
"""


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
    brush = task.brush and task.brush.model_dump()
    truth = write_truth(task.truth, folder, task.id)
    record = {**record_of(task), "metric": task.metric, "brush": brush, "truth": truth}
    (folder / "README.txt").write_text(ABOUT, encoding="utf-8")
    (folder / f"{task.id}.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def record_of(task: Task) -> dict[str, object]:
    """A task's own fields, as a catalogue holds them."""
    fields = task.model_dump(mode="json", exclude={*Task.model_computed_fields, "anchors"})
    return {**fields, "sha256": task.sha256}
