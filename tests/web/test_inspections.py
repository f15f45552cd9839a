"""/api/plans/inspections: what it answers, whatever is sent."""

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
from tests.endpoint.inspector import inspector
from tests.runs.inspected import CALLS, PLANS, REPORTS, inspected_set
from tests.services.plans.making import SET

ROUTE = "/api/plans/inspections"
CANARY = "sk-canary-of-the-inspector"
NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A private studio, which may ask any endpoint; with a set for each of the tests that begin something."""
    mine = Settings(data_dir=tmp_path_factory.mktemp("data"), runs="on", endpoints=[NOWHERE])
    studio = Studio(mine)
    inspected_set(studio)
    with TestClient(create_api(studio, mine), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


def body(**more: Any) -> dict[str, Any]:
    return {"set_id": SET, "base_url": NOWHERE, "model": "a-judge", **more}


def refused(answer: Any, status: int, code: str) -> str:
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code), answer.text
    assert CANARY not in answer.text
    return str(error["message"])


def ended(client: TestClient, wanted: str) -> dict[str, Any]:
    wait_until(lambda: client.get(f"{ROUTE}/{wanted}").json()["state"] != "running")
    return dict(client.get(f"{ROUTE}/{wanted}").json())


@pytest.mark.parametrize(
    "more",
    [
        {"concurrency": 0},
        {"concurrency": 65},
        {"pictures": "all"},
        {"temperature": 3},
        {"most_plans": 0},
        {"seed": -1},
        {"base_url": "file:///etc/passwd"},
        {"base_url": None},
        {"model": ""},
        {"model": None},
        {"chief": {"model": "m" * 201}},
        {"chief": {"base_url": "http://user:word@127.0.0.1/v1"}},
        {"chief": {"system": "You say 100."}},
        {"recall": "a-judge"},
        {"recall": []},
        {"name": "a\u202eb"},
        {"model": "m" * 81},
        {"most_money": 1},
        {"key": f"{CANARY} two"},
        {"keys": {"chief": f"{CANARY} two"}},
        {"keys": {"judge": CANARY}},
        {"prices": {"chief": {"price_prompt": 1}}},
        {"systems": {"chief": "You say 100."}},
        {"planners": ["nobody"]},
        {"answers": [10**6]},
        {"answers": [0]},
    ],
    ids=str,
)
def test_what_is_wrong_is_told_and_begins_nothing(client: TestClient, more: dict[str, Any]) -> None:
    answer = client.post(ROUTE, json=body(**more))
    assert answer.status_code == 422 and answer.json()["error"]["message"], answer.text
    assert CANARY not in answer.text and client.get(ROUTE).json() == []


@pytest.mark.parametrize("sent", [[], None, "wish", 3])
def test_a_body_of_another_shape_is_refused(client: TestClient, sent: Any) -> None:
    assert client.post(ROUTE, json=sent).status_code == 422


def test_what_is_not_there_is_told(client: TestClient) -> None:
    refused(client.post(ROUTE, json=body(set_id="nowhere")), 404, "no_such_set")
    refused(client.get(ROUTE, params={"set_id": "nowhere"}), 404, "no_such_set")
    refused(client.get(f"{ROUTE}/nowhere"), 404, "no_such_inspection")
    refused(client.post(f"{ROUTE}/nowhere/stop"), 404, "no_such_inspection")
    refused(client.post(f"{ROUTE}/nowhere/continue", json={}), 404, "no_such_inspection")


def test_the_description_tells_that_roles_may_be_left_out(client: TestClient) -> None:
    schema = client.get("/api/openapi.json").json()["components"]["schemas"]["NewInspection"]
    assert schema["required"] == ["set_id"] and {"precision", "recall", "chief", "keys"} <= schema["properties"].keys()


def test_one_begins_is_listed_stops_and_goes_on(client: TestClient) -> None:
    with endpoint(inspector, latency=0.05) as model:
        begun = client.post(ROUTE, json=body(base_url=model.url, key=CANARY, concurrency=2, chief={"model": "c"}))
        assert begun.status_code == 201 and CANARY not in begun.text
        wanted = begun.json()["inspection_id"]
        assert begun.json()["total"] == REPORTS and begun.json()["models"]["chief"] == "c"
        assert [view["inspection_id"] for view in client.get(ROUTE, params={"set_id": SET}).json()] == [wanted]
        assert client.post(f"{ROUTE}/{wanted}/stop").status_code == 200
        stopped = ended(client, wanted)
        assert stopped["state"] == "stopped" and stopped["done"] < REPORTS
        more = client.post(f"{ROUTE}/{wanted}/continue", json={"key": CANARY})
        assert more.status_code == 200 and CANARY not in more.text
        done = ended(client, wanted)
        assert (done["state"], done["done"], len(model.requests)) == ("finished", REPORTS, CALLS)
        assert {sent.headers["authorization"] for sent in model.requests} == {f"Bearer {CANARY}"}
    assert done["reports"] == {"precision": PLANS, "recall": PLANS, "chief": PLANS} and done["without_output"] == 2
    assert "68.30" in done["note"] and done["cost"] is None and done["prompt_tokens"] > 0
    (told,) = client.get(f"/api/plans/sets/{SET}").json()["inspections"]
    assert (told["judge"], told["reports"], told["models"]["recall"]) == (done["judge"], done["reports"], "a-judge")


def test_where_runs_are_forbidden_inspections_are_too(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, allowed_hosts=["testserver"])
    studio = Studio(settings)
    inspected_set(studio)
    with endpoint(inspector) as model:
        with TestClient(create_api(studio, settings)) as client:
            answer = client.post(ROUTE, json=body(base_url=model.url))
            assert "reached from other machines" in refused(answer, 403, "runs_off")
        studio = Studio(settings)
        studio.plans.library.first_look.job = lambda: None
        public = settings.model_copy(update={"runs": "on", "endpoints": [NOWHERE]})
        with TestClient(create_api(studio, public)) as client:
            for role in ("precision", "recall", "chief"):
                answer = client.post(ROUTE, json=body(**{role: {"base_url": model.url}}))
                assert "host has listed" in refused(answer, 403, "endpoint_not_listed")
        assert not model.requests
