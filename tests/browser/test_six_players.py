"""A person, MCP, REST, Gymnasium, a run and a painter leave the same kind of record, and each replays to its digest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest

from easel_app.painting.env import PaintingEnv, catalogue
from easel_app.painting.renderer import render
from easel_app.painting.stroke import STROKE_FIELDS, Stroke
from easel_app.painting.tasks import digest
from easel_app.recording import Recorded
from tests.browser.easel import Easel
from tests.conftest import Server, wait_until
from tests.endpoint import Answer, endpoint
from tests.endpoint.painter import say
from tests.web.agent import Agent, play

pytestmark = pytest.mark.browser
TASK = "programmatic-05"
LINES = [((0.1, 0.2), (0.5, 0.4), (0.9, 0.2)), ((0.2, 0.8), (0.5, 0.5), (0.8, 0.9)), ((0.5, 0.1), (0.4, 0.9))]
Strokes = list[dict[str, float]]
Log = list[dict[str, Any]]


def log_of(server: Server, session_id: str) -> Log:
    return [json.loads(line) for line in httpx.get(f"{server.url}/api/sessions/{session_id}/log").text.splitlines()]


def by_hand(easel: Easel) -> str:
    for points in LINES:
        easel.paint(*points)
    easel.press("Shift+Enter")
    easel.page.get_by_role("button", name="Submit", exact=True).last.click()
    wait_until(lambda: easel.view()["status"] == "submitted")
    return easel.session_id


def by_mcp(server: Server, strokes: Strokes) -> str:
    async def scene(agent: Agent) -> str:
        await agent.start(TASK, protocol="studio")
        for stroke in strokes:
            await agent.paint(stroke)
        await agent.do("submit", **agent.mine)
        return agent.mine["session_id"]

    return play(server.url, scene)


def by_rest(server: Server, strokes: Strokes) -> str:
    with httpx.Client(base_url=server.url) as client:
        player = {"kind": "agent", "name": "REST"}
        begun = client.post("/api/sessions", json={"task_id": TASK, "protocol": "studio", "player": player}).json()
        path = f"/api/sessions/{begun['session_id']}/actions"
        headers = {"Authorization": f"Bearer {begun['write_token']}"}
        actions = [{"kind": "brush_stroke", "stroke": stroke} for stroke in strokes]
        for at, action in enumerate([*actions, {"kind": "submit"}]):
            client.post(path, json={"request_id": str(at), "action": action}, headers=headers).raise_for_status()
    return str(begun["session_id"])


def by_gymnasium(server: Server, strokes: Strokes) -> str:
    env = Recorded(PaintingEnv(TASK, protocol="studio"), server.url)
    _, info = env.reset()
    for stroke in strokes:
        env.step({"kind": 0, "stroke": np.array([stroke[name] for name in STROKE_FIELDS])})
    env.step({"kind": 2, "stroke": np.zeros(13)})
    env.close()
    return str(info["session_id"])


def by_run(server: Server, strokes: Strokes) -> str:
    left: Iterator[dict[str, float]] = iter(strokes)

    def model(number: int, body: dict[str, Any], headers: dict[str, str]) -> Answer:
        stroke = next(left, None)
        return say(body, stroke) if stroke else say(body, {}, name="submit")

    with endpoint(model) as running:
        wish = {"base_url": running.url, "model": "scripted", "tasks": [TASK], "protocol": "studio"}
        run = httpx.post(f"{server.url}/api/runs", json=wish).json()
        wait_until(lambda: httpx.get(f"{server.url}/api/runs/{run['run_id']}").json()["state"] == "finished", 30)
        (session,) = httpx.get(f"{server.url}/api/sessions", params={"run": run["run_id"]}).json()
    return str(session["session_id"])


def by_painter(server: Server) -> str:
    with httpx.Client(base_url=server.url) as client:
        player = {"kind": "painter", "name": "Greedy painter"}
        begun = client.post("/api/sessions", json={"task_id": TASK, "protocol": "studio", "player": player}).json()
        path, headers = f"/api/sessions/{begun['session_id']}", {"Authorization": f"Bearer {begun['write_token']}"}
        client.post(f"{path}/painter", json={"painter": "greedy"}, headers=headers).raise_for_status()
        wait_until(lambda: client.get(path).json()["status"] == "spent", 30)
    return str(begun["session_id"])


def replayed(log: Log) -> str:
    """Digest of the canvas that the log's strokes make, by skia and from nothing but the log."""
    task = catalogue().get(TASK)
    assert task
    painted = [entry["params"] for entry in log if entry.get("kind") == "brush_stroke"]
    strokes = [Stroke.model_validate(params).to_vector() for params in painted]
    return digest(render(np.array(strokes), task.start))


def test_six_players_leave_one_kind_of_record(easels: Any, server: Server) -> None:
    easel: Easel = easels(f"?task={TASK}")
    person = by_hand(easel)
    strokes = easel.strokes()
    assert len(strokes) == len(LINES)
    sessions = {
        "person": person,
        "mcp": by_mcp(server, strokes),
        "rest": by_rest(server, strokes),
        "gymnasium": by_gymnasium(server, strokes),
        "run": by_run(server, strokes),
        "painter": by_painter(server),
    }
    logs = {name: log_of(server, session_id) for name, session_id in sessions.items()}
    kinds = {name: log[0]["player_kind"] for name, log in logs.items()}
    assert kinds == {**dict.fromkeys(sessions, "agent"), "person": "human", "painter": "painter"}
    assert len({tuple(entry) for log in logs.values() for entry in log}) == 2, "one form of a session, one of an action"
    for name, log in logs.items():
        assert replayed(log) == log[-1]["canvas_digest"], name
        assert [entry["seq"] for entry in log[1:]] == list(range(1, len(log)))
    told = ("seq", "kind", "params", "outcome", "message", "step", "status", "scores", "canvas_digest")
    del logs["painter"]  # who chooses the strokes itself
    same = {name: [[entry[key] for key in told] for entry in log[1:]] for name, log in logs.items()}
    assert all(actions == same["person"] for actions in same.values()), "the same strokes make the same record"
