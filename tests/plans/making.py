"""Plans for tests: calls and texts by hand, and strategies for well-formed, broken and hostile ones."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from easel_app.plans import Plan, parse_plan

SEARCH: dict[str, Any] = {"tool_name": "search", "description": "A mill", "params": {"query": "old mill"}}
TEXT = "A mill stands by the river."
PARTS = (
    *("<tool>", "</tool>", "<imgen>", "</imgen >", "<TOOL_CALL>", "</tool_call>", "<tool >", "<think>", "</think>"),
    *("```", "```json\n", "`", "~~~", "\n", "\n\n", "\r\n\r\n", " ", "\t", "\u00a0", "\u200b"),
    *("\ufeff", "\u202e", "\x00", "\ud800", "é", "🎨", "。"),
    *("{", "}", "[", "]", ":", ",", '"', "'", "“", "”", "’", "\\", "\\u00", "\\'", "//", "/*", "#", "*/"),
    *("&quot;", "&amp;", "<", ">"),
    *('"tool_name": ', '"search"', '"params": ', "'params': ", "true", "True", "NaN", "1e999", "-1", "007", "None"),
    *("Here is the image:", "- ", "1. ", "| a | ", "> ", "The viaduct", "A sentence. "),
)  # fmt: skip
"""What parsers stumble over."""
_names = st.sampled_from(
    ["reference", "diffusion", "search", "code", "edit", "ref", "t2i", "searchsearch", "serch", ""]
)
_words = st.text(st.sampled_from("ab \"'{}<>/\\,:\n\t\f“é。🎨</tol>"), max_size=12)
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 12) | st.floats(allow_nan=False, allow_infinity=False) | _words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3),
    max_leaves=5,
)
_params = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("img_index", "prompt", "query", "q", "data", "diagram_type", "index", "x"), _values),
)
objects = st.fixed_dictionaries({"tool_name": _names, "description": _words, "params": _params})
"""Call objects, of which most are fair."""
paragraphs = st.lists(
    st.sampled_from(
        [TEXT, "Here is a picture of it:", "- an item", "| a | b |", "水车在河边。", "It turns,", "`code`"]
    ),
    min_size=1,
    max_size=3,
).map(" ".join)
calls = st.builds(
    lambda value, ascii_only, indent, tag: (
        f"<{tag}>{json.dumps(value, ensure_ascii=ascii_only, indent=indent)}</{tag}>"
    ),
    objects,
    st.booleans(),
    st.sampled_from([None, 1]),
    st.sampled_from(["tool", "imgen", "TOOL"]),
)
"""Closed calls with JSON in them."""
plans = st.lists(paragraphs | calls, max_size=8).flatmap(
    lambda parts: st.lists(
        st.sampled_from(["\n\n", "\n", " ", "\r\n\r\n"]), min_size=len(parts), max_size=len(parts)
    ).map(lambda gaps: "".join(part + gap for part, gap in zip(parts, gaps, strict=True)))
)
"""Plans whose tags are all closed."""
hostile = st.lists(st.sampled_from(PARTS) | st.text(max_size=3) | calls, max_size=25).map("".join)
"""Anything."""


def tag(value: Any, name: str = "tool") -> str:
    """A call."""
    body = value if isinstance(value, str) else json.dumps(value)
    return f"<{name}>{body}</{name}>"


def call(tool: str = "search", params: Any = None, **more: Any) -> str:
    """A call of a tool, a good one unless told otherwise."""
    good = {"reference": {"img_index": 0}, "search": {"query": "old mill"}, "diffusion": {"prompt": "a mill"}}
    return tag({"tool_name": tool, "description": "A mill", "params": good[tool] if params is None else params} | more)


def between(middle: str) -> str:
    """A plan with a call, or what was to be one, between two paragraphs."""
    return f"{TEXT}\n\n{middle}\n\nIt turns slowly."


def codes(plan: Plan | str, **context: Any) -> list[str]:
    """The codes of a plan's problems."""
    return [each.code for each in (parse_plan(plan, **context) if isinstance(plan, str) else plan).problems]
