"""Two players of a set, task by task: who passes what the other does not, and how sure the difference is.

A task counts once, by the first attempt of each at it: whether it passes must be one answer's yes or no for McNemar's
test, and a mean of attempts would be of other answers than those that the rows open. What further attempts add is in an
analysis's `repeats`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from scipy.special import bdtr

from easel_app.scoring.rubric import domain
from easel_app.scoring.uncertainty import mean_interval
from easel_app.services.kept import Kept
from easel_app.services.problems import NotFound
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.analysis_views import Compared, PlayerComparison, Side
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.scores import Mean
from easel_app.services.rubrics.tool_figures import FigureService, Used
from easel_app.services.rubrics.verdicts_by import Scored, VerdictsBy, shown
from easel_app.services.rubrics.views import Critical
from easel_app.services.rubrics.waiting import WaitingService

BEGINNING = 200
"""Characters of a prompt that are told."""
MOST_KEPT = 4
"""Sets whose prompts' beginnings are kept."""


class ComparingService:
    """Compares players."""

    def __init__(
        self, library: RubricLibrary, verdicts: VerdictsBy, figures: FigureService, waiting: WaitingService
    ) -> None:
        self._library = library
        self._verdicts, self._figures, self._waiting = verdicts, figures, waiting
        self._prompts = Kept[tuple[str, int], dict[int, str]](MOST_KEPT)

    def comparison(
        self,
        set_id: str,
        a: str,
        b: str,
        wanted: str | None,
        critical: Critical,
        person: Person | None = None,
        *,
        tell: bool = False,
    ) -> PlayerComparison:
        """Two players of a set, task by task.

        Args:
            set_id: which set.
            a: the one player.
            b: the other one.
            wanted: a judging or `people`; None: the first judging, or people where there is none.
            critical: what makes an item critical.
            person: who asks; the score of an answer that waits for their blind vote is not told. Of somebody unknown
                any vote may be wanted. The figures over all tasks are told.
            tell: whether it is told all the same.

        Raises:
            NotFound: no such set, judging or player.
        """
        by = self._verdicts.by(set_id, wanted, critical)
        scored = self._verdicts.scored(by)
        firsts = [_firsts(scored, name, field) for name, field in ((a, "a"), (b, "b"))]
        used = self._figures.figures(set_id, [one.answer for one in scored], 0).used
        waiting = set() if tell else {answer for answer, _ in self._waiting.pairs(set_id, person)}
        prompts = self._beginnings(set_id)
        tasks = [task for task in self._library.store.outlines(set_id) if any(task.id in first for first in firsts)]
        compared = [
            Compared(
                task_id=task.task_id,
                category=task.category,
                domain=domain(task.domain) if task.domain else None,
                turns=task.turns,
                prompt=prompts[task.id],
                a=_side(firsts[0].get(task.id), used, waiting),
                b=_side(firsts[1].get(task.id), used, waiting),
            )
            for task in tasks
        ]
        pairs = [(one, other) for task in tasks if (one := _whole(firsts[0], task.id))
                 and (other := _whole(firsts[1], task.id))]  # fmt: skip
        table = [(bool(one.score.passed), bool(other.score.passed)) for one, other in pairs]
        only_a, only_b = table.count((True, False)), table.count((False, True))
        return PlayerComparison(
            set_id=set_id,
            a=a,
            b=b,
            by=by.name,
            judge=by.judge,
            critical=critical,
            difference=_difference(pairs, lambda one: one.score.score or 0.0),
            pass_difference=_difference(pairs, lambda one: float(bool(one.score.passed))),
            both=table.count((True, True)),
            only_a=only_a,
            only_b=only_b,
            neither=table.count((False, False)),
            p_value=mcnemar(only_a, only_b),
            hidden=sum("hidden" in (row.a.status, row.b.status) for row in compared),
            tasks=compared,
        )

    def _beginnings(self, set_id: str) -> dict[int, str]:
        """The beginning of each task's first prompt, on one line; tasks never change."""
        key = (set_id, self._library.store.counts(set_id)["tasks"])
        return self._prompts.get(key) or self._prompts.put(
            key, {task.id: beginning(task.record["turns"][0]["prompt"]) for task in self._library.store.tasks(set_id)}
        )


def mcnemar(only_a: int, only_b: int) -> float | None:
    """Exact two-sided McNemar test: how likely so uneven a split is where both pass equally often.

    The tasks that only one of them passes are a binomial sample of share one half (McNemar 1947, Psychometrika 12);
    None without any.
    """
    n = only_a + only_b
    return min(1.0, 2 * float(bdtr(min(only_a, only_b), n, 0.5))) if n else None


def beginning(text: str) -> str:
    """The first words of a text, on one line."""
    line = " ".join(text[: 4 * BEGINNING].split())
    return line if len(line) <= BEGINNING else line[: BEGINNING - 1] + "…"


def _firsts(scored: Iterable[Scored], player: str, field: str) -> dict[int, Scored]:
    """A player's first attempt at each task, by the task's row id."""
    found: dict[int, Scored] = {}
    for one in scored:
        if one.answer.model == player:
            known = found.setdefault(one.task.id, one)
            if one.answer.attempt < known.answer.attempt:
                found[one.task.id] = one
    if not found:
        message = "The set has no answers of that player; its analysis names those that it has."
        raise NotFound("no_such_player", message, field)
    return found


def _whole(first: Mapping[int, Scored], task: int) -> Scored | None:
    one = first.get(task)
    return one if one and one.score.status == "scored" else None


def _side(one: Scored | None, used: Mapping[int, Used], waiting: set[int]) -> Side:
    if one is None:
        return Side(answer=None, status="none", score=None, passed=None, calls=0, rounds=None)
    use, told = used[one.answer.id], shown(one.score, hidden=one.answer.id in waiting)
    return Side(
        answer=one.answer.id,
        status=told.status,
        score=told.score,
        passed=told.passed,
        calls=use.calls,
        rounds=use.rounds,
    )


def _difference(pairs: Sequence[tuple[Scored, Scored]], value: Callable[[Scored], float]) -> Mean:
    differences = [value(other) - value(one) for one, other in pairs]
    ends = mean_interval([[each] for each in differences], bounds=(-1, 1))
    mean = float(np.mean(differences)) if differences else None
    return Mean(value=mean, low=ends.low if ends else None, high=ends.high if ends else None, n=len(differences))
