"""/api/rubrics/tool-runs and /api/rubrics/tools: what they answer, whatever is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from easel_app.runs.judging import Judgings
from easel_app.runs.tool_equipment import Equipment
from easel_app.runs.tool_runs import ToolRuns
from easel_app.services.endpoints import Endpoints
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web import errors, tool_runs
from tests.conftest import wait_until
from tests.endpoint import endpoint
from tests.endpoint.judge import grader
from tests.endpoint.tool_user import tool_user
from tests.runs.answered import OFF, SUM, fill, of_model

ROUTE = "/api/rubrics/tool-runs"
CANARY = "sk-canary-of-the-tools"
NOWHERE = "http://127.0.0.1:9/v1"
SECRET = "http://search.internal.example:8888"
script = of_model("j", grader, tool_user({}, SUM))


def app(studio: Studio, settings: Settings, endpoints: Endpoints) -> tuple[FastAPI, ToolRuns]:
    judgings = Judgings(studio, endpoints)
    services = {"search": SECRET, "geocoding": SECRET}
    runs = ToolRuns(studio, judgings, Equipment(OFF, services, settings.data_dir / "cassettes"), endpoints)
    made = FastAPI()
    errors.install(made)
    made.include_router(tool_runs.router(runs), prefix="/api")
    return made, runs


@pytest.fixture
def client(studio: Studio, settings: Settings) -> Iterator[TestClient]:
    fill(studio, 3)
    made, runs = app(studio, settings, Endpoints())
    with TestClient(made, raise_server_exceptions=False) as client:
        yield client
    runs.close()


def body(**more: Any) -> dict[str, Any]:
    return {"set_id": "small", "base_url": NOWHERE, "model": "m", "network": "off", **more}


def refused(answer: Any, status: int, code: str) -> str:
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code), answer.text
    assert CANARY not in answer.text
    return str(error["message"])


def ended(client: TestClient, run_id: str) -> dict[str, Any]:
    wait_until(lambda: client.get(f"{ROUTE}/{run_id}").json()["state"] not in ("running", "judging"))
    return dict(client.get(f"{ROUTE}/{run_id}").json())


def test_a_run_begins_is_listed_stops_and_goes_on_to_its_queue(client: TestClient) -> None:
    with endpoint(script, latency=0.05) as model:
        wish = body(base_url=model.url, key=CANARY, judge_key=CANARY, concurrency=1, judge={"model": "j"})
        begun = client.post(ROUTE, json=wish)
        assert begun.status_code == 201 and CANARY not in begun.text
        run_id = begun.json()["run_id"]
        assert run_id.startswith("m-") and (begun.json()["total"], begun.json()["state"]) == (3, "running")
        assert client.post(ROUTE, json=wish).json()["run_id"] == run_id
        assert [view["run_id"] for view in client.get(ROUTE, params={"set": "small"}).json()] == [run_id]
        assert client.delete(f"{ROUTE}/{run_id}").status_code == 200
        stopped = ended(client, run_id)
        assert stopped["state"] == "stopped" and stopped["done"] < 3
        on = client.post(f"{ROUTE}/{run_id}/continue", json={"key": CANARY})
        assert on.status_code == 200 and CANARY not in on.text
        done = ended(client, run_id)
    assert (done["state"], done["done"], done["reason"]) == ("finished", 3, "")
    assert done["judging_id"] and done["queue_id"].startswith("queue-")
    assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {CANARY}"}


def test_what_tools_there_are_is_told_without_where_services_are(client: TestClient) -> None:
    answer = client.get("/api/rubrics/tools")
    found = answer.json()
    assert (found["sandbox"], found["sandbox_off"], found["services"]) == (False, OFF.off, ["search"])
    assert found["cassettes"] == ["sample"] and found["allowed"] and "internal" not in answer.text


def test_where_models_cannot_be_run_nothing_begins(studio: Studio, settings: Settings) -> None:
    fill(studio, 1)
    made, runs = app(studio, settings, Endpoints(forbidden="Models cannot be run from this studio."))
    client = TestClient(made, raise_server_exceptions=False)
    assert "cannot be run" in refused(client.post(ROUTE, json=body()), 403, "runs_off")
    found = client.get("/api/rubrics/tools").json()
    assert (found["allowed"], found["reason"]) == (False, "Models cannot be run from this studio.")
    assert client.get(ROUTE).json() == []
    runs.close()


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"set_id": "nowhere"}, 404, "no_such_set"),
        ({"tasks": ["t9"]}, 422, "no_such_task"),
        ({"network": "recorded", "cassette": "none"}, 422, "no_such_cassette"),
        ({"base_url": "file:///etc/passwd"}, 422, "invalid"),
        ({"cassette": "../../etc/passwd"}, 422, "invalid"),
        ({"record": "../../x", "network": "service"}, 422, "invalid"),
        ({"temperature": 3}, 422, "invalid"),
        ({"judge": {"model": "\ud800"}}, 422, "invalid"),
        ({"key": f"{CANARY}\nx"}, 422, "invalid"),
        ({"tools": ["all"]}, 422, "invalid"),
        ({"tasks": ["x" * 129]}, 422, "invalid"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_met_is_refused_in_one_shape(
    client: TestClient, wrong: dict[str, Any], status: int, code: str
) -> None:
    answer = client.post(ROUTE, content=json.dumps(body(**wrong)), headers={"content-type": "application/json"})
    assert answer.status_code == status and CANARY not in answer.text, answer.text
    assert answer.json()["error"]["message"] and (code == "invalid" or answer.json()["error"]["code"] == code)
    assert client.get(ROUTE).json() == []


@pytest.mark.parametrize("run_id", ["nothing", "m-0123456789", "%00", "a" * 120])
def test_a_run_that_is_not_there_is_not_found(client: TestClient, run_id: str) -> None:
    for answer in (
        client.get(f"{ROUTE}/{run_id}"),
        client.delete(f"{ROUTE}/{run_id}"),
        client.post(f"{ROUTE}/{run_id}/continue", json={}),
    ):
        assert "lists them" in refused(answer, 404, "no_such_tool_run")
    assert client.get(ROUTE, params={"set": "nowhere"}).status_code == 404
