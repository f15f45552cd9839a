"""Parquet: rows as pyarrow reads them, whatever the layout of the file, with pictures one at a time."""

from __future__ import annotations

import gc
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from easel_app.rubrics.reading import from_disk, pages, parquet, snappy
from easel_app.rubrics.reading.thrift import struct
from easel_app.rubrics.records import Task
from easel_app.sources.found import Found, Problem
from easel_app.sources.references import Cell
from tests.rubrics import files
from tests.rubrics.files import CELL, cells, picture, read, row, told

BYTES = st.one_of(st.none(), st.binary(max_size=40), st.sampled_from([b"twice" * 9, b""]))
STRUCT = st.none() | st.builds(
    lambda content, path: {"bytes": content, "path": path}, BYTES, st.none() | st.just("a.png")
)
FLAT = st.none() | st.lists(STRUCT, max_size=4)
NESTED = st.none() | st.lists(FLAT, max_size=3)
LAYOUT = st.fixed_dictionaries(
    {
        "compression": st.sampled_from(["none", "snappy", "gzip", "zstd", "brotli", "lz4"]),
        "use_dictionary": st.booleans(),
        "data_page_version": st.sampled_from(["1.0", "2.0"]),
        "data_page_size": st.sampled_from([64, 2**20]),
        "write_batch_size": st.sampled_from([1, 3, 1024]),
        "row_group_size": st.sampled_from([1, 4, 100]),
        "use_content_defined_chunking": st.booleans(),
    }
)


def opened(value: Any) -> Any:
    """Cells as pyarrow gives them: dicts of bytes and path."""
    if isinstance(value, Cell):
        content = value.content() if value.content else None
        assert len(content or b"") == value.size
        return {"bytes": content, "path": value.path}
    return [opened(each) for each in value] if isinstance(value, list) else value


def column(path: Path, name: str) -> list[Any]:
    with pq.ParquetFile(path, buffer_size=parquet.BUFFER, pre_buffer=False) as file:
        groups = range(file.num_row_groups)
        return [opened(each) for group in groups for each in parquet._cells(path, file, group, name)]


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(STRUCT, FLAT, NESTED), min_size=1, max_size=12),
    how=LAYOUT,
    small=st.sampled_from([0, 60, 2**20]),
)
def test_pictures_are_read_as_pyarrow_reads_them_in_every_layout(
    tmp_path: Path, rows: list[Any], how: dict[str, Any], small: int
) -> None:
    schema = pa.schema([("one", CELL), ("flat", pa.list_(CELL)), ("nested", pa.list_(pa.list_(CELL)))])
    table = pa.Table.from_pylist([dict(zip(schema.names, each, strict=True)) for each in rows], schema=schema)
    path = tmp_path / "x.parquet"
    pq.write_table(table, path, **how)
    most, pages.MOST_SMALL = pages.MOST_SMALL, small  # 0: every page goes through a file
    try:
        for at, name in enumerate(schema.names):
            assert column(path, name) == [each[at] for each in rows]
    finally:
        pages.MOST_SMALL = most


@pytest.mark.parametrize("compression", ["snappy", "zstd", "none", "gzip"])
@pytest.mark.parametrize("content", ["noise", "text", "zeros"])
def test_large_pages_are_unpacked_piece_by_piece(tmp_path: Path, compression: str, content: str) -> None:
    rng = random.Random(5)
    made = {
        "noise": lambda: rng.randbytes(700_000),
        "text": lambda: b"".join(rng.choice([b"width=", b"9", b"<svg>", b"\0\0"]) for _ in range(100_000)),
        "zeros": lambda: bytes(900_000),
    }
    rows = [row(str(n), images_by_turn=[cells(made[content](), b"small", path=None)]) for n in range(6)]
    path = files.parquet(tmp_path / "x.parquet", rows, compression=compression)
    assert column(path, "images_by_turn") == [each["images_by_turn"] for each in rows]


