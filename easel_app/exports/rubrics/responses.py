"""A set's answers as the authors' own scripts write them (github.com/xi1ngang/VisualToolBench): a file a player.

A file is a JSON list, an object a task, which their judge takes as it is. What that form has no place for stands under
one key more (`rubrics.reading.beside`), so that the studio reads back what it wrote. Pictures lie beside the files, and
observations name them as they are called there.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from easel_app.exports.files import File
from easel_app.exports.packages import MISSING, path_of
from easel_app.exports.rubrics.columns import rubric_of
from easel_app.exports.rubrics.content import Content
from easel_app.rubrics.reading.beside import KEY, Beside, CallBeside, TurnBeside
from easel_app.rubrics.records import Answer, AnswerTurn, Ending, Task, ToolCall, Turn
from easel_app.services.rubrics.rows import task_of
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.sources.fields import Picture
from easel_app.store.rubrics import AnswerKey

_UNSAFE = re.compile(r"[^\w ()+,=@.-]")
_MOST_NAME = 120
"""Bytes of a file's name without its ending."""


class Responses:
    """The files of a set's answers."""

    def __init__(self, rubrics: Rubrics, content: Content) -> None:
        """Prepare to write all answers of a set."""
        self._rubrics, self._content = rubrics, content
        by_player: dict[tuple[str, int], list[AnswerKey]] = defaultdict(list)
        for key in content.answer_keys:
            by_player[key.model, key.attempt].append(key)
        self._players = dict(zip(_file_names(list(by_player)), by_player.values(), strict=True))
        self.missing: list[str] = []
        """Paths of pictures whose file is no longer in the data folder, known once all files were made."""

    @property
    def names(self) -> list[str]:
        """The files of answers: one for each player, and for each further attempt of one."""
        return list(self._players)

    def files(self) -> Iterator[File]:
        """All of them, each to be read before the next one is asked for."""
        pictures: dict[str, Picture] = {}
        for name, keys in self._players.items():
            yield File(name, self._list(keys, pictures), large=True)
        for path, picture in pictures.items():
            content = self._content.picture(picture.digest)
            if content is None:
                self.missing.append(path)
            else:
                yield File(path, [content])
        if self.missing:
            told = "These pictures are no longer in the studio's data folder:"
            yield File(MISSING, ["\n".join([told, *self.missing, ""]).encode()])

    def _list(self, keys: Sequence[AnswerKey], pictures: dict[str, Picture]) -> Iterator[bytes]:
        before = "[\n"
        for key in keys:
            row, asked = self._rubrics.store.answer(key.id), self._rubrics.store.task_of(key.task)
            if row and asked:
                task = task_of(asked, self._content.items[key.task])
                answer = Answer.model_validate(row.record)
                pictures |= {path_of(picture): picture for picture in _pictures(task, answer)}
                yield f"{before}{json.dumps(response(task, answer), ensure_ascii=False)}".encode()
                before = ",\n"
        yield b"\n]\n" if before != "[\n" else b"[]\n"


def response(task: Task, answer: Answer) -> dict[str, Any]:
    """An answer with its task, as the authors' scripts write it."""
    about = {"turncase": task.turn_kind, "eval_focus": task.category, "prompt_category": task.domain}
    turns = [_turn(asked, said) for asked, said in zip(task.turns, answer.turns, strict=True)]
    ids = {"id": task.id, "task_id": task.id}
    beside = Beside(
        model=answer.model,
        attempt=answer.attempt,
        conditions=answer.conditions,
        origin=answer.origin,
        turns=tuple(_beside(turn) for turn in answer.turns),
    )
    ours = {KEY: beside.model_dump(mode="json")}
    if len(turns) == 1:
        return {**ids, **about, **turns[0], **ours}
    numbered = [{"turn_number": number, **turn} for number, turn in enumerate(turns)]
    return {**ids, **about, "total_turns": len(turns), "turns": numbered, **ours}


def _turn(asked: Turn, said: AnswerTurn) -> dict[str, Any]:
    shown = [path_of(picture) for picture in asked.pictures]
    return {
        "prompt": asked.prompt,
        "image": shown[0] if len(shown) == 1 else shown or None,
        "golden_answer": asked.golden_answer,
        "tool_trajectory": asked.tool_trajectory,
        "rubrics": rubric_of(asked.rubric),
        "model_answer": said.text,
        "num_tool_calls": said.rounds,
        "tool_use_list": [
            {
                "function_name": call.name,
                "function_args": call.arguments,
                "observation": _named(call)[0],
            }
            for call in said.calls
        ],
        "content_list": list(_contents(said)),
    }


def _contents(said: AnswerTurn) -> Iterator[dict[str, Any]]:
    """What was said round by round: remarks in their order, nothing where there is none, and at last the answer."""
    rounds = said.rounds or 0
    remarked = {remark.round for remark in said.remarks}
    silent = [number for number in range(1, rounds) if number not in remarked]
    for remark in said.remarks:
        while silent and silent[0] < remark.round:
            yield {"step": silent.pop(0) - 1, "content": None}
        yield {"step": remark.round - 1, "content": remark.text}
    for number in silent:
        yield {"step": number - 1, "content": None}
    if rounds and said.ended is not Ending.MOST_ROUNDS:
        yield {"step": rounds - 1, "content": said.text}


def _beside(said: AnswerTurn) -> TurnBeside:
    calls = (
        CallBeside(
            round=call.round,
            latency=call.latency,
            pictures=tuple(path_of(picture) for picture in call.pictures),
            observed=_named(call)[1],
        )
        for call in said.calls
    )
    return TurnBeside(ended=said.ended, remarks=tuple(each.round for each in said.remarks), calls=tuple(calls))


def _named(call: ToolCall) -> tuple[Any, dict[str, Any]]:
    """What a call brought with its files under the names that they have here; and what it said in these places."""
    observation, paths = call.observation, [path_of(picture) for picture in call.pictures]
    if not paths or not isinstance(observation, dict):
        return observation, {}
    several, one = observation.get("output_paths"), observation.get("output_path")
    named: dict[str, Any] = {}
    if isinstance(several, list) and len(several) == len(paths):
        named["output_paths"] = paths
        if one in several:
            named["output_path"] = paths[several.index(one)]
    elif not several and len(paths) == 1 and isinstance(one, str):
        named["output_path"] = paths[0]
    return {**observation, **named}, {name: observation[name] for name in named}


def _pictures(task: Task, answer: Answer) -> Iterator[Picture]:
    for turn in task.turns:
        yield from turn.pictures
    for said in answer.turns:
        for call in said.calls:
            yield from call.pictures


def _file_names(players: Sequence[tuple[str, int]]) -> Iterator[str]:
    """A name for the file of each player, no two of which differ in case alone."""
    taken: set[str] = set()
    for model, attempt in players:
        stem = _UNSAFE.sub("_", model if attempt == 1 else f"{model} attempt {attempt}")
        stem = stem.encode()[:_MOST_NAME].decode(errors="ignore")
        stem = "_" + stem[1:] if stem.startswith(".") else stem
        found, number = stem, 1
        while found.casefold() in taken:
            number += 1
            found = f"{stem} ({number})"
        taken.add(found.casefold())
        yield f"{found}.json"
