"""What people say of a set's plans: blind, before anything was revealed to them, or as they say now.

Agreement is computed from blind words alone, since whoever has read a report is drawn to it. Scores by people are of
their present ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from easel_app.scoring.plan import Verdict
from easel_app.store.plan_votes import PlanVoteRow

Content = Mapping[str, Any]
Said = dict[tuple[int, str], dict[str, Content]]
"""By answer and part: what each person says, by name."""


def current(votes: Iterable[PlanVoteRow]) -> Said:
    """Each person's last word on each part, without what they took back. Votes come in their order."""
    found: Said = defaultdict(dict)
    for vote in votes:
        if vote.content is None:
            found[vote.answer, vote.part].pop(vote.reviewer, None)
        else:
            found[vote.answer, vote.part][vote.reviewer] = vote.content
    return found


def blind(votes: Iterable[PlanVoteRow]) -> Said:
    """Each person's blind word on each part.

    Who took their word back has none, whatever they said later: that was no longer blind.
    """
    found: Said = defaultdict(dict)
    for vote in votes:
        if vote.content is None:
            found[vote.answer, vote.part].pop(vote.reviewer, None)
        elif vote.blind:
            found[vote.answer, vote.part][vote.reviewer] = vote.content
    return found


@dataclass(frozen=True)
class Words:
    """The same by what it is about; each first by answer, then by the person's name."""

    calls: Mapping[int, Mapping[str, Mapping[int, Verdict]]]
    """The verdict on each call, by its number."""
    gaps: Mapping[int, Mapping[str, Sequence[Mapping[str, Any]]]]
    """All gaps that they find."""
    fs: Mapping[int, Mapping[str, float]]
    plans: Mapping[int, Mapping[str, str]]
    """accept, revise or reject."""
    upheld: Mapping[int, Mapping[str, Mapping[str, bool]]]
    """Whether they uphold a judge's gap, by `JUDGE/gap_id`."""

    @property
    def reviewers(self) -> list[str]:
        """Who said anything, but of a judge's gaps, in alphabetical order."""
        by_answer: Iterable[Mapping[int, Mapping[str, object]]] = (self.calls, self.gaps, self.fs, self.plans)
        return sorted({name for of in by_answer for said in of.values() for name in said})

    @property
    def answers(self) -> set[int]:
        """What anybody said anything of, but of a judge's gaps."""
        by_answer: Iterable[Mapping[int, Mapping[str, object]]] = (self.calls, self.gaps, self.fs, self.plans)
        return {answer for of in by_answer for answer in of}


def words(said: Said) -> Words:
    """What people say, by what it is about."""
    calls: dict[int, dict[str, dict[int, Verdict]]] = {}
    gaps: dict[int, dict[str, Sequence[Mapping[str, Any]]]] = {}
    fs: dict[int, dict[str, float]] = {}
    plans: dict[int, dict[str, str]] = {}
    upheld: dict[int, dict[str, dict[str, bool]]] = {}
    for (answer, part), by_person in said.items():
        about, _, key = part.partition(":")
        for name, content in by_person.items():
            if about == "call":
                calls.setdefault(answer, {}).setdefault(name, {})[int(key)] = content
            elif about == "gaps":
                gaps.setdefault(answer, {})[name] = content["gaps"]
            elif about == "fs":
                fs.setdefault(answer, {})[name] = content["fs"]
            elif about == "plan":
                plans.setdefault(answer, {})[name] = content["verdict"]
            else:
                upheld.setdefault(answer, {}).setdefault(name, {})[key] = content["upheld"]
    return Words(calls, gaps, fs, plans, upheld)


class Fate(NamedTuple):
    """What became of people's words that are not in the agreement."""

    after_reveal: int
    """Present words that are not the blind ones."""
    withdrawn: int
    """Blind words that were taken back."""


def fate(votes: Sequence[PlanVoteRow]) -> Fate:
    """Of all words but those on a judge's gaps, which are always said with the judge's word in sight."""
    counted = [vote for vote in votes if not vote.part.startswith("gap:")]
    first, last = blind(counted), current(counted)
    after = sum(first[key].get(name) != said for key, people in last.items() for name, said in people.items())
    taken = {(vote.answer, vote.part, vote.reviewer) for vote in counted if vote.content is None}
    were = {(vote.answer, vote.part, vote.reviewer) for vote in counted if vote.blind and vote.content is not None}
    return Fate(after, len(taken & were))
