"""An analysis as a table in long form: one row for each figure of each player in each group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from easel_app.services.rubrics.analysis_views import Analysis, Cell, Player
from easel_app.services.rubrics.scores import Mean
from easel_app.services.spreadsheets import Cell as Value
from easel_app.services.spreadsheets import lines

COLUMNS = ("set", "by", "critical", "player", "conditions", "figure", "grouping", "group", "value", "low", "high", "n")
Row = Mapping[str, Value]


def as_csv(analysis: Analysis) -> Iterator[str]:
    """The lines of the file. Each count is a row, `n` being what it counts among; what is undefined is empty."""
    shared: dict[str, Value] = {"set": analysis.set_id, "by": analysis.by, "critical": analysis.critical}
    rows = (
        {**shared, "player": player.player, "conditions": _conditions(player), **row}
        for player in analysis.players
        for row in _rows(player)
    )
    return lines(COLUMNS, rows)


def _rows(player: Player) -> Iterator[Row]:
    tools = player.tools
    for name, mean in (("ARS", player.ars), ("APR", player.apr)):
        yield _mean(name, "", "", mean)
    groupings = (("category", player.categories), ("domain", player.domains), ("turn kind", player.turn_kinds))
    for grouping, cells in groupings:
        yield from chain.from_iterable(_cell(grouping, cell) for cell in cells)
    for repeats in player.repeats:
        yield _mean("pass@k", "k", str(repeats.k), repeats.pass_at_k)
        yield _mean("pass^k", "k", str(repeats.k), repeats.pass_hat_k)
    for name in ("proactivity", "success_rate", "volume", "rounds"):
        yield _mean(name.replace("_", " "), "", "", getattr(tools, name))
    yield from _counts("calls", "tool", tools.by_tool, tools.calls)
    yield from _counts("successful calls", "tool", tools.succeeded, tools.successes)
    yield from _counts("failed calls", "reason", tools.failures, tools.calls - tools.successes)
    yield from _counts("image calls with the operation", "operation", tools.operations, tools.images_read)
    yield from _counts("occurrences of the operation", "operation", tools.occurrences, None)
    yield from _counts("turns", "ending", tools.endings, sum(tools.endings.values()))
    for rounds in tools.by_rounds:
        yield _row("calls per answer", "rounds", str(rounds.rounds), rounds.calls, rounds.answers)
    yield from _counts("votes with an error", "error", player.errors, player.votes_with_errors)


def _cell(grouping: str, cell: Cell) -> Iterator[Row]:
    yield _mean("ARS", grouping, cell.key, cell.group.ars)
    yield _mean("APR", grouping, cell.key, cell.group.apr)
    for name in ("proactivity", "success_rate", "volume"):
        n = None if name == "success_rate" else cell.group.total
        yield _row(name.replace("_", " "), grouping, cell.key, getattr(cell, name), n)


def _counts(figure: str, grouping: str, counts: Mapping[str, int], n: int | None) -> Iterator[Row]:
    return (_row(figure, grouping, name, count, n) for name, count in counts.items())


def _mean(figure: str, grouping: str, group: str, mean: Mean) -> Row:
    return {**_row(figure, grouping, group, mean.value, mean.n), "low": mean.low, "high": mean.high}


def _row(figure: str, grouping: str, group: str, value: float | None, n: int | None) -> dict[str, Value]:
    return {"figure": figure, "grouping": grouping, "group": group, "value": value, "n": n}


def _conditions(player: Player) -> str:
    """Conditions in one cell, such as `prompt=strong; tools=all; differing=effort`."""
    known = player.conditions.model_dump(mode="json", exclude_none=True) if player.conditions else {}
    backends = known.pop("backends", {})
    told = [f"{name}={value}" for name, value in {**known, **backends}.items()]
    return "; ".join([*told, *(f"differing={name}" for name in player.differing)])
