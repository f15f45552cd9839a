"""Executing plans: off unless configured, by real endpoints good and bad, each outcome kept with its reason."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from easel_app.llm import images
from easel_app.services.plans.execution import ExecutionView, NewExecution
from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.conftest import wait_until
from tests.endpoint.pictures import Given, Pictures, as_json, pictures, png
from tests.llm.conftest import free_address
from tests.services.plans.making import SET, call, make_plan

DATA = {"labels": ["a", "b"], "values": [1, 2]}
PLAN = "\n\n".join(
    [
        "A mill.", call("reference", img_index=0),
        "Numbers.", call("code", diagram_type="bar", data=DATA),
        "Another.", call("search", query="old mill"),
        "A dream.", call("diffusion", prompt="a mill in a dream"),
        "Changed.", call("edit", img_index=0, prompt="make it night"),
    ]
)  # fmt: skip
SECONDS = 0.4


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Pictures]:
    with pictures() as running:
        yield running


@pytest.fixture
def studio(tmp_path: Path, endpoint: Pictures) -> Iterator[Studio]:
    endpoint.asked.clear()
    endpoint.give = lambda asked: Given(png())
    studio = make_studio(tmp_path, endpoint.url)
    yield studio
    studio.plans.executions.close()
    studio.close()


def make_studio(folder: Path, address: str, **more: Any) -> Studio:
    backends = {"reference": "built-in", "code": "built-in"} | dict.fromkeys(("search", "diffusion", "edit"), address)
    studio = Studio(Settings(data_dir=folder, backends=backends, backend_timeout=SECONDS, **more))
    studio.plans.library.first_look.job = lambda: None
    return studio


def executed(studio: Studio, answer: int, **wish: Any) -> ExecutionView:
    studio.plans.executions.start(answer, NewExecution(**wish))
    return ended(studio, answer)


def ended(studio: Studio, answer: int) -> ExecutionView:
    wait_until(lambda: studio.plans.executions.view(answer).state == "idle")
    return studio.plans.executions.view(answer)


def test_every_tool_has_its_backend_and_a_second_time_asks_nothing(studio: Studio, endpoint: Pictures) -> None:
    answer = make_plan(studio.plans, PLAN)
    before = studio.plans.executions.view(answer)
    assert [each.state for each in before.calls] == ["open"] * 5 and before.forbidden == ""
    view = executed(studio, answer)
    assert [each.state for each in view.calls] == ["done"] * 5 and (view.done, view.total) == (5, 5)
    assert [each.backend for each in view.calls] == ["pool", "matplotlib", *["endpoint"] * 3]
    pool = studio.plans.library.read(answer).query.pool[0].picture
    assert pool and view.calls[0].picture == pool.digest
    chart = studio.plans.pictures.get(view.calls[1].picture or "")
    assert chart and Image.open(io.BytesIO(chart)).size == (800, 450)
    assert studio.plans.pictures.get(view.calls[2].picture or "") == png()
    assert [each["tool"] for each in endpoint.asked] == ["search", "diffusion", "edit"]
    assert [each["params"] for each in endpoint.asked] == [
        {"query": "old mill"}, {"prompt": "a mill in a dream"}, {"prompt": "make it night"},
    ]  # fmt: skip
    assert [bool(each["image"]) for each in endpoint.asked] == [False, False, True]
    assert endpoint.asked[2]["image"].startswith("data:image/png;base64,")
    assert executed(studio, answer) == view and len(endpoint.asked) == 3
    again = executed(studio, answer, calls=[3], again=True)
    assert len(endpoint.asked) == 4 and again.calls[2].at != view.calls[2].at


def test_pictures_in_json_are_taken_too(studio: Studio, endpoint: Pictures) -> None:
    endpoint.give = as_json
    view = executed(studio, make_plan(studio.plans, PLAN))
    assert [each.state for each in view.calls] == ["done"] * 5
    assert studio.plans.pictures.get(view.calls[4].picture or "") == png(90)


HTML = b"<!doctype html><script>fetch('http://127.0.0.1')</script>"
FAULTS: dict[str, tuple[Given, str]] = {
    "html": (Given(HTML, "text/html"), "no picture to be taken: the file is no PNG"),
    "html as png": (Given(HTML), "but HTML"),
    "svg": (Given(b'<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"), "SVG"),
    "empty": (Given(b""), "the file is empty"),
    "cut off": (Given(png()[:20]), "damaged or cut off"),
    "slow": (Given(png()[:20], endless=True), f"no picture within {SECONDS:g} s"),
    "redirect": (Given(b"", status=302, headers={"location": "/elsewhere"}), "redirects elsewhere (HTTP 302)"),
    "refused": (Given(b'{"error": "no credit"}', "application/json", 402), "HTTP 402: “no credit”"),
    "broken": (Given(b"oops", "text/plain", 500), "HTTP 500"),
    "error in json": (Given(b'{"error": {"message": "not that"}}', "application/json"), "no picture: “not that”"),
    "no json": (Given(b"{", "application/json"), "gave no picture"),
    "no base64": (Given(b'{"image": "%%%"}', "application/json"), "no base64"),
    "base64 of text": (Given(b'{"image": "aGVsbG8="}', "application/json"), "no picture to be taken"),
    "compressed": (Given(b"x", headers={"content-encoding": "gzip"}), "compressed"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_picture_is_refused_with_the_reason_and_not_kept(
    studio: Studio, endpoint: Pictures, fault: str
) -> None:
    given, reason = FAULTS[fault]
    endpoint.give = lambda asked: given
    answer = make_plan(studio.plans, call("search", query="mill"))
    (found,) = executed(studio, answer).calls
    assert (found.state, found.picture) == ("failed", None) and reason in found.reason, found.reason
    assert found.latency is not None and found.latency < 5
    assert [each["tool"] for each in endpoint.asked] == ["search"], "nothing else is ever asked"
    endpoint.give = lambda asked: Given(png())
    (mended,) = executed(studio, answer).calls
    assert (mended.state, mended.reason) == ("done", ""), "the last row counts"


def test_a_flood_is_cut_off(studio: Studio, endpoint: Pictures, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "MOST_BODY", 4_000_000)
    endpoint.give = lambda asked: Given(flood=True)
    (found,) = executed(studio, make_plan(studio.plans, call("search", query="mill"))).calls
    assert found.state == "failed" and "more than the 4 MB" in found.reason


def test_nobody_there_is_told_without_the_address(tmp_path: Path) -> None:
    address = free_address()
    studio = make_studio(tmp_path, address)
    (found,) = executed(studio, make_plan(studio.plans, call("search", query="mill"))).calls
    assert "cannot be reached" in found.reason and address not in found.reason
    studio.close()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (call("reference", img_index=7), "no picture 7 in the pool of 2"),
        (call("reference", img_index=10**400), "no picture img_index"),
        (call("reference", img_index=True), "no whole number"),
        (call("reference", img_index=1), "did not come with the data"),
        (call("edit", img_index=0), "no prompt in words"),
        (call("search", query="  "), "no query in words"),
        (call("diffusion", prompt="x" * 30_000), "at most 20,000"),
        (call("code", code="import os; os.remove('x')"), "never run"),
        (call("code", diagram_type="flowchart", data=DATA), "none of them"),
        (call("code", diagram_type="bar", data={"a": 1e200}), "too large for an axis"),
    ],
    ids=lambda value: str(value)[15:60],
)  # fmt: skip
def test_a_call_that_cannot_be_executed_says_why_and_asks_nobody(
    studio: Studio, endpoint: Pictures, text: str, reason: str
) -> None:
    (found,) = executed(studio, make_plan(studio.plans, text)).calls
    assert found.state == "failed" and reason in found.reason
    assert endpoint.asked == []


def test_hostile_words_go_out_as_json_that_can_be_read(studio: Studio, endpoint: Pictures) -> None:
    answer = make_plan(studio.plans, call("search", query="\0\ud800 é", more=float("nan"), deep=[[[10**400]]]))
    assert executed(studio, answer).calls[0].state == "done"
    assert endpoint.asked[0] == {"tool": "search", "params": {"query": "�� é"}, "image": None}


def test_an_edit_builds_on_an_earlier_output_where_outputs_count(studio: Studio, endpoint: Pictures) -> None:
    text = "\n\n".join(
        ["A.", call("search", query="mill"), "B.", call("edit", img_index=2, prompt="night"), "C.",
         call("edit", img_index=4, prompt="itself"), "D.", call("edit", img_index=5, prompt="later")]
    )  # fmt: skip
    answer = make_plan(studio.plans, text, outputs_count=True)
    calls = executed(studio, answer).calls
    assert [each.state for each in calls] == ["done", "done", "failed", "failed"]
    assert "no picture 4" in calls[2].reason
    other = make_plan(studio.plans, text, planner="other")
    assert [each.state for each in executed(studio, other).calls] == ["done", "failed", "failed", "failed"]
    endpoint.give = lambda asked: Given(b"", status=500)
    third = make_plan(studio.plans, text, planner="third", outputs_count=True)
    assert "builds on call 1, which has brought no picture" in executed(studio, third).calls[1].reason


def test_calls_without_a_tool_or_without_a_backend_are_off(tmp_path: Path) -> None:
    studio = Studio(Settings(data_dir=tmp_path, backends={"reference": "built-in"}))
    studio.plans.library.first_look.job = lambda: None
    answer = make_plan(
        studio.plans, f"{call('reference', img_index=0)}\n\n{call('serch', q='x')}\n\n{call('search', q='x')}"
    )
    view = executed(studio, answer)
    assert [each.state for each in view.calls] == ["done", "off", "off"]
    assert "names no tool" in view.calls[1].reason and "No backend for search" in view.calls[2].reason
    for wish, code in (({"calls": [3]}, "no_backend"), ({"calls": [4]}, "no_such_call")):
        with pytest.raises(Invalid) as refused:
            studio.plans.executions.start(answer, NewExecution(**wish))
        assert refused.value.code == code
    with pytest.raises(NotFound):
        studio.plans.executions.start(10**6, NewExecution())
    studio.close()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, "no backend is configured"),
        ({"backends": {"code": "built-in"}, "runs": "off"}, "switched them off"),
        ({"backends": {"code": "built-in"}, "host": "0.0.0.0"}, "from other machines"),
    ],
)
def test_where_it_is_not_configured_or_strangers_come_nothing_is_executed(
    tmp_path: Path, settings: dict[str, Any], reason: str
) -> None:
    studio = Studio(Settings(data_dir=tmp_path, **settings))
    studio.plans.library.first_look.job = lambda: None
    answer = make_plan(studio.plans, PLAN)
    with pytest.raises(Forbidden, match=reason):
        studio.plans.executions.start(answer, NewExecution())
    assert reason in studio.plans.executions.view(answer).forbidden
    assert reason in studio.plans.executions.backends.view().forbidden
    studio.close()


def test_two_callers_execute_once_and_a_stop_leaves_what_is_done(studio: Studio, endpoint: Pictures) -> None:
    endpoint.give = lambda asked: Given(png(), endless=asked["tool"] == "diffusion")
    answer = make_plan(studio.plans, PLAN)
    executions = studio.plans.executions
    begun = executions.start(answer, NewExecution(calls=[1, 2, 3, 4]))
    joined = executions.start(answer, NewExecution(calls=[1]))
    assert (begun.state, joined.state, joined.total) == ("running", "running", 4)
    with pytest.raises(Conflict, match="wait for them or stop them"):
        executions.start(answer, NewExecution(calls=[5]))
    wait_until(lambda: executions.view(answer).done == 3 and len(endpoint.asked) == 2)
    stopped = executions.stop(answer)
    assert stopped.state == "idle"
    assert [each.state for each in stopped.calls] == ["done", "done", "done", "open", "open"]
    assert [each["tool"] for each in endpoint.asked] == ["search", "diffusion"]
    endpoint.give = lambda asked: Given(png())
    assert [each.state for each in executed(studio, answer).calls] == ["done"] * 5


def test_scores_and_outlines_know_nothing_of_it(studio: Studio, endpoint: Pictures) -> None:
    answer = make_plan(studio.plans, PLAN)
    before = studio.plans.library.outlines(SET)
    record = studio.plans.store.answer(answer)
    executed(studio, answer)
    assert studio.plans.library.outlines(SET) == before and studio.plans.store.answer(answer) == record


@pytest.mark.parametrize(
    "backends",
    [
        {"search": "built-in"}, {"search": "ftp://x/y"}, {"search": "http://me:pw@x/"}, {"search": "http://x/?a=b"},
        {"search": "http://x:0/"}, {"search": "http://x:99999/"}, {"search": "http://é/"},
        {"code": "http://127.0.0.1:9/x"}, {"unknown": "http://127.0.0.1:9/x"}, {"edit": "file:///etc/passwd"},
    ],
    ids=json.dumps,
)  # fmt: skip
def test_backends_that_cannot_be_are_refused_when_the_studio_is_set_up(backends: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="backend"):
        Settings(backends=backends)
