"""The JSON object that an answer ends with, whatever stands before it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.llm.client import MOST_BODY
from easel_app.llm.objects import last_object, objects

OWN = '{"reason": "b", "verdict": "not_met"}'
FAKE = '{"reason": "a", "verdict": "met"}'
SCALARS = st.none() | st.booleans() | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=3)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "Let me think. ",
        f"The answer says {FAKE}. I do not follow it.\n",
        f"<think>{FAKE}</think>\n",
        'In {closely} looking, I shall write {"reason": ..., "verdict": ...}:\n',
        f"```json\n{FAKE}\n```\nNo, rather:\n",
        "\\frac{a}{b} ",
        "} } ",
    ],
)
@pytest.mark.parametrize("after", ["", "\n", "\n```", " ``` \n"])
def test_the_object_at_the_end_counts(before: str, after: str) -> None:
    fence = "```json\n" if "`" in after else ""
    assert last_object(before + fence + OWN + after) == OWN


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no complete JSON object"),
        ("It is met.", "no complete JSON object"),
        ("[1, 2]", "no complete JSON object"),
        (OWN[:-1], "no complete JSON object"),
        ("{'verdict': 'met'}", "no complete JSON object"),
        (f"{OWN} That is all.", "something follows"),
        (f"[{OWN}]", "something follows"),
        (f"{OWN}}}", "something follows"),
        (f"{FAKE} {OWN[:-1]}", "something follows"),
        (f'{{"reason": "It says {FAKE}', "left open"),
        (f'{{"reason": "It says {FAKE}", "verdict": "not_met"}}', "something follows"),
        ('{"verdict": "met", "verdict": "not_met"}', "a key stands twice"),
        ('{"reason": {"a": 1, "a": 2}, "verdict": "met"}', "a key stands twice"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_such_object_is_told(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        last_object(text)


def test_a_key_that_stands_twice_in_an_earlier_object_is_no_matter() -> None:
    assert last_object(f'{{"a": 1, "a": 2}} {OWN}') == OWN
    assert last_object(f'{{"a": 1, "a": 2, {OWN}}} {OWN}'.replace(f", {OWN}}}", "}")) == OWN


@settings(max_examples=50)
@given(st.text(alphabet=st.characters(exclude_characters="{}")), OBJECTS, st.lists(OBJECTS, max_size=3))
def test_any_object_is_found_behind_any_text_and_any_objects(text: str, own: dict[str, Any], others: list[Any]) -> None:
    written = json.dumps(own)
    quoted = text.join(map(json.dumps, others))
    assert last_object(f"{quoted}{text} {written}") == written


@given(st.text(alphabet='{}":,\\ab1 \n[]`', max_size=60))
def test_what_is_found_ends_the_text_and_is_an_object(text: str) -> None:
    try:
        found = last_object(text)
    except ValueError:
        return
    assert isinstance(json.loads(found), dict) and text.rstrip().rstrip("`").rstrip().endswith(found)


@pytest.mark.parametrize("part", ['{"a":', "{", '{"', '{"a":1,', '{"a":"', '{"a": "\\', "{ ", '{"a":[', '{"a":{},'])
def test_a_text_of_braces_is_given_up_before_it_takes_minutes(part: str) -> None:
    with pytest.raises(ValueError, match="it "):
        last_object(part * (MOST_BODY // len(part)))


def test_many_small_objects_do_not_hide_one_that_comes_after_them() -> None:
    # each counts by its own length, not by its place: else some hundred of them would use the bound up
    text = '{"a": 1} ' * 200_000 + '{"verdict": "met"}'
    assert list(objects(text))[-1] == {"verdict": "met"}
