"""Engines by their names, and what can be said to each."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from easel_app.services.problems import Invalid
from easel_app.trajectories.engines.engine import Engine
from easel_app.trajectories.engines.processes import Processes

ENGINES = ("processes", "slurm", "ray")
"""Names of all engines; the first needs no package beside the project's."""
EXTRA = "pip install -c constraints.txt -e '.[cluster]' in the project's folder"
SCRATCH = Path("easel-engine")


class NoOptions(BaseModel):
    """Nothing can be said to the engine."""


def engine_named(
    name: str,
    *,
    processes: int | None = None,
    options: Mapping[str, str] | None = None,
    scratch: Path = SCRATCH,
) -> Engine:
    """An engine.

    Args:
        name: one of ENGINES.
        processes: workers on this machine, at least 1; None is one a core.
        options: what else is said to the engine, as text; docs/trajectories-cluster.md has a table.
        scratch: folder for what an engine has to leave between machines, all of which share it; it is made when needed.

    Raises:
        Invalid: there is no such engine, it is not installed, or it does not take such an option.
    """
    given = dict(options or {})
    if processes is not None and processes < 1:
        raise Invalid("bad_processes", f"{processes} processes cannot work; give 1 or more.", "processes")
    if name == "processes":
        _checked(NoOptions, name, given)
        return Processes(processes)
    if name not in ENGINES:
        message = f"There is no engine {name!r}; take one of {', '.join(ENGINES)}."
        raise Invalid("unknown_engine", message, "engine")
    try:
        module = cast(Any, import_module(f"easel_app.trajectories.engines.{name}"))
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        message = f"The engine {name!r} needs the package {package}, which is not installed; get it by {EXTRA}."
        raise Invalid("engine_missing", message, "engine") from None
    return cast(Engine, module.engine(_checked(module.Options, name, given), processes, scratch))


def _checked(options: type[BaseModel], engine: str, given: dict[str, str]) -> BaseModel:
    """Options by their model; the refusal names the option and those that there are."""
    if unknown := sorted(set(given) - set(options.model_fields)):
        known = f"it takes {', '.join(options.model_fields)}" if options.model_fields else "it takes none"
        raise Invalid("engine_option", f"The engine {engine!r} has no option {unknown[0]!r}; {known}.", "engine_option")
    try:
        return options.model_validate(given)
    except ValidationError as error:
        fault = error.errors()[0]
        where, why = fault["loc"][0], f"{fault['msg'][:1].lower()}{fault['msg'][1:]}"
        message = f"The option {where} of the engine {engine!r} is {fault['input']!r}, but {why}; correct this."
        raise Invalid("engine_option", message, "engine_option") from None
