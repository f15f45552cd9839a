"""The sample set of data/plans is in order, labelled, and as varied as what is made of real models' plans must bear."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from PIL import Image
from pydantic import TypeAdapter

from easel_app.plans import Plan
from easel_app.plans.charts import chart_of
from easel_app.plans.checking import read_report
from easel_app.plans.files import AnswerRecord, Line, QueryRecord, ReportRecord, SetLine, VoteRecord
from easel_app.plans.outline import read_answer, reference_answer
from easel_app.plans.problems import KINDS
from easel_app.plans.registry import registry
from easel_app.plans.reports import CallVerdict, ChiefReport, PrecisionReport, RecallReport, Report
from easel_app.plans.rules import format_score
from easel_app.scoring.plan import GAPS, report_conflicts
from easel_app.sources.pictures import identify
from tools.build_plan_sample import build, sources

DATA = Path(__file__).parents[2] / "data"
FOLDER = DATA / "plans"
SAMPLE = FOLDER / "sample"
LINE: TypeAdapter[Line] = TypeAdapter(Line)
CATEGORIES = ["Academic", "Manual", "Recipe", "Fashion", "Renovation", "Product", "Travel", "Encyclopedia"]
PLANNERS = ("Ash", "Birch", "Cedar")
JUDGES = ("Sample judge", "Sample judge 2")
Key = tuple[str, str]
"""Query and planner."""


class Sample:
    """The records of the files by type, with the plans as they were read and the reports that fit them."""

    def __init__(self) -> None:
        lines = [
            json.loads(line)
            for path in sorted(SAMPLE.glob("*.jsonl"))
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        self.types = [line["type"] for line in lines]
        self.paths = [image.pop("path") for line in lines for image in _pictures(line)]
        records = [LINE.validate_python(line) for line in lines]
        self.lines = [each for each in records if isinstance(each, SetLine)]
        self.queries = {each.id: each for each in records if isinstance(each, QueryRecord)}
        self.answers = {(each.query_id, each.planner): each for each in records if isinstance(each, AnswerRecord)}
        self.votes = [each for each in records if isinstance(each, VoteRecord)]
        self.plans = {key: read_answer(self.queries[key[0]], answer) for key, answer in self.answers.items()}
        self.faults: list[str] = []
        self.unscored: list[ReportRecord] = []
        self.reports: dict[tuple[str, str, str], dict[Any, Any]] = defaultdict(dict)
        for each in records:
            if isinstance(each, ReportRecord):
                self._take(each)

    def _take(self, record: ReportRecord) -> None:
        key = (record.query_id, record.planner)
        beside = self.reports[*key, record.judge]
        if record.report is None:
            self.unscored.append(record)
            return
        report, faults = read_report(self.plans[key], record.inspector, record.report, beside)
        self.faults += [f"{key}, {record.judge}, {record.inspector}: {fault.message}" for fault in faults]
        beside[record.inspector] = report

    def of(self, judge: str, inspector: str) -> dict[Key, Any]:
        """What an inspector of a judge reports, by query and planner."""
        return {key[:2]: found[inspector] for key, found in self.reports.items() if key[2] == judge and found}

    def references(self) -> Iterator[tuple[QueryRecord, Plan]]:
        """The reference answers as plans."""
        for query in self.queries.values():
            answer = reference_answer(query)
            assert answer
            yield query, read_answer(query, answer)


def _pictures(line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Put what a reader makes of a picture in the place of its path, and the path beside it until it is taken."""
    of_documents = (image for document in line.get("documents", []) for image in document["images"])
    for image in [*line.get("query_images", []), *of_documents]:
        if path := image["picture"]:
            image["picture"] = identify((SAMPLE / path).read_bytes()).model_dump()
            image["path"] = path
            yield image


def rate(report: PrecisionReport) -> float | None:
    """A plan's strict success rate."""
    return mean(call.success for call in report.calls) if report.calls else None


