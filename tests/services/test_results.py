"""Results as a service: figures of older sessions are caught up with, and an answer is kept until another one ends."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from easel_app.painting import png
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.stroke import PATH_FIELDS
from easel_app.services import figures, results
from easel_app.services.ranking import ResultQuery
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession
from easel_app.store.figures import FigureStore, RankedFigures
from tests.conftest import new_session, paint, stroke

STUDIO = ResultQuery("programmatic", ProtocolName.STUDIO)
Play = Callable[..., str]


@pytest.fixture
def play(studio: Studio) -> Play:
    """Plays two strokes and a submit."""

    def played(seed: int = 0, name: str = "Tester", kind: str = "human", ended: bool = True, **wish: Any) -> str:
        player = {"kind": kind, "name": name}
        begun = studio.sessions.begin(NewSession.model_validate({**new_session(), "player": player, **wish}))
        for k in range(2):
            studio.sessions.play(begun.session_id, NewAction.model_validate(paint(f"r{k}", 2 * seed + k)))
        if ended:
            submit(studio, begun.session_id)
        return begun.session_id

    return played


def submit(studio: Studio, session_id: str) -> None:
    studio.sessions.play(session_id, NewAction.model_validate({"request_id": "s", "action": {"kind": "submit"}}))


def older(studio: Studio, session_id: str, name: str, **changes: Any) -> str:
    """A copy of a session as an older version recorded it, without figures."""
    record, actions = studio.sessions.records(session_id)
    own = [replace(action, session_id=name) for action in actions]
    studio.sessions._store.adopt(replace(record, id=name, **changes), own)
    return name


def ranked(studio: Studio) -> list[RankedFigures]:
    return FigureStore(studio._database).ranked(figures.VERSION)


def names(studio: Studio, query: ResultQuery = STUDIO) -> dict[str, int]:
    return {row.name: row.sessions for row in studio.results.results(query).players}


@pytest.mark.parametrize("task_id", ["programmatic-01", "simple-maze"])
def test_figures_from_the_log_are_those_that_were_stored_at_the_end(studio: Studio, task_id: str) -> None:
    player = {"kind": "human", "name": "Tester"}
    begun = studio.sessions.begin(NewSession.model_validate({**new_session(task_id), "player": player}))
    strokes = [stroke(1), stroke(2), stroke(2)]
    if task_id == "simple-maze":
        strokes = [dict(zip(PATH_FIELDS, numbers, strict=True)) for numbers in ([0.5] * 6, [0.0] * 4 + [1.0] * 2)]
    actions = [{"kind": "brush_stroke", "stroke": values} for values in strokes]
    for k, action in enumerate([*actions, {"kind": "undo"}, {"kind": "invalid", "reason": "?"}, {"kind": "submit"}]):
        studio.sessions.play(begun.session_id, NewAction.model_validate({"request_id": f"r{k}", "action": action}))
    older(studio, begun.session_id, "copy")
    assert studio.results.catch_up() == 0
    stored, computed = ranked(studio)
    assert stored == replace(computed, session_id=begun.session_id) and stored.steps == len(strokes) + 2


def test_older_sessions_are_counted_a_few_at_a_time(
    studio: Studio, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = play(name="A")
    for k in range(4):
        older(studio, first, f"copy-{k}", player_name="B")
    monkeypatch.setattr(results, "SPELL", 0.0)  # then a question computes one
    pending, counted = [], []
    for _ in range(5):
        answer = studio.results.results(STUDIO)
        pending.append(answer.pending)
        counted.append({row.name: row.sessions for row in answer.players}.get("B", 0))
    assert (pending, counted) == ([3, 2, 1, 0, 0], [1, 2, 3, 4, 4])


def test_a_log_that_does_not_fit_its_task_keeps_nobody_from_the_results(
    studio: Studio, play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    first = play(name="A")
    older(studio, first, "no-such-task", task_id="programmatic-99", created_at="2020-01-01")
    older(studio, first, "no-such-metric", metric="beauty/1", start_scores={"metric": "beauty/1", "beauty": 1.0})
    older(studio, first, "sound", player_name="B")
    answer = studio.results.results(STUDIO)
    assert answer.pending == 0 and {row.name for row in answer.players} == {"A", "B", "All people"}
    warned = {record.getMessage().split()[1] for record in caplog.records if "has no figures" in record.getMessage()}
    assert warned == {"no-such-task", "no-such-metric"}


def test_an_answer_is_kept_until_another_session_ends(studio: Studio, play: Play) -> None:
    play(name="A")
    first = studio.results.results(STUDIO)
    under_way = play(name="B", ended=False)
    play(name="B", protocol="practice")
    again = studio.results.results(STUDIO)
    assert again.players[0] is first.players[0]
    submit(studio, under_way)
    assert names(studio) == {"A": 1, "B": 1, "All people": 2}


def test_sessions_that_nobody_ended_stand_beside_those_that_count(studio: Studio, play: Play) -> None:
    play(name="A")
    for seed in range(3):
        play(seed, name="A", ended=False)
    play(name="A", ended=False, protocol="practice")
    studio.sessions.begin(NewSession.model_validate(new_session()))  # without a step: nothing was tried
    rows = studio.results.results(STUDIO).players
    assert {row.name: (row.sessions, row.unfinished) for row in rows} == {"A": (1, 3), "All people": (1, 3)}


def test_nobody_is_ranked_in_the_name_of_a_built_in_painter(studio: Studio) -> None:
    player = {"kind": "painter", "name": "solver"}
    begun = studio.sessions.begin(NewSession.model_validate({**new_session(), "player": player}))
    for body in (paint("r1"), {"request_id": "s", "action": {"kind": "submit"}}):
        studio.sessions.act(begun.session_id, begun.write_token, NewAction.model_validate(body))
    assert names(studio) == {} and not studio.sessions.view(begun.session_id).ranked


def test_questions_are_answered_from_memory_only_so_far(studio: Studio, play: Play) -> None:
    play()
    for k in range(3 * results.KEPT):
        assert studio.results.results(STUDIO._replace(renderer=f"brush/{k}")).renderer == f"brush/{k}"
    assert len(studio.results._answers) == results.KEPT


def test_callers_at_once_get_the_same_answer_while_sessions_end(studio: Studio, play: Play) -> None:
    open_sessions = [play(k, name=f"P{k}", ended=False) for k in range(4)]
    played = play(9, name="Z")
    copies = [older(studio, played, f"copy-{k}", player_name="Y") for k in range(6)]
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(studio.results.results, STUDIO) for _ in range(16)]
        ends = [pool.submit(submit, studio, session_id) for session_id in open_sessions]
        answers = [future.result() for future in asked]
        assert all(future.result() is None for future in ends)
    assert all(sum(row.sessions for row in a.players if row.kind == "human") <= 11 for a in answers)
    assert names(studio) == {**{f"P{k}": 1 for k in range(4)}, "Z": 1, "Y": len(copies), "All people": 11}


def test_more_players_than_a_page_holds_are_all_in_the_file(
    studio: Studio, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MOST_ROWS", 3)
    for k in range(5):
        play(k, name=f"P{k}", kind="agent")
    shown, everyone = studio.results.results(STUDIO), studio.results.all_results(STUDIO)
    assert (len(shown.players), shown.left_out, len(everyone.players), everyone.left_out) == (3, 2, 5, 0)
    assert shown.players == everyone.players[:3]


def test_sessions_of_another_picture_are_neither_ranked_nor_anyones_best(studio: Studio, play: Play) -> None:
    good = play(1, name="A")
    older(studio, good, "other-picture", task_digest="0" * 64, player_name="B", created_at="2020-01-01")
    assert names(studio) == {"A": 1, "All people": 1}
    (best,) = studio.results.best(["programmatic-01"])
    assert best.human and best.human.session_id == good
    assert [entry.session_id for entry in studio.results.gallery()] == [good]


def test_own_pictures_are_in_no_result(studio: Studio, play: Play) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (80, 80, 3), np.uint8)
    play(task_id=studio.tasks.add_own(png.encode(picture), 64, None).id)
    for category in ("all", "programmatic", "semantic"):
        for protocol in (ProtocolName.BENCHMARK, ProtocolName.STUDIO):
            answer = studio.results.results(ResultQuery(category, protocol))
            assert (answer.players, answer.protocols, answer.versions) == ([], [], [])
    assert studio.results.gallery() == []


def test_the_gallery_is_the_best_of_each_task_in_their_order(studio: Studio, play: Play) -> None:
    def play_of(task_id: str, *seeds: int, kind: str = "human") -> list[str]:
        return [play(seed, task_id=task_id, kind=kind) for seed in seeds]

    third, first = play_of("programmatic-03", 1, 2, 3), play_of("programmatic-01", 4, 5, kind="agent")
    wall = studio.results.gallery()
    assert [entry.task_id for entry in wall] == ["programmatic-01", "programmatic-03"]
    for entry, rivals in zip(wall, (first, third), strict=True):
        scores = {rival: studio.sessions.state(rival).score for rival in rivals}
        assert entry.session_id == max(scores, key=lambda rival: scores[rival])
    assert [entry.task_id for entry in studio.results.gallery(["agent"])] == ["programmatic-01"]
