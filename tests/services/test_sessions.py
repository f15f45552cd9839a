"""What the session service promises when things go wrong, and when many come at once."""

import sqlite3
import threading
from functools import partial

import numpy as np
import pytest

from easel_app.painting import png
from easel_app.painting.tasks import Task
from easel_app.services.problems import Conflict
from easel_app.services.sessions import PAGE, place_id
from easel_app.services.studio import Studio
from easel_app.services.views import Begun, NewAction, NewSession
from easel_app.store.records import ActionRecord, RunPlace
from easel_app.store.runs import RunRecord, RunStore
from tests.conftest import new_session, paint
from tests.store.test_records import exchange


def begin(studio: Studio, **wish: str) -> Begun:
    return studio.sessions.begin(NewSession.model_validate(new_session(**wish)))


def action(request_id: str, seed: int = 0) -> NewAction:
    return NewAction.model_validate(paint(request_id, seed))


def test_many_threads_on_one_session_leave_a_log_without_a_gap(studio: Studio) -> None:
    begun = begin(studio, task_id="natural-01")
    seen: list[int] = []

    def work(base: int) -> None:
        for k in range(10):
            answer = studio.sessions.act(begun.session_id, begun.write_token, action(f"{base}.{k}", base * 10 + k))
            seen.append(answer.seq)

    threads = [threading.Thread(target=work, args=(t,)) for t in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(1, 81))
    log = list(studio.sessions.log(begun.session_id))
    assert [entry["seq"] for entry in log[1:]] == list(range(1, 81))


def test_the_same_request_from_many_threads_paints_once(studio: Studio) -> None:
    begun, answers = begin(studio), []

    def work() -> None:
        answers.append(studio.sessions.act(begun.session_id, begun.write_token, action("same", 1)))

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answer == answers[0] for answer in answers)
    assert studio.sessions.view(begun.session_id).step == 1


def test_more_sessions_than_memory_holds_all_go_on(studio: Studio) -> None:
    begun = [begin(studio) for _ in range(20)]  # the studio holds 8
    for turn in range(3):
        for session in begun:
            studio.sessions.act(session.session_id, session.write_token, action(f"r{turn}", turn))
    for session in begun:
        view = studio.sessions.view(session.session_id)
        assert (view.seq, view.intact) == (3, True)


def test_a_failed_commit_is_not_acknowledged_and_not_on_the_canvas(studio: Studio) -> None:
    begun = begin(studio)
    studio.sessions.act(begun.session_id, begun.write_token, action("one", 1))
    before = studio.sessions.canvas(begun.session_id)
    # another writer takes the next seq behind the service's back: the commit of the next stroke must fail
    first = ActionRecord(**{k: v for k, v in list(studio.sessions.log(begun.session_id))[1].items() if k != "type"})
    thief = {"seq": 2, "request_id": "thief", "kind": "undo", "params": {}, "outcome": "rejected", "step": 2}
    studio.sessions._store.append(ActionRecord(**{**vars(first), **thief}))
    with pytest.raises(sqlite3.IntegrityError):
        studio.sessions.act(begun.session_id, begun.write_token, action("two", 2))
    assert studio.sessions.canvas(begun.session_id) == before
    answer = studio.sessions.act(begun.session_id, begun.write_token, action("two", 2))
    assert answer.seq == 3


def test_an_exchange_is_stored_with_the_action_that_came_of_it_or_neither_is(studio: Studio) -> None:
    begun = begin(studio)
    studio.sessions.play(begun.session_id, action("one", 1), partial(exchange, session_id=begun.session_id))
    before = studio.sessions.canvas(begun.session_id)
    with pytest.raises(sqlite3.IntegrityError):
        studio.sessions.play(begun.session_id, action("two", 2), partial(exchange, session_id="nobody"))
    assert studio.sessions.canvas(begun.session_id) == before
    assert studio.sessions.view(begun.session_id).seq == 1
    studio.sessions.play(begun.session_id, action("two", 2), partial(exchange, session_id=begun.session_id))
    said = [entry for entry in studio.sessions.evidence(begun.session_id) if entry["type"] == "exchange"]
    assert [entry["seq"] for entry in said] == [1, 2]
    studio.sessions.play(begun.session_id, action("two", 2), partial(exchange, session_id=begun.session_id))
    assert len(list(studio.sessions.evidence(begun.session_id))) == 2  # a retry is not said again


def test_an_attempt_of_a_run_is_begun_once(studio: Studio) -> None:
    RunStore(studio._database).begin(RunRecord("run", {}, "now"))
    wish = NewSession.model_validate(new_session())
    first = studio.sessions.begin(wish, RunPlace("run", 1))
    with pytest.raises(sqlite3.IntegrityError):
        studio.sessions.begin(wish, RunPlace("run", 1))
    assert studio.sessions.begin(wish, RunPlace("run", 2)).session_id != first.session_id
    assert first.session_id == place_id(RunPlace("run", 1), wish.task_id)
    assert len(studio.sessions.newest(limit=9, run="run")) == 2


def test_a_log_that_gives_another_canvas_is_shown_and_takes_no_more(studio: Studio) -> None:
    begun = begin(studio)
    studio.sessions.act(begun.session_id, begun.write_token, action("one", 1))
    first = ActionRecord(**{k: v for k, v in list(studio.sessions.log(begun.session_id))[1].items() if k != "type"})
    studio.sessions._store.append(
        ActionRecord(**{**vars(first), "seq": 2, "request_id": "two", "step": 2, "canvas_digest": "0" * 64})
    )
    for _ in range(9):  # crowd it out of memory
        begin(studio)
    assert studio.sessions.view(begun.session_id).intact is False
    with pytest.raises(Conflict, match="no longer gives"):
        studio.sessions.act(begun.session_id, begun.write_token, action("three", 3))


def test_a_session_of_a_picture_that_changed_is_not_intact(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = begin(studio)
    catalogue = studio.tasks._catalogue._tasks
    first, other = catalogue["programmatic-01"], catalogue["programmatic-02"]
    record = other.model_dump(mode="json", exclude=set(Task.model_computed_fields))
    swapped = Task.load({**record, "id": first.id, "sha256": other.sha256}, other.png)
    monkeypatch.setitem(catalogue, "programmatic-01", swapped)
    for _ in range(9):  # crowd it out of memory
        begin(studio, task_id="programmatic-03")
    assert studio.sessions.view(begun.session_id).intact is False


def test_a_log_is_read_page_by_page_without_a_gap(studio: Studio) -> None:
    begun = begin(studio, protocol="practice")
    for k in range(2 * PAGE + 3):
        studio.sessions.act(begun.session_id, begun.write_token, action(f"r{k}", k))
    assert [entry["seq"] for entry in list(studio.sessions.log(begun.session_id))[1:]] == list(range(1, 2 * PAGE + 4))


def test_a_long_session_seeks_right_across_keyframes_and_undo(studio: Studio) -> None:
    begun, kept = begin(studio, task_id="programmatic-05", protocol="practice"), []
    for k in range(120):
        body = {"request_id": f"u{k}", "action": {"kind": "undo"}} if k % 7 == 6 else paint(f"p{k}", k)
        studio.sessions.act(begun.session_id, begun.write_token, NewAction.model_validate(body))
        kept.append(studio.sessions.canvas(begun.session_id))
    for k in np.random.default_rng(0).permutation(120):
        found = studio.sessions.canvas(begun.session_id, int(k) + 1)
        assert (png.decode(found) == png.decode(kept[k])).all()
