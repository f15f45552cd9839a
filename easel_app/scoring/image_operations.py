"""Which operations on pictures a model's code holds, read from its syntax tree and never run: ``image_operations/1``.

An *occurrence* is one place in the code, however often it would run; a call of the tool holds the *set* of kinds that
occur in it, since the paper (VisualToolBench, arXiv 2510.12712) notes that one call may hold several. An import under
another name, a chain, a loop or a function of the code's own hides nothing (see image_values).

Rules where the code does not say it by the name of a function:

- A slice is a crop where its value is a picture: it comes from one (`Image.open`, `cv2.imread`, …), or nothing is known
  of it and its name says so. It needs slices in both of the first two places, one of them with an end; rows alone
  (`img[10:90]`) need a value that comes from a picture. A negative step is a flip, another step a resize, the order of
  channels nothing; setting a part of a picture is an edit.
- Arithmetic is brightness or contrast only where its result is clipped or it is the function of `point`: a factor or an
  offset alone is brightness, both are contrast. `alpha` of OpenCV's `convertScaleAbs` is contrast, `beta` brightness.
- Bringing a picture to RGB, or swapping the order of its channels, is no operation.
- Code that handles a picture without any of these is one "other"; code that handles none has no operation.

Code that does not parse is searched for the same names by patterns, which is told.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from easel_app.scoring.image_functions import (
    DRAWING,
    FUNCTIONS,
    KINDS,
    METHODS,
    MODULE_NAMES,
    MODULES,
    PICTURE_METHODS,
    PLUMBING,
    RECODING,
    UNSEEN,
)
from easel_app.scoring.image_values import Value, Values, by_name
from easel_app.scoring.tool_use import calls_of, decoded

VERSION = "image_operations/1"
TOOL = "python_image_processing"
LONGEST = 50_000
"""Characters that are read: ten times what the tool takes. Longer code is not parsed, and searched up to here."""

Kinds = tuple[str, ...]
"""What one place in the code does; some do two things at once, most nothing."""


@dataclass(frozen=True, slots=True)
class Operations:
    """The operations of one call."""

    occurrences: dict[str, int]
    """Places by kind, in the order of `KINDS`; only kinds that occur."""
    parsed: bool
    """False where patterns had to do, so that less can be relied on."""

    @property
    def kinds(self) -> Kinds:
        """The set of kinds that the call holds, in the order of `KINDS`."""
        return tuple(self.occurrences)


def image_operations(code: str) -> Operations:
    """The operations on pictures in Python code; whatever the text is, it is never run and never an error.

    Example:
        >>> image_operations("im.crop(box).resize((90, 90)).save('zoom.png')").occurrences
        {'crop': 1, 'resize': 1}
    """
    tree = _parsed(code)
    places, pictured = _searched(code[:LONGEST]) if tree is None else _read(tree)
    counts = Counter(kind for place in places for kind in place)
    if pictured and not counts:
        counts["other"] = 1
    return Operations({kind: counts[kind] for kind in KINDS if counts[kind]}, parsed=tree is not None)


@dataclass(frozen=True, slots=True)
class KindCount:
    """How often a kind of operation occurs."""

    calls: int
    """Calls that hold it."""
    occurrences: int
    """Places in their code."""


@dataclass(frozen=True, slots=True)
class OperationCounts:
    """The operations of a model over tasks."""

    n_calls: int
    """Calls of the image tool, failed ones included: what the model set out to do."""
    n_none: int
    """Calls without an operation."""
    n_searched: int
    """Calls whose code does not parse."""
    by_kind: dict[str, KindCount]
    """All eight, in the order of `KINDS`. A call that holds several counts in each."""


def operation_counts(tasks: Iterable[Mapping[str, Any]]) -> OperationCounts:
    """The operations of all calls of the image tool.

    Args:
        tasks: as for `tool_use`; a call without code has no operation.

    Raises:
        ValueError: turns or traces that are no lists. The task is named.
    """
    found = [image_operations(code) for task in tasks for code in _codes(task)]
    return OperationCounts(
        n_calls=len(found),
        n_none=sum(not one.occurrences for one in found),
        n_searched=sum(not one.parsed for one in found),
        by_kind={
            kind: KindCount(
                calls=sum(kind in one.occurrences for one in found),
                occurrences=sum(one.occurrences.get(kind, 0) for one in found),
            )
            for kind in KINDS
        },
    )


def _codes(task: Mapping[str, Any]) -> Iterator[str]:
    for call in calls_of(task):
        if isinstance(call, Mapping) and call.get("function_name") == TOOL:
            arguments = decoded(call.get("function_args"))
            code = arguments.get("code") if isinstance(arguments, Mapping) else None
            yield code if isinstance(code, str) else ""


def _parsed(code: str) -> ast.Module | None:
    if len(code) > LONGEST:
        return None
    try:
        # what Python thinks of the model's style is nobody's concern here
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # the last three: a null byte or a lone surrogate, and nesting that the parser refuses
        return None


def _read(tree: ast.Module) -> tuple[list[Kinds], bool]:
    """What each place does, and whether the code handles a picture at all."""
    values = Values(tree)
    places = {node: kinds for node in values.nodes if (kinds := _kinds(node, values))}
    for node in places:
        inner = node.value if isinstance(node, ast.Subscript) and "crop" in places[node] else None
        if inner in places and isinstance(inner, ast.Subscript):
            # the rows of a picture and then its columns are one crop
            places[inner] = tuple(kind for kind in places[inner] if kind != "crop")
    seen = (ast.Name, ast.Attribute, ast.Call)
    return list(places.values()), any(values.pictured(node) for node in values.nodes if isinstance(node, seen))


def _kinds(node: ast.AST, values: Values) -> Kinds:
    match node:
        case ast.Subscript(ctx=ast.Load()):
            return _cut(node, values)
        case ast.Subscript(value=owner, ctx=ast.Store()):
            return ("edit",) if values.pictured(owner) else ()
        case ast.Call(func=function) if function in values.dotted:
            return _function(values.dotted[function], node, values)
        case ast.Call(func=ast.Attribute(value=owner, attr=method)):
            return _method(method, values.of(owner), node)
    return ()


def _cut(node: ast.Subscript, values: Values) -> Kinds:
    """What a slice does."""
    places = node.slice.elts[:2] if isinstance(node.slice, ast.Tuple) else [node.slice]
    slices = [place for place in places if isinstance(place, ast.Slice)]
    known = values.of(node.value) == Value.PICTURE or (values.pictured(node.value) and len(places) == 2)
    if not known or len(slices) < len(places):
        return ()
    steps = [part.step for part in slices if part.step is not None and _constant(part.step) != 1]
    backwards = [step for step in steps if isinstance(step, ast.UnaryOp)]
    crop: Kinds = ("crop",) if any(part.lower or part.upper for part in slices) else ()
    return crop + ("flip",) * bool(backwards) + ("resize",) * (len(steps) > len(backwards))


def _function(name: str, node: ast.Call, values: Values) -> Kinds:
    """What a function does, by its full name."""
    module, _, function = name.rpartition(".")
    if module == "PIL.Image.Image" and node.args:
        return _method(function, Value.PICTURE, ast.Call(node.func, node.args[1:], node.keywords))
    if name in UNSEEN:
        return _by_arguments(name, node, values)
    if name in FUNCTIONS:
        # these two work on any array
        plain = module in ("numpy", "scipy.ndimage") and node.args and values.of(node.args[0]) == Value.PLAIN
        return () if plain else FUNCTIONS[name]
    known = name.startswith(MODULES) and function not in PLUMBING
    return ("other",) if known and any(map(values.pictured, node.args)) else ()


def _by_arguments(name: str, node: ast.Call, values: Values) -> Kinds:
    """What a function does whose arguments decide it."""
    first, second = (node.args[place] if len(node.args) > place else None for place in (0, 1))
    match name:
        case "cv2.convertScaleAbs":
            return _linear(_argument(node, 2, "alpha"), _argument(node, 3, "beta"))
        case "cv2.addWeighted":
            alone = _constant(_argument(node, 3, "beta")) == 0
            return _linear(_argument(node, 1, "alpha"), _argument(node, 4, "gamma")) if alone else ("other",)
        case "cv2.warpAffine":
            return ("rotate",) if second is not None and values.of(second) == Value.ROTATION else ("other",)
        case "cv2.cvtColor":
            code = second.attr if isinstance(second, ast.Attribute) else ""
            return () if code.removeprefix("COLOR_") in RECODING else ("other",)
        case "numpy.clip":
            return _tone(first) if first is not None and values.pictured(first) else ()
    # with a number it is brightness, with a second picture something else
    return ("brightness",) if second is not None and values.of(second) == Value.PLAIN else ("other",)


def _method(name: str, receiver: Value | None, node: ast.Call) -> Kinds:
    """What a method does, by its receiver."""
    if receiver == Value.DRAW:
        return ("edit",) if name in DRAWING else ()
    if receiver is not None and not receiver.pictured:
        return ()
    if name == "transpose":
        return _transposed(_argument(node, 0, "method")) if len(node.args) < 2 else ()
    if name == "resize" and _argument(node, 2, "box"):
        return ("crop", "resize")
    if name in METHODS or receiver is None:
        return METHODS.get(name, ())
    match name, node:
        case "convert", ast.Call(args=[ast.Constant(value="RGB" | "RGBA"), *_]):
            return ()
        case "split", ast.Call(args=[]):
            return ("other",)
        case "clip", ast.Call(func=ast.Attribute(value=clipped)):
            return _tone(clipped)
        case "point", ast.Call(args=[ast.Lambda(body=body), *_]):
            return _tone(body) or ("other",)
    return PICTURE_METHODS.get(name, ())


def _argument(node: ast.Call, place: int, name: str) -> ast.expr | None:
    if len(node.args) > place:
        return node.args[place]
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def _constant(node: ast.expr | None) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _linear(factor: ast.expr | None, offset: ast.expr | None) -> Kinds:
    """Kinds of factor · picture + offset."""
    contrast: Kinds = ("contrast",) if factor is not None and _constant(factor) != 1 else ()
    brightness: Kinds = ("brightness",) if offset is not None and _constant(offset) != 0 else ()
    return brightness + contrast or ("other",)


def _tone(expression: ast.expr) -> Kinds:
    """Kind of arithmetic on a picture's values; none where it compares them or has no operator."""
    # the nearest come first; what lies deeper was clipped before, or is no code that anyone wrote
    parts = list(islice(ast.walk(expression), 200))
    if any(isinstance(part, ast.Compare | ast.IfExp) for part in parts):
        return ()
    operators = [part.op for part in parts if isinstance(part, ast.BinOp)]
    factor = any(isinstance(operator, ast.Mult | ast.Div | ast.Pow) for operator in operators)
    offset = any(isinstance(operator, ast.Add | ast.Sub) for operator in operators)
    return ("contrast",) if factor and offset else ("brightness",) if factor or offset else ()


