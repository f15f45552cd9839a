"""Taking rubric data in: what is stored is what was written, whatever stops it on its way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from easel_app.rubrics.reading import from_disk
from easel_app.rubrics.records import Answer, JudgeVerdict, Task
from easel_app.services.problems import Conflict, Invalid
from easel_app.services.rubrics.reports import ImportReport
from easel_app.services.rubrics.rows import imported_judging_id, row_of_task, task_of
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from easel_app.services.taking_in.intake import ImportStopped, Progress
from easel_app.settings import Settings
from easel_app.sources.found import Found
from tests.rubrics import files
from tests.rubrics.files import answer, cells, judged, lines, picture, response, row, source, task, url, verdict, vote


@pytest.fixture
def good(tmp_path: Path) -> list[Any]:
    """A set with every kind of record, reviewed by people of this test's own."""
    somebody, another = f"r of {tmp_path.name}"[-80:], f"s of {tmp_path.name}"[-80:]
    return [
        {"type": "set", "name": "A set", "source": "us", "licence": "Apache-2.0"},
        *(task("t1"), task("t2", 2)),
        *(answer("t1"), answer("t1", "n"), answer("t2", turns=2)),
        *(verdict(), verdict(item_id="b", verdict="not_met"), verdict("t2", turn=2, verdict=None, unscored="cut off")),
        vote(reviewer=somebody),
        vote(reviewer=another, verdict="not_met", note="no"),
        vote("t2", turn=1, reviewer=somebody, verdict="cannot_assess"),
    ]


@pytest.fixture(scope="module")
def rubrics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rubrics]:
    """One studio for all tests, which import under names of their own."""
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("data")))
    yield studio.rubrics
    studio.close()


@pytest.fixture
def take(rubrics: Rubrics, tmp_path: Path) -> Callable[..., ImportReport]:
    """Imports entries as lines, into a set of this test's own unless a name is given."""

    def take(entries: Any, name: str = tmp_path.name, **how: Any) -> ImportReport:
        path = entries if isinstance(entries, Path) else lines(tmp_path / "x.jsonl", entries)
        options = {key: how.pop(key) for key in ("model", "judge") if key in how}
        return rubrics.intake.take_in(source(path, **options), name=name, **how)

    return take


Take = Callable[..., ImportReport]


def stored(rubrics: Rubrics, set_id: str) -> tuple[list[Task], list[Answer]]:
    tasks = [task_of(each, rubrics.store.items_of(each.id)) for each in rubrics.store.tasks(set_id)]
    return tasks, [Answer.model_validate(each.record) for each in rubrics.store.answers(set_id)]


def everything(rubrics: Rubrics, set_id: str) -> Any:
    """All that a set holds, but for when."""
    judgings = rubrics.judgings.judgings(set_id)
    return (
        stored(rubrics, set_id),
        [
            [(v.answer, v.item, v.verdict, v.reason, v.unscored) for v in rubrics.judgings.verdicts(j.id)]
            for j in judgings
        ],
        [
            (each.reviewer, each.item, each.verdict, each.blind, each.note, each.at)
            for each in rubrics.reviews.votes(set_id)
        ],
    )


def test_what_is_stored_is_what_was_written(rubrics: Rubrics, take: Take, tmp_path: Path, good: list[Any]) -> None:
    shown = task("p", pictures=None)
    del shown["pictures"]
    shown["turns"][0]["pictures"] = [url(picture(1)), url(picture(2, "JPEG"), "image/jpeg")]
    made = answer("p")
    made["turns"][0]["calls"][0]["pictures"] = [url(picture(3))]
    report = take([*good, shown, made])
    assert (report.state, report.refused, report.faults, report.notes) == ("imported", 0, [], [])
    assert report.added == report.sound
    assert report.added.model_dump() == {"tasks": 3, "items": 8, "answers": 4, "verdicts": 3, "votes": 3}
    assert report.set_id
    tasks, answers = stored(rubrics, report.set_id)
    read = [each.record for each in source(tmp_path / "x.jsonl").read() if isinstance(each, Found)]
    assert tasks == [each for each in read if isinstance(each, Task)]
    assert sorted(answers, key=lambda each: (each.task_id, each.model)) == sorted(
        (each for each in read if isinstance(each, Answer)), key=lambda each: (each.task_id, each.model)
    )
    kept = [each.digest for each in tasks[2].turns[0].pictures + answers[-1].turns[0].calls[0].pictures]
    assert [rubrics.pictures.get(digest) for digest in kept] == [picture(1), picture(2, "JPEG"), picture(3)]
    record = rubrics.store.set(report.set_id)
    assert record and record.about == {"source": "us", "licence": "Apache-2.0"} and not record.sample
    assert [event.name for event in rubrics.store.imports(report.set_id)] == ["begun", "ended"]


