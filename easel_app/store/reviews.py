"""What is stored of people's reviews: who reviews, what is to be reviewed, places kept for a while, and votes.

Votes only ever grow. The current vote of a person on an item of an answer is their last row; a row without a verdict
takes the earlier one back. Which moment counts is decided in the one transaction that writes.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple

from easel_app.store.database import Database
from easel_app.store.reviewers import imported_name, reviewer_id


class QueueRecord(NamedTuple):
    """What is to be reviewed, by how many people each."""

    id: str
    set_id: str
    judging_id: str | None
    """The judge whose verdicts are shown after a vote, and from whose verdicts it was sampled; None: the first one."""
    name: str
    required: int
    """People who vote on each entry, at most and at last."""
    hold: float
    """Seconds that an entry is kept for whoever looks at it."""
    settings: Mapping[str, Any]
    """How its entries were chosen."""
    created_at: str


class Entry(NamedTuple):
    """One rubric item of one answer, to be reviewed; entries of one `place` are of one answer."""

    id: int
    queue_id: str
    place: int
    answer: int
    item: int
    chance: float
    """Probability with which it was drawn."""


class Standing(NamedTuple):
    """An entry as it stands for one person."""

    id: int
    place: int
    answer: int
    item: int
    mine: str | None
    """The person's current verdict on it, whichever queue they gave it in."""
    told: bool
    """Whether the person has seen what others say of it."""
    others: int
    """Others whose current vote counts here."""
    held: int
    """Others for whom it is kept now."""


@dataclass(frozen=True, slots=True)
class NewVote:
    """What a person says, as it comes in."""

    answer: int
    item: int
    role: str
    verdict: str | None
    confidence: int | None
    note: str
    error: str | None
    request_id: str
    at: str


@dataclass(frozen=True, slots=True)
class VoteRow(NewVote):
    """A stored vote."""

    id: int
    reviewer: str
    """The person's name."""
    blind: bool
    supersedes: int | None
    entry: int | None


@dataclass(frozen=True, slots=True)
class AdoptedVote:
    """A vote that came in with data."""

    answer: int
    item: int
    reviewer: str
    role: str
    verdict: str | None
    confidence: int | None
    note: str
    error: str | None
    blind: bool
    request_id: str
    """Names it, so that the same data change nothing when they come again, even if they do not say when it was cast."""
    at: str


class EnoughReviewers(Exception):
    """As many people as are required have voted on the entry, or are at it."""


class RequestReused(Exception):
    """The person has used the request id for another vote."""


_VOTE = (
    "SELECT v.answer, v.item, v.role, v.verdict, v.confidence, v.note, v.error, v.request_id, v.at, v.id, "
    "r.name AS reviewer, v.blind, v.supersedes, v.entry FROM votes v JOIN reviewers r ON r.id = v.reviewer "
)
_PAIR = "answer = ? AND item = ? AND role = ? AND reviewer = ?"
_THERE = """
    SELECT EXISTS (SELECT 1 FROM votes WHERE reviewer = :me AND request_id = :request_id) OR :number <= (
      SELECT COUNT(*) FROM votes WHERE answer = :answer AND item = :item AND role = :role AND reviewer = :me
        AND verdict IS :verdict AND confidence IS :confidence AND note = :note AND error IS :error AND at = :at
    )
"""
# how an entry e stands for the person :me at the moment :now
_STANDING = """
    SELECT e.id, e.place, e.answer, e.item,
      (SELECT c.verdict FROM votes c WHERE c.answer = e.answer AND c.item = e.item AND c.role = 'review'
         AND c.reviewer = :me ORDER BY c.id DESC LIMIT 1) AS mine,
      EXISTS (SELECT 1 FROM reveals t WHERE t.answer = e.answer AND t.item = e.item AND t.reviewer = :me) AS told,
      (SELECT COUNT(*) FROM current_votes c WHERE c.entry = e.id AND c.verdict IS NOT NULL AND c.reviewer != :me)
         AS others,
      (SELECT COUNT(*) FROM reservations h WHERE h.entry = e.id AND h.reviewer != :me AND h.until > :now) AS held
    FROM review_entries e WHERE e.queue_id = :queue
"""


