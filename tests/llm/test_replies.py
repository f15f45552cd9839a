"""What a reply says is handed on as it is, in whatever form servers send it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from easel_app.llm import EndpointRefused
from easel_app.llm.client import MOST_BODY
from tests.endpoint import (
    Answer,
    completion,
    endpoint,
    faulty,
    once,
    painter,
    stroke,
)
from tests.llm.conftest import TOOL, ask, run

REPLIES = [
    "truncated-arguments", "empty", "refusal", "filter", "prose-refusal", "several-calls", "unknown-tool", "strings",
    "percentages", "out-of-range", "nan", "infinity", "missing-field", "extra-field", "nested", "object-arguments",
    "fence", "prose", "no-usage",
]  # fmt: skip


def test_a_reply_tells_what_was_said_and_used() -> None:
    with endpoint(painter) as running:
        reply = run(ask(running, prices=(2.0, 10.0)))
    (call,) = reply.tool_calls
    assert call.name == "brush_stroke"
    assert json.loads(call.arguments) == stroke(running.requests[0].body)
    assert (reply.text, reply.refusal, reply.finish_reason, reply.retries) == (None, None, "tool_calls", ())
    usage = reply.usage
    assert usage.reported
    assert usage.completion_tokens > 0
    assert usage.cost == pytest.approx((2 * usage.prompt_tokens + 10 * usage.completion_tokens) / 1e6)
    assert reply.raw["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "brush_stroke"
    assert reply.latency > 0


def test_the_providers_own_cost_counts_before_ours() -> None:
    used = {"prompt_tokens": 5, "completion_tokens": 6, "cost": 0.25}
    with endpoint(lambda number, body, headers: completion(body, {"content": "x"}, usage=used)) as running:
        reply = run(ask(running, prices=(1.0, 1.0)))
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.cost) == (5, 6, 0.25)


@pytest.mark.parametrize("used", [None, "many", {}, {"prompt_tokens": None}, {"prompt_tokens": -1}, {"cost": "free"}])
def test_usage_that_is_not_told_is_not_invented(used: Any) -> None:
    with endpoint(lambda number, body, headers: completion(body, {"content": "x"}, usage=used)) as running:
        reply = run(ask(running, prices=(1.0, 1.0)))
    assert not reply.usage.reported
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.cost) == (0, 0, None)


@pytest.mark.parametrize(
    "error", [{"error": "plainly"}, {"error": {"message": "plainly"}}, {"message": "plainly"}, {"detail": "plainly"}]
)
def test_words_of_an_error_are_found_wherever_servers_put_them(error: dict[str, Any]) -> None:
    refusing = endpoint(lambda number, body, headers: Answer(error, 400))
    with refusing as running, pytest.raises(EndpointRefused, match="“plainly”"):
        run(ask(running))


@pytest.mark.parametrize("fault", ["no-tools", "no-tools-router"])
def test_a_refusal_of_tools_can_be_told_from_others(fault: str) -> None:
    with endpoint(faulty(fault)) as running, pytest.raises(EndpointRefused) as caught:
        run(ask(running))
    assert caught.value.lacks_tools
    assert not caught.value.lacks_schema
    with endpoint(faulty("404-model")) as running, pytest.raises(EndpointRefused) as caught:
        run(ask(running))
    assert not caught.value.lacks_tools


@pytest.mark.parametrize("fault", REPLIES)
def test_what_the_model_does_wrong_is_handed_on_as_it_is(fault: str) -> None:
    with endpoint(faulty(fault)) as running:
        reply = run(ask(running))
    assert len(running.requests) == 1
    assert reply.raw["choices"]


def test_replies_keep_the_models_own_words() -> None:
    def said(fault: str) -> Any:
        with endpoint(faulty(fault)) as running:
            return run(ask(running))

    assert said("truncated-arguments").finish_reason == "length"
    assert said("filter").finish_reason == "content_filter"
    assert "can't help" in said("refusal").refusal
    assert "can't help" in said("prose-refusal").text
    assert said("empty").text is None
    assert len(said("several-calls").tool_calls) == 3
    assert said("unknown-tool").tool_calls[0].name == "draw_line"
    assert '"x_start":NaN' in said("nan").tool_calls[0].arguments
    assert said("fence").text.startswith("```json")
    assert set(json.loads(said("object-arguments").tool_calls[0].arguments)) == set(
        TOOL["function"]["parameters"]["properties"]
    )  # type: ignore[index]


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "tool_calls": None},
        {"content": "ab", "tool_calls": "none", "refusal": 5},
        {"content": "ab", "tool_calls": []},
    ],
)
def test_unusual_forms_of_a_message_are_understood(message: dict[str, Any]) -> None:
    with endpoint(lambda number, body, headers: completion(body, message)) as running:
        reply = run(ask(running))
    assert (reply.text, reply.tool_calls, reply.refusal) == ("ab", (), None)


def test_a_call_in_the_older_form_is_a_call() -> None:
    old = {"content": None, "function_call": {"name": "undo", "arguments": "{}"}}
    with endpoint(lambda number, body, headers: completion(body, old)) as running:
        assert run(ask(running)).tool_calls[0].name == "undo"


@pytest.mark.parametrize("call", [None, 5, {}, {"function": None}, {"function": {"name": 5, "arguments": None}}])
def test_a_call_without_form_is_still_a_call(call: Any) -> None:
    with endpoint(lambda number, body, headers: completion(body, {"tool_calls": [call]})) as running:
        (found,) = run(ask(running)).tool_calls
    assert (found.name, found.arguments) == ("", "")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"words"',
        b"<html></html>",
        b"[" * 100_000,
        b'{"a":' * 3_000 + b"1" + b"}" * 3_000,
        b'{"choices": {}}',
        b'{"choices": [null]}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {"content": "x"}, "finish_reason": "error"}]}',
        b'{"choices": [{"message": {"content": "' + b"x" * MOST_BODY + b'"}}]}',
    ],
    ids=lambda body: f"{body[:30]!r} {len(body)}",
)
def test_a_body_that_is_no_completion_is_tried_again(body: bytes) -> None:
    with endpoint(faulty(lambda number, asked, headers: Answer(body), once())) as running:
        assert len(run(ask(running)).retries) == 1


def test_a_body_without_end_is_not_read_to_its_end() -> None:
    with endpoint(faulty("flood", once())) as running:
        assert run(ask(running)).retries[0].reason == "an answer that is no JSON object"


def test_text_that_cannot_be_stored_is_made_storable() -> None:
    calls = b'[{"function": {"name": "f", "arguments": {"x": NaN}}}]'
    body = b'{"choices": [{"message": {"content": "a\\ud800b \xff", "tool_calls": ' + calls + b"}}]}"
    with endpoint(lambda number, asked, headers: Answer(body)) as running:
        reply = run(ask(running))
    assert reply.text == "a?b �"
    assert reply.tool_calls[0].arguments == '{"x": NaN}'
    reply.text.encode()


def test_an_error_within_a_success_counts_as_its_own_status() -> None:
    body = {"error": {"code": 402, "message": "Insufficient credits"}}
    refusing = endpoint(lambda number, asked, headers: Answer(body))
    with refusing as running, pytest.raises(EndpointRefused, match="Insufficient credits") as caught:
        run(ask(running))
    assert caught.value.status == 402
