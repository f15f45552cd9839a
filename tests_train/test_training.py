"""Two stages on a tiny model: the loss falls, the right numbers are trained, and what is written can be used."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from datasets import Dataset
from peft import PeftConfig, PeftModel
from peft.tuners.lora import LoraLayer
from safetensors.torch import load_file
from transformers import AutoModelForImageTextToText, AutoProcessor
from trl.chat_template_utils import qwen3_5_nothink_chat_template

from easel_app.services.problems import Refusal
from easel_app.trajectories.reading import Sample
from easel_app.trajectories.training.collator import Collator
from easel_app.trajectories.training.exporting import NOTE
from easel_app.trajectories.training.layout import chat_of
from easel_app.trajectories.training.output import begun, read_record
from easel_app.trajectories.training.parts import trained
from easel_app.trajectories.training.train import Outcome, deepspeed_of, some, train, zero_config
from tests_train.samples import export, samples
from tests_train.settings import small
from tests_train.test_collator import row
from tests_train.tiny import BLOCKS, tiny_model, tiny_processor

UPDATES, SAVED = 24, 12
FULL = [*(f"model.visual.blocks.{at}" for at in range(BLOCKS - 4, BLOCKS)), "model.visual.merger"]


class Stage(NamedTuple):
    """A stage that was trained."""

    data: Path
    output: Path
    made: Outcome
    told: list[str]


def painted(subset: Any, each: int, first: int = 0) -> list[Sample]:
    return [sample for number in range(first, first + 4) for sample in samples(number, subset, each)]


@pytest.fixture(scope="module")
def first(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Stage 1 on 32 samples."""
    folder, told = tmp_path_factory.mktemp("first"), list[str]()
    data = export(folder / "data", painted("C1", 8), 1)
    training = small(1, dropout=0.1, steps=UPDATES, save_every=SAVED)
    made = train(training, data, folder / "output", base=str(base), told=told.append)
    return Stage(data, folder / "output", made, told)


