"""What is stored of judges: which judge with which settings, and each of its verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from easel_app.store.judges import JudgeStore


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """What a judge said of one item of one answer; or why it has said nothing that counts."""

    judging_id: str
    answer: int
    item: int
    verdict: str | None
    """`met`, `not_met`, or None with the reason in `unscored`."""
    reason: str
    evidence: str
    """What it quotes from the answer; empty when it quotes nothing that is there."""
    unscored: str
    how: str
    """How the verdict was read: `strict`, `repaired turn`; `imported`; empty when there is none."""
    exchange: str | None
    """Request and replies as JSON; None for imported verdicts."""
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    latency: float | None
    """Seconds; None for imported verdicts."""
    at: str


_COLUMNS = [field.name for field in fields(VerdictRow)]
# the last row on a pair counts
_CURRENT = (
    "v.id = (SELECT MAX(id) FROM judge_verdicts w "
    "WHERE w.judging_id = v.judging_id AND w.answer = v.answer AND w.item = v.item)"
)


class JudgingStore(JudgeStore):
    """Reads and appends judgings."""

    _judgings, _events, _said, _key = "judgings", "judging_events", "judge_verdicts", "judging_id"

    def add(self, verdicts: Iterable[VerdictRow]) -> None:
        """Store verdicts; returns after the commit."""
        rows = [[getattr(verdict, name) for name in _COLUMNS] for verdict in verdicts]
        marks = ", ".join("?" * len(_COLUMNS))
        statement = f"INSERT INTO judge_verdicts ({', '.join(_COLUMNS)}) VALUES ({marks})"  # noqa: S608
        self._database.write(lambda c: c.executemany(statement, rows))

    def verdicts(self, judging_id: str) -> list[VerdictRow]:
        """What counts of a judging: its last row on each pair. Without the exchanges, which are large."""
        names = ", ".join("NULL AS exchange" if name == "exchange" else name for name in _COLUMNS)
        query = f"SELECT {names} FROM judge_verdicts v WHERE judging_id = ? AND {_CURRENT} ORDER BY id"  # noqa: S608
        return [VerdictRow(*row) for row in self._database.read().execute(query, [judging_id])]

    def by_pair(self, judging_id: str) -> dict[tuple[int, int], str | None]:
        """What counts of a judging without the words: its last verdict by answer and item."""
        query = "SELECT answer, item, verdict FROM judge_verdicts WHERE judging_id = ? ORDER BY id"
        rows = self._database.read().execute(query, [judging_id])
        return {(answer, item): verdict for answer, item, verdict in rows}  # a later one takes the place of an earlier

    def judged(self, set_id: str) -> list[tuple[str, str, str, int]]:
        """Judgings of a set with each model on whose answers they have verdicts: id, judge, model, how many answers."""
        query = (
            "SELECT j.id, j.judge, a.model, COUNT(DISTINCT v.answer) AS answers FROM judgings j "
            "JOIN judge_verdicts v ON v.judging_id = j.id JOIN rubric_answers a ON a.id = v.answer "
            "WHERE j.set_id = ? AND v.verdict IS NOT NULL GROUP BY j.id, a.model "
            "ORDER BY answers DESC, j.created_at, j.id"
        )
        return [tuple(row) for row in self._database.read().execute(query, [set_id])]

    def verdict(self, judging_id: str, answer: int, item: int) -> VerdictRow | None:
        """What counts of a judging on one item of one answer, or None."""
        query = (
            f"SELECT {', '.join(_COLUMNS)} FROM judge_verdicts WHERE judging_id = ? AND answer = ? AND item = ? "  # noqa: S608
            "ORDER BY id DESC LIMIT 1"
        )
        row = self._database.read().execute(query, [judging_id, answer, item]).fetchone()
        return VerdictRow(*row) if row else None

    def scored(self, judging_id: str) -> set[tuple[int, int]]:
        """Pairs of an answer and an item that have a verdict; the others are open or were left unscored."""
        query = "SELECT answer, item FROM judge_verdicts WHERE judging_id = ? AND verdict IS NOT NULL"
        return {(row["answer"], row["item"]) for row in self._database.read().execute(query, [judging_id])}

    def tallies(self, judging_id: str) -> dict[str, int]:
        """How many pairs a judging has `met`, `not_met` and left `unscored`."""
        query = (
            f"SELECT COALESCE(verdict, 'unscored') AS what, COUNT(*) AS n FROM judge_verdicts v "  # noqa: S608
            f"WHERE judging_id = ? AND {_CURRENT} GROUP BY what"
        )
        found = {row["what"]: row["n"] for row in self._database.read().execute(query, [judging_id])}
        return {name: found.get(name, 0) for name in ("met", "not_met", "unscored")}

    def last(self, set_id: str) -> int:
        """Id of the newest verdict on a set, 0 without any: what was computed before it is out of date."""
        query = (
            "SELECT COALESCE(MAX(v.id), 0) AS last FROM judge_verdicts v JOIN judgings j ON j.id = v.judging_id "
            "WHERE j.set_id = ?"
        )
        return int(self._database.read().execute(query, [set_id]).fetchone()["last"])
