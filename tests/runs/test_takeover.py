"""A run that goes on from one step of a session, by a painter or a model: what it plays, says and refuses."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from easel_app.cli import cli
from easel_app.painting import png
from easel_app.painting.painters import able, painter
from easel_app.painting.stroke import PATH_FIELDS, STROKE_FIELDS
from easel_app.runs.service import Runs
from easel_app.runs.settings import NewRun, TakeOver, run_id
from easel_app.runs.summary import score
from easel_app.services.problems import Conflict, Invalid, NotFound, Refusal
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewGuest, NewSession
from easel_app.settings import Settings
from tests.conftest import new_session, stroke, wait_until
from tests.endpoint import endpoint, with_faults
from tests.endpoint import painter as scripted
from tests.endpoint.painter import pictures, words
from tests.runs.conftest import actions, finish

TASK, BUDGET = "programmatic-01", 32


def played(studio: Studio, strokes: int, task_id: str = TASK, protocol: str = "studio", fields: Any = None) -> str:
    """A session in which somebody has painted so many strokes."""
    begun = studio.sessions.begin(NewSession.model_validate(new_session(task_id, protocol)))
    for seed in range(strokes):
        numbers = {name: value for name, value in stroke(seed).items() if name in (fields or STROKE_FIELDS)}
        body = {"request_id": f"run-{seed + 1}", "action": {"kind": "brush_stroke", "stroke": numbers}}
        studio.sessions.act(begun.session_id, begun.write_token, NewAction.model_validate(body))
    return begun.session_id


def wish(parent: str, step: int, player: str = "greedy", **more: Any) -> NewRun:
    return NewRun(**{"player": player, "take_over": {"session_id": parent, "step": step}, **more})


def log(studio: Studio, session_id: str) -> list[tuple[Any, ...]]:
    _, found = studio.sessions.records(session_id)
    return [(action.session_id, action.seq, action.kind, dict(action.params), action.canvas_digest) for action in found]


# ---------------------------------------------------------------- painters


def test_a_painter_paints_on_the_canvas_as_it_is(runs: Runs, studio: Studio) -> None:
    parent = played(studio, 12)
    view = finish(runs, wish(parent, 10, repeats=2))
    assert (view.state, view.attempts.total, view.steps.total, view.steps.done) == ("finished", 2, 64, 64)
    task, begun = studio.tasks.get(TASK), png.decode(studio.sessions.canvas(parent, 10))
    for at, found in enumerate(sorted(studio.runs.sessions(view.run_id).items())):
        session = studio.sessions.view(found[1])
        assert session.parent and (session.parent.session_id, session.parent.step) == (parent, 10)
        assert (session.status, session.protocol, session.ranked) == ("spent", "studio", False)
        entries = log(studio, session.session_id)
        assert entries[:10] == log(studio, parent)[:10] and {entry[0] for entry in entries[10:]} == {session.session_id}
        first = painter("greedy", task.reference, task.budget, at, task.truth).next(begun, 10)
        assert list(entries[10][3].values()) == first.tolist(), "its first stroke is for that canvas and that step"
        assert session.curve[10] == studio.sessions.view(parent).curve[10] < session.curve[-1] - 0.1
    assert studio.results.best([TASK])[0].painter is None


@pytest.mark.parametrize("player", ["greedy", "random"])
def test_a_painter_that_takes_over_its_own_painting_paints_it_again(runs: Runs, studio: Studio, player: str) -> None:
    first = finish(runs, NewRun(player=player, tasks=[TASK]))
    (own,) = studio.sessions.of_run(first.run_id)
    second = finish(runs, wish(own.session.id, 13, player))
    (again,) = studio.sessions.of_run(second.run_id)
    both = [[entry[1:] for entry in log(studio, found.session.id)] for found in (own, again)]
    assert both[0] == both[1] and len(both[0]) == BUDGET and second.settings["protocol"] == "benchmark"


def test_a_script_goes_on_in_a_maze_where_somebody_stopped(runs: Runs, studio: Studio) -> None:
    parent = played(studio, 5, "maze-64-3", "benchmark", PATH_FIELDS)
    view = finish(runs, wish(parent, 4, "solver"))
    assert view.state == "finished" and view.summary == [] and view.semantic
    (row,) = view.semantic.scores
    (found,) = studio.sessions.of_run(view.run_id)
    assert (row.task, row.n) == ("maze-64", 1)
    assert row.score == studio.sessions.view(found.session.id).score > 0.9


def test_its_table_is_of_whole_paintings_and_says_where_they_begin(runs: Runs, studio: Studio) -> None:
    parent = played(studio, 20)
    view = finish(runs, wish(parent, 20))
    (found,) = studio.sessions.of_run(view.run_id)
    want = score(studio.tasks.get(TASK), *studio.sessions.records(found.session.id)).figures
    row = view.summary[-1]
    assert (row.final, row.at_half, row.auc, row.sessions) == (want.final, want.at_half, want.auc, 1)
    assert row.at_half == studio.sessions.view(parent).curve[16]
    assert (view.settings["take_over"], view.settings["protocol"]) == ({"session_id": parent, "step": 20}, "studio")
    assert list(view.plan["tasks"]) == [TASK]


def test_practice_is_played_as_far_as_the_budget_goes(runs: Runs, studio: Studio) -> None:
    parent = played(studio, BUDGET + 2, protocol="practice")
    view = finish(runs, wish(parent, BUDGET - 3, "random"))
    (found,) = studio.sessions.of_run(view.run_id)
    session = studio.sessions.view(found.session.id)
    assert (view.state, session.protocol, session.step) == ("finished", "practice", BUDGET)


def test_a_session_may_take_turns_with_people(runs: Runs, studio: Studio) -> None:
    view = finish(runs, wish(played(studio, 3), 3, "random", shared=True))
    (found,) = studio.sessions.of_run(view.run_id)
    assert studio.sessions.join(found.session.id, NewGuest(name="Ada")).guest_token
    assert studio.sessions.turn(found.session.id).shared


def test_a_run_may_go_on_from_what_another_one_made(runs: Runs, studio: Studio) -> None:
    first = finish(runs, wish(played(studio, 3), 3, "random"))
    (found,) = studio.sessions.of_run(first.run_id)
    second = finish(runs, wish(found.session.id, 20))
    (copy,) = studio.sessions.of_run(second.run_id)
    assert log(studio, copy.session.id)[:20] == log(studio, found.session.id)[:20]
    assert second.state == "finished" and copy.session.parent_id == found.session.id


# ---------------------------------------------------------------- models


def test_a_model_sees_the_canvas_of_that_step_and_is_asked_for_the_rest(runs: Runs, studio: Studio) -> None:
    parent = played(studio, 12, protocol="benchmark")
    with endpoint(scripted) as model:
        given: dict[str, Any] = {"base_url": model.url, "model": "scripted"}
        view = finish(runs, wish(parent, 10, "model", **given))
        assert (view.state, view.calls, view.player.kind) == ("finished", BUDGET - 10, "agent")
        seen = [png.decode(base64.b64decode(url.partition(",")[2])) for url in pictures(model.requests[0].body)]
        assert (seen[1] == png.decode(studio.sessions.canvas(parent, 10))).all()
        plain = finish(runs, NewRun(player="model", tasks=[TASK], **given))
        assert words(model.requests[0].body) == words(model.requests[-1].body), "it is asked as it is at the beginning"
        assert plain.run_id != view.run_id
    (found,) = studio.sessions.of_run(view.run_id)
    said = [entry["seq"] for entry in studio.sessions.evidence(found.session.id)]
    assert said == list(range(11, BUDGET + 1)), "what the parent's player was shown is what there is: nothing"


def test_a_model_may_go_on_with_a_benchmark_session_by_studio_rules(runs: Runs, studio: Studio) -> None:
    parent = played(studio, 4, protocol="benchmark")
    with endpoint(scripted) as model:
        view = finish(runs, wish(parent, 4, "model", base_url=model.url, model="m", protocol="studio"))
        tools = [tool["function"]["name"] for tool in model.requests[0].body["tools"]]
    assert (view.state, view.settings["protocol"], tools) == ("finished", "studio", ["brush_stroke", "undo", "submit"])


def test_before_its_sessions_begin_they_stand_at_that_step(runs: Runs, studio: Studio) -> None:
    parent = played(studio, 8)
    with endpoint(with_faults(scripted, ("401-echo", lambda number, body: True))) as model:
        view = finish(runs, wish(parent, 8, "model", base_url=model.url, model="m", repeats=3, concurrency=1, key="k"))
    assert (view.state, view.attempts.total, view.steps.done, view.score) == ("stopped", 3, 24, None)
    again = Runs(studio).view(view.run_id)
    assert (again.steps, again.score, again.state) == (view.steps, view.score, view.state)


# ---------------------------------------------------------------- one run


def test_a_stopped_run_goes_on_to_the_same_end_whatever_becomes_of_the_parent(
    runs: Runs, studio: Studio, tmp_path: Path
) -> None:
    other = Studio(Settings(data_dir=tmp_path / "whole"))
    parent, twin = played(studio, 40, "natural-01"), played(other, 40, "natural-01")
    ours, theirs = (wish(name, 30, "random", repeats=3, concurrency=2) for name in (parent, twin))
    apart = Runs(other)
    quiet = finish(apart, theirs)
    view = runs.start(ours)
    wait_until(lambda: runs.view(view.run_id).steps.done >= 100, 60)
    runs.stop(view.run_id)
    wait_until(lambda: runs.view(view.run_id).state != "running", 60)
    before = actions(studio, view.run_id)
    for kind in ("undo", "submit"):
        studio.sessions.play(parent, NewAction.model_validate({"request_id": kind, "action": {"kind": kind}}))
    done = finish(runs, ours)
    after = actions(studio, view.run_id)
    assert (done.state, done.run_id, done.attempts.done) == ("finished", view.run_id, 3)
    assert all(after[name][: len(rows)] == rows for name, rows in before.items())
    assert sorted(map(repr, after.values())) == sorted(map(repr, actions(other, quiet.run_id).values()))
    finish(runs, ours)
    runs.resume(view.run_id)
    wait_until(lambda: runs.view(view.run_id).state == "finished", 10)
    assert actions(studio, view.run_id) == after, "nothing is made twice"
    apart.close()
    other.close()


def identity(**more: Any) -> dict[str, object]:
    return NewRun(**{"player": "greedy", **more}).settings.identity(["easel-studio/1"])


def test_the_session_and_the_step_are_part_of_the_runs_identity() -> None:
    places = [{"session_id": name, "step": step} for name in ("a", "b") for step in (0, 1)]
    assert len({run_id(identity(take_over=place)) for place in places} | {run_id(identity())}) == 5
    assert "take_over" not in identity() and identity()["protocol"] == "benchmark", "ids of earlier runs stay"
    assert identity(protocol="benchmark") == identity()


def test_a_wish_says_the_same_after_it_was_sent_to_a_studio() -> None:
    for sent in (wish("abc", 3), wish("abc", 3, protocol="studio"), NewRun(player="greedy")):
        assert NewRun.model_validate_json(sent.model_dump_json()) == sent


def test_naming_the_rules_of_the_session_changes_nothing(runs: Runs, studio: Studio) -> None:
    parent = played(studio, 3)
    first = finish(runs, wish(parent, 3, "random"))
    assert finish(runs, wish(parent, 3, "random", protocol="studio")).run_id == first.run_id


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("strokes", "given", "kind", "says"),
    [
        (3, {"step": 4}, NotFound, "is at step 3; go on from one up to it"),
        (BUDGET, {"step": BUDGET}, Conflict, "none would be left; go on from an earlier step"),
        (3, {"step": 3, "protocol": "benchmark"}, Conflict, "by studio rules only"),
        (3, {"step": 3, "player": "tracer"}, Invalid, " or ".join(able(None))),
        (3, {"step": 3, "parent": "nowhere"}, NotFound, "no session of that id"),
    ],
)
def test_what_cannot_be_taken_over_is_refused_and_leaves_no_run(
    runs: Runs, studio: Studio, strokes: int, given: dict[str, Any], kind: type[Refusal], says: str
) -> None:
    parent = played(studio, strokes)
    with pytest.raises(kind) as refused:
        runs.start(wish(**{"parent": parent, **given}))
    assert says in refused.value.message and refused.value.message.count(".") == 1
    assert runs.every() == [] and studio.sessions._store.ids() == [parent]


def test_practice_beyond_the_budget_has_nothing_left_to_play(runs: Runs, studio: Studio) -> None:
    parent = played(studio, BUDGET + 1, protocol="practice")
    with pytest.raises(Conflict, match="plays the task's 32 steps, and all are used there"):
        runs.start(wish(parent, BUDGET))
    assert runs.every() == []


def test_no_run_shows_a_picture_that_a_person_brought(runs: Runs, studio: Studio) -> None:
    task = studio.tasks.add_own(studio.tasks.get("natural-01").png, 64, None)
    with pytest.raises(Conflict, match="that a person brought"):
        runs.start(wish(played(studio, 1, task.id), 1))
    assert runs.every() == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"tasks": [TASK]}, {"tasks": []}, {"categories": ["natural"]}, {"take_over": "abc@3"}, {"take_over": {}},
        {"take_over": {"session_id": "a b", "step": 1}}, {"take_over": {"session_id": "a", "step": -1}},
        {"take_over": {"session_id": "a", "step": True}}, {"take_over": {"session_id": "a", "step": 10**30}},
        {"take_over": {"session_id": "", "step": 1}}, {"take_over": {"session_id": "\ud800", "step": 1}},
    ],
    ids=str,
)  # fmt: skip
def test_a_wish_that_says_no_such_thing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        NewRun(**{"player": "greedy", "take_over": {"session_id": "a", "step": 1}, **wrong})


# ---------------------------------------------------------------- as it is typed


@pytest.mark.parametrize("text", ["", "abc", "abc@", "@3", "abc@-1", "abc@1.5", "abc@1_0", "abc@٣", "a b@3", "a@b@3"])
def test_a_place_that_is_mistyped_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="write SESSION@STEP"):
        TakeOver.read(text)
    done = CliRunner().invoke(cli, ["run", "--painter", "random", "--take-over", text])
    assert done.exit_code == 1 and "--take-over" in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_the_command_takes_over_and_says_that_nothing_of_it_is_ranked(tmp_path: Path) -> None:
    studio = Studio(Settings(data_dir=tmp_path))
    parent = played(studio, 5)
    studio.close()
    command = ["run", "--data-dir", str(tmp_path), "--painter", "random", "--take-over"]
    done = CliRunner().invoke(cli, [*command, f"{parent}@4"])
    assert done.exit_code == 0 and "finished: 1 of 1 sessions done" in done.stdout
    assert f"begin with the first 4 steps of {parent}; they are not ranked" in " ".join(done.stdout.split())
    for options, says in (
        ([f"{parent}@6"], "The session is at step 5; go on from one up to it."),
        (["nowhere@0"], "There is no session of that id"),
        ([f"{parent}@4", "--task", TASK], "name no tasks and no categories"),
        ([f"{parent}@4", "--protocol", "benchmark"], "by studio rules only"),
    ):
        refused = CliRunner().invoke(cli, [*command, *options])
        assert refused.exit_code == 1 and says in refused.stderr and refused.stdout == ""
    studio = Studio(Settings(data_dir=tmp_path))
    assert len(studio.sessions.newest(limit=9)) == 2 and len(studio.runs.runs()) == 1
    studio.close()
