"""Where a model answers, under which name, with which key, and what it costs."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

MILLION = 1_000_000
SENDABLE = frozenset(map(chr, range(0x21, 0x7F)))
"""Characters of a bearer token."""
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Endpoint(BaseModel):
    """An OpenAI-compatible endpoint and one model there; the text of a ValidationError never shows what was given."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    base_url: str = Field(description="Address up to and with /v1.", examples=["http://127.0.0.1:8000/v1"])
    model: str = Field(min_length=1, description="Name of the model at the endpoint.")
    key: SecretStr | None = Field(default=None, description="Sent as a bearer token; null sends none.")
    timeout: float = Field(default=120.0, gt=0, allow_inf_nan=False, description="Seconds that a try may take in all.")
    price_prompt: Price | None = Field(default=None, description="Price of a million prompt tokens.")
    price_completion: Price | None = Field(default=None, description="Price of a million completion tokens.")

    @field_validator("base_url")
    @classmethod
    def _address(cls, address: str) -> str:
        try:
            parts = urlsplit(address)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable or not set(address) <= SENDABLE:
            raise ValueError("the base URL must be an address such as http://127.0.0.1:8000/v1")
        if parts.username is not None or parts.password is not None or "?" in address or "#" in address:
            raise ValueError("the base URL may hold no name, password or query; give the key as the key")
        return address.rstrip("/")

    @field_validator("key")
    @classmethod
    def _sendable(cls, key: SecretStr | None) -> SecretStr | None:
        """A key without the line's end that a file or a shell may add; what a header cannot carry is refused here."""
        key = SecretStr(key.get_secret_value().strip()) if key else None
        if key and not set(key.get_secret_value()) <= SENDABLE:
            raise ValueError("the key may hold only printable ASCII characters and no space; copy it again")
        return key or None

    @property
    def url(self) -> str:
        """Where chat completions are posted."""
        return f"{self.base_url}/chat/completions"

    @property
    def loopback(self) -> bool:
        """Whether the endpoint is on this machine, where no proxy of the environment applies."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    @property
    def priced(self) -> bool:
        """Whether both prices are known."""
        return self.price_prompt is not None and self.price_completion is not None

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What that many tokens cost by the two prices; None when one of them is not known."""
        if self.price_prompt is None or self.price_completion is None:
            return None
        return (prompt_tokens * self.price_prompt + completion_tokens * self.price_completion) / MILLION
