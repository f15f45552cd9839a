"""Runs of built-in painters: resumed, extended, watched, and put to work in single sessions."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from easel_app.runs.service import Runs
from easel_app.runs.settings import NewRun
from easel_app.runs.views import RunView
from easel_app.services.endpoints import Endpoints
from easel_app.services.painters import NewPainter
from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewGuest, NewSession, Player
from easel_app.settings import Settings
from tests.conftest import stroke, wait_until
from tests.full_disk import no_room
from tests.runs.conftest import actions, finish

RANDOM: dict[str, Any] = {"player": "random", "tasks": ["programmatic-01", "programmatic-02"], "protocol": "studio"}


def test_every_session_is_played_to_its_end_and_scored(runs: Runs, studio: Studio) -> None:
    view = finish(runs, NewRun(**RANDOM, repeats=2))
    assert (view.state, view.reason, view.attempts.done, view.attempts.total) == ("finished", "", 4, 4)
    assert view.steps.done == view.steps.total == 4 * 32
    overall = view.summary[-1]
    assert (overall.category, overall.n, overall.sessions) == ("all", 2, 4)
    sessions = [studio.sessions.view(found.session.id) for found in studio.sessions.of_run(view.run_id)]
    by_task = {view.task.id: [v for v in sessions if v.task.id == view.task.id] for view in sessions}
    means = [sum(v.trajectory.final or 0 for v in views) / len(views) for views in by_task.values()]
    assert overall.final == pytest.approx(sum(means) / len(means))
    aucs = [sum(v.trajectory.auc or 0 for v in views) / len(views) for views in by_task.values()]
    assert overall.auc == pytest.approx(sum(aucs) / len(aucs))
    assert {(v.player.kind, v.player.name) for v in sessions} == {("painter", "random")}


def test_a_run_that_is_given_again_makes_nothing_anew(runs: Runs, studio: Studio) -> None:
    first = finish(runs, NewRun(**RANDOM))
    before = actions(studio, first.run_id)
    again = finish(runs, NewRun(**RANDOM))
    assert again.run_id == first.run_id and again.state == "finished"
    assert actions(studio, first.run_id) == before


def test_a_run_grows_by_repeats_and_tasks(runs: Runs, studio: Studio) -> None:
    first = finish(runs, NewRun(**RANDOM))
    before = actions(studio, first.run_id)
    more = finish(runs, NewRun(**{**RANDOM, "tasks": [*RANDOM["tasks"], "programmatic-03"], "repeats": 2}))
    after = actions(studio, first.run_id)
    assert more.run_id == first.run_id and len(after) == 6
    assert {name: after[name] for name in before} == before


def test_sessions_of_earlier_plans_stay_in_view(runs: Runs) -> None:
    first = finish(runs, NewRun(**RANDOM))
    other = finish(runs, NewRun(**{**RANDOM, "tasks": ["programmatic-03"]}))
    assert other.run_id == first.run_id and other.state == "finished"
    assert (other.attempts.total, other.attempts.done, other.summary[-1].n) == (3, 3, 3)
    assert other.elapsed > first.elapsed > 0


def test_a_run_under_way_takes_no_other_plan(runs: Runs) -> None:
    wish: dict[str, Any] = {"player": "random", "protocol": "studio", "categories": ["natural"]}
    view = runs.start(NewRun(**wish))
    with pytest.raises(Conflict, match="under way with other tasks"):
        runs.start(NewRun(**{**wish, "categories": ["abstract"]}))
    assert runs.start(NewRun(**wish)).run_id == view.run_id
    runs.stop(view.run_id)


def test_another_setting_never_mixes(runs: Runs, studio: Studio) -> None:
    first = finish(runs, NewRun(**RANDOM))
    other = finish(runs, NewRun(**{**RANDOM, "seed": 1}))
    assert other.run_id != first.run_id
    assert not set(actions(studio, first.run_id)) & set(actions(studio, other.run_id))


def test_a_stopped_run_goes_on_to_the_same_end(runs: Runs, studio: Studio, tmp_path: Path) -> None:
    whole_studio = Studio(Settings(data_dir=tmp_path / "whole"))
    whole_runs = Runs(whole_studio)
    wish = NewRun(player="random", categories=["programmatic"], protocol="studio", concurrency=3)
    whole = finish(whole_runs, wish)
    view = runs.start(wish)
    for at in (40, 200):
        wait_until(lambda at=at: runs.view(view.run_id).steps.done >= at, 60)  # type: ignore[misc]
        runs.stop(view.run_id)
        wait_until(lambda: runs.view(view.run_id).state != "running", 60)
        assert runs.view(view.run_id).state in ("stopped", "finished")
        runs.resume(view.run_id)
    wait_until(lambda: runs.view(view.run_id).state != "running", 60)
    assert runs.view(view.run_id).state == "finished"
    assert actions(studio, view.run_id) == actions(whole_studio, whole.run_id)
    whole_runs.close()
    whole_studio.close()


def test_a_run_that_is_under_way_is_not_begun_twice(runs: Runs) -> None:
    wish = NewRun(player="random", protocol="studio", categories=["natural"])
    views: list[RunView] = []
    threads = [threading.Thread(target=lambda: views.append(runs.start(wish))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({view.run_id for view in views}) == 1
    assert sum(thread.name.startswith("run ") for thread in threading.enumerate()) == 1
    runs.stop(views[0].run_id)


def test_a_practice_run_ends_after_as_many_steps_as_the_budget(runs: Runs) -> None:
    view = finish(runs, NewRun(**{**RANDOM, "protocol": "practice"}))
    assert (view.state, view.steps.done) == ("finished", 64)


def test_what_cannot_be_run_is_refused_in_words(runs: Runs, studio: Studio) -> None:
    with pytest.raises(Invalid, match="no task 'nowhere'"):
        runs.start(NewRun(player="random", tasks=["nowhere"]))
    with pytest.raises(Invalid, match="no category 'none'"):
        runs.start(NewRun(player="random", categories=["none"]))
    with pytest.raises(Invalid, match="No task"):
        runs.start(NewRun(player="random", tasks=["natural-01"], categories=["abstract"]))
    with pytest.raises(NotFound):
        runs.view("none")
    with pytest.raises(Forbidden, match="off here"):
        Runs(studio, Endpoints(forbidden="Runs are off here.")).start(NewRun(**RANDOM))


def test_a_run_cut_off_by_the_end_of_its_server_is_told_and_goes_on(settings: Settings) -> None:
    studio = Studio(settings)
    runs = Runs(studio)
    view = runs.start(NewRun(player="random", protocol="studio", categories=["programmatic"]))
    wait_until(lambda: runs.view(view.run_id).steps.done > 20)
    runs.close()
    studio.close()
    studio = Studio(settings)
    runs = Runs(studio)
    assert runs.view(view.run_id).state == "stopped" and "server was stopped" in runs.view(view.run_id).reason
    runs.resume(view.run_id)
    wait_until(lambda: runs.view(view.run_id).state == "finished", 60)
    runs.close()
    studio.close()


# ---------------------------------------------------------------- painters at work in single sessions


def begin(studio: Studio, **more: Any) -> tuple[str, str]:
    player = Player(kind="painter", name="Random painter", model=None)
    begun = studio.sessions.begin(NewSession(**{"task_id": "programmatic-01", "player": player, **more}))
    return begun.session_id, begun.write_token


def step(studio: Studio, session_id: str) -> int:
    return studio.sessions.state(session_id).step


def test_a_painter_paints_a_session_to_its_end(studio: Studio) -> None:
    session_id, token = begin(studio)
    assert studio.painters.start(session_id, token, NewPainter(painter="random")).at_work
    wait_until(lambda: studio.sessions.state(session_id).status == "spent")
    assert {action.actor for action in studio.sessions.records(session_id)[1]} == {"painter"}
    with pytest.raises(Conflict, match="ended"):
        studio.painters.start(session_id, token, NewPainter(painter="random"))


def test_a_painter_stops_on_demand_and_another_takes_its_place(studio: Studio) -> None:
    session_id, token = begin(studio)
    studio.painters.start(session_id, token, NewPainter(painter="random", strokes_per_second=50))
    wait_until(lambda: step(studio, session_id) >= 2)
    studio.painters.stop(session_id, token)
    stopped = step(studio, session_id)
    assert stopped < 32
    studio.painters.start(session_id, token, NewPainter(painter="random", strokes_per_second=1))
    studio.painters.start(session_id, token, NewPainter(painter="random"))
    wait_until(lambda: studio.sessions.state(session_id).status == "spent")
    assert step(studio, session_id) == 32


def test_only_the_owner_puts_a_painter_to_work(studio: Studio) -> None:
    session_id, _ = begin(studio)
    for act in (lambda: studio.painters.start(session_id, "x", NewPainter(painter="random")),
                lambda: studio.painters.stop(session_id, "x")):  # fmt: skip
        with pytest.raises(Forbidden):
            act()
    with pytest.raises(Invalid, match="no painter 'rembrandt'"):
        studio.painters.start(*begin(studio), NewPainter(painter="rembrandt"))


def test_a_painter_waits_while_a_guest_has_the_turn(studio: Studio) -> None:
    session_id, token = begin(studio, shared=True)
    guest = studio.sessions.join(session_id, NewGuest(name="Ada")).guest_token
    wish = NewAction.model_validate({"request_id": "1", "action": {"kind": "brush_stroke", "stroke": stroke(1)}})
    studio.sessions.act(session_id, guest, wish)
    studio.painters.start(session_id, token, NewPainter(painter="random"))
    before = step(studio, session_id)
    threading.Event().wait(0.1)
    assert step(studio, session_id) == before == 1
    studio.sessions.hand_back(session_id, guest)
    wait_until(lambda: studio.sessions.state(session_id).status == "spent")
    told = [(action.actor, action.guest) for action in studio.sessions.records(session_id)[1]]
    assert told[0] == ("human", "Ada") and set(told[1:]) == {("painter", None)}
    assert not studio.sessions.view(session_id).ranked


def test_painters_that_are_put_to_work_at_once_leave_one_that_can_be_stopped(studio: Studio) -> None:
    session_id, token = begin(studio, task_id="natural-01")
    wish = NewPainter(painter="random", strokes_per_second=20)

    def often() -> None:
        for _ in range(5):
            studio.painters.start(session_id, token, wish)
            studio.painters.stop(session_id, token)
            studio.painters.start(session_id, token, wish)

    threads = [threading.Thread(target=often) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(thread.name == f"painter {session_id}" for thread in threading.enumerate()) <= 1
    studio.painters.stop(session_id, token)
    stopped = step(studio, session_id)
    assert stopped < 128, "else there was nothing left to stop"
    assert not any(thread.name == f"painter {session_id}" for thread in threading.enumerate())
    threading.Event().wait(0.1)
    assert step(studio, session_id) == stopped


def test_no_request_id_of_a_caller_stands_in_a_painters_way(studio: Studio) -> None:
    session_id, token = begin(studio)
    for taken in ("painter-2", "#painter-3", "run-2"):
        body = {"request_id": taken.lstrip("#"), "action": {"kind": "brush_stroke", "stroke": stroke(1)}}
        studio.sessions.act(session_id, token, NewAction.model_validate(body))
    studio.painters.start(session_id, token, NewPainter(painter="random"))
    wait_until(lambda: studio.sessions.state(session_id).status == "spent")
    assert step(studio, session_id) == 32


def test_a_full_disk_stops_it_in_one_sentence_and_with_room_it_goes_on(
    runs: Runs, studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    wish = NewRun(**RANDOM, concurrency=1)
    begun = runs.start(wish)
    with no_room(studio):
        wait_until(lambda: runs.view(begun.run_id).state != "running", 60)
        stopped = runs.view(begun.run_id)
        assert stopped.state == "stopped" and stopped.reason.startswith("The disk is full"), stopped
    assert not [record for record in caplog.records if record.exc_info], "no traceback"
    done = finish(runs, wish)
    assert (done.state, done.steps.done, done.reason) == ("finished", 2 * 32, "")