@pytest.fixture(scope="module")
def sample() -> Sample:
    return Sample()


def test_the_files_are_what_their_sources_make() -> None:
    made, wrong = build(sources())
    assert wrong == []
    on_disk = {path.name: path.read_bytes() for path in SAMPLE.glob("*.jsonl")}
    assert on_disk.keys() == made.files().keys()
    assert [name for name, content in made.files().items() if on_disk[name] != content] == []


def test_it_says_that_it_is_a_sample_and_on_what_terms(sample: Sample) -> None:
    (line,) = sample.lines
    assert line.sample and line.name and line.name.startswith("Sample")
    assert "fictional" in line.source and all(planner in line.source for planner in PLANNERS)
    assert "Apache-2.0" in line.licence


def test_nothing_refers_to_what_comes_later(sample: Sample) -> None:
    order = ("set", "query", "answer", "report", "vote")
    assert [order.index(each) for each in sample.types] == sorted(order.index(each) for each in sample.types)


def test_three_queries_of_each_category_stand_in_the_order_of_the_benchmark(sample: Sample) -> None:
    assert [query.category for query in sample.queries.values()] == [name for name in CATEGORIES for _ in range(3)]
    for query in sample.queries.values():
        assert query.intent and query.query and query.reference and 1 <= len(query.documents) <= 3
        assert 2 <= len(query.pool) <= 6
        assert all(re.search(r"[.!?。?!؟]", document.text) for document in query.documents)
    with_own = sum(bool(query.query_images) for query in sample.queries.values())
    assert 6 <= with_own <= 16
    assert {query.index_base for query in sample.queries.values()} == {0, 1}


def test_every_planner_answers_every_query(sample: Sample) -> None:
    assert Counter(sample.answers.keys()) == Counter(
        (query, planner) for query in sample.queries for planner in PLANNERS
    )
    lost = [answer for answer in sample.answers.values() if answer.no_output]
    assert len(lost) == 1 and lost[0].text == ""
    assert all(answer.text for answer in sample.answers.values() if answer not in lost)


def test_reference_answers_are_good_plans_themselves(sample: Sample) -> None:
    for query, plan in sample.references():
        assert {problem.severity for problem in plan.problems} <= {"hint"}, query.id
        assert 2 <= len(plan.calls) <= 6 and all(call.status == "strict" for call in plan.calls), query.id


def test_plans_are_documents_of_some_paragraphs_with_all_five_tools(sample: Sample) -> None:
    written = {key: plan for key, plan in sample.plans.items() if plan.text}
    assert {call.tool for plan in written.values() for call in plan.calls} >= {tool.name for tool in registry().tools}
    for key, plan in written.items():
        assert len(plan.calls) <= 6, key
        assert sum(block.kind == "text" for block in plan.blocks) <= 10, key
    assert mean(len(plan.calls) for plan in written.values()) > 3
    texts = "\n".join(plan.text for plan in written.values())
    assert all(mark in texts for mark in ("| --- |", "\n- ", "1. ", "**", "\n### ", "\n> ", "<think>"))
    assert re.search("[\u0600-\u06ff]{3}", texts) and re.search("[\u4e00-\u9fff]{3}", texts) and "crêpe" in texts


def test_planners_differ_in_character(sample: Sample) -> None:
    def share(planner: str, status: str) -> float:
        calls = [call for (_, each), plan in sample.plans.items() if each == planner for call in plan.calls]
        return mean(call.status == status for call in calls)

    assert share("Ash", "strict") == 1 and share("Birch", "strict") > 0.8 and share("Cedar", "strict") < 0.7
    scores = {
        planner: mean(report.fs for (_, each), report in sample.of(JUDGES[0], "chief").items() if each == planner)
        for planner in PLANNERS
    }
    assert scores["Ash"] > 80 > 60 > scores["Birch"] > 40 > scores["Cedar"] > 20
    codes = {
        planner: {p.code for (_, each), plan in sample.plans.items() if each == planner for p in plan.problems}
        for planner in PLANNERS
    }
    assert not {KINDS[code].severity for code in codes["Ash"]} & {"error"}
    assert {"stacked_calls", "mid_sentence", "lead_in_phrase", "reference_available_but_search"} <= codes["Birch"]
    assert {"single_quotes", "trailing_comma", "unclosed_tag", "fenced_tag", "all_calls_at_end"} <= codes["Cedar"]


