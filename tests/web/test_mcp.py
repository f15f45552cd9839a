"""An agent on the official MCP client plays as a REST client does, and leaves the same record."""

import asyncio
import io
import json
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest
from mcp import Client
from PIL import Image

from easel_app.painting.showing import Look, show
from tests.conftest import Server, Session, stroke
from tests.web.agent import MODES, Agent, play


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


def picture(http: httpx.Client, path: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(http.get(path).raise_for_status().content)).convert("RGB"))


def log(http: httpx.Client, session_id: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in http.get(f"/api/sessions/{session_id}/log").text.splitlines()]


@pytest.mark.parametrize("era", MODES)
def test_a_whole_session_leaves_the_log_that_rest_leaves(server: Server, http: httpx.Client, era: str) -> None:
    async def scene(agent: Agent) -> dict[str, Any]:
        assert agent.client.protocol_version == era
        listed = await agent.do("list_tasks", category="programmatic")
        begun = await agent.start(listed["tasks"][0]["id"], model="some-model")
        assert begun["watch_url"] == f"{server.url}/?tab=watch&session={begun['session_id']}"
        assert (begun["budget"], begun["steps_left"]) == (32, 32)
        assert "observe" in begun["next"] and begun["instruction"]
        _, canvas, seen = await agent.look(**agent.mine)
        assert (canvas == 255).all() and seen["last"] is None
        for seed in range(3):
            answer = await agent.paint(stroke(seed))
            assert answer == {"outcome": "applied", "message": "", "step": seed + 1, "steps_left": 31 - seed,
                              "status": "open"}  # fmt: skip
        assert (await agent.do("undo", **agent.mine))["step"] == 4
        done = await agent.do("submit", **agent.mine)
        assert (done["step"], done["status"]) == (4, "submitted")
        scores = await agent.do("get_scores", session_id=begun["session_id"])
        return {**begun, "scores": scores}

    told = play(server.url, scene, MODES[era])
    view = http.get(f"/api/sessions/{told['session_id']}").json()
    assert view["player"] == {"kind": "agent", "name": "Tester", "model": "some-model"}
    assert told["scores"] == {
        "anchors": view["task"]["anchors"],
        **{name: view[name] for name in ("status", "step", "steps_left", "score", "scores", "trajectory", "conduct")},
    }

    same = Session(http, task_id="programmatic-01")
    for seed in range(3):
        same.paint(seed)
    same.do("undo", "u")
    same.do("submit", "s")

    def deeds(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        differ = ("session_id", "request_id", "actor", "at")
        return [{name: value for name, value in entry.items() if name not in differ} for entry in entries[1:]]

    mcp = log(http, told["session_id"])
    assert deeds(mcp) == deeds(same.log())
    assert {entry["actor"] for entry in mcp[1:]} == {"agent"}
    assert len({entry["request_id"] for entry in mcp[1:]}) == 5
    assert told["write_token"] not in json.dumps(mcp)


def test_observe_shows_the_bytes_of_reference_and_canvas(server: Server, http: httpx.Client) -> None:
    async def scene(agent: Agent) -> list[Any]:
        await agent.start("natural-01")
        await agent.paint(stroke(1))
        plain = await agent.look(session_id=agent.mine["session_id"])
        large = await agent.look(**agent.mine, scale=3, grid=True)
        return [agent.mine["session_id"], plain, large]

    session_id, plain, large = play(server.url, scene)
    reference = picture(http, "/api/tasks/natural-01/reference.png")
    canvas = picture(http, f"/api/sessions/{session_id}/canvas.png")
    assert (plain[0] == reference).all() and (plain[1] == canvas).all()
    look = Look(scale=3, grid=True)
    assert (large[0] == show(reference, look)).all() and (large[1] == show(canvas, look)).all()
    assert (plain[2]["scale"], plain[2]["grid"]) == (1, False)
    assert (large[2]["scale"], large[2]["grid"]) == (3, True)
    assert plain[2]["last"]["outcome"] == "applied" and "scores" not in plain[2]["last"]


def test_what_an_agent_saw_is_on_record_only_when_it_shows_its_token(server: Server, http: httpx.Client) -> None:
    async def scene(agent: Agent) -> str:
        await agent.start()
        await agent.look(session_id=agent.mine["session_id"])
        await agent.look(**agent.mine, scale=2)
        await agent.look(**agent.mine, scale=2)
        return agent.mine["session_id"]

    evidence = http.get(f"/api/sessions/{play(server.url, scene)}/evidence").text.splitlines()
    seen = [json.loads(line) for line in evidence]
    assert [entry["type"] for entry in seen] == ["observation"], "twice the same pictures are one observation"
    assert "scale" in evidence[0]


def test_pages_of_tasks_hold_each_task_once(server: Server, http: httpx.Client) -> None:
    async def scene(agent: Agent) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        offset: int | None = 0
        while offset is not None:
            page = await agent.do("list_tasks", offset=offset, limit=40)
            rows, offset = rows + page["tasks"], page["next_offset"]
        assert page["total"] == 115
        assert page["categories"] == ["programmatic", "spatial", "abstract", "natural", "semantic"]
        natural = await agent.do("list_tasks", category="natural")
        assert (natural["total"], natural["next_offset"], len(natural["tasks"])) == (40, 25, 25)
        assert (await agent.do("list_tasks", offset=5000))["tasks"] == []
        assert "programmatic" in await agent.refused("list_tasks", category="sculpture")
        return rows

    listed = http.get("/api/tasks").json()
    rows = play(server.url, scene)
    assert [row["id"] for row in rows] == [task["id"] for task in listed]
    assert set(rows[0]) == {"id", "kind", "title", "category", "width", "budget", "anchors"}
    assert rows[0]["anchors"]["blank"] == pytest.approx(listed[0]["anchors"]["blank"], abs=5e-5)
    assert len(json.dumps(rows)) < 300 * len(rows), "the list must fit into a model's window"


def test_a_call_with_a_known_request_id_gets_the_first_answer(server: Server) -> None:
    async def scene(agent: Agent) -> None:
        await agent.start()
        first = await agent.paint(stroke(1), request_id="same")
        assert await agent.paint(stroke(2), request_id="same") == first
        assert (await agent.paint(stroke(2)))["step"] == 2, "without an id each call is a new action"
        assert (await agent.paint(stroke(2)))["step"] == 3
        assert "request_id" in await agent.refused("undo", **agent.mine, request_id="a b")

    play(server.url, scene)


def test_acting_needs_the_sessions_token(server: Server, http: httpx.Client) -> None:
    other = Session(http)

    async def scene(agent: Agent) -> None:
        await agent.start()
        session_id = agent.mine["session_id"]
        for tool, arguments in (("brush_stroke", stroke(1)), ("undo", {}), ("submit", {})):
            missing = await agent.refused(tool, session_id=session_id, **arguments)
            assert missing.startswith("write_token is missing")
            for token in ("wrong", "", "é", "\x00", other.begun["write_token"]):
                wrong = await agent.refused(tool, session_id=session_id, write_token=token, **arguments)
                assert "token is not this session's" in wrong
        assert "token" in await agent.refused("observe", session_id=session_id, write_token="wrong")
        assert (await agent.do("get_scores", session_id=session_id))["step"] == 0

    play(server.url, scene)


def test_the_protocols_rules_come_as_errors_that_cost_nothing(server: Server) -> None:
    async def scene(agent: Agent) -> None:
        await agent.start(protocol="benchmark")
        assert "knows no undo" in await agent.refused("undo", **agent.mine)
        assert "knows no submit" in await agent.refused("submit", **agent.mine)
        for _ in range(32):
            last = await agent.paint(stroke(1))
        assert (last["steps_left"], last["status"]) == (0, "spent")
        assert "32 steps are used" in await agent.refused("brush_stroke", **agent.mine, **stroke(2))
        await agent.start(protocol="practice")
        assert (await agent.do("undo", **agent.mine))["outcome"] == "rejected", "an undo of nothing uses its step"
        assert (await agent.paint(stroke(1)))["steps_left"] is None

    play(server.url, scene)


def test_an_agent_waits_while_a_guest_has_the_turn(server: Server, http: httpx.Client) -> None:
    async def scene(agent: Agent) -> None:
        session_id = (await agent.start(shared=True))["session_id"]
        await agent.paint(stroke(1))
        answer = await asyncio.to_thread(http.post, f"/api/sessions/{session_id}/guests", json={"name": "Ada"})
        guest = answer.json()["guest_token"]
        await agent.do("brush_stroke", session_id=session_id, write_token=guest, **stroke(2))
        assert "Ada is painting" in await agent.refused("brush_stroke", **agent.mine, **stroke(3))
        bearer = {"Authorization": f"Bearer {guest}"}
        await asyncio.to_thread(http.post, f"/api/sessions/{session_id}/hand-back", headers=bearer)
        assert (await agent.paint(stroke(3)))["step"] == 3
        actors = [entry["guest"] for entry in await asyncio.to_thread(log, http, session_id) if "guest" in entry]
        assert actors == [None, "Ada", None]

    play(server.url, scene)


@pytest.mark.parametrize("era", MODES)
def test_an_agent_takes_over_from_a_step(server: Server, http: httpx.Client, era: str) -> None:
    parent = Session(http)
    for seed in range(3):
        parent.paint(seed)
    parent.do("submit", "s")
    before = parent.view()

    async def scene(agent: Agent) -> dict[str, Any]:
        begun = await agent.do("continue_session", session_id=parent.id, step=2, player="Heir", model="some-model")
        agent.mine = {name: begun[name] for name in ("session_id", "write_token")}
        assert set(begun) == set(await agent.do("start_session", task_id="programmatic-01"))
        assert (begun["budget"], begun["steps_left"]) == (32, 30)
        assert begun["watch_url"] == f"{server.url}/?tab=watch&session={begun['session_id']}"
        assert "observe" in begun["next"] and "call submit when you are done" in begun["next"]
        _, canvas, seen = await agent.look(**agent.mine)
        assert (seen["step"], seen["last"]) == (2, None)
        answer = await agent.paint(stroke(9), request_id="r0")
        assert (answer["step"], answer["steps_left"]) == (3, 29), "an id of the parent's is free here"
        return {**begun, "canvas": canvas}

    told = play(server.url, scene, MODES[era])
    view = http.get(f"/api/sessions/{told['session_id']}").json()
    assert (told["canvas"] == picture(http, f"/api/sessions/{parent.id}/canvas.png?step=2")).all()
    assert view["player"] == {"kind": "agent", "name": "Heir", "model": "some-model"}
    assert (view["parent"], view["ranked"]) == ({"session_id": parent.id, "step": 2}, False)
    assert [entry["params"] for entry in log(http, told["session_id"])[1:]] == [stroke(0), stroke(1), stroke(9)]
    assert parent.view() == before


def test_how_an_agent_goes_on_follows_the_protocol_that_it_goes_on_by(server: Server, http: httpx.Client) -> None:
    parent = Session(http, protocol="benchmark")
    parent.paint(1)

    async def scene(agent: Agent) -> None:
        same = await agent.do("continue_session", session_id=parent.id, step=1)
        assert "there is no undo" in same["next"]
        freer = await agent.do("continue_session", session_id=parent.id, step=1, protocol="studio", shared=True)
        assert "call submit" in freer["next"]
        mine = {name: freer[name] for name in ("session_id", "write_token")}
        assert (await agent.do("undo", **mine))["outcome"] == "applied", "what it goes on from can be taken back"
        answer = await asyncio.to_thread(http.post, f"/api/sessions/{mine['session_id']}/guests", json={"name": "Ada"})
        assert answer.status_code == 201

    play(server.url, scene)


def test_what_cannot_be_continued_is_told_in_a_sentence(server: Server, http: httpx.Client) -> None:
    parent = Session(http)
    parent.paint(1)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("no session of that id", {"session_id": "nowhere"}),
        ("is at step 1; go on from one up to it", {"step": 2}),
        ("by studio rules only", {"protocol": "benchmark"}),
        ("step is -1", {"step": -1}),
        ("step is 1.5", {"step": 1.5}),
        ("player is", {"player": "a\nb"}),
        ("write_token is not a known", {"write_token": "x"}),
    ]

    async def scene(agent: Agent) -> None:
        for says, wish in wrong:
            sentence = await agent.refused("continue_session", **{"session_id": parent.id, "step": 1, **wish})
            assert says in sentence
        assert "step is missing" in await agent.refused("continue_session", session_id=parent.id)

    play(server.url, scene)
    (newest,) = http.get("/api/sessions", params={"limit": 1}).json()
    assert newest["session_id"] == parent.id


