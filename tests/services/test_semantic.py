"""Semantic sessions in the store: reopened, scored again, ranked, and their evidence after the end."""

from __future__ import annotations

import base64
import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from PIL import Image

from easel_app.painting.painters import able, next_action, painter
from easel_app.painting.rollout import Status
from easel_app.painting.stroke import PATH_FIELDS
from easel_app.services.painters import NewPainter
from easel_app.services.problems import Busy, Conflict, Invalid, NotFound
from easel_app.services.sessions import MOST_WAITING
from easel_app.services.studio import Studio
from easel_app.services.views import Begun, NewAction, NewGuest, NewSession
from easel_app.settings import Settings
from tests.conftest import new_session, paint, wait_until

FIVE = ["circle-outline", "apple-outline", "hello", "simple-maze", "harder-maze"]
UNDO, SUBMIT = {"kind": "undo"}, {"kind": "submit"}


def begin(studio: Studio, task_id: str, **wish: Any) -> Begun:
    return studio.sessions.begin(
        NewSession.model_validate({**new_session(task_id=task_id, protocol="benchmark"), **wish})
    )


def act(studio: Studio, begun: Begun, action: dict[str, Any], request_id: str, token: str = "") -> Any:
    wish = NewAction.model_validate({"request_id": request_id, "action": action})
    return studio.sessions.act(begun.session_id, token or begun.write_token, wish)


def path(*numbers: float) -> dict[str, Any]:
    return {"kind": "brush_stroke", "stroke": dict(zip(PATH_FIELDS, numbers, strict=True))}


def solve(studio: Studio, begun: Begun, strokes: int = 999) -> None:
    """Let the task's script play, and submit after that many strokes."""
    task = studio.tasks.get(begun.task.id)
    hired = painter(able(task.truth)[0], task.reference, task.budget, 0, task.truth)
    for step in range(task.budget):
        pixels, _ = studio.sessions.pixels(begun.session_id)
        action = next_action(hired, pixels, step)
        if step >= strokes or action.kind == "submit":
            break
        act(studio, begun, action.model_dump(), f"s{step}")
    act(studio, begun, SUBMIT, "end")


@pytest.mark.parametrize("task_id", [*FIVE, "maze-64-7"])
def test_a_session_reopened_from_its_log_is_the_same_to_the_bit(settings: Settings, task_id: str) -> None:
    studio = Studio(settings)
    begun = begin(studio, task_id)
    rng = np.random.default_rng(0)
    for k in range(12):
        act(studio, begun, path(*rng.random(6).tolist()), f"p{k}")
        if k % 4 == 3:
            act(studio, begun, UNDO, f"u{k}")
    before, pixels = studio.sessions.view(begun.session_id), studio.sessions.pixels(begun.session_id)[0]
    studio.close()
    studio = Studio(settings)
    after = studio.sessions.view(begun.session_id)
    assert after == before and after.intact
    assert (studio.sessions.pixels(begun.session_id)[0] == pixels).all()
    assert [(found.worst, found.differing) for found in studio.sessions.rescore()] == [(0.0, 0)]
    again = act(studio, begun, path(*rng.random(6).tolist()), "p3")
    assert again.seq == 4, "a known request id gets its first answer, after a restart too"
    studio.close()


def test_a_rejected_stroke_is_told_again_with_its_contact_after_a_restart(settings: Settings) -> None:
    studio = Studio(settings)
    begun = begin(studio, "maze-64-7")
    first = act(studio, begun, path(0, 0, 0.5, 0.5, 1, 1), "wall")
    assert first.outcome == "rejected" and first.contact and first.steps_left == 127
    studio.close()
    studio = Studio(settings)
    assert act(studio, begun, path(0, 0, 0.5, 0.5, 1, 1), "wall") == first
    studio.close()


def test_a_judgement_that_this_version_would_not_make_shows_in_rescore(studio: Studio) -> None:
    begun = begin(studio, "maze-64-7")
    act(studio, begun, path(0, 0, 0.5, 0.5, 1, 1), "wall")
    (record,) = studio.sessions.records(begun.session_id)[1]
    other = begin(studio, "maze-64-7")
    studio.sessions._store.append(
        type(record)(**{**vars(record), "session_id": other.session_id, "outcome": "applied", "message": ""})
    )
    worst = {found.session_id: found.worst for found in studio.sessions.rescore()}
    assert worst == {begun.session_id: 0.0, other.session_id: float("inf")}


def test_the_wrong_form_of_stroke_is_refused_with_the_field_and_costs_nothing(studio: Studio) -> None:
    begun = begin(studio, "simple-maze")
    with pytest.raises(Invalid, match="takes the six coordinates of a path only") as refused:
        act(studio, begun, paint("x")["action"], "x")
    assert refused.value.field == "action.stroke"
    painted = begin(studio, "programmatic-01", protocol="studio")
    with pytest.raises(Invalid, match="all 13 numbers"):
        act(studio, painted, path(*[0.5] * 6), "x")
    assert [studio.sessions.view(one.session_id).seq for one in (begun, painted)] == [0, 0]


