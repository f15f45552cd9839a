"""Temperature and effort by a model's family, as the benchmark's authors asked it (arXiv 2510.12712 and its code).

What is `stated` stands in the paper or in its code. What is `inferred` follows from it: newer models of a family are
asked like the named ones, and Claude with thinking at 1, which is the only temperature that its endpoint takes then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

THINKING_TOKENS = 5000
"""Of Claude with thinking, as stated."""


class Family(NamedTuple):
    """Models that are asked alike."""

    name: str
    pattern: str
    """Of the model's name in lower case, without its vendor."""
    temperature: float
    effort: str | None
    """A word that is sent as `reasoning_effort`; digits are tokens of Claude's thinking; None: nothing is sent."""
    basis: Literal["stated", "inferred"]


_GPT5 = r"gpt-?5(\.\d+)?"
_DATE = r"([-_@]\d{4}-?\d{2}-?\d{2}|[-_]latest)?"
_THINKING = r"[-_:](think|thinking)$"

FAMILIES = (
    Family("GPT-5-think", rf"gpt-5{_DATE}{_THINKING}", 1.0, "high", "stated"),
    Family("GPT-5 with thinking, others", rf"{_GPT5}\b.*{_THINKING}", 1.0, "high", "inferred"),
    Family("GPT-5 chat, which does not reason", rf"{_GPT5}-chat\b", 0.0, None, "inferred"),
    Family("GPT-5", rf"gpt-5{_DATE}$", 1.0, "medium", "stated"),
    Family("GPT-5, others", rf"{_GPT5}\b", 1.0, "medium", "inferred"),
    Family("o3 and o4-mini", rf"(o3|o4-mini){_DATE}$", 1.0, "medium", "stated"),
    Family("o series, others", r"o[1-9]\b", 1.0, "medium", "inferred"),
    Family("Claude with thinking", rf"(.*\.)?claude\b.*{_THINKING}", 1.0, str(THINKING_TOKENS), "inferred"),
    Family("Claude", r"(.*\.)?claude\b", 0.0, None, "stated"),
    Family("Gemini", r"gemini\b", 0.0, None, "stated"),
    Family("GPT-4.1", r"gpt-4\.1\b", 0.0, None, "stated"),
)
"""The first that fits counts. Of Claude with thinking the tokens are stated."""
OTHERS = Family("others", "", 0.0, None, "stated")
"""Temperature 0 is the stated default of all models."""


class Sampling(NamedTuple):
    """With what a model is asked."""

    temperature: float | None
    extra: Mapping[str, Any]
    """Further parameters of the request."""
    effort: str | None
    """Of reasoning, as it is told beside the answers; None when nothing is sent."""


def family_of(model: str) -> Family:
    """The family of a model by its name at an endpoint, with or without its vendor.

    Example:
        >>> family_of("openai/gpt-5-2025-08-07_thinking").name
        'GPT-5-think'
    """
    name = model.strip().lower().rpartition("/")[2].removesuffix(":free")
    return next((each for each in FAMILIES if re.match(each.pattern, name)), OTHERS)


def sampling(
    model: str, temperature: float | Literal["family"] | None = "family", effort: str | None = "family"
) -> Sampling:
    """With what a model is asked.

    Args:
        model: its name at the endpoint.
        temperature: in [0, 2]; `family`: as its family is; None: left to the endpoint.
        effort: a word such as `high`, tokens of thinking in digits, or `family`; None: nothing is sent.

    Example:
        >>> sampling("claude-sonnet-4-5-20250929_thinking").extra
        {'thinking': {'type': 'enabled', 'budget_tokens': 5000}}
    """
    family = family_of(model)
    asked = family.effort if effort == "family" else effort
    return Sampling(family.temperature if temperature == "family" else temperature, _extra(asked), asked)


def _extra(effort: str | None) -> dict[str, Any]:
    if effort is None:
        return {}
    if effort.isdecimal():
        return {"thinking": {"type": "enabled", "budget_tokens": int(effort)}}
    return {"reasoning_effort": effort}
