"""Reading plans of others: whatever their format, they become a stream of our records with the places they stand at.

One mechanism for all: a file is a stream of entries (`sources.entries`; a bare text is one entry), and each entry tells
by what it holds of which shape it is (`shapes`). Our own format (`own`) is validated as it stands. Any other shape
becomes a `Draft` first, without touching a disk: what was asked, and who answered what (`rows`, `llmi`, `marks`,
`lists`, and `raw` for what nobody knows). `finishing` makes records of a draft: it takes pictures in from beside the
file, never from a network, and settles where indices begin (`bases`). `PlanSource` puts files together.
"""

from easel_app.plans.reading.source import IndexBase, PlanSource, from_disk

__all__ = ["IndexBase", "PlanSource", "from_disk"]
