"""Which sandbox a host has."""

from __future__ import annotations

from easel_app.rubrics.sandbox.bubblewrap import Bubblewrap
from easel_app.rubrics.sandbox.execution import Limits, Sandbox
from easel_app.rubrics.sandbox.none import NoSandbox
from easel_app.settings import Settings


def sandbox_of(settings: Settings, limits: Limits = Limits()) -> Sandbox:  # noqa: B008 - it cannot be changed
    """Bubblewrap where the host wants code to be run, else none; bubblewrap tests itself before its first use."""
    return NoSandbox(why) if (why := settings.code_forbidden) else Bubblewrap(limits)
