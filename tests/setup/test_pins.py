"""constraints.txt decides every version, on each Python that the project supports."""

from __future__ import annotations

import sys
from importlib import metadata

import pytest
from packaging.requirements import Requirement

from tools.setup.pin import VERSIONS, canonical
from tools.setup.project import BUILD_TOOLS, CONSTRAINTS, EXTRAS, TRAIN_EXTRAS, requirements

PINS = [Requirement(line) for line in CONSTRAINTS.read_text().splitlines() if not line.startswith("#")]


def pinned(python: str) -> dict[str, str]:
    """The versions that bind on a Python, by name."""
    here = [pin for pin in PINS if not pin.marker or pin.marker.evaluate({"python_version": python})]
    return {canonical(pin.name): str(pin.specifier).removeprefix("==") for pin in here}


def installed(roots: list[str]) -> dict[str, str]:
    """The versions of all packages that these requirements bring in here, however deep."""
    versions: dict[str, str] = {}
    done: set[tuple[str, str]] = set()
    ahead = [(Requirement(root), "") for root in roots]
    while ahead:
        requirement, under = ahead.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": under}):
            continue
        name = canonical(requirement.name)
        versions[name] = metadata.version(name)
        for extra in {"", *requirement.extras} - {extra for seen, extra in done if seen == name}:
            done.add((name, extra))
            ahead += [(Requirement(below), extra) for below in metadata.requires(name) or []]
    return versions


def test_every_installed_package_has_the_pinned_version() -> None:
    here = installed(requirements(*EXTRAS))
    assert len(here) > 60  # the walk went below the surface
    pins = pinned(".".join(map(str, sys.version_info[:2])))
    assert {name: pins.get(name) for name in here} == here


@pytest.mark.parametrize("python", VERSIONS)
def test_the_pins_satisfy_what_pyproject_asks_for(python: str) -> None:
    pins = pinned(python)
    for requirement in map(Requirement, [*requirements(*TRAIN_EXTRAS), *BUILD_TOOLS]):
        if not requirement.marker or requirement.marker.evaluate({"python_version": python}):
            assert requirement.specifier.contains(pins[canonical(requirement.name)], prereleases=True), requirement


def test_a_pin_is_an_exact_version_and_nothing_else() -> None:
    for pin in PINS:
        assert [each.operator for each in pin.specifier] == ["=="], pin
        assert pin.url is None
        assert "*" not in str(pin.specifier)


def test_the_pins_are_in_order_and_name_a_package_once() -> None:
    lines = [line for line in CONSTRAINTS.read_text().splitlines() if not line.startswith("#")]
    assert lines == sorted(lines)
    assert len({canonical(pin.name) for pin in PINS}) == len(PINS)
