"""What a run is: settings that decide what a player is asked and how its answers count, and a plan for one sitting.

The settings are the run's identity, the plan may change from one sitting to the next: more tasks or repeats, another
pace, a higher limit. So a command that is given again goes on with its run, and other settings are another run.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, Field, SecretStr, StringConstraints, model_validator

from easel_app.handwriting import reader_name
from easel_app.painting.painters import PAINTERS
from easel_app.painting.protocol import Kind, Protocol, ProtocolName, protocol_for
from easel_app.painting.renderer import RENDERER
from easel_app.painting.scores import METRICS
from easel_app.painting.showing import Look
from easel_app.painting.stroke import VISIBLE, Strict
from easel_app.runs.prompts import PROMPT
from easel_app.services.endpoints import endpoint_of

MODEL = "model"
"""The player that is a model behind an endpoint; every other one is a built-in painter."""
TURNS_KEPT = 3
"""Turns that a semantic task shows again (arXiv 2608.25417, section 3); a reconstruction shows none."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=VISIBLE)]
LONGEST_NAME = 80
"""Characters of a judge's or a planner's name, as in files."""
OwnName = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_NAME, pattern=VISIBLE)
]
Key = Annotated[
    SecretStr | None,
    Field(
        max_length=4000,
        description="Key for the endpoint; kept in memory for this sitting. Null: the key of the environment, if any.",
    ),
]
M = TypeVar("M", bound=BaseModel)
Name = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.-]+$")]


class TakeOver(Strict):
    """A step of a session that is there, whoever paints or painted it."""

    session_id: str = Field(max_length=64, pattern=r"^[A-Za-z0-9_-]+$", description="The session to go on from.")
    step: int = Field(ge=0, lt=10**9, strict=True, description="How many of its steps to keep; they count as used.")

    @classmethod
    def read(cls, text: str) -> TakeOver:
        """From `SESSION@STEP`.

        Raises:
            ValueError: the text is no such thing; in one sentence.
        """
        found = re.fullmatch(r"([A-Za-z0-9_-]{1,64})@([0-9]{1,9})", text.strip())
        if not found:
            raise ValueError(f"{text!r} is no session and step of it; write SESSION@STEP, such as 0123456789abcdef@40")
        return cls(session_id=found[1], step=int(found[2]))


class RunSettings(Look):
    """What decides how a run's sessions come out; two runs of equal settings are one run."""

    name: Name = Field(default="run", description="Tells runs of equal settings apart.")
    player: Literal["model"] | str = Field(
        default=MODEL,
        max_length=40,
        description="`model`, or a built-in painter: greedy, greedy-quick, greedy-s, planner, planner-quick, random, "
        "fills, repeat, early-stop or overpaint for reconstructions, tracer, writer and solver for outlines, "
        "handwriting and mazes.",
    )
    base_url: Text | None = Field(
        default=None,
        description="Where the model answers, in the manner of OpenAI's chat completions, up to and with /v1.",
        examples=["http://127.0.0.1:8000/v1"],
    )
    model: Text | None = Field(default=None, description="Name of the model at its endpoint.", examples=["qwen3.5-9b"])
    take_over: TakeOver | None = Field(
        default=None,
        description="Go on from a step of one session, in sessions that begin with its steps and are not ranked; the "
        "task is that session's.",
    )
    protocol: ProtocolName | None = Field(
        default=None,
        description="Rules of the sessions; null: `benchmark`, or those of the session that is taken over.",
    )
    temperature: float | None = Field(default=None, ge=0, le=2, description="Left out of requests when null.")
    max_tokens: int | None = Field(
        default=None, ge=1, le=10**7, description="Longest reply; left out of requests when null."
    )
    seed: int = Field(
        default=0, ge=0, lt=2**32, description="Of a painter's first repeat; the next one's is one higher."
    )
    history: int | None = Field(
        default=None, ge=0, le=100, description="Last turns shown again; null: none in reconstruction, else three."
    )
    coordinates: Literal["float", "integer"] = Field(
        default="float", description="Numbers in [0, 1], or integers from 0 to 1000: models differ."
    )
    calling: Literal["auto", "tools", "text"] = Field(
        default="auto", description="Tool calls, JSON in text, or tools unless the endpoint refuses them."
    )
    reading: Literal["lenient", "strict"] = Field(
        default="lenient",
        description="Lenient reads, and notes, strings and percentages as numbers, JSON beside prose and superfluous "
        "keys; strict counts them as invalid. Neither ever clips a number or completes a reply that was cut off.",
    )
    shared: bool = Field(default=False, description="Whether people may take turns in the sessions.")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.player == MODEL:
            if not self.base_url or not self.model:
                raise ValueError("a model needs base_url and model")
            endpoint_of(self.base_url, self.model)
        elif self.player not in PAINTERS:
            raise ValueError(f"player is {self.player!r}, which is none of model, {', '.join(PAINTERS)}")
        elif self.base_url or self.model:
            raise ValueError("a painter needs no base_url and no model")
        return self

    @property
    def first_step(self) -> int:
        """Step at which the sessions begin."""
        return self.take_over.step if self.take_over else 0

    def rules(self, kind: Kind) -> Protocol:
        """The rules of the sessions of a kind of task; those of a session that is taken over have been settled."""
        return protocol_for(self.protocol or ProtocolName.BENCHMARK, kind)

    @property
    def look(self) -> Look:
        """How pictures are shown."""
        return Look(scale=self.scale, grid=self.grid)

    def turns_kept(self, kind: Kind) -> int:
        """How many of the last turns are shown again in a task of that kind."""
        if self.history is not None:
            return self.history
        return 0 if kind is Kind.RECONSTRUCTION else TURNS_KEPT

    def identity(self, task_sets: Sequence[str]) -> dict[str, object]:
        """The settings with the versions of everything that pixels, scores and prompts depend on."""
        metrics = sorted(set(METRICS.values()))
        versions: dict[str, object] = {
            "renderer": RENDERER,
            "metrics": metrics,
            "reader": reader_name(),
            "prompt": PROMPT,
            "task_sets": list(task_sets),
        }
        if self.player != MODEL:
            versions["painter"] = PAINTERS[self.player].version
        settings = self.model_dump(mode="json") | {"protocol": self.protocol or ProtocolName.BENCHMARK}
        if self.take_over is None:  # a setting that is younger than many runs, whose ids shall stay
            del settings["take_over"]
        return {**settings, "versions": versions}


