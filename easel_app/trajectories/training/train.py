"""Trains a stage: LoRA, and some vision modules in full, on exported chats."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import torch
from datasets import load_dataset
from peft import LoraConfig, get_peft_model
from transformers import set_seed
from trl import SFTConfig, SFTTrainer

from easel_app.exports.whole import whole_folder
from easel_app.runs.prompts import PROMPT
from easel_app.services.problems import Conflict, Invalid, Unsupported
from easel_app.trajectories.folder import Split, write
from easel_app.trajectories.training import trl as layout
from easel_app.trajectories.training.collator import Collator
from easel_app.trajectories.training.config import Course, Training
from easel_app.trajectories.training.exporting import Note, read_note
from easel_app.trajectories.training.model import load_adapter, load_base, load_processor
from easel_app.trajectories.training.output import ADAPTER, RECORD, Record, begun, last_checkpoint
from easel_app.trajectories.training.parts import in_full, trained

PACKAGES = ("torch", "transformers", "peft", "trl", "accelerate")
"""Whose versions are noted."""
Told = Callable[[str], None]


class Outcome(NamedTuple):
    """What came of a training."""

    adapter: Path
    steps: int
    """Updates, those before a resume included."""
    losses: list[float]
    """Means over the updates that were reported together, in their order."""
    model: Any
    """As it is after the last update."""


def train(
    training: Training,
    data: Path,
    output: Path,
    *,
    base: str | None = None,
    adapter: Path | None = None,
    resume: bool = False,
    told: Told = lambda line: None,
) -> Outcome:
    """Train, write checkpoints while at it, and the adapter with its processor at the end, to `output`/adapter.

    Where several processes train (as `torchrun` starts them), each calls this.

    Args:
        training: the configuration.
        data: an export for TRL, of the same stage.
        output: a folder that is not there yet, or empty; with `resume` the one of a training that was stopped.
        base: folder or name of the base model, instead of the configuration's.
        adapter: of stage 1, which stage 2 goes on from.
        resume: go on from the last checkpoint.
        told: hears what is trained.

    Raises:
        Refusal: data, output, base or adapter are not what the configuration asks for.
        OSError: something cannot be read or written.
    """
    course, processes = training.course, int(os.environ.get("WORLD_SIZE", "1"))
    note = _fitting(training, data, adapter)
    accumulation, deepspeed = training.accumulation(processes), deepspeed_of(course, processes)
    name = base or training.base
    record = Record(
        training=training,
        base=name,
        adapter=str(adapter) if adapter else None,
        data=note,
        versions={package: version(package) for package in PACKAGES},
    )
    alone = os.environ.get("RANK", "0") == "0"
    with begun(output, record, resume) if alone else nullcontext():
        checkpoint = str(last_checkpoint(output)) if resume else None
        set_seed(course.seed)
        processor = load_processor(name)
        model = _adapted(load_base(name, course.precision), training, adapter)
        if deepspeed is None:  # which keeps such copies itself: in 16 bits small changes would be lost
            for parameter in model.parameters():
                parameter.data = parameter.data.float() if parameter.requires_grad else parameter.data
        for line in trained(model).lines:
            told(line)
        tried = _rows(data, note, "validation", training.data.validation) if training.data.validation else None
        trainer = SFTTrainer(
            model=model,
            args=_arguments(course, output, accumulation, deepspeed, tried is not None),
            train_dataset=_rows(data, note, "train"),
            eval_dataset=tried,
            data_collator=Collator(processor, training.data.length),
            processing_class=processor,
        )
        trainer.train(resume_from_checkpoint=checkpoint)
        if trainer.is_world_process_zero():
            with whole_folder(output / ADAPTER) as place:
                trainer.model.save_pretrained(place)
                processor.save_pretrained(place)
                write(place / RECORD, record.model_dump_json(indent=1) + "\n")
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    return Outcome(output / ADAPTER, trainer.state.global_step, losses, trainer.model)


def deepspeed_of(course: Course, processes: int) -> dict[str, Any] | None:
    """DeepSpeed's configuration; None where one process trains, or the course is without.

    Raises:
        Unsupported: DeepSpeed is not installed.
    """
    if course.zero == 0 or processes == 1:
        return None
    if importlib.util.find_spec("deepspeed") is None:
        message = (
            f"course.zero is {course.zero}, which needs DeepSpeed where {processes} processes train: pip install "
            "deepspeed, or set it to 0."
        )
        raise Unsupported("no_deepspeed", message)
    return zero_config(course)


def zero_config(course: Course) -> dict[str, Any]:
    """ZeRO of the course's stage; what is `auto` follows the other arguments."""
    batch = ("gradient_accumulation_steps", "train_micro_batch_size_per_gpu", "train_batch_size", "gradient_clipping")
    return {
        "zero_optimization": {"stage": course.zero, "overlap_comm": True, "contiguous_gradients": True},
        "bf16": {"enabled": course.precision == "bf16"},
        **dict.fromkeys(batch, "auto"),
    }


