"""Small TrueType files of open fonts: the characters that are drawn, without hints, features and spare names.

Fontsource splits a font by script; the parts that a font has are cut down and merged into one file. The files are named
by their style: an open font licence may reserve the name of a font for its unchanged form, and a subset is a change.
"""

from __future__ import annotations

import io
import json
import re
import string
from pathlib import Path
from typing import NamedTuple

from fontTools import merge, subset
from fontTools.ttLib import TTFont

from . import packages

VERSION = "5.3.0"
LATIN = string.ascii_letters + string.digits + string.punctuation + " ÀÄÅÆÇÉÈÊÑÖØÜßàäåæçéèêñöøüœ¿¡£€§–—“”’"
GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏαβγδεζηθικλμνξοπρςστυφχψωάέήίόύώ"
CYRILLIC = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя"
SYMBOLS = (
    "★☆☀☁☂☎☕☘☠☮☯☺☻♔♕♖♗♘♙♚♛♜♝♞♟♠♡♢♣♤♥♦♧♨♩♪♫♬♲♻♿⚀⚁⚂⚃⚄⚅⚐⚑⚒⚓⚔⚖⚙⚛⚜⚠⚡✂✈✉✎✏✓✔✕✖✗✘✚✝✡✢✦✧✩✪"
    "✫✬✭✮✯✱✳✴✶✷✸✹✺✻✼✽✾✿❀❁❂❄❆❈❖❤❥➔➘➙➚➜➤➲➸➹➺●○◆◇■□▲△▼▽◐◑◒◓◔◕◢◣◤◥◉◎"
)
CHARACTERS = {"latin": LATIN, "greek": GREEK, "cyrillic": CYRILLIC, "symbols": SYMBOLS}


class Font(NamedTuple):
    """A font to cut down."""

    style: str
    """What its file is called."""
    package: str
    cut: str
    """Weight and slope, as the files of the package have them."""
    scripts: tuple[str, ...]


ALL = ("latin", "greek", "cyrillic")
FONTS = [
    Font("serif", "noto-serif", "400-normal", ALL),
    Font("serif-italic", "eb-garamond", "500-italic", ALL),
    Font("serif-fat", "playfair-display", "900-normal", ("latin", "cyrillic")),
    Font("sans", "open-sans", "600-normal", ALL),
    Font("sans-narrow", "oswald", "500-normal", ("latin", "cyrillic")),
    Font("sans-round", "comfortaa", "600-normal", ("latin", "greek", "cyrillic")),
    Font("slab", "roboto-slab", "700-normal", ALL),
    Font("slab-fat", "alfa-slab-one", "400-normal", ("latin",)),
    Font("mono", "jetbrains-mono", "500-normal", ALL),
    Font("script", "caveat", "600-normal", ("latin", "cyrillic")),
    Font("script-brush", "pacifico", "400-normal", ("latin", "cyrillic")),
    Font("display", "lobster", "400-normal", ("latin", "cyrillic")),
    Font("display-sign", "bungee", "400-normal", ("latin",)),
    Font("blackletter", "pirata-one", "400-normal", ("latin",)),
    Font("pixel", "press-start-2p", "400-normal", ALL),
    Font("symbols", "noto-sans-symbols-2", "400-normal", ("symbols",)),
]


class Built(NamedTuple):
    """What is told of a font that was written."""

    font: Font
    family: str
    author: str
    licence: str
    characters: dict[str, str]
    """What it has of each script."""


def build(cache: Path, out: Path) -> list[Built]:
    """Write a TrueType file and a licence for each font; returns what they are."""
    out.mkdir(parents=True, exist_ok=True)
    for stale in out.iterdir():
        stale.unlink()
    built = [_build(font, cache, out) for font in FONTS]
    text = json.dumps([_entry(one) for one in built], indent=1, ensure_ascii=False)
    (out / "fonts.json").write_text(text + "\n", encoding="utf-8")
    return built


def _entry(built: Built) -> dict[str, object]:
    characters = {script: built.characters[script] for script in built.font.scripts}
    return {
        "style": built.font.style,
        "family": built.family,
        "author": built.author,
        "licence": built.licence,
        "characters": characters,
    }


def _build(font: Font, cache: Path, out: Path) -> Built:
    files = [f"files/{font.package}-{script}-{font.cut}.woff" for script in font.scripts]
    licence, about, *parts = packages.read(
        cache, f"@fontsource/{font.package}", VERSION, "LICENSE", "metadata.json", *files
    )
    cut = [_cut(part, CHARACTERS[script]) for part, script in zip(parts, font.scripts, strict=True)]
    whole = TTFont(io.BytesIO(cut[0])) if len(cut) == 1 else merge.Merger().merge([io.BytesIO(part) for part in cut])
    _rename(whole, f"Easel {font.style}")
    whole.recalcTimestamp = False
    whole["head"].created = whole["head"].modified = 0
    whole.save(out / f"{font.style}.ttf")
    (out / f"{font.style}.LICENSE.txt").write_bytes(licence)
    told, has = json.loads(about), whole.getBestCmap()
    characters = {
        script: "".join(sorted(sign for sign in CHARACTERS[script] if ord(sign) in has)) for script in font.scripts
    }
    author = _author(told["license"]["attribution"])
    return Built(font, told["family"], author, told["license"]["type"], characters)


def _author(notice: str) -> str:
    """Who is named in a copyright notice; the notice itself, with addresses and reserved names, is in the licence."""
    first = re.split(r" [A-Z]\w+-\w+\[", notice)[0]
    plain = re.sub(r"\s*\([^)]*\)", "", first.split(", with Reserved")[0])
    return re.sub(r"^Copyright \d{4},? |^Copyright, \d{4},? |^Copyright\W+\d{4}\W+", "", plain).strip(" .")


def _cut(woff: bytes, characters: str) -> bytes:
    """The font of a WOFF file with those characters alone, as TrueType.

    Raises:
        ValueError: it has not all of them.
    """
    font = TTFont(io.BytesIO(woff))
    known = set(font.getBestCmap())
    wanted = {ord(character) for character in characters}
    if characters is not SYMBOLS and (missing := wanted - known):
        raise ValueError(f"the font has no {' '.join(sorted(map(chr, missing)))}")
    options = subset.Options(
        hinting=False, layout_features=[], glyph_names=False, notdef_outline=True, drop_tables=["DSIG", "STAT", "kern"]
    )
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted & known)
    cutter.subset(font)
    font.flavor = None
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


def _rename(font: TTFont, family: str) -> None:
    """Call it by our name; copyright, licence and designer stay."""
    names = font["name"]
    for number in {record.nameID for record in names.names} - {0, 9, 11, 12, 13, 14}:
        names.removeNames(nameID=number)
    for number, text in ((1, family), (2, "Regular"), (3, family), (4, family), (6, family.replace(" ", "-"))):
        names.setName(text, number, 3, 1, 0x409)
