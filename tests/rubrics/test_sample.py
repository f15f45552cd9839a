"""The sample set of data/rubrics is in order, labelled, and as imperfect as real judges and reviewers are."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from PIL import Image

from easel_app.rubrics.reading import from_disk
from easel_app.rubrics.records import (
    Answer,
    Category,
    Judged,
    JudgeVerdict,
    RubricItem,
    SetLine,
    Task,
    Verdict,
    Vote,
)
from easel_app.sources.found import Found

DATA = Path(__file__).parents[2] / "data"
SAMPLE = DATA / "rubrics" / "sample.jsonl"
TYPES = {"set": SetLine, "task": Task, "answer": Answer, "verdict": JudgeVerdict, "vote": Vote}
SINGLE = {Category.REGION_SWITCH, Category.HYBRID_TOOL_REASONING}
Pair = tuple[str, str, int, str]
"""Task, model, turn and item."""


class Sample:
    """The records of the file by type."""

    def __init__(self, records: Iterable[object]) -> None:
        records = list(records)
        self.line = next(r for r in records if isinstance(r, SetLine))
        self.tasks = {r.id: r for r in records if isinstance(r, Task)}
        self.answers = {(r.task_id, r.model): r for r in records if isinstance(r, Answer)}
        self.verdicts = [r for r in records if isinstance(r, JudgeVerdict)]
        self.votes = [r for r in records if isinstance(r, Vote)]
        self.items: dict[Pair, RubricItem] = {
            (task.id, model, number, item.id): item
            for task_id, model in self.answers
            for task in [self.tasks[task_id]]
            for number, turn in enumerate(task.turns, 1)
            for item in turn.rubric
        }

    def blind(self, reviewer: str) -> dict[Pair, Verdict]:
        """What a reviewer said before seeing the judge's verdict, and did not take back."""
        said: dict[Pair, Verdict] = {}
        for vote in self.votes:
            if vote.reviewer == reviewer and vote.verdict is None:
                said.pop(pair(vote), None)
            elif vote.reviewer == reviewer and vote.blind and vote.verdict:
                said[pair(vote)] = vote.verdict
        return said

    def consensus(self) -> dict[Pair, Verdict]:
        """What two reviewers agree on, or the third decided."""
        first, second = (self.blind(f"sample reviewer {n}") for n in (1, 2))
        agreed = {k: v for k, v in first.items() if second.get(k) == v and v != Verdict.CANNOT_ASSESS}
        return agreed | {pair(v): v.verdict for v in self.votes if v.role == "adjudication" and v.verdict}


def pair(record: Judged) -> Pair:
    return record.task_id, record.model, record.turn, record.item_id


def share(of: Iterable[bool]) -> float:
    counted = list(of)
    return sum(counted) / len(counted)


@pytest.fixture(scope="module")
def sample() -> Sample:
    read = list(from_disk(SAMPLE, root=DATA).read())
    assert [each for each in read if not isinstance(each, Found) or each.notes] == []
    return Sample(each.record for each in read if isinstance(each, Found))


@pytest.fixture(scope="module")
def lines() -> list[dict]:
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def test_it_says_that_it_is_a_sample_and_on_what_terms(sample: Sample) -> None:
    assert sample.line.sample and sample.line.name == "Sample: studio pictures"
    assert "made up" in sample.line.source and "Apache-2.0" in sample.line.licence


def test_all_five_categories_are_there_single_turn_or_multi_turn_as_in_the_benchmark(sample: Sample) -> None:
    tasks = sample.tasks.values()
    assert Counter(task.category for task in tasks).keys() == set(Category) and len(tasks) == 12
    for task in tasks:
        assert (task.turn_kind == "single-turn") == (task.category in SINGLE) and len(task.turns) <= 3
    kinds = Counter(task.turn_kind for task in tasks)
    assert kinds["single-turn"] >= 6 and kinds["multi-turn"] >= 5
    assert len({task.domain for task in tasks}) == 5
    assert all(turn.golden_answer and turn.tool_trajectory for task in tasks for turn in task.turns)
    assert all(sum(len(t.pictures) for t in task.turns) > 1 for task in tasks if task.category == Category.TEMPORAL)


