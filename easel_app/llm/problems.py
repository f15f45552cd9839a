"""Why there is no answer. Each error is one sentence: what happened, why, what to do; none of them shows a key."""

from __future__ import annotations

from easel_app.llm.records import Reply


class EndpointError(Exception):
    """There is no answer to give."""

    @property
    def message(self) -> str:
        """The sentence."""
        return str(self)


class EndpointRefused(EndpointError):
    """The endpoint does not take the request; sending it again would not help."""

    def __init__(self, status: int, message: str, said: str = "") -> None:
        """Keep the HTTP status, the sentence, and the endpoint's own words in full."""
        super().__init__(status, message, said)
        self.status, self.said = status, said

    def __str__(self) -> str:
        return str(self.args[1])

    @property
    def lacks_tools(self) -> bool:
        """Whether the words are about tools: a server without a parser for them, a model or a route without tools."""
        return self._is_about("tool", "function call")

    @property
    def lacks_schema(self) -> bool:
        """Whether the words are about a prescribed form of the answer."""
        return self._is_about("response_format", "json_schema", "structured output", "guided", "grammar")

    def _is_about(self, *words: str) -> bool:
        said = self.said.lower()
        return self.status in (400, 404, 415, 422, 501) and any(word in said for word in words)


class EndpointUnreachable(EndpointError):
    """The endpoint gave no usable answer, as often as it was tried; it may later."""


class BudgetSpent(EndpointError):
    """A limit of tokens or money leaves no room for another call."""


class Unreadable(EndpointError):
    """The model's answers do not fit the form that was asked for."""

    def __init__(self, message: str, replies: tuple[Reply, ...]) -> None:
        """Keep the sentence and the replies, which were paid for."""
        super().__init__(message, replies)
        self.replies = replies

    def __str__(self) -> str:
        return str(self.args[0])
