"""ASGI entry for servers that import one: `uvicorn app:app`. `make run` uses `easel serve`, which says where it is."""

from easel_app.application import create_app

app = create_app()
