"""Whether queries, answers, reports and votes fit each other and what a set holds already."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, Final

from easel_app.plans.checking import check_report
from easel_app.plans.files import AnswerRecord, GapsVote, QueryRecord, ReportRecord, SetLine, VoteRecord
from easel_app.plans.parser import parse_plan
from easel_app.plans.reading.keys import answer_key, query_key
from easel_app.plans.records import Plan
from easel_app.plans.reports import Inspector, Report, report_of
from easel_app.services.judge_names import judge_names
from easel_app.services.plans.import_reports import PlanTally
from easel_app.services.plans.rows import fingerprint, said
from easel_app.services.plans.shelf import Shelf
from easel_app.services.taking_in import checking as taking_in
from easel_app.services.taking_in.checking import Key, Known
from easel_app.sources.fields import Record
from easel_app.sources.found import Fault, Found
from easel_app.sources.jsontext import shown
from easel_app.store.inspections import InspectionStore
from easel_app.store.plans import PlanStore

MOST_PARSED: Final = 4
"""Plans that are kept as they were read."""
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)
_GAP: Final = re.compile(r".{1,80}/[1-9][0-9]{0,6}", re.ASCII)


class Checker(taking_in.Checker[PlanTally]):
    """Looks at queries, answers, reports and votes in their order and says which of them are to be stored."""

    def __init__(self, store: PlanStore, inspections: InspectionStore, set_id: str | None) -> None:
        """Compare with what the set holds; None: with nothing."""
        super().__init__(PlanTally(), PlanTally())
        self._store = store
        self._shelf = Shelf()
        """Texts of answers and Recall reports that are not stored yet."""
        self._stored: dict[Key, int] = {}
        """Row ids of the set's answers."""
        self._said: set[Hashable] = set()
        """What the set's judges say, by the names that they have in an export: run here, they are no imported ones."""
        self._plan = lru_cache(MOST_PARSED)(self._parsed)
        if set_id is not None:
            self._remember(inspections, set_id)

    def close(self) -> None:
        """Let go of what was kept to compare with."""
        self._plan.cache_clear()
        self._shelf.close()

    def _new_and_fits(self, found: Found) -> bool:
        record = found.record
        if isinstance(record, SetLine):
            return False
        if isinstance(record, QueryRecord):
            return self._query(found, record)
        if isinstance(record, AnswerRecord):
            return self._answer(found, record)
        assert isinstance(record, ReportRecord | VoteRecord)  # noqa: S101
        key = answer_key(record.query_id, record.planner, record.attempt)
        if not self._has_answer(found, record, key):
            return False
        return self._report(found, record, key) if isinstance(record, ReportRecord) else self._vote(found, record, key)

    def _count(self, tally: PlanTally, record: Record) -> None:
        tally.queries += isinstance(record, QueryRecord)
        tally.answers += isinstance(record, AnswerRecord)
        tally.reports += isinstance(record, ReportRecord)
        tally.votes += isinstance(record, VoteRecord)

    def _remember(self, inspections: InspectionStore, set_id: str) -> None:
        ids: dict[int, str] = {}
        for query in self._store.queries(set_id):
            ids[query.id] = query.query_id
            self._known[query_key(query.query_id)] = Known(fingerprint(QueryRecord.model_validate(query.record)), None)
        keys: dict[int, Key] = {}
        for row in self._store.answers(set_id):
            key = answer_key(ids[row.query], row.planner, row.attempt)
            self._known[key] = Known(fingerprint(AnswerRecord.model_validate(row.record)), None)
            self._stored[key], keys[row.id] = row.id, key
        judges = inspections.judgings(set_id)
        names = judge_names(judges)
        for judge in judges:
            for report in inspections.reports(judge.id):
                digest, key = said(report.report, report.unscored), keys[report.answer]
                if judge.origin == "imported":
                    about = (*key, judge.judge, report.inspector)
                    self._known[about] = Known(digest, None, report.report is not None)
                self._said.add((*key, names[judge.id], report.inspector, digest))
                self._keep_recall(key, names[judge.id], report.inspector, report.report)

    def _query(self, found: Found, query: QueryRecord) -> bool:
        key = query_key(query.id)
        if found.beside and (key in self._known or key in self._refused):
            known = self._known.get(key)
            if known and known.digest != fingerprint(query):
                where = f"from that at {known.place}" if known.place else "from the one which the set holds"
                why = f"query {shown(query.id)} differs {where}, which counts for this answer, too"
                self._note(found.place, (Fault("query", why),))
            elif known and not known.place:
                self._count(self.there, query)
            if known and not known.place:
                self._known[key] = known._replace(place=found.place)
            return False
        return self._new(found, key, fingerprint(query), f"query {shown(query.id)}")

    def _answer(self, found: Found, answer: AnswerRecord) -> bool:
        if query_key(answer.query_id) in self._refused:
            return self._follow(found.place)
        if query_key(answer.query_id) not in self._known:
            why = f"there is no query {shown(answer.query_id)} before it; import the query first, or correct the id"
            return self._refuse(found.place, (Fault("query_id", why),))
        key = answer_key(answer.query_id, answer.planner, answer.attempt)
        new = self._new(found, key, fingerprint(answer), _named(answer))
        if new:
            self._shelf.put(key, answer.text)
        return new

    def _has_answer(self, found: Found, record: ReportRecord | VoteRecord, key: Key) -> bool:
        if key in self._refused or query_key(record.query_id) in self._refused:
            return self._follow(found.place)
        if key not in self._known:
            why = f"there is no {_named(record)} before it; import that first, or correct the name"
            return self._refuse(found.place, (Fault("planner", why),))
        return True

    def _report(self, found: Found, record: ReportRecord, key: Key) -> bool:
        if record.report is not None:
            report = report_of(record.inspector, record.report)
            faults = check_report(self._plan(key), record.inspector, report, self._others(key, record))
            if faults:
                told = [Fault(f"report.{each.where}".rstrip("."), f"{each.message}; correct it") for each in faults]
                return self._refuse(found.place, tuple(told))
        about = (*key, record.judge, record.inspector)
        digest = said(record.report, record.unscored)
        scored = record.report is not None
        known = self._known.get(about)
        if (*about, digest) in self._said and not (known and known.place):  # it was exported from here
            self._known[about] = Known(digest, found.place, scored)
            self._count(self.there, record)
            return False
        what = f"{record.inspector} report of {shown(record.judge)} on this answer"
        new = self._new(found, about, digest, what, scored)
        if new:
            self._keep_recall(key, record.judge, record.inspector, record.report)
        return new

    def _vote(self, found: Found, vote: VoteRecord, key: Key) -> bool:
        # of votes every one counts; which of them are there is known when they are stored
        plan = self._plan(key)
        if wrong := _wrong_key(vote, plan):
            return self._refuse(found.place, (Fault("key", wrong),))
        if isinstance(vote.content, GapsVote):
            if vote.content.twice:
                return self._refuse(found.place, (Fault("content.gaps", f"{vote.content.twice}; leave one out"),))
            last = len(plan.blocks)
            beyond = next((gap.after_block for gap in vote.content.gaps if gap.after_block > last), None)
            if beyond is not None:
                why = f"a gap is after block {beyond}, but the plan's last block is {last}; correct it"
                return self._refuse(found.place, (Fault("content.gaps", why),))
        return True

    def _others(self, key: Key, record: ReportRecord) -> Mapping[Inspector, Report]:
        """The Recall report of the same judge, which Chief speaks of."""
        kept = self._shelf.get((*key, record.judge)) if record.inspector == "chief" else None
        return {"recall": report_of("recall", json.loads(kept))} if kept else {}

    def _keep_recall(self, key: Key, judge: str, inspector: str, report: Mapping[str, Any] | None) -> None:
        if inspector == "recall" and report is not None:
            self._shelf.put((*key, judge), json.dumps(report))

    def _parsed(self, key: Key) -> Plan:
        """The plan of an answer that the set or the source holds; its pool does not matter here."""
        text = self._shelf.get(key)
        if text is None:
            row = self._store.answer(self._stored[key])
            assert row  # noqa: S101  answers stay
            text = row.record["text"]
        return parse_plan(text)


def _named(record: AnswerRecord | ReportRecord | VoteRecord) -> str:
    return f"answer {record.attempt} of {shown(record.planner)} to query {shown(record.query_id)}"


def _wrong_key(vote: VoteRecord, plan: Plan) -> str:
    """What is wrong with a vote's key, in words; empty when it names a part of the plan."""
    if vote.about == "call":
        if _NUMBER.fullmatch(vote.key) and int(vote.key) <= len(plan.calls):
            return ""
        return f"key is {shown(vote.key)}, but it must be the number of one of the {len(plan.calls)} calls; correct it"
    if vote.about == "gap":
        judged = _GAP.fullmatch(vote.key)
        return "" if judged else f"key is {shown(vote.key)}, but it must be the judge's name, / and the gap's number"
    return f"key is {shown(vote.key)}, but a vote about {vote.about} has none; leave it out" if vote.key else ""
