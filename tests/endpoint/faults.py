"""What endpoints and models do wrong, each by name, and when it happens."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import orjson

from tests.endpoint.app import Answer, Body, Headers, Script
from tests.endpoint.painter import completion, digest, painter, say, stroke, written

When = Callable[[int, Body], bool]
WAIT = 2
"""Seconds that a 429 asks for."""


def error(status: int, message: str, code: str | int | None = None, **headers: str) -> Answer:
    """An error in OpenAI's form."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    return Answer(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


def redirect(location: str, status: int = 307) -> Script:
    """Answers that send the caller elsewhere."""
    return lambda number, body, headers: Answer(b"", status, {"location": location})


def _status(status: int, message: str, code: str | int | None = None, **headers: str) -> Script:
    return lambda number, body, _: error(status, message, code, **headers)


def _date(number: int, body: Body, headers: Headers) -> Answer:
    now = datetime.now(UTC)
    date, until = (format_datetime(at, usegmt=True) for at in (now, now + timedelta(seconds=WAIT)))
    return error(429, "Slow down.", date=date, retry_after=until)


def _changed(change: Callable[[dict[str, Any]], Mapping[str, Any] | str]) -> Script:
    """The painter's stroke, changed; a change that JSON does not know gives the text itself."""
    return lambda number, body, headers: say(body, change(dict(stroke(body))))


def _said(change: Callable[[Body], Answer]) -> Script:
    return lambda number, body, headers: change(body)


def _text(write: Callable[[str], str]) -> Script:
    """The painter's stroke as text, though a tool may be offered."""
    return _said(lambda body: completion(body, {"content": write(written(body, stroke(body)))}))


def _instead(of: Callable[[Body], bool], fault: Script) -> Script:
    """A fault of requests that ask for something; others are painted for."""
    return lambda number, body, headers: (fault if of(body) else painter)(number, body, headers)


def _truncated(body: Body) -> Answer:
    answer = painter(0, body, {})
    return Answer(orjson.dumps(answer.body)[:-40])


def _cut(body: Body) -> Answer:
    return Answer(painter(0, body, {}).body, ending="cut")


def _stalled(body: Body) -> Answer:
    return Answer(painter(0, body, {}).body, ending="stall")


def _unusual(body: Body, **more: Any) -> Answer:
    answer = painter(0, body, {})
    assert not isinstance(answer.body, bytes)
    return Answer({**answer.body, **more})


def _echo(number: int, body: Body, headers: Headers) -> Answer:
    key = headers.get("authorization", "").removeprefix("Bearer ")
    answer = error(401, f"Incorrect API key provided: {key}. You can find your key in your account.", "invalid_api_key")
    return Answer(answer.body, 401, {"x-echo": key, "set-cookie": f"key={key}"})


def _not_a_number(word: str) -> Script:
    return _said(
        lambda body: say(body, orjson.dumps({**stroke(body), "x_start": 0}).decode().replace(":0,", f":{word},", 1))
    )


def _shortened(body: Body) -> Answer:
    return say(body, orjson.dumps(stroke(body)).decode()[:-30], finish_reason="length")


def _whole(values: dict[str, Any]) -> float:
    return 1000.0 if all(isinstance(value, int) for value in values.values()) else 1.0


REFUSAL = "I'm sorry, but I can't help with painting this picture."
NO_PARSER = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
NO_ROUTE = "No endpoints found that support tool use."
NO_SCHEMA = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
NEWER = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
PAGE = b"<html><head><title>503</title></head><body><h1>Service Unavailable</h1></body></html>"

