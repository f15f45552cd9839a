"""Taking plans in: what is stored is what was written, whatever stops it on its way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from easel_app.plans.files import AnswerRecord, QueryRecord
from easel_app.plans.outline import VERSION, outline, read_answer
from easel_app.plans.reading import from_disk
from easel_app.services.plans import plans as plans_module
from easel_app.services.plans.import_reports import PlanImportReport
from easel_app.services.plans.plans import Plans
from easel_app.services.plans.rows import imported_inspection_id
from easel_app.services.problems import Conflict, Invalid
from easel_app.services.reviewers import NewReviewer
from easel_app.services.studio import Studio
from easel_app.services.taking_in.intake import ImportStopped, Progress, set_id_of
from easel_app.settings import Settings, data_folder
from easel_app.store.plan_votes import ALL
from tests.plans.planfiles import REPORTS, TEXT, answer, call, cites, lines, query, read, report, row, source, vote
from tests.rubrics.files import picture, url


@pytest.fixture
def good(tmp_path: Path) -> list[Any]:
    """A set with every kind of record, voted on by people of this test's own."""
    ann, bob = f"a of {tmp_path.name}"[-80:], f"b of {tmp_path.name}"[-80:]
    return [
        {"type": "set", "name": "A set", "source": "us", "licence": "Apache-2.0"},
        *(query(), query("q2", reference=cites(0, 1), index_base=1)),
        *(answer(), answer(planner="o"), answer("q2", attempt=2, text="", no_output="The time ran out.")),
        *map(report, ("precision", "recall", "chief")),
        report(planner="o", unscored="The reply was cut off."),
        *(vote("call", "1", reviewer=ann), vote("gaps", reviewer=ann), vote(reviewer=ann)),
        *(vote("gap", "j/1", reviewer=bob, blind=False), vote("plan", reviewer=bob, note="no")),
        vote("plan", reviewer=bob, content=None, blind=False, at=""),
    ]


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plans]:
    """One studio for all tests, which import under names of their own."""
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("data")))
    yield studio.plans
    studio.close()


Take = Callable[..., PlanImportReport]


@pytest.fixture
def take(plans: Plans, tmp_path: Path) -> Take:
    """Imports entries as lines, into a set of this test's own unless a name is given."""

    def take(entries: Any, name: str = tmp_path.name, **how: Any) -> PlanImportReport:
        path = entries if isinstance(entries, Path) else lines(tmp_path / "x.jsonl", entries)
        options = {key: how.pop(key) for key in ("planner", "index_base", "pool_order") if key in how}
        return plans.intake.take_in(source(path, **options), name=name, **how)

    return take


def stored(plans: Plans, set_id: str) -> list[Any]:
    return [QueryRecord.model_validate(each.record) for each in plans.store.queries(set_id)] + [
        AnswerRecord.model_validate(each.record) for each in plans.store.answers(set_id)
    ]


def everything(plans: Plans, set_id: str) -> Any:
    """All that a set holds, but for when."""
    inspections = plans.inspections.judgings(set_id)
    keys = {key.id: key[2:] for key in plans.store.keys(set_id)}
    reports = [(j.judge, r) for j in inspections for r in plans.inspections.reports(j.id)]
    votes = plans.ballots.votes(set_id)
    return (
        stored(plans, set_id),
        {keys[each]: content for each, content in plans.store.outlines(set_id, VERSION).items()},
        [(judge, keys[r.answer], r.inspector, r.report, r.unscored, r.how) for judge, r in reports],
        [(v.reviewer, keys[v.answer], v.part, v.content, v.note, v.blind) for v in votes],
    )


