"""What sets tool runs apart: prompts, ablations, history, tools that are off; and wishes that cannot be met."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from easel_app.rubrics.records import Tools
from easel_app.rubrics.tool_prompts import PROMPTS, VERSIONS
from easel_app.runs.judging import Judgings
from easel_app.runs.tool_equipment import Equipment
from easel_app.runs.tool_jobs import jobs
from easel_app.runs.tool_run_settings import NewToolRun, ToolRunPlan, ToolRunSettings
from easel_app.runs.tool_runs import ToolRuns
from easel_app.scoring.tool_schemas import TOOLS
from easel_app.services.endpoints import Endpoints
from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.endpoint import endpoint
from tests.endpoint.tool_user import ANY, Play, Wish, seen, tool_user
from tests.rubrics.making import put
from tests.runs.answered import OFF, SUM, answers, fill, finish, prompts, sandbox, serving_runs, wish

user = tool_user({}, SUM)
NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def runs(studio: Studio, settings: Settings) -> Iterator[ToolRuns]:
    fill(studio, 2, turns={2: 3})
    with serving_runs(studio, settings) as runs:
        yield runs


@pytest.mark.parametrize(
    ("more", "player", "offered"),
    [
        ({}, "m", {tool.name for tool in TOOLS}),
        ({"prompt": "medium"}, "m (medium prompt)", {tool.name for tool in TOOLS}),
        ({"prompt": "weak"}, "m (weak prompt)", {tool.name for tool in TOOLS}),
        ({"tools": "no_vision"}, "m (no vision tool)", {tool.name for tool in TOOLS} - {"python_image_processing"}),
        ({"tools": "none"}, "m (no tools)", set()),
    ],
    ids=["strong", "medium", "weak", "no vision", "no tools"],
)
def test_each_ablation_is_a_run_and_a_player_of_its_own(
    studio: Studio, runs: ToolRuns, more: dict[str, Any], player: str, offered: set[str]
) -> None:
    with endpoint(user) as model:
        view = finish(runs, wish(model, tasks=["t1"], **more))
        bodies = [request.body for request in model.requests]
    assert (view.player, view.state) == (player, "finished")
    prompt = more.get("prompt", "strong")
    assert {body["messages"][0]["content"] for body in bodies} == {PROMPTS[prompt]}
    assert all(seen(body).offered >= offered and bool(body.get("tools")) == bool(offered) for body in bodies)
    assert {tool["function"]["name"] for body in bodies for tool in body.get("tools", [])} == offered
    (made,) = answers(studio, player)
    assert made.conditions and made.conditions.prompt_version == VERSIONS[prompt] == view.settings["prompt_version"]
    assert made.conditions.tools == more.get("tools", "all") and set(made.conditions.backends) == offered
    assert made.turns[0].text == ("It is blue: 5." if offered else "It is blue.")
    assert bool(view.sandbox_off) == bool(offered), "without tools nobody misses a sandbox"


def test_earlier_turns_are_told_with_golden_answers_or_with_the_models_own(studio: Studio, runs: ToolRuns) -> None:
    said: dict[str, list[str]] = {}
    for history in ("golden", "own"):
        with endpoint(user) as model:
            view = finish(runs, wish(model, tasks=["t2"], history=history))
            last = model.requests[-1].body
        assert (view.settings["history"], view.player) == (history, {"golden": "m", "own": "m (own history)"}[history])
        turns = [each for each in last["messages"] if each["role"] == "assistant" and not each.get("tool_calls")]
        said[history] = [each["content"] for each in turns]
        assert [text.strip()[:10] for text in prompts(last)] == ["Question 1", "Question 2", "Question 3"]
    assert said == {"golden": [f"Reference {n} of t2: blue, seven." for n in (1, 2)], "own": ["It is blue: 5."] * 2}
    kept = [
        made.conditions.history
        for name in ("m", "m (own history)")
        for made in answers(studio, name)
        if made.conditions
    ]
    assert kept == ["golden", "own"]


def test_families_are_asked_as_published_and_what_is_given_goes_before(studio: Studio, runs: ToolRuns) -> None:
    asked: dict[str, dict[str, Any]] = {}
    for model_name, more in (
        ("gpt-5", {}),
        ("claude-sonnet-4-5-thinking", {}),
        ("qwen3", {"max_tokens": 99}),
        ("o3", {"temperature": None, "effort": "low"}),
        ("o4-mini", {"temperature": 0.5, "effort": None}),
    ):
        with endpoint(user) as model:
            finish(runs, wish(model, model=model_name, tasks=["t1"], **more))
            body = model.requests[0].body
        names = ("temperature", "reasoning_effort", "thinking", "max_tokens")
        asked[model_name] = {name: body[name] for name in names if name in body}
    assert asked == {
        "gpt-5": {"temperature": 1.0, "reasoning_effort": "medium"},
        "claude-sonnet-4-5-thinking": {"temperature": 1.0, "thinking": {"type": "enabled", "budget_tokens": 5000}},
        "qwen3": {"temperature": 0.0, "max_tokens": 99},
        "o3": {"reasoning_effort": "low"},
        "o4-mini": {"temperature": 0.5},
    }
    (made,) = answers(studio, "gpt-5")
    assert made.conditions and (made.conditions.temperature, made.conditions.effort) == (1.0, "medium")


def test_without_a_sandbox_code_is_answered_with_the_reason_and_no_run_mixes_both(
    studio: Studio, settings: Settings, runs: ToolRuns
) -> None:
    with endpoint(tool_user({}, ANY)) as model:
        view = finish(runs, wish(model, tasks=["t1"]))
        assert view.state == "finished" and view.sandbox_off == OFF.off
        assert seen(model.requests[0].body).files == [], "files that no code can reach are not told"
        (made,) = answers(studio)
        first = made.turns[0].calls[0]
        assert first.observation["status"] == "error" and first.observation["error"] == OFF.off
        assert made.conditions and made.conditions.sandbox is None
        assert made.conditions.backends["python_image_processing"] == "off"
        if not (there := sandbox()).off:
            with serving_runs(studio, settings, there) as others:
                with pytest.raises(Conflict, match="python_interpreter was off, now sandbox"):
                    others.start(wish(model))
                assert finish(others, wish(model, tasks=["t1"])).done == 1, "nothing is left, so nothing is mixed"
                with pytest.raises(Conflict, match="python_interpreter was off, now sandbox"):
                    others.start(wish(model))
                assert finish(others, wish(model, player="other", tasks=["t1"])).sandbox_off == ""
                with pytest.raises(Conflict, match=f"python_interpreter was sandbox, now off.*since {OFF.off[:20]}"):
                    runs.start(wish(model, player="other"))


def test_variables_live_from_call_to_call_only_if_that_is_asked_for(studio: Studio, settings: Settings) -> None:
    if (there := sandbox()).off:
        pytest.skip(there.off)
    fill(studio, 1)
    codes = ("a = 7", "print(a)")
    play = Play(rounds=[[Wish("python_interpreter", {"code": code})] for code in codes], answer="It is blue.")
    with endpoint(tool_user({}, play)) as model, serving_runs(studio, settings, there) as runs:
        finish(runs, wish(model))
        finish(runs, wish(model, variables="kept"))
    (fresh,), (kept,) = answers(studio), answers(studio, "m (variables kept)")
    assert "NameError" in fresh.turns[0].calls[1].observation["stderr"]
    assert kept.turns[0].calls[1].observation["stdout"].strip() == "7"
    assert fresh.conditions and kept.conditions
    assert (fresh.conditions.sandbox, kept.conditions.sandbox) == ("fresh", "kept")


def test_most_rounds_end_a_turn_with_a_fixed_sentence(studio: Studio, runs: ToolRuns) -> None:
    endless = Play(rounds=[[Wish("calculator", {"expression": "1 + 1"})]], answer="never", endless=True)
    with endpoint(tool_user({}, endless)) as model:
        view = finish(runs, wish(model, tasks=["t1"], most_rounds=3))
        assert len(model.requests) == 3
    assert (view.endings, view.rounds) == ({"most_rounds": 1}, 3)
    assert "largest number of rounds" in answers(studio)[0].turns[0].text


def test_a_recording_is_found_by_name_and_services_have_to_be_there(studio: Studio, settings: Settings) -> None:
    fill(studio, 1)
    folder = settings.data_dir / "cassettes"
    folder.mkdir(parents=True)
    line = (
        '{"tool": "google_search", "arguments": {"query": "oak", "num_results": 5}, '
        '"observation": {"results": [{"title": "Oak"}], "query": "oak", "status": "success"}}\n'
    )
    (folder / "mine.jsonl").write_text(line, "utf-8")
    (folder / "broken.jsonl").write_text(line + "no json\n", "utf-8")
    play = Play(rounds=[[Wish("google_search", {"query": "oak"})]], answer="It is blue.")
    with endpoint(tool_user({}, play)) as model, serving_runs(studio, settings) as runs:
        assert {"sample", "mine", "broken"} == set(runs.options().cassettes) and runs.options().services == []
        view = finish(runs, wish(model, network="recorded", cassette="mine"))
        assert view.state == "finished"
        for wrong, message in (
            ({"network": "recorded", "cassette": "none"}, "no cassette 'none'; there are broken, mine, sample"),
            ({"network": "recorded", "cassette": "broken"}, "Line 2 of the cassette broken.jsonl"),
            ({"network": "service"}, "EASEL_TOOL_SERVICES"),
        ):
            with pytest.raises(Invalid, match=message):
                runs.start(wish(model, player="wrong", **wrong))
    (made,) = answers(studio)
    assert made.turns[0].calls[0].observation["results"] == [{"title": "Oak"}]
    assert made.conditions and made.conditions.backends["google_search"] == "recorded"


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "ftp://x"}, {"model": ""}, {"model": "m" * 81}, {"player": "p" * 81}, {"temperature": "hot"},
        {"temperature": 2.1}, {"temperature": float("nan")}, {"effort": "Very High"}, {"tools": "some"},
        {"repeats": 0}, {"most_rounds": 0}, {"cassette": "../secret"}, {"record": "x"}, {"concurrency": 65},
        {"record": "sample", "network": "service"}, {"judge": {}}, {"judge": {"model": "j", "base_url": "x"}},
        {"judge": {"model": "j", "most_money": 1}}, {"most_money": 1.0}, {"unknown": 1}, {"key": "a\nb"},
    ],
    ids=str,
)  # fmt: skip
def test_wishes_that_cannot_be_met_are_refused_before_anything_begins(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        NewToolRun(**{"set_id": "small", "base_url": NOWHERE, "model": "m", **wrong})


def test_wishes_that_do_not_fit_the_studio_are_refused(studio: Studio, settings: Settings, runs: ToolRuns) -> None:
    put(studio.rubrics.store, [], set_id="empty")
    for refusal, message, more in (
        (NotFound, "no rubric set", {"set_id": "nowhere"}),
        (Invalid, "no tasks", {"set_id": "empty"}),
        (Invalid, "no task 't9' in the set; did you mean 't", {"tasks": ["t1", "t9"]}),
    ):
        with pytest.raises(refusal, match=message):
            runs.start(wish(NOWHERE, **more))
    assert runs.every() == []
    with pytest.raises(NotFound, match="no tool run"):
        runs.view("nothing")
    judgings, kit = Judgings(studio), Equipment(OFF, {}, settings.data_dir)
    shut = ToolRuns(studio, judgings, kit, Endpoints(forbidden="Models are off here."))
    listed = ToolRuns(studio, judgings, kit, Endpoints(listed=[NOWHERE], only=True))
    with pytest.raises(Forbidden, match="Models are off here"):
        shut.start(wish(NOWHERE))
    assert (shut.options().allowed, shut.options().reason) == (False, "Models are off here.")
    with pytest.raises(Forbidden, match="Only endpoints that the host has listed"):
        listed.start(wish(NOWHERE, judge={"model": "j", "base_url": "http://127.0.0.1:8/v1"}))


def test_a_draw_is_of_the_set_in_its_order_and_grows(studio: Studio) -> None:
    fill(studio, 9)
    store = studio.rubrics.store

    def drawn(**plan: Any) -> list[str]:
        return [job.task_id for job in jobs(store, "small", ToolRunPlan(**plan))]

    whole = drawn()
    assert whole == [f"t{n}" for n in range(1, 10)] and drawn(most=99) == whole
    for seed in range(5):
        few, more = drawn(most=3, seed=seed), drawn(most=5, seed=seed)
        assert len(few) == 3 and set(few) < set(more) and more == sorted(more)
    assert len({tuple(drawn(most=3, seed=seed)) for seed in range(9)}) > 1
    assert drawn(tasks=["t7", "t2"], repeats=2) == ["t2", "t7", "t2", "t7"]
    assert {job.attempt for job in jobs(store, "small", ToolRunPlan(repeats=3))} == {1, 2, 3}


def test_the_same_settings_are_the_same_run_whatever_else_is_wished_for() -> None:
    plain = NewToolRun(set_id="small", base_url=NOWHERE, model="m")
    others = wish(NOWHERE, network="recorded", repeats=3, concurrency=1, most=2, key="k", judge={"model": "j"})
    assert plain.settings == others.settings and plain.settings.run_id == others.settings.run_id
    assert plain.settings.run_id == wish(NOWHERE, network="recorded", cassette="sample").settings.run_id
    again = ToolRunSettings.of(plain.settings.identity)
    assert again.run_id == plain.settings.run_id
    ids = {
        NewToolRun(set_id="small", base_url=NOWHERE, model="m", **more).settings.run_id
        for more in (
            {}, {"prompt": "weak"}, {"tools": Tools.NONE}, {"history": "own"}, {"temperature": 0.0}, {"effort": None},
            {"variables": "kept"}, {"network": "off"}, {"cassette": "c"}, {"most_rounds": 3}, {"pictures": "user"},
            {"max_tokens": 9}, {"player": "p"},
        )
    }  # fmt: skip
    assert len(ids) == 13


class Search(BaseHTTPRequestHandler):
    """A search service that knows one page."""

    def do_GET(self) -> None:
        found = json.dumps(
            {"results": [{"title": "Oak", "url": "https://oak.example/", "content": "A tree."}]}
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(found)))
        self.end_headers()
        self.wfile.write(found)

    def log_message(self, *_: Any) -> None:
        pass


def test_what_services_answer_is_recorded_and_a_run_can_be_played_from_it(studio: Studio, settings: Settings) -> None:
    fill(studio, 1)
    play = Play(rounds=[[Wish("google_search", {"query": "oak"})]], answer="It is blue.")
    with HTTPServer(("127.0.0.1", 0), Search) as server, endpoint(tool_user({}, play)) as model:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        kit = Equipment(OFF, {"search": f"http://127.0.0.1:{server.server_port}"}, settings.data_dir / "cassettes")
        runs = ToolRuns(studio, Judgings(studio), kit)
        assert runs.options().services == ["search"]
        asked = finish(runs, wish(model, network="service", record="mine"))
        server.shutdown()
        played = finish(runs, wish(model, network="recorded", cassette="mine", player="played"))
        assert "mine" in runs.options().cassettes
        runs.close()
    (one,), (other,) = answers(studio), answers(studio, "played")
    assert one.turns[0].calls[0].observation == other.turns[0].calls[0].observation
    assert one.turns[0].calls[0].observation["results"][0]["title"] == "Oak"
    assert one.conditions and one.conditions.backends["google_search"] == "service"
    assert (asked.state, played.state) == ("finished", "finished")
