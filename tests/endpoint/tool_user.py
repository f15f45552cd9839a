"""A model that uses tools, by what a request shows it: it keeps nothing between two requests.

It plays the samples with the calls and the answers that the sample models have there, and knows a play for any other
prompt. A judge of the samples gives the verdicts that stand there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.endpoint.app import Answer, Body, Headers, Script
from tests.endpoint.faults import error
from tests.endpoint.judge import Asked, asked, met, verdict
from tests.endpoint.painter import completion

SAMPLES = Path(__file__).parents[2] / "data" / "rubrics" / "sample.jsonl"
FILES = re.compile(r"(?:\n\n)?In the working folder of your Python code[^:]*: (.*)\.\Z")
ORIGINAL = re.compile(r"original_image(?:_(\d+))?\.png")
OTHER_NAMES = {"google_search": "web_search", "browser_get_page_text": "browser-get-page-text"}
NO_PICTURES = "Invalid content of messages[{}]: image_url is only supported in messages of the user, not of a tool."


class Wish(NamedTuple):
    """A call."""

    name: str
    arguments: Mapping[str, Any] | str
    """A text is sent as it is, malformed or not."""


@dataclass(frozen=True)
class Play:
    """What the model does for one prompt."""

    rounds: Sequence[Sequence[Wish]]
    """Its calls; several in a round are sent in one reply."""
    answer: str
    """What it says at the end."""
    without: str = "I cannot tell without the right tools."
    """What it says instead where some of its tools are not offered."""
    endless: bool = False
    """Whether it begins its calls again and again."""


@dataclass(frozen=True)
class Seen:
    """What a request shows the model."""

    prompt: str
    """Of the present turn."""
    files: list[str]
    """In the working folder."""
    offered: frozenset[str]
    rounds: int
    """Rounds with calls in this turn, so far."""
    results: list[Any]
    """What its calls brought, in order."""
    pictures: list[str]
    """Addresses of all pictures, in order."""
    made: int
    """How many of them tools made in this turn."""


CROP = """\
from PIL import Image
im = Image.open("original_image.png").convert("RGB")
w, h = im.size
im.crop((w // 4, h // 4, 3 * w // 4, 3 * h // 4)).resize((w, h)).save("transformed_image_0.png")
print(im.size)"""
ANY = Play(
    rounds=[
        [Wish("python_image_processing", {"code": CROP})],
        [Wish("calculator", {"expression": "(128 - 28) / 128"})],
    ],
    answer="It is blue, and there are seven of them.",
    without="It is blue.",
)
"""For prompts that are in no play."""


def tool_user(plays: Mapping[str, Play] | None = None, otherwise: Play = ANY, refuses_pictures: bool = False) -> Script:
    """A model that uses tools.

    Args:
        plays: what it does, by prompt; None: those of the samples.
        otherwise: what it does for other prompts.
        refuses_pictures: whether its endpoint takes no pictures in a tool's message.
    """
    known = samples() if plays is None else plays

    def script(number: int, body: Body, headers: Headers) -> Answer:
        at = next((at for at, each in enumerate(body["messages"]) if each["role"] == "tool" and _images(each)), None)
        if refuses_pictures and at is not None:
            return error(400, NO_PICTURES.format(at), "invalid_value")
        shown = seen(body)
        play = known.get(shown.prompt, otherwise)
        able = [[wish for wish in wishes if wish.name in shown.offered] for wishes in play.rounds]
        rounds = [wishes for wishes in able if wishes]
        if rounds and (play.endless or shown.rounds < len(rounds)):
            wishes = [_placed(wish, shown.files) for wish in rounds[shown.rounds % len(rounds)]]
            return calling(body, wishes, f"Let me look closer ({shown.rounds + 1})." if shown.rounds % 2 == 0 else None)
        whole = able == [list(wishes) for wishes in play.rounds]
        return completion(body, {"content": play.answer if whole else play.without})

    return script


def seen(body: Body) -> Seen:
    """What a request shows, read with a parser of its own; prompts are messages of the user not right after tools."""
    messages = body["messages"]
    prompts = [at for at, each in enumerate(messages) if each["role"] == "user" and messages[at - 1]["role"] != "tool"]
    now = messages[prompts[-1] + 1 :]
    text = "\n".join(part["text"] for part in _parts(messages[prompts[-1]]) if part["type"] == "text")
    listed = FILES.search(text)
    offered = {tool["function"]["name"] for tool in body.get("tools") or []}
    return Seen(
        prompt=FILES.sub("", text),
        files=listed[1].split(", ") if listed else [],
        offered=frozenset(offered | {OTHER_NAMES[name] for name in offered & OTHER_NAMES.keys()}),
        rounds=sum(bool(each.get("tool_calls")) for each in now),
        results=[json.loads(_parts(each)[0]["text"]) for each in now if each["role"] == "tool"],
        pictures=[url for each in messages for url in _images(each)],
        made=sum(len(_images(each)) for each in now),
    )


def calling(
    body: Body, wishes: Sequence[Wish], content: str | None = None, finish_reason: str = "tool_calls"
) -> Answer:
    """A reply with calls, whose ids are of no other reply of the dialogue."""
    asked_for = [
        {
            "id": f"call_{len(body['messages'])}_{at}",
            "type": "function",
            "function": {
                "name": wish.name,
                "arguments": wish.arguments if isinstance(wish.arguments, str) else json.dumps(wish.arguments),
            },
        }
        for at, wish in enumerate(wishes)
    ]
    return completion(body, {"content": content, "tool_calls": asked_for}, finish_reason)


@cache
def samples(model: str = "sample-model-a", without: str = "sample-model-b") -> Mapping[str, Play]:
    """What a sample model does for each prompt of the samples; without its tools it answers as the other one does."""
    tasks, answers = _samples("task"), _samples("answer")
    plays = {}
    for task in tasks:
        own, other = (
            next(each["turns"] for each in answers if (each["task_id"], each["model"]) == (task["id"], name))
            for name in (model, without)
        )
        for turn, said, instead in zip(task["turns"], own, other, strict=True):
            wishes = [Wish(call["name"], call["arguments"]) for call in said.get("calls", [])]
            play = Play(_spread(wishes, said["rounds"] - 1), said["text"], instead["text"])
            plays[turn["prompt"]] = play
    return plays


def in_one_reply(plays: Mapping[str, Play]) -> dict[str, Play]:
    """The same plays with all calls of a turn in one reply."""
    return {
        prompt: replace(play, rounds=[[wish for wishes in play.rounds for wish in wishes]] if play.rounds else [])
        for prompt, play in plays.items()
    }


def sample_judge(number: int, body: Body, headers: Headers) -> Answer:
    """A judge that says of answers of the samples what the first sample judge says, and of others what words say."""
    return completion(body, {"content": verdict(asked(body), _as_in_the_samples)})


def _as_in_the_samples(shown: Asked) -> bool:
    said = _verdicts().get((shown.answer, shown.criterion))
    return met(shown) if said is None else said


@cache
def _verdicts() -> dict[tuple[str, str], bool]:
    items = {
        (task["id"], number, item["id"]): item["description"]
        for task in _samples("task")
        for number, turn in enumerate(task["turns"], 1)
        for item in turn["rubric"]
    }
    texts = {(each["task_id"], each["model"]): [turn["text"] for turn in each["turns"]] for each in _samples("answer")}
    found = {}
    for each in reversed(_samples("verdict")):  # the first judge's are to stand
        if each.get("verdict"):
            number = each.get("turn", 1)
            text = texts[each["task_id"], each["model"]][number - 1]
            found[text, items[each["task_id"], number, each["item_id"]]] = each["verdict"] == "met"
    return found


@cache
def _samples(kind: str) -> list[dict[str, Any]]:
    entries = [json.loads(line) for line in SAMPLES.read_text("utf-8").splitlines()]
    return [entry for entry in entries if entry["type"] == kind]


def _spread(wishes: Sequence[Wish], rounds: int) -> list[list[Wish]]:
    """Calls over rounds: one in each, the last with all that are left."""
    alone = [[wish] for wish in wishes[: max(rounds - 1, 0)]]
    rest = list(wishes[len(alone) :])
    return [*alone, rest] if rest else alone


def _placed(wish: Wish, files: Sequence[str]) -> Wish:
    """A call whose code names the files as they are called here."""

    def name(found: re.Match[str]) -> str:
        at = int(found[1] or 1) - 1
        return files[at] if at < len(files) else found[0]

    if isinstance(wish.arguments, str) or "code" not in wish.arguments:
        return wish
    return Wish(wish.name, {**wish.arguments, "code": ORIGINAL.sub(name, wish.arguments["code"])})


def _parts(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])


def _images(message: Mapping[str, Any]) -> list[str]:
    return [part["image_url"]["url"] for part in _parts(message) if part["type"] == "image_url"]
