"""The scripted endpoint itself: the official client understands it, and the request alone decides what it says."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import httpx
import openai
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.painting.stroke import STROKE_FIELDS
from tests.endpoint import FAULTS, Running, endpoint, every, faulty, once, painter, share, stroke, with_faults
from tests.endpoint.faults import rule
from tests.llm.conftest import KEY, TOOL, client, request, run

PICTURE = "data:image/png;base64,iVBORw0KGgo{}"


def body(number: int = 0, **more: Any) -> dict[str, Any]:
    picture = {"type": "image_url", "image_url": {"url": PICTURE.format(number)}}
    return {"messages": [{"role": "user", "content": [{"type": "text", "text": "Paint."}, picture]}], **more}


def with_tool(names: tuple[str, ...], number: dict[str, Any]) -> dict[str, Any]:
    function = {"name": "brush_stroke", "parameters": {"properties": dict.fromkeys(names, number)}}
    return {"tools": [{"type": "function", "function": function}]}


def official(running: Running, **wish: Any) -> Any:
    """What the openai package makes of the endpoint."""

    async def go() -> Any:
        async with openai.AsyncOpenAI(base_url=running.url, api_key=KEY, max_retries=0, timeout=10) as sdk:
            return await sdk.chat.completions.create(model="painter", **{**body(), **wish})

    return run(go())


def test_the_official_client_reads_its_replies() -> None:
    with endpoint(painter) as running:
        called, told = official(running, tools=[TOOL]), official(running)
    (call,) = called.choices[0].message.tool_calls
    assert called.choices[0].finish_reason == "tool_calls"
    assert set(json.loads(call.function.arguments)) == set(STROKE_FIELDS)
    assert called.usage.total_tokens == called.usage.prompt_tokens + called.usage.completion_tokens
    assert json.loads(told.choices[0].message.content)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429-seconds", openai.RateLimitError),
        ("500", openai.InternalServerError),
        ("503-html", openai.InternalServerError),
        ("cut", openai.APIConnectionError),
        ("401-echo", openai.AuthenticationError),
        ("404-model", openai.NotFoundError),
        ("newer-limit", openai.BadRequestError),
    ],
)
def test_the_official_client_meets_the_faults_that_it_has_names_for(fault: str, error: type[Exception]) -> None:
    with endpoint(faulty(fault)) as running, pytest.raises(error):
        official(running, max_tokens=5)


@pytest.mark.parametrize("names", [STROKE_FIELDS, STROKE_FIELDS[:6]])
@pytest.mark.parametrize(
    ("number", "kind", "most"),
    [({"type": "number", "maximum": 1}, float, 1), ({"type": "integer", "maximum": 1000}, int, 1000)],
)
def test_a_stroke_has_the_fields_and_the_scale_of_the_tool(names: Any, number: Any, kind: type, most: int) -> None:
    values = stroke(body(**with_tool(names, number)))
    assert tuple(values) == names
    assert all(isinstance(value, kind) and 0 <= value <= most for value in values.values())


@pytest.mark.parametrize(
    ("words", "fields", "whole"),
    [
        ('Give x_start ... radius_start {"maximum": 1}.', 13, False),
        ('Give x_start ... radius_start, "maximum": 1000.', 13, True),
        ("Six coordinates from 0 to 1000.", 6, True),
        ("Six coordinates from 0 to 1.", 6, False),
    ],
)
def test_a_stroke_in_text_follows_the_words(words: str, fields: int, whole: bool) -> None:
    said = painter(0, {"messages": [{"role": "system", "content": words}, *body()["messages"]]}, {})
    values = json.loads(said.body["choices"][0]["message"]["content"])  # type: ignore[index, call-overload]
    assert len(values) == fields
    assert all(isinstance(value, int) for value in values.values()) is whole


def test_text_names_the_action_where_the_words_ask_for_it() -> None:
    said = painter(0, {"messages": [{"role": "user", "content": 'The key "action" names what to do.'}]}, {})
    assert json.loads(said.body["choices"][0]["message"]["content"])["action"] == "brush_stroke"  # type: ignore[index, call-overload]


@settings(deadline=None)
@given(st.integers(min_value=0), st.integers(min_value=0))
def test_a_stroke_depends_on_what_is_shown_and_on_nothing_else(first: int, second: int) -> None:
    assert stroke(body(first, temperature=1.0, seed=5)) == stroke(body(first))
    assert (stroke(body(first)) == stroke(body(second))) is (first == second)


def test_every_fault_says_something_of_its_own() -> None:
    asked = body(**with_tool(STROKE_FIELDS, {"type": "number", "maximum": 1}), max_tokens=5, response_format={})
    headers = {"authorization": f"Bearer {KEY}"}
    answers = {name: repr(script(0, asked, headers)) for name, script in FAULTS.items()}
    assert len(set(answers.values())) == len(answers)
    assert repr(painter(0, asked, headers)) not in answers.values()


def test_faults_by_share_hit_the_same_requests_in_any_order() -> None:
    def replies(order: list[int]) -> dict[int, str]:
        async def go() -> dict[int, str]:
            async with client(running) as asked:
                return {
                    number: (await asked.complete(request(f"{number}"))).tool_calls[0].arguments for number in order
                }

        with endpoint(with_faults(painter, ("strings", share(0.3)), ("500", share(0.6, first=True)))) as running:
            return run(go())

    forth, back = replies(list(range(30))), replies(list(reversed(range(30))))
    assert forth == back
    hit = sum('":"' in arguments for arguments in forth.values())
    assert 0 < hit < 30


def test_a_fault_comes_once_or_every_so_often() -> None:
    assert [when(number, body()) for when in [once()] for number in range(4)] == [True, False, False, False]
    assert [every(3)(number, body()) for number in range(6)] == [False, False, True, False, False, True]
    first = share(1.0, first=True)
    assert [first(number, body(number // 2)) for number in range(4)] == [True, False, True, False]


@pytest.mark.parametrize("text", ["nothing", "500:sometimes", "500:every=0", "500:share=", ""])
def test_a_fault_that_is_not_known_is_refused_on_the_command_line(text: str) -> None:
    with pytest.raises(ValueError, match="is no fault"):
        rule(text)


@pytest.mark.parametrize("text", ["500", "500:once", "500:always", "500:every=3", "500:share=0.5", "500:share=1,first"])
def test_a_fault_is_given_on_the_command_line(text: str) -> None:
    script, when = rule(text)
    assert script is FAULTS["500"]
    assert any(when(number, body(number)) for number in range(50))


def test_what_a_script_raises_fails_the_test_that_runs_it() -> None:
    def broken(number: int, body: Any, headers: Any) -> Any:
        raise LookupError("no such page")

    with pytest.raises(LookupError, match="no such page"), endpoint(broken) as running:
        assert httpx.post(f"{running.url}/chat/completions", json=body(), trust_env=False).status_code == 500


def test_two_endpoints_at_once_keep_their_requests_apart() -> None:
    async def go() -> None:
        async with client(one) as first, client(other) as second:
            await asyncio.gather(*(asked.complete(request()) for asked in (first, first, second)))

    with endpoint(painter) as one, endpoint(painter) as other:
        run(go())
    assert (len(one.requests), len(other.requests)) == (2, 1)


def test_as_a_process_it_says_where_it_answers() -> None:
    command = [sys.executable, "-m", "tests.endpoint", "--script", "painter", "--fault", "401-echo:every=2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            url = process.stdout.readline().strip()
            answers = [httpx.post(f"{url}/chat/completions", json=body(at), trust_env=False) for at in range(4)]
        finally:
            process.terminate()
    assert [answer.status_code for answer in answers] == [200, 401, 200, 401]
    told = [orjson.loads(answer.json()["choices"][0]["message"]["content"]) for answer in answers[::2]]
    assert told == [stroke(body(at)) for at in (0, 2)]
    assert told[0] != told[1]
