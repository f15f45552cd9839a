"""What makes two runs one run, and what a run may be."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from easel_app.painting.protocol import Kind
from easel_app.runs.settings import NewRun, RunPlan, RunSettings, run_id

MODEL: dict[str, Any] = {"base_url": "http://127.0.0.1:8000/v1", "model": "qwen/qwen3.5-9b"}
OTHER: dict[str, Any] = {
    "name": "again", "base_url": "http://127.0.0.1:8001/v1", "model": "other", "protocol": "studio", "temperature": 0.5,
    "max_tokens": 100, "seed": 1, "history": 2, "coordinates": "integer", "calling": "text", "reading": "strict",
    "shared": True, "scale": 2, "grid": True, "take_over": {"session_id": "abc", "step": 3},
}  # fmt: skip
PLAN: dict[str, Any] = {
    "tasks": ["natural-01"], "categories": ["natural"], "repeats": 3, "concurrency": 2, "timeout": 5.0,
    "most_tokens": 10, "most_money": 1.0, "price_prompt": 1.0, "price_completion": 2.0,
}  # fmt: skip


def identity(**changes: Any) -> str:
    return run_id(NewRun(**{**MODEL, **changes}).settings.identity(["easel-studio/1"]))


def test_every_setting_but_the_player_is_tried_here() -> None:
    assert set(OTHER) == set(RunSettings.model_fields) - {"player"}
    assert set(PLAN) == set(RunPlan.model_fields)


@pytest.mark.parametrize("name", OTHER)
def test_another_setting_is_another_run(name: str) -> None:
    assert identity(**{name: OTHER[name]}) != identity()


@pytest.mark.parametrize("name", PLAN)
def test_another_plan_is_the_same_run(name: str) -> None:
    prices = {"price_prompt": 1.0, "price_completion": 2.0} if name == "most_money" else {}
    assert identity(**{name: PLAN[name], **prices}) == identity()


def test_another_version_of_anything_is_another_run() -> None:
    before = NewRun(**MODEL).settings.identity(["easel-studio/1"])
    assert run_id(before) != run_id(NewRun(**MODEL).settings.identity(["easel-studio/2"]))
    assert set(dict(before["versions"])) == {"renderer", "metrics", "reader", "prompt", "task_sets"}  # type: ignore[call-overload]
    painter = NewRun(player="greedy").settings.identity(["easel-studio/1"])
    assert dict(painter["versions"])["painter"].startswith("greedy/")  # type: ignore[call-overload]


def test_the_key_is_part_of_nothing_that_is_stored() -> None:
    wish = NewRun(**MODEL, key="canary-key")
    assert "canary" not in f"{wish.settings!r}{wish.plan!r}{wish!r}{wish.model_dump_json()}{identity(key='canary')}"


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": None}, {"model": None}, {"base_url": "ftp://x/v1"}, {"base_url": "http://name:word@host/v1"},
        {"base_url": "http://host/v1?key=1"}, {"base_url": "nonsense"}, {"player": "nobody"}, {"player": "greedy"},
        {"repeats": 0}, {"concurrency": 0}, {"temperature": float("nan")}, {"scale": 0}, {"coordinates": "polar"},
        {"name": "a b"}, {"model": "two\nlines"}, {"unknown": 1}, {"tasks": ["x"] * 1001},
    ],
)  # fmt: skip
def test_what_cannot_be_a_run_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        NewRun(**{**MODEL, **wrong})


def test_the_past_is_shown_as_published_unless_asked_otherwise() -> None:
    assert NewRun(**MODEL).turns_kept(Kind.RECONSTRUCTION) == 0
    assert NewRun(**MODEL, history=5).turns_kept(Kind.RECONSTRUCTION) == 5


def test_an_id_can_stand_in_a_link() -> None:
    assert identity(model="../../etc/ö passwd") == identity(model="../../etc/ö passwd")
    assert all(c.isascii() and (c.isalnum() or c in "-_.") for c in identity(model="../../etc/ö passwd"))
