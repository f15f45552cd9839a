"""What a decoded object means as a call: its tool, its parameters by the registry, and what is wrong with them.

Keys are renamed, values are never changed: a text "1" stays a text. What the reference leaves open is chosen so:

- Of several keys for the tool or the parameters the first in the registry's order counts; the others stay in `value`.
- Of two aliases of one parameter the first in the call is renamed; the other stays, as `unexpected_param`.
- A tool named by something that is no text is unknown; by null or blanks, missing. With either, parameters keep their
  keys and are not checked.
- Where a tool takes one set of parameters or another (code), missing are those of the set of which most are there.
- Blank texts and empty lists and objects are `empty_param`; null is one only where anything may stand, else it has the
  wrong type.
- Indices beyond the pool are out of range, whatever they were to mean (ATP-Bench has only the pool). In the format of
  LLM-I they are the outputs of the plan's calls in order: with `outputs_count`, the output of a call before is in
  range, that of this call or a later one is `edit_forward_dependency`, and one of no call is out of range.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from easel_app.plans.json_text import MOST_DEEP, decode, value_end
from easel_app.plans.problems import kind_of, quoted
from easel_app.plans.registry import Param, Registry, Tool, registry
from easel_app.plans.spaces import BLANKS

Details = Mapping[str, object]
INDEX: Final = "img_index"
_PROSE = ("prompt", "query")
"""Parameters that are written to be read, where a backspace, form feed or tab is the rest of a lost backslash."""
_LOST = {"\b": "a backspace", "\f": "a form feed", "\t": "a tab"}
_WANTED = {"integer": "a whole number", "text": "a text"}
_MOST_NAME = 40
"""Characters of a name of a tool that was meant to be one of ours."""


@dataclass(frozen=True, slots=True)
class Images:
    """Which images a plan may cite."""

    pool_size: int | None = None
    """How many there are; None if that is not known, and then no index is out of range."""
    index_base: int = 0
    """The index of the first, 0 or 1."""
    outputs_count: bool = False
    """Whether the indices behind the pool are the outputs of the plan's calls in order, as in LLM-I."""


class Meaning(NamedTuple):
    """A call by the registry."""

    name_as_sent: str | None
    tool: str | None
    params: dict[str, Any]
    description: str | None
    problems: tuple[tuple[str, Details], ...]
    """Codes, with what their sentences need."""


def normalise(value: Mapping[str, Any]) -> Meaning:
    """What an object says as a call, apart from the range of image indices."""
    found: list[tuple[str, Details]] = []
    renamed: list[str] = []
    known = registry()
    name, tool = _tool(value, known, found, renamed)
    params = _params(value, known, found)
    if tool:
        params = _renamed(params, tool, renamed)
        found += _lint(params, tool)
    if renamed:
        found.append(("alias_used", {"renamed": "; ".join(renamed)}))
    description = value.get("description")
    if not isinstance(description, str) or not description.strip(BLANKS):
        found.append(("missing_description", {}))
    return Meaning(
        name, tool.name if tool else None, params, description if isinstance(description, str) else None, tuple(found)
    )


def index_problems(index: object, call_id: int, calls: int, images: Images) -> Iterable[tuple[str, Details]]:
    """What is wrong with the image that a call cites, apart from the type of its index."""
    if isinstance(index, bool) or not isinstance(index, int):
        return
    shown = quoted(index) if abs(index) < 10**18 else "of more than 18 digits"
    if index < 0:
        yield "img_index_negative", {"value": shown}
        return
    if images.pool_size is None:
        return
    first, behind = images.index_base, images.index_base + images.pool_size
    output = index - behind + 1  # whose output it is, if outputs count
    if first <= index < behind or (images.outputs_count and 1 <= output < call_id):
        return
    if images.outputs_count and call_id <= output <= calls:
        yield "edit_forward_dependency", {"other": output}
    else:
        pool = f"{first} to {behind - 1}" if images.pool_size else "the pool, which is empty"
        yield "img_index_out_of_range", {"value": shown, "range": pool}


