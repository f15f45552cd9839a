"""Models' answers as the authors' scripts write them: one object a task, with one turn or several.

What the studio writes in this form (`exports.rubrics.responses`) holds one key more, `easel`, for what the form has no
place for; with it the records that are read are those that were written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from pydantic import TypeAdapter

from easel_app.rubrics.reading import dataset
from easel_app.rubrics.reading.beside import KEY, CallBeside, TurnBeside, beside_of, contents, entries, misfit
from easel_app.rubrics.reading.keys import key_of
from easel_app.rubrics.reading.rubrics import as_text, rubric
from easel_app.rubrics.records import MOST_CALLS, MOST_ROUNDS, Answer, Task
from easel_app.sources.found import Fault, Found, Place, Problem
from easel_app.sources.jsontext import NotReadable, shown
from easel_app.sources.references import Folder, Gallery
from easel_app.sources.validating import NotValid, validated

_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
_TASK: TypeAdapter[Task] = TypeAdapter(Task)


def is_response(value: Mapping[str, Any]) -> bool:
    """Whether an entry is an answer of a model."""
    turns = value.get("turns")
    if "model_answer" in value:
        return True
    return isinstance(turns, list) and any(isinstance(turn, Mapping) and "model_answer" in turn for turn in turns)


def read(
    value: Mapping[str, Any], place: Place, folder: Folder, model: str, clean: Mapping[str, list[Any]]
) -> Iterator[Found | Problem]:
    """The answer of an entry; before it the task that it repeats, for a set that does not have it.

    Args:
        value: the entry.
        place: where it stands.
        folder: where pictures are that it names.
        model: whose answer it is, which the authors' files do not say.
        clean: rubrics that count in place of the entry's own, one for each turn, by task id.
    """
    task_id = value.get("task_id") or value.get("id")
    turns = value["turns"] if isinstance(value.get("turns"), list) else [value]
    key = key_of("answer", task_id, model)
    try:
        beside = beside_of(value)
    except NotValid as error:
        yield Problem(place, tuple(Fault(KEY, f"in {KEY}, {fault.what}") for fault in error.faults), key)
        return
    if beside:
        model, key = beside.model, key_of("answer", task_id, beside.model, beside.attempt)
    if wrong := _wrong(value, turns) or (misfit(beside, turns) if beside else ""):
        yield Problem(place, (Fault("turns", wrong),), key)
        return
    yield from _task(value, turns, place, folder, task_id, clean, whole=beside is not None)
    gallery = Gallery(folder)
    record = {
        "task_id": task_id,
        "model": model,
        "turns": [
            _answered(turn, gallery, f"turns.{number}", beside.turns[number] if beside else None)
            for number, turn in enumerate(turns)
        ],
        **(beside.model_dump(include={"attempt", "conditions", "origin"}) if beside else {}),
    }
    try:
        answer = validated(_ANSWER, record)
    except NotValid as error:
        yield Problem(place, error.faults, key)
    else:
        yield Found(place, answer, gallery.contents, tuple(gallery.notes))


def _wrong(value: Mapping[str, Any], turns: list[Any]) -> str:
    """What makes the turns unreadable, in words."""
    for number, turn in enumerate(turns, 1):
        if not isinstance(turn, Mapping):
            return f"turn {number} is {shown(turn)}, but it must be an object; correct it"
        if turn is not value and turn.get("turn_number", number - 1) != number - 1:
            told = shown(turn["turn_number"])
            return f"turn {number} says that its turn_number is {told}; put all turns in order, from 0"
        if "model_answer" not in turn:
            return f"turn {number} has no model_answer; add it"
    told = value.get("total_turns", len(turns))
    return "" if told == len(turns) else f"total_turns is {shown(told)}, but it has {len(turns)}; make them agree"


def _answered(turn: Mapping[str, Any], gallery: Gallery, where: str, beside: TurnBeside | None) -> dict[str, Any]:
    calls = turn.get("tool_use_list")
    answer = turn["model_answer"]
    known = beside.calls if beside else ()
    return {
        "text": "" if answer is None else answer,  # as models say nothing beside a call
        "calls": [
            _call(call, gallery, f"{where}.calls.{at}", also)
            for at, (call, also) in enumerate(zip_longest(calls or [], known))
        ]
        if isinstance(calls, list | dict)
        else calls or [],
        "rounds": turn.get("num_tool_calls"),
        "remarks": _remarks(turn, beside),
        "ended": beside.ended if beside else None,
    }


def _remarks(turn: Mapping[str, Any], beside: TurnBeside | None) -> list[dict[str, Any]]:
    """What was said beside calls; the last thing said is no remark where it is the answer."""
    if beside:
        texts = [each for each in contents(turn) if each is not None]
        return [{"round": round, "text": text} for round, text in zip(beside.remarks, texts, strict=False)]
    said = [(at, each) for at, each in enumerate(contents(turn)) if each and each.strip()]
    if said and said[-1][1] == turn["model_answer"]:
        said.pop()
    steps = [entry.get("step") for entry in entries(turn.get("content_list")) if isinstance(entry, Mapping)]
    return [{"round": _round(steps[at], at), "text": text} for at, text in said[:MOST_CALLS]]


def _round(step: object, at: int) -> int:
    """The round of a step, which is counted from 0; by its place where it does not say it."""
    told = step if isinstance(step, int) and not isinstance(step, bool) and 0 <= step < MOST_ROUNDS else at
    return min(told, MOST_ROUNDS - 1) + 1


def _call(call: Any, gallery: Gallery, where: str, beside: CallBeside | None) -> Any:
    if not isinstance(call, Mapping):
        return call
    observation = call.get("observation")
    made: Sequence[Any] = []
    if beside:
        made = beside.pictures
    elif isinstance(observation, Mapping):
        several, one = observation.get("output_paths"), observation.get("output_path")
        made = several if isinstance(several, list) and several else [one]
    if beside and beside.observed and isinstance(observation, Mapping):
        observation = {**observation, **beside.observed}
    name = call.get("function_name")
    found = {
        "name": name if isinstance(name, str) else as_text(name),
        "arguments": call.get("function_args"),
        "observation": observation,
        "pictures": gallery.take_if_there(made, f"{where}.pictures"),
        **(beside.model_dump(include={"round", "latency"}) if beside else {}),
    }
    if beside and (lost := len(made) - len(found["pictures"])):
        gallery.notes.append(Fault(f"{where}.pictures", f"{lost} of its pictures are not there and left out"))
    return {key: each for key, each in found.items() if key != "name" or each is not None}


def _task(
    value: Mapping[str, Any],
    turns: list[Any],
    place: Place,
    folder: Folder,
    task_id: Any,
    clean: Mapping[str, list[Any]],
    whole: bool,
) -> Iterator[Found]:
    """The task that an answer repeats, if its rubric is there and in order; with the pictures that have files here.

    A `whole` one is told as the studio had it: it counts word by word, and without a rubric, too.
    """
    gallery, own = Gallery(folder), clean.get(task_id) if isinstance(task_id, str) else None

    def text(given: Any) -> Any:
        return given if whole else as_text(given)

    try:
        rubrics = [rubric(turn.get("rubrics") if own is None else own[at]) for at, turn in enumerate(turns)]
        if not (whole or any(rubrics)):
            return
        asked = [
            {
                "prompt": turn.get("prompt"),
                "golden_answer": text(turn.get("golden_answer")),
                "tool_trajectory": text(turn.get("tool_trajectory")),
                "pictures": gallery.take_if_there(_names(turn.get("image")), f"turns.{at}.pictures"),
                "rubric": rubrics[at],
            }
            for at, turn in enumerate(turns)
        ]
        facts = {"category": value.get("eval_focus"), "domain": value.get("prompt_category")}
        task = validated(_TASK, {**(facts if whole else dataset.facts(value)), "id": task_id, "turns": asked})
    except (NotReadable, NotValid, IndexError):
        return  # the answer is what the file is for; without any task it is told that there is none
    yield Found(place, task, gallery.contents, tuple(gallery.notes), beside=True)


def _names(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
