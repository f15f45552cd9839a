"""The list of sessions and the evidence over REST."""

import json
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from easel_app.painting.showing import Look
from easel_app.services.studio import Studio
from tests.conftest import Session
from tests.web.test_bad_input import refused

Begin = Callable[..., Session]


def test_sessions_are_listed_page_by_page_with_whole_addresses(client: TestClient, begin: Begin) -> None:
    sessions = [begin() for _ in range(5)]
    sessions[0].paint(1)
    first = client.get("/api/sessions", params={"limit": 3}).json()
    rest = client.get("/api/sessions", params={"limit": 3, "before": first[-1]["session_id"]}).json()
    assert [entry["session_id"] for entry in first + rest] == [session.id for session in sessions][::-1]
    assert set(first[0]) == {
        "session_id", "task_id", "protocol", "player", "status", "seq", "step", "score", "metric", "created_at",
        "last_at", "watch_url", "parent", "imported",
    }  # fmt: skip
    assert first[0]["watch_url"] == sessions[-1].begun["watch_url"] == sessions[-1].view()["watch_url"]
    assert (rest[-1]["seq"], rest[-1]["score"]) == (1, sessions[0].view()["score"])
    assert client.get("/api/sessions", params={"run": "nothing"}).json() == []
    assert "token" not in json.dumps(first + rest)


@pytest.mark.parametrize(
    "query", [{"limit": 0}, {"limit": 101}, {"limit": "all"}, {"limit": ""}, {"before": "x" * 65}, {"run": "x" * 121}]
)
def test_a_page_has_from_1_to_100_sessions(client: TestClient, query: dict[str, str]) -> None:
    refused(client.get("/api/sessions", params=query), 422)


def test_hostile_ids_are_just_unknown(client: TestClient, begin: Begin) -> None:
    begin()
    for name in ("' OR 1=1 --", "%", "\u0000", "é"):
        assert client.get("/api/sessions", params={"before": name}).json() == []
        assert client.get("/api/sessions", params={"run": name}).json() == []


def test_evidence_is_read_line_by_line(client: TestClient, begin: Begin, studio: Studio) -> None:
    session = begin()
    assert client.get(f"/api/sessions/{session.id}/evidence").text == ""
    studio.sessions.observe(session.id, Look(scale=2), session.begun["write_token"])
    session.paint(1)
    studio.sessions.observe(session.id, Look(scale=2), session.begun["write_token"])
    answer = client.get(f"/api/sessions/{session.id}/evidence")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    entries = [json.loads(line) for line in answer.text.splitlines()]
    assert [(entry["type"], entry["seq"]) for entry in entries] == [("observation", 0), ("observation", 1)]
    assert session.begun["write_token"] not in answer.text
    refused(client.get("/api/sessions/0/evidence"), 404)
