"""Logs made elsewhere: imported whole, to the bit, their facts taken over and their claims never believed."""

from __future__ import annotations

import base64
import gzip
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from easel_app.painting.rollout import Status
from easel_app.services.imports import AT_ONCE, Imported
from easel_app.services.painters import NewPainter
from easel_app.services.problems import Busy, Conflict, TooLarge
from easel_app.services.studio import Studio
from easel_app.services.views import NewFork, NewGuest
from easel_app.settings import Settings
from tests.conftest import wait_until
from tests.services.playing import (
    KINDS,
    PROTOCOLS,
    SUBMIT,
    UNDO,
    WALL,
    Lines,
    Player,
    lines_of,
    path,
    photo,
    played,
    stored,
    stroke,
    text,
)

OURS = {"id", "session_id", "request_id", "parent_id", "imported_from", "task_id", "task", "reference_png"}
"""What is not the same in a copy."""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The studio where sessions are played."""
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("here")))
    yield studio
    studio.close()


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The studio that their logs come to."""
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("there")))
    yield studio
    studio.close()


def strip(lines: Lines) -> Lines:
    return [{name: value for name, value in line.items() if name not in OURS} for line in lines]


def assert_same(there: Studio, log: Lines, found: Imported) -> None:
    """The imported session is the played one to the bit, in store and in memory."""
    copy = lines_of(there, found.session_id)
    assert strip(copy) == strip(log)
    assert (copy[0]["imported_from"], copy[0]["parent_id"]) == (log[0]["id"], None)
    claims = found.claims
    assert claims.hold and (claims.actions, claims.worst) == (len(log) - 1, 0.0)
    view = there.sessions.view(found.session_id)
    assert view.intact and view.imported and not view.ranked
    assert (view.seq, view.step, view.status, view.score) == (found.actions, found.steps, found.status, found.score)


def figures(studio: Studio, session_id: str) -> list[dict[str, Any]]:
    rows = studio._database.read().execute("SELECT * FROM figures WHERE session_id = ?", [session_id])
    return [{name: value for name, value in dict(row).items() if name != "session_id"} for row in rows]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_protocol_and_kind_comes_back_to_the_bit(here: Studio, there: Studio, kind: str, protocol: str) -> None:
    player = played(here, kind, protocol)
    found = there.imports.take_in(text(player.log()))
    assert_same(there, player.log(), found)
    assert there.sessions.canvas(found.session_id) == here.sessions.canvas(player.id)
    assert figures(there, found.session_id) == figures(here, player.id)
    assert len(figures(there, found.session_id)) == (found.status is not Status.OPEN and protocol != "practice")
    assert found.watch_url.endswith(found.session_id)


def test_a_spent_budget_ends_the_copy_too(here: Studio, there: Studio) -> None:
    player = Player.begin(here, "programmatic-01", "benchmark").act(*(stroke(k) for k in range(32)))
    found = there.imports.take_in(text(player.log()))
    assert found.status is Status.SPENT
    assert_same(there, player.log(), found)
    assert figures(there, found.session_id) == figures(here, player.id) != []


def test_an_open_session_is_a_log_and_so_is_one_without_an_action(here: Studio, there: Studio) -> None:
    player = Player.begin(here, "programmatic-01")
    for _ in range(3):
        found = there.imports.take_in(text(player.log()))
        assert found.status is Status.OPEN and figures(there, found.session_id) == []
        assert_same(there, player.log(), found)
        player.act(stroke(player.count))


def test_guests_and_painters_stay_and_keep_the_copy_out_of_rankings(here: Studio, there: Studio) -> None:
    player = Player.begin(here, "maze-64-7", "benchmark", shared=True)
    guest = here.sessions.join(player.id, NewGuest(name="Gästin ✨")).guest_token
    player.act(path(*WALL), token=guest)
    here.sessions.hand_back(player.id, player.token)
    player.act(SUBMIT)
    found = there.imports.take_in(text(player.log()))
    assert_same(there, player.log(), found)
    assert figures(there, found.session_id)[0]["assisted"] == 1
    helped = Player.begin(here, "maze-64-7", "benchmark")
    here.painters.start(helped.id, helped.token, NewPainter(painter="solver"))
    wait_until(lambda: here.sessions.view(helped.id).status is Status.SUBMITTED, 30)
    found = there.imports.take_in(text(helped.log()))
    assert_same(there, helped.log(), found)
    assert (found.score, figures(there, found.session_id)[0]["assisted"]) == (1.0, 1)


