"""One client for an endpoint: how a call is sent, when it is sent again, and what it becomes.

Calls go out by httpx2 and not by the openai package. Measured side by side (`python -m benchmarks.llm`), its `create`
takes 2.4 ms of processor time a call and its rawest form 1.0 ms before any care for retries, limits and keys; the
client here takes 0.9 ms with all of that. The package would also send along what variables of the environment hold
for another provider.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Collection
from contextlib import ExitStack, aclosing
from functools import cache
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, Self

import httpx2
import orjson
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from easel_app.llm import answers
from easel_app.llm.endpoint import Endpoint
from easel_app.llm.patience import Patience, Trouble, told_wait
from easel_app.llm.problems import EndpointRefused, EndpointUnreachable
from easel_app.llm.records import Reply, Request, Retry, Usage
from easel_app.llm.redaction import Redaction
from easel_app.llm.spending import Budget

CONNECTING = 10.0
"""Seconds that a connection may take to stand."""
MOST_BODY = 8 * 1024 * 1024
"""Bytes of an answer that are read; no reply is as long."""
AGENT = "easel-studio"

FIRST_TRIES = 3
"""Tries of a call as long as nothing has ever answered: the address is most likely mistyped."""

HEADERS = ("retry-after", "date", "location")
"""Headers of an answer that count."""
NEWER_LIMIT = "max_completion_tokens"
"""How OpenAI's newer models call max_tokens, which they refuse; other servers know the older name only."""
OLDER_LIMIT = "max_tokens is called max_completion_tokens there"
LEFT_OUT = "{} is not taken there and was left out"

ADVICE = {
    401: "set the right key for this endpoint",
    402: "add credit to the account, or use another endpoint",
    403: "use a key or an account that may use this model",
    404: "check the base URL and the name of the model",
    413: "send smaller or fewer pictures",
    429: "add credit to the account, or use another endpoint",  # a quota; a limit of the pace is waited for
}
"""What to do about a status; for others, what the endpoint says."""


