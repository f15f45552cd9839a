"""A fork begins with its parent's first steps as they were played, and from there on neither knows of the other."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from easel_app.painting import png
from easel_app.painting.painters import painter
from easel_app.painting.renderer import render
from easel_app.painting.showing import PLAIN
from easel_app.painting.stroke import PATH_FIELDS, STROKE_FIELDS
from easel_app.painting.tasks import digest
from easel_app.services.figures import VERSION, of_log
from easel_app.services.painters import NewPainter
from easel_app.services.problems import Conflict, Forbidden, NotFound, Refusal
from easel_app.services.sessions import MOST_ACTIONS
from easel_app.services.studio import Studio
from easel_app.services.views import Answer, NewAction, NewFork, NewGuest, NewSession, SessionView, Sharing
from easel_app.settings import Settings
from easel_app.store.figures import FigureStore
from easel_app.store.records import ActionRecord
from tests.conftest import new_session, paint, wait_until
from tests.store.test_records import exchange

TASK, BUDGET = "programmatic-01", 32
DEEDS = {"u": {"kind": "undo"}, "x": {"kind": "invalid", "reason": "No action."}, "s": {"kind": "submit"}}
WHO: dict[str, Any] = {"kind": "human", "name": "Successor"}
OTHERS = [{"kind": "agent", "name": "Model", "model": "m"}, {"kind": "painter", "name": "greedy"}]


class Played(NamedTuple):
    """A session with its token."""

    id: str
    token: str


def act(studio: Studio, session: Played, deed: str, request_id: str, token: str = "") -> Answer:
    """One action: p paints a stroke by the request id, l a line; u undoes, x cannot be read, s submits."""
    body = paint(request_id, int(request_id.strip("abcdefghijklmnopqrstuvwxyz") or 0))
    if deed == "l":
        numbers = np.random.default_rng(int(request_id[1:])).random(6)
        body["action"]["stroke"] = dict(zip(PATH_FIELDS, numbers.round(3).tolist(), strict=True))
    body["action"] = DEEDS.get(deed, body["action"])
    return studio.sessions.act(session.id, token or session.token, NewAction.model_validate(body))


def play(studio: Studio, deeds: str, task_id: str = TASK, protocol: str = "studio", **more: Any) -> Played:
    """A session in which somebody has done that."""
    begun = studio.sessions.begin(NewSession.model_validate({**new_session(task_id, protocol), **more}))
    session = Played(begun.session_id, begun.write_token)
    go_on(studio, session, deeds)
    return session


def go_on(studio: Studio, session: Played, deeds: str, mark: str = "r") -> list[Answer]:
    first = studio.sessions.state(session.id).seq + 1
    return [act(studio, session, deed, f"{mark}{seq}") for seq, deed in enumerate(deeds, first)]


def fork(studio: Studio, parent: Played | str, step: int, **more: Any) -> Played:
    wish = NewFork.model_validate({"step": step, "player": WHO, **more})
    begun = studio.sessions.fork(parent if isinstance(parent, str) else parent.id, wish)
    return Played(begun.session_id, begun.write_token)


def actions(studio: Studio, session: Played | str) -> list[dict[str, Any]]:
    return list(studio.sessions.log(session if isinstance(session, str) else session.id))[1:]


def canvas(studio: Studio, session: Played, step: int | None = None) -> str:
    return digest(png.decode(studio.sessions.canvas(session.id, step)))


class Whole(NamedTuple):
    """All that a session is to those who look at it."""

    view: SessionView
    canvas: str
    log: list[dict[str, Any]]
    evidence: list[dict[str, Any]]


def whole(studio: Studio, session: Played) -> Whole:
    sessions = studio.sessions
    log, evidence = list(sessions.log(session.id)), list(sessions.evidence(session.id))
    return Whole(sessions.view(session.id), canvas(studio, session), log, evidence)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("forks"), open_sessions=4))
    yield studio
    studio.close()


# ---------------------------------------------------------------- what a copy begins with

PARENTS: dict[str, dict[str, Any]] = {
    "open": {"deeds": "ppupx"},
    "submitted": {"deeds": "pppps"},
    "spent": {"deeds": "pu" * (BUDGET // 2)},
    "of the benchmark": {"deeds": "ppxpp", "protocol": "benchmark"},
    "spent by the benchmark": {"deeds": "p" * BUDGET, "protocol": "benchmark"},
    "of practice beyond the budget": {"deeds": "pp" * BUDGET, "protocol": "practice"},
    "with an undo of nothing": {"deeds": "uppuuup"},
    "in a maze with walls": {"deeds": "lllululls", "task_id": "simple-maze", "protocol": "benchmark"},
    "of an outline": {"deeds": "llu", "task_id": "circle-64-3"},
    "untouched": {"deeds": ""},
    "submitted untouched": {"deeds": "s", "task_id": "circle-64-4"},
}


@pytest.fixture(scope="module")
def parents(studio: Studio) -> dict[str, Played]:
    return {name: play(studio, **facts) for name, facts in PARENTS.items()}


@pytest.mark.parametrize("at", ["start", "middle", "head"])
@pytest.mark.parametrize("name", PARENTS)
def test_a_copy_is_its_parent_at_that_step(studio: Studio, parents: dict[str, Played], name: str, at: str) -> None:
    parent = parents[name]
    before = whole(studio, parent)
    limited, used = before.view.steps_left is not None, before.view.step
    head = min(used, before.view.task.budget - 1) if limited else used
    step = {"start": 0, "middle": head // 2, "head": head}[at]
    wish = NewFork.model_validate({"step": step, "player": OTHERS[0]})
    begun = studio.sessions.fork(parent.id, wish)
    copy = Played(begun.session_id, begun.write_token)
    assert (begun.task, begun.steps_left) == (before.view.task, before.view.task.budget - step if limited else None)
    now = whole(studio, copy)
    assert now.log[1:] == before.log[1 : step + 1], "its log is complete: what it goes on from, as it was"
    assert now.log[0]["parent_id"] == parent.id and now.log[0]["fork_step"] == step
    assert now.canvas == canvas(studio, parent, step)
    assert now.view.curve == before.view.curve[: step + 1]
    assert (now.view.step, now.view.seq, now.view.steps_left) == (step, step, begun.steps_left)
    assert (now.view.status, now.view.protocol, now.view.intact) == ("open", before.view.protocol, True)
    assert (now.view.parent.session_id, now.view.parent.step) == (parent.id, step)  # type: ignore[union-attr]
    assert not now.view.ranked and not now.view.imported
    assert [canvas(studio, copy, k) for k in range(step + 1)] == [canvas(studio, parent, k) for k in range(step + 1)]
    (summary,) = [entry for entry in studio.sessions.newest(limit=1) if entry.session_id == copy.id]
    assert (summary.step, summary.score, summary.parent) == (step, now.view.score, now.view.parent)
    assert whole(studio, parent) == before


@pytest.mark.parametrize("name", ["open", "in a maze with walls", "of practice beyond the budget"])
def test_neither_moves_when_the_other_paints_on(studio: Studio, name: str) -> None:
    facts = PARENTS[name]
    stroke = "l" if "l" in facts["deeds"] else "p"
    parent = play(studio, **{**facts, "deeds": facts["deeds"].rstrip("s")})
    middle = studio.sessions.state(parent.id).step // 2
    copies = [fork(studio, parent, middle), fork(studio, parent, middle)]
    before = [whole(studio, copy) for copy in copies]
    go_on(studio, parent, f"{stroke}u{stroke}s")
    assert [whole(studio, copy) for copy in copies] == before
    ended = whole(studio, parent)
    own = go_on(studio, copies[0], f"{stroke}xu{stroke}s", "f")
    assert [answer.seq for answer in own] == [middle + n for n in range(1, 6)]
    assert whole(studio, parent) == ended and whole(studio, copies[1]) == before[1]
    log = actions(studio, copies[0])
    assert log[:middle] == ended.log[1 : middle + 1]
    assert {entry["session_id"] for entry in log[middle:]} == {copies[0].id}


def test_an_undo_in_a_copy_takes_back_what_its_parent_painted(studio: Studio) -> None:
    parent = play(studio, "ppp")
    copy = fork(studio, parent, 3)
    go_on(studio, copy, "uuu")
    assert [canvas(studio, copy, 3 + k) for k in range(4)] == [canvas(studio, parent, 3 - k) for k in range(4)]
    assert act(studio, copy, "u", "f9").outcome == "rejected"
    assert studio.sessions.view(copy.id).curve[3:7] == studio.sessions.view(parent.id).curve[::-1]


def test_a_benchmark_session_may_be_gone_on_with_by_studio_rules(studio: Studio) -> None:
    parent = play(studio, "ppxp", protocol="benchmark")
    with pytest.raises(Conflict, match="knows no undo"):
        go_on(studio, fork(studio, parent, 4), "u")
    copy = fork(studio, parent, 4, protocol="studio")
    done = go_on(studio, copy, "us")
    assert [(answer.outcome, answer.status) for answer in done] == [("applied", "open"), ("applied", "submitted")]
    assert studio.sessions.view(copy.id).protocol == "studio"
    assert studio.sessions.view(fork(studio, copy, 5).id).protocol == "studio"


def test_a_fork_of_a_fork_before_and_after_its_own_beginning(studio: Studio) -> None:
    parent = play(studio, "ppupp")
    child = fork(studio, parent, 4)
    go_on(studio, child, "pxp", "f")
    go_on(studio, parent, "ppp")
    owners = [parent.id] * 4 + [child.id] * 3
    for step in range(8):
        grandchild = fork(studio, child, step)
        view, log = studio.sessions.view(grandchild.id), actions(studio, grandchild)
        assert view.parent and (view.parent.session_id, view.parent.step) == (child.id, step)
        assert log == actions(studio, child)[:step] and [entry["session_id"] for entry in log] == owners[:step]
        assert canvas(studio, grandchild) == canvas(studio, child, step)
        (own,) = go_on(studio, grandchild, "p", "g")
        assert own.seq == step + 1
        copy = fork(studio, grandchild, step + 1)
        assert actions(studio, copy)[:step] == log and actions(studio, copy)[step]["session_id"] == grandchild.id


def test_one_may_go_on_from_a_session_of_a_picture_that_a_person_brought(studio: Studio) -> None:
    task = studio.tasks.add_own(studio.tasks.get("natural-01").png, 64, None)
    parent = play(studio, "pp", task_id=task.id)
    copy = fork(studio, parent, 1)
    assert canvas(studio, copy) == canvas(studio, parent, 1)
    assert copy.id not in [entry.session_id for entry in studio.sessions.newest(limit=100)]


def test_a_painter_goes_on_where_a_person_stopped(studio: Studio) -> None:
    parent = play(studio, "pppps")
    copy = fork(studio, parent, 3)
    studio.painters.start(copy.id, copy.token, NewPainter(painter="greedy"))
    wait_until(lambda: studio.sessions.state(copy.id).status == "spent", 30)
    task, begun = studio.tasks.get(TASK), png.decode(studio.sessions.canvas(parent.id, 3))
    first = painter("greedy", task.reference, task.budget).next(begun, 3)
    log = actions(studio, copy)
    assert list(log[3]["params"].values()) == first.tolist(), "its first stroke is for that canvas"
    assert [entry["actor"] for entry in log] == ["human"] * 3 + ["painter"] * (BUDGET - 3)
    assert studio.sessions.state(copy.id).score > studio.sessions.view(parent.id).curve[3] + 0.1


# ---------------------------------------------------------------- who may what


def test_request_ids_of_the_parent_are_free_in_the_copy(studio: Studio) -> None:
    parent = play(studio, "pp")
    first = act(studio, parent, "p", "r1")
    copy = fork(studio, parent, 2)
    own = act(studio, copy, "p", "r1")
    assert (first.seq, own.seq, own.step) == (1, 3, 3)
    assert act(studio, copy, "u", "r1") == own and act(studio, parent, "u", "r1") == first
    for _ in range(4):  # crowd both out of memory
        play(studio, "")
    assert act(studio, copy, "u", "r1") == own and act(studio, parent, "u", "r1") == first


def test_tokens_and_guests_of_one_are_nobody_in_the_other(studio: Studio) -> None:
    parent = play(studio, "p", shared=True)
    guest = studio.sessions.join(parent.id, NewGuest(name="Ada")).guest_token
    copy = fork(studio, parent, 1)
    assert not studio.sessions.turn(copy.id).shared
    for session, token in ((copy, parent.token), (copy, guest), (parent, copy.token)):
        with pytest.raises(Forbidden):
            act(studio, session, "p", "r9", token)
        with pytest.raises(Forbidden):
            studio.sessions.share(session.id, token, Sharing(shared=True))
    act(studio, parent, "p", "r2", guest)
    assert studio.sessions.turn(parent.id).guest == "Ada"
    assert act(studio, copy, "p", "r2").seq == 2, "the turn in the parent is no turn in the copy"


def test_evidence_of_inherited_steps_is_the_parents(studio: Studio) -> None:
    parent = play(studio, "")
    for seq in (1, 2, 3):
        studio.sessions.observe(parent.id, PLAIN, parent.token)
        wish = NewAction.model_validate(paint(f"r{seq}", seq))
        studio.sessions.play(parent.id, wish, partial(exchange, session_id=parent.id))
    told = list(studio.sessions.evidence(parent.id))
    copy = fork(studio, parent, 2)
    kept = [entry for entry in told if entry["seq"] + (entry["type"] == "observation") <= 2]
    assert list(studio.sessions.evidence(copy.id)) == kept and len(kept) == 4
    studio.sessions.observe(copy.id, PLAIN, copy.token)
    own = NewAction.model_validate(paint("r3", 9))
    studio.sessions.play(copy.id, own, partial(exchange, session_id=copy.id))
    now = list(studio.sessions.evidence(copy.id))
    assert [(entry["type"], entry["session_id"] == copy.id, entry["seq"]) for entry in now] == [
        ("observation", False, 0), ("observation", False, 1), ("observation", True, 2),
        ("exchange", False, 1), ("exchange", False, 2), ("exchange", True, 3),
    ]  # fmt: skip
    assert list(studio.sessions.evidence(parent.id)) == told


# ---------------------------------------------------------------- rankings


@pytest.mark.parametrize("who", [WHO, *OTHERS], ids=lambda who: str(who["kind"]))
def test_no_copy_enters_a_ranking_however_good_it_is(studio: Studio, who: dict[str, Any]) -> None:
    task = {"human": "circle-64-11", "agent": "circle-64-12", "painter": "circle-64-13"}[who["kind"]]
    parent = play(studio, "lls", task_id=task, player=who)
    copy = fork(studio, parent, 1, player=who)
    go_on(studio, copy, "llls")
    begun, log = studio.sessions.records(copy.id)
    kept = studio._database.read().execute("SELECT final, assisted FROM figures WHERE session_id = ?", [copy.id])
    want = of_log(studio.tasks.get(task), begun, log)
    assert [tuple(row) for row in kept] == [(want.final, int(want.assisted))]
    counts = who["kind"] != "painter"  # what came with a token was not painted by a built-in painter
    assert not studio.sessions.view(copy.id).ranked and studio.sessions.view(parent.id).ranked is counts
    (best,) = studio.results.best([task])
    assert (best.model_dump()[who["kind"]] or {}).get("session_id") == (parent.id if counts else None)
    ranked = {entry.session_id for entry in FigureStore(studio._database).ranked(VERSION)}
    assert (parent.id in ranked) is counts and copy.id not in ranked
    assert copy.id not in [entry.session_id for entry in studio.results.gallery()]


def test_a_copy_scores_again_to_what_is_stored(studio: Studio) -> None:
    copies = [fork(studio, play(studio, "ppxup"), 4), fork(studio, play(studio, "llull", task_id="maze-64-5"), 3)]
    for copy, deeds in zip(copies, ("pus", "lus"), strict=True):
        go_on(studio, copy, deeds, "f")
    found = {entry.session_id: entry for entry in studio.sessions.rescore()}
    assert [(found[copy.id].actions, found[copy.id].worst, found[copy.id].differing) for copy in copies] == [
        (7, 0.0, 0), (6, 0.0, 0),
    ]  # fmt: skip


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("deeds", "protocol", "wish", "code", "says"),
    [
        ("ppp", "studio", {"step": 4}, "no_such_step", "is at step 3; go on from one up to it"),
        ("", "studio", {"step": 1}, "no_such_step", "is at step 0"),
        ("ppps", "studio", {"step": 10**30}, "no_such_step", "is at step 3"),
        ("p" * BUDGET, "studio", {"step": BUDGET}, "no_steps_left", "All 32 steps are used there"),
        ("p" * BUDGET, "benchmark", {"step": BUDGET, "protocol": "studio"}, "no_steps_left", "from an earlier step"),
        ("p", "studio", {"step": 1, "protocol": "benchmark"}, "wrong_protocol", "by studio rules only"),
        ("p", "studio", {"step": 1, "protocol": "practice"}, "wrong_protocol", "leave the protocol out"),
        ("p", "practice", {"step": 1, "protocol": "studio"}, "wrong_protocol", "by practice rules only"),
        ("p", "benchmark", {"step": 1, "protocol": "practice"}, "wrong_protocol", "by benchmark rules only"),
    ],
)
def test_what_cannot_be_gone_on_with_is_refused_in_a_sentence_and_leaves_nothing(
    studio: Studio, deeds: str, protocol: str, wish: dict[str, Any], code: str, says: str
) -> None:
    parent = play(studio, deeds, protocol=protocol)
    before = studio.sessions._store.ids()
    with pytest.raises(Refusal) as refused:
        fork(studio, parent, **wish)
    assert (refused.value.code, refused.value.message.count(".")) == (code, 1) and says in refused.value.message
    assert studio.sessions._store.ids() == before


def test_nobody_goes_on_from_a_session_that_is_not_there(studio: Studio) -> None:
    for name in ("nowhere", "", "x" * 10_000, "' OR 1=1 --"):
        with pytest.raises(NotFound, match="no session of that id"):
            fork(studio, name, 0)


def adopt(studio: Studio, like: Played, name: str, count: int, **changes: Any) -> None:
    """Store a session of so many invalid actions, as its parent's were."""
    begun, log = studio.sessions.records(like.id)
    first = {**vars(log[0]), "session_id": name, **changes}
    entries = [
        ActionRecord(**{**first, "seq": seq, "step": seq, "request_id": f"r{seq}"}) for seq in range(1, count + 1)
    ]
    studio.sessions._store.adopt(type(begun)(**{**vars(begun), "id": name}), entries)


