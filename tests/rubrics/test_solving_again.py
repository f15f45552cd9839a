"""A turn that goes on from its journal asks exactly what it would have asked without a break."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.rubrics.dialogue import GONE
from easel_app.rubrics.records import Ending
from easel_app.rubrics.rounds import Round, answer_turn
from tests.endpoint import Answer, Body, Headers, Script
from tests.endpoint.tool_user import Play, Wish, tool_user
from tests.rubrics.solved import PROMPT, SIGN, Album, manner, solved, stored

TEXT = st.text(st.characters(codec=None), max_size=12)  # halves of surrogate pairs and null characters, too
LEAF = st.one_of(st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(), TEXT)
JSON = st.recursive(
    LEAF, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)), max_leaves=6
)
NAMES = st.one_of(st.sampled_from(["python_image_processing", "calculator", "python_interpreter"]), TEXT)
ARGUMENTS = st.one_of(
    st.builds(lambda code: json.dumps({"code": code}), st.text("x123456789ab", max_size=4)),
    st.dictionaries(TEXT, JSON, max_size=3).map(json.dumps),
    JSON.map(json.dumps),
    TEXT,
)
CALLS = st.lists(
    st.fixed_dictionaries(
        {"function": st.fixed_dictionaries({"name": NAMES, "arguments": ARGUMENTS})},
        optional={"id": st.one_of(st.sampled_from(["call_0", "call_1"]), TEXT), "extra_content": JSON},
    ),
    min_size=1,
    max_size=4,
)
MESSAGES = st.fixed_dictionaries(
    {"tool_calls": CALLS},
    optional={"content": st.one_of(st.none(), TEXT), "reasoning_content": TEXT, "reasoning_details": JSON},
)


def reply(message: Any, finish_reason: str = "stop") -> Answer:
    return Answer(json.dumps({"choices": [{"message": message, "finish_reason": finish_reason}]}).encode())


def saying(messages: list[Any], last: Any) -> Script:
    """A model that says its messages in turn; where it stands is told by the request alone."""

    def script(number: int, body: Body, headers: Headers) -> Answer:
        at = sum(bool(each.get("tool_calls")) for each in body["messages"])
        return reply(messages[at] if at < len(messages) else last)

    return script


@settings(max_examples=40)
@given(
    st.lists(MESSAGES, max_size=4),
    st.one_of(st.none(), TEXT),
    st.sampled_from(["tool", "user"]),
    st.sampled_from([2, 20]),
)
def test_whatever_a_model_sends_is_stored_and_goes_on_at_every_cut(
    messages: list[Any], last: str | None, where: str, most: int
) -> None:
    script, how = saying(messages, {"content": last}), manner(pictures=where, most_rounds=most)
    whole = solved(script, pictures=[SIGN], names=["image_1.png"], how=how)
    journal = stored(whole.rounds)
    assert journal == whole.rounds and answer_turn(journal) == whole.answer
    for cut in range(len(journal) + 1):
        rest = solved(script, pictures=[SIGN], names=["image_1.png"], how=how, done=journal[:cut], album=whole.album)
        assert [json.dumps(body) for body in rest.bodies] == [json.dumps(body) for body in whole.bodies[cut:]]
        assert rest.answer == whole.answer


def test_a_picture_whose_file_is_gone_is_told_as_gone() -> None:
    script = tool_user({PROMPT: Play([[Wish("python_image_processing", {"code": "12"})]] * 2, "Seven.")})
    whole = solved(script)
    rest = solved(script, done=whole.rounds[:1], album=Album())
    parts = rest.bodies[0]["messages"][-1]["content"]
    assert [part.get("text") for part in parts[1:]] == [GONE, GONE]
    assert rest.answer == whole.answer


def test_a_turn_that_has_ended_asks_nothing() -> None:
    ended = Round(number=1, text="Seven.", calls=(), ending=Ending.ANSWERED)
    found = solved(tool_user({}), done=[ended])
    assert not found.bodies and found.answer.text == "Seven." and found.answer.rounds == 1
