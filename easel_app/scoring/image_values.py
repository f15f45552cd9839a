"""What the expressions of a model's code hold, as far as it matters for pictures: read from the syntax tree, never run.

A name is followed through assignments, unpacking, loops, ``with``, and the parameters and results of the code's own
functions, whatever their order; a name that holds several things counts as the one that matters most. Where nothing is
known of a name, its last word may say that it is a picture (``gray_image``, not ``image_path``).
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence
from enum import IntEnum

from easel_app.scoring.image_functions import FUNCTIONS, MEASURES, METHODS, MODULE_NAMES, MODULES, SOURCES, UNSEEN


class Value(IntEnum):
    """What an expression holds; of several the greatest counts."""

    PLAIN = 0
    """No picture."""
    ROTATION = 1
    """A matrix that rotates."""
    DRAW = 2
    """Pillow's pen."""
    PICTURES = 3
    """A collection of pictures."""
    LIKELY = 4
    """A picture, by its name."""
    PICTURE = 5

    @property
    def pictured(self) -> bool:
        """Whether it is a picture, be it by its name."""
        return self >= Value.LIKELY


_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_PICTURE_WORDS = frozenset(
    {"canvas", "crop", "cropped", "enhanced", "flipped", "frame", "gray", "grey", "im", "image", "img", "patch"}
    | {"photo", "pic", "picture", "resized", "roi", "rotated", "sharpened", "thumb", "zoom", "zoomed"}
)
_DRAW_WORDS = frozenset({"d", "draw", "drawer", "drawing"})
_BUILTINS = frozenset(dir(builtins))
_COLLECTING = frozenset({"enumerate", "iter", "list", "reversed", "sorted", "tuple", "zip"})
_PICTURELESS = frozenset({*sys.stdlib_module_names, "pandas", "requests"})
_PASSES = 8
"""Readings at most. Two or three settle what people and models write; code of hostile order is left half known."""


def by_name(name: str) -> Value | None:
    """What a name says of its value; None if nothing."""
    words = _WORDS.findall(name)
    last = words[-1].lower() if words else ""
    return Value.LIKELY if last in _PICTURE_WORDS else Value.DRAW if last in _DRAW_WORDS else None


