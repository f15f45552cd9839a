"""A stand-in for the trainer: what TRL's GRPOTrainer does with a reward function, with answers from a script.

`datasets` and `trl` are packages of an environment of their own (`make test-train`, where the real ones run); these
classes call a reward function as TRL 1.16 does (`GRPOTrainer._calculate_rewards`): by keywords, each column as a list,
a row repeated for each of its completions.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.parquet as pq
from PIL import Image

Row = dict[str, Any]
SPECIAL = ("prompt", "completion", "completion_ids")


class Dataset(list[Row]):
    """Rows of an export, their pictures decoded."""

    def remove_columns(self, name: str) -> Dataset:
        return Dataset({key: value for key, value in row.items() if key != name} for row in self)


def load_dataset(folder: str, split: str) -> Dataset:
    """The rows of a split of an export."""
    rows = [row for path in sorted(Path(folder).rglob(f"{split}-*.parquet")) for row in pq.read_table(path).to_pylist()]
    for row in rows:
        row["images"] = [opened(image) for image in row["images"]]
        row |= {name: opened(row[name]) for name in ("reference", "canvas") if name in row}
    return Dataset(rows)


def opened(image: Mapping[str, bytes]) -> Image.Image:
    return Image.open(io.BytesIO(image["bytes"]))


class GRPOConfig:
    """The options that the example gives."""

    def __init__(self, output_dir: str, num_generations: int, max_completion_length: int) -> None:
        self.num_generations = num_generations


class GRPOTrainer:
    """Asks the script instead of a model, and keeps what the reward function says."""

    answers: Callable[[Row, int], str]
    """From a row and the number of the answer."""
    rewards: list[float | None]
    metrics: dict[str, float]
    extra: dict[str, list[Any]]

    def __init__(
        self,
        model: str,
        reward_funcs: Callable[..., list[float | None]],
        args: GRPOConfig,
        train_dataset: Sequence[Mapping[str, Any]],
    ) -> None:
        assert all("completion" not in row for row in train_dataset)
        self._judge, self._count, self._rows = reward_funcs, args.num_generations, train_dataset

    def train(self) -> None:
        inputs = [dict(row) for row in self._rows for _ in range(self._count)]
        said = [type(self).answers(row, number % self._count) for number, row in enumerate(inputs)]
        metrics, extra = type(self).metrics, type(self).extra
        type(self).rewards = self._judge(
            prompts=[row["prompt"] for row in inputs],
            completions=[[{"role": "assistant", "content": text}] for text in said],
            completion_ids=[[1, 2, 3] for _ in said],
            **{name: [row[name] for row in inputs] for name in inputs[0] if name not in SPECIAL},
            trainer_state=object(),
            log_extra=lambda name, values: extra.setdefault(name, []).extend(values),
            log_metric=metrics.__setitem__,
        )


def packages(answers: Callable[[Row, int], str]) -> tuple[dict[str, ModuleType], type[GRPOTrainer]]:
    """Modules to be imported as `datasets` and `trl`, and the trainer that tells what came of it."""
    scripted = type("GRPOTrainer", (GRPOTrainer,), {"answers": staticmethod(answers), "metrics": {}, "extra": {}})
    datasets, trl = ModuleType("datasets"), ModuleType("trl")
    vars(datasets).update(load_dataset=load_dataset)
    vars(trl).update(GRPOConfig=GRPOConfig, GRPOTrainer=scripted)
    return {"datasets": datasets, "trl": trl}, scripted
