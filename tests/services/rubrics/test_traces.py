"""Traces of a real store: rounds as steps, lists of answers, neighbours, and verdicts that wait for a blind vote."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.records import AnswerTurn, Conditions, Remark, ToolCall
from easel_app.services.problems import NotFound
from easel_app.services.reviewers import NewReviewer, Person
from easel_app.services.rubrics.analyses import Analyses
from easel_app.services.rubrics.traces import Status, Wanted, steps
from easel_app.services.rubrics.views import CallView
from easel_app.services.studio import Studio
from tests.services.rubrics.analysing import BAD, GOOD, IMAGE, Made, analyses
from tests.services.rubrics.making import JUDGING, SET, make_queue, said

TURN: dict[str, Any] = {
    "text": "The **answer**",
    "calls": (IMAGE, GOOD, BAD),
    "rounds": 3,
    "remarks": (Remark(round=1, text="I look closer."), Remark(round=3, text="That is all.")),
    "ended": "answered",
}


@pytest.fixture
def made(studio: Studio) -> Made:
    made = Made(studio)
    for name in ("t1", "t2", "t3"):
        made.task(name, category="temporal", domain="physics")
    return made


@pytest.fixture
def found(studio: Studio) -> Analyses:
    return analyses(studio)


def enrolled(made: Made, name: str = "Ada") -> Person:
    return made.rubrics.reviewers.person(made.rubrics.reviewers.enrol(NewReviewer(name=name)).token)


def test_a_trace_tells_each_round_with_its_calls_and_what_is_said_of_the_answer(made: Made, found: Analyses) -> None:
    conditions = Conditions(model="m", prompt="strong")
    answer = made.answer("t1", "m", "nm", turns=[TURN], conditions=conditions, origin="run-1")
    trace = found.traces.trace(answer, None, "weight")
    (turn,) = trace.turns
    assert [(step.round, step.remark, [call.call for call in step.calls]) for step in turn.steps] == [
        (1, "I look closer.", [1, 2]),
        (2, "", [3]),
        (3, "That is all.", []),
    ]
    first = turn.steps[0].calls[0]
    assert (first.name, first.success, first.operations) == ("python_image_processing", True, ["crop"])
    assert (turn.written, turn.ended, turn.rounds) == ("The **answer**", "answered", 3)
    assert (trace.domain, trace.conditions, trace.judge, trace.by) == ("STEM", conditions, "Judge", JUDGING)
    assert trace.origin == "run-1"
    assert (trace.status, trace.score, trace.passed, trace.hidden) == ("scored", 3 / 8, False, 0)
    assert [(item.item_id, item.critical, item.verdict) for item in trace.items] == [
        ("i0", True, "not_met"),
        ("i1", False, "met"),
    ]
    assert trace.items[0].said is not None and trace.items[0].said.reason == "SECRET REASON"


def test_the_score_of_a_trace_is_that_of_the_list_and_the_comparison(made: Made, found: Analyses) -> None:
    for name, verdicts in (("t1", "nm"), ("t2", "m-"), ("t3", "--")):
        made.answer(name, "m", verdicts)
    lines = found.traces.answers(SET, Wanted(), None, "weight", limit=9).answers
    assert [line.status for line in lines] == ["scored", "incomplete", "unscored"]
    compared = found.comparing.comparison(SET, "m", "m", None, "weight").tasks
    for line, task in zip(lines, compared, strict=True):
        trace = found.traces.trace(line.answer, None, "weight")
        assert (trace.status, trace.score, trace.passed) == (line.status, line.score, line.passed)
        assert (task.a.status, task.a.score, task.a.passed) == (line.status, line.score, line.passed)


@given(
    st.lists(st.none() | st.integers(1, 5), max_size=8),
    st.lists(st.tuples(st.integers(1, 6), st.text(st.characters(codec="ascii", categories=["L"]), min_size=1))),
)
def test_steps_keep_every_call_in_order_and_every_remark(
    rounds: list[int | None], remarks: list[tuple[int, str]]
) -> None:
    turn = AnswerTurn(
        text="a",
        calls=tuple(GOOD.model_copy(update={"round": number}) for number in rounds),
        remarks=tuple(Remark(round=number, text=text) for number, text in remarks),
    )
    view = CallView(name="n", arguments=None, observation=None, pictures=[], success=True, why="", operations=[])
    found = steps(turn, [view] * len(rounds))
    assert [call.call for step in found for call in step.calls] == list(range(1, len(rounds) + 1))
    assert [step.round for step in found for _ in step.calls] == rounds
    assert sorted("".join(step.remark for step in found).replace("\n", "")) == sorted("".join(t for _, t in remarks))
    known = [number for number in rounds if number]
    if rounds == sorted(known):  # as a model makes them: every round is one step, in order
        told = [step.round for step in found]
        assert told == sorted({*known, *(number for number, _ in remarks)})


def test_calls_of_imported_data_are_a_step_each(made: Made, found: Analyses) -> None:
    calls = [call.model_copy(update={"round": None}) for call in (GOOD, BAD)]
    trace = found.traces.trace(made.answer("t1", "m", "mm", calls), None, "weight")
    assert [(step.round, len(step.calls)) for step in trace.turns[0].steps] == [(None, 1), (None, 1)]


def test_neighbours_keep_to_the_attempt_where_they_can(made: Made, found: Analyses) -> None:
    t1 = made.answer("t1", "m", "mm")
    made.answer("t2", "other", "mm")
    t3 = [made.answer("t3", "m", "mm", attempt=number) for number in (1, 2)]
    first, last = found.traces.trace(t1, None, "weight"), found.traces.trace(t3[1], None, "weight")
    assert (first.previous, first.following) == (None, t3[0])
    assert (last.previous, last.following) == (t1, None)
    assert [(one.attempt, one.answer) for one in last.attempts] == [(1, t3[0]), (2, t3[1])]


def test_lists_are_filtered_and_paged(made: Made, found: Analyses) -> None:
    for number, verdicts in enumerate(("mm", "nm", "m-")):
        made.answer(f"t{number + 1}", "m", verdicts, [GOOD])
        made.answer(f"t{number + 1}", "other", verdicts)

    def ids(limit: int = 9, offset: int = 0, **wish: Any) -> list[tuple[str, str]]:
        got = found.traces.answers(SET, Wanted(**wish), None, "weight", limit=limit, offset=offset)
        return [(line.task_id, line.player) for line in got.answers]

    assert ids(player="m") == [("t1", "m"), ("t2", "m"), ("t3", "m")]
    assert ids(player="m", status="failed") == [("t2", "m")]
    assert ids(status="passed") == [("t1", "m"), ("t1", "other")]
    assert ids(status="incomplete", player="other") == [("t3", "other")]
    assert ids(task_id="t2") == [("t2", "m"), ("t2", "other")]
    assert ids(category="nothing") == []
    assert ids(limit=2, offset=3) == [("t2", "other"), ("t3", "m")]
    assert found.traces.answers(SET, Wanted(), None, "weight", limit=1).total == 6


SAYING = ("verdict", "said", "score", "passed", "status")
"""Fields that say what somebody thinks of an answer."""


def told(value: object) -> Iterator[object]:
    """What the fields of an answer in JSON say, wherever they stand."""
    if isinstance(value, dict):
        yield from (each for name, each in value.items() if name in SAYING)
        yield from (found for each in value.values() for found in told(each))
    elif isinstance(value, list):
        yield from (found for each in value for found in told(each))


def test_nothing_of_a_hidden_verdict_leaks_into_traces_or_lists(made: Made, found: Analyses) -> None:
    answer = made.answer("t1", "m", "nm", turns=[{**TURN, "text": "a", "calls": ()}])
    queue = make_queue(made.rubrics, required=2).queue_id
    ada, ben = enrolled(made), enrolled(made, "Ben")
    entries = made.rubrics.reviews.entries(queue)

    def seen(who: Person | None, by: str | None = None, *, tell: bool = False) -> list[Any]:
        trace = found.traces.trace(answer, by, "weight", who, tell=tell)
        lines = found.traces.answers(SET, Wanted(), by, "weight", who, limit=9, tell=tell)
        return [trace.model_dump(mode="json"), lines.model_dump(mode="json")]

    for who in (None, ada, ben):
        assert set(told(seen(who))) == {"hidden", None}
        assert not any(word in json.dumps(seen(who)) for word in ("SECRET", "not_met", '"met"'))
    made.rubrics.votes.cast(entries[0].id, ada, said("1", "not_met"))
    trace = found.traces.trace(answer, None, "weight", ada)
    assert [item.verdict for item in trace.items] == ["not_met", "hidden"] and trace.hidden == 1
    assert (trace.status, trace.score, trace.passed) == ("hidden", None, None)
    assert trace.items[0].said is not None and trace.items[1].said is None
    people = found.traces.trace(answer, "people", "weight", ben)
    assert [item.verdict for item in people.items] == ["hidden", "hidden"], "Ada's vote would sway Ben"
    assert "SECRET" in json.dumps(seen(None, tell=True)) and "hidden" not in told(seen(None, tell=True))
    for number, (entry, who) in enumerate(((entries[0], ben), (entries[1], ben), (entries[1], ada))):
        made.rubrics.votes.cast(entry.id, who, said(f"b{number}", "met"))
    done = found.traces.trace(answer, None, "weight", None)
    assert (done.hidden, done.status, done.passed) == (0, "scored", False), "all votes are in, so it is told"
    assert [item.verdict for item in found.traces.trace(answer, "people", "weight").items] == [None, "met"]


@pytest.mark.parametrize("status", ["passed", "failed", "scored", "incomplete", "unscored"])
def test_no_filter_tells_what_a_hidden_answer_scores(made: Made, found: Analyses, status: Status) -> None:
    for number, verdicts in enumerate(("mm", "nm", "m-")):
        made.answer(f"t{number + 1}", "m", verdicts)
    make_queue(made.rubrics)
    assert found.traces.answers(SET, Wanted(status=status), None, "weight", limit=9).total == 0
    assert found.traces.answers(SET, Wanted(status="hidden"), None, "weight", limit=9).total == 3


def test_after_looking_a_person_is_told_and_their_vote_is_no_longer_blind(made: Made, found: Analyses) -> None:
    answer = made.answer("t1", "m", "mm")
    queue = make_queue(made.rubrics, required=1).queue_id
    ada, ben = enrolled(made), enrolled(made, "Ben")
    for number, entry in enumerate(made.rubrics.reviews.entries(queue)):
        made.rubrics.votes.cast(entry.id, ada, said(f"{number}"))
        made.rubrics.votes.cast(entry.id, ada, said(f"back-{number}", None))
    assert found.traces.trace(answer, None, "weight", ada).status == "scored", "what was told stays told"
    assert found.traces.trace(answer, None, "weight", ben).status == "hidden", "her vote was taken back"


def test_a_trace_of_nothing_and_of_an_unknown_answer(made: Made, found: Analyses) -> None:
    made.task("bare", [[]], prompts=[""])
    trace = found.traces.trace(made.answer("bare", "m", "", turns=[{"text": ""}]), "people", "flag")
    assert (trace.status, trace.items, trace.turns[0].steps, trace.turns[0].ended) == ("unscored", [], [], None)
    with pytest.raises(NotFound) as refused:
        found.traces.trace(999, None, "weight")
    assert refused.value.code == "no_such_answer"


def test_hostile_calls_are_shown_as_they_are(made: Made, found: Analyses) -> None:
    odd = [ToolCall(name="<b>", arguments="{", observation=[[]], round=9), ToolCall(name="calculator", round=1)]
    trace = found.traces.trace(made.answer("t1", "m", "mm", odd), None, "weight")
    assert [(step.round, step.calls[0].name) for step in trace.turns[0].steps] == [(9, "<b>"), (1, "calculator")]
    assert (trace.turns[0].steps[0].calls[0].arguments, trace.turns[0].steps[0].calls[0].why) == ("{", "unknown tool")
