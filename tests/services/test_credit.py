"""Credits of sessions: of the strokes that lie on the canvas, computed once for all who ask, stopped for nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from easel_app.painting.board import board_for
from easel_app.painting.brush import dressed
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.renderer import render
from easel_app.painting.rollout import Rollout
from easel_app.painting.scores import headline, stored
from easel_app.painting.stroke import PathStroke, Stroke
from easel_app.painting.tasks import digest
from easel_app.services.credit import AT_ONCE, MOST_READINGS, CreditService, Following, StrokeCredit
from easel_app.services.problems import Busy, Conflict, NotFound
from easel_app.services.studio import Studio
from easel_app.services.views import Begun, NewAction, NewFork, NewSession
from tests.conftest import new_session, paint, wait_until
from tests.store.test_records import action, session

UNDO, SUBMIT = {"kind": "undo"}, {"kind": "submit"}


def begin(studio: Studio, task_id: str = "programmatic-01", protocol: str = "studio") -> Begun:
    return studio.sessions.begin(NewSession.model_validate(new_session(task_id, protocol)))


def act(studio: Studio, begun: Begun, *actions: dict[str, Any]) -> None:
    for wish in actions:
        seq = studio.sessions.state(begun.session_id).seq
        whole = NewAction.model_validate({"request_id": f"r{seq + 1}", "action": wish})
        studio.sessions.act(begun.session_id, begun.write_token, whole)


def stroke(seed: int) -> dict[str, Any]:
    return dict(paint("", seed)["action"])


def path(vector: np.ndarray) -> dict[str, Any]:
    return {"kind": "brush_stroke", "stroke": PathStroke.from_vector(vector).model_dump()}


def slow(studio: Studio, name: str, strokes: int, *, broken: bool = False) -> str:
    """A session whose credits take 0.1 s each, put into the store without the readings that painting it would cost."""
    task = studio.tasks.get("handwriting-128-5")
    rollout, records = Rollout(task, ProtocolName.PRACTICE), []
    begun = session(
        name, task_id=task.id, task_digest=task.digest, protocol="practice", metric=task.metric, task_set=task.task_set,
        start_scores=stored(rollout.scores),
    )  # fmt: skip
    for seq, numbers in enumerate(np.random.default_rng(len(name)).random((strokes, 6)), 1):
        rollout.lay(numbers, rollout.scores)
        record = action(
            seq, session_id=name, params=PathStroke.from_vector(numbers).model_dump(), scores=begun.start_scores,
            canvas_digest="broken" if broken else digest(rollout.pixels),
        )  # fmt: skip
        records.append(record)
    studio.sessions._store.adopt(begun, records)
    return name


def collected(following: Following) -> list[StrokeCredit]:
    async def all_of_them() -> list[StrokeCredit]:
        with closing(following):
            return [credit async for found in following.credits() for credit in found]

    with ThreadPoolExecutor(1) as pool:  # the browser's driver holds a loop in this thread
        return pool.submit(asyncio.run, all_of_them()).result()


def naive(studio: Studio, session_id: str) -> list[tuple[int, float]]:
    """Seq and score without, from the log alone: what lies on the canvas is repainted without each stroke."""
    begun, records = studio.sessions.records(session_id)
    task, lying = studio.tasks.get(begun.task_id), []
    for record in records:
        if record.outcome == "applied" and record.kind == "brush_stroke":
            form = PathStroke if task.kind.semantic else Stroke
            vector = form.model_validate(record.params).to_vector()
            lying.append((record.seq, dressed(vector) if task.kind.semantic else vector))
        elif record.outcome == "applied" and record.kind == "undo":
            lying.pop()
    board, found = board_for(task, skia=True), []
    for seq, _ in lying:
        board.load(render(np.array([vector for other, vector in lying if other != seq]), task.start))
        found.append((seq, headline(board.scores())))
    return found


@pytest.fixture
def service(studio: Studio) -> Iterator[CreditService]:
    """One that waits for nothing, with the studio's sessions."""
    with closing(CreditService(studio.sessions, patience=0.0)) as made:
        yield made


def test_strokes_that_were_undone_have_no_credit_and_all_others_that_of_a_repaint(studio: Studio) -> None:
    begun = begin(studio)
    act(studio, begun, stroke(1), stroke(2), UNDO, stroke(3), stroke(4), UNDO, UNDO, stroke(5), stroke(6), SUBMIT)
    following = studio.credit.follow(begun.session_id)
    found, view = collected(following), studio.sessions.view(begun.session_id)
    assert (following.seq, following.of, following.score) == (10, 3, view.score)
    assert [(credit.seq, credit.without) for credit in found] == naive(studio, begun.session_id)
    assert [credit.seq for credit in found] == [1, 8, 9]
    assert all(credit.credit == view.score - credit.without for credit in found)


def test_a_rejected_stroke_of_a_maze_has_none_and_a_legal_one_that_of_progress(studio: Studio) -> None:
    begun = begin(studio, "maze-64-7", "benchmark")
    through_walls = path(np.array([0.0, 0.0, 0.5, 0.5, 1.0, 1.0]))
    act(studio, begun, through_walls, path(np.array([0.01] * 6)), through_walls)
    found = collected(studio.credit.follow(begun.session_id))
    assert [(credit.seq, credit.without) for credit in found] == naive(studio, begun.session_id)
    assert [credit.seq for credit in found] == [2]