def test_what_is_stored_is_what_was_written(plans: Plans, take: Take, tmp_path: Path, good: list[Any]) -> None:
    shown = query("p", query_images=[url(picture(1))], documents=[{"text": "D", "images": [url(picture(2))]}])
    report = take([*good, shown, answer("p", text="\0\ud800\ufeff \u202e")])
    assert (report.state, report.refused, report.faults, report.notes) == ("imported", 0, [], [])
    assert report.added == report.sound and report.set_id
    assert report.added.model_dump() == {"queries": 3, "answers": 4, "reports": 4, "votes": 6}
    records = [each for each in read(tmp_path / "x.jsonl")[0] if isinstance(each, QueryRecord | AnswerRecord)]
    assert sorted(map(repr, stored(plans, report.set_id))) == sorted(map(repr, records))
    pool = stored(plans, report.set_id)[2].pool
    assert [plans.pictures.get(each.picture.digest) for each in pool if each.picture] == [picture(1), picture(2)]
    record = plans.store.set(report.set_id)
    assert record and record.about == {"source": "us", "licence": "Apache-2.0"} and not record.sample
    assert [event.name for event in plans.store.imports(report.set_id)] == ["begun", "ended"]


def test_reports_become_one_inspection_for_each_judge(plans: Plans, take: Take, good: list[Any]) -> None:
    found = take([*good, report("recall", judge="k")])
    assert found.set_id
    inspections = plans.inspections.judgings(found.set_id)
    assert [(each.id, each.judge, each.origin) for each in inspections] == [
        (imported_inspection_id(found.set_id, name), name, "imported") for name in ("j", "k")
    ]
    rows = plans.inspections.reports(inspections[0].id)
    assert [(each.inspector, each.report, each.unscored, each.how) for each in rows] == [
        *((name, REPORTS[name], "", "imported") for name in ("precision", "recall", "chief")),
        ("precision", None, "The reply was cut off.", ""),
    ]


def test_votes_keep_who_what_and_whether_blind(plans: Plans, take: Take, good: list[Any]) -> None:
    found = take(good)
    votes = plans.ballots.votes(found.set_id or "")
    assert [(each.part, each.blind) for each in votes] == [
        *(("call:1", True), ("gaps", True), ("fs", True), ("gap:j/1", False), ("plan", True), ("plan", False)),
    ]
    assert votes[2].content == {"about": "fs", "fs": 60} and votes[4].note == "no" and votes[5].content is None
    assert votes[0].at == "2026-05-04T10:00:00Z" and votes[5].at


def test_what_data_say_in_the_name_of_somebody_who_votes_here_is_kept_under_another(plans: Plans, take: Take) -> None:
    plans.reviewers.enrol(NewReviewer(name="Cleo"))
    take([query(), answer(), vote(reviewer="Cleo")], "Cleo's")
    (stored_vote,) = plans.ballots.votes(set_id_of("Cleo's"))
    assert stored_vote.reviewer == "Cleo (imported)"
    person = plans.reviewers.person(plans.reviewers.admit("Cleo").token)
    assert ALL not in plans.ballots.revealed(person.id, stored_vote.answer)


def test_outlines_are_stored_with_their_plans(plans: Plans, take: Take, good: list[Any]) -> None:
    set_id = take(good).set_id
    assert set_id
    queries = {each.id: each for each in stored(plans, set_id) if isinstance(each, QueryRecord)}
    assert set(plans.store.outlines(set_id, VERSION)) == {key.id for key in plans.store.keys(set_id)}, "before any look"
    found = plans.library.outlines(set_id)
    for key, said in found:
        record = AnswerRecord.model_validate(plans.store.answer(key.id).record)  # type: ignore[union-attr]
        asked = queries[record.query_id]
        assert said == outline(asked, record, read_answer(asked, record))
    assert [said.no_output for _, said in found] == [False, False, True]


