"""The calculator: what it computes, and that nothing makes it fail otherwise than by a sentence."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.tools.calculator import EXACT, MOST_EXPRESSION, Calculator, NoNumber, calculate
from easel_app.scoring.tool_use import call_outcome
from tests.llm.conftest import run


def called(expression: str) -> dict[str, Any]:
    return run(Calculator()({"expression": expression})).payload


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 * 3^2", 18),  # with the precedence of a power, as its description says
        ("-2^2", -4),
        ("2^3^2", 512),
        ("5 × 3 ÷ 2 − 1", 6.5),
        ("4² + √(9) + 2³", 27),
        ("7 // 2 + 7 % 4", 6),
        ("1e3 + .5 + 5.", 1005.5),
        ("1_000 * 2 =", 2000),
        ("sqrt((71 - 30)**2 + (103 - 50)**2)", 67.00746227100382),
        ("log(8, 2) + ln(e) + log10(100)", 6),
        ("[1 + 2] * 3", 9),
        ("min(3) + max(1, 234)", 237),
        ("factorial(5) + comb(5, 2) + round(2.567, 2)", 132.57),
        ("factorial(200) / factorial(198)", 39800),
        ("cos(π) + sin(tau / 4)", 0),
        ("floor(-2.5) + ceil(2.1) + abs(-3)", 3),
        ("(1 +\n 2)", 3),
        ("5 - 5", 0),
    ],
)
def test_it_computes(expression: str, value: float) -> None:
    found = called(expression)
    assert found["status"] == "success" and "error" not in found
    assert found["result"] == pytest.approx(value)
    assert call_outcome(
        {"function_name": "calculator", "function_args": {"expression": expression}, "observation": found}
    )[0]


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("9**9**9**9", "too large"),
        ("10^10000", "too large"),
        ("2.0^1e10", "too large"),
        ("1e308 * 10", "too large"),
        ("1e999", "too large"),
        ("factorial(10**8)", "from 0 to 500"),
        ("comb(10**9, 5 * 10**8)", "from 0 to 500"),
        ("round(5, -10**8)", "from -300 to 300"),
        ("factorial(200)", "375 digits"),
        ("1 / 0", "division by zero"),
        ("0 ** -1", "division by zero"),
        ("sqrt(-1)", "cannot be computed"),
        ("(-8)^(1/3)", "no real number"),
        ("1e308 * 10 - 1e308 * 10", "too large"),
        ("__import__('os')", "no part of arithmetic"),
        ("(1).__class__", "operator is missing"),
        ("pi.real", "more than arithmetic"),
        ("1 .real", "more than arithmetic"),
        ("[x for x in (1, 2)]", "more than arithmetic"),
        ("1 if 2 else 3", "more than arithmetic"),
        ("1 < 2", "no part of arithmetic"),
        ("1 and 2", "more than arithmetic"),
        ("'a' * 10**9", "no part of arithmetic"),
        ("(1, 2)", "more than arithmetic"),
        ("lambda: 1", "no part of arithmetic"),
        ("x := 1", "no part of arithmetic"),
        ("sqrt(x=1)", "no part of arithmetic"),
        ("max(*pi)", "more than arithmetic"),
        ("1j", "operator is missing"),
        ("True", "not a number"),
        ("None", "not a number"),
        ("sqrt", "not a number"),
        ("sqrt(sqrt)", "not a number"),
        ("2pi", "near '2pi'"),
        ("2(3 + 4)", "operator is missing"),
        ("(2)(3)", "operator is missing"),
        ("x + 1", "'x' is not known"),
        ("eval(1)", "'eval' is not known"),
        ("1,234 + 5", "without thousands separators"),
        ("sqrt()", "cannot be computed"),
        ("3!", "no part of arithmetic"),
        ("", "empty"),
        (" = ", "empty"),
        ("(" * 400 + "1" + ")" * 400, "read"),
        ("-" * 990 + "1", "nested too deeply"),
        ("1" * 10_000, f"longer than {MOST_EXPRESSION:,}"),
    ],
)
def test_what_has_no_result_says_why(expression: str, why: str) -> None:
    found = called(expression)
    assert (found["result"], found["status"]) == (None, "error")
    assert why in found["error"]


def test_whole_numbers_beyond_those_of_json_are_told_in_full_beside_the_number() -> None:
    found = called("factorial(25)")
    assert found["result"] == pytest.approx(math.factorial(25))
    assert str(math.factorial(25)) in found["note"]
    assert "note" not in called(f"{EXACT}")


CALLS = [f"{name}(" for name in ("sqrt", "factorial", "log", "pow", "max", "round", "comb")]
WORDS = ["**", "//", "9" * 30, "1e300", "pi", "²", "÷", "[", "]", "j", ".real", "if", "lambda", "\0", "\ud800"]
SIGNS = st.sampled_from([*"0123456789+-*/%^().,e_ \n", *CALLS, *WORDS])


@given(st.lists(SIGNS, max_size=60).map("".join) | st.text(max_size=100))
def test_nothing_makes_it_fail_otherwise_and_all_it_says_is_json(expression: str) -> None:
    began = time.process_time()
    found = called(expression)
    assert time.process_time() - began < 2  # each operation is bounded; a hang would take hours
    json.dumps(found, allow_nan=False).encode()
    assert found["status"] in ("success", "error")
    assert (found["result"] is None) == (found["status"] == "error")


NUMBERS = st.integers(-(10**6), 10**6)


@given(NUMBERS, NUMBERS, st.sampled_from("+-*"))
def test_whole_numbers_are_exact(a: int, b: int, sign: str) -> None:
    assert calculate(f"({a}) {sign} ({b})") == {"+": a + b, "-": a - b, "*": a * b}[sign]


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_caret_is_the_power(a: int, b: int) -> None:
    assert calculate(f"{a}^{b}") == calculate(f"{a}**{b}") == a**b


def test_a_number_that_is_none_never_comes_out() -> None:
    with pytest.raises(NoNumber):
        calculate("1e308 * 10 / (1e308 * 10)")
