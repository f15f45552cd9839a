"""A reply that could not be read is an action like any other in the log: it costs a step and changes nothing."""

from typing import Any

import pytest

from easel_app.services.problems import Conflict
from easel_app.services.studio import Studio
from easel_app.services.views import Begun, NewAction, NewSession
from easel_app.settings import Settings
from tests.conftest import new_session, paint

REASON = "The reply holds no JSON object."


def begin(studio: Studio, protocol: str = "studio") -> Begun:
    return studio.sessions.begin(NewSession.model_validate(new_session(protocol=protocol)))


def act(studio: Studio, begun: Begun, body: dict[str, Any]) -> Any:
    return studio.sessions.act(begun.session_id, begun.write_token, NewAction.model_validate(body))


def unreadable(request_id: str, reason: str = REASON) -> dict[str, Any]:
    return {"request_id": request_id, "action": {"kind": "invalid", "reason": reason}}


@pytest.mark.parametrize("protocol", ["benchmark", "studio", "practice"])
def test_it_costs_a_step_and_leaves_canvas_and_score(studio: Studio, protocol: str) -> None:
    begun = begin(studio, protocol)
    first = act(studio, begun, paint("one", 1))
    before = studio.sessions.canvas(begun.session_id)
    answer = act(studio, begun, unreadable("two"))
    assert (answer.seq, answer.step, answer.outcome, answer.message) == (2, 2, "invalid", REASON)
    assert answer.scores == first.scores
    assert answer.steps_left == (None if protocol == "practice" else 30)
    assert studio.sessions.canvas(begun.session_id) == before == studio.sessions.canvas(begun.session_id, 2)
    view = studio.sessions.view(begun.session_id)
    assert (view.strokes, len(view.curve), view.ranked) == (1, 3, protocol != "practice")
    entry = list(studio.sessions.log(begun.session_id))[2]
    assert (entry["kind"], entry["params"], entry["outcome"], entry["message"]) == ("invalid", {}, "invalid", REASON)


def test_it_survives_restart_retry_and_rescoring(settings: Settings) -> None:
    studio = Studio(settings)
    begun = begin(studio)
    undos = [{"request_id": name, "action": {"kind": "undo"}} for name in ("three", "four")]
    bodies = [paint("one", 1), unreadable("two"), *undos, unreadable("five", "Zwei."), paint("six", 6)]
    answers = [act(studio, begun, body) for body in bodies]
    assert [a.outcome for a in answers] == ["applied", "invalid", "applied", "rejected", "invalid", "applied"]
    view, canvas = studio.sessions.view(begun.session_id), studio.sessions.canvas(begun.session_id)
    studio.close()
    studio = Studio(settings)
    assert studio.sessions.view(begun.session_id).model_dump() == view.model_dump() and view.intact
    assert studio.sessions.canvas(begun.session_id) == canvas
    assert [act(studio, begun, body) for body in bodies] == answers
    found = list(studio.sessions.rescore())
    assert [(f.actions, f.worst, f.differing) for f in found] == [(6, 0.0, 0)]
    studio.close()


def test_unreadable_replies_use_up_the_budget(studio: Studio) -> None:
    begun = begin(studio, "benchmark")
    for k in range(32):
        answer = act(studio, begun, unreadable(f"r{k}"))
    assert answer.status == "spent"
    with pytest.raises(Conflict, match="All 32 steps"):
        act(studio, begun, unreadable("late"))
    assert studio.sessions.view(begun.session_id).trajectory.best_step == 1
