"""Figures as tables: what models score, in long form, and how far judge and people agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from easel_app.exports.rubrics.content import Content
from easel_app.services.rubrics.panel import PanelQuery
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.rubrics.scores import PEOPLE, Group, Mean, ModelScore, ScoreTable
from easel_app.services.rubrics.views import Critical
from easel_app.services.spreadsheets import Cell, lines

SCORE_COLUMNS = (
    *("set", "by", "judge", "critical", "model", "group_kind", "group", "n", "scored", "incomplete", "unscored"),
    *("ars", "ars_low", "ars_high", "apr", "apr_low", "apr_high", "no_critical", "version"),
)
"""In this order in the file (docs/rubric-export.md)."""
ESTIMATE = ("value", "low", "high", "n", "undefined")
FLIPS = ("only_judge_passes", "only_consensus_passes")
"""Answers that flip between pass and fail: in a table their number."""
LONGEST_LABEL = 80
"""Characters of a text by which an element of a list is told from the others."""
STEP = " > "
Row = dict[str, Any]


def score_tables(rubrics: Rubrics, content: Content) -> Iterator[ScoreTable]:
    """The scores of a set by each judge and by people, with each meaning of critical."""
    for by in (*content.judges, PEOPLE):
        for critical in get_args(Critical):
            yield rubrics.scores.table(content.record.id, by, critical)


def score_rows(table: ScoreTable, judge: str | None) -> Iterator[Row]:
    """The rows of a table: for each model one of all its answers, then one for each group of tasks.

    Args:
        table: the table.
        judge: what its judge is called in the file; None when it is by people.
    """
    shared = {"set": table.set_id, "by": table.by, "judge": judge, "critical": table.critical, "version": table.version}
    for model in table.models:
        counts = {"scored": model.scored, "incomplete": model.incomplete, "unscored": model.unscored}
        whole = {"n": model.answers, **counts, "no_critical": model.no_critical}
        yield shared | _group(model, "all", "", model) | whole
        kinds = {"domain": model.by_domain, "category": model.by_category, "turn_kind": model.by_turn_kind}
        for kind, groups in kinds.items():
            for name, group in groups.items():
                yield shared | _group(model, kind, name, group) | {"n": group.total, "scored": group.ars.n}


def agreement(rubrics: Rubrics, content: Content) -> dict[str, Any]:
    """The agreement of each judge with people, by the judge's name; reviewers by theirs."""
    found = {}
    for judging_id, judge in content.judges.items():
        panel = rubrics.panel.panel(PanelQuery(content.record.id, judging_id)).model_dump(mode="json")
        names, told = panel["reviewers"], panel["agreement"]
        told["judge_reviewer"] = dict(zip(names, told["judge_reviewer"], strict=True))
        told["reviewer_pairs"] = {
            f"{names[pair['first']]} / {names[pair['second']]}": pair["comparison"] for pair in told["reviewer_pairs"]
        }
        effect = panel["effect"]
        for part in (effect["overall"], *(each for group in effect["groups"].values() for each in group.values())):
            part |= {name: len(part[name]) for name in FLIPS}
        found[judge] = {"agreement": told, "effect": effect}
    return found


def agreement_csv(panel: Mapping[str, Any]) -> str:
    """Any nested statistics as a CSV file.

    Each record with a `value`, or with a `low` and a `high`, becomes a row, and so does each number that stands alone;
    what is undefined has an empty cell. `path` names what the statistic is of, step by step. An element of a list goes
    by the short texts in it, else by its number.

    Args:
        panel: mappings and sequences in each other, as of `dataclasses.asdict`.

    Returns:
        Columns `path, statistic, value, low, high, n, undefined`, and whatever else records hold.
    """
    rows = list(_statistics(panel, ()))
    more = dict.fromkeys(name for row in rows for name in row if name not in ("path", "statistic", *ESTIMATE))
    return "".join(lines(["path", "statistic", *ESTIMATE, *more], rows))


def _group(model: ModelScore, kind: str, name: str, means: ModelScore | Group) -> Row:
    def cells(word: str, mean: Mean) -> Row:
        return {word: mean.value, f"{word}_low": mean.low, f"{word}_high": mean.high}

    return {"model": model.model, "group_kind": kind, "group": name} | cells("ars", means.ars) | cells("apr", means.apr)


def _statistics(value: Any, path: tuple[str, ...]) -> Iterator[dict[str, Cell]]:
    if isinstance(value, Mapping):
        if _is_record(value):
            yield _row(path, {name: _cell(part) for name, part in value.items()})
            return
        for name, part in value.items():
            yield from _statistics(part, (*path, str(name)))
    elif _is_list(value):
        labels = [_label(element) for element in value]
        names = [" / ".join(label.values()) for label in labels]
        for number, (element, label, name) in enumerate(zip(value, labels, names, strict=True), 1):
            step = name if name and names.count(name) == 1 else f"{number} {name}".strip()
            rest = {key: part for key, part in element.items() if key not in label} if label else element
            yield from _statistics(rest, (*path, step))
    else:
        yield _row(path, {"value": _cell(value)})


def _is_record(value: Mapping[str, Any]) -> bool:
    flat = not any(isinstance(part, Mapping) or _is_list(part) for part in value.values())
    return flat and ("value" in value or {"low", "high"} <= set(value))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _label(element: Any) -> dict[str, str]:
    """The short texts in an element of a list."""
    parts = element.items() if isinstance(element, Mapping) else ()
    return {key: part for key, part in parts if isinstance(part, str) and 0 < len(part) <= LONGEST_LABEL}


def _row(path: tuple[str, ...], cells: Mapping[str, Cell]) -> dict[str, Cell]:
    return {**cells, "path": STEP.join(path[:-1]), "statistic": path[-1] if path else ""}


def _cell(value: Any) -> Cell:
    if isinstance(value, bool):
        return str(value).lower()
    return value if value is None or isinstance(value, str | int | float) else str(value)