def test_verdicts_become_one_judging_for_each_judge_and_votes_keep_who_and_whether_blind(
    rubrics: Rubrics, take: Take, good: list[Any]
) -> None:
    report = take([*good, verdict(judge="k"), vote(item_id="b", blind=False, confidence=2, error="calculation")])
    assert report.set_id
    judgings = rubrics.judgings.judgings(report.set_id)
    assert [(each.id, each.judge, each.origin) for each in judgings] == [
        (imported_judging_id(report.set_id, name), name, "imported") for name in ("j", "k")
    ]
    assert rubrics.judgings.tallies(judgings[0].id) == {"met": 1, "not_met": 1, "unscored": 1}
    (unscored,) = [each for each in rubrics.judgings.verdicts(judgings[0].id) if each.verdict is None]
    assert (unscored.unscored, unscored.how) == ("cut off", "")
    last = rubrics.reviews.votes(report.set_id)[-1]
    assert (last.reviewer, last.blind, last.confidence, last.error) == ("r", False, 2, "calculation")


def test_the_same_again_changes_nothing_and_more_is_added(rubrics: Rubrics, take: Take, good: list[Any]) -> None:
    set_id = take(good).set_id
    assert set_id
    before = everything(rubrics, set_id)
    again = take(good)
    assert again.state == "imported" and again.added.records == 0
    assert again.there.model_dump() == {"tasks": 2, "items": 6, "answers": 3, "verdicts": 3, "votes": 3}
    assert everything(rubrics, set_id) == before
    more = take([*good, task("t3"), answer("t3"), verdict("t3"), vote("t3")])
    assert more.added.model_dump() == {"tasks": 1, "items": 2, "answers": 1, "verdicts": 1, "votes": 1}
    assert take([answer("t3", "other")]).added.answers == 1  # what the set holds need not be sent again


def test_a_verdict_may_come_after_none_and_is_never_changed(rubrics: Rubrics, take: Take) -> None:
    take([task(), answer(), verdict(verdict=None, unscored="cut off")])
    report = take([verdict(verdict="not_met")])
    assert (report.state, report.added.verdicts) == ("imported", 1) and report.set_id
    (judging,) = rubrics.judgings.judgings(report.set_id)
    assert rubrics.judgings.tallies(judging.id) == {"met": 0, "not_met": 1, "unscored": 0}
    assert take([verdict(verdict="not_met")]).there.verdicts == 1
    assert take([verdict(verdict="met")]).state == "refused"


def test_with_a_fault_nothing_is_stored_and_in_part_all_else(rubrics: Rubrics, take: Take, good: list[Any]) -> None:
    bad = [*good, "nonsense", answer("t2"), task("t4")]
    report = take(bad)
    assert (report.state, report.set_id, report.refused, report.added.records) == ("refused", None, 2, 0)
    assert report.sound.model_dump() == {"tasks": 3, "items": 8, "answers": 3, "verdicts": 3, "votes": 3}
    assert not any(each.name == report.name for each in rubrics.store.sets())
    assert report.sentence().startswith("Nothing was imported, for 2 records are refused, first line 13: ")
    partly = take(bad, partial=True)
    assert (partly.state, partly.refused) == ("imported in part", 2) and partly.added == report.sound
    assert "2 records were left out" in partly.sentence()


