"""`SOURCES.md`: where fonts, emoji and photographs come from; and the notices that travel with the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from easel_app.trajectories.references.photographs import PHOTOGRAPHS
from tools.build_tasks.sources import NOTICES as TASK_NOTICES

from .emoji import Artist
from .fonts import VERSION, Built

HEAD = """# Sources of the reference pool

Written by `python -m tools.build_references`; do not edit by hand. The families geometry, text and glyphs are drawn by
this project (Apache-2.0), the last two in the fonts below, whose licences bind the fonts and not what is drawn with
them; emoji are those below on grounds of our own; photographs are
crops of what scikit-image's wheel brings, and no crop shares a pixel with what a task shows of the same photograph.
Every reference of a data set names its own source, author, licence, and seed or crop. What must be handed on with
pictures of a family is in `notices/FAMILY.md`, and a data set with such pictures has it as `NOTICES.md`.

## Fonts

Cut down to the characters that are drawn, without hints and layout features, parts of different scripts merged, and
renamed, as the open font licence asks of changed fonts with a reserved name. The licence of each is beside it, as
`fonts/STYLE.LICENSE.txt`.

| file | font | author | licence | package |
| --- | --- | --- | --- | --- |
"""
EMOJI = """
## Emoji

Rendered at 128 × 128 into `emoji.zip`. No emoji that a task shows is among them.

| set | sprites | source | author | licence | package |
| --- | --- | --- | --- | --- | --- |
"""
PHOTOS = """
## Photographs

Not copied here: read from the installed scikit-image (`skimage/data`). Authors and licences are as scikit-image states
them.

| file | title | author | licence |
| --- | --- | --- | --- |
"""
NOTICES_OF_EMOJI = """## Emoji

Pictures of the family `emoji`, and canvases painted after them, show emoji of these sets.

- **Fluent Emoji**: Copyright (c) Microsoft Corporation, MIT License (text below). Changed: rendered, scaled, turned,
  mirrored, and put together on painted grounds. Project: https://github.com/microsoft/fluentui-emoji
- **Noto Emoji**: Copyright Google LLC, Apache License, Version 2.0 (text below). Changed: rendered, scaled, turned,
  mirrored, and put together on painted grounds. Project: https://github.com/googlefonts/noto-emoji

"""
APACHE = """
### Apache License, Version 2.0 (Noto Emoji)

```text
{text}
```
"""


def as_markdown(fonts: Sequence[Built], emoji: Sequence[tuple[Artist, int]]) -> str:
    """The text of the file."""
    lines = [HEAD]
    for font in fonts:
        package = f"@fontsource/{font.font.package} {VERSION}, {font.font.cut}"
        lines.append(f"| fonts/{font.font.style}.ttf | {font.family} | {font.author} | {font.licence} | {package} |\n")
    lines.append(EMOJI)
    for artist, count in emoji:
        source = f"{artist.title} | {artist.author} | {artist.licence} | {artist.package} {artist.version}"
        lines.append(f"| {artist.set} | {count} | {source} |\n")
    lines.append(PHOTOS)
    lines += [f"| {each.file} | {each.title} | {each.author} | {each.licence} |\n" for each in PHOTOGRAPHS]
    return "".join(lines)


def notices(licence: Path) -> dict[str, str]:
    """What the licences of a family's pictures ask to be handed on, by family; the MIT text is that of the tasks' file.

    Args:
        licence: this project's, which is the Apache License's text.
    """
    apache = licence.read_text(encoding="utf-8").strip("\n")
    mit = TASK_NOTICES[TASK_NOTICES.index("### MIT License") :]
    return {"emoji": NOTICES_OF_EMOJI + mit + APACHE.format(text=apache)}
