"""Settings, from options and from the environment (`EASEL_…`), and where the project's own files are."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

OWN_NAMES = ["127.0.0.1", "localhost", "[::1]"]
"""What this machine calls itself in a Host header."""


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
        # with other names than this machine's own, a proxy may well let strangers in
        if self.runs == "on" or (self.runs == "auto" and self.private):
            return ""
        why = "its host has switched them off" if self.runs == "off" else "it can be reached from other machines"
        return f"Models cannot be run from this studio, for {why}; use `easel run` on your own machine."


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
