"""What a session promises: files and variables, images, limits, and what is said of them."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from easel_app.rubrics.sandbox.bubblewrap import Bubblewrap
from easel_app.rubrics.sandbox.execution import Execution, Limits, Outcome, SandboxUnavailable, Session
from easel_app.rubrics.sandbox.session import BubblewrapSession
from tests.conftest import wait_until
from tests.rubrics.sandbox.driving import USERS, Driver, alive, descendants, named
from tests.rubrics.sandbox.looping import Loop, alone
from tests.rubrics.sandbox.snippets import HOSTILE

LIMITS = Limits(wall=20.0, cpu=10, scratch=32 * 2**20, output=2048)
SHORT = replace(LIMITS, wall=1.0)


def picture(colour: str = "red", form: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(file, form)
    return file.getvalue()


TASK = {"image_1.png": picture("blue"), "image_2.jpg": picture("green", "JPEG")}
SAVE = "from PIL import Image\nImage.new('RGB', (4, 4), {colour!r}).save({name!r})\n"


def saving(*names: str, colour: str = "red") -> str:
    return "".join(SAVE.format(colour=colour, name=name) for name in names)


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    with Loop() as loop:
        yield loop


@pytest.fixture(scope="module")
def sandbox() -> Bubblewrap:
    sandbox = Bubblewrap(LIMITS)
    assert sandbox.off == ""
    return sandbox


@pytest.fixture(scope="module")
def fresh(loop: Loop, sandbox: Bubblewrap) -> Iterator[Session]:
    session = loop(sandbox.open(TASK))
    yield session
    loop(session.close())


@pytest.fixture(scope="module")
def kept(loop: Loop, sandbox: Bubblewrap) -> Iterator[Session]:
    session = loop(sandbox.open({}, keep_variables=True))
    yield session
    loop(session.close())


def names(done: Execution) -> list[str]:
    return [image.name for image in done.images]


def printed(done: Execution) -> str:
    assert done.outcome is Outcome.DONE, done
    return done.stdout


def test_files_live_from_call_to_call_and_variables_only_where_they_are_kept(
    loop: Loop, fresh: Session, kept: Session
) -> None:
    for session in (fresh, kept):
        loop(session.run("x = 5; open('file.txt', 'w').write('here'); open('mine.py', 'w').write('y = 6')"))
        assert printed(loop(session.run("import mine; print(open('file.txt').read(), mine.y)"))) == "here 6\n"
    assert "NameError: name 'x'" in loop(fresh.run("print(x)")).stderr
    assert printed(loop(kept.run("print(x)"))) == "5\n"


def test_the_images_of_the_task_are_there_as_they_are(loop: Loop, fresh: Session) -> None:
    code = f"from hashlib import sha256\nfor n in {list(TASK)}: print(sha256(open(n, 'rb').read()).hexdigest())"
    assert printed(loop(fresh.run(code))).split() == [hashlib.sha256(each).hexdigest() for each in TASK.values()]


def test_images_come_in_the_order_in_which_they_were_saved(loop: Loop, fresh: Session) -> None:
    wait = "import time\n"
    code = wait + "time.sleep(0.02)\n".join(saving(name) for name in ("z.png", "a.jpg", "m.webp", "sub.gif"))
    assert names(loop(fresh.run(code))) == ["z.png", "a.jpg", "m.webp", "sub.gif"]


def test_an_image_counts_again_when_it_is_overwritten_and_not_when_it_is_left(loop: Loop, fresh: Session) -> None:
    assert names(loop(fresh.run(saving("again.png", "left.png")))) == ["again.png", "left.png"]
    assert names(loop(fresh.run(saving("again.png", colour="blue")))) == ["again.png"]
    assert names(loop(fresh.run("print(1)"))) == []
    assert names(loop(fresh.run("import os; os.utime('left.png', ns=(1, 1))"))) == ["left.png"]


def test_an_image_of_the_task_counts_only_when_it_is_overwritten(loop: Loop, sandbox: Bubblewrap) -> None:
    async def scene() -> list[list[str]]:
        session = await sandbox.open(TASK)
        try:
            return [names(await session.run(code)) for code in ("print(1)", saving("image_1.png"))]
        finally:
            await session.close()

    assert loop(scene()) == [[], ["image_1.png"]]


def test_images_are_taken_wherever_code_may_save_them(loop: Loop, fresh: Session) -> None:
    code = "import os; os.makedirs('out/deep', exist_ok=True); os.makedirs('.hidden', exist_ok=True)\n"
    temporary, mounts = "/tmp", "/mnt"
    places = ("out/deep/a.png", f"{temporary}/b.png", f"{mounts}/data/c.png", "/scratch/d.png", ".hidden/e.png")
    assert set(names(loop(fresh.run(code + saving(*places))))) == {"out/deep/a.png", "b.png", "c.png", "d.png"}


def test_what_a_file_is_is_told_by_its_content_and_not_by_its_name(loop: Loop, fresh: Session) -> None:
    done = loop(
        fresh.run(saving("x.png") + "import os; os.rename('x.png', 'x.txt'); open('y.png', 'w').write('no image')")
    )
    assert names(done) == ["x.txt"]
    assert Image.open(io.BytesIO(done.images[0].content)).format == "PNG"


def test_an_image_is_byte_for_byte_what_was_saved_even_with_a_zip_behind_it(loop: Loop, fresh: Session) -> None:
    code = "import io, zipfile\nb = io.BytesIO(open('image_1.png', 'rb').read()); b.seek(0, 2)\n"
    code += "z = zipfile.ZipFile(b, 'a'); z.writestr('a.py', 'x'); z.close()\n"
    done = loop(fresh.run(code + "open('both.png', 'wb').write(b.getvalue())"))
    assert names(done) == ["both.png"]
    assert done.images[0].content.startswith(TASK["image_1.png"])
    assert b"a.py" in done.images[0].content


def test_one_file_of_several_names_is_one_image(loop: Loop, fresh: Session) -> None:
    assert len(loop(fresh.run(saving("one.png") + "import os; os.link('one.png', 'two.png')")).images) == 1


def test_kinds_that_are_not_shown_are_named(loop: Loop, fresh: Session) -> None:
    code = "import matplotlib.pyplot as p; p.plot([1]); p.savefig('c.svg'); p.savefig('c.pdf')\n" + saving("c.bmp")
    done = loop(fresh.run(code))
    assert done.images == ()
    (note,) = done.notes
    assert note.startswith("Only PNG, JPEG, WebP and GIF files are shown, hence not ")
    assert all(name in note for name in ("c.svg", "c.pdf", "c.bmp"))


def test_silence_is_explained(loop: Loop, fresh: Session) -> None:
    (note,) = loop(fresh.run("1 + 1")).notes
    assert "only if it is printed" in note
    assert loop(fresh.run("print(2)")).notes == ()


@pytest.mark.parametrize("name", ["numpy", "PIL", "cv2", "skimage", "scipy", "matplotlib"])
def test_the_packages_that_are_promised_are_there(name: str, loop: Loop, fresh: Session) -> None:
    assert printed(loop(fresh.run(f"import {name}; print({name}.__version__)"))).strip()


@pytest.mark.parametrize("name", ["easel_app", "gradio", "httpx", "pytest", "pip", "site"])
def test_other_packages_are_not_so_that_every_install_is_alike(name: str, loop: Loop, fresh: Session) -> None:
    code = f"import importlib.util as u; print(u.find_spec({name!r}))"
    assert (printed(loop(fresh.run(code))) == "None\n") is (name != "site")


@pytest.mark.parametrize(
    ("code", "said"),
    {
        "import asyncio; print(asyncio.run(asyncio.sleep(0, 'slept')))": "slept\n",
        "from concurrent.futures import ThreadPoolExecutor as T; e = T(3); print(*e.map(abs, [-1, -2]))": "1 2\n",
        "import threading; threading.Thread(target=lambda: print('joined')).start()": "joined\n",
        "import atexit; atexit.register(print, 'at the end')": "at the end\n",
        "print('before'); exit()\nprint('after')": "before\n",
        "if __name__ == '__main__': print(__name__)": "__main__\n",
        "from PIL import ImageFont; print(ImageFont.truetype('DejaVuSans-Bold.ttf', 9).getname()[0])": "DejaVu Sans\n",
        "import tempfile; print(tempfile.gettempdir())": "/tmp\n",
        "class A: pass\nimport pickle; print(type(pickle.loads(pickle.dumps(A()))).__name__)": "A\n",
        "print('\\ud800')": "\\ud800\n",
        "import cv2, numpy as n; print(cv2.GaussianBlur(n.ones((99, 99), 'u1'), (5, 5), 0).sum())": "9801\n",
        "from skimage import data, filters; import numpy as n; print(filters.sobel(n.ones((9, 9))).sum())": "0.0\n",
    }.items(),
)
def test_what_programs_expect_of_python_works(code: str, said: str, loop: Loop, fresh: Session) -> None:
    assert printed(loop(fresh.run(code))) == said


def test_charts_are_drawn_without_a_complaint(loop: Loop, fresh: Session) -> None:
    done = loop(
        fresh.run("import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.title('Überschrift'); plt.savefig('c.png')")
    )
    assert (names(done), done.stderr) == (["c.png"], "")


def test_fresh_calls_draw_different_random_numbers(loop: Loop, fresh: Session) -> None:
    code = "import numpy, random; print(numpy.random.rand(), random.random())"
    first, second = (printed(loop(fresh.run(code))).split() for _ in range(2))
    assert first[0] != second[0]
    assert first[1] != second[1]


def test_an_error_is_told_as_python_does_with_the_line_and_without_ours(
    loop: Loop, kept: Session, fresh: Session
) -> None:
    done = loop(fresh.run("def f():\n    return 1 / 0\nf()"))
    assert done.outcome is Outcome.RAISED
    assert "    return 1 / 0\n" in done.stderr
    assert "worker.py" not in done.stderr
    assert done.stderr.rstrip().endswith("ZeroDivisionError: division by zero")
    loop(kept.run("def f():\n    return 1 / 0"))
    assert "    return 1 / 0\n" in loop(kept.run("\n\n\nf()")).stderr


@pytest.mark.parametrize("code", ["a\0b", "x = '\ud800'", "\udcff", "def", "", "#" * 200_000 + "\nprint('end')"])
def test_any_text_is_code_or_an_error(code: str, loop: Loop, fresh: Session) -> None:
    done = loop(fresh.run(code))
    assert done.outcome in (Outcome.DONE, Outcome.RAISED)
    assert (done.outcome is Outcome.RAISED) is ("Error" in done.stderr)


def test_the_beginning_and_the_end_of_much_output_are_told(loop: Loop, fresh: Session) -> None:
    done = loop(fresh.run("print('first')\nfor k in range(10**5): print(k)\nprint('last')"))
    assert done.stdout.startswith("first\n0\n1\n")
    assert done.stdout.endswith("99999\nlast\n")
    assert "bytes are left out" in done.stdout
    assert len(done.stdout) < LIMITS.output + 100


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("while True: pass", Outcome.TOO_LONG),
        ("import os; os._exit(0)", Outcome.CRASHED),
        ("import ctypes; ctypes.string_at(0)", Outcome.CRASHED),
        ("import os; os.closerange(0, 9)", Outcome.CRASHED),
        ("bytearray(10**11)", Outcome.TOO_MUCH_MEMORY),
        ("1 / 0", Outcome.RAISED),
    ],
)
def test_variables_are_gone_with_their_process_and_that_is_said(code: str, outcome: Outcome, loop: Loop) -> None:
    async def scene() -> tuple[Execution, Execution]:
        session = await BubblewrapSession.open({}, True, SHORT, preload=())
        try:
            await session.run("x = 5; open('f', 'w').write('here')")
            return await session.run(code), await session.run("print('x' in dir(), open('f').read())")
        finally:
            await session.close()

    done, after = loop(scene())
    lives = outcome in (Outcome.RAISED, Outcome.TOO_MUCH_MEMORY)
    assert done.outcome is outcome
    assert any("variables" in note for note in done.notes) is not lives
    assert after.stdout == f"{lives} here\n"


@pytest.mark.parametrize(
    "name",
    [
        "monkey-patching the runner",
        "pretending to be done",
        "nonsense to whoever listens",
        "closing all files",
        "closing all files and ending well",
        "output that looks like an answer",
        "shutting and emptying the scratch folder",
        "a process that stops itself",
        "a segmentation fault",
    ],
)
def test_a_session_goes_on_where_variables_are_kept(name: str, loop: Loop) -> None:
    async def scene() -> Execution:
        session = await BubblewrapSession.open({}, True, SHORT, preload=())
        try:
            await session.run(HOSTILE[name].code)
            return await session.run("print('as before')")
        finally:
            await session.close()

    assert printed(loop(scene())) == "as before\n"


def test_threads_that_code_leaves_behind_rest_until_its_next_call(loop: Loop, kept: Session) -> None:
    assert isinstance(kept, BubblewrapSession)
    code = "import threading, time\nn = [0]\ndef count():\n    while True: n[0] += 1; time.sleep(0.001)\n"
    loop(kept.run(code + "threading.Thread(target=count, daemon=True).start()"))
    states = [
        Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[0] for each in descendants(kept.number or 0)
    ]
    assert states.count("T") == 1
    assert printed(loop(kept.run("time.sleep(0.05); print(n[0] > 5)"))) == "True\n"


def test_threads_that_bid_their_process_go_on_cost_no_more_than_its_variables(loop: Loop) -> None:
    async def scene() -> tuple[Execution, Execution]:
        session = await BubblewrapSession.open({}, True, replace(LIMITS, wall=3.0), preload=())
        try:
            await session.run("open('f', 'w').write('here')")
            return await session.run(HOSTILE["going on while it is bidden to stop"].code), await session.run(
                "print(open('f').read())"
            )
        finally:
            await session.close()

    done, after = loop(scene())
    assert done.outcome in (Outcome.DONE, Outcome.TOO_LONG)
    assert printed(after) == "here\n"


def test_two_callers_at_once_take_turns(loop: Loop, fresh: Session) -> None:
    async def scene() -> list[Execution]:
        return list(await asyncio.gather(*(fresh.run(f"print({k})") for k in range(4))))

    assert [printed(done) for done in loop(scene())] == ["0\n", "1\n", "2\n", "3\n"]


def test_eight_sessions_are_out_of_each_others_sight(loop: Loop) -> None:
    async def scene() -> list[str]:
        sessions = [await BubblewrapSession.open({}, k % 2 == 1, LIMITS, preload=()) for k in range(8)]
        try:
            calls = [f"open('own', 'w').write('{k}' * 1000)" for k in range(8)]
            await asyncio.gather(*(session.run(code) for session, code in zip(sessions, calls, strict=True)))
            code = "import os; print(os.listdir('.'), set(open('own').read()))"
            return [done.stdout for done in await asyncio.gather(*(session.run(code) for session in sessions))]
        finally:
            await asyncio.gather(*(session.close() for session in sessions))

    assert loop(scene()) == [f"['own', '.shm'] {{'{k}'}}\n" for k in range(8)]


def test_a_call_that_is_cut_off_costs_the_files_and_not_the_session(loop: Loop) -> None:
    async def scene() -> tuple[int | None, Execution, Execution]:
        session = await BubblewrapSession.open(TASK, False, LIMITS, preload=())
        await session.run("open('f', 'w').write('here')")
        call = asyncio.create_task(session.run("while True: pass"))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        number = session.number
        after = [await session.run("import os; print(sorted(os.listdir('.')))") for _ in range(2)]
        await session.close()
        return number, after[0], after[1]

    number, after, later = loop(scene())
    assert number is None
    assert after.stdout == "['.shm', 'image_1.png', 'image_2.jpg']\n"
    assert "What code saved and computed is gone" in after.notes[0]
    assert later.notes == ()


@pytest.mark.parametrize("when", ["before", "during"])
def test_a_sandbox_that_is_lost_is_replaced_and_that_is_said_once(when: str, loop: Loop) -> None:
    async def scene() -> tuple[Execution, Execution]:
        session = await BubblewrapSession.open(TASK, False, LIMITS, preload=())
        await session.run("open('f', 'w').write('here')")
        number = session.number or 0
        code = "print('ran')" if when == "before" else "print('begun', flush=True)\nwhile True: pass"
        if when == "before":
            os.kill(number, 9)
            await asyncio.to_thread(wait_until, lambda: not alive({number}))
        else:
            asyncio.get_running_loop().call_later(0.1, os.kill, number, 9)
        done = await session.run(code)
        after = await session.run("import os; print(os.path.exists('f'), os.path.exists('image_1.png'))")
        await session.close()
        return done, after

    done, after = loop(scene())
    assert done.outcome is (Outcome.DONE if when == "before" else Outcome.LOST)
    assert done.stdout == ("ran\n" if when == "before" else "")
    assert "What code saved and computed is gone" in done.notes[0]
    assert (after.stdout, after.notes) == ("False True\n", ())


def test_opening_can_be_cut_off_and_a_session_closed_while_it_starts(loop: Loop) -> None:
    files = len([*Path("/proc/self/fd").iterdir()])
    limits = replace(LIMITS, scratch=LIMITS.scratch + 4096 * (os.getpid() % 4096 + 1))  # by which they are told apart

    async def cut_off(turns: int) -> None:
        opening = asyncio.create_task(BubblewrapSession.open(TASK, False, limits, preload=()))
        for _ in range(turns):
            await asyncio.sleep(0)
        opening.cancel()
        for session in await asyncio.gather(opening, return_exceptions=True):
            if isinstance(session, BubblewrapSession):
                await session.close()

    async def scene() -> None:
        for turns in range(12):
            await cut_off(turns)
        session = await BubblewrapSession.open(TASK, False, limits, preload=())
        await session._end()  # as after a call that was cut off: the next one starts a sandbox
        call = asyncio.create_task(session.run("print(1)"))
        await asyncio.sleep(0)
        await session.close()
        with pytest.raises(SandboxUnavailable, match="closed"):
            await call

    loop(scene())
    wait_until(lambda: not alive(named(str(limits.scratch))))
    assert len([*Path("/proc/self/fd").iterdir()]) == files


def test_a_session_can_be_closed_twice_and_while_a_call_runs(loop: Loop) -> None:
    async def scene() -> Outcome:
        session = await BubblewrapSession.open({}, False, LIMITS, preload=())
        await session.run("pass")
        call = asyncio.create_task(session.run("while True: pass"))
        await asyncio.sleep(0)
        await session.close()
        await session.close()
        with pytest.raises(SandboxUnavailable, match="closed"):
            await session.run("print(1)")
        return (await call).outcome

    assert loop(scene()) is Outcome.LOST


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/b", "", ".hidden", "a\0", "a" * 101, "ä.png"])
def test_an_image_cannot_lie_elsewhere(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be called"):
        alone(BubblewrapSession.open({name: b""}, False, LIMITS, preload=()))


def test_sessions_leave_no_files_threads_or_processes_behind() -> None:
    others, files, started = descendants(os.getpid()), [], set()

    async def scene() -> None:
        for _ in range(4):
            session = await BubblewrapSession.open(TASK, False, LIMITS, preload=())
            await session.run("print(1)")
            started.update(descendants(os.getpid()) - others)
            await session.close()
            files.append(len([*Path("/proc/self/fd").iterdir()]))  # noqa: ASYNC240

    alone(scene())
    assert len(started) >= 4 * 4
    assert files == [files[0]] * 4
    wait_until(lambda: not alive(started))


@pytest.mark.parametrize("user", USERS)
def test_nothing_outlives_a_process_that_is_killed(user: str) -> None:
    driver = Driver(user, wall=60.0)
    driver.open("one")
    driver.open("two", keep=True)
    assert driver.run("two", "print(1)")["stdout"] == "1\n"
    started = driver.descendants()
    assert len(started) > 4
    driver.kill()
    wait_until(lambda: not alive(started))
