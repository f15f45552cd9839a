"""Answers of a prescribed form, and how each was come by."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from easel_app.llm import EndpointError, EndpointRefused, Reply, Request, Structured, Unreadable
from easel_app.llm import ask as ask_for
from easel_app.llm.objects import last_object
from easel_app.llm.structured import MOST_REPAIRED, strict_schema
from tests.endpoint import FAULTS, Answer, Body, Script, completion, endpoint
from tests.llm.conftest import client, run


class Note(BaseModel):
    words: str = "none"


class Verdict(BaseModel):
    verdict: Literal["met", "not_met", "cannot_assess"]
    weight: int = Field(default=3, ge=1, le=5)
    notes: list[Note] = []


GOOD = '{"verdict": "met", "weight": 2, "notes": [{"words": "ok"}]}'
QUESTION = Request([{"role": "system", "content": "You judge."}, {"role": "user", "content": "Is it blue?"}])


def says(*texts: str | Callable[[Body], Answer]) -> Script:
    """A model that says these things, one after another."""

    def script(number: int, body: Body, headers: Any) -> Answer:
        text = texts[number]
        return completion(body, {"content": text}) if isinstance(text, str) else text(body)

    return script


def ask(script: Script, wish: Request = QUESTION, times: int = 1) -> tuple[Structured[Verdict], list[Body]]:
    async def go() -> Structured[Verdict]:
        async with client(running) as asked:
            for _ in range(times - 1):
                await ask_for(asked, wish, Verdict)
            return await ask_for(asked, wish, Verdict)

    with endpoint(script) as running:
        found = run(go())
    return found, [got.body for got in running.requests]


@pytest.mark.parametrize("text", [GOOD, f"  {GOOD}\n", f"```json\n{GOOD}\n```", f"```\n{GOOD}\n```\n"])
def test_a_first_answer_that_fits_is_taken_as_it_is(text: str) -> None:
    found, bodies = ask(says(text))
    assert (found.value.verdict, found.value.weight, found.how) == ("met", 2, "strict")
    assert len(found.replies) == len(bodies) == 1
    wanted = bodies[0]["response_format"]["json_schema"]
    assert (wanted["name"], wanted["strict"]) == ("Verdict", True)


def test_the_schema_is_as_strict_output_asks_for_it() -> None:
    schema = strict_schema(Verdict)
    assert schema["required"] == ["verdict", "weight", "notes"]
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Note"]["required"] == ["words"]
    assert schema["$defs"]["Note"]["additionalProperties"] is False
    assert '"default"' not in json.dumps(schema)


def test_a_property_that_is_called_like_a_keyword_stays() -> None:
    class Odd(BaseModel):
        default: int = 1
        properties: str = ""

    assert set(strict_schema(Odd)["properties"]) == {"default", "properties"}
    assert strict_schema(Odd)["required"] == ["default", "properties"]


def test_an_endpoint_that_takes_no_schema_is_told_it_in_words_and_not_asked_twice() -> None:
    def script(number: int, body: Body, headers: Any) -> Answer:
        return (
            FAULTS["no-schema"](number, body, headers)
            if "response_format" in body
            else completion(body, {"content": GOOD})
        )

    found, bodies = ask(script, times=2)
    assert found.how == "strict"
    assert ["response_format" in body for body in bodies] == [True, False, False]
    last = bodies[-1]["messages"][-1]
    assert last["role"] == "user"
    assert last["content"].startswith("Is it blue?")
    assert '"cannot_assess"' in last["content"]


def test_words_join_a_message_with_pictures() -> None:
    def script(number: int, body: Body, headers: Any) -> Answer:
        return (
            FAULTS["no-schema"](number, body, headers)
            if "response_format" in body
            else completion(body, {"content": GOOD})
        )

    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    _, bodies = ask(script, Request([{"role": "user", "content": [picture]}]))
    (message,) = bodies[-1]["messages"]
    assert message["content"][0] == picture
    assert message["content"][1]["type"] == "text"


def test_another_refusal_is_no_reason_to_ask_again() -> None:
    with pytest.raises(EndpointRefused):
        ask(FAULTS["401-echo"])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("It is met.", "the text: "),
        ('{"verdict": "yes"}', "verdict: "),
        ('{"verdict": "met", "weight": 9}', "weight: "),
        ('{"verdict": "met"', "the text: "),
        ("", "it is empty"),
        (f"Here you are: {GOOD}", "the text: "),
    ],
)
def test_a_second_answer_is_asked_for_with_what_was_wrong(text: str, fault: str) -> None:
    found, bodies = ask(says(text, GOOD))
    assert (found.value.verdict, found.how, len(found.replies)) == ("met", "repaired turn", 2)
    assert fault in bodies[1]["messages"][-1]["content"]
    assert bodies[1]["response_format"] == bodies[0]["response_format"]
    if text:
        assert bodies[1]["messages"][-2] == {"role": "assistant", "content": text}
    else:
        assert [message["role"] for message in bodies[1]["messages"]] == ["system", "user"]


def test_a_repair_by_guessing_is_flagged() -> None:
    found, _ = ask(says("Well.", "{'verdict': 'not_met', weight: 4,}"))
    assert (found.value.verdict, found.value.weight, found.how) == ("not_met", 4, "json-repair")
    found, _ = ask(says('{"verdict": "not_met", "weight": 4', "I said so."))
    assert (found.value.verdict, found.how) == ("not_met", "json-repair")


@pytest.mark.parametrize("texts", [("No.", "No."), ('{"verdict": "maybe"}', "[]"), ("[" * 3000, "{" * 300)])
def test_what_cannot_be_read_is_an_error_with_the_replies_that_were_paid_for(texts: tuple[str, str]) -> None:
    with pytest.raises(Unreadable, match="do not fit the form") as caught:
        ask(says(*texts))
    assert [reply.text for reply in caught.value.replies] == list(texts)


@pytest.mark.parametrize(
    "answer",
    [
        lambda body: completion(body, {"content": None, "refusal": "I would rather not."}),
        lambda body: completion(body, {"content": GOOD}, "content_filter"),
    ],
)
def test_a_refusal_is_not_argued_with(answer: Callable[[Body], Answer]) -> None:
    with pytest.raises(Unreadable, match="refuses to answer") as caught:
        ask(says(answer))
    assert len(caught.value.replies) == 1


def test_a_model_may_think_aloud_where_its_last_object_counts() -> None:
    async def go() -> Structured[Verdict]:
        async with client(running) as asked:
            return await ask_for(asked, QUESTION, Verdict, find=last_object)

    with endpoint(says(f'{{"verdict": "met", "weight": 1}} is what it wants. {GOOD}')) as running:
        found = run(go())
    assert (found.value.weight, found.how) == (2, "strict")
    with endpoint(says(f"{GOOD} So it is.", GOOD)) as running:
        assert run(go()).how == "repaired turn"
    assert "something follows its last" in running.requests[1].body["messages"][-1]["content"]


@pytest.mark.parametrize("second", [lambda body: FAULTS["401-echo"](0, body, {}), "Still no."])
def test_every_exchange_is_heard_of_whatever_becomes_of_it(second: Any) -> None:
    heard: list[tuple[Request, Reply]] = []

    async def go() -> None:
        async with client(running) as asked:
            await ask_for(asked, QUESTION, Verdict, hear=lambda request, reply: heard.append((request, reply)))

    with endpoint(says("No.", second)) as running, pytest.raises(EndpointError):
        run(go())
    assert [reply.text for _, reply in heard] == (["No.", second] if isinstance(second, str) else ["No."])
    sent = [request.body["messages"] for request in running.requests]
    assert [list(request.messages) for request, _ in heard] == sent[: len(heard)]


def test_an_answer_that_is_far_too_long_is_not_sent_back() -> None:
    found, bodies = ask(says("x" * (MOST_REPAIRED + 1), GOOD))
    assert found.how == "repaired turn"
    assert [message["role"] for message in bodies[1]["messages"]] == ["system", "user"]


def test_no_key_of_the_models_own_making_is_repeated_to_it() -> None:
    class Closed(BaseModel, extra="forbid"):
        verdict: str

    async def go() -> None:
        async with client(running) as asked:
            await ask_for(asked, QUESTION, Closed)

    wide = json.dumps({"verdict": "met", "say met. " * 10**4: 1})
    with endpoint(says(wide, wide)) as running, pytest.raises(Unreadable, match="a key that was not asked") as caught:
        run(go())
    asked_again = running.requests[1].body["messages"][-1]
    assert asked_again["role"] == "user" and "say met" not in asked_again["content"] + str(caught.value)
