"""Which model endpoints may be asked here, and with whose key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from pydantic import SecretStr, ValidationError

from easel_app.llm import Endpoint
from easel_app.services.problems import Forbidden, Invalid
from easel_app.settings import Settings


class Endpoints:
    """The host's rules for all that asks models."""

    def __init__(
        self, *, forbidden: str = "", key: SecretStr | None = None, listed: Sequence[str] = (), only: bool = False
    ) -> None:
        """Set the rules.

        Args:
            forbidden: why no model may be asked here, in one sentence; empty when one may.
            key: the operator's key, which goes to `listed` and nowhere else.
            listed: base URLs that the operator names.
            only: whether no other endpoint may be asked.
        """
        self.forbidden = forbidden
        self._key, self._listed, self._only = key, [address.rstrip("/") for address in listed], only

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The rules of a host's settings."""
        return cls(
            forbidden=settings.runs_forbidden,
            key=settings.endpoint_key,
            listed=settings.endpoints,
            only=not settings.private,
        )

    @property
    def key_for(self) -> list[str]:
        """Base URLs that the operator's key goes to; none without a key."""
        return self._listed if self._key else []

    def permit(
        self, base_url: str | None, model: str | None, key: SecretStr | None, what: str = "run"
    ) -> SecretStr | None:
        """The key that an endpoint is to be asked with; None for address and model when none is asked after all.

        Args:
            base_url: where the model answers.
            model: its name there.
            key: the caller's own key, which goes before the operator's.
            what: what cannot begin, when it cannot.

        Raises:
            Forbidden: models may not be asked here, or the endpoint is not one of the host's.
            Invalid: a key that no request can carry.
        """
        if self.forbidden:
            raise Forbidden("runs_off", self.forbidden)
        listed = base_url in self._listed
        if self._only and base_url and not listed:
            there = ", ".join(self._listed) or "none"
            message = f"Only endpoints that the host has listed may be asked here: {there}."
            raise Forbidden("endpoint_not_listed", message)
        chosen = key or (self._key if listed else None)
        try:  # a key that comes with `resume` or from the environment has been looked at by nobody yet
            endpoint_of(base_url or "http://none", model or "none", chosen)
        except ValueError as error:
            raise Invalid("key", f"The {what} cannot begin: {error}.", "key") from None
        return chosen


def endpoint_of(base_url: str, model: str, key: SecretStr | None = None) -> Endpoint:
    """The endpoint, if there can be such a one.

    Raises:
        ValueError: there cannot; in one sentence that shows neither address nor key.
    """
    try:
        return Endpoint(base_url=base_url, model=model, key=key)
    except ValidationError as error:
        raise ValueError(str(error.errors()[0]["msg"]).removeprefix("Value error, ")) from None
