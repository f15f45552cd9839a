"""What may pass is tried again, what stays is refused in one sentence, and who waits how long."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import orjson
import pytest

from easel_app.llm import Budget, Client, Endpoint, EndpointRefused, EndpointUnreachable, Reply
from easel_app.llm.patience import LONGEST_WAIT
from tests.endpoint import (
    Answer,
    Body,
    Headers,
    Running,
    Script,
    endpoint,
    every,
    faulty,
    once,
    painter,
    share,
    stroke,
    with_faults,
)
from tests.endpoint.faults import error
from tests.llm.conftest import FAST, ask, client, free_address, request, run, until

PASSING = [
    "429", "429-seconds", "429-date", "500", "503-html", "cut", "truncated-json", "empty-choices", "error-in-200",
]  # fmt: skip

FINAL = {"401-echo": 401, "404-model": 404, "no-tools": 400, "no-tools-router": 404, "429-quota": 429, "redirect": 307}


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_passes_is_tried_again_and_told(fault: str) -> None:
    with endpoint(faulty(fault, once())) as running:
        reply = run(ask(running))
    assert len(running.requests) == 2
    assert reply.tool_calls
    ((reason, waited),) = reply.retries
    assert reason
    assert waited > 0


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_stays_ends_in_one_sentence(fault: str) -> None:
    with endpoint(faulty(fault)) as running, pytest.raises(EndpointUnreachable) as caught:
        run(ask(running, attempts=3))
    assert len(running.requests) == 3
    assert "in 3 tries" in str(caught.value)
    assert str(caught.value).endswith("then go on.")


@pytest.mark.parametrize("fault", ["hang", "stall"])
def test_an_endpoint_that_stops_talking_is_left_in_time(fault: str) -> None:
    with endpoint(faulty(fault, once())) as running:
        reply = run(ask(running, most=0.15))
    assert reply.retries[0].reason == "no answer within 0.15 s"


def test_where_nothing_answers_the_sentence_names_the_address() -> None:
    async def go() -> None:
        async with Client(Endpoint(base_url=address, model="painter"), attempts=2, wait=FAST) as asked:
            await asked.complete(request())

    address = free_address()
    with pytest.raises(EndpointUnreachable, match="no connection") as caught:
        run(go())
    assert address in str(caught.value)


@pytest.mark.parametrize(("fault", "status"), FINAL.items())
def test_what_trying_again_cannot_help_is_refused_at_once(fault: str, status: int) -> None:
    with endpoint(faulty(fault)) as running, pytest.raises(EndpointRefused) as caught:
        run(ask(running))
    assert len(running.requests) == 1
    assert caught.value.status == status
    assert f"HTTP {status}" in str(caught.value)
    assert "; " in str(caught.value)  # what to do


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 413, 415, 422, 418])
def test_every_other_status_of_the_callers_fault_is_refused(status: int) -> None:
    refusing = endpoint(lambda number, body, headers: Answer({"detail": [{"msg": "no"}]}, status))
    with refusing as running, pytest.raises(EndpointRefused, match='"msg": "no"') as caught:
        run(ask(running))
    assert caught.value.status == status


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_every_status_that_may_pass_is_tried_again(status: int) -> None:
    with endpoint(faulty(lambda number, body, headers: Answer(b"", status), once())) as running:
        assert run(ask(running)).retries[0].reason == f"HTTP {status}"


def test_tries_that_were_answered_in_vain_are_paid_for() -> None:
    budget = Budget()
    with endpoint(faulty("empty-choices", once())) as running:
        twice = run(ask(running, budget=budget)).usage
    with endpoint(painter) as running:
        single = run(ask(running)).usage
    assert twice.completion_tokens == 2 * single.completion_tokens
    assert budget.spent_tokens == twice.prompt_tokens + twice.completion_tokens


def test_a_model_that_knows_the_limit_by_its_newer_name_gets_it_so_from_then_on() -> None:
    async def go(running: Running) -> None:
        async with client(running) as asked:
            await asyncio.gather(*(asked.complete(request(max_tokens=50)) for _ in range(4)))
            await asked.complete(request(max_tokens=60))

    with endpoint(faulty("newer-limit")) as running:
        run(go(running))
    last = running.requests[-1].body
    assert last["max_completion_tokens"] == 60
    assert "max_tokens" not in last
    assert len(running.requests) <= 4 + 4 + 1


COLD = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."


def colder(*, status: int = 400, words: str = COLD) -> Script:
    """A model that takes no temperature."""

    def script(number: int, body: Body, headers: Headers) -> Answer:
        return error(status, words) if "temperature" in body else painter(number, body, headers)

    return script


@pytest.mark.parametrize("status", [400, 422])
def test_a_parameter_that_may_be_spared_is_left_out_once_it_was_refused(status: int) -> None:
    async def go(running: Running) -> list[Reply]:
        async with client(running, spare=("temperature",)) as asked:
            first = await asyncio.gather(*(asked.complete(request(temperature=0.0)) for _ in range(4)))
            return [*first, await asked.complete(request(temperature=0.0, max_tokens=60))]

    with endpoint(colder(status=status)) as running:
        replies = run(go(running))
    assert [reply.left_out for reply in replies] == [("temperature",)] * 5
    assert "temperature" not in running.requests[-1].body and running.requests[-1].body["max_tokens"] == 60
    assert len(running.requests) <= 4 + 4 + 1 and not replies[-1].retries
    assert "temperature is not taken there" in replies[0].retries[0].reason


def test_no_parameter_is_left_out_unless_it_may_be_and_the_refusal_names_it() -> None:
    with endpoint(colder()) as running, pytest.raises(EndpointRefused, match="does not support 0"):
        run(ask(running, request(temperature=0.0)))
    with endpoint(colder(words="No.")) as running, pytest.raises(EndpointRefused, match="No"):
        run(ask(running, request(temperature=0.0), spare=("temperature",)))
    assert len(running.requests) == 1


def test_an_endpoint_that_goes_on_about_a_parameter_is_not_asked_for_ever() -> None:
    with endpoint(lambda *_: error(400, COLD)) as running, pytest.raises(EndpointRefused, match="does not support 0"):
        run(ask(running, request(temperature=0.0), spare=("temperature",)))
    assert ["temperature" in sent.body for sent in running.requests] == [True, False]


def test_a_wait_that_is_too_long_is_named_at_once() -> None:
    with endpoint(faulty("429-hour")) as running, pytest.raises(EndpointUnreachable, match="3600 s") as caught:
        run(ask(running))
    assert len(running.requests) == 1
    assert f"{LONGEST_WAIT:.0f} s" in str(caught.value)


@pytest.mark.parametrize("fault", ["429-seconds", "429-date"])
def test_retry_after_is_waited_for_as_told(fault: str) -> None:
    with endpoint(faulty(fault, once())) as running:
        reply = run(ask(running, wait=0.01))
    first, second = running.requests
    assert 0.01 <= reply.retries[0].waited <= 0.02  # told: 2 s, or the second that 2 s from now lies in
    assert second.at - first.at >= reply.retries[0].waited


@pytest.mark.parametrize("fault", ["429", "429-seconds"])
def test_a_limit_of_the_pace_holds_back_all_callers(fault: str) -> None:
    async def go(running: Running) -> float:
        async with client(running, wait=0.02) as asked:
            first = asyncio.create_task(asked.complete(request("first")))
            await until(lambda: asked._patience._until)
            others = [asyncio.create_task(asked.complete(request(f"other {at}"))) for at in range(5)]
            reply = await first
            await asyncio.gather(*others)
            return float(reply.retries[0].waited)

    with endpoint(faulty(fault, once())) as running:
        waited = run(go(running))
    first, *others = running.requests
    assert len(others) == 6
    assert min(other.at for other in others) - first.at >= waited


def test_an_error_of_the_server_holds_back_only_the_call_that_met_it() -> None:
    async def go(running: Running) -> None:
        async with client(running, wait=60.0) as asked:
            unlucky = asyncio.create_task(asked.complete(request("first")))
            await until(lambda: running.requests)
            await asked.complete(request("other"))  # would take a minute if it had to wait
            unlucky.cancel()

    with endpoint(faulty("500", once())) as running:
        run(go(running))
    assert len(running.requests) == 2


def test_any_mixture_of_passing_faults_ends_with_every_call_answered() -> None:
    async def go(running: Running) -> list[Any]:
        async with client(running, concurrency=8, attempts=12) as asked:
            return await asyncio.gather(*(asked.complete(request(f"{at}")) for at in range(40)))

    mixed = with_faults(
        painter,
        ("429-seconds", share(0.2, first=True)),
        ("cut", every(7)),
        ("500", share(0.4, first=True)),
        ("truncated-json", every(11)),
    )
    with endpoint(mixed) as running:
        replies = run(go(running))
    shown = {orjson.dumps(got.body["messages"]): got.body for got in running.requests}
    told = [json.loads(reply.tool_calls[0].arguments) for reply in replies]
    wanted = [stroke(shown[orjson.dumps(request(f"{at}").messages)]) for at in range(40)]
    assert told == wanted  # each caller got the answer to its own question
    assert len(running.requests) == 40 + sum(len(reply.retries) for reply in replies)
