"""Reading files of plans: our own format, bare texts, pools, and where indices begin."""

from __future__ import annotations

import gzip
import json
import os
import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from easel_app.plans.files import MOST_PLAN, AnswerRecord, QueryRecord, ReportRecord, SetLine, VoteRecord
from easel_app.plans.reading import PlanSource, from_disk
from easel_app.plans.reading.source import LONE
from easel_app.plans.reading.taking import ELSEWHERE
from easel_app.sources.found import Found, Problem, SourceUnusable
from tests.plans.planfiles import TEXT, answer, cites, lines, query, read, report, row, source, taken, vote
from tests.rubrics.files import picture, url


def test_every_kind_of_record_of_our_own_format_is_read(tmp_path: Path) -> None:
    entries = [{"type": "set", "name": "S"}, query(), answer(), *map(report, ("precision", "recall", "chief"))]
    entries += [vote(), vote("plan"), vote("gap", "j/1"), vote("gaps"), vote("call", "1")]
    records, wrong = read(lines(tmp_path / "x.jsonl", entries))
    assert wrong == []
    assert [type(each) for each in records] == [
        SetLine, QueryRecord, AnswerRecord, *[ReportRecord] * 3, *[VoteRecord] * 5
    ]  # fmt: skip
    packed = tmp_path / "x.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(entries).encode()))
    assert read(packed) == (records, [])


