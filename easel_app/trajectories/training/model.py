"""Base model, processor and adapter: loading them, and answering with them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from peft import PeftConfig, PeftModel, get_peft_model_state_dict, load_peft_weights, set_peft_model_state_dict
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoProcessor, set_seed

from easel_app.runs.prompts import Message
from easel_app.services.problems import Conflict, NotFound
from easel_app.trajectories.training.serving import Answer, Asked

DTYPES = {"bf16": torch.bfloat16, "float32": torch.float32}


def load_processor(name: str) -> Any:
    """The processor of a model, by its folder or its name on the Hub. Raises NotFound."""
    return _loaded(AutoProcessor.from_pretrained, name, "processor")


def load_base(name: str, precision: str) -> Any:
    """A vision-language model, by its folder or its name on the Hub. Raises NotFound."""
    return _loaded(AutoModelForImageTextToText.from_pretrained, name, "vision-language model", dtype=DTYPES[precision])


def load_adapter(model: Any, adapter: Path) -> Any:
    """The model with an adapter that was trained, to answer with. Raises NotFound."""
    with _of_adapter(adapter):
        # what is trained is kept in 32 bits; what answers has the numbers of the base model
        return PeftModel.from_pretrained(model, str(adapter), autocast_adapter_dtype=False)


def go_on_from(model: Any, adapter: Path) -> None:
    """Give a model's new adapter the numbers of one that was trained; all else, such as dropout, stays its own.

    Raises:
        NotFound: there is no adapter, or it is of another base model.
        Conflict: it was configured otherwise; the message names the differences.
    """
    with _of_adapter(adapter):
        before, numbers = PeftConfig.from_pretrained(str(adapter)), load_peft_weights(str(adapter), device="cpu")
    now, told = model.peft_config["default"], []
    for name, field in (("rank", "r"), ("alpha", "lora_alpha"), ("rsLoRA", "use_rslora"), ("DoRA", "use_dora")):
        old, new = getattr(before, field, None), getattr(now, field)
        told += [f"{name}: {old}, not {new}"] if old != new else []
    mine = get_peft_model_state_dict(model)
    for name, lora in (("targets", True), ("modules trained in full", False)):
        there, here = modules(numbers, lora), modules(mine, lora)
        told += [f"{name}: {_few(there - here)} there alone"] if there - here else []
        told += [f"{name}: {_few(here - there)} here alone"] if here - there else []
    if told:
        told_all = "; ".join(told)
        message = f"{adapter} is of another configuration ({told_all}); make [adapter] the same in both stages."
        raise Conflict("other_adapter", message)
    with _of_adapter(adapter):
        set_peft_model_state_dict(model, numbers)


def modules(names: Iterable[str], lora: bool) -> set[str]:
    """Modules that numbers of an adapter, by their names, are of: of LoRA's, or of those that are trained in full."""
    found = {name.removeprefix("base_model.model.") for name in names if (".lora_" in name) is lora}
    return {name.partition(".lora_")[0] if lora else name.rpartition(".")[0] for name in found}


def _few(names: set[str]) -> str:
    first = sorted(names)[:2]
    return ", ".join(first) + (f" and {len(names) - len(first)} more" if len(names) > len(first) else "")


@contextmanager
def _of_adapter(adapter: Path) -> Iterator[None]:
    """Read an adapter within this. Raises NotFound: it is none, or of another base model."""
    if not (adapter / "adapter_config.json").exists():
        advice = f"; its adapter is in {adapter / 'adapter'}" if (adapter / "adapter").is_dir() else ""
        raise NotFound("no_adapter", f"{adapter} holds no adapter: there is no adapter_config.json in it{advice}.")
    try:
        yield
    except Exception as error:  # a damaged file makes its readers raise whatever they like
        message = f"The adapter in {adapter} does not go with the base model ({_line(error)}); name the right one."
        raise NotFound("no_adapter", message) from error


def _loaded(load: Any, name: str, what: str, **options: Any) -> Any:
    try:
        return load(name, **options)
    except (OSError, ValueError) as error:
        message = f"No {what} can be had from {name!r} ({_line(error)}); name a folder, or a model on the Hub."
        raise NotFound("no_model", message) from error


def _line(error: Exception) -> str:
    """The first line of an error, short."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")


class AdapterModel:
    """A model that answers chats with pictures, one at a time."""

    def __init__(self, model: Any, processor: Any) -> None:
        """Take a model of transformers, with or without an adapter, and its processor."""
        self._model, self._processor = model.eval(), processor
        self._lock = threading.Lock()
        ends = model.generation_config.eos_token_id
        self._ends = {processor.tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])} - {None}

    @classmethod
    def load(cls, base: str, adapter: Path, precision: str) -> AdapterModel:
        """A base model with an adapter, on the accelerator if there is one. Raises NotFound."""
        device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else "cpu"
        processor = load_processor(str(adapter) if (adapter / "processor_config.json").exists() else base)
        model = load_adapter(load_base(base, precision), adapter).to(device)
        return cls(model, processor)

    def tokens(self, messages: Sequence[Message], images: Sequence[Image.Image]) -> Any:
        """What the model is fed with: the question with the template's opening of the answer at its end."""
        text = self._processor.apply_chat_template(list(messages), tokenize=False, add_generation_prompt=True)
        pictures = [list(images)] if images else None
        return self._processor(text=[text], images=pictures, return_tensors="pt", add_special_tokens=False)

    def answer(self, asked: Asked) -> Answer:
        """Answer a chat. Raises ValueError where the chat template takes no such messages."""
        with self._lock, torch.inference_mode():
            try:
                inputs = self.tokens(asked.messages, asked.images).to(self._model.device)
            except Exception as error:  # a template raises whatever it likes
                raise ValueError(f"the model's chat template takes no such messages ({_line(error)})") from error
            if asked.seed is not None:
                set_seed(asked.seed)
            warm = {"do_sample": True, "temperature": asked.temperature, "top_p": 1.0, "top_k": 0}
            made = self._model.generate(
                **inputs,
                max_new_tokens=asked.max_tokens,
                pad_token_id=self._processor.tokenizer.pad_token_id,
                **(warm if asked.temperature else {"do_sample": False}),
            )
        length = inputs["input_ids"].shape[1]
        told = made[0, length:].tolist()
        end = next((at for at, token in enumerate(told) if token in self._ends), None)
        text = self._processor.tokenizer.decode(told[:end], skip_special_tokens=False)
        return Answer(text, length, len(told), whole=end is not None)
