"""Scores of judged answers: what a task is worth, whether it passes, and the means over a benchmark: ``rubric/1``.

As published (VisualToolBench, arXiv 2510.12712): a task's score is the weight of its items that are met over the weight
of all, pooled over its turns; it passes if no critical item is not met; ARS and APR are the plain means of score and
pass over tasks. So a task of ten items counts as much as a task of two, and weights are never pooled over tasks.

Where the authors' code guesses, this does not: only the texts "Met" and "Not Met" are verdicts, whatever else a judge
says leaves the item *open*; a task with an open item has no score, a task without items none and no pass either. Such
tasks stay out of both means and are counted beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from numbers import Real
from reprlib import repr as brief
from statistics import fmean
from typing import Any, Literal, NamedTuple, get_args

VERSION = "rubric/1"
MET, NOT_MET = "Met", "Not Met"
VERDICTS = (MET, NOT_MET)
"""The only verdicts, letter by letter."""
WEIGHTS = range(1, 6)
CRITICAL_WEIGHT = 4
"""From this weight on an item is critical, as the paper states."""

Rubric = Mapping[str, Any]
"""One item; ``weight`` is a whole number of 1..5, ``critical`` is "yes" or "no" and may be missing."""
Critical = Literal["weight", "flag"]
"""What makes an item critical: its weight, or the data set's own flag. In some rows the two disagree."""
_POLICIES = get_args(Critical)
Status = Literal["scored", "incomplete", "unscored"]
STEM = frozenset({"stem", "biology", "chemistry", "engineering", "math", "mathematics", "maths", "physics"})


@dataclass(frozen=True, slots=True)
class TaskScore:
    """What one answer is worth; None where not defined."""

    status: Status
    """``scored``: each item has a verdict. ``incomplete``: some item is open. ``unscored``: no item, or no verdict."""
    score: float | None
    """[0, 1]; only of scored tasks."""
    passed: bool | None
    """False as soon as a critical item is not met, else None while one is open, else True; None if unscored."""
    n_items: int
    n_valid: int
    """Items with a verdict."""
    n_critical: int
    """Critical items; a task without any passes whatever is met, which a page should say."""
    score_bounds: tuple[float, float] | None
    """The score if all open items were not met, and if all were met; None without items."""


def score_task(
    rubrics_by_turn: Sequence[Mapping[str, Rubric]],
    verdicts_by_turn: Sequence[Mapping[str, object] | None],
    *,
    critical: Critical = "weight",
) -> TaskScore:
    """Score one answer from the verdicts on its items.

    Args:
        rubrics_by_turn: items by their id, for each turn; ids need to be unique within a turn only.
        verdicts_by_turn: "Met" or "Not Met" by the same ids. Anything else, and what is missing, leaves an item open;
            so do turns of verdicts that are missing at the end.
        critical: what makes an item critical.

    Raises:
        ValueError: a weight that is no whole number of 1..5, a verdict on an item that its turn does not have, or more
            turns of verdicts than of rubrics. The item is named.

    Example:
        >>> rubrics = [{"price": {"weight": 5}, "tone": {"weight": 2}}, {"total": {"weight": 3}}]
        >>> score_task(rubrics, [{"price": "Met", "tone": "Not Met"}, {"total": "Met"}]).score
        0.8
    """
    if len(verdicts_by_turn) > len(rubrics_by_turn):
        raise ValueError(f"{len(verdicts_by_turn)} turns of verdicts do not fit {len(rubrics_by_turn)} of rubrics")
    _require_policy(critical)
    items: list[_Item] = []
    for turn, (rubrics, given) in enumerate(zip_longest(rubrics_by_turn, verdicts_by_turn), start=1):
        verdicts = {} if given is None else given
        if not isinstance(rubrics, Mapping) or not isinstance(verdicts, Mapping):
            raise ValueError(f"turn {turn} must map the ids of its items to rubrics, and to verdicts")
        for item in verdicts:
            if item not in rubrics:
                raise ValueError(f"turn {turn} has no item {item!r}, but a verdict on it")
        for item, rubric in rubrics.items():
            verdict = verdicts.get(item)
            valid = isinstance(verdict, str) and verdict in VERDICTS
            try:
                items.append(_Item(weight_of(rubric), is_critical(rubric, critical), verdict if valid else None))
            except ValueError as error:
                raise ValueError(f"item {item!r} of turn {turn}: {error}") from None
    return _score(items)


class _Item(NamedTuple):
    weight: int
    critical: bool
    verdict: object
    """None while open."""


def _score(items: Sequence[_Item]) -> TaskScore:
    whole = sum(item.weight for item in items)
    met = sum(item.weight for item in items if item.verdict == MET)
    failed = sum(item.weight for item in items if item.verdict == NOT_MET)
    n_valid = sum(item.verdict is not None for item in items)
    critical = [item.verdict for item in items if item.critical]
    status: Status = "unscored" if not n_valid else "scored" if n_valid == len(items) else "incomplete"
    passed = False if NOT_MET in critical else None if None in critical else True
    return TaskScore(
        status=status,
        score=met / whole if status == "scored" else None,
        passed=passed if n_valid else None,
        n_items=len(items),
        n_valid=n_valid,
        n_critical=len(critical),
        score_bounds=(met / whole, (whole - failed) / whole) if items else None,
    )


