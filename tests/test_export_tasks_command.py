"""`easel tools export-tasks`, in a terminal, while a studio has the data folder open."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from easel_app.rubrics.reading import Found, from_disk
from easel_app.rubrics.records import Task
from easel_app.services.rubrics.authoring_views import Draft
from easel_app.services.rubrics.reviewing_drafts import DraftReviews
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.tool_commands import drafts as command
from tests.services.rubrics.draft_making import begun, drafts_of, person, said, tried

Run = Callable[..., Result]


@pytest.fixture
def run(settings: Settings) -> Run:
    cli = typer.Typer()
    command.register(cli, lambda data_dir: Settings(data_dir=data_dir or settings.data_dir))
    return lambda *arguments: CliRunner().invoke(cli, list(map(str, arguments)))


@pytest.fixture
def accepted(studio: Studio) -> Draft:
    drafts, ada = drafts_of(studio), person(studio.rubrics, "Ada")
    draft = begun(drafts, ada)
    tried(studio, drafts, draft, ada, (False, False, True))
    for name in ("Bob", "Eve"):
        DraftReviews(drafts).decide(draft.draft_id, person(studio.rubrics, name), said(draft))
    return draft


def test_a_folder_an_archive_and_a_file_hold_the_accepted_tasks(run: Run, accepted: Draft, tmp_path: Path) -> None:
    for name in ("folder", "one.json"):
        result = run(tmp_path / name)
        assert result.exit_code == 0 and result.output == f"{tmp_path / name}: 1 task\n"
        (found,) = from_disk(tmp_path / name).read()
        assert isinstance(found, Found) and isinstance(found.record, Task)
        assert found.record.id == f"{accepted.draft_id}-v1"
    assert run(tmp_path / "all.zip").exit_code == 0
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert [name.partition("/")[0] for name in archive.namelist()] == ["dataset.json", "images"]


def test_nothing_is_written_over_and_nothing_is_written_without_a_task(
    run: Run, studio: Studio, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    result = run(tmp_path / "none")
    assert result.exit_code == 1 and "No task is accepted yet" in result.output and not (tmp_path / "none").exists()
    request.getfixturevalue("accepted")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine").write_text("here")
    result = run(tmp_path / "taken")
    assert result.exit_code == 1 and "not an empty folder" in result.output
    assert [path.name for path in (tmp_path / "taken").iterdir()] == ["mine"]


def test_a_place_without_a_studio_is_told(run: Run, tmp_path: Path) -> None:
    result = run(tmp_path / "out", "--data-dir", tmp_path / "nowhere")
    assert result.exit_code == 1 and "There is no database" in result.output
