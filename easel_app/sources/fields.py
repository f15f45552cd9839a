"""Fields of records that come from outside: what of them can be stored and shown, and the record of a picture."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

UNSTORABLE = re.compile("[\ud800-\udfff\0]")
"""What no database or JSON can hold: lone halves of surrogate pairs and null characters."""


def storable(text: Any) -> Any:
    """A text without what cannot be stored, each character of which becomes a mark that shows it; else the value."""
    if not isinstance(text, str):
        return text
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


Words = Annotated[str, BeforeValidator(storable)]
Identifier = Annotated[Words, StringConstraints(min_length=1, max_length=128, pattern=r"^\S(.*\S)?$")]
VISIBLE = r"^[^\p{C}\p{Zl}\p{Zp}\s]([^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Zl}\p{Zp}\s])?$"
"""One line of visible characters without blanks at its ends: names stand where they must not deceive."""
Label = Annotated[Words, StringConstraints(min_length=1, max_length=80, pattern=VISIBLE)]

_LOOKS_BLANK = re.compile("[\u115f\u1160\u3164\uffa0\u2800]")
"""Letters and signs that show nothing, though Unicode counts them as such."""


def seen(name: str) -> str:
    """A name all of whose letters are seen. Asked at the doors only, so that what is stored can always be read.

    Raises:
        ValueError: one looks like a blank.
    """
    if _LOOKS_BLANK.search(name):
        raise ValueError("it holds a letter that looks like a blank")
    return name


class Record(BaseModel):
    """A record is never changed, and holds no keys but its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Picture(Record):
    """A picture as it is kept: the file's own bytes, found by their digest.

    In files to import it is a path or a data URL instead, whose content the reader takes in.
    """

    digest: str = Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the file.")
    format: Literal["png", "jpeg", "webp", "gif"] = Field(description="What the bytes are, whatever their name says.")
    width: int = Field(ge=1, description="Pixels.")
    height: int = Field(ge=1, description="Pixels.")