def test_a_canvas_without_strokes_is_done_at_once_and_no_session_is_not_found(studio: Studio) -> None:
    begun = begin(studio)
    act(studio, begun, stroke(1), UNDO)
    following = studio.credit.follow(begun.session_id)
    assert (following.of, following.seq, collected(following)) == (0, 2, [])
    with pytest.raises(NotFound):
        studio.credit.follow("nothing")


def test_a_fork_and_a_submit_ask_for_nothing_new(studio: Studio) -> None:
    begun = begin(studio)
    act(studio, begun, stroke(1), stroke(2), stroke(3))
    first = collected(studio.credit.follow(begun.session_id))
    known = list(studio.credit._computations)
    copy = studio.sessions.fork(
        begun.session_id, NewFork.model_validate({"step": 3, "player": new_session()["player"]})
    )
    act(studio, begun, SUBMIT)
    assert collected(studio.credit.follow(copy.session_id)) == first
    assert collected(studio.credit.follow(begun.session_id)) == first
    assert list(studio.credit._computations) == known and len(known) == 1
    act(studio, copy, stroke(4))
    longer = collected(studio.credit.follow(copy.session_id))
    assert [(credit.seq, credit.without) for credit in longer] == naive(studio, copy.session_id)
    assert [credit.seq for credit in longer] == [1, 2, 3, 4]


def test_many_callers_of_one_session_share_one_computation(studio: Studio) -> None:
    begun = begin(studio, "natural-01")
    act(studio, begun, *(stroke(k) for k in range(30)))
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda _: collected(studio.credit.follow(begun.session_id)), range(24)))
    assert all(credits == found[0] for credits in found)
    assert [(credit.seq, credit.without) for credit in found[0]] == naive(studio, begun.session_id)
    assert len(studio.credit._computations) == 1


def test_a_computation_goes_on_for_the_last_who_follows_and_ends_with_nobody(
    studio: Studio, service: CreditService
) -> None:
    long = slow(studio, "long", 200)
    one, two = service.follow(long), service.follow(long)
    (computation,) = service._computations.values()
    assert computation.followers == {one, two}
    one.close()
    one.close()
    seen = len(computation.found)
    wait_until(lambda: len(computation.found) > seen + 1, 30)
    two.close()
    stopped_at = len(computation.found)
    wait_until(lambda: not service._at_work, 30)
    assert len(computation.found) <= stopped_at + 1 < computation.of
    assert not service._computations, "half a result is kept for nobody"
    again = service.follow(long)
    wait_until(lambda: bool(next(iter(service._computations.values())).found), 30)
    again.close()


def test_two_computations_at_once_and_the_third_is_told_to_wait(studio: Studio, service: CreditService) -> None:
    quick = begin(studio)
    act(studio, quick, stroke(1))
    running = [service.follow(slow(studio, "x" * k, 200)) for k in range(1, AT_ONCE + 1)]
    with pytest.raises(Busy, match="try again"):
        service.follow(quick.session_id)
    joined = service.follow("x")  # what is under way may be joined
    joined.close()
    running[0].close()
    wait_until(lambda: len(service._at_work) < AT_ONCE, 30)
    assert len(collected(service.follow(quick.session_id))) == 1
    running[1].close()


def test_who_has_patience_gets_the_turn_of_one_who_left(studio: Studio) -> None:
    quick = begin(studio)
    act(studio, quick, stroke(1))
    with closing(CreditService(studio.sessions, patience=30.0)) as service, ThreadPoolExecutor(1) as pool:
        running = [service.follow(slow(studio, "x" * k, 200)) for k in range(1, AT_ONCE + 1)]
        waiting = pool.submit(service.follow, quick.session_id)
        assert not waiting.done()
        running[1].close()
        assert len(collected(waiting.result(30))) == 1
        running[0].close()


def test_who_follows_when_the_studio_closes_is_told(studio: Studio, service: CreditService) -> None:
    following = service.follow(slow(studio, "long", 200))
    service.close()
    service.close()
    with pytest.raises(RuntimeError, match="not computed to their end"):
        collected(following)
    assert not service._at_work and not service._computations


def test_what_would_take_minutes_is_refused_with_a_way_out(studio: Studio, service: CreditService) -> None:
    with pytest.raises(Conflict, match=rf"{MOST_READINGS + 1} strokes lie .* at most {MOST_READINGS} .* earlier step"):
        service.follow(slow(studio, "over", MOST_READINGS + 1))
    copy = studio.sessions.fork(
        "over", NewFork.model_validate({"step": MOST_READINGS, "player": new_session()["player"]})
    )
    with closing(service.follow(copy.session_id)) as following:
        assert following.of == MOST_READINGS


def test_a_log_that_does_not_give_the_recorded_canvas_is_not_credited(studio: Studio, service: CreditService) -> None:
    with pytest.raises(Conflict) as refused:
        service.follow(slow(studio, "broken", 3, broken=True))
    assert refused.value.code == "not_intact"


def test_the_credits_kept_are_those_asked_for_last_and_bounded(studio: Studio) -> None:
    with closing(CreditService(studio.sessions, most_kept=8)) as service:
        sessions = [begin(studio) for _ in range(4)]
        for k, begun in enumerate(sessions):
            act(studio, begun, stroke(k), stroke(k + 10))

        def ask(k: int) -> str:
            collected(service.follow(sessions[k].session_id))
            wait_until(lambda: not service._at_work)
            return next(reversed(service._computations))

        keys = [ask(0), ask(1), ask(0), ask(2)]
        assert list(service._computations) == [keys[0], keys[3]]
        ask(3)
        assert keys[0] not in service._computations
        assert ask(0) == keys[0], "what was forgotten is computed anew"
