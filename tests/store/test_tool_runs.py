"""What is stored of tool runs is append-only, comes back as it was, and what it came to is counted from it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.rubrics.records import Answer, AnswerTurn, Ending
from easel_app.store.database import Database
from easel_app.store.rubrics import RubricStore
from easel_app.store.tool_runs import KeptAnswer, RoundRow, ToolRunEvent, ToolRunRecord, ToolRunStore, Used
from tests.rubrics.making import AT, put, task

RUN = ToolRunRecord("run-1", "small", "m", {"model": "m", "temperature": None}, AT)
TABLES = ("tool_runs", "tool_run_events", "tool_rounds")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = tmp_path_factory.mktemp("tool-runs")
    database = Database(folder)
    put(RubricStore(database), [task("t1"), task("t2", turns=2)])
    store = ToolRunStore(database)
    store.begin(RUN)
    store.happened("run-1", ToolRunEvent("begun", {"plan": {}}, AT))
    store.add_round(row())
    yield database
    database.close()


@pytest.fixture(scope="module")
def store(database: Database) -> ToolRunStore:
    return ToolRunStore(database)


def row(
    run: str = "run-1",
    task: int = 1,
    turn: int = 1,
    number: int = 1,
    tools: Sequence[str] = (),
    cost: float | None = None,
) -> RoundRow:
    record = {"number": number, "text": "é\U0001f600", "calls": [{"name": name} for name in tools]}
    exchange = {"reply": {}, "left_out": ["temperature"] if number == 1 else []}
    facts = (json.dumps(record), json.dumps(exchange), 10, 2, cost, 0.5, AT)
    return RoundRow(run, task, 1, turn, number, *facts)


@pytest.mark.parametrize("table", TABLES)
def test_what_is_stored_cannot_be_changed_or_taken_away(database: Database, table: str) -> None:
    column = database.read().execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]
    before = [tuple(found) for found in database.read().execute(f"SELECT * FROM {table}")]
    assert before
    for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            database.write(lambda c, statement=statement: c.execute(statement))  # type: ignore[misc]
    assert [tuple(found) for found in database.read().execute(f"SELECT * FROM {table}")] == before


def test_the_first_to_begin_a_run_settles_it_and_runs_are_listed_newest_first(store: ToolRunStore) -> None:
    store.begin(RUN._replace(player="another", settings={}))
    assert store.run("run-1") == RUN and store.run("nothing") is None
    later = RUN._replace(id="run-0", created_at="2027-01-01")
    store.begin(later)
    assert store.runs() == store.runs("small") == [later, RUN] and store.runs("elsewhere") == []


def test_events_come_back_in_order(store: ToolRunStore) -> None:
    store.begin(RUN._replace(id="eventful"))
    happened: list[tuple[str, dict[str, Any]]] = [
        ("begun", {"plan": {"most": None}}),
        ("judging", {"judging_id": "j"}),
        ("queue", {"queue_id": "q"}),
        ("ended", {"state": "finished"}),
    ]
    events = [ToolRunEvent(name, content, AT) for name, content in happened]
    for event in events:
        store.happened("eventful", event)
    assert store.events("eventful") == events and store.events("nothing") == []
    with pytest.raises(sqlite3.IntegrityError):
        store.happened("eventful", ToolRunEvent("forgotten", {}, AT))


def test_a_journal_is_read_in_order_whatever_order_it_was_written_in(store: ToolRunStore) -> None:
    store.begin(RUN._replace(id="journal"))
    written = [row("journal", 2, turn, number) for turn, number in ((2, 1), (1, 2), (1, 1), (1, 10))]
    for each in written:
        store.add_round(each)
    found = store.journal("journal", 2, 1)
    assert [(each.turn, each.round) for each in found] == [(1, 1), (1, 2), (1, 10), (2, 1)]
    assert [each.left_out for each in found] == [("temperature",), (), (), ("temperature",)]
    assert found[0].record == written[2].record
    assert store.rounds("journal", 2, 1) == sorted(written, key=lambda each: (each.turn, each.round))
    assert store.journal("journal", 1, 1) == store.journal("journal", 2, 2) == []
    with pytest.raises(sqlite3.IntegrityError):
        store.add_round(written[0])


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.lists(st.sampled_from(["a", "b", "é"]), max_size=3), st.none() | st.floats(0, 9)), max_size=6)
)
def test_counting_on_comes_to_what_counting_anew_comes_to(
    store: ToolRunStore, rounds: list[tuple[list[str], float | None]]
) -> None:
    run = f"counted-{len(store.runs())}"
    store.begin(RUN._replace(id=run))
    counted = Used()
    for number, (tools, cost) in enumerate(rounds, 1):
        made = row(run, 1, 1, number, tools, cost)
        store.add_round(made)
        counted = counted.plus(made, tools)
    anew = store.used(run)
    assert (anew.calls, anew.prompt_tokens, anew.completion_tokens) == (len(rounds), 10 * len(rounds), 2 * len(rounds))
    assert anew.by_tool == counted.by_tool and anew.calls == counted.calls
    assert anew.cost == pytest.approx(counted.cost) if counted.cost is not None else anew.cost is None


def test_a_players_answers_are_told_with_who_made_them_and_how_they_ended(
    store: ToolRunStore, database: Database
) -> None:
    rubrics = RubricStore(database)
    ids = {outline.task_id: outline.id for outline in rubrics.outlines("small")}

    def add(task_id: str, model: str, attempt: int, origin: str, *endings: Ending | None) -> None:
        turns = tuple(AnswerTurn(text='"[é', ended=ending) for ending in endings)
        answer = Answer(task_id=task_id, model=model, attempt=attempt, origin=origin, turns=turns)
        rubrics.add_answers([(ids[task_id], model, attempt, answer.model_dump_json())])

    add("t2", "m", 2, "run-1", Ending.ANSWERED, Ending.MOST_ROUNDS)
    add("t1", "m", 1, "", None)
    add("t1", "other", 1, "run-9", Ending.EMPTY)
    assert store.answers("small", "m") == [
        KeptAnswer(ids["t1"], 1, "", (None,)),
        KeptAnswer(ids["t2"], 2, "run-1", ("answered", "most_rounds")),
    ]
    assert store.answers("elsewhere", "m") == []
    old = '{"task_id": "t1", "model": "old", "attempt": 1, "turns": [{"text": "x"}]}'  # from before answers had origins
    rubrics.add_answers([(ids["t1"], "old", 1, old)])
    assert store.answers("small", "old") == [KeptAnswer(ids["t1"], 1, "", (None,))]
