"""How a model answers a turn with tools: what it is sent, what is carried out, and how a turn ends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from easel_app.llm import EndpointRefused
from easel_app.rubrics.calling import MOST_ARGUMENTS, MOST_AT_ONCE
from easel_app.rubrics.dialogue import SILENCE
from easel_app.rubrics.records import MOST_ANSWER, Ending
from easel_app.rubrics.rounds import LAST_WORD
from easel_app.rubrics.solving import Said
from easel_app.rubrics.tool_prompts import PROMPTS
from easel_app.runs.exchanges import told
from easel_app.sources.showing import Picture, shown
from tests.endpoint import Answer, Body, Headers, Script, completion
from tests.endpoint.faults import error
from tests.endpoint.tool_user import Play, Wish, calling, seen, tool_user
from tests.rubrics.files import picture
from tests.rubrics.solved import PROMPT, SIGN, Album, Bench, manner, solved

CROP = Wish("python_image_processing", {"code": "12"})
SUM = Wish("calculator", {"expression": "40 + 2"})


def play(*rounds: list[Wish], answer: str = "A seven.", **more: Any) -> Script:
    return tool_user({PROMPT: Play(rounds, answer, **more)})


def saying(message: dict[str, Any], finish_reason: str = "stop", after: list[Wish] | None = None) -> Script:
    """A model that says this, after a round of calls if there are some."""

    def script(number: int, body: Body, headers: Headers) -> Answer:
        if after and not seen(body).rounds:
            return calling(body, after)
        return completion(body, message, finish_reason)

    return script


# ---------------------------------------------------------------- what the model is sent


def test_a_turn_is_asked_with_all_of_its_pictures_after_those_before_it() -> None:
    other = Picture("1" * 64, shown(picture(7)))
    earlier = [Said("Where is the sign?", (other,), "On the left."), Said("And now?", (), " ")]
    body = solved(play(), pictures=[SIGN, other], earlier=earlier, names=["image_1.png", "image_2.png"]).bodies[0]
    roles = [each["role"] for each in body["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert body["messages"][0]["content"] == PROMPTS["strong"]
    assert [each["content"] for each in body["messages"] if each["role"] == "assistant"] == ["On the left.", SILENCE]
    shows = seen(body)
    assert shows.pictures == [other.url, SIGN.url, other.url]
    assert (shows.prompt, shows.files) == (PROMPT, ["image_1.png", "image_2.png"])
    assert body["tool_choice"] == "auto" and len(body["tools"]) == 6


@pytest.mark.parametrize(
    "box",
    [
        Bench(names=("calculator",)),
        Bench(names=()),
        Bench(backends={"python_image_processing": "off", "python_interpreter": "off"}),
    ],
)
def test_files_are_named_only_where_code_can_be_run(box: Bench) -> None:
    body = solved(play(), pictures=[SIGN], names=["image_1.png"], box=box).bodies[0]
    assert "image_1.png" not in json.dumps(body)
    assert ("tools" in body) == ("tool_choice" in body) == bool(box.names)


def test_settings_of_the_call_are_sent() -> None:
    how = manner(temperature=1.0, extra={"reasoning_effort": "high"}, max_tokens=99, prompt="weak")
    body = solved(play(), how=how).bodies[0]
    assert (body["temperature"], body["reasoning_effort"], body["max_tokens"]) == (1.0, "high", 99)
    assert body["messages"][0]["content"] == PROMPTS["weak"]


def test_what_a_call_brought_is_told_as_it_is_recorded_with_its_pictures_in_the_tools_message() -> None:
    found = solved(play([CROP], [SUM]))
    asked, result = found.bodies[1]["messages"][-2:]
    assert asked["content"] == "Let me look closer (1)." and result["role"] == "tool"
    assert asked["tool_calls"][0]["id"] == result["tool_call_id"]
    text, *images = result["content"]
    assert json.loads(text["text"]) == found.answer.calls[0].observation
    assert [part["type"] for part in images] == ["image_url"] * 2
    assert [each.digest for each in found.answer.calls[0].pictures] == [each.digest for each in found.album.seen]
    assert found.bodies[2]["messages"][-1]["content"] == json.dumps(found.answer.calls[1].observation)


def test_pictures_stand_in_one_message_of_the_user_after_all_results_of_the_round() -> None:
    found = solved(play([CROP, SUM, CROP]), how=manner(pictures="user"))
    messages = found.bodies[1]["messages"]
    assert [each["role"] for each in messages[2:]] == ["assistant", "tool", "tool", "tool", "user"]
    assert all(isinstance(each["content"], str) for each in messages[3:6])
    parts = messages[-1]["content"]
    words = [part["text"] for part in parts if part["type"] == "text"]
    assert len(parts) == 1 + 2 * 4 and [("call 1" in each, "call 3" in each) for each in words[1:]] == [
        (True, False), (True, False), (False, True), (False, True),
    ]  # fmt: skip
    assert "out_0.png" in words[1] and "out_1.png" in words[2]
    assert found.answer.text == "A seven."


def test_an_endpoint_that_takes_no_pictures_of_tools_is_shown_them_by_the_user_from_then_on() -> None:
    how = manner(pictures="auto")
    script = tool_user({PROMPT: Play([[CROP], [CROP]], "A seven.")}, refuses_pictures=True)
    first, second = solved(script, how=how), solved(script, how=how)
    assert [len(each.bodies) for each in (first, second)] == [4, 3]
    assert first.answer == second.answer and first.answer.ended is Ending.ANSWERED
    assert len(first.rounds) == 3 and not how.learnt.pictures_in_tools


def test_a_refusal_for_another_reason_is_no_reason_to_move_pictures() -> None:
    def script(number: int, body: Body, headers: Headers) -> Answer:
        return error(400, "the image content is too long") if seen(body).made else calling(body, [CROP])

    how = manner(pictures="auto")
    with pytest.raises(EndpointRefused):
        solved(script, how=how)
    assert how.learnt.pictures_in_tools


def test_pictures_stay_where_the_settings_put_them() -> None:
    with pytest.raises(EndpointRefused):
        solved(tool_user({PROMPT: Play([[CROP]], "")}, refuses_pictures=True), how=manner(pictures="tool"))


def test_images_that_cannot_be_kept_are_told_and_the_others_keep_their_names() -> None:
    call = solved(play([Wish("python_image_processing", {"code": "x1x"})])).answer.calls[0]
    assert len(call.pictures) == 1
    assert call.observation["output_paths"] == ["out_1.png"] and call.observation["output_path"] == "out_1.png"
    assert "out_0.png cannot be shown" in call.observation["note"] and "out_2.png" in call.observation["note"]


def test_what_an_endpoint_wants_back_with_its_calls_is_sent_back() -> None:
    thoughts = [{"type": "reasoning.encrypted", "data": "abc"}]
    signed = {"google": {"thought_signature": "xyz"}}

    def script(number: int, body: Body, headers: Headers) -> Answer:
        if seen(body).rounds:
            return completion(body, {"content": "Done.", "reasoning_content": "not kept"})
        function = {"name": "calculator", "arguments": "{}"}
        call = {"id": "a", "type": "function", "function": function, "extra_content": signed, "index": 0}
        return completion(body, {"content": None, "reasoning_details": thoughts, "tool_calls": [call], "audio": None})

    found = solved(script)
    sent = found.bodies[1]["messages"][2]
    assert sent["reasoning_details"] == thoughts and sent["tool_calls"][0]["extra_content"] == signed
    assert set(sent) == {"role", "content", "tool_calls", "reasoning_details"}
    assert set(sent["tool_calls"][0]) == {"id", "type", "function", "extra_content"}
    assert found.rounds[1].unread == {}


# ---------------------------------------------------------------- what is carried out


def test_code_runs_in_order_and_other_tools_beside_it() -> None:
    box = Bench()
    wishes = [Wish("python_interpreter", {"code": "a"}), CROP, SUM, Wish("google_search", {"query": "b"})]
    found = solved(play(wishes), box=box)
    code = [each for each in box.log if "python" in each]
    assert code == [
        "begin python_interpreter", "end python_interpreter",
        "begin python_image_processing", "end python_image_processing",
    ]  # fmt: skip
    assert box.log.index("begin google_search") < box.log.index("end python_interpreter")
    assert [call.name for call in found.answer.calls] == [wish.name for wish in wishes]
    told_of = [each["tool_call_id"] for each in found.bodies[1]["messages"] if each["role"] == "tool"]
    assert told_of == [each["id"] for each in found.bodies[1]["messages"][2]["tool_calls"]]


@pytest.mark.parametrize(
    ("wish", "arguments"),
    [
        (Wish("calculator", '{"expression": "1 +'), '{"expression": "1 +'),
        (Wish("calculator", ""), ""),
        (Wish("calculator", "[1, 2]"), "[1, 2]"),
        (Wish("no_such_tool", {"a": 1}), {"a": 1}),
        (Wish("", {}), {}),
        (Wish("calculator", '{"a":' * 2000 + "1" + "}" * 2000), None),
        (Wish("calculator", '{"expression": NaN, "b": 1e999}'), {"expression": "NaN", "b": "Infinity"}),
        (Wish("calculator", '{"expression": "\\ud800\\u0000"}'), {"expression": "\ufffd\ufffd"}),
        (Wish("a tool with blanks, äöü", {}), {}),
    ],
)
def test_malformed_calls_are_answered_and_the_endpoint_gets_well_formed_ones_back(wish: Wish, arguments: Any) -> None:
    found = solved(play([wish]) if wish.name in seen_tools() else unoffered(wish))
    (call,) = found.answer.calls
    assert (call.arguments == arguments or arguments is None) and call.observation and call.round == 1
    sent = found.bodies[1]["messages"][2]["tool_calls"][0]["function"]
    assert isinstance(json.loads(sent["arguments"]), dict)
    assert sent["name"] and set(sent["name"]) <= set("abcdefghijklmnopqrstuvwxyz_-") | set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def seen_tools() -> set[str]:
    return set(Bench().names)


def unoffered(*wishes: Wish) -> Script:
    return saying({"content": "So."}, after=list(wishes))


def test_of_very_many_calls_in_a_reply_a_few_are_carried_out_and_the_model_is_told() -> None:
    box = Bench()
    found = solved(unoffered(*[SUM] * 1000), box=box)
    done = [call for call in found.answer.calls if call.observation.get("status") == "success"]
    refused = [call for call in found.answer.calls if "too many calls" in call.observation.get("error", "")]
    assert len(done) == MOST_AT_ONCE == len(box.log) // 2
    assert len(refused) == 9 and "1000 of at most 16" in refused[0].observation["error"]
    sent = found.bodies[1]["messages"][2]["tool_calls"]
    assert len(sent) == 25 and {json.loads(call["function"]["arguments"])["expression"] for call in sent} == {"40 + 2"}


def test_very_many_rounds_of_many_calls_fit_into_an_answer() -> None:
    found = solved(play([SUM] * 40, endless=True), how=manner(most_rounds=40))
    assert (found.answer.rounds, len(found.answer.calls)) == (40, 480)


def test_arguments_that_cannot_be_kept_whole_are_cut_in_so_many_words() -> None:
    (call,) = solved(play([Wish("calculator", "7" * 3_000_000)])).answer.calls
    assert MOST_ARGUMENTS < len(call.arguments) < MOST_ARGUMENTS + 100 and "3,000,000 characters" in call.arguments


def test_ids_that_are_missing_or_stood_there_before_are_made_up() -> None:
    def script(number: int, body: Body, headers: Headers) -> Answer:
        if seen(body).rounds == 3:
            return completion(body, {"content": "Done."})
        made = [{"type": "function", "function": {"name": "calculator", "arguments": "{}"}} for _ in range(4)]
        return completion(
            body, {"tool_calls": [{**made[0], "id": "call_0"}, made[1], {**made[2], "id": "call_0"}, made[3]]}
        )

    messages = solved(script).bodies[-1]["messages"]
    asked = [call["id"] for each in messages for call in each.get("tool_calls", [])]
    assert len(set(asked)) == 12 and asked.count("call_0") == 1
    assert [each["tool_call_id"] for each in messages if each["role"] == "tool"] == asked
    assert all(len(each) == 9 and each.isalnum() for each in asked[1:])  # as the strictest endpoint wants it


def test_an_id_like_those_that_are_made_up_stays_of_one_call() -> None:
    def script(number: int, body: Body, headers: Headers) -> Answer:
        if seen(body).rounds:
            return completion(body, {"content": "Done."})
        function = {"name": "calculator", "arguments": "{}"}
        return completion(body, {"tool_calls": [{"id": "call01001", "function": function}, {"function": function}]})

    first, second = solved(script).bodies[1]["messages"][2]["tool_calls"]
    assert first["id"] == "call01001" != second["id"]


def test_a_call_in_the_older_form_is_carried_out() -> None:
    def script(number: int, body: Body, headers: Headers) -> Answer:
        if seen(body).rounds:
            return completion(body, {"content": "Done."})
        return completion(body, {"function_call": {"name": "calculator", "arguments": '{"expression": "1"}'}})

    assert solved(script).answer.calls[0].observation == {"result": 1, "status": "success"}


def test_calls_written_as_text_are_an_answer() -> None:
    text = '<tool_call>{"name": "calculator", "arguments": {"expression": "1"}}</tool_call>'
    answer = solved(saying({"content": text})).answer
    assert (answer.text, answer.calls, answer.ended) == (text, (), Ending.ANSWERED)


# ---------------------------------------------------------------- how a turn ends


def test_words_beside_calls_are_remarks_by_round() -> None:
    answer = solved(play([CROP], [SUM], [SUM])).answer
    assert [(each.round, each.text) for each in answer.remarks] == [
        (1, "Let me look closer (1)."), (3, "Let me look closer (3)."),
    ]  # fmt: skip
    assert (answer.text, answer.rounds, [call.round for call in answer.calls]) == ("A seven.", 4, [1, 2, 3])


def test_a_model_that_calls_without_end_gets_the_fixed_sentence_after_its_last_round() -> None:
    found = solved(play([SUM], endless=True), how=manner(most_rounds=3))
    assert len(found.bodies) == 3 and found.answer.ended is Ending.MOST_ROUNDS
    assert found.answer.text == LAST_WORD.format(3) and (found.answer.rounds, len(found.answer.calls)) == (3, 3)
    assert found.doing == [(n, what) for n in (1, 2, 3) for what in ("model", "calculator")]


@pytest.mark.parametrize(
    ("message", "finish_reason", "text", "ended"),
    [
        ({"content": "A seven."}, "stop", "A seven.", Ending.ANSWERED),
        ({"content": "A sev"}, "length", "A sev", Ending.CUT_OFF),
        ({"content": None}, "length", "", Ending.CUT_OFF),
        ({"content": None, "refusal": "I will not."}, "stop", "I will not.", Ending.REFUSED),
        ({"content": "A sev"}, "content_filter", "A sev", Ending.REFUSED),
        ({"content": None}, "stop", "", Ending.EMPTY),
        ({"content": " \n"}, "stop", " \n", Ending.EMPTY),
        ({}, "stop", "", Ending.EMPTY),
        ({"content": "a\0\ud800"}, "stop", "a\ufffd?", Ending.ANSWERED),
    ],
)
@pytest.mark.parametrize("after", [[], [SUM]])
def test_how_a_turn_ends(
    message: dict[str, Any], finish_reason: str, text: str, ended: Ending, after: list[Wish]
) -> None:
    body = json.dumps({"choices": [{"message": message, "finish_reason": finish_reason}]}).encode()

    def script(number: int, request: Body, headers: Headers) -> Answer:
        return calling(request, after) if after and not seen(request).rounds else Answer(body)

    answer = solved(script).answer
    assert (answer.text, answer.ended, len(answer.calls)) == (text, ended, len(after))


def test_a_filter_that_refuses_the_request_ends_the_turn_as_a_refusal() -> None:
    def script(number: int, body: Body, headers: Headers) -> Answer:
        if not seen(body).rounds:
            return calling(body, [CROP])
        return error(400, "The response was filtered due to our content management policy.", "content_filter")

    found = solved(script, how=manner(pictures="auto"))
    assert (found.answer.ended, found.answer.text, len(found.answer.calls)) == (Ending.REFUSED, "", 1)
    assert "content management" in json.dumps(found.replies[-1].kept) and len(found.bodies) == 2


def test_half_a_call_is_an_observation() -> None:
    def script(number: int, body: Body, headers: Headers) -> Answer:
        if seen(body).rounds:
            return completion(body, {"content": "Done."})
        return calling(body, [SUM, Wish("calculator", '{"expres')], finish_reason="length")

    first, second = solved(script).answer.calls
    assert first.observation["status"] == "success" and "no JSON object" in second.observation["error"]


def test_an_answer_longer_than_any_is_cut_in_so_many_words() -> None:
    answer = solved(saying({"content": "x" * (MOST_ANSWER + 1)})).answer
    assert len(answer.text) == MOST_ANSWER and answer.text.endswith("1,048,577 characters]")
    assert answer.ended is Ending.CUT_OFF


def test_each_round_is_heard_before_the_next_request() -> None:
    found = solved(play([CROP], [SUM]))
    assert found.heard_at == [1, 2, 3]
    assert [(each.number, len(each.calls), each.ending) for each in found.rounds] == [
        (1, 1, None), (2, 1, None), (3, 0, Ending.ANSWERED),
    ]  # fmt: skip


def test_an_error_of_what_keeps_images_ends_the_turn_and_its_other_calls() -> None:
    class Full(Album):
        async def keep(self, content: bytes) -> None:
            raise OSError("no space left on device")

    box = Bench()
    with pytest.raises(OSError, match="no space left"):
        solved(play([CROP] * 9), album=Full(), box=box)
    assert box.log.count("end python_image_processing") < 3


def test_exchanges_with_tools_are_kept_with_pictures_by_digest() -> None:
    found = solved(play([CROP, SUM]), pictures=[SIGN])
    kept = told(list(found.asked[-1].messages), [SIGN, *found.album.seen], {PROMPTS["strong"]: "tools-strong/1"})
    assert kept[0] == {"role": "system", "prompt": "tools-strong/1"}
    assert "base64" not in json.dumps(kept)
    shown_there = [part["sha256"] for part in kept[3]["content"] if part["type"] == "picture"]
    assert shown_there == [each.digest for each in found.answer.calls[0].pictures]
    assert kept[2] == found.asked[-1].messages[2] and kept[4]["content"] == found.asked[-1].messages[4]["content"]
