"""Hypothesis paints, takes back, submits, retries and reopens sessions at will; a plain model says what must be."""

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
from easel_app.services.problems import Conflict
from easel_app.services.studio import Studio
from easel_app.services.views import Answer, NewAction, NewSession, Player
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
        self.answers: list[tuple[NewAction, Answer]] = []
        self.step = 0
        self.submitted = False

    def open(self) -> None:
        self.studio = Studio(Settings(data_dir=self.folder, open_sessions=1))

    def teardown(self) -> None:
        if hasattr(self, "studio"):
            self.studio.close()
            shutil.rmtree(self.folder)

    @property
    def closed(self) -> bool:
        return self.submitted or (self.protocol != "practice" and self.step >= BUDGET)

    def send(self, action: dict[str, Any]) -> Answer:
        wish = NewAction.model_validate({"request_id": f"r{len(self.answers)}", "action": action})
        answer = self.studio.sessions.act(self.id, self.token, wish)
        self.answers.append((wish, answer))
        return answer

    def refuse(self, action: dict[str, Any]) -> None:
        wish = NewAction.model_validate({"request_id": "refused", "action": action})
        with pytest.raises(Conflict):
            self.studio.sessions.act(self.id, self.token, wish)

    @rule(values=numbers)
    def paint(self, values: list[float]) -> None:
        action = {"kind": "brush_stroke", "stroke": dict(zip(STROKE_FIELDS, values, strict=True))}
        if self.closed:
            self.refuse(action)
            return
        self.strokes.append(values)
        self.step += 1
        assert self.send(action).outcome == "applied"

    @rule()
    def undo(self) -> None:
        if self.closed or self.protocol == "benchmark":
            self.refuse({"kind": "undo"})
            return
        self.step += 1
        assert self.send({"kind": "undo"}).outcome == ("applied" if self.strokes else "rejected")
        self.strokes = self.strokes[:-1]

    @precondition(lambda self: self.step > 3)
    @rule()
    def submit(self) -> None:
        if self.closed or self.protocol == "benchmark":
            self.refuse({"kind": "submit"})
            return
        self.send({"kind": "submit"})
        self.submitted = True

    @precondition(lambda self: self.answers)
    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        wish, first = data.draw(st.sampled_from(self.answers))
        assert self.studio.sessions.act(self.id, self.token, wish) == first

    @rule()
    def restart(self) -> None:
        self.studio.close()
        self.open()

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
        assert view.intact
        assert len(view.similarities) == self.step + 1
        assert view.status == ("submitted" if self.submitted else "spent" if self.closed else "open")
        want = render(np.array(self.strokes).reshape(-1, 13), np.full((64, 64, 3), 255, np.uint8))
        assert (png.decode(self.studio.sessions.canvas(self.id)) == want).all()


TestPaintingSession = PaintingSession.TestCase
TestPaintingSession.settings = settings(
    max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