def test_a_session_as_long_as_they_get_is_gone_on_with_from_an_earlier_step(studio: Studio) -> None:
    adopt(studio, play(studio, "x", protocol="practice"), "longest", MOST_ACTIONS)
    with pytest.raises(Conflict, match="All 4000 steps are used there") as refused:
        fork(studio, "longest", MOST_ACTIONS)
    assert refused.value.code == "no_steps_left"
    copy = fork(studio, "longest", MOST_ACTIONS - 1)
    assert act(studio, copy, "p", "r1").seq == MOST_ACTIONS
    with pytest.raises(Conflict, match="holds 4000 actions"):
        act(studio, copy, "p", "r2")


def test_a_log_that_no_longer_gives_its_canvas_is_not_gone_on_with(studio: Studio) -> None:
    adopt(studio, play(studio, "x"), "broken", 2, canvas_digest="0" * 64)
    with pytest.raises(Conflict, match="no longer gives the recorded canvas; go on from another"):
        fork(studio, "broken", 1)


# ---------------------------------------------------------------- many at once, and for good


def test_forks_at_once_while_the_parent_paints_are_each_a_beginning_of_it(studio: Studio) -> None:
    parent = play(studio, "pp", task_id="natural-01")
    copies: list[tuple[int, Played]] = []

    def split() -> None:
        for _ in range(4):
            step = studio.sessions.state(parent.id).step
            copy = fork(studio, parent, step)
            act(studio, copy, "p", "own1")
            copies.append((step, copy))

    threads = [threading.Thread(target=split) for _ in range(4)]
    for thread in threads:
        thread.start()
    go_on(studio, parent, "p" * 20)
    for thread in threads:
        thread.join()
    log = actions(studio, parent)
    assert len(log) == 22 and len({copy.id for _, copy in copies}) == 16
    for step, copy in copies:
        own = actions(studio, copy)
        assert own[:step] == log[:step] and [entry["seq"] for entry in own] == list(range(1, step + 2))
        assert own[step]["session_id"] == copy.id and studio.sessions.view(copy.id).intact


