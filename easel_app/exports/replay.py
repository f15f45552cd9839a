"""A session as one HTML file that opens from disk: log, task, picture, scripts and styles, and nothing from outside."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from easel_app.exports.modules import data_url, modules_of, specifier_of

ENTRY = "replay.js"
"""Module of `static/` whose default export shows the session."""
STYLES = ("tokens.css", "frame.css", "controls.css", "dialogs.css", "watch.css")
"""Style sheets of `static/css/` that it needs, in order; those that are not there are left out."""
# Only scripts that have the nonce run, and what they import has it from them, so that `data:` itself need not be
# allowed. Nothing can be fetched, sent, framed or submitted. Tried from disk in Chromium 156, Firefox 153 and
# WebKitGTK 2.50.
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
# Runs before the first paint: light or dark as the system has it, now and when it changes. Icons are in the page.
BOOT = """(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const theme = system.matches ? "dark" : "light";
    for (const part of [document.documentElement, document.body]) part?.classList.toggle("dark", theme === "dark");
    document.documentElement.dataset.theme = theme;
    dispatchEvent(new CustomEvent("es:theme", { detail: theme }));
  };
  apply();
  addEventListener("DOMContentLoaded", apply);
  system.addEventListener("change", apply);
  window.studio = { url: (path) => path, icons: "", toggleTheme() {}, offline: true };
})();"""
START = """const host = document.getElementById("easel-replay");
try {
  const { default: start } = await import("%s");
  await start(host, JSON.parse(document.getElementById("easel-session").textContent));
  host.dataset.ready = "";
} catch (error) {
  console.error(error);
  const words = document.createElement("p");
  words.setAttribute("role", "alert");
  words.textContent = "This replay could not start; try a browser of 2023 or newer. Nothing in the file is lost.";
  host.replaceChildren(words);
}"""


def page(
    session: Mapping[str, Any],
    log: Sequence[Mapping[str, Any]],
    reference: bytes,
    fingerprint: str,
    folder: Path,
) -> str:
    """The file. Text of people and models is in it as JSON only, in which no markup can begin.

    Args:
        session: the session as the API shows it, its task included.
        log: the lines of its log, as they are exported.
        reference: the task's picture as PNG.
        fingerprint: what tells this record from any other, as hexadecimal.
        folder: where the scripts and styles are. The default export of `ENTRY` is called as
            `start(host, {session, task, log, reference, fingerprint})`; `reference` is then a data URL.

    Raises:
        FileNotFoundError: a module is not there.
    """
    data = {
        "session": session,
        "task": session["task"],
        "log": log,
        "reference": f"data:image/png;base64,{base64.b64encode(reference).decode()}",
        "fingerprint": fingerprint,
    }
    addresses = {name: data_url(source) for name, source in modules_of(ENTRY, folder).items()}
    content, imports = _json(data), _json({"imports": addresses})
    start = START % specifier_of(ENTRY)
    # the same session gives the same file; and no text inside can know the digest of all text
    nonce = hashlib.sha256(f"{content} {imports} {start}".encode()).hexdigest()[:32]
    title = html.escape(f"{session['task']['title']}, painted by {session['player']['name']}")
    styles = "\n".join(_styles(folder)).replace("</", "<\\/")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY.format(nonce=nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<script nonce="{nonce}">{BOOT}</script>
<style>{styles}</style>
<script type="importmap" nonce="{nonce}">{imports}</script>
</head>
<body>
<div hidden>{(folder / "icons.svg").read_text(encoding="utf-8")}</div>
<main class="es es-screen s-replay" id="easel-replay"></main>
<noscript>This file replays a painting of Easel Studio, for which it needs JavaScript.</noscript>
<script type="application/json" id="easel-session">{content}</script>
<script type="module" nonce="{nonce}">{start}</script>
</body>
</html>
"""


def _styles(folder: Path) -> list[str]:
    paths = [folder / "css" / name for name in STYLES]
    return [path.read_text(encoding="utf-8") for path in paths if path.is_file()]


def _json(value: Any) -> str:
    """JSON that can stand in a script element: it holds no `<`, so that neither its end nor a comment can begin."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
