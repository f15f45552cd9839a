"""The stroke model refuses everything that is not 13 finite numbers in [0, 1], and says which field and why."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from easel_app.engine.stroke import FIELDS
from easel_app.painting.stroke import STROKE_FIELDS, Action, PathStroke, Stroke, explain
from tests.conftest import stroke

unit = st.floats(0.0, 1.0)
action = TypeAdapter[Any](Action)


def test_fields_stand_in_the_published_order() -> None:
    assert STROKE_FIELDS == (
        "x_start", "y_start", "x_control", "y_control", "x_end", "y_end",
        "radius_start", "opacity_start", "radius_end", "opacity_end", "red", "green", "blue",
    )  # fmt: skip
    assert tuple(PathStroke.model_fields) == STROKE_FIELDS[:6]


@given(st.lists(unit, min_size=13, max_size=13))
def test_vector_and_model_are_two_faces_of_one_stroke(values: list[float]) -> None:
    made = Stroke.from_vector(values)
    assert made.to_vector().tolist() == values
    assert Stroke.from_vector(made.to_vector()) == made
    assert Stroke.model_validate_json(made.model_dump_json()) == made


@pytest.mark.parametrize("name", STROKE_FIELDS)
@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, -1e-9, 1.0000001, 1e308, "0.5", None, True, [0.5], {"a": 1}, 10**400, ""],
    ids=repr,
)
def test_each_field_refuses_each_wrong_value_and_is_named(name: str, value: object) -> None:
    with pytest.raises(ValidationError) as caught:
        Stroke.model_validate({**stroke(), name: value})
    problem = explain(caught.value)
    assert problem.field == name
    assert "[0, 1]" in problem.message
    assert len(problem.message) < 300


@pytest.mark.parametrize("name", STROKE_FIELDS)
def test_each_field_is_needed(name: str) -> None:
    body = stroke()
    del body[name]
    with pytest.raises(ValidationError) as caught:
        Stroke.model_validate(body)
    assert explain(caught.value).message == f"{name} is missing; correct the action and send it again."


def test_extra_keys_are_refused_not_ignored() -> None:
    with pytest.raises(ValidationError) as caught:
        Stroke.model_validate({**stroke(), "alpha": 1.0})
    assert "alpha is not a known field" in explain(caught.value).message


def test_integers_at_the_bounds_are_numbers() -> None:
    assert Stroke.model_validate({**stroke(), "red": 1, "blue": 0}).red == 1.0


@pytest.mark.parametrize("body", [{"kind": "erase"}, {}, {"kind": None}, {"kind": ["undo"]}, "undo", 3, None, []])
def test_unknown_actions_are_refused_in_one_sentence(body: object) -> None:
    with pytest.raises(ValidationError) as caught:
        action.validate_python(body)
    problem = explain(caught.value)
    assert problem.message.endswith("correct the action and send it again.")


@pytest.mark.parametrize("kind", ["undo", "submit"])
def test_undo_and_submit_carry_nothing(kind: str) -> None:
    assert action.validate_python({"kind": kind}).kind == kind
    with pytest.raises(ValidationError):
        action.validate_python({"kind": kind, "stroke": stroke()})


@pytest.mark.parametrize(
    "reason",
    ["", " ", "\n", "a\nb", "a\u2028b", "a\u2029b", "a\x00b", "a\x1b[31mb", "a\u202eb", "a\u200bb", "\ufeffa", "a\x85b",
     "a\ud800b", "x" * 301, None, 3, ["a"], {"a": 1}, True],
    ids=ascii,
)  # fmt: skip
def test_why_a_reply_was_unreadable_is_one_line_of_visible_text(reason: object) -> None:
    with pytest.raises(ValidationError) as caught:
        action.validate_python({"kind": "invalid", "reason": reason})
    problem = explain(caught.value)
    assert problem.field == "reason" and len(problem.message) < 400 and problem.message.isprintable()


@pytest.mark.parametrize("reason", ["The reply holds no JSON object.", "x" * 300, "中文 é 🎨", "<b>&'\";--", " kept "])
def test_any_visible_reason_is_kept_as_it_is(reason: str) -> None:
    assert action.validate_python({"kind": "invalid", "reason": reason}).reason == reason.strip()


def test_an_invalid_action_has_a_reason_and_nothing_else() -> None:
    for body in ({"kind": "invalid"}, {"kind": "invalid", "reason": "x", "stroke": stroke()}):
        with pytest.raises(ValidationError):
            action.validate_python(body)


@pytest.mark.parametrize("shape", [(12,), (14,), (1, 13), ()])
def test_vector_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="13 numbers"):
        Stroke.from_vector(np.zeros(shape))


def test_hostile_values_stay_short_in_the_message() -> None:
    with pytest.raises(ValidationError) as caught:
        Stroke.model_validate({**stroke(), "red": "A" * 100_000})
    assert len(explain(caught.value).message) < 250


def test_the_engine_takes_the_numbers_in_the_same_order() -> None:
    assert STROKE_FIELDS == FIELDS
