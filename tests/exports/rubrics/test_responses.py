"""Answers as the benchmark's own scripts write them: read back they are the records that they were."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from easel_app.exports.files import write_files
from easel_app.exports.packages import MISSING, path_of
from easel_app.exports.rubrics.content import Content
from easel_app.exports.rubrics.responses import Responses, response
from easel_app.rubric_commands import exporting
from easel_app.rubrics.reading import from_disk
from easel_app.rubrics.records import (
    Answer,
    AnswerTurn,
    Conditions,
    Ending,
    Remark,
    RubricItem,
    Task,
    ToolCall,
    Tools,
    Turn,
)
from easel_app.services.studio import Studio
from easel_app.settings import Settings, data_folder
from easel_app.sources.fields import Picture
from easel_app.sources.found import Found
from easel_app.sources.pictures import identify
from tests.exports.reviewing import empty_studio
from tests.rubrics.files import picture, read, told
from tests.rubrics.making import put
from tests.rubrics.making import task as plain_task

SAMPLE = data_folder() / "rubrics" / "sample.jsonl"
FILES = {identify(content).digest: content for content in map(picture, range(4))}
PICTURES = [identify(content) for content in FILES.values()]
SINGLE = {
    "id", "task_id", "prompt", "image", "turncase", "eval_focus", "prompt_category", "golden_answer",
    "tool_trajectory", "rubrics", "model_answer", "num_tool_calls", "tool_use_list", "content_list",
}  # fmt: skip
MULTI = {"id", "task_id", "turncase", "eval_focus", "prompt_category", "total_turns", "turns"}
A_TURN = {
    "turn_number", "prompt", "image", "model_answer", "golden_answer", "tool_trajectory", "rubrics", "num_tool_calls",
    "tool_use_list", "content_list",
}  # fmt: skip

TEXT = st.text(max_size=12)
NAME = st.text("ab=é𝄞\"'|</#%漢", min_size=1, max_size=6)
LEAF = TEXT | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.none()
JSON = st.dictionaries(TEXT, LEAF | st.lists(LEAF, max_size=2), max_size=2) | LEAF
FLAG = st.none() | st.booleans()
SHOWN = st.lists(st.sampled_from(PICTURES), max_size=3).map(tuple)
ITEMS = st.builds(
    RubricItem,
    id=NAME,
    description=st.text(min_size=1, max_size=30),
    weight=st.integers(1, 5),
    critical=FLAG,
    objectivity=st.sampled_from([None, "objective", "subjective"]),
    explicitness=st.sampled_from([None, "explicit", "implicit"]),
    categories=st.lists(NAME, max_size=2).map(tuple),
    final_answer=FLAG,
)
TURNS = st.builds(
    Turn,
    prompt=TEXT,
    golden_answer=st.none() | TEXT,
    tool_trajectory=st.none() | TEXT,
    pictures=SHOWN,
    rubric=st.lists(ITEMS, max_size=2, unique_by=lambda item: item.id).map(tuple),
)


@st.composite
def calls(draw: st.DrawFn) -> ToolCall:
    """A call whose observation may name its files, or as many others."""
    shown = draw(SHOWN)
    paths = st.lists(TEXT, min_size=len(shown), max_size=len(shown)) | st.lists(TEXT, max_size=3) | LEAF
    filed = st.fixed_dictionaries({"output_paths": paths}, optional={"stdout": TEXT})
    observation: Any = draw(JSON | filed | st.fixed_dictionaries({"output_path": LEAF}))
    several = observation.get("output_paths") if isinstance(observation, dict) else None
    if isinstance(several, list) and several:
        observation["output_path"] = draw(st.sampled_from(several) | TEXT)
    return ToolCall(
        name=draw(TEXT),
        arguments=draw(JSON),
        observation=observation,
        pictures=shown,
        round=draw(st.none() | st.integers(1, 9)),
        latency=draw(st.none() | st.floats(0, 99)),
    )


SAID = st.builds(
    AnswerTurn,
    text=TEXT,
    calls=st.lists(calls(), max_size=3).map(tuple),
    rounds=st.none() | st.integers(0, 9),
    remarks=st.lists(st.builds(Remark, round=st.integers(1, 9), text=st.text(min_size=1, max_size=12)), max_size=3).map(
        tuple
    ),
    ended=st.none() | st.sampled_from(Ending),
)
CONDITIONS = st.builds(
    Conditions,
    model=NAME,
    prompt=st.sampled_from([None, "strong", "weak"]),
    tools=st.none() | st.sampled_from(Tools),
    temperature=st.none() | st.floats(0, 2),
    backends=st.dictionaries(NAME, NAME, max_size=2),
)


@st.composite
def answered(draw: st.DrawFn) -> tuple[Task, Answer]:
    """A task and an answer to it, every field of which may hold anything."""
    turns = draw(st.lists(TURNS, min_size=1, max_size=3))
    task = Task(id=draw(NAME), category=draw(st.none() | NAME), domain=draw(st.none() | NAME), turns=tuple(turns))
    answer = Answer(
        task_id=task.id,
        model=draw(NAME),
        attempt=draw(st.integers(1, 9)),
        conditions=draw(st.none() | CONDITIONS),
        origin=draw(TEXT),
        turns=tuple(draw(SAID) for _ in turns),
    )
    return task, answer


def written(folder: Path, entries: Iterable[dict[str, Any]], name: str = "model-x.json") -> Path:
    """A file of responses with all pictures beside it."""
    for shown in PICTURES:
        path = folder / path_of(shown)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(FILES[shown.digest])
    file = folder / name
    file.write_text(json.dumps(list(entries), ensure_ascii=False), encoding="utf-8")
    return file


@settings(max_examples=100)
@given(answered())
def test_what_is_written_is_read_back_to_equal_records(
    tmp_path_factory: pytest.TempPathFactory, pair: tuple[Task, Answer]
) -> None:
    found, problems = read(written(tmp_path_factory.mktemp("any"), [response(*pair)]))
    assert told(problems) == []
    assert [each.record for each in found] == list(pair)
    assert [each.beside for each in found] == [True, False]
    for each in found:
        assert {digest: content() for digest, content in each.pictures.items()}.items() <= FILES.items()


@settings(max_examples=100)
@given(answered())
def test_the_form_is_the_authors_and_one_key_more(pair: tuple[Task, Answer]) -> None:
    made = response(*pair)
    if len(pair[0].turns) == 1:
        assert set(made) == SINGLE | {"easel"}
    else:
        assert set(made) == MULTI | {"easel"} and all(set(turn) == A_TURN for turn in made["turns"])
        assert [turn["turn_number"] for turn in made["turns"]] == list(range(made["total_turns"]))
    for turn in made.get("turns", [made]):
        assert all(set(each) == {"function_name", "function_args", "observation"} for each in turn["tool_use_list"])
        assert all(set(each) == {"step", "content"} for each in turn["content_list"])


def tools_used() -> tuple[Task, Answer]:
    """An answer as a tool run makes them: two turns, remarks, pictures."""
    task = plain_task("boats", turns=2, pictures=PICTURES[:2])
    made = ToolCall(
        name="python_image_processing",
        arguments={"code": "…"},
        observation={"ok": "true", "stdout": "", "output_path": "b.png", "output_paths": ["a.png", "b.png"]},
        pictures=(PICTURES[2], PICTURES[3]),
        round=1,
        latency=0.25,
    )
    added = ToolCall(name="calculator", arguments={"expression": "1"}, observation={"result": 1}, round=3, latency=0.5)
    turns = (
        AnswerTurn(
            text="Three.",
            calls=(made, added),
            rounds=4,
            remarks=(Remark(round=1, text="Look."), Remark(round=3, text="Count.")),
            ended=Ending.ANSWERED,
        ),
        AnswerTurn(text="Too many rounds.", calls=(added,), rounds=1, remarks=(Remark(round=1, text="Hm."),),
                   ended=Ending.MOST_ROUNDS),
    )  # fmt: skip
    conditions = Conditions(model="x", tools=Tools.ALL, history="golden", temperature=0.0)
    return task, Answer(task_id="boats", model="x", conditions=conditions, origin="x-1", turns=turns)


def test_rounds_words_and_files_stand_where_the_authors_scripts_look_for_them() -> None:
    first, second = response(*tools_used())["turns"]
    assert first["content_list"] == [
        {"step": 0, "content": "Look."},
        {"step": 1, "content": None},
        {"step": 2, "content": "Count."},
        {"step": 3, "content": "Three."},
    ]
    assert second["content_list"] == [{"step": 0, "content": "Hm."}]
    assert (first["num_tool_calls"], len(first["tool_use_list"])) == (4, 2)
    observed = first["tool_use_list"][0]["observation"]
    assert observed["output_paths"] == [path_of(PICTURES[2]), path_of(PICTURES[3])]
    assert observed["output_path"] == path_of(PICTURES[3])
    assert first["image"] == [path_of(shown) for shown in PICTURES[:2]]


def test_without_our_key_all_that_the_form_holds_comes_back(tmp_path: Path) -> None:
    task, answer = tools_used()
    made = response(task, answer)
    del made["easel"]
    found, problems = read(written(tmp_path, [made]))
    assert told(problems) == []
    again, back = (each.record for each in found)
    assert again == task and isinstance(back, Answer)
    assert (back.model, back.conditions, back.origin) == ("model-x", None, "")
    for turn, was in zip(back.turns, answer.turns, strict=True):
        assert (turn.text, turn.rounds, turn.remarks, turn.ended) == (was.text, was.rounds, was.remarks, None)
        assert [(call.name, call.arguments, call.pictures, call.round) for call in turn.calls] == [
            (call.name, call.arguments, call.pictures, None) for call in was.calls
        ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (7, "there is 7 instead of an object"),
        ({"format": "easel-response/2"}, "format is"),
        ({"model": " "}, "model is"),
        ({"turns": []}, "tells of 0 turns"),
        ({"turns": [{}, {}]}, "tells of 0 calls of turn 1"),
        ({"extra": 1}, "extra"),
        ({"attempt": 0}, "attempt is 0"),
        ({"turns": [{"remarks": [1] * 9, "calls": [{}, {}]}, {"calls": [{}]}]}, "tells of 9 remarks in turn 1"),
    ],
)
def test_a_key_of_ours_that_is_wrong_says_why(tmp_path: Path, change: Any, reason: str) -> None:
    made = response(*tools_used())
    made["easel"] = {**made["easel"], **change} if isinstance(change, dict) else change
    found, problems = read(written(tmp_path, [made, response(*tools_used())]))
    assert len(problems) == 1 and reason in told(problems)[0]
    assert [type(each.record) for each in found][-2:] == [Task, Answer]


def test_pictures_that_are_not_there_are_told(tmp_path: Path) -> None:
    file = written(tmp_path, [response(*tools_used())])
    (tmp_path / path_of(PICTURES[2])).unlink()
    found, problems = read(file)
    assert not problems and [note.what for each in found for note in each.notes] == [
        "1 of its pictures are not there and left out"
    ]


# ---------------------------------------------------------------- of a whole set


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterable[Studio]:
    made = empty_studio(tmp_path_factory.mktemp("one"))
    made.rubrics.intake.take_in(from_disk(SAMPLE, root=data_folder()), name="Sample")
    yield made
    made.close()


def exported(studio: Studio, set_id: str, folder: Path) -> Responses:
    made = Responses(studio.rubrics, Content(studio.rubrics, set_id))
    write_files(folder, made.files())
    return made


def test_the_sample_comes_back_equal(studio: Studio, tmp_path: Path) -> None:
    set_id = next(set_id for set_id, name in studio.rubrics.library.names().items() if name == "Sample")
    made = exported(studio, set_id, tmp_path / "out")
    assert made.names == [f"sample-model-{letter}.json" for letter in "abc"] and not made.missing
    other = empty_studio(tmp_path / "other")
    report = other.rubrics.intake.take_in(from_disk(tmp_path / "out"), name="Back")
    assert report.state == "imported" and report.set_id
    here, there = Content(studio.rubrics, set_id), Content(other.rubrics, report.set_id)
    assert sorted(here.tasks(), key=lambda each: each.id) == sorted(there.tasks(), key=lambda each: each.id)
    both = [sorted(each.answers(), key=lambda answer: (answer.task_id, answer.model)) for each in (here, there)]
    assert both[0] == both[1] and len(both[0]) == 36
    assert {name for answer in both[1] for name in shown_by(answer)} <= {
        path.name for path in (tmp_path / "other" / "pictures").glob("*/*")
    }
    other.close()


def shown_by(answer: Answer) -> list[str]:
    return [shown.digest for turn in answer.turns for call in turn.calls for shown in call.pictures]


def test_players_and_attempts_have_files_of_their_own_whatever_they_are_called(studio: Studio, tmp_path: Path) -> None:
    task = plain_task("t1")
    said = (AnswerTurn(text="Blue."),)
    models = ["a/b", "A:B", "../etc", "漢" * 80, ".hidden", "con", "a b (own history)"]
    answers = [Answer(task_id="t1", model=model, turns=said) for model in models]
    answers.append(Answer(task_id="t1", model="con", attempt=2, turns=said))
    set_id = put(studio.rubrics.store, [task], answers, "odd")
    made = exported(studio, set_id, tmp_path)
    assert len({name.casefold() for name in made.names}) == len(answers)
    assert sorted(made.names) == sorted(path.name for path in tmp_path.iterdir())
    assert all(len(name.encode()) <= 130 and not name.startswith(".") for name in made.names)
    assert "con attempt 2.json" in made.names and "a b (own history).json" in made.names
    records = [each.record for each in from_disk(tmp_path).read() if isinstance(each, Found)]
    found = [each for each in records if isinstance(each, Answer)]
    assert sorted((each.model, each.attempt) for each in found) == sorted(
        (each.model, each.attempt) for each in answers
    )


def test_a_picture_that_is_gone_is_named_and_all_else_is_there(studio: Studio, tmp_path: Path) -> None:
    gone = Picture(digest="0" * 64, format="png", width=1, height=1)
    task, answer = tools_used()
    call = answer.turns[0].calls[0].model_copy(update={"pictures": (gone, gone)})
    turn = answer.turns[0].model_copy(update={"calls": (call,)})
    lost = answer.model_copy(update={"turns": (turn, answer.turns[1])})
    set_id = put(studio.rubrics.store, [task.model_copy(update={"id": "boats"})], [lost], "lost")
    made = exported(studio, set_id, tmp_path)
    assert path_of(gone) in made.missing and path_of(gone) in (tmp_path / MISSING).read_text()
    assert json.loads((tmp_path / "x.json").read_text("utf-8"))[0]["turns"][0]["model_answer"] == "Three."


def test_a_command_writes_the_files_as_a_folder_or_an_archive(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cli = typer.Typer()
    exporting.register(cli, lambda data_dir: Settings(data_dir=studio.rubrics.store._database._path.parent))
    result = CliRunner().invoke(cli, ["Sample", "--form", "responses"])
    assert result.exit_code == 0, result.output
    folder, _, told_of = result.stdout.strip().partition(": ")
    assert told_of == "36 answers in 3 files" and len(list(Path(folder).glob("*.json"))) == 3
    assert CliRunner().invoke(cli, ["Sample", "--form", "responses", "--to", "all.zip"]).exit_code == 0
    with zipfile.ZipFile("all.zip") as opened:
        names = {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}
        assert set(opened.namelist()) == names
        assert opened.read("sample-model-a.json") == (Path(folder) / "sample-model-a.json").read_bytes()


def test_a_set_without_answers_has_no_files(studio: Studio, tmp_path: Path) -> None:
    set_id = put(studio.rubrics.store, [plain_task("t1")], [], "none")
    assert exported(studio, set_id, tmp_path).names == [] and list(tmp_path.iterdir()) == []