def test_files_of_a_folder_are_read_in_an_order_in_which_nothing_refers_to_what_comes_later(tmp_path: Path) -> None:
    for name, entries in {
        "a.jsonl": [vote()], "b.jsonl": [report()], "c.jsonl": [answer()], "d.jsonl": [query()],
        "e/rows.json": [row()], "e/answers.jsonl": [{"trace_id": "t1", "model_answer": "Hello."}],
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        lines(tmp_path / name, entries)
    (tmp_path / "notes.txt").write_text("No plan.")
    (tmp_path / ".hidden.jsonl").write_text("{")
    found = list(from_disk(tmp_path).read())
    assert all(isinstance(each, Found) for each in found)
    assert [each.place.file for each in found] == [
        "d.jsonl", "c.jsonl", "b.jsonl", "a.jsonl", "e/rows.json", "e/answers.jsonl"
    ]  # fmt: skip


def test_a_source_that_is_none_says_so(tmp_path: Path) -> None:
    for where in (tmp_path, tmp_path / "nothing", Path("/dev/zero")):
        with pytest.raises(SourceUnusable):
            from_disk(where)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (b"nonsense", "not valid JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\xff", "not UTF-8"),
        (b'{"type": "query", "id": "a", "id": "b", "query": ""}', "the key 'id' stands there twice"),
        ({"type": "planet"}, "its type is 'planet'"),
        ([1], "its type is a list of 1"),
        ({"type": "set", "name": "S"}, "belongs on the first line"),
        (query(colour=1), "colour is not a field"),
        (query("x" * 129), "129 characters"),
        (query(query_images={"a": 1}), "query_images is an object"),
        (query(query_images=[{"name": "x"}]), "the reason in missing"),
        (query(query_images=[17]), "image 1"),
        (query(query_images=["gone.png"]), "picture 'gone.png': there is no such file"),
        (query(documents=[{"text": "", "images": ["../up.png"]}]), "leads out of the folder"),
        (query(documents=[{"text": "", "images": ["/etc/hostname"]}]), "not relative"),
        (answer(text=17), "text is refused: it must be a text"),
        (answer(text="x", no_output="time-out"), "there is a text"),
        (answer(planner="a\nb"), "planner is 'a\\nb'"),
        (report("precision", report={"calls": [], "summary": 1}), "report: summary is 1"),
        (report("chief", report={"fs": 90, "tier": "0-20", "reason": ""}), "fs 90 lies in the tier 80-100"),
        ({**report(), "inspector": "boss"}, "inspector is 'boss'"),
        ({**report(), "unscored": "cut off"}, "there is a report, or it is null"),
        (vote("fs", content={"about": "fs", "fs": 101}), "fs is 101"),
        (vote("fs", content={"about": "plan", "verdict": "revise"}), "it is about fs, but its content is about plan"),
        (vote("fs", content={"about": "all"}), "must be one of call, gaps"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, entry: Any, words: str) -> None:
    records, wrong = read(lines(tmp_path / "x.jsonl", [query("first"), entry, query("last")]))
    assert [each.id for each in records] == ["first", "last"]
    assert len(wrong) == 1 and wrong[0].startswith("line 2: ") and words in wrong[0], wrong


EXACT = "\ufeffA \0 and \ud800, \u202e \r\n<tool>{</tool> \x1b[31m"


def test_a_plan_is_kept_character_by_character(tmp_path: Path) -> None:
    entries = [query(reference=EXACT), answer(text=EXACT), row(gt=EXACT, model_answer=EXACT)]
    for each in entries:
        records, wrong = read(lines(tmp_path / "x.jsonl", [each]))
        assert wrong == []
        kept = [getattr(record, "text", None) or getattr(record, "reference", None) for record in records]
        assert set(kept) == {EXACT}


@pytest.mark.parametrize("name", ["plan.txt", "plan.md", "plan", "plan.gz"])
def test_a_bare_text_is_one_plan_of_the_planner_that_the_file_names(tmp_path: Path, name: str) -> None:
    text = "\ufeff# Cats\r\n\r\n\0 <tool>{}</tool>\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    (asked, said), wrong = read(path)
    assert wrong == [] and isinstance(asked, QueryRecord) and isinstance(said, AnswerRecord)
    assert (said.text, said.planner, asked.pool) == (text, name.removesuffix(".txt").removesuffix(".md"), ())
    assert said.origin == "bare text" and "nothing is known of what was asked" in said.note
    assert read(path, alone=True)[0][1].planner == LONE
    assert read(path, planner="Ash")[0][1].planner == "Ash"


def test_a_bare_text_that_is_none_is_told(tmp_path: Path) -> None:
    for content, words in ((b"Caf\xe9", "not UTF-8 text (byte 4)"), (gzip.compress(b"Cats" * 999)[:-9], "cut off")):
        (tmp_path / "plan").write_bytes(content)
        records, wrong = read(tmp_path / "plan")
        assert records == [] and words in wrong[0]
    (tmp_path / "empty").write_bytes(b"")
    assert read(tmp_path / "empty") == ([], [])


def test_a_plan_of_the_largest_size_is_read_and_one_more_character_is_refused(tmp_path: Path) -> None:
    text = "\u3042" * MOST_PLAN  # escaped, it fills nearly all of what a line may have
    ((_, said), wrong) = read(lines(tmp_path / "x.jsonl", [query(), answer(text=text)]))
    assert wrong == [] and said.text == text
    (tmp_path / "plan.txt").write_text(text)
    assert read(tmp_path / "plan.txt")[0][1].text == text
    records, wrong = read(lines(tmp_path / "x.jsonl", [query(), answer(text=text + "!")]))
    assert len(records) == 1 and "at most 10,485,760 are taken" in wrong[0]


def test_an_object_over_many_lines_may_be_as_large(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps(row(model_answer="x" * 5_000_000), indent=1))
    ((asked, said), wrong) = read(tmp_path / "x.json", index_base="0")
    assert wrong == [] and (asked.id, len(said.text)) == ("t1", 5_000_000)


# pools


def test_images_are_taken_in_from_beside_the_file_or_a_data_url(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "cat.png").write_bytes(picture(1))
    given = [
        "img/cat.png",
        {"picture": "img/cat.png", "name": "Cat"},
        {"picture": url(picture(2, "JPEG"), "image/jpeg")},
    ]
    path = lines(tmp_path / "x.jsonl", [query(query_images=given, documents=[{"text": "", "images": ["img/cat.png"]}])])
    (found,) = source(path).read()
    assert isinstance(found, Found) and isinstance(found.record, QueryRecord)
    pool = found.record.pool
    assert [each.picture.format for each in pool if each.picture] == ["png", "png", "jpeg", "png"]
    assert [each.name for each in pool] == ["img/cat.png", "Cat", "", "img/cat.png"]
    assert {content() for content in found.pictures.values()} == {picture(1), picture(2, "JPEG")}
    ((unseen,), wrong) = read(path, pictures=False)
    assert wrong == [] and len(unseen.pool) == 4 and not any(each.picture for each in unseen.pool)


def test_in_data_of_others_an_image_that_cannot_be_had_keeps_its_place_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "me.png").write_bytes(picture())
    (tmp_path / "no.png").write_text("<svg/>")
    (tmp_path.parent / "above.png").write_bytes(picture())
    (tmp_path / "link.png").symlink_to(tmp_path.parent / "above.png")
    names = ["me.png", "gone.png", "no.png", "../above.png", "/etc/hostname", "link.png", None, "data:nonsense", "a\0b"]
    path = lines(tmp_path / "x.jsonl", [row(image_query=names, images=[], gt=None)])
    (found,) = source(path).read()
    assert isinstance(found, Found) and isinstance(found.record, QueryRecord)
    first, *others = found.record.pool
    assert first.picture and not first.missing
    assert [each.picture for each in others] == [None] * 8 and all(each.missing for each in others)
    for image, words in zip(
        others,
        ("no such file", "SVG", "leads out", "not relative", "leads out", "null", "data URL", "not relative"),
        strict=True,
    ):
        assert words in image.missing, image
    assert "8 of the 9 images" in found.notes[0].what


