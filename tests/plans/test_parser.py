"""The parser's own part: settings, order, identity, and texts of a megabyte."""

from __future__ import annotations

import doctest
import pickle
from pathlib import Path

import pytest

from easel_app.plans import guess_index_base, parse_plan, parser
from easel_app.plans.registry import read_registry, registry
from tests.plans.making import between, call


def test_the_example_holds() -> None:
    assert doctest.testmod(parser).failed == 0


@pytest.mark.parametrize(
    ("indices", "pool_size", "base"),
    [([0, 3], 3, 0), ([1, 3], 3, 1), ([1, 2], 3, None), ([], 3, None), ([False, True, "0", 0.0], 1, None),
     ([4], 3, None), ([0], 0, 0), ([1], 0, None), ([None, 3, "x"], 3, 1)],
)  # fmt: skip
def test_the_index_base_is_guessed_by_a_nought_or_by_the_size_of_the_pool(
    indices: list[object], pool_size: int, base: int | None
) -> None:
    assert guess_index_base(indices, pool_size) == base


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot have -1 images"):
        parse_plan("", pool_size=-1)
    with pytest.raises(ValueError, match="0 or 1, not at 2"):
        parse_plan("", index_base=2)


def test_calls_are_found_by_their_ids() -> None:
    plan = parse_plan(between(call()) + between(call("diffusion")))
    assert [plan.call(n).tool for n in (1, 2)] == ["search", "diffusion"]
    for wrong in (0, 3, -1):
        with pytest.raises(KeyError, match="numbered 1 to 2"):
            plan.call(wrong)


def test_a_plan_is_a_value() -> None:
    text = between(call() + " and <tool>{'a': 1,</tool>")
    assert parse_plan(text) == parse_plan(text) == pickle.loads(pickle.dumps(parse_plan(text)))


@pytest.mark.parametrize("piece", ['<tool>{"a": "', "</tool>\x00", "`<tool>{a: ", "\ud800<think>"])
def test_a_megabyte_of_anything_is_read(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    plan = parse_plan(text, pool_size=3)
    assert "".join(plan.text[each.start : each.end] for each in plan.segments) == text
    assert len(plan.problems) < 60_000


def test_the_registry_marks_what_is_inferred() -> None:
    tools = {tool.name: tool for tool in registry().tools}
    assert list(tools) == ["reference", "diffusion", "search", "code", "edit"]
    assert {tool.mark for tool in tools.values()} == {"stated"} and all(tool.boundary for tool in tools.values())
    assert {param.mark for tool in tools.values() for param in tool.params} == {"stated", "published", "inferred"}
    aliases = [alias for tool in tools.values() for param in tool.params for alias in param.aliases]
    assert not set(aliases) & {"img_index", "query", "diagram_type", "data", "code"}


def test_a_registry_in_which_a_name_means_two_tools_is_refused(tmp_path: Path) -> None:
    tool = '{"name": "a", "mark": "stated", "aliases": ["%s"], "boundary": "", "params": [], "needs": [[%s]]}'
    file = tmp_path / "registry.json"
    for tools, wrong in ((tool % ("a", ""), "names two tools"), (tool % ("b", '"x"'), "needs")):
        file.write_text(f'{{"tools": [{tools}], "tags": {{"names": []}}, "envelope": {{"name": [], "params": []}}}}')
        with pytest.raises(ValueError, match=wrong):
            read_registry(file)