def test_three_models_answer_every_task_with_one_text_a_turn(sample: Sample) -> None:
    assert len(sample.answers) == 36 and len({model for _, model in sample.answers}) == 3
    for (task_id, _), answer in sample.answers.items():
        assert len(answer.turns) == len(sample.tasks[task_id].turns)
        assert all(turn.text.strip() for turn in answer.turns)


def test_rubrics_mix_what_real_ones_mix(sample: Sample) -> None:
    by_task = {task.id: [item for turn in task.turns for item in turn.rubric] for task in sample.tasks.values()}
    items = [item for each in by_task.values() for item in each]
    assert len(items) >= 75 and all(5 <= len(each) <= 9 for each in by_task.values())
    assert {item.weight for item in items} == {1, 2, 3, 4, 5}
    assert all(any(item.weight >= 4 for item in each) for each in by_task.values())
    assert 0.15 <= share(item.objectivity == "subjective" for item in items) <= 0.35
    assert 0.2 <= share(item.explicitness == "implicit" for item in items) <= 0.6
    assert 1 <= sum(item.critical is not None and item.critical != (item.weight >= 4) for item in items) <= 3
    assert any(item.critical is None for item in items) and any(item.final_answer is None for item in items)
    assert len({category for item in items for category in item.categories}) == 5


def test_every_judge_has_one_verdict_for_every_pair_with_a_reason_of_its_own(sample: Sample) -> None:
    for judge in ("sample judge 1", "sample judge 2"):
        mine = [verdict for verdict in sample.verdicts if verdict.judge == judge]
        assert Counter(map(pair, mine)) == Counter(sample.items.keys())
        assert 1 <= sum(verdict.verdict is None for verdict in mine) <= 8
    reasons = Counter(verdict.reason for verdict in sample.verdicts if verdict.verdict)
    assert reasons.most_common(1)[0][1] == 1 and min(map(len, reasons)) > 20


def test_evidence_is_quoted_from_the_answer_to_its_turn(sample: Sample) -> None:
    quoted = [verdict for verdict in sample.verdicts if verdict.evidence]
    for verdict in quoted:
        assert verdict.evidence in sample.answers[verdict.task_id, verdict.model].turns[verdict.turn - 1].text
    assert len(quoted) > len(sample.verdicts) / 2


def test_votes_are_for_pairs_that_exist_and_leave_four_tasks_unreviewed(sample: Sample) -> None:
    assert {pair(vote) for vote in sample.votes} <= sample.items.keys()
    assert len({vote.task_id for vote in sample.votes}) == 8
    times = [vote.at for vote in sample.votes]
    assert times == sorted(times) and all(re.fullmatch(r"2026-\d\d-\d\dT\d\d:\d\d:\d\dZ", at) for at in times)
    assert any(vote.verdict is None for vote in sample.votes) and any(vote.note for vote in sample.votes)
    assert any(vote.error for vote in sample.votes if vote.verdict == Verdict.NOT_MET)
    assert not any(vote.error for vote in sample.votes if vote.verdict != Verdict.NOT_MET)


def test_two_reviewers_mostly_agree_and_a_third_decides_only_where_they_do_not(sample: Sample) -> None:
    first, second = (sample.blind(f"sample reviewer {n}") for n in (1, 2))
    assert len(first.keys() ^ second.keys()) == 1  # one vote was taken back
    both = {k for k in first.keys() & second.keys() if Verdict.CANNOT_ASSESS not in (first[k], second[k])}
    assert len(both) < len(first) - 1
    assert 0.88 <= share(first[key] == second[key] for key in both) <= 0.96
    decided = [vote for vote in sample.votes if vote.role == "adjudication"]
    assert len(decided) == 3 and all(first[pair(vote)] != second[pair(vote)] for vote in decided)
    assert {vote.reviewer for vote in decided} == {"sample reviewer 3"}


