"""The benchmark's own files as JSON: rows of the data set, models' responses, clean rubrics, a judge's output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from easel_app.rubrics.reading import from_disk
from easel_app.rubrics.reading.source import JUDGE, model_of
from easel_app.rubrics.records import Answer, JudgeVerdict, Task, Verdict
from easel_app.sources.found import Found, Problem, SourceUnusable
from easel_app.sources.pictures import MOST_PIXELS, NoPicture, identify, pretends
from tests.rubrics.files import item, judged, picture, read, response, row, told


def dump(path: Path, entries: Any, **how: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(entries, **how))
    return path


def one_task(path: Path, entry: dict[str, Any], **how: Any) -> Task:
    found, problems = read(dump(path, [entry]), **how)
    assert told(problems) == []
    (task,) = [each.record for each in found]
    assert isinstance(task, Task)
    return task


class TestRows:
    """Rows of the data set."""

    def test_all_fields_arrive_turn_by_turn(self, tmp_path: Path) -> None:
        task = one_task(tmp_path / "x.json", row("m1", 2))
        assert (task.id, task.category, task.domain, task.turn_kind) == (
            "m1",
            "region_switch",
            "chemistry",
            "multi-turn",
        )
        assert [turn.prompt for turn in task.turns] == ["What is at 0?", "What is at 1?"]
        assert [turn.golden_answer for turn in task.turns] == ["It is 0.", "It is 1."]
        assert task.turns[0].tool_trajectory == '[{"tool": "crop"}]'
        first = task.turns[1].rubric[0]
        assert (first.id, first.weight, first.critical, first.objectivity, first.explicitness) == (
            *("i1-a", 3, False, "objective", "explicit"),
        )
        assert first.categories == ("truthfulness",) and first.final_answer is None

    @pytest.mark.parametrize(
        "rubrics",
        [
            {"a": item(), "b": item(4)},
            json.dumps({"a": item(), "b": item(4)}),
            [json.dumps({"a": item(), "b": item(4)})],
            [{"a": item(), "b": item(4)}],
            json.dumps([{"a": item(), "b": item(4)}]),
            json.dumps(json.dumps({"a": item(), "b": item(4)})),
            [[{"a": item(), "b": item(4)}]],
            {"a": json.dumps(item()), "b": item(4.0), "c": None},
        ],
    )
    @pytest.mark.parametrize("name", ["rubrics_by_turn", "rubrics"])
    def test_a_rubric_in_any_of_its_forms_is_the_same(self, tmp_path: Path, rubrics: Any, name: str) -> None:
        entry = {"id": "t", "turn_prompts": ["?"], name: rubrics}
        (turn,) = one_task(tmp_path / "x.json", entry).turns
        assert [(each.id, each.weight) for each in turn.rubric] == [("a", 3), ("b", 4)]

    def test_the_earlier_revision_has_other_columns(self, tmp_path: Path) -> None:
        entry = {"id": "t", "prompt": "[1] is what?", "golden_answer": "One.", "rubrics": json.dumps({"a": item()})}
        (turn,) = one_task(tmp_path / "x.json", entry).turns
        assert (turn.prompt, turn.golden_answer, len(turn.rubric)) == ("[1] is what?", "One.", 1)
        several = {"id": "t", "prompt": '["A?", "B?"]', "golden_answer": ["1", "2"], "rubrics": [{"a": item()}, "{}"]}
        task = one_task(tmp_path / "x.json", several)
        assert [(turn.prompt, turn.golden_answer, len(turn.rubric)) for turn in task.turns] == [
            *(("A?", "1", 1), ("B?", "2", 0)),
        ]

    @pytest.mark.parametrize("rubrics", [None, "", "{}", "[]", [], {}, [None], [""]])
    def test_a_task_without_items_is_a_task_all_the_same(self, tmp_path: Path, rubrics: Any) -> None:
        task = one_task(tmp_path / "x.json", {"id": "t", "prompt": "?", "rubrics": rubrics})
        assert task.turns[0].rubric == ()

    @pytest.mark.parametrize(
        ("spelled", "category"),
        [
            *(("Region-Switch Q&A", "region_switch"), ("region switch", "region_switch")),
            *(("hybrid_tool_reasoning", "hybrid_tool_reasoning"), ("Hybrid Tool-use", "hybrid_tool_reasoning")),
            *(("follow_up_test", "follow_up"), (" Follow-up Test ", "follow_up"), ("followup", "follow_up")),
            *(("temporal_visual_reasoning", "temporal"), ("Progressive Reasoning", "progressive")),
            *(("something new", "something new"), ("", None), (None, None)),
        ],
    )
    def test_categories_are_one_where_they_are_spelled_alike(
        self, tmp_path: Path, spelled: str | None, category: str | None
    ) -> None:
        assert one_task(tmp_path / "x.json", row(eval_focus=spelled)).category == category

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"num_turns": 3}, "num_turns is 3, but there are 1 prompts"),
            ({"turn_golden_answers": ["a", "b"]}, "of golden answers it has 2 of them, but 1 prompts"),
            ({"turn_tool_trajectories": ["a", "b"]}, "of tool trajectories it has 2 of them, but 1 prompts"),
            ({"rubrics_by_turn": ["{}", "{}"]}, "rubrics for 2 turns, but 1 prompts"),
            ({"images_by_turn": [["a.png"], ["b.png"]]}, "pictures for 2 turns, but 1 prompts"),
            ({"turn_prompts": []}, "0 prompts"),
            ({"turn_prompts": ["?"] * 33}, "33 prompts"),
            ({"turn_prompts": [7]}, "prompt is 7"),
            ({"id": 7}, "id is 7"),
            ({"id": ""}, "id is"),
            ({"rubrics_by_turn": ["{nope"]}, "rubric's JSON text cannot be read"),
            ({"rubrics_by_turn": ['{"a": {"weight": 1}, "a": {"weight": 2}}']}, "the key 'a' stands there twice"),
            ({"rubrics_by_turn": ["[1, 2]"]}, "rubric is a list of 2"),
            ({"rubrics_by_turn": ['{"a": 4}']}, "rubric item 'a' is 4"),
            ({"rubrics_by_turn": [{"a": item(7)}]}, "turn 1, item 'a': weight is 7"),
            ({"rubrics_by_turn": [{"a": item("5")}]}, "turn 1, item 'a': weight is '5'"),
            ({"rubrics_by_turn": [{"a": item(3.5)}]}, "turn 1, item 'a': weight is 3.5"),
            ({"rubrics_by_turn": [{"a": {"weight": 3}}]}, "turn 1, item 'a': description is missing"),
            ({"rubrics_by_turn": [{"a": item(critical="maybe")}]}, "turn 1, item 'a': critical is 'maybe'"),
            ({"rubrics_by_turn": [{"a": item(**{"objective/subjective": "both"})}]}, "objectivity is 'both'"),
            ({"rubrics_by_turn": [{"a": item(category=[3])}]}, "turn 1, item 'a'"),
            ({"images": ["nowhere.png"]}, "picture 'nowhere.png': there is no such file"),
            ({"images": ["../../etc/passwd"]}, "leads out of the folder"),
        ],
    )
    def test_a_row_that_is_wrong_says_where(self, tmp_path: Path, change: dict[str, Any], reason: str) -> None:
        found, problems = read(dump(tmp_path / "x.json", [row("first"), row(**change), row("last")], indent=1))
        assert [each.record.id for each in found if isinstance(each.record, Task)] == ["first", "last"]
        assert [str(problem.place) for problem in problems] == ["entry 2"]
        assert reason in told(problems)[0], told(problems)

    def test_pictures_have_paths_from_the_root_of_the_authors_checkout(self, tmp_path: Path) -> None:
        folder = tmp_path / "data" / "multi_turn"
        (folder / "images" / "sample_0").mkdir(parents=True)
        names = [f"data/multi_turn/images/sample_0/turn_{n}_image_0.png" for n in range(2)]
        for seed, name in enumerate(names):
            (tmp_path / name).write_bytes(picture(seed))
        entry = row(turns=2, image_paths=names, images_by_turn_paths=[names[:1], names[1:]])
        found, problems = read(dump(folder / "dataset.json", [entry]))
        assert problems == [] and isinstance(found[0].record, Task)
        kept = [turn.pictures[0].digest for turn in found[0].record.turns]
        assert [found[0].pictures[digest]() for digest in kept] == [picture(0), picture(1)]

    def test_pictures_of_the_whole_task_are_the_first_turns(self, tmp_path: Path) -> None:
        (tmp_path / "a.png").write_bytes(picture())
        task = one_task(tmp_path / "x.json", row(turns=2, image_paths=["a.png"], images_by_turn_paths=[[], []]))
        assert [len(turn.pictures) for turn in task.turns] == [1, 0]


class TestResponses:
    """Models' answers."""

    def answers(self, path: Path, **how: Any) -> list[Answer]:
        found, problems = read(path, **how)
        assert told(problems) == []
        return [each.record for each in found if isinstance(each.record, Answer)]

    def test_one_turn_and_several(self, tmp_path: Path) -> None:
        path = dump(
            tmp_path / "gpt-x_w_tool_system_high_max_tool_calls_20_trial_1.json", [response("a"), response("b", 2)]
        )
        single, multi = self.answers(path)
        assert (single.task_id, single.model, single.attempt, len(single.turns)) == ("a", "gpt-x", 1, 1)
        assert (multi.task_id, [turn.text for turn in multi.turns]) == ("b", ["Blue at 0.", "Blue at 1."])
        (call,) = single.turns[0].calls
        assert (call.name, call.arguments, call.observation) == ("calculator", {"expression": "1"}, {"result": 1})
        assert single.turns[0].rounds == 2
        assert self.answers(path, model="by me")[0].model == "by me"

    def test_the_task_that_an_answer_repeats_comes_along(self, tmp_path: Path) -> None:
        found, _ = read(dump(tmp_path / "m.json", [response("b", 2), response("c", rubrics="")]))
        assert [(type(each.record), each.beside) for each in found] == [(Task, True), (Answer, False), (Answer, False)]
        task = found[0].record
        assert isinstance(task, Task) and [len(turn.rubric) for turn in task.turns] == [2, 2]

    def test_traces_of_any_form_are_kept(self, tmp_path: Path) -> None:
        odd = [
            {"function_name": "x", "function_args": "{not json", "observation": None},
            {"function_name": None, "function_args": None, "observation": "text"},
            {"function_name": "y", "function_args": {}, "observation": ["a", 1, None]},
        ]
        answer, silent, without = self.answers(
            dump(
                tmp_path / "m.json",
                [
                    response("a", tool_use_list=odd[:1] + odd[2:]),
                    response("b", model_answer=None, tool_use_list={}, num_tool_calls=None),
                    response("c", tool_use_list=None),
                ],
            )
        )
        assert [call.observation for call in answer.turns[0].calls] == [None, ["a", 1, None]]
        assert (silent.turns[0].text, silent.turns[0].calls, silent.turns[0].rounds) == ("", (), None)
        assert without.turns[0].calls == ()
        assert "name is missing" in told(read(dump(tmp_path / "m.json", [response(tool_use_list=odd)]))[1])[0]

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"model_answer": 5}, "text is 5"),
            ({"num_tool_calls": -1}, "rounds is -1"),
            ({"tool_use_list": "x"}, "calls is 'x'"),
            ({"tool_use_list": [4]}, "call 1"),
            ({"task_id": 4}, "task_id is 4"),
            ({"turns": [{"model_answer": "a"}, {"prompt": "?"}]}, "turn 2 has no model_answer"),
            ({"turns": [{"model_answer": "a"}, 7]}, "turn 2 is 7"),
            ({"turns": [{"model_answer": "a", "turn_number": 1}]}, "turn_number is 1"),
            ({"turns": [{"model_answer": "a"}], "total_turns": 2}, "total_turns is 2, but it has 1"),
        ],
    )
    def test_a_response_that_is_wrong_says_where(self, tmp_path: Path, change: dict[str, Any], reason: str) -> None:
        found, problems = read(dump(tmp_path / "m.json", [response("a"), {**response("b"), **change}]))
        assert [each.record.task_id for each in found if isinstance(each.record, Answer)] == ["a"]
        assert [str(problem.place) for problem in problems] == ["entry 2"] and reason in told(problems)[0]

    def test_pictures_of_a_trace_are_kept_where_their_files_are(self, tmp_path: Path) -> None:
        made = "/home/somebody/eval/chunk_1_task_a/transformed_image_0.png"
        (tmp_path / "chunk_1_task_a").mkdir()
        (tmp_path / "chunk_1_task_a" / "transformed_image_0.png").write_bytes(picture(5))
        (tmp_path / "chunk_1_task_a" / "broken.png").write_bytes(b"<html>")
        (tmp_path / "transformed_image_0.png").write_bytes(picture(6))
        secret = tmp_path.parent / "secret.png"
        secret.write_bytes(picture(7))
        paths = [made, "/elsewhere/chunk_2_task_b/transformed_image_0.png", "chunk_1_task_a/broken.png", str(secret)]
        calls = [
            {"function_name": "python_image_processing", "function_args": {}, "observation": {"output_paths": paths}},
            {"function_name": "x", "function_args": {}, "observation": {"output_path": f"../{secret.name}"}},
            {"function_name": "x", "function_args": {}, "observation": {"output_paths": 5, "output_path": None}},
        ]
        found, problems = read(dump(tmp_path / "m.json", [response("a", tool_use_list=calls)]))
        (each,) = [each for each in found if isinstance(each.record, Answer)]
        assert problems == [] and isinstance(each.record, Answer)
        assert [[each.pictures[kept.digest]() for kept in call.pictures] for call in each.record.turns[0].calls] == [
            *([picture(5)], [], []),
        ]
        (note,) = each.notes
        assert note.what.startswith("picture 'broken.png' of a trace is left out: the file is no PNG")

    def test_a_file_that_was_sent_must_be_told_whose_answers_it_holds(self, tmp_path: Path) -> None:
        path = dump(tmp_path / "upload", [response("a"), judged({"i0-a": "Met"})])
        assert all("give the model's name" in sentence for sentence in told(read(path, alone=True)[1]))
        assert read(path, alone=True, model="m")[1] == []


