"""Which modules of a vision-language model are trained in full, found by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from easel_app.services.problems import Unsupported
from easel_app.trajectories.training.config import Adapter

TOWER = r"(?P<tower>(?:\w+\.)*(?:visual|vision_tower|vision_model|vision_encoder)(?:\.\w+)*?\.(?:blocks|layers|layer))"
BLOCK = re.compile(TOWER + r"\.(?P<number>\d+)")
"""A block of a vision encoder: `model.visual.blocks.26` of Qwen's models, `….vision_tower.….layers.23` of others."""
MERGERS = ("merger", "deepstack_merger_list", "multi_modal_projector", "connector", "aligner")
"""What brings the tokens of pictures to the width of those of texts is called by one of these names."""


class Trained(NamedTuple):
    """How many numbers are trained, and of what."""

    lora: int
    """In LoRA's matrices."""
    layers: int
    """That have LoRA."""
    full: dict[str, int]
    """By module that is trained in full."""
    total: int
    """Of the whole model, adapter included."""

    @property
    def lines(self) -> list[str]:
        """In words."""
        share = (self.lora + sum(self.full.values())) / max(1, self.total)
        parts = [f"in full: {name} ({count:,} numbers)" for name, count in self.full.items()]
        told = f"LoRA on {self.layers} linear layers ({self.lora:,} numbers)"
        return [told, *parts, f"{share:.2%} of {self.total:,} numbers are trained"]


def in_full(names: Sequence[str], adapter: Adapter) -> list[str]:
    """Names of the modules that are trained in full.

    Args:
        names: of all modules of the model.
        adapter: how many vision blocks, and whether the merger.

    Raises:
        Unsupported: the model has none of that name; the message says what was looked for.
    """
    found: list[str] = []
    if adapter.vision_blocks:
        blocks = [match for name in names if (match := BLOCK.fullmatch(name))]
        towers = {match["tower"] for match in blocks}
        tower = min(towers, key=len) if towers else ""
        of_tower = [match for match in blocks if match["tower"] == tower]
        of_tower.sort(key=lambda match: int(match["number"]))
        if len(of_tower) < adapter.vision_blocks:
            told = f"{len(of_tower)} in {tower}" if tower else "none"
            raise Unsupported(
                "no_vision_blocks",
                f"adapter.vision_blocks is {adapter.vision_blocks}, but the model has {told}: looked for modules such "
                "as visual.blocks.0, vision_tower….layers.0 or vision_model….layers.0; lower it, or take another base.",
            )
        found += [match[0] for match in of_tower[-adapter.vision_blocks :]]
    if adapter.merger:
        mergers = [name for name in names if name.rpartition(".")[2] in MERGERS and not _within(name, found)]
        if not mergers:
            raise Unsupported(
                "no_merger",
                "adapter.merger is true, but the model has none: looked for a module that is called "
                f"{', '.join(MERGERS)}; set it to false, or take another base.",
            )
        found += [name for name in mergers if not any(_within(name, [other]) for other in mergers if other != name)]
    return found


def _within(name: str, above: Sequence[str]) -> bool:
    return any(name.startswith(f"{each}.") for each in above)


def trained(model: Any) -> Trained:
    """What of a PEFT model is trained."""
    lora, layers, total = 0, set[str](), 0
    full: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        total += parameter.numel()
        if not parameter.requires_grad:
            continue
        if ".lora_" in name:
            lora += parameter.numel()
            layers.add(name.partition(".lora_")[0])
        else:
            module = name.partition(".modules_to_save.")[0].removeprefix("base_model.model.")
            full[module] = full.get(module, 0) + parameter.numel()
    return Trained(lora, len(layers), full, total)
