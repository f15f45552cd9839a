"""The tools that a plan may call, from the one file that says so: `data/plans/registry.json`.

The file marks what the benchmark's paper states, what its closest published relative has, and what we infer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from easel_app.settings import data_folder

ParamType = Literal["integer", "text", "any"]
Mark = Literal["stated", "published", "inferred"]


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a tool."""

    name: str
    type: ParamType
    meaning: str
    mark: Mark
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool."""

    name: str
    boundary: str
    """What it is for, and what it is not for, in words."""
    mark: Mark
    aliases: tuple[str, ...]
    params: tuple[Param, ...]
    needs: tuple[frozenset[str], ...]
    """Sets of parameters, of which a call has to give one whole."""

    def canonical(self, key: str) -> str:
        """The parameter that a key means; the key itself if it means none."""
        return next((param.name for param in self.params if key in param.aliases), key)


@dataclass(frozen=True, slots=True)
class Registry:
    """What the file says."""

    tools: tuple[Tool, ...]
    tags: tuple[str, ...]
    names: tuple[str, ...]
    """Keys under which a call names its tool, the first of them that stands there counts."""
    params: tuple[str, ...]
    """Keys under which it gives its parameters, likewise."""
    by_name: Mapping[str, Tool]
    """Tools by their names and aliases."""


def read_registry(file: Path) -> Registry:
    """The tools of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no JSON, two tools share a name or an alias, or a tool needs what it does not have.
        KeyError: a field is missing.
    """
    read: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    tools = tuple(map(_tool, read["tools"]))
    by_name: dict[str, Tool] = {}
    for tool in tools:
        for name in (tool.name, *tool.aliases):
            if name in by_name:
                raise ValueError(f"{file.name}: {name!r} names two tools, so no call of it could be told apart.")
            by_name[name] = tool
        if unknown := frozenset().union(*tool.needs) - {param.name for param in tool.params}:
            raise ValueError(f"{file.name}: {tool.name} needs {sorted(unknown)}, which are not among its parameters.")
    envelope = read["envelope"]
    return Registry(tools, tuple(read["tags"]["names"]), tuple(envelope["name"]), tuple(envelope["params"]), by_name)


def _tool(read: Mapping[str, Any]) -> Tool:
    params = tuple(
        Param(each["name"], each["type"], each["is"], each["mark"], tuple(each["aliases"])) for each in read["params"]
    )
    needs = tuple(map(frozenset, read["needs"]))
    return Tool(read["name"], read["boundary"], read["mark"], tuple(read["aliases"]), params, needs)


@lru_cache(maxsize=1)
def registry() -> Registry:
    """The tools of the project's own file."""
    return read_registry(data_folder() / "plans" / "registry.json")
