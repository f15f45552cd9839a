"""The toolbox: what is offered, and what comes of any call that a model can send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.records import MOST_DEEP, ToolCall, Tools
from easel_app.rubrics.sandbox.execution import Execution, MadeImage, Outcome, SandboxUnavailable
from easel_app.rubrics.tools.cassettes import Cassette
from easel_app.rubrics.tools.descriptions import VERSION, functions
from easel_app.rubrics.tools.network import Network, Off
from easel_app.rubrics.tools.observation import Called, Observation, Toolbox
from easel_app.rubrics.tools.payloads import MOST, bounded, clean
from easel_app.rubrics.tools.toolbox import MOST_ARGUMENTS, Toolset
from easel_app.scoring.tool_schemas import TOOLS
from easel_app.scoring.tool_use import call_outcome
from tests.llm.conftest import run

NO_SANDBOX = "There is no sandbox here, since bubblewrap is not installed; install it."
SIX = [tool.name for tool in TOOLS]


class Bench:
    """A session that gives what it is told to; what a real one does is its own tests' matter."""

    def __init__(self, *executions: Execution | Exception) -> None:
        self.executions = list(executions)
        self.ran: list[str] = []
        self.closed = 0

    async def run(self, code: str) -> Execution:
        self.ran.append(code)
        done = self.executions.pop(0)
        if isinstance(done, Exception):
            raise done
        return done

    async def close(self) -> None:
        self.closed += 1


def done(
    stdout: str = "", outcome: Outcome = Outcome.DONE, stderr: str = "", notes: tuple[str, ...] = (), **images: bytes
) -> Execution:
    made = tuple(MadeImage(f"{name}.png", content) for name, content in images.items())
    return Execution(outcome, stdout, stderr, made, notes, 0.1)


def toolset(tools: Tools = Tools.ALL, session: Bench | None = None, network: Network | None = None) -> Toolset:
    return Toolset(tools, session, "" if session else NO_SANDBOX, network or Network.off())


def call(name: str, arguments: object, box: Toolset | None = None) -> Called:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return run((box or toolset()).call(name, text))


# ---------------------------------------------------------------- what is offered


@pytest.mark.parametrize(("tools", "names"), [(Tools.ALL, SIX), (Tools.NO_VISION, SIX[1:]), (Tools.NONE, [])])
def test_an_ablation_leaves_its_tools(tools: Tools, names: list[str]) -> None:
    box: Toolbox = toolset(tools)
    assert [each["function"]["name"] for each in box.offered] == names == list(box.backends)


def test_what_is_offered_is_the_published_schema_with_words_of_ours() -> None:
    for tool, offered in zip(TOOLS, functions(Tools.ALL), strict=True):
        parameters = offered["function"]["parameters"]
        assert (offered["type"], parameters["type"], parameters["additionalProperties"]) == (
            "function",
            "object",
            False,
        )
        assert parameters["required"] == list(tool.required)
        told = {
            name: {key: value for key, value in schema.items() if key != "description"}
            for name, schema in parameters["properties"].items()
        }
        assert told == dict(tool.params)
        assert all(schema["description"] for schema in parameters["properties"].values())
        assert 40 < len(offered["function"]["description"]) < 1024  # what endpoints take


def test_the_words_have_a_version_and_say_whether_variables_stay() -> None:
    assert VERSION.startswith("tools/1+") and len(VERSION) <= 80
    fresh, kept = (functions(Tools.ALL, variables)[1]["function"]["description"] for variables in ("fresh", "kept"))
    assert "variables and imports do not stay" in fresh and "variables and imports stay" in kept


def test_what_answers_is_told_of_each_tool() -> None:
    box = toolset(session=Bench(), network=Network.recorded(Cassette()))
    assert list(box.backends.values()) == ["sandbox", "sandbox", "recorded", "recorded", "recorded", "local"]
    assert list(toolset().backends.values()) == ["off", "off", "off", "off", "off", "local"]


# ---------------------------------------------------------------- calls


def test_a_call_is_carried_out() -> None:
    found = call("calculator", {"expression": "6 * 7"})
    assert (found.name, found.arguments, found.payload["result"]) == ("calculator", {"expression": "6 * 7"}, 42)
    assert 0 <= found.latency < 60 and found.images == ()


@pytest.mark.parametrize(
    ("name", "paper"), [("google_search", "web_search"), ("browser_get_page_text", "browser-get-page-text")]
)
def test_the_papers_names_call_the_same_tools(name: str, paper: str) -> None:
    arguments = {"query": "x"} if paper == "web_search" else {"url": "x"}
    box = toolset()
    assert call(paper, arguments, box).payload == call(name, arguments, box).payload
    assert call(paper, arguments, box).name == paper  # as it was sent


