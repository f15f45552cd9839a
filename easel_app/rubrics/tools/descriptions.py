"""What a model is told of the tools: our own words. A change of them changes `VERSION`, and so what an answer means."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from easel_app.rubrics.records import Tools
from easel_app.scoring.tool_schemas import TOOLS, Tool

Variables = Literal["fresh", "kept"]
IMAGES: Final = "python_image_processing"
"""The one tool that the ablation without vision leaves out."""

_LIBRARIES = "Available: Python's standard library, numpy, PIL, skimage (scikit-image), cv2 (OpenCV), matplotlib."
_FILES = (
    "The pictures of the conversation lie in the current folder, numbered in the order in which they were shown: "
    "image_1.png, image_2.jpg and so on, each with the ending of its format; list the folder to see their names. "
)
_STAY: Mapping[Variables, str] = {
    "fresh": "Files stay from call to call and are shared by both Python tools; variables and imports do not stay.",
    "kept": "Files, variables and imports stay from call to call and are shared by both Python tools.",
}
_LIMITS = "There is no network, no other program can be started, and time and memory are limited."

_TEXTS: Mapping[str, str] = {
    IMAGES: "Runs Python code that works on pictures, and shows you the pictures that it saves. "
    + _FILES
    + "Save each "
    "result that you want to see as a PNG or JPEG file under a new name (Image.save, cv2.imwrite, plt.savefig): you "
    "are shown what was saved, in that order, and nothing else; a window cannot be opened. Printed text comes back as "
    'stdout, an exception as stderr with ok "false". {stay} ' + _LIBRARIES + " " + _LIMITS,
    "python_interpreter": "Runs Python code for calculations and data, and gives back what it prints: the value of a "
    "last line is not printed by itself, so use print. Pictures that it saves are not shown. "
    + _FILES
    + "{stay} "
    + _LIBRARIES
    + " "
    + _LIMITS,
    "google_search": "Searches the web. Gives back up to num_results hits with title, snippet and url; read a page "
    "with browser_get_page_text.",
    "browser_get_page_text": "Fetches a public web page and gives back its title and readable text, the first 8,000 "
    "characters of it. Scripts are not run; files such as PDF are not read.",
    "historical_weather": "Tells the weather at a place on a day in the past: temperature in °C, conditions, relative "
    "humidity in %, wind speed in m/s and pressure in hPa, at noon of local time.",
    "calculator": "Evaluates one arithmetic expression and gives back the number. Operators: + - * / // (whole "
    "division) % (remainder) ^ or ** (power), parentheses. Functions: sqrt, cbrt, exp, log (natural, or log(x, base)), "
    "ln, log2, log10, sin, cos, tan, asin, acos, atan, atan2 (all in radians), degrees, radians, hypot, floor, ceil, "
    "round, abs, min, max, pow, factorial, comb. Constants: pi, e, tau. Write numbers without thousands separators and "
    "every multiplication with *.",
}
_ARGUMENTS: Mapping[str, str] = {
    "code": "The complete code of this call.",
    "query": "What to search for.",
    "num_results": "How many hits at most.",
    "url": "Address of the page, with http:// or https://.",
    "location": "A town or place, with its region or country where the name alone is not clear, such as Paris, Texas; "
    "or latitude and longitude in degrees, such as 48.85, 2.35.",
    "date": "The day, as YYYY-MM-DD.",
    "expression": "Such as (3.5 + 2)^2 / sqrt(7).",
}


def names(tools: Tools) -> tuple[str, ...]:
    """The tools that are offered, by their names as sent."""
    offered = {Tools.ALL: TOOLS, Tools.NO_VISION: tuple(t for t in TOOLS if t.name != IMAGES), Tools.NONE: ()}
    return tuple(tool.name for tool in offered[tools])


def functions(tools: Tools, variables: Variables = "fresh") -> tuple[dict[str, Any], ...]:
    """The tools as a chat completion is given them: `{"type": "function", "function": {…}}`, in a fixed order.

    Args:
        tools: which ones.
        variables: whether those of the code stay from call to call.
    """
    return tuple(_function(tool, variables) for tool in TOOLS if tool.name in names(tools))


def _function(tool: Tool, variables: Variables) -> dict[str, Any]:
    properties = {name: {**schema, "description": _ARGUMENTS[name]} for name, schema in tool.params.items()}
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(tool.required),
        "additionalProperties": False,
    }
    text = _TEXTS[tool.name].replace("{stay}", _STAY[variables])
    return {"type": "function", "function": {"name": tool.name, "description": text, "parameters": parameters}}


def _version() -> str:
    told = [functions(Tools.ALL, variables) for variables in ("fresh", "kept")]
    return f"tools/1+{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12]}"


VERSION: Final = _version()
"""Names the schemas and descriptions by their words, for both ways of keeping variables."""
SENT: Final = MappingProxyType({name: tool.name for tool in TOOLS for name in (tool.name, tool.paper_name)})
"""The name as sent of each tool, by it and by the paper's name."""
