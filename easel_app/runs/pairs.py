"""Which items of which answers a judge is asked about."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import NamedTuple

from easel_app.runs.judging_settings import JudgePlan
from easel_app.services.problems import Invalid
from easel_app.store.rubrics import ItemRow, RubricStore


class Pair(NamedTuple):
    """One item of one answer, by their row ids."""

    answer: int
    item: int


def chosen(store: RubricStore, set_id: str, plan: JudgePlan) -> list[Pair]:
    """What a plan holds, answer by answer.

    Raises:
        Invalid: there are no answers of a model, or nothing is left to judge.
    """
    keys, items = store.answer_keys(set_id), defaultdict[int, list[ItemRow]](list)
    for item in store.items(set_id):
        items[item.task].append(item)
    there = sorted({key.model for key in keys})
    for model in plan.models or ():
        if model not in there:
            known = ", ".join(there) or "nobody"
            message = f"There is no answer of {model!r} in the set; there are answers of {known}."
            raise Invalid("no_such_model", message, "models")
    found: dict[Pair, str] = {
        Pair(key.id, item.id): f"{key.task_id}\n{key.model}\n{key.attempt}\n{item.turn}\n{item.item_id}"
        for key in keys
        if plan.models is None or key.model in plan.models
        for item in items[key.task]
    }
    if not found:
        message = "There is nothing to judge in the set; import answers, and tasks with rubrics."
        raise Invalid("nothing_to_judge", message, "set_id")
    if plan.most_items is None or plan.most_items >= len(found):
        return list(found)
    drawn = sorted(found, key=lambda pair: hashlib.sha256(f"{plan.seed}\n{found[pair]}".encode()).digest())
    kept = set(drawn[: plan.most_items])
    return [pair for pair in found if pair in kept]
