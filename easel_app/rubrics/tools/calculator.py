"""The calculator: one arithmetic expression, evaluated by simpleeval within bounds of our own.

Only numbers, the operators and functions below and brackets reach the evaluator: no attribute, subscript, comparison or
text. `^` is the power, as its description says, with the precedence of `**`. Whole numbers are exact up to `MOST_BITS`
bits, so that no expression takes longer than its length allows.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from simpleeval import FunctionNotDefined, InvalidExpression, NameNotDefined, SimpleEval

from easel_app.rubrics.tools.observation import Observation
from easel_app.rubrics.tools.payloads import clean, failure

MOST_EXPRESSION = 1000
"""Characters of an expression."""
MOST_BITS = 4096
"""Bits of a whole number, 1,233 digits."""
MOST_FACTORIAL = 500
EXACT = 2**53
"""From here on a JSON number is no longer exact."""

Number = int | float
_READ_AS = str.maketrans(
    {"^": "**", "×": "*", "·": "*", "⋅": "*", "∗": "*", "÷": "/", "∕": "/", "−": "-", "–": "-"}
    | {"²": "**2", "³": "**3", "π": " pi ", "√": " sqrt ", "[": "(", "]": ")"}
)
_FOREIGN = re.compile(r"[^0-9A-Za-z_.,+\-*/%()\s]")
_GLUED = re.compile(r"(?<![\w.])(?:\d[\d_]*+\.?+[\d_]*+|\.\d+)(?:[eE][+-]?\d+)?+(?=\s*\(|[A-Za-z_])|\)\s*(?=[\w.(])")
_THOUSANDS = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\d,])")


class NoNumber(ValueError):
    """An expression has no result; the message is a sentence that says why."""


class Calculator:
    """The tool."""

    backend = "local"

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        """`result`, a number or null, `expression` and `status`; `error` where there is no result."""
        shown = clean(arguments["expression"], MOST_EXPRESSION)
        try:
            told = _told(calculate(arguments["expression"]))
        except NoNumber as why:
            return failure(str(why), result=None, expression=shown)
        return Observation({"expression": shown, "status": "success", **told})


def _told(value: Number) -> dict[str, Any]:
    """A number as JSON can hold it, and in full in `note` where that is not exact.

    Raises:
        NoNumber: JSON holds none so large.
    """
    if isinstance(value, float) or abs(value) <= EXACT:
        return {"result": value}
    try:
        return {"result": float(value), "note": f"Exactly {value}."}
    except OverflowError:
        digits = len(str(abs(value)))
        raise NoNumber(f"The result has {digits:,} digits, too many for a number; take its logarithm.") from None


def calculate(expression: str) -> Number:
    """The value of an expression, finite and real; whole numbers are exact.

    Raises:
        NoNumber: it has none, or is no expression.

    Example:
        >>> calculate("2 * 3^2")
        18
    """
    if len(expression) > MOST_EXPRESSION:
        raise NoNumber(f"The expression is longer than {MOST_EXPRESSION:,} characters; use python_interpreter.")
    text = expression.translate(_READ_AS).strip().removesuffix("=").strip()
    if not text:
        raise NoNumber("The expression is empty.")
    if found := _FOREIGN.search(text):
        raise NoNumber(f"The expression holds {found[0]!r}, which is no part of arithmetic here.")
    if found := _GLUED.search(text):
        at = text[max(0, found.start() - 8) : found.end() + 8].strip()
        raise NoNumber(f"An operator is missing near {at!r}; write every multiplication with *.")
    try:
        return _real(_Arithmetic().value_of(text))
    except NoNumber:
        raise
    except SyntaxError:
        raise NoNumber(f"This is no expression that can be read{_hint(text)}.") from None
    except (RecursionError, MemoryError):
        raise NoNumber("The expression is nested too deeply.") from None
    except ZeroDivisionError:
        raise NoNumber("There is a division by zero.") from None
    except OverflowError:
        raise NoNumber("A number is too large.") from None
    except NameNotDefined as unknown:
        raise NoNumber(f"The name {unknown.name!r} is not known; there are {', '.join(_NAMES)}.") from None
    except FunctionNotDefined as unknown:
        raise NoNumber(f"The function {unknown.func_name!r} is not known; there are {', '.join(_FUNCTIONS)}.") from None
    except InvalidExpression:
        raise NoNumber(f"The expression holds more than arithmetic{_hint(text)}.") from None
    except (ValueError, TypeError) as error:
        raise NoNumber(f"It cannot be computed: {error}.") from None


class _Arithmetic(SimpleEval):  # type: ignore[misc]
    """Of the evaluator only what arithmetic needs."""

    def __init__(self) -> None:
        super().__init__(operators=dict(_OPERATORS), functions=dict(_FUNCTIONS), names=dict(_NAMES))
        allowed = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Constant)
        everything = dict(vars(self)["nodes"])
        self.nodes = {kind: everything[kind] for kind in allowed}

    def value_of(self, text: str) -> Any:
        """What a text comes to that holds nothing but names, numbers and signs."""
        line = " ".join(text.split())
        return self.eval(line, previously_parsed=ast.parse(line, mode="eval").body)


def _real(value: Any) -> Number:
    """A number as it is, if it is one within bounds."""
    if isinstance(value, complex):
        raise NoNumber("The result is no real number.")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NoNumber("The expression is not a number.")
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise OverflowError
    return value


def _power(base: Number, exponent: Number) -> Any:
    """Python's power, refused before it is computed where it would be too long."""
    if isinstance(base, int) and isinstance(exponent, int) and (base.bit_length() - 1) * exponent > MOST_BITS:
        raise OverflowError
    return base**exponent


