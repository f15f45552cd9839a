"""What tools are there on this machine: a sandbox or none, services of the host, cassettes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, Field

from easel_app.rubrics.sandbox.bubblewrap import Bubblewrap
from easel_app.rubrics.sandbox.choosing import sandbox_of
from easel_app.rubrics.sandbox.execution import Sandbox
from easel_app.rubrics.sandbox.proof import Finding
from easel_app.rubrics.tools.cassettes import BadCassette, Cassette
from easel_app.rubrics.tools.network import Network
from easel_app.runs.tool_run_settings import CASSETTE_NAME, SAMPLE, ToolRunPlan, ToolRunSettings
from easel_app.services.problems import Invalid
from easel_app.settings import Settings, data_folder

SAMPLES = data_folder() / "rubrics" / "cassettes"
"""Where the recording of the samples is, which nobody has to record."""
ENDING = ".jsonl"
SERVICES = ("search", "page", "weather")


class ToolsHere(BaseModel):
    """What tools there are on this machine."""

    sandbox: bool = Field(description="Whether the two tools that run code are on.")
    sandbox_off: str = Field(description="Why they are off, in one sentence; else empty.")
    services: list[str] = Field(description="Which of search, page and weather the host has configured.")
    cassettes: list[str] = Field(description="Recordings that a run can be played with, by name.")


class ToolOptions(ToolsHere):
    """What a tool run could use here."""

    allowed: bool = Field(description="Whether tool runs may begin here.")
    reason: str = Field(description="Why not, in one sentence; else empty.")
    key_for: list[str] = Field(description="Base URLs that the server's own key goes to when none is given.")


class Equipment:
    """Where the tools of runs come from."""

    def __init__(self, sandbox: Sandbox, services: Mapping[str, str], recordings: Path) -> None:
        """Use a sandbox, services of the host by name, and a folder of cassettes, which need not be there."""
        self.sandbox, self._services, self._recordings = sandbox, services, recordings

    @classmethod
    def of(cls, settings: Settings) -> Equipment:
        """What a host's settings name."""
        return cls(sandbox_of(settings), settings.tool_services, settings.data_dir / "cassettes")

    def here(self) -> ToolsHere:
        """What there is; of services their names, never where they are."""
        off = self.sandbox.off
        return ToolsHere(
            sandbox=not off,
            sandbox_off=off,
            services=[name for name in SERVICES if name in self._services],
            cassettes=self.cassettes,
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the self-test of the sandbox found; empty where none was tried."""
        return self.sandbox.findings if isinstance(self.sandbox, Bubblewrap) else ()

    @property
    def cassettes(self) -> list[str]:
        """Names of the recordings that are there."""
        found = [path.name.removesuffix(ENDING) for path in self._recordings.glob(f"*{ENDING}")]
        return sorted({SAMPLE, *(name for name in found if re.fullmatch(CASSETTE_NAME, name))})

    def network(self, settings: ToolRunSettings, plan: ToolRunPlan) -> Network:
        """What answers searches, pages and weather of a run.

        Raises:
            Invalid: no such cassette, or no service.
        """
        if settings.network == "off":
            return Network.off()
        if settings.network == "recorded":
            return Network.recorded(self._cassette(settings.cassette or SAMPLE))
        if not self._services:
            message = (
                "No service for search, pages or weather is configured here; name some in EASEL_TOOL_SERVICES, or use "
                "a recording."
            )
            raise Invalid("no_services", message, "network")
        return Network.services(self._services, self._recording(plan.record) if plan.record else None)

    def _cassette(self, name: str) -> Cassette:
        if not self._path(name).is_file():
            message = f"There is no cassette {name!r}; there are {', '.join(self.cassettes)}."
            raise Invalid("no_such_cassette", message, "cassette")
        return self._read(name, "cassette")

    def _recording(self, name: str) -> Cassette:
        """A cassette to record to, which goes on with what it holds."""
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return self._read(name, "record") if path.is_file() else Cassette(path)

    def _read(self, name: str, field: str) -> Cassette:
        try:
            return Cassette.read(self._path(name))
        except BadCassette as fault:
            raise Invalid("cassette", str(fault), field) from None
        except OSError as error:
            message = f"The cassette {name!r} cannot be read ({error.strerror}); look at its file."
            raise Invalid("cassette", message, field) from None

    def _path(self, name: str) -> Path:
        """Where a recording is."""
        return (SAMPLES if name == SAMPLE else self._recordings) / f"{name}{ENDING}"
