"""Answers as other formats hold them: a text, null, an object that says why there is none, or a text by planner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from easel_app.plans.reading.drafts import Value, as_id, first, raw_json
from easel_app.sources.jsontext import shown

PLANNERS: Final = ("planner", "model", "model_name")
TEXTS: Final = ("text", "model_answer", "answer", "content", "output", "response", "completion", "plan")
REASONS: Final = (
    "error", "refusal", "refused", "timeout", "timed_out", "exception", "reason", "message", "status", "finish_reason",
)  # fmt: skip
"""Keys under which an object says why there is no answer."""
NULL = "The data hold null in place of an answer."
EMPTY = "The data hold an empty text in place of an answer."
NO_TEXT = "It is no text but {what}, so it is shown as it stands in the data."


def answers(value: Value, planner: str, names: tuple[str, ...] = ("model_answer",)) -> Iterator[dict[str, Any]]:
    """The answers that a row holds under one of these names, and under `answers`.

    Args:
        value: the row.
        planner: whose answers they are where nothing says so.
        names: where one answer may stand.
    """
    own = first(value, PLANNERS)
    planner = own if isinstance(own, str) and own.strip() else planner
    counts: Counter[str] = Counter()
    for name in names:
        if name in value:
            given = value[name]
            if isinstance(given, Mapping) and not _is_one(given):
                yield from _by_planner(given, counts)
            else:
                attempt = value.get("attempt", 1)
                counts[planner] = attempt if isinstance(attempt, int) else 1
                yield {"planner": planner, "attempt": attempt, **said(given)}
            break
    several = value.get("answers")
    if isinstance(several, Mapping):
        yield from _by_planner(several, counts)
    elif "answers" in value:
        for each in several if isinstance(several, list) else [several]:
            who = first(each, PLANNERS) if isinstance(each, Mapping) else None
            yield _counted(who if isinstance(who, str) else planner, each, counts)


def said(value: Any) -> dict[str, Any]:
    """Text, or why there is none, of one answer; what is neither is shown raw."""
    if value is None:
        return {"text": "", "no_output": NULL}
    if value == "":
        return {"text": "", "no_output": EMPTY}
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, Mapping):
        text = next((value[name] for name in TEXTS if isinstance(value.get(name), str) and value[name]), None)
        if text is not None:
            return {"text": text}
        reasons = [f"{name} {shown(value[name], 400)}" for name in REASONS if value.get(name) not in (None, "", False)]
        if reasons:
            return {"text": "", "no_output": f"The data hold no answer but: {', '.join(reasons)}."}
        if any(name in value for name in TEXTS):
            return {"text": "", "no_output": NULL}
    return {"text": raw_json(value), "note": NO_TEXT.format(what=shown(value))}


def _is_one(value: Value) -> bool:
    """Whether an object is one answer, not answers by planner."""
    return not value or any(name in value for name in (*TEXTS, *REASONS))


def _by_planner(value: Value, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    for planner, given in value.items():
        for each in given if isinstance(given, list) and given else [given]:
            yield _counted(as_id(planner), each, counts)


def _counted(planner: str, value: Any, counts: Counter[str]) -> dict[str, Any]:
    counts[planner] += 1
    return {"planner": planner, "attempt": counts[planner], **said(value)}
