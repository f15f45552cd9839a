"""`easel plans export`, in a terminal."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from easel_app.exports.plans.service import PlanExports
from easel_app.plan_commands import exporting, listing
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.services.plans.figuring import SET, empty_plans, judge, make_plans
from tests.services.plans.making import add_query, make_query

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio that has its data folder open while the command reads it."""
    studio = empty_plans(tmp_path_factory.mktemp("served"))
    make_plans(studio.plans, 2, ("a", "b"))
    add_query(studio.plans, make_query(studio.plans, 3, id="own"), SET)
    judge(studio.plans, 1)
    yield studio
    studio.close()


@pytest.fixture
def run(house: Studio, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    folder, cli = house.plans.store._database._path.parent, typer.Typer()
    for module in (exporting, listing):
        module.register(cli, lambda data_dir: Settings(data_dir=data_dir or folder))
    return lambda *arguments: CliRunner().invoke(cli, ["export", *arguments])


@pytest.mark.parametrize("form", ["plans", "calls", "gaps", "scores", "agreement"])
def test_a_table_is_the_file_that_the_studio_sends(run: Run, house: Studio, form: str) -> None:
    done = run("Made up", "--as", form)
    name = f"{SET}-{form}.csv"
    assert (done.exit_code, done.output) == (0, f"{name}\n")
    sent = PlanExports(house.plans).export(SET, f"{form}.csv").pieces  # type: ignore[arg-type]
    assert Path(name).read_bytes() == b"".join(sent)


def test_a_set_is_a_folder_an_archive_or_lines_with_the_same_content(run: Run, house: Studio) -> None:
    assert "3 queries" not in run(SET).output and Path(SET, "set.jsonl").is_file()
    assert run(SET, "--to", "set.ZIP").exit_code == run(SET, "--to", "lines.jsonl").exit_code == 0
    lines = Path("lines.jsonl").read_bytes()
    archive = zipfile.ZipFile("set.ZIP")
    assert lines == Path(SET, "set.jsonl").read_bytes() == archive.read("set.jsonl")
    (picture,) = (name for name in archive.namelist() if name.startswith("pictures/"))
    assert Path(SET, picture).read_bytes() == archive.read(picture)
    assert json.loads(lines.splitlines()[0])["name"] == "Made up"
    again = run(SET)
    assert again.exit_code == 1 and "not an empty folder" in again.output


def test_a_plan_or_two_become_a_page(run: Run) -> None:
    assert run(SET, "--as", "html", "--query", "q00", "--planner", "a").output == "q00-a-plan.html\n"
    done = run(SET, "--as", "html", "--query", "q00", "--planner", "a", "--beside", "b", "--to", "two.html")
    assert done.exit_code == 0 and "Paragraph 1." in Path("two.html").read_text()


def test_a_plan_beside_the_data_s_own_answer_is_a_page(run: Run) -> None:
    which = (SET, "--as", "html", "--query", "q00", "--planner", "a", "--to", "two.html", "--beside")
    assert run(*which, "reference").exit_code == 0 and "reference answer" in Path("two.html").read_text().lower()
    assert "no such answer" in run(*which, "Reference").output


def test_a_folder_may_be_called_as_one_likes_if_it_ends_like_no_file(run: Run) -> None:
    assert run(SET, "--to", "folder/name.2").exit_code == 0 and Path("folder/name.2/set.jsonl").is_file()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("none such",), "There is no set of plans 'none such'; there are made-up."),
        ((SET, "--as", "plans", "--to", "x.html"), "A file of plans ends with .csv; correct --to."),
        ((SET, "--to", "x.json"), "A file of set ends with .zip or .jsonl; correct --to."),
        ((SET, "--to", "x.csv"), "A file of set ends with .zip or .jsonl; correct --to."),
        ((SET, "--as", "html"), "Name it by --query and --planner."),
        ((SET, "--as", "html", "--query", "q00", "--planner", "z"), "no such answer"),
        ((SET, "--as", "plans", "--to", "no/folder/x.csv"), "choose another place by --to"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence_and_nothing_is_written(
    run: Run, arguments: tuple[str, ...], words: str
) -> None:
    done = run(*arguments)
    assert done.exit_code == 1 and words in done.output and not list(Path().iterdir())
