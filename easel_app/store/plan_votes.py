"""What is stored of people's verdicts on plans, part by part.

Votes only ever grow. The current vote of a person on a part of an answer is their last row; a row without content takes
the earlier one back. Whether a vote was blind is decided in the one transaction that writes it: it was if it is the
person's first on that part, and nothing of what others say of the part was shown to them before.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from easel_app.store.database import Database
from easel_app.store.reviewers import imported_name, reviewer_id

ALL = "all"
"""The part that stands for all of an answer where what others say of it was shown."""
FINAL = "fs"
"""The part whose report speaks of every other part."""


class RequestReused(Exception):
    """The person has used the request id for another vote."""


@dataclass(frozen=True, slots=True)
class NewPlanVote:
    """What a person says of a part of an answer, as it comes in."""

    answer: int
    part: str
    """`call:3`, `gaps`, `gap:JUDGE/2`, `fs` or `plan`."""
    content: Mapping[str, Any] | None
    """As `plans.files` has it; None takes the earlier vote back."""
    note: str
    request_id: str
    at: str


class AdoptedPlanVote(NamedTuple):
    """A vote that came with data."""

    reviewer: str
    blind: bool
    vote: NewPlanVote
    number: int
    """How often the data have said these words at this moment until here, this vote included."""


class PlanVoteRow(NamedTuple):
    """A stored vote."""

    id: int
    answer: int
    reviewer: str
    """The person's name."""
    part: str
    content: Mapping[str, Any] | None
    note: str
    blind: bool
    supersedes: int | None
    request_id: str
    at: str


_VOTE = (
    "SELECT v.id, v.answer, r.name AS reviewer, v.part, v.content, v.note, v.blind, v.supersedes, v.request_id, v.at "
    "FROM plan_votes v JOIN reviewers r ON r.id = v.reviewer "
)