class Limits(Strict):
    """At what pace an endpoint is asked, and how far."""

    concurrency: int = Field(default=8, ge=1, le=64, description="Calls under way at a time.")
    timeout: float = Field(default=120.0, gt=0, le=3600, description="Seconds that an answer may take.")
    most_tokens: int | None = Field(
        default=None, ge=1, le=10**15, description="Tokens that may be used in all, earlier sittings included."
    )
    most_money: float | None = Field(
        default=None, gt=0, le=10**9, description="Money that may be spent in all, earlier sittings included."
    )
    price_prompt: float | None = Field(default=None, ge=0, le=10**6, description="Price of a million prompt tokens.")
    price_completion: float | None = Field(
        default=None, ge=0, le=10**6, description="Price of a million completion tokens."
    )

    @model_validator(mode="after")
    def _priced(self) -> Self:
        if self.most_money is not None and None in (self.price_prompt, self.price_completion):
            raise ValueError("a limit of money needs price_prompt and price_completion, per million tokens")
        return self


class StoredSettings(Strict):
    """Settings that are stored beside other facts."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """From what is stored."""
        return cls.model_validate({name: value for name, value in stored.items() if name in cls.model_fields})


class RunPlan(Limits):
    """What may differ from one sitting to the next."""

    tasks: tuple[Annotated[str, StringConstraints(max_length=64)], ...] | None = Field(
        default=None,
        max_length=1000,
        description="Ids of tasks, generated ones such as `maze-512-7` included; null: all that are listed and that "
        "the player can paint.",
    )
    categories: tuple[Annotated[str, StringConstraints(max_length=40)], ...] | None = Field(
        default=None, max_length=40, description="Only tasks of these categories."
    )
    repeats: int = Field(default=1, ge=1, le=100, description="Sessions for each task.")
    concurrency: int = Field(default=8, ge=1, le=64, description="Sessions painted at a time.")


class NewRun(RunSettings, RunPlan):
    """What is needed to begin a run or to go on with it."""

    key: Key = None

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        endpoint_of(self.base_url or "http://none", self.model or "none", self.key)
        return self

    @model_validator(mode="after")
    def _one_task(self) -> Self:
        if self.take_over and (self.tasks is not None or self.categories is not None):
            raise ValueError("the task is that of the session that is taken over, so name no tasks and no categories")
        return self

    @property
    def settings(self) -> RunSettings:
        """The part that is the run's identity."""
        return part_of(self, RunSettings)

    @property
    def plan(self) -> RunPlan:
        """The part that is for this sitting."""
        return part_of(self, RunPlan)


def part_of(wish: BaseModel, kind: type[M]) -> M:
    """The part of a wish that has the fields of `kind`."""
    return kind(**{name: getattr(wish, name) for name in kind.model_fields})


def run_id(identity: dict[str, object]) -> str:
    """The id of the run with that identity: its name, its player, and a digest of all of it."""
    return identifier(f"{identity['name']}-{identity['model'] or identity['player']}", identity)


def identifier(told: str, identity: Mapping[str, object]) -> str:
    """An id for links: what is told of a thing, as far as a link can hold it, and a digest of all that makes it."""
    text = json.dumps(identity, sort_keys=True, ensure_ascii=True)
    slug = re.sub(r"[^A-Za-z0-9_.-]+", "-", told).strip("-.")[:60]
    return f"{slug}-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
