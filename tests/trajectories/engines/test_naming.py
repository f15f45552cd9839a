"""Engines by name: what is not there, not installed or not understood is refused in a sentence."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from easel_app.services.problems import Invalid
from easel_app.trajectories.engines import ENGINES, Processes, engine_named


def test_the_engine_that_needs_nothing_has_so_many_processes_as_are_asked_for() -> None:
    three = engine_named("processes", processes=3)
    assert isinstance(three, Processes) and (three.name, three.workers) == (ENGINES[0], 3)
    assert engine_named("processes").workers >= 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "processes", "options", "sentence"),
    [
        ("celery", None, {}, "There is no engine 'celery'; take one of processes, slurm, ray."),
        ("engine", None, {}, "There is no engine 'engine'"),  # a module beside the engines
        ("processes", 0, {}, "0 processes cannot work; give 1 or more."),
        ("processes", 2, {"time": "1"}, "The engine 'processes' has no option 'time'; it takes none."),
    ],
)
def test_what_cannot_be_is_refused(name: str, processes: int | None, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(Invalid) as refused:
        engine_named(name, processes=processes, options=options)
    assert refused.value.message.startswith(sentence)


@pytest.mark.parametrize(("name", "package"), [("slurm", "datatrove.executor.slurm"), ("ray", "ray")])
def test_an_engine_that_is_not_installed_names_the_extra(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"easel_app.trajectories.engines.{name}", raising=False)
    with pytest.raises(Invalid, match=r"pip install -c constraints\.txt -e '\.\[cluster\]'") as refused:
        engine_named(name)
    assert f"the package {package.partition('.')[0]}," in refused.value.message


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"partiton": "cpu"}, "The engine 'slurm' has no option 'partiton'; it takes partition, "),
        ({"tasks": "0"}, "The option tasks of the engine 'slurm' is '0', but input should be greater"),
        ({"tasks": "many"}, "The option tasks of the engine 'slurm' is 'many', but input should be a valid integer"),
        ({"partition": "cpu --wrap=id"}, "The option partition of the engine 'slurm' is 'cpu --wrap=id', but "),
        ({"time": "1:00\n#SBATCH --uid=0"}, "The option time of the engine 'slurm' is "),
    ],
)
def test_an_option_of_slurm_that_cannot_be_is_refused(options: dict[str, str], sentence: str) -> None:
    pytest.importorskip("datatrove")
    with pytest.raises(Invalid) as refused:
        engine_named("slurm", options=options)
    assert refused.value.message.startswith(sentence)


def test_processes_here_say_nothing_to_slurm() -> None:
    pytest.importorskip("datatrove")
    with pytest.raises(Invalid, match="cpus_per_task"):
        engine_named("slurm", processes=4)


@pytest.mark.parametrize("name", ["slurm", "ray"])
def test_the_page_on_clusters_tells_of_every_option(name: str) -> None:
    pytest.importorskip({"slurm": "datatrove"}.get(name, name))
    options = import_module(f"easel_app.trajectories.engines.{name}").Options.model_fields
    page = (Path(__file__).parents[3] / "docs" / "trajectories-cluster.md").read_text(encoding="utf-8")
    assert [option for option in options if f"`{option}`" not in page] == []
