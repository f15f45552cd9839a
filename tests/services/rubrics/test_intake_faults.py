"""Each kind of bad input: refused with its line, its field and what to do; all else comes in when it is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from easel_app.rubrics.records import MOST_ANSWER
from easel_app.services.rubrics.reports import ImportReport
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from easel_app.services.taking_in.reports import MOST_REMARKS
from easel_app.settings import Settings
from tests.rubrics.files import answer, lines, picture, source, task, url, verdict, vote

WELL = [task("t1"), task("t2", 2), answer("t1"), answer("t2", turns=2)]
"""Four records that every test of a bad fifth one begins with."""
HTML = '<img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def rubrics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rubrics]:
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("data")))
    yield studio.rubrics
    studio.close()


def weighed(weight: Any) -> Any:
    bad = task("w")
    bad["turns"][0]["rubric"][1]["weight"] = weight
    return bad


def twice() -> Any:
    bad = task("w")
    bad["turns"][0]["rubric"][1]["id"] = "a"
    return bad


def shown(*pictures: str) -> Any:
    bad = task("w")
    bad["turns"][0]["pictures"] = list(pictures)
    return bad


def said(text: str) -> Any:
    return {**answer(model="long"), "turns": [{"text": text}]}


def take(rubrics: Rubrics, tmp_path: Path, entries: list[Any], **how: Any) -> ImportReport:
    path = lines(tmp_path / "x.jsonl", entries)
    return rubrics.intake.take_in(source(path), name=how.pop("name", tmp_path.name), **how)


@pytest.mark.parametrize(
    ("bad", "field", "words"),
    [
        (weighed(0), "turns.0.rubric.1.weight", ("item 'b'", "weight is 0", "1 to 5", "correct it")),
        (weighed(6), "turns.0.rubric.1.weight", ("item 'b'", "weight is 6", "1 to 5")),
        (weighed("five"), "turns.0.rubric.1.weight", ("item 'b'", "weight is 'five'")),
        (task("t1"), "", ("task 't1'", "stands at line 1 already", "leave one of them out")),
        (answer("t1"), "", ("answer 1 of 'm' to task 't1'", "stands at line 3 already")),
        (twice(), "turns.0", ("holds the id 'a' twice",)),
        (verdict(verdict="Met"), "verdict", ("verdict is 'Met'", "'met'", "not_met")),
        (verdict(verdict="partially"), "verdict", ("verdict is 'partially'",)),
        (vote(verdict="unsure"), "verdict", ("verdict is 'unsure'", "cannot_assess")),
        (answer("nowhere"), "task_id", ("no task 'nowhere' before it", "import the task first")),
        (verdict("nowhere"), "task_id", ("no task 'nowhere'",)),
        (vote("nowhere"), "task_id", ("no task 'nowhere'",)),
        (verdict(item_id="zz"), "item_id", ("turn 1 of task 't1'", "no rubric item 'zz'", "correct the id")),
        (vote(item_id="zz"), "item_id", ("no rubric item 'zz'",)),
        (verdict("t2", turn=3), "turn", ("turn is 3", "the task has 2")),
        (verdict(model="other"), "model", ("no answer 1 of 'other' to task 't1'",)),
        (verdict(attempt=2), "model", ("no answer 2 of 'm'",)),
        (answer("t1", "n", turns=2), "turns", ("it has 2 turns, but its task has 1",)),
        (answer("t2", "n"), "turns", ("it has 1 turns, but its task has 2",)),
        (said("x" * (MOST_ANSWER + 1)), "turns.0.text", ("1,048,577 characters", "1,048,576", "shorten it")),
        (shown(url(b"<svg/>", "image/png")), "turns.0.pictures.0", ("SVG drawing",)),
        (shown(url(b"<html>", "image/png")), "turns.0.pictures.0", ("HTML",)),
        (shown(url(picture()[:30])), "turns.0.pictures.0", ("begins as PNG", "cut off")),
        (shown("../../etc/passwd"), "turns.0.pictures.0", ("leads out of the folder",)),
        (shown("nowhere.png"), "turns.0.pictures.0", ("'nowhere.png'", "no such file")),
        ("{", "", ("not valid JSON",)),
        (b"\xff", "", ("not UTF-8",)),
        ({"type": "tasks"}, "", ("its type is 'tasks'",)),
        ({**task("w"), HTML: 1}, HTML, ("not a field that is known", "leave it out")),
        (answer(HTML), "task_id", (HTML[:20],)),
    ],
)
def test_a_bad_record_is_told_with_its_line_and_the_rest_comes_in_when_it_is_wanted(
    rubrics: Rubrics, tmp_path: Path, bad: Any, field: str, words: tuple[str, ...]
) -> None:
    entries = [*WELL, bad, answer("t1", "after"), verdict(model="after")]
    report = take(rubrics, tmp_path, entries)
    assert (report.state, report.refused, report.followed, report.set_id) == ("refused", 1, 0, None)
    (fault,) = report.faults
    assert (fault.place, fault.field) == ("line 5", field)
    assert all(word in fault.message for word in words), fault.message
    assert "\n" not in fault.message and len(fault.message) < 400
    partly = take(rubrics, tmp_path, entries, partial=True)
    assert partly.state == "imported in part" and partly.faults == report.faults
    assert partly.added.model_dump() == {"tasks": 2, "items": 6, "answers": 3, "verdicts": 1, "votes": 0}


def test_a_task_without_items_comes_in_with_a_note(rubrics: Rubrics, tmp_path: Path) -> None:
    bare = task("bare")
    del bare["turns"][0]["rubric"]
    report = take(rubrics, tmp_path, [bare, answer("bare")])
    assert (report.state, report.added.tasks, report.added.items, report.added.answers) == ("imported", 1, 0, 1)
    assert [(note.place, note.message) for note in report.notes] == [
        ("line 1", "task 'bare' has no rubric item, so that its answers stay unscored")
    ]
    assert take(rubrics, tmp_path, [bare]).notes == []  # it is there already


def test_a_picture_that_lies_comes_in_with_a_note(rubrics: Rubrics, tmp_path: Path) -> None:
    report = take(rubrics, tmp_path, [shown(url(picture(1, "WEBP"), "image/png"))])
    assert report.state == "imported"
    assert [note.message for note in report.notes] == [
        "picture: it is called 'image/png', but it is a WEBP picture; it is kept as that"
    ]


def test_what_belongs_to_a_refused_record_follows_it_and_hides_no_fault(rubrics: Rubrics, tmp_path: Path) -> None:
    judged = [verdict("w", item_id=item) for item in "ab"] * 200
    entries = [weighed(9), answer("w"), *judged, vote("w"), said(5), *([verdict(model="long")] * 3), "nonsense"]
    entries = [*entries[:-5], task("t1"), *entries[-5:]]
    report = take(rubrics, tmp_path, entries, partial=True)
    assert [fault.place for fault in report.faults] == ["line 1", "line 405", "line 409"]
    assert (report.refused, report.followed, report.more_faults) == (3, 405, 0)
    assert report.added.records == 1


@pytest.mark.parametrize(
    "changed",
    [
        {**task("t1"), "domain": "finance"},
        weighed(4) | {"id": "t1"},
        {**answer("t1"), "turns": [{"text": "Something else."}]},
        verdict(reason="Another one."),
        verdict(verdict="not_met"),
        verdict(verdict=None, unscored="cut off"),
    ],
)
def test_a_record_that_is_another_than_the_sets_is_refused(rubrics: Rubrics, tmp_path: Path, changed: Any) -> None:
    entries = [*WELL, verdict()]
    take(rubrics, tmp_path, entries)
    report = take(rubrics, tmp_path, [changed])
    (fault,) = report.faults
    assert (report.state, fault.place) == ("refused", "line 1")
    assert "the set holds another" in fault.message and "set of another name" in fault.message
    partly = take(rubrics, tmp_path, [changed, task("new")], partial=True)
    assert (partly.state, partly.added.tasks) == ("imported in part", 1)
    assert take(rubrics, tmp_path, entries).there.records == 5  # nothing of what was there has changed


def test_what_refers_to_a_task_that_conflicts_is_left_out_with_it(rubrics: Rubrics, tmp_path: Path) -> None:
    take(rubrics, tmp_path, [task("t1")])
    report = take(rubrics, tmp_path, [{**task("t1"), "domain": "x"}, answer("t1"), verdict("t1")], partial=True)
    assert (report.state, report.refused, report.followed, report.added.records) == ("refused", 1, 2, 0)


def test_only_the_first_faults_are_listed_and_all_are_counted(rubrics: Rubrics, tmp_path: Path) -> None:
    report = take(rubrics, tmp_path, ["nonsense"] * (MOST_REMARKS + 50))
    assert (report.refused, len(report.faults), report.more_faults) == (MOST_REMARKS + 50, MOST_REMARKS, 50)
    assert report.faults[-1].place == f"line {MOST_REMARKS}"


def test_hostile_names_are_names(rubrics: Rubrics, tmp_path: Path) -> None:
    name = f"{HTML[:40]} {tmp_path.name[-20:]}"
    hostile = [
        task(HTML),
        answer(HTML, HTML),
        verdict(HTML, HTML, judge=HTML),
        vote(HTML, HTML, reviewer=HTML, note=HTML),
    ]
    report = take(rubrics, tmp_path, hostile, name=name)
    assert (report.state, report.added.records, report.name) == ("imported", 4, name)
    assert report.set_id and report.set_id.replace("-", "").isalnum()
    view = rubrics.library.view(rubrics.library.set(report.set_id))
    assert (view.models, view.judgings[0].judge) == ([HTML], HTML)
