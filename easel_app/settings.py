"""Settings, from options and from the environment (`EASEL_…`), and where the project's own files are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

OWN_NAMES = ["127.0.0.1", "localhost", "[::1]"]
"""What this machine calls itself in a Host header."""
BUILT_IN = "built-in"
"""The backend that needs no endpoint: the pool for reference, a chart of the data for code."""
SERVICES = ("search", "page", "weather", "geocoding")
"""What models' tools of the network ask."""
DIRECT = "direct"
"""The service for pages that needs none: the studio fetches them itself."""


class Settings(BaseSettings):
    """What a host can decide."""

    model_config = SettingsConfigDict(env_prefix="EASEL_", extra="ignore")

    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=7860, ge=0, le=65535, description="Port to listen on; 0 takes any free one.")
    data_dir: Path = Field(default=Path(".easel"), description="Folder of the database, on a local disk.")
    open_sessions: int = Field(default=64, ge=1, description="Sessions kept in memory; others are rebuilt when needed.")
    allowed_hosts: list[str] = Field(
        default_factory=list, description="Host names to answer to; empty: this machine's own on loopback, else any."
    )

    runs: Literal["auto", "on", "off"] = Field(
        default="auto", description="Whether models can be run from the page; auto: only on loopback."
    )
    endpoint_key: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("EASEL_ENDPOINT_KEY", "OPENAI_API_KEY"),
        description="Key for model endpoints; OPENAI_API_KEY counts too.",
    )
    endpoints: list[str] = Field(
        default_factory=list,
        description="Base URLs that the key may go to when a run begins from the page; where other machines can reach "
        "the studio, the only ones that may be asked.",
    )

    backends: Annotated[dict[Literal["reference", "code", "search", "diffusion", "edit"], str], NoDecode] = Field(
        default_factory=dict,
        description="What executes calls of plans, by tool; empty: nothing does. `built-in` for reference (the pool) "
        "and code (a chart of its data, by matplotlib); for search, diffusion and edit the address of your endpoint.",
    )
    backend_timeout: float = Field(default=120.0, gt=0, le=3600, description="Seconds that one of them may take.")

    sandbox: Literal["auto", "on", "off"] = Field(
        default="auto",
        description="Whether code that models wrote is run, in a sandbox that first tests itself; auto: only where no "
        "other machine can reach the studio. Without a sandbox none is run.",
    )

    tool_services: Annotated[dict[str, str], NoDecode] = Field(
        default_factory=dict,
        description="What answers the tools of models that need the network; empty: nothing does. `direct` for page "
        "(pages of the public internet); for search, weather and geocoding the address of a service.",
    )

    @field_validator("backends", "tool_services", mode="before")
    @classmethod
    def _from_json(cls, given: Any, info: ValidationInfo) -> Any:
        if not isinstance(given, str):
            return given
        try:
            found = json.loads(given)
        except ValueError:
            found = None
        if not isinstance(found, dict):  # what was given may hold a password, so it is not repeated
            example = {"backends": '{"code": "built-in"}', "tool_services": '{"page": "direct"}'}[info.field_name or ""]
            raise ValueError(f"it must be a JSON object such as {example}")
        return found

    @field_validator("backends")
    @classmethod
    def _executable(cls, backends: dict[str, str]) -> dict[str, str]:
        for tool, backend in backends.items():
            if tool in ("reference", "code") and backend != BUILT_IN:
                raise ValueError(f"the backend for {tool} can only be {BUILT_IN}")
            if tool not in ("reference", "code") and not _is_address(backend):
                message = "must be an address such as http://127.0.0.1:9000/picture, without name, password or query"
                raise ValueError(f"the backend for {tool} {message}")
        return backends

    @field_validator("tool_services")
    @classmethod
    def _askable(cls, services: dict[str, str]) -> dict[str, str]:
        for tool, service in services.items():
            if tool not in SERVICES:
                raise ValueError(f"{tool} is none of the services {', '.join(SERVICES)}")
            if tool == "page" and service != DIRECT:
                raise ValueError(f"the service for page can only be {DIRECT}")
            if tool != "page" and not _is_address(service):
                message = "must be an address such as http://127.0.0.1:8888, without name, password or query"
                raise ValueError(f"the service for {tool} {message}")
        return services

    @field_validator("data_dir")
    @classmethod
    def _home(cls, folder: Path) -> Path:
        return folder.expanduser()  # `make run DATA_DIR=~/x` reaches us with its tilde from most shells

    @property
    def hosts(self) -> list[str]:
        """Host names to answer to, so that a foreign page cannot reach a local studio through its own name."""
        return self.allowed_hosts or ([*OWN_NAMES, self.host] if self.loopback else ["*"])

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the studio."""
        return self.host in ("localhost", "::1") or self.host.startswith("127.")

    @property
    def private(self) -> bool:
        """Whether only this machine can reach the studio, and by its own names only."""
        return self.loopback and not self.allowed_hosts

    @property
    def runs_forbidden(self) -> str:
        """Why no model can be run from the page, in one sentence; empty when one can."""
        why = self._runs_off
        return f"Models cannot be run from this studio, for {why}; use `easel run` on your own machine." if why else ""

    @property
    def execution_forbidden(self) -> str:
        """Why no call of a plan is executed here, in one sentence; empty when some may be."""
        if not self.backends:
            return (
                "Calls are not executed here, since no backend is configured; the host can name some in EASEL_BACKENDS."
            )
        why = self._runs_off
        return f"Calls are not executed in this studio, for {why}; its host can set EASEL_RUNS to on." if why else ""

    @property
    def code_forbidden(self) -> str:
        """Why no code of models is run here, in one sentence; empty when it may be, in a sandbox."""
        if self.sandbox == "on" or (self.sandbox == "auto" and self.private):
            return ""
        if self.sandbox == "off":
            return "Code is not run here, for its host has switched that off."
        return "Code is not run here, for other machines can reach this studio; its host can set EASEL_SANDBOX to on."

    @property
    def _runs_off(self) -> str:
        """Why nobody may make this studio ask endpoints, as a part of a sentence; empty when whoever is there may."""
        # with other names than this machine's own, a proxy may well let strangers in
        if self.runs == "on" or (self.runs == "auto" and self.private):
            return ""
        return "its host has switched them off" if self.runs == "off" else "it can be reached from other machines"


def _is_address(text: str) -> bool:
    """Whether a text is an address that can be asked, by the rule of model endpoints (`llm.endpoint`)."""
    try:
        parts = urlsplit(text)
        found = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    plain = text.isascii() and text.isprintable() and not set(text) & set(" ?#")
    return found and plain and parts.username is None and parts.password is None


def _resource(name: str) -> Path:
    """A folder of the project: inside an installed package, else in the checkout."""
    installed = Path(__file__).parent / "_resources" / name
    return installed if installed.is_dir() else Path(__file__).parents[1] / name


def data_folder() -> Path:
    """Where the tasks are."""
    return _resource("data")


def static_folder() -> Path:
    """Where the page's scripts and styles are."""
    return _resource("static")
