"""The import graph of an entry module, each module once, with bare specifiers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.exports.modules import data_url, modules_of
from easel_app.settings import static_folder


def graph(folder: Path, **files: str) -> dict[str, str]:
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".js")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return modules_of("entry.js", folder)


def test_every_form_of_import_is_followed(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        entry="""import one, { a as b } from "./one.js"; import * as two from './two.js';
import {
  long,
  list,
} from "./sub/three.js";
import "./four.js";
export { x } from "./five.js"; export * from "./six.js";
const late = await import("./seven.js");
""",
        one='import "./two.js";',
        two="",
        sub__three='import { up } from "../one.js"; import { deeper } from "./more.js";',
        sub__more="",
        four="",
        five="",
        six="",
        seven="",
    )
    names = {"entry", "one", "two", "sub/three", "sub/more", "four", "five", "six", "seven"}
    assert set(found) == {f"easel/{name}.js" for name in names}
    assert not re.search(r"""["']\.{1,2}/""", "".join(found.values()))
    third = 'import { up } from "easel/one.js"; import { deeper } from "easel/sub/more.js";'
    assert found["easel/sub/three.js"] == third


def test_modules_that_import_each_other_are_each_in_once(tmp_path: Path) -> None:
    found = graph(tmp_path, entry='import "./a.js";', a='import "./b.js"; export {};', b='import "./a.js"; export {};')
    assert list(found) == ["easel/entry.js", "easel/a.js", "easel/b.js"]


def test_what_only_looks_like_an_import_is_left_alone(tmp_path: Path) -> None:
    text = """export const python = `import gymnasium
from easel_app.recording import Recorded
`;
const words = "import it from './nowhere.js'"; // text
const path = "./nowhere.js";
fetch("./nowhere.js");
"""
    assert graph(tmp_path, entry=text) == {"easel/entry.js": text}


def test_a_module_that_is_not_there_or_outside_the_folder_is_not_found(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.js").write_text("")
    with pytest.raises(FileNotFoundError):
        graph(inside, entry='import "../secret.js";')
    with pytest.raises(FileNotFoundError):
        graph(inside, entry='import "./gone.js";')


@given(st.text(st.characters(codec="utf-8")))
def test_a_data_url_holds_the_source_as_it_is(source: str) -> None:
    address = data_url(source)
    kind, _, content = address.partition(",")
    assert kind == "data:text/javascript;charset=utf-8"
    assert unquote(content, errors="strict") == source + "\n"
    assert all(" " <= char <= "~" and char != "#" for char in address)
    assert "<" not in json.dumps(address).replace("<", "\\u003c")


def test_the_page_s_own_modules_need_nothing_that_is_not_inside() -> None:
    for entry in ("watch.js", "paint.js", "semantic.js", "connect.js"):
        for source in modules_of(entry, static_folder()).values():
            assert not re.search(r"""^\s*(?:import|export)\b[^;]*?["']\.{1,2}/""", source, re.MULTILINE)