def test_two_agents_at_once_never_mix_their_sessions(server: Server, http: httpx.Client) -> None:
    async def one(seed: int, mode: str) -> tuple[str, list[dict[str, float]]]:
        async with Client(f"{server.url}/mcp", mode=mode) as client:
            agent = Agent(client)
            await agent.start()
            strokes = [stroke(seed + k) for k in range(15)]
            steps = [(await agent.paint(entry))["step"] for entry in strokes]
            assert steps == list(range(1, 16))
            return agent.mine["session_id"], strokes

    async def scene(_: Agent) -> list[tuple[str, list[dict[str, float]]]]:
        return await asyncio.gather(one(100, "auto"), one(200, "legacy"))

    for session_id, strokes in play(server.url, scene):
        assert [entry["params"] for entry in log(http, session_id)[1:]] == strokes


def test_two_hands_on_one_session_use_each_step_once(server: Server, http: httpx.Client) -> None:
    async def scene(agent: Agent) -> str:
        await agent.start()
        answers = await asyncio.gather(*(agent.paint(stroke(k)) for k in range(20)))
        assert sorted(answer["step"] for answer in answers) == list(range(1, 21))
        return agent.mine["session_id"]

    entries = log(http, play(server.url, scene))[1:]
    assert [entry["seq"] for entry in entries] == list(range(1, 21))


def test_a_task_is_all_that_a_session_needs(server: Server) -> None:
    async def scene(agent: Agent) -> str:
        return str((await agent.do("start_session", task_id="programmatic-01"))["session_id"])

    player = httpx.get(f"{server.url}/api/sessions/{play(server.url, scene)}").json()["player"]
    assert player == {"kind": "agent", "name": "Agent", "model": None}
