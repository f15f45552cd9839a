"""Chats as JSON lines with `<image>` in their texts and pictures as files, as LLaMA-Factory reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from easel_app.painting.showing import PLAIN, Look
from easel_app.runs.prompts import Message
from easel_app.trajectories.folder import SPLITS, Shard, Split
from easel_app.trajectories.reading import Sample
from easel_app.trajectories.training.layout import Chat

NAME = "llama-factory"
PICTURE = "<image>"
INFO = "dataset_info.json"
TAGS = {
    "role_tag": "role",
    "content_tag": "content",
    "user_tag": "user",
    "assistant_tag": "assistant",
    "system_tag": "system",
}


class Layout:
    """Writes chats into a folder: a file of lines for each split, and the pictures."""

    def __init__(self, folder: Path, name: str, look: Look = PLAIN) -> None:
        """Begin in an empty folder; `name` is of the whole, and what configurations of LLaMA-Factory call it by."""
        self._folder, self._name = folder, name
        self._file: IO[str] | None = None
        self._splits: list[Split] = []

    @contextmanager
    def shard(self, shard: Shard) -> Iterator[None]:
        """Write what is added within to the lines of a shard's split. Raises OSError."""
        if shard.split not in self._splits:
            self._splits.append(shard.split)
        with (self._folder / f"{shard.split}.jsonl").open("a", encoding="utf-8") as self._file:
            yield

    def add(self, sample: Sample, chat: Chat) -> None:
        """Add a chat. Raises OSError."""
        assert self._file is not None  # noqa: S101  called within a shard
        key = sample.reference_key
        names = (f"images/{key[:2]}/{key}.png", f"images/{key[:2]}/{key}-{sample.step}.png")
        for name, picture in zip(names, chat.images, strict=True):
            self._keep(self._folder / name, picture)
        messages = [{"role": each["role"], "content": flat(each)} for each in (*chat.prompt, *chat.completion)]
        self._file.write(json.dumps({"messages": messages, "images": names}, ensure_ascii=False) + "\n")

    def finish(self) -> None:
        """Write what tells LLaMA-Factory where all is. Raises OSError."""
        info = {name_of(self._name, split): self._told(split) for split in SPLITS if split in self._splits}
        (self._folder / INFO).write_text(json.dumps(info, indent=2) + "\n", encoding="utf-8")

    @staticmethod
    def _told(split: Split) -> dict[str, Any]:
        columns = {"messages": "messages", "images": "images"}
        return {"file_name": f"{split}.jsonl", "formatting": "sharegpt", "columns": columns, "tags": TAGS}

    @staticmethod
    def _keep(path: Path, picture: bytes) -> None:
        """Write a picture unless it is there: a reference, or a canvas that is of C1 and of C2."""
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(picture)


def flat(message: Message) -> str:
    """The content of a message as one text, `<image>` where a picture stands."""
    return "".join(part["text"] if part["type"] == "text" else PICTURE for part in message["content"])


def name_of(name: str, split: Split) -> str:
    """What a split is called by: the whole's name for training."""
    return name if split == "train" else f"{name}_{split}"


def usage(name: str) -> str:
    """How the folder is used, in Markdown."""
    return f"""\
Lines have `messages` (with `{PICTURE}` where a picture stands) and `images`, in the manner of ShareGPT, for
LLaMA-Factory: `dataset_dir: THIS_FOLDER` and `dataset: {name}`. The pictures' places are relative, so set
`media_dir: THIS_FOLDER` too.
"""
