"""A data set is a function of its recipe: whatever stops a run, the same command ends with the same bytes."""

from __future__ import annotations

import inspect
import json
import resource
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.parquet as pq
import pytest
import typer
from PIL import Image, ImageOps

from easel_app.services.problems import Conflict, Invalid, Refusal
from easel_app.settings import Settings
from easel_app.trajectories.folder import Folder
from easel_app.trajectories.making import Progress, make
from easel_app.trajectories.reading import DataSet
from easel_app.trajectories.recipe import Recipe
from easel_app.trajectories.records import Begun, Manifest
from easel_app.trajectories.verifying import verify
from easel_app.trajectory_commands import making
from tests.trajectories.small import Here, made, recipe


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Manifest]:
    path = tmp_path_factory.mktemp("trajectories") / "whole"
    return path, made(path)


def test_counts_are_what_the_recipe_says_and_what_is_on_disk(whole: tuple[Path, Manifest]) -> None:
    path, manifest = whole
    references = sum(manifest.references.values())
    assert (references, manifest.trajectories, manifest.strokes) == (14, 14, 14 * 24)
    assert {split: sum(counts.values()) for split, counts in manifest.samples.items()} == {
        split: 9 * count for split, count in manifest.references.items()
    }
    rows: Counter[str] = Counter()
    for name, note in manifest.files.items():
        assert pq.read_metadata(path / name).num_rows == note.rows
        rows[name.partition("/")[0]] += note.rows
    assert rows == {"references": 14, "trajectories": 14, "samples": 14 * 9}
    assert sum(each.references for each in manifest.terms) == 14


def test_falling_and_distinct_samples_are_counted_as_they_are(whole: tuple[Path, Manifest]) -> None:
    samples = [sample for split in whole[1].references for sample in DataSet(whole[0]).samples(split)]
    assert whole[1].falling == sum(sample.similarity_after < sample.similarity for sample in samples) > 0
    assert whole[1].distinct == len({(sample.reference_key, sample.step) for sample in samples}) < len(samples)


def test_with_a_least_gain_no_sample_harms_and_what_is_missing_is_told(tmp_path: Path) -> None:
    manifest = made(tmp_path, samples={"least_gain": 0.0})
    assert manifest.falling == 0
    assert manifest.fewer > 0
    assert f"worth showing | {manifest.fewer:,} |" in (tmp_path / "README.md").read_text()


def test_the_command_makes_what_the_recipe_makes_by_itself() -> None:
    options = inspect.signature(_command(making)).parameters
    recipe = Recipe()
    for part in (recipe.pool, recipe.samples, recipe):
        for name in set(options) & set(type(part).model_fields):
            assert options[name].default == getattr(part, name), name
    assert options["family"].default is None  # the project's own families


def _command(module: ModuleType) -> Callable[..., Any]:
    cli = typer.Typer()
    module.register(cli, Settings)
    (command,) = cli.registered_commands
    assert command.callback
    return command.callback


def test_the_card_tells_the_counts_of_the_files(whole: tuple[Path, Manifest]) -> None:
    path, manifest = whole
    card = (path / "README.md").read_text()
    for part in ("references", "trajectories", "samples"):
        rows = sum(pq.read_metadata(file).num_rows for file in (path / part).glob("*.parquet"))
        size = sum(file.stat().st_size for file in (path / part).glob("*.parquet"))
        assert f"| `{part}` | {rows:,} | {size:,} |" in card
    found: Counter[tuple[str, str]] = Counter()
    for split in manifest.references:
        found.update((split, sample.subset) for sample in DataSet(path).samples(split))
    for (split, subset), count in found.items():
        assert f"| samples, {split}, {subset} | {count:,} |" in card
    assert "this is not EASEL-Data" in card


def test_no_reference_is_in_both_splits(whole: tuple[Path, Manifest]) -> None:
    data = DataSet(whole[0])
    train, validation = ({sample.reference_key for sample in data.samples(split)} for split in ("train", "validation"))
    assert train and validation
    assert not train & validation


