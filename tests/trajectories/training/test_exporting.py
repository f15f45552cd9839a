"""A data set as chats: the right samples, the very pictures, whole or not at all."""

from __future__ import annotations

import json
import re
import resource
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import typer
from typer.testing import CliRunner

from easel_app.exports.parquet import Table
from easel_app.painting.showing import Look
from easel_app.services.problems import Refusal
from easel_app.trajectories.folder import SPLITS, Split
from easel_app.trajectories.reading import DataSet, Sample
from easel_app.trajectories.reasoning.records import FOLDER, TABLE, table_name
from easel_app.trajectories.training.exporting import NOTE, SOURCE_CARD, export_sft, read_note
from easel_app.trajectories.training.layout import chat_of
from easel_app.trajectories.training.llama_factory import INFO, PICTURE
from easel_app.trajectory_commands import exporting_sft
from tests.trajectories.small import Here, made

TEXT = "The lower half is still white; a broad dark stroke fills it."
POOL = {"families": {"geometry": 1.0}}
Row = dict[str, Any]


@pytest.fixture(scope="module")
def pictured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set that holds its pictures."""
    folder = tmp_path_factory.mktemp("pictured") / "data"
    made(folder, pool=POOL)
    return folder


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same one without them."""
    folder = tmp_path_factory.mktemp("bare") / "data"
    made(folder, images=False, pool=POOL)
    return folder


@pytest.fixture
def thoughtful(pictured: Path, tmp_path: Path) -> tuple[Path, set[tuple[str, int]]]:
    """The same one with texts on all strokes of one reference; and which these are."""
    folder = tmp_path / "thoughtful"
    shutil.copytree(pictured, folder)
    data = DataSet(folder)
    shard = data.shards("train")[0]
    first = next(iter(data.shard_samples(shard))).reference_key
    steps = sorted({each.step for each in data.shard_samples(shard) if each.reference_key == first})
    (folder / FOLDER).mkdir()
    with Table(folder / FOLDER / table_name(shard), TABLE) as table:
        common = {"reference_key": first, "reasoning": TEXT, "model": "m", "prompt": "reasoning/1", "turn": 1}
        table.add({**common, "step": step} for step in steps)
    return folder, {(first, step) for step in steps}


def rows(export: Path, split: Split = "train") -> list[Row]:
    """All chats of an export for TRL."""
    files = sorted((export / "data").glob(f"{split}-*.parquet"))
    assert files
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def places(found: list[Row]) -> Counter[tuple[str, str, int]]:
    return Counter((row["subset"], row["reference_key"], row["step"]) for row in found)


def of(folder: Path, split: Split, subset: Any) -> dict[tuple[str, str, int], Sample]:
    return {(each.subset, each.reference_key, each.step): each for each in DataSet(folder).samples(split, subset)}


def bare_content(messages: list[Row]) -> list[Row]:
    """Messages without the empty fields that a table adds."""
    return [
        {
            "role": each["role"],
            "content": [{k: v for k, v in part.items() if v is not None} for part in each["content"]],
        }
        for each in messages
    ]


def test_stage_one_is_all_of_c1_once_with_its_pictures(pictured: Path, tmp_path: Path) -> None:
    note = export_sft(pictured, tmp_path / "sft", 1)
    for split in SPLITS:
        samples, found = of(pictured, split, "C1"), rows(tmp_path / "sft", split)
        assert places(found) == Counter(list(samples))
        assert note.counts[split] == {"C1": len(samples), "reasoning": 0}
        for row in found:
            sample = samples[row["subset"], row["reference_key"], row["step"]]
            chat = chat_of(sample)
            assert [bare_content(row[name]) for name in ("prompt", "completion")] == [chat.prompt, chat.completion]
            assert [image["bytes"] for image in row["images"]] == [sample.reference, sample.canvas]
    assert note.training == DataSet(pictured).manifest.samples["train"]["C1"]
    assert read_note(tmp_path / "sft") == note
    assert (tmp_path / "sft" / SOURCE_CARD).read_bytes() == (pictured / "README.md").read_bytes()


def test_of_a_data_set_without_pictures_the_same_bytes_are_made(pictured: Path, bare: Path, tmp_path: Path) -> None:
    export_sft(pictured, tmp_path / "a", 2)
    export_sft(bare, tmp_path / "b", 2)
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a" / "data").iterdir())
    assert len(files) > 2
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_stage_two_is_c2_and_the_share_of_c1_that_is_asked_for(pictured: Path, tmp_path: Path) -> None:
    whole = of(pictured, "train", "C2")
    replayed: dict[float, set[tuple[str, str, int]]] = {}
    for replay in (0.0, 0.15, 0.4):
        note = export_sft(pictured, tmp_path / f"{replay}", 2, replay=replay)
        found = places(rows(tmp_path / f"{replay}"))
        assert set(found.values()) == {1}
        assert {place for place in found if place[0] == "C2"} == set(whole)
        replayed[replay] = {place for place in found if place[0] == "C1"}
        assert len(replayed[replay]) == round(len(whole) * replay / (1 - replay)) == note.counts["train"].get("C1", 0)
        assert {place[0] for place in places(rows(tmp_path / f"{replay}", "validation"))} == {"C2"}
    assert set() == replayed[0.0] < replayed[0.15] < replayed[0.4]


