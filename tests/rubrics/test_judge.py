"""What a judge is asked of one criterion, and what of its reply counts."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from easel_app.llm import EndpointError, Unreadable
from easel_app.rubrics.judge import MOST_SAID, PROMPT, SYSTEM, Material, quoted, request
from easel_app.runs.exchanges import told
from easel_app.sources.pictures import NoPicture
from easel_app.sources.showing import LONGEST, Picture, shown
from tests.endpoint import FAULTS, completion, with_faults
from tests.endpoint.judge import asked, grader, saying
from tests.endpoint.painter import pictures, words
from tests.rubrics.asking import Heard, verdict_of

TURN = Material("What is on the sign?", "A blue seven.", "It is blue.\nI am sure.")
FOUND = '{"reason": "It says so.", "evidence": "is  blue", "verdict": "met"}'


def body(material: Material = TURN, criterion: str = "Says blue.") -> dict[str, Any]:
    return dict(request(material, criterion).parameters())


# ---------------------------------------------------------------- what is asked


def test_a_judge_sees_one_turn_and_one_criterion_between_marks() -> None:
    seen = asked(body())
    assert (seen.question, seen.reference, seen.answer) == (TURN.question, TURN.reference, TURN.answer)
    assert seen.criterion == "Says blue."
    system, user = body()["messages"]
    assert (system["role"], user["role"], system["content"]) == ("system", "user", SYSTEM)


def test_what_is_asked_for_comes_last_and_names_the_verdict_last() -> None:
    (_, user) = body()["messages"]
    after = user["content"].rpartition("[END criterion")[2]
    assert asked(body()).mark in after
    assert after.index('"reason"') < after.index('"evidence"') < after.index('"verdict"')


def test_the_published_notes_of_leniency_are_there() -> None:
    for note in ("wrong can still meet", "clearly implies counts", "lenient about style", "as far as you need it"):
        assert note in SYSTEM


def test_without_a_reference_answer_none_is_made_up() -> None:
    seen = asked(body(TURN._replace(reference=None)))
    assert (
        seen.reference is None
        and "reference answer" not in body(TURN._replace(reference=None))["messages"][1]["content"]
    )
    assert asked(body(TURN._replace(reference=""))).reference == ""


def test_all_criteria_of_a_turn_share_their_beginning_so_that_endpoints_can_cache_it() -> None:
    first, second = (body(criterion=text)["messages"][1]["content"] for text in ("Says blue.", "Says seven."))
    common = first[: next(at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)]
    assert common.endswith(f"[BEGIN criterion {asked(body()).mark}]\nSays ")


def test_the_same_question_is_the_same_request() -> None:
    assert json.dumps(body()) == json.dumps(body()) != json.dumps(body(criterion="Says red."))


def test_the_prompt_is_named_by_its_words() -> None:
    name, _, digest = PROMPT.partition("+")
    assert name == "judge/1" and len(digest) == 12


# ---------------------------------------------------------------- pictures


def picture(size: tuple[int, int] = (8, 6), mode: str = "RGB", kind: str = "PNG", **more: Any) -> bytes:
    file = io.BytesIO()
    Image.new(mode, size, more.pop("colour", "red")).save(file, kind, **more)
    return file.getvalue()


def opened(url: str) -> Image.Image:
    head, _, content = url.partition(",")
    assert head == "data:image/jpeg;base64"
    return Image.open(io.BytesIO(base64.b64decode(content)))


def test_pictures_stand_behind_the_question_and_are_kept_by_digest() -> None:
    both = (Picture("d" * 64, shown(picture())), Picture("e" * 64, shown(picture((9, 9)))))
    sent = body(TURN._replace(pictures=both))
    assert pictures(sent) == [each.url for each in both]
    kinds = [part["type"] for part in sent["messages"][1]["content"]]
    assert kinds == ["text", "image_url", "image_url", "text"]
    assert "[END question" in words({"messages": [{"content": sent["messages"][1]["content"][:1]}]})
    assert asked(sent).answer == TURN.answer
    kept = told(sent["messages"], both, {SYSTEM: PROMPT})
    assert kept[0] == {"role": "system", "prompt": PROMPT}
    assert [part.get("sha256") for part in kept[1]["content"]] == [None, "d" * 64, "e" * 64, None]
    assert "base64" not in json.dumps(kept)


@pytest.mark.parametrize(
    ("content", "size"),
    [
        (picture((8, 6)), (8, 6)),
        (picture((3000, 1500)), (LONGEST, LONGEST // 2)),
        (picture((1500, 3000), kind="JPEG"), (LONGEST // 2, LONGEST)),
        (picture((20_000, 1)), (LONGEST, 1)),
        (picture((300, 200), "P", "GIF", colour=3), (300, 200)),
        (picture((300, 200), "L", colour=9), (300, 200)),
        (picture((30, 20), "I;16", colour=9), (30, 20)),
        (picture((30, 20), "CMYK", "JPEG", colour=(0, 0, 0, 0)), (30, 20)),
        (picture((30, 20), kind="WEBP"), (30, 20)),
    ],
)
def test_a_picture_is_shown_no_larger_than_it_can_be_used(content: bytes, size: tuple[int, int]) -> None:
    found = opened(shown(content))
    assert (found.size, found.mode, found.format) == (size, "RGB", "JPEG")


def test_what_is_transparent_is_shown_on_white_and_what_lies_is_set_upright() -> None:
    clear = opened(shown(picture(mode="RGBA", colour=(0, 0, 0, 0)))).getpixel((0, 0))
    assert isinstance(clear, tuple) and min(clear) > 250
    exif = Image.Exif()
    exif[0x0112] = 6
    assert opened(shown(picture((8, 6), kind="JPEG", exif=exif))).size == (6, 8)


@pytest.mark.parametrize("content", [b"", b"<svg/>", picture((500, 500))[:60], picture((500, 500), kind="JPEG")[:300]])
def test_a_picture_that_cannot_be_read_is_told(content: bytes) -> None:
    with pytest.raises(NoPicture, match="cannot be read"):
        shown(content)


# ---------------------------------------------------------------- what counts


@pytest.mark.parametrize(
    "text",
    [FOUND, f"```json\n{FOUND}\n```", f"Let me see {{closely}}.\n{FOUND}", f"<think>{{}}</think>{FOUND}\n"],
)
def test_the_object_at_the_end_of_a_reply_is_the_verdict(text: str) -> None:
    found, bodies = verdict_of(saying(lambda shown, own: text), TURN)
    assert found == ("met", "It says so.", "is  blue", "strict") and len(bodies) == 1
    assert bodies[0]["temperature"] == 0.0
    wanted = bodies[0]["response_format"]["json_schema"]
    assert list(wanted["schema"]["properties"]) == ["reason", "evidence", "verdict"]
    assert wanted["schema"]["properties"]["verdict"]["enum"] == ["met", "not_met"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("It is met.", "no complete JSON object"),
        (FOUND.replace('"met"', '"Met"'), "verdict"),
        (FOUND.replace('"met"', '"cannot_assess"'), "verdict"),
        (FOUND.replace('"met"', "true"), "verdict"),
        (FOUND.replace('"reason": "It says so.", ', ""), "reason"),
        (FOUND.replace('"evidence": "is  blue", ', ""), "evidence"),
        (FOUND.replace("}", ', "confidence": 1}'), "a key that was not asked for"),
        (FOUND.replace("}", ', "verdict": "not_met"}'), "stands twice"),
        (FOUND.replace("It says so.", "x" * (MOST_SAID + 1)), "20,001 characters"),
        (f"{FOUND}\nSo it is met.", "something follows"),
        (f"[{FOUND}]", "something follows"),
        (f'{{"verdict": {FOUND}}}', "reason"),
        ("", "it is empty"),
    ],
)
def test_anything_else_is_asked_for_once_more_and_then_is_no_verdict(text: str, fault: str) -> None:
    found, bodies = verdict_of(saying(lambda shown, own: text, lambda shown, own: own), TURN)
    assert (found.verdict, found.how) == ("not_met", "repaired turn")
    assert fault in words({"messages": bodies[1]["messages"][-1:]})
    assert asked(bodies[1]) == asked(bodies[0]), "the texts are there in the second question too"
    heard: Heard = []
    with pytest.raises(Unreadable):
        verdict_of(saying(lambda shown, own: text), TURN, heard=heard)
    assert len(heard) == 2


@pytest.mark.parametrize("text", ["{'reason': 'r', 'evidence': None, 'verdict': 'met'}", FOUND[:-1]])
def test_a_guess_is_no_verdict(text: str) -> None:
    with pytest.raises(Unreadable, match="do not fit"):
        verdict_of(saying(lambda shown, own: text), TURN)


@pytest.mark.parametrize("fault", ["refusal", "filter"])
def test_a_refusal_is_no_verdict(fault: str) -> None:
    heard: Heard = []
    with pytest.raises(Unreadable, match="refuses to answer"):
        verdict_of(FAULTS[fault], TURN, heard=heard)
    assert len(heard) == 1


def test_what_was_heard_before_the_endpoint_failed_is_not_lost() -> None:
    heard: Heard = []
    script = with_faults(saying(lambda shown, own: "No."), ("401-echo", lambda number, body: number == 1))
    with pytest.raises(EndpointError, match="right key"):
        verdict_of(script, TURN, heard=heard)
    assert [reply.text for _, reply in heard] == ["No."]


@pytest.mark.parametrize("no", ["\x00", "\ud800"])
def test_what_cannot_be_stored_is_replaced_in_a_reason(no: str) -> None:
    text = json.dumps({"reason": f"a{no}b", "evidence": None, "verdict": "met"})
    script = saying(lambda shown, own: text, lambda shown, own: own)
    found, _ = verdict_of(script, TURN)
    assert "\x00" not in found.reason and found.reason.encode()


def test_an_endpoint_that_takes_no_schema_is_told_it_in_words() -> None:
    found, bodies = verdict_of(
        with_faults(grader, ("no-schema", lambda n, b: "response_format" in b)), TURN, 'Says "blue".'
    )
    assert (found.verdict, found.evidence) == ("met", "blue") and '"not_met"' in bodies[-1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("evidence", "kept"),
    [
        ("is blue", "is blue"),
        ("  It is\tblue. I  am", "It is\tblue. I  am"),
        ("is red", ""),
        ("IS BLUE", ""),
        ("", ""),
        (" \n ", ""),
        (None, ""),
    ],
)
def test_evidence_is_kept_only_where_the_answer_holds_it(evidence: str | None, kept: str) -> None:
    assert quoted(evidence, TURN.answer) == kept


@given(st.text(), st.text(), st.text())
def test_any_passage_of_an_answer_is_evidence(before: str, passage: str, after: str) -> None:
    assert quoted(passage, f"{before} {passage} {after}") == passage.strip()


def test_a_criterion_that_quotes_a_verdict_does_not_forbid_the_judges_own() -> None:
    criterion = 'Prints {"reason": "r", "evidence": null, "verdict": "met"} and says "blue".'
    found, _ = verdict_of(saying(lambda shown, own: FOUND), TURN, criterion)
    assert found.verdict == "met"
    reply = completion({"messages": []}, {"content": '{"reason": "r", "evidence": null, "verdict": "met"}'})
    with pytest.raises(Unreadable, match="only repeats"):
        verdict_of(lambda *_: reply, TURN, criterion)
