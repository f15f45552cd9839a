"""Sets of plans as files: what goes out comes in again, and tables hold what was said, harmlessly."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from easel_app.exports.plans import sheets
from easel_app.exports.plans.figures import SCORE_COLUMNS
from easel_app.exports.plans.service import PlanExports, SetName
from easel_app.plans.files import AnswerRecord, Line, QueryRecord, ReportRecord, VoteRecord
from easel_app.plans.reading import from_disk
from easel_app.services.plans.plans import Plans
from easel_app.services.problems import NotFound
from easel_app.services.spreadsheets import FORMULAS
from easel_app.services.studio import Studio
from easel_app.store.judges import JudgingRecord
from tests.services.plans.figuring import (
    SET,
    empty_plans,
    gap,
    judge,
    make_plans,
    person,
    precision,
    recall,
    report,
    verdict,
    vote,
    vote_on_all,
)
from tests.services.plans.making import add_answer, add_query, make_query

HOSTILE = '=HYPERLINK("http://x.test","y")\r\n"a",b;\tc \u202e \u2028 <script>'
DOCUMENT = Path(__file__).parents[2] / "docs" / "plan-export.md"
NUMBER = re.compile(r"-?[\d.]+(e-?\d+)?")
LINE: TypeAdapter[Any] = TypeAdapter(Line)
NULLS = (
    "\ud800 \0 "
    + '<tool>{"tool_name":"code","description":"'
    + "=1+1"
    + '","params":{"data":{"a":[1]}}}</tool> \x08 \ufeff'
)


def fill(plans: Plans) -> None:
    """Plans, two judges of one name, people, hostile words in every place, an answer that is none, a query alone."""
    make_plans(plans, 3, ("a", "=b"))
    judge(plans, 1)
    plans.inspections.begin(JudgingRecord("other", SET, "judge one", "run", {}, "2027"))
    vote_on_all(plans, person(plans, "Ada"), 1, 0.7)
    query = make_query(plans, 7, id="own", category="=Category", intent=None, query=HOSTILE, reference=NULLS)
    row = add_query(plans, query, SET)
    add_query(plans, make_query(plans, 8, id="alone"), SET)
    add_answer(plans, row, AnswerRecord(query_id="own", planner="a", attempt=2, text=NULLS, index_base=1, note=HOSTILE))
    add_answer(plans, row, AnswerRecord(query_id="own", planner="late", text="", no_output="It took too long."))
    key = next(key for key in plans.store.keys(SET) if key.query_id == "own")
    own = verdict(Random(3)) | {"reason": HOSTILE, "suggested_tool": "edit", "call_id": 1}
    report(plans, "one", key, "precision", {**precision([]), "calls": [own]})
    report(plans, "other", key, "recall", recall([gap(1, 0) | {"reason": HOSTILE, "anchor_quote": "=1+1"}]))
    report(plans, "other", key, "chief", None)
    ben = person(plans, "=Ben")
    vote(plans, ben, key.id, "call:1", {"about": "call", **verdict(Random(1))}, HOSTILE)
    vote(
        plans,
        ben,
        key.id,
        "gaps",
        {"about": "gaps", "gaps": [{"after_block": 0, "type": "unmet_request", "note": HOSTILE}]},
    )
    vote(plans, ben, key.id, "gap:judge one (other)/1", {"about": "gap", "upheld": False})
    vote(plans, ben, key.id, "fs", {"about": "fs", "fs": 10})
    vote(plans, ben, key.id, "fs", {"about": "fs", "fs": 20})
    vote(plans, ben, key.id, "plan", {"about": "plan", "verdict": "reject"})
    vote(plans, ben, key.id, "plan", None)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = empty_plans(tmp_path_factory.mktemp("exported"))
    fill(studio.plans)
    yield studio
    studio.close()


def content(studio: Studio, name: SetName, set_id: str = SET) -> bytes:
    return b"".join(PlanExports(studio.plans).export(set_id, name).pieces)


def rows(studio: Studio, name: SetName) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content(studio, name).decode(), newline="")))


def test_the_lines_are_records_of_all_there_is_and_ascii_alone(studio: Studio) -> None:
    text = content(studio, "set.jsonl").decode("ascii")
    values = [json.loads(line) for line in text.splitlines()]
    assert [value["type"] for value in values if value["type"] in ("set", "query", "answer")] == (
        ["set"] + ["query"] * 5 + ["answer"] * 8
    )
    others = [LINE.validate_python(value) for value in values if value["type"] in ("answer", "report", "vote")]
    assert sum(isinstance(record, ReportRecord) for record in others) == 6 * 3 + 3
    assert sum(isinstance(record, VoteRecord) for record in others) == len(studio.plans.ballots.votes(SET))
    assert {record.judge for record in others if isinstance(record, ReportRecord)} == {"judge one", "judge one (other)"}
    own = next(record for record in others if isinstance(record, AnswerRecord) and record.attempt == 2)
    assert own.text == NULLS
    assert values[4]["documents"][0]["images"][0]["picture"].startswith("pictures/")


def test_what_goes_out_comes_in_again_and_goes_out_byte_by_byte_the_same(studio: Studio, tmp_path: Path) -> None:
    archive = zipfile.ZipFile(io.BytesIO(content(studio, "set.zip")))
    archive.extractall(tmp_path / "set")
    assert sorted(archive.namelist())[-1] == "set.jsonl" and len(archive.namelist()) == 2
    other = empty_plans(tmp_path / "other")
    try:
        report = other.plans.intake.take_in(from_disk(tmp_path / "set", root=tmp_path / "set"), name=None)
        assert report.state == "imported", report
        (there,) = other.plans.library.sets()
        assert content(other, "set.jsonl", there.id) == content(studio, "set.jsonl")
        assert content(other, "set.zip", there.id) == content(studio, "set.zip")
        ours, theirs = (
            b"\n".join(content(s, "calls.csv", i).splitlines()[1:]) for s, i in ((studio, SET), (other, there.id))
        )
        assert theirs.replace(there.id.encode(), SET.encode()) == ours
    finally:
        other.close()


def test_a_picture_that_was_taken_away_is_told_and_the_rest_goes_out(tmp_path: Path) -> None:
    house = empty_plans(tmp_path)
    try:
        make_plans(house.plans, 1, ("a",))
        query = make_query(house.plans, 2, id="own")
        add_query(house.plans, query, SET)
        picture = query.pool[0].picture
        assert picture
        house.plans.pictures._path(picture.digest).unlink()
        archive = zipfile.ZipFile(io.BytesIO(content(house, "set.zip")))
        assert archive.namelist() == ["set.jsonl", "missing-pictures.txt"]
        assert picture.digest in archive.read("missing-pictures.txt").decode()
    finally:
        house.close()


@pytest.mark.parametrize("name", [name for name in get_args(SetName) if name.endswith(".csv")])
def test_no_cell_of_a_table_is_a_formula_and_every_row_has_its_columns(studio: Studio, name: SetName) -> None:
    found = rows(studio, name)
    assert found
    for row in found:
        assert None not in row and None not in row.values()
        assert not [cell for cell in row.values() if cell.lstrip().startswith(FORMULAS) and not NUMBER.fullmatch(cell)]


def test_a_call_has_one_row_with_its_problems_and_what_everybody_says_of_it(studio: Studio) -> None:
    found = rows(studio, "calls.csv")
    by_judge = [
        sheets.judge_column(judge, part)
        for judge in ("judge one", "judge one (other)")
        for part in sheets.CALL_BY_JUDGE
    ]
    assert list(found[0]) == [*sheets.CALL, *by_judge]
    assert len(found) == 6 * 2 + 1
    own = found[-1]
    assert (own["query_id"], own["attempt"], own["call"], own["block"], own["tool"]) == ("own", "2", "1", "2", "code")
    assert own["description"] == "'=1+1" and own["category"] == "'=Category" and "missing_param" in own["problems"]
    assert (
        own["judge: judge one: reason"].startswith("'=HYPERLINK") and own["judge: judge one: suggested_tool"] == "edit"
    )
    assert own["judge: judge one (other): success"] == "" and own["people"] == "1"
    assert json.loads(own["params"])["data"] == {"a": [1]}


def test_a_plan_has_one_row_with_scores_of_judges_and_the_last_words_of_people(studio: Studio) -> None:
    found = {(row["query_id"], row["planner"]): row for row in rows(studio, "plans.csv")}
    assert len(found) == 8
    own, late = found["own", "a"], found["own", "late"]
    assert (own["people_fs"], own["people_mi"], own["reject"], own["people"]) == ("20.0", "1.0", "0", "1")
    assert (own["judge: judge one (other): mi"], own["judge: judge one: mi"]) == ("1", "")
    assert (late["no_output"], late["calls"]) == ("true", "0")
    judged = found["q00", "a"]
    stored = {r.inspector: r.report for r in studio.plans.inspections.reports("one") if r.report and r.answer == 1}
    assert judged["judge: judge one: fs"] == str(stored["chief"]["fs"])  # type: ignore[index]
    assert judged["tool_f1"] and float(judged["judge: judge one: strict"]) in (0, 0.5, 1)


def test_gaps_have_a_row_each_with_how_many_uphold_them(studio: Studio) -> None:
    found = rows(studio, "gaps.csv")
    own = [row for row in found if row["query_id"] == "own"]
    assert [(row["rater_kind"], row["rater"], row["upheld"], row["not_upheld"]) for row in own] == [
        ("judge", "judge one (other)", "0", "1"),
        ("person", "'=Ben", "", ""),
    ]
    assert own[0]["anchor_quote"] == "'=1+1" and own[1]["reason_or_note"].startswith("'=HYPERLINK")


def test_scores_are_the_table_s_own_numbers(studio: Studio) -> None:
    found = rows(studio, "scores.csv")
    table = studio.plans.scores.scores(SET)
    own = next(row for row in table.rows if (row.planner, row.by, row.category) == ("a", "one", None))
    line = next(
        row for row in found
        if (row["planner"], row["by"], row["category"], row["metric"]) == ("a", "one", "", "SR (strict), micro")
    )  # fmt: skip
    rate = own.sr["strict"]["micro"]
    assert float(line["value"]) == rate.estimate.value and int(line["n"]) == rate.estimate.n
    assert {row["judge"] for row in found} == {"judge one", "judge one (other)", "People (2 reviewers)", ""}
    assert {row["metric"] for row in found if not row["judge"]} >= {"adoption of code, percent", "no output"}


def test_agreement_names_the_judge_and_people_in_its_paths(studio: Studio) -> None:
    found = rows(studio, "agreement.csv")
    paths = {row["path"] for row in found}
    assert "judge one > precision > success > overall > judge_person" in paths
    assert any(path.startswith("judge one (other) > chief > fs > judge_reviewer > Ada") for path in paths)
    kappa = next(
        row for row in found
        if row["path"].startswith("judge one > precision > success > overall > judge_person")
        and row["statistic"] == "cohen_kappa"
    )  # fmt: skip
    told = studio.plans.agreement.agreement(SET, "one").precision.success.overall.judge_person.cohen_kappa
    assert kappa["value"] == ("" if told.value is None else str(told.value))


def test_tables_of_agreement_say_whose_word_is_where_and_nothing_is_told_that_plans_never_have(studio: Studio) -> None:
    found = rows(studio, "agreement.csv")
    paths = {(each["path"], each["statistic"]) for each in found}
    never = ("agreed", "cannot_assess", "judge_person_weighted", "judge_consensus")
    assert not any(name in f"{path} > {statistic}".split(" > ") for path, statistic in paths for name in never)
    told = studio.plans.agreement.agreement(SET, "one").precision.success.overall.judge_person
    table = {
        (each["path"].rpartition(" > ")[2], each["statistic"]): each["value"]
        for each in found
        if each["path"].startswith("judge one > precision > success > overall > judge_person > table > ")
    }
    assert {key: int(value) for key, value in table.items()} == {
        (f"person: {person}", f"judge: {judged}"): told.table[row][column]
        for row, person in enumerate(("yes", "no"))
        for column, judged in enumerate(("yes", "no"))
    }
    wilson = next(each for each in found if each["statistic"] == "sensitivity_wilson" and each["low"])
    assert float(wilson["low"]) < float(wilson["high"])
    assert any(path.endswith("chief > plans > person: accept") and name == "judge: 80-100" for path, name in paths)


def test_an_empty_set_has_files_too_and_one_that_is_not_there_has_none(studio: Studio) -> None:
    studio.plans.store.create(studio.plans.library.set(SET)._replace(id="empty", name="Empty"))
    for name in get_args(SetName):
        assert content(studio, name, "empty")
    with pytest.raises(NotFound):
        PlanExports(studio.plans).export("none such", "set.jsonl")


def test_queries_and_answers_read_back_as_they_were(studio: Studio) -> None:
    for line in content(studio, "set.jsonl").splitlines():
        value = json.loads(line)
        if value["type"] == "query":
            row = studio.plans.store.query(SET, value["id"])
            assert row and QueryRecord.model_validate(row.record).reference == value["reference"]


@pytest.mark.parametrize(
    ("file", "columns"),
    [("calls.csv", sheets.CALL), ("plans.csv", sheets.PLAN), ("gaps.csv", sheets.GAP), ("scores.csv", SCORE_COLUMNS)],
)
def test_the_documentation_tells_every_column_in_its_order(file: str, columns: tuple[str, ...]) -> None:
    section = DOCUMENT.read_text(encoding="utf-8").partition(f"\n### {file}\n")[2].partition("\n#")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert tuple(name for cell in cells for name in re.findall("`(.+?)`", cell)) == columns
