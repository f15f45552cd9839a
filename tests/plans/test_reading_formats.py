"""Formats of others: what each holds becomes queries, pools and plans, and nobody's words are lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from easel_app.plans.files import AnswerRecord, QueryRecord
from easel_app.plans.outline import read_answer
from easel_app.sources.found import Found, Problem
from tests.plans.planfiles import TEXT, call, cites, lines, read, row, source, taken


def names(asked: QueryRecord) -> list[list[str]]:
    """The pool by owner: the query's own images, then those of each document."""
    return [[each.name for each in owner] for owner in (asked.query_images, *(d.images for d in asked.documents))]


def indices(text: str) -> list[Any]:
    return [(call.params or {}).get("img_index") for call in read_answer(ASKED, said(text)).calls]


ASKED = QueryRecord(id="q", query="?")


def said(text: str) -> AnswerRecord:
    return AnswerRecord(query_id="q", planner="p", text=text)


# ATP-Bench


def test_a_row_of_atp_bench_becomes_a_query_with_its_pool_and_its_own_answer(tmp_path: Path) -> None:
    (asked,), answers = taken(tmp_path, row(category="Fashion", intent=None, model_answer=cites(0)))
    assert (asked.id, asked.category, asked.intent) == ("t1", "Fashion", None)
    assert (asked.query, asked.reference) == ("Which colours suit me?", cites(0))
    assert [each.text for each in asked.documents] == ["Warm auburn …", "Deep brown …"]
    assert [each.name for each in asked.pool] == ["img/me.png", "img/auburn.png", "img/brown.png"]
    (answer,) = answers
    assert (answer.planner, answer.attempt, answer.text, answer.origin) == ("model-a", 1, cites(0), "ATP-Bench row")


def test_the_order_of_the_pool_is_a_setting(tmp_path: Path) -> None:
    (asked,), _ = taken(tmp_path, row(), pool_order="documents_first")
    assert [each.name for each in asked.pool] == ["img/auburn.png", "img/brown.png", "img/me.png"]


@pytest.mark.parametrize(
    ("image_query", "expected"),
    [(None, []), ("", []), ("a", ["a"]), (["a", "b"], ["a", "b"]), ([], []), ({"path": "a"}, ["a"]),
     ([{"url": "a"}, {"image": "b"}, None, ""], ["a", "b", "", ""])],
)  # fmt: skip
def test_image_query_is_taken_as_whatever_it_is(tmp_path: Path, image_query: Any, expected: list[str]) -> None:
    (asked,), _ = taken(tmp_path, row(image_query=image_query, gt=None))
    assert names(asked)[0] == expected


@pytest.mark.parametrize(
    ("doc", "images", "expected"),
    [
        (["A", "B"], [["a", "b"], ["c"]], [("A", ["a", "b"]), ("B", ["c"])]),
        (["A", "B"], ["a", "b"], [("A", []), ("B", []), ("", ["a", "b"])]),
        ("A", ["a", "b"], [("A", ["a", "b"])]),
        (["A"], "a", [("A", ["a"])]),
        (["A", "B"], [["a"]], [("A", ["a"]), ("B", [])]),
        (["A"], [["a"], ["b"]], [("A", ["a"]), ("", ["b"])]),
        (["A", "B"], [[], "b"], [("A", []), ("B", ["b"])]),
        ([{"text": "A", "images": ["a"]}, {"text": "B"}], [], [("A", ["a"]), ("B", [])]),
        ([{"content": "A", "images": ["x"]}], [["a"]], [("A", ["a"])]),
        ({"text": "A", "images": "a"}, None, [("A", ["a"])]),
        (None, None, []),
        ("", ["a"], [("", ["a"])]),
        ([None, "B"], [{"imgList": ["a"]}, {"imgList": []}], [("", ["a"]), ("B", [])]),
    ],
)
def test_doc_and_images_are_taken_as_whatever_they_are(
    tmp_path: Path, doc: Any, images: Any, expected: list[tuple[str, list[str]]]
) -> None:
    (asked,), _ = taken(tmp_path, row(doc=doc, images=images, gt=None))
    assert [(each.text, [image.name for image in each.images]) for each in asked.documents] == expected


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"images": [["a", ["b"]]]}, "images.0.1 is a list of 1"),
        ({"images": [3]}, "images.0 is 3, but an image must be a path"),
        ({"images": {"a": {"b": 1}}}, "images is an object of 1"),
        ({"image_query": 17}, "image_query is 17"),
        ({"doc": [["A"]]}, "doc.0 is a list of 1"),
        ({"query": ["A"]}, "query is a list of 1"),
        ({"gt": {"text": "A"}}, "gt is an object of 1"),
        ({"trace_id": None}, "id is None"),
        ({"trace_id": [1]}, "id is a list of 1"),
        ({"trace_id": True}, "id is True"),
        ({"images": ["x"] * 1001}, "1,001 entries"),
    ],
)
def test_what_does_not_belong_there_is_told_with_its_line(tmp_path: Path, fields: Any, words: str) -> None:
    records, wrong = read(lines(tmp_path / "x.jsonl", [row("a", gt=None), row("b", gt=None) | fields]))
    assert [each.id for each in records] == ["a"]
    assert [each.partition(": ")[0] for each in wrong] == ["line 2"] and words in wrong[0], wrong


