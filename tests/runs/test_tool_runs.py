"""Tool runs: a model answers tasks round by round, each stored before the next, and nothing is asked twice."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from easel_app.rubrics.records import Answer, AnswerTurn, Ending
from easel_app.runs.tool_runs import ToolRuns
from easel_app.services.problems import Conflict, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.tool_runs import ToolRunEvent, ToolRunRecord, ToolRunStore
from tests.conftest import wait_until
from tests.endpoint import Answer as Reply
from tests.endpoint import Body, Script, endpoint, with_faults
from tests.endpoint.faults import error
from tests.endpoint.tool_user import Play, Wish, seen, tool_user
from tests.full_disk import no_room
from tests.llm.conftest import free_address
from tests.rubrics.making import AT, put, task
from tests.runs.answered import SUM, answers, ended, fill, finish, keep, prompts, sandbox, serving_runs, timeless, wish

user = tool_user({}, SUM)
CANARY = "sk-canary-of-the-tools"


@pytest.fixture
def runs(studio: Studio, settings: Settings) -> Iterator[ToolRuns]:
    fill(studio, turns={3: 2})
    with serving_runs(studio, settings) as runs:
        yield runs


def coding(*codes: str) -> Script:
    """A model that runs one piece of code a round."""
    rounds = [[Wish("python_image_processing", {"code": code})] for code in codes]
    return tool_user({}, Play(rounds=rounds, answer="It is blue."))


def summing(rounds: int) -> Script:
    """A model that computes in so many rounds."""
    wishes = [[Wish("calculator", {"expression": f"{n} + 1"})] for n in range(rounds)]
    return tool_user({}, Play(rounds=wishes, answer="It is blue."))


def busy(number: int, body: Body, headers: Any) -> Reply:
    return error(503, "overloaded")


def test_a_full_disk_stops_it_in_one_sentence_and_with_room_it_goes_on(
    studio: Studio, runs: ToolRuns, caplog: pytest.LogCaptureFixture
) -> None:
    long = tool_user({}, Play(rounds=[[Wish("calculator", {"expression": "2 + 3"})]], answer="blue " * 20_000))
    first = threading.Event()

    def watched(number: int, body: Body, headers: Any) -> Reply:
        if number >= 1:  # the answer waits, so that one round stands until there is no room
            assert first.wait(30)
        return long(number, body, headers)

    with endpoint(watched) as model, caplog.at_level(logging.WARNING):
        begun = runs.start(wish(model, concurrency=1))
        wait_until(lambda: runs.view(begun.run_id).rounds == 1, 30)
        with no_room(studio):
            first.set()
            stopped = ended(runs, begun.run_id)
            assert (stopped.state, stopped.reason) == (
                "stopped",
                "The disk is full, so what came last is not stored; make room, then go on.",
            )
        assert not [record for record in caplog.records if record.exc_info], "no traceback"
        done = finish(runs, wish(model, concurrency=1))
    assert (done.state, done.done, done.reason) == ("finished", 3, "")


def test_every_task_is_answered_with_its_calls_and_how_it_was_made(studio: Studio, runs: ToolRuns) -> None:
    with endpoint(user) as model:
        view = finish(runs, wish(model))
    assert (view.state, view.done, view.total, view.player) == ("finished", 3, 3, "m")
    assert (view.rounds, view.tool_calls, view.by_tool) == (8, 4, {"calculator": 4})
    assert view.endings == {"answered": 4} and view.prompt_tokens > 0 and view.under_way == []
    found = answers(studio)
    assert [(each.task_id, each.attempt, len(each.turns)) for each in found] == [
        (f"t{n}", 1, 1 + n // 3) for n in (1, 2, 3)
    ]
    assert {each.origin for each in found} == {view.run_id}
    for turn in (turn for each in found for turn in each.turns):
        assert (turn.text, turn.rounds, turn.ended) == ("It is blue: 5.", 2, Ending.ANSWERED)
        assert [(call.name, call.round, call.observation["result"]) for call in turn.calls] == [("calculator", 1, 5)]
    made = found[0].conditions
    assert made and all(each.conditions == made for each in found)
    assert (made.model, made.prompt, made.tools, made.history) == ("m", "strong", "all", "golden")
    assert (made.prompt_version, made.temperature) == (view.settings["prompt_version"], 0.0)
    assert made.sandbox is None and made.backends["python_interpreter"] == "off" == made.backends["google_search"]
    assert made.backends["calculator"] == "local"


def test_what_is_there_is_not_asked_again_and_every_task_comes_once_before_any_comes_again(
    studio: Studio, runs: ToolRuns
) -> None:
    with endpoint(user) as model:
        few = finish(runs, wish(model, most=1, seed=7))
        (first,) = answers(studio)
        assert (few.done, few.total, few.state) == (1, 1, "finished")
        all_of_them = finish(runs, wish(model, repeats=2, concurrency=1))
        assert all_of_them.run_id == few.run_id and (all_of_them.done, all_of_them.total) == (6, 6)
        asked = [prompts(request.body)[0] for request in model.requests]
        order = list(dict.fromkeys(text.split(":")[0] for text in asked if first.task_id not in text))
        assert len(order) == 2 and len(answers(studio)) == 6
        assert [each.attempt for each in answers(studio)] == [1, 2, 1, 2, 1, 2]
        once = len(model.requests)
        again = finish(runs, wish(model, repeats=2))
        assert len(model.requests) == once and (again.calls, again.done) == (all_of_them.calls, 6) == (16, 6)
        assert again.prompt_tokens == all_of_them.prompt_tokens and again.endings == {"answered": 8}


def test_one_that_was_stopped_goes_on_after_its_last_round(studio: Studio, runs: ToolRuns) -> None:
    long = summing(6)
    with endpoint(long) as model:
        whole = finish(runs, wish(model, player="whole"))
        asked = len(model.requests)
    with endpoint(long, latency=0.02) as model:
        begun = runs.start(wish(model, concurrency=1))
        wait_until(lambda: runs.view(begun.run_id).rounds > 8)
        (now,) = runs.view(begun.run_id).under_way
        assert (now.task_id, now.attempt, now.turn, now.turns) == ("t2", 1, 1, 1)
        assert now.doing in ("model", "calculator")
        with pytest.raises(Conflict, match="under way with other tasks or limits"):
            runs.start(wish(model, concurrency=2))
        assert runs.start(wish(model, concurrency=1)).run_id == begun.run_id
        runs.stop(begun.run_id)
        stopped = ended(runs, begun.run_id)
        assert stopped.state == "stopped" and "start it again" in stopped.reason and 0 < stopped.done < 3
        assert len(model.requests) == stopped.rounds, "what was heard was not stored"
        done = finish(runs, wish(model))
        assert (done.state, done.done, done.rounds) == ("finished", 3, whole.rounds) and len(model.requests) == asked
    assert timeless(answers(studio), origin="") == timeless(answers(studio, "whole"), model="m", origin="")


def test_an_attempt_goes_on_with_the_messages_that_it_would_have_had(studio: Studio, runs: ToolRuns) -> None:
    cut = {"on": True}
    script = summing(4)
    with endpoint(with_faults(script, (busy, lambda at, body: cut["on"] and at > 1))) as model:
        broken = finish(runs, wish(model, tasks=["t1"], concurrency=1))
        assert (broken.state, broken.done, broken.rounds) == ("stopped", 0, 2)
        assert "No call brought a whole answer" in broken.reason and "HTTP 503" in broken.reason
        assert [each.queries for each in broken.unanswered] == [1] and broken.unanswered[0].reason in broken.reason
        before, cut["on"] = len(model.requests), False
        assert finish(runs, wish(model, tasks=["t1"])).done == 1
        resumed = [request.body["messages"] for request in model.requests[before:]]
    with endpoint(script) as model:
        finish(runs, wish(model, tasks=["t1"], player="whole"))
        assert resumed == [request.body["messages"] for request in model.requests[2:]]
    assert timeless(answers(studio), origin="") == timeless(answers(studio, "whole"), model="m", origin="")


def test_after_a_break_the_code_of_earlier_rounds_is_run_again_so_that_its_files_are_there(
    studio: Studio, settings: Settings
) -> None:
    if (there := sandbox()).off:
        pytest.skip(there.off)
    fill(studio, 1, {1: 2}, later=True)
    codes = (
        "import glob; open('kept.txt', 'w').write('seven'); print(sorted(glob.glob('*')))",
        "from PIL import Image; im = Image.open('image_1.png'); im.rotate(90).save('a.png'); print(im.size)",
        "print(open('kept.txt').read())",
    )
    broken = {"from": 10**9}
    script = with_faults(coding(*codes), (busy, lambda at, body: at >= broken["from"]))
    with endpoint(script) as model, serving_runs(studio, settings, there) as runs:
        whole = finish(runs, wish(model, player="whole"))
        for rounds in (2, 3):
            broken["from"] = len(model.requests) + rounds
            assert finish(runs, wish(model, player="cut")).done == 0
        broken["from"] = 10**9
        cut = finish(runs, wish(model, player="cut"))
    assert (cut.state, cut.done, cut.rounds, cut.sandbox_off) == ("finished", 1, whole.rounds, "")
    (one,), (other,) = answers(studio, "whole"), answers(studio, "cut")
    assert timeless([one], model="", origin="") == timeless([other], model="", origin="")
    first, second = ([call.observation["stdout"] for call in turn.calls] for turn in other.turns)
    assert "['image_1.png', 'kept.txt']" in first[0] and "(24, 16)" in first[1] and "seven" in first[2]
    assert "['a.png', 'image_1.png', 'image_2.png', 'kept.txt']" in second[0], "a picture is there from its turn on"
    (made,) = other.turns[0].calls[1].pictures
    assert (made.width, made.height) == (24, 16) and studio.rubrics.pictures.get(made.digest)
    assert other.conditions and other.conditions.sandbox == "fresh"


def test_a_limit_holds_over_sittings_and_what_is_stored_of_cut_off_attempts_is_not_paid_again(
    studio: Studio, runs: ToolRuns
) -> None:
    prices = {"price_prompt": 1.0, "price_completion": 1.0, "concurrency": 1}
    with endpoint(summing(3)) as model:
        first = finish(runs, wish(model, most=1, **prices))
        assert first.cost and first.cost == pytest.approx((first.prompt_tokens + first.completion_tokens) / 1e6)
        stopped = finish(runs, wish(model, most_money=first.cost * 1.6, **prices))
        assert stopped.state == "stopped" and "raise the limit" in stopped.reason
        assert stopped.done == 1 < stopped.rounds / 4 and stopped.unanswered == []
        on = finish(runs, wish(model, most_money=first.cost * 99, **prices))
        assert (on.state, on.done, on.rounds) == ("finished", 3, 16) and len(model.requests) == 16


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (lambda n, b, h: error(401, "no key"), "right key"),
        (lambda n, b, h: error(404, "no such model"), "name of the model"),
    ],
    ids=["401", "404"],
)
def test_an_endpoint_that_refuses_all_stops_it_at_once(studio: Studio, runs: ToolRuns, fault: Script, why: str) -> None:
    with endpoint(fault) as model:
        view = finish(runs, wish(model, concurrency=2))
        assert view.state == "stopped" and why in view.reason and len(model.requests) <= 2
    assert answers(studio) == [] and view.rounds == 0
    gone = finish(runs, wish(free_address(), player="gone", concurrency=1))
    assert gone.state == "stopped" and "check that it runs" in gone.reason


def test_an_endpoint_that_dies_on_the_way_stops_it_and_loses_no_round(studio: Studio, runs: ToolRuns) -> None:
    with endpoint(with_faults(summing(3), (busy, lambda at, body: at >= 6))) as model:
        view = finish(runs, wish(model, concurrency=1, repeats=4))
        assert (view.state, view.done, view.rounds) == ("stopped", 1, 6) and "HTTP 503" in view.reason
        assert [each.queries for each in view.unanswered] == [3], "three in a row are enough"


def test_what_a_filter_refuses_is_an_answer_and_not_asked_again(studio: Studio, runs: ToolRuns) -> None:
    def refusing(number: int, body: Body, headers: Any) -> Reply:
        return error(400, "Blocked by our content policy", "content_policy_violation")

    with endpoint(with_faults(user, (refusing, lambda at, body: "of t2" in prompts(body)[-1]))) as model:
        view = finish(runs, wish(model))
        assert (view.state, view.done) == ("finished", 3) and view.endings == {"answered": 3, "refused": 1}
        asked = len(model.requests)
        assert finish(runs, wish(model)).done == 3 and len(model.requests) == asked
    (refused,) = [turn for each in answers(studio) for turn in each.turns if each.task_id == "t2"]
    assert (refused.ended, refused.text, refused.calls) == (Ending.REFUSED, "", ())


def test_a_temperature_that_the_endpoint_does_not_take_is_left_out_and_told(studio: Studio, runs: ToolRuns) -> None:
    def strict(number: int, body: Body, headers: Any) -> Reply:
        if "temperature" in body:
            return error(400, "Unsupported parameter: 'temperature' is not supported with this model.")
        return user(number, body, headers)

    with endpoint(with_faults(strict, (busy, lambda at, body: 3 <= at < 9))) as model:
        cut = finish(runs, wish(model, tasks=["t3"], concurrency=1))
        assert cut.done == 0 and 0 < cut.rounds < 4
        done = finish(runs, wish(model, tasks=["t3"], concurrency=1))
        assert (done.done, done.left_out) == (1, ["temperature"])
    (made,) = answers(studio)
    assert made.conditions and made.conditions.temperature is None


def test_pictures_of_the_task_and_of_tools_are_sent_and_kept_by_their_digests(
    studio: Studio, settings: Settings
) -> None:
    if (there := sandbox()).off:
        pytest.skip(there.off)
    (asked,) = fill(studio, 1)
    code = "from PIL import Image; Image.open('image_1.png').resize((48, 32)).save('large.png')"
    refuser = tool_user(
        {}, Play(rounds=[[Wish("python_image_processing", {"code": code})]], answer="It is blue."), True
    )
    with endpoint(refuser) as model, serving_runs(studio, settings, there) as runs:
        view = finish(runs, wish(model, key=CANARY))
        first, refused, moved = (request.body for request in model.requests)
        assert len(seen(first).pictures) == 1 and seen(first).files == ["image_1.png"]
        assert len(seen(moved).pictures) == 2 and seen(moved).made == 1 and len(refused["messages"]) == 4
        assert model.requests[0].headers["authorization"] == f"Bearer {CANARY}"
    (given,) = asked.turns[0].pictures
    ((made,),) = [call.pictures for call in answers(studio)[0].turns[0].calls]
    task = studio.rubrics.store.outlines("small")[0].id
    rounds = ToolRunStore.beside(studio.rubrics.store).rounds(view.run_id, task, 1)
    exchanges = [json.loads(row.exchange) for row in rounds]
    assert [each["repeated"] for each in exchanges] == [0, 2] and exchanges[0]["messages"][0]["prompt"].startswith(
        "tools-"
    )
    told = json.dumps(exchanges)
    assert given.digest in told and made.digest in told and "base64" not in told
    stored = b"".join(path.read_bytes() for path in settings.data_dir.rglob("*") if path.is_file())
    assert CANARY.encode() not in stored


def test_what_cannot_be_sent_is_told_and_the_others_go_on(studio: Studio, runs: ToolRuns) -> None:
    gone = keep(studio, 99).model_copy(update={"digest": "0" * 64})
    lost = task("lost")
    put(
        studio.rubrics.store,
        [lost.model_copy(update={"turns": (lost.turns[0].model_copy(update={"pictures": (gone,)}),)})],
    )
    bare = task("bare", turns=2)
    turns = (bare.turns[0].model_copy(update={"golden_answer": None}), bare.turns[1])
    put(studio.rubrics.store, [bare.model_copy(update={"turns": turns})])
    with endpoint(user) as model:
        view = finish(runs, wish(model))
        assert (view.state, view.done, view.total) == ("finished", 3, 5)
        assert {each.queries for each in view.unanswered} == {1}
        told = " ".join(each.reason for each in view.unanswered)
        assert "Picture 1 of the task, of its turn 1, cannot be shown: its file is gone" in told
        assert "Turn 1 has no golden answer" in told
        assert finish(runs, wish(model, history="own", tasks=["bare"])).done == 1


def test_an_answer_that_came_meanwhile_stops_it_and_is_not_counted_as_its_own(studio: Studio, runs: ToolRuns) -> None:
    ids = {outline.task_id: outline.id for outline in studio.rubrics.store.outlines("small")}
    by_hand = Answer(task_id="t1", model="m", turns=(AnswerTurn(text="By hand."),))

    def imported(number: int, body: Body, headers: Any) -> Reply:
        studio.rubrics.store.add_answers([(ids["t1"], "m", 1, by_hand.model_dump_json())])
        return user(number, body, headers)

    with endpoint(imported) as model:
        view = finish(runs, wish(model, concurrency=1))
        assert view.state == "stopped" and "another answer of 'm' came into the set" in view.reason
        assert [each.turns[0].text for each in answers(studio)] == ["By hand."] and view.done == 0
        with pytest.raises(Conflict, match="give another player's name"):
            runs.start(wish(model))


def test_two_starts_at_once_are_one_run_and_no_name_is_used_by_two(studio: Studio, runs: ToolRuns) -> None:
    with endpoint(user, latency=0.05) as model:
        gate, told = threading.Barrier(4), list[str]()

        def start(**more: Any) -> None:
            gate.wait()
            try:
                told.append(runs.start(wish(model, player="one", concurrency=1, **more)).run_id)
            except Conflict as conflict:
                told.append(conflict.code)

        threads = [threading.Thread(target=start) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(told)) == 1 and len(told) == 4
        with pytest.raises(Conflict, match="Another run is answering in the name 'one'"):
            runs.start(wish(model, player="one", temperature=1.0))
        assert ended(runs, told[0]).done == 3 and len(model.requests) == 8


def test_later_processes_see_where_it_stood_and_go_on_by_its_id(
    studio: Studio, settings: Settings, runs: ToolRuns
) -> None:
    with endpoint(with_faults(summing(2), (busy, lambda at, body: 4 <= at < 30))) as model:
        cut = finish(runs, wish(model, concurrency=1, key=CANARY))
        assert (cut.done, cut.rounds, cut.state) == (1, 4, "finished")
        with serving_runs(studio, settings) as later:
            (view,) = later.every("small")
            same = {
                "done",
                "total",
                "rounds",
                "by_tool",
                "endings",
                "prompt_tokens",
                "state",
                "reason",
                "plan",
                "settings",
            }
            assert view.model_dump(include=same) == cut.model_dump(include=same) and later.every() == [view]
            while later.view(cut.run_id).done < 3:
                later.resume(cut.run_id)
                ended(later, cut.run_id)
            assert later.view(cut.run_id).state == "finished" and later.view(cut.run_id).rounds == 12
    assert "authorization" not in model.requests[-1].headers, "a key lives for one sitting"
    with serving_runs(studio, settings) as later, pytest.raises(NotFound, match="no tool run of that id"):
        later.resume("nothing")
    store = ToolRunStore.beside(studio.rubrics.store)
    old = ToolRunRecord("old-1", "small", "m", {**cut.settings, "prompt_version": "tools-strong/0", "model": "o"}, AT)
    store.begin(old)
    store.happened("old-1", ToolRunEvent("begun", {"plan": {}, "backends": {}}, AT))
    assert runs.view("old-1").state == "interrupted"
    with pytest.raises(Invalid, match="another version of the prompts"):
        runs.resume("old-1")


def test_wherever_an_attempt_is_cut_off_it_comes_to_the_same_answer(studio: Studio, runs: ToolRuns) -> None:
    broken = {"from": 10**9}
    with endpoint(with_faults(summing(3), (busy, lambda at, body: at >= broken["from"]))) as model:
        whole = finish(runs, wish(model, player="whole", tasks=["t3"]))
        for cut in range(whole.rounds):
            broken["from"] = len(model.requests) + cut
            assert finish(runs, wish(model, player=f"cut {cut}", tasks=["t3"])).rounds == cut
            broken["from"] = 10**9
            assert finish(runs, wish(model, player=f"cut {cut}", tasks=["t3"])).rounds == whole.rounds == 8
    expected = timeless(answers(studio, "whole"), model="", origin="")
    for cut in range(whole.rounds):
        assert timeless(answers(studio, f"cut {cut}"), model="", origin="") == expected


@pytest.mark.parametrize(
    ("code", "left"),
    [
        ("for n in range(10_100): open(f'{n}', 'w').close()", "['image_1.png', 'image_2.png']"),
        ("import os; os.mkdir('image_2.png')", "['image_1.png', 'image_2.png']"),
        ("import os; os.remove('image_1.png')", "['image_2.png']"),
    ],
    ids=["sandbox lost", "name taken", "picture deleted"],
)
def test_whatever_code_does_to_its_folder_the_next_turn_goes_on(
    studio: Studio, settings: Settings, code: str, left: str
) -> None:
    if (there := sandbox()).off:
        pytest.skip(there.off)
    asked = fill(studio, 1, {1: 2}, later=True)[0].turns
    codes = (code, "import glob; print(sorted(glob.glob('*')))")
    plays = {
        turn.prompt: Play([[Wish("python_interpreter", {"code": code})]], "It is blue.")
        for turn, code in zip(asked, codes, strict=True)
    }
    with endpoint(tool_user(plays)) as model, serving_runs(studio, settings, there) as runs:
        assert finish(runs, wish(model)).state == "finished"
    (made,) = answers(studio)
    assert left in made.turns[1].calls[0].observation["stdout"]
