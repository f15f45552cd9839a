"""POST /api/sessions/import: what it answers, whatever is sent."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from easel_app.services.imports import AT_ONCE
from easel_app.services.logs import MOST_BYTES
from easel_app.services.studio import Studio
from tests.conftest import Session, paint

Begin = Callable[..., Session]
ROUTE = "/api/sessions/import"


@pytest.fixture
def played(begin: Begin) -> Session:
    session = begin()
    session.paint(1)
    session.paint(2)
    session.do("undo", "u")
    session.do("submit", "s")
    return session


def log_of(session: Session) -> bytes:
    return session.client.get(f"/api/sessions/{session.id}/log").content


def refused(answer: Any, status: int, code: str) -> str:
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code), answer.text
    return str(error["message"])


def test_a_log_comes_back_as_a_session_that_nobody_can_act_in(client: TestClient, played: Session) -> None:
    answer = client.post(ROUTE, content=log_of(played))
    assert answer.status_code == 201
    found, view = answer.json(), played.view()
    claims = found.pop("claims")
    assert found == {
        "session_id": found["session_id"],
        "watch_url": f"http://testserver/?tab=watch&session={found['session_id']}",
        "actions": 4,
        "steps": 3,
        "status": "submitted",
        "score": view["score"],
    }
    assert claims == {
        "actions": 4,
        "worst": 0.0,
        "differing_scores": 0,
        "differing_digests": 0,
        "differing_outcomes": 0,
        "differing_steps": 0,
    }
    copy = client.get(f"/api/sessions/{found['session_id']}").json()
    assert (copy["imported"], copy["ranked"], copy["curve"]) == (True, False, view["curve"])
    for token in (played.begun["write_token"], "", found["session_id"]):
        acting = client.post(
            f"/api/sessions/{found['session_id']}/actions",
            json=paint("x"),
            headers={"Authorization": f"Bearer {token}"},
        )
        assert acting.status_code in (401, 403)
    listed = {entry["session_id"]: entry["imported"] for entry in client.get("/api/sessions").json()}
    assert listed == {found["session_id"]: True, played.id: False}


def test_the_same_log_again_is_a_conflict_packed_or_not(client: TestClient, played: Session) -> None:
    packed = gzip.compress(log_of(played))
    found = client.post(ROUTE, content=packed, headers={"Content-Type": "application/gzip"})
    assert found.status_code == 201
    for body, headers in ((log_of(played), {}), (packed, {"Content-Encoding": "gzip"})):
        message = refused(client.post(ROUTE, content=body, headers=headers), 409, "imported_already")
        assert found.json()["session_id"] in message


def test_each_fault_has_its_status_and_nothing_is_stored(client: TestClient, played: Session) -> None:
    log = log_of(played)
    other, cut = log.replace(b"easel-log/1", b"easel-log/9"), log[:-9]
    assert "easel-log/1" in refused(client.post(ROUTE, content=other), 415, "log_format")
    assert "Line 5" in refused(client.post(ROUTE, content=cut), 422, "log_line")
    assert client.post(ROUTE, content=cut).json()["error"]["field"] == "line 5"
    refused(client.post(ROUTE, content=b""), 422, "log_line")
    refused(client.post(ROUTE, content=gzip.compress(log)[:-9]), 422, "log_damaged")
    refused(client.post(ROUTE, content=b" " * (MOST_BYTES + 1)), 413, "too_large")
    refused(client.post(ROUTE, content=gzip.compress(b" " * (MOST_BYTES + 1))), 413, "log_too_large")
    refused(client.post(ROUTE, content=log, headers={"Origin": "http://elsewhere"}), 403, "foreign_origin")
    assert len(client.get("/api/sessions").json()) == 1


def test_a_log_of_several_megabytes_passes_where_other_bodies_would_not(client: TestClient, played: Session) -> None:
    first, *lines = log_of(played).splitlines()
    wide = [json.dumps({**json.loads(line), "request_id": "x" * 60_000}).encode() for line in lines]
    assert client.post(ROUTE, content=b"\n".join([first, *wide])).status_code == 201


def test_while_others_are_imported_one_is_told_to_come_again(
    client: TestClient, studio: Studio, played: Session
) -> None:
    for _ in range(AT_ONCE):
        studio.imports._hands.acquire()
    refused(client.post(ROUTE, content=log_of(played)), 503, "busy")
    studio.imports._hands.release(AT_ONCE)
    assert client.post(ROUTE, content=log_of(played)).status_code == 201


def test_names_arrive_as_they_were_written(client: TestClient, played: Session) -> None:
    name = "<img src=x onerror=alert(1)> & {{7*7}} 'Ω'"
    first, *lines = [json.loads(line) for line in log_of(played).splitlines()]
    body = "\n".join(json.dumps(line) for line in [{**first, "player_name": name}, *lines]).encode()
    session_id = client.post(ROUTE, content=body).json()["session_id"]
    assert client.get(f"/api/sessions/{session_id}").json()["player"]["name"] == name
