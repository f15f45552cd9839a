"""Which attempts at which tasks a tool run makes."""

from __future__ import annotations

import hashlib
from difflib import get_close_matches
from typing import NamedTuple

from easel_app.runs.tool_run_settings import ToolRunPlan
from easel_app.services.problems import Invalid
from easel_app.store.rubrics import RubricStore


class Job(NamedTuple):
    """An attempt that is asked for."""

    task: int
    """The task's row id."""
    task_id: str
    attempt: int
    """Counted from 1."""


def jobs(store: RubricStore, set_id: str, plan: ToolRunPlan) -> list[Job]:
    """The attempts that a plan asks for: every task once in the set's order, then every task again.

    Raises:
        Invalid: the set has no tasks, or not one that is named.
    """
    ids = {row.task_id: row.id for row in store.outlines(set_id)}
    if not ids:
        raise Invalid("nothing_to_answer", "There are no tasks in the set; import some.", "set_id")
    for wanted in plan.tasks or ():
        if wanted not in ids:
            alike = get_close_matches(wanted, ids, 1) or list(ids)[:1]
            message = f"There is no task {wanted!r} in the set; did you mean {alike[0]!r}?"
            raise Invalid("no_such_task", message, "tasks")
    chosen = [task_id for task_id in ids if plan.tasks is None or task_id in plan.tasks]
    if plan.most is not None and plan.most < len(chosen):
        drawn = sorted(chosen, key=lambda each: hashlib.sha256(f"{plan.seed}\n{each}".encode()).digest())
        few = set(drawn[: plan.most])
        chosen = [task_id for task_id in chosen if task_id in few]
    return [Job(ids[task_id], task_id, attempt) for attempt in range(1, plan.repeats + 1) for task_id in chosen]