def test_a_fork_comes_whole_as_one_session_though_request_ids_repeat(here: Studio, there: Studio) -> None:
    parent = Player.begin(here, "programmatic-01").act(stroke(1), stroke(2), UNDO)
    wish = NewFork.model_validate({"step": 2, "player": {"kind": "agent", "name": "model", "model": "m"}})
    child = Player(here, here.sessions.fork(parent.id, wish)).act(stroke(3), stroke(4))
    grandchild = Player(here, here.sessions.fork(child.id, wish.model_copy(update={"step": 3}))).act(stroke(5), SUBMIT)
    ids = [line["request_id"] for line in grandchild.log()[1:]]
    assert len(set(ids)) < len(ids)
    found = there.imports.take_in(text(grandchild.log()))
    assert_same(there, grandchild.log(), found)
    copy = lines_of(there, found.session_id)
    assert {line["session_id"] for line in copy[1:]} == {found.session_id} and copy[0]["fork_step"] == 3
    parent = there.sessions.view(found.session_id).parent
    assert parent and (parent.session_id, parent.step) == (None, 3), "its parent is elsewhere"


def test_an_own_picture_comes_along_and_is_kept_once(here: Studio, there: Studio) -> None:
    task = here.tasks.add_own(photo(), 64, None)
    logs = [Player.begin(here, task.id, protocol).act(stroke(1), stroke(2)).log() for protocol in PROTOCOLS]
    assert logs[0][0]["task"]["id"] == task.id and base64.b64decode(logs[0][0]["reference_png"]) == task.png
    with ThreadPoolExecutor(AT_ONCE) as pool:
        copies = list(pool.map(there.imports.take_in, map(text, logs[:AT_ONCE])))
    copies += [there.imports.take_in(text(log)) for log in logs[AT_ONCE:]]
    for log, found in zip(logs, copies, strict=True):
        assert_same(there, log, found)
    (kept,) = {there.sessions.view(found.session_id).task.id for found in copies}
    known = there.tasks.get(kept)
    assert kept == f"own-{task.sha256[:32]}" and (known.reference == task.reference).all()
    alike = {"id": task.id, "png": b""}
    assert {**known.model_dump(), **alike} == {**task.model_dump(), **alike}
    listed = {entry.session_id for entry in there.sessions.newest(limit=100)}
    assert not listed & {found.session_id for found in copies}


def test_in_the_studio_that_has_the_picture_its_task_is_used(here: Studio) -> None:
    task = here.tasks.add_own(photo(2), 64, None)
    log = Player.begin(here, task.id).act(stroke(1)).log()
    found = here.imports.take_in(text(log))
    assert here.sessions.view(found.session_id).task.id == task.id
    again = here.imports.take_in(text([{**log[0], "id": "other", "reference_png": None}, *log[1:]][:1]))
    assert here.sessions.view(again.session_id).task.id == task.id


def test_a_second_import_names_the_session_that_is_there(here: Studio, there: Studio) -> None:
    log = Player.begin(here, "programmatic-01").act(stroke(1)).log()
    first = there.imports.take_in(text(log))
    before = stored(there)
    lying = [log[0], {**log[1], "scores": {**log[1]["scores"], "similarity": 1.0}, "request_id": "other"}]
    for copy in (log, lying, lines_of(there, first.session_id)):
        for body in (text(copy), gzip.compress(text(copy)), text(copy).rstrip(b"\n").replace(b"\n", b"\r\n")):
            with pytest.raises(Conflict, match=first.session_id):
                there.imports.take_in(body)
    assert stored(there) == before
    longer = Player.begin(here, "programmatic-01").act(stroke(1)).log()
    assert there.imports.take_in(text(longer)).session_id != first.session_id


