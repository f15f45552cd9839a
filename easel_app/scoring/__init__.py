"""Pure functions and small records: what a canvas, a drawing or a judgement is worth."""

BRUSH_COLOUR = (0, 0, 139)
"""The opaque dark blue of semantic tasks, sRGB bytes. The paper (arXiv 2608.25417) says "dark blue" only."""