def test_arguments_that_were_encoded_twice_are_read() -> None:
    found = call("calculator", json.dumps(json.dumps({"expression": "1 + 1"})))
    assert found.payload["result"] == 2 and found.arguments == {"expression": "1 + 1"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("{", "not valid JSON"),
        ("{'expression': '1'}", "not valid JSON"),
        ('{"expression": "1"} {"expression": "2"}', "not valid JSON"),
        ("[1, 2]", "a list of 2"),
        ("7", "must be one JSON object"),
        ("null", "must be one JSON object"),
        ('"1 + 1"', "not valid JSON"),
        ('"\\"1\\""', "must be one JSON object"),
        ('{"expression": "1", "expression": "2"}', "stands there twice"),
        ('{"expression": 1}', "expression is not text"),
        ('{"expression": null}', "expression is not text"),
        ("{}", "required key missing; it takes expression"),
        ("", "required key missing"),
        ('{"expression": "1", "precision": 3}', "unknown key"),
        ("[" * 50_000, "nested too deeply"),
        ('{"expression": ' + "[" * 100 + "]" * 100 + "}", "nested too deeply"),
        (json.dumps({"expression": "1" * MOST_ARGUMENTS}), "longer than 100,000"),
    ],
)
def test_arguments_that_do_not_fit_say_why(arguments: str, why: str) -> None:
    found = call("calculator", arguments)
    assert found.payload["status"] == "error" and why in found.payload["error"]
    assert isinstance(found.arguments, dict) or found.arguments == arguments[:MOST_ARGUMENTS]


def test_code_longer_than_published_is_not_run() -> None:
    session = Bench()
    found = call("python_interpreter", {"code": "#" * 5001}, toolset(session=session))
    assert "longer than 5,000 characters" in found.payload["error"] and session.ran == []


@pytest.mark.parametrize(
    ("tools", "name", "why"),
    [
        (Tools.ALL, "image_zoom", "'image_zoom' is not known; there are python_image_processing, "),
        (Tools.ALL, "", "'' is not known"),
        (Tools.ALL, "x" * 10_000 + "\n\0\ud800", "is not known"),
        (Tools.NO_VISION, "python_image_processing", "is not offered here; there are python_interpreter"),
        (Tools.NONE, "calculator", "is not offered here; there are no tools"),
    ],
)
def test_a_tool_that_is_not_there_is_told_with_those_that_are(tools: Tools, name: str, why: str) -> None:
    found = call(name, {"expression": "1"}, toolset(tools))
    assert why in found.payload["error"]
    ToolCall(name=found.name, arguments=found.arguments, observation=found.payload, round=1, latency=found.latency)


class Failing:
    """A tool with a defect."""

    backend = "service"

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        raise ZeroDivisionError("a secret of the host")


def test_a_tool_with_a_defect_fails_its_call_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    box = toolset(network=Network(Failing(), Off("off"), Off("off")))
    found = call("google_search", {"query": "x"}, box)
    assert found.payload["status"] == "error" and "secret" not in json.dumps(found.payload)
    assert "google_search failed" in caplog.text


class Waiting(Failing):
    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        await asyncio.Event().wait()
        raise AssertionError


def test_a_call_can_be_called_off() -> None:
    async def cut_off() -> None:
        box = toolset(network=Network(Waiting(), Off("off"), Off("off")))
        async with asyncio.timeout(0.05):
            await box.call("google_search", '{"query": "x"}')

    with pytest.raises(TimeoutError):
        run(cut_off())


@given(
    st.text(max_size=30) | st.sampled_from(SIX),
    st.text(max_size=60)
    | st.recursive(
        st.none() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["expression", "query", "code", "url"]), inner, max_size=3)
        ),
        max_leaves=5,
    ).map(json.dumps),
)
def test_whatever_a_model_sends_comes_back_as_what_can_be_stored(name: str, arguments: str) -> None:
    found = call(name, arguments)
    row = ToolCall(
        name=found.name, arguments=found.arguments, observation=found.payload, round=1, latency=found.latency
    )
    row.model_dump_json().encode()
    assert len(json.dumps(found.payload, ensure_ascii=False, allow_nan=False)) <= 2 * MOST


# ---------------------------------------------------------------- the two tools that run code


