"""What a player can do: a stroke, an undo, a submit; and what is recorded of an action that nobody can read.

One pydantic model makes the REST body, the tool schemas and the docs (contract 4.1). Nothing is clipped in silence: a
number that is missing, not finite, out of range or of another type is refused, and so is any extra key.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag, ValidationError

Unit = Annotated[float, Field(ge=0.0, le=1.0, strict=True, allow_inf_nan=False)]
# one line of visible text: no control or format characters, which could hide or reorder what stands beside it
VISIBLE = r"^[^\p{C}\p{Zl}\p{Zp}]*$"
Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300, pattern=VISIBLE)]


class Strict(BaseModel):
    """Refuses unknown keys and never changes after it was made."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PathStroke(Strict):
    """A quadratic Bézier path in normalised canvas coordinates: origin top left, x right, y down."""

    x_start: Unit = Field(description="Start of the path, x: 0 is the left edge, 1 the right edge.", examples=[0.2])
    y_start: Unit = Field(description="Start of the path, y: 0 is the top edge, 1 the bottom edge.", examples=[0.7])
    x_control: Unit = Field(description="Control point of the curve, x; absolute, not relative.", examples=[0.5])
    y_control: Unit = Field(description="Control point of the curve, y; absolute, not relative.", examples=[0.4])
    x_end: Unit = Field(description="End of the path, x.", examples=[0.8])
    y_end: Unit = Field(description="End of the path, y.", examples=[0.7])

    def to_vector(self) -> NDArray[np.float64]:
        """The numbers in the published order, float64 (13,), or (6,) for a path."""
        return np.array([getattr(self, name) for name in type(self).model_fields])

    @classmethod
    def from_vector(cls, vector: ArrayLike) -> Self:
        """The stroke of 13 numbers, or the path of 6, in the published order.

        Raises:
            ValueError: another number of them, or one not finite or outside [0, 1] (a pydantic ValidationError).
        """
        values, names = np.asarray(vector, np.float64), tuple(cls.model_fields)
        if values.shape != (len(names),):
            raise ValueError(f"a stroke has {len(names)} numbers here, not an array of shape {values.shape}")
        return cls.model_validate(dict(zip(names, values.tolist(), strict=True)))


class Stroke(PathStroke):
    """One brush stroke: a path with radius and opacity at both ends and one colour.

    Radius in pixels is 0.5 + radius · W / 4 on a canvas W px wide; radius and opacity run linearly along the path.
    """

    radius_start: Unit = Field(description="Radius at the start; 1 is a quarter of the canvas width.", examples=[0.1])
    opacity_start: Unit = Field(description="Opacity at the start: 0 invisible, 1 opaque.", examples=[1.0])
    radius_end: Unit = Field(description="Radius at the end; 1 is a quarter of the canvas width.", examples=[0.05])
    opacity_end: Unit = Field(description="Opacity at the end: 0 invisible, 1 opaque.", examples=[1.0])
    red: Unit = Field(description="Red of the sRGB colour.", examples=[0.16])
    green: Unit = Field(description="Green of the sRGB colour.", examples=[0.38])
    blue: Unit = Field(description="Blue of the sRGB colour.", examples=[0.44])


STROKE_FIELDS = tuple(Stroke.model_fields)
"""Names of the 13 numbers in the published order (arXiv 2608.25417, section 3)."""
PATH_FIELDS = tuple(PathStroke.model_fields)
"""Names of the six of them that are a path's."""
LOOK_FIELDS = STROKE_FIELDS[len(PATH_FIELDS) :]
"""Names of the seven others, which a semantic task fixes."""
_WHOLE, _PATH = "13 numbers", "6 numbers"


def _form(value: object) -> str:
    """Whether a stroke of 13 numbers is meant or a path: by the numbers that only the former has."""
    path = isinstance(value, dict) and not any(name in value for name in LOOK_FIELDS)
    return _PATH if path or type(value) is PathStroke else _WHOLE


AnyStroke = Annotated[
    Annotated[Stroke, Tag(_WHOLE)] | Annotated[PathStroke, Tag(_PATH)],
    Discriminator(_form),
]
"""A stroke of 13 numbers, or a path of 6."""


