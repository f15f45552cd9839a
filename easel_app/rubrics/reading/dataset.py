"""Rows of the benchmark's data set, from its tables or from `dataset.json`, in the columns of each of its revisions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from easel_app.rubrics.reading.keys import key_of
from easel_app.rubrics.reading.rubrics import as_text, per_turn, rubric
from easel_app.rubrics.records import MOST_PICTURES, MOST_TURNS, Category, Task
from easel_app.sources.found import Fault, Found, Place, Problem
from easel_app.sources.jsontext import NotReadable, decoded, shown
from easel_app.sources.references import Cell, Folder, Gallery
from easel_app.sources.validating import NotValid, validated

COLUMNS: Final = {
    "prompts": ("turn_prompts", "prompt", "prompts"),
    "golden": ("turn_golden_answers", "golden_answer", "golden_answers"),
    "trajectories": ("turn_tool_trajectories", "tool_trajectory", "tool_trajectories"),
    "rubrics": ("rubrics_by_turn", "rubrics"),
    "by_turn": ("images_by_turn", "images_by_turn_paths"),
    "images": ("images", "image_paths", "image"),
}
"""What a field is called, the present revision's name first."""
PLAIN: Final = ("id", "task_id", "eval_focus", "prompt_category", "num_turns", "num_images")
_TASK: TypeAdapter[Task] = TypeAdapter(Task)
_SPELLED = {
    **{re.sub("[^a-z]", "", category): category for category in Category},
    "regionswitchqa": Category.REGION_SWITCH,
    "hybridtooluse": Category.HYBRID_TOOL_REASONING,
    "hybridtool": Category.HYBRID_TOOL_REASONING,
    "followuptest": Category.FOLLOW_UP,
    "temporalreasoning": Category.TEMPORAL,
    "temporalvisualreasoning": Category.TEMPORAL,
    "temporalvisual": Category.TEMPORAL,
    "progressivereasoning": Category.PROGRESSIVE,
    "progressivevisualreasoning": Category.PROGRESSIVE,
    "progressivevisual": Category.PROGRESSIVE,
}


def is_row(value: Mapping[str, Any]) -> bool:
    """Whether an entry is a task as the data set holds them."""
    return any(name in value for name in COLUMNS["prompts"]) and ("id" in value or "task_id" in value)


def read(
    value: Mapping[str, Any], place: Place, folder: Folder, clean: Mapping[str, list[Any]]
) -> Iterator[Found | Problem]:
    """The task of a row.

    Args:
        value: the row.
        place: where it stands.
        folder: where pictures are that it names.
        clean: rubrics that count in place of the row's own, one for each turn, by task id.
    """
    gallery, task_id = Gallery(folder, by_ending=True), value.get("task_id") or value.get("id")
    own = clean.get(task_id) if isinstance(task_id, str) else None
    try:
        task = validated(_TASK, {**facts(value), "id": task_id, "turns": _turns(value, gallery, own)})
    except NotReadable as error:
        yield Problem(place, (*gallery.faults, Fault("", str(error))), key_of("task", task_id))
        return
    except NotValid as error:
        yield Problem(place, (*gallery.faults, *error.faults), key_of("task", task_id))
        return
    if gallery.faults:
        yield Problem(place, tuple(gallery.faults), key_of("task", task_id))
        return
    yield Found(place, task, gallery.contents, tuple(gallery.notes))


def facts(value: Mapping[str, Any]) -> dict[str, Any]:
    """Category and domain of a row, as far as it has them."""
    focus, domain = value.get("eval_focus"), value.get("prompt_category")
    if isinstance(focus, str):
        focus = _SPELLED.get(re.sub("[^a-z]", "", focus.lower()), focus.strip())
    return {"category": focus or None, "domain": domain.strip() or None if isinstance(domain, str) else domain}


def field(value: Mapping[str, Any], name: str) -> Any:
    """A field by any of its names; None when the row has none of them."""
    return next((value[each] for each in COLUMNS[name] if value.get(each) is not None), None)


def _turns(value: Mapping[str, Any], gallery: Gallery, clean: list[Any] | None) -> list[dict[str, Any]]:
    prompts = _listed(field(value, "prompts"))
    count = len(prompts)
    if not 1 <= count <= MOST_TURNS:
        raise NotReadable(f"it has {count} prompts, but a task has 1 to {MOST_TURNS} turns; correct it")
    told = value.get("num_turns")
    if told is not None and told != count:
        raise NotReadable(f"num_turns is {shown(told)}, but there are {count} prompts; make them agree")
    golden = _per_turn(field(value, "golden"), count, "golden answers")
    trajectories = _per_turn(field(value, "trajectories"), count, "tool trajectories")
    rubrics = per_turn(field(value, "rubrics") if clean is None else clean, count)
    pictures = _pictures(value, count)
    turns = []
    for turn, prompt in enumerate(prompts):
        taken = [gallery.take(each, f"turns.{turn}.pictures.{at}") for at, each in enumerate(pictures[turn])]
        turns.append(
            {
                "prompt": prompt,
                "golden_answer": as_text(golden[turn]),
                "tool_trajectory": as_text(trajectories[turn]),
                "pictures": [picture for picture in taken if picture],
                "rubric": _rubric(rubrics[turn], turn),
            }
        )
    return turns


def _rubric(value: Any, turn: int) -> list[dict[str, Any]]:
    try:
        return rubric(value)
    except NotReadable as error:
        raise NotReadable(f"turn {turn + 1}: {error}; correct it") from None


def _listed(value: Any) -> list[Any]:
    """Prompts as a list, whether they are one, one text, or a list as JSON text."""
    if isinstance(value, str) and value.lstrip().startswith('["'):
        try:
            value = decoded(value)
        except NotReadable:
            return [value]  # a prompt may well begin with a bracket
    return value if isinstance(value, list) else [] if value is None else [value]


def _per_turn(value: Any, count: int, what: str) -> list[Any]:
    found = _listed(value)
    if not found:
        return [None] * count
    if len(found) != count:
        given = "one of them" if len(found) == 1 else f"{len(found)} of them"
        raise NotReadable(f"of {what} it has {given}, but {count} prompts; give each turn its own")
    return found


def _pictures(value: Mapping[str, Any], count: int) -> list[list[Any]]:
    """The pictures of each turn; those of the whole task, where no turn is named, are the first one's."""
    by_turn = field(value, "by_turn")
    turns = [_flat(turn) for turn in by_turn] if isinstance(by_turn, list) else []
    if not any(turns):
        turns = [_flat(field(value, "images"))]
    if len(turns) > count:
        raise NotReadable(f"it has pictures for {len(turns)} turns, but {count} prompts; make them agree")
    if any(len(turn) > MOST_PICTURES for turn in turns):
        raise NotReadable(f"a turn has more than {MOST_PICTURES} pictures; leave some out")
    return [*turns, *([] for _ in range(count - len(turns)))]


def _flat(value: Any) -> list[Any]:
    """Pictures of a turn as a list, whether they are one or several; gaps are none."""
    if isinstance(value, str | Cell):
        return [value] if value else []
    return [each for each in value if each is not None] if isinstance(value, list) else []
