"""The six tools of VisualToolBench (arXiv 2510.12712): their names and what they take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple


class Tool(NamedTuple):
    """A tool as a model is offered it."""

    name: str
    """As the authors' code sends it."""
    paper_name: str
    """As the paper calls it; it is known by either."""
    params: Mapping[str, Mapping[str, Any]]
    """JSON Schema of each argument; there are no others."""
    required: tuple[str, ...]


_CODE = {"code": {"type": "string", "minLength": 1, "maxLength": 5000}}
_TEXT = {"type": "string"}

TOOLS = (
    Tool("python_image_processing", "python_image_processing", _CODE, ("code",)),
    Tool("python_interpreter", "python_interpreter", _CODE, ("code",)),
    Tool(
        "google_search",
        "web_search",
        {"query": _TEXT, "num_results": {"type": "integer", "minimum": 1, "maximum": 10, "default": 5}},
        ("query",),
    ),
    Tool("browser_get_page_text", "browser-get-page-text", {"url": _TEXT}, ("url",)),
    Tool(
        "historical_weather",
        "historical_weather",
        {"location": _TEXT, "date": {"type": "string", "format": "date"}},
        ("location", "date"),
    ),
    Tool("calculator", "calculator", {"expression": _TEXT}, ("expression",)),
)
BY_NAME: Mapping[str, Tool] = {name: tool for tool in TOOLS for name in (tool.name, tool.paper_name)}


def misfit(tool: Tool, arguments: Mapping[str, object]) -> str | None:
    """Why arguments do not fit a tool's schema; None if they do.

    A whole number may be written 5.0, as JSON Schema has it; nothing else is converted.

    Example:
        >>> misfit(BY_NAME["web_search"], {"query": "ferry", "num_results": 11})
        'num_results is not within 1 and 10'
    """
    if any(key not in arguments for key in tool.required):
        return "required key missing"
    if any(key not in tool.params for key in arguments):
        return "unknown key"
    faults = (_fault(key, tool.params[key], value) for key, value in arguments.items())
    return next((fault for fault in faults if fault), None)


def _fault(key: str, schema: Mapping[str, Any], value: object) -> str | None:
    """The keywords of JSON Schema that `TOOLS` use."""
    if schema["type"] == "integer":
        if isinstance(value, bool) or not isinstance(value, int | float) or value % 1:
            return f"{key} is not a whole number"
        low, high = schema["minimum"], schema["maximum"]
        return None if low <= value <= high else f"{key} is not within {low} and {high}"
    if not isinstance(value, str):
        return f"{key} is not text"
    if len(value) < (least := schema.get("minLength", 0)):
        return f"{key} shorter than {_characters(least)}"
    if (most := schema.get("maxLength")) is not None and len(value) > most:
        return f"{key} longer than {_characters(most)}"
    if schema.get("format") == "date" and not _is_date(value):
        return f"{key} is not a date YYYY-MM-DD"
    return None


def _characters(count: int) -> str:
    return "one character" if count == 1 else f"{count:,} characters"


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
