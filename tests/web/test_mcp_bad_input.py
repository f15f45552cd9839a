"""Whatever an agent sends: an error that it can read, nothing stored, the session unharmed."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.services.studio import Studio
from easel_app.web.mcp.tools import TOOLS, Hands, call
from tests.conftest import Server, stroke
from tests.web.agent import Agent, play, text

WRONG: list[Any] = [-1e-9, 1.5, 1e308, "0.5", "", None, True, [], {}, [[[]]]]
NAMES = ["<img src=x onerror=alert(1)>'; DROP TABLE sessions; --", "${7*7}{{7*7}}", "画家 🎨", "a" * 80]
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def test_every_number_of_a_stroke_is_checked_and_a_refusal_costs_nothing(server: Server) -> None:
    async def scene(agent: Agent) -> None:
        await agent.start()
        for name in STROKE_FIELDS:
            for value in WRONG:
                sentence = await agent.refused("brush_stroke", **agent.mine, **{**stroke(1), name: value})
                assert sentence.startswith(f"{name} is ") and "[0, 1]" in sentence
            short = {key: value for key, value in stroke(1).items() if key != name}
            assert f"{name} is missing" in await agent.refused("brush_stroke", **agent.mine, **short)
        assert "colour is not a known" in await agent.refused("brush_stroke", **agent.mine, **stroke(1), colour="red")
        assert (await agent.paint(stroke(1)))["step"] == 1

    play(server.url, scene)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_come_back_as_they_were(server: Server, name: str) -> None:
    async def scene(agent: Agent) -> str:
        return str((await agent.start(player=name, model=name))["session_id"])

    player = httpx.get(f"{server.url}/api/sessions/{play(server.url, scene)}").json()["player"]
    assert player == {"kind": "agent", "name": name, "model": name}


@pytest.mark.parametrize("name", ["", "x" * 81, "a\nb", "a\u202eb", "\x00", " "])
def test_names_that_could_not_be_shown_are_refused(server: Server, name: str) -> None:
    async def scene(agent: Agent) -> str:
        return await agent.refused("start_session", task_id="natural-01", player=name)

    assert play(server.url, scene).startswith("player is ")


@pytest.mark.parametrize("value", ["0", "' OR 1=1 --", "\x00", "../../etc/passwd", "x" * 64, "🎨"])
def test_unknown_sessions_and_tasks_are_named_so(server: Server, value: str) -> None:
    async def scene(agent: Agent) -> None:
        assert "no session" in await agent.refused("get_scores", session_id=value)
        assert "no session" in await agent.refused("observe", session_id=value)
        assert "no session" in await agent.refused("undo", session_id=value, write_token="x")
        assert "no task" in await agent.refused("start_session", task_id=value, player="x")

    play(server.url, scene)


junk = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), tool=st.sampled_from(sorted(TOOLS)))
def test_junk_in_any_argument_is_an_error_in_one_sentence_or_harmless(
    studio: Studio, data: st.DataObject, tool: str
) -> None:
    hands = Hands(studio, "http://here")
    begun = call(hands, "start_session", {"task_id": "programmatic-01", "player": "x"}).structured_content
    assert begun
    good = {"session_id": begun["session_id"], "write_token": begun["write_token"], **stroke(1)}
    takes = TOOLS[tool].takes.model_fields
    name = data.draw(st.sampled_from(sorted(takes)) | st.text(max_size=60))
    arguments = {**{key: value for key, value in good.items() if key in takes}, name: data.draw(junk)}
    answer = call(hands, tool, arguments)
    json.dumps(answer.model_dump(mode="json"))
    if answer.is_error:
        sentence = text(answer)
        assert sentence and "\n" not in sentence and len(sentence) < 500
        assert "server failed" not in sentence
        assert studio.sessions.view(begun["session_id"]).seq == 0


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, headers=HEADERS) as client:
        yield client


def request(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}}


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_plain_json_rpc_shakes_hands_and_plays_at_both_spellings(http: httpx.Client, path: str, revision: str) -> None:
    hello = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "plain", "version": "1"}}
    answer = http.post(path, json=request("initialize", hello), follow_redirects=False)
    assert answer.status_code == 200 and answer.json()["result"]["protocolVersion"] == revision
    assert "mcp-session-id" not in answer.headers, "nothing is kept between two requests"
    noted = http.post(path, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (noted.status_code, noted.content) == (202, b"")
    wish = {"name": "start_session", "arguments": {"task_id": "natural-01", "player": "plain"}}
    begun = http.post(path, json=request("tools/call", wish), headers={"MCP-Protocol-Version": revision}).json()
    assert begun["id"] == 7 and begun["result"]["structuredContent"]["steps_left"] == 128


@pytest.mark.parametrize("version", [None, "2026-07-28", "1999-01-01", "x"])
@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"[" * 60_000, b'{"a":' * 10_000, b"NaN", b"{}",
     b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', b'{"jsonrpc": "2.0", "id": 1, "method": 3}',
     b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
     b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": [1]}'],
)  # fmt: skip
def test_what_is_no_request_is_an_error_of_json_rpc(http: httpx.Client, raw: bytes, version: str | None) -> None:
    headers = {"MCP-Protocol-Version": version} if version else {}
    answer = http.post("/mcp", content=raw, headers=headers)
    assert answer.status_code == 400
    body = answer.json()
    assert body["jsonrpc"] == "2.0" and body["error"]["code"] < -32000 and "Traceback" not in answer.text


@pytest.mark.parametrize(
    "method, params, code",
    [
        ("nothing", {}, -32601), ("sampling/createMessage", {}, -32601), ("subscriptions/listen", {}, -32601),
        ("tools/call", {"name": "rm -rf /"}, -32602), ("tools/call", {"name": 3}, -32602), ("tools/call", {}, -32602),
        ("tools/call", {"name": "observe", "arguments": []}, -32602), ("resources/read", {}, -32602),
        ("prompts/get", {"name": "paint", "arguments": {"task_id": 3}}, -32602),
    ],
)  # fmt: skip
def test_errors_of_the_protocol_keep_its_form(
    http: httpx.Client, method: str, params: dict[str, Any], code: int
) -> None:
    error = http.post("/mcp", json=request(method, params)).json()["error"]
    assert error["code"] == code and error["message"]


@pytest.mark.parametrize("where", ["tools/call", "prompts/get"])
def test_half_a_character_breaks_nothing(http: httpx.Client, where: str) -> None:
    meta = '"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}'
    name, key = ("get_scores", "session_id") if where == "tools/call" else ("paint", "task_id")
    params = f'"name": "{name}", "arguments": {{"{key}": "\\ud800"}}, "_meta": {{{meta}}}'
    raw = f'{{"jsonrpc": "2.0", "id": 1, "method": "{where}", "params": {{{params}}}}}'
    routed = {"Mcp-Method": where, "Mcp-Name": name, "MCP-Protocol-Version": "2026-07-28"}
    answer = http.post("/mcp", content=raw, headers=routed).json()
    assert answer["result"]["isError"] if "result" in answer else answer["error"]["code"] == -32602


def test_what_breaks_inside_is_logged_and_not_told(studio: Studio, caplog: pytest.LogCaptureFixture) -> None:
    studio.close()
    answer = call(Hands(studio, ""), "start_session", {"task_id": "natural-01", "player": "x"})
    assert answer.is_error and text(answer).startswith("The server failed on this call and has logged why")
    assert [record.exc_info is not None for record in caplog.records] == [True]
