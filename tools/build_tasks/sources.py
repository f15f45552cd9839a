"""`SOURCES.md`: where every task comes from, and the notices that the licences ask for."""

from __future__ import annotations

from itertools import groupby

from .catalogue import Task

HEAD = """# Sources of the tasks

Written by `python -m tools.build_tasks`; do not edit by hand. Every task is listed with its source, author, licence and
the seed or crop that makes it. Photographs come from the wheels of scikit-image, scikit-learn and SciPy, emoji from two
npm packages; all else is drawn by the build script, glyphs included: no font is used. Crops are reduced to 128 × 128 by
Pillow's Lanczos filter; drawings are the mean of 8 × 8 samples a pixel.
"""

TABLE = """
## {category}

| task | title | source | author | licence | detail |
| --- | --- | --- | --- | --- | --- |
"""

NOTICES = """
## Notices

- **Drawn pictures**: part of this project, Apache-2.0 (see `LICENSE`).
- **Noto Emoji**: Copyright Google LLC, Apache License, Version 2.0 (the text is in `LICENSE`). Changed: rendered at
  128 × 128 on a painted ground. Project: https://github.com/googlefonts/noto-emoji
- **Fluent Emoji**: Copyright (c) Microsoft Corporation, MIT License (text below). Changed: rendered at 128 × 128 on a
  painted ground. Project: https://github.com/microsoft/fluentui-emoji
- **Summer Palace** by danielbuechele and **Dahlia** by vultilion: Creative Commons Attribution 2.0 Generic
  (https://creativecommons.org/licenses/by/2.0/), as shipped with scikit-learn. Originals:
  https://www.flickr.com/photos/danielbuechele/6061409035/ and https://www.flickr.com/photos/vultilion/6056698931/
  Changed: cropped and reduced.
- **Public domain** photographs: NASA (astronaut, Hubble eXtreme Deep Field) and SpaceX (rocket), as scikit-image
  states, and the raccoon, which SciPy took from public-domain-image.com. NASA and SpaceX endorse nothing here.
- **CC0 1.0** photographs (https://creativecommons.org/publicdomain/zero/1.0/): credit is given although none is asked.
- **No known copyright restrictions**: stated by scikit-image for the coins (Brooklyn Museum) and the stained tissue
  (Center for Microscopy and Molecular Imaging).

### MIT License (Fluent Emoji)

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def as_markdown(tasks: list[Task]) -> str:
    """The text of the file: one table a category, then the notices."""
    parts = [HEAD]
    for category, own in groupby(tasks, key=lambda task: str(task.entry["category"])):
        parts.append(TABLE.format(category=category.capitalize()))
        for task in own:
            entry, source = task.entry, task.entry["source"]
            origin = [source["origin"], source["author"], source["licence"], source["detail"]]
            parts.append(f"| {' | '.join([entry['id'], entry['title'], *origin])} |\n")
    return "".join(parts) + NOTICES
