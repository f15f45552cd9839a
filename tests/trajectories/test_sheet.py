"""The sheet of samples to look at: it shows what is there, and says of damage that it is damage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from easel_app.cli import cli
from easel_app.trajectories.reading import DataSet
from easel_app.trajectories.sheet import sheet
from tests.trajectories.small import made


@pytest.fixture
def data(tmp_path: Path) -> Path:
    made(tmp_path / "data")
    return tmp_path / "data"


def test_equal_seeds_draw_equal_sheets_and_other_seeds_others(data: Path) -> None:
    first, again, other = (sheet(DataSet(data), 4, seed).tobytes() for seed in (0, 0, 1))
    assert first == again != other


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _foreign(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n" * 20)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [_cut, _empty, _foreign, _folder, Path.unlink])
def test_damage_is_told_in_one_sentence_and_leaves_no_picture(
    damage: Callable[[Path], None], data: Path, tmp_path: Path
) -> None:
    for path in (data / "samples").iterdir():
        damage(path)
    picture = tmp_path / "samples.png"
    done = CliRunner().invoke(cli, ["trajectories", "show", str(data), "--to", str(picture)])
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit), done.output
    assert len(done.output.strip().splitlines()) == 1 and done.output.strip().endswith(".")
    assert not picture.exists()