class PlanVoteStore:
    """Reads and appends people's verdicts on plans."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def vote(self, reviewer: int, vote: NewPlanVote) -> bool:
        """Store a vote and that others' words on its part may now be shown; whether it is blind, after the commit.

        The same request again changes nothing and has the first answer.

        Raises:
            RequestReused: the request id is that of another vote of theirs.
        """

        def job(connection: sqlite3.Connection) -> bool:
            query = "SELECT answer, part, content, note, blind FROM plan_votes WHERE reviewer = ? AND request_id = ?"
            there = connection.execute(query, [reviewer, vote.request_id]).fetchone()
            content = None if vote.content is None else json.dumps(vote.content)
            if there:
                if tuple(there)[:4] != (vote.answer, vote.part, content, vote.note):
                    raise RequestReused
                return bool(there["blind"])
            query = "SELECT MAX(id) FROM plan_votes WHERE answer = ? AND part = ? AND reviewer = ?"
            last = connection.execute(query, [vote.answer, vote.part, reviewer]).fetchone()[0]
            query = "SELECT 1 FROM plan_reveals WHERE reviewer = ? AND answer = ? AND part IN (?, ?, ?)"
            told = connection.execute(query, [reviewer, vote.answer, vote.part, ALL, FINAL]).fetchone()
            blind = last is None and told is None
            connection.execute(
                "INSERT INTO plan_votes (answer, reviewer, part, content, note, blind, supersedes, request_id, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [vote.answer, reviewer, vote.part, content, vote.note, blind, last, vote.request_id, vote.at],
            )
            _reveal(connection, reviewer, vote.answer, vote.part, vote.at)
            return blind

        return self._database.write(job)

    def reveal(self, reviewer: int, answer: int, part: str, at: str) -> None:
        """Store that others' words on a part of an answer, or on all of it, were shown; returns after the commit."""
        self._database.write(lambda c: _reveal(c, reviewer, answer, part, at))

    def revealed(self, reviewer: int, answer: int) -> set[str]:
        """The parts of an answer of which a person has seen what others say."""
        query = "SELECT part FROM plan_reveals WHERE reviewer = ? AND answer = ?"
        return {row["part"] for row in self._database.read().execute(query, [reviewer, answer])}

    def revealed_in(self, reviewer: int, set_id: str) -> dict[int, set[str]]:
        """The same of all answers of a set, by answer."""
        query = (
            "SELECT t.answer, t.part FROM plan_reveals t JOIN plan_answers a ON a.id = t.answer "
            "JOIN plan_queries q ON q.id = a.query WHERE t.reviewer = ? AND q.set_id = ?"
        )
        found: dict[int, set[str]] = {}
        for row in self._database.read().execute(query, [reviewer, set_id]):
            found.setdefault(row["answer"], set()).add(row["part"])
        return found

    def adopt(self, votes: Iterable[AdoptedPlanVote]) -> int:
        """Store votes that came with data, unless they are there; how many are new.

        What speaks in the name of somebody who has a token here is kept under another name, unless it was cast here.
        Whoever has a vote on a part counts as told what others say of it.
        """

        def job(connection: sqlite3.Connection) -> int:
            new = 0
            for name, blind, vote, number in votes:
                content = None if vote.content is None else json.dumps(vote.content)
                reviewer = reviewer_id(connection, name, vote.at)
                if _there(connection, reviewer, vote, content, number):
                    continue
                if connection.execute("SELECT 1 FROM reviewer_tokens WHERE reviewer = ?", [reviewer]).fetchone():
                    reviewer = reviewer_id(connection, imported_name(name), vote.at)
                    if _there(connection, reviewer, vote, content, number):
                        continue
                query = "SELECT MAX(id) FROM plan_votes WHERE answer = ? AND part = ? AND reviewer = ?"
                last = connection.execute(query, [vote.answer, vote.part, reviewer]).fetchone()[0]
                values = [vote.answer, reviewer, vote.part, content, vote.note, blind and last is None, last]
                connection.execute(
                    "INSERT INTO plan_votes (answer, reviewer, part, content, note, blind, supersedes, request_id, at) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [*values, vote.request_id, vote.at],
                )
                _reveal(connection, reviewer, vote.answer, vote.part, vote.at)
                new += 1
            return new

        return self._database.write(job)

    def votes_on(self, answer: int) -> list[PlanVoteRow]:
        """All votes on an answer, in their order."""
        rows = self._database.read().execute(f"{_VOTE}WHERE v.answer = ? ORDER BY v.id", [answer])
        return [_vote(row) for row in rows]

    def reviewers(self, set_id: str) -> list[str]:
        """Names of the people with a vote on a set, in alphabetical order."""
        query = (
            "SELECT DISTINCT r.name FROM plan_votes v JOIN reviewers r ON r.id = v.reviewer "
            "JOIN plan_answers a ON a.id = v.answer JOIN plan_queries q ON q.id = a.query WHERE q.set_id = ? "
            "ORDER BY r.name"
        )
        return [row["name"] for row in self._database.read().execute(query, [set_id])]

    def votes(self, set_id: str, reviewer: str | None = None) -> list[PlanVoteRow]:
        """All votes on a set, or those of one person, in their order."""
        query = (
            f"{_VOTE}JOIN plan_answers a ON a.id = v.answer JOIN plan_queries q ON q.id = a.query "
            "WHERE q.set_id = ?1 AND (?2 IS NULL OR r.name = ?2) ORDER BY v.id"
        )
        return [_vote(row) for row in self._database.read().execute(query, [set_id, reviewer])]

    def last(self, set_id: str) -> int:
        """Id of the newest vote on a set, 0 without any: what was computed before it is out of date."""
        query = (
            "SELECT COALESCE(MAX(v.id), 0) AS last FROM plan_votes v JOIN plan_answers a ON a.id = v.answer "
            "JOIN plan_queries q ON q.id = a.query WHERE q.set_id = ?"
        )
        return int(self._database.read().execute(query, [set_id]).fetchone()["last"])


def _there(
    connection: sqlite3.Connection, reviewer: int, vote: NewPlanVote, content: str | None, number: int
) -> bool:
    """Whether a vote is stored: by its request id, or as often as data say the same words at the same moment."""
    query = """
        SELECT EXISTS (SELECT 1 FROM plan_votes WHERE reviewer = ?1 AND request_id = ?2) OR ?8 <= (
          SELECT COUNT(*) FROM plan_votes
          WHERE reviewer = ?1 AND answer = ?3 AND part = ?4 AND content IS ?5 AND note = ?6 AND at = ?7
        )
    """
    values = [reviewer, vote.request_id, vote.answer, vote.part, content, vote.note, vote.at, number]
    return bool(connection.execute(query, values).fetchone()[0])


def _reveal(connection: sqlite3.Connection, reviewer: int, answer: int, part: str, at: str) -> None:
    connection.execute("INSERT OR IGNORE INTO plan_reveals VALUES (?, ?, ?, ?)", [reviewer, answer, part, at])


def _vote(row: sqlite3.Row) -> PlanVoteRow:
    content = None if row["content"] is None else json.loads(row["content"])
    return PlanVoteRow(**{**dict(row), "content": content, "blind": bool(row["blind"])})