@pytest.mark.parametrize(
    ("gone", "more", "words"),
    [
        ("query", {}, "but no query; add what is missing"),
        ("query", {"qurey": "Which?"}, "but no query (is 'qurey' meant?); add"),
        ("trace_id", {}, "but no trace_id; add"),
        ("trace_id", {"model_answer": "A"}, "but no trace_id; add"),
        ("trace_id", {"traceid": "b"}, "but no trace_id (is 'traceid' meant?)"),
        ("doc", {"doc": {"txt": "A"}}, "doc holds 'txt', but its text must stand under one of text, content, doc"),
        ("doc", {"doc": [{"text": "A"}, {"txt": "B", "images": ["b"]}]}, "doc.1 holds 'txt', 'images'"),
        ("doc", {"doc": [{}]}, "doc.0 holds nothing"),
        ("doc", {"doc": [{"text": 5}]}, "doc.0 is 5"),
        ("doc", {"doc": 42}, "doc is 42"),
    ],
)
def test_what_a_row_lacks_is_told_and_it_is_never_opened_as_raw_text(
    tmp_path: Path, gone: str, more: dict[str, Any], words: str
) -> None:
    bad = {name: value for name, value in row("b", gt=None).items() if name != gone} | more
    records, wrong = read(lines(tmp_path / "x.jsonl", [row("a", gt=None), bad]))
    assert [each.id for each in records] == ["a"]
    assert len(wrong) == 1 and wrong[0].startswith("line 2: ") and words in wrong[0], wrong


