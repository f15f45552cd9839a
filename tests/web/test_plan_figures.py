"""REST of figures of plans, and of plans as files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from easel_app.services.plans.plans import Plans
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.api import create_api
from tests.services.plans.figuring import SET, judge, make_plans, vote_on_all

SETS = f"/api/plans/sets/{SET}"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Plans]]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("figures"), allowed_hosts=["testserver"])
    studio = Studio(settings)
    studio.plans.library.first_look.job = lambda: None
    make_plans(studio.plans, 4, ("a", "b"))
    judge(studio.plans, 1)
    with TestClient(create_api(studio, settings)) as client:
        yield client, studio.plans


@pytest.fixture(scope="module")
def token(house: tuple[TestClient, Plans]) -> str:
    """Of somebody who has voted on everything."""
    client, plans = house
    found = str(client.post("/api/rubrics/reviewers", json={"name": "Ada"}).json()["token"])
    vote_on_all(plans, plans.reviewers.person(found), 1)
    return found


def test_scores_agreement_and_what_is_published_are_told(house: tuple[TestClient, Plans], token: str) -> None:
    client, _ = house
    scores = client.get(f"{SETS}/scores").json()
    assert {row["by"] for row in scores["rows"]} == {"one", "people"} and scores["raters"][0]["one_model"]
    found = client.get(f"{SETS}/agreement", params={"inspection": "one"}).json()
    assert found["precision"]["success"]["overall"]["judge_person"]["n"] == 16
    published = client.get("/api/plans/published").json()
    assert found["published"] == published["agreement"] and len(published["agreement"][0]["interval"]) == 2
    assert published["full"]["rows"][0] == {"planner": "Gemini 3 Pro", "fs": 79.88, "sr_percent": 81.77, "mi": 0.49}


def test_the_list_of_calls_is_told_to_those_who_have_voted_or_ask_for_everything(
    house: tuple[TestClient, Plans], token: str
) -> None:
    client, _ = house
    ada = {"Authorization": f"Bearer {token}"}
    hidden = client.get(f"{SETS}/agreement").json()
    told = client.get(f"{SETS}/agreement", headers=ada).json()
    assert hidden["precision"]["worst"] == [] and hidden["hidden"] == 16
    assert told["precision"]["worst"] and told["hidden"] == 0
    everything = client.get(f"{SETS}/agreement", params={"tell": True}).json()
    assert everything["precision"]["worst"] == told["precision"]["worst"]
    assert client.get(f"{SETS}/agreement", headers={"Authorization": "Bearer x"}).status_code == 403


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/plans/sets/none/scores", 404),
        ("/api/plans/sets/none/agreement", 404),
        (f"{SETS}/agreement?inspection=none", 404),
        ("/api/plans/sets/none/export/set.jsonl", 404),
        (f"{SETS}/export/secrets.csv", 422),
        ("/api/plans/answers/999/export/plan.html", 404),
        ("/api/plans/answers/0/export/plan.html", 422),
        ("/api/plans/answers/1/export/compare.html", 422),
        ("/api/plans/answers/1/export/compare.html?other=Reference", 422),
        ("/api/plans/answers/1/export/compare.html?other=0", 422),
        ("/api/plans/answers/1/export/compare.html?other=999", 404),
        ("/api/plans/answers/1/export/compare.html?other=3", 422),
    ],
)
def test_what_is_not_there_is_told_in_the_one_shape_of_errors(
    house: tuple[TestClient, Plans], path: str, status: int
) -> None:
    answer = house[0].get(path)
    assert answer.status_code == status and answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("set.jsonl", "application/x-ndjson"), ("plans.csv", "text/csv"), ("set.zip", "application/zip")],
)
def test_a_set_is_sent_as_a_file_that_nobody_keeps(house: tuple[TestClient, Plans], name: str, kind: str) -> None:
    answer = house[0].get(f"{SETS}/export/{name}")
    assert answer.headers["content-type"].startswith(kind) and answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-disposition"] == f'attachment; filename="{SET}-{name}"'
    if name == "set.jsonl":
        assert json.loads(answer.text.partition("\n")[0])["format"] == "easel-plans/1"
    if name == "plans.csv":
        assert len(list(csv.DictReader(io.StringIO(answer.text)))) == 8


def test_a_plan_and_two_side_by_side_are_sent_as_pages(house: tuple[TestClient, Plans]) -> None:
    client, _ = house
    for path in ("plan.html", "compare.html?other=2", "compare.html?other=reference"):
        answer = client.get(f"/api/plans/answers/1/export/{path}")
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["content-disposition"].startswith("attachment") and "Paragraph 1." in answer.text
