"""What people settled on: one label for each item of each answer, out of all votes on it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from easel_app.rubrics.records import Verdict
from easel_app.store.reviews import VoteRow

Pair = tuple[int, int]
"""Row ids of an answer and of a rubric item."""


class Consensus(NamedTuple):
    """What people say of one item of one answer, taken together."""

    verdict: str | None
    """`met` or `not_met`; None while they are tied, or nobody could tell."""
    by: str
    """`adjudication`, `majority`, or `tie` when there is none."""
    votes: int
    """People who said met or not met."""


def current(votes: Iterable[VoteRow]) -> list[VoteRow]:
    """The last vote of each person in each role on one pair, without those who took theirs back."""
    last = {(vote.role, vote.reviewer): vote for vote in votes}
    return [vote for vote in last.values() if vote.verdict is not None]


def settled(votes: Iterable[VoteRow]) -> VoteRow | None:
    """The last adjudication of one pair that stands."""
    rulings = [vote for vote in current(votes) if vote.role == "adjudication"]
    return max(rulings, key=lambda vote: vote.id) if rulings else None


def disagree(votes: Iterable[VoteRow]) -> bool:
    """Whether one says that one pair is met and another that it is not; who cannot assess it disagrees with nobody."""
    said = {vote.verdict for vote in current(votes) if vote.role == "review"}
    return said >= {Verdict.MET, Verdict.NOT_MET}


def consensus(votes: Iterable[VoteRow]) -> Consensus | None:
    """What people settled on about one pair: the last adjudication, else what more than half of them say now.

    Only met and not met are counted; None when nobody has said anything.
    """
    standing = current(votes)
    said = Counter(vote.verdict for vote in standing if vote.role == "review")
    said.pop(Verdict.CANNOT_ASSESS, None)
    ruling = settled(standing)
    if ruling:
        return Consensus(ruling.verdict, "adjudication", said.total())
    if not standing:
        return None
    top = said.most_common(1)
    if top and 2 * top[0][1] > said.total():
        return Consensus(top[0][0], "majority", said.total())
    return Consensus(None, "tie", said.total())


def blind(votes: Iterable[VoteRow]) -> dict[str, str]:
    """The blind verdict of each person on one pair: what they said before anything was revealed.

    Who took their vote back has none, whatever they said later: that was no longer blind.
    """
    found: dict[str, str] = {}
    for vote in votes:
        if vote.role == "review" and vote.verdict is None:
            found.pop(vote.reviewer, None)
        elif vote.blind and vote.verdict is not None:
            found[vote.reviewer] = vote.verdict
    return found


def by_pair(votes: Iterable[VoteRow]) -> Mapping[Pair, list[VoteRow]]:
    """Votes by what they are about, in their order."""
    found: dict[Pair, list[VoteRow]] = defaultdict(list)
    for vote in votes:
        found[vote.answer, vote.item].append(vote)
    return found
