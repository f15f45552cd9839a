"""How long plans take to be read, linted and shown. Run: python -m benchmarks.plans [--quick].

A corpus of made-up plans of average length: 4.32 calls and five paragraphs; one call in six is no plain JSON. Beside it
texts that parsers stumble over: tags within tags, and strings, keys and marks without an end. How their time grows is
measured without the limit on calls of a plan, which would flatter it, and without Python's collector, whose passes
depend on all else in memory: tenfold is linear, a hundredfold the square.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import time
from typing import Any

from easel_app.plans import parse_plan, segments

PLANS, CALLS = 7_702, 4.32
MOST_SECONDS = 10.0
"""Processor time that all plans may take."""
MOST_SECONDS_HOSTILE = 1.0
"""Processor time for a million characters of nested tags."""
LENGTH, GROWN = 1_000_000, 200_000
MOST_GROWTH = 20.0
"""From a tenth of the length, as short times are measured badly."""
WORDS = "the mill stands by a river and turns slowly while water runs over its wheel".split()  # noqa: SIM905 - a sentence
NESTED = {
    "open tags": "<tool>",
    "tags in objects": '<tool>{"a":',
    "tags in strings": '<tool>{"tool_name":"search","params":{"query":"',
    "strings of two minds": '<tool>{":":","',
    "escapes": '<tool>{"a":"\\',
    "braces": "<tool>{",
    "fences": "<tool>```json\n{",
    "blank lines": "<tool>{\n\n",
    "names": "<tool>{name",
    "thinking": "<think></think>",
    "close tags": "</tool>",
}
"""Repeated to the length."""


def sentence(rng: random.Random) -> str:
    """Some words with a full stop."""
    return " ".join(rng.choices(WORDS, k=rng.randint(8, 22))).capitalize() + "."


def call(rng: random.Random) -> str:
    """A call; one in six is no JSON."""
    tool, params = rng.choice(
        (
            ("reference", {"img_index": rng.randrange(9)}),
            ("search", {"query": sentence(rng)}),
            ("diffusion", {"prompt": " ".join(sentence(rng) for _ in range(3))}),
            ("edit", {"img_index": rng.randrange(9), "prompt": sentence(rng)}),
            ("code", {"diagram_type": "bar", "data": {word: rng.randrange(99) for word in rng.sample(WORDS, 8)}}),
        )
    )
    value: dict[str, Any] = {"tool_name": tool, "description": sentence(rng), "params": params}
    body = json.dumps(value)
    match rng.randrange(30):
        case 0:
            body = repr(value)
        case 1:
            body = body[:-1] + ",}"
        case 2:
            body = body.replace("the ", 'the "old" ')
        case 3:
            body = body[: len(body) // 2]
        case 4:
            body = f"```json\n{body}\n```"
    return f"<tool>{body}</tool>"


def plan(rng: random.Random) -> str:
    """A plan: paragraphs, and a call behind some."""
    calls = int(CALLS) + (rng.random() < CALLS % 1)
    parts = [" ".join(sentence(rng) for _ in range(rng.randint(2, 5)))]
    for _ in range(calls):
        parts += [call(rng), " ".join(sentence(rng) for _ in range(rng.randint(2, 5)))]
    return "\n\n".join(parts)


def seconds(text: str, times: int = 1) -> float:
    """Processor time to read a text, the least of some times."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        parse_plan(text, pool_size=9)
        spent.append(time.process_time() - start)
    return min(spent)


def corpus(count: int) -> bool:
    """Time plans of average length."""
    rng = random.Random(0)  # noqa: S311 - no secret
    texts = [plan(rng) for _ in range(count)]
    start = time.process_time()
    read = [parse_plan(text, pool_size=9) for text in texts]
    spent = time.process_time() - start
    calls = [each for one in read for each in one.calls]
    statuses = {status: sum(each.status == status for each in calls) for status in ("strict", "lenient", "repaired")}
    print(
        f"{count:,} plans of {sum(map(len, texts)) / count:,.0f} characters, {len(calls) / count:.2f} calls {statuses}:"
    )
    whole = spent / count * PLANS
    print(f"{spent:.2f} s of processor time, {count / spent:,.0f} plans/s; of {PLANS:,} at most {MOST_SECONDS:.0f} s")
    return whole <= MOST_SECONDS


def hostile() -> bool:
    """Time a million characters of nested tags, and how the time grows from a tenth of some length."""
    print(f"\n{'':>22} {LENGTH:>10,} characters; without a limit {GROWN // 10:,} and {GROWN:,}: growth")
    limit, good = segments.MOST_CALLS, True
    for name, piece in NESTED.items():
        spent = seconds(piece * (LENGTH // len(piece)))
        segments.MOST_CALLS = LENGTH  # type: ignore[misc]
        gc.disable()
        short, long = (seconds(piece * (length // len(piece)), 3) for length in (GROWN // 10, GROWN))
        gc.enable()
        segments.MOST_CALLS = limit  # type: ignore[misc]
        held = spent <= MOST_SECONDS_HOSTILE and long <= MOST_GROWTH * max(short, 1e-3)
        good &= held
        print(
            f"{name:>22} {spent:>9.3f}s {short:>30.4f}s {long:>8.3f}s {long / short:>7.1f}{'' if held else ' TOO SLOW'}"
        )
    print(f"at most {MOST_SECONDS_HOSTILE:.0f} s, and at most {MOST_GROWTH:.0f} times as long for ten times the length")
    return good


def main() -> bool:
    """Print the times, the page's last; whether all hold what we promise."""
    from benchmarks.plan_page import main as page  # it makes its plans with what stands here

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="a tenth of the plans")
    quick = options.parse_known_args()[0].quick
    print(f"\nPlans; load {os.getloadavg()[0]:.1f}")
    return corpus(PLANS // 10 if quick else PLANS) & hostile() & page()


if __name__ == "__main__":
    raise SystemExit(not main())