def _fitting(training: Training, data: Path, adapter: Path | None) -> Note:
    """What is noted of the export, which fits the configuration."""
    note, stage = read_note(data), training.stage
    wanted = {"layout": layout.NAME, "stage": stage, "replay": training.data.replay, "prompt": PROMPT}
    differing = {name: value for name, value in wanted.items() if getattr(note, name) != value}
    if differing:
        told = ", ".join(f"its {name} is {getattr(note, name)} and not {value}" for name, value in differing.items())
        message = f"{data} does not fit the configuration: {told}; export anew, or change the configuration."
        raise Conflict("other_export", message)
    if not note.training:
        raise Conflict("empty_export", f"{data} holds no sample to train on; export a larger data set.")
    if stage == 2 and adapter is None:
        raise Invalid("no_adapter", "Stage 2 goes on from an adapter of stage 1; name its folder by --adapter.")
    if stage == 1 and adapter is not None:
        raise Invalid("adapter", "Stage 1 begins without an adapter; leave --adapter out, or train stage 2.")
    return note


def _adapted(model: Any, training: Training, adapter: Path | None) -> Any:
    """The base model with a new adapter, or with the one to go on from."""
    wanted = training.adapter
    modules = in_full([name for name, _ in model.named_modules()], wanted)
    config = LoraConfig(
        r=wanted.rank,
        lora_alpha=wanted.alpha,
        lora_dropout=wanted.dropout,
        target_modules=wanted.targets if isinstance(wanted.targets, str) else list(wanted.targets),
        modules_to_save=modules or None,
        task_type="CAUSAL_LM",
    )
    if adapter is None:
        return get_peft_model(model, config)
    adapted = load_adapter(model, adapter, trainable=True)
    there = adapted.peft_config["default"]
    found = {"rank": there.r, "alpha": there.lora_alpha, "modules trained in full": sorted(there.modules_to_save or [])}
    asked = {"rank": config.r, "alpha": config.lora_alpha, "modules trained in full": sorted(modules)}
    if found != asked:
        told = ", ".join(f"{name}: {found[name]}, not {asked[name]}" for name in asked if found[name] != asked[name])
        message = f"{adapter} is of another configuration ({told}); make [adapter] the same in both stages."
        raise Conflict("other_adapter", message)
    return adapted


def _rows(data: Path, note: Note, split: Split, most: int | None = None) -> Any:
    """The chats of a split, or so many of them; None where there are none."""
    files = sorted(map(str, (data / layout.DATA).glob(f"{split}-*.parquet")))
    if not files or not any(count for count in note.counts.get(split, {}).values()):
        return None
    rows = load_dataset("parquet", data_files={split: files}, split=split)
    return rows if most is None else rows.select(range(min(len(rows), most)))


def _arguments(
    course: Course, output: Path, accumulation: int, deepspeed: dict[str, Any] | None, tried: bool
) -> SFTConfig:
    """The course in the trainer's own words."""
    return SFTConfig(
        output_dir=str(output),
        num_train_epochs=course.epochs,
        max_steps=course.steps or -1,
        learning_rate=course.learning_rate,
        lr_scheduler_type=course.schedule,
        warmup_steps=course.warmup,  # a share, as it is less than 1
        weight_decay=course.weight_decay,
        max_grad_norm=course.max_gradient,
        optim="adamw_torch",
        per_device_train_batch_size=course.batch_per_process,
        per_device_eval_batch_size=course.batch_per_process,
        gradient_accumulation_steps=accumulation,
        gradient_checkpointing=course.checkpointing,
        bf16=course.precision == "bf16",
        use_cpu=not torch.accelerator.is_available(),
        deepspeed=deepspeed,
        max_length=None,  # the collator refuses what is too long
        dataloader_num_workers=course.workers,
        save_steps=course.save_every,
        save_total_limit=course.keep,
        eval_strategy="steps" if tried else "no",
        eval_steps=course.save_every if tried else None,
        prediction_loss_only=True,
        logging_steps=course.report_every,
        logging_first_step=True,
        report_to="none",
        seed=course.seed,
        remove_unused_columns=False,
    )
