"""Make the sample set of plans from its sources: `python -m tools.build_plan_sample` (`--check` only says whether the
files are what the sources make; with names of sources, it writes nothing and tells what is found in their plans).

`data/plans/sample/source/*.txt` is written by hand, one file a category, in the order of their names. From them come
`data/plans/sample/1-queries.jsonl`, `2-answers.jsonl`, `3-reports.jsonl` and `4-votes.jsonl` (`easel-plans/1`).

A source is parted by lines that begin with `@@`; what follows such a line up to the next is its text, without blank
lines at its edges. `{{U+202E}}` in it stands for a character that is better not there as itself.

    @@ category Recipe
    @@ query recipe-espresso            its id, unique; then, each if wanted, on lines of their own:
    intent: Dish from a photo           `intent:` a label; `base: 1` index of the first image in the reference answer
    order: documents_first              (else 0); `order:` of the pool (else query_first: the user's own images first)
    @@ ask                              what the user asks; before it one line for each image of their own:
    ! tasks/natural-05.png Cup on a saucer          path within data/, then its name
    ! (missing) steam-wand.jpg: It was not in the archive.       an image that keeps its place, without a file
    What did I do wrong with this espresso?
    @@ document                         once for each document, likewise: its images, then its text
    ! tasks/natural-25.png Crema
    Crema is …
    @@ reference                        the reference answer, a plan, word for word
    @@ plan Ash                         a planner's plan, word for word; `@@ plan Ash, base 1` if it counts from 1
    @@ no plan Cedar                    there is none; the text says why
    @@ judge Sample judge               what a judge's inspectors say of the plan before it
    1 ++ 2222 Reason.                   call 1; gates necessary and in its boundary (+ or -); placement, coherence,
    2 +- 2212 [edit] Reason.            parameters, format; in brackets the tool that it should have been
    calls: Summary of the Precision Inspector.
    gap procedural_gap major diffusion "words of the plan" Reason, without quotation marks in the quoted words.
    gaps: Summary of the Recall Inspector.
    fs 72 Reason of the Chief Judge.    or, with what decided it: fs 72 (calls 1, 2; gaps 1) Reason.
    unscored chief Reason.              instead of what an inspector says: why there is no report
    @@ reviewer Sample reviewer 1, 2026-03-02 10:00       votes on the plan before it, a minute apart
    call 1 ++ 2222 Note, if any.        `seen call 1 …`: cast after the judge's word was shown, so not blind
    gaps none Note.                     or: gaps procedural_gap 3, dangling_reference 5: Note.     (kind, after block)
    gap Sample judge/1 upheld Note.     or `rejected`; never blind, since the gap is the judge's
    fs 70 Note.
    plan revise Note.                   or accept, reject
    seen fs 70 -                        `-` instead of what is said takes the vote back

Lines of `judge` and `reviewer` that begin with two spaces go on with the line before. What can be derived is not
written down: success, the tier, the number of gaps, the block after which a picture is missing. Each report is checked
against its plan: every call once, quotes found word for word, formats no better than the parser says.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from easel_app.plans import Plan, parse_plan
from easel_app.plans.checking import read_report
from easel_app.plans.files import FORMAT, ReportRecord, SetLine, VoteRecord
from easel_app.plans.reports import Inspector, Report
from easel_app.plans.rules import format_score
from easel_app.scoring.plan import fs_tier

DATA = Path(__file__).resolve().parents[1] / "data"
SAMPLE = DATA / "plans" / "sample"
LICENCE = (
    "Texts and drawings: Apache-2.0. Photographs: public domain, CC0 1.0 or CC BY 2.0; one emoji: MIT. Authors and the "
    "licence of each picture: data/plans/SOURCES.md."
)
SOURCE = (
    "Written for Easel Studio. Ash, Birch and Cedar are fictional planners, whose faults were put in on purpose; the "
    "judges and reviewers are made up too. No model, judge or person stands behind them, and no figure computed from "
    "this set says anything about any."
)
FIRST = SetLine(name="Sample: three planners", sample=True, source=SOURCE, licence=LICENCE)
Entry = dict[str, Any]
_CALL = r"(?P<gates>[+-]{2}) (?P<scores>[0-2]{4})"
_JUDGED = re.compile(rf"(?P<call>\d+) {_CALL} (?:\[(?P<tool>\w+)\] )?(?P<reason>.+)")
_GAP = re.compile(r"gap (?P<type>\w+) (?P<severity>\w+) (?P<tool>\w+) \"(?P<quote>[^\"]+)\" (?P<reason>.+)")
_FINAL = re.compile(r"fs (?P<fs>\d+) (?:\((?P<decisive>(?:calls|gaps) [\d, ;a-z]+)\) )?(?P<reason>.+)")
_SAID = re.compile(r"(?P<what>calls|gaps): (?P<summary>.+)|unscored (?P<inspector>\w+) (?P<why>.+)")
_VOTE = re.compile(
    rf"(?P<seen>seen )?(?:call (?P<call>\d+) (?:{_CALL}|-)|gap (?P<gap>.+/\d+) (?P<upheld>upheld|rejected|-)"
    r"|gaps (?P<gaps>none|-|\w+ \d+(?:, \w+ \d+)*:?)|fs (?P<fs>\d+|-)|plan (?P<plan>\w+|-))(?: (?P<note>.+))?"
)
_IMAGE = re.compile(r"! (?:\(missing\) (?P<lost>[^:]+): (?P<why>.+)|(?P<path>\S+) (?P<name>.+))")
_CHARACTER = re.compile(r"\{\{U\+([0-9A-F]{4,6})\}\}")


class SourceError(ValueError):
    """A source is not as it should be; the message says where and why."""


class Section(NamedTuple):
    """What stands under one line that begins with `@@`."""

    head: str
    text: str
    where: str


@dataclass
class Sample:
    """The entries that the sources make, by the file that they stand in."""

    queries: list[Entry] = field(default_factory=list)
    answers: list[Entry] = field(default_factory=list)
    reports: list[Entry] = field(default_factory=list)
    votes: list[Entry] = field(default_factory=list)
    plans: dict[tuple[str, str], Plan] = field(default_factory=dict)
    """By query and planner; the reference answer's under an empty name."""

    def files(self) -> dict[str, bytes]:
        """Name and content of each file, votes in the order in which they were cast."""
        votes = sorted(self.votes, key=lambda vote: vote["at"])
        named = {
            "1-queries.jsonl": [json.loads(FIRST.model_dump_json()), *self.queries],
            "2-answers.jsonl": self.answers,
            "3-reports.jsonl": self.reports,
            "4-votes.jsonl": votes,
        }
        return {name: "".join(f"{json.dumps(entry)}\n" for entry in each).encode() for name, each in named.items()}


