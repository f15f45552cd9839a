"""Hold mutated plans against the laws for as long as asked: python -m tests.plans.fuzz --minutes 5.

It mutates the given cases, plans of calls of all kinds, and its own finds: cut, repeat, swap, drop, insert what parsers
stumble over, join two. A crash, a broken law or a hang prints the text, as Python writes it, and ends with 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

from tests.plans import laws
from tests.plans.making import PARTS, SEARCH, TEXT, between, call, tag

MOST_SECONDS, MOST_SECONDS_A_CHARACTER = 0.5, 2e-5
"""Processor time that one text may take; the second for each of its characters."""
HANGS_AFTER = 60
LONGEST = 20_000
KEPT = 400


def seeds() -> list[str]:
    """Plans to begin with."""
    cases = json.loads((Path(__file__).parent / "cases" / "plan_parser_cases.json").read_text(encoding="utf-8"))[
        "cases"
    ]
    return [
        *(case["text"] for case in cases),
        *(between(call(tool)) for tool in ("reference", "search", "diffusion")),
        between(tag(repr(SEARCH), "imgen")),
        between(tag(json.dumps(SEARCH, indent=2), "tool_call")),
        between(tag(SEARCH | {"params": {"data": {"a": [1, 2.5, None, True, {"b": "</tool>"}]}}})),
        f"<think>{TEXT} {call()}</think>\n\n{between(call())}\n\n```\n{call()}\n```\n\n- {TEXT}\n  {call()}",
    ]


def mutated(text: str, others: list[str], rng: random.Random) -> str:
    """A text with one to six changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        start, end = sorted(rng.randint(0, len(text)) for _ in range(2))
        short = min(end, start + rng.choice((1, 1, 2, 8, 40)))
        match rng.randrange(8):
            case 0:
                text = text[:start] + text[short:]
            case 1:
                text = text[:start] + rng.choice(PARTS) + text[start:]
            case 2:
                text = text[:start] + rng.choice(PARTS) + text[short:]
            case 3:
                text = text[:start] + text[start:short] * rng.choice((2, 3, 50)) + text[short:]
            case 4:
                text = text[:end]
            case 5:
                text = (
                    text[:start]
                    + chr(rng.choice((rng.randrange(128), rng.randrange(0x3000), 0xD800, 0x1F600)))
                    + text[short:]
                )
            case 6:
                text = text + rng.choice(("\n\n", "\n", " ", "")) + rng.choice(others)
            case _:
                other = rng.choice(others)
                at = rng.randint(0, len(other))
                text = text[:start] + other[at : at + rng.choice((5, 30, 200))] + text[end:]
    return text[:LONGEST]


def main() -> int:
    """Fuzz; 1 when something broke."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=5)
    options.add_argument("--seed", type=int, default=int(time.time()))
    given = options.parse_args()
    rng, known = random.Random(given.seed), seeds()
    texts, told, slowest = list(known), Counter[str](), 0.0
    until, done, calls = time.monotonic() + 60 * given.minutes, 0, 0
    print(f"seed {given.seed}", flush=True)
    while time.monotonic() < until:
        text = mutated(rng.choice(texts), known, rng)
        other = rng.choice(known)
        faulthandler.dump_traceback_later(HANGS_AFTER, exit=True)
        try:
            start = time.process_time()
            plan = laws.check(text, pool_size=rng.choice((None, 0, 3)), index_base=rng.randrange(2))
            spent = time.process_time() - start
            assert spent < MOST_SECONDS + MOST_SECONDS_A_CHARACTER * len(text), f"{spent:.2f} s"
            for each in plan.calls[:20]:
                laws.read_again(each)
            second = laws.check(other)
            if laws.leaves_nothing_open(plan) and laws.leaves_nothing_open(second):
                laws.joined(plan, second)
        except Exception as error:
            print(f"after {done:,} texts: {type(error).__name__}: {error}\n{text!r}")
            raise
        new = {each.code for each in plan.problems} - told.keys()
        told.update({each.code for each in plan.problems})
        done, calls, slowest = done + 1, calls + len(plan.calls), max(slowest, spent)
        if new or rng.random() < 0.01:
            texts[len(known) :] = [*texts[len(known) :], text][-KEPT:]
    faulthandler.cancel_dump_traceback_later()
    print(f"{done:,} texts, {calls:,} calls, slowest with its laws {slowest:.3f} s, no crash, hang or lost call")
    print(", ".join(f"{code} {count}" for code, count in told.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
