"""What is stored of tool runs: who answers which set by which settings, its sittings, each round of its attempts."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
from typing import Any, NamedTuple

from easel_app.store.database import Database
from easel_app.store.sets import SetStore


class ToolRunRecord(NamedTuple):
    """One player with one set of settings."""

    id: str
    set_id: str
    player: str
    """How its answers are called."""
    settings: Mapping[str, Any]
    """With the version of the prompt."""
    created_at: str


class ToolRunEvent(NamedTuple):
    """Something happened to a run."""

    name: str
    """`begun` with the plan of a sitting, `judging` or `queue` with what came of its answers, or `ended`."""
    content: Mapping[str, Any]
    at: str


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round of the model, all of whose calls came back."""

    run: str
    task: int
    attempt: int
    turn: int
    round: int
    record: str
    """What was said, called and observed, as JSON."""
    exchange: str
    """Request and reply as JSON."""
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    latency: float
    """Seconds that the model took."""
    at: str


class Journaled(NamedTuple):
    """What is read again of a round when its attempt goes on."""

    turn: int
    round: int
    record: str
    left_out: tuple[str, ...]
    """Parameters that the endpoint did not take."""


class KeptAnswer(NamedTuple):
    """An answer that is there, as far as a run has to know it."""

    task: int
    attempt: int
    origin: str
    """Which run made it; empty for answers from elsewhere."""
    endings: tuple[str | None, ...]
    """How its turns ended."""


@dataclass(frozen=True)
class Used:
    """What the rounds of a run came to."""

    calls: int = 0
    """Of the model: its rounds."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    """None when no round's price is known."""
    by_tool: Mapping[str, int] = field(default_factory=Counter)
    """Calls of tools, by the name as it was sent."""

    def plus(self, row: RoundRow, tools: Sequence[str]) -> Used:
        """With one round more, which called these tools."""
        costs = [cost for cost in (self.cost, row.cost) if cost is not None]
        return Used(
            self.calls + 1,
            self.prompt_tokens + row.prompt_tokens,
            self.completion_tokens + row.completion_tokens,
            sum(costs) if costs else None,
            Counter(self.by_tool) + Counter(tools),
        )


_COLUMNS = [column.name for column in fields(RoundRow)]


class ToolRunStore:
    """Reads and appends tool runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def beside(cls, sets: SetStore) -> ToolRunStore:
        """The tool runs on rubric sets."""
        return cls(sets._database)

    def begin(self, run: ToolRunRecord) -> None:
        """Store a run unless it is there already; returns after the commit."""
        values = [run.id, run.set_id, run.player, json.dumps(run.settings), run.created_at]
        self._database.write(lambda c: c.execute("INSERT OR IGNORE INTO tool_runs VALUES (?, ?, ?, ?, ?)", values))

    def run(self, run_id: str) -> ToolRunRecord | None:
        """The run of that id, or None."""
        row = self._database.read().execute("SELECT * FROM tool_runs WHERE id = ?", [run_id]).fetchone()
        return _run(row) if row else None

    def runs(self, set_id: str | None = None) -> list[ToolRunRecord]:
        """All runs, or those of a set, newest first."""
        query = "SELECT * FROM tool_runs WHERE ?1 IS NULL OR set_id = ?1 ORDER BY created_at DESC, rowid DESC"
        return [_run(row) for row in self._database.read().execute(query, [set_id])]

    def happened(self, run_id: str, event: ToolRunEvent) -> None:
        """Store an event; returns after the commit."""
        values = [run_id, event.name, json.dumps(event.content), event.at]
        self._database.write(lambda c: c.execute("INSERT INTO tool_run_events VALUES (?, ?, ?, ?)", values))

    def events(self, run_id: str) -> list[ToolRunEvent]:
        """What happened to a run, in order; a sitting that was cut off has no end."""
        query = "SELECT name, content, at FROM tool_run_events WHERE run = ? ORDER BY rowid"
        rows = self._database.read().execute(query, [run_id])
        return [ToolRunEvent(row["name"], json.loads(row["content"]), row["at"]) for row in rows]

    def add_round(self, row: RoundRow) -> None:
        """Store a round; returns after the commit.

        Raises:
            sqlite3.IntegrityError: it is on record already.
        """
        marks = ", ".join("?" * len(_COLUMNS))
        statement = f"INSERT INTO tool_rounds ({', '.join(_COLUMNS)}) VALUES ({marks})"  # noqa: S608
        self._database.write(lambda c: c.execute(statement, astuple(row)))

    def journal(self, run_id: str, task: int, attempt: int) -> list[Journaled]:
        """The rounds of an attempt, in order."""
        query = (
            "SELECT turn, round, record, json_extract(exchange, '$.left_out') AS left_out FROM tool_rounds "
            "WHERE run = ? AND task = ? AND attempt = ? ORDER BY turn, round"
        )
        rows = self._database.read().execute(query, [run_id, task, attempt])
        return [
            Journaled(row["turn"], row["round"], row["record"], tuple(json.loads(row["left_out"] or "[]")))
            for row in rows
        ]

    def rounds(self, run_id: str, task: int, attempt: int) -> list[RoundRow]:
        """The same with all that is known of them."""
        query = (
            f"SELECT {', '.join(_COLUMNS)} FROM tool_rounds WHERE run = ? AND task = ? AND attempt = ? "  # noqa: S608
            "ORDER BY turn, round"
        )
        return [RoundRow(*row) for row in self._database.read().execute(query, [run_id, task, attempt])]

    def used(self, run_id: str) -> Used:
        """What the rounds of a run came to; reads all of them, so it is to be asked once and counted on."""
        query = (
            # TOTAL cannot overflow as SUM can
            "SELECT COUNT(*) AS calls, TOTAL(prompt_tokens) AS prompt, TOTAL(completion_tokens) AS completion, "
            "SUM(cost) AS cost FROM tool_rounds WHERE run = ?"
        )
        row = self._database.read().execute(query, [run_id]).fetchone()
        names = (
            "SELECT json_extract(c.value, '$.name') AS name, COUNT(*) AS n FROM tool_rounds r, "
            "json_each(r.record, '$.calls') c WHERE r.run = ? GROUP BY name ORDER BY name"
        )
        by_tool = Counter({found["name"]: found["n"] for found in self._database.read().execute(names, [run_id])})
        return Used(row["calls"], int(row["prompt"]), int(row["completion"]), row["cost"], by_tool)

    def answers(self, set_id: str, player: str) -> list[KeptAnswer]:
        """A player's answers in a set, whoever made them, by task and attempt."""
        query = (
            "SELECT a.task, a.attempt, json_extract(a.record, '$.origin') AS origin, "
            "(SELECT json_group_array(json_extract(turn.value, '$.ended')) FROM json_each(a.record, '$.turns') turn) "
            "AS endings FROM rubric_answers a JOIN rubric_tasks t ON t.id = a.task "
            "WHERE t.set_id = ? AND a.model = ? ORDER BY a.task, a.attempt"
        )
        rows = self._database.read().execute(query, [set_id, player])
        return [
            KeptAnswer(row["task"], row["attempt"], row["origin"] or "", tuple(json.loads(row["endings"])))
            for row in rows
        ]


def _run(row: sqlite3.Row) -> ToolRunRecord:
    return ToolRunRecord(row["id"], row["set_id"], row["player"], json.loads(row["settings"]), row["created_at"])
