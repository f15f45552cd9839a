"""Operations on pictures in a model's code: idioms by hand, laws, and text that is no code."""

from __future__ import annotations

import doctest
import json
import textwrap
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.scoring import image_operations as module
from easel_app.scoring.image_functions import FUNCTIONS, KINDS
from easel_app.scoring.image_operations import LONGEST, KindCount, image_operations, operation_counts

READ = {
    "crops, enlarges and saves": (
        """
        from PIL import Image
        img = Image.open("input.png")
        w, h = img.size
        z = img.crop((0, 0, w // 2, h)).resize((w * 2, h * 2), Image.LANCZOS)
        z.save("transformed_image_0.png")
        """,
        {"crop": 1, "resize": 1},
    ),
    "OpenCV under another name": (
        """
        import cv2 as c
        i = c.imread("a.png")
        part = c.resize(i[10:90, 20:80], None, fx=3, fy=3, interpolation=c.INTER_CUBIC)
        grey = c.cvtColor(part, c.COLOR_BGR2GRAY)
        c.imwrite("o.png", c.createCLAHE(2.0, (8, 8)).apply(grey))
        """,
        {"crop": 1, "resize": 1, "contrast": 1, "other": 1},
    ),
    "enhancers by the name of their import": (
        """
        from PIL import ImageEnhance as E
        x = E.Contrast(x).enhance(2)
        x = E.Brightness(x).enhance(1.2)
        x = E.Sharpness(x).enhance(2)
        """,
        {"brightness": 1, "contrast": 1, "other": 1},
    ),
    "slices of an array that came from a picture": (
        """
        import numpy as np
        from PIL import Image
        a = np.asarray(Image.open(p)).astype(float)
        b = a[y0:y1, x0:x1]
        c = np.rot90(b)
        d = np.fliplr(c), a[::-1], a[:, ::-1]
        e = a[::2, ::2]
        rgb = a[:, :, ::-1], a[..., 0], a[:, :], a[3, 5:9], a[mask]
        """,
        {"crop": 1, "resize": 1, "rotate": 1, "flip": 3},
    ),
    "rows and then columns are one crop": ("import cv2\nx = cv2.imread(p)\ny = x[1:5][:, 2:6]", {"crop": 1}),
    "rows alone of what comes from a picture": ("import cv2\nx = cv2.imread(p)\ny = x[1:5]", {"crop": 1}),
    "rows alone of what is only called a picture": ("y = img[1:5]", {"other": 1}),
    "an unknown value that is called a picture": ("y = gray_image[1:5, 2:6]\nz = sideImg2[:9, :]", {"crop": 2}),
    "a crop that turns at once": ("y = img[1:5, ::-1]", {"crop": 1, "flip": 1}),
    "names that only begin like a picture": ("a = image_paths[0:3, 0:2]\nb = img_w[1:2, 3:4]", {}),
    "tables and lists": (
        """
        import pandas as pd
        from collections import deque
        frame = pd.read_csv("prices.csv")
        print(frame.iloc[0:3, 0:2], frame[0:3, 0:2], "abcdef"[1:3])
        queue = deque([1, 2])
        queue.rotate(1)
        """,
        {},
    ),
    "a matrix": ("import numpy as np\nm = np.arange(9).reshape(3, 3)\nprint(m[0:2, 0:2], np.flip(m))", {}),
    "places count once, however often they run": (
        """
        from PIL import Image
        im = Image.open(p)
        for i, box in enumerate(boxes):
            part = im.crop(box)
            part.rotate(90, expand=True).transpose(Image.FLIP_LEFT_RIGHT).save(f"{i}.png")
        """,
        {"crop": 1, "rotate": 1, "flip": 1},
    ),
    "through functions of its own": (
        """
        import cv2
        def zoom(x, b):
            y = x[b[1]:b[3], b[0]:b[2]]
            return cv2.resize(y, (9, 9))
        k = zoom(cv2.imread("a"), (1, 2, 3, 4))[0:5, 1:3]
        """,
        {"crop": 2, "resize": 1},
    ),
    "through loops and collections": (
        """
        from PIL import Image
        import numpy as np
        many = [Image.open(p) for p in paths]
        for k, x in enumerate(many):
            y = np.array(x)[0:9, 0:9]
        first = np.array(many[0])[3:4, 5:6]
        """,
        {"crop": 2},
    ),
    "drawing": (
        """
        from PIL import Image, ImageDraw
        im = Image.open(p)
        pen = ImageDraw.Draw(im)
        pen.rectangle(box)
        pen.text((1, 2), "here")
        im.paste(other, (1, 2))
        im.load()[3, 4] = 255
        """,
        {"edit": 4},
    ),
    "drawing and inpainting by OpenCV": (
        "import cv2\ncv2.rectangle(x, a, b, 0, 2)\ncv2.putText(x, s, a, 0, 1, 0)\ny = cv2.inpaint(x, m, 3, 0)",
        {"edit": 3},
    ),
    "setting a part": ("img[10:20, 30:40] = 255", {"edit": 1}),
    "point by what its function does": (
        "a = im.point(lambda p: p * 1.4)\nb = im.point(lambda p: 255 if p > 9 else 0)\nc = im.point(table)",
        {"brightness": 1, "other": 2},
    ),
    "clipped arithmetic": (
        """
        import numpy as np
        a = np.clip(img.astype(float) * 1.3, 0, 255)
        b = np.clip((img - 128) * 1.5 + 128, 0, 255)
        c = (img + 30).clip(0, 255)
        d = np.clip(prices * 1.2, 0, 9)
        """,
        {"brightness": 2, "contrast": 1},
    ),
    "alpha is contrast and beta brightness": (
        """
        import cv2
        a = cv2.convertScaleAbs(x, alpha=1.5, beta=0)
        b = cv2.convertScaleAbs(x, alpha=1, beta=30)
        c = cv2.convertScaleAbs(x, None, 1.2, 10)
        d = cv2.convertScaleAbs(x)
        """,
        {"brightness": 2, "contrast": 2, "other": 1},
    ),
    "a matrix that rotates, and one that does not": (
        """
        import cv2
        turn = cv2.getRotationMatrix2D((1, 2), 30, 1)
        a = cv2.warpAffine(x, turn, (3, 4))
        b = cv2.warpAffine(x, shift, (3, 4))
        """,
        {"rotate": 1, "other": 1},
    ),
    "a number added, or another picture": (
        "import cv2\na = cv2.add(x, 50)\nb = cv2.add(x, y)\nc = cv2.addWeighted(x, 1.5, x, 0, 20)",
        {"brightness": 2, "contrast": 1, "other": 1},
    ),
    "scikit-image": (
        """
        from skimage import io, transform as tf, exposure
        x = tf.rotate(tf.resize(io.imread("a"), (3, 3)), 30)
        y = exposure.adjust_gamma(exposure.equalize_adapthist(x), 0.5)
        """,
        {"resize": 1, "rotate": 1, "brightness": 1, "contrast": 1},
    ),
    "ImageOps, where fit does two things": (
        """
        from PIL import ImageOps
        a = ImageOps.mirror(x), ImageOps.flip(x), ImageOps.fit(x, (2, 2)), ImageOps.crop(x, 3)
        b = ImageOps.autocontrast(x), ImageOps.expand(x, 2)
        """,
        {"crop": 2, "resize": 1, "flip": 2, "contrast": 1, "other": 1},
    ),
    "transpose by its constant": (
        """
        from PIL import Image
        a = x.transpose(Image.FLIP_TOP_BOTTOM), x.transpose(Image.Transpose.ROTATE_90), x.transpose(0)
        b = x.transpose(method=Image.Transpose.ROTATE_180), x.transpose(2, 0, 1), x.transpose((2, 0, 1))
        """,
        {"rotate": 2, "flip": 2},
    ),
    "the box of a resize": ("a = im.resize((9, 9), box=(0, 0, 3, 3))\nb = im.resize((9, 9))", {"crop": 1, "resize": 2}),
    "cv2.rotate, cv2.flip and a function under a new name": (
        "import cv2\ngrow = cv2.resize\na = grow(cv2.flip(cv2.rotate(x, cv2.ROTATE_180), 1), (2, 2))",
        {"resize": 1, "rotate": 1, "flip": 1},
    ),
    "everything imported": ("from cv2 import *\ny = flip(resize(imread('a'), (2, 2)), 1)", {"resize": 1, "flip": 1}),
    "without imports": (
        "im = Image.open(p)\nImageOps.mirror(im)\ncv2.resize(np.array(im), s)",
        {"resize": 1, "flip": 1},
    ),
    "a name of its own that looks like a module": ("cv = load(p)\ncv.crop(box)", {"crop": 1}),
    "None at first": ("img = None\nfor p in ps:\n    img = load(p)\n    img.crop(box)", {"crop": 1}),
    "an unbound method": ("from PIL import Image\nImage.Image.crop(x, box)", {"crop": 1}),
    "attributes": ("class A:\n    def f(self):\n        return self.image.crop(b), self.image[1:2, 3:4]", {"crop": 2}),
    "the assignment in a condition": ("if (x := Image.open(p)).width > 9:\n    x.thumbnail((9, 9))", {"resize": 1}),
    "the other functions of OpenCV, only with a picture": (
        "import cv2\nx = cv2.imread(p)\nc, _ = cv2.findContours(x, 1, 2)\nb = cv2.boundingRect(c[0])",
        {"other": 1},
    ),
    "a picture that is only shown": ("im = Image.open(p)\nprint(im.size)", {"other": 1}),
    "a picture that is only recoded": ("import cv2\ncv2.imwrite('o.jpg', cv2.imread('a.png'))", {"other": 1}),
    "no picture": ("print(sum(range(5)))", {}),
    "nothing": ("", {}),
    "an escape that Python warns about": (r"import re; re.sub('\d', '', s); im.crop(b)", {"crop": 1}),
}


