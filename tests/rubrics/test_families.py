"""With what models are asked: as the benchmark's authors did, by family."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.families import FAMILIES, OTHERS, family_of, sampling

THINKING = {"thinking": {"type": "enabled", "budget_tokens": 5000}}
MEDIUM, HIGH = {"reasoning_effort": "medium"}, {"reasoning_effort": "high"}


@pytest.mark.parametrize(
    ("model", "temperature", "extra"),
    [
        # the names of the published table
        ("gpt-5-2025-08-07_thinking", 1, HIGH),
        ("gpt-5-2025-08-07", 1, MEDIUM),
        ("gpt-5-think", 1, HIGH),
        ("o3-2025-04-16", 1, MEDIUM),
        ("o4-mini-2025-04-16", 1, MEDIUM),
        ("gemini-2.5-pro-preview-06-05", 0, {}),
        ("gemini-2.5-flash", 0, {}),
        ("claude-sonnet-4-5-20250929_thinking", 1, THINKING),
        ("claude-sonnet-4-5-20250929", 0, {}),
        ("claude-opus-4-1-20250805_thinking", 1, THINKING),
        ("gpt-4.1-2025-04-14", 0, {}),
        ("gpt-5.4-2026-03-05_high", 1, MEDIUM),
        # as routers and clouds call them
        ("openai/o4-mini", 1, MEDIUM),
        ("OpenAI/GPT-5", 1, MEDIUM),
        ("openai/gpt-5-chat-latest", 0, {}),
        ("anthropic/claude-3.7-sonnet:thinking", 1, THINKING),
        ("us.anthropic.claude-sonnet-4-20250514-v1:0", 0, {}),
        ("o1", 1, MEDIUM),
        ("gpt-5-mini", 1, MEDIUM),
        # unknown ones, some of whose names sound like others
        ("qwen3-vl-32b", 0, {}),
        ("qwen/qwen3-vl-235b-a22b-thinking", 0, {}),
        ("olmo-3", 0, {}),
        ("o3de", 0, {}),
        ("gpt-50", 0, {}),
        ("my-claude", 0, {}),
        ("claudette-thinking", 0, {}),
        ("meta-llama/llama-4-scout:free", 0, {}),
        ("claude-sonnet-4-5-thinking24", 0, {}),
        ("", 0, {}),
    ],
)
def test_a_model_is_asked_as_its_family_was(model: str, temperature: float, extra: object) -> None:
    asked = sampling(model)
    assert (asked.temperature, asked.extra) == (temperature, extra)


def test_what_is_sent_is_told() -> None:
    models = ("gpt-5-think", "o3", "claude-opus-4-1-thinking", "claude-opus-4-1")
    assert [sampling(model).effort for model in models] == ["high", "medium", "5000", None]


EFFORTS = st.from_regex(r"\A[a-z0-9]{1,20}\Z").filter(lambda effort: effort != "family")


@given(st.text(), st.one_of(st.none(), st.floats(0, 2)), st.one_of(st.none(), EFFORTS))
def test_a_wish_counts_whatever_the_model_is(model: str, temperature: float | None, effort: str | None) -> None:
    asked = sampling(model, temperature, effort)
    assert (asked.temperature, asked.effort) == (temperature, effort)
    assert bool(asked.extra) == (asked.effort is not None)


def test_each_family_is_reached_by_a_model() -> None:
    models = [
        "gpt-5-think", "gpt-5.1-thinking", "gpt-5-chat", "gpt-5", "gpt-5-mini", "o3", "o1-pro",
        "claude-opus-4-1-thinking", "claude-opus-4-1", "gemini-2.5-pro", "gpt-4.1", "llama-4",
    ]  # fmt: skip
    assert [family_of(model) for model in models] == [*FAMILIES, OTHERS]
