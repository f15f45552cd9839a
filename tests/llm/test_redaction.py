"""The key stays inside: a canary is looked for in everything that leaves the package."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import traceback
from base64 import b64encode, urlsafe_b64encode
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from easel_app.llm import Client, Endpoint, EndpointError
from easel_app.llm.redaction import LOGGERS, SHORTEST_SECRET, VEIL, Redaction
from tests.endpoint import FAULTS, Answer, completion, endpoint, faulty, redirect
from tests.llm.conftest import FAST, KEY, ask, client, request, run

keys = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=SHORTEST_SECRET, max_size=60)
around = st.text(max_size=20)


def forms(key: str) -> list[str]:
    """How a server may write a key that it echoes."""
    return [
        key,
        f"Bearer {key}",
        quote(key),
        quote(key, safe=""),
        quote_plus(key),
        quote(key, safe="").lower(),
        json.dumps(key)[1:-1],
        json.dumps(key)[1:-1].replace("/", "\\/"),
    ]


@settings(deadline=None)
@given(keys, around, around)
def test_no_form_of_a_key_is_left_in_a_text(key: str, before: str, after: str) -> None:
    redaction = Redaction(key)
    for form in forms(key):
        if form.lower() != form and form == quote(key, safe="").lower() and key.lower() != key:
            continue  # lower case of the letters themselves is another key
        assert key not in redaction.text(before + form + after) or key in VEIL


@settings(deadline=None)
@given(keys, st.binary(max_size=12), st.binary(max_size=12))
def test_a_key_within_base64_is_found_wherever_it_begins(key: str, before: bytes, after: bytes) -> None:
    redaction = Redaction(key)
    for encode in (b64encode, urlsafe_b64encode):
        veiled = redaction.text(encode(before + key.encode() + after).decode())
        assert VEIL in veiled
        assert encode(key.encode()).decode()[:-4].rstrip("=")[3:] not in veiled


values = st.recursive(
    st.none() | st.integers() | st.text(max_size=SHORTEST_SECRET - 1), lambda inner: st.lists(inner, max_size=3)
)


@settings(deadline=None)
@given(keys, values)
def test_json_loses_the_key_and_nothing_else(key: str, value: Any) -> None:
    redaction, kept = Redaction(key), {"a": value, "b": [1.5, True, {"c": value}]}
    assert redaction.json(kept) == kept
    veiled = redaction.json({f"<{key}>": [{"deep": [value, f"{key} {key}"]}]})
    assert veiled == {f"<{VEIL}>": [{"deep": [value, f"{VEIL} {VEIL}"]}]}


def test_a_word_that_serves_as_a_key_is_veiled_only_where_it_stands_alone() -> None:
    redaction = Redaction("x")
    assert redaction.text("Bearer x, x_start, next, 0x5.") == "Bearer [key], x_start, next, 0x5."


def test_without_a_key_everything_stays() -> None:
    assert Redaction(None).json({"a": ["Bearer abc"]}) == {"a": ["Bearer abc"]}
    assert Redaction("").text("text") == "text"


def echo(number: int, body: Any, headers: dict[str, str]) -> Answer:
    """A reply that holds the key in every place and form."""
    key = headers["authorization"].removeprefix("Bearer ")
    calls = [{"function": {"name": f"f{key}", "arguments": json.dumps({"k": key, key: quote(key, safe="")})}}]
    message = {"content": f"Bearer {key}", "refusal": key, "tool_calls": calls, key: {key: [key]}}
    answer = completion(body, message, key, system_fingerprint=b64encode(f"me:{key}".encode()).decode())
    escaped = json.dumps(answer.body).replace("sk-canary", "\\u0073k-canary").encode()
    return Answer(escaped, headers={"x-echo": key, "set-cookie": f"session={key}"})


def failing(status: int, body: Any = None) -> Any:
    """An error that holds the key in its body and in its headers."""

    def script(number: int, asked: Any, headers: dict[str, str]) -> Answer:
        key = headers["authorization"].removeprefix("Bearer ")
        told = body(key) if body else {"error": {"message": f"bad {key}", "code": key, "metadata": {"raw": key}}}
        return Answer(told, status, {"x-echo": key, "retry-after": f"{key}", "www-authenticate": f"Bearer {key}"})

    return script


SCRIPTS = {
    "reply": echo,
    "refused": failing(401),
    "refused in a page": failing(403, lambda key: f"<html>{key}</html>".encode()),
    "refused in a list": failing(422, lambda key: {"detail": [{"loc": [key], "input": {"authorization": key}}]}),
    "server error": failing(500),
    "slow down": failing(429),
    "no json": lambda number, body, headers: Answer(headers["authorization"].encode() + b"{"),
    "redirect": lambda number, body, headers: redirect(f"http://other.invalid/?key={quote(KEY)}&k={KEY}")(
        number, body, headers
    ),
    **{name: FAULTS[name] for name in ("401-echo", "hang", "cut", "truncated-json", "empty-choices")},
}


@pytest.fixture
def logs(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Everything that is logged, at any level."""
    for name in (None, *LOGGERS):
        caplog.set_level(logging.DEBUG, name)
    return caplog


def shows_the_key(text: str) -> bool:
    text = text.replace("\\/", "/")
    return any(
        form in text for form in (*forms(KEY), "7f+Q=29x", "7f%2BQ%3D29x", b64encode(KEY.encode()).decode()[:-4])
    )


