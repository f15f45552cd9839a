"""What a host relies on in the image; no engine is needed to read it."""

from __future__ import annotations

import re

from tools.setup.libraries import SKIA
from tools.setup.project import BUILD_TOOLS, ROOT

TEXT = (ROOT / "Dockerfile").read_text()
STEPS = [
    re.sub(r"\s*\\\n\s*", " ", step)
    for step in re.findall(r"^(?:[A-Z]+ (?:.*\\\n)*.*)$", re.sub(r"^#.*\n", "", TEXT, flags=re.MULTILINE), re.MULTILINE)
]


def steps(kind: str) -> list[str]:
    """What follows an instruction, once for each time that it is given."""
    return [step.removeprefix(f"{kind} ") for step in STEPS if step.startswith(f"{kind} ")]


def environment() -> dict[str, str]:
    """The variables that the image sets."""
    return dict(pair.split("=", 1) for step in steps("ENV") for pair in step.split())


def test_it_is_a_slim_debian_with_a_supported_python() -> None:
    (base,) = steps("FROM")
    assert re.fullmatch(r"python:3\.1[1-4]-slim-bookworm", base)  # and no host in front


def test_it_installs_exactly_the_libraries_that_skia_lacks_and_the_sandbox() -> None:
    (apt,) = [step for step in steps("RUN") if "apt-get install" in step]
    named = apt.split("--no-install-recommends ")[1].split(" && ")[0].split()
    assert sorted(named) == sorted([*SKIA.libraries.values(), "bubblewrap"])


def test_it_serves_every_address_as_user_1000_on_7860() -> None:
    assert any("useradd --uid 1000 " in step and step.split()[-2] for step in steps("RUN"))
    assert steps("USER") == ["studio"]
    assert steps("EXPOSE") == ["7860"]
    assert environment()["EASEL_PORT"] == "7860"
    assert environment()["EASEL_HOST"] == "0.0.0.0"
    assert steps("CMD") == ['["python", "-m", "easel_app.cli", "serve"]']


def test_the_user_owns_the_data_folder_and_the_compiler_cache() -> None:
    (made,) = [step for step in steps("RUN") if "useradd" in step]
    assert 'install --directory --owner=studio --group=studio "$EASEL_DATA_DIR" "$NUMBA_CACHE_DIR"' in made
    assert {"EASEL_DATA_DIR", "NUMBA_CACHE_DIR"} <= set(environment())


def test_kernels_are_compiled_last_and_by_the_user_who_runs_them() -> None:
    order = [step.split(" ", 1)[0] for step in STEPS]
    warm = STEPS.index("RUN python -m easel_app.cli warm")
    assert order.index("USER") < warm
    assert {"COPY", "ADD", "USER", "ENV"}.isdisjoint(order[warm:])


def test_compiled_kernels_outlive_the_image_layers_and_the_build_machine() -> None:
    assert environment()["NUMBA_CPU_NAME"] == "generic"
    copied = STEPS.index("COPY . .")
    assert "-exec touch --date=2025-01-01 {} +" in STEPS[copied + 1]


def test_every_version_is_pinned() -> None:
    first, second = [step for step in steps("RUN") if "pip install" in step]
    assert "--constraint constraints.txt" in first
    assert all(tool in first for tool in BUILD_TOOLS if tool != "pip")
    assert "--no-deps --no-build-isolation" in second


def test_health_is_asked_of_the_studio_itself() -> None:
    (check,) = steps("HEALTHCHECK")
    assert "/healthz" in check
    assert "EASEL_PORT" in check
    assert "curl" not in check  # which the base does not have


def test_the_build_sees_only_what_the_studio_runs_on() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert rules[0] == "*"
    taken = {rule[1:] for rule in rules if rule.startswith("!")}
    assert taken == {
        "pyproject.toml",
        "constraints.txt",
        "README.md",
        "LICENSE",
        "easel_app",
        "data",
        "static",
        "app.py",
    }
    assert all((ROOT / name).exists() for name in taken)
