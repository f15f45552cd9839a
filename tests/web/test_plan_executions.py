"""/api/plans: executions and plannings over REST, what they answer whatever is sent."""

from __future__ import annotations

import contextlib
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
from tests.endpoint.planner import planner
from tests.services.plans.making import SET, call, make_plan, make_set

TEXT = f"A mill.\n\n{call('reference', img_index=0)}\n\nAnother.\n\n{call('search', query='mill')}"
CANARY = "sk-canary-of-the-planner"


@contextlib.contextmanager
def serving_api(folder: Path, **more: Any) -> Iterator[tuple[TestClient, Studio]]:
    settings = Settings(data_dir=folder, **more)
    studio = Studio(settings)
    studio.plans.library.first_look.job = lambda: None
    api = create_api(studio, settings)
    with TestClient(api, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client, studio


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Studio]]:
    with serving_api(tmp_path_factory.mktemp("on"), backends={"reference": "built-in"}) as found:
        yield found


@pytest.fixture(scope="module")
def off(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Studio]]:
    with serving_api(tmp_path_factory.mktemp("off"), runs="off") as found:
        yield found


def test_calls_are_named_by_whole_numbers_alone(both: tuple[TestClient, Studio]) -> None:
    client, studio = both
    answer = make_plan(studio.plans, TEXT)
    for calls in (["1"], [True], [1.0], [0], "1"):
        refused(client.post(f"/api/plans/answers/{answer}/executions", json={"calls": calls}), 422, "invalid")


def refused(answer: Any, status: int, code: str) -> str:
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code), answer.text
    return str(error["message"])


def test_a_plan_is_executed_and_its_pictures_are_served(both: tuple[TestClient, Studio]) -> None:
    client, studio = both
    answer = make_plan(studio.plans, TEXT)
    backends = client.get("/api/plans/executions/backends").json()
    assert backends["forbidden"] == ""
    assert {each["tool"]: each["backend"] for each in backends["backends"]} == {
        "reference": "pool", "code": None, "search": None, "diffusion": None, "edit": None,
    }  # fmt: skip
    route = f"/api/plans/answers/{answer}/executions"
    assert [each["state"] for each in client.get(route).json()["calls"]] == ["open", "off"]
    assert client.post(route, json={}).status_code == 202
    wait_until(lambda: client.get(route).json()["state"] == "idle")
    first, second = client.get(route).json()["calls"]
    assert (first["state"], second["state"]) == ("done", "off")
    assert client.get(f"/api/plans/pictures/{first['picture']}").headers["content-type"] == "image/png"
    assert client.delete(route).json()["state"] == "idle"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [({"calls": [3]}, 422, "no_such_call"), ({"calls": [2]}, 422, "no_backend"), ({"calls": [0]}, 422, "invalid"),
     ({"calls": "all"}, 422, "invalid"), ({"more": 1}, 422, "invalid"), ({"calls": [2**40]}, 422, "invalid")],
)  # fmt: skip
def test_wishes_that_cannot_be_are_refused(
    both: tuple[TestClient, Studio], body: dict[str, Any], status: int, code: str
) -> None:
    client, studio = both
    answer = make_plan(studio.plans, TEXT)
    refused(client.post(f"/api/plans/answers/{answer}/executions", json=body), status, code)


def test_plans_that_are_not_there_and_studios_without_backends_say_so(off: tuple[TestClient, Studio]) -> None:
    client, studio = off
    answer = make_plan(studio.plans, TEXT)
    said = refused(client.post(f"/api/plans/answers/{answer}/executions", json={}), 403, "execution_off")
    assert "EASEL_BACKENDS" in said
    assert client.get("/api/plans/executions/backends").json()["forbidden"] == said
    refused(client.get(f"/api/plans/answers/{answer + 1000}/executions"), 404, "no_such_plan")
    refused(client.get(f"/api/plans/answers/{2**60}/executions"), 422, "invalid")


def test_a_planning_begins_stops_and_goes_on(both: tuple[TestClient, Studio]) -> None:
    client, studio = both
    make_set(studio.plans, 6, planners=())
    with endpoint(planner, latency=0.05) as model:
        wish = {"set_id": SET, "base_url": model.url, "model": "m", "key": CANARY, "concurrency": 1}
        begun = client.post("/api/plans/plannings", json=wish)
        assert begun.status_code == 201 and CANARY not in begun.text
        route = f"/api/plans/plannings/{begun.json()['planning_id']}"
        assert client.delete(route).status_code == 200
        wait_until(lambda: client.get(route).json()["state"] != "running")
        assert client.get(route).json()["state"] == "stopped"
        client.post("/api/plans/plannings", json=wish)
        wait_until(lambda: client.get(route).json()["state"] == "finished")
        assert client.get(route).json()["done"] == 6 and len(model.requests) == 6
    refused(client.get("/api/plans/plannings/none"), 404, "no_such_planning")
    refused(client.post("/api/plans/plannings", json={**wish, "shots": 2}), 422, "invalid")
    refused(client.post("/api/plans/plannings", json={**wish, "set_id": "none"}), 404, "no_such_set")


def test_where_models_may_not_be_asked_no_planning_begins(off: tuple[TestClient, Studio]) -> None:
    client, studio = off
    make_set(studio.plans, 1, planners=())
    wish = {"set_id": SET, "base_url": "http://127.0.0.1:9/v1", "model": "m"}
    refused(client.post("/api/plans/plannings", json=wish), 403, "runs_off")
