"""A second reader of handwriting: a multimodal model at an endpoint, as in the paper, beside the offline one.

The paper (arXiv 2608.25417, section 3) lets a model read each letter and takes the positional match. Its prompt is not
public; ours never tells the word. The offline reader stays the one that scores: what a model reads is recorded beside.
"""

from __future__ import annotations

import asyncio
import base64
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Self

from pydantic import BaseModel, Field, SecretStr, StringConstraints, model_validator

from easel_app.llm import Client, Endpoint, EndpointError, Request, Unreadable, ask
from easel_app.painting.rollout import Status
from easel_app.painting.stroke import Strict
from easel_app.painting.truth import HandwritingTruth
from easel_app.runs.settings import Text
from easel_app.scoring.handwriting import alignment, positional_match
from easel_app.services.endpoints import Endpoints, endpoint_of
from easel_app.services.ledger import now
from easel_app.services.problems import Busy, Conflict, NotFound
from easel_app.services.studio import Studio
from easel_app.services.views import ReadingView
from easel_app.store.records import ReadingRecord

PROMPT = "reading/1"
AT_ONCE = 2
"""Readings at a time: each holds a thread of the server while its model thinks."""
MOST = 20
"""Readings that a session keeps; they cannot be taken back."""
WORDS = (
    "The picture shows something that was written or drawn by hand, in dark blue on white. Report what is there glyph "
    "by glyph from left to right: one entry for each glyph, a lower-case letter a to z, or # for anything that is no "
    "letter or that you cannot make out. Report what you see, not what the writer may have meant: do not correct it to "
    "a word, and report mirror writing as #. An empty or scribbled picture has no letters. Say how sure you are, from "
    "0 to 1."
)
Glyph = Annotated[str, StringConstraints(pattern=r"^[a-z#]$")]


class Letters(BaseModel):
    """What a model saw."""

    letters: list[Glyph] = Field(max_length=64, description="One for each glyph, left to right: a-z, or #.")
    confidence: float = Field(ge=0, le=1, description="How sure you are.")


class NewReading(Strict):
    """Which model is to read."""

    base_url: Text = Field(description="Where the model answers, up to and with /v1.")
    model: Text = Field(description="Its name there.")
    key: SecretStr | None = Field(
        default=None, max_length=4000, description="Key for the endpoint; kept in memory for this reading."
    )
    timeout: float = Field(default=120.0, gt=0, le=600, description="Seconds that the reading may take in all.")

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        endpoint_of(self.base_url, self.model, self.key)
        return self


class ModelReader:
    """Lets models read what was written in sessions."""

    def __init__(self, studio: Studio, endpoints: Endpoints) -> None:
        """Read in a studio, by models at `endpoints`."""
        self._studio, self._endpoints = studio, endpoints
        self._hands = threading.BoundedSemaphore(AT_ONCE)

    def unread(self, model: str) -> list[str]:
        """Ids of ended sessions of handwriting that a model has not read by this prompt yet, oldest first."""
        return self._studio.sessions.unread(f"{model} {PROMPT}")

    def read(self, session_id: str, wish: NewReading) -> ReadingView:
        """Let a model read the canvas of an ended session of handwriting once; it is stored when this returns.

        Raises:
            NotFound: no such session, or nothing is written in it.
            Conflict: the session has not ended, or holds as many readings as it may.
            Forbidden, Invalid: the endpoint may not be asked, or cannot be.
            Busy: too many readings at once, or the endpoint gives no answer in time, or none that can be read.
        """
        view = self._studio.sessions.view(session_id)
        truth = self._studio.tasks.get(view.task.id).truth
        if not isinstance(truth, HandwritingTruth):
            raise NotFound("no_handwriting", "Nothing is to be read in this session; name one of handwriting.")
        if view.status is Status.OPEN:
            raise Conflict("not_ended", "The session has not ended; submit first, or use all steps.")
        key = self._endpoints.permit(wish.base_url, wish.model, wish.key, "reading")
        if len(self._studio.sessions.readings(session_id)) >= MOST:
            raise Conflict("read_enough", f"The session holds {MOST} readings, which is enough; read another one.")
        png = self._studio.sessions.canvas(session_id)
        endpoint = Endpoint(base_url=wish.base_url, model=wish.model, key=key, timeout=wish.timeout)
        if not self._hands.acquire(blocking=False):
            raise Busy("busy", "Other readings are under way; try again when they are done.")
        try:
            # in a thread of its own: the caller's may have an event loop that runs
            with ThreadPoolExecutor(1) as pool:
                found = pool.submit(asyncio.run, _ask(endpoint, png, wish.timeout)).result()
        except TimeoutError:
            raise Busy("no_reading", f"The model gave no reading within {wish.timeout:g} s; try again.") from None
        except (EndpointError, Unreadable) as error:
            raise Busy("no_reading", f"The model gave no reading: {error}") from None
        finally:
            self._hands.release()
        letters = "".join(found.letters)
        record = ReadingRecord(
            session_id=session_id,
            seq=view.seq,
            canvas_digest=self._studio.sessions.digest(session_id),
            reader=f"{wish.model} {PROMPT}",
            raw=found.model_dump_json(),
            letters=letters,
            confidence=found.confidence,
            match=positional_match(letters, truth.word),
            alignment=alignment(letters, truth.word),
            at=now(),
        )
        self._studio.sessions.note(record)
        return ReadingView.of(record)


async def _ask(endpoint: Endpoint, png: bytes, seconds: float) -> Letters:
    client = Client(endpoint, spare=("temperature",))
    try:
        picture = {"url": "data:image/png;base64," + base64.b64encode(png).decode()}
        content = [{"type": "text", "text": WORDS}, {"type": "image_url", "image_url": picture}]
        request = Request(messages=[{"role": "user", "content": content}], temperature=0.0)
        async with asyncio.timeout(seconds):  # an endpoint that dribbles is never silent for as long
            return (await ask(client, request, Letters)).value
    finally:
        await client.aclose()