class TestJudged:
    """A judge's output."""

    def verdicts(self, path: Path, **how: Any) -> list[JudgeVerdict]:
        found, problems = read(path, **how)
        assert told(problems) == []
        return [each.record for each in found if isinstance(each.record, JudgeVerdict)]

    def test_one_turn_and_several(self, tmp_path: Path) -> None:
        entries = [judged({"a": "Met", "b": "Not Met"}, "s"), judged([{"a": "Not Met"}, {"a": "Met"}], "m")]
        found = self.verdicts(dump(tmp_path / "gpt-x_eval_results.json", entries))
        assert [(each.task_id, each.turn, each.item_id, each.verdict) for each in found] == [
            *(("s", 1, "a", Verdict.MET), ("s", 1, "b", Verdict.NOT_MET)),
            *(("m", 1, "a", Verdict.NOT_MET), ("m", 2, "a", Verdict.MET)),
        ]
        assert {(each.model, each.judge, each.reason) for each in found} == {("gpt-x", JUDGE, "So it is.")}
        assert self.verdicts(tmp_path / "gpt-x_eval_results.json", model="n", judge="k")[0].judge == "k"

    @pytest.mark.parametrize(
        ("said", "reason"),
        [
            ("met", "spelled 'met'"),
            ("Met ", "spelled 'Met '"),
            ("NOT MET", "spelled 'NOT MET'"),
            ("Partially", "spelled 'Partially'"),
            (None, "no reply"),
            (7, "not an object"),
            ([], "not an object"),
            ({"explanation": "x"}, "holds no verdict"),
            ({"judge_result": ["Met"]}, "spelled a list of 1"),
            ({"judge_result": "Not Met", "explanation": "Failed to get judge result"}, "no reply"),
        ],
    )
    def test_any_other_word_is_no_verdict_and_says_so(self, tmp_path: Path, said: Any, reason: str) -> None:
        found, problems = read(dump(tmp_path / "m.json", [judged({"a": said, "b": "Met"})]))
        first, second = [each.record for each in found]
        assert problems == [] and isinstance(first, JudgeVerdict) and isinstance(second, JudgeVerdict)
        assert first.verdict is None and reason in first.unscored and second.verdict is Verdict.MET
        assert reason in found[0].notes[0].what and found[1].notes == ()

    def test_text_that_is_no_json_is_no_verdict(self, tmp_path: Path) -> None:
        entry = judged({"a": "Met"})
        entry["judge_result"][0]["judge_result"] = 'Sure! {"judge_result": "Met"}'
        (verdict,) = self.verdicts(dump(tmp_path / "m.json", [entry]))
        assert verdict.verdict is None and "cannot be read" in verdict.unscored and verdict.reason.startswith("Sure!")

    @pytest.mark.parametrize(
        ("result", "reason"),
        [
            ("x", "judge_result is 'x'"),
            ([5], "turn 1, verdict 1 is 5"),
            ([[{"rubric_id": None, "judge_result": "{}"}]], "turn 1, verdict 1: item_id is None"),
        ],
    )
    def test_what_is_no_list_of_verdicts_is_refused(self, tmp_path: Path, result: Any, reason: str) -> None:
        found, problems = read(dump(tmp_path / "m.json", [{"task_id": "t", "judge_result": result}]))
        assert found == [] and reason in told(problems)[0]


