"""Names from outside: what stands where it must not deceive is one line of characters that are seen."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from easel_app.sources.fields import Label

LABEL: TypeAdapter[str] = TypeAdapter(Label)


@pytest.mark.parametrize("name", ["a", "Ada B", "中文 名", "é", "x" * 80, "\U0001f600"])
def test_a_name_of_visible_characters_is_one(name: str) -> None:
    assert LABEL.validate_python(name) == name


@pytest.mark.parametrize(
    "name", ["", " ", "a ", "a\nb", "\u3164", "a\u3164b", "a\u2800", "\u115f", "\uffa0", "a\u202eb", "\u200b", "x" * 81]
)
def test_what_looks_empty_or_like_another_name_is_none(name: str) -> None:
    with pytest.raises(ValidationError):
        LABEL.validate_python(name)
