"""A stand-in for Slurm on one machine: array jobs of the very scripts, two tasks at a time, each a process.

Strict where Slurm is: it takes no option that it does not know. Run as a command under one of COMMANDS' names.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COMMANDS = ("sbatch", "squeue", "scancel", "srun", "scontrol")
HOME = "SLURM_STAND_IN"
"""In the environment: the folder of the queue."""
OPTIONS = {
    "array": r"0-(\d+)(%\d+)?",
    "cpus-per-task": r"\d+",
    "error": r"\S+",
    "job-name": r"\S+",
    "mem-per-cpu": r"[1-9]\d*G",
    "nodes": r"1",
    "output": r"\S+",
    "partition": r"debug",
    "requeue": r"",
    "time": r"\d+(:\d\d){1,2}",
}


def install(folder: Path) -> dict[str, str]:
    """Put the commands into a folder; the environment in which they are found."""
    for name in COMMANDS:
        place = folder / name
        place.write_text(f'#!/bin/sh\nexec {sys.executable} -IS {__file__} {name} "$@"\n', encoding="utf-8")
        place.chmod(0o755)
    (folder / "queue").mkdir()
    return {"PATH": f"{folder}:{os.environ['PATH']}", HOME: str(folder / "queue")}


def sbatch(*arguments: str) -> int:
    """Submit a script; the job is a process that outlives this one."""
    options, script = arguments[:-1], Path(arguments[-1]).read_text(encoding="utf-8")
    given = dict(re.findall(r"^#SBATCH --([a-z-]+)=?(.*)$", script, re.MULTILINE))
    wrong = [key for key, value in given.items() if key not in OPTIONS or not re.fullmatch(OPTIONS[key], value)]
    if wrong or any(not option.startswith("--export=ALL,") for option in options):
        print(f"sbatch: error: invalid option {wrong or options}", file=sys.stderr)
        return 1
    queue = Path(os.environ[HOME])
    job = str(len(list(queue.glob("*.sh"))) + 1)
    (queue / f"{job}.sh").write_text(script, encoding="utf-8")
    (queue / f"{job}.name").write_text(given["job-name"], encoding="utf-8")
    with (queue / f"{job}.log").open("wb") as log:
        command = [sys.executable, __file__, "run", job, given["output"], given["array"]]
        process = subprocess.Popen(command, start_new_session=True, stdout=log, stderr=log)
    (queue / f"{job}.queued").write_text(str(process.pid), encoding="utf-8")
    print(f"Submitted batch job {job}")
    return 0


def run(job: str, output: str, array: str) -> int:
    """The job: its tasks, two at a time, whatever becomes of one."""
    queue = Path(os.environ[HOME])
    queued = queue / f"{job}.queued"
    while not queued.exists():
        time.sleep(0.01)

    def task(index: int) -> None:
        environment = os.environ | {"SLURM_ARRAY_TASK_ID": str(index), "SLURM_NODELIST": "here", "SLURM_JOB_ID": job}
        with Path(output.replace("%A", job).replace("%a", str(index))).open("wb") as file:
            command = ["bash", str(queue / f"{job}.sh")]
            subprocess.run(command, env=environment, stdout=file, stderr=file, check=False)

    with ThreadPoolExecutor(2) as two:
        list(two.map(task, range(int(re.split(r"[-%]", array)[1]) + 1)))
    queued.unlink()
    return 0


def squeue(*arguments: str) -> int:
    """Numbers of the jobs of a name."""
    for job in _named(arguments):
        print(job.stem)
    return 0


def scancel(*arguments: str) -> int:
    """End the jobs of a name with all their processes."""
    for job in _named(arguments):
        os.killpg(int(job.read_text(encoding="utf-8")), signal.SIGKILL)
        job.unlink()
    return 0


def srun(*arguments: str) -> int:
    """Run a command; the options say nothing to one machine."""
    command = re.sub(r"^((--\S+|-l|-n \d+) )*", "", " ".join(arguments)).split()
    os.execvp(command[0], command)


def scontrol(*arguments: str) -> int:
    """Names of the machines of a job."""
    assert arguments[:2] == ("show", "hostnames")
    print(arguments[2])
    return 0


def _named(arguments: tuple[str, ...]) -> list[Path]:
    options = dict(re.findall(r"--(\S+?)=(\S+)", " ".join(arguments)))
    queue = Path(os.environ[HOME])
    return [job for job in queue.glob("*.queued") if job.with_suffix(".name").read_text() == options["name"]]


if __name__ == "__main__":
    sys.exit(
        {each.__name__: each for each in (sbatch, run, squeue, scancel, srun, scontrol)}[sys.argv[1]](*sys.argv[2:])
    )
