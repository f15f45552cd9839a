"""kill -9 under load: whatever was acknowledged is there afterwards, and the canvas is the recorded one."""

import json
import random
import sqlite3
import threading
import time
from pathlib import Path

import httpx
import pytest

from easel_app.painting.protocol import ProtocolName
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.conftest import Session, paint, serving
from tests.serving import Start, forked, typed

ROUNDS, PAINTERS = 3, 4
pytestmark = pytest.mark.crash


def paint_until_killed(session: Session, acknowledged: list[int]) -> None:
    for k in range(100_000):
        body = paint(f"r{k}", k)
        if k % 9 == 8:
            body = {"request_id": f"r{k}", "action": {"kind": "undo"}}
        try:
            answer = session.act(body)
        except httpx.HTTPError:
            return
        if answer.status_code != 200:
            return
        acknowledged.append(answer.json()["seq"])


def kill_rounds(folder: Path, rounds: int, seed: int = 0, start: Start = typed) -> int:
    """Paint and kill; return how many actions were acknowledged. Raises AssertionError when one is lost."""
    rng, total = random.Random(seed), 0
    for _ in range(rounds):
        with serving(folder, start) as server:
            sessions, told = [], []
            clients = [httpx.Client(base_url=server.url, timeout=10) for _ in range(PAINTERS)]
            for client in clients:
                sessions.append(Session(client, task_id="programmatic-04", protocol="practice"))
                told.append([])
            threads = [
                threading.Thread(target=paint_until_killed, args=pair) for pair in zip(sessions, told, strict=True)
            ]
            for thread in threads:
                thread.start()
            time.sleep(rng.uniform(0.1, 0.9))  # the moment of the crash is what is random here
            server.kill()
            for thread in threads:
                thread.join()
            for client in clients:
                client.close()
        check(folder, sessions, told)
        total += sum(map(len, told))
    return total


def check(folder: Path, sessions: list[Session], told: list[list[int]]) -> None:
    studio = Studio(Settings(data_dir=folder))
    try:
        for session, acknowledged in zip(sessions, told, strict=True):
            stored = [entry["seq"] for entry in list(studio.sessions.log(session.id))[1:]]
            assert stored == list(range(1, len(stored) + 1)), "the log has a gap"
            assert set(acknowledged) <= set(stored), "an acknowledged action is lost"
            assert len(stored) <= len(acknowledged) + 1, "more was stored than was ever sent"
            view = studio.sessions.view(session.id)
            assert view.intact, "the replayed canvas differs from the recorded one"
            assert view.protocol is ProtocolName.PRACTICE
    finally:
        studio.close()
    with sqlite3.connect(folder / "easel.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_no_acknowledged_action_is_lost(tmp_path: Path) -> None:
    assert kill_rounds(tmp_path, ROUNDS, start=forked) > ROUNDS * PAINTERS


def test_a_client_goes_on_after_a_crash_with_the_same_request(tmp_path: Path) -> None:
    with serving(tmp_path, forked) as server, httpx.Client(base_url=server.url, timeout=10) as client:
        session = Session(client)
        first = session.paint(1, "one")
        server.kill()
        server.start()
        assert session.paint(1, "one") == first
        assert session.paint(2, "two")["seq"] == 2
        assert json.loads(client.get(f"/api/sessions/{session.id}").text)["intact"]