def test_copies_are_the_same_after_a_restart_and_go_on(tmp_path: Path) -> None:
    place = Settings(data_dir=tmp_path, open_sessions=4)
    studio = Studio(place)
    parent = play(studio, "ppupx")
    copies = [fork(studio, parent, 3), fork(studio, parent, 5), fork(studio, parent, 0)]
    go_on(studio, copies[0], "pp", "f")
    copies.append(fork(studio, copies[0], 4))
    before = [whole(studio, copy) for copy in copies]
    studio.close()
    studio = Studio(place)
    assert [whole(studio, copy) for copy in copies] == before
    for copy, was in zip(copies, before, strict=True):
        assert go_on(studio, copy, "p", "g")[0].seq == was.view.seq + 1
    assert [entry.differing for entry in studio.sessions.rescore()] == [0] * 5
    studio.close()


def fork_paint_and_die(folder: str) -> None:
    """What the test below lets another process do, to the point where it is killed."""
    studio = Studio(Settings(data_dir=Path(folder)))
    parent = play(studio, "ppupx")
    copies = [fork(studio, parent, 4), fork(studio, parent, 0)]
    told = go_on(studio, copies[0], "pup", "f")[-1]
    copies.append(fork(studio, copies[0], 5))
    seen = [(canvas(studio, copy), studio.sessions.view(copy.id).model_dump_json()) for copy in copies]
    print(json.dumps([copies, seen, told.model_dump_json()]), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def test_copies_survive_a_kill_with_the_same_pixels_and_scores(tmp_path: Path) -> None:
    code = f"from tests.services.test_forks import fork_paint_and_die; fork_paint_and_die({str(tmp_path)!r})"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    named, seen, told = json.loads(done.stdout)
    studio, copies = Studio(Settings(data_dir=tmp_path)), [Played(*names) for names in named]
    assert [[canvas(studio, copy), studio.sessions.view(copy.id).model_dump_json()] for copy in copies] == seen
    assert act(studio, copies[0], "p", "f7").model_dump_json() == told, "a retry of what was acknowledged before"
    assert [go_on(studio, copy, "p", "g")[0].seq for copy in copies] == [8, 1, 6]
    studio.close()


numbers = st.lists(st.floats(0.0, 1.0, width=32), min_size=13, max_size=13)
Deed = list[float] | str


class Forest(RuleBasedStateMachine):
    """Sessions that go on from each other, beside plain lists of deeds: a fork's is a copy of a beginning."""

    @initialize(protocol=st.sampled_from(["studio", "practice"]))
    def plant(self, protocol: str) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.open()
        self.done: dict[Played, list[Deed]] = {play(self.studio, "", protocol=protocol): []}
        self.limited = protocol == "studio"

    def open(self) -> None:
        self.studio = Studio(Settings(data_dir=self.folder, open_sessions=2))

    def teardown(self) -> None:
        if hasattr(self, "studio"):
            self.restart()
            for session in self.done:
                self.look(session)
            self.studio.close()
            shutil.rmtree(self.folder)

    def tree(self, data: st.DataObject) -> Played:
        return data.draw(st.sampled_from(list(self.done)))

    @rule(data=st.data(), deed=numbers | st.sampled_from("uuuxs"))
    def do(self, data: st.DataObject, deed: Deed) -> None:
        session = self.tree(data)
        action = DEEDS[deed] if isinstance(deed, str) else {
            "kind": "brush_stroke", "stroke": dict(zip(STROKE_FIELDS, deed, strict=True)),
        }  # fmt: skip
        # the same ids in every session: none stands in another's way
        wish = NewAction.model_validate({"request_id": f"r{len(self.done[session])}", "action": action})
        if "s" in self.done[session]:
            with pytest.raises(Conflict, match="was submitted"):
                self.studio.sessions.act(session.id, session.token, wish)
            return
        self.studio.sessions.act(session.id, session.token, wish)
        self.done[session].append(deed)
        self.look(session)

    @rule(data=st.data(), beyond=st.integers(-2, 2), anywhere=st.booleans())
    def split(self, data: st.DataObject, beyond: int, anywhere: bool) -> None:
        parent = self.tree(data)
        steps = [deed for deed in self.done[parent] if deed != "s"]
        step = data.draw(st.integers(0, len(steps))) if anywhere else max(0, len(steps) + beyond)
        if step > len(steps) or (self.limited and step >= BUDGET):
            with pytest.raises(Refusal):
                fork(self.studio, parent, step)
            return
        copy = fork(self.studio, parent, step)
        self.done[copy] = steps[:step]
        self.look(copy)

    @rule()
    def restart(self) -> None:
        self.studio.close()
        self.open()

    @invariant()
    def one_session_is_the_fold_of_its_deeds(self) -> None:
        if hasattr(self, "studio"):
            self.look(list(self.done)[-1])

    def look(self, session: Played) -> None:
        done, lying = self.done[session], [np.empty(0)][:0]
        for deed in done:
            if isinstance(deed, list):
                lying.append(np.array(deed))
            elif deed == "u" and lying:
                lying.pop()
        view, steps = self.studio.sessions.view(session.id), [deed for deed in done if deed != "s"]
        assert view.intact and (view.seq, view.step, view.strokes) == (len(done), len(steps), len(lying))
        assert len(view.curve) == len(steps) + 1
        want = render(np.array(lying).reshape(-1, 13), np.full((64, 64, 3), 255, np.uint8))
        assert canvas(self.studio, session) == digest(want)
        kinds = ["brush_stroke" if isinstance(deed, list) else DEEDS[deed]["kind"] for deed in done]
        assert [entry["kind"] for entry in actions(self.studio, session)] == kinds


TestForest = Forest.TestCase
TestForest.settings = settings(
    max_examples=8, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
