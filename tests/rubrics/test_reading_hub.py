"""A data set of the hub, from a small hub on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from easel_app.rubrics.reading.hub import from_hub, of_split
from easel_app.rubrics.records import Task
from easel_app.sources.found import Found, SourceUnusable, Stopped
from tests.conftest import free_port
from tests.rubrics import files
from tests.rubrics.files import cells, picture, row

COMMIT = "c" * 40


class Hub(ThreadingHTTPServer):
    """Holds one data set; `fault` is a status or an error code that it answers with instead."""

    def __init__(self, content: dict[str, bytes], fault: tuple[int, str] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.content, self.fault = content, fault
        self.fetched: list[str] = []
        self.cut: set[str] = set()
        """Files of which the first request gets only half."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answers(BaseHTTPRequestHandler):
    server: Hub

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if self.server.fault:
            status, code = self.server.fault
            return self.answer(status, b'{"error": "no"}', {"X-Error-Code": code})
        if path.startswith("/api/datasets/ann/set"):
            known = [{"rfilename": name, "size": len(each)} for name, each in self.server.content.items()]
            body = {"id": "ann/set", "sha": COMMIT, "siblings": known}
            return self.answer(200, json.dumps(body).encode())
        name = path.removeprefix(f"/datasets/ann/set/resolve/{COMMIT}/")
        whole = self.server.content.get(name)
        if whole is None:
            return self.answer(404, b"{}", {"X-Error-Code": "EntryNotFound"})
        headers = {"ETag": f'"{name}"', "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}
        start = int(self.headers.get("range", "bytes=0-").removeprefix("bytes=").partition("-")[0])
        if self.command == "GET":
            self.server.fetched.append(f"{name}@{start}" if start else name)
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(whole) - 1}/{len(whole)}"
        self.answer(206 if start else 200, whole[start:], headers, name)

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None, name: str = "") -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.end_headers()
        if self.command == "GET":
            if name in self.server.cut:
                self.server.cut.discard(name)
                body = body[: len(body) // 2]
                self.close_connection = True
            self.wfile.write(body)


@contextmanager
def running(content: dict[str, bytes], fault: tuple[int, str] | None = None) -> Iterator[Hub]:
    with Hub(content, fault) as hub:
        thread = threading.Thread(target=hub.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield hub
        finally:
            hub.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("set")
    found = {"README.md": b"# Set", "data/train-00000-of-00001.parquet": b"not this one"}
    for shard in range(2):
        rows = [row(f"t{shard}", images_by_turn=[cells(picture(shard))])]
        path = files.parquet(folder / "x.parquet", rows)
        found[f"data/test-0000{shard}-of-00002.parquet"] = path.read_bytes()
    return found


def test_the_files_of_the_test_split_come_once_and_are_read_in_order(tmp_path: Path, content: dict[str, bytes]) -> None:
    told: list[tuple[int, int]] = []
    with running(content) as hub:
        source = from_hub("ann/set", told=lambda *far: told.append(far), endpoint=hub.url, cache=tmp_path)
        assert sorted(hub.fetched) == sorted(name for name in content if "test" in name)
        from_hub("ann/set", endpoint=hub.url, cache=tmp_path)
        assert len(hub.fetched) == 2
    assert (source.name, source.title) == (f"ann/set@{COMMIT[:12]}", "set")
    found = list(source.read())
    assert [each.record.id for each in found if isinstance(each, Found) and isinstance(each.record, Task)] == [
        "t0",
        "t1",
    ]
    assert str(found[1].place) == "test-00001-of-00002.parquet, row 1"
    sizes = [len(each) for name, each in content.items() if "test" in name]
    assert told == [(0, sum(sizes)), (sizes[0], sum(sizes)), (sum(sizes), sum(sizes))]


def test_a_file_that_was_cut_off_comes_whole_in_the_end(tmp_path: Path, content: dict[str, bytes]) -> None:
    name = "data/test-00001-of-00002.parquet"
    with running(content) as hub:
        hub.cut = {name}
        try:
            source = from_hub("ann/set", endpoint=hub.url, cache=tmp_path)
        except SourceUnusable:  # where the hub's library does not go on by itself
            source = from_hub("ann/set", endpoint=hub.url, cache=tmp_path)
        assert [each.partition("@")[0] for each in hub.fetched[1:]] == [name, name]
    assert len(list(source.read())) == 2


def test_it_stops_before_the_next_file_when_nobody_waits(tmp_path: Path, content: dict[str, bytes]) -> None:
    with running(content) as hub, pytest.raises(Stopped):
        from_hub("ann/set", stopping=lambda: len(hub.fetched) == 1, endpoint=hub.url, cache=tmp_path)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ((404, "RepoNotFound"), "the hub has no such data set"),
        ((401, "RepoNotFound"), "the hub has no such data set"),
        ((404, "RevisionNotFound"), "it has no such revision"),
        ((403, "GatedRepo"), "ask for access"),
        ((418, ""), "the hub answered 418"),
    ],
)
def test_each_refusal_is_one_sentence(tmp_path: Path, fault: tuple[int, str], reason: str) -> None:
    with running({}, fault) as hub, pytest.raises(SourceUnusable, match=reason) as refused:
        from_hub("ann/set", "main", endpoint=hub.url, cache=tmp_path)
    assert str(refused.value).count(". ") == 0 and hub.url not in str(refused.value)


def test_a_hub_that_is_not_there_and_being_offline_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceUnusable, match="cannot be reached"):
        from_hub("ann/set", endpoint=f"http://127.0.0.1:{free_port()}", cache=tmp_path)
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(SourceUnusable, match=r"HF_HUB_OFFLINE|cannot be reached"):
        from_hub("ann/set", endpoint=f"http://127.0.0.1:{free_port()}", cache=tmp_path)


def test_a_data_set_without_parquet_is_told(tmp_path: Path) -> None:
    with running({"README.md": b"#"}) as hub, pytest.raises(SourceUnusable, match="no parquet files"):
        from_hub("ann/set", endpoint=hub.url, cache=tmp_path)


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["data/test-0.parquet", "data/train-0.parquet"], ["data/test-0.parquet"]),
        (
            ["default/train/0001.parquet", "default/train/0000.parquet"],
            ["default/train/0000.parquet", "default/train/0001.parquet"],
        ),
        (["contest.parquet", "b.parquet"], ["b.parquet", "contest.parquet"]),
        (["a.json"], []),
    ],
)
def test_the_split_is_told_by_the_names_of_its_files(names: list[str], chosen: list[str]) -> None:
    assert of_split(names) == chosen
