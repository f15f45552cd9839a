"""The tools of one attempt at one task: what is offered, and what a call as a model sent it comes to."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from easel_app.rubrics.records import MOST_DEEP, Tools
from easel_app.rubrics.sandbox.execution import Session
from easel_app.rubrics.tools.calculator import Calculator
from easel_app.rubrics.tools.code import Code
from easel_app.rubrics.tools.descriptions import IMAGES, SENT, Variables, functions, names
from easel_app.rubrics.tools.network import Network
from easel_app.rubrics.tools.observation import Called, Observation, Tool
from easel_app.rubrics.tools.payloads import bounded, failure, one_line
from easel_app.scoring.tool_schemas import BY_NAME, misfit
from easel_app.sources.fields import storable
from easel_app.sources.jsontext import NotReadable, decoded, depth, shown

MOST_ARGUMENTS = 100_000
"""Characters of arguments that are read, and kept; twenty times what the longest code takes."""
MOST_NAME = 200
"""Characters of a tool's name that are kept."""
log = logging.getLogger(__name__)


class Toolset:
    """A `Toolbox`: the six tools, or those of them that an ablation leaves."""

    def __init__(
        self,
        offered: Tools,
        sandbox: Session | None,
        sandbox_off: str,
        network: Network,
        variables: Variables = "fresh",
    ) -> None:
        """The tools of one attempt.

        Args:
            offered: which ones.
            sandbox: where code runs, closed with the toolset; None: the two tools that run code are off.
            sandbox_off: why, in one sentence.
            network: what answers the others.
            variables: whether those of the code stay from call to call, as the session was opened.
        """
        self._sandbox = sandbox
        self._offered = functions(offered, variables)
        tools: dict[str, Tool] = {
            IMAGES: Code(sandbox, sandbox_off, shows_images=True),
            "python_interpreter": Code(sandbox, sandbox_off, shows_images=False),
            **network.by_name,
            "calculator": Calculator(),
        }
        self._tools = {name: tools[name] for name in names(offered)}

    @property
    def offered(self) -> Sequence[Mapping[str, Any]]:
        """The tools as a chat completion names them; empty when none are offered."""
        return self._offered

    @property
    def backends(self) -> Mapping[str, str]:
        """What answers each tool that is offered: `sandbox`, `local`, `service`, `recorded` or `off`."""
        return {name: tool.backend for name, tool in self._tools.items()}

    async def call(self, name: str, arguments: str) -> Called:
        """Carry out a call as a model sent it; what is wrong with it is told as its observation.

        Args:
            name: as sent, or as the paper has it.
            arguments: JSON text of an object, or of a text that is such JSON in its turn, as some models send it.
        """
        began = time.perf_counter()
        read, fault = _read(arguments)
        try:
            found = failure(fault) if fault else await self._answered(name, read)
            payload = bounded(found.payload)
        except Exception:  # whatever a tool does, the model goes on; cancellation is no Exception
            log.exception("The tool %s failed.", one_line(name, 60))
            found = failure("The tool failed for a reason of its own; try another way.")
            payload = found.payload
        return Called(
            name=str(storable(name[:MOST_NAME])),
            arguments=read,
            payload=payload,
            images=found.images,
            latency=time.perf_counter() - began,
        )

    async def close(self) -> None:
        """Let go of the sandbox."""
        if self._sandbox is not None:
            await self._sandbox.close()

    async def _answered(self, name: str, arguments: dict[str, Any]) -> Observation:
        tool = self._tools.get(SENT.get(name, ""))
        if tool is None:
            return failure(self._unknown(name))
        schema = BY_NAME[name]
        if why := misfit(schema, arguments):
            takes = ", ".join(key if key in schema.required else f"{key} (optional)" for key in schema.params)
            return failure(f"The arguments do not fit {schema.name}: {why}; it takes {takes}.")
        return await tool(arguments)

    def _unknown(self, name: str) -> str:
        what = "is not offered here" if name in SENT else "is not known"
        there = f"there are {', '.join(self._tools)}" if self._tools else "there are no tools; answer without"
        return f"The tool {one_line(name, 60)!r} {what}; {there}."


def _read(arguments: str) -> tuple[Any, str]:
    """The object that arguments are, or what is kept of them and why they are none, in a sentence."""
    text = str(storable(arguments))
    kept = text[:MOST_ARGUMENTS]
    if len(text) > MOST_ARGUMENTS:
        return kept, f"The arguments are longer than {MOST_ARGUMENTS:,} characters and were not read."
    if not text.strip():
        return {}, ""
    try:
        value = decoded(text)
        if isinstance(value, str):
            value = decoded(value)
    except NotReadable as error:
        return kept, f"The arguments cannot be read: {error}; send one JSON object."
    if not isinstance(value, dict):
        return kept, f"The arguments must be one JSON object, but are {shown(value)}."
    if depth(value) > MOST_DEEP:
        return kept, "The arguments are nested too deeply; send one flat JSON object."
    return _clean(value), ""


def _clean(value: Any) -> Any:
    """A copy that can be stored; halves of surrogate pairs may stand behind escapes."""
    if isinstance(value, dict):
        return {str(storable(name)): _clean(item) for name, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list) else storable(value)