def test_the_seed_decides_what_is_replayed_and_the_published_share_is_the_default(
    pictured: Path, tmp_path: Path
) -> None:
    notes = [export_sft(pictured, tmp_path / str(seed), 2, seed=seed) for seed in (0, 1)]
    assert [note.replay for note in notes] == [0.15, 0.15]
    first, second = (places(rows(tmp_path / str(seed))) for seed in (0, 1))
    assert first != second and first.total() == second.total()


def test_texts_stand_before_the_answers_of_their_strokes(
    thoughtful: tuple[Path, set[tuple[str, int]]], tmp_path: Path
) -> None:
    folder, wanted = thoughtful
    note = export_sft(folder, tmp_path / "with", 1)
    found = rows(tmp_path / "with")
    for row in found:
        answer = row["completion"][0]["content"][0]["text"]
        has = (row["reference_key"], row["step"]) in wanted
        assert answer.startswith(f"<think>\n{TEXT}\n</think>\n\n{{" if has else "{")
    assert note.counts["train"]["reasoning"] == sum((row["reference_key"], row["step"]) in wanted for row in found) > 0
    without = export_sft(folder, tmp_path / "without", 1, reasoning=False)
    assert without.counts["train"]["reasoning"] == 0


def test_llama_factory_finds_lines_pictures_and_where_they_are(pictured: Path, tmp_path: Path) -> None:
    export_sft(pictured, tmp_path / "trl", 1)
    export_sft(pictured, tmp_path / "lf", 1, "llama-factory")
    info = json.loads((tmp_path / "lf" / INFO).read_text())
    assert {name: told["file_name"] for name, told in info.items()} == {
        "easel_stage1": "train.jsonl",
        "easel_stage1_validation": "validation.jsonl",
    }
    lines = [json.loads(line) for line in (tmp_path / "lf" / "train.jsonl").read_text().splitlines()]
    for line, row in zip(lines, rows(tmp_path / "trl"), strict=True):
        for said, message in zip(line["messages"], [*row["prompt"], *row["completion"]], strict=True):
            assert said["role"] == message["role"]
            assert said["content"] == "".join(part["text"] or PICTURE for part in message["content"])
        assert "".join(said["content"] for said in line["messages"]).count(PICTURE) == len(line["images"]) == 2
        pictures = [(tmp_path / "lf" / name).read_bytes() for name in line["images"]]
        assert pictures == [image["bytes"] for image in row["images"]]


def test_pictures_are_shown_as_asked_for_and_the_note_says_how(pictured: Path, tmp_path: Path) -> None:
    look = Look(scale=2, grid=True)
    note = export_sft(pictured, tmp_path / "sft", 1, look=look)
    sample = next(iter(DataSet(pictured).samples("train", "C1")))
    assert [image["bytes"] for image in rows(tmp_path / "sft")[0]["images"]] == list(chat_of(sample, None, look).images)
    assert note.look == look
    assert "--coordinates integer --calling text --scale 2 --grid" in (tmp_path / "sft" / "README.md").read_text()


def test_pictures_as_they_are_stand_beside_those_that_are_shown_otherwise(pictured: Path, tmp_path: Path) -> None:
    export_sft(pictured, tmp_path / "plain", 1)
    export_sft(pictured, tmp_path / "large", 1, look=Look(scale=2))
    plain, large = rows(tmp_path / "plain"), rows(tmp_path / "large")
    assert set(large[0]) - set(plain[0]) == {"reference", "canvas"}
    assert [[row["reference"], row["canvas"]] for row in large] == [row["images"] for row in plain]


def asked_for(found: list[Row]) -> dict[tuple[str, int], int]:
    """The number of strokes that each question names."""
    said = {(row["reference_key"], row["step"]): row["prompt"][0]["content"][0]["text"] for row in found}
    return {
        place: int(re.findall(r"as closely as you can with (\d+) strokes", text)[0]) for place, text in said.items()
    }


def test_questions_name_budgets_by_chance_that_their_step_leaves_something_of(pictured: Path, tmp_path: Path) -> None:
    own = DataSet(pictured).manifest.recipe.strokes
    export_sft(pictured, tmp_path / "own", 1)
    assert set(asked_for(rows(tmp_path / "own")).values()) == {own}
    budgets = (own + 7, 2, own - 1, 2)
    note = export_sft(pictured, tmp_path / "a", 1, budgets=budgets)
    export_sft(pictured, tmp_path / "b", 1, budgets=budgets[::-1])
    export_sft(pictured, tmp_path / "c", 1, budgets=budgets, seed=1)
    found, again, other = (asked_for(rows(tmp_path / name)) for name in "abc")
    assert note.budgets == read_note(tmp_path / "a").budgets == (2, own - 1, own + 7)
    assert found == again != other
    assert all(step < budget for (_, step), budget in found.items())
    assert {budget for (_, step), budget in found.items() if step < 2} == set(note.budgets)
    only = export_sft(pictured, tmp_path / "d", 1, budgets=[2])
    late = {budget for (_, step), budget in asked_for(rows(tmp_path / "d")).items() if step >= 2}
    assert (only.budgets, late) == ((2,), {own}), "where none is left, the trajectory's own"
    assert "number of strokes: one of 2, drawn by chance" in (tmp_path / "d" / "README.md").read_text()