class TestFolders:
    """Files of the authors' pipeline in one folder, whatever they are called."""

    def test_nothing_refers_to_what_comes_later(self, tmp_path: Path) -> None:
        dump(tmp_path / "a" / "judge.json", [judged({"i0-a": "Met"}, "t")], indent=1)
        dump(tmp_path / "b" / "answers.json", [response("t")])
        dump(tmp_path / "c" / "tasks.json", [row("t")])
        dump(tmp_path / "summary.json", {"overall_accuracy": 0.5, "domain_results": {}}, indent=2)
        (tmp_path / "notes.json").write_text("nonsense")
        (tmp_path / "c" / ".hidden.json").write_text("nonsense")
        (tmp_path / "readme.txt").write_text("nonsense")
        found = list(from_disk(tmp_path, model="m").read())
        records = [each.record for each in found if isinstance(each, Found) and not each.beside]
        assert [type(record) for record in records] == [Task, Answer, JudgeVerdict]
        problems = [each for each in found if isinstance(each, Problem)]
        assert [(str(each.place), each.note) for each in problems] == [
            *(("summary.json", True), ("notes.json, line 1", False)),
        ]
        assert str(next(each.place for each in found if isinstance(each, Found))) == "c/tasks.json, entry 1"

    def test_clean_rubrics_count_in_place_of_the_tasks_own(self, tmp_path: Path) -> None:
        dump(tmp_path / "dataset.json", [row("t"), row("m", 2), row("u")])
        clean = [
            {"task_id": "t", "rubrics": {"clean": item(4)}},
            {"task_id": "m", "turns": [{"rubrics": {"x": item()}}, {"rubrics": {"y": item()}}]},
            {"task_id": "nowhere", "rubrics": {"z": item()}},
        ]
        dump(tmp_path / "z_clean.json", clean)
        dump(tmp_path / "response.json", [response("t"), response("m", 2)])
        found = list(from_disk(tmp_path).read())
        tasks = [each.record for each in found if isinstance(each, Found) and isinstance(each.record, Task)]
        assert [[each.id for turn in task.turns for each in turn.rubric] for task in tasks] == [
            *(["clean"], ["x", "y"], ["i0-a", "i0-b"], ["clean"], ["x", "y"]),
        ]
        (problem,) = [each for each in found if isinstance(each, Problem)]
        assert told([problem])[0].startswith("z_clean.json, entry 3: there is no task 'nowhere' beside its rubric")

    def test_a_source_can_be_read_again_and_knows_how_far_it_is(self, tmp_path: Path) -> None:
        dump(tmp_path / "a.json", [row(f"t{n}") for n in range(50)])
        dump(tmp_path / "b.json", [response(f"t{n}") for n in range(50)])
        source = from_disk(tmp_path)
        for _ in range(2):
            positions = [source.position for _ in source.read()]
            assert positions == sorted(positions) and positions[-1] == source.size == source.position

    def test_what_is_not_there_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        with pytest.raises(SourceUnusable, match=r"no \.jsonl"):
            from_disk(tmp_path / "empty")
        with pytest.raises(SourceUnusable, match="no file or folder"):
            from_disk(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("gpt-4o_w_tool_system_high_max_tool_calls_20_trial_1.json", "gpt-4o"),
        ("gpt-4o_wo_tool_trial_1.json", "gpt-4o"),
        ("gpt-4o_eval_results.json", "gpt-4o"),
        ("o3.jsonl.gz", "o3"),
        ("chunk_1_judge_results.json", "chunk_1"),
        ("_results.json", "_results"),
        (".json", "model"),
        ("x" * 200 + ".json", "x" * 80),
    ],
)
def test_a_model_is_called_as_its_file(name: str, model: str) -> None:
    assert model_of(Path("folder") / name) == model


