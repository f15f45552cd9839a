"""Reading rubric data of others: whatever its format, it becomes a stream of our records with the places they stand at.

One mechanism for all: a file is a stream of entries (`entries`: JSON lines or a JSON list; `parquet`: rows), and each
entry tells by what it holds of which shape it is (`own`, `dataset`, `responses`, `judged`), so that no file has to be
called this or that. `RubricSource` puts files together.
"""

from easel_app.rubrics.reading.keys import key_of
from easel_app.rubrics.reading.source import RubricSource, from_disk
from easel_app.sources.found import Fault, Found, Place, Problem, SourceUnusable, Stopped

__all__ = ["Fault", "Found", "Place", "Problem", "RubricSource", "SourceUnusable", "Stopped", "from_disk", "key_of"]