def test_a_vote_after_the_reveal_changes_an_earlier_blind_one(sample: Sample) -> None:
    late = [(at, vote) for at, vote in enumerate(sample.votes) if not vote.blind and vote.role == "review"]
    assert len(late) >= 4
    for at, vote in late:
        before = [v for v in sample.votes[:at] if pair(v) == pair(vote) and v.reviewer == vote.reviewer]
        assert before[0].blind and before[-1].verdict != vote.verdict


@pytest.mark.parametrize(("judge", "lenient"), [("sample judge 1", True), ("sample judge 2", False)])
def test_a_judge_errs_believably_more_on_subjective_items(sample: Sample, judge: str, lenient: bool) -> None:
    consensus = sample.consensus()
    known = [v for v in sample.verdicts if v.judge == judge and v.verdict and pair(v) in consensus]
    wrong = [v for v in known if v.verdict != consensus[pair(v)]]
    assert 0.05 <= len(wrong) / len(known) <= 0.25
    on = {kind: [v for v in known if sample.items[pair(v)].objectivity == kind] for kind in ("objective", "subjective")}
    assert share(v in wrong for v in on["subjective"]) > share(v in wrong for v in on["objective"])
    assert (share(v.verdict == Verdict.MET for v in wrong) > 0.5) is lenient


def test_every_name_is_that_of_a_sample_and_every_address_a_reserved_one(sample: Sample, lines: list[dict]) -> None:
    named = {v.judge for v in sample.verdicts} | {v.reviewer for v in sample.votes} | {m for _, m in sample.answers}
    assert all(re.fullmatch(r"sample (judge|reviewer) [123]|sample-model-[abc]", name) for name in named)
    hosts = set(re.findall(r"https?://([^/\s\"\\]+)", SAMPLE.read_text(encoding="utf-8")))
    assert hosts == {"example.org"}
    assert all(set(line) <= {"type", *TYPES[line["type"]].model_fields} for line in lines)


def test_pictures_that_tools_made_are_all_used_and_all_open(lines: list[dict]) -> None:
    calls = [
        call for line in lines if line["type"] == "answer" for turn in line["turns"] for call in turn.get("calls", [])
    ]
    names = [name for call in calls for name in call.get("pictures", [])]
    assert sorted(names) == sorted(f"pictures/{path.name}" for path in (SAMPLE.parent / "pictures").iterdir())
    for name in names:
        with Image.open(SAMPLE.parent / name) as picture:
            picture.load()
            assert picture.format == "PNG" and max(picture.size) <= 512
    assert len(names) <= 40 and sum((SAMPLE.parent / name).stat().st_size for name in names) <= 1_500_000
    assert SAMPLE.stat().st_size <= 700_000
    assert all(
        len(call["pictures"]) == len(call["observation"]["output_paths"]) for call in calls if "pictures" in call
    )


def test_traces_show_each_tool_and_calls_that_failed(lines: list[dict]) -> None:
    turns = [turn for line in lines if line["type"] == "answer" for turn in line["turns"]]
    calls = [call for turn in turns for call in turn.get("calls", [])]
    assert {call["name"] for call in calls} == {
        "python_image_processing", "python_interpreter", "google_search",
        "browser_get_page_text", "historical_weather", "calculator",
    }  # fmt: skip
    observations = [call["observation"] for call in calls]
    assert any(seen.get("ok") == "false" and seen["stderr"] for seen in observations)
    assert any(seen.get("results") == [] for seen in observations)
    assert any(seen.get("status") == "error" for seen in observations)
    assert any(not turn.get("calls") for turn in turns)
    texts = "\n".join(turn["text"] for turn in turns)
    assert all(mark in texts for mark in ("| --- |", "```python", "$$", "\n- ", "1. ", "**"))
    assert max(len(turn["text"]) for turn in turns) > 2000
