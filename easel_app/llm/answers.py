"""What an endpoint's answer says: the reply of a model, or words about what went wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

import orjson

from easel_app.llm.endpoint import Endpoint
from easel_app.llm.patience import Trouble
from easel_app.llm.records import Reply, Retry, ToolCall, Usage

MOST_TOKENS, MOST_COST = 10**9, 10**6
"""What one call can use at most; an endpoint that says more says nothing, so that sums stay numbers."""
MOST_WORDS = 200
"""Characters of an endpoint's words that a sentence of ours quotes."""
UNREAD = ("reasoning_content", "reasoning_details", "thinking_blocks")
"""Keys of a message with calls that some endpoints want back with it: the model's thoughts, signed or in clear."""
UNREAD_OF_CALLS = ("extra_content",)
"""The same of a call: signatures of thoughts."""
OF_CONTENT = re.compile(
    r"content[ _-]?(filter|polic|manage)|usage polic|responsibleai|safety|moderation|flagged|inappropr"
)
"""Words by which an endpoint says that it refuses a request for what it holds."""


def parse(body: bytes) -> Any:
    """The JSON that a body is.

    Beyond the standard it may hold NaN and infinities, as some servers write them, and broken UTF-8; halves of
    surrogate pairs are replaced, since no text can be stored with them.

    Raises:
        ValueError: it is no JSON, or nested too deeply.
    """
    try:
        return orjson.loads(body)
    except ValueError:
        pass
    try:
        value = json.loads(body.decode("utf-8", "replace"))
        return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def usage_of(answer: dict[str, Any], endpoint: Endpoint) -> Usage:
    """What the answer says was used."""
    told = _dict(answer.get("usage"))
    prompt, completion = _count(told.get("prompt_tokens")), _count(told.get("completion_tokens"))
    reported = prompt is not None or completion is not None
    cost = told.get("cost")
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost <= MOST_COST:
        cost = endpoint.cost(prompt or 0, completion or 0) if reported else None
    return Usage(prompt or 0, completion or 0, None if cost is None else float(cost), reported)


def reply_of(
    answer: dict[str, Any],
    usage: Usage,
    latency: float,
    retries: tuple[Retry, ...] = (),
    size: int = 0,
    left_out: tuple[str, ...] = (),
) -> Reply:
    """The reply in a chat completion.

    Raises:
        Trouble: the answer holds no choice, or none of the known form.
    """
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise Trouble("an answer without choices")
    if choice.get("finish_reason") == "error":  # routers say so when a provider failed half-way
        raise Trouble("an error of the provider in the middle of its answer")
    calls = message.get("tool_calls")
    asked = [_call(_dict(call)) for call in calls] if isinstance(calls, list) else []
    if not asked and isinstance(message.get("function_call"), dict):  # older servers
        asked = [_call({"function": message["function_call"]})]
    return Reply(
        text=_words(message.get("content")),
        tool_calls=tuple(asked),
        refusal=_words(message.get("refusal")),
        finish_reason=_words(choice.get("finish_reason")),
        usage=usage,
        raw=answer,
        latency=latency,
        retries=retries,
        size=size,
        left_out=left_out,
        unread=_some(message, UNREAD),
    )


def refused_for_content(status: int, said: str) -> bool:
    """Whether an endpoint refuses this one request for what it holds, which asking again would not change."""
    return status in (400, 403, 422, 451) and bool(OF_CONTENT.search(said.lower()))


def error_status(answer: dict[str, Any]) -> int | None:
    """The HTTP status of an error that stands in a successful answer, as routers send it; None when there is none."""
    error = answer.get("error")
    if not error or answer.get("choices"):
        return None
    code = _dict(error).get("code")
    return code if isinstance(code, int) and 400 <= code <= 599 else 502


def error_words(answer: dict[str, Any]) -> str:
    """What an error says, in full; nothing when it says nothing."""
    error = answer.get("error") or answer.get("message") or answer.get("detail")
    said = error.get("message") if isinstance(error, dict) else error
    words = said if isinstance(said, str) else json.dumps(said if said is not None else error)
    code = _dict(error).get("code") or _dict(error).get("type")
    return f"{words} ({code})" if isinstance(code, str) and code not in words else words if error else ""


def one_line(text: str, most: int = MOST_WORDS) -> str:
    """A text on one line, printable and short, without a full stop at its end."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * most]).split())
    return (line if len(line) <= most else line[: most - 1] + "…").rstrip(".")


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _words(content: Any) -> str | None:
    """A text, or the texts of a list of parts; None when there is none."""
    if isinstance(content, list):
        content = "".join(_text(_dict(part).get("text")) for part in content)
    return content if isinstance(content, str) and content else None


def _call(call: dict[str, Any]) -> ToolCall:
    function = _dict(call.get("function"))
    name, arguments = _text(function.get("name")), _written(function.get("arguments"))
    return ToolCall(name, arguments, _text(call.get("id")), _some(call, UNREAD_OF_CALLS))


def _some(holder: dict[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Those of the keys that hold something."""
    return {key: value for key, value in holder.items() if key in keys and value}


def _written(arguments: Any) -> str:
    """Arguments as text, whichever way they came."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_TOKENS:
        return None
    return int(value)
