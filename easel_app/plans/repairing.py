"""Reading an object that is no JSON but was meant to be: a reader that forgives, and says what it forgave.

It first trusts each quotation mark to end the string that it may end, as in a text that is JSON but for a comma, a
comment, its kind of quotation marks, or that breaks off. If that does not work out, or only with commas or quotation
marks missing, it reads once more and doubts them: a mark ends a value if a bracket, a comma with a further key, or the
end comes next, and else belongs to it. `ambiguous_repair` says that there is another way to read the text: where both
ways work out and differ, or where a mark was held to belong to a value and a comma or a bracket follows it.

Of each fault the first place is noted. What breaks off keeps what there is of it, but no key without a value. Nothing
looks ahead further than a key, and blanks and brackets in a row are passed over once, so the time is linear.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

from easel_app.plans.json_text import MOST_DEEP, NUMBER
from easel_app.plans.spaces import BLANK

CLOSERS: Final = {
    '"': '"',
    "'": "'",
    "“": '”“"',
    "”": '”“"',
    "„": '”“"',
    "‟": '”“"',
    "‘": "’‘'",
    "’": "’‘'",
    "＂": '＂"',
}
"""By the mark that opens a string, those that may close it."""
_QUOTES = "".join(CLOSERS)
_ENDS_OR_ESCAPES = {opener: re.compile(rf"\\.|[{closers}]", re.DOTALL) for opener, closers in CLOSERS.items()}
_SPACES = re.compile(r"[ \t\r\n]*+")
_ODD_SPACES = re.compile(rf"{BLANK}++")
_BRACKETS = re.compile(r"[\s}\]]*+")
_BARE_KEY = re.compile(r"[A-Za-z_$][\w$.-]{0,100}+")
_BARE_VALUE = re.compile(r"[^,{}\[\]\"\n]++")
_WORD_END = r"(?=[\s,}\]/#]|\Z)"
_CONSTANT = re.compile(rf"(?:(true|false|null)|(True|False|None)|(NaN|[-+]?Infinity)){_WORD_END}")
_NUMBER_ALONE = re.compile(NUMBER.pattern + _WORD_END)
_QUOTED_KEY = rf"[{_QUOTES}][^{_QUOTES}\\\n]{{0,100}}+"
_KEY_AHEAD = rf"(?:{_QUOTED_KEY}(?:[{_QUOTES}]\s*+(?::|\Z)|\Z)|[A-Za-z_]\w{{0,60}}+\s*+:\s*+[{_QUOTES}{{\[0-9tfnTFN-])"
_STRUCTURE = re.compile(r"\s*+[:}\]]|\s++[\"']")
_COMMENT = re.compile(r"\s*+(?:/\*|(?://|#)[^\n\"']{0,200}+\n)")
_NEXT_KEY = re.compile(rf"\s*+,[\s,]*+(?:[}}\]]|\Z|{_KEY_AHEAD}|{_COMMENT.pattern})")
_NEXT_ITEM = re.compile(
    rf"\s*+,[\s,]*+(?:[}}\]{{\[0-9{_QUOTES}-]|\Z|{_COMMENT.pattern}|(?:true|false|null|None|True|False)\b)"
)
_KEY_WITHOUT_COMMA = re.compile(rf"\s++{_QUOTED_KEY}[{_QUOTES}]\s*+:")
_CONTROL = re.compile(r"[\x00-\x1f]")
_TO_ESCAPE = re.compile(
    r"\\(?:(?P<legal>[\"\\/bfnrt]|u[0-9a-fA-F]{4})|(?P<partial>u[0-9a-fA-F]{0,3}\Z)|(?P<other>.)|\Z)|\"", re.DOTALL
)
_DOUBTFUL = frozenset(
    {"missing_comma", "unquoted_value", "bare_key", "trailing_garbage", "duplicate_object", "extra_brace"}
)
"""What an object that was read with trust in its quotation marks may have because they were not to be trusted."""
_PYTHON_ESCAPES = frozenset("'avxN0U\n")
_CONSTANTS: Final = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
WHOLE = re.compile(rf"\{{|[{_QUOTES}][A-Za-z_ ]{{1,40}}[{_QUOTES}]\s*:")
"""What a text begins with that can be read as an object: a brace, or a key if the brace was forgotten."""


class Fault(NamedTuple):
    """What had to be forgiven, and where."""

    code: str
    start: int
    end: int
    key: str | None = None
    """The key that it is about, if any."""


class Repaired(NamedTuple):
    """The object, and what had to be forgiven."""

    value: dict[str, Any]
    faults: tuple[Fault, ...]
    python_escapes: bool
    """Whether strings hold escapes of Python that JSON does not have, and that stand in the values as they were."""


class TooDeepError(Exception):
    """More levels than a call may have."""


class UnreadableError(Exception):
    """The text does not read as an object, even so."""


def repair(text: str, *, closed: bool) -> Repaired:
    """Read an object, forgiving what is not JSON.

    Args:
        text: without blanks at its edges; see `WHOLE` for how it begins.
        closed: whether its tag was closed; if not, a missing bracket means that it was cut off.

    Raises:
        TooDeepError: more than `MOST_DEEP` levels.
        UnreadableError: no way to read it is likely.
    """
    try:
        trusting = _Reader(text, closed, trusting=True).repaired()
    except (UnreadableError, TooDeepError):
        trusting = None
    if trusting:
        codes = {fault.code for fault in trusting.faults}
        if not codes & _DOUBTFUL and not (closed and "truncated" in codes):
            return trusting
    try:
        doubting = _Reader(text, closed, trusting=False).repaired()
    except UnreadableError:
        if not trusting:
            raise
        return _ambiguous(trusting, text)
    return _ambiguous(doubting, text) if trusting and repr(trusting.value) != repr(doubting.value) else doubting


def _ambiguous(found: Repaired, text: str) -> Repaired:
    if any(fault.code == "ambiguous_repair" for fault in found.faults):
        return found
    return found._replace(faults=(*found.faults, Fault("ambiguous_repair", 0, len(text))))


class _Frame:
    """An object or a list that is open."""

    __slots__ = ("comma", "holds")

    def __init__(self, holds: dict[str, Any] | list[Any]) -> None:
        self.holds = holds
        self.comma: int | None = None
        """Where the comma after its last entry stands, if there is one."""


class _Reader:
    def __init__(self, text: str, closed: bool, *, trusting: bool) -> None:
        self.text, self.closed, self.trusting, self.at = text, closed, trusting, 0
        self.faults: dict[str, Fault] = {}
        self.python_escapes = False
        self.frames: list[_Frame] = []

    def repaired(self) -> Repaired:
        return Repaired(self._read(), tuple(self.faults.values()), self.python_escapes)

    def note(self, code: str, start: int, end: int, key: str | None = None) -> None:
        self.faults.setdefault(code, Fault(code, start, end, key))

    @property
    def char(self) -> str:
        """What stands here; empty at the end."""
        return self.text[self.at : self.at + 1]

    def _read(self) -> dict[str, Any]:
        root: dict[str, Any] = {}
        self.frames.append(_Frame(root))
        if self.char == "{":
            self.at = 1
        else:
            self.note("missing_brace", 0, 0)
        while self.frames:
            self._entry(self.frames[-1])
        start = self.at
        rest = self.text[start:].strip()
        if rest:
            extra = "extra_brace" if not rest.strip("}] \t\r\n") else None
            code = extra or ("duplicate_object" if rest.startswith("{") else "trailing_garbage")
            self.note(code, start, len(self.text))
        return root

    def _entry(self, frame: _Frame) -> None:
        self._blanks()
        char = self.char
        if not char:
            self._cut_off(frame.comma is not None)
        elif char in "}]":
            self._close(char)
        elif char == ",":
            if frame.comma is not None or not frame.holds:
                self.note("trailing_comma", self.at, self.at + 1)
            frame.comma = self.at
            self.at += 1
        else:
            if frame.holds and frame.comma is None:
                self.note("missing_comma", self.at, self.at)
            frame.comma = None
            self._item(frame.holds) if isinstance(frame.holds, list) else self._pair(frame.holds)

    def _close(self, char: str) -> None:
        frame = self.frames[-1]
        kind: type = list if char == "]" else dict
        if frame.comma is not None:
            self.note("trailing_comma", frame.comma, frame.comma + 1)
        if isinstance(frame.holds, kind):
            self.at += 1
            self.frames.pop()
        elif any(isinstance(each.holds, kind) for each in self.frames):
            self.note("missing_brace", self.at, self.at)
            self.frames.pop()
        else:
            self.note("extra_brace", self.at, self.at + 1)
            frame.comma = None
            self.at += 1

    def _cut_off(self, inside: bool) -> None:
        """The text is over while something is open; inside: while more than brackets is missing."""
        code = "truncated" if inside or not self.closed else "missing_brace"
        self.note(code, len(self.text), len(self.text))
        self.at = len(self.text)
        self.frames.clear()

    def _pair(self, holds: dict[str, Any]) -> None:
        if self.char in CLOSERS:
            key = self._string(is_key=True)
        elif found := _BARE_KEY.match(self.text, self.at):
            self.note("bare_key", found.start(), found.end())
            key, self.at = found[0], found.end()
        else:
            raise UnreadableError
        self._blanks()
        if self.char == ":":
            self.at += 1
            self._blanks()
        elif self.char:
            raise UnreadableError
        if not self.char:
            self._cut_off(inside=True)
            return
        value = self._value()
        if value is not _NOTHING:
            if key in holds:
                self.note("duplicate_key", self.at, self.at, key)
            holds[key] = value

    def _item(self, holds: list[Any]) -> None:
        value = self._value()
        if value is not _NOTHING:
            holds.append(value)

    def _value(self) -> Any:
        char = self.char
        if char in "{[":
            if len(self.frames) == MOST_DEEP:
                raise TooDeepError
            self.at += 1
            holds: dict[str, Any] | list[Any] = {} if char == "{" else []
            self.frames.append(_Frame(holds))
            return holds
        return self._string(is_key=False) if char in CLOSERS else self._bare()

    def _bare(self) -> Any:
        """A number, a constant, or a text without quotation marks."""
        text, start = self.text, self.at
        if found := _NUMBER_ALONE.match(text, start):
            self.at = found.end()
            if self.at == len(text) and not self.closed:  # more digits may have been lost
                self.note("ambiguous_repair", start, self.at)
            return self._number(found[0], start)
        if found := _CONSTANT.match(text, start):
            self.at = found.end()
            if found[2]:
                self.note("python_literal", start, self.at)
            elif found[3]:
                self.note("non_finite_number", start, self.at)
                return float(found[3])
            return _CONSTANTS[found[0]]
        found = _BARE_VALUE.match(text, start)
        said = found[0].strip() if found else ""
        if not said or not found:
            raise UnreadableError
        self.at = found.end()
        if self.at == len(text):
            self._cut_off(inside=True)
            return _NOTHING
        if self.char in '{["':
            raise UnreadableError
        self.note("unquoted_value", start, start + len(said))
        return said

    def _number(self, digits: str, start: int) -> int | float:
        if digits.lstrip("-").isdecimal() and len(digits) <= 4000:
            return int(digits)
        value = float(digits)
        if value - value != 0:
            self.note("non_finite_number", start, self.at)
        return value

    def _string(self, *, is_key: bool) -> str:
        text, start = self.text, self.at
        opener = text[start]
        if opener not in "\"'":
            self.note("smart_quotes", start, start + 1)
        elif opener == "'":
            self.note("single_quotes", start, start + 1)
        inner: list[int] = []
        at, pattern = start + 1, _ENDS_OR_ESCAPES[opener]
        while found := pattern.search(text, at):
            at = found.end()
            if found[0][0] == "\\":
                continue
            if is_key or self.trusting or self._ends_value(at):
                break
            inner.append(found.start())
        end = found.start() if found else len(text)
        if inner:
            self.note("unescaped_quote", inner[0], inner[0] + 1)
            if (
                text.find(",", inner[0], end) >= 0
                or any(_STRUCTURE.match(text, each + 1) for each in inner)
                or not found
            ):
                self.note("ambiguous_repair", inner[0], end)
        said = self._said(start + 1, end, opener, cut=not found)
        if found:
            self.at = at
            return said
        if self.closed and not is_key:  # the value has swallowed what was to follow
            if inner:
                raise UnreadableError
            self.note("ambiguous_repair", start, end)
        self._cut_off(inside=True)
        return said

    def _ends_value(self, after: int) -> bool:
        """Whether a quotation mark before a place ends a value, by what stands there."""
        text, frames = self.text, self.frames
        found = _SPACES.match(text, after)
        here = found.end() if found else after
        char = text[here : here + 1]
        if not char or _COMMENT.match(text, here):
            return True
        if char in "}]":
            run = _BRACKETS.match(text, here)
            brackets = sum(map(run[0].count, "}]")) if run else 0
            end = here + len(run[0].rstrip()) if run else here
            return brackets >= len(frames) or end == len(text) or self._goes_on(end, len(frames) - brackets - 1)
        return self._goes_on(after, len(frames) - 1)

    def _goes_on(self, at: int, level: int) -> bool:
        """Whether at a place something follows that parts an entry of an object or list from the next."""
        if _COMMENT.match(self.text, at):
            return True
        if isinstance(self.frames[level].holds, list):
            return _NEXT_ITEM.match(self.text, at) is not None
        return (_NEXT_KEY.match(self.text, at) or _KEY_WITHOUT_COMMA.match(self.text, at)) is not None

    def _said(self, start: int, end: int, opener: str, *, cut: bool) -> str:
        """What a string says, from the text between its quotation marks; cut: if the second one is missing."""
        raw = self.text[start:end]
        if found := _CONTROL.search(raw):
            self.note("control_char", start + found.start(), start + found.end())
        if "\\" not in raw:
            return raw
        python = opener == "'"

        def legal(found: re.Match[str]) -> str:
            if found["legal"]:
                return found[0]
            if found[0] == '"':
                return '\\"'
            other = found["other"] or found["partial"]
            if not other or (cut and found["partial"]):  # an escape with which the text breaks off
                return ""
            if other in _QUOTES:
                if not python:
                    self.note("bad_escape", start + found.start(), start + found.end())
                return other
            if python and other in _PYTHON_ESCAPES:
                self.python_escapes = True
            else:
                self.note("bad_escape", start + found.start(), start + found.end())
            return f"\\\\{other}"

        said: str = json.loads(f'"{_TO_ESCAPE.sub(legal, raw)}"', strict=False)
        if cut and "\ud800" <= said[-1:] <= "\udbff":  # the first half of a pair, of which the second is lost
            return said[:-1]
        return said

    def _blanks(self) -> None:
        """Go past blanks and comments."""
        text = self.text
        while True:
            found = _SPACES.match(text, self.at)
            self.at = found.end() if found else self.at
            if odd := _ODD_SPACES.match(text, self.at):
                self.note("odd_space", odd.start(), odd.end())
                self.at = odd.end()
            elif text.startswith(("//", "#", "/*"), self.at):
                self._comment()
            else:
                return

    def _comment(self) -> None:
        start, text = self.at, self.text
        mark = "*/" if text.startswith("/*", start) else "\n"
        end = text.find(mark, start + 2 if mark == "*/" else start)
        self.at = len(text) if end < 0 else end + len(mark)
        self.note("comment", start, self.at)


_NOTHING: Final = object()
"""In place of a value of which too little is there."""
