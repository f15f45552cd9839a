"""Logs that are not as they must be: refused whole with the line and the reason, before they cost anything."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import struct
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from easel_app.painting.rollout import Status
from easel_app.services.logs import MOST_BYTES, MOST_FIRST_LINE, MOST_LINE
from easel_app.services.problems import Conflict, Invalid, Refusal, TooLarge, Unsupported
from easel_app.services.sessions import MOST_ACTIONS
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.services.playing import (
    PROTOCOLS,
    SUBMIT,
    UNDO,
    UNREADABLE,
    WALL,
    Lines,
    Player,
    lines_of,
    path,
    photo,
    played,
    stored,
    stroke,
    text,
)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The studio where sessions are played."""
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("here")))
    yield studio
    studio.close()


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The studio that their logs come to."""
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("there")))
    yield studio
    studio.close()


class Wrong(NamedTuple):
    """A log that must be refused."""

    make: Callable[[Lines], Lines | bytes]
    line: int | None
    reason: str
    kind: type[Refusal] = Invalid


def at(line: int, **changes: Any) -> Callable[[Lines], Lines]:
    """Change a line, counted from 1; None leaves a key out."""

    def change(lines: Lines) -> Lines:
        entry = lines[line - 1]
        for name, value in changes.items():
            keys = name.split("__")
            inner = entry
            for key in keys[:-1]:
                inner = inner[key]
            if value is ...:
                del inner[keys[-1]]
            else:
                inner[keys[-1]] = value
        return lines

    return change


def raw(line: int, old: str, new: str) -> Callable[[Lines], bytes]:
    """Change a line as it is written."""

    def change(lines: Lines) -> bytes:
        written = [json.dumps(entry) for entry in lines]
        assert old in written[line - 1]
        written[line - 1] = written[line - 1].replace(old, new, 1)
        return "\n".join(written).encode("utf-8", "surrogatepass")

    return change


def later(minutes: int) -> str:
    return (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat()


REFUSED: dict[str, Wrong] = {
    "nothing": Wrong(lambda _: b"", 1, "empty"),
    "cut in a line": Wrong(lambda lines: text(lines)[:-40], 5, "not one whole JSON object"),
    "cut in the first line": Wrong(lambda lines: text(lines)[:40], 1, "not one whole JSON object"),
    "no beginning": Wrong(lambda lines: lines[1:], 1, "no session"),
    "an array": Wrong(lambda _: b"[1, 2]\n", 1, "another value"),
    "text": Wrong(lambda _: b"<html>", 1, "not one whole JSON object"),
    "other bytes": Wrong(lambda lines: text(lines[:1]) + b"\xff\xfe{}", 2, "can't decode"),
    "a byte order mark": Wrong(lambda lines: b"\xef\xbb\xbf" + text(lines), 1, "not one whole JSON object"),
    "an empty line": Wrong(lambda lines: text(lines[:2]) + b"\n" + text(lines[2:]), 3, "not one whole JSON object"),
    "two empty lines at the end": Wrong(lambda lines: text(lines) + b"\n\n", 6, "not one whole JSON object"),
    "two objects in a line": Wrong(lambda lines: text(lines[:2]).replace(b"}\n{", b"} {"), 1, "Extra data"),
    "no format": Wrong(at(1, format=...), 1, "missing, but easel-log/1", Unsupported),
    "another format": Wrong(at(1, format="easel-log/2"), 1, "'easel-log/2', but easel-log/1", Unsupported),
    "a format that is no text": Wrong(at(1, format=["easel-log/1"]), 1, "but easel-log/1", Unsupported),
    "unknown task": Wrong(at(1, task_id="nowhere-01"), 1, "no task nowhere-01 here"),
    "hostile task": Wrong(at(1, task_id="../../etc"), 1, "task_id"),
    "generated beyond": Wrong(at(1, task_id="maze-512-99999999999"), 1, "no task"),
    "another picture": Wrong(at(1, task_digest="0" * 64), 1, "another picture"),
    "another task": Wrong(at(1, task_id="programmatic-02"), 1, "another picture"),
    "unknown protocol": Wrong(at(1, protocol="free"), 1, "protocol"),
    "a protocol without undo": Wrong(at(1, protocol="benchmark"), 3, "knows no undo"),
    "unknown kind of player": Wrong(at(1, player_kind="god"), 1, "player_kind"),
    "a name with bidi": Wrong(at(1, player_name="a\u202eb"), 1, "player_name"),
    "a name of two lines": Wrong(at(1, player_name="a\nb"), 1, "player_name"),
    "a name of nothing": Wrong(at(1, player_name="  "), 1, "player_name"),
    "a long name": Wrong(at(1, player_name="x" * 81), 1, "player_name"),
    "a name that is no text": Wrong(at(1, player_name="\ud800"), 1, "player_name"),
    "a model with a control": Wrong(at(1, player_model="m\x07"), 1, "player_model"),
    "a hostile id": Wrong(at(1, id="<script>"), 1, "id"),
    "begun in the future": Wrong(at(1, created_at=later(60 * 24)), 1, "future"),
    "begun at no time": Wrong(at(1, created_at="yesterday"), 1, "ISO 8601"),
    "begun anywhere": Wrong(at(1, created_at="2021-03-04T05:06:07"), 1, "offset"),
    "begun before all time": Wrong(at(1, created_at="0001-01-01T00:00:00+14:00"), 1, "ISO 8601"),
    "a fact less": Wrong(at(1, player_kind=...), 1, "player_kind is missing"),
    "a fact more": Wrong(at(1, token_hash="0"), 1, "token_hash is not a known field"),
    "a fork of more than there is": Wrong(at(1, parent_id="p", fork_step=5), 1, "only 4 actions follow"),
    "a fork of no step": Wrong(at(1, parent_id="p"), 1, "fork_step is not"),
    "a missing line": Wrong(lambda lines: [*lines[:2], *lines[3:]], 3, "seq is 3, but 2 is next"),
    "a line twice": Wrong(lambda lines: [*lines[:2], *lines[1:]], 3, "seq is 1, but 2 is next"),
    "lines by turns": Wrong(lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 2, "seq is 2, but 1 is next"),
    "a seq that is no number": Wrong(at(2, seq=True), 2, "seq"),
    "a seq of text": Wrong(at(2, seq="1"), 2, "seq"),
    "a session within": Wrong(lambda lines: [*lines[:2], lines[0], *lines[2:]], 3, "type"),
    "another session's line": Wrong(at(3, session_id="other"), 3, "it is of the session other"),
    "after the end": Wrong(lambda lines: [*lines, {**lines[1], "seq": 5}], 6, "was submitted"),
    "unknown kind": Wrong(at(2, kind="erase"), 2, "kind must be one of"),
    "a kind that is no text": Wrong(at(2, kind=["undo"]), 2, "kind"),
    "a stroke without red": Wrong(at(2, params__red=...), 2, "red is missing"),
    "a stroke with more": Wrong(at(2, params__alpha=1.0), 2, "alpha is not a known field"),
    "a stroke out of range": Wrong(at(2, params__red=1.0000001), 2, "red is 1.0000001"),
    "a stroke of text": Wrong(at(2, params__red="0.5"), 2, "red is '0.5'"),
    "a stroke of yes": Wrong(at(2, params__red=True), 2, "red is True"),
    "a stroke of nothing": Wrong(at(2, params={}), 2, "x_start is missing"),
    "a path": Wrong(at(2, params=path(*WALL)["stroke"]), 2, "all 13 numbers"),
    "not a number": Wrong(at(2, params__red=float("nan")), 2, "not finite"),
    "infinite": Wrong(at(2, params__red=float("-inf")), 2, "not finite"),
    "infinite by its size": Wrong(raw(2, '"red": 0', '"red": 1e999, "x": 0'), 2, "not finite"),
    "a huge integer": Wrong(raw(2, '"seq": 1', '"seq": 1' + "0" * 5000), 2, "an integer of 5001 digits"),
    "a huge integer in a claim": Wrong(raw(2, '"step": 1', '"step": 1' + "0" * 17), 2, "an integer of 18 digits"),
    "a key twice": Wrong(raw(2, '"seq": 1', '"seq": 1, "seq": 1'), 2, "'seq' stands there twice"),
    "a key twice within": Wrong(raw(2, '"red": ', '"red": 0, "red": '), 2, "'red' stands there twice"),
    "a hostile key twice": Wrong(raw(2, '"seq": 1', '"\u202e\\n": 1, "\u202e\\n": 1'), 2, "stands there twice"),
    "a hostile key": Wrong(raw(2, '"seq": 1', '"seq": 1, "\u202e\\n": 1'), 2, "not a known field"),
    "a key that is no text": Wrong(raw(2, '"seq": 1', '"seq": 1, "\\ud800": 1'), 2, "a valid string"),
    "deep": Wrong(lambda lines: text(lines[:1]) + b'{"a":' * 10_000, 2, "nested too deeply"),
    "deep lists": Wrong(lambda lines: text(lines[:1]) + b"[" * 60_000, 2, "nested too deeply"),
    "params of an undo": Wrong(at(3, params={"x": 1}), 3, "must be empty"),
    "params that are none": Wrong(at(3, params=None), 3, "params"),
    "an invalid action without a reason": Wrong(at(4, message=""), 4, "reason"),
    "a reason with bidi": Wrong(at(4, message="a\u2066b"), 4, "message"),
    "a long reason": Wrong(at(4, message="x" * 301), 4, "message"),
    "a message with a control": Wrong(at(2, message="\x1b[2J"), 2, "message"),
    "unknown actor": Wrong(at(2, actor="ghost"), 2, "actor"),
    "no actor": Wrong(at(2, actor=...), 2, "actor is missing"),
    "no guest": Wrong(at(2, guest=...), 2, "guest is missing"),
    "a guest with bidi": Wrong(at(2, guest="\u200f"), 2, "guest"),
    "a guest that is a machine": Wrong(at(2, guest="G", actor="agent"), 2, "a guest is a human"),
    "done in the future": Wrong(at(3, at=later(60 * 24)), 3, "future"),
    "done at no time": Wrong(at(3, at=1600000000), 3, "at"),
    "unknown outcome": Wrong(at(2, outcome="won"), 2, "outcome"),
    "a digest that is none": Wrong(at(2, canvas_digest="F" * 64), 2, "canvas_digest"),
    "scores that are none": Wrong(at(2, scores=0.5), 2, "scores"),
    "a long line": Wrong(at(2, request_id="x" * MOST_LINE), 2, "more than 64 kB", TooLarge),
    "a long line at the end": Wrong(lambda lines: text(lines) + b" " * (MOST_LINE + 1), 6, "64 kB", TooLarge),
    "a long first line": Wrong(at(1, reference_png="A" * MOST_FIRST_LINE), 1, "more than 2048 kB", TooLarge),
}


@pytest.fixture(scope="module")
def log(here: Studio) -> str:
    """A log of five lines: a stroke, an undo, an invalid action, a submit."""
    player = Player.begin(here, "programmatic-01").act(stroke(1), UNDO, UNREADABLE, SUBMIT)
    return json.dumps(player.log())


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_whole_with_the_line_and_the_reason(there: Studio, log: str, name: str) -> None:
    wrong, before = REFUSED[name], stored(there)
    made = wrong.make(json.loads(log))
    body = made if isinstance(made, bytes) else "\n".join(json.dumps(line) for line in made).encode()
    for sent in (body, gzip.compress(body)):
        with pytest.raises(Refusal) as refused:
            there.imports.take_in(sent)
        message = refused.value.message
        assert type(refused.value) is wrong.kind and wrong.reason in message
        assert message.startswith(f"Line {wrong.line} of the log: ") and refused.value.field == f"line {wrong.line}"
        assert len(message) < 400 and message.isprintable() and message.encode()
    assert stored(there) == before


def test_a_log_as_long_as_a_session_may_be_is_imported_and_a_longer_one_is_not(there: Studio, log: str) -> None:
    first, _, _, unread, submit = json.loads(log)
    first |= {"protocol": "practice"}
    most = [first, *({**unread, "seq": k} for k in range(1, MOST_ACTIONS + 1))]
    end = {**submit, "seq": MOST_ACTIONS + 1}
    found = there.imports.take_in(text([*most, end]))
    assert (found.actions, found.steps, found.status) == (MOST_ACTIONS + 1, MOST_ACTIONS, Status.SUBMITTED)
    for more in ([{**unread, "seq": MOST_ACTIONS + 1}], [end, {**submit, "seq": MOST_ACTIONS + 2}]):
        with pytest.raises(TooLarge, match=f"^Line {MOST_ACTIONS + 1 + len(more)} of the log: a session holds 4,000"):
            there.imports.take_in(text([*most, *more]))


def test_a_million_actions_are_refused_at_the_limit_and_the_rest_is_not_unpacked(there: Studio, log: str) -> None:
    first, _, _, unread, _ = json.loads(log)
    most = text([first, *({**unread, "seq": k} for k in range(1, MOST_ACTIONS + 2))])
    body = gzip.compress(most + b"{}\n" * 30_000_000, 1)
    tracemalloc.start()
    with pytest.raises(TooLarge, match=f"^Line {MOST_ACTIONS + 2} "):
        there.imports.take_in(body)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * 1024**2


@pytest.mark.parametrize("filling", [b"\0", b" ", b"\n", b"[", b'"', b"{}\n"], ids=repr)
def test_a_zip_bomb_is_refused_after_a_few_pieces(there: Studio, filling: bytes) -> None:
    body = gzip.compress(filling * (64 * 1024**2 // len(filling)), 1)
    tracemalloc.start()
    with pytest.raises(Refusal, match=r"^Line 1 of the log"):
        there.imports.take_in(body)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 * 1024**2


def test_a_log_of_good_lines_that_are_too_much_together_is_refused(there: Studio, log: str) -> None:
    first, _, _, unread, _ = json.loads(log)
    first["protocol"] = "practice"
    wide = {**unread, "request_id": "x" * 60_000}
    body = text([first, *({**wide, "seq": k} for k in range(1, 300))])
    assert len(body) > MOST_BYTES
    for sent in (body, gzip.compress(body, 1)):
        with pytest.raises(TooLarge, match="more than 16 MB"):
            there.imports.take_in(sent)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda packed: packed[:-9], "cut off"),
        (lambda packed: packed[:2], "cut off"),
        (lambda packed: packed + b"more", "something follows"),
        (lambda packed: packed + packed, "something follows"),
        (lambda packed: packed + b"\0" * 200_000, "something follows"),
        (lambda packed: packed[:40] + bytes([packed[40] ^ 0xFF]) + packed[41:], "."),
        (lambda packed: packed[:-8] + b"\0\0\0\0" + packed[-4:], "incorrect data check"),
    ],
)
def test_a_damaged_gzip_file_is_refused(there: Studio, log: str, damage: Callable[[bytes], bytes], reason: str) -> None:
    before = stored(there)
    with pytest.raises(Refusal, match=reason):
        there.imports.take_in(damage(gzip.compress(text(json.loads(log)))))
    assert stored(there) == before


def encoded(picture: Image.Image, form: str = "PNG", **options: Any) -> str:
    file = io.BytesIO()
    picture.save(file, form, **options)
    return base64.b64encode(file.getvalue()).decode()


def bomb(side: int) -> str:
    """A PNG whose header says 64 px and whose second header says more."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    headers = [struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0) for size in (64, side)]
    pixels = zlib.compress(b"\0" * (side * (3 * side + 1)), 1)
    chunks = [chunk(b"IHDR", header) for header in headers] + [chunk(b"IDAT", pixels), chunk(b"IEND", b"")]
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)).decode()