@pytest.mark.parametrize("task_id", FIVE)
def test_evidence_is_drawn_after_the_end_and_never_before(studio: Studio, task_id: str) -> None:
    begun = begin(studio, task_id)
    act(studio, begun, path(0.5, 0.5, 0.5, 0.5, 0.52, 0.5), "p")
    with pytest.raises(Conflict) as refused:
        studio.sessions.overlay(begun.session_id)
    assert refused.value.code == "not_ended"
    solve(studio, begun)
    view, found = studio.sessions.view(begun.session_id), studio.sessions.overlay(begun.session_id)
    picture = np.array(Image.open(io.BytesIO(base64.b64decode(found.png))))
    assert (found.score, found.metric, found.width) == (view.score, view.metric, view.task.width)
    assert picture.shape[2] == 4 and picture.shape[0] % found.width == 0 and picture[..., 3].any()
    assert found.legend and found.facts and all(0 <= label.x <= 1 and 0 <= label.y <= 1 for label in found.labels)


@pytest.mark.parametrize("task_id", FIVE)
def test_an_empty_canvas_scores_nothing_and_has_evidence_all_the_same(studio: Studio, task_id: str) -> None:
    begun = begin(studio, task_id)
    act(studio, begun, SUBMIT, "end")
    view = studio.sessions.view(begun.session_id)
    assert (view.score, view.status, view.curve, view.conduct.submit_percent) == (0.0, Status.SUBMITTED, [0.0], 0.0)
    assert studio.sessions.overlay(begun.session_id).score == 0.0


def test_a_reconstruction_has_no_overlay(studio: Studio) -> None:
    begun = begin(studio, "programmatic-01", protocol="studio")
    act(studio, begun, SUBMIT, "end")
    with pytest.raises(NotFound, match="compared with its reference"):
        studio.sessions.overlay(begun.session_id)


def test_the_best_of_each_kind_of_player_is_told_for_each_task(studio: Studio) -> None:
    def play(kind: str, name: str, strokes: int = 999, **wish: Any) -> Begun:
        begun = begin(studio, "simple-maze", player={"kind": kind, "name": name}, **wish)
        solve(studio, begun, strokes)
        return begun

    play("human", "halfway", 3)
    best = play("human", "there")
    play("human", "there again")  # equal, later
    play("human", "in practice", protocol="practice")
    agent = play("agent", "model", 5)
    open_ended = begin(studio, "simple-maze", player={"kind": "painter", "name": "still open"})
    act(studio, open_ended, path(*[0.5, 0.5] * 3), "p")
    found = {entry.task_id: entry for entry in studio.results.best(FIVE)}
    assert list(found) == FIVE and found["hello"].human is None
    maze = found["simple-maze"]
    assert maze.human and maze.human.session_id == best.session_id
    assert (maze.human.player, maze.human.score) == ("there", 1.0)
    assert maze.agent and maze.agent.session_id == agent.session_id and maze.painter is None


@pytest.mark.parametrize("kind", ["human", "agent"])
def test_what_a_script_painted_is_neither_ranked_nor_a_persons_best(studio: Studio, kind: str) -> None:
    begun = begin(studio, "simple-maze", player={"kind": kind, "name": "x"})
    studio.painters.start(begun.session_id, begun.write_token, NewPainter(painter="solver"))
    wait_until(lambda: studio.sessions.view(begun.session_id).status is Status.SUBMITTED, 30)
    view, (best,) = studio.sessions.view(begun.session_id), studio.results.best(["simple-maze"])
    assert (view.score, view.ranked, best.human, best.agent) == (1.0, False, None, None)
    actors = {entry["actor"] for entry in studio.sessions.log(begun.session_id) if entry["type"] == "action"}
    assert actors == {"painter"}


def test_a_painters_own_session_is_ranked(studio: Studio) -> None:
    begun = begin(studio, "simple-maze", player={"kind": "painter", "name": "solver"})
    studio.painters.start(begun.session_id, begun.write_token, NewPainter(painter="solver"))
    wait_until(lambda: studio.sessions.view(begun.session_id).status is Status.SUBMITTED, 30)
    assert studio.sessions.view(begun.session_id).ranked
    (best,) = studio.results.best(["simple-maze"])
    assert best.painter and best.painter.session_id == begun.session_id


def test_actions_that_wait_for_one_session_do_not_take_every_thread(studio: Studio) -> None:
    begun = begin(studio, "maze-64-1")
    refused: list[str] = []

    def send(k: int) -> None:
        try:
            act(studio, begun, path(*[0.01] * 6), f"r{k}")
        except Busy as busy:
            refused.append(busy.message)

    with ThreadPoolExecutor(40) as pool, studio.sessions._desk.hold(begun.session_id):  # freed before the pool waits
        waiting = [pool.submit(send, k) for k in range(40)]
        wait_until(lambda: len(refused) == 40 - MOST_WAITING, 10)
        with pytest.raises(Busy):  # one more finds no place either, until the session is free
            act(studio, begun, path(*[0.01] * 6), "late")
    assert all(future.done() for future in waiting) and "send them one by one" in refused[0]
    assert studio.sessions.view(begun.session_id).seq == MOST_WAITING


def test_a_session_with_a_guest_is_no_ones_best(studio: Studio) -> None:
    begun = begin(studio, "simple-maze", shared=True)
    guest = studio.sessions.join(begun.session_id, NewGuest(name="Guest"))
    act(studio, begun, path(*[0.5, 0.5] * 3), "g", guest.guest_token)
    studio.sessions.hand_back(begun.session_id, begun.write_token)
    solve(studio, begun)
    assert studio.sessions.view(begun.session_id).ranked is False
    assert studio.results.best(["simple-maze"])[0].human is None
