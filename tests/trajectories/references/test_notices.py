"""What must be handed on with pictures of the pool."""

from __future__ import annotations

import json
import zipfile

from easel_app.settings import data_folder
from easel_app.trajectories.references.emoji import Emoji
from easel_app.trajectories.references.glyphs import Glyphs
from easel_app.trajectories.references.notices import notices
from easel_app.trajectories.references.reference import Reference
from easel_app.trajectories.references.text import Text


def test_emoji_bring_the_text_of_both_licences_and_who_holds_them() -> None:
    found = notices(["geometry", "emoji", "emoji"])
    for part in (
        "Copyright (c) Microsoft Corporation",
        "The above copyright notice and this permission notice shall be included",
        'THE SOFTWARE IS PROVIDED "AS IS"',
        "Copyright Google LLC",
        "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
        "END OF TERMS AND CONDITIONS",
    ):
        assert found.count(part) == 1
    with zipfile.ZipFile(data_folder() / "references" / "emoji.zip") as archive:
        for about in json.loads(archive.read("about.json")).values():
            assert about["author"] in found


def test_families_without_notices_and_paths_bring_none() -> None:
    assert notices([]) == ""
    assert notices(["geometry", "text", "photographs", "hub", "folder:/tmp", "../SOURCES", "*"]) == ""


def test_pictures_of_letters_are_the_projects_and_only_the_font_is_under_the_fonts_licence() -> None:
    for family in (Text, Glyphs):
        for index in range(20):
            source = family(0, 32).draw(index).source
            assert source.licence in ("Apache-2.0; font OFL-1.1", "Apache-2.0; font Apache-2.0")
            assert source.author.startswith("Easel Studio contributors; font by ")


def test_two_sets_of_emoji_are_named_in_one_order() -> None:
    found = [one for one in map(Emoji(0, 32).draw, range(200)) if isinstance(one, Reference)]
    origins = {one.source.origin: (one.source.author, one.source.licence) for one in found}
    assert origins == {
        "Fluent Emoji Flat": ("Microsoft Corporation", "MIT"),
        "Noto Emoji": ("Google LLC", "Apache-2.0"),
        "Fluent Emoji Flat and Noto Emoji": ("Microsoft Corporation and Google LLC", "MIT and Apache-2.0"),
    }
