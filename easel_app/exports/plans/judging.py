"""What judges and people say of a whole plan, in HTML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from easel_app.exports.plans.document import GAP_WORDS
from easel_app.exports.plans.markup import Markup, element
from easel_app.plans.files import FinalVote, GapsVote, GapVote, PlanVote
from easel_app.plans.reports import INSPECTORS
from easel_app.services.plans.judged import one_model
from easel_app.services.plans.published import one_voice
from easel_app.services.plans.views import ChiefView, JudgeReports, OthersVote, PlanView, PrecisionView, RecallView

ROLES: Final = {"precision": "Precision Inspector", "recall": "Recall Inspector", "chief": "Chief Judge"}
RATES: Final = {"strict": "SR (strict)", "no_fail": "SR (no_fail)", "partial_credit": "partial credit"}
VERDICTS: Final = {"accept": "accepts the plan", "revise": "wants it revised", "reject": "rejects the plan"}


def reports(view: PlanView, side: str = "") -> Markup | None:
    """The reports of all judges; None without any."""
    if not view.judges:
        return None
    judges = [_judge(judge, f"{side}gap-{number}", side) for number, judge in enumerate(view.judges, 1)]
    return element("section", {}, element("h2", {}, "What judges report"), judges)


def people(view: PlanView) -> Markup | None:
    """What people say of the plan as a whole, and of judges' gaps; None when nobody does."""
    rows = [_word(vote) for vote in view.others]
    said = [element("li", {"dir": "auto"}, row) for row in rows if row]
    return element("section", {}, element("h2", {}, "What people say"), element("ul", {}, said)) if said else None


def _judge(judge: JudgeReports, gap: str, side: str) -> Markup:
    models = ", ".join(f"{ROLES[role]}: {judge.models[role]}" for role in INSPECTORS if role in judge.models)
    warned = one_voice(judge.judge, judge.models["chief"]).text if one_model(judge.models) else ""
    lacking = [
        element(
            "p", {"class": "note", "dir": "auto"}, f"{ROLES[role]}: no report. {judge.unscored.get(role, '')}".strip()
        )
        for role in INSPECTORS
        if judge.standing.get(role) in ("missing", "unscored")
    ]
    return element(
        "div",
        {"class": "judge"},
        element("h3", {}, element("bdi", {}, judge.judge)),
        element("p", {"class": "meta"}, models) if models else None,
        element("p", {"class": "note"}, warned) if warned else None,
        _chief(judge.chief) if judge.chief else None,
        _precision(judge.precision, side) if judge.precision else None,
        _recall(judge.recall, gap) if judge.recall else None,
        lacking,
    )


def _chief(chief: ChiefView) -> Markup:
    conflicts = [element("p", {"class": "note"}, conflict.explanation) for conflict in chief.conflicts]
    return element(
        "div",
        {"class": "final"},
        element("b", {}, str(chief.fs)),
        element(
            "div",
            {},
            element("p", {"class": "meta"}, f"FS, tier {chief.tier}: {chief.meaning}"),
            element("p", {"dir": "auto"}, chief.reason),
            conflicts,
        ),
    )


def _precision(precision: PrecisionView, side: str) -> Markup:
    rates = [
        f"{RATES[name]} {'n/a' if value is None else f'{value:.2f}'}"
        for name, value in (precision.credit or {}).items()
    ]
    failed = [call.call_id for call in precision.calls if not call.success]
    links = [[" ", element("a", {"href": f"#{side}call-{call}"}, f"call {call}")] for call in failed]
    return element(
        "div",
        {},
        element("h4", {}, "Precision"),
        element("p", {"class": "meta"}, f"Calls, by policy: {', '.join(rates)}") if rates else None,
        element("p", {"dir": "auto"}, precision.summary) if precision.summary else None,
        element("p", {"class": "meta"}, "Not a success:", links) if links else None,
    )


def _recall(recall: RecallView, gap: str) -> Markup:
    listed = [
        element(
            "li",
            {"dir": "auto"},
            element("a", {"href": f"#{gap}-{each.gap_id}"}, f"Gap {each.gap_id}"),
            f", {each.severity}: {GAP_WORDS[each.type]}. {each.reason}",
        )
        for each in recall.gaps
    ]
    return element(
        "div",
        {},
        element("h4", {}, f"Recall: MI {recall.mi}"),
        element("p", {"dir": "auto"}, recall.summary) if recall.summary else None,
        element("ul", {}, listed) if listed else None,
    )


def _word(vote: OthersVote) -> list[Markup | str] | None:
    """A person's word, unless it stands in the document already."""
    said = next(_words(vote), None)
    if said is None:
        return None
    blind = "" if vote.blind else " (not blind)"
    return [element("bdi", {}, vote.reviewer), f"{blind} {said}.{f' {vote.note}' if vote.note else ''}"]


def _words(vote: OthersVote) -> Iterator[str]:
    match vote.content:
        case FinalVote(fs=fs):
            yield f"gives FS {fs}"
        case PlanVote(verdict=verdict):
            yield VERDICTS[verdict]
        case GapsVote(gaps=gaps):
            yield f"misses {len(gaps)} picture{'' if len(gaps) == 1 else 's'}"
        case GapVote(upheld=upheld):
            yield f"{'upholds' if upheld else 'does not uphold'} the gap {vote.part.partition(':')[2]}"