def told(error: BaseException) -> list[str]:
    """Everything that an error can be made to say: words, fields, chain, and the variables of every frame."""
    full = traceback.TracebackException.from_exception(error, capture_locals=True)
    chain: list[str] = []
    seen: BaseException | None = error
    while seen:
        chain += [repr(seen), str(seen), repr(vars(seen))]
        seen = seen.__cause__ or seen.__context__
    return ["".join(full.format()), *chain, repr(pickle.loads(pickle.dumps(error)).__dict__)]


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_reply_error_or_log_shows_the_key(name: str, logs: pytest.LogCaptureFixture) -> None:
    left: list[str] = []

    async def go() -> None:
        async with client(running, most=0.2 if name == "hang" else 30, attempts=2) as asked:
            left.extend([repr(asked), repr(asked.endpoint), str(asked.endpoint), asked.endpoint.model_dump_json()])
            left.extend([repr(vars(asked)), repr(asked.budget), repr(asked._redaction)])
            try:
                reply = await asked.complete(request())
            except EndpointError as error:
                left.extend(told(error))
            else:
                left.extend([repr(reply), json.dumps(reply.raw), pickle.dumps(reply).decode("latin-1")])
                assert pickle.loads(pickle.dumps(reply)) == reply

    with endpoint(SCRIPTS[name]) as running:
        run(go())
    assert KEY in running.requests[0].headers["authorization"]  # the canary did go out
    left += [repr(vars(record)) + record.getMessage() for record in logs.records]
    assert [text for text in left if shows_the_key(text)] == []


def test_a_server_that_speaks_no_http_cannot_make_an_error_show_the_key(logs: pytest.LogCaptureFixture) -> None:
    async def garble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        key = head.lower().partition(b"authorization: bearer ")[2].partition(b"\r")[0]
        assert key == KEY.lower().encode()
        writer.write(f"HTTP/1.1 {KEY} {KEY}\r\n{KEY}\r\n\r\n".encode())
        writer.close()

    async def go() -> list[str]:
        async with await asyncio.start_server(garble, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            where = Endpoint(base_url=f"http://127.0.0.1:{port}/v1", model="m", key=SecretStr(KEY))
            async with Client(where, attempts=2, wait=FAST) as asked:
                with pytest.raises(EndpointError, match=r"illegal status line.*\[key\]") as caught:
                    await asked.complete(request())
                return told(caught.value)

    left = run(go()) + [record.getMessage() for record in logs.records]
    assert [text for text in left if shows_the_key(text)] == []


def test_the_http_clients_debug_log_would_have_shown_it(logs: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        async with client(running) as asked:
            for name in LOGGERS:  # as if nothing veiled them
                logging.getLogger(name).filters.clear()
            await asked.complete(request())

    with endpoint(echo) as running:
        run(go())
    assert any(shows_the_key(record.getMessage()) for record in logs.records)


def test_logs_are_veiled_as_long_as_a_client_is_open_and_no_longer() -> None:
    async def go() -> tuple[int, int]:
        async with client(running):
            inside = len(logging.getLogger(LOGGERS[0]).filters)
        return inside, len(logging.getLogger(LOGGERS[0]).filters)

    with endpoint(echo) as running:
        inside, after = run(go())
    assert inside == after + 1


def test_every_logger_of_the_http_client_is_known() -> None:
    with endpoint(faulty("500")) as running, pytest.raises(EndpointError):
        run(ask(running, attempts=1))
    found = {
        name
        for name, logger in logging.root.manager.loggerDict.items()
        if name.split(".")[0] in ("httpx2", "httpcore2") and isinstance(logger, logging.Logger)
    }
    assert found - {"httpcore2"} <= set(LOGGERS)


@pytest.mark.parametrize("key", [f"{KEY}\r\nx: y", f"{KEY}ü", f"a {KEY}", f"{KEY}\x00"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(ValidationError, match="printable ASCII") as caught:
        Endpoint(base_url="http://127.0.0.1:1/v1", model="m", key=SecretStr(key))
    shown = "".join(traceback.TracebackException.from_exception(caught.value).format())
    assert KEY not in str(caught.value) + repr(caught.value) + shown


def test_a_keys_end_of_line_is_left_out() -> None:
    where = Endpoint(base_url="http://127.0.0.1:1/v1", model="m", key=SecretStr(f" {KEY}\r\n"))
    assert where.key is not None
    assert where.key.get_secret_value() == KEY
    assert Endpoint(base_url="http://127.0.0.1:1/v1", model="m", key=SecretStr(" \n")).key is None


@pytest.mark.parametrize(
    "url",
    [
        "", "v1", "ftp://127.0.0.1/v1", "http:///v1", "http://a:secret@host/v1", "http://host/v1?key=secret",
        "http://host/v1#secret", "http://host:99999/v1", "http://host/secret path", "http://host/\n", "http://hö/",
    ],
)  # fmt: skip
def test_an_address_that_is_none_or_holds_a_secret_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(ValidationError, match="the base URL") as caught:
        Endpoint(base_url=url, model="m")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:8000/v1/", True),
        ("http://127.9.9.9/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:8000/v1", True),
        ("https://models.example/api/v1", False),
        ("http://10.0.0.1/v1", False),
    ],
)
def test_this_machine_is_known_by_its_addresses(url: str, loopback: bool) -> None:
    where = Endpoint(base_url=url, model="m")
    assert where.loopback is loopback
    assert where.url == url.rstrip("/") + "/chat/completions"


def test_two_clients_veil_each_its_own_key(logs: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        other = Endpoint(base_url=running.url, model="m", key=SecretStr("sk-other-0123456789"))
        async with client(running) as first, Client(other, wait=FAST) as second:
            await asyncio.gather(first.complete(request()), second.complete(request()))

    with endpoint(echo) as running:
        run(go())
    logged = "".join(record.getMessage() for record in logs.records)
    assert not shows_the_key(logged)
    assert "sk-other-0123456789" not in logged
