"""Names from outside: what stands where it must not deceive is one line of letters that are seen."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from easel_app.plans.files import AnswerRecord, ReportRecord, VoteRecord
from easel_app.rubrics.records import Answer
from easel_app.services.reviewers import NewReviewer
from easel_app.sources.fields import Label
from easel_app.sources.validating import NotValid, validated

LABEL: TypeAdapter[str] = TypeAdapter(Label)
BLANK = ["\u3164", "a\u3164b", "a\u2800", "\u115f", "\uffa0"]
ANSWER = {"query_id": "q", "planner": "p", "text": "t"}
NAMED: list[tuple[Any, dict[str, Any], str]] = [
    (AnswerRecord, ANSWER, "planner"),
    (ReportRecord, {"query_id": "q", "planner": "p", "inspector": "chief", "unscored": "no"}, "judge"),
    (VoteRecord, {"query_id": "q", "planner": "p", "about": "fs", "content": None, "blind": True}, "reviewer"),
    (Answer, {"task_id": "t", "turns": [{"text": "t"}]}, "model"),
]


@pytest.mark.parametrize("name", ["a", "Ada B", "中文 名", "é", "x" * 80, "\U0001f600"])
def test_a_name_of_visible_characters_is_one(name: str) -> None:
    assert LABEL.validate_python(name) == name and NewReviewer(name=name).name == name
    assert validated(TypeAdapter(AnswerRecord), ANSWER | {"planner": name}).planner == name


@pytest.mark.parametrize("name", ["", " ", "a ", "a\nb", "a\u202eb", "\u200b", "x" * 81])
def test_what_looks_empty_or_like_another_name_is_none(name: str) -> None:
    with pytest.raises(ValidationError):
        LABEL.validate_python(name)


@pytest.mark.parametrize("name", BLANK)
def test_a_letter_that_shows_nothing_is_refused_at_every_door_that_takes_names(name: str) -> None:
    with pytest.raises(ValidationError, match="looks like a blank"):
        NewReviewer(name=name)
    for kind, value, field in NAMED:
        with pytest.raises(NotValid, match=f"{field} is .*looks like a blank; correct it"):
            validated(TypeAdapter(kind), value | {field: name})


@pytest.mark.parametrize("name", BLANK)
def test_what_was_stored_under_such_a_name_can_still_be_read_and_exported(name: str) -> None:
    for kind, value, field in NAMED:
        assert getattr(kind.model_validate(value | {field: name}), field) == name
