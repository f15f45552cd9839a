"""Our ES modules as Gradio components.

Text of people and models never passes through these templates (Gradio evaluates `${…}` and `{{…}}` in them):
a module gets it as data and writes it with `textContent`.
"""

from __future__ import annotations

import json
from typing import Any

import gradio as gr

from easel_app.ui.page import BRAND, Assets


def screen(
    assets: Assets,
    module: str,
    value: dict[str, Any] | None = None,
    events: tuple[str, ...] = (),
    styles: tuple[str, ...] = (),
    **kwargs: Any,
) -> gr.HTML:
    """A whole screen drawn by `static/<module>.js`; its default export gets the host element and the bridge.

    The template is constant, so Gradio never morphs the DOM that the module drew; data goes in `value`, read in
    JavaScript as props.value and watched with watch('value'). Event names must stand in quotes in js_on_load
    for `component.<event>` to exist.

    Args:
        assets: our static files.
        module: name of the module, also the screen's class `s-<module>` and element id `es-<module>`.
        value: data for the module.
        events: names that the module may trigger.
        styles: files under `static/css/` that it needs, if the page has not brought them with its first tab.
        kwargs: passed to `gr.HTML`.
    """
    mount, url = (json.dumps(assets.url(name)) for name in ("mount.js", f"{module}.js"))
    bridge = "{element, trigger, props, watch, server, upload}"
    sheets = f"{json.dumps([assets.url(f'css/{name}') for name in styles])}.map(studio.url)"
    return gr.HTML(
        value=value or {},
        html_template=f'<div class="es es-screen s-{module}" data-module="{module}"></div>',
        js_on_load=(
            f"import(studio.url({mount})).then(m => m.mount(studio.url({url}), {bridge}, {sheets}))"
            f" // {json.dumps(events)}"
        ),
        apply_default_css=False,
        elem_id=f"es-{module}",
        **kwargs,
    )


def static(body: str, **kwargs: Any) -> gr.HTML:
    """Markup of ours without behaviour; the text must be ours too, since Gradio evaluates ${…} and {{…}} in it."""
    return gr.HTML(html_template=body, js_on_load=None, apply_default_css=False, **kwargs)


def header(assets: Assets) -> gr.HTML:
    """Brand and tools, laid over the row in which Gradio draws its tabs."""
    icon = f'<svg class="i" aria-hidden="true"><use href="{assets.url("icons.svg")}#i-moon"/></svg>'
    return static(
        f'<a class="es-brand" href="./">{BRAND}</a><div class="es es-util">'
        '<button type="button" class="btn ghost icon" id="es-theme" title="Light or dark"'
        f' aria-label="Switch between light and dark">{icon}</button>'
        '<button type="button" class="btn ghost icon" id="es-keys" aria-label="Keyboard shortcuts"'
        ' title="Shortcuts (?)"><span class="kbd">?</span></button></div>',
        elem_id="es-head",
    )