def test_an_import_in_part_of_nothing_good_stores_nothing(rubrics: Rubrics, take: Take) -> None:
    for entries in (["nonsense"], [], ["", "  "], [answer()], [{"type": "set", "name": "only"}]):
        report = take(entries, partial=True)
        assert (report.state, report.set_id, report.added.records) == ("refused", None, 0)
        assert report.sentence().startswith("Nothing was imported")


def test_the_authors_files_fit_each_other_one_by_one(rubrics: Rubrics, take: Take, tmp_path: Path) -> None:
    rows = [row("a", images_by_turn=[cells(picture(1))]), row("b", 2)]
    take(files.parquet(tmp_path / "x.parquet", rows))
    (tmp_path / "m.json").write_text(json.dumps([response("a"), response("b", 2)]))
    (tmp_path / "j.json").write_text(
        json.dumps([judged({"i0-a": "Met", "i0-b": "met"}, "a"), judged([{"i0-a": "Met"}, {"i1-b": "Not Met"}], "b")])
    )
    assert take(tmp_path / "m.json", model="m").added.model_dump() == {
        **{"tasks": 0, "items": 0, "answers": 2, "verdicts": 0, "votes": 0},
    }
    report = take(tmp_path / "j.json", model="m", judge="o")
    assert (report.state, report.added.verdicts, len(report.notes)) == ("imported", 4, 1)
    assert "spelled 'met'" in report.notes[0].message and report.set_id
    (judging,) = rubrics.judgings.judgings(report.set_id)
    assert (judging.judge, rubrics.judgings.tallies(judging.id)) == ("o", {"met": 2, "not_met": 1, "unscored": 1})


