"""Whether a model's text may stand before an action: short, plain, and as if only reference and canvas were known."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from easel_app.painting.stroke import STROKE_FIELDS

MOST_SENTENCES, MOST_CHARACTERS, FEWEST_CHARACTERS = 3, 600, 12
MOST_READ = 20_000
"""Characters of a reply that are kept and looked at."""
THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
LABEL = re.compile(r"\A(?:(?:thoughts?|reasoning|painter|answer)\s*:\s*)+", re.IGNORECASE)
QUOTES = {'"': '"', "“": "”", "'": "'", "«": "»"}
ENDS = re.compile(r"[.!?…]+[\"”')\]]*(?=\s|\Z)|[。！？]+")
ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|approx|ca|cf|vs|etc|px|no)\.", re.IGNORECASE)
MARKUP = re.compile(r"```|^[ \t]*(?:#{1,6}\s|[-*•]\s|\d+[.)]\s|>\s)|\*\*|</?[a-z]+>", re.MULTILINE | re.IGNORECASE)
KEYS = re.compile(rf"\b(?:{'|'.join(name for name in STROKE_FIELDS if '_' in name)}|brush_stroke)\b", re.IGNORECASE)
NUMBERS = re.compile(r"(?:\b\d+(?:\.\d+)?%?\s*[,;/|]\s*){2}\d|\(\s*\d+(?:\.\d+)?\s*,\s*\d+(?:\.\d+)?\s*\)")
"""Three numbers in a row, or a pair in brackets."""
_WHAT = r"(?:answers?|strokes?|actions?|solutions?|steps?|moves?|parameters|data|task|instructions?|prompt)"
TOLD = re.compile(
    rf"\b(?:given|provided|supplied|shown|chosen|selected|specified|correct|expected|target|listed)\s+{_WHAT}\b"
    rf"|\b{_WHAT}\s+(?:that\s+)?(?:(?:is|was|are|were)\s+)?(?:given|provided|supplied|shown|specified|listed)\b"
    r"|\bground[- ]truth\b|\bas (?:given|provided|instructed|requested|specified)\b"
    r"|\b(?:third|3rd|last|final|resulting) (?:picture|image|canvas)\b|\b(?:canvas|picture|image) after\b"
    r"|\bafter (?:the|this) stroke\b",
    re.IGNORECASE,
)
OTHERS = re.compile(r"\bthe painter\b|\bas an ai\b|\blanguage model\b", re.IGNORECASE)


class Fault(NamedTuple):
    """Why a text cannot be used."""

    code: str
    words: str
    """As a part of a sentence, for the model."""


class Unfit(Exception):
    """A text cannot be used."""

    def __init__(self, fault: Fault) -> None:
        """Keep why."""
        super().__init__(fault.words)
        self.fault = fault


RULES: Mapping[str, tuple[Callable[[str], object], str]] = {
    "empty": (lambda text: not text, "it is empty"),
    "action": (lambda text: re.search(r"[{}\[\]]", text) or KEYS.search(text), "it holds the action itself"),
    "numbers": (NUMBERS.search, "it lists numbers or coordinates instead of saying where things are"),
    "told": (TOLD.search, "it shows that the stroke or what comes of it was known beforehand, or speaks of the task"),
    "voice": (OTHERS.search, "it speaks of the painter or of a model instead of thinking as the painter does"),
    "too short": (lambda text: len(text) < FEWEST_CHARACTERS, "it is no sentence"),
    "too long": (
        lambda text: len(text) > MOST_CHARACTERS or _sentences(text) > MOST_SENTENCES,
        f"it is longer than {MOST_SENTENCES} sentences or {MOST_CHARACTERS} characters",
    ),
}
"""What a text on one line must not be, by code, in the order in which it is looked for."""


def checked(said: str, ended: str) -> str:
    """The text of a reply on one line, without what surrounds it.

    Args:
        said: the reply.
        ended: how it ended: `stop`, `length` (it was cut off) or `refused`.

    Raises:
        Unfit: it cannot be used.
    """
    if ended == "refused":
        raise Unfit(Fault("refused", "it is a refusal"))
    lines = "".join(char if char.isprintable() or char == "\n" else " " for char in THOUGHTS.sub("", said[:MOST_READ]))
    text = _bare(" ".join(lines.split()))
    if ended == "length" and text:
        raise Unfit(Fault("cut off", "it was cut off before its end"))
    if MARKUP.search(lines) or MARKUP.search(text):
        raise Unfit(Fault("markup", "it has headings, lists, fences or tags"))
    for code, (wrong, words) in RULES.items():
        if wrong(text):
            raise Unfit(Fault(code, words))
    return text


def _bare(text: str) -> str:
    """A text without labels before it and quotes around it."""
    shorter = LABEL.sub("", text)
    if len(shorter) > 1 and QUOTES.get(shorter[0]) == shorter[-1] and shorter[0] not in shorter[1:-1]:
        shorter = shorter[1:-1].strip()
    return text if shorter == text else _bare(shorter)


def _sentences(text: str) -> int:
    """Sentences that a text has, as far as its marks tell."""
    found = [match.end() for match in ENDS.finditer(ABBREVIATED.sub("", text))]
    return len(found) + (not found or bool(ABBREVIATED.sub("", text)[found[-1] :].strip()))
