"""Semantic tasks over REST and MCP: what is told, what is refused, and what no player may learn."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
from fastapi.testclient import TestClient

from easel_app.painting.env import find_task
from easel_app.painting.painters import painter
from easel_app.painting.stroke import LOOK_FIELDS, PATH_FIELDS
from easel_app.services.studio import Studio
from tests.conftest import Server, Session, stroke, wait_until
from tests.web.agent import Agent, play

Begin = Callable[..., Session]
WALL = dict(zip(PATH_FIELDS, [0.0, 0.0, 0.5, 0.5, 1.0, 1.0], strict=True))
DOT = dict(zip(PATH_FIELDS, [0.5, 0.5, 0.5, 0.5, 0.52, 0.5], strict=True))


def act(session: Session, path: dict[str, Any], request_id: str) -> httpx.Response:
    return session.act({"request_id": request_id, "action": {"kind": "brush_stroke", "stroke": path}})


def test_a_maze_from_the_first_wall_to_the_evidence(begin: Begin, client: TestClient) -> None:
    session = begin(task_id="maze-64-7", protocol="benchmark")
    assert session.begun["task"]["kind"] == "maze" and session.begun["task"]["brush"]["radius"] == 0.04
    answer = act(session, WALL, "wall").json()
    assert (answer["outcome"], answer["steps_left"], answer["score"]) == ("rejected", 127, 0.0)
    assert f"({answer['contact']['x']:.3f}, {answer['contact']['y']:.3f})" in answer["message"]
    task = find_task("maze-64-7")
    assert task
    hired, canvas = painter("solver", task.reference, task.budget, 0, task.truth), task.start
    from easel_app.painting.brush import dressed
    from easel_app.painting.renderer import render

    while (found := hired.next(canvas, 0)) is not None:
        answer = act(session, dict(zip(PATH_FIELDS, found.tolist(), strict=True)), f"s{answer['seq']}").json()
        canvas = render(np.array([dressed(found)]), canvas)
    assert client.get(f"/api/sessions/{session.id}/overlay").json()["error"]["code"] == "not_ended"
    ended = session.do("submit", "end").json()
    assert (ended["status"], ended["score"]) == ("submitted", 1.0)
    assert ended["scores"]["metric"] == "maze/1" and ended["scores"]["reached"] == ended["scores"]["cells"]
    overlay = client.get(f"/api/sessions/{session.id}/overlay").json()
    assert overlay["score"] == 1.0 and overlay["legend"] and overlay["png"]
    view = session.view()
    assert view["conduct"]["rejected_rate"] == 1 / view["step"] and view["curve"][-1] == 1.0
    log = session.log()
    assert log[0]["metric"] == "maze/1" and log[0]["task_set"] == "mazes/1"
    assert log[1]["params"] == WALL and log[1]["outcome"] == "rejected"


def test_numbers_of_the_look_are_refused_by_name_and_cost_nothing(begin: Begin) -> None:
    session = begin(task_id="hello", protocol="benchmark")
    refused = act(session, stroke(1), "x")
    assert refused.status_code == 422 and refused.json()["error"]["code"] == "wrong_stroke"
    assert all(name in refused.json()["error"]["message"] for name in LOOK_FIELDS)
    for name in PATH_FIELDS:
        for value in (-0.01, 1.01, "0.5", None, True, [], 1e309):
            body = json.dumps({"request_id": "x", "action": {"kind": "brush_stroke", "stroke": {**DOT, name: value}}})
            url = f"/api/sessions/{session.id}/actions"
            headers = {**session.headers, "content-type": "application/json"}
            answer = session.client.post(url, content=body, headers=headers)
            assert answer.status_code == 422 and name in answer.json()["error"]["message"]
        short = {key: value for key, value in DOT.items() if key != name}
        assert f"{name} is missing" in act(session, short, "x").json()["error"]["message"]
    assert act(session, {**DOT, "pressure": 0.5}, "x").status_code == 422
    assert session.view()["seq"] == 0


def test_no_answer_of_the_task_gives_it_away(client: TestClient, begin: Begin) -> None:
    for task_id in ("apple-outline", "harder-maze", "hello", "maze-64-7"):
        session = begin(task_id=task_id, protocol="benchmark")
        act(session, DOT, "p")
        texts = [client.get(f"/api/tasks/{task_id}").text, json.dumps(session.begun), json.dumps(session.view())]
        texts += [json.dumps(session.log())]
        for word in ('"mask"', '"route"', '"walls"', '"truth"', '"word"', "sha256"):
            assert not any(word in text for text in texts), f"{task_id} tells its {word}"
        assert client.get(f"/api/sessions/{session.id}/overlay").status_code == 409


def test_a_generated_task_is_served_by_its_name_and_is_in_no_list(client: TestClient) -> None:
    found = client.get("/api/tasks/maze-512-7").json()
    assert (found["width"], found["budget"], found["category"]) == (512, 128, "generated")
    picture = client.get("/api/tasks/maze-512-7/reference.png")
    assert picture.status_code == 200 and picture.headers["content-type"] == "image/png"
    assert "maze-512-7" not in {task["id"] for task in client.get("/api/tasks").json()}
    for name in ("maze-513-7", "maze-512-07", "maze-512-99999999999"):
        assert client.get(f"/api/tasks/{name}").status_code == 404


def test_the_best_are_told_for_the_five(client: TestClient, begin: Begin) -> None:
    session = begin(task_id="circle-outline", protocol="benchmark")
    session.do("submit", "end")
    rows = client.get("/api/tasks/best").json()
    assert [row["task_id"] for row in rows][:2] == ["circle-outline", "apple-outline"] and len(rows) == 5
    assert rows[0]["human"] == {"session_id": session.id, "player": "Tester", "score": 0.0, "step": 0}
    assert rows[0]["agent"] is rows[0]["painter"] is rows[1]["human"] is None


def test_a_painter_draws_what_it_can_and_submits(studio: Studio, client: TestClient, begin: Begin) -> None:
    session = begin(task_id="circle-outline", protocol="benchmark")
    url = f"/api/sessions/{session.id}/painter"
    refused = client.post(url, json={"painter": "solver"}, headers=session.headers)
    assert refused.status_code == 422
    assert refused.json()["error"]["message"] == "solver cannot paint this task; tracer can."
    assert client.post(url, json={"painter": "tracer"}, headers=session.headers).status_code == 202
    wait_until(lambda: session.view()["status"] == "submitted", 30)
    assert session.view()["score"] > 0.95


def test_an_agent_draws_by_mcp_with_six_numbers_and_sees_one_picture_of_a_blank_page(server: Server) -> None:
    async def scene(agent: Agent) -> None:
        begun = await agent.start(task_id="hello", protocol="benchmark")
        assert "call submit when you are done" in begun["next"] and '"hello"' in begun["instruction"]
        seen = await agent.call("observe", **agent.mine)
        assert [part.type for part in seen.content] == ["text", "image", "text"]
        told = await agent.do("brush_stroke", **agent.mine, **DOT)
        assert (told["outcome"], told["step"]) == ("applied", 1)
        assert "six coordinates of a path only" in await agent.refused("brush_stroke", **agent.mine, **stroke(1))
        assert "six coordinates of a path only" in await agent.refused(
            "brush_stroke", **agent.mine, **DOT, radius_start=0.1
        )
        assert (await agent.do("undo", **agent.mine))["step"] == 2
        assert (await agent.do("submit", **agent.mine))["status"] == "submitted"
        scores = await agent.do("get_scores", session_id=agent.mine["session_id"])
        assert scores["score"] == 0.0 and scores["scores"]["metric"] == "handwriting/1" and scores["anchors"] is None
        assert scores["conduct"]["undos"] == 1

    play(server.url, scene)


def test_an_agent_is_told_where_it_met_a_wall(server: Server) -> None:
    async def scene(agent: Agent) -> None:
        await agent.start(task_id="harder-maze", protocol="benchmark")
        told = await agent.do("brush_stroke", **agent.mine, **WALL)
        assert told["outcome"] == "rejected" and told["message"].startswith("The stroke touches a wall at (0.")
        seen = await agent.call("observe", **agent.mine)
        assert "touches a wall" in seen.content[-1].text and len(seen.content) == 5  # type: ignore[union-attr]

    play(server.url, scene)