def _tool(
    value: Mapping[str, Any], known: Registry, found: list[tuple[str, Details]], renamed: list[str]
) -> tuple[str | None, Tool | None]:
    key = next((key for key in known.names if key in value), None)
    said = value[key] if key else None
    if said is None or (isinstance(said, str) and not said.strip(BLANKS)):
        found.append(("missing_tool_name", {}))
        return None, None
    if not isinstance(said, str):
        found.append(
            ("unknown_tool", {"name": quoted(said)[:_MOST_NAME], "hint": ", nor can its name be anything but a text"})
        )
        return None, None
    name = said.strip().lower().replace("-", "_").replace(" ", "_")
    half = name[: len(name) // 2]
    if name not in known.by_name and name == half * 2 and half in known.by_name:
        found.append(("doubled_name", {"name": quoted(said)}))
        name = half
    tool = known.by_name.get(name)
    if not tool:
        near = difflib.get_close_matches(name, known.by_name, n=1) if len(name) <= _MOST_NAME else []
        hint = f"; the nearest name is {quoted(known.by_name[near[0]].name)}" if near else ""
        found.append(("unknown_tool", {"name": quoted(said), "hint": hint}))
    elif name != tool.name:
        renamed.append(f"{quoted(name)} for {quoted(tool.name)}")
    return said, tool


def _params(value: Mapping[str, Any], known: Registry, found: list[tuple[str, Details]]) -> dict[str, Any]:
    key = next((key for key in known.params if key in value), None)
    params = value[key] if key else {}
    if isinstance(params, str):
        decoded = _object_in(params)
        if decoded is not None:
            found.append(("params_json_string", {}))
            return decoded
    if not isinstance(params, dict):
        found.append(("params_not_object", {"what": kind_of(params)}))
        return {}
    return params


def _object_in(text: str) -> dict[str, Any] | None:
    """The object that a text is in JSON, blanks at its edges aside; None if it is none."""
    text = text.strip(BLANKS)
    ended = value_end(text, 0) if text.startswith("{") else None
    if not ended or ended.end != len(text) or ended.depth > MOST_DEEP:
        return None
    decoded = decode(text)
    return decoded.value if not decoded.raw_controls and not decoded.non_finite else None


def _renamed(params: Mapping[str, Any], tool: Tool, renamed: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in params.items():
        name = tool.canonical(key)
        if name != key and (name in params or name in made):
            name = key
        elif name != key:
            renamed.append(f"{quoted(key)} for {quoted(name)}")
        made[name] = value
    return made


def _lint(params: Mapping[str, Any], tool: Tool) -> Iterable[tuple[str, Details]]:
    if not any(needed <= params.keys() for needed in tool.needs):
        nearest = max(tool.needs, key=lambda needed: len(needed & params.keys()))
        for param in tool.params:
            if param.name in nearest and param.name not in params:
                yield "missing_param", {"tool": tool.name, "name": param.name}
    known = {param.name: param for param in tool.params}
    for key, value in params.items():
        if key in known:
            yield from _lint_value(value, known[key])
        else:
            yield "unexpected_param", {"tool": tool.name, "name": quoted(key)}


def _lint_value(value: object, param: Param) -> Iterable[tuple[str, Details]]:
    wrong = "wrong_param_type", {"name": param.name, "what": kind_of(value), "wanted": _WANTED.get(param.type, "")}
    match param.type:
        case "integer":
            if isinstance(value, float):
                yield "img_index_not_integer", {"value": quoted(value)}
            elif isinstance(value, bool) or not isinstance(value, int):
                yield wrong
        case "text":
            if not isinstance(value, str):
                yield wrong
            elif not value.strip(BLANKS):
                yield "empty_param", {"name": param.name}
            elif param.name in _PROSE and (lost := [words for char, words in _LOST.items() if char in value]):
                yield "suspicious_escape", {"name": param.name, "what": " and ".join(lost)}
        case _:
            if value is None or value in ({}, []) or (isinstance(value, str) and not value.strip(BLANKS)):
                yield "empty_param", {"name": param.name}