SMALL = Image.open(io.BytesIO(photo()))
PICTURES = {
    "nothing": "",
    "no base64": "@@@@",
    "not ASCII": "é" * 8,
    "no PNG": base64.b64encode(b"GIF89a" + b"\0" * 60).decode(),
    "a JPEG": encoded(SMALL, "JPEG"),
    "grey": encoded(SMALL.convert("L")),
    "transparent": encoded(SMALL.convert("RGBA")),
    "by palette": encoded(SMALL.convert("P")),
    "no size of ours": encoded(SMALL.resize((65, 65))),
    "no square": encoded(SMALL.resize((64, 128))),
    "another picture": base64.b64encode(photo(9)).decode(),
    "another size": encoded(SMALL.resize((128, 128))),
    "a header alone": base64.b64encode(photo()[:33]).decode(),
    "cut off": base64.b64encode(photo()[:-3000]).decode(),
    "two frames": encoded(SMALL, save_all=True, append_images=[SMALL.transpose(Image.Transpose.ROTATE_90)]),
    "two headers": bomb(4000),
    "a header that lies": bomb(9000),
    "a colour profile cut off": encoded(SMALL, icc_profile=b"no profile", transparency=(1, 2, 3)).replace("A", "B", 9),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_that_is_not_the_very_one_is_refused(here: Studio, there: Studio, name: str) -> None:
    task = here.tasks.add_own(photo(), 64, None)
    first = Player.begin(here, task.id).log()[0]
    before = stored(there)
    with pytest.raises(Invalid, match=r"^Line 1 of the log: ") as refused:
        there.imports.take_in(text([{**first, "reference_png": PICTURES[name]}]))
    assert len(refused.value.message) < 400 and refused.value.message.isprintable() and stored(there) == before


def test_a_picture_stands_for_no_task_but_an_own_one(here: Studio, there: Studio, log: str) -> None:
    task = here.tasks.add_own(photo(3), 64, None)
    first = Player.begin(here, task.id).log()[0]
    for task_id, reason in (("programmatic-01", "another picture"), ("nowhere", "no task nowhere")):
        with pytest.raises(Invalid, match=reason):
            there.imports.take_in(text([{**first, "task_id": task_id}]))
    with pytest.raises(Invalid, match=f"no task {task.id} here"):
        there.imports.take_in(text([{**first, "reference_png": None}]))


# whatever is changed in one place


TIMES = ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5+02:00", "2020-01-01", "3020-01-01T00:00:00Z"]
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 9),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["undo", "human", "open", "\u202e", " Name ", "0" * 64, "maze-64-8", *TIMES, [], {}]),
)
FITTING: dict[str, st.SearchStrategy[Any]] = {
    "at": st.sampled_from(TIMES),
    "created_at": st.sampled_from(TIMES),
    "kind": st.sampled_from(["brush_stroke", "undo", "submit", "invalid"]),
    "actor": st.sampled_from(["human", "agent", "painter"]),
    "player_kind": st.sampled_from(["human", "agent", "painter"]),
    "protocol": st.sampled_from(PROTOCOLS),
    "fork_step": st.integers(0, 9),
    **dict.fromkeys(("player_name", "player_model", "guest", "message", "imported_from"), st.text(max_size=12)),
}
CHANGES = ["alter"] * 4 + ["set", "set", "less", "more", "drop", "double", "swap"]


