"""Easel Studio: people and AI agents paint a canvas stroke by stroke; everything is recorded and scored.

Importing the package registers the environment `easel_app/Painting-v0` with Gymnasium.
"""

import gymnasium

__version__ = "0.1.0"

gymnasium.register("easel_app/Painting-v0", entry_point="easel_app.painting.env:PaintingEnv")