@pytest.mark.parametrize("name", READ)
def test_code_is_read(name: str) -> None:
    code, expected = READ[name]
    found = image_operations(textwrap.dedent(code))
    assert (found.occurrences, found.parsed) == (expected, True)


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


def test_each_function_of_the_tables_is_found_by_its_full_name_and_has_known_kinds() -> None:
    for full, kinds in FUNCTIONS.items():
        found = image_operations(f"import {full.rpartition('.')[0]}\n{full}(x)")
        assert set(found.kinds) == set(kinds) <= set(KINDS), full


def test_code_that_does_not_parse_is_searched_and_says_so() -> None:
    broken = """
        im = Image.open(p)  # im.rotate(90)
        z = im.crop((1, 2, 3, 4)).resize((9, 9)
        d = ImageDraw.Draw(im)
        d.text((1, 2), "x")
        y = img[1:2, 3:4] + df[1:2, 3:4] + img[:, :]
        cv2.convertScaleAbs(im)
        x = cv2.flip(im.convert("L"), 1)
        crop(im)
    """
    found = image_operations(broken)
    assert not found.parsed
    kinds = {"crop": 2, "resize": 1, "flip": 1, "brightness": 1, "contrast": 1, "edit": 1, "other": 1}
    assert found.occurrences == kinds
    assert image_operations("print(") == module.Operations({}, parsed=False)
    assert image_operations("img =").kinds == ("other",)