def _transposed(method: ast.expr | None) -> Kinds:
    """Kind of Pillow's transpose; an array's, which orders its axes, has none."""
    match method:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            turn = name
        case ast.Constant(value=int(number)) if 0 <= number < 7:
            turn = "ROTATE" if number in (2, 3, 4) else "FLIP"
        case _:
            return ()
    if turn.startswith("ROTATE"):
        return ("rotate",)
    return ("flip",) if turn.startswith(("FLIP", "TRANSPOSE", "TRANSVERSE")) else ("other",)


_COMMENT = re.compile(r"#[^\n]*")
_CALLED = re.compile(r"(?:(?<![\w.])(\w{1,40})\s{0,9}\.\s{0,9}|(\.)\s{0,9})?(?<!\w)(\w{1,40})\s{0,9}\(")
_SLICED = re.compile(r"(?<!\w)(\w{1,40})\[([^\[\]\n]{1,200})\](?!\s{0,9}=[^=])")
_NAME = re.compile(r"(?<!\w)[A-Za-z_]\w{0,40}(?!\w)")


def _searched(code: str) -> tuple[list[Kinds], bool]:
    """What each place that looks like an operation does, and whether there seems to be a picture."""
    text = _COMMENT.sub("", code)
    places = [_looks(owner or "", bool(chained), name) for owner, chained, name in _CALLED.findall(text)]
    for name, part in _SLICED.findall(text):
        slices = part.split(",")[:2]
        if by_name(name) == Value.LIKELY and len(slices) == 2 and all(":" in one for one in slices):
            places.append(("crop",) if any(one.strip(": ") for one in slices) else ())
    return places, any(by_name(name) == Value.LIKELY and name not in MODULE_NAMES for name in _NAME.findall(text))


def _looks(owner: str, chained: bool, name: str) -> Kinds:
    """What a call does, by its name and the name before it."""
    if owner in MODULE_NAMES:
        full = f"{MODULE_NAMES[owner]}.{name}"
        return UNSEEN.get(full) or FUNCTIONS.get(full, ())
    receiver = by_name(owner)
    if receiver == Value.DRAW:
        return ("edit",) if name in DRAWING else ()
    if not owner and not chained:
        return ()
    return METHODS.get(name) or (PICTURE_METHODS.get(name, ()) if chained or receiver == Value.LIKELY else ())
