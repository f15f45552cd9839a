"""Search in the traces of a set: prompts, answers, remarks, code, arguments and what tools returned.

A text is found that holds all words of what is searched for, wherever in it they stand; words in double quotes stand
one after the other, with any blanks between them. The case of letters makes no difference. Most records are passed over
as they lie in the store (`RubricTexts`): only what may hold all words is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from easel_app.scoring.tool_schemas import BY_NAME
from easel_app.scoring.tool_use import call_outcome
from easel_app.services.rubrics.analysis_views import Hit, Hits
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.tool_figures import sent
from easel_app.sources.jsontext import leaves
from easel_app.store.rubric_texts import LONGEST_PATTERN, RubricTexts
from easel_app.store.rubrics import AnswerKey

Where = Literal["prompt", "answer", "remark", "code", "arguments", "observation"]
MOST_HITS: Final = 200
"""Places that are told at once."""
MOST_COUNTED: Final = 1000
"""Places that are counted: what stands everywhere need not be found everywhere."""
MOST_QUERY: Final = 400
"""Characters that are searched for; what follows is left out."""
AROUND: Final = 60
"""Characters told before and after."""
MOST_TERMS: Final = 32
"""Words and phrases that are searched for; what follows is left out."""
MOST_PATTERNS: Final = 4
BETWEEN: Final = " · "
"""Between the fields of an observation, so that the last word of one and the first of the next are not side by side."""
_LEAST = 2
"""Letters that tell anything."""
_UNSURE = frozenset("ikIKsS")
"""Letters that signs beyond ASCII are equal to but for their case, such as that of the kelvin."""
_PIECE = re.compile(r"[ !#-\[\]-~]+")
"""What is written in JSON as it is: ASCII but the quote, the backslash and control characters."""
_TERM = re.compile(r'(?<!\S)"(.+?)(?:"(?!\S)|\Z)|(\S+)', re.DOTALL)
"""A phrase, which ends with the query where its second quote is not there yet; or a word, with any quotes within it."""
Text = tuple[Where, str]


class Look(NamedTuple):
    """What is searched for, and where; what is None narrows nothing."""

    q: str
    player: str | None = None
    tool: str | None = None
    """Only in calls of this tool, by either of its names."""
    where: Where | None = None
    failures: bool = False
    """Only in calls that failed."""

    @property
    def of_calls(self) -> bool:
        """Whether only calls are searched."""
        return self.tool is not None or self.failures


class _Place(NamedTuple):
    turn: int
    call: int | None
    round: int | None
    where: Where
    text: str


class TraceSearch:
    """Finds places in traces."""

    def __init__(self, library: RubricLibrary, texts: RubricTexts) -> None:
        self._library, self._texts = library, texts

    def hits(self, set_id: str, look: Look, limit: int = 50) -> Hits:
        """The places that hold what is searched for, each text once, by task: its prompts, then its answers.

        Args:
            set_id: which set.
            look: what is searched for: words, all of which a text must hold, and phrases in double quotes; without a
                word nothing is found.
            limit: places that are told, 200 at most.

        Raises:
            NotFound: no such set.
        """
        self._library.set(set_id)
        wanted = terms(look.q)
        if not wanted:
            return Hits(hits=[], total=0, more=False)
        find = _finder(wanted)
        hits: list[Hit] = []
        total = 0
        for key, place in self._places(set_id, look, patterns([word for term in wanted for word in term])):
            if found := find(place.text):
                if total == MOST_COUNTED:
                    return Hits(hits=hits, total=total, more=True)
                total += 1
                if total <= min(limit, MOST_HITS):
                    hits.append(_hit(key, place, found))
        return Hits(hits=hits, total=total, more=False)

    def _places(self, set_id: str, look: Look, found: list[str]) -> Iterator[tuple[AnswerKey, _Place]]:
        """All texts that may hold it, as far as the filters go."""
        prompts = look.where in (None, "prompt") and not look.of_calls
        tasks = set(self._texts.tasks(set_id, found)) if prompts else set()
        answers = self._texts.answers(set_id, found) if look.where != "prompt" else set()
        for key in self._library.store.answer_keys(set_id):
            if look.player not in (None, key.model):
                continue
            if key.task in tasks:  # once a task, with the first answer that fits
                tasks.remove(key.task)
                task = self._library.store.task_of(key.task)
                for number, turn in enumerate(task.record["turns"] if task else (), 1):
                    yield key, _Place(number, None, None, "prompt", turn["prompt"])
            answer = self._library.store.answer(key.id) if key.id in answers else None
            if answer:
                for place in _places(answer.record, look):
                    if look.where in (None, place.where):
                        yield key, place


def terms(q: str) -> list[tuple[str, ...]]:
    """What is searched for, each once: the words of a phrase that stood in double quotes, or a single word."""
    found = [tuple((phrase or word).split()) for phrase, word in _TERM.findall(q[:MOST_QUERY])]
    return list(dict.fromkeys(filter(None, found)))[:MOST_TERMS]


def _finder(wanted: Sequence[tuple[str, ...]]) -> Callable[[str], re.Match[str] | None]:
    """What finds all terms in a text: where they stand side by side, if they do, else the first place of any."""
    each = [_pattern(term) for term in sorted(wanted, key=lambda term: -sum(map(len, term)))]  # long ones are rare
    together = _pattern([word for term in wanted for word in term])

    def find(text: str) -> re.Match[str] | None:
        found = []
        for pattern in each:
            if (match := pattern.search(text)) is None:
                return None
            found.append(match)
        return found[0] if len(found) == 1 else together.search(text) or min(found, key=lambda match: match.start())

    return find


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    # each blank is taken for good, so that no text takes longer than its length
    return re.compile(r"\s++".join(map(re.escape, words)), re.IGNORECASE)


def patterns(words: list[str]) -> list[str]:
    """Patterns of SQLite's LIKE that fit every record which holds these words, be it under any case and escaped.

    LIKE takes only the letters of ASCII for equal whatever their case, and knows nothing of escapes. So the pieces of
    the words are taken that JSON writes as they are, with any sign for those letters of which that would not do.
    """
    pieces = [piece for word in words for piece in _PIECE.findall(word)]
    marked = ["".join("_" if letter in _UNSURE else letter for letter in piece).strip("_") for piece in pieces]
    telling = sorted({piece for piece in marked if len(piece.replace("_", "")) >= _LEAST}, key=lambda p: (-len(p), p))
    # an underscore of the words themselves fits any sign as well, which finds too much and not too little
    return [f"%{piece[:LONGEST_PATTERN].replace('%', '_')}%" for piece in telling[:MOST_PATTERNS]]


def _places(record: Mapping[str, Any], look: Look) -> Iterator[_Place]:
    for number, turn in enumerate(record["turns"], 1):
        if not look.of_calls:
            for remark in turn.get("remarks", ()):
                yield _Place(number, None, remark["round"], "remark", remark["text"])
        for place, call in enumerate(turn.get("calls", ()), 1):
            if _fits(call, look):
                for where, text in _texts(call):
                    yield _Place(number, place, call.get("round"), where, text)
        if not look.of_calls:
            yield _Place(number, None, None, "answer", turn["text"])


def _fits(call: Mapping[str, Any], look: Look) -> bool:
    if look.tool is not None and _tool(call["name"]) != _tool(look.tool):
        return False
    return not (look.failures and call_outcome(sent(call)).success)


def _tool(name: str) -> str:
    return BY_NAME[name].name if name in BY_NAME else name


def _texts(call: Mapping[str, Any]) -> Iterator[Text]:
    """The texts of a call, one of each kind."""
    arguments = call.get("arguments")
    if isinstance(arguments, Mapping) and isinstance(code := arguments.get("code"), str):
        yield "code", code
        arguments = {name: value for name, value in arguments.items() if name != "code"}
    yield "arguments", BETWEEN.join(leaves(arguments))
    yield "observation", BETWEEN.join(leaves(call.get("observation")))


def _hit(key: AnswerKey, place: _Place, found: re.Match[str]) -> Hit:
    first, last = found.span()
    text = place.text
    return Hit(
        answer=key.id,
        task_id=key.task_id,
        player=key.model,
        attempt=key.attempt,
        turn=place.turn,
        call=place.call,
        round=place.round,
        where=place.where,
        before=_line(text[max(0, first - 4 * AROUND) : first])[-AROUND:],
        found=_line(found.group()),
        after=_line(text[last : last + 4 * AROUND])[:AROUND],
    )


_BLANKS = re.compile(r"\s+")


def _line(text: str) -> str:
    """On one line, each run of blanks as one; a blank at an end stays, as it parts the text from what was found."""
    return _BLANKS.sub(" ", text)
