"""How one player of a set did: scores by group, tool figures and repeats, from its answers in arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.scoring.repeats import ks, pass_at_k, pass_hat_k
from easel_app.scoring.rubric import domain
from easel_app.services.rubrics.analysis_views import Cell, JudgedBy, Player, Repeats, Rounds, ToolFigures
from easel_app.services.rubrics.means import Floats, Means, Places
from easel_app.services.rubrics.scores import Group
from easel_app.services.rubrics.tool_figures import Tally, Used, by_kind, by_name, common
from easel_app.services.rubrics.verdicts_by import Scored
from easel_app.store.rubrics import Outline


class AnswerArrays(NamedTuple):
    """The answers of one player, in arrays (n,)."""

    tasks: list[Outline]
    ids: list[int]
    """Names the answers in requests; they rise in the order in which answers came in."""
    status: list[str]
    task: Places
    """Number of its task within the set."""
    score: Floats
    """nan where it is not scored."""
    passed: Floats
    critical: Floats
    """How many items of its task are critical."""
    calls: Floats
    successes: Floats
    rounds: Floats
    """nan where they are not on record."""

    @classmethod
    def of(cls, scored: Sequence[Scored], used: Mapping[int, Used], tasks: Sequence[Outline]) -> AnswerArrays:
        """Those of a player's answers, `tasks` being all of the set in its order."""
        numbers = {task.id: number for number, task in enumerate(tasks)}
        uses = [used[one.answer.id] for one in scored]
        full = [one.score.status == "scored" for one in scored]

        def table(values: Iterable[float | None]) -> Floats:
            return np.array([np.nan if value is None else float(value) for value in values], np.float64)

        return cls(
            tasks=[one.task for one in scored],
            ids=[one.answer.id for one in scored],
            status=[one.score.status for one in scored],
            task=np.array([numbers[one.task.id] for one in scored], np.intp),
            score=table(one.score.score for one in scored),
            passed=table(one.score.passed if whole else None for one, whole in zip(scored, full, strict=True)),
            critical=table(one.score.n_critical for one in scored),
            calls=table(use.calls for use in uses),
            successes=table(use.successes for use in uses),
            rounds=table(use.rounds for use in uses),
        )

    def group(self, where: NDArray[np.bool_], means: Means) -> Group:
        """ARS and APR of the answers of a mask."""
        scored = where & ~np.isnan(self.score)
        return Group(
            ars=means.mean(self.task[scored], self.score[scored]),
            apr=means.mean(self.task[scored], self.passed[scored]),
            total=int(np.count_nonzero(where)),
        )

    def cells(self, key: Callable[[Outline], str | None], means: Means) -> list[Cell]:
        """The answers by group, in the groups' alphabetical order."""
        keys = [key(task) for task in self.tasks]
        groups = sorted({name for name in keys if name})
        return [self._cell(name, np.array([key == name for key in keys]), means) for name in groups]

    def _cell(self, name: str, where: NDArray[np.bool_], means: Means) -> Cell:
        calls, successes = self.calls[where], self.successes[where].sum()
        return Cell(
            key=name,
            group=self.group(where, means),
            proactivity=float((calls > 0).mean()),
            success_rate=float(successes / calls.sum()) if calls.any() else None,
            volume=float(calls.mean()),
        )

    def repeats(self, means: Means) -> list[Repeats]:
        """pass@k and pass^k by k."""
        scored = ~np.isnan(self.passed)
        task = self.task[scored]
        attempts, passes = np.bincount(task), np.bincount(task, self.passed[scored])
        there = np.flatnonzero(attempts)
        n, c = attempts[there], passes[there].astype(np.int64)

        def at(k: int) -> Repeats:
            enough = n >= k
            some = there[enough].astype(np.intp)
            any_, all_ = (f(n[enough], c[enough], k) for f in (pass_at_k, pass_hat_k))
            told = {"k": k, "tasks": len(some), "left_out": len(there) - len(some)}
            return Repeats(**told, pass_at_k=means.mean(some, any_), pass_hat_k=means.mean(some, all_))

        return [at(k) for k in ks(int(n.max(initial=0)))]

    def by_rounds(self) -> list[Rounds]:
        """Calls by the number of rounds."""
        known = ~np.isnan(self.rounds)
        rounds, calls = self.rounds[known].astype(np.int64), self.calls[known]
        numbers, place = np.unique(rounds, return_inverse=True)
        answers, sums = np.bincount(place), np.bincount(place, calls)
        return [
            Rounds(rounds=int(number), answers=int(many), calls=float(whole / many))
            for number, many, whole in zip(numbers, answers, sums, strict=True)
        ]


def player_of(
    name: str, rows: AnswerArrays, tally: Tally, judged: list[JudgedBy], errors: Counter[str], means: Means
) -> Player:
    """How a player did.

    Args:
        name: of the player.
        rows: its answers.
        tally: what their traces come to.
        judged: who has judged them.
        errors: why reviewers say that they miss items.
        means: takes the means, whose intervals are known when it settles.
    """
    everything = np.ones(len(rows.tasks), np.bool_)
    conditions, differing = common(tally.conditions)
    whole, statuses = rows.group(everything, means), Counter(rows.status)
    return Player(
        player=name,
        conditions=conditions,
        mixed=bool(differing),
        differing=differing,
        first=min(rows.ids),
        origins=sorted(tally.origins),
        answers=len(rows.tasks),
        attempts=max(Counter(rows.task.tolist()).values(), default=0),
        scored=statuses["scored"],
        judged_by=judged,
        incomplete=statuses["incomplete"],
        unscored=statuses["unscored"],
        no_critical=int(np.count_nonzero(rows.critical[~np.isnan(rows.score)] == 0)),
        ars=whole.ars,
        apr=whole.apr,
        categories=rows.cells(lambda task: task.category and task.category.strip(), means),
        domains=rows.cells(lambda task: domain(task.domain) if task.domain else None, means),
        turn_kinds=rows.cells(turn_kind, means),
        repeats=rows.repeats(means),
        tools=_tools(rows, tally, means),
        errors=dict(errors.most_common()),
        votes_with_errors=errors.total(),
    )


def _tools(rows: AnswerArrays, tally: Tally, means: Means) -> ToolFigures:
    known = ~np.isnan(rows.rounds)
    return ToolFigures(
        proactivity=means.mean(rows.task, (rows.calls > 0).astype(np.float64)),
        success_rate=means.share(rows.task, rows.successes, rows.calls),
        volume=means.mean(rows.task, rows.calls, np.inf),
        rounds=means.mean(rows.task[known], rows.rounds[known], np.inf),
        calls=tally.names.total(),
        successes=tally.succeeded.total(),
        by_tool=by_name(tally.names, tally.names),
        succeeded=by_name(tally.succeeded, tally.names),
        failures=dict(tally.failures.most_common()),
        pictures=tally.pictures,
        image_calls=tally.image_calls,
        operations=by_kind(tally.operations),
        occurrences=by_kind(tally.occurrences),
        no_operation=tally.no_operation,
        unparsed=tally.unparsed,
        images_read=tally.images_read,
        by_rounds=rows.by_rounds(),
        endings=dict(tally.endings.most_common()),
    )


def turn_kind(task: Outline) -> str:
    """As the benchmark calls it (`turncase`)."""
    return "single-turn" if task.turns == 1 else "multi-turn"
