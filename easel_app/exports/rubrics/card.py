"""The card of a rubric set: what is in it, counted; where it comes from; that a sample is one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from easel_app import __version__
from easel_app.exports.markdown import cell, code, size, table
from easel_app.exports.parquet import Column, yaml_of
from easel_app.exports.rubrics.columns import PARTS, Part
from easel_app.exports.rubrics.content import Content

SAMPLE = """> **SAMPLE DATA.** This set was made up to show what Easel Studio does. Its answers, verdicts and votes are
> written by hand: **no figure computed from it says anything about any model, judge or person.**
"""


@dataclass
class Tally:
    """What was written, counted as it was."""

    rows: dict[str, int] = field(default_factory=dict)
    """Of each table that has any."""
    bytes: dict[str, int] = field(default_factory=dict)
    """Of each table, as Arrow has it in memory."""
    missing: int = 0
    """Places of pictures whose file is no longer in the data folder."""

    def see(self, row: Mapping[str, Any]) -> None:
        """Count what a row lacks."""
        self.missing += sum(picture["bytes"] is None for picture in row.get("images", ()))


def card(content: Content, tally: Tally, split: str) -> str:
    """README.md of the data set; text of others stands in it without becoming markup."""
    record = content.record
    parts = [part for part in PARTS if part.name in tally.rows]
    title = f"SAMPLE: {record.name}" if record.sample else record.name
    tables = "\n\n".join(f"## Columns of `{part.name}`\n\n{_columns(part.columns)}" for part in parts)
    files = [(f"`{part.name}/{split}.parquet`", str(tally.rows[part.name]), part.meaning) for part in parts]
    loading = "\n".join(f'{part.name} = load_dataset("path/or/name", "{part.name}", split="{split}")' for part in parts)
    return f"""{_front_matter(title, parts, tally, split, sample=record.sample)}
# {cell(title)}

{SAMPLE if record.sample else ""}
Tasks with rubrics, models' answers with their tool calls, and what judges and people say of each rubric item of each
answer. Exported by Easel Studio {__version__}.

## What is in it

{table(("", "count"), _counts(content, tally))}

{table(("file", "rows", ""), files)}

```python
from datasets import load_dataset

{loading}
```

`tasks` has the columns of [VisualToolBench](https://arxiv.org/abs/2510.12712)'s data set, whether or not these tasks
are from there; `easel rubrics import tasks/{split}.parquet` reads it.

## How to read it

A missing verdict is missing, never `not_met`. Votes only grow: a change is a later row, and `current` marks the last
one of a reviewer. Only blind votes, cast before the judge's verdict was shown, enter agreement. `consensus` is the last
adjudication, else what more than half of the people say now who say met or not met.

## Source and licence

{table(("", ""), _source(record.about))}

Answers, verdicts and votes are their authors' own; whoever publishes this data set sees to it that all terms allow it.

{tables}
"""


def _front_matter(title: str, parts: Sequence[Part], tally: Tally, split: str, *, sample: bool) -> str:
    """YAML; whatever comes from outside stands in it as JSON, which is YAML too."""
    lines = ["---", f"pretty_name: {json.dumps(title)}", "license: other", "license_name: see-source-and-licence-below"]
    lines += ["task_categories:", "- visual-question-answering"]
    lines += ["tags:", *(["- sample"] if sample else []), "- rubrics", "- llm-as-a-judge", "- tool-use"]
    lines += ["size_categories:", f"- {size(tally.rows['tasks'])}", "configs:"]
    for part in parts:
        lines += [f"- config_name: {part.name}", *(["  default: true"] if part.name == "tasks" else [])]
        lines += ["  data_files:", f"  - split: {split}", f"    path: {part.name}/{split}.parquet"]
    lines.append("dataset_info:")
    for part in parts:
        lines += [f"- config_name: {part.name}", "  features:"]
        for column in part.columns:
            lines += yaml_of(column, "  ")
        lines += ["  splits:", f"  - name: {split}", f"    num_bytes: {tally.bytes[part.name]}"]
        lines.append(f"    num_examples: {tally.rows[part.name]}")
    return "\n".join([*lines, "---"])


def _counts(content: Content, tally: Tally) -> Iterator[tuple[str, str]]:
    items = [item for items in content.items.values() for item in items]
    turns = [task.turns for task in content.outlines.values()]
    yield "tasks", str(len(turns))
    yield "tasks of one turn", str(turns.count(1))
    yield "rubric items", str(len(items))
    yield "answers", str(len(content.answer_keys))
    for model in sorted({key.model for key in content.answer_keys}):
        yield f"answers of {code(model)}", str(sum(key.model == model for key in content.answer_keys))
    yield "pairs of an answer and a rubric item", str(sum(1 for _ in content.pairs()))
    yield "judges", str(len(content.judges))
    for name in ("verdicts", "votes"):
        yield name, str(tally.rows.get(name, 0))
    if tally.missing:
        yield "pictures without their bytes, for their file was no longer in the data folder", str(tally.missing)


def _source(about: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    known = {name: value for name, value in about.items() if value}
    yield "source", cell(str(known.pop("source", "not told")))
    yield "licence", cell(str(known.pop("licence", "not told: find out before you publish it")))
    for name, value in known.items():
        yield cell(name), cell(value if isinstance(value, str) else json.dumps(value))


def _columns(columns: Sequence[Column]) -> str:
    return table(("column", "type", "meaning"), ((f"`{c.name}`", c.words, cell(c.meaning)) for c in columns))
