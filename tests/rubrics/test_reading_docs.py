"""docs/rubric-format.md: its example is a whole file, and it tells every field and limit that there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from easel_app.rubrics import records
from easel_app.sources.pictures import MOST_BYTES, MOST_PIXELS
from tests.rubrics.files import picture, read, told

TEXT = (Path(__file__).parents[2] / "docs" / "rubric-format.md").read_text()
KINDS = (records.SetLine, records.Task, records.Answer, records.JudgeVerdict, records.Vote)
PARTS = (records.Turn, records.RubricItem, records.AnswerTurn, records.ToolCall, records.Remark, records.Conditions)


def test_the_example_is_read_without_a_problem(tmp_path: Path) -> None:
    (example,) = re.findall(r"```jsonl\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "example.jsonl").write_text(example)
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "harbour.png").write_bytes(picture())
    found, problems = read(tmp_path / "example.jsonl")
    assert told(problems) == [] and not any(each.notes for each in found)
    assert {type(each.record) for each in found} == set(KINDS)
    assert sum(len(each.pictures) for each in found) == 2


@pytest.mark.parametrize("kind", [*KINDS, *PARTS])
def test_every_field_is_named(kind: type[records.Record]) -> None:
    assert [name for name in kind.model_fields if f"`{name}`" not in TEXT and f'"{name}"' not in TEXT] == []


def test_every_limit_and_word_is_the_real_one() -> None:
    limits = (f"{records.MOST_ANSWER:,}", f"{records.MOST_TEXT:,}", f"1 to {records.MOST_TURNS}")
    sizes = (f"{MOST_BYTES // 2**20} MB", f"{MOST_PIXELS // 10**6} megapixels", records.FORMAT)
    words = [f"`{word}`" for word in (*records.ErrorKind, *records.Verdict)]
    assert [each for each in (*limits, *sizes, *words) if each not in TEXT] == []
