"""How a model used its tools: proactivity, success rate and volume: ``tool_use/1``.

VisualToolBench (arXiv 2510.12712) states the three in words; the rule of success is ours, a closer reading of its
"schema-valid, non-empty result".
A call succeeds if the tool is known, the arguments fit its schema, the observation is an object without an error
(``status`` is not "error", ``ok`` not "false", nothing under ``error``) and the payload is not empty: an image path or
printed text of the image tool, printed text of the interpreter, a result of a search, text of a page, temperature or
conditions of the weather, any result of the calculator but null, so that 0 counts. Blanks are no text.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from easel_app.scoring.tool_schemas import BY_NAME, misfit

VERSION = "tool_use/1"
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallSuccess:
    """Whether one call succeeded, and why."""

    task_id: str
    function_name: str
    """As it was sent; empty where the call has none."""
    success: bool
    why: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """How a model used its tools over tasks; None where not defined."""

    n_tasks: int
    n_calls: int
    """Entries of the traces over all turns; repeats count. (The field ``num_tool_calls`` counts a model's rounds.)"""
    n_success: int
    proactivity: float | None
    """Share of the tasks with at least one call."""
    success_rate: float | None
    """Share of the calls that succeed."""
    volume: float | None
    """Calls per task."""
    calls_by_tool: dict[str, int]
    """By the name as it was sent, unknown tools included."""
    call_success: list[CallSuccess]
    """In the order of the calls."""


def tool_use(tasks: Iterable[Record]) -> ToolUse:
    """The three measures and what each call came to.

    Args:
        tasks: ``task_id`` and ``turns``, each with its ``tool_use_list`` of ``function_name``, ``function_args`` and
            ``observation``; a task without ``turns`` may have the list itself. Lists may be missing or None. No
            content of a call is an error: such a call fails.

    Raises:
        ValueError: turns or traces that are no lists. The task is named.
    """
    rows = list(tasks)
    traces = [(str(task.get("task_id", "")), list(calls_of(task))) for task in rows]
    found = [_judged(task_id, call) for task_id, calls in traces for call in calls]
    successes = sum(call.success for call in found)
    return ToolUse(
        n_tasks=len(rows),
        n_calls=len(found),
        n_success=successes,
        proactivity=sum(bool(calls) for _, calls in traces) / len(rows) if rows else None,
        success_rate=successes / len(found) if found else None,
        volume=len(found) / len(rows) if rows else None,
        calls_by_tool=dict(sorted(Counter(call.function_name for call in found).items())),
        call_success=found,
    )


def calls_of(task: Record) -> Iterator[Any]:
    """The calls of a task in their order, turn by turn.

    Raises:
        ValueError: turns or traces that are no lists. The task is named.
    """
    name = task.get("task_id")
    turns = task.get("turns")
    for number, turn in enumerate(_list([task] if turns is None else turns, f"the turns of task {name!r}"), start=1):
        if not isinstance(turn, Mapping):
            raise ValueError(f"turn {number} of task {name!r} must be an object, but is {type(turn).__name__}")
        yield from _list(turn.get("tool_use_list"), f"the tool_use_list in turn {number} of task {name!r}")


def _list(value: Any, what: str) -> Iterable[Any]:
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise ValueError(f"{what} must be a list, but is {type(value).__name__}")
    return value


def _judged(task_id: str, call: object) -> CallSuccess:
    name = call.get("function_name") if isinstance(call, Mapping) else None
    return CallSuccess(task_id, name if isinstance(name, str) else "", *call_outcome(call))


class Outcome(NamedTuple):
    """Whether a call succeeded, and why in a few words."""

    success: bool
    why: str


def call_outcome(call: object) -> Outcome:
    """Judge one call by the rule of this module.

    Args:
        call: ``function_name``, ``function_args`` and ``observation``, the last two objects or their JSON text.

    Example:
        >>> call_outcome({"function_name": "calculator", "function_args": '{"expression": "5-5"}',
        ...               "observation": '{"result": 0}'})
        Outcome(success=True, why='result 0 counts')
    """
    if not isinstance(call, Mapping):
        return Outcome(False, "call is not an object")
    name = call.get("function_name")
    tool = BY_NAME.get(name) if isinstance(name, str) else None
    if tool is None:
        return Outcome(False, "unknown tool")
    arguments, observation = decoded(call.get("function_args")), decoded(call.get("observation"))
    if not isinstance(arguments, Mapping):
        return Outcome(False, "arguments are not an object")
    if why := misfit(tool, arguments):
        return Outcome(False, why)
    if not isinstance(observation, Mapping):
        return Outcome(False, "no observation" if _empty(observation) else "observation is not an object")
    if why := _error(observation):
        return Outcome(False, why)
    return _PAYLOADS[tool.name](observation)


def decoded(value: object) -> object:
    """A JSON text as what it says; all else, and text that is no JSON, as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _error(observation: Record) -> str | None:
    if _word(observation.get("status")) == "error":
        return "error status"
    if _word(observation.get("ok", True)) == "false":
        return "ok is false"
    return "error reported" if observation.get("error") else None


def _word(value: object) -> str:
    return str(value).strip().casefold() if isinstance(value, str | bool) else ""


def _empty(value: object) -> bool:
    """Null, blanks, or a collection of nothing else; 0 and false are values."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return all(part is None or (isinstance(part, str) and not part.strip()) for part in value)
    return value is None


def _image(observation: Record) -> Outcome:
    if not _empty([observation.get("output_path"), *_listed(observation.get("output_paths"))]):
        return Outcome(True, "image written")
    return _printed(observation, otherwise="no image and nothing printed")


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _printed(observation: Record, otherwise: str = "nothing printed") -> Outcome:
    return Outcome(True, "output printed") if _text(observation.get("stdout")) else Outcome(False, otherwise)


def _text(value: object) -> bool:
    return isinstance(value, str) and not _empty(value)


def _search(observation: Record) -> Outcome:
    results = observation.get("results")
    count = 0 if not isinstance(results, list | tuple) else sum(not _empty(result) for result in results)
    if not count:
        return Outcome(False, "empty result list")
    return Outcome(True, "one result" if count == 1 else f"{count} results")


def _page(observation: Record) -> Outcome:
    return Outcome(True, "text returned") if _text(observation.get("text")) else Outcome(False, "blank text")


def _weather(observation: Record) -> Outcome:
    known = not all(_empty(observation.get(key)) for key in ("temperature", "conditions"))
    return Outcome(True, "weather returned") if known else Outcome(False, "neither temperature nor conditions")


def _calculator(observation: Record) -> Outcome:
    result = observation.get("result")
    if _empty(result):
        return Outcome(False, "no result")
    if isinstance(result, int | float) and result:
        return Outcome(True, "number returned")
    return Outcome(True, f"result {result!r} counts" if isinstance(result, int | float) else "result returned")


_PAYLOADS: Mapping[str, Callable[[Record], Outcome]] = {
    "python_image_processing": _image,
    "python_interpreter": _printed,
    "google_search": _search,
    "browser_get_page_text": _page,
    "historical_weather": _weather,
    "calculator": _calculator,
}
