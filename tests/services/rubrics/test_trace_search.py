"""Search in traces: what is found where, beside a plain search that reads everything, and hostile words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.records import Remark, ToolCall
from easel_app.services.problems import NotFound
from easel_app.services.rubrics.analyses import Analyses
from easel_app.services.rubrics.analysis_views import Hit, Hits
from easel_app.services.rubrics.trace_search import MOST_COUNTED, MOST_HITS, MOST_TERMS, Look, patterns, terms
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.services.rubrics.analysing import CROP, Made, analyses
from tests.services.rubrics.making import SET

# letters that change in length or kind by case, blanks of all sorts, and what JSON and LIKE write or read otherwise
LETTERS = "aKkSsiIıİſ\u212aßéÉσςΣ\U0001f600\"\\/%_'<\n\t\u00a0\u2003 \x1f0.-e"
texts = st.text(st.sampled_from(LETTERS), max_size=12)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One studio with one set for all of these tests, which only read."""
    folder: Path = tmp_path_factory.mktemp("search")
    studio = Studio(Settings(data_dir=folder))
    made = Made(studio)
    made.task("t1", [[5], [3]], prompts=["Which tram\n  line is it?", "And the roof?"])
    made.task("t2", prompts=["Nobody answers this tram"])
    made.task("t3", prompts=["Nothing"])
    calls = (
        ToolCall(name="python_image_processing", arguments={"code": CROP}, round=1,
                 observation={"ok": "true", "stdout": 'Line "7"\tof C:\\tram', "output_paths": ["zoom_1.png"]}),
        ToolCall(name="google_search", arguments={"query": "tram LINE 7", "num_results": 3}, round=2,
                 observation={"results": [], "status": "success"}),
    )  # fmt: skip
    remark = Remark(round=1, text="I will zoom on the tram.")
    turns: list[dict[str, Any]] = [
        {"text": "It is line 7.", "calls": calls, "remarks": (remark,)},
        {"text": "Ochre, 100 % sure"},
    ]
    made.answer("t1", "m", "mm", turns=turns)
    made.answer("t1", "other", "mm", turns=[{"text": "Line 8"}, {"text": "Red"}])
    made.answer("t3", "m", "mm", turns=[{"text": "fn" + "x" * 5000 + " needle " + "y" * 5000}])
    yield studio
    studio.close()


@pytest.fixture
def found(studio: Studio) -> Analyses:
    return analyses(studio)


def search(found: Analyses, q: str, limit: int = 50, **look: Any) -> Hits:
    return found.search.hits(SET, Look(q, **look), limit)


def places(hits: Hits) -> list[tuple[str, int, int | None, str]]:
    return [(hit.player, hit.turn, hit.call, hit.where) for hit in hits.hits]


def test_a_word_is_found_wherever_it_stands_each_text_once_and_prompts_once_a_task(found: Analyses) -> None:
    assert places(search(found, "TRAM")) == [
        ("m", 1, None, "prompt"),
        ("m", 1, None, "remark"),
        ("m", 1, 1, "observation"),
        ("m", 1, 2, "arguments"),
    ]
    assert search(found, "zoom").total == 3, "in a remark, in code and in an observation"
    assert places(search(found, "line", player="other")) == [("other", 1, None, "prompt"), ("other", 1, None, "answer")]


def test_blanks_between_words_are_any_blanks(found: Analyses) -> None:
    (hit,) = search(found, '"tram   line\tis "').hits
    assert (hit.before, hit.found, hit.after) == ("Which ", "tram line is", " it?")
    assert search(found, "tramline").total == 0
    assert search(found, '"line 7"', where="arguments").total == 1
    assert search(found, '"7 3"', where="arguments").total == 0, "two fields are not side by side"


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("line tram", ["prompt", "observation", "arguments"]),
        ("TRAM 7", ["observation", "arguments"]),
        ("7 zoom tram line", ["observation"]),
        ('"tram line"', ["prompt", "arguments"]),
        ('"line tram"', []),
        ('is "tram line"', ["prompt"]),
        ('"tram line', ["prompt", "arguments"]),
        ('"i will" "the tram"', ["remark"]),
        ("tram nowhere", []),
        ('Line "7"', ["answer", "observation", "arguments"]),
        ('google"', []),
    ],
)
def test_all_words_stand_in_one_text_and_those_in_quotes_side_by_side(
    found: Analyses, q: str, expected: list[str]
) -> None:
    assert sorted(hit.where for hit in search(found, q, player="m").hits) == sorted(expected)


def test_a_hit_shows_the_words_together_where_they_stand_so_else_the_first_of_them(found: Analyses) -> None:
    assert search(found, "line tram", where="arguments").hits[0].found == "tram"
    assert search(found, "tram line", where="arguments").hits[0].found == "tram LINE"
    (hit,) = search(found, "is which", where="prompt").hits
    assert (hit.before, hit.found) == ("", "Which")


@given(st.text(st.sampled_from('abc "\t'), max_size=20))
def test_no_letter_of_a_query_is_lost_to_its_quotes(q: str) -> None:
    assert {*q} & {*"abc"} == {letter for term in terms(q) for word in term for letter in word} & {*"abc"}
    plain = q.replace('"', "")
    assert terms(plain) == list(dict.fromkeys((word,) for word in plain.split()))


