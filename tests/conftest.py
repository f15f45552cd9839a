"""What the tests share: strokes, a studio on a real SQLite file, its API in process, a real server."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import hypothesis
import numpy as np
import pytest
from fastapi.testclient import TestClient

from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.api import create_api
from tests.serving import Server, forked, serving

Stroke = dict[str, float]
hypothesis.settings.register_profile("studio", deadline=None)  # a busy machine is no fault of the code
hypothesis.settings.load_profile("studio")


def stroke(seed: int = 0, **changes: float) -> Stroke:
    """A stroke that shows, drawn from a seed."""
    rng = np.random.default_rng(seed)
    values = dict(zip(STROKE_FIELDS, rng.random(13).round(4).tolist(), strict=True))
    return {**values, "opacity_start": 1.0, "radius_start": 0.2, **changes}


def paint(request_id: str, seed: int = 0, **changes: float) -> dict[str, Any]:
    """The body of a stroke action."""
    return {"request_id": request_id, "action": {"kind": "brush_stroke", "stroke": stroke(seed, **changes)}}


def new_session(task_id: str = "programmatic-01", protocol: str = "studio") -> dict[str, Any]:
    """The body that begins a session."""
    return {"task_id": task_id, "protocol": protocol, "player": {"kind": "human", "name": "Tester"}}


class Session:
    """A session over HTTP, with its token."""

    def __init__(self, client: httpx.Client, **wish: str) -> None:
        answer = client.post("/api/sessions", json=new_session(**wish))
        assert answer.status_code == 201, answer.text
        self.client, self.begun = client, answer.json()
        self.id: str = self.begun["session_id"]
        self.headers = {"Authorization": f"Bearer {self.begun['write_token']}"}

    def act(self, body: dict[str, Any]) -> httpx.Response:
        return self.client.post(f"/api/sessions/{self.id}/actions", json=body, headers=self.headers)

    def paint(self, seed: int = 0, request_id: str | None = None) -> dict[str, Any]:
        answer = self.act(paint(request_id or f"r{seed}", seed))
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def do(self, kind: str, request_id: str) -> httpx.Response:
        return self.act({"request_id": request_id, "action": {"kind": kind}})

    def view(self) -> dict[str, Any]:
        return dict(self.client.get(f"/api/sessions/{self.id}").json())

    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.client.get(f"/api/sessions/{self.id}/log").text.splitlines()]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", allowed_hosts=["testserver", "127.0.0.1"], open_sessions=8)


@pytest.fixture
def studio(settings: Settings) -> Iterator[Studio]:
    studio = Studio(settings)
    yield studio
    studio.close()


@pytest.fixture
def client(studio: Studio, settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_api(studio, settings), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def begin(client: TestClient) -> Callable[..., Session]:
    return lambda **wish: Session(client, **wish)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One real server for all tests that only need a server."""
    with serving(tmp_path_factory.mktemp("server"), forked) as running:
        yield running


def wait_until(true: Callable[[], bool], seconds: float = 30.0) -> None:
    """Poll a condition; fail when it does not come true in time."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the condition did not come true in time"
        time.sleep(0.01)