def _damage(change: Callable[[Path], Any]) -> Callable[[Path, Path], Path]:
    def damaged(folder: Path, to: Path) -> Path:
        shutil.copytree(folder, to)
        change(to / "samples" / sorted(path.name for path in (to / "samples").iterdir())[0])
        return to

    return damaged


def _stopped(folder: Path, to: Path) -> Path:
    with pytest.raises(KeyboardInterrupt):
        made(to, Here(most=1), pool=POOL)
    return to


UNFIT: dict[str, tuple[Callable[[Path, Path], Path], str]] = {
    "nothing": (lambda folder, to: to, "holds no data set of trajectories"),
    "stopped before its end": (_stopped, "is not complete"),
    "a file less": (_damage(lambda file: file.unlink()), "is missing; run easel trajectories verify"),
    "a file cut short": (_damage(lambda file: file.write_bytes(file.read_bytes()[:-9])), "has another size than"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_what_is_no_whole_data_set_is_refused_and_nothing_is_written(case: str, pictured: Path, tmp_path: Path) -> None:
    spoil, words = UNFIT[case]
    folder = spoil(pictured, tmp_path / "data")
    with pytest.raises(Refusal) as refusal:
        export_sft(folder, tmp_path / "out" / "sft", 1)
    assert words in refusal.value.message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("stage", "options", "words"),
    [
        (1, {"replay": 0.15}, "only stage 2 has a replay"),
        (2, {"replay": 1.0}, "less than 1"),
        (2, {"replay": -0.1}, "at least 0"),
        (2, {"replay": 0.97}, "takes [0-9,]+ samples of C1, and the data set has"),
    ],
)
def test_a_replay_that_cannot_be_had_is_refused(
    stage: Any, options: dict[str, float], words: str, pictured: Path, tmp_path: Path
) -> None:
    with pytest.raises(Refusal, match=words):
        export_sft(pictured, tmp_path / "sft", stage, **options)  # type: ignore[arg-type]
    assert not (tmp_path / "sft").exists()


def test_nothing_is_overwritten(pictured: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Refusal, match="not an empty folder"):
        export_sft(pictured, tmp_path, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """No file can grow beyond `room` bytes, as where a disk is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("layout", ["trl", "llama-factory"])
def test_a_full_disk_leaves_nothing_behind(layout: Any, pictured: Path, tmp_path: Path) -> None:
    with full_disk(8192), pytest.raises(OSError):
        export_sft(pictured, tmp_path / "sft", 1, layout)
    assert list(tmp_path.iterdir()) == []


def easel(*arguments: str | Path) -> Any:
    """The command as it is typed."""
    cli = typer.Typer()
    cli.callback()(lambda: None)
    exporting_sft.register(cli, lambda **given: None)  # type: ignore[arg-type, return-value]
    return CliRunner().invoke(cli, ["export-sft", *map(str, arguments)])


def test_the_command_tells_what_it_wrote(pictured: Path, tmp_path: Path) -> None:
    done = easel(pictured, "--stage", "2", "--to", tmp_path / "sft", "--budgets", "32, 96")
    counts = read_note(tmp_path / "sft").counts
    assert read_note(tmp_path / "sft").budgets == (32, 96)
    assert done.exit_code == 0, done.output
    assert f"train: {counts['train']['C1']} of C1, {counts['train']['C2']} of C2\n" in done.stdout
    assert f"validation: {counts['validation']['C2']} of C2\n" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--stage", "2", "--replay", "7"), "The replay is 7"),
        (("--stage", "1", "--scale", "99"), "--scale is 99"),
        (("--stage", "1", "--scale", "0"), "--scale is 0"),
        (("--stage", "1", "--budgets", "32,many"), "--budgets holds 'many', but must be whole numbers"),
        (("--stage", "1", "--budgets", ""), "--budgets holds ''"),
        (("--stage", "1", "--budgets", "32,0"), "A budget is 0, but must be from 1 to 2000"),
        (("--stage", "1", "--budgets", "9" * 5000), "but must be whole numbers"),
    ],
)
def test_the_command_refuses_in_one_line(pictured: Path, options: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = easel(pictured, "--to", tmp_path / "sft", *options)
    assert done.exit_code == 1 and len(done.stderr.strip().splitlines()) == 1
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_export_is_told_from_a_data_set(pictured: Path, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="holds a data set that is not exported yet: write one by easel trajectories"):
        read_note(pictured)
    with pytest.raises(Refusal, match="holds no export"):
        read_note(tmp_path)
    (tmp_path / NOTE).write_text("{}")
    with pytest.raises(Refusal, match="export the data set anew"):
        read_note(tmp_path)
