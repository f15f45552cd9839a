"""Figures of plans as tables: what planners score, in long form, and how far judges and people agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from easel_app.exports.plans.content import Content
from easel_app.scoring.plan_table import Overlap, Rate
from easel_app.scoring.uncertainty import Estimate
from easel_app.services.plans.figures_views import PlainRow, ScoreRow
from easel_app.services.spreadsheets import Cell

SCORE_COLUMNS = (
    *("set", "by", "judge", "planner", "category", "metric", "value", "low", "high", "n", "undefined"),
    *("bound_low", "bound_high", "version"),
)
"""In this order in the file (docs/plan-export.md)."""
REVIEWED = ("success", "places", "good")
NUMBERED = ("mi", "fs")
Row = dict[str, Cell]


def score_rows(content: Content) -> Iterator[Row]:
    """All scores of a set, a row for each number; those that need no judge have none."""
    found = content.plans.scores.scores(content.record.id)
    names = {rater.by: rater.judge for rater in found.raters}
    for row in found.rows:
        shared: Row = {"set": found.set_id, "by": row.by, "judge": names[row.by], "version": found.version}
        yield from (shared | _about(row) | cells for cells in _judged(row))
    for plain in found.plain:
        yield from ({"set": found.set_id, "version": found.version} | _about(plain) | cells for cells in _plain(plain))


def agreement(content: Content) -> dict[str, Any]:
    """The agreement of each judge with people, by the judge's name; reviewers by theirs."""
    found: dict[str, Any] = {}
    for by, judge in content.reporting.items():
        told = content.plans.agreement.agreement(content.record.id, by).model_dump(mode="json")
        people = told["reviewers"]
        precision, recall, chief = (told[name] for name in ("precision", "recall", "chief"))
        for part in (precision["success"], recall["places"], chief["good"], recall["mi"], chief["fs"]):
            part["judge_reviewer"] = dict(zip(people, map(_numbers, part["judge_reviewer"]), strict=True))
            part["reviewer_pairs"] = {
                f"{people[pair['first']]} / {people[pair['second']]}": pair.get("comparison", _numbers(pair))
                for pair in part["reviewer_pairs"]
            }
        del precision["worst"], precision["weakest"]
        for pairs in (recall["judge_person"], recall["person_person"]):
            pairs[:] = [{f"tolerance {pair['tolerance']}": pair} for pair in pairs]
        chief["plans"] = _plan_verdicts(chief["plans"])
        own = {"precision": precision, "recall": recall, "chief": chief, "standing": told["standing"]}
        found[judge] = _named(own, "judge_person")
    return found


NEVER = ("judge_consensus", "judge_person_weighted", "agreed", "cannot_assess")
"""What the panel has for rubrics only: plans have no consensus, no sample with weights, and no such vote."""
SIDES = {
    "judge_person": ("person", "judge"),
    "judge_reviewer": ("person", "judge"),
    "person_person": ("one person", "another"),
    "reviewer_pairs": ("first person", "second"),
}
"""Whose words the rows and the columns of a table are, by what is compared."""


def _named(found: Any, compared: str) -> Any:
    """Statistics without what plans never have, and with names in place of the places in a table."""
    if not isinstance(found, dict):
        return [_named(each, compared) for each in found] if isinstance(found, list) else found
    made: dict[str, Any] = {}
    for name, part in found.items():
        if name == "table":
            labels, (rows, columns) = found.get("tiers", ("yes", "no")), SIDES[compared]
            made[name] = {
                f"{rows}: {row}": {f"{columns}: {column}": n for column, n in zip(labels, cells, strict=True)}
                for row, cells in zip(labels, part, strict=True)
            }
        elif name.endswith("_wilson"):
            made[name] = dict(zip(("low", "high"), part or (None, None), strict=True))
        elif name != "tiers" and name not in NEVER:
            made[name] = _named(part, name if name in SIDES else compared)
    return made


def _plan_verdicts(found: Mapping[str, Any]) -> dict[str, Any]:
    """What people say of whole plans, by their verdict, with the judge's final scores of these plans."""
    made: dict[str, Any] = {"unjudged": found["unjudged"]}
    for verdict, counts, mean in zip(found["verdicts"], found["table"], found["mean_fs"], strict=True):
        by_tier = {f"judge: {tier}": n for tier, n in zip(found["tiers"], counts, strict=True)}
        made[f"person: {verdict}"] = {"mean_fs": mean, **by_tier}
    return made


def _numbers(pair: Mapping[str, Any]) -> dict[str, Any]:
    """A pair of raters without their places."""
    return {name: value for name, value in pair.items() if name not in ("first", "second")}


def _about(row: ScoreRow | PlainRow) -> Row:
    return {"planner": row.planner, "category": row.category}


def _judged(row: ScoreRow) -> Iterator[Row]:
    for policy, rates in {**row.sr, "partial_credit": row.partial_credit}.items():
        name = "partial credit" if policy == "partial_credit" else f"SR ({policy})"
        yield from (_rate(f"{name}, {aggregation}", rate) for aggregation, rate in rates.items())
    yield _estimate("MI", row.mi)
    yield from (_estimate(f"MI, {kind}", gaps) for kind, gaps in row.gaps.items())
    yield _estimate("FS", row.fs)
    for tier, count in row.tiers.items():
        yield {"metric": f"plans in tier {tier}", "value": count}
    for name in ("plans", "verdicts", "queries", "open", "without_calls"):
        yield {"metric": name.replace("_", " "), "value": getattr(row, name)}


def _plain(row: PlainRow) -> Iterator[Row]:
    yield from (_estimate(f"adoption of {tool}, percent", share) for tool, share in row.adoption.items())
    for name, overlap in (("tool sets", row.tool_sets), ("image sets", row.image_sets)):
        yield from _overlap(name, overlap)
    for name in ("image_order", "out_of_range", "duplicates", "invalid_rate"):
        yield _estimate(name.replace("_", " "), getattr(row, name))
    for name in ("plans", "queries", "no_output", "without_calls"):
        yield {"metric": name.replace("_", " "), "value": getattr(row, name)}


def _overlap(name: str, overlap: Overlap) -> Iterator[Row]:
    for how, scores in (("mean", overlap.mean), ("micro", overlap.micro)):
        yield from (_estimate(f"{name}, {score}, {how}", estimate) for score, estimate in scores.items())


def _rate(name: str, rate: Rate) -> Row:
    low, high = rate.bounds or (None, None)
    return _estimate(name, rate.estimate) | {"bound_low": low, "bound_high": high}


def _estimate(name: str, of: Estimate) -> Row:
    return {"metric": name, "value": of.value, "low": of.low, "high": of.high, "n": of.n, "undefined": of.undefined}
