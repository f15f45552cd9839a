"""`easel rubrics import`, as it is typed: into a folder, beside a server, with files of every sort."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from easel_app.cli import cli
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.conftest import Server
from tests.rubrics.files import answer, lines, picture, response, row, task, url, verdict

runner = CliRunner()
NAME = "Typed"


def run(*arguments: object, data_dir: Path) -> tuple[int, list[str], list[str]]:
    """Exit code, lines of output, lines of complaint."""
    result = runner.invoke(cli, ["rubrics", "import", *map(str, arguments), "--data-dir", str(data_dir)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout.splitlines(), result.stderr.splitlines()


@pytest.fixture
def good(tmp_path: Path) -> Path:
    shown = task("t2")
    shown["turns"][0]["pictures"] = [url(picture())]
    named = {"type": "set", "name": NAME}
    return lines(tmp_path / "good.jsonl", [named, task("t1"), shown, answer("t1"), verdict("t1")])


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    return lines(tmp_path / "bad.jsonl", [task("t1"), "nonsense", answer("nowhere\x1b[2J"), answer("t1")])


def test_a_file_comes_into_the_folder_and_the_same_again_changes_nothing(good: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    code, said, complaints = run(good, data_dir=data)
    assert (code, complaints) == (0, [])
    assert said == ["Imported into Typed: 2 tasks with 4 rubric items, 1 answer, 1 verdict."]
    code, said, _ = run(good, data_dir=data)
    assert code == 0 and "nothing; there already: 2 tasks with 4 rubric items" in said[0]
    studio = Studio(Settings(data_dir=data))
    (found,) = [each for each in studio.rubrics.store.sets() if not each.sample]
    studio.close()
    assert found.name == NAME


def test_a_refused_file_is_told_line_by_line_and_imported_in_part_on_request(bad: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    code, said, complaints = run(bad, data_dir=data)
    assert (code, said) == (1, [])
    assert [line.partition(": it is")[0] for line in complaints[:1]] == ["refused: line 2"]
    assert complaints[1].startswith("refused: line 3: there is no task 'nowhere")
    assert not any("\x1b" in line for line in complaints)
    assert (
        complaints[-1]
        == "Nothing was imported: 2 records refused; --partial imports the rest: 1 task with 2 rubric items, 1 answer."
    )
    code, said, complaints = run(bad, "--partial", data_dir=data)
    assert (code, len(complaints)) == (2, 2) and said[0].endswith("1 answer; 2 records were left out.")


def test_a_folder_of_the_authors_files_is_one_import(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "answers.json").write_text(json.dumps([response("t1")]))
    (folder / "dataset.json").write_text(json.dumps([row("t1")]))
    code, said, complaints = run(folder, "--model", "m", "--judge", "j", data_dir=tmp_path / "data")
    assert (code, complaints) == (0, []) and said == ["Imported into folder: 1 task with 2 rubric items, 1 answer."]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere.jsonl"], "no file or folder"),
        (["{good}", "--name", "x" * 81], "--name is not one line of 1 to 80 characters"),
        (["{good}", "--name", "\x1b[31m"], "--name"),
        (["{folder}"], "no .jsonl, .json, .parquet file in it"),
    ],
)
def test_what_cannot_begin_is_told_in_one_sentence(
    good: Path, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    (tmp_path / "empty").mkdir()
    typed = [each.format(good=good, folder=tmp_path / "empty") for each in arguments]
    code, said, complaints = run(*typed, data_dir=tmp_path / "data")
    assert (code, said, len(complaints)) == (1, [], 1) and reason in complaints[0]


def test_beside_a_server_the_server_imports_it(
    good: Path, bad: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(good.parent)
    code, said, complaints = run(good.name, "--name", "served", data_dir=server.data_dir)
    assert (code, complaints) == (0, []), complaints
    assert said == ["Imported into served: 2 tasks with 4 rubric items, 1 answer, 1 verdict."]
    listed = {each["name"]: each for each in httpx.get(f"{server.url}/api/rubrics/sets").json()}
    assert listed["served"]["answers"] == 1
    code, _, complaints = run(bad.name, "--name", "served too", data_dir=server.data_dir)
    assert code == 1 and complaints[0].startswith("refused: line 2")
    code, _, complaints = run(good.parent / "nowhere", data_dir=server.data_dir)
    assert code == 1 and "no file or folder" in complaints[0]


def test_a_folder_that_another_process_uses_without_serving_is_named(good: Path, tmp_path: Path) -> None:
    studio = Studio(Settings(data_dir=tmp_path / "data"))
    code, said, complaints = run(good, data_dir=tmp_path / "data")
    studio.close()
    assert (code, said, len(complaints)) == (1, [], 1) and "EASEL_DATA_DIR" in complaints[0]
