"""Data sets of Hugging Face, in a folder or on a small hub on this machine."""

from __future__ import annotations

import hashlib
import json
import pickle
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.services.problems import Invalid, Refusal
from easel_app.trajectories.recipe import PoolWish
from easel_app.trajectories.references.hub import RUN, Hub
from easel_app.trajectories.references.named_splits import HELD_OUT, chosen
from easel_app.trajectories.references.pool import Placed, pool
from easel_app.trajectories.references.reference import Reference, Skipped
from tests.conftest import free_port
from tests.trajectories.references.files import file, noise

COMMIT = "ab" * 20


def table(path: Path, images: list[Any], rows_a_group: int = 40, kind: pa.DataType | None = None, **more: Any) -> Path:
    """A parquet file of pictures as `datasets` writes them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = kind or pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    columns = {"label": pa.array(range(len(images))), "image": pa.array(images, kind), **more}
    pq.write_table(pa.table(columns), path, row_group_size=rows_a_group)
    return path


def cell(seed: int) -> dict[str, Any]:
    return {"bytes": file(noise(seed, 40, 40), "JPEG"), "path": f"{seed}.jpg"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """150 pictures in three groups of two files, and test and validation splits that must not be used."""
    path = tmp_path_factory.mktemp("set")
    table(path / "data" / "train-00000-of-00002.parquet", [cell(k) for k in range(80)], 60)
    table(path / "data" / "train-00001-of-00002.parquet", [cell(k) for k in range(80, 150)], 70)
    table(path / "data" / "test-00000-of-00001.parquet", [cell(k) for k in range(150, 160)])
    table(path / "data" / "validation-00000-of-00001.parquet", [cell(k) for k in range(160, 165)])
    (path / "README.md").write_text("---\nlicense: cc-by-4.0\n---\n# A set")
    return path


def test_every_row_comes_once_in_a_seeded_order_and_never_one_of_the_test_split(folder: Path) -> None:
    source = Hub(str(folder), 3, 32)
    assert source.count == 150
    titles = [source.draw(index).title for index in range(150)]  # type: ignore[union-attr]
    assert sorted(map(int, titles)) == list(range(150))
    assert titles != sorted(titles, key=int)
    assert titles != [Hub(str(folder), 4, 32).draw(index).title for index in range(150)]  # type: ignore[union-attr]


def test_a_split_that_is_held_out_is_read_when_it_is_named(folder: Path) -> None:
    source = Hub(f"{folder}#validation", 3, 32)
    assert sorted(int(source.draw(index).title) for index in range(source.count)) == list(range(160, 165))  # type: ignore[union-attr]
    with pytest.raises(Invalid, match="no parquet file of a split nothing"):
        Hub(f"{folder}#nothing", 3, 32)


@given(st.sampled_from(HELD_OUT), st.sampled_from(["data/{}-00000.parquet", "{}/0.parquet", "a_{}2017.parquet", "{}"]))
def test_files_of_held_out_splits_are_told_by_a_whole_word(split: str, form: str) -> None:
    files = [form.format(word) for word in (split, split.upper(), f"la{split}", f"{split}ure", "train")]
    assert chosen(files, "") == files[2:]
    assert chosen(files, split) == files[:2]


def test_the_first_candidates_are_of_all_groups_and_not_of_one_alone(folder: Path) -> None:
    source = Hub(str(folder), 0, 32)
    groups = {source.draw(index).source.detail.split(",")[0] + str(index // RUN) for index in range(0, 3 * RUN, RUN)}  # type: ignore[union-attr]
    assert len(groups) == 3
    assert {int(source.draw(k).title) // 75 for k in range(3 * RUN)} == {0, 1}  # type: ignore[union-attr]


def test_rows_can_be_drawn_in_any_order_and_by_a_copy(folder: Path) -> None:
    source = Hub(str(folder), 0, 32)
    forward = [source.draw(index) for index in range(60)]
    copy = pickle.loads(pickle.dumps(source))
    backward = [copy.draw(index) for index in reversed(range(60))][::-1]
    assert [each.key for each in forward] == [each.key for each in backward]  # type: ignore[union-attr]


def test_origin_and_licence_are_the_data_sets(folder: Path) -> None:
    found = Hub(str(folder), 0, 32).draw(0)
    assert isinstance(found, Reference)
    assert (found.family, found.source.origin, found.source.licence) == ("hub", f"data set {folder.name}", "cc-by-4.0")


def test_the_pool_takes_a_folder_of_parquet_files(folder: Path) -> None:
    wish = PoolWish(references=40, size=32, families={f"hub:{folder}": 1.0})
    assert sum(isinstance(each, Placed) for each in pool(wish)) == 40


def test_plain_bytes_are_pictures_too_and_cells_that_hold_none_are_skipped(tmp_path: Path) -> None:
    table(tmp_path / "a.parquet", [file(noise(1)), None, b"junk"], kind=pa.binary())
    source = Hub(str(tmp_path), 0, 32)
    found = [source.draw(index) for index in range(3)]
    assert sorted(each.reason for each in found if isinstance(each, Skipped)) == ["missing", "not a picture"]
    assert [each.title for each in found if isinstance(each, Reference)] == ["Row 0"]


def test_a_cell_with_a_name_alone_is_skipped(tmp_path: Path) -> None:
    table(tmp_path / "a.parquet", [{"bytes": None, "path": "/etc/passwd"}])
    found = Hub(str(tmp_path), 0, 32).draw(0)
    assert isinstance(found, Skipped) and found.reason == "missing"


def test_the_column_that_datasets_marks_is_taken(tmp_path: Path) -> None:
    told = {"info": {"features": {"thumb": {"_type": "Image"}, "image": {"dtype": "binary", "_type": "Value"}}}}
    schema = pa.schema([("image", pa.binary()), ("thumb", pa.binary())], {"huggingface": json.dumps(told)})
    pq.write_table(pa.table({"image": [b"x"], "thumb": [file(noise(1))]}, schema), tmp_path / "a.parquet")
    assert isinstance(Hub(str(tmp_path), 0, 32).draw(0), Reference)


def test_sets_without_pictures_with_several_columns_or_damaged_are_refused(tmp_path: Path) -> None:
    for name, columns, why in (
        ("none", {"text": ["a"]}, "no column holds pictures"),
        ("two", {"a": [b"x"], "b": [b"y"]}, "the columns a, b may all hold pictures"),
    ):
        (tmp_path / name).mkdir()
        pq.write_table(pa.table(columns), tmp_path / name / "a.parquet")
        with pytest.raises(Invalid, match=why):
            Hub(str(tmp_path / name), 0, 32)
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "a.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(Invalid, match="no sound parquet file"):
        Hub(str(tmp_path / "damaged"), 0, 32)
    (tmp_path / "empty").mkdir()
    with pytest.raises(Invalid, match="holds no parquet file"):
        Hub(str(tmp_path / "empty"), 0, 32)


def test_a_file_that_is_damaged_further_in_is_skipped_row_by_row(tmp_path: Path) -> None:
    path = table(tmp_path / "a.parquet", [cell(k) for k in range(30)])
    content = bytearray(path.read_bytes())
    content[200:6000] = b"\0" * 5800
    path.write_bytes(bytes(content))
    source = Hub(str(tmp_path), 0, 32)
    assert {each.reason for each in map(source.draw, range(30)) if isinstance(each, Skipped)} <= {
        "unreadable",
        "broken",
    }


class Answers(BaseHTTPRequestHandler):
    server: Small

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET(body=False)

    def do_GET(self, body: bool = True) -> None:
        self.server.asked.append(self.path)
        path, files = self.path.split("?")[0], self.server.files
        if self.server.status != 200:
            self.answer(b"{}", body, self.server.status, {"X-Error-Code": self.server.code})
        elif "/resolve/" in path:
            content = files[path.split("/resolve/")[1].split("/", 1)[1]]
            self.answer(content, body, 200, {"ETag": hashlib.sha1(content).hexdigest(), "X-Repo-Commit": COMMIT})
        elif "/tree/" in path:
            listed = [{"type": "file", "path": name, "size": len(c), "oid": "0" * 40} for name, c in files.items()]
            self.answer(json.dumps(listed).encode(), body)
        else:
            told = {"id": "ann/set", "sha": COMMIT, "siblings": [{"rfilename": name} for name in files]}
            self.answer(json.dumps(told).encode(), body)

    def answer(self, content: bytes, body: bool, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(content)


class Small(ThreadingHTTPServer):
    """A hub with one data set, or one that answers everything with a status."""

    def __init__(self, folder: Path, status: int, code: str) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.files = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
        self.files["model.bin"] = b"not asked for"
        self.status, self.code, self.asked = status, code, list[str]()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def running(folder: Path, status: int = 200, code: str = "") -> Iterator[Small]:
    with Small(folder, status, code) as hub:
        thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield hub
        finally:
            hub.shutdown()
            thread.join()


def test_a_name_is_fetched_from_the_hub_once_with_nothing_but_tables_and_card(folder: Path, tmp_path: Path) -> None:
    with running(folder) as hub:
        source = Hub("ann/set", 3, 32, tmp_path, hub.url)
        assert not any("model.bin" in path for path in hub.asked if "/resolve/" in path)
        found = source.draw(5)
    assert isinstance(found, Reference)
    assert found.source.origin == f"data set ann/set@{COMMIT[:12]}"
    assert found.source.licence == "cc-by-4.0"
    assert found.key == Hub(str(folder), 3, 32).draw(5).key  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("status", "code", "why"),
    [
        (404, "RepoNotFound", "no data set of that name"),
        (404, "RevisionNotFound", "no revision v2"),
        (403, "GatedRepo", "its terms must be accepted"),
        (401, "", "log in by"),
        (410, "", "the hub answered 410"),
    ],
)
def test_a_refusal_of_the_hub_is_one_sentence_without_an_address(
    folder: Path, tmp_path: Path, status: int, code: str, why: str
) -> None:
    with running(folder, status, code) as hub, pytest.raises(Refusal, match=why) as refused:
        Hub("ann/set@v2#validation", 0, 32, tmp_path, hub.url)
    assert "127.0.0.1" not in refused.value.message
    assert refused.value.message.count(". ") == 0
    assert refused.value.__cause__ is None


def test_a_hub_that_is_not_there_and_a_name_that_is_none_are_told(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be reached"):
        Hub("ann/set", 0, 32, tmp_path, f"http://127.0.0.1:{free_port()}")
    with pytest.raises(Refusal, match="neither a folder here nor a name"):
        Hub("/no/such/folder", 0, 32, tmp_path)
