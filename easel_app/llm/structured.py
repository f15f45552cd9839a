"""Answers of a prescribed form: a pydantic model, strictly if the endpoint can, repaired only as a last resort."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

import json_repair
import orjson
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from easel_app.llm.answers import one_line
from easel_app.llm.client import Client
from easel_app.llm.problems import EndpointRefused, Unreadable
from easel_app.llm.records import Reply, Request

FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)
MOST_REPAIRED = 20_000
"""Characters of an answer that are worth a repair, whose time grows with their square: seconds for a hostile text."""
Form = TypeVar("Form", bound=BaseModel)
Find = Callable[[str], str]
"""From an answer to the JSON text in it that counts; raises ValueError with a few words when there is none."""
Hear = Callable[[Request, Reply], object]
"""Is told of every request that was answered, and of the answer."""


@dataclass(frozen=True, slots=True)
class Structured(Generic[Form]):
    """A value, and how it was come by."""

    value: Form
    how: Literal["strict", "repaired turn", "json-repair"]
    """The first answer fits as it is, or within one code fence; a second one does, after the model was shown what was
    wrong; or json-repair guessed what was meant, which a careful reader may want to leave out."""
    replies: tuple[Reply, ...]


def whole(text: str) -> str:
    """All of an answer, or what stands within the one code fence that it is."""
    fenced = FENCE.match(text)
    return fenced[1] if fenced else text


async def ask(
    client: Client,
    request: Request,
    form: type[Form],
    *,
    find: Find = whole,
    hear: Hear = lambda request, reply: None,
    guess: bool = True,
) -> Structured[Form]:
    """Ask for a JSON object that fits a model.

    Args:
        client: whom to ask.
        request: what to ask.
        form: the model.
        find: what of an answer counts.
        hear: is told of each exchange as it comes, whatever becomes of it.
        guess: whether json-repair may guess in the end.

    Raises:
        Unreadable: the model refuses, or nothing that it says fits; the replies are in the error.
        EndpointError: the endpoint gave no answer.
    """
    asked, first = await _ask_first(client, request, form)
    hear(asked, first)
    value, fault = _read(first, form, find)
    if value is not None:
        return Structured(value, "strict", (first,))
    worth = first.text and len(first.text) <= MOST_REPAIRED
    said = [{"role": "assistant", "content": first.text}] if worth else []
    words = f"That is not the JSON object that was asked for: {fault}. Answer with the corrected object, nothing else."
    again = _with_words(replace(asked, messages=[*asked.messages, *said]), words)
    second = await client.complete(again)
    hear(again, second)
    replies = (first, second)
    value, fault = _read(second, form, find)
    if value is not None:
        return Structured(value, "repaired turn", replies)
    for reply in replies[::-1] if guess else ():
        repaired = await asyncio.to_thread(_repair, reply, form)
        if repaired is not None:
            return Structured(repaired, "json-repair", replies)
    message = f"Two answers of the model do not fit the form that was asked for: {fault}; ask another model."
    raise Unreadable(message, replies)


async def _ask_first(client: Client, request: Request, form: type[Form]) -> tuple[Request, Reply]:
    """The request as it was taken, and its reply: by schema, or with the schema in words where none is taken."""
    if client.takes_schema:
        asked = replace(request, response_format=response_format(form))
        try:
            return asked, await client.complete(asked)
        except EndpointRefused as refusal:
            if not refusal.lacks_schema:
                raise
        client.takes_schema = False
    schema = orjson.dumps(strict_schema(form)).decode()
    asked = _with_words(request, f"Answer with one JSON object that fits this schema, and nothing else:\n{schema}")
    return asked, await client.complete(asked)


def response_format(form: type[BaseModel]) -> dict[str, Any]:
    """What prescribes a model as the form of the answer."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", form.__name__)[:64]
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": strict_schema(form)}}


def strict_schema(form: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model, as strict output asks for it: every key required, no other keys, no defaults."""
    schema: dict[str, Any] = _strict(form.model_json_schema())
    return schema


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    strict = {name: _strict(inner) for name, inner in node.items() if name != "default"}
    if isinstance(node.get("properties"), dict):
        strict["properties"] = {name: _strict(inner) for name, inner in node["properties"].items()}
        strict |= {"required": list(node["properties"]), "additionalProperties": False}
    return strict


def _with_words(request: Request, words: str) -> Request:
    """The request with words of the user at its end: in the last message if it is the user's, since roles alternate."""
    last: Mapping[str, Any] = request.messages[-1] if request.messages else {}
    if last.get("role") != "user":
        return request.plus({"role": "user", "content": words})
    content = last["content"]
    joined = f"{content}\n\n{words}" if isinstance(content, str) else [*content, {"type": "text", "text": words}]
    return replace(request, messages=[*request.messages[:-1], {**last, "content": joined}])


def _read(reply: Reply, form: type[Form], find: Find) -> tuple[Form | None, str]:
    """The value that a reply is, or what is wrong with it.

    Raises:
        Unreadable: the model refuses.
    """
    if reply.refusal or reply.finish_reason == "content_filter":
        why = f"“{one_line(reply.refusal)}”" if reply.refusal else "a content filter stopped it"
        raise Unreadable(f"The model refuses to answer: {why}; ask another model.", (reply,))
    text = reply.text or ""
    if not text.strip():
        return None, "it is empty"
    try:
        return form.model_validate_json(find(text)), ""
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)[:3]
        return None, "; ".join(f"{_place(fault)}: {one_line(fault['msg'])}" for fault in faults)
    except ValueError as error:
        return None, str(error)


def _place(fault: ErrorDetails) -> str:
    """Where a fault is. A key that was not asked for is not named: it is the model's word, or one that it repeats."""
    if fault["type"] == "extra_forbidden":
        return "a key that was not asked for"
    return ".".join(map(str, fault["loc"])) or "the text"


def _repair(reply: Reply, form: type[Form]) -> Form | None:
    if not reply.text or len(reply.text) > MOST_REPAIRED:
        return None
    try:
        return form.model_validate(json_repair.loads(reply.text))
    except (ValueError, RecursionError):
        return None
