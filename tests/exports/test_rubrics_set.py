"""A whole rubric set as a folder or an archive, and votes that come back: what is imported from it is equal."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from easel_app.exports.files import File, files_of, write_files, zipped
from easel_app.exports.packages import LINES, MISSING
from easel_app.exports.rubrics.content import Content
from easel_app.exports.rubrics.lines import statement_records
from easel_app.exports.rubrics.package import Package
from easel_app.exports.rubrics.service import RubricExports
from easel_app.rubrics.reading import from_disk
from easel_app.rubrics.records import (
    Answer,
    AnswerTurn,
    ErrorKind,
    JudgeVerdict,
    RubricItem,
    SetLine,
    Task,
    ToolCall,
    Turn,
    Verdict,
    Vote,
)
from easel_app.services.rubrics.checking import Checker
from easel_app.services.rubrics.reports import ImportReport
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from easel_app.settings import data_folder
from easel_app.sources.fields import Record
from easel_app.sources.found import Found
from tests.exports.reviewing import empty_studio, make_reviewed, vote
from tests.services.rubrics.making import SET, make_queue, make_set, said

NUMBERS = count(1)
SAMPLE = data_folder() / "rubrics" / "sample.jsonl"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = empty_studio(tmp_path_factory.mktemp("one"))
    yield studio
    studio.close()


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = empty_studio(tmp_path_factory.mktemp("other"))
    yield studio
    studio.close()


def taken(studio: Studio, path: Path, **how: Any) -> ImportReport:
    report = studio.rubrics.intake.take_in(from_disk(path, root=data_folder() if path == SAMPLE else None), **how)
    assert report.state == "imported", report.sentence()
    return report


def exported(studio: Studio, set_id: str, folder: Path) -> Path:
    write_files(folder, Package(Content(studio.rubrics, set_id)).files())
    return folder


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / LINES).read_bytes().splitlines()]


def tables(rubrics: Rubrics, set_id: str) -> list[Any]:
    """All that is stored of a set but for row ids and times of import."""
    content = Content(rubrics, set_id)
    return [content.record[1:4], list(content.tasks()), list(content.answers()), *statement_records(content)]


def test_the_sample_comes_back_equal_from_its_archive_and_a_second_time_nothing_does(
    studio: Studio, other: Studio, tmp_path: Path
) -> None:
    report = taken(studio, SAMPLE)
    assert report.set_id
    archive = b"".join(RubricExports(studio.rubrics).export(report.set_id, "set.zip").pieces)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert opened.testzip() is None
        opened.extractall(tmp_path / "set")
    again = taken(other, tmp_path / "set")
    assert again.set_id == report.set_id and again.added == report.added
    assert tables(other.rubrics, report.set_id) == tables(studio.rubrics, report.set_id)
    assert b"".join(RubricExports(other.rubrics).export(report.set_id, "set.zip").pieces) == archive
    for house in (studio, other):
        assert taken(house, tmp_path / "set" / LINES).added.records == 0
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for name in opened.namelist()[1:]:
            digest = Path(name).stem
            assert opened.read(name) == other.rubrics.pictures.get(digest)
            with Image.open(io.BytesIO(opened.read(name))) as picture:
                assert (picture.format or "").lower() == Path(name).suffix[1:]


TEXT = st.text(max_size=12)
NAME = st.text("ab=é𝄞\"'|</#%漢", min_size=1, max_size=6)
JSON = TEXT | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.none()
JSON = st.dictionaries(TEXT, JSON | st.lists(JSON, max_size=2), max_size=2) | JSON
FLAG = st.none() | st.booleans()


@st.composite
def sets(draw: st.DrawFn) -> list[Record]:
    """Records of a small set, every field of which may hold anything."""
    made: list[Record] = []
    ids = draw(st.lists(NAME, min_size=1, max_size=2, unique=True))
    for task_id in ids:
        turns = []
        for _ in range(draw(st.integers(1, 2))):
            items = [
                RubricItem(
                    id=item_id,
                    description=draw(st.text(min_size=1, max_size=30)),
                    weight=draw(st.integers(1, 5)),
                    critical=draw(FLAG),
                    objectivity=draw(st.sampled_from([None, "objective", "subjective"])),
                    explicitness=draw(st.sampled_from([None, "explicit", "implicit"])),
                    categories=tuple(draw(st.lists(NAME, max_size=2))),
                    final_answer=draw(FLAG),
                )
                for item_id in draw(st.lists(NAME, max_size=2, unique=True))
            ]
            optional = st.none() | TEXT
            turns.append(Turn(prompt=draw(TEXT), golden_answer=draw(optional), tool_trajectory=draw(optional),
                              rubric=tuple(items)))  # fmt: skip
        category, domain = draw(st.none() | NAME), draw(st.none() | NAME)
        made.append(Task(id=task_id, category=category, domain=domain, turns=tuple(turns)))
    for task in [record for record in made if isinstance(record, Task)]:
        for attempt in range(1, draw(st.integers(1, 2)) + 1):
            model, said = draw(NAME), []
            for _ in task.turns:
                call = ToolCall(name=draw(TEXT), arguments=draw(JSON), observation=draw(JSON))
                said.append(AnswerTurn(text=draw(TEXT), calls=(call,), rounds=draw(st.none() | st.integers(0, 9))))
            made.append(Answer(task_id=task.id, model=model, attempt=attempt, turns=tuple(said)))
            for number, turn in enumerate(task.turns, 1):
                for item in turn.rubric:
                    about = {"task_id": task.id, "model": model, "attempt": attempt, "turn": number, "item_id": item.id}
                    made += draw(st.lists(_votes(about), max_size=3))
                    made += [draw(_verdicts(about))]
    order = (Task, Answer, JudgeVerdict, Vote)
    return sorted(made, key=lambda record: order.index(type(record)))


def _votes(about: dict[str, Any]) -> st.SearchStrategy[Vote]:
    return st.builds(
        lambda **fields: Vote(**about, **fields),
        reviewer=st.sampled_from(["Any", "=Body"]),
        role=st.sampled_from(["review", "adjudication"]),
        verdict=st.none() | st.sampled_from(Verdict),
        confidence=st.none() | st.integers(1, 3),
        note=TEXT,
        error=st.none() | st.sampled_from(ErrorKind),
        blind=st.booleans(),
        at=st.sampled_from(["2026-01-01", "2026-01-02"]),
    )


def _verdicts(about: dict[str, Any]) -> st.SearchStrategy[JudgeVerdict]:
    given = st.sampled_from(["met", "not_met"]).map(lambda verdict: {"verdict": verdict})
    none = st.text(min_size=1, max_size=20).map(lambda why: {"unscored": why})
    return st.builds(
        lambda said, **fields: JudgeVerdict(**about, **said, **fields),
        said=given | none,
        judge=st.just("=judge"),
        reason=TEXT,
        evidence=TEXT,
    )


@settings(max_examples=25, report_multiple_bugs=False)
@given(sets())
def test_whatever_a_set_holds_its_export_holds_and_gives_an_equal_set(
    studio: Studio, other: Studio, tmp_path_factory: pytest.TempPathFactory, records: list[Record]
) -> None:
    folder, name = tmp_path_factory.mktemp("any"), f"Any {next(NUMBERS)}"
    given = [SetLine(name=name, source="elsewhere"), *records]
    (folder / "in.jsonl").write_text("".join(f"{record.model_dump_json()}\n" for record in given), encoding="utf-8")
    set_id = taken(studio, folder / "in.jsonl").set_id
    assert set_id
    out = exported(studio, set_id, folder / "out")
    assert [line for line in lines(out) if line["type"] in ("task", "answer", "verdict")] == [
        record.model_dump(mode="json") for record in records if isinstance(record, Task | Answer | JudgeVerdict)
    ]
    votes = [record.model_dump(mode="json") | {"blind": None} for record in records if isinstance(record, Vote)]
    assert [line | {"blind": None} for line in lines(out) if line["type"] == "vote"] == votes
    assert taken(other, out).set_id == set_id
    assert tables(other.rubrics, set_id) == tables(studio.rubrics, set_id)
    for house in (studio, other):
        assert taken(house, out).added.records == 0


def test_votes_cast_here_come_back_once_and_in_another_studio_are_restored(
    studio: Studio, other: Studio, tmp_path: Path
) -> None:
    make_reviewed(studio.rubrics)
    before = studio.rubrics.reviews.votes(SET)
    file = tmp_path / "verdicts.jsonl"
    file.write_bytes(b"".join(RubricExports(studio.rubrics).export(SET, "verdicts.jsonl").pieces))
    said_there = map(json.loads, file.read_bytes().splitlines())
    votes = [Vote.model_validate(line) for line in said_there if line["type"] == "vote"]
    assert len(votes) == 9
    for _ in range(2):
        assert studio.rubrics.votes.adopt(SET, votes) == 0
    assert studio.rubrics.reviews.votes(SET) == before
    make_set(other.rubrics)
    assert other.rubrics.votes.adopt(SET, votes) == 9
    assert other.rubrics.votes.adopt(SET, votes[3:]) == 0

    def said(studio: Studio) -> list[Any]:
        rows = studio.rubrics.reviews.votes(SET)
        order = {row.id: number for number, row in enumerate(rows)}
        return [
            (row.reviewer, row.role, row.verdict, row.confidence, row.note, row.error, row.blind, row.at,
             order.get(row.supersedes or 0))
            for row in rows
        ]  # fmt: skip

    assert said(other) == said(studio)


def test_equal_votes_of_one_moment_come_in_as_often_as_the_data_hold_them(other: Studio) -> None:
    make_set(other.rubrics)
    moment = vote(at="2026-02-02")
    for votes, new in (([moment, moment], 2), ([moment], 0), ([moment] * 3, 1), ([moment] * 3, 0)):
        assert other.rubrics.votes.adopt(SET, votes) == new
    told_otherwise = moment.model_copy(update={"blind": False})
    assert other.rubrics.votes.adopt(SET, [told_otherwise]) == 0
    for change in ({"note": "x"}, {"verdict": None}, {"confidence": 1}, {"error": ErrorKind.OTHER},
                   {"at": "2026-02-03"}, {"role": "adjudication"}, {"reviewer": "Eve"}, {"item_id": "i1"}):  # fmt: skip
        assert other.rubrics.votes.adopt(SET, [moment.model_copy(update=change)]) == 1


def test_votes_without_a_time_come_in_once(other: Studio) -> None:
    make_set(other.rubrics)
    votes = [vote(item_id="i2", verdict=verdict) for verdict in ("met", None, "met")]
    assert [other.rubrics.votes.adopt(SET, votes) for _ in range(2)] == [3, 0]


def test_the_same_data_as_two_sets_has_its_votes_in_both(studio: Studio) -> None:
    sets = [taken(studio, SAMPLE, name=f"Sample {number}").set_id for number in (1, 2)]
    counts = [len(studio.rubrics.reviews.votes(set_id or "")) for set_id in sets]
    assert counts[0] == counts[1] > 0


def test_who_comes_with_imported_votes_and_gets_a_token_goes_on_and_is_no_longer_blind(tmp_path: Path) -> None:
    studio = empty_studio(tmp_path)
    rubrics = studio.rubrics
    make_set(rubrics, tasks=1, models=["m1"])
    rubrics.votes.adopt(SET, [vote(task_id="t1", at="2026-01-01")])
    dan = rubrics.reviewers.person(rubrics.reviewers.admit("Dan").token)
    queue = rubrics.queues.record(make_queue(rubrics).queue_id)
    entries = rubrics.votes.assignment(queue, 1, dan).entries
    assert [entry.revealed is not None for entry in entries] == [True, False, False]
    changed, fresh = (rubrics.votes.cast(entries[k].entry, dan, said(str(k), "not_met")).vote for k in (0, 1))
    assert changed and fresh and (changed.blind, fresh.blind) == (False, True)
    studio.close()


def test_a_picture_that_is_gone_is_named_and_all_else_is_there(tmp_path: Path) -> None:
    studio = empty_studio(tmp_path / "data")
    report = taken(studio, SAMPLE)
    assert report.set_id
    gone = next((tmp_path / "data" / "pictures").glob("*/*"))
    gone.unlink()
    package = Package(Content(studio.rubrics, report.set_id))
    write_files(tmp_path / "out", package.files())
    assert [picture.digest for picture in package.missing] == [gone.name]
    assert gone.name in (tmp_path / "out" / MISSING).read_text()
    assert len(lines(tmp_path / "out")) == 1 + report.added.records
    studio.close()


def test_what_comes_in_while_an_export_is_read_is_left_out(tmp_path: Path) -> None:
    studio = empty_studio(tmp_path)
    rubrics = studio.rubrics
    make_set(rubrics, tasks=2)
    pieces = Package(Content(rubrics, SET)).files()
    first = iter(next(pieces).pieces)
    begun = [next(first)]
    row = next(task for task in rubrics.store.outlines(SET) if task.task_id == "t2").id
    late = Answer(task_id="t2", model="late", turns=(AnswerTurn(text=""),))
    rubrics.store.add_answers([(row, "late", 1, late.model_dump_json())])
    rubrics.votes.adopt(SET, [vote(model="late"), vote(model="m1")])
    found = [json.loads(line) for line in [*begun, *first]]
    assert [line["type"] for line in found] == ["set", *["task"] * 2, *["answer"] * 4, "vote"]
    assert found[-1]["model"] == "m1"
    studio.close()


def test_an_archive_is_made_in_pieces_that_do_not_grow_with_it() -> None:
    content = bytes(1024 * 1024)
    files = (File(f"{number}.bin", [content]) for number in range(64))
    tracemalloc.start()
    size = sum(map(len, zipped(files)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > 64 * len(content)
    assert peak < 8 * len(content)


NAMED = st.dictionaries(st.sampled_from(["a.jsonl", "b/c.png", "b/d.parquet"]), st.lists(st.binary(max_size=50)))


@given(NAMED)
def test_a_folder_and_an_archive_of_the_same_files_hold_the_same(
    tmp_path_factory: pytest.TempPathFactory, made: dict[str, list[bytes]]
) -> None:
    files = [File(name, pieces, large=name.endswith("jsonl")) for name, pieces in made.items()]
    archive = b"".join(zipped(files))
    assert archive == b"".join(zipped(files)), "equal content is an equal archive"
    folder = tmp_path_factory.mktemp("same")
    write_files(folder, files)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == {
            file.name: b"".join(file.pieces) for file in files_of(folder)
        }


def test_verdicts_of_judges_that_ran_here_come_back_without_a_second_judge(tmp_path: Path) -> None:
    studio = empty_studio(tmp_path / "data")
    make_reviewed(studio.rubrics)
    folder = exported(studio, SET, tmp_path / "out")
    judges = studio.rubrics.judgings.judgings()
    named = taken(studio, folder, name="Another")
    assert named.set_id and len(studio.rubrics.judgings.judgings(named.set_id)) == len(judges)
    checker = Checker(studio.rubrics.store, studio.rubrics.judgings, SET)
    wanted = [found.record for found in from_disk(folder).read() if checker.wants(found) and isinstance(found, Found)]
    assert {type(record) for record in wanted} == {Vote}, "of votes it is known when they are stored"
    assert (checker.refused, checker.there.verdicts) == (0, 19)
    studio.close()
