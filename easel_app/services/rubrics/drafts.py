"""What follows from a draft: what it lacks, how far it is, the task that it becomes. Nothing here reads a store."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence

from easel_app.rubrics.records import Category, RubricItem, Task, Turn
from easel_app.scoring.rubric import CRITICAL_WEIGHT
from easel_app.services.rubrics.authoring_views import (
    REVIEWS,
    Decision,
    DraftItem,
    DraftTask,
    Missing,
    Outcome,
    Stage,
)
from easel_app.sources.fields import Picture

SINGLE_TURN = frozenset({Category.REGION_SWITCH, Category.HYBRID_TOOL_REASONING})
"""Categories whose tasks have one turn; those of the others have several (arXiv 2510.12712, section 3)."""
WORDS = {
    Category.REGION_SWITCH: "region-switch",
    Category.HYBRID_TOOL_REASONING: "hybrid tool reasoning",
    Category.FOLLOW_UP: "follow-up",
    Category.TEMPORAL: "temporal reasoning",
    Category.PROGRESSIVE: "progressive reasoning",
}


def stage_of(outcome: Outcome | None, decisions: Sequence[Decision]) -> Stage:
    """How far a draft is.

    Args:
        outcome: of the last trial of its last version; None without one.
        decisions: on its last version.
    """
    if any(each.decision == "reject" for each in decisions):
        return "rejected"
    if any(each.decision == "changes" for each in decisions) or outcome is None:
        return "draft"
    if len(decisions) >= REVIEWS:
        return "accepted"
    stages: dict[Outcome, Stage] = {"open": "trial", "kept": "review", "dropped": "dropped"}
    return stages[outcome]


def outcome_of(passed: Sequence[bool | None], least_failures: int) -> Outcome:
    """What comes of a trial: `kept` once enough models fail, `dropped` once too few of them still can.

    Where none must fail, it is kept once all are done.

    Args:
        passed: of each model; None as long as that is not known.
        least_failures: models that must fail.
    """
    failures, waiting = sum(each is False for each in passed), sum(each is None for each in passed)
    if failures + waiting < least_failures:
        return "dropped"
    return "kept" if failures >= least_failures >= 1 or not waiting else "open"


def missing(task: DraftTask, pictures: Mapping[str, Picture]) -> list[Missing]:
    """What a draft lacks before models can try it, in the order of the form.

    Args:
        task: its last version.
        pictures: those of its pictures whose files are there, by digest.
    """
    return [Missing(where=where, message=message) for where, message in _missing(task, pictures)]


def _missing(task: DraftTask, pictures: Mapping[str, Picture]) -> Iterator[tuple[str, str]]:
    if task.category is None:
        yield "category", "Choose what the task tests."
    elif (task.category in SINGLE_TURN) != (len(task.turns) == 1):
        name = WORDS[task.category].capitalize()
        wanted = "one turn" if task.category in SINGLE_TURN else "two turns or more"
        yield "turns", f"{name} tasks have {wanted}, and this one has {len(task.turns)}; change either."
    if not task.domain:
        yield "domain", "Name the task's field, such as finance."
    for number, turn in enumerate(task.turns):
        at, told = f"turns.{number}", f" of turn {number + 1}" if len(task.turns) > 1 else ""
        if not turn.prompt.strip():
            yield f"{at}.prompt", f"Write the prompt{told}."
        for place, digest in enumerate(turn.pictures):
            if digest not in pictures:
                yield f"{at}.pictures.{place}", f"Upload picture {place + 1}{told} again; its file is not there."
        if not turn.golden_answer.strip():
            yield f"{at}.golden_answer", f"Write the golden answer{told}."
        yield from _missing_items(turn.rubric, at, told)
    if not any(turn.pictures for turn in task.turns):
        yield "turns.0.pictures", "Add a picture; the task is about seeing."
    items = [item for turn in task.turns for item in turn.rubric]
    if not items:
        yield "turns.0.rubric", "Write a rubric item; answers are graded by them."
    elif all(item.weight < CRITICAL_WEIGHT for item in items):
        message = f"Give an item weight {CRITICAL_WEIGHT} or 5; without a critical one every answer passes."
        yield "turns.0.rubric", message


def _missing_items(rubric: Sequence[DraftItem], at: str, told: str) -> Iterator[tuple[str, str]]:
    seen: dict[str, int] = {}
    for place, item in enumerate(rubric):
        if not item.description.strip():
            yield f"{at}.rubric.{place}.description", f"Say what rubric item {place + 1}{told} asks for."
        first = seen.setdefault(item.id, place)
        if first != place:
            message = f"Rubric items {first + 1} and {place + 1}{told} have the same id; give each its own."
            yield f"{at}.rubric.{place}.id", message


def with_ids(task: DraftTask, request: str) -> DraftTask:
    """The draft, each of whose rubric items has an id.

    A new one follows from the request and its place, so that the same request makes the same ids.
    """
    space = uuid.uuid5(uuid.NAMESPACE_OID, request)

    def named(item: DraftItem, turn: int, place: int) -> DraftItem:
        return item if item.id else item.model_copy(update={"id": str(uuid.uuid5(space, f"{turn}/{place}"))})

    turns = [
        turn.model_copy(update={"rubric": tuple(named(item, n, k) for k, item in enumerate(turn.rubric))})
        for n, turn in enumerate(task.turns)
    ]
    return task.model_copy(update={"turns": tuple(turns)})


def task_id_of(draft: str, version: int) -> str:
    """What the task is called that a version becomes."""
    return f"{draft}-v{version}"


def task_of(task_id: str, task: DraftTask, pictures: Mapping[str, Picture]) -> Task:
    """The task that a draft becomes from which nothing is missing."""
    return Task(
        id=task_id,
        category=task.category,
        domain=task.domain,
        turns=tuple(
            Turn(
                prompt=turn.prompt,
                golden_answer=turn.golden_answer,
                tool_trajectory=turn.tool_trajectory or None,
                pictures=tuple(pictures[digest] for digest in turn.pictures),
                rubric=tuple(RubricItem(**item.model_dump()) for item in turn.rubric),
            )
            for turn in task.turns
        ),
    )
