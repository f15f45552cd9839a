"""What executes a plan's calls, as the host has configured it: the pool, a chart from data, an endpoint of the host's.

Nothing that a plan says is ever run as code, and no address that it names is ever asked.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from pydantic import BaseModel, Field

from easel_app.llm.images import ImageEndpoint, NoImage
from easel_app.plans.charts import NoChart, draw_chart
from easel_app.plans.drawing import CannotDraw, draw
from easel_app.plans.files import PoolImage
from easel_app.plans.records import Call
from easel_app.services.plans.library import ReadPlan
from easel_app.services.problems import Forbidden
from easel_app.settings import BUILT_IN, Settings
from easel_app.sources.fields import storable
from easel_app.sources.pictures import NoPicture, identify
from easel_app.store.files import PictureFiles

Tool = Literal["reference", "code", "search", "diffusion", "edit"]
TOOLS: Final[tuple[Tool, ...]] = ("reference", "code", "search", "diffusion", "edit")
MOST_WORDS: Final = 20_000
"""Characters of a prompt or a query that are sent."""
_DRAWING = threading.Lock()
"""Held while a chart is drawn, since matplotlib does not promise that two can be at once."""


class Failed(Exception):
    """A call brought no picture; the message says why in one sentence."""


class BackendView(BaseModel):
    """What executes the calls of a tool."""

    tool: Tool = Field(description="Of the registry.")
    backend: Literal["pool", "matplotlib", "endpoint"] | None = Field(description="Null: they are not executed here.")
    note: str = Field(description="What it does, or what to do to have one, in one sentence.")


class BackendsView(BaseModel):
    """What of plans is executed here."""

    forbidden: str = Field(description="Why nothing is, in one sentence; empty when something may be.")
    backends: list[BackendView] = Field(description="Each of the tools once.")


class Job(NamedTuple):
    """A call that is to be executed, with what is there."""

    read: ReadPlan
    call: Call
    outputs: Mapping[int, str]
    """Digests of what earlier calls brought, by their numbers."""


class Backends:
    """Executes single calls."""

    def __init__(self, settings: Settings, pictures: PictureFiles) -> None:
        self._pictures = pictures
        named = settings.backends
        self._endpoints: dict[str, ImageEndpoint] = {
            tool: ImageEndpoint(address, settings.backend_timeout)
            for tool, address in named.items()
            if address != BUILT_IN
        }
        self._names: dict[str, Literal["pool", "matplotlib", "endpoint"]] = {
            tool: "endpoint" if tool in self._endpoints else "pool" if tool == "reference" else "matplotlib"
            for tool in named
        }
        self.forbidden = settings.execution_forbidden

    def of(self, tool: str | None) -> str | None:
        """What executes the calls of a tool; None when nothing does."""
        return self._names.get(tool) if tool else None

    def permit(self) -> None:
        """Pass where calls may be executed.

        Raises:
            Forbidden: they may not.
        """
        if self.forbidden:
            raise Forbidden("execution_off", self.forbidden)

    def view(self) -> BackendsView:
        """What is configured."""
        return BackendsView(forbidden=self.forbidden, backends=[self._view(tool) for tool in TOOLS])

    def _view(self, tool: Tool) -> BackendView:
        backend = self._names.get(tool)
        if backend is None:
            note = f"No backend for {tool} is configured; the host can name one in EASEL_BACKENDS."
        elif backend == "endpoint":
            note = "An endpoint that the host names gives the picture."
        elif backend == "pool":
            note = "The picture is taken from the pool of the query."
        else:
            note = "The chart is drawn from the call's data; code that a call gives is never run."
        return BackendView(tool=tool, backend=backend, note=note)

    async def execute(self, job: Job) -> str:
        """The digest of the picture that a call brings, once its file is kept.

        Raises:
            Failed: it brings none.
        """
        if job.call.tool in self._endpoints:
            return await self._ask(job)
        return self._cited(job)[0] if job.call.tool == "reference" else self._chart(job)

    def _chart(self, job: Job) -> str:
        try:
            chart = draw_chart(job.call.params)
            with _DRAWING:
                return self._pictures.put(draw(chart))
        except NoChart as reason:
            raise Failed(str(reason)) from None
        except CannotDraw as reason:
            raise Failed(f"The chart cannot be drawn, since {reason}.") from None

    async def _ask(self, job: Job) -> str:
        tool = job.call.tool or ""
        name = "query" if tool == "search" else "prompt"
        params, image = {name: self._words(job.call, name)}, None
        if tool == "edit":
            digest, kind = self._cited(job)
            content = self._pictures.get(digest) or b""
            image = f"data:image/{kind};base64,{base64.b64encode(content).decode()}"
        try:
            content = await self._endpoints[tool].fetch(tool, params, image)
            identify(content)
        except NoImage as reason:
            raise Failed(str(reason)) from None
        except NoPicture as reason:
            raise Failed(f"The endpoint sent something that is no picture to be taken: {reason}.") from None
        return self._pictures.put(content)

    def _words(self, call: Call, name: str) -> str:
        words = (call.params or {}).get(name)
        if not isinstance(words, str) or not words.strip():
            raise Failed(f"The call gives no {name} in words, so there is nothing to ask for.")
        if len(words) > MOST_WORDS:
            raise Failed(f"The {name} has {len(words):,} characters, and at most {MOST_WORDS:,} are sent.")
        said: str = storable(words)
        return said

    def _cited(self, job: Job) -> tuple[str, str]:
        """Digest and format of the picture that a call names by its index: of the pool, or of an earlier call."""
        index = (job.call.params or {}).get("img_index")
        if isinstance(index, bool) or not isinstance(index, int):
            raise Failed("The call gives no whole number for img_index, so no picture is meant.")
        answer, pool = job.read.answer, job.read.query.pool
        place = index - answer.index_base
        if 0 <= place < len(pool):
            return self._of_pool(pool[place])
        earlier = place - len(pool) + 1
        if answer.outputs_count and 1 <= earlier < job.call.id:
            digest = job.outputs.get(earlier)
            if digest is None:
                raise Failed(f"It builds on call {earlier}, which has brought no picture; execute that one first.")
            return digest, self._format(digest)
        shown = str(index) if abs(index) < 10**9 else "img_index"
        raise Failed(f"There is no picture {shown} in the pool of {len(pool)}.")

    def _of_pool(self, image: PoolImage) -> tuple[str, str]:
        if image.picture is None:
            raise Failed("The picture of the pool did not come with the data.")
        return image.picture.digest, self._format(image.picture.digest)

    def _format(self, digest: str) -> str:
        content = self._pictures.get(digest)
        if content is None:
            raise Failed("The file of the picture is gone from the data folder.")
        return identify(content).format
