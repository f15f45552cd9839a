"""A vision-language model of the base model's own class with 0.4 million numbers, made from nothing but a seed.

`tiny_base` writes it to a folder with a tokenizer that is trained on our own prompts, and a processor: what
`from_pretrained` loads as it would the real one.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    GenerationConfig,
    PreTrainedTokenizerFast,
    Qwen2VLImageProcessor,
    Qwen3_5Config,
    Qwen3_5ForConditionalGeneration,
    Qwen3VLProcessor,
    Qwen3VLVideoProcessor,
)
from trl.chat_template_utils import qwen3_5_think_chat_template

from easel_app.trajectories.training.layout import answer_of, question

END, PAD = "<|im_end|>", "<|endoftext|>"
VISION = ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
SPECIAL = (PAD, "<|im_start|>", END, *VISION)
BLOCKS = 5
"""Of the vision encoder: one more than are trained in full."""
WIDTH = 64


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    """Bytes, and the words of our prompts; each digit by itself, as in the real one."""
    texts = [json.dumps(question(size, strokes)) for size in (64, 128) for strokes in (32, 250)]
    texts = [part["text"] for text in texts for each in json.loads(text) for part in each["content"] if "text" in part]
    texts += [answer_of([at] * 13) for at in range(10)]
    tokenizer = Tokenizer(models.BPE())
    digits, bytes_ = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, bytes_])
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=2000, special_tokens=list(SPECIAL), initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts * 2, trainer)
    tokenizer.add_tokens([AddedToken("<think>", special=False), AddedToken("</think>", special=False)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END, pad_token=PAD, additional_special_tokens=list(SPECIAL[1:])
    )


def tiny_processor(chat_template: str = qwen3_5_think_chat_template) -> Qwen3VLProcessor:
    """A processor as of Qwen3.5: pictures of 64 px become four tokens."""
    images = Qwen2VLImageProcessor(patch_size=16, merge_size=2, min_pixels=32 * 32, max_pixels=128 * 128)
    return Qwen3VLProcessor(
        image_processor=images,
        tokenizer=tiny_tokenizer(),
        video_processor=Qwen3VLVideoProcessor(),
        chat_template=chat_template,
    )


def tiny_model(processor: Qwen3VLProcessor, seed: int = 0) -> Qwen3_5ForConditionalGeneration:
    """A model with random numbers: one layer of linear attention, one of full attention."""
    start, end, image, video = (processor.tokenizer.convert_tokens_to_ids(token) for token in VISION)
    ends, pad = processor.tokenizer.eos_token_id, processor.tokenizer.pad_token_id
    text = {
        "vocab_size": len(processor.tokenizer),
        "hidden_size": WIDTH,
        "intermediate_size": 2 * WIDTH,
        "num_hidden_layers": 2,
        "layer_types": ["linear_attention", "full_attention"],
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 2,
        "linear_key_head_dim": 16,
        "linear_value_head_dim": 16,
        "initializer_range": 0.2,  # of the usual 0.02 a frozen output layer could tell nothing apart
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 10_000.0,
            "partial_rotary_factor": 0.5,
            "mrope_section": [2, 1, 1],
            "mrope_interleaved": True,
        },
        "eos_token_id": ends,
        "pad_token_id": pad,
    }
    vision = {
        "depth": BLOCKS,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_heads": 2,
        "out_hidden_size": WIDTH,
        "num_position_embeddings": 64,
        "patch_size": 16,
        "initializer_range": 0.1,  # of 0.02 pictures would hardly be seen beside words
    }
    config = Qwen3_5Config(
        text_config=text,
        vision_config=vision,
        image_token_id=image,
        video_token_id=video,
        vision_start_token_id=start,
        vision_end_token_id=end,
    )
    torch.manual_seed(seed)
    model = Qwen3_5ForConditionalGeneration(config)
    model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=pad)
    return model


def tiny_base(folder: Path, seed: int = 0) -> Path:
    """Write model and processor to a folder, and return it."""
    processor = tiny_processor()
    tiny_model(processor, seed).save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