def test_the_same_again_changes_nothing_and_more_is_added(plans: Plans, take: Take, good: list[Any]) -> None:
    set_id = take(good).set_id
    assert set_id
    before = everything(plans, set_id)
    again = take(good)
    assert again.state == "imported" and again.added.records == 0
    assert again.there.model_dump() == {"queries": 2, "answers": 3, "reports": 4, "votes": 6}
    assert everything(plans, set_id) == before
    more = take([*good, query("q3"), answer("q3"), report(query_id="q3"), vote(query_id="q3")])
    assert more.added.model_dump() == {"queries": 1, "answers": 1, "reports": 1, "votes": 1}
    assert take([answer("q3", "other")]).added.answers == 1  # what the set holds need not be sent again
    assert take([report("chief", "q3")]).added.reports == 1


def test_a_report_may_come_after_none_and_is_never_changed(take: Take, good: list[Any]) -> None:
    take(good)
    found = take([report(planner="o")])
    assert (found.state, found.added.reports) == ("imported", 1)
    assert take([report(planner="o")]).there.reports == 1
    other = report(planner="o", report={**REPORTS["precision"], "summary": "Another one."})
    assert "the set holds another precision report of 'j'" in take([other]).faults[0].message


def test_an_answer_of_a_row_brings_its_query_along_once(plans: Plans, take: Take, tmp_path: Path) -> None:
    for name in ("ash", "birch"):
        lines(tmp_path / f"{name}.jsonl", [row("a", model_answer=cites(0)), row("b", model_answer=None)])
    report = plans.intake.take_in(from_disk(tmp_path), name=tmp_path.name)
    assert (report.state, report.added.queries, report.added.answers) == ("imported", 2, 4)
    assert [each.message.partition(";")[0] for each in report.notes] == [
        "3 of the 3 images of its pool are missing, and keep their places"
    ] * 2
    again = plans.intake.take_in(from_disk(tmp_path), name=tmp_path.name)
    assert (again.added.records, again.there.queries, again.there.answers) == (0, 2, 4)
    differs = row("a", query="Another question?", model="cedar", model_answer=cites(0))
    report = take(lines(tmp_path / "cedar.jsonl", [differs]))
    assert (report.state, report.added.queries, report.added.answers) == ("imported", 0, 1)
    assert "query 'a' differs from the one which the set holds" in report.notes[0].message


def test_where_indices_begin_is_asked_once_and_then_taken(plans: Plans, take: Take, tmp_path: Path) -> None:
    path = lines(tmp_path / "m.jsonl", [row(str(n), gt=None, model_answer=cites(1)) for n in range(9)])
    report = take(path)
    assert (report.state, report.refused, len(report.faults)) == ("refused", 9, 1)
    assert "choose index_base 0 or 1" in report.sentence() and report.faults[0].field == "index_base"
    report = take(path, index_base="1")
    assert report.state == "imported" and report.set_id
    assert {each.record["index_base"] for each in plans.store.answers(report.set_id)} == {1}


def test_with_a_fault_nothing_is_stored_and_in_part_all_else(plans: Plans, take: Take, good: list[Any]) -> None:
    bad = [*good, b"nonsense", answer("nowhere"), query("q4")]
    report = take(bad)
    assert (report.state, report.set_id, report.refused, report.added.records) == ("refused", None, 2, 0)
    assert report.sound.model_dump() == {"queries": 3, "answers": 3, "reports": 4, "votes": 6}
    assert not any(each.name == report.name for each in plans.store.sets())
    assert report.sentence().startswith("Nothing was imported, for 2 records are refused, first line 17: ")
    partly = take(bad, partial=True)
    assert (partly.state, partly.refused) == ("imported in part", 2) and partly.added == report.sound
    assert partly.sentence().endswith("3 queries, 3 answers, 4 reports, 6 votes; 2 records were left out.")


def test_an_import_in_part_of_nothing_good_stores_nothing(take: Take) -> None:
    for entries in ([b"{"], [], [b"", b"  "], [answer()], [{"type": "set", "name": "only"}]):
        report = take(entries, partial=True)
        assert (report.state, report.set_id, report.added.records) == ("refused", None, 0)


