"""What answers the three tools that need the network: services of the host's, a cassette, or nobody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from easel_app.rubrics.tools.cassettes import NETWORK, Cassette
from easel_app.rubrics.tools.observation import Observation, Tool
from easel_app.rubrics.tools.pages import Pages
from easel_app.rubrics.tools.payloads import failure
from easel_app.rubrics.tools.search import Search
from easel_app.rubrics.tools.weather import Weather
from easel_app.settings import DIRECT

OFF = "This tool is off: nothing in this run reaches the network."
_UNCONFIGURED = "This tool is off, for its host configured no service for it (EASEL_TOOL_SERVICES)."
NOT_RECORDED = "Not in the cassette: this run answers only calls that were recorded; ask otherwise, or go on without."
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Network:
    """The three tools. One is good for any number of attempts at once."""

    search: Tool
    page: Tool
    weather: Tool

    @property
    def by_name(self) -> Mapping[str, Tool]:
        """Each by its name as sent."""
        return dict(zip(NETWORK, (self.search, self.page, self.weather), strict=True))

    @classmethod
    def off(cls, why: str = OFF) -> Network:
        """Nobody answers; a model is told why."""
        return cls(Off(why), Off(why), Off(why))

    @classmethod
    def recorded(cls, cassette: Cassette) -> Network:
        """A cassette answers, and nothing else."""
        return cls(*(Replay(name, cassette) for name in NETWORK))

    @classmethod
    def services(cls, config: Mapping[str, str], record_to: Cassette | None = None) -> Network:
        """Services answer; tools without one are off.

        Args:
            config: addresses by `search`, `weather` and `geocoding`, and "direct" for `page`, as in the settings'
                `tool_services`.
            record_to: where all answers are recorded; None: nowhere.
        """
        search, weather = config.get("search"), config.get("weather")
        tools: tuple[Tool, ...] = (
            Search(search) if search else Off(_UNCONFIGURED),
            Pages() if config.get("page") == DIRECT else Off(_UNCONFIGURED),
            Weather(weather, config.get("geocoding", "")) if weather else Off(_UNCONFIGURED),
        )
        if record_to is not None:
            tools = tuple(
                tool if isinstance(tool, Off) else Recorder(name, tool, record_to)
                for name, tool in zip(NETWORK, tools, strict=True)
            )
        return cls(*tools)


class Off:
    """A tool that answers with the reason why it does not."""

    backend = "off"

    def __init__(self, why: str) -> None:
        """Say why, in a sentence."""
        self._why = why

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        """A failure."""
        return failure(self._why)


class Replay:
    """A tool that answers from a cassette."""

    backend = "recorded"

    def __init__(self, name: str, cassette: Cassette) -> None:
        """Answer as that tool did."""
        self._name = name
        self._cassette = cassette

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        """What was recorded of the same call."""
        return self._cassette.find(self._name, arguments) or failure(NOT_RECORDED)


class Recorder:
    """A tool whose answers are recorded."""

    backend = "service"

    def __init__(self, name: str, tool: Tool, cassette: Cassette) -> None:
        """Record that tool's answers."""
        self._name = name
        self._tool = tool
        self._cassette = cassette

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        """What the tool answers; that it cannot be recorded is no reason to lose it."""
        found = await self._tool(arguments)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            await asyncio.to_thread(self._cassette.add, self._name, arguments, found, now, "service")
        except (OSError, ValueError) as error:
            log.warning("An answer of %s could not be recorded: %s", self._name, error)
        return found
