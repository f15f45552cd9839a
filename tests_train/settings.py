"""The published configurations, made small enough for a processor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from easel_app.trajectories.training.config import Stage, Training, load

SMALL: dict[str, Any] = {
    "learning_rate": 5e-3,
    "effective_batch_size": 8,
    "batch_per_process": 8,
    "precision": "float32",
    "gradient_checkpointing": False,
    "zero": 0,
    "workers": 0,
    "logging_steps": 1,
    "save_every": 1000,
}


def small(stage: Stage, replay: float = 0.0, dropout: float = 0.0, **run: Any) -> Training:
    """A stage as published but for what a processor and a tiny model need, and what is asked for."""
    content = load(f"stage{stage}").training.model_dump()
    content["run"] |= SMALL | run
    content["adapter"]["dropout"] = dropout
    content["data"] |= {"replay": replay, "validation": 0}
    return Training.model_validate(content)


def write_toml(training: Training, path: Path) -> Path:
    """Write a configuration as a person would."""
    content = training.model_dump(exclude_none=True)
    lines = [f"{name} = {json.dumps(value)}" for name, value in content.items() if not isinstance(value, dict)]
    for part, values in content.items():
        if isinstance(values, dict):
            lines += [f"[{part}]", *(f"{name} = {json.dumps(value)}" for name, value in values.items())]
    path.write_text("\n".join(lines) + "\n")
    return path
