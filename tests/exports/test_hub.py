"""A push, against a small hub on this machine."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from easel_app.exports.hub import push
from easel_app.services.problems import Refusal
from tests.conftest import free_port

TOKEN = "hf_" + "s3cr3t" * 6


class Hub(ThreadingHTTPServer):
    """Takes a data set as the hub does, or answers everything with one status."""

    def __init__(self, status: int = 200) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.status = status
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, str | None, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answers(BaseHTTPRequestHandler):
    server: Hub

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self.answer({"id": "ann/set", "sha": "0" * 40, "siblings": []})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.asked.append((self.path, self.headers.get("authorization"), body))
        if self.path.endswith("/repos/create"):
            self.answer({"url": f"{self.server.url}/datasets/ann/set", "name": "ann/set"})
        elif "/preupload/" in self.path:
            paths = [file["path"] for file in json.loads(body)["files"]]
            self.answer({"files": [{"path": path, "uploadMode": "regular", "shouldIgnore": False} for path in paths]})
        elif "/commit/" in self.path:
            for line in filter(None, body.split(b"\n")):
                entry = json.loads(line)
                if entry["key"] == "file":
                    self.server.files[entry["value"]["path"]] = base64.b64decode(entry["value"]["content"])
            address = f"{self.server.url}/datasets/ann/set/commit/{'0' * 40}"
            self.answer({"success": True, "commitUrl": address, "commitOid": "0" * 40})
        else:
            self.answer({})

    def answer(self, content: Any) -> None:
        status = self.server.status
        body = json.dumps(content if status == 200 else {"error": f"no, {self.headers.get('authorization')}"}).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def running(status: int = 200) -> Iterator[Hub]:
    with Hub(status) as hub:
        thread = threading.Thread(target=hub.serve_forever)
        thread.start()
        yield hub
        hub.shutdown()
        thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "data").mkdir()
    (tmp_path / "README.md").write_text("# Set")
    (tmp_path / "data" / "sessions.parquet").write_bytes(b"PAR1")
    yield tmp_path


def test_all_files_arrive_with_the_token_in_the_header(folder: Path) -> None:
    with running() as hub:
        address = push(folder, "ann/set", SecretStr(TOKEN), private=True, endpoint=hub.url)
    assert address == f"{hub.url}/datasets/ann/set"
    assert hub.files == {"README.md": b"# Set", "data/sessions.parquet": b"PAR1"}
    assert {authorization for _, authorization, _ in hub.asked} == {f"Bearer {TOKEN}"}
    made = json.loads(hub.asked[0][2])
    assert (made["name"], made["type"], made["visibility"]) == ("set", "dataset", "private")


@pytest.mark.parametrize(
    ("status", "reason"),
    [(401, "token is missing or not valid"), (403, "may not write there"), (404, "no such account")],
)
def test_a_refusal_is_one_sentence_without_the_token(
    folder: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, status: int, reason: str
) -> None:
    with running(status) as hub, pytest.raises(Refusal, match=reason) as refused:
        push(folder, "ann/set", SecretStr(TOKEN), endpoint=hub.url)
    assert refused.value.message.count(". ") == 0
    assert refused.value.__cause__ is None
    out, err = capfd.readouterr()
    for text in (refused.value.message, out, err, caplog.text):
        assert TOKEN not in text


def test_a_hub_that_is_not_there_is_told(folder: Path) -> None:
    with pytest.raises(Refusal, match="cannot be reached"):
        push(folder, "ann/set", SecretStr(TOKEN), endpoint=f"http://127.0.0.1:{free_port()}")


@pytest.mark.parametrize("name", ["a/b/c", "../etc", "a b", "", "x" * 200, "a/-b"])
def test_a_name_that_is_none_is_told_before_anything_is_sent(folder: Path, name: str) -> None:
    with running() as hub, pytest.raises(Refusal, match="NAME/REPO"):
        push(folder, name, SecretStr(TOKEN), endpoint=hub.url)
    assert not hub.asked
