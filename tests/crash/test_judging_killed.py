"""A killed judging goes on where it stood: the same verdicts in the end, and nothing on record is paid for twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.conftest import wait_until
from tests.endpoint import endpoint
from tests.endpoint.judge import grader
from tests.endpoint.painter import digest
from tests.rubrics.making import answer, put, task
from tests.serving import forked, serving

pytestmark = pytest.mark.crash
TASKS, MODELS, CONCURRENCY = 40, 2, 4
TOTAL = TASKS * MODELS * 2


def test_killed_twice_it_ends_with_the_verdicts_of_an_uninterrupted_one(tmp_path: Path) -> None:
    studio = Studio(Settings(data_dir=tmp_path))
    tasks = [task(f"t{n}") for n in range(TASKS)]
    put(studio.rubrics.store, tasks, [answer(each, f"m{n}") for each in tasks for n in range(MODELS)])
    studio.close()
    with endpoint(grader, latency=0.01) as model, serving(tmp_path, forked) as server:
        wish = {"set_id": "small", "base_url": model.url, "model": "j", "concurrency": CONCURRENCY}

        def judge(name: str) -> str:
            return f"/api/rubrics/judgings/{post(name)['judging_id']}"

        def post(name: str) -> dict[str, Any]:
            answered = httpx.post(f"{server.url}/api/rubrics/judgings", json={**wish, "name": name})
            assert answered.status_code == 201, answered.text
            return dict(answered.json())

        def look(path: str) -> dict[str, Any]:
            return dict(httpx.get(server.url + path).json())

        whole = judge("whole")
        wait_until(lambda: look(whole)["state"] == "finished")
        before = len(model.requests)
        assert before == TOTAL
        for share in (0.3, 0.6):
            path = judge("killed")
            wait_until(lambda path=path, share=share: look(path)["done"] >= share * TOTAL)  # type: ignore[misc]
            server.kill()
            server.start()
            assert look(path)["state"] == "interrupted" and look(path)["done"] < TOTAL
        path = judge("killed")
        wait_until(lambda: look(path)["state"] == "finished")
        assert (look(path)["done"], look(path)["calls"]) == (TOTAL, TOTAL)
        counted = Counter(digest(request.body) for request in model.requests[before:])
    studio = Studio(Settings(data_dir=tmp_path))
    found = [
        {(row.answer, row.item): (row.verdict, row.evidence) for row in studio.rubrics.judgings.verdicts(record.id)}
        for record in studio.rubrics.judgings.judgings("small")
    ]
    studio.close()
    assert len(found) == 2 and found[0] == found[1] and len(found[0]) == TOTAL
    # what was under way when the process died is on no record, and is asked again: no more than that
    assert sum(counted.values()) - TOTAL <= 2 * CONCURRENCY