def facts(lines: Lines) -> list[Any]:
    """What a log says was done, by whom and when."""

    def moment(value: str) -> int:
        return int(datetime.fromisoformat(value).timestamp() * 1000)

    first, *actions = lines
    names = ("task_digest", "protocol", "player_kind", "fork_step")
    player = [first[name] and first[name].strip() for name in ("player_name", "player_model")]
    found: list[Any] = [[first[name] for name in names], player, moment(first["created_at"])]
    for line in actions:
        reason = line["message"].strip() if line["kind"] == "invalid" else None
        guest = line["guest"] and line["guest"].strip()
        found.append([line["seq"], line["kind"], line["params"], reason, line["actor"], guest, moment(line["at"])])
    return found


@st.composite
def mutated(draw: st.DrawFn, lines: Lines) -> bytes:
    """A log that is changed in one place."""
    lines = json.loads(json.dumps(lines))
    number, how = draw(st.integers(0, len(lines) - 1)), draw(st.sampled_from(CHANGES))
    line = lines[number]
    inner = draw(st.sampled_from([line, *(value for value in line.values() if isinstance(value, dict) and value)]))
    key = draw(st.sampled_from(sorted(inner)))
    if how == "alter":
        inner[key] = draw(st.floats(0, 1) if isinstance(inner[key], float) else FITTING.get(key, JUNK))
    elif how == "set":
        inner[key] = draw(JUNK)
    elif how == "less":
        del inner[key]
    elif how == "more":
        inner[draw(st.text(max_size=8))] = draw(JUNK)
    elif how == "drop":
        del lines[number]
    elif how == "double":
        lines.insert(number, line)
    else:
        other = draw(st.integers(0, len(lines) - 1))
        lines[number], lines[other] = lines[other], line
    body = "\n".join(json.dumps(entry) for entry in lines).encode()
    at_byte = draw(st.one_of(st.none(), st.integers(0, len(body))))
    if how == "swap" and at_byte is not None:
        return draw(st.sampled_from([body[:at_byte], body[:at_byte] + b"\n" + body[at_byte:], body + body[at_byte:]]))
    return body


@pytest.mark.parametrize("kind", ["reconstruction", "maze"])
def test_one_change_is_refused_whole_or_imported_as_it_says(here: Studio, there: Studio, kind: str) -> None:
    original = played(here, kind, "studio").log()
    there.imports.take_in(text(original))

    @settings(max_examples=250)
    @given(mutated(original))
    def hold(body: bytes) -> None:
        before = stored(there)
        try:
            found = there.imports.take_in(body).session_id
        except Conflict as refused:
            assert stored(there) == before
            found = re.findall("[0-9a-f]{16}", refused.message)[0]
        except Refusal as refused:
            assert stored(there) == before and re.match(r"Line [0-9]+ of the log: ", refused.message)
            return
        else:
            assert stored(there) != before and set(stored(there)) == {*before, found}
        copy = lines_of(there, found)
        assert facts(copy) == facts([json.loads(line) for line in body.splitlines()])
        assert there.sessions.view(found).intact

    hold()
