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
from easel_app.trajectories.training.collator import Collator, check_template
from easel_app.trajectories.training.config import Adapter, Run, Training
from easel_app.trajectories.training.exporting import WITH_REASONING, Note, read_note
from easel_app.trajectories.training.model import go_on_from, load_base, load_processor
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
    run, processes = training.run, int(os.environ.get("WORLD_SIZE", "1"))
    note = _fitting(training, data, adapter)
    accumulation, deepspeed = training.accumulation(processes), deepspeed_of(run, processes)
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
        set_seed(run.seed)
        processor = load_processor(name)
        check_template(processor, any(each.get(WITH_REASONING) for each in note.counts.values()))
        model = load_base(name, run.precision)
        model = get_peft_model(model, _lora(model, training.adapter))
        if deepspeed is None:  # which keeps such copies itself: in 16 bits small changes would be lost
            for parameter in model.parameters():
                parameter.data = parameter.data.float() if parameter.requires_grad else parameter.data
        if adapter:
            go_on_from(model, adapter)
        for line in trained(model).lines:
            told(line)
        tried = chats(data, note, "validation")
        if tried:
            tried = some(tried, training.data.validation, run.seed)
        trainer = SFTTrainer(
            model=model,
            args=_arguments(run, output, accumulation, deepspeed, tried is not None),
            train_dataset=chats(data, note, "train"),
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


def deepspeed_of(run: Run, processes: int) -> dict[str, Any] | None:
    """DeepSpeed's configuration; None where one process trains, or the run is without.

    Raises:
        Unsupported: DeepSpeed is not installed.
    """
    if run.zero == 0 or processes == 1:
        return None
    if importlib.util.find_spec("deepspeed") is None:
        message = (
            f"run.zero is {run.zero}, which needs DeepSpeed where {processes} processes train: pip install "
            "deepspeed, or set it to 0."
        )
        raise Unsupported("no_deepspeed", message)
    return zero_config(run)


def zero_config(run: Run) -> dict[str, Any]:
    """ZeRO of the run's stage; what is `auto` follows the other arguments."""
    batch = ("gradient_accumulation_steps", "train_micro_batch_size_per_gpu", "train_batch_size", "gradient_clipping")
    return {
        "zero_optimization": {"stage": run.zero, "overlap_comm": True, "contiguous_gradients": True},
        "bf16": {"enabled": run.precision == "bf16"},
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


def _lora(model: Any, adapter: Adapter) -> LoraConfig:
    """A new adapter for a model, in PEFT's own words."""
    return LoraConfig(
        r=adapter.rank,
        lora_alpha=adapter.alpha,
        lora_dropout=adapter.dropout,
        target_modules=adapter.targets if isinstance(adapter.targets, str) else list(adapter.targets),
        modules_to_save=in_full([name for name, _ in model.named_modules()], adapter) or None,
        task_type="CAUSAL_LM",
    )


def chats(data: Path, note: Note, split: Split) -> Any:
    """The chats of a split; None where there are none."""
    files = sorted(map(str, (data / layout.DATA).glob(f"{split}-*.parquet")))
    if not files or not any(note.counts.get(split, {}).values()):
        return None
    return load_dataset("parquet", data_files={split: files}, split=split)


def some(rows: Any, most: int, seed: int) -> Any:
    """So many of the rows, drawn from all of them, since neighbours are of the same painting; None for none."""
    return rows.shuffle(seed=seed).select(range(min(len(rows), most))) if most else None


def _arguments(run: Run, output: Path, accumulation: int, deepspeed: dict[str, Any] | None, tried: bool) -> SFTConfig:
    """The run in the trainer's own words."""
    return SFTConfig(
        output_dir=str(output),
        num_train_epochs=run.epochs,
        max_steps=run.steps or -1,
        learning_rate=run.learning_rate,
        lr_scheduler_type=run.schedule,
        warmup_steps=run.warmup_ratio,  # a share, as it is less than 1
        weight_decay=run.weight_decay,
        max_grad_norm=run.max_grad_norm,
        optim="adamw_torch",
        per_device_train_batch_size=run.batch_per_process,
        per_device_eval_batch_size=run.batch_per_process,
        gradient_accumulation_steps=accumulation,
        gradient_checkpointing=run.gradient_checkpointing,
        bf16=run.precision == "bf16",
        use_cpu=not torch.accelerator.is_available(),
        deepspeed=deepspeed,
        max_length=None,  # the collator refuses what is too long
        dataloader_num_workers=run.workers,
        save_steps=run.save_every,
        save_total_limit=run.keep,
        eval_strategy="steps" if tried else "no",
        eval_steps=run.save_every if tried else None,
        prediction_loss_only=True,
        logging_steps=run.logging_steps,
        logging_first_step=True,
        report_to="none",
        seed=run.seed,
        remove_unused_columns=False,
    )