def test_a_name_comes_from_the_option_the_first_line_or_the_source(plans: Plans, tmp_path: Path) -> None:
    first = lines(tmp_path / "source-name.jsonl", [query()])
    assert plans.intake.take_in(source(first)).name == "source-name"
    with pytest.raises(Invalid, match="1 to 80 characters"):
        plans.intake.take_in(source(first, alone=True))
    second = lines(tmp_path / "x.jsonl", [{"type": "set", "name": "By line"}, query()])
    assert plans.intake.take_in(source(second, alone=True)).name == "By line"
    assert plans.intake.take_in(source(second), name="By option").name == "By option"


def test_a_sample_never_gets_into_a_set_that_is_none(plans: Plans, take: Take) -> None:
    sample = [{"type": "set", "name": "S", "sample": True}, query("s")]
    take([query("real")], "real set of plans")
    with pytest.raises(Conflict, match="sample"):
        take(sample, "real set of plans")
    record = plans.store.set(take(sample, "sample set of plans").set_id or "")
    assert record and record.sample


def test_progress_is_told_and_whoever_stops_it_can_go_on(plans: Plans, take: Take, tmp_path: Path) -> None:
    many = [query(f"q{n}") for n in range(150)] + [answer(f"q{n}") for n in range(150)]
    told: list[Progress] = []
    with pytest.raises(ImportStopped):
        take(
            many,
            told=told.append,
            stopping=lambda: bool(told) and told[-1].stage == "importing" and told[-1].records > 220,
        )
    set_id = set_id_of(tmp_path.name)
    assert plans.store.counts(set_id) == {"queries": 150, "answers": 0}
    assert plans.library.view(plans.library.set(set_id)).unfinished == "x.jsonl"
    checking = [each for each in told if each.stage == "checking"]
    assert [each.records for each in checking] == [*range(1, 301), 300] and checking[-1].bytes == checking[-1].size
    report = take(many)
    assert (report.state, report.added.answers, report.there.queries) == ("imported", 150, 150)
    assert plans.library.view(plans.library.set(set_id)).unfinished is None


def test_the_look_for_where_indices_begin_is_told_and_can_be_stopped(take: Take) -> None:
    told: list[Progress] = []
    with pytest.raises(ImportStopped):
        take([row(str(n)) for n in range(99)], told=told.append, stopping=lambda: len(told) >= 50)
    assert len(told) == 50 and {(each.stage, each.records) for each in told} == {("checking", 0)}


def test_two_imports_into_one_set_at_once_are_one_and_a_refusal(take: Take, good: list[Any]) -> None:
    inside, go_on = threading.Event(), threading.Event()
    found: list[PlanImportReport] = []

    def wait() -> bool:
        inside.set()
        return not go_on.wait(30)

    thread = threading.Thread(target=lambda: found.append(take(good, stopping=wait)))
    thread.start()
    assert inside.wait(30)
    with pytest.raises(Conflict, match="under way"):
        take(good)
    go_on.set()
    thread.join(30)
    assert found[0].state == "imported" and take(good).added.records == 0


KILLED = """
import os, sys
from pathlib import Path
from easel_app.plans.reading import from_disk
from easel_app.services.studio import Studio
from easel_app.settings import Settings
studio = Studio(Settings(data_dir=Path(sys.argv[1])))
def told(progress):
    if progress.stage == "importing" and progress.records == 350:
        os.kill(os.getpid(), 9)
studio.plans.intake.take_in(from_disk(Path(sys.argv[2])), name="set", told=told)
"""


