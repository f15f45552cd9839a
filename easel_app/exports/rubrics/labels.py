"""Consensus: one row for each pair of an answer and a rubric item, with what people settled on beside each judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from easel_app.exports.rubrics.content import Content, judged
from easel_app.rubrics.records import Verdict
from easel_app.services.rubrics.consensus import Consensus, blind, by_pair, consensus
from easel_app.services.rubrics.queues import Pair

NOBODY = Consensus(None, "none", 0)
"""Of a pair that nobody has voted on."""
COLUMNS = (
    *("task_id", "model", "attempt", "turn", "item_id", "verdict", "by", "votes"),
    *("blind_met", "blind_not_met", "blind_cannot_assess"),
)
"""In this order in the file, and then one for each judge, named by `judge_column`."""
Row = dict[str, Any]


class Label(NamedTuple):
    """What is settled about a pair."""

    pair: Pair
    consensus: Consensus
    blind: Mapping[str, int]
    """How many people said each of the three verdicts before anything was revealed."""
    judges: Mapping[str, str | None]
    """The verdict of each judge that was asked, None when it gave none."""

    def row(self) -> Row:
        """The label in the words of a file."""
        counts = {f"blind_{verdict}": self.blind.get(verdict, 0) for verdict in Verdict}
        return judged(self.pair) | self.consensus._asdict() | counts | {"judges": dict(self.judges)}


def labels(content: Content) -> Iterator[Label]:
    """The labels of all pairs, by task, answer and turn, in the order of the rubrics."""
    votes = by_pair(row for _, row in content.votes())
    said: dict[tuple[int, int], dict[str, str | None]] = {}
    for judging_id, judge in content.judges.items():
        for _, verdict in content.verdicts(judging_id):
            said.setdefault((verdict.answer, verdict.item), {})[judge] = verdict.verdict
    for pair in content.pairs():
        key = (pair.answer.id, pair.item.id)
        cast = votes.get(key, [])
        yield Label(pair, consensus(cast) or NOBODY, Counter(blind(cast).values()), said.get(key, {}))


def sheet(content: Content) -> tuple[list[str], Iterator[Row]]:
    """Columns and rows of the labels as a table: `unscored` where a judge was asked and gave no verdict."""
    columns = {judge: judge_column(judge) for judge in content.judges.values()}

    def flat(label: Label) -> Row:
        row = label.row()
        judges = row.pop("judges")
        return row | {columns[judge]: verdict or "unscored" for judge, verdict in judges.items()}

    return [*COLUMNS, *columns.values()], map(flat, labels(content))


def judge_column(judge: str) -> str:
    """The name of a judge's column."""
    return f"judge: {judge}"