@pytest.fixture(scope="module")
def second(base: Path, first: Stage, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Stage 2 on 8 samples of C2 and 2 of C1."""
    folder, told = tmp_path_factory.mktemp("second"), list[str]()
    rows = [*painted("C2", 2), *list(samples(0, "C1", 2))]
    data = export(folder / "data", rows, 2, replay=0.2)
    training = small(2, replay=0.2, dropout=0.3, steps=4, effective_batch_size=10, batch_per_process=5)
    made = train(training, data, folder / "output", base=str(base), adapter=first.made.adapter, told=told.append)
    return Stage(data, folder / "output", made, told)


def batch_of(rows: list[Sample]) -> dict[str, Any]:
    return Collator(tiny_processor(), 8192)([row(chat_of(each)) for each in rows])


def logits(model: Any) -> torch.Tensor:
    with torch.no_grad():
        found: torch.Tensor = model.eval()(**batch_of(painted("C1", 1))).logits
    return found


def loaded(base: Path, adapter: Path) -> Any:
    return PeftModel.from_pretrained(AutoModelForImageTextToText.from_pretrained(base), adapter)


def weights(adapter: Path) -> dict[str, torch.Tensor]:
    return dict(load_file(adapter / "adapter_model.safetensors"))


def test_the_loss_on_32_samples_falls_to_less_than_a_third(first: Stage) -> None:
    losses = first.made.losses
    print(f"\nstage 1: {losses[0]:.2f} -> {losses[-1]:.2f} in {first.made.steps} updates")
    assert first.made.steps == UPDATES == len(losses)
    assert losses[-1] < losses[0] / 3


def test_what_is_trained_is_told_and_true(first: Stage) -> None:
    counts = trained(first.made.model)
    assert list(counts.full) == FULL
    assert first.told == counts.lines
    assert f"LoRA on {counts.layers} linear layers" in first.told[0]


def test_lora_is_on_every_linear_layer_but_the_output_s_and_those_in_full(base: Path, first: Stage) -> None:
    model = AutoModelForImageTextToText.from_pretrained(base)
    linear = {name for name, module in model.named_modules() if isinstance(module, torch.nn.Linear)}
    wanted = {name for name in linear - {"lm_head"} if not name.startswith(tuple(f"{each}." for each in FULL))}
    saved = [name.removeprefix("base_model.model.") for name in weights(first.made.adapter)]
    found = {name.partition(".lora_")[0] for name in saved if ".lora_" in name}
    assert found == wanted
    assert any(name.startswith("model.visual.blocks.0.") for name in found)
    assert any(".linear_attn." in name for name in found) and any(".self_attn." in name for name in found)


def test_the_last_vision_blocks_and_the_merger_move_and_the_rest_of_the_base_stays(base: Path, first: Stage) -> None:
    before = AutoModelForImageTextToText.from_pretrained(base).state_dict()
    saved = {name.removeprefix("base_model.model."): value for name, value in weights(first.made.adapter).items()}
    full = {name: value for name, value in saved.items() if ".lora_" not in name}
    assert {name for name in before if name.startswith(tuple(f"{each}." for each in FULL))} == set(full)
    for name, value in full.items():
        assert not torch.equal(value, before[name]), name
    after = first.made.model.get_base_model().state_dict()
    frozen = [name for name in before if name in after and name not in full]
    assert "lm_head.weight" in frozen and "model.visual.pos_embed.weight" in frozen
    assert all(torch.equal(before[name], after[name]) for name in frozen)


def test_an_adapter_that_is_loaded_again_gives_the_same_logits(base: Path, first: Stage, second: Stage) -> None:
    for stage in (first, second):
        assert torch.equal(logits(stage.made.model), logits(loaded(base, stage.made.adapter)))
    assert not torch.allclose(logits(first.made.model), logits(tiny_model(tiny_processor())), atol=0.1)


def test_stage_two_goes_on_where_stage_one_ended(first: Stage, second: Stage) -> None:
    assert second.made.losses[0] < first.made.losses[0] / 2
    before, after = weights(first.made.adapter), weights(second.made.adapter)
    assert before.keys() == after.keys()
    assert all(not torch.equal(before[name], after[name]) for name in before)
    record = read_record(second.made.adapter)
    assert (record.training.stage, record.adapter) == (2, str(first.made.adapter))


def test_in_16_bits_stage_two_goes_on_from_all_bits_of_stage_one(base: Path, first: Stage, tmp_path: Path) -> None:
    data = export(tmp_path / "data", painted("C2", 1), 2)
    run = {"precision": "bf16", "learning_rate": 1e-9, "effective_batch_size": 4, "batch_per_process": 4}
    made = train(small(2, steps=1, **run), data, tmp_path / "output", base=str(base), adapter=first.made.adapter)
    before, after = weights(first.made.adapter), weights(made.adapter)
    assert all(torch.allclose(before[name], after[name], rtol=1e-6, atol=1e-7) for name in before)


def test_the_dropout_of_a_stage_is_its_own(first: Stage, second: Stage) -> None:
    for stage, wanted in ((first, 0.1), (second, 0.3)):
        layers = [layer for layer in stage.made.model.modules() if isinstance(layer, LoraLayer)]
        assert len(layers) == trained(stage.made.model).layers
        assert {layer.lora_dropout["default"].p for layer in layers} == {wanted}
        assert PeftConfig.from_pretrained(stage.made.adapter).lora_dropout == wanted


def test_a_training_that_was_stopped_goes_on_to_the_same_adapter(base: Path, first: Stage, tmp_path: Path) -> None:
    output = tmp_path / "output"
    shutil.copytree(first.output, output)
    shutil.rmtree(output / "adapter")
    (output / f"checkpoint-{UPDATES}" / "trainer_state.json").unlink()  # as if it was killed while writing that one
    training = read_record(output).training
    made = train(training, first.data, output, base=str(base), resume=True)
    assert made.steps == UPDATES
    assert made.losses == first.made.losses  # those before the stop are remembered
    whole, resumed = weights(first.made.adapter), weights(made.adapter)
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)


def test_in_16_bits_and_with_activations_computed_twice_all_parts_are_trained(base: Path, tmp_path: Path) -> None:
    data = export(tmp_path / "data", painted("C1", 1), 1)
    run = {"precision": "bf16", "gradient_checkpointing": True, "effective_batch_size": 4, "batch_per_process": 2}
    training = small(1, steps=2, learning_rate=1e-5, **run)
    made = train(training, data, tmp_path / "output", base=str(base))
    before = AutoModelForImageTextToText.from_pretrained(base).state_dict()
    for name, value in weights(made.adapter).items():
        assert value.dtype == torch.float32  # so small a change would be none in 16 bits
        if ".lora_" not in name:
            assert not torch.equal(value, before[name.removeprefix("base_model.model.")]), name


def test_validation_is_tried_at_each_checkpoint(base: Path, tmp_path: Path) -> None:
    rows = painted("C1", 1)
    data = export(tmp_path / "data", rows, 1)
    there = data / "data"
    shutil.copy(there / "train-00000-of-00001.parquet", there / "validation-00000-of-00001.parquet")
    note = (data / NOTE).read_text().replace('"C1":4}', '"C1":4},"validation":{"C1":4}')
    (data / NOTE).write_text(note)
    training = small(1, steps=2, effective_batch_size=4, batch_per_process=4, save_every=1)
    training = training.model_copy(update={"data": training.data.model_copy(update={"validation": 3})})
    train(training, data, tmp_path / "output", base=str(base))
    state = (tmp_path / "output" / "checkpoint-2" / "trainer_state.json").read_text()
    assert state.count('"eval_loss"') == 2


def test_the_merged_model_of_the_docs_answers_like_the_adapter(base: Path, first: Stage, tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "training.md").read_text()
    block = page.partition("<!-- merge -->\n```python\n")[2].partition("```")[0]
    assert "merge_and_unload" in block
    for word, path in (("BASE", base), ("ADAPTER", first.made.adapter), ("MERGED", tmp_path / "merged")):
        block = block.replace(f'"{word}"', repr(str(path)))
    exec(compile(block, "docs/training.md", "exec"), {})
    AutoProcessor.from_pretrained(tmp_path / "merged")
    merged = AutoModelForImageTextToText.from_pretrained(tmp_path / "merged", dtype=torch.float32)
    assert torch.allclose(logits(merged), logits(first.made.model), atol=1e-3)


Wrong = Callable[[Stage, Path, Path], Any]
WRONG: dict[str, tuple[Wrong, str]] = {
    "another stage's data": (
        lambda first, base, to: train(small(2), first.data, to, base=str(base), adapter=first.made.adapter),
        "its stage is 1 and not 2; export anew",
    ),
    "another share of replay": (
        lambda first, base, to: train(small(1, replay=0.5), first.data, to, base=str(base)),
        "its replay is 0.0 and not 0.5",
    ),
    "a folder that holds no export": (
        lambda first, base, to: train(small(1), base, to, base=str(base)),
        "holds no export: write one by easel trajectories export-sft",
    ),
    "an adapter for stage 1": (
        lambda first, base, to: train(small(1), first.data, to, base=str(base), adapter=first.made.adapter),
        "Stage 1 begins without an adapter",
    ),
    "an output that holds a training": (
        lambda first, base, to: train(small(1), first.data, first.output, base=str(base)),
        "is not an empty folder; go on with it by --resume",
    ),
    "going on with what is finished": (
        lambda first, base, to: train(
            read_record(first.output).training, first.data, first.output, base=str(base), resume=True
        ),
        "holds a training that is finished",
    ),
    "going on otherwise": (
        lambda first, base, to: train(small(1, steps=7), first.data, first.output, base=str(base), resume=True),
        "was begun otherwise: dropout was 0.1 and is 0.0, steps was 24 and is 7",
    ),
    "going on with nothing": (
        lambda first, base, to: train(small(1), first.data, to, base=str(base), resume=True),
        "holds no training",
    ),
    "a batch that cannot be had": (
        lambda first, base, to: train(small(1, effective_batch_size=9), first.data, to, base=str(base)),
        "run.effective_batch_size is 9, which 1 processes of 8 samples at a time cannot make",
    ),
    "a base that is not there": (
        lambda first, base, to: train(small(1), first.data, to, base=str(to / "nowhere")),
        "No processor can be had from",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_is_told_before_anything_is_trained(
    case: str, first: Stage, base: Path, tmp_path: Path
) -> None:
    wrong, words = WRONG[case]
    with pytest.raises(Refusal) as refusal:
        wrong(first, base, tmp_path / "output")
    assert words in str(refusal.value), str(refusal.value)


def test_stage_two_wants_an_adapter_and_one_of_its_own_form(
    base: Path, first: Stage, second: Stage, tmp_path: Path
) -> None:
    training = small(2, replay=0.2)
    with pytest.raises(Refusal, match="name its folder by --adapter"):
        train(training, second.data, tmp_path / "a", base=str(base))
    with pytest.raises(Refusal, match=r"its adapter is in .*output/adapter"):
        train(training, second.data, tmp_path / "b", base=str(base), adapter=first.output)
    for at, (change, words) in enumerate(
        (
            ({"rank": 8}, r"\(rank: 64, not 8\)"),
            ({"alpha": 7}, r"\(alpha: 128, not 7\)"),
            ({"targets": ("q_proj", "v_proj")}, r"\(targets: model\..+ and [0-9]+ more there alone\)"),
            (
                {"vision_blocks": 3},
                r"targets: model\.visual\.blocks\.1\..+ here alone; modules trained in full: .+there",
            ),
        )
    ):
        other = training.model_copy(update={"adapter": training.adapter.model_copy(update=change)})
        with pytest.raises(Refusal, match=words):
            train(other, second.data, tmp_path / f"c{at}", base=str(base), adapter=first.made.adapter)


def test_an_adapter_whose_numbers_are_damaged_is_told(base: Path, first: Stage, second: Stage, tmp_path: Path) -> None:
    adapter = tmp_path / "adapter"
    shutil.copytree(first.made.adapter, adapter)
    (adapter / "adapter_model.safetensors").write_bytes(b"{}")
    with pytest.raises(Refusal, match="does not go with the base model"):
        train(small(2, replay=0.2), second.data, tmp_path / "output", base=str(base), adapter=adapter)


def test_what_is_tried_at_checkpoints_is_drawn_from_all_that_there_is() -> None:
    rows = Dataset.from_dict({"at": list(range(100))})
    drawn = some(rows, 10, seed=0)["at"]
    assert drawn == some(rows, 10, seed=0)["at"] != some(rows, 10, seed=1)["at"]
    assert len(set(drawn)) == 10 and max(drawn) > 50
    assert sorted(some(rows, 1000, seed=0)["at"]) == rows["at"][:]
    assert some(rows, 0, seed=0) is None


def test_texts_are_refused_where_the_base_is_asked_not_to_think(base: Path, tmp_path: Path) -> None:
    mute = tmp_path / "mute"
    shutil.copytree(base, mute)
    tiny_processor(qwen3_5_nothink_chat_template).save_pretrained(mute)
    rows = painted("C1", 1)
    plain = export(tmp_path / "plain", rows, 1)
    made = train(small(1, steps=1, effective_batch_size=4, batch_per_process=4), plain, tmp_path / "a", base=str(mute))
    assert made.steps == 1
    told = export(tmp_path / "told", rows, 1, thought="The sky is white.")
    with pytest.raises(Refusal, match=r"asked to answer without thinking.+ export with --no-reasoning"):
        train(small(1, steps=1), told, tmp_path / "b", base=str(mute))
    made = train(small(1, steps=1, effective_batch_size=4, batch_per_process=4), told, tmp_path / "c", base=str(base))
    assert made.steps == 1


def test_two_trainings_do_not_share_a_folder(first: Stage, tmp_path: Path) -> None:
    record = read_record(first.output)
    other = begun(tmp_path / "output", record, resume=True)
    with begun(tmp_path / "output", record, resume=False), pytest.raises(Refusal, match="Another training is at work"):
        other.__enter__()


def test_deepspeed_is_asked_for_where_many_train_and_named_where_it_is_missing() -> None:
    run = small(1, zero=2).run
    assert deepspeed_of(run, 1) is None
    assert zero_config(run)["zero_optimization"]["stage"] == 2
    with pytest.raises(Refusal, match="pip install deepspeed"):
        deepspeed_of(run, 8)
