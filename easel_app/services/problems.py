"""Why a caller's wish was refused. Each carries a stable code and one sentence for the caller."""

from __future__ import annotations


class Refusal(Exception):
    """A wish that cannot be granted; nothing was changed."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        """Say what happened, why, and what to do, in one sentence.

        Args:
            code: stable name of the reason, such as ``budget_spent``.
            message: the sentence.
            field: path of the input that is to blame.
        """
        super().__init__(message)
        self.code, self.message, self.field = code, message, field


class NotFound(Refusal):
    """There is no such thing."""


class Unauthenticated(Refusal):
    """The caller did not say who they are."""


class Forbidden(Refusal):
    """The caller may not do this."""


class Conflict(Refusal):
    """It does not fit the state of the session or the rules of its protocol."""


class Invalid(Refusal):
    """The input is wrong."""


class TooLarge(Refusal):
    """The input is larger than we take."""


class Busy(Refusal):
    """There is too much to do now; the same wish may be granted later."""


class Unsupported(Refusal):
    """The input is of a format that we do not take."""