class TestIdentify:
    """What a file is."""

    @pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
    def test_the_four_kinds_are_known_by_content(self, kind: str) -> None:
        found = identify(picture(3, kind, (31, 17)))
        assert (found.format, found.width, found.height) == (kind.lower(), 31, 17)

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"", "is empty"),
            (b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "SVG drawing"),
            (b'\xef\xbb\xbf<?xml version="1.0"?>\n<svg:svg>', "SVG drawing"),
            (b"<!DOCTYPE html><img src=x>", "HTML"),
            (b"BM" + bytes(60), "no PNG, JPEG, WebP or GIF"),
            (b"%!PS-Adobe-3.0 EPSF-3.0", "no PNG"),
            (b"II*\0" + bytes(60), "no PNG"),
            (picture()[:20], "begins as PNG, but its header is damaged"),
            (picture(1, "JPEG")[:30], "begins as JPEG, but"),
            (picture(1, "WEBP")[:14], "begins as WebP, but"),
            (picture(1, "GIF")[:8], "begins as GIF, but"),
            (b"RIFF\0\0\0\0WAVE", "no PNG"),
        ],
    )
    def test_anything_else_is_refused_with_the_reason(self, content: bytes, reason: str) -> None:
        with pytest.raises(NoPicture, match=reason):
            identify(content)

    @pytest.mark.parametrize("side", [2**31 - 1, 20_000, 6_400])
    def test_a_picture_of_too_many_pixels_is_refused_by_its_header(self, side: int) -> None:
        content = bytearray(picture())
        content[16:24] = side.to_bytes(4) * 2  # width and height in the first chunk
        import zlib

        content[29:33] = zlib.crc32(content[12:29]).to_bytes(4)
        assert side * side > MOST_PIXELS
        with pytest.raises(NoPicture, match="megapixels, and at most 40"):
            identify(bytes(content))

    def test_a_file_of_too_many_bytes_is_refused(self) -> None:
        with pytest.raises(NoPicture, match=r"has 33\.\d MB"):
            identify(picture() + bytes(33_600_000))

    @pytest.mark.parametrize(
        ("called", "lie"),
        [
            *(("a.png", False), ("A.PNG", False), ("a", False), ("", False), ("x.y/a", False), ("image/png", False)),
            *(("a.jpg", True), ("a.jpeg", True), ("a.svg", True), ("image/webp", True), ("a.png.html", True)),
        ],
    )
    def test_a_name_lies_when_it_says_something_else(self, called: str, lie: bool) -> None:
        assert bool(pretends(called, identify(picture()))) is lie
        jpeg = identify(picture(1, "JPEG"))
        assert not any(pretends(name, jpeg) for name in ("a.jpg", "a.JPEG", "image/jpeg", "image/jpg"))
