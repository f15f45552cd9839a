"""The loss is of the answers alone, and questions have the tokens that an endpoint would ask with."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from trl import chat_template_utils
from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

from easel_app.services.problems import Refusal
from easel_app.trajectories.reading import Sample
from easel_app.trajectories.training.collator import IGNORED, Collator, check_template, opened, split
from easel_app.trajectories.training.layout import Chat, chat_of
from easel_app.trajectories.training.model import AdapterModel
from easel_app.trajectories.training.serving import Asked
from tests_train.samples import samples
from tests_train.tiny import END, tiny_model, tiny_processor, tiny_tokenizer

THOUGHTS = st.text(st.characters(codec="utf-8", exclude_characters="<>"), max_size=60)
TEMPLATES = sorted(
    name
    for name, text in vars(chat_template_utils).items()
    if name.endswith("_chat_template") and "training" not in name and isinstance(text, str) and "image" in text
)
"""Those of all vision-language models whose templates TRL knows."""


@cache
def processor() -> Any:
    return tiny_processor()


@cache
def painted() -> tuple[Sample, ...]:
    return tuple(each for number in range(3) for each in samples(number, "C1", 4))


def row(chat: Chat) -> dict[str, Any]:
    return {"prompt": chat.prompt, "completion": chat.completion, "images": list(chat.images)}


@given(st.lists(st.tuples(st.integers(0, 11), st.none() | THOUGHTS), min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_everything_but_the_answers_is_masked(chosen: list[tuple[int, str | None]]) -> None:
    chats = [chat_of(painted()[at], thought) for at, thought in chosen]
    batch = Collator(processor(), 8192)([row(chat) for chat in chats])
    tokenizer = processor().tokenizer
    learnt = batch["labels"] != IGNORED
    assert torch.equal(batch["labels"][learnt], batch["input_ids"][learnt])
    assert not learnt[batch["attention_mask"] == 0].any()
    assert not learnt[batch["mm_token_type_ids"] != 0].any()
    for at, chat in enumerate(chats):
        text = tokenizer.decode(batch["labels"][at][learnt[at]])
        assert text.count("</think>") == 1  # of which a model that thinks has the end to say, even of no thoughts
        assert text.rpartition("</think>")[2].strip() == chat.answer.rpartition("</think>")[2].strip() + END
        places = learnt[at].nonzero().flatten()
        assert torch.equal(places, torch.arange(int(places[0]), int(batch["attention_mask"][at].sum())))


@given(st.integers(0, 11), st.none() | THOUGHTS)
@settings(max_examples=15, deadline=None)
def test_a_question_has_the_tokens_that_the_endpoint_asks_with(at: int, thought: str | None) -> None:
    chat = chat_of(painted()[at], thought)
    batch = Collator(processor(), 8192)([row(chat)])
    asked = AdapterModel(_model(), processor()).tokens(chat.prompt, [opened(image) for image in chat.images])
    first = int((batch["labels"][0] != IGNORED).nonzero()[0])
    assert torch.equal(batch["input_ids"][0, :first], asked["input_ids"][0])
    for name in ("pixel_values", "image_grid_thw"):
        assert torch.equal(batch[name], asked[name])


@cache
def _model() -> Any:
    return tiny_model(processor())


def test_rows_of_several_lengths_are_padded_on_the_right() -> None:
    rows = [row(chat_of(painted()[0])), row(chat_of(painted()[1], "The lower half is still white. " * 3))]
    batch = Collator(processor(), 8192)(rows)
    alone = [Collator(processor(), 8192)([each]) for each in rows]
    for at, one in enumerate(alone):
        length = one["input_ids"].shape[1]
        for name in ("input_ids", "labels", "attention_mask", "mm_token_type_ids"):
            assert torch.equal(batch[name][at, :length], one[name][0])
        assert not batch["attention_mask"][at, length:].any()
        assert (batch["labels"][at, length:] == IGNORED).all()
    assert torch.equal(batch["pixel_values"], torch.cat([one["pixel_values"] for one in alone]))


def test_trl_s_own_collator_makes_the_same_of_the_same_rows() -> None:
    rows = [row(chat_of(each)) for each in painted()[:3]]
    theirs = DataCollatorForVisionLanguageModeling(processor(), completion_only_loss=True)(
        [{**each, "images": [opened(image) for image in each["images"]]} for each in rows]
    )
    ours = Collator(processor(), 8192)(rows)
    assert set(theirs) == set(ours)
    for name, value in theirs.items():
        assert torch.equal(value, ours[name]), name


def test_a_sample_that_is_too_long_is_named_and_never_cut() -> None:
    sample = painted()[5]
    told = {**row(chat_of(sample)), "step": sample.step, "reference_key": sample.reference_key}
    with pytest.raises(ValueError, match=f"step 1 of {sample.reference_key} has [0-9]+ tokens, more than data.length"):
        Collator(processor(), 100)([told])


@pytest.mark.parametrize("name", TEMPLATES)
def test_where_an_answer_begins_is_found_in_other_models_templates_too(name: str) -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = getattr(chat_template_utils, name)
    chat = chat_of(painted()[2])
    question, answer = split(tokenizer, chat.prompt, chat.completion)
    assert chat.answer in answer and chat.answer not in question
    assert "What is the next stroke?" in question and "The canvas:" in question


def test_thoughts_are_refused_where_a_template_asks_for_none_or_leaves_them_out() -> None:
    thoughtful = chat_of(painted()[2], "The sky is white.")
    mute = chat_template_utils.qwen3_5_nothink_chat_template
    drops = "{% for each in messages %}{{ each.role }}: {{ each.content[-1].text.split('</think>')[-1] }}{% endfor %}"
    for template in (mute, drops + "{% if add_generation_prompt %}assistant: {% endif %}"):
        tokenizer = tiny_tokenizer()
        tokenizer.chat_template = template
        check_template(tokenizer, thoughts=False)
        with pytest.raises(Refusal, match="cannot learn the texts before the answers"):
            check_template(tokenizer, thoughts=True)
        with pytest.raises(ValueError, match="cannot learn the texts"):
            split(tokenizer, thoughtful.prompt, thoughtful.completion)
    check_template(processor(), thoughts=True)


def test_a_template_that_hides_where_an_answer_begins_is_refused() -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = "{{ messages | length }}{% for message in messages %}{{ message.role }}{% endfor %}"
    chat = chat_of(painted()[2])
    with pytest.raises(ValueError, match="nobody can tell where the answer begins"):
        split(tokenizer, chat.prompt, chat.completion)


def test_the_endpoint_takes_the_chat_as_it_was_trained() -> None:
    chat = chat_of(painted()[0])
    images = [opened(image) for image in chat.images]
    answer = AdapterModel(_model(), processor()).answer(Asked(chat.prompt, images, 0.0, 5, None))
    assert (answer.completion_tokens, answer.whole) == (5, False)
    assert answer.prompt_tokens == Collator(processor(), 8192)([row(chat)])["labels"].eq(IGNORED).sum()