@pytest.mark.parametrize(
    ("q", "where"),
    [
        ('"7"', "observation"),
        ("C:\\tram", "observation"),
        ("100 % sure", "answer"),
        ("zoom_1", "observation"),
        ("(0, 0, 9, 9)", "code"),
        ("import Image im = image.open", "code"),
        ("7", "answer"),
        ("3", "arguments"),
    ],
)
def test_signs_that_mean_something_elsewhere_are_plain_text(found: Analyses, q: str, where: str) -> None:
    assert where in [hit.where for hit in search(found, q, player="m").hits]


def test_filters_narrow_and_go_together(found: Analyses) -> None:
    assert places(search(found, "tram", where="remark")) == [("m", 1, None, "remark")]
    assert places(search(found, "tram", tool="web_search")) == [("m", 1, 2, "arguments")], "by either of its names"
    assert places(search(found, "tram", failures=True)) == [("m", 1, 2, "arguments")]
    assert places(search(found, "tram", tool="python_image_processing", where="observation")) == [
        ("m", 1, 1, "observation")
    ]
    assert search(found, "tram", tool="calculator").total == search(found, "tram", where="answer").total == 0
    assert search(found, "zoom", where="code").hits[0].round == 1


def test_excerpts_are_short_and_on_one_line_however_long_the_text(found: Analyses) -> None:
    (hit,) = search(found, "NEEDLE").hits
    assert (hit.found, len(hit.before), len(hit.after)) == ("needle", 60, 60)
    assert hit.before.endswith("x ") and hit.after.startswith(" y")
    assert all("\n" not in hit.before + hit.found + hit.after for hit in search(found, "import").hits)


@pytest.mark.parametrize(
    "q",
    [
        *("", "   ", "\n\t", ".*", "(a+)+$", "[", "\\", "%", "_", "%%%%", "'; DROP TABLE rubric_answers; --", "\0"),
        *("\ud800", "a\udfff b", "x" * 10_000, "x " * 5_000, "(" * 10_000, "\\" * 10_000, "_" * 10_000, "é" * 10_000),
    ],
)
def test_hostile_words_are_words(found: Analyses, q: str) -> None:
    hits = search(found, q)
    assert hits.total == len(hits.hits) and all(q.strip()[:1].casefold() in hit.found.casefold() for hit in hits.hits)


@pytest.mark.parametrize(
    "q", ['"a a a a a a a a b"', "x" * 400, '"' + "x " * 200, '"' + "x" * 200 + " " + "x" * 100 + '"', '"' * 400]
)
def test_words_that_almost_fit_everywhere_end(found: Analyses, q: str) -> None:
    assert search(found, q).total == (q == "x" * 400)


def test_many_words_are_bounded() -> None:
    assert len(terms(" ".join(map(str, range(100))))) == MOST_TERMS
    assert terms("x " * 200) == [("x",)]


def test_many_places_are_counted_up_to_a_bound_and_told_up_to_another(tmp_path: Path) -> None:
    studio = Studio(Settings(data_dir=tmp_path))
    made, found = Made(studio), analyses(studio)
    made.task("t1")
    call = ToolCall(name="calculator", arguments={"expression": "one"}, observation={"result": "one"})
    for number in range(3):
        made.answer("t1", f"m{number}", "mm", [call] * 250)
    assert search(found, "one", player="m0").total == 500
    whole = search(found, "one", limit=10_000)
    assert (whole.total, whole.more, len(whole.hits)) == (MOST_COUNTED, True, MOST_HITS)
    assert len(search(found, "one", limit=3).hits) == 3
    studio.close()


@given(st.lists(texts, max_size=3), st.data())
def test_the_patterns_never_pass_over_a_record_that_holds_the_words(
    studio: Studio, parts: list[str], data: st.DataObject
) -> None:
    text = " ".join(parts)
    first = data.draw(st.integers(0, len(text)))
    q = text[first : data.draw(st.integers(first, len(text)))]
    changed = "".join(data.draw(st.sampled_from([c, *(x for x in (c.upper(), c.lower()) if len(x) == 1)])) for c in q)
    record = ToolCall(name="n", arguments=text).model_dump_json()
    for pattern in patterns(changed.split()):
        row = studio._database.read().execute("SELECT ? LIKE ? ESCAPE '\\'", [record, pattern]).fetchone()
        assert row[0], (pattern, record)
    task = json.dumps({"prompt": text}, ensure_ascii=False)
    for pattern in patterns(changed.split()):
        assert studio._database.read().execute("SELECT ? LIKE ? ESCAPE '\\'", [task, pattern]).fetchone()[0]


def test_an_unknown_set_is_refused(found: Analyses) -> None:
    with pytest.raises(NotFound):
        found.search.hits("nowhere", Look("a"))


def test_hits_open_at_their_place(found: Analyses, studio: Studio) -> None:
    hit: Hit
    for hit in search(found, "zoom").hits:
        trace = found.traces.trace(hit.answer, None, "weight")
        turn = trace.turns[hit.turn - 1]
        calls = {call.call: call for step in turn.steps for call in step.calls}
        shown = calls[hit.call].model_dump_json() if hit.call else turn.model_dump_json()
        assert hit.found in shown and (trace.task_id, trace.player) == (hit.task_id, hit.player)