FAULTS: dict[str, Script] = {
    # of the endpoint
    "429": _status(429, "Slow down.", "rate_limit_exceeded"),
    "429-seconds": _status(429, "Slow down.", "rate_limit_exceeded", retry_after=str(WAIT)),
    "429-date": _date,
    "429-hour": _status(429, "Slow down.", "rate_limit_exceeded", retry_after="3600"),
    "429-quota": _status(429, "You exceeded your current quota.", "insufficient_quota"),
    "500": _status(500, "The server had an error."),
    "503-html": lambda number, body, headers: Answer(PAGE, 503, {"content-type": "text/html"}),
    "cut": _said(_cut),
    "hang": lambda number, body, headers: Answer(ending="hang"),
    "stall": _said(_stalled),
    "flood": lambda number, body, headers: Answer(ending="flood"),
    "truncated-json": _said(_truncated),
    "empty-choices": _said(lambda body: _unusual(body, choices=[])),
    "error-in-200": _said(lambda body: Answer({"error": {"code": 502, "message": "Provider returned error"}})),
    "no-usage": _said(lambda body: _unusual(body, usage=None)),
    "no-tools": _instead(lambda body: bool(body.get("tools")), _status(400, NO_PARSER, 400)),
    "no-tools-router": _instead(lambda body: bool(body.get("tools")), _status(404, NO_ROUTE, 404)),
    "no-schema": _instead(lambda body: "response_format" in body, _status(400, NO_SCHEMA)),
    "newer-limit": _instead(lambda body: "max_tokens" in body, _status(400, NEWER, "unsupported_parameter")),
    "401-echo": _echo,
    "404-model": _status(404, "The model `nobody` does not exist or you do not have access to it.", "model_not_found"),
    "redirect": redirect("http://other.invalid/v1/chat/completions"),
    # of the model
    "truncated-arguments": _said(_shortened),
    "empty": _said(lambda body: completion(body, {"content": ""})),
    "refusal": _said(lambda body: completion(body, {"content": None, "refusal": REFUSAL})),
    "filter": _said(lambda body: completion(body, {"content": None}, "content_filter")),
    "prose-refusal": _said(lambda body: completion(body, {"content": REFUSAL})),
    "several-calls": _said(lambda body: say(body, stroke(body), calls=3)),
    "unknown-tool": _said(lambda body: say(body, stroke(body), name="draw_line")),
    "strings": _changed(lambda values: {name: str(value) for name, value in values.items()}),
    "percentages": _changed(
        lambda values: {name: f"{100 * value / _whole(values):.1f}%" for name, value in values.items()}
    ),
    "out-of-range": _changed(lambda values: {**values, "x_end": 1.7 * _whole(values)}),
    "nan": _not_a_number("NaN"),
    "infinity": _not_a_number("Infinity"),
    "missing-field": _changed(lambda values: {name: value for name, value in values.items() if name != "y_end"}),
    "extra-field": _changed(lambda values: {**values, "brush": "round"}),
    "nested": _changed(lambda values: {"stroke": values}),
    "object-arguments": _said(lambda body: say(body, stroke(body), as_object=True)),
    "fence": _text(lambda text: f"```json\n{text}\n```"),
    "prose": _text(lambda text: f"Let me look at the picture {{closely}} first.\n\n{text}\n\nThis adds the sky."),
}
"""Every fault by its name. Those of the model change what the painter would say."""


def once() -> When:
    """The first time only."""
    left = [True]
    return lambda number, body: bool(left) and left.pop()


def always() -> When:
    """Every time."""
    return lambda number, body: True


def every(n: int) -> When:
    """The n-th request of all, the 2n-th, and so on."""
    return lambda number, body: number % n == n - 1


def share(part: float, first: bool = False) -> When:
    """A part of all requests, chosen by what they show: the same ones in whatever order they arrive.

    Args:
        part: in [0, 1].
        first: only the first time that a request shows the same.
    """
    seen: set[bytes] = set()

    def chosen(number: int, body: Body) -> bool:
        mark = digest(body)
        again = mark in seen
        if first:
            seen.add(mark)
        return int.from_bytes(mark[-4:], "big") < part * 2**32 and not again

    return chosen


def with_faults(script: Script, *rules: tuple[str | Script, When]) -> Script:
    """A script with faults, by name or as scripts; the first rule that says so counts."""
    scripts = [(FAULTS[fault] if isinstance(fault, str) else fault, when) for fault, when in rules]

    def answer(number: int, body: Body, headers: Headers) -> Answer:
        chosen = next((fault for fault, when in scripts if when(number, body)), script)
        return chosen(number, body, headers)

    return answer


def faulty(fault: str | Script, when: When | None = None) -> Script:
    """The painter with one fault; always when `when` is not given."""
    return with_faults(painter, (fault, when or always()))


def rule(text: str) -> tuple[Script, When]:
    """A fault as the command line gives it: `NAME`, and `:once`, `:every=N`, `:share=P` or `:share=P,first`.

    Raises:
        ValueError: it is none of these.
    """
    name, _, when = text.partition(":")
    found = re.fullmatch(
        r"(?P<plain>once|always|)|every=(?P<n>[1-9]\d*)|share=(?P<part>[\d.]+)(?P<first>,first)?", when
    )
    if name not in FAULTS or not found:
        raise ValueError(f"{text} is no fault; known are {', '.join(FAULTS)}, each with :once, :every=N or :share=P")
    if found["n"]:
        return FAULTS[name], every(int(found["n"]))
    if found["part"]:
        return FAULTS[name], share(float(found["part"]), bool(found["first"]))
    return FAULTS[name], once() if found["plain"] == "once" else always()
