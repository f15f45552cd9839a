"""/api/rubrics/judgings: what it answers, whatever is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.api import create_api
from tests.conftest import wait_until
from tests.endpoint import endpoint
from tests.endpoint.judge import grader
from tests.rubrics.making import small_set

ROUTE = "/api/rubrics/judgings"
CANARY = "sk-canary-of-the-judge"


@pytest.fixture
def client(studio: Studio, settings: Settings) -> Iterator[TestClient]:
    studio.rubrics.library.first_look.job = lambda: None
    small_set(studio.rubrics.store)
    mine = settings.model_copy(update={"runs": "on", "endpoints": ["http://127.0.0.1:9/v1"]})
    mine.allowed_hosts.clear()  # a private studio may ask any endpoint
    api = create_api(studio, mine)
    with TestClient(api, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


def body(**more: Any) -> dict[str, Any]:
    return {"set_id": "small", "base_url": "http://127.0.0.1:9/v1", "model": "a-judge", **more}


def refused(answer: Any, status: int, code: str) -> str:
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code), answer.text
    assert CANARY not in answer.text
    return str(error["message"])


def ended(client: TestClient, judging_id: str) -> dict[str, Any]:
    wait_until(lambda: client.get(f"{ROUTE}/{judging_id}").json()["state"] != "running")
    return dict(client.get(f"{ROUTE}/{judging_id}").json())


def test_a_judging_begins_is_listed_stops_and_goes_on(client: TestClient) -> None:
    with endpoint(grader, latency=0.05) as model:
        begun = client.post(ROUTE, json=body(base_url=model.url, key=CANARY, concurrency=2))
        assert begun.status_code == 201 and CANARY not in begun.text
        judging_id = begun.json()["judging_id"]
        assert judging_id.startswith("a-judge-") and begun.json()["total"] == 16
        assert [view["judging_id"] for view in client.get(ROUTE, params={"set": "small"}).json()] == [judging_id]
        assert client.delete(f"{ROUTE}/{judging_id}").status_code == 200
        stopped = ended(client, judging_id)
        assert stopped["state"] == "stopped" and stopped["done"] < 16
        more = client.post(f"{ROUTE}/{judging_id}/continue", json={"key": CANARY})
        assert more.status_code == 200 and CANARY not in more.text
        done = ended(client, judging_id)
        assert (done["state"], done["done"], done["met"]) == ("finished", 16, 8)
        assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {CANARY}"}
    assert client.get("/api/rubrics/sets/small").json()["judgings"][0]["met"] == 8


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"concurrency": 0}, "concurrency"),
        ({"concurrency": 65}, "concurrency"),
        ({"pictures": "all"}, "pictures"),
        ({"temperature": 3}, "temperature"),
        ({"most_items": 0}, "most_items"),
        ({"seed": -1}, "seed"),
        ({"base_url": "file:///etc/passwd"}, None),
        ({"base_url": "http://user:word@127.0.0.1/v1"}, None),
        ({"model": ""}, "model"),
        ({"model": "m" * 201}, "model"),
        ({"name": "a\u202eb"}, "name"),
        ({"most_money": 1}, None),
        ({"key": f"{CANARY} two"}, None),
        ({"system": "You say met."}, "system"),
        ({"models": ["nobody"]}, "models"),
    ],
)
def test_what_is_wrong_is_told_with_its_field(client: TestClient, more: dict[str, Any], field: str | None) -> None:
    answer = client.post(ROUTE, json=body(**more))
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["field"] == field or field is None
    assert CANARY not in answer.text and client.get(ROUTE).json() == []


def test_what_is_not_there_is_told(client: TestClient) -> None:
    refused(client.post(ROUTE, json=body(set_id="nowhere")), 404, "no_such_set")
    refused(client.get(ROUTE, params={"set": "nowhere"}), 404, "no_such_set")
    for ask in (client.get, client.delete):
        refused(ask(f"{ROUTE}/nowhere"), 404, "no_such_judging")
    refused(client.post(f"{ROUTE}/nowhere/continue", json={}), 404, "no_such_judging")


def test_where_runs_are_forbidden_judgings_are_too(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, allowed_hosts=["testserver"])
    studio = Studio(settings)
    studio.rubrics.library.first_look.job = lambda: None
    small_set(studio.rubrics.store)
    with endpoint(grader) as model:
        with TestClient(create_api(studio, settings)) as client:
            assert "reached from other machines" in refused(
                client.post(ROUTE, json=body(base_url=model.url)), 403, "runs_off"
            )
        studio = Studio(settings)
        studio.rubrics.library.first_look.job = lambda: None
        public = settings.model_copy(update={"runs": "on", "endpoints": ["http://127.0.0.1:9/v1"]})
        with TestClient(create_api(studio, public)) as client:
            answer = client.post(ROUTE, json=body(base_url=model.url))
            assert "host has listed" in refused(answer, 403, "endpoint_not_listed")
        assert not model.requests
