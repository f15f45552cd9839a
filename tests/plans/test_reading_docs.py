"""docs/plan-format.md: its example is a whole file, and it tells every field and limit that there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from easel_app.plans import files, reports
from easel_app.plans.files import AnswerRecord
from easel_app.plans.reading import PlanSource
from easel_app.scoring.plan import GAPS
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.sources.fields import Record
from easel_app.sources.found import Found
from easel_app.sources.pictures import MOST_BYTES, MOST_PIXELS
from tests.rubrics.files import picture

TEXT = (Path(__file__).parents[2] / "docs" / "plan-format.md").read_text()
KINDS = (files.SetLine, files.QueryRecord, files.AnswerRecord, files.ReportRecord, files.VoteRecord)
PARTS = (
    *(files.PoolImage, files.Document, files.CallVote, files.FoundGap, files.GapsVote, files.GapVote, files.FinalVote),
    *(files.PlanVote, reports.CallScores, reports.CallReport, reports.PrecisionReport, reports.GapReport),
    *(reports.RecallReport, reports.ChiefReport),
)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    (text,) = re.findall(r"```jsonl\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "pictures").mkdir()
    for seed, name in enumerate(("cat", "basket")):
        (tmp_path / "pictures" / f"{name}.png").write_bytes(picture(seed))
    (tmp_path / "example.jsonl").write_text(text)
    return tmp_path / "example.jsonl"


def test_the_example_is_imported_without_a_problem(example: Path, tmp_path: Path) -> None:
    source = PlanSource([example], "example.jsonl")
    found = list(source.read())
    assert {type(each.record) for each in found if isinstance(each, Found)} == set(KINDS)
    assert not any(not isinstance(each, Found) or each.notes for each in found)
    studio = Studio(Settings(data_dir=tmp_path / "data"))
    report = studio.plans.intake.take_in(source)
    studio.close()
    assert (report.state, report.name, report.faults, report.notes) == ("imported", "One question", [], [])
    assert report.added.model_dump() == {"queries": 1, "answers": 2, "reports": 4, "votes": 5}


@pytest.mark.parametrize("kind", [*KINDS, *PARTS])
def test_every_field_is_named(kind: type[Record]) -> None:
    assert [name for name in kind.model_fields if f"`{name}`" not in TEXT and f'"{name}"' not in TEXT] == []


def test_every_limit_and_word_is_the_real_one() -> None:
    limits = [f"{most:,}" for most in (files.MOST_PLAN, files.MOST_TEXT, files.MOST_POOL, files.MOST_DOCUMENTS)]
    sizes = (f"{MOST_BYTES // 2**20} MB", f"{MOST_PIXELS // 10**6}\nmegapixels", files.FORMAT)
    words = [f"`{word}`" for word in (*files.ABOUTS, *reports.INSPECTORS, *GAPS, "accept", "revise", "reject")]
    assert [each for each in (*limits, *sizes, *words) if each not in TEXT] == []
    assert AnswerRecord.model_fields["attempt"].default == 1
