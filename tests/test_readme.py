"""What the README says can be done is done here, word for word."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.conftest import Server
from tests.endpoint import endpoint, painter
from tests.web.agent import Agent, play

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
    block = next(block for block in blocks("python") if "while not done" in block)
    (tmp_path / "block.py").write_text(block)
    step, score = run([sys.executable, str(tmp_path / "block.py")]).split()
    assert (step, 0.0 < float(score) < 1.0) == ("128", True)


def test_the_shell_block_paints_a_stroke_as_printed(server: Server) -> None:
    block = next(block for block in blocks("sh") if "curl" in block)
    script = block.replace("localhost:7860", server.url.removeprefix("http://"))
    answer = json.loads(run(["sh", "-euc", script]).splitlines()[-1])
    assert (answer["outcome"], answer["step"]) == ("applied", 1)


def test_the_block_that_records_an_episode_runs_as_printed(server: Server, tmp_path: Path) -> None:
    block = next(block for block in blocks("python") if "Recorded" in block)
    (tmp_path / "block.py").write_text(block.replace("http://127.0.0.1:7860", server.url))
    address = run([sys.executable, str(tmp_path / "block.py")]).strip()
    assert address.startswith(f"{server.url}/?tab=watch&session=")
    session = httpx.get(f"{server.url}/api/sessions/{address.rpartition('=')[2]}").json()
    assert (session["step"], session["player"]["kind"]) == (1, "agent")


def test_the_configuration_for_mcp_leads_to_the_tools_that_are_named(server: Server) -> None:
    (block,) = blocks("json")
    address = json.loads(block)["mcpServers"]["easel"]["url"].replace("http://127.0.0.1:7860", server.url)

    async def scene(agent: Agent) -> set[str]:
        return {tool.name for tool in (await agent.client.list_tools()).tools}

    found = play(address.removesuffix("/mcp"), scene)
    assert found and all(f"`{name}`" in README for name in found)


def test_the_command_that_runs_a_model_runs_as_printed(tmp_path: Path) -> None:
    block = next(block for block in blocks("sh") if "easel run" in block)
    with endpoint(painter) as model:
        script = block.replace("http://127.0.0.1:8000/v1", model.url).replace(".venv/bin/easel", "easel")
        done = run(["sh", "-euc", f"export EASEL_DATA_DIR={tmp_path}\n{script.replace('…', 'key')}"])
        assert {request.headers["authorization"] for request in model.requests} == {"Bearer key"}
    assert "finished: 15 of 15 sessions done" in done and "@50%" in done


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)]+)\)", README))
def test_every_link_into_the_repository_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.parametrize("folder", re.findall(r"`((?:easel_app|data|tools|benchmarks|tests|static)[/\w]*)`", README))
def test_every_folder_named_exists(folder: str) -> None:
    assert (ROOT / folder).exists()