def test_after_a_kill_the_same_import_goes_on_to_the_same_end(tmp_path: Path) -> None:
    many = [[query(f"q{n}"), answer(f"q{n}"), report(query_id=f"q{n}"), vote(query_id=f"q{n}")] for n in range(120)]
    many[3][0]["query_images"] = [url(picture(7))]
    path = lines(tmp_path / "x.jsonl", [each for kind in zip(*many, strict=True) for each in kind])
    command = [sys.executable, "-c", KILLED, str(tmp_path / "data"), str(path)]
    run = subprocess.run(command, check=False, cwd=Path(__file__).parents[3])
    assert run.returncode == -signal.SIGKILL
    studios = [Studio(Settings(data_dir=tmp_path / name)) for name in ("data", "whole")]
    cut, whole = [studio.plans for studio in studios]
    set_id = set_id_of("set")
    assert cut.store.counts(set_id)["answers"] > 0 and cut.store.imports(set_id)[-1].name == "begun"
    assert cut.intake.take_in(from_disk(path), name="set").state == "imported"
    whole.intake.take_in(from_disk(path), name="set")
    assert everything(cut, set_id) == everything(whole, set_id)
    assert len(list((tmp_path / "data" / "pictures").rglob("*"))) == 2
    for studio in studios:
        studio.close()


def test_memory_does_not_grow_with_the_file(plans: Plans, tmp_path: Path) -> None:
    peaks = []
    for count in (16, 48):
        name = f"{count} of {tmp_path.name}"
        text = TEXT + call() + "x" * 300_000
        path = lines(
            tmp_path / "x.jsonl",
            [query(), *(answer(planner=f"p{n}", text=text) for n in range(count)),
             *(vote(planner=f"p{n}") for n in range(count))],
        )  # fmt: skip
        tracemalloc.start()
        plans.intake.take_in(source(path), name=name)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0], peaks


PLAN = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)
NAME = st.text("abcé漢<&'\"/", min_size=1, max_size=6)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAME, min_size=1, max_size=3, unique=True), data=st.data())
def test_any_plan_comes_back_as_it_was(plans: Plans, tmp_path: Path, names: list[str], data: st.DataObject) -> None:
    entries = [query(name, reference=data.draw(st.none() | PLAN)) for name in names]
    entries += [answer(name, planner, data.draw(PLAN)) for name in names for planner in data.draw(st.sets(NAME))]
    path, name = lines(tmp_path / "x.jsonl", entries), os.urandom(8).hex()
    report = plans.intake.take_in(source(path), name=name)
    assert report.state == "imported", report.faults
    assert sorted(map(repr, stored(plans, report.set_id or ""))) == sorted(map(repr, read(path)[0]))
    assert plans.intake.take_in(source(path), name=name).there.records == len(entries)


# the sample


def test_the_sample_comes_in_on_the_first_look_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "resources" / "plans" / "sample"
    folder.mkdir(parents=True)
    (tmp_path / "resources" / "cat.png").write_bytes(picture())
    monkeypatch.setattr(plans_module, "data_folder", lambda: tmp_path / "resources")
    studio = Studio(Settings(data_dir=tmp_path / "data"))
    assert studio.plans.library.sets() == []  # nothing happens while there is no file
    studio.close()
    lines(folder / "2.jsonl", [answer("s")])
    lines(
        folder / "1.jsonl",
        [{"type": "set", "name": "Other", "sample": True}, query("s", query_images=["../../cat.png"])],
    )
    (folder / "source.txt").write_text("No plan.")
    studio = Studio(Settings(data_dir=tmp_path / "data"))
    (record,) = studio.plans.library.sets()
    assert (record.name, record.sample) == (plans_module.SAMPLE, True)
    assert studio.plans.store.counts(record.id) == {"queries": 1, "answers": 1}
    studio.close()
    lines(folder / "2.jsonl", [b"broken"])
    studio = Studio(Settings(data_dir=tmp_path / "data"))
    assert studio.plans.library.sets() == [record]
    studio.close()


def test_the_projects_own_sample_is_in_order(plans: Plans) -> None:
    folder = data_folder() / "plans" / "sample"
    report = plans.intake.take_in(from_disk(folder, root=data_folder()), name="The sample by hand")
    assert (report.state, report.faults) == ("imported", [])
    assert json.loads((folder / "1-queries.jsonl").read_text().splitlines()[0])["sample"] is True
