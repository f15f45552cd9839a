"""Texts on strokes: what the model is shown, what is kept of it, and that nothing is paid for twice."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from easel_app.painting import png
from easel_app.services.problems import Conflict
from easel_app.trajectories.reading import DataSet
from easel_app.trajectories.reasoning.prompting import PROMPT, SYSTEM
from easel_app.trajectories.reasoning.records import NewReasoning, ReasoningManifest, reasoning_manifest, texts_of
from easel_app.trajectories.reasoning.scenes import chosen_steps, is_chosen
from easel_app.trajectories.reasoning.writing import write_texts
from tests.endpoint import (
    Answer,
    Body,
    Headers,
    Running,
    completion,
    endpoint,
    share,
    with_faults,
)
from tests.llm.conftest import FAST, KEY, free_address
from tests.trajectories.texts import A_REFERENCE, STEPS, action_of, finished_data, in_turn, sentence, shown, writer

ALL = 8 * A_REFERENCE


def wish(at: Running | str, **more: Any) -> NewReasoning:
    address = at if isinstance(at, str) else at.url
    asked = {name: more.pop(name) for name in ("temperature", "max_tokens", "scale") if name in more}
    given = {"base_url": address, "key": SecretStr(KEY), "share": 1.0, "writer": {"model": "a-writer", **asked}}
    return NewReasoning.model_validate(given | more)


def write(data: DataSet, at: Running | str, **more: Any) -> ReasoningManifest:
    return write_texts(data, wish(at, **more), wait=FAST)


def told(data: DataSet) -> dict[tuple[str, int], str]:
    """All texts of a data set."""
    return {place: text for shard in data.shards() for place, text in texts_of(data.folder.path, shard).items()}


def tables(data: DataSet) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((data.folder.path / "reasoning").glob("*.parquet"))}


@pytest.fixture
def data(tmp_path: Path) -> DataSet:
    return finished_data(tmp_path / "set")


@pytest.mark.parametrize("images", [True, False])
def test_the_model_sees_reference_canvas_stroke_and_canvas_after_of_each_sample_once(
    tmp_path: Path, images: bool
) -> None:
    data = finished_data(tmp_path / "set", images=images)
    with endpoint(writer) as model:
        write(data, model, scale=2)
    rows = [row for shard in data.shards() for row in data.shard_samples(shard)]
    wanted = {(row.reference_key, row.step): row for row in rows}
    assert len(model.requests) == len(wanted) == ALL
    by_action = {row.action: row for row in wanted.values()}
    for request in model.requests:
        row = by_action[tuple(action_of(request.body))]
        reference, canvas, after = (picture[::2, ::2] for picture in shown(request.body))
        np.testing.assert_array_equal(reference, png.decode(row.reference))
        np.testing.assert_array_equal(canvas, png.decode(row.canvas))
        later = [each for each in rows if each.reference_key == row.reference_key and each.step == row.step + 1]
        if later:
            np.testing.assert_array_equal(after, png.decode(later[0].canvas))
        assert request.body["messages"][0] == {"role": "system", "content": SYSTEM}


def test_each_text_stands_beside_its_stroke_in_the_order_of_the_data(data: DataSet) -> None:
    with endpoint(writer) as model:
        manifest = write(data, model)
    said = {tuple(action_of(request.body)): sentence(request.body) for request in model.requests}
    rows = [row for shard in data.shards() for row in data.shard_samples(shard)]
    texts = told(data)
    assert {place: texts[place] for place in texts} == {(r.reference_key, r.step): said[r.action] for r in rows}
    keys = list(dict.fromkeys(row.reference_key for row in rows))
    steps = sorted({step for each in STEPS.values() for step in each})
    assert list(texts) == [(key, step) for key in keys for step in steps]
    table = pq.read_table(data.folder.path / "reasoning" / "train-00000-of-00002.parquet")
    assert set(table.column("model").to_pylist()) == {"a-writer"} and set(table.column("prompt").to_pylist()) == {
        PROMPT
    }
    assert (manifest.state, manifest.counts.texts, manifest.counts.wanted, manifest.calls) == (
        "finished",
        ALL,
        ALL,
        ALL,
    )
    assert manifest == reasoning_manifest(data.folder.path)


def test_the_same_wish_asks_nothing_again_and_the_pace_changes_no_byte(data: DataSet, tmp_path: Path) -> None:
    with endpoint(writer) as model:
        write(data, model, concurrency=1)
        first = tables(data)
        write(data, model)
        assert len(model.requests) == ALL and tables(data) == first
        other = finished_data(tmp_path / "other")
        write(other, model, concurrency=16)
        assert tables(other) == first
        next(iter((data.folder.path / "reasoning").glob("*.parquet"))).unlink()
        write(data, model)
        assert len(model.requests) == 2 * ALL and tables(data) == first, "a table is made again from what was paid for"


def test_a_text_that_cannot_be_used_gets_one_chance_and_is_then_left_out_with_its_reason(data: DataSet) -> None:
    bad = '{"x_start": 1}'

    def stubborn(number: int, body: Body, headers: Headers) -> Answer:
        step_one = action_of(body)[0] % 2
        repaired = len(body["messages"]) > 2
        return completion(body, {"content": bad if step_one or not repaired else sentence(body)})

    with endpoint(stubborn) as model:
        manifest = write(data, model)
    left_out = manifest.counts.left_out["action"]
    assert 0 < left_out < ALL and manifest.counts.texts == ALL - left_out
    assert (manifest.calls, manifest.state, manifest.counts.open) == (2 * ALL, "finished", 0)
    second = next(request.body for request in model.requests if len(request.body["messages"]) > 2)
    assert second["messages"][2] == {"role": "assistant", "content": bad}
    assert "it holds the action itself" in second["messages"][3]["content"]
    assert len(told(data)) == manifest.counts.texts
    with endpoint(writer) as model:
        assert write(data, model) == manifest and not model.requests, "what was left out is not paid for again"


def test_an_empty_reply_is_asked_for_again_without_an_empty_message(data: DataSet) -> None:
    with endpoint(in_turn("", writer)) as model:
        write(data, model, concurrency=1)
    again = model.requests[1].body["messages"]
    assert [message["role"] for message in again] == ["system", "user"]
    assert "it is empty" in again[1]["content"][-1]["text"]


def test_a_repair_that_was_cut_short_goes_on_with_the_second_turn(data: DataSet) -> None:
    with endpoint(with_faults(in_turn("{bad", writer), ("401-echo", lambda number, body: number > 0))) as model:
        assert write(data, model, concurrency=1).state == "stopped"
    with endpoint(writer) as model:
        manifest = write(data, model, concurrency=1)
        assert [message["role"] for message in model.requests[0].body["messages"]][2:] == ["assistant", "user"]
    assert (manifest.calls, manifest.counts.texts) == (ALL + 1, ALL)


def test_a_limit_stops_it_and_a_higher_one_goes_on_with_what_was_used(data: DataSet) -> None:
    with endpoint(writer) as model:
        prices = {"price_prompt": 1000.0, "price_completion": 1000.0}
        whole = write(data, model, most_money=1e6, **prices)
        assert whole.cost == pytest.approx((whole.prompt_tokens + whole.completion_tokens) / 1000)
    a_text = (whole.prompt_tokens + whole.completion_tokens) / ALL
    other = finished_data(data.folder.path.parent / "other")
    with endpoint(writer) as model:
        first = write(other, model, most_tokens=int(10.5 * a_text), concurrency=1)
        assert first.state == "stopped" and "raise the limit" in first.reason
        assert (len(model.requests), first.counts.texts, first.counts.open) == (10, 10, ALL - 10)
        assert len(told(other)) == 10, "what was paid for is in the tables"
        assert write(other, model, most_tokens=int(10.5 * a_text)).calls == 10
        last = write(other, model)
        assert (len(model.requests), last.state) == (ALL, "finished") and tables(other) == tables(data)


def test_faults_of_the_endpoint_are_waited_for_or_left_to_the_next_time(
    data: DataSet,
) -> None:
    with endpoint(with_faults(writer, ("500", share(0.2, first=True)))) as model:
        assert write(data, model).counts.texts == ALL
    other = finished_data(data.folder.path.parent / "other")
    gone = write(other, free_address())
    assert (gone.state, gone.counts.open, gone.calls) == ("stopped", ALL, 0) and "check that it runs" in gone.reason
    with endpoint(writer) as model:
        assert write(other, model).state == "finished" and tables(other) == tables(data)


def test_a_model_that_never_writes_a_text_is_not_asked_for_all(tmp_path: Path) -> None:
    data = finished_data(tmp_path / "set", count=20)
    with endpoint(in_turn("[]")) as model:
        manifest = write(data, model, concurrency=1)
    assert manifest.state == "stopped" and "brought no text" in manifest.reason
    assert len(model.requests) == 2 * 20


def test_a_model_that_writes_some_texts_is_asked_for_all(tmp_path: Path) -> None:
    data = finished_data(tmp_path / "set", count=20)
    with endpoint(in_turn(writer, *["[]"] * 60, writer)) as model:
        manifest = write(data, model, concurrency=1)
    assert (manifest.state, manifest.counts.left_out) == ("finished", {"action": 30})
    assert (manifest.reason, len(model.requests)) == ("", 20 * A_REFERENCE + 30)


def test_refusals_and_cut_replies_are_counted_as_such(data: DataSet) -> None:
    def shy(number: int, body: Body, headers: Headers) -> Answer:
        kinds = {
            0: ("stop", {"content": None, "refusal": "I cannot."}),
            1: ("length", {"content": "The roof is white"}),
        }
        ending, message = kinds.get(action_of(body)[0] % 3, ("stop", {"content": sentence(body)}))
        return completion(body, message, ending)

    with endpoint(shy) as model:
        counts = write(data, model).counts
    assert set(counts.left_out) == {"refused", "cut off"} and counts.texts == ALL - counts.without


def test_a_larger_share_keeps_what_is_there_and_a_smaller_one_is_refused(tmp_path: Path) -> None:
    data = finished_data(tmp_path / "set", count=24)
    with endpoint(writer) as model:
        first = write(data, model, share=0.3)
        texts = told(data)
        assert 0 < len(texts) == first.counts.wanted == len(model.requests) < 24 * A_REFERENCE
        second = write(data, model, share=0.7)
        assert len(model.requests) == second.counts.wanted > first.counts.wanted
        assert texts.items() <= told(data).items()
        with pytest.raises(Conflict, match=r"share was 0\.7 and is 0\.3"):
            write(data, model, share=0.3)


@pytest.mark.parametrize(
    ("change", "words"),
    [({"temperature": 0.5}, "temperature was None and is 0.5"), ({"scale": 2}, "scale was 4 and is 2")],
)
def test_texts_of_two_writers_are_never_mixed(data: DataSet, change: Any, words: str) -> None:
    with endpoint(writer) as model:
        write(data, model)
        with pytest.raises(Conflict, match=words):
            write(data, model, **change)
        (data.folder.path / "reasoning" / "manifest.json").unlink()
        write(data, model, **change)
        assert len(model.requests) == 2 * ALL, "without the manifest too, answers of another writer are not taken"


def test_texts_on_another_data_set_are_refused(data: DataSet) -> None:
    with endpoint(writer) as model:
        write(data, model)
        content = json.loads(data.folder.manifest.read_text())
        content["files"]["samples/train-00000-of-00002.parquet"]["sha256"] = "0" * 64
        data.folder.manifest.write_text(json.dumps(content))
        with pytest.raises(Conflict, match="the data set was another one"):
            write(DataSet(data.folder.path), model)


def test_two_runs_at_once_are_refused(data: DataSet) -> None:
    def meanwhile(number: int, body: Body, headers: Headers) -> Answer:
        if not number:
            with pytest.raises(Conflict, match="is at work in"):
                write(data, free_address())
        return writer(number, body, headers)

    with endpoint(meanwhile) as model:
        assert write(data, model).state == "finished"


def test_texts_that_came_without_their_answers_are_not_written_over(data: DataSet) -> None:
    folder = data.folder.path / "reasoning"
    folder.mkdir()
    (folder / "train-00000-of-00002.parquet").write_bytes(b"of somebody else")
    with endpoint(writer) as model, pytest.raises(Conflict, match="holds texts whose answers are not here"):
        write(data, model)
    assert (folder / "train-00000-of-00002.parquet").read_bytes() == b"of somebody else"


def ledger_of(data: DataSet) -> Path:
    return next((data.folder.path / "reasoning").rglob("*.jsonl"))


def test_a_line_that_a_crash_cut_off_is_asked_about_again_and_a_damaged_one_is_told(data: DataSet) -> None:
    with endpoint(writer) as model:
        write(data, model, concurrency=1)
        whole, ledger = tables(data), ledger_of(data)
        content = ledger.read_bytes()
        ledger.write_bytes(content[:-30])
        assert write(data, model).counts.texts == ALL and len(model.requests) == ALL + 1
        assert tables(data) == whole
        ledger.write_bytes(b"[]\n" + content)
        with pytest.raises(Conflict, match=r"Line 1 of .* is damaged"):
            write(data, model)


def test_a_damaged_table_is_written_again_and_a_damaged_manifest_is_told(data: DataSet) -> None:
    with endpoint(writer) as model:
        write(data, model)
        whole, folder = tables(data), data.folder.path / "reasoning"
        (folder / next(iter(whole))).write_bytes(b"PAR1")
        write(data, model)
        assert tables(data) == whole
        (folder / "manifest.json").write_text("{")
        with pytest.raises(Conflict, match=r"manifest\.json is damaged"):
            write(data, model)


def test_a_data_set_that_is_damaged_stops_it_with_what_was_written_kept(data: DataSet) -> None:
    place = data.file(data.shards()[1], "trajectories")
    content = place.read_bytes()
    place.write_bytes(content[:100] + bytes(len(content) - 108) + content[-8:])
    with endpoint(writer) as model, pytest.raises((OSError, ValueError)):
        write(data, model)
    place.write_bytes(content)
    with endpoint(writer) as model:
        assert write(data, model).state == "finished" and len(model.requests) == ALL - 4 * A_REFERENCE


def test_the_key_and_the_address_are_in_no_file(data: DataSet) -> None:
    def echo(number: int, body: Body, headers: Headers) -> Answer:
        return completion(body, {"content": f"{sentence(body)} {headers['authorization']}"})

    with endpoint(echo) as model:
        write(data, model)
        files = [path for path in data.folder.path.rglob("*") if path.is_file()]
    assert all(KEY.encode() not in path.read_bytes() and model.url.encode() not in path.read_bytes() for path in files)


def test_what_the_endpoint_does_not_take_is_left_out(data: DataSet) -> None:
    def old(number: int, body: Body, headers: Headers) -> Answer:
        if "seed" in body:
            return Answer({"error": {"message": "Unrecognized request argument supplied: seed"}}, 400)
        return writer(number, body, headers)

    with endpoint(old) as model:
        assert write(data, model, temperature=0.3, max_tokens=200).counts.texts == ALL
    assert model.requests[-1].body["temperature"] == 0.3 and model.requests[-1].body["max_tokens"] == 200


@given(st.lists(st.text("0123456789abcdef", min_size=16, max_size=16), max_size=40), st.floats(0, 1), st.floats(0, 1))
def test_a_choice_depends_on_the_key_alone_and_grows_with_the_share(keys: list[str], one: float, other: float) -> None:
    small, large = sorted((one, other))
    assert {key for key in keys if is_chosen(key, small)} <= {key for key in keys if is_chosen(key, large)}
    assert not any(is_chosen(key, 0.0) for key in keys) and all(is_chosen(key, 1.0) for key in keys)


def test_a_share_is_met_and_is_not_tied_to_the_first_digits_of_the_keys() -> None:
    keys = [f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}" for number in range(20_000)]
    for part in (keys, [key for key in keys if key[0] == "0"]):
        assert sum(is_chosen(key, 0.1) for key in part) / len(part) == pytest.approx(0.1, abs=0.03)


def test_steps_of_both_subsets_are_taken_once(data: DataSet) -> None:
    found = chosen_steps(data, data.shards()[0], 1.0)
    assert list(found.values()) == [sorted({step for steps in STEPS.values() for step in steps})] * 4


@pytest.mark.parametrize(
    "more",
    [{"share": 0.0}, {"share": 1.5}, {"concurrency": 0}, {"most_money": 1.0}, {"base_url": "ftp://x"}, {"scale": 9}],
)
def test_a_wish_that_cannot_be_is_refused_without_the_key_in_the_message(more: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        wish("http://127.0.0.1:9/v1", **more)
    assert KEY not in str(caught.value)


def test_no_sample_of_the_share_is_no_error(tmp_path: Path) -> None:
    data = finished_data(tmp_path / "set", count=2)
    assert write(data, free_address(), share=1e-9).state == "finished" and told(data) == {}


def test_texts_can_be_written_where_a_loop_is_running_as_in_a_notebook(data: DataSet) -> None:
    async def notebook(model: Running) -> ReasoningManifest:
        return write(data, model)

    with endpoint(writer) as model, ThreadPoolExecutor(1) as thread:  # a browser's tests leave a loop in this one
        assert thread.submit(lambda: asyncio.run(notebook(model))).result().counts.texts == ALL
