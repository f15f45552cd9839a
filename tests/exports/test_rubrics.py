"""What is said of a rubric set, as lines and as tables."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from easel_app.exports.rubrics import labels, statements
from easel_app.exports.rubrics.figures import SCORE_COLUMNS
from easel_app.exports.rubrics.service import Name, RubricExports
from easel_app.exports.statistics import statistics_csv
from easel_app.rubrics.records import JudgeVerdict, Line, SetLine, Vote
from easel_app.services.judge_names import LONGEST_NAME, judge_names
from easel_app.services.problems import NotFound
from easel_app.services.spreadsheets import FORMULAS, lines
from easel_app.services.studio import Studio
from easel_app.store.judges import JudgingRecord
from easel_app.store.sets import SetRecord
from tests.exports.reviewing import FORMULA, HOSTILE, SECOND, empty_studio, make_reviewed
from tests.services.rubrics.making import SET

JUDGES = ["judge of judging-made", f"judge of judging-made ({SECOND})"]
DOCUMENT = Path(__file__).parents[2] / "docs" / "rubric-export.md"
LINE: TypeAdapter[Any] = TypeAdapter(Line)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = empty_studio(tmp_path_factory.mktemp("reviewed"))
    make_reviewed(studio.rubrics)
    yield studio
    studio.close()


def text(studio: Studio, name: Name, set_id: str = SET) -> str:
    return b"".join(RubricExports(studio.rubrics).export(set_id, name).pieces).decode()


def lines_of(text: str) -> list[str]:
    """Lines of JSON, in which other line ends than \\n may stand."""
    return text.removesuffix("\n").split("\n")


def rows(studio: Studio, name: Name) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text(studio, name), newline="")))


def test_the_lines_are_records_of_all_that_was_said_with_the_set_s_name_first(studio: Studio) -> None:
    first, *found = map(LINE.validate_json, lines_of(text(studio, "verdicts.jsonl")))
    assert first == SetLine(name="Made up")
    verdicts = [record for record in found if isinstance(record, JudgeVerdict)]
    votes = [record for record in found if isinstance(record, Vote)]
    assert [record.type for record in found] == ["verdict"] * 19 + ["vote"] * 9
    assert [verdict.judge for verdict in verdicts] == [JUDGES[0]] * 18 + [JUDGES[1]]
    assert (verdicts[-1].verdict, verdicts[-1].reason, verdicts[-1].evidence) == ("not_met", HOSTILE, FORMULA)
    assert {verdict.unscored for verdict in verdicts if verdict.verdict is None} == {"cut off"}
    stored = studio.rubrics.reviews.votes(SET)
    for name in ("reviewer", "role", "verdict", "confidence", "note", "error", "blind", "at"):
        assert [getattr(vote, name) for vote in votes] == [getattr(row, name) for row in stored]


def test_the_long_form_has_a_row_for_each_statement_and_tells_which_ones_count(studio: Studio) -> None:
    found = rows(studio, "verdicts.csv")
    assert list(found[0]) == list(statements.COLUMNS)
    assert len(found) == 19 + 9
    people = [row for row in found if row["rater_kind"] == "person"]
    marks = ("item_id", "rater", "role", "verdict", "blind", "current", "enters_agreement")
    assert [tuple(row[name] for name in marks) for row in people] == [
        ("i0", "Ada", "review", "met", "true", "true", "true"),
        ("i0", "Ben", "review", "not_met", "true", "true", "true"),
        ("i0", "'=1+1", "adjudication", "met", "false", "true", "false"),
        ("i1", "Ada", "review", "met", "true", "false", "true"),
        ("i1", "Ada", "review", "not_met", "false", "true", "false"),
        ("i1", "Ben", "review", "cannot_assess", "true", "true", "false"),
        ("i2", "Ada", "review", "met", "true", "false", "false"),
        ("i2", "Ada", "review", "", "false", "false", "false"),
        ("i2", "Ada", "review", "not_met", "false", "true", "false"),
    ]
    judges = [row for row in found if row["rater_kind"] == "judge"]
    assert {row["enters_agreement"] for row in judges if row["unscored"]} == {"false"}
    assert {(row["current"], row["enters_agreement"]) for row in judges if row["verdict"]} == {("true", "true")}
    about = {name: found[0][name] for name in ("set", "task_id", "category", "domain", "weight", "critical_by_weight")}
    assert about == {"set": SET, "task_id": "t1", "category": "temporal", "domain": "finance", "weight": "5",
                     "critical_by_weight": "true"}  # fmt: skip


def test_what_enters_agreement_is_what_the_panel_is_computed_from(studio: Studio) -> None:
    panel = studio.rubrics.panel.panel(_query())
    entering = [row for row in rows(studio, "verdicts.csv") if row["rater_kind"] == "person"]
    assert sum(row["enters_agreement"] == "true" for row in entering) == panel.agreement.overall.coverage.votes == 3


def test_no_text_of_anyone_is_a_formula_and_none_is_lost(studio: Studio) -> None:
    for name in ("verdicts.csv", "consensus.csv", "scores.csv", "agreement.csv"):
        for row in csv.reader(io.StringIO(text(studio, name), newline="")):
            assert not any(cell.startswith(FORMULAS) for cell in row if not _is_number(cell))
    notes = {row["reason_or_note"] for row in rows(studio, "verdicts.csv")}
    assert f"'{HOSTILE}" in notes


def test_each_pair_has_one_label_beside_each_judge_s_verdict(studio: Studio) -> None:
    found = [json.loads(line) for line in lines_of(text(studio, "consensus.jsonl"))]
    assert len(found) == studio.rubrics.store.counts(SET)["pairs"] == 18
    marks = ("item_id", "verdict", "by", "votes", "blind_met", "blind_not_met", "blind_cannot_assess")
    assert [tuple(line[name] for name in marks) for line in found[:4]] == [
        ("i0", "met", "adjudication", 2, 1, 1, 0),
        ("i1", "not_met", "majority", 1, 1, 0, 1),
        ("i2", "not_met", "majority", 1, 0, 0, 0),
        ("i0", None, "none", 0, 0, 0, 0),
    ]
    assert found[0]["judges"] == {JUDGES[0]: "met", JUDGES[1]: "not_met"}
    assert found[2]["judges"] == {JUDGES[0]: None}
    table = rows(studio, "consensus.csv")
    assert list(table[0]) == [*labels.COLUMNS, *map(labels.judge_column, JUDGES)]
    for row, line in zip(table, found, strict=True):
        for name in labels.COLUMNS:
            assert row[name] == ("" if line[name] is None else str(line[name]))
    assert [table[2][labels.judge_column(judge)] for judge in JUDGES] == ["unscored", ""]


def test_scores_are_those_of_the_score_table_by_every_judge_and_by_people(studio: Studio) -> None:
    found = rows(studio, "scores.csv")
    assert list(found[0]) == list(SCORE_COLUMNS)
    assert {(row["by"], row["judge"], row["critical"]) for row in found} == {
        (by, judge, critical)
        for by, judge in (("judging-made", JUDGES[0]), (SECOND, JUDGES[1]), ("people", ""))
        for critical in ("weight", "flag")
    }
    table = studio.rubrics.scores.table(SET, "judging-made", "weight")
    mine = [row for row in found if (row["by"], row["critical"]) == ("judging-made", "weight")]
    for model in table.models:
        kinds = {row["group_kind"]: row for row in mine if row["model"] == model.model}
        assert set(kinds) == {"all", "domain", "category", "turn_kind"}
        whole = kinds["all"]
        assert [int(whole[name]) for name in ("n", "scored", "incomplete", "unscored")] == [
            *(model.answers, model.scored, model.incomplete, model.unscored)
        ]
        for word, mean in (("ars", model.ars), ("apr", model.apr)):
            for name, value in ((word, mean.value), (f"{word}_low", mean.low), (f"{word}_high", mean.high)):
                assert whole[name] == ("" if value is None else repr(value))


def test_the_agreement_of_each_judge_is_there_with_the_reviewers_names(studio: Studio) -> None:
    found = rows(studio, "agreement.csv")
    assert {row["path"].partition(" > ")[0] for row in found} == set(JUDGES)
    (kappa,) = [
        row
        for row in found
        if row["path"] == f"{JUDGES[0]} > agreement > judge_reviewer > Ada" and row["statistic"] == "cohen_kappa"
    ]
    panel = studio.rubrics.panel.panel(_query())
    expected = panel.agreement.judge_reviewer[panel.reviewers.index("Ada")].cohen_kappa
    assert kappa["n"] == str(expected.n)
    assert kappa["value"] == ("" if expected.value is None else repr(expected.value))
    assert any("Ada / Ben" in row["path"] for row in found)


def test_nested_statistics_become_rows_with_the_undefined_left_empty() -> None:
    estimate = {"value": 0.5, "low": 0.25, "high": None, "n": 8, "undefined": 3}
    panel = {
        "kappa": estimate,
        "groups": {"writing style / presentation": {"phi": {**estimate, "value": None, "clipped": True}}},
        "pairs": [
            {"first": "Ada", "second": "Ben", "n": 4, "ac1": estimate},
            {"first": "Ada", "second": "Ben", "ac1": estimate},
        ],
        "table": ((1, 2), (3, 4)),
        "sensitivity_wilson": {"low": 0.1, "high": 0.9},
        "weighted": None,
        "name": "=judge",
    }
    found = list(csv.reader(io.StringIO(statistics_csv(panel), newline="")))
    assert found == [
        ["path", "statistic", "value", "low", "high", "n", "undefined", "clipped"],
        ["", "kappa", "0.5", "0.25", "", "8", "3", ""],
        ["groups > writing style / presentation", "phi", "", "0.25", "", "8", "3", "true"],
        ["pairs > 1 Ada / Ben", "n", "4", "", "", "", "", ""],
        ["pairs > 1 Ada / Ben", "ac1", "0.5", "0.25", "", "8", "3", ""],
        ["pairs > 2 Ada / Ben", "ac1", "0.5", "0.25", "", "8", "3", ""],
        ["table > 1", "1", "1", "", "", "", "", ""],
        ["table > 1", "2", "2", "", "", "", "", ""],
        ["table > 2", "1", "3", "", "", "", "", ""],
        ["table > 2", "2", "4", "", "", "", "", ""],
        ["", "sensitivity_wilson", "", "0.1", "0.9", "", "", ""],
        ["", "weighted", "", "", "", "", "", ""],
        ["", "name", "'=judge", "", "", "", "", ""],
    ]
    assert statistics_csv({}).splitlines() == ["path,statistic,value,low,high,n,undefined"]


@given(st.lists(st.lists(st.text(), min_size=3, max_size=3)))
def test_a_sheet_gives_every_text_back_but_for_the_apostrophe(cells: list[list[str]]) -> None:
    names = ["a", "b", "c"]
    made = "".join(lines(names, [dict(zip(names, row, strict=True)) for row in cells]))
    expected = [[f"'{cell}" if cell.startswith(FORMULAS) else cell for cell in row] for row in cells]
    assert list(csv.reader(io.StringIO(made, newline=""))) == [names, *expected]


@pytest.mark.parametrize(
    ("file", "columns"),
    [
        ("verdicts.csv", statements.COLUMNS),
        ("consensus.csv, consensus.jsonl", (*labels.COLUMNS, labels.judge_column("NAME"))),
        ("scores.csv", SCORE_COLUMNS),
    ],
)
def test_the_documentation_tells_every_column_in_its_order(file: str, columns: tuple[str, ...]) -> None:
    section = DOCUMENT.read_text(encoding="utf-8").partition(f"\n### {file}\n")[2].partition("\n#")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert tuple(name for cell in cells for name in re.findall("`(.+?)`", cell)) == columns


def test_judges_of_one_name_are_told_apart_and_no_name_is_too_long() -> None:
    def judging(number: int, name: str) -> JudgingRecord:
        return JudgingRecord(f"id-{number}", SET, name, "run", {}, "")

    names = judge_names([judging(1, "x" * 80), judging(2, "x" * 80), judging(3, "x" * 80), judging(4, "y")])
    assert list(names) == ["id-1", "id-2", "id-3", "id-4"]
    assert len(set(names.values())) == 4
    assert all(len(name) <= LONGEST_NAME for name in names.values())
    assert names["id-2"].endswith("x (id-2)")


def test_a_set_of_nothing_is_exported_as_nothing_and_no_set_is_said(studio: Studio) -> None:
    studio.rubrics.store.create(SetRecord("empty", "Empty", True, {"source": 7}, "2026-01-01"))
    for name in get_args(Name):
        made = b"".join(RubricExports(studio.rubrics).export("empty", name).pieces)
        assert bool(made) == (name != "consensus.jsonl")
        with pytest.raises(NotFound):
            RubricExports(studio.rubrics).export("nowhere", name)
    assert json.loads(text(studio, "verdicts.jsonl", "empty"))["sample"] is True
    assert len(text(studio, "verdicts.csv", "empty").splitlines()) == 1


def _query() -> Any:
    from easel_app.services.rubrics.panel import PanelQuery

    return PanelQuery(SET, "judging-made")


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