HOSTILE = {
    "parentheses": "(" * 5000,
    "a null byte": "im.crop(b)\0",
    "a lone surrogate": "im.crop('\ud800')",
    "minus": "-" * 5000 + "1",
    "attributes": "a" + ".b" * 5000,
    "calls in a chain": "im" + ".crop(b)" * 620,
    "more calls in a chain": "im" + ".crop(b)" * 6000,
    "clips in a chain": "im" + ".clip(0)" * 900,
    "brackets": "img[" * 12_000,
    "colons": "img[" + ":" * 199 + "]",
    "one word": "a" * 1_000_000,
    "a megabyte": "im.crop(b)\n" * 90_000,
    "blanks": "im" + " " * 49_000 + "(",
    "dots": "." * LONGEST,
    "names in the wrong order": "\n".join(f"a{k} = a{k + 1}" for k in range(3000)),
    "conditions": "a if b else " * 3000 + "c",
    "deep functions": "".join(" " * k + "def f(im):\n" for k in range(98)) + " " * 98 + "return im.crop(b)\n",
    "imports": "from cv2 import *\n" * 2700,
    "a long number": "x = " + "9" * 40_000,
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_makes_it_fail_or_hang(name: str) -> None:
    found = image_operations(HOSTILE[name])
    assert ("crop" in found.kinds) == ("crop" in HOSTILE[name])


def test_it_says_when_code_was_too_long_to_be_parsed() -> None:
    code = "im.crop(b)\n"
    assert image_operations(code + "#" * (LONGEST - len(code))).parsed
    assert not image_operations(code + "#" * LONGEST).parsed


@given(st.text(max_size=80))
def test_any_text_is_answered(text: str) -> None:
    found = image_operations(text)
    assert set(found.kinds) <= set(KINDS)
    assert all(count > 0 for count in found.occurrences.values())


PIECES = "im|x|.crop(b)|[1:2, 3:4]|(|)|\n| = |cv2.flip|lambda p: |*2|def f(im):\n |for |in |import cv2 as |return |,"
MORE = "np.clip(|Image.open(p)|with |as |:|f(|*|x, y|[|]|class A:\n |@|await |match x:\n case |del |None|:=|global im\n"
pieces = st.sampled_from([*PIECES.split("|"), *MORE.split("|")])


@given(st.lists(pieces, max_size=25).map("".join))
def test_any_heap_of_code_is_answered(text: str) -> None:
    assert set(image_operations(text).kinds) <= set(KINDS)


statements = st.sampled_from([textwrap.dedent(code).strip() for code, _ in READ.values() if "import" in code])


@given(statements, statements)
def test_code_twice_over_holds_the_same_kinds(first: str, second: str) -> None:
    one, twice = image_operations(first), image_operations(f"{first}\n{first}")
    assert set(twice.kinds) == set(one.kinds)
    real = {kind for kind in one.kinds if kind != "other"}
    assert real <= set(image_operations(f"{first}\n{second}").kinds)


def call(arguments: Any, name: str = "python_image_processing") -> dict[str, Any]:
    return {"function_name": name, "function_args": arguments, "observation": None}


def test_calls_and_places_are_counted_apart() -> None:
    tasks: list[dict[str, Any]] = [
        {
            "task_id": "a",
            "turns": [
                {"tool_use_list": [call({"code": "im.crop(a)\nim.crop(b).rotate(9)"}), call({"code": "im.crop(c)"})]},
                {"tool_use_list": [call(json.dumps({"code": "im.crop(d)"})), call({"code": "im.crop("})]},
            ],
        },
        {"task_id": "b", "tool_use_list": [call({"code": "im.crop(e)"}, "python_interpreter"), None, "call"]},
        {"task_id": "c", "tool_use_list": [call({"code": 3}), call("{"), call({"code": "print(1)"})]},
        {"task_id": "d", "turns": []},
    ]
    counts = operation_counts(tasks)
    assert (counts.n_calls, counts.n_none, counts.n_searched) == (7, 3, 1)
    assert list(counts.by_kind) == list(KINDS)
    assert counts.by_kind["crop"] == KindCount(calls=4, occurrences=5)
    assert counts.by_kind["rotate"] == KindCount(calls=1, occurrences=1)
    assert counts.by_kind["edit"] == KindCount(calls=0, occurrences=0)


def test_the_code_is_never_run(tmp_path: Any) -> None:
    canary = tmp_path / "canary"
    image_operations(f"open({str(canary)!r}, 'w').write('x')\n__import__('os').mkdir({str(canary) + '2'!r})")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "code",
    [
        "im = Image.open('a.png').convert('RGB').crop((0, 0, 9, 9))",
        "im = Image.open('a.png').convert('RGBA').crop((0, 0, 9, 9))",
        "im = cv2.cvtColor(cv2.imread('a.png'), cv2.COLOR_BGR2RGB)[0:9, 0:9]",
    ],
)
def test_bringing_a_picture_to_rgb_is_no_operation(code: str) -> None:
    assert image_operations(code).occurrences == {"crop": 1}


@pytest.mark.parametrize("code", ["Image.open('a.png').convert('L')", "cv2.cvtColor(x, cv2.COLOR_BGR2GRAY)"])
def test_giving_up_colour_is_one(code: str) -> None:
    assert image_operations(code).occurrences == {"other": 1}
