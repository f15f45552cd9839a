"""The five semantic tasks: one chosen instance of each family, as files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from easel_app.painting.families.export import record_of
from easel_app.painting.families.registry import FAMILIES, task_of
from easel_app.painting.tasks import SEMANTIC, Task
from easel_app.painting.truth import HandwritingTruth, write_truth

TASK_SET = "easel-studio-semantic/1"


class Choice(NamedTuple):
    """Which instance of a family a task is."""

    id: str
    title: str
    family: str
    size: int
    seed: int


CHOICES = (
    Choice("circle-outline", "Circle outline", "circle", 64, 1),
    Choice("apple-outline", "Left apple outline", "apple", 256, 3),
    Choice("hello", "Write “hello”", "handwriting", 256, 0),
    Choice("simple-maze", "Simple maze", "maze", 256, 1),
    Choice("harder-maze", "Harder maze", "maze", 512, 7),
)
"""Their budgets, 64, 64, 128, 128 and 128, sum to 512, which is what the published total of 11,392 interactions leaves
for them (arXiv 2608.25417)."""


def build() -> Iterator[Task]:
    """The five, in their order."""
    for choice in CHOICES:
        family = FAMILIES[choice.family]
        draft = family.draft(choice.size, choice.seed)._replace(title=choice.title)
        detail = f"seed {choice.seed}, {choice.size} px"
        if isinstance(draft.truth, HandwritingTruth):  # the one word that the benchmark asks for
            draft = draft._replace(
                truth=HandwritingTruth("hello"), instruction=draft.instruction.replace(draft.truth.word, "hello")
            )
            detail = f"the word hello, {choice.size} px"
        yield task_of(choice.id, SEMANTIC, family, draft, detail)


def write(folder: Path) -> list[Task]:
    """Write pictures, truths and the catalogue to a folder; returns the tasks."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks, entries = list(build()), []
    for task in tasks:
        assert task.truth is not None  # noqa: S101  each of the five has one
        (folder / f"{task.id}.png").write_bytes(task.png)
        entries.append({**record_of(task), "truth": write_truth(task.truth, folder, task.id)})
    text = json.dumps({"task_set": TASK_SET, "tasks": entries}, indent=2, ensure_ascii=False)
    (folder / "catalogue.json").write_text(text + "\n", encoding="utf-8")
    return tasks
