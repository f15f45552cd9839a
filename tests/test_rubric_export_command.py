"""`easel rubrics export`, `list` and `reviewer`, in a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from easel_app.exports.rubrics.service import RubricExports
from easel_app.rubric_commands import exporting, listing
from easel_app.rubrics.reading import from_disk
from easel_app.services.studio import Studio
from easel_app.settings import Settings, data_folder
from tests.exports.reviewing import empty_studio, make_reviewed
from tests.exports.test_hub import TOKEN, running
from tests.services.rubrics.making import SET

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio that has its data folder open while the commands read it."""
    studio = empty_studio(tmp_path_factory.mktemp("served"))
    make_reviewed(studio.rubrics)
    sample = from_disk(data_folder() / "rubrics" / "sample.jsonl", root=data_folder())
    studio.rubrics.intake.take_in(sample, name="Sample")
    yield studio
    studio.close()


def commands(folder: Path) -> Run:
    cli = typer.Typer()
    for module in (exporting, listing):
        module.register(cli, lambda data_dir: Settings(data_dir=data_dir or folder))
    return lambda *arguments: CliRunner().invoke(cli, list(arguments))


@pytest.fixture
def run(house: Studio, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return commands(house.rubrics.store._database._path.parent)


@pytest.mark.parametrize(
    ("form", "name"),
    [
        *((form, f"{form}.{kind}") for form in ("verdicts", "consensus") for kind in ("jsonl", "csv")),
        ("scores", "scores.csv"),
        ("agreement", "agreement.csv"),
    ],
)
def test_what_is_said_of_a_set_becomes_the_file_that_the_api_gives(
    house: Studio, run: Run, tmp_path: Path, form: str, name: str
) -> None:
    result = run("export", SET, "--form", form, "--to", name)
    assert result.exit_code == 0, result.output
    assert result.stdout.strip() == name
    pieces = RubricExports(house.rubrics).export(SET, name).pieces  # type: ignore[arg-type]
    assert (tmp_path / name).read_bytes() == b"".join(pieces)


def test_a_set_becomes_a_folder_or_an_archive_named_after_it_and_holds_the_same(
    house: Studio, run: Run, tmp_path: Path
) -> None:
    result = run("export", "Sample")
    assert result.exit_code == 0, result.output
    folder = tmp_path / result.stdout.partition(":")[0]
    assert "12 tasks, 36 answers" in result.stdout
    assert run("export", "Sample", "--form", "set", "--to", "a.zip").exit_code == 0
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
        }
    again = run("export", "Sample")
    assert again.exit_code == 1 and "not an empty folder" in again.stderr


def test_a_data_set_becomes_a_folder_or_an_archive_and_goes_to_the_hub_on_request_only(
    house: Studio, run: Run, tmp_path: Path
) -> None:
    with running() as server:
        assert run("export", "Sample", "--form", "hub", "--to", "a.zip").exit_code == 0
        assert not server.asked
        command = ["rubrics", "export", "Sample", "--form", "hub", "--to", "out", "--push", "ann/set", "--private"]
        own = {
            "EASEL_DATA_DIR": str(house.rubrics.store._database._path.parent),
            **{"HF_ENDPOINT": server.url, "HF_TOKEN": TOKEN, "HF_HOME": str(tmp_path)},
        }
        typed = [sys.executable, "-m", "easel_app.cli", *command]
        done = subprocess.run(typed, env=os.environ | own, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("out: 12 tasks, ") and f"pushed to {server.url}/datasets/ann/set" in done.stdout
    assert TOKEN not in done.stdout + done.stderr
    assert server.files["README.md"] == (tmp_path / "out" / "README.md").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert set(archive.namelist()) == set(server.files) >= {"README.md", "tasks/test.parquet"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere"], "no rubric set 'nowhere'"),
        ([SET, "--form", "scores", "--to", "a.jsonl"], "ends with .csv"),
        ([SET, "--form", "verdicts", "--to", "a"], "ends with .jsonl or .csv"),
        ([SET, "--form", "verdicts", "--to", "none/a.csv"], "cannot be written"),
        ([SET, "--push", "ann/set"], "--form hub"),
        ([SET, "--form", "hub", "--to", "a.zip", "--push", "ann/set"], "--form hub"),
        ([SET, "--data-dir", "none"], "There is no database"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence_and_leaves_nothing(
    run: Run, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    result = run("export", *arguments)
    assert result.exit_code == 1
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_the_list_tells_sets_judges_and_queues(house: Studio, run: Run) -> None:
    text = run("list").stdout
    assert f"{SET}  Made up\n  3 tasks, 9 rubric items, 6 answers of 2 models, 18 pairs to grade" in text
    assert "judge judge of judging-made (judging-made, imported): 6 met, 6 not met, 6 unscored" in text
    assert "queue Queue (queue-" in text and "SAMPLE" in text
    sets = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    assert sets == [found.model_dump(mode="json") for found in house.rubrics.sets()]


def test_a_folder_without_sets_says_how_to_have_one(tmp_path: Path) -> None:
    empty_studio(tmp_path).close()
    result = commands(tmp_path)("list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "easel rubrics import" in result.stderr


def test_a_reviewer_gets_one_more_token_for_whoever_has_the_folder(house: Studio, run: Run, tmp_path: Path) -> None:
    refused = run("reviewer", "Ada")
    assert refused.exit_code == 1 and "Another Easel Studio" in refused.stderr  # it serves nowhere
    command = commands(tmp_path)
    tokens = [command("reviewer", "Ada").stdout.strip() for _ in range(2)]
    studio = empty_studio(tmp_path)
    assert {studio.rubrics.reviewers.person(token).name for token in tokens} == {"Ada"} and len(set(tokens)) == 2
    studio.close()
    for name in ("", "x" * 81, "a\nb"):
        wrong = command("reviewer", name)
        assert wrong.exit_code == 1 and "1 to 80 visible characters" in wrong.stderr