class BrushStroke(Strict):
    """Paint one stroke."""

    kind: Literal["brush_stroke"] = Field(description="Which action this is.")
    stroke: AnyStroke = Field(
        description="The stroke to paint: 13 numbers in a reconstruction; in a semantic task, whose brush is fixed, "
        "the six coordinates of its path and nothing else."
    )


class Undo(Strict):
    """Take the last stroke away again."""

    kind: Literal["undo"] = Field(description="Which action this is.")


class Submit(Strict):
    """Finish: the canvas stays as it is."""

    kind: Literal["submit"] = Field(description="Which action this is.")


class Invalid(Strict):
    """What a harness records of a reply that it could not read as an action: nothing changes, a step is used."""

    kind: Literal["invalid"] = Field(description="Which action this is.")
    reason: Sentence = Field(
        description="Why the reply could not be read, in one sentence.", examples=["The reply holds no JSON object."]
    )


Action = Annotated[BrushStroke | Undo | Submit | Invalid, Field(discriminator="kind")]
"""Any action, told apart by its `kind`."""
UNSHOWN = ("key", "judge_key", "base_url", "write_token")
"""Fields that may hold a secret: no message repeats what was given."""
KINDS = ("brush_stroke", "undo", "submit", "invalid")


class Problem(NamedTuple):
    """What is wrong with an input, in one sentence."""

    field: str
    """Path of the first wrong field, such as ``action.stroke.red``; empty when the whole body is wrong."""
    message: str


def explain(error: ValidationError | list[dict[str, object]], what: str = "action") -> Problem:
    """Put the first fault of a pydantic error into one sentence: the field, the value, the range, what to do.

    Args:
        error: the error, or its list of faults.
        what: name of the thing to correct and send again.
    """
    faults = error.errors() if isinstance(error, ValidationError) else error
    first = dict(faults[0])
    kind, context = str(first["type"]), first.get("ctx")
    path = [_name(part) for part in _parts(first.get("loc")) if part not in ("body", _WHOLE, _PATH, *KINDS)]
    if kind in ("json_invalid", "json_type"):
        path = []  # what stands there is the place in the text
    field = ".".join(path)
    shown = "what was given" if path and path[-1] in UNSHOWN else _shorten(first.get("input"))
    if kind == "missing":
        reason = "is missing"
    elif kind == "extra_forbidden":
        reason = "is not a known field; leave it out"
    elif kind in ("model_type", "model_attributes_type", "dict_type"):
        reason = f"is {shown}, but it must be an object with named fields"
    elif path and path[-1] in STROKE_FIELDS:
        reason = f"is {shown}, but it must be a number in [0, 1]"
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        told = context if isinstance(context, dict) else {}
        tag = str(told.get("discriminator", "kind")).strip("'")
        field = ".".join([*path, tag])
        found = _shorten(told.get("tag")) if "tag" in told else "missing"
        known = "brush_stroke, undo, submit and invalid" if tag == "kind" else told.get("expected_tags", "those known")
        reason = f"must be one of {known}; it is {found}"
    elif kind in ("json_invalid", "json_type"):
        detail = dict(context).get("error", "") if isinstance(context, dict) else ""
        reason = f"is not valid JSON ({_shorten(detail)})"
    else:
        reason = f"is {shown}, which is refused: {str(first['msg']).removeprefix('Value error, ')[:160].rstrip('.')}"
    return Problem(field, f"{field or 'The body'} {reason}; correct the {what} and send it again.")


def _parts(location: object) -> tuple[object, ...]:
    return location if isinstance(location, tuple) else ()


def _name(part: object) -> str:
    """A key that a caller chose, on one line and short."""
    text = "".join(c if c.isprintable() else "�" for c in str(part)[:41])
    return text if len(text) <= 40 else text[:40] + "…"


def _shorten(value: object, most: int = 60) -> str:
    """A value as text that is short enough for one sentence, whatever a hostile caller sent."""
    if isinstance(value, dict | list):
        return f"a {'nested object' if isinstance(value, dict) else 'list'} of {len(value)}"
    text = repr(value[: most + 1] if isinstance(value, str | bytes) else value)
    return text if len(text) <= most else text[:most] + "…"