class TestSnappy:
    """The format's own cases, which packers rarely write."""

    def unpack(self, tmp_path: Path, packed: bytes, size: int) -> bytes:
        (tmp_path / "packed").write_bytes(packed)
        with (tmp_path / "packed").open("rb") as source, (tmp_path / "out").open("w+b", buffering=0) as target:
            snappy.unpack(source, size, target)
        return (tmp_path / "out").read_bytes()

    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        content=st.binary(max_size=3000) | st.lists(st.sampled_from([b"ab", b"abc", b"x"]), max_size=2000).map(b"".join)
    )
    def test_what_was_packed_comes_out(self, tmp_path: Path, content: bytes) -> None:
        packed = pa.Codec("snappy").compress(content, asbytes=True)
        assert self.unpack(tmp_path, packed, len(content)) == content

    def test_copies_of_all_three_kinds_from_near_and_far(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(snappy, "PIECE", 32)
        monkeypatch.setattr(snappy, "NEAR", 16)
        literal = bytes(range(100))
        one = bytes([(4 - 4) << 2 | 1 | (0 << 5), 3])  # 4 bytes from 3 back, which overlap themselves
        two = bytes([(20 - 1) << 2 | 2]) + (90).to_bytes(2, "little")
        four = bytes([(64 - 1) << 2 | 3]) + (124).to_bytes(4, "little")
        packed = bytes([188, 1, 60 << 2, 99]) + literal + one + two + four
        expected = bytearray(literal)
        for distance, length in ((3, 4), (90, 20), (124, 64)):
            for _ in range(length):
                expected.append(expected[-distance])
        assert self.unpack(tmp_path, packed, 188) == bytes(expected)

    @pytest.mark.parametrize(
        ("packed", "size"),
        [
            (b"", 4),
            (b"\x04", 4),
            (b"\x05\x0cabcd", 4),
            (b"\x04\x0cab", 4),
            (b"\x04\x01\x05", 4),  # a copy from before the beginning
            (b"\x04\x00a\x01\x00", 4),  # from no way back
            (b"\x04\x10abcde", 4),  # more than it said
            (b"\xff\xff\xff\xff\xff\xff", 4),
        ],
    )
    def test_damaged_ones_are_refused(self, tmp_path: Path, packed: bytes, size: int) -> None:
        with pytest.raises(ValueError, match=r"\w"):
            self.unpack(tmp_path, packed, size)


@pytest.mark.parametrize("kind", range(16))
def test_a_list_that_says_it_is_longer_than_the_header_is_refused_at_once(kind: int) -> None:
    """Else a few bytes would ask for all memory there is."""
    with pytest.raises(ValueError, match="header"):
        struct(bytes([0x19, 0xF0 | kind]) + b"\xff" * 4 + b"\x7f" + b"\x00" * 20)


@settings(max_examples=100)
@given(st.binary(max_size=60))
def test_a_header_of_any_bytes_is_read_or_refused(data: bytes) -> None:
    try:
        fields, length = struct(data)
    except ValueError:
        return
    assert isinstance(fields, dict) and 0 < length <= len(data)


def test_rows_of_the_present_revision_with_pictures_of_each_turn(tmp_path: Path) -> None:
    by_turn = [cells(picture(1), picture(2)), [], cells(picture(1))]
    rows = [row("a", 3, images=cells(picture(1), picture(2), picture(1)), images_by_turn=by_turn), row("b")]
    found, problems = read(files.parquet(tmp_path / "x.parquet", rows))
    assert problems == [] and [str(each.place) for each in found] == ["row 1", "row 2"]
    task, other = found[0].record, found[1].record
    assert isinstance(task, Task) and isinstance(other, Task)
    assert [[found[0].pictures[each.digest]() for each in turn.pictures] for turn in task.turns] == [
        *([picture(1), picture(2)], [], [picture(1)]),
    ]
    assert other.turns[0].pictures == () and [item.id for item in other.turns[0].rubric] == ["i0-a", "i0-b"]


def test_where_no_turn_has_pictures_those_of_the_task_are_the_first_turns(tmp_path: Path) -> None:
    rows = [
        row("a", 2, images=cells(picture(1)), images_by_turn=[cells(picture(1)), []]),
        row("b", 2, images=cells(picture(2), picture(3)), images_by_turn=[[], []]),
        row("c", 2, images=cells(picture(4)), images_by_turn=None),
        row("d", 2, images=cells(picture(5)), images_by_turn=[[], cells(picture(5))]),
    ]
    found, problems = read(files.parquet(tmp_path / "x.parquet", rows, row_group_size=3))
    assert problems == []
    shown = [
        [[each.pictures[kept.digest]() for kept in turn.pictures] for turn in each.record.turns]
        for each in found
        if isinstance(each.record, Task)
    ]
    assert shown == [[[picture(1)], []], [[picture(2), picture(3)], []], [[picture(4)], []], [[], [picture(5)]]]


@pytest.mark.parametrize("kind", ["text", "object", "list"])
def test_rows_of_earlier_revisions(tmp_path: Path, kind: str) -> None:
    rubric: Any = {"r": {"weight": 4, "description": "d"}}
    forms: dict[str, tuple[pa.DataType, Any]] = {
        "text": (pa.string(), '{"r": {"weight": 4, "description": "d"}}'),
        "object": (
            pa.struct([(n, pa.struct([("weight", pa.float64()), ("description", pa.string())])) for n in "rs"]),
            rubric,
        ),
        "list": (pa.list_(pa.string()), ['{"r": {"weight": 4, "description": "d"}}']),
    }
    form, value = forms[kind]
    names = ("id", "prompt", "golden_answer")
    schema = pa.schema([*[(name, pa.string()) for name in names], ("rubrics", form), ("image", CELL)])
    entry = {"id": "t", "prompt": "?", "golden_answer": "!", "rubrics": value, "image": cells(picture(9))[0]}
    found, problems = read(files.parquet(tmp_path / "x.parquet", [entry], schema))
    assert problems == [] and isinstance(found[0].record, Task)
    (turn,) = found[0].record.turns
    assert [(item.id, item.weight) for item in turn.rubric] == [("r", 4)] and len(turn.pictures) == 1


def test_shards_of_a_folder_are_read_in_order_with_their_names(tmp_path: Path) -> None:
    for shard in range(3):
        files.parquet(tmp_path / f"test-{shard:05}-of-00003.parquet", [row(f"t{shard}-{n}") for n in range(2)])
    found = list(from_disk(tmp_path).read())
    assert [each.record.id for each in found if isinstance(each, Found) and isinstance(each.record, Task)] == [
        f"t{shard}-{n}" for shard in range(3) for n in range(2)
    ]
    assert str(found[3].place) == "test-00001-of-00003.parquet, row 2"


def test_bad_pictures_refuse_their_row_only(tmp_path: Path) -> None:
    rows = [
        row("a", images_by_turn=[cells(picture(1), b"<svg/>")]),
        row("b", images_by_turn=[cells(None)]),
        row("c", images_by_turn=[cells(picture(1, "JPEG"))]),
        row("d", images_by_turn=[cells(picture())]),
    ]
    found, problems = read(files.parquet(tmp_path / "x.parquet", rows))
    assert [each.record.id for each in found if isinstance(each.record, Task)] == ["c", "d"]
    assert [str(problem.place) for problem in problems] == ["row 1", "row 2"]
    assert "SVG" in told(problems)[0] and "only its name" in told(problems)[1]
    assert "it is a JPEG picture" in found[0].notes[0].what and problems[0].faults[0].field == "turns.0.pictures.1"


def test_a_picture_that_is_too_large_is_never_read(tmp_path: Path) -> None:
    rows = [row("a", images_by_turn=[cells(picture() + bytes(34_000_000))])]
    found, problems = read(files.parquet(tmp_path / "x.parquet", rows))
    assert found == [] and "has 34.0 MB" in told(problems)[0]


def test_files_of_other_columns_are_told(tmp_path: Path) -> None:
    pq.write_table(pa.table({"question": ["?"], "id": ["a"]}), tmp_path / "x.parquet")
    found, problems = read(tmp_path / "x.parquet")
    assert found == [] and "not the benchmark's data set" in told(problems)[0]


def test_a_column_with_more_entries_than_rows_can_hold_is_told(tmp_path: Path) -> None:
    rows = [row("a", images_by_turn=[[None] * 5000])]
    found, problems = read(files.parquet(tmp_path / "x.parquet", rows))
    assert found == [] and "more entries" in told(problems)[0]


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_gives_rows_and_problems_and_never_anything_else(tmp_path: Path, data: st.DataObject) -> None:
    rows = [row(str(n), images_by_turn=[cells(picture(n), picture(n + 1))]) for n in range(3)]
    codec = data.draw(st.sampled_from(["snappy", "zstd", "none"]))
    path = files.parquet(tmp_path / "x.parquet", rows, row_group_size=2, compression=codec)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(4, len(content) - 1))
        if data.draw(st.booleans()):
            content[at] ^= data.draw(st.integers(1, 255))
        else:
            del content[at : at + data.draw(st.integers(1, 200))]
    path.write_bytes(content)
    found = list(files.source(path).read())
    assert all(isinstance(each, Found | Problem) for each in found) and len(found) <= len(rows) + 1


def test_no_file_stays_open(tmp_path: Path) -> None:
    rows = [row(str(n), images_by_turn=[cells(random.Random(n).randbytes(2_000_000))]) for n in range(3)]
    path = files.parquet(tmp_path / "x.parquet", rows)
    descriptors = Path("/proc/self/fd") if Path("/proc/self/fd").is_dir() else Path("/dev/fd")
    gc.collect()  # of what other tests left
    before = len(list(descriptors.iterdir()))
    kept = column(path, "images_by_turn")
    gc.collect()
    assert len(kept) == 3 and len(list(descriptors.iterdir())) <= before
