"""Players outside the page, over HTTP, for tests of what the page shows of them."""

from __future__ import annotations

import json
from typing import Any

import httpx

from tests.browser.easel import HTTP
from tests.conftest import stroke


class Agent:
    """An agent with a session of its own."""

    def __init__(self, url: str, task_id: str = "programmatic-05", protocol: str = "studio", **wish: Any) -> None:
        self.url = f"{url}/api/sessions"
        player = {"kind": "agent", "name": "Robo"}
        body = {"task_id": task_id, "protocol": protocol, "player": player} | wish
        begun = HTTP.post(self.url, json=body).raise_for_status().json()
        self.id: str = begun["session_id"]
        self.token: str = begun["write_token"]
        self.count = 0

    @classmethod
    def known(cls, url: str, session_id: str) -> Agent:
        """A session that the page began, seen from outside."""
        found = cls.__new__(cls)
        found.url, found.id, found.token, found.count = f"{url}/api/sessions", session_id, "", 0
        return found

    def join(self, name: str) -> str:
        """Become a guest; the token to act with."""
        answer = HTTP.post(f"{self.url}/{self.id}/guests", json={"name": name}).raise_for_status()
        return str(answer.json()["guest_token"])

    def hand_back(self, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        HTTP.post(f"{self.url}/{self.id}/hand-back", headers=headers).raise_for_status()

    def send(self, action: dict[str, Any], token: str = "") -> httpx.Response:
        """Send an action as the owner, or with a guest's token."""
        self.count += 1
        headers = {"Authorization": f"Bearer {token or self.token}"}
        body = {"request_id": f"r{self.count}", "action": action}
        return HTTP.post(f"{self.url}/{self.id}/actions", json=body, headers=headers)

    def paint(self, count: int = 1, **changes: float) -> None:
        """Paint strokes, each another one unless the changes say all of it."""
        for _ in range(count):
            self.send({"kind": "brush_stroke", "stroke": stroke(self.count + 1, **changes)}).raise_for_status()

    def do(self, kind: str, **fields: str) -> None:
        self.send({"kind": kind, **fields}).raise_for_status()

    def view(self) -> dict[str, Any]:
        return dict(HTTP.get(f"{self.url}/{self.id}").json())

    def log(self) -> list[dict[str, Any]]:
        """The actions of the log."""
        lines = HTTP.get(f"{self.url}/{self.id}/log").text.splitlines()
        return [entry for entry in map(json.loads, lines) if entry["type"] == "action"]
