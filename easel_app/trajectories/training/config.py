"""How a stage is trained: what a configuration file may say, and the two that come with the project."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from easel_app.painting.stroke import explain
from easel_app.services.problems import Invalid, NotFound
from easel_app.settings import data_folder

Stage = Literal[1, 2]
SHIPPED = ("stage1", "stage2")
"""Names of the configurations that come with the project."""
Positive = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0.0, lt=1.0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, strict=True)]


class Part(BaseModel):
    """Refuses unknown keys and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Adapter(Part):
    """What is trained (arXiv 2608.25417, section on EASEL-9B)."""

    rank: Count = Field(description="Rank of LoRA.")
    alpha: Count = Field(description="LoRA's scale is alpha / rank.")
    dropout: Share = Field(description="Of LoRA's input while training.")
    targets: Literal["all-linear"] | tuple[str, ...] = Field(
        description="Names of the layers that get LoRA, or all linear ones but the output's."
    )
    vision_blocks: int = Field(ge=0, strict=True, description="So many of the last vision blocks are trained in full.")
    merger: bool = Field(strict=True, description="Whether the merger of vision tokens is trained in full.")


class Data(Part):
    """What is trained on."""

    length: Count = Field(description="Most tokens of a sample; a longer one is an error and never cut.")
    replay: Share = Field(description="Share of C1 in the samples of stage 2.")
    validation: int = Field(ge=0, strict=True, description="Samples of other references to try at each checkpoint.")


class Run(Part):
    """How it is trained."""

    epochs: Positive = Field(description="Passes over the data.")
    steps: Count | None = Field(None, description="Updates, whatever the data; instead of `epochs`.")
    learning_rate: Positive = Field(description="At its peak.")
    schedule: Literal["cosine", "linear", "constant"] = Field(description="How the learning rate falls.")
    warmup_ratio: Share = Field(description="Share of the updates in which the learning rate rises.")
    weight_decay: Annotated[float, Field(ge=0.0, allow_inf_nan=False)] = Field(description="Of AdamW.")
    max_grad_norm: Positive = Field(description="Norm that gradients are clipped to.")
    effective_batch_size: Count = Field(description="Samples of an update, all processes together.")
    batch_per_process: Count = Field(description="Samples at a time; must divide what a process has of an update.")
    precision: Literal["bf16", "float32"] = Field(description="Of the base model and of the arithmetic.")
    gradient_checkpointing: bool = Field(
        strict=True, description="Whether to compute activations twice and save memory."
    )
    zero: Literal[0, 1, 2] = Field(description="Stage of DeepSpeed's ZeRO where several processes train; 0: without.")
    workers: int = Field(ge=0, strict=True, description="Processes that make batches ready, beside each that trains.")
    save_every: Count = Field(description="Updates from one checkpoint to the next.")
    keep: Count = Field(description="Checkpoints that are kept.")
    logging_steps: Count = Field(description="Updates from one report of the loss to the next.")
    seed: int = Field(ge=0, lt=2**32, strict=True, description="Of the adapter's start and the order of the samples.")


class Training(Part):
    """A stage of the training."""

    stage: Stage = Field(description="1: C1; 2: C2 with a replay of C1, going on from an adapter of stage 1.")
    base: str = Field(min_length=1, description="The base model: its name on the Hub, or a folder.")
    adapter: Adapter
    data: Data
    run: Run

    def accumulation(self, processes: int) -> int:
        """Batches of a process that make one update.

        Raises:
            Invalid: the batch cannot be had with so many processes.
        """
        run = self.run
        count, rest = divmod(run.effective_batch_size, run.batch_per_process * processes)
        if rest or not count:
            message = (
                f"run.effective_batch_size is {run.effective_batch_size}, which {processes} processes of "
                f"{run.batch_per_process} samples at a time cannot make; change effective_batch_size, "
                "batch_per_process or the number of processes."
            )
            raise Invalid("batch", message, "run.effective_batch_size")
        return count


class Named(NamedTuple):
    """A configuration and where it is from."""

    training: Training
    path: Path


def load(name: str) -> Named:
    """The configuration in a TOML file, or the one of that name that comes with the project.

    Raises:
        NotFound: there is no such file.
        Invalid: it is no configuration; the message names the value and what it may be.
    """
    path = data_folder() / "training" / f"{name}.toml" if name in SHIPPED else Path(name).expanduser()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        message = f"{path} cannot be read ({reason}): name a TOML file, or one of {', '.join(SHIPPED)}."
        raise NotFound("no_config", message) from error
    except tomllib.TOMLDecodeError as error:
        raise Invalid("config", f"{path} is no TOML ({error}); correct it and try again.") from error
    try:
        return Named(Training.model_validate(content), path)
    except ValidationError as error:
        told = explain(error, "configuration")
        raise Invalid("config", f"{path}: {told.message}", told.field) from error
