"""A model of our own as an endpoint in the manner of OpenAI's chat completions, as far as `easel run` asks for it."""

from __future__ import annotations

import asyncio
import base64
import binascii
import io
import time
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, Protocol
from uuid import uuid4

from PIL import Image
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from easel_app.painting.stroke import explain
from easel_app.runs.prompts import Message

NAME = "easel-adapter"
"""What the model is called at the endpoint, unless it is called otherwise."""
MOST_BODY = 32 * 1024 * 1024
MOST_WIDTH = 4096
"""Of a picture, px."""
MOST_NEW, USUAL_NEW = 8192, 1024
"""Tokens of an answer at most, and where nothing else is asked for."""
END_OF_THOUGHTS = "</think>"
DATA_URL = "data:image/"


class Asked(NamedTuple):
    """A question."""

    messages: list[Message]
    """The content of each is a list of texts and places of pictures, as in `layout.Chat`."""
    images: list[Image.Image]
    temperature: float
    """0: always the likeliest."""
    max_tokens: int
    seed: int | None


class Answer(NamedTuple):
    """An answer."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    whole: bool
    """Whether the model ended it by itself."""


class Model(Protocol):
    """Who answers."""

    def answer(self, asked: Asked) -> Answer:
        """Answer a question, in whatever thread. Raises ValueError where it cannot; in words."""


class _Loose(BaseModel):
    """Takes no notice of what it does not know."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Url(_Loose):
    url: str


class _Text(_Loose):
    type: Literal["text"]
    text: str


class _Picture(_Loose):
    type: Literal["image_url"]
    image_url: _Url


class _Said(_Loose):
    role: Literal["system", "user", "assistant"]
    content: str | list[Annotated[_Text | _Picture, Field(discriminator="type")]]


class _Wish(_Loose):
    model: str
    messages: list[_Said] = Field(min_length=1)
    temperature: float | None = Field(None, ge=0, le=2, allow_inf_nan=False)
    max_tokens: int | None = Field(None, ge=1)
    max_completion_tokens: int | None = Field(None, ge=1)
    seed: int | None = Field(None, ge=0, lt=2**63)
    n: Literal[1, None] = None
    stream: Literal[False, None] = None
    tools: list[Any] | None = None


class Refused(Exception):
    """A request that gets no answer, with its status and words."""

    def __init__(self, status: int, message: str) -> None:
        """Keep both."""
        super().__init__(message)
        self.status = status


def serve(model: Model, name: str = NAME) -> Starlette:
    """The endpoint as an ASGI app: `/v1/chat/completions`, `/v1/models` and `/healthz`.

    It answers one request at a time, and none whose caller has gone meanwhile.
    """
    turn = asyncio.Lock()

    async def completions(request: Request) -> Response:
        wish = await _wish(request, name)
        asked = _asked(wish)
        async with turn:
            if await request.is_disconnected():
                return Response(status_code=499)
            try:
                answer = await asyncio.to_thread(model.answer, asked)
            except ValueError as error:
                raise Refused(400, f"The request cannot be answered: {error}.") from error
        return JSONResponse(_completion(answer, name))

    async def models(request: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": name, "object": "model", "owned_by": "easel"}]})

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    def refused(request: Request, error: Exception) -> Response:
        status = error.status if isinstance(error, Refused) else 500
        return JSONResponse({"error": {"message": str(error), "type": "invalid_request_error"}}, status)

    handlers: Mapping[Any, Callable[[Request, Exception], Response]] = {Refused: refused}
    return Starlette(
        routes=[
            Route("/v1/chat/completions", completions, methods=["POST"]),
            Route("/v1/models", models),
            Route("/healthz", health),
        ],
        exception_handlers=handlers,
    )


async def _wish(request: Request, name: str) -> _Wish:
    """What a request asks for. Raises Refused."""
    # a page of another site can send JSON only after asking, which nobody answers
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused(415, "The body must be JSON, with the header content-type: application/json.")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise Refused(413, f"The body is larger than {MOST_BODY // 2**20} MiB; send smaller pictures.")
    try:
        wish = _Wish.model_validate_json(bytes(body))
    except ValidationError as error:
        raise Refused(400, explain(error, "request").message) from error
    if wish.tools:
        raise Refused(400, "This endpoint knows no tools; ask for JSON in text (easel run --calling text).")
    if wish.model != name:
        raise Refused(404, f"There is no model {wish.model[:80]!r} here, only {name}.")
    return wish


def _asked(wish: _Wish) -> Asked:
    """The question of a request. Raises Refused."""
    messages: list[Message] = []
    images: list[Image.Image] = []
    for said in wish.messages:
        parts = [_Text(type="text", text=said.content)] if isinstance(said.content, str) else said.content
        content: list[dict[str, str]] = []
        for part in parts:
            if isinstance(part, _Picture):
                images.append(_picture(part.image_url.url))
                content.append({"type": "image"})
            else:
                content.append({"type": "text", "text": part.text})
        messages.append({"role": said.role, "content": content})
    most = wish.max_completion_tokens or wish.max_tokens or USUAL_NEW
    return Asked(messages, images, wish.temperature or 0.0, min(most, MOST_NEW), wish.seed)


def _picture(url: str) -> Image.Image:
    """The picture of a data URL. Raises Refused."""
    head, comma, data = url.partition(",")
    if not head.startswith(DATA_URL) or not head.endswith(";base64") or not comma:
        raise Refused(400, "A picture must be a data URL such as data:image/png;base64,…; none is fetched.")
    try:
        with Image.open(io.BytesIO(base64.b64decode(data, validate=True)), formats=["PNG", "JPEG", "WEBP"]) as image:
            if max(image.size) > MOST_WIDTH:
                raise Refused(400, f"A picture is {image.width} × {image.height} px; {MOST_WIDTH} is the most.")
            return image.convert("RGB")
    except (binascii.Error, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise Refused(400, "A picture is no PNG, JPEG or WebP file in base64, or is damaged.") from error


def _completion(answer: Answer, name: str) -> dict[str, Any]:
    """An answer as a chat completion; what the model thought stands in a field of its own."""
    thoughts, end, told = answer.text.rpartition(END_OF_THOUGHTS)
    message = {"role": "assistant", "content": told.strip()}
    if end and (thought := thoughts.removeprefix("<think>").strip()):
        message["reasoning_content"] = thought
    return {
        "id": f"chatcmpl-{uuid4().hex}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": name,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop" if answer.whole else "length"}],
        "usage": {
            "prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.completion_tokens,
            "total_tokens": answer.prompt_tokens + answer.completion_tokens,
        },
    }
