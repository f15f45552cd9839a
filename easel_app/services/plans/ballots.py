"""What people say of plans, as it stands: everybody's current word on each part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import TypeAdapter

from easel_app.plans.files import VoteContent
from easel_app.plans.outline import Outline
from easel_app.services.plans.sight import GAPS, PLAN, Sight, open_parts
from easel_app.services.plans.views import Mine, OthersVote
from easel_app.store.plan_votes import FINAL, PlanVoteRow

Words = Mapping[str, PlanVoteRow]
"""One person's current votes on one plan, by part."""
_CONTENT: TypeAdapter[Any] = TypeAdapter(VoteContent)


def current(votes: Iterable[PlanVoteRow]) -> list[PlanVoteRow]:
    """The last vote of each person on each part of each plan, in their order, without those that were taken back."""
    last = {(vote.answer, vote.reviewer, vote.part): vote for vote in votes}
    return sorted((vote for vote in last.values() if vote.content is not None), key=lambda vote: vote.id)


def words_of(votes: Iterable[PlanVoteRow], reviewer: str) -> dict[int, dict[str, PlanVoteRow]]:
    """A person's current votes by plan and part."""
    found: dict[int, dict[str, PlanVoteRow]] = {}
    for vote in current(vote for vote in votes if vote.reviewer == reviewer):
        found.setdefault(vote.answer, {})[vote.part] = vote
    return found


def done(words: Words, outline: Outline) -> float:
    """Share of the parts of a plan (calls, gaps, FS, the plan as a whole) that a person has voted on, [0, 1]."""
    parts = open_parts(len(outline.tools), no_output=outline.no_output)
    return sum(part in words for part in parts) / len(parts)


def verdict(words: Words) -> Literal["accept", "revise", "reject"] | None:
    """What a person says of a plan as a whole."""
    vote = words.get(PLAN)
    return vote.content["verdict"] if vote and vote.content else None


def mine(words: Words, sight: Sight) -> Mine:
    """What a person has said of a plan."""
    contents = {part: _CONTENT.validate_python(dict(vote.content or {})) for part, vote in words.items()}
    final = contents.get(FINAL)
    return Mine(
        calls={int(part[5:]): content for part, content in contents.items() if part.startswith("call:")},
        gaps=contents.get(GAPS),
        upheld={part[4:]: content.upheld for part, content in contents.items() if part.startswith("gap:")},
        fs=final.fs if final else None,
        plan=contents[PLAN].verdict if PLAN in contents else None,
        notes={part: vote.note for part, vote in words.items() if vote.note},
        blind={part: vote.blind for part, vote in words.items()},
        revealed=sorted(sight.parts),
    )


def others(votes: Iterable[PlanVoteRow], reviewer: str | None, sight: Sight) -> list[OthersVote]:
    """What other people say of a plan, on the parts that may be shown."""
    return [
        OthersVote(
            reviewer=vote.reviewer,
            part=vote.part,
            content=_CONTENT.validate_python(dict(vote.content or {})),
            note=vote.note,
            blind=vote.blind,
            at=vote.at,
        )
        for vote in current(votes)
        if vote.reviewer != reviewer and sight.shows(vote.part)
    ]