def sections(path: Path) -> Iterator[Section]:
    """The parts of a source, in order."""
    head, start, lines = "", 0, list[str]()
    for number, line in enumerate([*path.read_text(encoding="utf-8").split("\n"), "@@ "], 1):
        if not line.startswith("@@ "):
            lines.append(line)
            continue
        text = re.sub(r"\A(?:[ \t]*\n)+|\s+\Z", "", "\n".join(lines))
        if head:
            yield Section(head, _CHARACTER.sub(lambda code: chr(int(code[1], 16)), text), f"{path.name}:{start}")
        elif text:
            raise SourceError(f"{path.name}: it begins with text that stands under no line with @@")
        head, start, lines = line[3:].strip(), number, []


class Reader:
    """Reads sources one after the other into a sample."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.category = ""
        self.query: Entry = {}
        self.answer: Entry = {}

    def read(self, section: Section) -> None:
        """Take a part of a source in.

        Raises:
            SourceError: it is not as it should be.
        """
        try:
            self._read(section)
        except (ValidationError, ValueError, KeyError) as error:
            raise SourceError(f"{section.where}: @@ {section.head}: {error}") from None

    def _read(self, section: Section) -> None:
        head, text = section.head, section.text
        kind, _, rest = head.partition(" ")
        if kind == "category":
            self.category = rest
        elif kind == "query":
            self._begin(rest, text)
        elif head in ("ask", "document"):
            images, words = _images(text)
            if head == "ask":
                self.query.update(query=words, query_images=images)
            else:
                self.query["documents"].append({"text": words, "images": images})
        elif head == "reference":
            self.query["reference"] = text
            self.sample.plans[self.query["id"], ""] = self._plan(text, self.query["index_base"])
        elif kind == "plan" or head.startswith("no plan "):
            self._answer(rest.removeprefix("plan "), text, lost=kind == "no")
        elif kind == "judge":
            self._judge(rest, _lines(text))
        elif kind == "reviewer":
            self._review(rest, _lines(text))
        else:
            raise ValueError("there is no such part")

    def _begin(self, query_id: str, text: str) -> None:
        if any(query["id"] == query_id for query in self.sample.queries):
            raise ValueError("there is a query of that id already")
        said = dict(line.split(": ", 1) for line in text.splitlines())
        if said.keys() - {"intent", "base", "order"}:
            raise ValueError("only intent, base and order can be said here")
        self.query = {
            "type": "query", "id": query_id, "category": self.category, "intent": said.get("intent"), "query": "",
            "query_images": [], "documents": [], "pool_order": said.get("order", "query_first"),
            "index_base": int(said.get("base", 0)), "reference": None,
        }  # fmt: skip
        self.sample.queries.append(self.query)

    def _answer(self, head: str, text: str, *, lost: bool) -> None:
        planner, _, base = head.partition(", base ")
        self.answer = {"type": "answer", "query_id": self.query["id"], "planner": planner, "text": "" if lost else text}
        if base:
            self.answer["index_base"] = int(base)
        if lost:
            self.answer["no_output"] = text
        if self._key in self.sample.plans:
            raise ValueError("there is a plan of that planner already")
        self.sample.answers.append(self.answer)
        self.sample.plans[self._key] = self._plan(self.answer["text"], int(base or 0))

    @property
    def _key(self) -> tuple[str, str]:
        return self.answer["query_id"], self.answer["planner"]

    def _plan(self, text: str, base: int) -> Plan:
        pool = len(self.query["query_images"]) + sum(len(each["images"]) for each in self.query["documents"])
        return parse_plan(text, pool_size=pool, index_base=base)

    def _judge(self, judge: str, lines: list[str]) -> None:
        plan = self.sample.plans[self._key]
        calls, gaps, summaries, unscored = list[Entry](), list[Entry](), dict[str, str](), dict[str, str]()
        chief: Entry | None = None
        for line in lines:
            if said := _JUDGED.fullmatch(line):
                calls.append(_judged(said, plan))
            elif said := _GAP.fullmatch(line):
                gaps.append({"gap_id": len(gaps) + 1, **_gap(said, plan)})
            elif said := _FINAL.fullmatch(line):
                chief = _final(said)
            elif (said := _SAID.fullmatch(line)) and said["what"]:
                summaries[said["what"]] = said["summary"]
            elif said:
                unscored[said["inspector"]] = said["why"]
            else:
                raise ValueError(f"this cannot be read: {line!r}")
        found: dict[Inspector, Entry | None] = {
            "precision": {"calls": calls, "summary": summaries.get("calls", "")},
            "recall": {"gaps": gaps, "mi": len(gaps), "summary": summaries.get("gaps", "")},
            "chief": chief,
        }
        others: dict[Inspector, Report] = {}
        for inspector, content in found.items():
            entry = {"type": "report", **self._place(), "judge": judge, "inspector": inspector}
            entry |= {"unscored": unscored[inspector]} if inspector in unscored else {"report": content}
            ReportRecord.model_validate(entry)
            if "report" in entry:
                others[inspector] = _fitting(plan, inspector, content, others)
            self.sample.reports.append(entry)

    def _review(self, head: str, lines: list[str]) -> None:
        reviewer, at = head.split(", ")
        cast, plan = datetime.fromisoformat(at), self.sample.plans[self._key]
        for number, line in enumerate(lines):
            said = _VOTE.fullmatch(line)
            if not said:
                raise ValueError(f"this cannot be read: {line!r}")
            about, key, content = _vote(said)
            if about == "call" and not 1 <= int(key) <= len(plan.calls):
                raise ValueError(f"there is no call {key}")
            if any(gap["after_block"] > len(plan.blocks) for gap in (content or {}).get("gaps", ())):
                raise ValueError(f"the plan has {len(plan.blocks)} blocks")
            entry = {
                "type": "vote", **self._place(), "reviewer": reviewer, "about": about, "key": key, "content": content,
                "note": said["note"] or "", "blind": not said["seen"] and about != "gap",
                "at": f"{(cast + timedelta(minutes=number)).isoformat()}Z",
            }  # fmt: skip
            VoteRecord.model_validate(entry)
            self.sample.votes.append(entry)

    def _place(self) -> Entry:
        return {"query_id": self.answer["query_id"], "planner": self.answer["planner"]}


def _fitting(plan: Plan, inspector: Inspector, content: Entry | None, others: dict[Inspector, Report]) -> Report:
    """The report, once it fits its plan and says something of the whole."""
    report, faults = read_report(plan, inspector, content, others)
    if report is None or faults:
        raise ValueError("; ".join(f"{inspector}: {fault.message}" for fault in faults))
    if content and "" in (content.get("summary"), content.get("reason")):
        raise ValueError(f"{inspector} says nothing of the whole")
    return report


def _lines(text: str) -> list[str]:
    return re.sub(r"\n {2,}", " ", text).split("\n")


def _images(text: str) -> tuple[list[Entry], str]:
    """The images that a text begins with, and the rest of it."""
    images = list[Entry]()
    while text.startswith("! "):
        line, _, text = text.partition("\n")
        said = _IMAGE.fullmatch(line)
        if not said:
            raise ValueError(f"this image cannot be read: {line!r}")
        if said["path"] and not (DATA / said["path"]).is_file():
            raise ValueError(f"there is no picture data/{said['path']}")
        if said["path"]:
            images.append({"picture": f"../../{said['path']}", "name": said["name"]})
        else:
            images.append({"picture": None, "name": said["lost"], "missing": said["why"]})
    return images, text.strip()


def _verdict(said: re.Match[str]) -> Entry:
    names = ("placement", "coherence", "parameters", "format")
    gates = [gate == "+" for gate in said["gates"]]
    scores = dict(zip(names, map(int, said["scores"]), strict=True))
    return {"necessary": gates[0], "boundary_ok": gates[1], "scores": scores}


def _judged(said: re.Match[str], plan: Plan) -> Entry:
    call_id, verdict = int(said["call"]), _verdict(said)
    status = plan.call(call_id).status
    if verdict["scores"]["format"] > format_score(status):
        raise ValueError(f"the format of call {call_id} is {status}, so its score is too high")
    return {"call_id": call_id, **verdict, "reason": said["reason"], "suggested_tool": said["tool"]}


def _gap(said: re.Match[str], plan: Plan) -> Entry:
    start = plan.text.find(said["quote"])
    end = start + len(said["quote"])
    block = next((each for each in plan.blocks if each.kind == "text" and each.start <= start < end <= each.end), None)
    if start < 0 or block is None:
        raise ValueError(f"no paragraph of the plan says {said['quote']!r}")
    return {
        "type": said["type"], "anchor_quote": said["quote"], "after_block": block.number,
        "suggested_tool": said["tool"], "severity": said["severity"], "reason": said["reason"],
    }  # fmt: skip


def _final(said: re.Match[str]) -> Entry:
    fs = int(said["fs"])
    decisive = {"calls": list[int](), "gaps": list[int]()}
    for part in (said["decisive"] or "").split("; ") if said["decisive"] else ():
        what, _, numbers = part.partition(" ")
        decisive[what] = [int(number) for number in numbers.split(", ")]
    return {
        "fs": fs, "tier": fs_tier(fs).label, "reason": said["reason"],
        "decisive_calls": decisive["calls"], "decisive_gaps": decisive["gaps"],
    }  # fmt: skip


def _vote(said: re.Match[str]) -> tuple[str, str, Entry | None]:
    """What a vote is about, its key and its content."""
    if said["call"]:
        return "call", said["call"], {"about": "call", **_verdict(said)} if said["gates"] else None
    if said["gap"]:
        content = None if said["upheld"] == "-" else {"about": "gap", "upheld": said["upheld"] == "upheld"}
        return "gap", said["gap"], content
    if said["gaps"]:
        pairs = [] if said["gaps"] in ("none", "-") else said["gaps"].rstrip(":").split(", ")
        gaps = [{"type": kind, "after_block": int(block)} for kind, block in map(str.split, pairs)]
        return "gaps", "", None if said["gaps"] == "-" else {"about": "gaps", "gaps": gaps}
    if said["fs"]:
        return "fs", "", None if said["fs"] == "-" else {"about": "fs", "fs": int(said["fs"])}
    return "plan", "", None if said["plan"] == "-" else {"about": "plan", "verdict": said["plan"]}


def sources(names: list[str] | None = None) -> list[Path]:
    """The sources in order: all, or those whose names begin so."""
    found = sorted((SAMPLE / "source").glob("*.txt"))
    return [path for path in found if not names or any(path.name.startswith(name) for name in names)]


def build(paths: list[Path]) -> tuple[Sample, list[str]]:
    """The sample that sources make, and what is wrong with them."""
    sample, wrong = Sample(), list[str]()
    reader = Reader(sample)
    for path in paths:
        try:
            for section in sections(path):
                try:
                    reader.read(section)
                except SourceError as error:
                    wrong.append(str(error))
        except SourceError as error:
            wrong.append(str(error))
    gaps = {
        (report["query_id"], report["planner"], f"{report['judge']}/{gap['gap_id']}")
        for report in sample.reports
        if report["inspector"] == "recall" and "report" in report
        for gap in report["report"]["gaps"]
    }
    for vote in sample.votes:
        if vote["about"] == "gap" and (vote["query_id"], vote["planner"], vote["key"]) not in gaps:
            wrong.append(f"{vote['query_id']}, {vote['planner']}: there is no gap {vote['key']} to vote on")
    return sample, wrong


def told(sample: Sample) -> Iterator[str]:
    """What is found in the plans, one line each, and which problem codes occur."""
    codes: Counter[str] = Counter()
    for (query_id, planner), plan in sample.plans.items():
        found = Counter(each.code for each in plan.problems)
        codes.update(found.keys() if planner else ())
        calls = " ".join(f"{call.tool or '?'}/{call.status}" for call in plan.calls)
        yield f"{query_id:24} {planner or 'reference':10} {len(plan.blocks):2} blocks  {calls or 'no calls'}"
        if found:
            yield f"{'':36}{', '.join(f'{code} {n}' if n > 1 else code for code, n in found.items())}"
    yield f"{len(codes)} problem codes: {', '.join(f'{code} {n}' for code, n in sorted(codes.items()))}"


def main() -> None:
    """Write, check or tell; exits with 1 if something is wrong or differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.build_plan_sample", description="Make the sample of plans.")
    parser.add_argument("--check", action="store_true", help="only say whether the files are what the sources make")
    parser.add_argument("sources", nargs="*", help="beginnings of names: tell of these sources, and write nothing")
    arguments = parser.parse_args()
    sample, wrong = build(sources(arguments.sources))
    if arguments.sources:
        print(*told(sample), *wrong, sep="\n")
        sys.exit(1 if wrong else 0)
    files = sample.files()
    differ = [name for name, content in files.items() if not same(SAMPLE / name, content)]
    writes = not (arguments.check or wrong)
    for name in differ if writes else ():
        (SAMPLE / name).write_bytes(files[name])
    counts = f"{len(sample.queries)} queries, {len(sample.answers)} plans, {len(sample.reports)} reports"
    print(f"{FORMAT}: {counts}, {len(sample.votes)} votes")
    print(*(f"{name} {'made anew' if writes else 'differs'}" for name in differ), *wrong, sep="\n")
    if wrong or (arguments.check and differ):
        sys.exit(1)


def same(path: Path, content: bytes) -> bool:
    """Whether a file has that content."""
    return path.is_file() and path.read_bytes() == content


if __name__ == "__main__":
    main()