def test_faults_are_varied(sample: Sample) -> None:
    codes = {problem.code for plan in sample.plans.values() for problem in plan.problems}
    assert len(codes) >= 50
    assert {"no_calls", "no_output", "only_calls", "img_index_negative", "img_index_out_of_range"} <= codes
    assert {call.status for plan in sample.plans.values() for call in plan.calls} == {
        "strict", "lenient", "repaired", "failed",
    }  # fmt: skip


def test_charts_can_be_drawn_from_data_in_several_shapes(sample: Sample) -> None:
    asked = [call.params for plan in sample.plans.values() for call in plan.calls if call.tool == "code"]
    charts = [chart for params in asked if (chart := chart_of(params))]
    assert {"bar", "line", "pie"} <= {chart.kind for chart in charts}
    assert any(len(chart.series) > 1 for chart in charts)
    shapes = {type((params or {}).get("data")) for params in asked}
    assert {dict, list} <= shapes
    assert 1 <= sum("code" in (params or {}) for params in asked) <= 4
    assert len(charts) >= 0.8 * len(asked)


def test_every_report_fits_its_plan_and_the_first_judge_reports_on_all(sample: Sample) -> None:
    assert sample.faults == []
    first = {key[:2] for key in sample.reports if key[2] == JUDGES[0]}
    second = {key[:2] for key in sample.reports if key[2] == JUDGES[1]}
    assert first == sample.answers.keys()
    assert 20 <= len(second) <= 36 and {planner for _, planner in second} == set(PLANNERS)
    assert {(record.query_id, record.planner) for record in sample.unscored} == {
        key for key, answer in sample.answers.items() if answer.no_output
    }
    for found in sample.reports.values():
        assert set(found) in ({"precision", "recall", "chief"}, set())


def test_quotes_stand_word_for_word_in_the_block_after_which_a_picture_is_missed(sample: Sample) -> None:
    kinds = set()
    for judge in JUDGES:
        for key, report in sample.of(judge, "recall").items():
            plan = sample.plans[key]
            for gap in report.gaps:
                block = plan.blocks[gap.after_block - 1]
                assert block.kind == "text" and gap.anchor_quote in plan.text[block.start : block.end]
                kinds.add(gap.type)
    assert kinds == set(GAPS)


def test_formats_are_scored_no_better_than_the_parser_finds_them(sample: Sample) -> None:
    for judge in JUDGES:
        for key, report in sample.of(judge, "precision").items():
            for call in report.calls:
                assert call.scores.format <= format_score(sample.plans[key].call(call.call_id).status), key


def test_reasons_are_sentences_of_their_own(sample: Sample) -> None:
    told: list[Report] = [report for found in sample.reports.values() for report in found.values()]
    reasons = [report.reason for report in told if isinstance(report, ChiefReport)]
    assert len(set(reasons)) == len(reasons) and min(map(len, reasons)) > 15
    of_calls = [c.reason for r in sample.of(JUDGES[0], "precision").values() for c in r.calls]
    assert len(set(of_calls)) > 0.95 * len(of_calls) and all(each[-1] in ".?!" for each in of_calls)
    suggested = [c for r in told if isinstance(r, PrecisionReport) for c in r.calls if c.suggested_tool]
    assert len(suggested) > 15


