"""What the README says can be done is done here, word for word."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Server

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def run(command: list[str]) -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_python_block_runs_as_printed(tmp_path: Path) -> None:
    (block,) = blocks("python")
    (tmp_path / "block.py").write_text(block)
    step, score = run([sys.executable, str(tmp_path / "block.py")]).split()
    assert (step, 0.0 < float(score) < 1.0) == ("128", True)


def test_the_shell_block_paints_a_stroke_as_printed(server: Server) -> None:
    block = next(block for block in blocks("sh") if "curl" in block)
    script = block.replace("localhost:7860", server.url.removeprefix("http://"))
    answer = json.loads(run(["sh", "-euc", script]).splitlines()[-1])
    assert (answer["outcome"], answer["step"]) == ("applied", 1)


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)]+)\)", README))
def test_every_link_into_the_repository_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.parametrize("folder", re.findall(r"`((?:easel_app|data|tools|benchmarks|tests|static)[/\w]*)`", README))
def test_every_folder_named_exists(folder: str) -> None:
    assert (ROOT / folder).exists()
