"""From chats to a batch whose loss is of the answers alone.

A question is tokenised as an endpoint does it, with the template's opening of the answer at its end, and the answer's
tokens are put after it. So the model learns to go on from the very tokens that it will be asked with, and no token
straddles the two. What is learnt includes the token that ends the turn.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from PIL import Image

from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.runs.prompts import Message
from easel_app.services.problems import Unsupported
from easel_app.trajectories.training.layout import answer_of, question, text_block, thoughts_of

IGNORED = -100
"""Label of a token that has no part in the loss."""
Row = Mapping[str, Any]


class Collator:
    """Makes batches of rows with `prompt`, `completion` and `images`; can be pickled if the processor can."""

    def __init__(self, processor: Any, length: int) -> None:
        """Take a processor of transformers with a chat template, and the most tokens of a sample."""
        self._processor, self._length = processor, length
        tokenizer = processor.tokenizer
        pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
        self._padding = {"input_ids": pad, "labels": IGNORED}

    def __call__(self, rows: Sequence[Row]) -> dict[str, Any]:
        """The batch, padded on the right.

        Returns:
            `input_ids`, `attention_mask`, `labels` (int64, (rows, longest)) and whatever else the processor makes of
            questions with pictures; a label is the token itself where it is of an answer, else -100.

        Raises:
            ValueError: a sample is too long, or the chat template does not show where an answer begins.
        """
        texts = [split(self._processor, row["prompt"], row["completion"]) for row in rows]
        asked = self._processor(
            text=[question for question, _ in texts],
            images=[[opened(image) for image in row["images"]] for row in rows],
            padding=True,
            return_tensors="pt",
            add_special_tokens=False,
        )
        answers = self._processor.tokenizer([answer for _, answer in texts], add_special_tokens=False)["input_ids"]
        mask = asked["attention_mask"].bool()
        by_token = [name for name, value in asked.items() if value.shape == mask.shape]
        joined: dict[str, list[torch.Tensor]] = {name: [] for name in (*by_token, "labels")}
        for at, answer in enumerate(answers):
            told = torch.tensor(answer, dtype=torch.int64)
            filling = {"input_ids": told, "attention_mask": torch.ones_like(told)}
            for name in by_token:
                joined[name].append(torch.cat([asked[name][at][mask[at]], filling.get(name, torch.zeros_like(told))]))
            joined["labels"].append(torch.cat([torch.full((int(mask[at].sum()),), IGNORED), told]))
        longest = max(map(len, joined["labels"]))
        if longest > self._length:
            at = max(range(len(rows)), key=lambda each: len(joined["labels"][each]))
            raise ValueError(
                f"the sample of step {rows[at].get('step')} of {rows[at].get('reference_key')} has {longest} tokens, "
                f"more than data.length, {self._length}: raise it, or export with smaller pictures"
            )
        whole = {
            name: torch.nn.utils.rnn.pad_sequence(values, batch_first=True, padding_value=self._padding.get(name, 0))
            for name, values in joined.items()
        }
        return {**{name: value for name, value in asked.items() if name not in whole}, **whole}


def split(processor: Any, prompt: list[Message], completion: list[Message]) -> tuple[str, str]:
    """The text that a model is asked with, up to where its answer begins, and the text of the answer with its end.

    Args:
        processor: a processor or tokenizer of transformers with a chat template.
        prompt: messages up to the user's.
        completion: the assistant's.

    Raises:
        ValueError: the chat template does not show where the answer begins, or leaves its thoughts out.
    """
    prompt, completion = _plain(prompt), _plain(completion)
    asked: str = processor.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True)
    whole: str = processor.apply_chat_template([*prompt, *completion], tokenize=False)
    thoughts = thoughts_of(completion[0]["content"][0]["text"])
    if thoughts and not (whole.startswith(asked) and thoughts in whole[len(asked) :]):
        raise ValueError(
            "by its chat template the model is asked to answer without thinking, so that it cannot learn the texts "
            "before the answers: export with --no-reasoning, or take a base model that thinks when it is told nothing"
        )
    if not whole.startswith(asked) or not whole[len(asked) :].strip():
        raise ValueError(
            "the chat template writes a question differently when an answer follows, so that nobody can tell where the "
            "answer begins: give the model's processor a template that does not"
        )
    return asked, whole[len(asked) :]


def check_template(processor: Any, thoughts: bool) -> None:
    """Refuse a chat template by which answers, with thoughts or without, cannot be learnt as they are asked for.

    Raises:
        Unsupported: it is one.
    """
    try:
        for thought in (None, "A thought.") if thoughts else (None,):
            answer = text_block(answer_of([0] * len(STROKE_FIELDS), thought))
            split(processor, question(128, 1), [{"role": "assistant", "content": [answer]}])
    except ValueError as error:
        raise Unsupported("chat_template", f"The base model does not go with the data: {error}.") from error


def opened(image: Any) -> Image.Image:
    """A picture as `datasets` gives it, decoded or not, as RGB."""
    if isinstance(image, Mapping):
        image = image["bytes"]
    if isinstance(image, bytes):
        image = Image.open(io.BytesIO(image))
    picture: Image.Image = image.convert("RGB")
    return picture


def _plain(messages: list[Message]) -> list[Message]:
    """Messages without the empty fields that a table gives to parts of another type."""
    plain = []
    for message in messages:
        parts = [{key: value for key, value in part.items() if value is not None} for part in message["content"]]
        plain.append({"role": message["role"], "content": parts})
    return plain
