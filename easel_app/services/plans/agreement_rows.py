"""What one judge and people say of a set's plans as arrays: rows of calls, of places, and of plans.

Of people only what they said blind. All arrays of people have a column for each reviewer, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.plans.outline import Outline
from easel_app.scoring.plan import CRITERIA, FULL, Verdict, call_credit
from easel_app.scoring.verdicts import NO_VERDICT, Codes, Floats, Mask
from easel_app.services.plans.judged import Judged
from easel_app.services.plans.people import Words
from easel_app.services.plans.score_records import Answers
from easel_app.store.plans import PlanKey

PARTS = ("success", "necessary", "boundary_ok", *CRITERIA)
"""What a verdict on a call says yes or no to; of a criterion whether its score is the full one."""
Places = tuple[Sequence[int], Sequence[int]]
"""Gaps of one plan by two raters."""
Indices = NDArray[np.intp]


class CallRow(NamedTuple):
    """A call of a plan."""

    key: PlanKey
    call: int
    tool: str | None


@dataclass(frozen=True)
class Rows:
    """Plans with what was said of them."""

    answers: Answers
    judge: Judged
    people: Words

    @cached_property
    def reviewers(self) -> list[str]:
        """People with a blind word on anything, in alphabetical order."""
        return self.people.reviewers

    @cached_property
    def calls(self) -> list[CallRow]:
        """Every call of every plan."""
        return [CallRow(key, number, tool) for key, found in self.answers for number, tool in enumerate(found.tools, 1)]

    @cached_property
    def verdicts(self) -> tuple[Codes, Codes]:
        """The judge's verdicts on the calls, (calls, `PARTS`), and people's, (calls, reviewers, `PARTS`)."""
        judge = np.full((len(self.calls), len(PARTS)), NO_VERDICT, np.int8)
        people = np.full((len(self.calls), len(self.reviewers), len(PARTS)), NO_VERDICT, np.int8)
        for row, each in enumerate(self.calls):
            if verdict := self.judge.calls.get(each.key.id, {}).get(each.call):
                judge[row] = _coded(verdict)
            for name, own in self.people.calls.get(each.key.id, {}).items():
                if each.call in own:
                    people[row, self._column[name]] = _coded(own[each.call])
        return judge, people

    @cached_property
    def places(self) -> tuple[Indices, Codes, Codes]:
        """Each place of each plan: its plan among the answers, (n,); whether the judge reports a gap there, (n,), and
        whether each person does, (n, reviewers). A plan's places are that before its first block, and after each.
        """
        sizes = [_last_place(found) + 1 for _, found in self.answers]
        starts = np.cumsum([0, *sizes])
        judge = np.full(starts[-1], NO_VERDICT, np.int8)
        people = np.full((starts[-1], len(self.reviewers)), NO_VERDICT, np.int8)
        for number in range(len(self.answers)):
            own = slice(starts[number], starts[number + 1])
            if (gaps := self.judge_gaps(number)) is not None:
                judge[own] = 0
                judge[own][list(gaps)] = 1
            for column, found in self.people_gaps(number).items():
                people[own, column] = 0
                people[own, column][list(found)] = 1
        return np.repeat(np.arange(len(self.answers)), sizes), judge, people

    def judge_gaps(self, number: int) -> list[int] | None:
        """The places of the judge's gaps in an answer; None without a report."""
        key, found = self.answers[number]
        gaps = self.judge.gaps.get(key.id)
        return None if gaps is None else [_place(gap["after_block"], found) for gap in gaps]

    def people_gaps(self, number: int) -> dict[int, list[int]]:
        """The same of people, by their columns."""
        key, found = self.answers[number]
        lists = self.people.gaps.get(key.id, {})
        return {self._column[name]: [_place(gap["after_block"], found) for gap in own] for name, own in lists.items()}

    @cached_property
    def counts(self) -> tuple[Floats, Floats]:
        """Gaps of each plan by the judge, (answers,), and by people, (answers, reviewers); nan where not said."""
        judge = {answer: float(len(gaps)) for answer, gaps in self.judge.gaps.items()}
        people = {
            answer: {name: float(len(gaps)) for name, gaps in lists.items()}
            for answer, lists in self.people.gaps.items()
        }
        return self._numbers(judge, people)

    @cached_property
    def final(self) -> tuple[Floats, Floats]:
        """Final scores by the judge, (answers,), and by people, (answers, reviewers); nan where not said."""
        return self._numbers(self.judge.fs, self.people.fs)

    @cached_property
    def query(self) -> Indices:
        """Each answer's query, (answers,)."""
        return np.array([key.query for key, _ in self.answers], np.intp)

    @cached_property
    def _column(self) -> dict[str, int]:
        return {name: column for column, name in enumerate(self.reviewers)}

    def _numbers(self, judge: Mapping[int, float], people: Mapping[int, Mapping[str, float]]) -> tuple[Floats, Floats]:
        said = np.array([judge.get(key.id, np.nan) for key, _ in self.answers], np.float64)
        cast = np.full((len(self.answers), len(self.reviewers)), np.nan)
        for row, (key, _) in enumerate(self.answers):
            for name, value in people.get(key.id, {}).items():
                cast[row, self._column[name]] = value
        return said, cast


def groups(labels: Iterable[str | None]) -> dict[str, Mask]:
    """Masks bool (n,) by label, in alphabetical order; a row without a label is in none."""
    listed = np.array([label or "" for label in labels], np.str_)
    return {str(label): listed == label for label in np.unique(listed) if label}


def _coded(verdict: Verdict) -> list[int]:
    scores = verdict["scores"]
    said = (call_credit(verdict).strict == 1, verdict["necessary"], verdict["boundary_ok"])
    return [*map(int, said), *[int(scores[criterion] == FULL) for criterion in CRITERIA]]


def _last_place(found: Outline) -> int:
    """Number of a plan's last block: its blocks are paragraphs and calls."""
    return found.paragraphs + len(found.tools)


def _place(after_block: int, found: Outline) -> int:
    """The place of a gap; one said to be behind the end is at the end."""
    return min(after_block, _last_place(found))