def test_a_row_without_both_names_both_and_any_two_fields_make_a_row(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", [{"doc": "A", "gt": "B", "question": "?"}, {"doc": "A"}])
    found = list(source(path).read())
    assert isinstance(found[0], Problem) and "but no trace_id and no query" in found[0].faults[0].what
    assert isinstance(found[1], Found) and "opens as raw text" in found[1].notes[0].what  # one field is no row yet


def test_a_fault_of_a_row_s_query_is_told_once_whatever_was_answered(tmp_path: Path) -> None:
    found = list(source(lines(tmp_path / "x.jsonl", [row("x" * 200, answers={"m": "A", "n": "B"})])).read())
    assert len(found) == 1 and isinstance(found[0], Problem) and len(found[0].faults) == 1


@pytest.mark.parametrize(
    ("doc", "images", "words"),
    [
        (["A", "B"], [["a"]], "images has 1 list of images for 2 documents; they belong together in their order"),
        (["A"], [["a"], ["b"]], "images has 2 lists of images for 1 document"),
        ([{"images": ["a"]}], [], "doc.0 has images, but no text under any of text, content"),
        (["A", "B"], [["a"], []], None),
        (["A", "B"], ["a"], None),
    ],
)
def test_what_does_not_fit_in_number_and_documents_without_a_text_are_noted(
    tmp_path: Path, doc: Any, images: Any, words: str | None
) -> None:
    (found,) = source(lines(tmp_path / "x.jsonl", [row(doc=doc, images=images, gt=None)]), pictures=False).read()
    assert isinstance(found, Found)
    told = [note.what for note in found.notes]
    assert len(told) == (words is not None) and all(words in each for each in told if words)


def test_whole_numbers_are_names(tmp_path: Path) -> None:
    asked, answers = taken(tmp_path, row(17, model_answer="A"), row(0), {"trace_id": 17, "answers": {"5": "B"}})
    assert [each.id for each in asked] == ["17", "0"]
    assert [(each.query_id, each.planner) for each in answers] == [("17", "model-a"), ("17", "5")]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"model_answer": "A"}, [("model-a", 1, "A")]),
        ({"model_answer": "A", "model": "m"}, [("m", 1, "A")]),
        ({"model_answer": "A", "planner": "m", "attempt": 3}, [("m", 3, "A")]),
        ({"model_answer": {"m": "A", "n": ["B", "C"]}}, [("m", 1, "A"), ("n", 1, "B"), ("n", 2, "C")]),
        ({"model_answer": {"text": "A", "finish_reason": "stop"}}, [("model-a", 1, "A")]),
        ({"answers": {"m": "A", "text": "B"}}, [("m", 1, "A"), ("text", 1, "B")]),
        ({"answers": ["A", "B"]}, [("model-a", 1, "A"), ("model-a", 2, "B")]),
        ({"answers": [{"model": "m", "answer": "A"}, {"planner": "m", "text": "B"}]}, [("m", 1, "A"), ("m", 2, "B")]),
        ({"model_answer": "A", "answers": ["B"]}, [("model-a", 1, "A"), ("model-a", 2, "B")]),
        ({"answers": "A"}, [("model-a", 1, "A")]),
        ({"answers": {}}, []),
        ({"model_answer": "   \n"}, [("model-a", 1, "   \n")]),
    ],
)
def test_answers_are_taken_from_wherever_they_stand(tmp_path: Path, fields: Any, expected: list[Any]) -> None:
    _, answers = taken(tmp_path, row(**fields))
    assert [(each.planner, each.attempt, each.text) for each in answers] == expected
    assert not any(each.no_output for each in answers)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "null in place"), ("", "empty text"), ({}, "shown as it stands"),
        ({"error": "time-out after 600 s"}, "error 'time-out after 600 s'"),
        ({"refusal": "I cannot."}, "refusal 'I cannot.'"), ({"text": None}, "null in place"),
        ({"content": "", "finish_reason": "length"}, "finish_reason 'length'"),
        ({"status": "timeout", "text": None}, "status 'timeout'"), ({"timed_out": True, "error": ""}, "timed_out True"),
    ],
)  # fmt: skip
def test_no_answer_is_none_with_the_reason_and_never_a_bad_one(tmp_path: Path, given: Any, words: str) -> None:
    for fields in ({"model_answer": given}, {"answers": {"m": given}}, {"answers": [given]}):
        _, (answer,) = taken(tmp_path, row(**fields))
        assert words in (answer.no_output or answer.note)
        assert bool(answer.no_output) != bool(answer.text)


def test_an_answer_that_is_no_text_is_shown_raw(tmp_path: Path) -> None:
    for given in (17, ["A"], {"a": {"b": 1}}):
        _, answers = taken(tmp_path, row(answers=[[given]] if isinstance(given, list) else [given]))
        assert answers[0].no_output == "" and "shown as it stands" in answers[0].note
        assert json.loads(answers[0].text) == ([given] if isinstance(given, list) else given)


def test_a_query_that_repeats_beside_an_answer_is_taken_once(tmp_path: Path) -> None:
    path = lines(tmp_path / "m.jsonl", [row(model_answer="A"), row("t2")])
    assert [each.beside for each in source(path).read() if isinstance(each, Found)] == [True, False, False]


# LLM-I

IMGEN = "<imgen>{'source': 'edit', 'description': 'd', 'params': {'img_index': 2, 'prompt': 'Red.'}}</imgen>"


def test_a_row_of_llm_i_counts_from_0_and_its_outputs_come_after_its_images(tmp_path: Path) -> None:
    given = {"prompt": "Draw cats.", "images": ["a.png", "b.png"], "answer": f"{TEXT}{IMGEN}\n\nMore.\n\n{IMGEN}"}
    (asked,), (answer,) = taken(tmp_path, given)
    assert (asked.query, names(asked)) == ("Draw cats.", [["a.png", "b.png"]])
    assert (answer.index_base, answer.outputs_count, answer.text) == (0, True, given["answer"])
    plan = read_answer(asked, answer)
    assert [call.tool for call in plan.calls] == ["edit", "edit"]
    codes = [[each.code for each in call.problems] for call in plan.calls]
    assert "edit_forward_dependency" in codes[0] and "img_index_out_of_range" not in codes[0] + codes[1]


