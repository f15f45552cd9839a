"""Which modules are trained in full is found by the names that families of models give them."""

from __future__ import annotations

import pytest

from easel_app.services.problems import Refusal
from easel_app.trajectories.training.config import Adapter
from easel_app.trajectories.training.parts import in_full


def wanted(blocks: int = 2, merger: bool = True) -> Adapter:
    return Adapter(rank=8, alpha=16, dropout=0.0, targets="all-linear", vision_blocks=blocks, merger=merger)


def qwen(depth: int = 12) -> list[str]:
    """Names as in Qwen's models, out of order, with a language model whose layers have numbers too."""
    names = ["", "model", "model.visual", "model.visual.blocks", "model.visual.merger", "model.visual.merger.norm"]
    names += [f"model.visual.blocks.{at}{part}" for at in reversed(range(depth)) for part in ("", ".attn", ".attn.qkv")]
    return [*names, *(f"model.language_model.layers.{at}" for at in range(40)), "lm_head"]


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (qwen(), ["model.visual.blocks.10", "model.visual.blocks.11", "model.visual.merger"]),
        (
            [*qwen(), *(f"model.visual.deepstack_merger_list{part}" for part in ("", ".0", ".0.norm"))],
            [
                *("model.visual.blocks.10", "model.visual.blocks.11"),
                *("model.visual.merger", "model.visual.deepstack_merger_list"),
            ],
        ),
        (
            [f"model.vision_tower.vision_model.encoder.layers.{at}.mlp" for at in range(3)]
            + [f"model.vision_tower.vision_model.encoder.layers.{at}" for at in range(3)]
            + ["model.multi_modal_projector", "model.multi_modal_projector.linear"],
            [
                "model.vision_tower.vision_model.encoder.layers.1",
                "model.vision_tower.vision_model.encoder.layers.2",
                "model.multi_modal_projector",
            ],
        ),
    ],
)
def test_the_last_blocks_by_number_and_the_merger(names: list[str], found: list[str]) -> None:
    assert in_full(names, wanted()) == found


def test_nothing_is_in_full_where_nothing_is_asked_for() -> None:
    assert in_full(["lm_head"], wanted(0, merger=False)) == []


@pytest.mark.parametrize(
    ("names", "adapter", "words"),
    [
        (["model.layers.0"], wanted(), "the model has none: looked for modules such as visual.blocks.0"),
        (qwen(1), wanted(), "the model has 1 in model.visual.blocks"),
        (["model.visual.blocks.0"], wanted(1), "looked for a module that is called merger, deepstack_merger_list"),
    ],
)
def test_what_is_not_there_is_told_with_what_was_looked_for(names: list[str], adapter: Adapter, words: str) -> None:
    with pytest.raises(Refusal) as refusal:
        in_full(names, adapter)
    assert words in refusal.value.message