class ReviewStore:
    """Reads and appends reviews."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_queue(self, queue: QueueRecord, entries: Iterable[tuple[int, int, int, float]]) -> None:
        """Store a queue with its entries (place, answer, item, chance), all or nothing; returns after the commit."""
        rows = [(queue.id, *entry) for entry in entries]

        def job(connection: sqlite3.Connection) -> None:
            values = [*queue[:6], json.dumps(queue.settings), queue.created_at]
            connection.execute("INSERT INTO review_queues VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            statement = "INSERT INTO review_entries (queue_id, place, answer, item, chance) VALUES (?, ?, ?, ?, ?)"
            connection.executemany(statement, rows)

        self._database.write(job)

    def queue(self, queue_id: str) -> QueueRecord | None:
        """The queue of that id, or None."""
        row = self._database.read().execute("SELECT * FROM review_queues WHERE id = ?", [queue_id]).fetchone()
        return _queue(row) if row else None

    def queues(self, set_id: str) -> list[QueueRecord]:
        """The queues of a set, oldest first."""
        query = "SELECT * FROM review_queues WHERE set_id = ? ORDER BY created_at, rowid"
        return [_queue(row) for row in self._database.read().execute(query, [set_id])]

    def entry(self, entry_id: int) -> Entry | None:
        """The entry of that id, or None."""
        row = self._database.read().execute("SELECT * FROM review_entries WHERE id = ?", [entry_id]).fetchone()
        return Entry(*row) if row else None

    def entries(self, queue_id: str) -> list[Entry]:
        """All entries of a queue in its order."""
        query = "SELECT * FROM review_entries WHERE queue_id = ? ORDER BY place, id"
        return [Entry(*row) for row in self._database.read().execute(query, [queue_id])]

    def standings(self, queue_id: str, reviewer: int, now: float, place: int | None = None) -> list[Standing]:
        """How all entries of a queue, or those of a place, stand for a person at a moment in Unix seconds."""
        where = "" if place is None else " AND e.place = :place"
        values = {"queue": queue_id, "me": reviewer, "now": now, "place": place}
        rows = self._database.read().execute(f"{_STANDING}{where} ORDER BY e.place, e.id", values)
        return [_standing(row) for row in rows]

    def progress(self, queue_id: str) -> tuple[int, int, int]:
        """Of a queue: places, entries, and entries on which as many people have voted as are required."""
        query = (
            "SELECT COUNT(DISTINCT e.place) AS places, COUNT(*) AS entries, TOTAL("
            "(SELECT COUNT(*) FROM current_votes c WHERE c.entry = e.id AND c.verdict IS NOT NULL) >= q.required"
            ") AS complete "
            "FROM review_entries e JOIN review_queues q ON q.id = e.queue_id WHERE e.queue_id = ?"
        )
        row = self._database.read().execute(query, [queue_id]).fetchone()
        return row["places"], row["entries"], int(row["complete"])

    def reserve(self, queue: QueueRecord, reviewer: int, now: float, place: int, *, only: bool) -> int | None:
        """Keep the open entries of a place for a person, for as long as the queue holds them.

        Args:
            queue: of which queue.
            reviewer: for whom.
            now: Unix seconds.
            place: where the search for open entries begins.
            only: whether it ends there too; else the next place with open entries is taken, from the first one on when
                there is none up to the end.

        Returns:
            The place; None when nothing is open for the person.
        """
        values = {"queue": queue.id, "me": reviewer, "now": now, "place": place, "required": queue.required}

        def job(connection: sqlite3.Connection) -> int | None:
            # the row of a person who has voted and withdrawn counts as open for them
            open_ones = f"FROM ({_STANDING}) WHERE mine IS NULL AND others + held < :required"
            first = f"SELECT MIN(place) {open_ones} AND place {'=' if only else '>='} :place"
            found = connection.execute(first, values).fetchone()[0]
            if found is None and not only:
                found = connection.execute(first, {**values, "place": 1}).fetchone()[0]
            if found is None:
                return None
            keep = f"INSERT OR REPLACE INTO reservations SELECT id, :me, :until {open_ones} AND place = :place"
            connection.execute(keep, {**values, "place": found, "until": now + queue.hold})
            return int(found)

        return self._database.write(job)

    # votes

    def vote(self, queue: QueueRecord, entry: Entry, reviewer: int, vote: NewVote, now: float) -> VoteRow:
        """Store a vote, which is blind if nothing was revealed of the item to its reviewer; from now on it is.

        Returns after the commit. A repeated request id gives the stored vote once more.

        Raises:
            EnoughReviewers: for a first vote there is no room.
            RequestReused: the request id was that of another vote.
        """

        def job(connection: sqlite3.Connection) -> int:
            there = connection.execute(
                "SELECT * FROM votes WHERE reviewer = ? AND request_id = ?", [reviewer, vote.request_id]
            ).fetchone()
            if there:
                same = ("answer", "item", "role", "verdict", "confidence", "note", "error")
                if any(there[name] != getattr(vote, name) for name in same):
                    raise RequestReused
                return int(there["id"])
            newest = f"SELECT id, verdict, entry FROM votes WHERE {_PAIR} ORDER BY id DESC LIMIT 1"  # noqa: S608
            last = connection.execute(newest, [vote.answer, vote.item, vote.role, reviewer]).fetchone()
            review = vote.role == "review"
            standing = last is not None and last["verdict"] is not None
            counts = (last["entry"] if standing else entry.id) if review else None
            if review and not standing and vote.verdict is not None:
                values = {"queue": queue.id, "me": reviewer, "now": now, "entry": entry.id}
                row = connection.execute(f"{_STANDING} AND e.id = :entry", values).fetchone()
                mine = connection.execute(
                    "SELECT 1 FROM reservations WHERE entry = ? AND reviewer = ? AND until > ?",
                    [entry.id, reviewer, now],
                ).fetchone()
                if row["others"] + (0 if mine else row["held"]) >= queue.required:
                    raise EnoughReviewers
            pair = [reviewer, vote.answer, vote.item]
            reveal = "INSERT OR IGNORE INTO reveals VALUES (?, ?, ?, ?)"
            blind = connection.execute(reveal, [*pair, vote.at]).rowcount == 1 and review
            names = [field.name for field in fields(NewVote)]
            row_id = connection.execute(
                f"INSERT INTO votes ({', '.join(names)}, reviewer, blind, supersedes, entry) "  # noqa: S608
                f"VALUES ({', '.join('?' * (len(names) + 4))})",
                [*(getattr(vote, name) for name in names), reviewer, blind, last["id"] if last else None, counts],
            ).lastrowid
            connection.execute("DELETE FROM reservations WHERE entry = ? AND reviewer = ?", [entry.id, reviewer])
            connection.execute(
                "UPDATE reservations SET until = ? WHERE reviewer = ? AND until > ? "
                "AND entry IN (SELECT id FROM review_entries WHERE queue_id = ? AND place = ?)",
                [now + queue.hold, reviewer, now, queue.id, entry.place],
            )
            assert row_id is not None  # noqa: S101
            return row_id

        row_id = self._database.write(job)
        row = self._database.read().execute(f"{_VOTE}WHERE v.id = ?", [row_id]).fetchone()
        return _vote(row)

    def reveal(self, reviewer: int, pairs: Iterable[tuple[int, int]], at: str) -> None:
        """Store that a person has seen what others say of items of answers; returns after the commit."""
        rows = [[reviewer, answer, item, at] for answer, item in pairs]
        self._database.write(lambda c: c.executemany("INSERT OR IGNORE INTO reveals VALUES (?, ?, ?, ?)", rows))

    def adopt(self, votes: Sequence[AdoptedVote]) -> int:
        """Store votes that came in with data, in their order, all or none; how many were not there yet.

        A vote is there when its request id is, or when at least as many stored ones say the same at the same time as
        the data hold up to it: what was cast here and comes back with data is not doubled. Anything else in the name
        of somebody who has a token here is kept under another name. Whoever has a vote on an item counts as told what
        others say of it, so that none of their later votes is blind.
        """

        def job(connection: sqlite3.Connection) -> int:
            new, seen = 0, Counter[AdoptedVote]()
            for vote in votes:
                reviewer = reviewer_id(connection, vote.reviewer, vote.at)
                same = replace(vote, request_id="", blind=False)
                seen[same] += 1
                if connection.execute(_THERE, {**asdict(vote), "me": reviewer, "number": seen[same]}).fetchone()[0]:
                    continue
                if connection.execute("SELECT 1 FROM reviewer_tokens WHERE reviewer = ?", [reviewer]).fetchone():
                    reviewer = reviewer_id(connection, imported_name(vote.reviewer), vote.at)
                    if connection.execute(_THERE, {**asdict(vote), "me": reviewer, "number": seen[same]}).fetchone()[0]:
                        continue
                pair = [vote.answer, vote.item, vote.role, reviewer]
                last = connection.execute(f"SELECT MAX(id) FROM votes WHERE {_PAIR}", pair).fetchone()[0]  # noqa: S608
                said = [vote.verdict, vote.confidence, vote.note, vote.error, vote.blind and last is None]
                connection.execute(
                    "INSERT INTO votes (answer, item, role, reviewer, verdict, confidence, note, error, blind, "
                    "supersedes, request_id, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [*pair, *said, last, vote.request_id, vote.at],
                )
                reveal = "INSERT OR IGNORE INTO reveals VALUES (?, ?, ?, ?)"
                connection.execute(reveal, [reviewer, vote.answer, vote.item, vote.at])
                new += 1
            return new

        return self._database.write(job)

    def votes_on(self, answer: int, item: int | None = None) -> list[VoteRow]:
        """All votes on an answer, or on one item of it, in their order."""
        query = f"{_VOTE}WHERE v.answer = ?1 AND (?2 IS NULL OR v.item = ?2) ORDER BY v.id"
        return [_vote(row) for row in self._database.read().execute(query, [answer, item])]

    def votes(self, set_id: str) -> list[VoteRow]:
        """All votes on a set, in their order."""
        query = (
            f"{_VOTE}JOIN rubric_answers a ON a.id = v.answer JOIN rubric_tasks t ON t.id = a.task "
            "WHERE t.set_id = ? ORDER BY v.id"
        )
        return [_vote(row) for row in self._database.read().execute(query, [set_id])]

    def last(self, set_id: str) -> int:
        """Id of the newest vote on a set, 0 without any: what was computed before it is out of date."""
        query = (
            "SELECT COALESCE(MAX(v.id), 0) AS last FROM votes v JOIN rubric_answers a ON a.id = v.answer "
            "JOIN rubric_tasks t ON t.id = a.task WHERE t.set_id = ?"
        )
        return int(self._database.read().execute(query, [set_id]).fetchone()["last"])


def _queue(row: sqlite3.Row) -> QueueRecord:
    return QueueRecord(**{**dict(row), "settings": json.loads(row["settings"])})


def _standing(row: sqlite3.Row) -> Standing:
    return Standing(**{**dict(row), "told": bool(row["told"])})


def _vote(row: sqlite3.Row) -> VoteRow:
    return VoteRow(**{**dict(row), "blind": bool(row["blind"])})