class Client:
    """An endpoint that can be asked from many tasks of one event loop at once."""

    def __init__(
        self,
        endpoint: Endpoint,
        concurrency: int = 8,
        budget: Budget | None = None,
        attempts: int = 6,
        wait: float = 1.0,
        spare: Collection[str] = (),
    ) -> None:
        """Prepare; the first call connects.

        Args:
            endpoint: whom to ask.
            concurrency: most calls under way at a time; others queue.
            budget: limits; None: none.
            attempts: most tries of a call.
            wait: what every wait between tries is multiplied by.
            spare: parameters that are left out, once and for all, where the endpoint refuses them by name, as some
                models do with `temperature`; each reply tells which.

        Raises:
            ValueError: there is a limit of money but no price.
        """
        if budget and budget.money is not None and not endpoint.priced:
            raise ValueError(
                "A limit of money needs prices to be held by: give the price of a million prompt tokens and of a "
                "million completion tokens, or set a limit of tokens instead."
            )
        self.endpoint, self.budget = endpoint, budget or Budget()
        self.takes_schema = True
        """Whether the endpoint may take a prescribed form of the answer; False once it refused one."""
        key = endpoint.key.get_secret_value() if endpoint.key else None
        self._redaction = Redaction(key)
        self.trouble = ""
        """Why the endpoint gave no answer when it was asked last; empty once it answers."""
        self._answered = False
        self._limit = "max_tokens"
        self._spare, self._left_out = frozenset(spare), set[str]()
        self._slots = asyncio.Semaphore(concurrency)
        self._patience = Patience(wait)
        self._retrying = AsyncRetrying(
            retry=retry_if_exception_type(Trouble),
            stop=lambda state: state.attempt_number >= (attempts if self._answered else min(attempts, FIRST_TRIES)),
            wait=self._patience.wait,
            sleep=self._patience.sleep,
            before_sleep=self._note,
            reraise=True,
        )
        self._url = httpx2.URL(endpoint.url)
        self._headers = httpx2.Headers(
            {
                "accept": "application/json",
                "accept-encoding": "identity",  # a few kilobytes, which need no bomb to be defused
                "content-type": "application/json",
                "user-agent": AGENT,
            }
            | ({"authorization": f"Bearer {key}"} if key else {})
        )
        self._http = httpx2.AsyncClient(
            timeout=httpx2.Timeout(None, connect=min(CONNECTING, endpoint.timeout)),  # the whole try has its own limit
            limits=httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency),
            verify=_tls(),
            trust_env=not endpoint.loopback,
            follow_redirects=False,
        )
        self._logs = ExitStack()
        self._logs.enter_context(self._redaction.of_logs())

    async def __aenter__(self) -> Self:
        """The client itself; closed at the end."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.aclose()

    def halt(self) -> None:
        """Give up the calls that wait for their next try; those under way come to their end.

        To be called on the client's event loop.
        """
        self._patience.end()

    async def aclose(self) -> None:
        """Close the connections; no call may follow."""
        await self._http.aclose()
        self._logs.close()

    async def complete(self, request: Request) -> Reply:
        """Ask once; what may pass is waited for and tried again.

        Raises:
            EndpointRefused: the endpoint does not take the request.
            EndpointUnreachable: no try brought a usable answer, or the endpoint asks for too long a wait.
            BudgetSpent: a limit leaves no room for the call.
        """
        call = _Call(request.parameters(), [], [])
        async with self._slots:
            with self.budget.call():
                try:
                    return await self._retrying.copy()(self._try, call)
                except Trouble as trouble:
                    reason = trouble.reason
                finally:
                    if call.used:
                        self.budget.book(sum(call.used, Usage()))
        # outside of the handler, so that the error carries no other one along
        made = len(call.retries) + 1
        tries = f"{made} tries" if made > 1 else "one try"
        raise EndpointUnreachable(
            f"The endpoint at {self.endpoint.base_url} gave no usable answer in {tries}, the last one ending with "
            f"{reason}; check that it runs and can be reached from here, then go on."
        )

    async def _try(self, call: _Call) -> Reply:
        """Send the request once.

        Raises:
            Trouble: it failed in a way that may pass.
        """
        await self._patience.gate()
        left_out = tuple(sorted(self._left_out & call.parameters.keys()))
        began = time.perf_counter()
        answer = await self._send(self._encode(call))
        latency = time.perf_counter() - began
        self._answered = True
        if not 200 <= answer.status <= 299:
            self._complain(answer, call)
        if answer.value is None:
            raise Trouble("an answer that is no JSON object")
        usage = answers.usage_of(answer.value, self.endpoint)
        if usage.reported:
            call.used.append(usage)
        if status := answers.error_status(answer.value):
            self._complain(answer._replace(status=status), call)
        used, retries = sum(call.used, Usage()), tuple(call.retries)
        reply = answers.reply_of(answer.value, used, latency, retries, answer.size, left_out)
        if not usage.reported:
            call.used.append(usage)
        self.trouble = ""
        return reply

    def _note(self, state: RetryCallState) -> None:
        """Write down why a call waits, and how long."""
        trouble = state.outcome.exception() if state.outcome else None
        if isinstance(trouble, Trouble):
            self.trouble = trouble.reason
            state.args[0].retries.append(Retry(trouble.reason, state.upcoming_sleep))

    async def _send(self, content: bytes) -> _Answer:
        """Send one request; what comes back has lost the key before anything else looks at it."""
        request = httpx2.Request("POST", self._url, headers=self._headers, content=content)
        try:
            async with asyncio.timeout(self.endpoint.timeout):
                response = await self._http.send(request, stream=True)
                try:
                    if response.headers.get("content-encoding", "identity") != "identity":
                        raise Trouble("a compressed answer, which was not asked for")
                    return self._veil(response, await _read(response))
                finally:
                    await response.aclose()
        except TimeoutError:
            reason = f"no answer within {self.endpoint.timeout:g} s"
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
            reason = f"no connection ({answers.one_line(str(error)) or type(error).__name__})"
        except (httpx2.RequestError, OSError) as error:
            reason = f"a broken connection ({answers.one_line(str(error)) or type(error).__name__})"
        raise Trouble(self._redaction.text(reason))

    def _veil(self, response: httpx2.Response, body: bytes) -> _Answer:
        told = {name: self._redaction.text(response.headers.get(name, "")) for name in HEADERS}
        try:
            value = self._redaction.json(answers.parse(body))
        except (ValueError, RecursionError):
            value = None
        return _Answer(response.status_code, told, value if isinstance(value, dict) else None, len(body))

    def _encode(self, call: _Call) -> bytes:
        sent = {name: value for name, value in call.parameters.items() if name not in self._left_out}
        parameters: dict[str, Any] = {"model": self.endpoint.model, **sent}
        if "max_tokens" in parameters:
            parameters[self._limit] = parameters.pop("max_tokens")
        return orjson.dumps(parameters)

    def _complain(self, answer: _Answer, call: _Call) -> NoReturn:
        """Raise what an answer without success means."""
        status, said = answer.status, answers.error_words(answer.value or {})
        renamed = status == 400 and "max_tokens" in call.parameters and NEWER_LIMIT in said
        if renamed and OLDER_LIMIT not in [retry.reason for retry in call.retries]:
            self._limit = NEWER_LIMIT
            raise Trouble(OLDER_LIMIT, wait=0.0)
        for name in sorted(self._spare & call.parameters.keys()) if status in (400, 422) else ():
            if name in said.lower() and LEFT_OUT.format(name) not in [retry.reason for retry in call.retries]:
                self._left_out.add(name)
                raise Trouble(LEFT_OUT.format(name), wait=0.0)
        if (status in (408, 409, 429) or status >= 500) and "insufficient_quota" not in said:
            wait = told_wait(answer.headers)
            raise Trouble(f"HTTP {status}", wait, everyone=status == 429 or wait is not None)
        if 300 <= status <= 399:
            target = answers.one_line(answer.headers["location"]) or "elsewhere"
            raise EndpointRefused(
                status,
                f"The endpoint redirects to {target} (HTTP {status}), which is not followed so that the key goes "
                "nowhere else; set the base URL to where the endpoint is.",
                said,
            )
        quoted = f": “{answers.one_line(said)}”" if said else ""
        advice = ADVICE.get(status, "change the request as it says, or use another model")
        raise EndpointRefused(status, f"The endpoint refused the request (HTTP {status}{quoted}); {advice}.", said)


class _Answer(NamedTuple):
    """What came back, without the key."""

    status: int
    headers: dict[str, str]
    """Those of `HEADERS`; empty when missing."""
    value: dict[str, Any] | None
    """The JSON object that the body is, if it is one."""
    size: int
    """Bytes of the body."""


class _Call(NamedTuple):
    """One call, over all of its tries."""

    parameters: dict[str, Any]
    retries: list[Retry]
    used: list[Usage]


@cache
def _tls() -> ssl.SSLContext:
    """The certificates that count, read once: it takes longer than some calls."""
    return httpx2.create_ssl_context()


async def _read(response: httpx2.Response) -> bytes:
    """The body, as far as an answer may be long; a longer one is cut, which no JSON survives."""
    parts: list[bytes] = []
    length = 0
    async with aclosing(response.aiter_bytes()) as stream:
        async for part in stream:
            parts.append(part)
            length += len(part)
            if length > MOST_BODY:
                break
    return b"".join(parts)[:MOST_BODY]
