"""Hypothesis paints, takes turns, submits, retries and reopens sessions at will; a plain model says what must be."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from easel_app.painting import png
from easel_app.painting.renderer import render
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.services.problems import Conflict, Refusal
from easel_app.services.studio import Studio
from easel_app.services.views import Answer, NewAction, NewGuest, NewSession, Player, Sharing
from easel_app.settings import Settings
from tests.conftest import new_session

BUDGET = 32
numbers = st.lists(st.floats(0.0, 1.0, width=32), min_size=13, max_size=13)


class PaintingSession(RuleBasedStateMachine):
    """One session in a studio whose memory holds a single one, beside a list of strokes."""

    @initialize(protocol=st.sampled_from(["studio", "benchmark", "practice"]))
    def begin(self, protocol: str) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.open()
        self.protocol = protocol
        begun = self.studio.sessions.begin(NewSession.model_validate(new_session(protocol=protocol)))
        self.id, self.token = begun.session_id, begun.write_token
        self.strokes: list[list[float]] = []
        self.answers: list[tuple[str, NewAction, Answer]] = []
        self.step = 0
        self.submitted = self.guested = self.shared = self.guests_turn = False
        self.guest = ""

    def open(self) -> None:
        self.studio = Studio(Settings(data_dir=self.folder, open_sessions=1))

    def teardown(self) -> None:
        if hasattr(self, "studio"):
            self.studio.close()
            shutil.rmtree(self.folder)

    @property
    def closed(self) -> bool:
        return self.submitted or (self.protocol != "practice" and self.step >= BUDGET)

    def send(self, action: dict[str, Any], by_guest: bool) -> Answer | None:
        """The answer, or None when it must be and was refused."""
        token = self.guest if by_guest else self.token
        wish = NewAction.model_validate({"request_id": f"r{len(self.answers)}", "action": action})
        strokes_only = self.protocol == "benchmark" and action["kind"] in ("undo", "submit")
        if self.closed or strokes_only or (self.guests_turn and not by_guest):
            with pytest.raises(Conflict):
                self.studio.sessions.act(self.id, token, wish)
            return None
        answer = self.studio.sessions.act(self.id, token, wish)
        self.answers.append((token, wish, answer))
        if by_guest:
            self.guested = self.guests_turn = True
        return answer

    def who(self, by_guest: bool) -> bool:
        return by_guest and bool(self.guest)

    @rule(values=numbers, by_guest=st.booleans())
    def paint(self, values: list[float], by_guest: bool) -> None:
        action = {"kind": "brush_stroke", "stroke": dict(zip(STROKE_FIELDS, values, strict=True))}
        if answer := self.send(action, self.who(by_guest)):
            assert answer.outcome == "applied"
            self.strokes.append(values)
            self.step += 1

    @rule(by_guest=st.booleans())
    def undo(self, by_guest: bool) -> None:
        if answer := self.send({"kind": "undo"}, self.who(by_guest)):
            assert answer.outcome == ("applied" if self.strokes else "rejected")
            self.strokes = self.strokes[:-1]
            self.step += 1

    @rule()
    def say_what_nobody_can_read(self) -> None:
        if answer := self.send({"kind": "invalid", "reason": "No action."}, by_guest=False):
            assert (answer.outcome, answer.message) == ("invalid", "No action.")
            self.step += 1

    @precondition(lambda self: self.step > 3)
    @rule()
    def submit(self) -> None:
        self.submitted = self.submitted or self.send({"kind": "submit"}, by_guest=False) is not None

    @precondition(lambda self: self.answers)
    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        token, wish, first = data.draw(st.sampled_from(self.answers))
        if token in (self.token, self.guest):
            assert self.studio.sessions.act(self.id, token, wish) == first

    @rule(shared=st.booleans())
    def share(self, shared: bool) -> None:
        self.studio.sessions.share(self.id, self.token, Sharing(shared=shared))
        self.shared = shared
        if not shared:
            self.guest, self.guests_turn = "", False

    @precondition(lambda self: not self.guest)
    @rule()
    def join(self) -> None:
        if self.shared:
            self.guest = self.studio.sessions.join(self.id, NewGuest(name="Ada")).guest_token
            return
        with pytest.raises(Refusal, match="does not share"):
            self.studio.sessions.join(self.id, NewGuest(name="Ada"))

    @rule(by_guest=st.booleans())
    def hand_back(self, by_guest: bool) -> None:
        self.studio.sessions.hand_back(self.id, self.guest if self.who(by_guest) else self.token)
        self.guests_turn = False

    @rule()
    def restart(self) -> None:
        self.studio.close()
        self.open()
        self.guest, self.guests_turn = "", False

    @rule()
    def crowd_out(self) -> None:
        other = NewSession(task_id="programmatic-02", player=Player(kind="human", name="Other"))
        self.studio.sessions.begin(other)

    @invariant()
    def canvas_and_view_are_what_the_model_says(self) -> None:
        if not hasattr(self, "studio"):
            return
        view = self.studio.sessions.view(self.id)
        assert (view.step, view.seq, view.strokes) == (self.step, len(self.answers), len(self.strokes))
        assert view.intact and view.ranked == (self.protocol != "practice" and not self.guested)
        assert (view.turn.shared, view.turn.guest) == (self.shared, "Ada" if self.guests_turn else None)
        assert len(view.curve) == self.step + 1
        assert view.status == ("submitted" if self.submitted else "spent" if self.closed else "open")
        want = render(np.array(self.strokes).reshape(-1, 13), np.full((64, 64, 3), 255, np.uint8))
        assert (png.decode(self.studio.sessions.canvas(self.id)) == want).all()


TestPaintingSession = PaintingSession.TestCase
TestPaintingSession.settings = settings(
    max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