def test_whoever_sends_a_file_names_no_file_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "me.png").write_bytes(picture())
    path = lines(tmp_path / "x.jsonl", [row(image_query="me.png", images=[], gt=None)])
    ((asked,), wrong) = read(path, alone=True)
    assert wrong == [] and asked.pool[0].picture is None and "no files beside it" in asked.pool[0].missing


@pytest.fixture(scope="module")
def tattler() -> Iterator[tuple[str, list[str]]]:
    """A server that would tell of any request."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(picture())

        def log_message(self, format: str, *args: object) -> None:
            return

    with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}", seen
        server.shutdown()
        thread.join()


def test_an_image_on_another_host_is_never_fetched_and_keeps_its_place(
    tmp_path: Path, tattler: tuple[str, list[str]]
) -> None:
    host, seen = tattler
    urls = [
        f"http://{host}/a.png",
        f"HTTPS://{host}/b.png",
        f"//{host}/c.png",
        f" http://{host}/d.png",
        f"ftp://{host}/e",
    ]
    entries = [
        row("a", image_query=urls, gt=None),
        {"id": "b", "query": "?", "documents": [""], "images": [urls], "gt_raw_answer": f"![x](IMG#1) ![y]({urls[0]})"},
        {"prompt": f"![x]({urls[0]})", "images": urls},
        {"id": "d", "question": "?", "ground_truth": "<PIC>", "images_list": urls},
        {"id": "e", "question": [{"text": "?", "image": each} for each in urls], "answer": urls},
    ]
    asked, _ = taken(tmp_path, *entries)
    records, wrong = read(
        lines(tmp_path / "own.jsonl", [query(query_images=[*urls, {"picture": urls[0], "name": "n"}])])
    )
    assert wrong == []
    pools = [each.pool for each in [*asked, *records]]
    assert [len(pool) for pool in pools] == [7, 5, 5, 5, 5, 6]
    assert all(image.missing == ELSEWHERE for pool in pools[1:] for image in pool)
    assert pools[2][0].name == urls[0] and pools[5][5].name == "n"
    assert seen == []


# where indices begin


def base_of(tmp_path: Path, *entries: Any, **how: Any) -> dict[str, int]:
    asked, said = taken(tmp_path, *entries, **how)
    return {each.planner: each.index_base for each in said} | {f"gt {each.id}": each.index_base for each in asked}


def test_any_index_of_0_in_all_plans_of_a_planner_means_from_0(tmp_path: Path) -> None:
    entries = [row("a", gt=None, answers={"m": cites(1), "n": cites(3)}), row("b", gt=None, answers={"m": cites(0)})]
    assert base_of(tmp_path, *entries) == {"m": 0, "n": 1, "gt a": 0, "gt b": 0}


def test_the_size_of_its_own_pool_tells_where_indices_begin(tmp_path: Path) -> None:
    small = row("b", gt=None, image_query=None, images=["one.png"])
    assert base_of(tmp_path, row("a", gt=cites(2, 3)), {**small, "model_answer": cites(1)})["model-a"] == 1
    # 1 is the size of the small pool, but 0 in any other plan weighs more
    both = [row("a", gt=None, model_answer=cites(0)), {**small, "model_answer": cites(1)}]
    assert base_of(tmp_path, *both)["model-a"] == 0
    assert base_of(tmp_path, row("a", gt=cites(2, 3)))["gt a"] == 1


def test_plans_without_indices_count_from_0_and_edits_count_too(tmp_path: Path) -> None:
    assert base_of(tmp_path, row(gt="", model_answer="Hello.")) == {"model-a": 0, "gt t1": 0}
    edit = '<tool>{"tool_name": "edit", "params": {"img_index": 3, "prompt": "Red."}}</tool>'
    assert base_of(tmp_path, row(gt=None, model_answer=edit))["model-a"] == 1


def test_where_it_cannot_be_told_one_fault_asks_to_choose(tmp_path: Path) -> None:
    entries = [row("a", gt=cites(0), answers={"m": cites(1), "n": cites(2)}), row("b", answers={"m": cites(2)})]
    path = lines(tmp_path / "x.jsonl", entries)
    found = list(source(path).read())
    records = [each.record for each in found if isinstance(each, Found)]
    assert [type(each) for each in records] == [QueryRecord, QueryRecord]
    problems = [each for each in found if isinstance(each, Problem)]
    assert [len(each.faults) for each in problems] == [1, 0, 0]
    (fault,) = problems[0].faults
    assert (
        fault.field == "index_base" and "plans of 'm', 'n'" in fault.what and "choose index_base 0 or 1" in fault.what
    )
    for base in ("0", "1"):
        records, wrong = read(path, index_base=base)
        assert wrong == [] and {each.index_base for each in records} == {int(base)}
    records, wrong = read(lines(tmp_path / "x.jsonl", [row(gt=cites(1, 2))]))
    assert records == [] and "the reference answers" in wrong[0]


def test_what_says_its_base_itself_is_not_touched_by_the_setting(tmp_path: Path) -> None:
    imgen = "<imgen>{'source': 'reference', 'params': {'img_index': 1}}</imgen>"
    llmi = {"prompt": "?", "images": ["a", "b", "c"], "answer": imgen}
    _, said = taken(tmp_path, llmi, index_base="1")
    assert (said[0].index_base, said[0].outputs_count) == (0, True)
    records, _ = read(lines(tmp_path / "x.jsonl", [query(), answer(index_base=1)]), index_base="0")
    assert records[1].index_base == 1


def test_a_file_of_plans_only_takes_evidence_from_pools_beside_it(tmp_path: Path) -> None:
    lines(tmp_path / "answers.jsonl", [{"trace_id": "t1", "model_answer": cites(3)}])
    lines(tmp_path / "rows.jsonl", [row()])
    records, wrong = read(from_disk(tmp_path))
    assert wrong == [] and records[-1].index_base == 1


def test_the_look_that_finds_out_can_be_stopped(tmp_path: Path) -> None:
    looked = source(lines(tmp_path / "x.jsonl", [row(str(n)) for n in range(50)]))

    def beat() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        looked.prepare(beat)
    assert len(list(looked.read())) == 50


# laws

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        *("type", "id", "trace_id", "query", "question", "prompt", "image_query", "doc", "documents", "images"),
        *("images_list", "gt", "gt_raw_answer", "r1", "model", "model_answer", "answers", "answer", "conversations"),
        *("input", "output", "text", "image", "planner", "attempt", "index_base", "content"),
    ]
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=st.lists(st.dictionaries(KEYS, VALUES, max_size=6) | VALUES, min_size=1, max_size=4))
def test_whatever_an_entry_is_something_is_found_or_told_and_nothing_is_lost(
    tmp_path: Path, entries: list[Any]
) -> None:
    path = tmp_path / f"{os.urandom(4).hex()}.json"
    path.write_text(json.dumps(entries))
    found = list(PlanSource([path], path.name).read())
    assert {each.place.number for each in found} == set(range(1, len(entries) + 1))
    assert all(isinstance(each, Found) or each.faults or each.key for each in found)
    path.unlink()


def test_an_entry_that_is_a_text_is_a_plan_and_a_list_is_shown_raw(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(json.dumps(TEXT) + "\n" + json.dumps([TEXT, 1]))
    ((_, text, _, listed), wrong) = read(tmp_path / "x.jsonl")
    assert wrong == [] and text.text == TEXT and json.loads(listed.text) == [TEXT, 1]
