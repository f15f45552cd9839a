"""Easel Studio: people and AI agents paint a canvas stroke by stroke; everything is recorded, scored and replayed."""

__version__ = "0.1.0"


def register_environments() -> None:
    """Register the Gymnasium environments; Gymnasium calls this itself through the package's entry point."""
    import gymnasium

    if "easel_app/Painting-v0" not in gymnasium.registry:
        gymnasium.register("easel_app/Painting-v0", entry_point="easel_app.painting.env:PaintingEnv")