def test_images_are_shown_by_the_tool_that_is_for_them() -> None:
    session = Bench(done("two\n", notes=("Files stay.",), a=b"1", b=b"2"))
    found = call("python_image_processing", {"code": "save()"}, toolset(session=session))
    assert found.payload == {
        "ok": "true",
        "stdout": "two\n",
        "stderr": "",
        "output_path": "a.png",
        "output_paths": ["a.png", "b.png"],
        "note": "Files stay.",
    }
    assert found.images == (b"1", b"2") and session.ran == ["save()"]


def test_the_interpreter_tells_of_images_and_does_not_show_them() -> None:
    found = call("python_interpreter", {"code": "save()"}, toolset(session=Bench(done("x", a=b"1"))))
    assert found.images == () and set(found.payload) == {"stdout", "stderr", "note"}
    assert "a.png" in found.payload["note"]


@pytest.mark.parametrize("name", SIX[:2])
@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.DONE])
def test_code_that_does_not_run_through_is_no_success(name: str, outcome: Outcome) -> None:
    found = call(name, {"code": "x"}, toolset(session=Bench(done("printed", outcome, "Traceback", a=b"1"))))
    assert found.payload["stdout"] == "printed" and found.payload["error"]
    assert found.payload.get("ok", "false") == "false"
    assert not call_outcome(
        {"function_name": name, "function_args": {"code": "x"}, "observation": found.payload}
    ).success
    assert len(found.images) == (name == SIX[0])  # what it saved before is worth a look all the same


@pytest.mark.parametrize("name", SIX[:2])
def test_without_a_sandbox_they_are_off_and_say_why(name: str) -> None:
    assert call(name, {"code": "1"}).payload["error"] == NO_SANDBOX
    gone = toolset(session=Bench(SandboxUnavailable("The sandbox cannot be started again; restart.")))
    assert "restart" in call(name, {"code": "1"}, gone).payload["error"]


def test_the_sandbox_is_let_go_of() -> None:
    session = Bench()
    run(toolset(session=session).close())
    run(toolset().close())
    assert session.closed == 1


# ---------------------------------------------------------------- bounds


def test_long_output_is_cut_in_its_middle_and_told() -> None:
    text = "begin " + "x" * 60_000 + " end"
    found = bounded({"stdout": text, "stderr": text, "ok": "true", "note": "Files stay."})
    assert len(json.dumps(found, ensure_ascii=False)) <= MOST
    for key in ("stdout", "stderr"):
        assert found[key].startswith("begin ") and found[key].endswith(" end") and "[…]" in found[key]
    assert found["note"].startswith("Files stay. Parts are left out") and found["ok"] == "true"


def test_no_more_is_cut_than_must_be() -> None:
    found = bounded({"stdout": "x" * MOST})
    assert MOST - 500 < len(found["stdout"]) < MOST


def test_what_fits_is_left_as_it_is() -> None:
    payload = {"stdout": "x" * (MOST - 100), "n": [1, 2.5, None, True]}
    assert bounded(payload) == payload


@given(
    st.recursive(
        st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.just("x" * 9000),
        lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=5), inner, max_size=9),
        max_leaves=30,
    ),
    st.integers(2000, 9000),
)
def test_no_payload_is_longer_than_its_bound(value: Any, most: int) -> None:
    found = bounded({"value": value}, most)
    assert len(orjson.dumps(found).decode()) <= most


@pytest.mark.parametrize("wrap", [lambda value: {"a": value}, lambda value: [value]], ids=["objects", "lists"])
@pytest.mark.parametrize(("levels", "told"), [(MOST_DEEP, True), (MOST_DEEP + 1, False), (100_000, False)])
def test_what_a_tool_nests_too_deeply_is_told_and_stops_nothing(wrap: Any, levels: int, told: bool) -> None:
    value: Any = 1
    for _ in range(levels - 1):
        value = wrap(value)

    class Nesting:
        backend = "service"

        async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
            return Observation({"status": "success", "value": value})

    found = call("google_search", {"query": "x"}, toolset(network=Network(Nesting(), Off(""), Off(""))))
    assert found.payload["status"] == ("success" if told else "error")
    assert told or "nested more than 64 deep" in found.payload["error"]
    ToolCall(name=found.name, arguments=found.arguments, observation=found.payload)


def test_a_payload_without_long_texts_that_is_too_long_is_a_failure() -> None:
    assert bounded({"n": list(range(20_000))})["status"] == "error"


@given(st.text() | st.just("a\r\nb\ud800\0"), st.integers(2, 50))
def test_clean_text_is_bounded_and_can_be_stored(text: str, most: int) -> None:
    found = clean(text, most)
    assert len(found) <= most and "\0" not in found
    found.encode()
