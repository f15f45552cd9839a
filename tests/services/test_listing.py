"""The list of sessions: newest first, page by page, by run, and without anybody's own picture."""

from itertools import chain
from typing import Any

import numpy as np
import pytest

from easel_app.painting import png
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession, SessionSummary
from easel_app.store.records import RunPlace
from easel_app.store.runs import RunRecord, RunStore
from tests.conftest import new_session, paint


def begin(studio: Studio, place: RunPlace | None = None, **wish: Any) -> str:
    return studio.sessions.begin(NewSession.model_validate({**new_session(), **wish}), place).session_id


def ids(studio: Studio, **wish: Any) -> list[str]:
    return [summary.session_id for summary in studio.sessions.newest(**{"limit": 100, **wish})]


def test_it_is_newest_first_and_pages_go_on_where_the_last_one_ended(studio: Studio) -> None:
    begun = [begin(studio) for _ in range(25)]  # several within one millisecond
    assert ids(studio) == begun[::-1]
    pages, before = [], None
    while page := ids(studio, limit=7, before=before):
        pages.append(page)
        before = page[-1]
    assert [len(page) for page in pages] == [7, 7, 7, 4]
    assert list(chain.from_iterable(pages)) == begun[::-1]


def test_a_session_that_begins_meanwhile_does_not_move_the_next_page(studio: Studio) -> None:
    begun = [begin(studio) for _ in range(6)]
    first = ids(studio, limit=3)
    begin(studio)
    assert first + ids(studio, limit=3, before=first[-1]) == begun[::-1]
    assert ids(studio, before="nothing") == []


def test_acting_does_not_move_a_session(studio: Studio) -> None:
    one, two = begin(studio), begin(studio)
    studio.sessions.play(one, NewAction.model_validate(paint("x")))
    assert ids(studio) == [two, one]


def test_own_pictures_are_in_no_list(studio: Studio) -> None:
    file = png.encode(np.random.default_rng(0).integers(0, 256, (80, 80, 3), np.uint8))
    own = studio.tasks.add_own(file, 64, None)
    listed = [begin(studio), begin(studio)]
    hidden = begin(studio, task_id=own.id)
    listed.append(begin(studio))
    assert ids(studio) == listed[::-1]
    assert ids(studio, before=hidden) == listed[1::-1]
    assert [ids(studio, limit=1), ids(studio, limit=1, before=listed[2])] == [[listed[2]], [listed[1]]]


@pytest.mark.parametrize("run", ["one", "two", "nothing"])
def test_the_sessions_of_one_run(studio: Studio, run: str) -> None:
    begun: dict[str, list[str]] = {"one": [], "two": [], "nothing": []}
    for name in ("one", "two"):
        RunStore(studio._database).begin(RunRecord(name, {}, "now"))
    for repeat in (1, 2, 3):
        for name in ("one", "two"):
            begun[name].append(begin(studio, RunPlace(name, repeat)))
        begin(studio)
    assert ids(studio, run=run) == begun[run][::-1]
    assert ids(studio, run=run, limit=2, before=(begun[run] or ["x"])[-1]) == begun[run][-2::-1]


def test_an_entry_tells_where_the_session_stands(studio: Studio) -> None:
    fresh = begin(studio, player={"kind": "agent", "name": "Ada", "model": "m-1"}, protocol="benchmark")
    painted = begin(studio)
    answer = studio.sessions.play(painted, NewAction.model_validate(paint("x")))
    studio.sessions.play(painted, NewAction.model_validate({"request_id": "s", "action": {"kind": "submit"}}))
    last, first = studio.sessions.newest(limit=5)
    assert (last.session_id, last.status, last.seq, last.step) == (painted, "submitted", 2, 1)
    assert last.score == answer.score
    assert last.last_at >= last.created_at
    view = studio.sessions.view(fresh)
    own = {"task_id", "last_at"}
    assert first.model_dump(exclude=own) == view.model_dump(include=set(SessionSummary.model_fields) - own)
    assert (first.task_id, first.score) == (view.task.id, view.score)
    assert first.last_at == first.created_at
    assert first.player.model == "m-1"