class Values:
    """What the expressions of a syntax tree hold. Nothing here recurses into it, so that no nesting is too deep."""

    def __init__(self, tree: ast.Module) -> None:
        self.nodes = list(_children_first(tree))
        self.dotted: dict[ast.AST, str] = {}
        """Full names of the modules and functions that expressions stand for, such as ``cv2.resize``."""
        self._values: dict[ast.AST, Value | None] = {}
        self._names: dict[str, Value] = {}
        self._parameters: dict[str, list[str]] = {}
        self._returns: dict[str, list[ast.expr]] = {}
        stored = {node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self._aliases = {name: module for name, module in MODULE_NAMES.items() if name not in stored}
        for node in self.nodes:
            self._declare(node)
        for _ in range(_PASSES):
            before = dict(self._names), dict(self._aliases)
            for node in self.nodes:
                self._values[node] = self._value(node)
                self._bind(node)
            if before == (self._names, self._aliases):
                break

    def of(self, node: ast.AST) -> Value | None:
        """What an expression holds; None where nothing is known."""
        return self._values.get(node)

    def pictured(self, node: ast.AST) -> bool:
        """Whether an expression holds a picture, be it by its name."""
        value = self.of(node)
        return value is not None and value.pictured

    def _declare(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=names):
                for name in names:
                    root = name.name.partition(".")[0]
                    self._aliases[name.asname or root] = name.name if name.asname else root
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for name in names:
                    if name.name == "*":
                        listed = [full.rpartition(".") for full in FUNCTIONS]
                        self._aliases |= {short: f"{home}.{short}" for home, _, short in listed if home == module}
                    else:
                        self._aliases[name.asname or name.name] = f"{module}.{name.name}"
            case ast.FunctionDef(name=str(own)) | ast.AsyncFunctionDef(name=str(own)):
                self._parameters[own] = [argument.arg for argument in node.args.posonlyargs + node.args.args]
                ends = (part.value for part in ast.walk(node) if isinstance(part, ast.Return))
                self._returns[own] = [end for end in ends if end is not None]

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self._assign(target, value)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._assign(target, value)
            case ast.AugAssign(target=target, value=value):
                self._unpack(target, self.of(value))
            case ast.For(target=target, iter=many) | ast.AsyncFor(target=target, iter=many):
                self._unpack(target, _part(self.of(many)))
            case ast.comprehension(target=target, iter=many):
                self._unpack(target, _part(self.of(many)))
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in self._parameters:
                for parameter, argument in zip(self._parameters[name], arguments, strict=False):
                    self._keep(parameter, self.of(argument))

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Name(id=name), _ if value in self.dotted:
                self._aliases.setdefault(name, self.dotted[value])
            case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                for one, other in zip(targets, values, strict=False):
                    self._assign(one, other)
            case _:
                self._unpack(target, self.of(value))

    def _unpack(self, target: ast.expr, value: Value | None) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for one in target.elts:
                self._unpack(one, Value.PICTURE if value == Value.PICTURES else value)
        elif isinstance(target, ast.Name):
            self._keep(target.id, value)

    def _keep(self, name: str, value: Value | None) -> None:
        if value is not None:
            self._names[name] = max(value, self._names.get(name, Value.PLAIN))

    def _value(self, node: ast.AST) -> Value | None:
        match node:
            case ast.Name(id=name):
                return self._named(node, name)
            case ast.Attribute(value=owner, attr=attribute):
                if owner in self.dotted and len(self.dotted[owner]) < 100:
                    self.dotted[node] = f"{self.dotted[owner]}.{attribute}"
                    return None
                value = self.of(owner)
                return by_name(attribute) if value is None else value if attribute == "T" else Value.PLAIN
            case ast.Call():
                return self._called(node)
            case ast.Subscript(value=owner, slice=part):
                one = self.of(owner) == Value.PICTURES and not isinstance(part, ast.Slice)
                return Value.PICTURE if one else self.of(owner)
            case ast.BinOp(left=left, right=right):
                return self._most([left, right])
            case ast.IfExp(body=body, orelse=other):
                return self._most([body, other])
            case ast.BoolOp(values=values):
                return self._most(values)
            case ast.Compare(left=inner) | ast.UnaryOp(operand=inner) | ast.NamedExpr(value=inner):
                return self.of(inner)
            case ast.Await(value=inner) | ast.Starred(value=inner):
                return self.of(inner)
            case ast.List(elts=values) | ast.Tuple(elts=values):
                return Value.PICTURES if any(map(self.pictured, values)) else Value.PLAIN
            case ast.ListComp(elt=inner) | ast.GeneratorExp(elt=inner):
                return Value.PICTURES if self.pictured(inner) else Value.PLAIN
            case ast.Constant(value=None):
                return None
            case ast.expr():
                return Value.PLAIN
        return None

    def _named(self, node: ast.Name, name: str) -> Value | None:
        if name in self._names:
            return self._names[name]
        if name in self._aliases:
            self.dotted[node] = self._aliases[name]
            return None
        return Value.PLAIN if name in self._parameters else by_name(name)

    def _most(self, nodes: Sequence[ast.expr]) -> Value | None:
        """The greatest that one of several holds; plain only if all are."""
        values = [self.of(node) for node in nodes]
        most = max((value for value in values if value is not None), default=None)
        return None if most == Value.PLAIN and None in values else most

    def _called(self, node: ast.Call) -> Value | None:
        """What a call gives."""
        match node.func:
            case function if function in self.dotted:
                return self._result(self.dotted[function], node)
            case ast.Name(id=name):
                if name in self._returns:
                    return self._most(self._returns[name])
                if name in _COLLECTING and self._most(node.args) == Value.PICTURES:
                    return Value.PICTURES
                return Value.PLAIN if name in _BUILTINS else None
            case ast.Attribute(value=owner, attr=method):
                receiver = self.of(owner)
                if receiver is None:
                    return Value.PICTURE if method in METHODS else None
                if receiver.pictured:
                    return Value.PLAIN if method in MEASURES else Value.PICTURES if method == "split" else receiver
                return Value.PICTURE if receiver == Value.PICTURES and method == "pop" else Value.PLAIN
        return None

    def _result(self, name: str, node: ast.Call) -> Value | None:
        module, _, function = name.rpartition(".")
        if name in SOURCES:
            return Value.PICTURE
        if name == "PIL.ImageDraw.Draw":
            return Value.DRAW
        if name == "cv2.getRotationMatrix2D":
            return Value.ROTATION
        if module.partition(".")[0] == "numpy":
            given = self._most(node.args) if node.args and function not in MEASURES else Value.PLAIN
            return Value.PICTURE if given == Value.PICTURES else given
        if name in FUNCTIONS or name in UNSEEN:
            return Value.PICTURE
        if name.startswith(MODULES):
            return None
        return Value.PLAIN if name.partition(".")[0] in _PICTURELESS else None


def _children_first(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes, each after what it holds, else in the order of the code."""
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(ast.iter_child_nodes(node))
    return reversed(found)


def _part(collection: Value | None) -> Value | None:
    """What iterating over a value gives: pictures hold pictures, plain values plain ones, a picture its rows."""
    return {Value.PICTURES: Value.PICTURE, Value.PLAIN: Value.PLAIN}.get(collection) if collection is not None else None
