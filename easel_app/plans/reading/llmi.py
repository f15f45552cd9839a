"""Rows of LLM-I (arXiv 2509.13642): a prompt with images, criteria r1 to r10, and the answer of its scripts perhaps.

Indices count from 0 over the images that were given, then over the outputs of the tags in their order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from easel_app.plans.reading.answers import answers
from easel_app.plans.reading.drafts import Draft, How, Value, id_of, labels, text_of
from easel_app.plans.reading.pools import images
from easel_app.sources.found import Fault

ORIGIN: Final = "LLM-I row"
_NUMBERED: Final = tuple(f"r{number}" for number in range(1, 11))
_TAG = re.compile(r"<\s*(?:imgen|tool)\b", re.IGNORECASE)
_ANSWERS: Final = ("model_answer", "answer", "output", "response")


def is_row(value: Value) -> bool:
    """Whether an entry is a row of LLM-I."""
    tagged = any(isinstance(value.get(name), str) and "<imgen" in value[name] for name in _ANSWERS)
    return "prompt" in value and ("images" in value or tagged or any(name in value for name in _NUMBERED))


def read(value: Value, how: How) -> Draft:
    """What a row holds: r1 to r10 are criteria, but those of them that hold a tag are answers.

    Raises:
        NotUsable: a field holds what does not belong there.
    """
    prompt, given = _prompt(value["prompt"]), images(value.get("images"), "images")
    numbered = {name: value[name] for name in _NUMBERED if name in value}
    plans = [text for text in numbered.values() if isinstance(text, str) and _TAG.search(text)]
    several = {"answers": plans} if plans and "answers" not in value else {}
    found = answers({**value, **several}, how.planner, _ANSWERS)
    criteria = len(numbered) - len(plans)
    why = f"its {criteria} criteria are left out, for plans are judged by other ones here"
    return Draft(
        ORIGIN,
        id_of(value, ("id", "sample_id"), prompt, given),
        {**labels(value), "query": prompt, "query_images": given, "index_base": 0},
        [{**each, "index_base": 0, "outputs_count": True} for each in found],
        notes=(Fault("r1", why),) if criteria else (),
    )


def _prompt(value: Any) -> str:
    """A prompt's text, or that of the messages of a chat."""
    if not isinstance(value, list):
        return text_of(value, "prompt")
    messages = [each.get("content") if isinstance(each, Mapping) else each for each in value]
    return "\n\n".join(text_of(each, f"prompt.{at}") for at, each in enumerate(messages))
