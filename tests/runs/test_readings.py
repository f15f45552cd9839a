"""A model reads handwriting beside the offline reader: what it is shown, what is recorded, and what is refused."""

from __future__ import annotations

import base64
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr, ValidationError
from typer.testing import CliRunner

from easel_app.cli import cli
from easel_app.runs.readings import AT_ONCE, MOST, PROMPT, ModelReader, NewReading
from easel_app.services.endpoints import Endpoints
from easel_app.services.problems import Busy, Conflict, Forbidden, NotFound
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession
from easel_app.settings import Settings
from tests.conftest import Session, new_session, serving
from tests.endpoint import Answer, Body, Headers, always, endpoint, faulty
from tests.endpoint.app import Running, Script
from tests.endpoint.painter import pictures, say
from tests.serving import forked

CANARY = "sk-canary-of-the-reader"


def reads(*letters: str, confidence: float = 0.75) -> Script:
    def script(number: int, body: Body, headers: Headers) -> Answer:
        return say({**body, "tools": []}, json.dumps({"letters": list(letters), "confidence": confidence}))

    return script


def written(studio: Studio, *, task_id: str = "hello", ended: bool = True) -> str:
    begun = studio.sessions.begin(NewSession.model_validate(new_session(task_id=task_id, protocol="benchmark")))
    if ended:
        submit = NewAction.model_validate({"request_id": "end", "action": {"kind": "submit"}})
        studio.sessions.act(begun.session_id, begun.write_token, submit)
    return begun.session_id


def asked(at: Running, **more: Any) -> NewReading:
    return NewReading(base_url=at.url, model="some-vlm", **more)


@pytest.fixture
def reader(studio: Studio) -> ModelReader:
    return ModelReader(studio, Endpoints())


def test_the_model_sees_the_canvas_and_never_the_word(studio: Studio, reader: ModelReader) -> None:
    session = written(studio)
    with endpoint(reads(*"hullo")) as model:
        found = reader.read(session, asked(model, key=SecretStr(CANARY)))
        (request,) = model.requests
    (picture,) = pictures(request.body)
    assert base64.b64decode(picture.partition(",")[2]) == studio.sessions.canvas(session)
    assert "hello" not in json.dumps(request.body)
    assert (found.letters, found.match, found.confidence) == ("hullo", 0.8, 0.75)
    assert found.reader == f"some-vlm {PROMPT}" and json.loads(found.raw)["letters"] == list("hullo")
    assert studio.sessions.readings(session) == [found]
    assert studio.sessions.view(session).score == 0.0, "the offline reader stays the one that scores"
    facts = {fact.name: fact.value for fact in studio.sessions.overlay(session).facts}
    assert facts["Read by some-vlm"] == f"hullo, 0.800 (prompt {PROMPT})" and facts["Read"] == "nothing"


@pytest.mark.parametrize("answer", [["H"], ["hello"], ["é"], [""], [1], "hello", None, ["a"] * 65])
def test_what_is_no_list_of_letters_is_no_reading(studio: Studio, reader: ModelReader, answer: Any) -> None:
    def script(number: int, body: Body, headers: Headers) -> Answer:
        return say({**body, "tools": []}, json.dumps({"letters": answer, "confidence": 0.5}))

    session = written(studio)
    with endpoint(script) as model, pytest.raises(Busy, match="gave no reading"):
        reader.read(session, asked(model))
    assert studio.sessions.readings(session) == []


def test_a_session_keeps_so_many_readings_and_the_evidence_shows_the_newest_of_each_reader(
    studio: Studio, reader: ModelReader
) -> None:
    session = written(studio)
    for k in range(MOST):
        with endpoint(reads(*("hello" if k else "hallo"))) as model:
            reader.read(session, NewReading(base_url=model.url, model=f"m{k % 2}"))
    with endpoint(reads("a")) as model, pytest.raises(Conflict, match="which is enough"):
        reader.read(session, asked(model))
    facts = [fact for fact in studio.sessions.overlay(session).facts if fact.name.startswith("Read by")]
    told = [(fact.name, fact.value.split(",")[0]) for fact in facts]
    assert told == [("Read by m0", "hello"), ("Read by m1", "hello")]