def test_made_twice_it_is_the_same_byte_for_byte(whole: tuple[Path, Manifest], tmp_path: Path) -> None:
    assert made(tmp_path / "again") == whole[1]
    assert (tmp_path / "again" / "manifest.json").read_bytes() == (whole[0] / "manifest.json").read_bytes()
    assert (tmp_path / "again" / "README.md").read_bytes() == (whole[0] / "README.md").read_bytes()


@pytest.mark.parametrize("most", [0, 1, 3])
def test_stopped_after_some_shards_it_goes_on_and_ends_with_the_same_bytes(
    most: int, whole: tuple[Path, Manifest], tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, Here(most))
    with pytest.raises(Conflict, match="not complete"):
        DataSet(tmp_path)
    rest = Here()
    assert made(tmp_path, rest) == whole[1]
    assert len(rest.made) == sum(DataSet(tmp_path).manifest.files[name].rows > 0 for name in _samples(whole[1])) - most


def test_a_complete_one_is_left_as_it_is(whole: tuple[Path, Manifest]) -> None:
    again = Here()
    assert made(whole[0], again) == whole[1]
    assert again.made == []


@pytest.mark.parametrize("part", ["trajectories", "samples", "references"])
@pytest.mark.parametrize("harm", ["truncated", "gone", "a bit turned", "empty"])
def test_a_damaged_file_is_made_anew_and_nothing_else(
    part: str, harm: str, whole: tuple[Path, Manifest], tmp_path: Path
) -> None:
    made(tmp_path)
    victim = sorted((tmp_path / part).glob("train-*"))[0]
    content = victim.read_bytes()
    if harm == "gone":
        victim.unlink()
    else:
        turned = content[:200] + bytes([content[200] ^ 1]) + content[201:]
        victim.write_bytes({"truncated": content[:-50], "a bit turned": turned, "empty": b""}[harm])
    again = Here()
    assert made(tmp_path, again) == whole[1]
    assert again.made == ([] if part == "references" else [0])
    assert victim.read_bytes() == content


def test_without_pictures_the_samples_are_the_same_painted_anew(whole: tuple[Path, Manifest], tmp_path: Path) -> None:
    bare = made(tmp_path, images=False)
    for split in bare.references:
        assert list(DataSet(tmp_path).samples(split)) == list(DataSet(whole[0]).samples(split))
    assert bare.bytes["samples"] < whole[1].bytes["samples"] / 10
    assert bare.sample_bytes["pictured"] == pytest.approx(whole[1].sample_bytes["pictured"], rel=0.3)
    assert bare.sample_bytes["bare"] == pytest.approx(whole[1].sample_bytes["bare"], rel=0.3)


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("references was 14 and is 15", {"pool": {"references": 15}}),
    ("seed was 0 and is 1", {"pool": {"seed": 1}}),
    ("validation was 0.3 and is 0.1", {"pool": {"validation": 0.1}}),
    ("glyphs was 1.5 and is None", {"pool": {"families": {"geometry": 4, "text": 1.5, "emoji": 2, "photographs": 2}}}),
    ("painter was random and is greedy", {"painter": "greedy"}),
    ("strokes was 24 and is 25", {"strokes": 25}),
    ("images was True and is False", {"images": False}),
    ("shard was 4 and is 5", {"shard": 5}),
    ("c2 was 4 and is 5", {"samples": {"c2": 5}}),
]


@pytest.mark.parametrize(("words", "change"), CHANGES, ids=[words for words, _ in CHANGES])
def test_another_recipe_is_refused_and_the_difference_named(
    words: str, change: dict[str, Any], whole: tuple[Path, Manifest]
) -> None:
    before = (whole[0] / "manifest.json").read_bytes()
    with pytest.raises(Conflict, match=words):
        made(whole[0], **change)
    assert (whole[0] / "manifest.json").read_bytes() == before


