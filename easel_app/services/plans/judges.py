"""What judges report of a plan, as far as it may be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from easel_app.plans.quotes import anchor, block_of
from easel_app.plans.records import Plan
from easel_app.plans.reports import (
    INSPECTORS,
    ChiefReport,
    GapReport,
    Inspector,
    PrecisionReport,
    RecallReport,
    Report,
    report_of,
)
from easel_app.scoring.plan import POLICIES, Policy, call_rate, fs_tier, report_conflicts
from easel_app.services.plans.sight import GAPS, Sight
from easel_app.services.plans.views import (
    ChiefView,
    ConflictView,
    GapView,
    JudgeReports,
    PrecisionView,
    RecallView,
    Standing,
)
from easel_app.store.inspections import ReportRow
from easel_app.store.judges import JudgingRecord
from easel_app.store.plan_votes import FINAL

Rows = Mapping[str, ReportRow]
"""What counts of a judge on one plan, by inspector."""
Place = Callable[[GapReport], int | None]


def judge_reports(record: JudgingRecord, name: str, rows: Rows, calls: int, sight: Sight, place: Place) -> JudgeReports:
    """What a judge says of a plan, as far as it may be shown.

    Args:
        record: who judges.
        name: what it is called among the set's judges, no two of which are called alike.
        rows: what counts of it on this plan.
        calls: how many calls the plan has.
        sight: what may be shown.
        place: the block whose text a gap's quote stands in; None when it is not found.
    """
    told = may_be_told(rows, calls, sight)
    whole = {each: told[each] is rows[each] for each in told}
    return JudgeReports(
        inspection_id=record.id,
        judge=name,
        origin="run" if record.origin == "run" else "imported",
        models=models_of(record),
        standing={each: _standing(rows.get(each), whole=whole.get(each, False)) for each in INSPECTORS},
        unscored={each: told[each].unscored for each in INSPECTORS if each in told and told[each].unscored},
        precision=_precision(told, calls, whole=whole.get("precision", False)),
        recall=_recall(told, place),
        chief=_chief(told, rows, calls),
    )


def may_be_told(rows: Rows, calls: int, sight: Sight) -> dict[str, ReportRow]:
    """What may be told of a judge's reports on a plan: of Precision's perhaps some calls only, without the summary.

    All that leaves of reports goes through here.
    """
    shown = {"precision": sight.shows_all_calls(calls), "recall": sight.shows(GAPS), "chief": sight.shows(FINAL)}
    told = {inspector: row for inspector, row in rows.items() if shown[inspector]}
    precision = rows.get("precision")
    if precision and precision.report and not shown["precision"]:
        some = [each for each in precision.report["calls"] if sight.shows_call(each["call_id"])]
        if some:
            told["precision"] = replace(precision, report={"calls": some, "summary": ""})
    return told


def by_inspector(rows: Iterable[ReportRow]) -> dict[str, dict[str, ReportRow]]:
    """What counts on one plan, by inspection and inspector."""
    found: dict[str, dict[str, ReportRow]] = {}
    for row in rows:
        found.setdefault(row.inspection_id, {})[row.inspector] = row
    return found


def places_in(plan: Plan) -> Place:
    """Where the gaps that judges report stand in a plan."""

    def place(gap: GapReport) -> int | None:
        span = anchor(plan, gap.anchor_quote)
        return block_of(plan, span) if span else None

    return place


def models_of(record: JudgingRecord) -> dict[Inspector, str]:
    """The model in each role, as far as the settings of an inspection tell."""
    told = record.settings.get("models")
    models = told if isinstance(told, Mapping) else dict.fromkeys(INSPECTORS, record.settings.get("model"))
    return {each: str(models[each]) for each in INSPECTORS if models.get(each)}


def gaps_of(rows: Rows) -> tuple[GapReport, ...] | None:
    """The gaps that a judge reports; None without a report."""
    report = _read(rows, "recall")
    return report.gaps if isinstance(report, RecallReport) else None


def _read(rows: Rows, inspector: Inspector) -> Report | None:
    row = rows.get(inspector)
    return report_of(inspector, row.report) if row and row.report is not None else None


def _standing(row: ReportRow | None, *, whole: bool) -> Standing:
    if row is None:
        return "missing"
    if row.report is None:
        return "unscored"
    return "shown" if whole else "hidden"


def _precision(told: Rows, calls: int, *, whole: bool) -> PrecisionView | None:
    report = _read(told, "precision")
    if not isinstance(report, PrecisionReport):
        return None
    shown = [each for each in report.calls if each.call_id <= calls]
    if not whole:
        return PrecisionView(calls=shown, summary=None, credit=None)
    credit: dict[str, float | None] = {policy: _rate(report, calls, policy) for policy in POLICIES}
    return PrecisionView(calls=shown, summary=report.summary, credit=credit)


def _rate(report: PrecisionReport, calls: int, policy: Policy) -> float | None:
    verdicts = {each.call_id: each.model_dump() for each in report.calls}
    return call_rate([[verdicts.get(call) for call in range(1, calls + 1)]], policy).value


def _recall(told: Rows, place: Place) -> RecallView | None:
    report = _read(told, "recall")
    if not isinstance(report, RecallReport):
        return None
    gaps = [GapView(**gap.model_dump(), block=place(gap)) for gap in report.gaps]
    return RecallView(gaps=gaps, mi=report.mi, summary=report.summary)


def _chief(told: Rows, rows: Rows, calls: int) -> ChiefView | None:
    """The Chief's report; it speaks of the other two, so where they disagree is told with it."""
    report, precision, gaps = _read(told, "chief"), _read(rows, "precision"), gaps_of(rows)
    if not isinstance(report, ChiefReport):
        return None
    rate = _rate(precision, calls, "strict") if isinstance(precision, PrecisionReport) else None
    conflicts = report_conflicts(report.fs, len(gaps), rate) if gaps is not None else []
    return ChiefView(
        fs=report.fs,
        tier=report.tier,
        meaning=fs_tier(report.fs).meaning,
        reason=report.reason,
        decisive_calls=list(report.decisive_calls),
        decisive_gaps=list(report.decisive_gaps),
        conflicts=[ConflictView(code=each.code, explanation=each.explanation) for each in conflicts],
    )
