"""The figures of ended sessions: computed from their logs, kept only so that thousands of them are found at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from easel_app.store.database import Database
from easel_app.store.records import insert


@dataclass(frozen=True, slots=True)
class FiguresRecord:
    """What one ended session came to; None where not defined. The meanings are those of scoring/trajectory, conduct."""

    session_id: str
    version: str
    """Of the definitions that they were computed by."""
    steps: int
    final: float | None
    at_half: float | None
    auc: float | None
    best: float | None
    best_step: int | None
    final_best_gap: float | None
    edge_iou: float | None
    """Of the last canvas; None where the metric has none."""
    exact_repeat_rate: float | None
    near_repeat_rate: float | None
    invalid_rate: float | None
    rejected_rate: float | None
    undos: int
    draw_undo_loops: int
    submit_percent: float | None
    assisted: bool
    """Whether another than its player acted."""
    curve: bytes
    """Score at 0, 1, … 100 % of the budget as little-endian float32 (101,)."""


@dataclass(frozen=True, slots=True)
class RankedFigures(FiguresRecord):
    """The figures of a session that may be ranked, with who played it and by which rules."""

    task_id: str
    task_digest: str
    task_set: str
    protocol: str
    player_kind: str
    player_name: str
    player_model: str | None
    renderer: str
    metric: str
    imported: bool
    run_id: str | None


_APART = {"imported": "s.imported_from IS NOT NULL", "run_id": "r.run_id"}
_OWN = {field.name for field in fields(FiguresRecord)}
# in the order of the record's fields, which thousands of rows then need not be sorted into
_COLUMNS = ", ".join(
    _APART.get(field.name, f"{'f' if field.name in _OWN else 's'}.{field.name}") for field in fields(RankedFigures)
)


class UnfinishedRow(NamedTuple):
    """How many sessions of one player on one task are open."""

    task_id: str
    protocol: str
    player_kind: str
    player_name: str
    player_model: str | None
    renderer: str
    metric: str
    imported: int
    run_id: str | None
    sessions: int


def keeping(record: FiguresRecord) -> tuple[str, dict[str, Any]]:
    """Statement and values that store figures unless they are there already."""
    statement, values = insert(record, "figures")
    return f"{statement} ON CONFLICT (session_id, version) DO NOTHING", values


class FigureStore:
    """Reads and appends figures."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, records: Sequence[FiguresRecord]) -> None:
        """Store figures; what is there already stays. Returns after the commit."""
        statements = [keeping(record) for record in records]
        self._database.write(lambda connection: [connection.execute(*statement) for statement in statements])

    def missing(self, version: str) -> list[str]:
        """Ids of ended sessions with a budget that have no figures of that version yet, oldest first."""
        query = (
            "SELECT s.id FROM sessions s WHERE s.protocol != 'practice' AND s.id IN (SELECT session_id FROM ended) "
            "AND NOT EXISTS (SELECT 1 FROM figures f WHERE f.session_id = s.id AND f.version = ?) ORDER BY s.created_at"
        )
        return [row["id"] for row in self._database.read().execute(query, [version])]

    def newest(self, version: str) -> int:
        """A number that changes whenever figures of that version are added."""
        query = "SELECT rowid FROM figures WHERE version = ? ORDER BY rowid DESC LIMIT 1"  # looks at one row only
        row = self._database.read().execute(query, [version]).fetchone()
        return int(row["rowid"]) if row else 0

    def ranked(self, version: str) -> list[RankedFigures]:
        """All ended sessions that may be ranked, in the order in which their figures were added.

        Practice, own pictures, sessions that go on from another one and those that another than the player helped
        with are left out. Imported ones are in, and say so.
        """
        query = (
            f"SELECT {_COLUMNS} FROM figures f JOIN sessions s ON s.id = f.session_id "  # noqa: S608
            "LEFT JOIN run_sessions r ON r.session_id = s.id "
            "WHERE f.version = ? AND f.assisted = 0 AND s.fork_step IS NULL AND s.task_set != 'own' ORDER BY f.rowid"
        )
        return [RankedFigures(*row) for row in self._database.read().execute(query, [version])]

    def unfinished(self) -> list[UnfinishedRow]:
        """How many sessions have begun, with a step, and not ended, of those that might be ranked if they did."""
        query = (
            "SELECT s.task_id, s.protocol, s.player_kind, s.player_name, s.player_model, s.renderer, s.metric, "
            "s.imported_from IS NOT NULL, r.run_id, COUNT(*) "
            "FROM sessions s LEFT JOIN run_sessions r ON r.session_id = s.id "
            "WHERE s.protocol != 'practice' AND s.task_set != 'own' AND s.fork_step IS NULL "
            "AND s.id NOT IN (SELECT session_id FROM ended) "
            "AND EXISTS (SELECT 1 FROM actions a WHERE a.session_id = s.id) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9"
        )
        return [UnfinishedRow(*row) for row in self._database.read().execute(query)]

    def best(self, version: str, digests: Mapping[str, str], kinds: Sequence[str]) -> list[tuple[str, str, str]]:
        """The best session of each task and kind of player as (session id, task id, kind), best first.

        Of equals the shorter, then the older. Left out is what `ranked` leaves out, and imported sessions.

        Args:
            version: of the figures.
            digests: the tasks by id, each with the digest that it has today; another is another picture.
            kinds: of players.
        """
        query = (
            "SELECT id, task_id, player_kind FROM (SELECT s.id, s.task_id, s.player_kind, f.final, "
            "ROW_NUMBER() OVER (PARTITION BY s.task_id, s.player_kind "
            "ORDER BY f.final DESC, f.steps, s.created_at, s.rowid) AS place "
            "FROM json_each(?) t JOIN sessions s ON s.task_id = t.key AND s.task_digest = t.value "
            "JOIN figures f ON f.session_id = s.id AND f.version = ? "
            "WHERE f.assisted = 0 AND f.final IS NOT NULL AND s.fork_step IS NULL AND s.imported_from IS NULL "
            "AND s.task_set != 'own' AND s.player_kind IN (SELECT value FROM json_each(?))) "
            "WHERE place = 1 ORDER BY final DESC, id"
        )
        values = [json.dumps(dict(digests)), version, json.dumps(list(kinds))]
        return [tuple(row) for row in self._database.read().execute(query, values)]
