"""A model that judges: it reads what a request shows it with a parser of its own, and says what a test wants it to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.endpoint.app import Answer, Body, Headers, Script
from tests.endpoint.painter import completion, words

NAMES = ("question", "reference answer", "answer", "criterion")


@dataclass(frozen=True)
class Asked:
    """What a request shows a judge."""

    mark: str
    question: str
    reference: str | None
    answer: str
    criterion: str


def asked(body: Body) -> Asked:
    """The texts between the marks of a request; what a text holds never ends it, since its mark is not there."""
    user = words({"messages": [message for message in body["messages"] if message["role"] == "user"]})
    (mark,) = re.findall(r"\AThe mark of this request is ([0-9a-f]+)\.\n", user)
    texts: dict[str, str | None] = {}
    for name in NAMES:
        begin, end = f"[BEGIN {name} {mark}]\n", f"\n[END {name} {mark}]"
        if begin not in user:
            texts[name] = None
            continue
        assert user.count(begin) == user.count(end) == 1, f"{name} begins or ends more than once"
        texts[name] = user[user.index(begin) + len(begin) : user.index(end)]
    question, reference, answer, criterion = (texts[name] for name in NAMES)
    assert question is not None and answer is not None and criterion is not None
    return Asked(mark, question, reference, answer, criterion)


def met(shown: Asked) -> bool:
    """Whether the answer holds all words that the criterion quotes."""
    return all(word in shown.answer for word in re.findall(r'"([^"]*)"', shown.criterion))


def verdict(shown: Asked, says: Callable[[Asked], bool] = met) -> str:
    """A judge's reply: the object that is asked for."""
    yes = says(shown)
    evidence = next((word for word in re.findall(r'"([^"]*)"', shown.criterion) if word in shown.answer), None)
    reason = f"The answer {'holds' if yes else 'lacks'} what the criterion asks for."
    return json.dumps({"reason": reason, "evidence": evidence, "verdict": "met" if yes else "not_met"})


def grader(number: int, body: Body, headers: Headers) -> Answer:
    """A judge without fault."""
    return completion(body, {"content": verdict(asked(body))})


def saying(say: Callable[[Asked, str], str], *then: Callable[[Asked, str], str]) -> Script:
    """A judge that makes what it says from what it is shown and from its verdict; asked to correct it, the next way."""
    turns = [say, *then]

    def script(number: int, body: Body, headers: Headers) -> Answer:
        shown = asked(body)
        again = sum("That is not the JSON object" in words({"messages": [m]}) for m in body["messages"])
        return completion(body, {"content": turns[min(again, len(turns) - 1)](shown, verdict(shown))})

    return script