def test_another_version_of_anything_that_decides_a_byte_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, Here(1))
    folder = Folder(tmp_path)
    begun = Begun.model_validate_json(folder.recipe.read_text())
    older = begun.model_copy(update={"versions": begun.versions | {"painter": "random/0", "numpy": "1.26.0"}})
    folder.recipe.write_text(older.model_dump_json())
    with pytest.raises(Conflict, match=r"painter was random/0 and is random/1, numpy was 1\.26\.0"):
        made(tmp_path)


def test_a_machine_with_other_packages_writes_nothing_into_the_data_set(tmp_path: Path) -> None:
    class Elsewhere(Here):
        """Carries the job to a machine with another numpy."""

        def work(self, job: Any, shards: Any, told: Any) -> None:
            older = job.begun.model_copy(update={"versions": job.begun.versions | {"numpy": "1.26.0"}})
            super().work(replace(job, begun=older), shards, told)

    with pytest.raises(Conflict, match=r"numpy was 1\.26\.0 and is .*install the same there"):
        made(tmp_path, Elsewhere())
    assert not list((tmp_path / "samples").iterdir())


def test_a_late_worker_of_an_earlier_run_writes_nothing_into_a_folder_that_was_begun_anew(tmp_path: Path) -> None:
    jobs: list[Any] = []

    class Late(Here):
        """Keeps the job."""

        def work(self, job: Any, shards: Any, told: Any) -> None:
            jobs.append(job)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "data", Late(), strokes=30)
    shutil.rmtree(tmp_path / "data")
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "data", Here(0))
    with pytest.raises(Conflict, match="of another recipe by now"):
        jobs[0](0)
    assert not list((tmp_path / "data" / "samples").iterdir())


def test_a_second_run_in_the_folder_is_refused_while_the_first_is_at_work(tmp_path: Path) -> None:
    with Folder(tmp_path / "data").held(), pytest.raises(Conflict, match=r"Another run \(process \d+\) is at work"):
        made(tmp_path / "data")


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("important")
    with pytest.raises(Conflict, match="holds something else"):
        made(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_painter_that_there_is_not_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    for name in ("nobody", "solver"):
        with pytest.raises(Invalid, match=f"no painter '{name}' of pictures"):
            made(tmp_path / "data", painter=name)
    assert not (tmp_path / "data").exists()


def test_a_write_that_fails_midway_leaves_what_is_finished_and_no_half_file(
    whole: tuple[Path, Manifest], tmp_path: Path
) -> None:
    largest = max(whole[1].files[name].bytes for name in _samples(whole[1]))
    smaller = [name for name in _samples(whole[1]) if whole[1].files[name].bytes < largest]
    with largest_file(largest - 1), pytest.raises(OSError, match="too large"):
        made(tmp_path, Backwards())
    kept = {file.name for file in (tmp_path / "samples").iterdir()}
    assert kept <= {Path(name).name for name in smaller}
    assert not (tmp_path / "manifest.json").exists()
    assert made(tmp_path) == whole[1]


def test_what_a_killed_run_left_unfinished_is_swept_away(whole: tuple[Path, Manifest], tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, Here(1))
    left = tmp_path / "samples" / ".train-00001-of-00003.parquet.0a1b2c3d"
    left.write_bytes(b"PAR1")
    assert made(tmp_path) == whole[1]
    assert not left.exists()
    names = {f"{each.parent.name}/{each.name}" for each in tmp_path.glob("*/*.parquet")}
    assert names == set(whole[1].files)


def test_progress_counts_references_then_shards_and_never_goes_back(tmp_path: Path) -> None:
    told: list[Progress] = []
    make(Folder(tmp_path), recipe(), Here(), told.append)
    gathered = [each.done for each in told if each.stage == "references"]
    painted = [each.done for each in told if each.stage == "samples"]
    assert gathered == list(range(1, 15))
    assert (painted[0], painted[-1]) == (0, 14)
    assert painted == sorted(painted)


def test_verified_the_whole_of_it_is_right(whole: tuple[Path, Manifest]) -> None:
    found = verify(DataSet(whole[0]), share=1.0, scores=True)
    assert found.faults == ()
    assert (found.references, found.strokes, found.samples) == (14, 14 * 24, 14 * 9)
    assert found.files == len(whole[1].files)


def test_a_manifest_of_strangers_tells_no_folder_of_this_machine(tmp_path: Path) -> None:
    pictures = tmp_path / "secret" / "pictures"
    pictures.mkdir(parents=True)
    for number in range(6):
        Image.radial_gradient("L").rotate(37 * number).convert("RGB").resize((80 + number, 80)).save(
            pictures / f"{number}.png"
        )
    made(tmp_path / "data", pool={"references": 3, "families": {f"folder:{pictures}": 1.0}})
    for file in (tmp_path / "data").rglob("*"):
        if file.is_file() and ".work" not in file.parts:
            assert b"secret" not in file.read_bytes()
    manifest = json.loads((tmp_path / "data" / "manifest.json").read_text())
    assert list(manifest["recipe"]["pool"]["families"]) == ["folder:pictures"]


def _samples(manifest: Manifest) -> list[str]:
    return [name for name in manifest.files if name.startswith("samples/")]


class Backwards(Here):
    """Makes the shards from the last to the first."""

    def work(self, job: Any, shards: Any, told: Any) -> None:
        super().work(job, list(reversed(shards)), told)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process may grow beyond `size` bytes: writing fails in the middle, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_wish_that_could_not_be_granted_does_not_block_the_folder(tmp_path: Path) -> None:
    empty = tmp_path / "pictures"
    empty.mkdir()
    with pytest.raises(Refusal):
        made(tmp_path / "data", pool={"references": 3, "families": {f"folder:{empty}": 1.0}})
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "data", Here(0))
    with pytest.raises(Conflict, match="references was 14 and is 15"):
        made(tmp_path / "data", pool={"references": 15})


