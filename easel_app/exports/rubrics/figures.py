"""Figures as tables: what models score, in long form, and how far judge and people agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from easel_app.exports.rubrics.content import Content
from easel_app.services.rubrics.panel import PanelQuery
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.rubrics.scores import Group, Mean, ModelScore, ScoreTable
from easel_app.services.rubrics.verdicts_by import PEOPLE
from easel_app.services.rubrics.views import Critical

SCORE_COLUMNS = (
    *("set", "by", "judge", "critical", "model", "group_kind", "group", "n", "scored", "incomplete", "unscored"),
    *("ars", "ars_low", "ars_high", "apr", "apr_low", "apr_high", "no_critical", "version"),
)
"""In this order in the file (docs/rubric-export.md)."""
FLIPS = ("only_judge_passes", "only_consensus_passes")
"""Answers that flip between pass and fail: in a table their number."""
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


def _group(model: ModelScore, kind: str, name: str, means: ModelScore | Group) -> Row:
    def cells(word: str, mean: Mean) -> Row:
        return {word: mean.value, f"{word}_low": mean.low, f"{word}_high": mean.high}

    return {"model": model.model, "group_kind": kind, "group": name} | cells("ars", means.ars) | cells("apr", means.apr)
