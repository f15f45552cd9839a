"""Rubric sets, queues and votes over HTTP: who may do what, and many at once."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from easel_app.services.rubrics.consensus import by_pair, current
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.api import create_api
from tests.services.rubrics.making import SET, judge, make_queue, make_set
from tests.serving import forked, serving

API = "/api/rubrics"


def enrol(client: httpx.Client, name: str) -> dict[str, str]:
    answer = client.post(f"{API}/reviewers", json={"name": name})
    assert answer.status_code == 201, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


@pytest.fixture
def queue(studio: Studio) -> str:
    make_set(studio.rubrics)
    judge(studio.rubrics)
    return make_queue(studio.rubrics).queue_id


def test_a_set_is_listed_with_what_it_holds(client: TestClient, queue: str) -> None:
    (found,) = [entry for entry in client.get(f"{API}/sets").json() if entry["set_id"] == SET]
    counts = {name: found[name] for name in ("tasks", "items", "answers", "pairs", "models")}
    assert counts == {"tasks": 3, "items": 9, "answers": 6, "pairs": 18, "models": ["m1", "m2"]}
    assert [(entry["judge"], entry["met"], entry["unscored"]) for entry in found["judgings"]] == [
        ("judge of judging-made", 6, 6)
    ]
    assert [entry["queue_id"] for entry in found["queues"]] == [queue]
    assert client.get(f"{API}/sets/{SET}").json() == found


def test_a_review_by_rest_from_enrolment_to_agreement(client: TestClient, queue: str) -> None:
    ada = enrol(client, "Ada")
    task = client.post(f"{API}/queues/{queue}/next", headers=ada).json()
    assert task["reserved_until"] and task["model"] is None and "SECRET" not in str(task)
    vote = {"request_id": "1", "verdict": "not_met", "error": "calculation", "confidence": 3, "note": "7, not 8"}
    answer = client.post(f"{API}/entries/{task['entries'][0]['entry']}/votes", json=vote, headers=ada)
    assert answer.status_code == 200, answer.text
    entry = answer.json()
    assert entry["state"] == "mine" and entry["vote"]["blind"] and entry["revealed"]["judges"][0]["judge"]
    walk = client.get(f"{API}/queues/{queue}/walk", headers=ada).json()
    assert walk["stops"][0]["states"] == "moo"
    seen = client.get(f"{API}/queues/{queue}/places/{task['place']}").json()
    assert all(entry["revealed"] is None for entry in seen["entries"]), "nobody in particular has seen nothing"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("POST", "queues/{queue}/next", 401, "no_token"),
        ("POST", "entries/1/votes", 401, "no_token"),
        ("POST", "entries/1/reveal", 401, "no_token"),
        ("GET", "queues/nowhere", 404, "no_such_queue"),
        ("GET", "queues/nowhere/walk", 404, "no_such_queue"),
        ("GET", "queues/{queue}/places/999", 404, "no_such_place"),
        ("GET", "queues/{queue}/places/0", 422, "invalid"),
        ("GET", "sets/nowhere", 404, "no_such_set"),
        ("GET", "sets/nowhere/scores", 404, "no_such_set"),
        ("GET", "sets/made/scores?by=nobody", 404, "no_such_judging"),
        ("GET", "sets/made/scores?critical=mood", 422, "invalid"),
        ("GET", "pictures/" + "0" * 64, 404, "no_such_picture"),
        ("GET", "pictures/..%2f..%2feasel.db", 404, "not_found"),
        ("GET", "pictures/easel.db", 404, "no_such_picture"),
    ],
)
def test_refusals_have_the_one_error_shape(
    client: TestClient, queue: str, method: str, path: str, status: int, code: str
) -> None:
    body = {"request_id": "1", "verdict": "met"} if path.endswith("votes") else None
    answer = client.request(method, f"{API}/{path.format(queue=queue)}", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"request_id": "1"},
        {"request_id": "1", "verdict": "Met"},
        {"request_id": "", "verdict": "met"},
        {"request_id": "1", "verdict": "met", "confidence": 4},
        {"request_id": "1", "verdict": "met", "confidence": True},
        {"request_id": "1", "verdict": "met", "note": "x" * 4001},
        {"request_id": "1", "verdict": "met", "role": "king"},
        {"request_id": "1", "verdict": "met", "blind": True},
    ],
)
def test_a_vote_that_is_none_is_refused(client: TestClient, queue: str, body: dict[str, Any], studio: Studio) -> None:
    ada = enrol(client, "Ada")
    assert client.post(f"{API}/entries/1/votes", json=body, headers=ada).status_code == 422
    assert studio.rubrics.reviews.votes(SET) == []


def test_a_strangers_token_votes_for_nobody(client: TestClient, queue: str) -> None:
    answer = client.post(f"{API}/queues/{queue}/next", headers={"Authorization": "Bearer made-up"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "wrong_token")
    assert client.post(f"{API}/reviewers", json={"name": "\u202eAda"}).status_code == 422


def test_scores_by_judge_and_by_people(client: TestClient, queue: str, studio: Studio) -> None:
    table = client.get(f"{API}/sets/{SET}/scores").json()
    assert table["judge"] == "judge of judging-made" and [m["model"] for m in table["models"]] == ["m1", "m2"]
    assert table["models"][0]["incomplete"] == 3 and table["models"][0]["ars"]["value"] is None
    ada = enrol(client, "Ada")
    for entry in studio.rubrics.reviews.entries(queue):
        body = {"request_id": f"e{entry.id}", "verdict": "met"}
        assert client.post(f"{API}/entries/{entry.id}/votes", json=body, headers=ada).status_code == 200
    people = client.get(f"{API}/sets/{SET}/scores?by=people").json()
    assert people["judge"] is None
    first = people["models"][0]
    assert (first["ars"], first["apr"]["value"]) == ({"value": 1.0, "low": 1.0, "high": 1.0, "n": 3}, 1.0)
    assert (first["tools"]["calls"], first["tools"]["success_rate"]) == (3, 1.0)


def _vote_on_everything(address: str, name: str, entries: list[int], told: Any) -> None:
    """As another process: vote on every entry of a queue at once with the others; say what was acknowledged."""
    with httpx.Client(base_url=address, timeout=30) as client:
        token = enrol(client, name)
        for entry in entries:
            body = {"request_id": f"r{entry}", "verdict": "met"}
            answer = client.post(f"{API}/entries/{entry}/votes", json=body, headers=token)
            assert answer.status_code in (200, 409), answer.text
            if answer.status_code == 200:
                told.put((name, entry))
    told.put(None)


def test_processes_that_vote_at_once_are_never_too_many_and_lose_no_vote(tmp_path: Path) -> None:
    studio = Studio(Settings(data_dir=tmp_path))
    make_set(studio.rubrics, tasks=5)
    queue_id = make_queue(studio.rubrics).queue_id
    entries = [entry.id for entry in studio.rubrics.reviews.entries(queue_id)]
    studio.close()
    names = [f"Reviewer {k}" for k in range(4)]
    with serving(tmp_path, forked) as server:
        context = multiprocessing.get_context("fork")
        told = context.Queue()
        voters = [context.Process(target=_vote_on_everything, args=(server.url, n, entries, told)) for n in names]
        for voter in voters:
            voter.start()
        acknowledged, ended = [], 0
        while ended < len(names):
            one = told.get(timeout=60)
            ended += one is None
            acknowledged += [] if one is None else [one]
        for voter in voters:
            voter.join(30)
            assert voter.exitcode == 0
    studio = Studio(Settings(data_dir=tmp_path))
    votes = studio.rubrics.reviews.votes(SET)
    studio.close()
    assert sorted((vote.reviewer, vote.entry) for vote in votes) == sorted(acknowledged)
    assert Counter(len(current(found)) for found in by_pair(votes).values()) == {2: len(entries)}


def test_published_results_are_marked_and_stand_apart(client: TestClient) -> None:
    found = client.get(f"{API}/published").json()
    assert "not comparable" in found["warning"] and len(found["rows"]) == 21
    rates = [row["apr_percent"] for row in found["rows"]]
    assert rates == sorted(rates, reverse=True)


def test_where_nothing_is_open_there_is_no_content(client: TestClient, queue: str, studio: Studio) -> None:
    ada = enrol(client, "Ada")
    assert client.get(f"{API}/reviewers/me", headers=ada).json() == {"name": "Ada"}
    for entry in studio.rubrics.reviews.entries(queue):
        body = {"request_id": f"e{entry.id}", "verdict": "met"}
        client.post(f"{API}/entries/{entry.id}/votes", json=body, headers=ada)
    answer = client.post(f"{API}/queues/{queue}/next", headers=ada)
    assert (answer.status_code, answer.content) == (204, b"")


def test_a_token_for_a_taken_name_is_given_on_this_machine_only(studio: Studio, settings: Settings) -> None:
    public = settings.model_copy(update={"host": "0.0.0.0"})
    for known, status in ((settings.model_copy(update={"allowed_hosts": []}), 201), (public, 403)):
        with TestClient(create_api(studio, known), base_url="http://127.0.0.1") as client:
            answer = client.post(f"{API}/reviewers/tokens", json={"name": "Ada"})
            assert answer.status_code == status
