"""The whole application: API and page in one process."""

from __future__ import annotations

from fastapi import FastAPI

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.ui.studio import mount
from easel_app.web.api import create_api


def create_app(settings: Settings | None = None) -> FastAPI:
    """Build the ASGI app; `app.state.studio` holds its services."""
    settings = settings or Settings()
    studio = Studio(settings)
    app = create_api(studio, settings)
    app.state.studio = studio
    return mount(app, studio, blocked_paths=[settings.data_dir.resolve()])