def test_a_folder_of_pictures_that_changed_is_not_mixed_into_what_was_made_of_it(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()

    def add(numbers: range) -> None:
        for number in numbers:
            picture = Image.radial_gradient("L").rotate(31 * number).convert("RGB").resize((70 + number, 70))
            ImageOps.colorize(picture.convert("L"), (number * 17, 40, 90), (255, 255 - number * 9, 120)).save(
                pictures / f"{number:02}.png"
            )

    add(range(10))
    wish = {"references": 8, "families": {f"folder:{pictures}": 1.0}}
    made(tmp_path / "data", pool=wish)
    add(range(10, 16))
    victim = sorted((tmp_path / "data" / "references").glob("train-*"))[0]
    victim.write_bytes(victim.read_bytes()[:-5])
    manifest = made(tmp_path / "data", pool=wish)
    assert verify(DataSet(tmp_path / "data"), share=1.0).faults == ()
    assert sum(manifest.references.values()) == 8


def test_shards_of_another_data_set_are_made_anew(whole: tuple[Path, Manifest], tmp_path: Path) -> None:
    other = tmp_path / "other"
    made(other, pool={"seed": 5})
    made(tmp_path / "data")
    for name in ("samples", "trajectories", ".work/done"):
        for file in (other / name).glob("train-*"):
            shutil.copy(file, tmp_path / "data" / name / file.name)
    assert made(tmp_path / "data") == whole[1]
    assert verify(DataSet(tmp_path / "data"), share=1.0).faults == ()


def test_without_its_recipe_a_folder_is_not_taken_for_one_of_another(tmp_path: Path) -> None:
    made(tmp_path)
    Folder(tmp_path).recipe.unlink()
    with pytest.raises(Conflict, match=r"recipe\.json is missing"):
        made(tmp_path, strokes=9)
    assert verify(DataSet(tmp_path), share=1.0).faults == ()