def test_judges_differ_in_level_and_final_scores_seldom_disagree_with_the_other_reports(sample: Sample) -> None:
    first, second = (sample.of(judge, "chief") for judge in JUDGES)
    assert mean(first[key].fs - second[key].fs for key in second) > 8
    conflicts = [
        (key, conflict.code)
        for key, found in sample.reports.items()
        if found
        for conflict in report_conflicts(found["chief"].fs, found["recall"].mi, rate(found["precision"]))
    ]
    assert 2 <= len(conflicts) <= 6 and len({code for _, code in conflicts}) >= 2


def test_votes_are_on_parts_that_exist_in_the_order_in_which_they_were_cast(sample: Sample) -> None:
    assert {vote.reviewer for vote in sample.votes} == {"Sample reviewer 1", "Sample reviewer 2"}
    times = [vote.at for vote in sample.votes]
    assert times == sorted(times) and all(datetime.fromisoformat(at).tzinfo for at in times)
    assert len({(vote.query_id, vote.planner) for vote in sample.votes}) >= 20
    assert {vote.about for vote in sample.votes} == {"call", "gaps", "gap", "fs", "plan"}
    for vote in sample.votes:
        plan = sample.plans[vote.query_id, vote.planner]
        if vote.about == "call":
            assert plan.call(int(vote.key))
        elif vote.about == "gap":
            judge, number = vote.key.rsplit("/", 1)
            report: RecallReport = sample.of(judge, "recall")[vote.query_id, vote.planner]
            assert int(number) in {gap.gap_id for gap in report.gaps} and not vote.blind
        else:
            assert vote.key == ""
    assert any(not vote.blind for vote in sample.votes if vote.about != "gap") and any(v.note for v in sample.votes)


def test_reviewers_agree_with_the_judge_and_with_each_other_mostly_and_not_always(sample: Sample) -> None:
    reports = sample.of(JUDGES[0], "precision")
    said = {
        (vote.reviewer, vote.query_id, vote.planner, int(vote.key)): vote.content.success
        for vote in sample.votes
        if vote.about == "call" and isinstance(vote.content, CallVerdict)
    }
    with_judge = [verdict == reports[q, p].calls[call - 1].success for (_, q, p, call), verdict in said.items()]
    pairs = [(said[key], said["Sample reviewer 2", *key[1:]]) for key in said if key[0].endswith("1")
             and ("Sample reviewer 2", *key[1:]) in said]  # fmt: skip
    assert len(with_judge) > 100 and 0.8 < mean(with_judge) < 1
    assert len(pairs) > 50 and 0.8 < mean(one == other for one, other in pairs) < 1
    upheld = [vote.content.upheld for vote in sample.votes if vote.content and vote.content.about == "gap"]
    assert 0.4 < mean(upheld) < 0.9


def test_pictures_exist_are_small_and_their_source_is_named(sample: Sample) -> None:
    about = (FOLDER / "SOURCES.md").read_text(encoding="utf-8")
    used = {(SAMPLE / path).resolve().relative_to(DATA) for path in sample.paths}
    drawn = {path.relative_to(DATA) for path in (FOLDER / "pictures").iterdir()}
    assert drawn == {path for path in used if path.parts[0] == "plans"}
    for path in used:
        ours = path.stem.startswith(("spatial-", "programmatic-"))
        assert ours or re.search(rf"\b{path.stem}\b", about), path
    for path in drawn:
        with Image.open(DATA / path) as picture:
            picture.load()
            assert picture.size == (320, 240)
        assert (DATA / path).stat().st_size < 20_000
    lost = [image for query in sample.queries.values() for image in query.pool if image.missing]
    assert len(lost) >= 1 and all(image.name for image in lost)


def test_no_address_leads_anywhere(sample: Sample) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SAMPLE.rglob("*") if path.is_file())
    assert not re.search(r"https?://(?!example\.org)", text)
    assert sum(path.stat().st_size for path in SAMPLE.glob("*.jsonl")) < 700_000
