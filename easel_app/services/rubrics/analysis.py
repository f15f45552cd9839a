"""How the models of a set did with their tools: scores by group, tool figures, repeats and errors of each player."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from easel_app.scoring import image_operations, repeats, rubric, tool_use
from easel_app.scoring.uncertainty import RESAMPLES
from easel_app.services.kept import Kept
from easel_app.services.rubrics.analysis_views import Analysis, JudgedBy
from easel_app.services.rubrics.consensus import by_pair, current
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.means import Means
from easel_app.services.rubrics.players import AnswerArrays, player_of
from easel_app.services.rubrics.tool_figures import WAIT, FigureService, Tally, Used
from easel_app.services.rubrics.verdicts_by import By, Scored, VerdictsBy
from easel_app.services.rubrics.views import Critical
from easel_app.store.reviews import ReviewStore

MOST_KEPT = 16
"""Analyses that are kept until something new comes in."""
VERSIONS = [rubric.VERSION, tool_use.VERSION, image_operations.VERSION, repeats.VERSION]


class AnalysisService:
    """Computes analyses; one is kept until something new comes in."""

    def __init__(
        self, library: RubricLibrary, reviews: ReviewStore, verdicts: VerdictsBy, figures: FigureService
    ) -> None:
        self._library, self._reviews = library, reviews
        self._verdicts, self._figures = verdicts, figures
        self._kept = Kept[tuple[object, ...], Analysis](MOST_KEPT)
        self._computing = threading.Lock()

    def analysis(self, set_id: str, wanted: str | None, critical: Critical, *, wait: float | None = WAIT) -> Analysis:
        """How the models of a set did with their tools.

        Args:
            set_id: which set.
            wanted: a judging or `people`; None: the first judging, or people where there is none.
            critical: what makes an item critical.
            wait: seconds that reading the code of calls may take; None: as long as it takes.

        Raises:
            NotFound: no such set or judging.
        """
        by = self._verdicts.by(set_id, wanted, critical)
        marks = self._verdicts.mark(by), self._reviews.last(set_id)  # before what they mark is read
        with self._computing:  # a second caller waits for the first one's answer
            scored = self._verdicts.scored(by)
        figures = self._figures.figures(set_id, [one.answer for one in scored], wait)
        key = (by, *marks, len(scored), *figures.mark)
        with self._computing:
            known = self._kept.get(key)
            return known or self._kept.put(key, self._compute(by, scored, figures.used, figures.players))

    def _compute(
        self, by: By, scored: Sequence[Scored], used: Mapping[int, Used], tallies: Mapping[str, Tally]
    ) -> Analysis:
        tasks = self._library.store.outlines(by.set_id)
        errors = self._errors(scored, by.set_id)
        judged: dict[str, list[JudgedBy]] = defaultdict(list)
        for judging_id, judge, model, answers in self._library.judgings.judged(by.set_id):
            judged[model].append(JudgedBy(judging_id=judging_id, judge=judge, answers=answers))
        of_player: dict[str, list[Scored]] = defaultdict(list)
        for one in scored:
            of_player[one.answer.model].append(one)
        means = Means()
        players = [
            player_of(
                name,
                AnswerArrays.of(found, used, tasks),
                tallies.get(name, Tally()),
                judged[name],
                errors[name],
                means,
            )
            for name, found in sorted(of_player.items())
        ]
        means.settle()
        return Analysis(
            set_id=by.set_id,
            sample=self._library.set(by.set_id).sample,
            by=by.name,
            judge=by.judge,
            critical=by.critical,
            resamples=RESAMPLES,
            versions=VERSIONS,
            tasks=len(tasks),
            players=players,
        )

    def _errors(self, scored: Iterable[Scored], set_id: str) -> Mapping[str, Counter[str]]:
        """Why reviewers now say that a player's answers miss items, by kind."""
        players = {one.answer.id: one.answer.model for one in scored}
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for (answer, _), votes in by_pair(self._reviews.votes(set_id)).items():
            kinds = [vote.error for vote in current(votes) if vote.error and vote.role == "review"]
            if answer in players:
                found[players[answer]].update(kinds)
        return found