def test_an_endpoint_that_never_answers_gives_the_thread_back_and_leaves_room_for_others(
    studio: Studio, reader: ModelReader
) -> None:
    session = written(studio)
    with endpoint(faulty("stall", always())) as model, ThreadPoolExecutor(6) as pool:
        wish = asked(model, timeout=1.0)
        started = time.monotonic()
        answers = [pool.submit(reader.read, session, wish) for _ in range(6)]
        messages = [str(answer.exception()) for answer in answers]
        assert time.monotonic() - started < 15
    assert sum("Other readings are under way" in message for message in messages) == 6 - AT_ONCE
    assert sum("gave no reading" in message for message in messages) == AT_ONCE


def test_only_ended_handwriting_is_read(studio: Studio, reader: ModelReader) -> None:
    with endpoint(reads("a")) as model:
        with pytest.raises(Conflict, match="has not ended"):
            reader.read(written(studio, ended=False), asked(model))
        for task_id in ("simple-maze", "circle-outline"):
            with pytest.raises(NotFound, match="name one of handwriting"):
                reader.read(written(studio, task_id=task_id), asked(model))
        with pytest.raises(NotFound):
            reader.read("nowhere", asked(model))
        assert not model.requests


def test_a_host_that_forbids_runs_forbids_this_too(studio: Studio) -> None:
    session, guarded = written(studio), Endpoints(listed=["http://other/v1"], only=True)
    with endpoint(reads("a")) as model:
        with pytest.raises(Forbidden, match="host has listed"):
            ModelReader(studio, guarded).read(session, asked(model))
        with pytest.raises(Forbidden, match="off here"):
            ModelReader(studio, Endpoints(forbidden="Runs are off here.")).read(session, asked(model))
        assert not model.requests


def test_an_address_that_is_none_is_refused_without_showing_the_key() -> None:
    with pytest.raises(ValidationError) as refused:
        NewReading(base_url="file:///etc/passwd", model="m", key=SecretStr(CANARY))
    assert CANARY not in str(refused.value)


def test_the_command_reads_what_the_model_has_not_read_yet(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    studio = Studio(settings)
    sessions = [written(studio), written(studio, task_id="handwriting-128-1")]
    written(studio, ended=False)
    studio.close()
    monkeypatch.setenv("EASEL_ENDPOINT_KEY", CANARY)
    with endpoint(reads(*"hello")) as model:
        command = ["read", "--base-url", model.url, "--model", "m", "--data-dir", str(settings.data_dir)]
        first, second = (CliRunner().invoke(cli, command) for _ in range(2))
        assert len(model.requests) == 2
    assert (first.exit_code, second.exit_code, second.stdout) == (0, 0, "")
    assert "no ended session of handwriting that m has not read yet" in second.output
    lines = first.stdout.splitlines()
    assert [line.split()[0] for line in lines] == sessions and "hello        match 1.000 alignment 1.000" in lines[0]
    assert CANARY not in first.output
    gone = CliRunner().invoke(cli, [*command, "--session", sessions[0], "--timeout", "1"])
    assert gone.exit_code == 2 and sessions[0] in gone.output
    for file in settings.data_dir.iterdir():
        assert CANARY.encode() not in file.read_bytes()


def test_the_command_asks_the_studio_that_serves_the_folder(tmp_path: Path) -> None:
    with (
        serving(tmp_path, forked) as server,
        endpoint(reads(*"hello")) as model,
        httpx.Client(base_url=server.url) as client,
    ):
        session = Session(client, task_id="handwriting-128-1", protocol="benchmark")
        session.do("submit", "end")
        command = ["read", "--base-url", model.url, "--model", "m", "--data-dir", str(tmp_path)]
        found = CliRunner().invoke(cli, command)
        assert found.exit_code == 0 and found.stdout.startswith(f"{session.id} hello")
        wrong = CliRunner().invoke(cli, [*command, "--session", "../tasks"])
        assert wrong.exit_code == 2 and "../tasks" in wrong.output
        kept = httpx.get(f"{server.url}/api/sessions/{session.id}/readings").json()
        assert [entry["letters"] for entry in kept] == ["hello"]
