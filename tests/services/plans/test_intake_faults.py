"""Each kind of bad input: refused with its line, its field and what to do; all else comes in when it is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from easel_app.services.plans.import_reports import PlanImportReport
from easel_app.services.plans.plans import Plans
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.plans.planfiles import REPORTS, answer, lines, query, report, row, source, vote

WELL = [query(), query("q2"), answer(), answer("q2", text="No call.\n\nNone at all.")]
"""Four records that every test of a bad fifth one begins with."""


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plans]:
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("data")))
    yield studio.plans
    studio.close()


def take(plans: Plans, tmp_path: Path, entries: list[Any], **how: Any) -> PlanImportReport:
    path = lines(tmp_path / "x.jsonl", entries)
    return plans.intake.take_in(source(path), name=how.pop("name", tmp_path.name), **how)


def changed(inspector: str, **more: Any) -> dict[str, Any]:
    return report(inspector, report={**REPORTS[inspector], **more})


GAP = REPORTS["recall"]["gaps"][0]


@pytest.mark.parametrize(
    ("bad", "field", "words"),
    [
        (query(), "", ("query 'q1' stands at line 1 already", "leave one of them out")),
        (answer(), "", ("answer 1 of 'p' to query 'q1' stands at line 3 already",)),
        (answer("nowhere"), "query_id", ("no query 'nowhere' before it", "import the query first")),
        (report(query_id="nowhere"), "planner", ("no answer 1 of 'p' to query 'nowhere'",)),
        (report(planner="nobody"), "planner", ("no answer 1 of 'nobody'", "correct the name")),
        (vote(attempt=2), "planner", ("no answer 2 of 'p'",)),
        (report(query_id="q2"), "report.calls", ("call 1 is not in the plan",)),
        (changed("precision", calls=[]), "report.calls", ("call 1 is not scored", "correct it")),
        (changed("recall", mi=2), "report.mi", ("mi is 2, but the number of gaps is 1",)),
        (changed("recall", gaps=[{**GAP, "anchor_quote": "Dogs run."}]), "report.gaps.0.anchor_quote", ("for word",)),
        (changed("recall", gaps=[{**GAP, "after_block": 9}]), "report.gaps.0.after_block", ("last block is 2",)),
        (changed("chief", decisive_calls=[4]), "report.decisive_calls", ("call 4 is not in the plan",)),
        (vote("call", "2"), "key", ("key is '2'", "number of one of the 1 calls")),
        (vote("call", "one"), "key", ("key is 'one'",)),
        (vote("call", "01"), "key", ("key is '01'",)),
        (vote("fs", "1"), "key", ("a vote about fs has none", "leave it out")),
        (vote("gap", "j"), "key", ("the judge's name, / and the gap's number",)),
        (vote("gaps", content={"about": "gaps", "gaps": [{"after_block": 7, "type": "unmet_request"}]}), "content.gaps",
         ("a gap is after block 7", "last block is 2")),
        (vote("gaps", content={"about": "gaps", "gaps": [{"after_block": 1, "type": "unmet_request"}] * 2}),
         "content.gaps", ("the gap unmet_request after block 1 stands there 2 times with one note", "leave one out")),
        (vote(at="yesterday"), "at", ("ISO 8601", "correct it")),
    ],
)  # fmt: skip
def test_each_fault_is_told_with_its_line_its_field_and_what_to_do(
    plans: Plans, tmp_path: Path, bad: Any, field: str, words: tuple[str, ...]
) -> None:
    found = take(plans, tmp_path, [*WELL, bad])
    assert (found.state, found.refused) == ("refused", 1), found
    assert (found.faults[0].place, found.faults[0].field) == ("line 5", field)
    assert all(each in found.faults[0].message for each in words), found.faults[0].message
    partly = take(plans, tmp_path, [*WELL, bad], partial=True)
    assert (partly.state, partly.added.queries, partly.added.answers) == ("imported in part", 2, 2)


def test_chief_is_held_against_the_recall_report_of_its_judge_wherever_that_is(plans: Plans, tmp_path: Path) -> None:
    beyond = changed("chief", decisive_gaps=[2])
    assert take(plans, tmp_path, [*WELL, beyond], name="none").state == "imported"  # nothing to hold it against
    together = take(plans, tmp_path, [*WELL, report("recall"), beyond])
    assert "gap 2 is not in the report of the Recall Inspector" in together.faults[0].message
    take(plans, tmp_path, [*WELL, report("recall")])
    later = take(plans, tmp_path, [beyond])
    assert later.state == "refused" and later.faults[0].field == "report.decisive_gaps"
    assert take(plans, tmp_path, [report("chief")]).state == "imported"


def test_reports_and_votes_are_checked_against_plans_that_the_set_holds(plans: Plans, tmp_path: Path) -> None:
    take(plans, tmp_path, WELL)
    assert take(plans, tmp_path, [vote("call", "2")]).state == "refused"
    assert take(plans, tmp_path, [vote("call", "1"), report("recall")]).state == "imported"


def test_what_belongs_to_a_refused_record_is_left_out_and_told(plans: Plans, tmp_path: Path) -> None:
    entries = [
        query(query_images=[3]),
        answer(),
        report(),
        vote(),
        query("q2"),
        answer("q2", text=5),
        vote("fs", "", "q2"),
    ]
    found = take(plans, tmp_path, entries)
    assert (found.refused, found.followed) == (2, 4)
    assert found.followers == ["line 2", "line 3", "line 4", "line 7"]
    assert (found.sound.queries, found.sound.answers) == (1, 0)


def test_the_same_id_with_other_content_is_refused(plans: Plans, tmp_path: Path) -> None:
    take(plans, tmp_path, WELL)
    for other in (query(query="Another?"), answer(text="Another."), answer(index_base=1), query(reference="Other.")):
        found = take(plans, tmp_path, [other])
        assert found.state == "refused" and "the set holds another" in found.faults[0].message
        assert "another name" in found.faults[0].message


def test_a_broken_line_does_not_hide_the_others(plans: Plans, tmp_path: Path) -> None:
    found = take(
        plans, tmp_path, [*WELL, b'{"type": "answer", "query_id": ', b"\x00", b"\xff\xfe", answer(planner="z")]
    )
    assert [each.place for each in found.faults] == ["line 5", "line 6", "line 7"]
    assert found.sound.answers == 3


def test_a_file_that_changes_between_the_two_looks_harms_nobody(plans: Plans, tmp_path: Path) -> None:
    told: list[str] = []

    def change(progress: Any) -> None:
        if progress.stage == "checking" and progress.records == progress.total and not told:
            told.append("changed")
            lines(tmp_path / "new", [query(), answer(text="Another."), answer("nowhere"), b"cut"]).replace(
                tmp_path / "x.jsonl"
            )

    found = take(plans, tmp_path, [query(), answer()], partial=True, told=change)
    assert (found.state, found.refused, found.added.answers) == ("imported in part", 2, 1)


def test_an_id_that_a_file_has_twice_is_told_as_such_when_the_set_holds_it_too(plans: Plans, tmp_path: Path) -> None:
    own = [query(), answer(), query(query="Another?")]
    others = [row("a", gt=None, model_answer="A"), row("a", gt=None, query="Another?")]
    for entries, again in ((own, 3), (others, 2)):
        for _ in range(2):
            found = take(plans, tmp_path, entries, name=f"{tmp_path.name} {again}", partial=True)
            assert [each.place for each in found.faults] == [f"line {again}"]
            assert "stands at line 1 already" in found.faults[0].message
        assert (found.there.queries, found.there.answers) == (1, 1)
    changed_twice = [query(query="B?"), query(query="C?")]  # the first differs from the set, the second from the first
    told = [each.message for each in take(plans, tmp_path, changed_twice, name=f"{tmp_path.name} 3").faults]
    assert "the set holds another" in told[0] and "stands at line 1 already" in told[1]


def test_the_sentence_of_a_refusal_says_once_what_to_do(plans: Plans, tmp_path: Path) -> None:
    said = take(plans, tmp_path, [*WELL, vote("call", "2")]).sentence()
    assert said.endswith("; correct it, or import the rest in part.")
    assert take(plans, tmp_path, [b"x"]).sentence().count("in part") == 0
    assert "no record in it; choose another source." in take(plans, tmp_path, []).sentence()