def test_r1_to_r10_are_criteria_unless_they_hold_a_tag(tmp_path: Path) -> None:
    criteria = {f"r{n}": f"Shows cat {n}." for n in range(1, 11)}
    path = lines(tmp_path / "m.jsonl", [{"prompt": "?", "images": [], **criteria}])
    (found,) = source(path).read()
    assert isinstance(found, Found) and "its 10 criteria" in found.notes[0].what
    _, answers = taken(tmp_path, {"prompt": "?", "images": [], "r1": TEXT + IMGEN, "r2": IMGEN, "r3": "Shows cats."})
    assert [(each.attempt, each.text) for each in answers] == [(1, TEXT + IMGEN), (2, IMGEN)]


def test_a_row_without_an_id_has_the_same_one_wherever_it_stands(tmp_path: Path) -> None:
    one, two = {"prompt": "Cats?", "images": []}, {"prompt": "Dogs?", "images": []}
    ids = [[each.id for each in taken(tmp_path, *order)[0]] for order in ((one, two), (two, one))]
    assert ids[0] == ids[1][::-1] and len(set(ids[0])) == 2
    messages = {"prompt": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Cats?"}], "r1": "x"}
    assert taken(tmp_path, messages)[0][0].query == "Be brief.\n\nCats?"


# RAG-IGBench and MRAMG-Bench


def test_marks_of_rag_igbench_become_reference_calls_and_all_else_stays(tmp_path: Path) -> None:
    text = (
        "First 1.\n![A cat](IMG#2)\nThen ![](IMG#1), and ![far](IMG#9).\n\n![x](https://host/x.png) IMG#1 ![y](IMG#a)"
    )
    given = {
        "id": 5, "query": "?", "documents": ["A", "B"], "images": [["u1", "u2"], ["u3"]], "gt_raw_answer": text,
        "gt_clean_answer": "clean", "category": "Travel", "model_answer": text,
    }  # fmt: skip
    (asked,), (answer,) = taken(tmp_path, given)
    assert (asked.id, asked.category, asked.index_base, names(asked)) == ("5", "Travel", 1, [[], ["u1", "u2"], ["u3"]])
    assert asked.reference == answer.text and answer.index_base == 1
    plan = read_answer(asked, answer)
    assert [(c.tool, c.status, dict(c.params or {}), c.description) for c in plan.calls] == [
        ("reference", "strict", {"img_index": index}, words) for index, words in ((2, "A cat"), (1, ""), (9, "far"))
    ]
    assert "img_index_out_of_range" in {each.code for each in plan.problems}
    between = "".join(answer.text[each.start : each.end] for each in plan.segments if each.kind == "text")
    assert between == ("First 1.\n\nThen \n\n\n\n, and \n\n\n\n.\n\n![x](https://host/x.png) IMG#1 ![y](IMG#a)")
    assert all(answer.text[c.span.start - 1] == "\n" == (answer.text + "\n")[c.span.end] for c in plan.calls)
    assert "Its 3 marks ![…](IMG#k) were turned into reference calls" in answer.note


def test_a_text_without_marks_is_kept_and_has_no_note(tmp_path: Path) -> None:
    given = {"id": "a", "query": "?", "documents": [], "images": [], "gt_raw_answer": None, "model_answer": "None."}
    (asked,), (answer,) = taken(tmp_path, given)
    assert (answer.text, answer.note, asked.reference) == ("None.", "", None)


def test_marks_in_the_millions_take_time_in_proportion(tmp_path: Path) -> None:
    text = "![" * 1_000_000 + "](IMG#1)" * 100_000
    _, (answer,) = taken(tmp_path, {"id": "a", "query": "?", "documents": [], "images": [], "model_answer": text})
    assert answer.text.count("<tool>") == 1 and answer.text.endswith("](IMG#1)" * 99_999)


def test_the_k_th_mark_of_mramg_cites_the_k_th_image(tmp_path: Path) -> None:
    given = {
        "id": "wiki_1", "question": "?", "ground_truth": "Cats.\n<PIC>\nDogs. <PIC> End.", "images_list": ["a", "b"],
        "answers": {"m": "One <pic><PIC> three <PIC>"},
    }  # fmt: skip
    (asked,), (answer,) = taken(tmp_path, given)
    assert (asked.index_base, names(asked)) == (0, [[], ["a", "b"]])
    assert indices(asked.reference or "") == [0, 1] and indices(answer.text) == [0, 1, 2]
    assert "Its 3 marks <PIC>" in answer.note
    assert "img_index_out_of_range" in {each.code for each in read_answer(asked, answer).problems}


# OpenING and MMIE

OPENING = {
    "meta_task_id": "3",
    "meta_task_name": "Multimodal Report Completion",
    "subtask_id": "2",
    "data_id": 5,
    "conversations": [
        {"input": [{"text": "Complete this.", "image": "./images/1-i-1.jpg"}, {"text": "And this.", "image": None}]},
        {
            "output": [
                {"text": "First.", "image": "out-0.jpg"},
                {"text": "Second.", "image": "./images/1-i-1.jpg"},
                {"text": None, "image": ["out-1.jpg", None]},
            ]
        },
    ],
}


def test_lists_of_opening_become_paragraphs_and_only_images_of_the_pool_become_calls(tmp_path: Path) -> None:
    (asked,), (answer,) = taken(tmp_path, OPENING)
    assert (asked.id, asked.category) == ("3-2-5", "Multimodal Report Completion")
    assert (asked.query, names(asked)) == ("Complete this.\n\nAnd this.", [["./images/1-i-1.jpg"]])
    assert answer.planner == "model-a" and answer.text.startswith("First.\n\nSecond.\n\n<tool>")
    assert indices(answer.text) == [0] and read_answer(asked, answer).calls[0].status == "strict"
    assert "out-0.jpg in part 1, out-1.jpg in part 3, one without a name in part 3" in answer.note


def test_an_entry_of_opening_without_an_output_is_a_query_and_one_with_none_has_no_answer(tmp_path: Path) -> None:
    asked = {**OPENING, "conversations": OPENING["conversations"][:1]}
    assert taken(tmp_path, asked)[1] == []
    for nothing in (None, [], [{"text": "", "image": None}]):
        empty = {**asked, "conversations": [*OPENING["conversations"][:1], {"output": nothing}], "model": "m"}
        _, (answer,) = taken(tmp_path, empty)
        assert (answer.planner, answer.text) == ("m", "") and answer.no_output
    _, (answer,) = taken(tmp_path, {"conversations": [{"input": 5, "output": "Hi."}, 7]})
    assert answer.text == "Hi."


def test_an_answer_of_mmie_has_its_model_and_its_own_reference(tmp_path: Path) -> None:
    given = {
        "id": "MSR-1",
        "question": [{"text": "Which?", "image": "a.png"}, {"text": "", "image": "b.png"}],
        "answer": [{"text": "This: ", "image": "b.png"}, "and a bare text"],
        "model": "m1",
        "gt_answer": "B.",
    }
    (asked,), (answer,) = taken(tmp_path, given)
    assert (asked.query, asked.reference, names(asked)) == ("Which?", "B.", [["a.png", "b.png"]])
    assert (answer.planner, indices(answer.text), answer.note) == ("m1", [1], "")
    assert answer.text.endswith("\n\nand a bare text")


def test_a_note_of_many_images_is_cut_where_a_note_ends(tmp_path: Path) -> None:
    output = [{"text": "x", "image": f"{'o' * 300}-{n}.jpg"} for n in range(50)]
    _, (answer,) = taken(tmp_path, {**OPENING, "conversations": [{"input": []}, {"output": output}]})
    assert len(answer.note) == 2000 and answer.note.endswith("…")


# what nobody knows


@pytest.mark.parametrize(
    "given",
    [
        {"id": "isg-1", "steps": [{"Call_tool": "Caption"}, "<GEN_0>"], "text": call()},
        {"id": 7, "image": ["a.png"], "task_name": "story"},
        {"question": "Why?", "planner": "m", "anything": None},
        {},
        {"id": "a\nb", "planner": "x" * 99},
        [1, 2],
        17,
        None,
        True,
    ],
)
def test_an_unknown_shape_opens_as_raw_text_with_the_reason(tmp_path: Path, given: Any) -> None:
    (_, asked), (_, answer) = taken(tmp_path, "a text first", given)
    assert json.loads(answer.text) == given and "no form that is known here" in answer.note
    assert answer.origin == "unknown" and asked.id == answer.query_id
    about = given if isinstance(given, dict) else {}
    assert asked.query == about.get("question", "")
    assert answer.planner == ("m" if about.get("planner") == "m" else "model-a")


def test_an_unknown_shape_of_endless_depth_does_not_fail_the_import(tmp_path: Path) -> None:
    deep = b'{"a": ' + b"[" * 700 + b"]" * 700 + b"}"
    records, wrong = read(lines(tmp_path / "x.jsonl", [{"id": "before"}, deep, {"id": "after"}]))
    assert {"before", "after"} <= {each.id for each in records if isinstance(each, QueryRecord)}
    assert len(records) == 6 or "nested too deeply" in wrong[0]
