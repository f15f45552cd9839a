"""Whose verdicts are meant, and what answers score by them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from easel_app.rubrics.records import SPELLED, Verdict
from easel_app.scoring.rubric import TaskScore, score_task
from easel_app.services.kept import Kept
from easel_app.services.rubrics.consensus import Pair, by_pair, consensus
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.views import Critical
from easel_app.store.judgings import VerdictRow
from easel_app.store.reviews import ReviewStore
from easel_app.store.rubrics import AnswerKey, ItemRow, Outline

PEOPLE = "people"
"""Whose verdicts are meant when no judge's are: what people settled on."""
MOST_KEPT = 8
"""Sets with all their scores that are kept, 10 MB each for 20,000 answers."""


class By(NamedTuple):
    """Whose verdicts, and by which rule of passing."""

    set_id: str
    judging: str | None
    """None: what people settled on."""
    critical: Critical
    judge: str | None
    """The judge's name."""

    @property
    def name(self) -> str:
        """As callers name it."""
        return self.judging or PEOPLE


class Scored(NamedTuple):
    """An answer with its score."""

    answer: AnswerKey
    task: Outline
    score: TaskScore


class Shown(NamedTuple):
    """What may be told of an answer's score."""

    status: Literal["scored", "incomplete", "unscored", "hidden"]
    score: float | None = None
    passed: bool | None = None


class VerdictsBy:
    """Scores of answers by a judge or by people; those of a set are kept until something new comes in."""

    def __init__(self, library: RubricLibrary, reviews: ReviewStore) -> None:
        self._library, self._reviews = library, reviews
        self._kept = Kept[tuple[By, int, int, int], list[Scored]](MOST_KEPT)

    def by(self, set_id: str, wanted: str | None, critical: Critical) -> By:
        """Whose verdicts are meant: a judging, `people`; None: the first judging, or people where there is none.

        Raises:
            NotFound: no such set or judging.
        """
        self._library.set(set_id)
        judging = None if wanted == PEOPLE else self._library.judging(set_id, wanted)
        names = {record.id: record.judge for record in self._library.judgings.judgings(set_id)}
        return By(set_id, judging, critical, names[judging] if judging else None)

    def mark(self, by: By) -> int:
        """Changes whenever a verdict comes in."""
        return self._library.judgings.last(by.set_id) if by.judging else self._reviews.last(by.set_id)

    def scored(self, by: By) -> list[Scored]:
        """All answers of the set with their scores, by task."""
        counts = self._library.store.counts(by.set_id)
        key = (by, self.mark(by), counts["items"], counts["answers"])
        found = self._kept.get(key)
        if found is None:
            found = self._kept.put(key, list(self._scored(by)))
        return found

    def verdicts(self, set_id: str, judging: str | None) -> Mapping[Pair, str | None]:
        """Verdicts by pair: of a judging, or what people settled on."""
        if judging:
            return self._library.judgings.by_pair(judging)
        found = {pair: consensus(votes) for pair, votes in by_pair(self._reviews.votes(set_id)).items()}
        return {pair: label.verdict for pair, label in found.items() if label}

    def _scored(self, by: By) -> Iterator[Scored]:
        verdicts = self.verdicts(by.set_id, by.judging)
        tasks = {task.id: task for task in self._library.store.outlines(by.set_id)}
        items: dict[int, list[ItemRow]] = defaultdict(list)
        for item in self._library.store.items(by.set_id):
            items[item.task].append(item)
        rubrics = {task.id: rubric_of(items[task.id], task.turns) for task in tasks.values()}
        for key in self._library.store.answer_keys(by.set_id):
            said = [verdicts.get((key.id, item.id)) for item in items[key.task]]
            yield Scored(key, tasks[key.task], score_of(rubrics[key.task], items[key.task], said, by.critical))

    def on(
        self, by: By, answer: int, items: list[ItemRow]
    ) -> tuple[Mapping[int, str | None], Mapping[int, VerdictRow]]:
        """Verdicts on the items of one answer by item, and what the judge says of them where a judge is meant."""
        if by.judging:
            rows = [row for item in items if (row := self._library.judgings.verdict(by.judging, answer, item.id))]
            return {row.item: row.verdict for row in rows}, {row.item: row for row in rows}
        labels = {item: consensus(votes) for (_, item), votes in by_pair(self._reviews.votes_on(answer)).items()}
        return {item: label.verdict for item, label in labels.items() if label}, {}


Rubric = list[dict[str, Mapping[str, Any]]]
"""Items by their id, for each turn, as `scoring.rubric` takes them."""


def rubric_of(items: Iterable[ItemRow], turns: int) -> Rubric:
    """The rubric of a task."""
    rubric: Rubric = [{} for _ in range(turns)]
    for item in items:
        flag = {None: None, True: "yes", False: "no"}[item.critical]
        rubric[item.turn - 1][item.item_id] = {"weight": item.weight, "critical": flag}
    return rubric


def score_of(rubric: Rubric, items: Sequence[ItemRow], verdicts: Iterable[str | None], critical: Critical) -> TaskScore:
    """What an answer scores by verdicts on its items, in their order."""
    said: list[dict[str, object]] = [{} for _ in rubric]
    for item, verdict in zip(items, verdicts, strict=True):
        if verdict is not None:
            said[item.turn - 1][item.item_id] = SPELLED[Verdict(verdict)]
    return score_task(rubric, said, critical=critical)


def shown(score: TaskScore, *, hidden: bool) -> Shown:
    """What may be told of a score; only of scored answers whether they pass, as only they enter the means."""
    if hidden:
        return Shown("hidden")
    return Shown(score.status, score.score, score.passed if score.status == "scored" else None)
