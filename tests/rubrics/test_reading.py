"""Our own format and JSON files in general: what is read is what was written, and every fault has its place."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from easel_app.rubrics.records import MOST_ANSWER, MOST_DEEP, Answer, SetLine, Task
from easel_app.sources import entries as reading
from easel_app.sources.entries import Entry, JsonFile
from easel_app.sources.found import Found, Problem
from tests.rubrics import files
from tests.rubrics.files import answer, lines, picture, read, task, told, url, verdict, vote

FAST = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def values(path: Path) -> list[Any]:
    return [entry.value for entry in JsonFile(path).entries() if isinstance(entry, Entry)]


def test_every_kind_of_line_becomes_its_record(tmp_path: Path) -> None:
    wanted = [
        {"type": "set", "name": "S", "sample": True},
        *(task("t1"), task("t2", 2)),
        *(answer("t1"), answer("t2", turns=2, attempt=3)),
        *(verdict(), verdict("t2", attempt=3, turn=2, verdict=None, unscored="cut off")),
        *(vote(), vote(verdict=None, role="adjudication", blind=False, confidence=2, error="calculation")),
    ]
    found, problems = read(lines(tmp_path / "own.jsonl", wanted))
    assert problems == []
    assert [str(each.place) for each in found] == [f"line {n}" for n in range(1, len(wanted) + 1)]
    for each, line in zip(found, wanted, strict=True):
        record = each.record.model_dump(mode="json")
        assert {name: record[name] for name in line if name != "turns"} == {
            name: line[name] for name in line if name != "turns"
        }


@FAST
@given(entries=st.lists(JSON, max_size=8), indent=st.sampled_from([None, 1]), piece=st.integers(1, 9))
def test_a_list_is_read_entry_by_entry_as_it_would_be_whole(
    tmp_path: Path, entries: list[Any], indent: int | None, piece: int
) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps(entries, indent=indent, ensure_ascii=False), "utf-8", "surrogatepass")
    whole, reading.PIECE = reading.PIECE, piece
    try:
        assert values(path) == entries
    finally:
        reading.PIECE = whole


@FAST
@given(entries=st.lists(JSON.filter(lambda value: isinstance(value, dict)), max_size=6), piece=st.integers(1, 9))
def test_lines_are_read_whatever_the_pieces_are(tmp_path: Path, entries: list[Any], piece: int) -> None:
    path = lines(tmp_path / "lines.jsonl", entries)
    whole, reading.PIECE = reading.PIECE, piece
    try:
        assert values(path) == entries
    finally:
        reading.PIECE = whole


def test_gzip_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf" + json.dumps(task()).encode() + b"\r\n\n" + json.dumps(answer()).encode()
    for name, content in (("plain", text), ("packed", gzip.compress(text))):
        (tmp_path / name).write_bytes(content)
        found, problems = read(tmp_path / name)
        assert ([type(each.record) for each in found], problems) == ([Task, Answer], [])
        assert str(found[1].place) == "line 3"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense", "not valid JSON"),
        ("[1, 2]", "a list of 2, but it must be an object"),
        ("12", "it is 12, but it must be an object"),
        ("{}", "no task, answer or verdict of any known form"),
        ('{"type": "tusk"}', "its type is 'tusk'"),
        ('{"type": ["task"]}', "its type is a list of 1"),
        ('{"type": "task", "type": "task"}', "the key 'type' stands there twice"),
        ("[" * 100_000, "not valid JSON|nested too deeply"),
        (b'{"type": "task", "id": "\xff"}', "not UTF-8"),
        (json.dumps({"type": "set", "name": "late"}), "first line"),
        (json.dumps(task(domain=7)), "domain is 7"),
        (json.dumps(task(extra=1)), "extra is not a field that is known"),
        (json.dumps(task("")), "id is empty"),
        (json.dumps(task(" x")), "id is ' x', but it must be one line without blanks"),
        (json.dumps(task("a\nb")), "one line"),
        (json.dumps(task(turns=0)), "turns is empty"),
        (json.dumps({**task(), "turns": 5}), "turns is 5"),
        (json.dumps({**task(), "turns": [None, 3]}), "turn 1"),
        (json.dumps({**task(), "turns": [{"prompt": "x" * 100_001}]}), "prompt has 100,001 characters"),
        (json.dumps({**answer(), "turns": [{"text": "x" * (MOST_ANSWER + 1)}]}), "text has 1,048,577 characters"),
        (json.dumps({**answer(), "turns": [{"text": "x", "calls": [{"name": 3}]}]}), "turn 1, call 1: name is 3"),
        (json.dumps(answer(attempt=0)), "attempt is 0"),
        (json.dumps(answer(model="m" * 81)), "model has 81 characters"),
        (json.dumps(verdict(verdict="Met")), "verdict is 'Met', but it must be"),
        (json.dumps(verdict(verdict=None)), "null with the reason in unscored"),
        (json.dumps(verdict(unscored="and why")), "null with the reason in unscored"),
        (json.dumps(verdict(turn=0)), "turn is 0"),
        (json.dumps(vote(verdict="perhaps")), "verdict is 'perhaps'"),
        (json.dumps(vote(blind="dunno")), "blind is 'dunno'"),
        (json.dumps(vote(confidence=4)), "confidence is 4"),
        (json.dumps(vote(error="laziness")), "error is 'laziness'"),
    ],
)
def test_a_bad_line_is_refused_with_its_number_and_hides_nothing_after_it(
    tmp_path: Path, line: str | bytes, reason: str
) -> None:
    found, problems = read(lines(tmp_path / "x.jsonl", [task(), line, answer()]))
    assert [type(each.record) for each in found] == [Task, Answer]
    assert [str(problem.place) for problem in problems] == ["line 2"]
    (first, *_) = told(problems)
    assert any(part in first for part in reason.split("|")), first


@pytest.mark.parametrize("weight", [0, 6, -1, 2.5, 3.0, True, "3", None, [3], 10**30, float("nan")])
def test_a_weight_that_is_no_whole_number_from_1_to_5_names_its_item(tmp_path: Path, weight: Any) -> None:
    bad = task(turns=2)
    bad["turns"][1]["rubric"][1]["weight"] = weight
    found, problems = read(lines(tmp_path / "x.jsonl", [bad]))
    (sentence,) = told(problems)
    assert found == [] and problems[0].key == ("task", "t1")
    assert sentence.startswith("line 1: turn 2, item 'b': weight is ") and "from 1 to 5" in sentence


def test_all_faults_of_a_record_are_told_at_once(tmp_path: Path) -> None:
    bad = task(domain=3, more=1)
    bad["turns"][0]["rubric"] = [{"id": "a", "weight": 9}, {"id": "", "weight": 3, "description": "d"}]
    _, problems = read(lines(tmp_path / "x.jsonl", [bad]))
    fields = {fault.field for fault in problems[0].faults}
    assert fields == {
        *("domain", "more", "turns.0.rubric.0.description", "turns.0.rubric.0.weight", "turns.0.rubric.1.id"),
    }


def test_an_item_id_may_come_twice_in_a_task_but_not_in_a_turn(tmp_path: Path) -> None:
    twice = task(turns=2)
    assert read(lines(tmp_path / "fine.jsonl", [twice]))[1] == []
    twice["turns"][0]["rubric"][1]["id"] = "a"
    (sentence,) = told(read(lines(tmp_path / "x.jsonl", [twice]))[1])
    assert "holds the id 'a' twice" in sentence


def test_hostile_text_is_kept_as_it_is_but_for_what_nothing_can_hold(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script> [x](javascript:y) \x1b[31m \u202e {{7*7}} '; DROP TABLE votes; --"
    line = answer()
    line["turns"][0] = {
        "text": hostile + "\ud800\0",
        "calls": [{"name": hostile, "arguments": {"\udfff": ["\ud800", 1e300]}, "observation": hostile}],
    }
    found, problems = read(lines(tmp_path / "x.jsonl", [line]))
    assert problems == []
    turn = found[0].record.model_dump()["turns"][0]
    assert turn["text"] == f"{hostile}\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"
    assert turn["calls"][0]["observation"] == turn["calls"][0]["name"] == hostile
    assert turn["calls"][0]["arguments"] == {"\N{REPLACEMENT CHARACTER}": ["\N{REPLACEMENT CHARACTER}", 1e300]}
    assert found[0].record.model_dump_json().encode()  # whatever it holds, it can be stored


def test_what_tools_returned_is_bounded_in_depth_and_size(tmp_path: Path) -> None:
    deep: Any = 1
    for _ in range(MOST_DEEP + 1):
        deep = [deep]
    for observation, reason in (
        (deep, "nested"),
        (["x" * 1000] * 1100, "more than"),
        ("x" * (MOST_ANSWER + 1), "more"),
    ):
        line = answer()
        line["turns"][0]["calls"] = [{"name": "t", "observation": observation}]
        (sentence,) = told(read(lines(tmp_path / "x.jsonl", [line]))[1])
        assert "call 1: observation is refused" in sentence and reason in sentence


def test_numbers_that_no_json_may_hold_stay_the_words_that_they_are(tmp_path: Path) -> None:
    text = (
        '{"type": "answer", "task_id": "t", "model": "m", "turns": [{"text": "", "calls": [{"name": "c", "arguments": '
    )
    text += f"[NaN, -Infinity, 1e999, {'9' * 5000}, {'9' * 400}]}}]}}]}}"
    found, problems = read(lines(tmp_path / "x.jsonl", [text]))
    assert problems == []
    arguments = found[0].record.model_dump()["turns"][0]["calls"][0]["arguments"]
    assert arguments == ["NaN", "-Infinity", "1e999", "9" * 5000, int("9" * 400)]
    assert json.loads(found[0].record.model_dump_json())["turns"][0]["calls"][0]["arguments"] == arguments


class TestLists:
    """JSON lists that are broken."""

    @pytest.mark.parametrize(
        ("text", "good", "places", "reason"),
        [
            ("[{}, {}", [{}, {}], ["entry 2"], "cut off|missing"),
            ('[{}, {"a": "x', [{}], ["entry 2"], "not valid JSON"),
            ("[{} {}]", [{}], ["entry 1"], "a comma"),
            ("[{}, nope, {}]", [{}], ["entry 2"], "not valid JSON"),
            ('[{"a": 1, "a": 2}, {}]', [{}], ["entry 1"], "'a' stands there twice"),
            ("[{}] {}", [{}], ["the file"], "follows the end"),
            ("[" + "[" * 100_000, [], ["entry 1"], "nested too deeply|not valid"),
            ("[", [], ["entry 1"], "cut off|missing"),
            ("[{},]", [{}], ["entry 2"], "not valid JSON"),
        ],
    )
    def test_what_is_whole_before_the_fault_is_read(
        self, tmp_path: Path, text: str, good: list[Any], places: list[str], reason: str
    ) -> None:
        (tmp_path / "x.json").write_text(text)
        found = list(JsonFile(tmp_path / "x.json").entries())
        assert [entry.value for entry in found if isinstance(entry, Entry)] == good
        problems = [each for each in found if isinstance(each, Problem)]
        assert [str(problem.place) for problem in problems] == places
        assert any(part in told(problems)[0] for part in reason.split("|")), told(problems)

    def test_bytes_that_are_no_text_refuse_their_entry_only(self, tmp_path: Path) -> None:
        (tmp_path / "x.json").write_bytes(b'[{"a": 1}, {"b": "\xff"}, {"c": "\xc3\xa9 \\ud800"}]')
        first, problem, last = JsonFile(tmp_path / "x.json").entries()
        assert isinstance(first, Entry) and isinstance(last, Entry) and isinstance(problem, Problem)
        assert (first.value, last.value) == ({"a": 1}, {"c": "é \ud800"})
        assert told([problem]) == ["entry 2: it is not UTF-8 text"]

    def test_an_entry_without_end_is_given_up_at_a_limit(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "MOST_ENTRY", 1_000_000)
        (tmp_path / "x.json").write_text('[{"a": "' + "x" * 3_000_000)
        (problem,) = JsonFile(tmp_path / "x.json").entries()
        assert isinstance(problem, Problem) and "million characters" in told([problem])[0]


def test_a_line_without_end_is_refused_and_the_next_one_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_ENTRY", 1_000_000)
    found, problems = read(lines(tmp_path / "x.jsonl", ["x" * 3_000_000, task()]))
    assert [str(each.place) for each in found] == ["line 2"] and [str(each.place) for each in problems] == ["line 1"]


def test_a_gzip_file_that_is_cut_off_gives_what_it_holds_and_a_problem(tmp_path: Path) -> None:
    whole = gzip.compress(b"\n".join([json.dumps(task(os.urandom(8).hex())).encode() for _ in range(3000)]))
    (tmp_path / "x.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    found, problems = read(tmp_path / "x.jsonl.gz")
    assert found and "gzip file is damaged or cut off" in told(problems)[-1]


class TestPictures:
    """Pictures that lines name."""

    def shown(self, tmp_path: Path, *names: Any, **how: Any) -> tuple[list[Found], list[Problem]]:
        line = task()
        line["turns"][0]["pictures"] = list(names)
        return read(lines(tmp_path / "x.jsonl", [line]), **how)

    def test_files_beside_the_lines_and_data_urls_are_taken_in(self, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / "a.png").write_bytes(picture(1))
        (each,), problems = self.shown(tmp_path, "sub/a.png", url(picture(2)))
        assert problems == [] and each.notes == ()
        assert isinstance(each.record, Task)
        kept = each.record.turns[0].pictures
        assert [(found.format, found.width, found.height) for found in kept] == [("png", 5, 4)] * 2
        assert [each.pictures[found.digest]() for found in kept] == [picture(1), picture(2)]

    def test_pictures_of_calls_are_taken_in_too(self, tmp_path: Path) -> None:
        line = answer()
        line["turns"][0]["calls"][0]["pictures"] = [url(picture(3))]
        (each,), _ = read(lines(tmp_path / "x.jsonl", [line]))
        assert isinstance(each.record, Answer)
        assert [each.pictures[kept.digest]() for kept in each.record.turns[0].calls[0].pictures] == [picture(3)]

    def test_no_path_leads_out_of_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "secret.png").write_bytes(picture())
        inner = tmp_path / "inner"
        inner.mkdir()
        (inner / "link.png").symlink_to(tmp_path / "secret.png")
        (inner / "up").symlink_to(tmp_path)
        (inner / "round").symlink_to(inner / "round")
        os.mkfifo(inner / "pipe.png")
        bad = ("../secret.png", str(tmp_path / "secret.png"), "link.png", "up/secret.png", "sub/../../secret.png")
        nothing = ("nowhere.png", "", ".", "x\0.png", "x" * 5000, "round", "pipe.png", "/dev/zero", "//x")
        for name in (*bad, *nothing):
            found, problems = self.shown(inner, name)
            assert found == [] and "picture" in told(problems)[0], name
        for name in bad:
            assert (
                "leads out" in told(self.shown(inner, name)[1])[0]
                or "not relative" in told(self.shown(inner, name)[1])[0]
            )
        assert self.shown(inner, "../secret.png", root=tmp_path)[1] == []  # where the folder above is what was meant

    def test_what_was_sent_alone_can_name_no_file(self, tmp_path: Path) -> None:
        (tmp_path / "a.png").write_bytes(picture())
        found, problems = self.shown(tmp_path, "a.png", alone=True)
        assert found == [] and "give the picture as a data URL" in told(problems)[0]

    @pytest.mark.parametrize(
        "name",
        [
            "data:image/png;base64,!!!",
            "data:image/png,rawtext",
            "data:text/html;base64,PGh0bWw+",
            "data:;base64,",
            "data:image/svg+xml;base64," + "PHN2Zy8+",
            5,
            None,
            {"digest": "0" * 64, "format": "png", "width": 1, "height": 1},
        ],
    )
    def test_other_references_are_refused(self, tmp_path: Path, name: Any) -> None:
        found, problems = self.shown(tmp_path, name)
        assert found == [] and told(problems)[0].startswith("line 1: picture")

    def test_a_picture_that_lies_about_its_type_is_kept_under_its_true_one_with_a_note(self, tmp_path: Path) -> None:
        (tmp_path / "a.png").write_bytes(picture(1, "JPEG"))
        (each,), problems = self.shown(tmp_path, "a.png", url(picture(2, "GIF"), "image/webp"))
        assert problems == [] and isinstance(each.record, Task)
        assert [kept.format for kept in each.record.turns[0].pictures] == ["jpeg", "gif"]
        assert [note.what for note in each.notes] == [
            "picture: it is called 'a.png', but it is a JPEG picture; it is kept as that",
            "picture: it is called 'image/webp', but it is a GIF picture; it is kept as that",
        ]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_becomes_of_a_file_only_problems_are_told(tmp_path: Path, data: st.DataObject) -> None:
    good = [{"type": "set", "name": "S"}, task(), answer(), verdict(), vote(), files.row("r"), files.response("r")]
    form = data.draw(st.sampled_from(["lines", "list"]))
    text = "\n".join(map(json.dumps, good)) if form == "lines" else json.dumps([*good, files.judged({"a": "Met"})])
    content = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        what = data.draw(st.sampled_from(["cut", "flip", "insert", "drop", "repeat"]))
        if what == "cut":
            del content[max(1, at) :]
        elif what == "flip":
            content[at] = data.draw(st.integers(0, 255))
        elif what == "insert":
            content[at:at] = data.draw(st.sampled_from([b"\n", b'"', b"{", b"]", b",", b"\\", b"\0", b"9", b"null"]))
        elif what == "drop":
            del content[at : at + data.draw(st.integers(1, 40))]
        else:
            content[at:at] = content[at : at + 60]
        content = content or bytearray(b" ")
    (tmp_path / "x").write_bytes(content)
    for each in files.source(tmp_path / "x", model="m").read():
        assert isinstance(each, Found | Problem)
        assert isinstance(each, Problem) or each.record.model_dump_json()
        assert isinstance(each, Found) or all(fault.what for fault in each.faults)


def test_the_first_line_may_say_what_the_set_is(tmp_path: Path) -> None:
    about = {"type": "set", "format": "easel-rubrics/1", "name": "A set", "licence": "Apache-2.0", "source": "us"}
    (found,), _ = read(lines(tmp_path / "x.jsonl", [about]))
    assert found.record == SetLine(name="A set", licence="Apache-2.0", source="us")
    _, problems = read(lines(tmp_path / "x.jsonl", [{**about, "format": "easel-rubrics/2"}]))
    assert "format is 'easel-rubrics/2'" in told(problems)[0]
