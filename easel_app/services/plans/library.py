"""The sets of plans of a studio: which there are, and each plan as it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import NamedTuple

from easel_app.plans.files import AnswerRecord, QueryRecord
from easel_app.plans.outline import VERSION, Outline, outline, read_answer, reference_answer
from easel_app.plans.records import Plan
from easel_app.services.first_look import FirstLook
from easel_app.services.problems import NotFound
from easel_app.store.files import PictureFiles
from easel_app.store.inspections import InspectionStore
from easel_app.store.plans import PlanKey, PlanStore
from easel_app.store.sets import SetRecord

MOST_KEPT = 256
"""Plans that are kept as they were read."""
AT_ONCE = 500
"""Outlines that are stored together."""


class ReadPlan(NamedTuple):
    """An answer as it was read, with its query."""

    id: int | None
    """The answer's row id; None for a reference answer."""
    set_id: str
    query: QueryRecord
    answer: AnswerRecord
    plan: Plan


class PlanLibrary:
    """Finds sets and plans."""

    def __init__(self, store: PlanStore, inspections: InspectionStore, pictures: PictureFiles) -> None:
        self.store, self.inspections, self.pictures = store, inspections, pictures
        self.first_look = FirstLook("the sample set of plans")
        self.read = lru_cache(MOST_KEPT)(self._read)  # a stored answer never changes

    def sets(self) -> list[SetRecord]:
        """All sets, oldest first."""
        self.first_look()
        return self.store.sets()

    def set(self, set_id: str) -> SetRecord:
        """The set of that id.

        Raises:
            NotFound: there is none.
        """
        self.first_look()
        found = self.store.set(set_id)
        if found is None:
            raise NotFound(
                "no_such_set", "There is no set of plans of that id; GET /api/plans/sets lists them.", "set_id"
            )
        return found

    def inspection(self, set_id: str, inspection_id: str | None) -> str | None:
        """The inspection that is asked for, or the first one of the set; None when there is none.

        Raises:
            NotFound: the set has no such inspection.
        """
        found = [record.id for record in self.inspections.judgings(set_id)]
        if inspection_id is None:
            return found[0] if found else None
        if inspection_id not in found:
            message = "The set has no such inspection; GET /api/plans/sets names those that it has."
            raise NotFound("no_such_inspection", message, "inspection")
        return inspection_id

    def _read(self, answer_id: int) -> ReadPlan:
        """An answer as it was read; the last ones are kept.

        Raises:
            NotFound: there is no such answer.
        """
        row = self.store.answer(answer_id)
        query = self.store.query_of(row.query) if row else None
        if row is None or query is None:
            raise NotFound("no_such_plan", "There is no such plan; look at the list of its set again.", "answer")
        asked, answer = QueryRecord.model_validate(query.record), AnswerRecord.model_validate(row.record)
        return ReadPlan(row.id, query.set_id, asked, answer, read_answer(asked, answer))

    def reference(self, set_id: str, query_id: str) -> ReadPlan:
        """The data's own answer to a query as it was read.

        Raises:
            NotFound: there is no such query, or no answer of the data's own to it.
        """
        query = self.store.query(self.set(set_id).id, query_id)
        asked = QueryRecord.model_validate(query.record) if query else None
        answer = reference_answer(asked) if asked else None
        if asked is None or answer is None:
            message = "There is no such query in the set, or it has no reference answer."
            raise NotFound("no_such_reference", message, "query_id")
        return ReadPlan(None, set_id, asked, answer, read_answer(asked, answer))

    def outlines(self, set_id: str) -> list[tuple[PlanKey, Outline]]:
        """All plans of a set without their text, by query; what this version of the parser has not seen is read now."""
        found: Mapping[int, Outline] = self._kept(set_id)
        return [(key, found[key.id]) for key in self.store.keys(set_id) if key.id in found]

    def _kept(self, set_id: str) -> dict[int, Outline]:
        found = {answer: Outline(**content) for answer, content in self.store.outlines(set_id, VERSION).items()}
        new: list[tuple[int, dict[str, object]]] = []
        missing = [key.id for key in self.store.keys(set_id) if key.id not in found]
        for answer_id in missing:
            read = self._read(answer_id)
            found[answer_id] = outline(read.query, read.answer, read.plan)
            new.append((answer_id, asdict(found[answer_id])))
            if len(new) == AT_ONCE or answer_id == missing[-1]:
                self.store.add_outlines(VERSION, new)
                new = []
        return found