def weight_of(rubric: Rubric) -> int:
    """The weight of an item.

    Raises:
        ValueError: it is missing, or no whole number of 1..5; true and texts are none.
    """
    weight = rubric.get("weight") if isinstance(rubric, Mapping) else None
    if isinstance(weight, bool) or not isinstance(weight, Real) or weight not in WEIGHTS:
        raise ValueError(f"its weight must be a whole number from 1 to 5, but is {brief(weight)}")
    return int(float(weight))


def is_critical(rubric: Rubric, critical: Critical = "weight") -> bool:
    """Whether not meeting an item fails its task: by a weight of at least 4, or by the data set's flag.

    Without the flag an item is not critical.

    Raises:
        ValueError: the weight is needed and is none, or `critical` is neither.
    """
    _require_policy(critical)
    if critical == "weight":
        return weight_of(rubric) >= CRITICAL_WEIGHT
    flag = rubric.get("critical")
    return flag is True or (isinstance(flag, str) and flag.strip().casefold() == "yes")


def _require_policy(critical: str) -> None:
    if critical not in _POLICIES:
        raise ValueError(f"critical must be 'weight' or 'flag', but is {critical!r}")


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The two means over the scored tasks of a group; None where it has none."""

    ars: float | None
    """Mean of their scores."""
    apr: float | None
    """Share of them that pass."""
    n: int
    """Scored tasks."""
    n_total: int
    """All tasks of the group."""


@dataclass(frozen=True, slots=True)
class BenchmarkScore:
    """How a model did over the tasks of a benchmark; None where not defined."""

    n_total: int
    """n_scored + n_incomplete + n_unscored."""
    n_scored: int
    n_incomplete: int
    """Tasks without a score that say so by their status."""
    n_unscored: int
    """All other tasks without a score."""
    coverage: float | None
    """Share of the tasks that are scored."""
    ars: float | None
    """Average rubric score: the mean over scored tasks of their scores."""
    apr: float | None
    """Average pass rate: the share of scored tasks that pass."""
    by_domain: dict[str, GroupScore]
    """By prompt category; chemistry, maths, biology, engineering and physics are ``STEM``, the others in small
    letters."""
    by_eval_focus: dict[str, GroupScore]
    by_turn_kind: dict[str, GroupScore]
    """By ``turncase``."""


def score_benchmark(tasks: Iterable[Mapping[str, Any]]) -> BenchmarkScore:
    """The means over the tasks of one model.

    Args:
        tasks: for each ``score`` and ``pass`` as of `score_task`, both None where not scored; as far as known also
            ``task_id``, ``status``, ``prompt_category``, ``eval_focus`` and ``turncase``. A task that does not name
            its category, focus or turns is in no group of these.

    Raises:
        ValueError: a score outside of [0, 1], a score without a pass, or one that the status contradicts.
    """
    rows = list(tasks)
    for row in rows:
        _check(row)
    overall = _group(rows)
    incomplete = sum(row.get("score") is None and row.get("status") == "incomplete" for row in rows)
    return BenchmarkScore(
        n_total=overall.n_total,
        n_scored=overall.n,
        n_incomplete=incomplete,
        n_unscored=overall.n_total - overall.n - incomplete,
        coverage=overall.n / overall.n_total if rows else None,
        ars=overall.ars,
        apr=overall.apr,
        by_domain=_groups(rows, "prompt_category", domain),
        by_eval_focus=_groups(rows, "eval_focus", str.strip),
        by_turn_kind=_groups(rows, "turncase", str.strip),
    )


def domain(category: str) -> str:
    """The domain that a prompt category belongs to.

    Example:
        >>> domain("Chemistry"), domain("Finance")
        ('STEM', 'finance')
    """
    name = category.strip().casefold()
    return "STEM" if name in STEM else name


def _check(task: Mapping[str, Any]) -> None:
    score, passed, status = task.get("score"), task.get("pass"), task.get("status")
    if score is None:
        fault = "is called scored but has no score" if status == "scored" else None
    elif not isinstance(score, int | float) or not 0 <= score <= 1:
        fault = f"has the score {brief(score)}, but scores lie in [0, 1]"
    elif passed not in (True, False):
        fault = "has a score but neither passes nor fails"
    else:
        fault = None if status in (None, "scored") else f"is called {status} but has a score"
    if fault:
        raise ValueError(f"task {task.get('task_id')!r} {fault}")


def _group(tasks: Sequence[Mapping[str, Any]]) -> GroupScore:
    scored = [task for task in tasks if task.get("score") is not None]
    return GroupScore(
        ars=fmean(float(task["score"]) for task in scored) if scored else None,
        apr=sum(bool(task["pass"]) for task in scored) / len(scored) if scored else None,
        n=len(scored),
        n_total=len(tasks),
    )


def _groups(tasks: Sequence[Mapping[str, Any]], key: str, name: Callable[[str], str]) -> dict[str, GroupScore]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for task in tasks:
        if isinstance(label := task.get(key), str) and label.strip():
            groups.setdefault(name(label), []).append(task)
    return {label: _group(groups[label]) for label in sorted(groups)}
