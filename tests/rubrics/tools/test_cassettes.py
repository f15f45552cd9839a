"""Cassettes: what is found again, what a file may hold, and several that record at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.records import MOST_DEEP, ToolCall
from easel_app.rubrics.tools.cassettes import NETWORK, BadCassette, Cassette, canonical, key
from easel_app.rubrics.tools.network import NOT_RECORDED, Network, Recorder
from easel_app.rubrics.tools.observation import Observation
from easel_app.rubrics.tools.payloads import failure
from easel_app.scoring.tool_schemas import BY_NAME, misfit
from easel_app.scoring.tool_use import call_outcome
from easel_app.settings import data_folder
from tests.llm.conftest import run
from tests.rubrics.tools.sites import answers, serving

SAMPLE = data_folder() / "rubrics" / "cassettes" / "sample.jsonl"
FOUND = Observation({"results": [{"title": "Tides"}], "status": "success"})


def add(cassette: Cassette, query: str, found: Observation = FOUND) -> None:
    cassette.add("google_search", {"query": query}, found, "2026-05-01T12:00:00+00:00", "service")


def deep(opened: str, closed: str, levels: int) -> str:
    """A line whose observation has so many objects or lists within each other, and the one around them."""
    observation = f'{{"status": "success", "found": {opened * (levels - 1)}1{closed * (levels - 1)}}}'
    return f'{{"tool": "google_search", "arguments": {{"query": "x"}}, "observation": {observation}}}'


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("tool", "one", "other"),
    [
        ("google_search", {"query": " High\n TIDE "}, {"num_results": 5, "query": "high tide"}),
        ("google_search", {"query": "x", "num_results": 3.0}, {"query": "x", "num_results": 3}),
        (
            "historical_weather",
            {"location": "Paris ,TEXAS", "date": "2024-05-01"},
            {"date": "2024-05-01"} | {"location": "paris, texas"},
        ),
        ("browser_get_page_text", {"url": " HTTPS://Example.ORG:443#top"}, {"url": "https://example.org/"}),
    ],
)
def test_what_means_the_same_is_found_by_one_key(tool: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert key(tool, one) == key(tool, other) == key(BY_NAME[tool].paper_name, one)


@pytest.mark.parametrize(
    ("tool", "one", "other"),
    [
        ("google_search", {"query": "x"}, {"query": "x", "num_results": 4}),
        ("browser_get_page_text", {"url": "http://example.org/"}, {"url": "https://example.org/"}),
        ("browser_get_page_text", {"url": "https://example.org/A"}, {"url": "https://example.org/a"}),
        ("browser_get_page_text", {"url": "https://example.org/?q=1"}, {"url": "https://example.org/"}),
        ("historical_weather", {"location": "x", "date": "2024-05-01"}, {"location": "x", "date": "2024-05-02"}),
    ],
)
def test_what_means_something_else_is_not(tool: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert key(tool, one) != key(tool, other)


ARGUMENTS = st.one_of(
    st.tuples(
        st.just("google_search"),
        st.fixed_dictionaries({"query": st.text()}, optional={"num_results": st.integers(1, 10)}),
    ),
    st.tuples(
        st.just("browser_get_page_text"),
        st.fixed_dictionaries(
            {"url": st.text() | st.from_regex(r"(?i)https?://[a-zß.]{1,9}(:\d{1,3})?[/?#]\w*", fullmatch=True)}
        ),
    ),
    st.tuples(
        st.just("historical_weather"), st.fixed_dictionaries({"location": st.text(), "date": st.just("2024-05-01")})
    ),
)


@given(ARGUMENTS)
def test_the_canonical_form_is_canonical_and_still_fits(call: tuple[str, dict[str, Any]]) -> None:
    tool, arguments = call
    once = canonical(tool, arguments)
    assert canonical(tool, once) == once
    assert misfit(BY_NAME[tool], once) is None


# ---------------------------------------------------------------- files


def test_what_was_recorded_is_found_again_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    cassette = Cassette(path)
    add(cassette, "High tide")
    for again in (cassette, Cassette.read(path)):
        assert again.find("web_search", {"query": "high  tide"}) == FOUND
        assert again.find("web_search", {"query": "low tide"}) is None
    line = json.loads(path.read_text())
    assert line["arguments"] == {"num_results": 5, "query": "high tide"} and line["source"] == "service"


def test_an_answer_is_recorded_once_and_takes_the_place_of_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    cassette = Cassette(path)
    for found in (
        failure("Try later."),
        failure("Try later."),
        FOUND,
        failure("Try later."),
        FOUND._replace(payload={}),
    ):
        add(cassette, "x", found)
    assert len(path.read_text().splitlines()) == 2
    assert Cassette.read(path).find("google_search", {"query": "x"}) == FOUND


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "is damaged"),
        ("[1]", "is no recording"),
        ('{"tool": "google_search", "arguments": {"query": "x"}, "observation": NaN}', "is damaged"),
        ('{"tool": "calculator", "arguments": {"expression": "1"}, "observation": {}}', "none of google_search"),
        ('{"tool": "google_search", "arguments": {"q": "x"}, "observation": {}}', "required key missing"),
        ('{"tool": "google_search", "arguments": {"query": "x"}, "observation": []}', "is no recording"),
        ('{"tool": "google_search", "arguments": {"query": "x"}}', "is no recording"),
        ('{"type": "task", "id": "of another file"}', "is no recording"),
        ('{"tool": "google_search", "arguments": {"query": "x"}, "observation": {}, "more": 1}', "is no recording"),
        ("[" * 5000, "is damaged"),
        (deep("[", "]", 300), r"no recording \(observation: .*nested more than 64 deep\)"),
        (deep('{"a": ', "}", 900), r"no recording \(observation: .*nested more than 64 deep\)"),
        ("\ufeff{}", "is damaged"),
        ('"' + "x" * 2**20 + '"', "longer than 1 MB"),
    ],
)
def test_a_line_that_is_none_is_told_with_its_number(tmp_path: Path, line: str, why: str) -> None:
    path = tmp_path / "tape.jsonl"
    add(Cassette(path), "x")
    path.write_text(f"{path.read_text()}\n{line}\n", encoding="utf-8")
    with pytest.raises(BadCassette, match=r"^Line 3 of the cassette tape\.jsonl .*" + why):
        Cassette.read(path)


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a": ', "}")])
def test_a_line_as_deep_as_can_be_stored_is_read(tmp_path: Path, opened: str, closed: str) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_text(deep(opened, closed, MOST_DEEP))
    found = Cassette.read(path).find("google_search", {"query": "x"})
    assert found and ToolCall(name="google_search", arguments={}, observation=found.payload)


def test_what_is_too_deep_to_be_read_again_is_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    nested: dict[str, Any] = {}
    for _ in range(MOST_DEEP):
        nested = {"a": nested}

    class Nesting:
        backend = "service"

        async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
            return Observation(nested)

    assert run(Recorder("google_search", Nesting(), Cassette(path))({"query": "x"})).payload == nested
    assert not path.exists()


def test_a_line_that_a_crash_cut_off_costs_no_other_line(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(b'{"tool": "goo')
    add(Cassette(path), "x")
    assert len(path.read_bytes().splitlines()) == 2
    with pytest.raises(BadCassette, match="Line 1 "):
        Cassette.read(path)


def _record(path: Path, name: int) -> None:
    cassette = Cassette(path)
    for number in range(40):
        add(cassette, f"{name}-{number}", Observation({"text": "x" * 20_000}))


def test_two_processes_at_once_write_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    with ProcessPoolExecutor(2, get_context("fork")) as pool:
        list(pool.map(_record, [path, path], [1, 2]))
    assert len(Cassette.read(path)) == 80


def test_a_disk_that_takes_nothing_costs_the_recording_and_not_the_answer(tmp_path: Path) -> None:
    with serving({"/search": answers({"results": []})}) as site:
        network = Network.services({"search": site.address}, Cassette(tmp_path / "no folder" / "tape.jsonl"))
        found = run(network.search({"query": "x"}))
    assert found.payload["status"] == "success"


# ---------------------------------------------------------------- networks


def test_what_services_answered_is_replayed_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    with serving(
        {"/search": answers({"results": [{"title": "T", "url": "https://example.org/", "content": "c"}]})}
    ) as site:
        network = Network.services({"search": site.address}, Cassette(path))
        live = run(network.search({"query": "High tide"}))
    again = Network.recorded(Cassette.read(path))
    assert run(again.search({"query": "high tide"})) == live
    assert str(site.port) not in path.read_text()  # where the service is, is no part of the recording
    assert {name: tool.backend for name, tool in again.by_name.items()} == dict.fromkeys(NETWORK, "recorded")
    assert [tool.backend for tool in network.by_name.values()] == ["service", "off", "off"]


def test_what_was_not_recorded_is_told_so() -> None:
    found = run(Network.recorded(Cassette()).weather({"location": "x", "date": "2024-05-01"}))
    assert found == failure(NOT_RECORDED)


def test_an_observation_that_is_changed_leaves_the_cassette_as_it_was(tmp_path: Path) -> None:
    cassette = Cassette()
    add(cassette, "x", Observation({"results": []}))
    for _ in range(2):
        found = cassette.find("google_search", {"query": "x"})
        assert found == Observation({"results": []})
        found.payload["note"] = "changed"


# ---------------------------------------------------------------- the sample's own


def test_the_sample_says_in_every_line_that_it_is_one() -> None:
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    assert {line["source"] for line in lines} == {"sample"}
    assert len(Cassette.read(SAMPLE)) == len(lines) >= 40
    for line in lines:
        assert line["arguments"] == canonical(line["tool"], line["arguments"])


def test_the_sample_answers_what_the_samples_ask_and_links_only_to_pages_that_it_holds() -> None:
    cassette = Cassette.read(SAMPLE)
    asked = 0
    records = [
        json.loads(line) for line in (data_folder() / "rubrics" / "sample.jsonl").read_text("utf-8").splitlines()
    ]
    for call in (
        call for row in records if row["type"] == "answer" for turn in row["turns"] for call in turn.get("calls", ())
    ):
        tool = BY_NAME[call["name"]]
        if tool.name in NETWORK and misfit(tool, call["arguments"]) is None:
            asked += 1
            assert cassette.find(call["name"], call["arguments"]) == Observation(call["observation"])
    assert asked >= 10
    for line in map(json.loads, SAMPLE.read_text(encoding="utf-8").splitlines()):
        call_outcome(
            {"function_name": line["tool"], "function_args": line["arguments"], "observation": line["observation"]}
        )
        for hit in line["observation"].get("results", ()):
            assert cassette.find("browser_get_page_text", {"url": hit["url"]}) is not None