def test_the_same_log_twice_at_once_is_stored_once(here: Studio, there: Studio) -> None:
    body = text(Player.begin(here, "programmatic-01").act(*(stroke(k) for k in range(20))).log())
    before, together = len(stored(there)), threading.Barrier(2)

    def send(_: int) -> str:
        together.wait()
        try:
            return there.imports.take_in(body).session_id
        except Conflict as conflict:
            return conflict.code

    with ThreadPoolExecutor(2) as pool:
        answers = sorted(pool.map(send, range(2)))
    assert "imported_already" in answers and answers[0] in stored(there) and len(stored(there)) == before + 1


def test_a_third_log_at_once_finds_no_hands(here: Studio, there: Studio) -> None:
    body = text(Player.begin(here, "programmatic-01").log())
    for _ in range(AT_ONCE):
        there.imports._hands.acquire()
    try:
        with pytest.raises(Busy, match="try again"):
            there.imports.take_in(body)
    finally:
        there.imports._hands.release(AT_ONCE)
    assert there.imports.take_in(body).actions == 0


def test_a_log_that_plays_too_long_is_refused_whole(here: Studio, there: Studio) -> None:
    body, before = text(Player.begin(here, "programmatic-01").act(stroke(1)).log()), stored(there)
    with pytest.raises(TooLarge, match="easel import"):
        there.imports.take_in(body, seconds=0.0)
    assert stored(there) == before
    assert there.imports.take_in(body, seconds=None).actions == 1, "and the hands are free again"


def test_lies_are_counted_and_not_believed(here: Studio, there: Studio) -> None:
    player = played(here, "maze", "studio")
    log = player.log()
    lies = json.loads(json.dumps(log))
    lies[0]["start_scores"]["progress"] = 0.25
    lies[0] |= {"renderer": "brush/9", "metric": "maze/9", "task_set": "<b>"}
    for line in lies[1:]:
        line["scores"] |= {"progress": 1.0, "cells": 1}
        line |= {"canvas_digest": "0" * 64, "step": 99, "status": "submitted", "outcome": "applied"}
        line["message"] = line["message"] if line["kind"] == "invalid" else "Well done."
    found = there.imports.take_in(text(lies))
    assert strip(lines_of(there, found.session_id)) == strip(log)
    claims, refused = found.claims, sum(line["outcome"] != "applied" for line in log[1:])
    cells = log[1]["scores"]["cells"] - 1
    counts = (claims.actions, claims.differing_scores, claims.differing_digests, claims.differing_steps)
    assert counts == (7, 8, 7, 7) and (claims.worst, claims.differing_outcomes) == (cells, refused) and not claims.hold
    assert there.sessions.view(found.session_id).score == here.sessions.view(player.id).score


def test_scores_of_another_metric_differ_without_a_distance(here: Studio, there: Studio) -> None:
    log = Player.begin(here, "programmatic-01").act(stroke(1)).log()
    log[1]["scores"] = {
        "metric": "similarity/2",
        "quality": 3.0,
        "raw": "\u202e\x00",
        "similarity": "high",
        "l1": {"a": [1]},
    }
    claims = there.imports.take_in(text(log)).claims
    assert (claims.actions, claims.worst, claims.differing_scores) == (1, 0.0, 1)


def test_claims_may_be_left_out(here: Studio, there: Studio) -> None:
    log = played(here, "reconstruction", "studio").log()
    claims = {"outcome", "step", "status", "scores", "canvas_digest", "session_id", "request_id"}
    claims |= {"renderer", "metric", "task_set", "start_scores"}
    bare = [{name: value for name, value in line.items() if name not in claims} for line in log]
    found = there.imports.take_in(text(bare))
    assert strip(lines_of(there, found.session_id)) == strip(log)
    assert found.claims.hold and found.claims.actions == 0


def test_times_are_kept_in_utc(here: Studio, there: Studio) -> None:
    log = Player.begin(here, "programmatic-01").act(stroke(1)).log()
    log[0]["created_at"], log[1]["at"] = "2021-03-04T05:06:07.123456Z", "2021-03-04T15:06:07+10:00"
    copy = lines_of(there, there.imports.take_in(text(log)).session_id)
    assert (copy[0]["created_at"], copy[1]["at"]) == ("2021-03-04T05:06:07.123+00:00", "2021-03-04T05:06:07.000+00:00")
