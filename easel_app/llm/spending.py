"""How much may be used: tokens and money, with room kept for the calls under way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from easel_app.llm.problems import BudgetSpent
from easel_app.llm.records import Usage


@dataclass
class Budget:
    """Limits, and what was used under them. One budget may serve several clients of one event loop.

    A call is let go when what was spent, and the mean of the calls so far for each one under way and for this one, stay
    within the limits. A limit can be passed by what the calls under way cost more than the mean.
    """

    tokens: int | None = None
    """Most prompt and completion tokens together; None: no limit."""
    money: float | None = None
    """Most money, in the currency of the endpoint's prices; None: no limit."""
    spent_tokens: int = 0
    spent_money: float = 0.0
    calls: int = 0
    """Calls that were booked; their mean is what a call is thought to use. 0 if it is not known how many there were."""
    _under_way: int = field(default=0, init=False, repr=False)
    _unknown: str = field(default="", init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse limits below zero.

        Raises:
            ValueError: a limit is negative or not a number.
        """
        for limit in (self.tokens, self.money):
            if limit is not None and not limit >= 0:
                raise ValueError(f"a limit is {limit}, but it must be 0 or more; give another one")
        self._begun = (0, 0.0) if self.calls else (self.spent_tokens, self.spent_money)

    @contextmanager
    def call(self) -> Iterator[None]:
        """Keep room for one call as long as it is under way.

        Raises:
            BudgetSpent: there is no room, or what an earlier call used is not known.
        """
        self._check()
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    def book(self, usage: Usage) -> None:
        """Add what a call used."""
        self.calls += 1
        self.spent_tokens += usage.prompt_tokens + usage.completion_tokens
        self.spent_money += usage.cost or 0.0
        if self.tokens is not None and not usage.reported:
            self._unknown = "how many tokens a call used"
        if self.money is not None and usage.cost is None:
            self._unknown = "what a call cost"

    def _check(self) -> None:
        if self._unknown:
            raise BudgetSpent(f"The endpoint does not tell {self._unknown}, so no limit holds; go on without one.")
        tokens, money = self._begun
        if self._full(self.tokens, self.spent_tokens, self.spent_tokens - tokens):
            raise BudgetSpent(self._sentence(f"{self.spent_tokens:,} of {self.tokens:,} tokens are used"))
        if self._full(self.money, self.spent_money, self.spent_money - money):
            raise BudgetSpent(self._sentence(f"{self.spent_money:.4f} of {self.money:.4f} is spent"))

    def _full(self, limit: float | None, spent: float, spent_here: float) -> bool:
        reserved = spent_here / max(1, self.calls) * (self._under_way + 1)
        return limit is not None and (spent >= limit or spent + reserved > limit)

    def _sentence(self, used: str) -> str:
        under_way = f" and {self._under_way} calls are under way" if self._under_way else ""
        return f"The limit leaves no room for another call, since {used}{under_way}; raise the limit to go on."
