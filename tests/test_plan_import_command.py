"""`easel plans import`, `list` and `lint`, as they are typed, with files of every sort."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from easel_app.cli import cli
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.conftest import Server
from tests.plans.planfiles import TEXT, answer, call, cites, lines, query, report, row, vote

runner = CliRunner()
NAME = "Typed"


def run(*arguments: object, data_dir: Path | None = None) -> tuple[int, list[str], list[str]]:
    """Exit code, lines of output, lines of complaint."""
    where = ["--data-dir", str(data_dir)] if data_dir else []
    result = runner.invoke(cli, ["plans", *map(str, arguments), *where])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout.splitlines(), result.stderr.splitlines()


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return lines(tmp_path / "good.jsonl", [{"type": "set", "name": NAME}, query(), answer(), report(), vote()])


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    return lines(tmp_path / "bad.jsonl", [query("q1"), b"nonsense", answer("nowhere\x1b[2J"), answer()])


def test_a_file_comes_into_the_folder_the_same_again_changes_nothing_and_it_is_listed(
    good: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    assert run("import", good, data_dir=data) == (0, ["Imported into Typed: 1 query, 1 answer, 1 report, 1 vote."], [])
    code, said, _ = run("import", good, data_dir=data)
    assert code == 0 and "nothing; there already: 1 query, 1 answer, 1 report, 1 vote" in said[0]
    code, said, complaints = run("list", data_dir=data)
    assert (code, complaints) == (0, []) and said[0].endswith("  Typed")
    assert said[1:] == ["  1 query, 1 plan of p", said[2]] and "judge j (imported-" in said[2]
    assert said[2].endswith("imported): 1 precision, 0 recall, 0 chief reports")
    code, said, _ = run("list", "--json", data_dir=data)
    assert json.loads(said[0])["planners"] == ["p"]


def test_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    Studio(Settings(data_dir=tmp_path / "data")).close()
    code, said, complaints = run("list", data_dir=tmp_path / "data")
    assert (code, said) == (0, []) and "easel plans import" in complaints[0]


def test_a_refused_file_is_told_line_by_line_and_imported_in_part_on_request(bad: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    code, said, complaints = run("import", bad, data_dir=data)
    assert (code, said) == (1, [])
    assert complaints[0].startswith("refused: line 2: it is not valid JSON")
    assert complaints[1].startswith("refused: line 3: there is no query 'nowhere")
    assert not any("\x1b" in line for line in complaints)
    assert complaints[-1] == "Nothing was imported: 2 records refused; --partial imports the rest: 1 query, 1 answer."
    code, said, _ = run("import", bad, "--partial", data_dir=data)
    assert code == 2 and said[0].endswith("1 query, 1 answer; 2 records were left out.")


def test_settings_of_an_import_are_options(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", [row(gt=None, model_answer=cites(1))])
    code, _, complaints = run("import", path, data_dir=tmp_path / "data")
    assert code == 1 and any("choose index_base 0 or 1" in each for each in complaints)
    how = ["--index-base", "1", "--pool-order", "documents_first", "--planner", "Ash", "--name", "S"]
    assert run("import", path, *how, data_dir=tmp_path / "data")[0] == 0
    studio = Studio(Settings(data_dir=tmp_path / "data"))
    (record,) = studio.plans.store.sets()
    (stored,) = studio.plans.store.answers(record.id)
    studio.close()
    assert (record.name, stored.planner, stored.record["index_base"]) == ("S", "Ash", 1)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere.jsonl"], "no file or folder"),
        (["{good}", "--name", "x" * 81], "--name is not one line of 1 to 80 characters"),
        (["{good}", "--planner", "\x1b[31m"], "--planner"),
        (["{folder}"], "no .jsonl, .json file in it"),
    ],
)
def test_what_cannot_begin_is_told_in_one_sentence(
    good: Path, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    (tmp_path / "empty").mkdir()
    typed = [each.format(good=good, folder=tmp_path / "empty") for each in arguments]
    code, said, complaints = run("import", *typed, data_dir=tmp_path / "data")
    assert (code, said, len(complaints)) == (1, [], 1) and reason in complaints[0]


def test_beside_a_server_the_server_imports_it(
    good: Path, bad: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(good.parent)
    code, said, complaints = run("import", good.name, "--name", "served plans", data_dir=server.data_dir)
    assert (code, complaints) == (0, []), complaints
    assert said == ["Imported into served plans: 1 query, 1 answer, 1 report, 1 vote."]
    code, _, complaints = run("import", bad.name, "--name", "served plans too", data_dir=server.data_dir)
    assert code == 1 and complaints[0].startswith("refused: line 2")


# lint


def test_each_problem_of_a_bare_plan_is_a_line_and_an_error_is_an_exit_code(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text(f"{TEXT}{call(img_index=99)}\n\nDogs run.\n<tool>{{'a'</tool>\n")
    code, said, complaints = run("lint", tmp_path / "plan.md")
    assert code == 1 and complaints[-1].startswith("1 plan: ")
    assert said[0].startswith("6:1: error ") or said[0].startswith("6:")
    assert not any("out_of_range" in line for line in said)  # nothing is known of its pool
    code, said, complaints = run("lint", "--json", tmp_path / "plan.md")
    found = [json.loads(line) for line in said]
    assert code == 1 and complaints == [] and {"line", "column", "code", "severity", "explanation"} <= found[0].keys()
    assert found[0]["line"] == 6
    (tmp_path / "fine.md").write_text(TEXT + call())
    assert run("lint", tmp_path / "fine.md") == (0, [], ["1 plan: no problem."])


def test_plans_of_a_set_are_linted_with_their_pools_and_named(tmp_path: Path) -> None:
    entries = [
        row(gt=cites(0, 3), model="m\x1b[2J", model_answer=None),
        row("b", answers={"n": cites(0, 0), "o": None}),
    ]
    path = lines(tmp_path / "x.jsonl", entries)
    code, said, complaints = run("lint", path)
    assert code == 1
    assert said[0] == (
        "line 1: reference answer to t1: 7:1: error img_index_out_of_range: "
        + said[0].partition("img_index_out_of_range: ")[2]
    )
    assert any(line.startswith("line 2: n to b: 7:1: warning duplicate_img_index: ") for line in said)
    assert complaints[0].startswith("line 1: could not be read: planner is ")
    assert complaints[1] == "3 plans: 1 error, 2 warnings; 1 without output; 1 could not be read."
    assert not any("\x1b" in line for line in [*said, *complaints])


def test_warnings_alone_are_no_failure_and_what_cannot_be_read_is(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", [query(), answer(text="No call at all.")])
    code, said, complaints = run("lint", path)
    assert (code, complaints) == (0, ["1 plan: 1 warning."]) and "warning no_calls" in said[0]
    path = lines(tmp_path / "x.jsonl", [query(), b"nonsense"])
    code, said, complaints = run("lint", path)
    assert (code, said) == (1, []) and complaints[0].startswith("line 2: could not be read: it is not valid JSON")
    code, said, _ = run("lint", path, "--json")
    assert code == 1
    assert run("lint", tmp_path / "nowhere")[0] == 1


def test_a_lint_takes_no_pictures_in(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", [query(query_images=["../gone.png"]), answer(text=cites(1))])
    code, said, _ = run("lint", path)
    assert code == 1 and "img_index_out_of_range" in said[0]


def test_what_opens_as_raw_text_is_noted_by_both_commands(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", [row(gt=None), {"weather": "fine"}])
    note = "it is of no known form, so it opens as raw text"
    _, _, complaints = run("lint", path)
    assert complaints[0].startswith(f"line 2: note: {note}") and not any("missing" in each for each in complaints)
    _, _, complaints = run("lint", path, "--json")
    assert note in json.loads(complaints[0])["note"]["message"]
    code, _, complaints = run("import", path, data_dir=tmp_path / "data")
    assert code == 0 and any(each.startswith(f"note: line 2: {note}") for each in complaints)


def test_a_row_with_a_fault_is_refused_once_with_its_answers(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", [row("a b\n", gt=None, answers={"m": "A"}), b'{"trace_id": "c'])
    code, _, complaints = run("import", path, data_dir=tmp_path / "data")
    assert code == 1 and [each[:15] for each in complaints] == ["refused: line 1", "refused: line 2", "Nothing was imp"]
    assert "at at" not in complaints[1] and "starting at character" in complaints[1]