def test_responses_alone_bring_their_tasks_along(rubrics: Rubrics, take: Take, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(json.dumps([response("a"), response("b", 2)]))
    report = take(tmp_path / "m.json")
    assert report.added.model_dump() == {"tasks": 2, "items": 6, "answers": 2, "verdicts": 0, "votes": 0}
    (tmp_path / "n.json").write_text(json.dumps([response("a"), response("c", rubrics=None)]))
    more = take(tmp_path / "n.json", partial=True)
    assert (more.added.tasks, more.added.answers, more.refused) == (0, 1, 1)
    assert "no task 'c'" in more.faults[0].message


def test_a_name_comes_from_the_option_the_first_line_or_the_source(rubrics: Rubrics, tmp_path: Path) -> None:
    first = lines(tmp_path / "source-name.jsonl", [task("x")])
    assert rubrics.intake.take_in(source(first)).name == "source-name"
    with pytest.raises(Invalid, match="1 to 80 characters"):
        rubrics.intake.take_in(source(first, alone=True))
    for name in (" x", "x" * 81, "a\nb"):
        with pytest.raises(Invalid, match="1 to 80 characters"):
            rubrics.intake.take_in(source(first), name=name)
    second = lines(tmp_path / "x.jsonl", [{"type": "set", "name": "By line"}, task("x")])
    assert rubrics.intake.take_in(source(second, alone=True)).name == "By line"
    assert rubrics.intake.take_in(source(second), name="By option").name == "By option"


def test_a_sample_is_labelled_and_never_gets_into_a_set_that_is_none(rubrics: Rubrics, take: Take) -> None:
    sample = [{"type": "set", "name": "S", "sample": True}, task("s")]
    take([task("real")], "real set")
    with pytest.raises(Conflict, match="sample"):
        take(sample, "real set")
    report = take(sample, "sample set")
    record = rubrics.store.set(report.set_id or "")
    assert record and record.sample


def test_progress_is_told_and_whoever_stops_it_can_go_on(rubrics: Rubrics, take: Take, tmp_path: Path) -> None:
    many = [task(f"t{n}") for n in range(150)] + [answer(f"t{n}") for n in range(150)]
    told: list[Progress] = []
    with pytest.raises(ImportStopped):
        take(
            many,
            told=told.append,
            stopping=lambda: bool(told) and told[-1].stage == "importing" and told[-1].records > 220,
        )
    (name,) = {each.name for each in rubrics.store.sets() if each.name == tmp_path.name}
    set_id = next(each.id for each in rubrics.store.sets() if each.name == name)
    assert rubrics.store.counts(set_id)["tasks"] == 150 and rubrics.store.counts(set_id)["answers"] == 0
    assert (
        rubrics.store.imports(set_id)[-1].name == "begun"
        and rubrics.library.view(rubrics.library.set(set_id)).unfinished
    )
    checking = [each for each in told if each.stage == "checking"]
    importing = [each for each in told if each.stage == "importing"]
    assert [each.records for each in checking] == [*range(1, 301), 300] and checking[-1].bytes == checking[-1].size
    assert {each.total for each in importing} == {300} and {each.total for each in checking[:-1]} == {None}
    report = take(many)
    assert (report.state, report.added.answers, report.there.tasks) == ("imported", 150, 150)
    assert rubrics.library.view(rubrics.library.set(set_id)).unfinished is None


def test_two_imports_into_one_set_at_once_are_one_and_a_refusal(take: Take, good: list[Any]) -> None:
    inside, go_on = threading.Event(), threading.Event()
    found: list[ImportReport] = []

    def wait() -> bool:
        inside.set()
        return not go_on.wait(30)

    thread = threading.Thread(target=lambda: found.append(take(good, stopping=wait)))
    thread.start()
    assert inside.wait(30)
    with pytest.raises(Conflict, match="under way"):
        take(good)
    take(good, "another set beside it")
    go_on.set()
    thread.join(30)
    assert found[0].state == "imported" and take(good).added.records == 0


KILLED = """
import os, sys
from pathlib import Path
from easel_app.rubrics.reading import from_disk
from easel_app.services.studio import Studio
from easel_app.services.taking_in.intake import ImportStopped, Progress
from easel_app.settings import Settings
studio = Studio(Settings(data_dir=Path(sys.argv[1])))
def told(progress):
    if progress.stage == "importing" and progress.records == 250:
        os.kill(os.getpid(), 9)
studio.rubrics.intake.take_in(from_disk(Path(sys.argv[2])), name="set", told=told)
"""


def test_after_a_kill_the_same_import_goes_on_to_the_same_end(tmp_path: Path) -> None:
    many = [[task(f"t{n}"), answer(f"t{n}"), verdict(f"t{n}"), vote(f"t{n}")] for n in range(100)]
    many[3][0]["turns"][0]["pictures"] = [url(picture(7))]
    path = lines(tmp_path / "x.jsonl", [each for kind in zip(*many, strict=True) for each in kind])
    command = [sys.executable, "-c", KILLED, str(tmp_path / "data"), str(path)]
    run = subprocess.run(command, check=False, cwd=Path(__file__).parents[3])
    assert run.returncode == -signal.SIGKILL
    studios = [Studio(Settings(data_dir=tmp_path / name)) for name in ("data", "whole")]
    cut, whole = [studio.rubrics for studio in studios]
    (record,) = cut.store.sets()
    assert cut.store.counts(record.id)["tasks"] > 0 and cut.store.imports(record.id)[-1].name == "begun"
    report = cut.intake.take_in(from_disk(path), name="set")
    assert report.state == "imported" and report.there.tasks == 100
    whole.intake.take_in(from_disk(path), name="set")
    assert everything(cut, record.id) == everything(whole, record.id)
    assert len(list((tmp_path / "data" / "pictures").rglob("*"))) == 2
    for studio in studios:
        studio.close()


def test_a_file_that_changes_between_the_two_looks_harms_nobody(rubrics: Rubrics, take: Take, tmp_path: Path) -> None:
    changed = [task("a"), task("b", 3), answer("b"), answer("nowhere"), "cut", task("c")]

    def told(progress: Progress) -> None:
        if progress.stage == "checking" and progress.records == progress.total:
            lines(tmp_path / "new", changed).replace(tmp_path / "x.jsonl")

    first = [task("a"), task("b"), answer("b")]
    with pytest.raises(Conflict, match="changed while it was imported"):
        take(first, told=told)
    (set_id,) = (each.id for each in rubrics.store.sets() if each.name == tmp_path.name)
    assert [len(each.turns) for each in stored(rubrics, set_id)[0]] == [1, 3]
    report = take(first, "in part", partial=True, told=told)
    assert (report.state, report.refused, report.added.tasks, report.added.answers) == ("imported in part", 3, 3, 0)


def test_a_picture_that_changes_while_it_is_stored_stops_the_import(rubrics: Rubrics, tmp_path: Path) -> None:
    shown = task("p")
    shown["turns"][0]["pictures"] = ["p.png"]
    (tmp_path / "p.png").write_bytes(picture())
    looked = source(lines(tmp_path / "x.jsonl", [shown]))
    original, times = looked.read, iter(range(1, 100))

    def read() -> Iterator[Any]:
        for each in original():
            (tmp_path / "p.png").write_bytes(picture(next(times)))
            yield each

    looked.read = read  # type: ignore[method-assign]
    with pytest.raises(Conflict, match="changed while it was imported"):
        rubrics.intake.take_in(looked, name=tmp_path.name)


def test_the_same_votes_in_two_sets_are_votes_of_each(rubrics: Rubrics, take: Take, good: list[Any]) -> None:
    one, two = take(good, "votes of one"), take(good, "votes of two")
    assert (one.added.votes, two.added.votes) == (3, 3)
    assert [len(rubrics.reviews.votes(each.set_id or "")) for each in (one, two)] == [3, 3]


TEXT = st.text(max_size=12)
NAME = st.text("abcé漢<&'\"", min_size=1, max_size=6)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_well_formed_set_comes_back_as_it_was(rubrics: Rubrics, tmp_path: Path, data: st.DataObject) -> None:
    entries: list[Any] = []
    for task_id in data.draw(st.lists(NAME, min_size=1, max_size=3, unique=True)):
        turns = data.draw(st.integers(1, 3))
        asked = task(task_id, turns, category=data.draw(st.none() | NAME))
        for turn in asked["turns"]:
            turn["prompt"], turn["golden_answer"] = data.draw(TEXT), data.draw(st.none() | TEXT)
            turn["rubric"] = [
                {
                    "id": item,
                    "description": data.draw(NAME),
                    "weight": data.draw(st.integers(1, 5)),
                    "categories": [item],
                }
                for item in data.draw(st.lists(NAME, max_size=3, unique=True))
            ]
        entries.append(asked)
        for model in data.draw(st.lists(NAME, max_size=2, unique=True)):
            said = answer(task_id, model, turns)
            said["turns"][0]["text"] = data.draw(TEXT)
            said["turns"][0]["calls"][0]["observation"] = data.draw(
                st.none() | TEXT | st.floats(allow_nan=False) | st.dictionaries(TEXT, st.integers(), max_size=2)
            )
            entries.append(said)
            entries += [
                verdict(task_id, model, item["id"], turn=number, verdict=data.draw(st.sampled_from(["met", "not_met"])))
                for number, turn in enumerate(asked["turns"], 1)
                for item in turn["rubric"]
            ]
    path = lines(tmp_path / "x.jsonl", entries)
    name = os.urandom(8).hex()
    report = rubrics.intake.take_in(source(path), name=name)
    assert report.state == "imported", report.faults
    read = [each.record for each in source(path).read() if isinstance(each, Found)]
    tasks, answers = stored(rubrics, report.set_id or "")
    assert tasks == [each for each in read if isinstance(each, Task)]
    assert answers == [each for each in read if isinstance(each, Answer)]
    count = sum(isinstance(each, JudgeVerdict) for each in read)
    assert report.added.verdicts == count
    again = rubrics.intake.take_in(source(path), name=name)
    assert (again.state, again.added.records, again.there.records) == ("imported", 0, len(read))


def test_a_row_holds_all_of_its_task() -> None:
    asked = Task.model_validate(task("t", 2))
    row_ = row_of_task(asked)
    assert [(each.turn, each.item_id) for each in row_.items] == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
    assert "rubric" not in row_.record and (row_.turns, row_.category, row_.domain) == (2, "temporal", "sports")
