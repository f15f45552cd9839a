"""A set's verdicts as arrays: one row for each pair of an answer and a rubric item, as the statistics take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from easel_app.rubrics.records import Verdict
from easel_app.scoring.rubric import CRITICAL_WEIGHT
from easel_app.scoring.verdicts import CANNOT_ASSESS, MET, NO_VERDICT, NOT_MET, Codes, Floats, Mask
from easel_app.services.rubrics import consensus
from easel_app.services.rubrics.queues import Pair
from easel_app.services.rubrics.views import Critical
from easel_app.store.reviews import VoteRow
from easel_app.store.rubrics import AnswerKey

CODES = {Verdict.MET: MET, Verdict.NOT_MET: NOT_MET, Verdict.CANNOT_ASSESS: CANNOT_ASSESS}
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Rows:
    """Pairs with what was said of them."""

    pairs: Sequence[Pair]
    verdicts: Mapping[consensus.Pair, str | None]
    """Of the judge, by pair; those that are missing are none."""
    votes_on: Mapping[consensus.Pair, list[VoteRow]]
    """All votes by pair, in their order."""
    chances: Mapping[consensus.Pair, float]
    """Probability of having been drawn for review, by pair; those that are missing are sure."""

    @cached_property
    def keys(self) -> list[consensus.Pair]:
        """What each row is about."""
        return [(pair.answer.id, pair.item.id) for pair in self.pairs]

    @cached_property
    def answers(self) -> list[AnswerKey]:
        """The answers, each once."""
        return list({pair.answer.id: pair.answer for pair in self.pairs}.values())

    @cached_property
    def place(self) -> Indices:
        """Place of each row's answer among the answers, (n,)."""
        known = {answer.id: place for place, answer in enumerate(self.answers)}
        return np.array([known[pair.answer.id] for pair in self.pairs], np.intp)

    @cached_property
    def task(self) -> Indices:
        """Each answer's task, (answers,)."""
        return np.array([answer.task for answer in self.answers], np.intp)

    @cached_property
    def judge(self) -> Codes:
        """The judge's verdicts, (n,)."""
        return np.array([_code(self.verdicts.get(key)) for key in self.keys], np.int8)

    @cached_property
    def reviewers(self) -> list[str]:
        """People with blind votes, in alphabetical order."""
        return sorted({name for said in self._blind.values() for name in said})

    @cached_property
    def votes(self) -> Codes:
        """Blind votes, (n, reviewers)."""
        cast = np.full((len(self.pairs), len(self.reviewers)), NO_VERDICT, np.int8)
        column = {name: k for k, name in enumerate(self.reviewers)}
        for row, key in enumerate(self.keys):
            for name, verdict in self._blind.get(key, {}).items():
                cast[row, column[name]] = CODES[Verdict(verdict)]
        return cast

    @cached_property
    def agreed(self) -> Codes:
        """What people settled on, (n,)."""
        found = [consensus.consensus(self.votes_on.get(key, ())) for key in self.keys]
        return np.array([_code(one.verdict if one else None) for one in found], np.int8)

    @cached_property
    def sampling_weight(self) -> Floats:
        """1 / chance of having been drawn for review, (n,)."""
        return 1 / np.array([self.chances.get(key, 1.0) for key in self.keys], np.float64)

    @cached_property
    def weight(self) -> Floats:
        """Weights of the items, (n,)."""
        return np.array([pair.item.weight for pair in self.pairs], np.float64)

    def critical(self, policy: Critical) -> Mask:
        """Whether the items are critical, by their weight or by the data set's flag, bool (n,)."""
        if policy == "weight":
            return self.weight >= CRITICAL_WEIGHT
        return np.array([pair.item.critical is True for pair in self.pairs], np.bool_)

    def groupings(self) -> dict[str, dict[str, Mask]]:
        """What the statistics are split by: masks bool (n,) by name and label, the labels in their order."""
        labels: dict[str, list[tuple[str, ...]]] = {
            "objectivity": [(pair.item.objectivity or "unknown",) for pair in self.pairs],
            "category": [tuple(pair.item.categories) or ("none",) for pair in self.pairs],
            "weight": [(str(pair.item.weight),) for pair in self.pairs],
            "critical": [("critical" if pair.item.weight >= CRITICAL_WEIGHT else "other",) for pair in self.pairs],
            "turn": [(str(pair.item.turn),) for pair in self.pairs],
            "model": [(pair.answer.model,) for pair in self.pairs],
        }
        return {name: _masks(of_rows) for name, of_rows in labels.items()}

    def models(self) -> dict[str, Mask]:
        """Masks bool (answers,) by model."""
        return _masks([(answer.model,) for answer in self.answers])

    @cached_property
    def _blind(self) -> dict[consensus.Pair, dict[str, str]]:
        return {key: consensus.blind(self.votes_on[key]) for key in self.keys if key in self.votes_on}


def _masks(labels: Sequence[Sequence[str]]) -> dict[str, Mask]:
    found = sorted({label for row in labels for label in row})
    masks = {label: np.zeros(len(labels), np.bool_) for label in found}
    for place, row in enumerate(labels):
        for label in row:
            masks[label][place] = True
    return masks


def _code(verdict: str | None) -> int:
    return NO_VERDICT if verdict is None else CODES[Verdict(verdict)]