def _whole(value: Number, most: int, what: str) -> int:
    if value != int(value) or not 0 <= value <= most:
        raise NoNumber(f"The argument of {what} must be a whole number from 0 to {most}.")
    return int(value)


def _factorial(value: Number) -> int:
    return math.factorial(_whole(value, MOST_FACTORIAL, "factorial"))


def _comb(n: Number, k: Number) -> int:
    return math.comb(_whole(n, MOST_FACTORIAL, "comb"), _whole(k, MOST_FACTORIAL, "comb"))


def _round(value: Number, digits: Number = 0) -> Number:
    places = int(digits)
    if places != digits or abs(places) > 300:
        raise NoNumber("The digits of round must be a whole number from -300 to 300.")
    return round(value, places) if places else round(value)


def _hint(text: str) -> str:
    """What to do with an expression that cannot be read, as the end of a sentence."""
    if _THOUSANDS.search(text):
        return "; write numbers without thousands separators"
    return "; there are + - * / // % ^, parentheses and functions"


def _guarded(function: Callable[..., Any]) -> Callable[..., Number]:
    """A function or operator whose arguments and result are numbers within bounds."""

    def guarded(*values: Any) -> Number:
        return _real(function(*(_real(value) for value in values)))

    return guarded


_OPERATORS: Mapping[type[ast.AST], Callable[..., Number]] = {
    kind: _guarded(function)
    for kind, function in (
        (ast.Add, operator.add),
        (ast.Sub, operator.sub),
        (ast.Mult, operator.mul),
        (ast.Div, operator.truediv),
        (ast.FloorDiv, operator.floordiv),
        (ast.Mod, operator.mod),
        (ast.Pow, _power),
        (ast.USub, operator.neg),
        (ast.UAdd, operator.pos),
    )
}
_TRIGONOMETRY = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "degrees", "radians")
_MATH = ("sqrt", "cbrt", "exp", "log", "log2", "log10", *_TRIGONOMETRY, "hypot", "floor", "ceil")
_OWN: Mapping[str, Callable[..., Any]] = {
    "ln": lambda value: math.log(value),  # noqa: PLW0108  # log takes a base besides
    "abs": abs,
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "round": _round,
    "pow": _power,
    "factorial": _factorial,
    "comb": _comb,
}
_FUNCTIONS: Mapping[str, Callable[..., Number]] = {
    name: _guarded(function) for name, function in ({name: getattr(math, name) for name in _MATH} | dict(_OWN)).items()
}
_NAMES: Mapping[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau}
