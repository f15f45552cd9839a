"""The trajectory against the rules of ATIF 1.8 (Harbor RFC 0001), as its text and models tell them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from easel_app.exports.atif import VERSION
from easel_app.services.problems import NotFound
from tests.exports.conftest import HOSTILE, House

JSON = dict[str, Any]
AGENT_ONLY = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")
ROOT = {
    "schema_version", "session_id", "trajectory_id", "agent", "steps", "notes", "final_metrics",
    "continued_trajectory_ref", "extra", "subagent_trajectories",
}  # fmt: skip
AGENT = {"name", "version", "model_name", "tool_definitions", "extra"}
STEP = {
    "step_id", "timestamp", "source", "model_name", "reasoning_effort", "message", "reasoning_content", "tool_calls",
    "observation", "metrics", "is_copied_context", "llm_call_count", "extra",
}  # fmt: skip
METRICS = {
    "prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "prompt_token_ids", "completion_token_ids",
    "logprobs", "extra",
}  # fmt: skip
TOTALS = {
    "total_prompt_tokens", "total_completion_tokens", "total_cached_tokens", "total_cost_usd", "total_steps", "extra",
}  # fmt: skip


def holds(document: JSON) -> None:
    """Every field that must be there, no field that the format does not know, and its rules."""
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert {"schema_version", "agent", "steps"} <= set(document) <= ROOT
    assert document["schema_version"] == VERSION == "ATIF-v1.8"
    assert {"name", "version"} <= set(document["agent"]) <= AGENT
    assert all(isinstance(value, str) for name, value in document["agent"].items() if name in ("name", "version"))
    assert document["steps"]
    for number, step in enumerate(document["steps"], 1):
        assert step["step_id"] == number
        step_holds(step)
    totals = document["final_metrics"]
    assert set(totals) <= TOTALS
    assert totals["total_steps"] == len(document["steps"])


def step_holds(step: JSON) -> None:
    assert {"step_id", "source", "message"} <= set(step) <= STEP
    assert None not in step.values()
    assert step["source"] in ("system", "user", "agent")
    assert datetime.fromisoformat(step["timestamp"]).utcoffset() is not None
    content_holds(step["message"])
    if step["source"] != "agent":
        assert not any(name in step for name in AGENT_ONLY)
    if step.get("llm_call_count") == 0:
        assert "metrics" not in step
        assert "reasoning_content" not in step
    assert set(step.get("metrics", {})) <= METRICS
    calls = set()
    for call in step.get("tool_calls", []):
        assert {"tool_call_id", "function_name", "arguments"} <= set(call) <= {
            "tool_call_id", "function_name", "arguments", "extra"
        }  # fmt: skip
        assert isinstance(call["arguments"], dict)
        calls.add(call["tool_call_id"])
    for result in step.get("observation", {"results": []})["results"]:
        assert set(result) <= {"source_call_id", "content", "subagent_trajectory_ref", "extra"}
        assert result.get("source_call_id") in {None, *calls}
        content_holds(result["content"])


def content_holds(content: str | list[JSON]) -> None:
    for part in [] if isinstance(content, str) else content:
        if part["type"] == "text":
            assert set(part) == {"type", "text"}
        else:
            assert set(part) == {"type", "source"}
            assert set(part["source"]) == {"media_type", "path"}
            assert part["source"]["media_type"] == "image/png"


ALL = ["painted", "maze", "fork", "model", "open", "empty", "own", "other picture"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("base", [None, "http://127.0.0.1:7860"])
def test_every_session_is_a_trajectory_of_the_format(house: House, name: str, base: str | None) -> None:
    holds(house.exports.atif(house.ids[name], base))


@pytest.mark.parametrize("name", ALL)
def test_each_action_is_one_step_with_its_call_and_what_became_of_it(house: House, name: str) -> None:
    _, session, actions = house.recorded(name)
    steps = [step for step in house.exports.atif(session.id)["steps"] if step["extra"].get("seq")]
    assert len(steps) == len(actions)
    for step, action in zip(steps, actions, strict=True):
        result = step["observation"]["results"][0]
        if action.kind == "invalid":
            assert "tool_calls" not in step
            assert action.message in result["content"]
        else:
            call = step["tool_calls"][0]
            assert (call["function_name"], call["arguments"]) == (action.kind, action.params)
            assert result["source_call_id"] == call["tool_call_id"]
        assert result["extra"]["outcome"] == action.outcome
        assert result["extra"]["scores"] == action.scores
        assert step["extra"]["canvas_digest"] == action.canvas_digest
        assert step["timestamp"] == action.at


def test_the_first_step_tells_the_task(house: House) -> None:
    first = house.exports.atif(house.ids["painted"])["steps"][0]
    task, _, _ = house.recorded("painted")
    assert first["source"] == "user"
    assert task.instruction in first["message"]


def test_a_model_s_words_and_usage_stand_at_the_action_that_came_of_them(house: House) -> None:
    document = house.exports.atif(house.ids["model"])
    _, first, lost, second, third, *rest = document["steps"]
    assert document["agent"]["model_name"] == "tester-1"
    assert first["message"] == ""  # a call without words
    assert lost["message"] == "Too late."
    assert "tool_calls" not in lost
    assert lost["metrics"] == {
        "prompt_tokens": 50,
        "completion_tokens": 5,
        "extra": {"latency": 0.25, "retries": 1},
    }
    assert second["message"] == third["message"] == "Red first."
    assert second["reasoning_content"] == "I think of red."
    assert second["metrics"] == {
        "prompt_tokens": 200,
        "completion_tokens": 20,
        "cost_usd": 0.01,
        "extra": {"latency": 0.25, "retries": 1},
    }
    assert {step.get("llm_call_count") for step in (first, lost, second, third)} == {1}
    assert {step.get("llm_call_count") for step in rest} == {None}  # nobody told of calls for these
    totals = document["final_metrics"]
    assert totals["total_prompt_tokens"] == 100 + 50 + 200 + 300
    assert totals["total_completion_tokens"] == 10 + 5 + 20 + 30
    assert totals["total_cost_usd"] == pytest.approx(0.03)


def test_what_a_person_does_is_no_model_call_and_what_a_fork_began_with_is_copied(house: House) -> None:
    steps = house.exports.atif(house.ids["fork"])["steps"][1:]
    assert {step["llm_call_count"] for step in steps} == {0}
    assert [step.get("is_copied_context") for step in steps] == [True] * 4 + [None] * 4


def test_pictures_are_named_by_address_or_left_out(house: House) -> None:
    session_id = house.ids["painted"]
    plain = json.dumps(house.exports.atif(session_id))
    assert "image" not in plain.replace("image/", "")
    shown = house.exports.atif(session_id, "http://studio.example")["steps"]
    task, _, _ = house.recorded("painted")
    assert shown[0]["message"][1]["source"]["path"] == f"http://studio.example/api/tasks/{task.id}/reference.png"
    last = shown[-1]["observation"]["results"][0]["content"][1]["source"]["path"]
    step = house.studio.sessions.state(session_id).step
    assert last == f"http://studio.example/api/sessions/{session_id}/canvas.png?step={step}"


def test_a_hostile_name_is_a_name_and_no_session_is_no_trajectory(house: House) -> None:
    assert house.exports.atif(house.ids["painted"])["agent"]["name"] == HOSTILE
    with pytest.raises(NotFound):
        house.exports.atif("nowhere")
