"""The card of a data set: what is in it, counted; what the scores mean; where the pictures come from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from easel_app import __version__
from easel_app.exports.markdown import cell, code, size, table
from easel_app.exports.parquet import Column, yaml_of
from easel_app.exports.tables import ACTIONS, SESSIONS
from easel_app.painting.tasks import Task
from easel_app.scoring import conduct, trajectory
from easel_app.services.sessions import LOG_FORMAT
from easel_app.store.records import SessionRecord

OURS = "Easel Studio"
"""What the author of a picture is called, and contributors to it, that this project draws by itself."""
COUNTED = {"player_kind": "player", "protocol": "protocol", "metric": "metric", "renderer": "renderer"}
"""Fields of a session that are counted, and how the card calls them."""


@dataclass
class Tally:
    """What was written, counted as it was."""

    sessions: int = 0
    actions: int = 0
    evidence: int = 0
    """Sessions of which it is on record what their player was shown and said."""
    left_out: int = 0
    """Ended sessions whose task is not there any more, or has another picture today."""
    tasks: dict[str, Task] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    """Of each table, as Arrow has it in memory."""
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in COUNTED})

    def add(self, task: Task, session: SessionRecord, actions: int) -> None:
        """Count a session."""
        self.sessions += 1
        self.actions += actions
        self.tasks[task.id] = task
        for name, counter in self.kinds.items():
            counter[getattr(session, name)] += 1


def card(tally: Tally, title: str, what: str) -> str:
    """README.md of the data set.

    Args:
        tally: what is in it.
        title: its name, in words of ours.
        what: which sessions were asked for, in words; text of a caller is shown as code.
    """
    return f"""{_front_matter(tally, title)}
# {title}

Painting sessions: {what}. A player sees a picture and a canvas and acts stroke by stroke under a budget; every action
is recorded with what became of it, and scored. Exported by Easel Studio {__version__}. The set-up follows the EASEL
benchmark ([arXiv 2608.25417](https://arxiv.org/abs/2608.25417)); tasks, renderer and metric settings are the project's
own: **these scores are not EASEL scores.**

## What is in it

{table(("", "count"), _counts(tally))}

{table(("file", "count", ""), _files(tally))}

```python
from datasets import load_dataset

sessions = load_dataset("path/or/name", "sessions", split="train")
actions = load_dataset("path/or/name", "actions", split="train")
```

## Metrics

{table(("name and version", "meaning"), _metrics(tally))}

Forked, imported and assisted sessions are in, say so, and are not `ranked`.

## Pictures

{_pictures(tally.tasks.values())}

Logs, scores and canvases were made with Easel Studio; whoever publishes this data set decides on their terms. A canvas
is painted after its picture, so the picture's terms may reach it.

## Columns of `sessions`

{_columns(SESSIONS)}

## Columns of `actions`

{_columns(ACTIONS)}
"""


def _front_matter(tally: Tally, title: str) -> str:
    """YAML; whatever comes from outside stands in it as JSON, which is YAML too."""
    lines = ["---", f"pretty_name: {json.dumps(title)}", "license: other", "license_name: see-pictures-below"]
    lines += ["task_categories:", "- image-to-image", "- reinforcement-learning"]
    lines += ["tags:", "- painting", "- agents", "- trajectories", f"size_categories:\n- {size(tally.sessions)}"]
    parts = (("sessions", SESSIONS, tally.sessions), ("actions", ACTIONS, tally.actions))
    lines.append("configs:")
    for name, _, _ in parts:
        lines += [f"- config_name: {name}", *(["  default: true"] if name == "sessions" else [])]
        lines += ["  data_files:", "  - split: train", f"    path: data/{name}.parquet"]
    lines.append("dataset_info:")
    for name, columns, rows in parts:
        lines += [f"- config_name: {name}", "  features:"]
        for column in columns:
            lines += yaml_of(column, "  ")
        lines += ["  splits:", "  - name: train", f"    num_bytes: {tally.bytes[name]}", f"    num_examples: {rows}"]
    return "\n".join([*lines, "---"])


def _counts(tally: Tally) -> Iterable[tuple[str, str]]:
    yield "sessions, all of them ended", str(tally.sessions)
    yield "actions", str(tally.actions)
    yield "tasks", str(len(tally.tasks))
    for name, counter in tally.kinds.items():
        for value, count in sorted(counter.items()):
            yield f"sessions, {COUNTED[name]} {code(value)}", str(count)
    if tally.left_out:
        yield "sessions left out, for their task has another picture today or is gone", str(tally.left_out)


MEANINGS = {
    "similarity": "0.5 · SSIM + 0.3 · (1 - L1) + 0.2 · Edge IoU of canvas and reference",
    "outline": "Dice of the target and the region that the drawing encloses",
    "handwriting": "letters in their place over the longer of the two words, read offline",
    "maze": "progress along the reference route of what is joined to the start",
}


def _metrics(tally: Tally) -> Iterable[tuple[str, str]]:
    for name in sorted(tally.kinds["metric"]):
        yield code(name), MEANINGS.get(name.partition("/")[0], "")
    yield code(trajectory.VERSION), "final, at_half, auc, best, final_best_gap, repeat rates"
    yield code(conduct.VERSION), "invalid and rejected rates, undos, draw_undo_loops, submit_percent"
    yield "skill", "where a final score lies between mean fill (0) and data policy (1) of its task; the project's own"


def _files(tally: Tally) -> Iterable[tuple[str, str, str]]:
    yield "`data/sessions.parquet`", f"{tally.sessions} rows", "one a session, with reference and last canvas"
    yield "`data/actions.parquet`", f"{tally.actions} rows", "one an action"
    logs = f"the logs as they are exported (`{LOG_FORMAT}`); `easel import logs/*.jsonl` plays them again"
    yield "`logs/<session_id>.jsonl`", f"{tally.sessions} files", logs
    if tally.evidence:
        said = "what the player was shown and answered, with tokens, cost and latency; not in the logs, not imported"
        yield "`evidence/<session_id>.jsonl`", f"{tally.evidence} files", said


def _pictures(tasks: Iterable[Task]) -> str:
    """Each picture with its source and licence; those that this project drew are marked."""
    rows = []
    for task in sorted(tasks, key=lambda task: task.id):
        source = task.source
        told = map(cell, (task.title, source.origin, source.author, source.licence, source.detail))
        whose = "ours, drawn by code" if source.author.startswith(OURS) else "sample of another's work"
        rows.append((code(task.id), *told, whose))
    return table(("task", "title", "source", "author", "licence", "detail", "whose"), rows)


def _columns(columns: Sequence[Column]) -> str:
    rows = [(f"`{column.name}`", column.words, cell(column.meaning)) for column in columns]
    return table(("column", "type", "meaning"), rows)
