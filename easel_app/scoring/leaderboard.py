"""Where players stand: means over tasks with their intervals, and ranks (``leaderboard/1``).

The one place where such means are taken.

As published (arXiv 2608.25417, table 3) a score over all tasks is the mean over them, whatever their category. Here a
task that was repeated counts once, by the mean of its sessions; what is not defined is left out (nan), never 0.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from easel_app.scoring.uncertainty import mean_intervals

Floats = NDArray[np.float64]
VERSION = "leaderboard/1"
BOUNDS = (0.0, 1.0)
"""What no mean score leaves."""
DIGITS = 9
"""Decimals at which means are equal: the order of a sum is no reason for another rank."""


class Estimate(NamedTuple):
    """A mean over tasks with its 95 % interval; None where not defined."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    """Tasks."""


class Row(NamedTuple):
    """Where one player stands."""

    player: Hashable
    rank: int | None
    """From 1, shared by equals; None for a row that is not complete, and for those that take part without a rank."""
    sessions: int
    tasks: tuple[str, ...]
    """Those of the scope that have a session, in the order of the scope."""
    coverage: float
    """Their share of the scope, [0, 1]."""
    means: Floats
    """Each figure's mean over the tasks, (c,); nan where no task has it."""
    by_task: Floats
    """Each figure's mean over a task's sessions, (tasks, c); nan where no session has it."""
    score: Estimate
    """Of the first figure."""
    categories: Mapping[str, Estimate]
    """The same over the tasks of each category that has one."""

    @property
    def complete(self) -> bool:
        """Whether every task of the scope has a session."""
        return self.coverage == 1.0


class Leaderboard(NamedTuple):
    """Rows in their order."""

    rows: list[Row]
    left_out: int
    """How many more there are."""


def leaderboard(
    players: Sequence[Hashable],
    tasks: Sequence[str],
    figures: ArrayLike,
    scope: Mapping[str, str],
    *,
    unranked: Collection[Hashable] = (),
    most: int | None = None,
) -> Leaderboard:
    """Where players stand: complete rows by their score, then the others by their coverage and score.

    Args:
        players: who played each of s sessions.
        tasks: what was played in it; sessions of tasks outside of the scope do not count.
        figures: what came of it, float (s, c). The first figure is the score: a session without one does not count.
        scope: category of each task that there is to play.
        unranked: players whose rows stand in their place without a rank.
        most: rows at most; None gives all.

    Raises:
        ValueError: players, tasks and figures are not as many.

    Example:
        >>> rows, _ = leaderboard("aab", ["t", "u", "t"], [[0.5], [0.7], [0.9]], {"t": "x", "u": "x"})
        >>> [(row.player, row.rank, row.coverage, round(row.score.mean, 3)) for row in rows]
        [('a', 1, 1.0, 0.6), ('b', None, 0.5, 0.9)]
    """
    values = np.asarray(figures, np.float64)
    if not len(players) == len(tasks) == len(values):
        raise ValueError(f"{len(players)} players and {len(tasks)} tasks do not fit {len(values)} sessions")
    if not len(values):
        return Leaderboard([], 0)
    numbers, names = {task: k for k, task in enumerate(scope)}, list(dict.fromkeys(players))
    numbered = {player: k for k, player in enumerate(names)}
    who = np.array([numbered[player] for player in players])
    what = np.array([numbers.get(task, -1) for task in tasks])
    counts = (what >= 0) & ~np.isnan(values[:, 0])
    pairs, by_task = group_means(who[counts] * len(scope) + what[counts], values[counts])
    owners, played = pairs // len(scope), pairs % len(scope)
    present, means = group_means(owners, by_task)
    sessions = np.bincount(who[counts], minlength=len(names))
    done = np.bincount(owners, minlength=len(names))
    complete = done[present] == len(scope)
    rounded = means[:, 0].round(DIGITS)
    # the last key counts first; equals stay in the order in which they appear
    order = np.lexsort((present, -rounded, -done[present], ~complete))[:most]
    compared = complete & ~np.isin(present, [numbered[player] for player in unranked if player in numbered])
    starts, kinds = np.searchsorted(owners, present), np.array(list(scope.values()))[played]
    spans = [slice(starts[k], starts[k] + done[present[k]]) for k in order]
    samples = [by_task[span, 0] for span in spans]
    parts = [
        {str(kind): sample[kinds[span] == kind] for kind in dict.fromkeys(kinds[span])}
        for span, sample in zip(spans, samples, strict=True)
    ]
    scores, categories = estimates(samples), iter(estimates([sample for row in parts for sample in row.values()]))
    listed = list(scope)
    rows = [
        Row(
            player=names[present[k]],
            rank=int((rounded[compared] > rounded[k]).sum()) + 1 if compared[k] else None,
            sessions=int(sessions[present[k]]),
            tasks=tuple(listed[task] for task in played[span]),
            coverage=float(done[present[k]] / len(scope)),
            means=means[k],
            by_task=by_task[span],
            score=score,
            categories={kind: next(categories) for kind in row},
        )
        for k, span, score, row in zip(order, spans, scores, parts, strict=True)
    ]
    return Leaderboard(rows, len(present) - len(rows))


