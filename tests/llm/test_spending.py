"""Limits of tokens and money hold, also for calls that are under way at the same time."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.llm import Budget, BudgetSpent, Usage
from tests.endpoint import Running, completion, endpoint, faulty, painter
from tests.llm.conftest import ask, client, request, run

USED = {"prompt_tokens": 60, "completion_tokens": 40}


def hundred(number: int, body: Any, headers: Any) -> Any:
    """A reply that uses 100 tokens."""
    return completion(body, {"content": "x"}, usage=USED)


async def many(running: Running, calls: int, **more: Any) -> list[Any]:
    async with client(running, **more) as asked:
        first = [await asked.complete(request("first"))]
        rest = [asked.complete(request(f"{at}")) for at in range(calls - 1)]
        return [*first, *await asyncio.gather(*rest, return_exceptions=True)]


def test_calls_stop_where_the_next_would_pass_the_limit() -> None:
    budget = Budget(tokens=350)
    with endpoint(hundred) as running:
        replies = run(many(running, 6, concurrency=1, budget=budget))
    assert [isinstance(reply, BudgetSpent) for reply in replies] == [False, False, False, True, True, True]
    assert budget.spent_tokens == 300
    assert len(running.requests) == 3


def test_room_is_kept_for_the_calls_under_way() -> None:
    budget = Budget(tokens=550)
    with endpoint(hundred, latency=0.01) as running:
        replies = run(many(running, 12, concurrency=8, budget=budget))
    refused = [reply for reply in replies if isinstance(reply, BudgetSpent)]
    assert budget.spent_tokens <= 550
    assert len(running.requests) == 12 - len(refused) == 5
    assert "calls are under way" in str(refused[0])


def test_no_room_is_kept_for_calls_that_wait_for_their_turn() -> None:
    def dear_at_first(number: int, body: Any, headers: Any) -> Any:
        return completion(
            body, {"content": "x"}, usage={"prompt_tokens": 100 if number else 300, "completion_tokens": 0}
        )

    budget = Budget(tokens=1000)
    with endpoint(dear_at_first) as running:
        replies = run(many(running, 6, concurrency=1, budget=budget))
    assert budget.spent_tokens == 800
    assert not any(isinstance(reply, BudgetSpent) for reply in replies)


def test_money_is_held_by_the_endpoints_prices() -> None:
    budget = Budget(money=0.001)  # a call costs 60 · 2 + 40 · 5 = 320 millionths
    with endpoint(hundred) as running:
        replies = run(many(running, 5, concurrency=1, budget=budget, prices=(2.0, 5.0)))
    assert budget.spent_money == pytest.approx(3 * 0.00032)
    assert isinstance(replies[3], BudgetSpent)
    assert "0.0010" in str(replies[3])


def test_a_limit_of_money_without_prices_is_refused_before_any_call() -> None:
    with endpoint(painter) as running, pytest.raises(ValueError, match="prices"):
        run(ask(running, budget=Budget(money=1.0)))
    assert running.requests == []


@pytest.mark.parametrize("limits", [{"tokens": -1}, {"money": -0.5}, {"money": float("nan")}])
def test_a_limit_below_nothing_is_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be 0 or more"):
        Budget(**limits)


def test_what_an_earlier_sitting_spent_counts() -> None:
    with endpoint(hundred) as running:
        with pytest.raises(BudgetSpent, match="1,000 of 1,000 tokens"):
            run(ask(running, budget=Budget(tokens=1000, spent_tokens=1000)))
        assert running.requests == []
        budget = Budget(tokens=1000, spent_tokens=750)
        run(ask(running, budget=budget))
        assert budget.spent_tokens == 850


def test_an_endpoint_that_does_not_count_cannot_be_held_to_a_limit() -> None:
    budget = Budget(tokens=10_000)
    with endpoint(faulty("no-usage")) as running:
        replies = run(many(running, 2, concurrency=1, budget=budget))
    assert replies[0].tool_calls  # paid for, hence handed on
    assert isinstance(replies[1], BudgetSpent)
    assert "how many tokens" in str(replies[1])


def test_without_a_limit_an_endpoint_need_not_count() -> None:
    with endpoint(faulty("no-usage")) as running:
        assert all(reply.tool_calls for reply in run(many(running, 3, budget=Budget())))


def test_a_call_that_failed_keeps_no_room() -> None:
    budget = Budget(tokens=1000)
    with endpoint(faulty("401-echo")) as running, pytest.raises(Exception, match="401"):
        run(ask(running, budget=budget))
    assert (budget.calls, budget.spent_tokens, budget._under_way) == (0, 0, 0)


@settings(deadline=None)
@given(
    st.integers(min_value=1, max_value=50),
    st.integers(min_value=0, max_value=2000),
    st.lists(st.integers(min_value=1, max_value=6), max_size=12),
)
def test_equal_calls_never_pass_a_limit_however_they_overlap(size: int, limit: int, bursts: list[int]) -> None:
    budget = Budget(tokens=limit)
    let_go = 0
    for burst in [1, *bursts]:
        with ExitStack() as under_way:
            for _ in range(burst):
                try:
                    under_way.enter_context(budget.call())
                except BudgetSpent:
                    break
                let_go += 1
                if burst == 1:
                    break
            for _ in range(budget._under_way):
                budget.book(Usage(size, 0, None, reported=True))
    assert budget.spent_tokens == let_go * size
    assert budget.spent_tokens <= max(limit, size)  # before the first answer nobody knows what a call uses
