"""Drafts over HTTP: who may do what, hostile bodies, and the whole way from a form to an exported task."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from easel_app.rubrics.reading import Found, from_disk
from easel_app.rubrics.sandbox.none import NoSandbox
from easel_app.runs.judging import Judgings
from easel_app.runs.tool_equipment import Equipment
from easel_app.runs.tool_runs import ToolRuns
from easel_app.runs.trials import Trials
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web import drafts as routes
from easel_app.web import errors, rubrics
from tests.conftest import wait_until
from tests.endpoint import Answer, Body, Headers, endpoint
from tests.endpoint.judge import grader
from tests.endpoint.tool_user import Play, tool_user
from tests.services.rubrics.draft_making import drafts_of, png, request_id
from tests.web.test_rubrics import enrol

API = "/api/rubrics/drafts"
ITEM = {"id": "total", "description": 'It says "42".', "weight": 5}


@pytest.fixture
def client(studio: Studio, settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    drafts, judgings = drafts_of(studio), Judgings(studio, wait=0.001)
    tool_runs = ToolRuns(studio, judgings, Equipment(NoSandbox("None here."), {}, tmp_path), wait=0.001)
    trials = Trials(drafts, tool_runs, judgings, pause=0.01)
    app = FastAPI()
    errors.install(app)
    app.include_router(rubrics.router(studio, settings), prefix="/api")
    app.include_router(routes.router(studio.rubrics, drafts, trials), prefix="/api")
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client
    for work in (trials, tool_runs, judgings):
        work.close()


@pytest.fixture
def ada(client: TestClient) -> dict[str, str]:
    return enrol(client, "Ada")


def upload(client: TestClient, who: dict[str, str], content: bytes = b"", kind: str = "image/png") -> Any:
    return client.post(f"{API}/pictures", content=content or png(), headers={**who, "content-type": kind})


def task(digest: str, **changes: Any) -> dict[str, Any]:
    turn = {"prompt": "What does it cost?", "golden_answer": "42", "pictures": [digest], "rubric": [ITEM]}
    return {"title": "Prices", "category": "region_switch", "domain": "finance", "turns": [turn], **changes}


def make(client: TestClient, who: dict[str, str], **changes: Any) -> dict[str, Any]:
    digest = upload(client, who).json()["digest"]
    answer = client.post(API, json={"request_id": request_id(), "task": task(digest, **changes)}, headers=who)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def test_from_a_form_to_a_task_that_any_studio_can_import(
    client: TestClient, ada: dict[str, str], tmp_path: Path
) -> None:
    draft = make(client, ada)
    at = f"{API}/{draft['draft_id']}"
    assert draft["may"] == ["edit", "try"] and draft["missing"] == []
    right, wrong = tool_user({}, Play([], "It costs 42.")), tool_user({}, Play([], "It costs 24."))

    def house(number: int, body: Body, headers: Headers) -> Answer:
        script = {"m1": wrong, "m2": wrong, "m3": right, "judge": grader}[body["model"]]
        return script(number, body, headers)

    with endpoint(house) as running:
        trial = {"request_id": "t", "base_url": running.url, "models": ["m1", "m2", "m3"], "judge": "judge"}
        answer = client.post(f"{at}/trials", json=trial, headers=ada)
        assert answer.status_code == 201, answer.text
        wait_until(lambda: client.get(at, headers=ada).json()["stage"] == "review", 60)
        wait_until(lambda: {m["state"] for m in client.get(at, headers=ada).json()["trials"][0]["models"]} == {"done"})
    (line,) = client.get(API, params={"stage": "review"}, headers=ada).json()
    assert line["draft_id"] == draft["draft_id"]
    for name in ("Bob", "Eve"):
        who = enrol(client, name)
        decision = {"request_id": "d", "version": 1, "decision": "accept"}
        answer = client.post(f"{at}/decisions", json=decision, headers=who)
        assert answer.status_code == 201, answer.text
    assert answer.json()["stage"] == "accepted" and "export" in answer.json()["may"]
    exported = client.get(f"{API}/export", params={"draft": draft["draft_id"]}, headers=ada)
    assert exported.headers["content-disposition"] == 'attachment; filename="accepted-tasks.json"'
    assert exported.json() == client.get(f"{API}/export", headers=ada).json()
    (tmp_path / "dataset.json").write_text(json.dumps(exported.json()["rows"]))
    (found,) = from_disk(tmp_path / "dataset.json").read()
    assert isinstance(found, Found) and found.record.model_dump()["turns"][0]["prompt"] == "What does it cost?"


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("POST", ""), ("POST", "/pictures"), ("GET", "/export"), ("GET", "/{id}"), ("POST", "/{id}/versions"),
     ("GET", "/{id}/versions/1"), ("POST", "/{id}/trials"), ("POST", "/{id}/decisions")],
)  # fmt: skip
def test_nothing_is_told_or_done_without_a_reviewers_token(
    client: TestClient, ada: dict[str, str], method: str, path: str
) -> None:
    at = API + path.format(id=make(client, ada)["draft_id"])
    bodies: dict[str, dict[str, Any]] = {
        "": {"request_id": "1"},
        "/{id}/versions": {"request_id": "1", "based_on": 1, "task": {}},
        "/{id}/trials": {"request_id": "1", "base_url": "http://127.0.0.1:1/v1", "models": ["m"], "judge": "j"},
        "/{id}/decisions": {"request_id": "1", "version": 1, "decision": "accept"},
    }
    for headers, status, code in (({}, 401, "no_token"), ({"Authorization": "Bearer made-up"}, 403, "wrong_token")):
        answer = client.request(method, at, json=bodies.get(path), headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_refusals_have_the_one_error_shape(client: TestClient, ada: dict[str, str]) -> None:
    draft, bob = make(client, ada), enrol(client, "Bob")
    at = f"{API}/{draft['draft_id']}"
    change = {"request_id": "1", "based_on": 1, "task": draft["task"]}
    decision = {"request_id": "1", "version": 1, "decision": "accept"}
    for answer, status, code in (
        (client.get(f"{API}/nowhere", headers=ada), 404, "no_such_draft"),
        (client.get(f"{at}/versions/2", headers=ada), 404, "no_such_version"),
        (client.get(f"{at}/versions/0", headers=ada), 422, "invalid"),
        (client.get(f"{API}?stage=mood", headers=ada), 422, "invalid"),
        (client.get(f"{API}/export?draft={draft['draft_id']}", headers=ada), 409, "not_accepted"),
        (client.get(f"{API}/export?draft=nowhere", headers=ada), 404, "no_such_draft"),
        (client.post(f"{at}/versions", json=change, headers=bob), 403, "not_author"),
        (client.post(f"{at}/versions", json=change | {"based_on": 7}, headers=ada), 409, "changed_meanwhile"),
        (client.post(f"{at}/versions", json=change | {"based_on": 10**30}, headers=ada), 409, "changed_meanwhile"),
        (client.post(f"{at}/versions", json=change | {"based_on": True}, headers=ada), 422, "invalid"),
        (client.post(f"{at}/decisions", json=decision, headers=ada), 403, "own_draft"),
        (client.post(f"{at}/decisions", json=decision, headers=bob), 409, "not_in_review"),
        (client.post(f"{at}/decisions", json=decision | {"decision": "reject"}, headers=bob), 422, "note"),
        (client.post(f"{at}/decisions", json=decision | {"round": 3}, headers=bob), 422, "invalid"),
    ):
        told = answer.json()["error"]
        assert (answer.status_code, told["code"]) == (status, code), answer.text
        assert told["message"].endswith(".")
    assert client.get(f"{API}/export", headers=bob).json() == {"rows": []}


@pytest.mark.parametrize(
    "change",
    [
        '"title": "\\ud800"',
        '"title": ""',
        '"title": "a\\u202eb"',
        '"domain": "a\\nb"',
        '"turns": []',
        '"turns": [' + ",".join(["{}"] * 33) + "]",
        '"turns": [{"prompt": "' + "x" * 100_001 + '"}]',
        '"turns": [{"pictures": ["../../easel.db"]}]',
        '"turns": [{"rubric": [{"weight": 6}]}]',
        '"turns": [{"rubric": [{"weight": true}]}]',
        '"turns": [{"rubric": [{"weight": 1e999}]}]',
        '"category": "mood"',
        '"stage": "accepted"',
    ],
)
def test_what_is_no_draft_is_refused_in_a_sentence_and_not_stored(
    client: TestClient, ada: dict[str, str], change: str
) -> None:
    body = '{"request_id": "1", "task": {' + change + "}}"
    answer = client.post(API, content=body, headers={**ada, "content-type": "application/json"})
    assert answer.status_code == 422 and answer.json()["error"]["message"].endswith("send it again.")
    assert client.get(API, headers=ada).json() == []


def test_hostile_texts_come_back_as_texts(client: TestClient, ada: dict[str, str]) -> None:
    hostile = "<img src=x onerror=alert(1)>\u202e'); DROP TABLE task_drafts;--"
    body = json.dumps({"request_id": "1", "task": {"turns": [{"prompt": "x" * 100_000, "golden_answer": hostile}]}})
    body = body.replace("DROP", "\\ud800\\u0000")
    answer = client.post(API, content=body, headers={**ada, "content-type": "application/json"})
    assert answer.status_code == 201, answer.text
    (turn,) = client.get(f"{API}/{answer.json()['draft_id']}", headers=ada).json()["task"]["turns"]
    assert turn["prompt"] == "x" * 100_000
    assert turn["golden_answer"] == hostile.replace("DROP", "\N{REPLACEMENT CHARACTER}" * 2)


def test_a_picture_is_kept_as_it_is_and_what_is_none_is_refused(client: TestClient, ada: dict[str, str]) -> None:
    content = png("navy")
    answer = upload(client, ada, content)
    assert answer.status_code == 201 and upload(client, ada, content).json() == answer.json()
    shown = client.get(f"/api/rubrics/pictures/{answer.json()['digest']}")
    assert shown.content == content and shown.headers["content-type"] == "image/png"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.png", content)
    for hostile in (packed.getvalue(), b"<svg onload='alert(1)'/>", b"GIF89a", content[:30]):
        refused = upload(client, ada, hostile)
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "picture")
    refused = upload(client, ada, content, "text/html")
    assert refused.json()["error"]["code"] == "content_type"