def group_means(groups: ArrayLike, values: ArrayLike) -> tuple[NDArray[np.intp], Floats]:
    """Mean of each column over the rows of each group.

    Args:
        groups: number of the group that each row is of, (n,).
        values: float (n, c), nan where not defined.

    Returns:
        The groups that there are, rising, (g,), and their means (g, c); nan where no row of the group has a value.
    """
    numbers, table = np.asarray(groups, np.intp), np.asarray(values, np.float64)
    if not len(numbers):
        return numbers, table
    order = np.argsort(numbers, kind="stable")
    found, starts = np.unique(numbers[order], return_index=True)
    ordered = table[order]
    defined = ~np.isnan(ordered)
    sums = np.add.reduceat(np.where(defined, ordered, 0.0), starts, axis=0)
    with np.errstate(invalid="ignore"):
        return found, sums / np.add.reduceat(defined, starts, axis=0, dtype=np.intp)


def task_means(tasks: Sequence[str], values: ArrayLike) -> tuple[list[str], Floats]:
    """Mean of each column over the sessions of each task.

    Args:
        tasks: the task of each session, (s,).
        values: float (s, c), nan where not defined.

    Returns:
        The tasks in the order in which they appear, and their means (tasks, c).
    """
    names = {task: k for k, task in enumerate(dict.fromkeys(tasks))}
    return list(names), group_means([names[task] for task in tasks], values)[1]


def over_tasks(values: ArrayLike) -> Floats:
    """Mean of each column (tasks, c) over the tasks that have it, (c,); nan where none has."""
    table = np.asarray(values, np.float64)
    return group_means(np.zeros(len(table), np.intp), table)[1][0] if len(table) else np.full(table.shape[1], np.nan)


class SemanticConduct(NamedTuple):
    """How a player went about semantic tasks, as in the paper's table 4; None where not defined."""

    maze_invalid_rate: float | None
    """Mean share of the steps in mazes that were rejected or could not be read: the paper's "invalid" of mazes counts
    collisions, as we read it."""
    maze_undos: float | None
    """Undo steps, summed over the mazes."""
    other_undos: float | None
    """The same, summed over the other tasks."""
    submit_percent: float | None
    draw_undo_loops: float | None
    """Undo steps right after the stroke that they take back, summed over all tasks."""


CONDUCT = ("invalid_rate", "rejected_rate", "undos", "submit_percent", "draw_undo_loops")
"""The figures that `semantic_conduct` takes, as scoring/conduct names them."""


def semantic_conduct(mazes: Sequence[bool], by_task: ArrayLike) -> SemanticConduct:
    """How a player went about semantic tasks.

    Args:
        mazes: which of the tasks are mazes, (tasks,).
        by_task: the means of `CONDUCT` over each task's sessions, float (tasks, 5), nan where not defined.
    """
    maze, table = np.asarray(mazes, bool), np.asarray(by_task, np.float64).reshape(-1, len(CONDUCT))
    invalid, rejected, undos, submit, loops = table.T
    return SemanticConduct(
        maze_invalid_rate=_mean((invalid + rejected)[maze]),
        maze_undos=_sum(undos[maze]),
        other_undos=_sum(undos[~maze]),
        submit_percent=_mean(submit),
        draw_undo_loops=_sum(loops),
    )


def _mean(values: Floats) -> float | None:
    return number(float(over_tasks(values[:, None])[0]))


def _sum(values: Floats) -> float | None:
    return None if np.isnan(values).all() else float(np.nansum(values))


def estimates(samples: Sequence[ArrayLike]) -> list[Estimate]:
    """Mean and interval of each sample of scores, one value for each task; nan is left out."""
    tables = [np.asarray(sample, np.float64) for sample in samples]
    defined = [table[~np.isnan(table)] for table in tables]
    return [
        Estimate(
            mean=float(sample.mean()) if len(sample) else None,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            n=len(sample),
        )
        for sample, interval in zip(defined, mean_intervals(defined, bounds=BOUNDS), strict=True)
    ]


def number(value: float) -> float | None:
    """A value that may be nan as one that may be None."""
    return None if np.isnan(value) else float(value)
